"""What methods and learners are fitted on."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from scipy import sparse

from trellislib.coding import LabelCoding
from trellislib.dependence import PairCounts, information_of_counts
from trellislib.typing import Matrix


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
    """

    X: Matrix
    Y: Matrix
    coding: LabelCoding
    weight: np.ndarray | None = None

    @classmethod
    def of(cls, X: Matrix, Y: Matrix, weight: np.ndarray | None = None) -> TrainingSet:
        """Return a training set whose labels take the values that occur in `Y`."""
        return cls(X, Y, LabelCoding.of(Y), weight)

    @property
    def n_instances(self) -> int:
        """Number of instances."""
        return self.X.shape[0]

    @property
    def n_labels(self) -> int:
        """Number of labels."""
        return self.coding.n_labels

    @cached_property
    def columns(self) -> Matrix:
        """The labels as indicator columns, an array or CSR array of shape (n_instances, n_columns)."""
        return self.coding.encode(self.Y)

    @cached_property
    def counts(self) -> PairCounts:
        """How often label values occur, alone and together."""
        return PairCounts.of(self.columns, self.coding.starts, self.weight)

    @cached_property
    def information(self) -> np.ndarray:
        """Mutual information of every pair of labels, in nats, of shape (n_labels, n_labels)."""
        return information_of_counts(self.counts)

    @cached_property
    def codes(self) -> np.ndarray:
        """The code of each label, of shape (n_instances, n_labels)."""
        if sparse.issparse(self.Y):
            return self.Y.toarray().astype(np.intp)
        return np.column_stack([self.coding.codes(self.Y, label) for label in range(self.n_labels)])

    def labels(self, which: Sequence[int]) -> TrainingSet:
        """Return the same instances with some of the labels."""
        coding = LabelCoding([self.coding.classes[label] for label in which])
        return TrainingSet(self.X, self.Y[:, list(which)], coding, self.weight)

    def rows(self, which: np.ndarray) -> TrainingSet:
        """Return the instances that `which`, an index or mask, chooses."""
        weight = None if self.weight is None else self.weight[which]
        return TrainingSet(self.X[which], self.Y[which], self.coding, weight)
