"""Data larger than memory: chunks of instances summed up one by one, each read once.

Counts and Gram matrices add up (`trellislib.dependence`), and they are all that least squares
and the structures that counting finds need. What is kept of a stream has the size of features and labels, not of
instances, but for some rows on which probabilities are calibrated.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from scipy import sparse

from trellislib.dependence import InformationRows, PairCounts, whole_or_rows
from trellislib.dependence.gram import Regression, Sums
from trellislib.labels.coding import LabelCoding
from trellislib.learners.training_set import TrainingSet
from trellislib.running.progress import Cancelled, Progress, stop_if
from trellislib.typing import Matrix

KEPT_ROWS = 1000  # rows that are kept at least, where there are as many, and at most twice as many
OF_ANY_ROWS = ("coding", "n_labels", "n_features", "size", "sparse_labels", "once", "spread")
ROWS_ONLY = ("X", "Y", "columns", "codes", "rows", "labels", "split", "sparse_codes")


@dataclass(frozen=True)
class StreamedSet:
    """What is left of a stream: a training set without its rows.

    Attributes
    ----------
    counts : PairCounts
        How often label values occur, alone and together.
    sums : Sums
        Features and label columns summed up.
    kept : TrainingSet
        Some of the instances, evenly spread.
    """

    counts: PairCounts
    sums: Sums
    kept: TrainingSet
    weight: None = None

    @classmethod
    def of(
        cls,
        chunks: Iterable[tuple[Matrix, Matrix]],
        classes: Sequence[np.ndarray] | None = None,
        *,
        progress: Progress | None = None,
        cancelled: Cancelled | None = None,
    ) -> StreamedSet:
        """Sum up chunks of features and labels.

        Parameters
        ----------
        chunks : iterable of (X, Y)
            Features {ndarray, CSR} of shape (n, n_features) and labels {ndarray, CSR} of shape (n, n_labels), of any
            numbers of instances above 0. Each is read once.
        classes : sequence of ndarray, optional
            For each label, its values; 0 and 1 by default.
        progress, cancelled : callable, optional
            See `trellislib.running.progress`; called after each chunk. How many are to come is not known, so that the
            total that is reported is that of the chunks so far.

        Raises
        ------
        ValueError
            If there is no chunk, chunks differ in their numbers of labels or in being sparse or not, or a label has a
            value that is none of its classes.
        """
        summed: tuple[PairCounts, Sums] | None = None
        rows = _SpreadRows()
        coding = None if classes is None else _coding(classes)
        for number, (X, Y) in enumerate(chunks):
            stop_if(cancelled)
            coding = coding or LabelCoding([np.array([0, 1])] * Y.shape[1])
            _refuse_other_values(Y, coding, number)
            rows.add(X, Y, number)
            Z = coding.encode(Y)
            counts, sums = PairCounts.held(Z, coding.starts), Sums.of(X, Z)
            summed = (counts, sums) if summed is None else (summed[0] + counts, summed[1] + sums)
            if progress is not None:
                progress(number + 1, number + 1, "chunks")
        if summed is None or coding is None:
            raise ValueError("Got no chunks with instances, but expected at least one.")
        return cls(*summed, TrainingSet(*rows.kept(), coding))

    @property
    def n_instances(self) -> int:
        """Number of instances of the stream."""
        return int(self.counts.n_instances)

    @property
    def constant(self) -> np.ndarray:
        """Which labels have the same value in all instances, an array of bool of shape (n_labels,)."""
        never_or_always = np.isin(self.counts.single, (0, self.n_instances))
        return np.logical_and.reduceat(never_or_always, self.coding.starts[:-1])

    @cached_property
    def information(self) -> np.ndarray | InformationRows:
        """Mutual information of every pair of labels; see `TrainingSet.information`."""
        return whole_or_rows(self.counts)

    def regression(self, alpha: float) -> Regression:
        """Return the ridge regression of the label columns on the features."""
        return self.once(f"regression, alpha={alpha}", lambda: Regression.of_sums(self.sums, alpha))

    def leverages(self, alpha: float, rows: np.ndarray) -> np.ndarray:
        """Return the leverages of some of the instances that are kept in the regression on the features."""
        return self.sums.leverages(self.kept.X[rows], alpha)

    @property
    def with_rows(self) -> TrainingSet:
        """The instances whose rows are in memory: a part of all."""
        return self.kept

    def __getattr__(self, name: str) -> Any:
        """Return what the rows that are kept have in common with all; refuse what needs all rows."""
        if name in OF_ANY_ROWS:
            return getattr(self.kept, name)
        if name in ROWS_ONLY:
            raise TypeError(
                "A stream's rows are not kept, but this method reads them again: fit it on data in memory, or take one "
                "that sums are enough for, as IndependentClassifiers, ClassifierChain or ClassifierTrellis."
            )
        raise AttributeError(name)


class _SpreadRows:
    """Every n-th row of a stream, where n doubles whenever there are too many."""

    def __init__(self) -> None:
        self._step, self._seen = 1, 0
        self._parts: list[tuple[Matrix, Matrix]] = []
        self._n_kept = 0

    def add(self, X: Matrix, Y: Matrix, number: int) -> None:
        """Take some of the rows of the chunk that comes next."""
        earlier = self._parts[0] if self._parts else (X, Y)
        for name, found, before in zip(("features", "labels"), (X, Y), earlier, strict=True):
            if sparse.issparse(found) != sparse.issparse(before):
                kinds = ["sparse" if sparse.issparse(matrix) else "dense" for matrix in (found, before)]
                raise ValueError(f"Chunk {number} has {kinds[0]} {name}, but those before it have {kinds[1]} ones.")
        which = np.arange(-self._seen % self._step, X.shape[0], self._step)
        self._seen += X.shape[0]
        self._n_kept += len(which)
        self._parts.append((X[which], Y[which]))
        while self._n_kept > 2 * KEPT_ROWS:
            X, Y = self.kept()
            self._parts, self._step = [(X[::2], Y[::2])], 2 * self._step
            self._n_kept = self._parts[0][0].shape[0]

    def kept(self) -> tuple[Matrix, Matrix]:
        """Return the rows that are kept."""
        features, labels = zip(*self._parts, strict=True)
        return _stacked(features), _stacked(labels)


def _stacked(parts: Sequence[Matrix]) -> Matrix:
    return sparse.vstack(parts, format="csr") if sparse.issparse(parts[0]) else np.vstack(parts)


def _coding(classes: Sequence[np.ndarray]) -> LabelCoding:
    """Return the coding of labels with these values, in ascending order as it is found from data."""
    return LabelCoding([np.unique(np.asarray(values)) for values in classes])


def _refuse_other_values(Y: Matrix, coding: LabelCoding, number: int) -> None:
    """Raise a ValueError that names a value of a label that is none of its classes."""
    if Y.shape[1] != coding.n_labels:
        raise ValueError(f"Chunk {number} has {Y.shape[1]} labels, but expected {coding.n_labels}.")
    if sparse.issparse(Y):
        for label, values in enumerate(coding.classes):
            if values.tolist() != list(range(len(values))):
                raise ValueError(
                    f"Got sparse labels and the classes {values.tolist()} of label {label}, but a sparse array holds "
                    "codes: expected 0, 1, ... in a row."
                )
        found = sparse.coo_array(Y)
        labels, values = found.col, found.data
        last = np.array([len(of_label) for of_label in coding.classes]) - 1
        wrong = (values < 0) | (values > last[labels]) | (values != np.floor(values))
    else:
        known = np.column_stack([np.isin(Y[:, label], values) for label, values in enumerate(coding.classes)])
        labels, values = np.nonzero(~known)[1], Y[~known]
        wrong = np.ones(len(values), dtype=bool)
    if wrong.any():
        label, value = labels[wrong][0], values[wrong][0]
        raise ValueError(
            f"Chunk {number} has the value {value} of label {label}, but expected one of "
            f"{coding.classes[label].tolist()}: give all values of the labels as classes."
        )
