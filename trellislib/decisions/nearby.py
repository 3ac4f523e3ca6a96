"""How often label sets occur in training near an instance."""

from __future__ import annotations

from copy import copy

import numpy as np
from scipy import sparse
from sklearn.metrics.pairwise import euclidean_distances
from sklearn.preprocessing import MinMaxScaler, Normalizer

from trellislib.labels.matrices import dense
from trellislib.learners.training_set import evenly_spread
from trellislib.typing import Matrix

MOST_ROWS = 2**14  # training rows that are looked at, spread evenly over the data,
MOST_CELLS = 2**23  # or fewer, so that no more numbers are kept
NEIGHBOUR = 10  # whose mean distance is the unit of distances
LEAST_UNIT = 1e-9  # of squared distances; below, they are all rounding
CELLS = 2**21  # of rows and instances whose distances are held at once
SHARPNESS = 4.0  # how far the logarithm of a weight falls within this unit
SMOOTHING = 0.1  # of the mean weight, that every row has in addition


class NearbySets:
    """Training rows, and how often they have each label set when the rows near an instance count more.

    At the squared distance d, a row counts ``exp(-4 (d - d0) / s)``, d0 being that of the nearest row and s the mean
    squared distance of a training row to its tenth neighbour; to each row a tenth of the mean of this over all rows is
    added. Rows are normalised where features are CSR, else features are scaled to [0, 1] and values beyond are cut. A
    missing feature counts as the lowest value, of CSR as 0.

    Parameters
    ----------
    X : {ndarray, CSR} of shape (n_rows, n_features)
        Features of the training rows. Of more than 16,384 rows, or where features are many, some rows are looked at.
    set_of_row : ndarray of int of shape (n_rows,)
        The number of the label set of each row.
    n_sets : int
        How many label sets there are.
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
        n_cells = X.nnz if sparse.issparse(X) else X.size
        self.rows = evenly_spread(X.shape[0], min(MOST_ROWS, max(MOST_CELLS * X.shape[0] // max(n_cells, 1), 1)))
        self.scaler = None if sparse.issparse(X) else MinMaxScaler(clip=True).fit(_without_empty(X))
        self.X = self._scaled(X[self.rows]).astype(np.float32)
        where = set_of_row[self.rows], np.arange(len(self.rows))
        self.members = sparse.csr_array((np.ones(len(self.rows)), where), shape=(n_sets, len(self.rows)))
        self.weight = weight[self.rows]
        some = self.X[evenly_spread(len(self.rows), 1000)]
        place = min(NEIGHBOUR, len(self.rows) - 1)
        squares = np.partition(euclidean_distances(some, self.X, squared=True), place, axis=1)
        unit = float(squares[:, place].mean())
        self.unit = unit if unit > LEAST_UNIT else 1.0

    def of_sets(self, numbers: np.ndarray) -> NearbySets:
        """Return the same for some of the label sets."""
        found = copy(self)
        found.members = self.members[numbers]
        return found

    @property
    def cells(self) -> int:
        """How many numbers are held per instance."""
        return self.members.shape[0]

    def counts(self, X: Matrix, own: np.ndarray | None = None, units: np.ndarray | None = None) -> np.ndarray:
        """Return how often each label set occurs near each instance, of shape (n_sets, n_instances).

        Takes the features, and where the instances are training rows, which ones: a row does not count for itself. With
        the groups of all training rows, no row of its group counts for it.
        """
        at_once = max(CELLS // len(self.rows), 1)
        blocks = (slice(low, low + at_once) for low in range(0, X.shape[0], at_once))
        return np.hstack([self._counts(X[block], None if own is None else own[block], units) for block in blocks])

    def _counts(self, X: Matrix, own: np.ndarray | None, units: np.ndarray | None) -> np.ndarray:
        squares = euclidean_distances(self.X, self._scaled(X), squared=True)
        weight = np.repeat(self.weight[:, None], X.shape[0], axis=1)
        if own is not None and units is not None:
            weight[units[self.rows][:, None] == units[own]] = 0
        elif own is not None:
            row, column = np.nonzero(self.rows[:, None] == own)
            weight[row, column] = np.maximum(weight[row, column] - 1, 0)
        nearest = np.where(weight > 0, squares, np.inf).min(axis=0)
        near = weight * np.exp(-SHARPNESS / self.unit * np.maximum(squares - nearest, 0))
        mean = near.sum(axis=0) / np.maximum(weight.sum(axis=0), np.finfo(float).tiny)
        return self.members @ (near + SMOOTHING * mean * weight)

    def _scaled(self, X: Matrix) -> Matrix:
        """Return features as distances are taken of them, in the form that they had in training."""
        if self.scaler is not None:
            return np.nan_to_num(self.scaler.transform(dense(X)))
        X = sparse.csr_array(X, copy=True)
        X.data = np.nan_to_num(X.data)
        return Normalizer().transform(X)


def _without_empty(X: np.ndarray) -> np.ndarray:
    """Return features with 0 in place of those of which no row knows anything."""
    is_missing = np.isnan(X)
    return np.where(is_missing.all(axis=0), 0.0, X) if is_missing.any() else X
