"""The labels of the nearest training rows as features, of training rows too: none is a neighbour of itself."""

from __future__ import annotations

from typing import Self

import numpy as np
from sklearn.base import BaseEstimator, TransformerMixin
from sklearn.metrics import pairwise_distances_chunked
from sklearn.neighbors import NearestNeighbors

from trellislib.labels.matrices import dense
from trellislib.typing import Matrix

SHARPNESS = 8.0  # how far the logarithm of a weight falls on the way to the last neighbour
SMALLEST = np.finfo(float).tiny  # in place of a sum of weights of 0


class NeighbourLabels(TransformerMixin, BaseEstimator):
    """The label columns of the nearest training rows, averaged with weights that fall with the distance.

    The weight of a row at the squared distance d is ``exp(-8 d / s)``, s being the mean squared distance of a training
    row to its last neighbour. A row of a weight above 1 counts as so many copies.

    Parameters
    ----------
    n_neighbors : int, default=10
        Nearest training rows, or all where there are no more.

    Attributes
    ----------
    training_features_ : ndarray of shape (n_instances, n_columns)
        The averages of the training rows, each without the row itself.

    References
    ----------
    Cheng and Huellermeier, "Combining instance-based learning and logistic regression for multilabel classification",
    Machine Learning 76, 2009.

    Examples
    --------
    >>> X, Z = np.array([[0.0], [0.1], [1.0], [1.1]]), np.array([[0], [1], [1], [1]])
    >>> found = NeighbourLabels(n_neighbors=1).fit(X, Z)
    >>> found.training_features_.ravel(), found.transform([[0.02]]).ravel()
    (array([1., 0., 1., 1.]), array([0.]))
    """

    def __init__(self, n_neighbors: int = 10) -> None:
        self.n_neighbors = n_neighbors

    def fit(
        self, X: Matrix, Z: Matrix, sample_weight: np.ndarray | None = None, groups: np.ndarray | None = None
    ) -> Self:
        """Keep the training rows and their label columns, and find the averages of the training rows.

        Parameters
        ----------
        X : {array-like, CSR} of shape (n_instances, n_features)
            Features, of which distances are taken.
        Z : {ndarray, CSR} of shape (n_instances, n_columns)
            Label columns.
        sample_weight : ndarray of shape (n_instances,), optional
            Weights of the rows.
        groups : ndarray of shape (n_instances,), optional
            Groups of the rows: the averages of a training row are over rows of other groups.
        """
        n_instances = X.shape[0]
        self._weight = np.ones(n_instances) if sample_weight is None else np.asarray(sample_weight, dtype=float)
        self._columns = dense(Z).astype(float)
        self._nearest = NearestNeighbors(n_neighbors=min(self.n_neighbors + 1, n_instances), algorithm="brute").fit(X)
        if groups is None:
            squares, rows = self._found(X)
            copies = self._weight[rows] - np.minimum(self._weight[rows], 1) * (rows == np.arange(n_instances)[:, None])
        else:
            squares, rows = self._of_other_groups(X, groups)
            copies = self._weight[rows] * (groups[rows] != groups[:, None])
        counted = self._counted(copies)
        last = np.where(counted > 0, squares, 0.0).max(axis=1)
        self._scale = float(np.average(last, weights=self._weight)) / SHARPNESS or 1.0
        self.training_features_ = self._averages(squares, rows, counted)
        return self

    def transform(self, X: Matrix) -> np.ndarray:
        """Return the averages of new rows, of shape (n_rows, n_columns)."""
        squares, rows = self._found(X)
        return self._averages(squares, rows, self._counted(self._weight[rows]))

    def _found(self, X: Matrix) -> tuple[np.ndarray, np.ndarray]:
        """Return the squared distances of the nearest training rows, and which these are, nearest first."""
        distances, rows = self._nearest.kneighbors(X)
        return distances**2, rows

    def _of_other_groups(self, X: Matrix, groups: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Return what `_found` does of the training rows, from rows of other groups, which come first."""

        def nearest(distances: np.ndarray, start: int) -> tuple[np.ndarray, np.ndarray]:
            distances[groups[start : start + len(distances), None] == groups] = np.inf
            rows = np.argsort(distances, axis=1, kind="stable")[:, : self.n_neighbors]
            return np.take_along_axis(distances, rows, axis=1) ** 2, rows

        squares, rows = zip(*pairwise_distances_chunked(X, reduce_func=nearest), strict=True)
        return np.concatenate(squares), np.concatenate(rows)

    def _counted(self, copies: np.ndarray) -> np.ndarray:
        """Return how many copies of each row are among the nearest `n_neighbors`."""
        nearer = np.cumsum(copies, axis=1) - copies
        return np.clip(self.n_neighbors - nearer, 0, copies)

    def _averages(self, squares: np.ndarray, rows: np.ndarray, counted: np.ndarray) -> np.ndarray:
        nearest = np.where(counted > 0, squares, np.inf).min(axis=1, keepdims=True)  # so that some weight is not tiny
        weight = counted * np.exp(-(squares - np.where(np.isfinite(nearest), nearest, 0.0)) / self._scale)
        weight /= np.maximum(weight.sum(axis=1, keepdims=True), SMALLEST)
        averages = np.zeros((len(rows), self._columns.shape[1]))
        for place in range(rows.shape[1]):
            averages += weight[:, [place]] * self._columns[rows[:, place]]
        return averages
