"""How often label sets occur in training near an instance."""

from __future__ import annotations

import numpy as np
from scipy import sparse
from sklearn.metrics.pairwise import euclidean_distances
from sklearn.preprocessing import MinMaxScaler, Normalizer

from trellislib.learners.training_set import evenly_spread
from trellislib.typing import Matrix

MOST_ROWS = 2**14  # training rows that are looked at, spread evenly over the data,
MOST_CELLS = 2**26  # or fewer, where dense features are many
NEIGHBOUR = 10  # whose mean distance is the unit of distances
SHARPNESS = 4.0  # how far the logarithm of a weight falls within this unit
SMOOTHING = 0.1  # of the mean weight, that every row has in addition


class NearbySets:
    """Training rows, and how often they have each label set when the rows near an instance count more.

    At the squared distance d, a row counts ``exp(-4 (d - d0) / s)``, d0 being that of the nearest row and s the mean
    squared distance of a training row to its tenth neighbour; to each row a tenth of the mean of this over all rows is
    added. Rows are normalised where features are CSR, else features are scaled to [0, 1]. A missing feature is 0.

    Parameters
    ----------
    X : {ndarray, CSR} of shape (n_rows, n_features)
        Features of the training rows; of more than 16,384 rows, or where dense features are many, some are looked at.
    set_of_row : ndarray of int of shape (n_rows,)
        The number of the label set of each row; -1 where it is none of those that are counted.
    n_sets : int
        How many label sets are counted.
    weight : ndarray of shape (n_rows,)
        Weights of the rows.

    Examples
    --------
    >>> X = np.array([[0.0], [0.1], [0.9], [1.0]])
    >>> NearbySets(X, np.array([0, 0, 1, 0]), 2, np.ones(4)).counts(np.array([[0.0], [0.9]])).round(1)
    array([[2.1, 1.2],
           [0.1, 1.1]])
    """

    def __init__(self, X: Matrix, set_of_row: np.ndarray, n_sets: int, weight: np.ndarray) -> None:
        most = MOST_ROWS if sparse.issparse(X) else min(MOST_ROWS, max(MOST_CELLS // X.shape[1], 1))
        self.rows = evenly_spread(X.shape[0], most)
        self.scaler = Normalizer() if sparse.issparse(X) else MinMaxScaler().fit(X)
        self.X = self._scaled(X[self.rows])
        of_row = set_of_row[self.rows]
        counted = np.flatnonzero(of_row >= 0)
        where = of_row[counted], counted
        self.members = sparse.csr_array((np.ones(len(counted)), where), shape=(n_sets, len(self.rows)))
        self.weight = weight[self.rows]
        some = self.X[evenly_spread(len(self.rows), 1000)]
        place = min(NEIGHBOUR, len(self.rows) - 1)
        squares = np.partition(euclidean_distances(some, self.X, squared=True), place, axis=1)
        self.unit = float(squares[:, place].mean()) or 1.0

    def counts(self, X: Matrix, own: np.ndarray | None = None) -> np.ndarray:
        """Return how often each label set occurs near each instance, of shape (n_sets, n_instances).

        Takes the features, and where the instances are training rows, which ones: a row does not count for itself.
        """
        squares = euclidean_distances(self.X, self._scaled(X), squared=True)
        weight = np.repeat(self.weight[:, None], X.shape[0], axis=1)
        if own is not None:
            row, column = np.nonzero(self.rows[:, None] == own)
            weight[row, column] = np.maximum(weight[row, column] - 1, 0)
        nearest = np.where(weight > 0, squares, np.inf).min(axis=0)
        near = weight * np.exp(-SHARPNESS / self.unit * np.maximum(squares - nearest, 0))
        mean = near.sum(axis=0) / np.maximum(weight.sum(axis=0), np.finfo(float).tiny)
        return self.members @ (near + SMOOTHING * mean * weight)

    def _scaled(self, X: Matrix) -> Matrix:
        return self.scaler.transform(_complete(X)) if sparse.issparse(X) else _complete(self.scaler.transform(X))


def _complete(X: Matrix) -> Matrix:
    """Return features with 0 in place of what is missing."""
    if not sparse.issparse(X):
        return np.nan_to_num(X)
    X = X.copy()
    X.data = np.nan_to_num(X.data)
    return X
