"""What methods and learners are fitted on."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, TypeVar

import numpy as np
from scipy import sparse
from sklearn.model_selection import GroupKFold, KFold

from trellislib.dependence import InformationRows, PairCounts, PairsOnDemand, whole_or_rows
from trellislib.dependence.gram import Regression, Sums, leverages_of_few
from trellislib.dependence.spectrum import FeatureSpectrum, InstanceSpectrum, Spectrum
from trellislib.labels.coding import LabelCoding
from trellislib.labels.label_sets import distinct_label_sets
from trellislib.running.memory import Size
from trellislib.typing import Matrix

T = TypeVar("T")

OF_LABELS = ("columns", "counts", "information", "label_sets")  # what is found once and does not depend on features


@dataclass(frozen=True)
class TrainingSet:
    """Features and labels of some instances, with the values that the labels may take.

    Parameters
    ----------
    X : {ndarray, CSR} of shape (n_instances, n_features)
        Features.
    Y : {ndarray, CSR} of shape (n_instances, n_labels)
        Label values.
    coding : LabelCoding
        The values of each label, whether or not they occur in these instances.
    weight : ndarray of shape (n_instances,), optional
        Weights of the instances; each counts once by default.
    groups : ndarray of int of shape (n_instances,), optional
        The group of each instance. Where instances are held out, those of a group are held out together.
    """

    X: Matrix
    Y: Matrix
    coding: LabelCoding
    weight: np.ndarray | None = None
    groups: np.ndarray | None = None

    @classmethod
    def of(
        cls, X: Matrix, Y: Matrix, weight: np.ndarray | None = None, groups: np.ndarray | None = None
    ) -> TrainingSet:
        """Return a training set whose labels take the values that occur in `Y`."""
        return cls(X, Y, LabelCoding.of(Y), weight, groups)

    @property
    def n_instances(self) -> int:
        """Number of instances."""
        return self.X.shape[0]

    @property
    def n_labels(self) -> int:
        """Number of labels."""
        return self.coding.n_labels

    @property
    def n_features(self) -> int:
        """Number of features."""
        return self.X.shape[1]

    @property
    def size(self) -> Size:
        """How large the data are."""
        return Size.of(self.X, self.Y, self.coding.n_columns)

    @property
    def sparse_labels(self) -> bool:
        """Whether the labels came as CSR."""
        return sparse.issparse(self.Y)

    @cached_property
    def columns(self) -> Matrix:
        """The labels as indicator columns, an array or CSR array of shape (n_instances, n_columns)."""
        return self.coding.encode(self.Y)

    @cached_property
    def counts(self) -> PairCounts:
        """How often label values occur, alone and together."""
        return PairCounts.of(self.columns, self.coding.starts, self.weight)

    @cached_property
    def information(self) -> np.ndarray | InformationRows:
        """Mutual information of every pair of labels, in nats, of shape (n_labels, n_labels).

        That of more than 4,096 labels is found row by row on demand.
        """
        return whole_or_rows(self.counts)

    @property
    def constant(self) -> np.ndarray:
        """Which labels have the same value in all instances, an array of bool of shape (n_labels,)."""
        occurs = np.asarray(self.columns.sum(axis=0)).ravel()
        return np.logical_and.reduceat(np.isin(occurs, (0, self.n_instances)), self.coding.starts[:-1])

    @cached_property
    def sums(self) -> Sums:
        """Features and label columns summed up."""
        return Sums.of(self._floats, self.columns, self.weight)

    def regression(self, alpha: float) -> Regression:
        """Return the ridge regression of the label columns on the features."""
        return self.once(f"regression, alpha={alpha}", lambda: self._regression(alpha))

    def _regression(self, alpha: float) -> Regression:
        if self.n_features <= self.n_instances:
            return Regression.of_sums(self.sums, alpha)
        return Regression.of_few(self._floats, self.columns, alpha, self.weight)

    def leverages(self, alpha: float, rows: np.ndarray) -> np.ndarray:
        """Return the leverages of some instances, of weight 1, in the regression on the features, (n_rows,)."""
        if self.n_features <= self.n_instances:
            return self.sums.leverages(self.X[rows], alpha)
        of_all = self.once(f"leverages, alpha={alpha}", lambda: leverages_of_few(self._floats, alpha, self.weight))
        return of_all[rows]

    @cached_property
    def spectrum(self) -> Spectrum:
        """The eigendecomposition of the features, from which regressions of all penalties follow."""
        if self.n_features <= self.n_instances:
            return FeatureSpectrum.of(self.X, self.sums)
        return InstanceSpectrum.of(self._floats, self.columns, self.weight)

    def weights(self, rows: np.ndarray) -> np.ndarray:
        """Return the weights of some instances, 1 where none are given."""
        return np.ones(len(rows)) if self.weight is None else self.weight[rows]

    @cached_property
    def units(self) -> np.ndarray | None:
        """The groups, numbered from 0; None where each instance is on its own: without groups, or in a single one."""
        if self.groups is None or not len(self.groups) or np.ptp(self.groups) == 0:
            return None
        return np.unique(self.groups, return_inverse=True)[1]

    @property
    def with_rows(self) -> TrainingSet:
        """The instances whose rows are in memory: all of them."""
        return self

    @property
    def _floats(self) -> Matrix:
        return self.X.astype(np.float64, copy=False)

    def once(self, name: str, find: Callable[[], T]) -> T:
        """Return what `find` finds, which is found once for these instances and kept by its name."""
        if name not in self._found:
            self._found[name] = find()
        return self._found[name]

    @cached_property
    def _found(self) -> dict[str, Any]:
        return {}

    @cached_property
    def sparse_codes(self) -> sparse.csr_array:
        """The code of each label, of shape (n_instances, n_labels)."""
        return sparse.csr_array(self.Y if self.sparse_labels else self.codes)

    @cached_property
    def codes(self) -> np.ndarray:
        """The same as an array: of a block of instances, for of all of them it may be too large."""
        if sparse.issparse(self.Y):
            return self.Y.toarray().astype(np.intp)
        return np.column_stack([self.coding.codes(self.Y, label) for label in range(self.n_labels)])

    @cached_property
    def label_sets(self) -> tuple[Matrix, np.ndarray]:
        """The codes of the distinct label sets, (n_sets, n_labels), and which of them each instance has."""
        return distinct_label_sets(self.Y if self.sparse_labels else self.codes)

    def labels(self, which: Sequence[int]) -> TrainingSet:
        """Return the same instances with some of the labels."""
        coding = LabelCoding([self.coding.classes[label] for label in which])
        return replace(self, Y=self.Y[:, list(which)], coding=coding)

    def blocks(self, n_rows: int) -> Iterator[TrainingSet]:
        """Yield the instances, so many at a time."""
        for first in range(0, self.n_instances, n_rows):
            yield self.rows(np.arange(first, min(first + n_rows, self.n_instances)))

    def spread(self, n_rows: int) -> TrainingSet:
        """Return at most so many instances, spread evenly over the data."""
        which = evenly_spread(self.n_instances, n_rows)
        some = self.rows(which)
        vars(some)["columns"] = self.columns[which]
        return some

    def folds(self, n_folds: int) -> Iterator[tuple[TrainingSet, TrainingSet, np.ndarray]]:
        """Yield for each of some folds, always the same, the other instances, those of the fold, and which these are.

        Of a single instance, that instance is on both sides.
        """
        if self.n_instances < 2:
            yield self, self, np.arange(self.n_instances)
            return
        for _, which in self.divided(n_folds, 0):
            yield *self.split(which), which

    def divided(
        self, n_folds: int, random_state: int | np.random.RandomState | None
    ) -> Iterator[tuple[np.ndarray, np.ndarray]]:
        """Yield the instances to fit on and those to hold out, in at most so many random folds, never part of a group.

        Of a single instance, that instance is on both sides.
        """
        units = self.units
        n_folds = min(n_folds, self.n_instances if units is None else int(units.max()) + 1)
        if n_folds < 2:
            yield np.arange(self.n_instances), np.arange(self.n_instances)
            return
        kind = KFold if units is None else GroupKFold
        folds = kind(n_folds, shuffle=True, random_state=random_state)
        yield from folds.split(np.empty(self.n_instances), groups=units)

    def split(self, which: np.ndarray) -> tuple[TrainingSet, TrainingSet]:
        """Return all instances but those of the index `which`, and those.

        What was counted and summed up of all of them is not read again: what `which` has of it is taken away. (But for
        features that are so much larger there that the difference would have lost its digits.)
        """
        held = self.rows(which)
        rest = self.rows(np.setdiff1d(np.arange(self.n_instances), which))
        known: dict[str, object] = {}
        if not isinstance(self.counts.together, PairsOnDemand):
            known["counts"] = self.counts - held.counts
        if self.n_features <= rest.n_instances:
            difference = self.sums - held.sums
            if self.sums.keeps_digits_of(difference):
                known["sums"] = difference
        vars(rest).update(known)  # as if these cached properties had been read
        return rest, held

    def scaled(self, factor: np.ndarray) -> TrainingSet:
        """Return the same instances with each feature multiplied by its `factor`; what is summed up stays so."""
        X = sparse.csr_array(self.X @ sparse.diags_array(factor)) if sparse.issparse(self.X) else self.X * factor
        scaled = self.with_features(X)
        if "sums" in vars(self):
            vars(scaled)["sums"] = self.sums.scaled(factor)
        return scaled

    def with_features(self, X: Matrix) -> TrainingSet:
        """Return the same instances with other features; what is known of the labels stays so."""
        changed = replace(self, X=X)
        known = {name: value for name, value in vars(self).items() if name in OF_LABELS}
        vars(changed).update(known)
        return changed

    def rows(self, which: np.ndarray) -> TrainingSet:
        """Return the instances that `which`, an index or mask, chooses."""
        weight, groups = (None if of_all is None else of_all[which] for of_all in (self.weight, self.groups))
        return TrainingSet(self.X[which], self.Y[which], self.coding, weight, groups)


def evenly_spread(n_instances: int, n_rows: int) -> np.ndarray:
    """Return the index of at most so many of the instances, spread evenly."""
    if n_rows >= n_instances:  # often a thousand times as many
        return np.arange(n_instances)
    return np.unique(np.linspace(0, n_instances - 1, n_rows).astype(int))
