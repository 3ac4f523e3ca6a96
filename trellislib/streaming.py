"""Data larger than memory: chunks of instances summed up one by one, each read once.

Counts and Gram matrices add up (`trellislib.dependence.counts`, `trellislib.gram`), and they are all that least squares
and the structures that counting finds need. What is kept of a stream has the size of features and labels, not of
instances, but for some rows on which probabilities are calibrated.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from scipy import sparse
from sklearn.utils import check_X_y

from trellislib.coding import LabelCoding
from trellislib.dependence import InformationRows, PairCounts, whole_or_rows
from trellislib.gram import Regression, Sums
from trellislib.progress import Cancelled, Progress, stop_if
from trellislib.training_set import TrainingSet
from trellislib.typing import Matrix

KEPT_ROWS = 1000  # rows that are kept at least, where there are as many, and at most twice as many
ROWS_ONLY = ("X", "Y", "columns", "codes", "rows", "labels", "without")


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
            Features {array-like, CSR} of shape (n, n_features) and labels {array-like, CSR} of shape (n, n_labels), of
            any numbers of instances. Each is read once.
        classes : sequence of ndarray, optional
            For each label, its values in ascending order; 0 and 1 by default.
        progress, cancelled : callable, optional
            See `trellislib.progress`; told and asked after each chunk. How many are to come is not known, so that the
            total that is told is that of the chunks so far.

        Returns
        -------
        StreamedSet

        Raises
        ------
        ValueError
            If there is no chunk, chunks differ in their numbers of features or labels, or a label has a value that is
            none of its classes.
        """
        summed: StreamedSet | None = None
        rows = _SpreadRows()
        coding = None if classes is None else LabelCoding([np.asarray(values) for values in classes])
        for number, (X, Y) in enumerate(chunks):
            stop_if(cancelled)
            X, Y = check_X_y(X, Y, accept_sparse="csr", dtype=np.float64, multi_output=True)
            Y = sparse.csr_array(Y) if sparse.issparse(Y) else Y.reshape(len(Y), -1)
            coding = coding or LabelCoding([np.array([0, 1])] * Y.shape[1])
            _refuse_other_values(Y, coding, number)
            chunk = TrainingSet(X, Y, coding)
            if summed is None:
                counts, sums = chunk.counts, chunk.sums
            else:
                if len(summed.sums.x_mean) != chunk.n_features:
                    raise ValueError(
                        f"Chunk {number} has {chunk.n_features} features, but those before it have "
                        f"{len(summed.sums.x_mean)}."
                    )
                counts, sums = summed.counts + chunk.counts, summed.sums + chunk.sums
            rows.add(X, Y)
            summed = cls(counts, sums, chunk)
            if progress is not None:
                progress(number + 1, number + 1, "chunks")
        if summed is None or coding is None:
            raise ValueError("Got no chunks, but expected at least one.")
        return cls(summed.counts, summed.sums, TrainingSet(*rows.kept(), coding))

    @property
    def coding(self) -> LabelCoding:
        """The values of each label."""
        return self.kept.coding

    @property
    def n_instances(self) -> int:
        """Number of instances of the stream."""
        return int(self.counts.n_instances)

    @property
    def n_labels(self) -> int:
        """Number of labels."""
        return self.coding.n_labels

    @property
    def n_features(self) -> int:
        """Number of features."""
        return len(self.sums.x_mean)

    @property
    def sparse_labels(self) -> bool:
        """Whether the labels came as CSR."""
        return self.kept.sparse_labels

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
        return Regression.of_sums(self.sums, alpha)

    def spread(self, n_rows: int) -> TrainingSet:
        """Return at most so many instances, spread evenly over the stream."""
        return self.kept.spread(n_rows)

    def __getattr__(self, name: str) -> object:
        """Say what is missing where a method reads rows."""
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

    def add(self, X: Matrix, Y: Matrix) -> None:
        """Take some of the rows that come next."""
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


def _refuse_other_values(Y: Matrix, coding: LabelCoding, number: int) -> None:
    """Raise a ValueError that names a value of a label that is none of its classes."""
    if Y.shape[1] != coding.n_labels:
        raise ValueError(f"Chunk {number} has {Y.shape[1]} labels, but expected {coding.n_labels}.")
    if sparse.issparse(Y):
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
