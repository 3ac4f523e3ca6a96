"""What the features of training rows were like, so that new rows can be told that are unlike them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy import sparse

from trellislib.typing import Matrix

SHARE_WITHIN = 0.99  # of the training rows


@dataclass(frozen=True, eq=False)
class TypicalFeatures:
    """Mean and spread of each feature in training, and how far from the mean training rows are.

    The distance of a row is the mean of its squared standard scores, over the features that it has and that vary in
    training. A row further away than all but one in a hundred training rows is unlike them.

    Attributes
    ----------
    means, deviations : ndarray of shape (n_features,)
        Of each feature; a deviation of 0 of one that did not vary, which is not looked at.
    limit : float
        The distance that 99 % of the training rows do not exceed.

    Examples
    --------
    >>> X = np.random.default_rng(0).standard_normal((200, 3))
    >>> TypicalFeatures.of(X).unlike(np.array([[0, 0, 0], [0, 9, 0]])).tolist()
    [False, True]
    """

    means: np.ndarray
    deviations: np.ndarray
    limit: float

    @classmethod
    def of(cls, X: Matrix) -> TypicalFeatures:
        """Return what rows are like; missing cells are left out."""
        n_known, sums, squares = _sums(X)
        with np.errstate(invalid="ignore", divide="ignore"):
            means = np.nan_to_num(sums / n_known)
            deviations = np.sqrt(np.maximum(np.nan_to_num(squares / n_known) - means**2, 0.0))
        deviations[deviations <= 1e-9 * np.abs(means)] = 0.0
        found = cls(means, deviations, np.inf)
        return cls(means, deviations, float(np.quantile(found.distances(X), SHARE_WITHIN)))

    def distances(self, X: Matrix) -> np.ndarray:
        """Return how far each row is from the mean, of shape (n_rows,)."""
        weights = np.divide(1.0, self.deviations**2, out=np.zeros_like(self.deviations), where=self.deviations > 0)
        known = ~np.isnan(X.data if sparse.issparse(X) else X)
        if sparse.issparse(X):
            filled = sparse.csr_array((np.where(known, X.data, 0.0), X.indices, X.indptr), shape=X.shape)
            missing = sparse.csr_array(((~known).astype(float), X.indices, X.indptr), shape=X.shape)
            squared = filled.multiply(filled)
        else:
            filled, missing = np.where(known, X, 0.0), (~known).astype(float)
            squared = filled**2
        of_missing = missing @ (weights * self.means**2)
        total = squared @ weights - 2 * (filled @ (weights * self.means)) + (weights * self.means**2).sum() - of_missing
        return np.maximum(total, 0.0) / np.maximum((weights > 0).sum() - missing @ (weights > 0), 1)

    def unlike(self, X: Matrix) -> np.ndarray:
        """Return which rows are unlike the training rows."""
        return self.distances(X) > self.limit * (1 + 1e-9)

    def as_json(self) -> dict[str, Any]:
        """Return all of it as numbers and lists."""
        return {"means": self.means.tolist(), "deviations": self.deviations.tolist(), "limit": self.limit}

    @classmethod
    def from_json(cls, given: Mapping[str, Any]) -> TypicalFeatures:
        """Return what `as_json` gave."""
        return cls(np.array(given["means"], float), np.array(given["deviations"], float), float(given["limit"]))


def _sums(X: Matrix) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Return of each feature the number of cells that are not missing, their sum, and the sum of their squares."""
    if not sparse.issparse(X):
        return (~np.isnan(X)).sum(axis=0), np.nansum(X, axis=0), np.nansum(X**2, axis=0)
    columns, known = X.indices, ~np.isnan(X.data)
    n_missing = np.bincount(columns[~known], minlength=X.shape[1])
    cells, columns = X.data[known], columns[known]
    sums, squares = (np.bincount(columns, of, minlength=X.shape[1]) for of in (cells, cells**2))
    return X.shape[0] - n_missing, sums, squares
