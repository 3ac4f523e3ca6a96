"""What methods and learners are fitted on."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from trellislib.coding import LabelCoding
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

    def rows(self, which: np.ndarray) -> TrainingSet:
        """Return the instances that `which`, an index or mask, chooses."""
        weight = None if self.weight is None else self.weight[which]
        return TrainingSet(self.X[which], self.Y[which], self.coding, weight)
