"""Mean and spread of the features in training, by which new rows are found that are unlike the training rows."""

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
        means, deviations = _moments(X)
        deviations[deviations <= 1e-9 * np.abs(means)] = 0.0
        found = cls(means, deviations, np.inf)
        return cls(means, deviations, float(np.quantile(found.distances(X), SHARE_WITHIN)))

    def distances(self, X: Matrix) -> np.ndarray:
        """Return how far each row is from the mean, of shape (n_rows,)."""
        weights = np.divide(1.0, self.deviations**2, out=np.zeros_like(self.deviations), where=self.deviations > 0)
        if not sparse.issparse(X):
            known = ~np.isnan(X)
            total = np.where(known, X - self.means, 0.0) ** 2 @ weights
            return total / np.maximum(known.astype(float) @ (weights > 0), 1)
        known = ~np.isnan(X.data)
        filled = sparse.csr_array((np.where(known, X.data, 0.0), X.indices, X.indptr), shape=X.shape)
        missing = sparse.csr_array(((~known).astype(float), X.indices, X.indptr), shape=X.shape)
        of_zeros = weights * self.means**2  # which most cells are
        total = filled.multiply(filled) @ weights - 2 * (filled @ (weights * self.means)) - missing @ of_zeros
        return np.maximum(total + of_zeros.sum(), 0.0) / np.maximum((weights > 0).sum() - missing @ (weights > 0), 1)

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


def _moments(X: Matrix) -> tuple[np.ndarray, np.ndarray]:
    """Return mean and standard deviation of each feature without missing cells, 0 where there are no others."""
    with np.errstate(invalid="ignore", divide="ignore"):
        if not sparse.issparse(X):
            n_known = (~np.isnan(X)).sum(axis=0)
            means = np.nan_to_num(np.nansum(X, axis=0) / n_known)
            return means, np.sqrt(np.nan_to_num(np.nansum((X - means) ** 2, axis=0) / n_known))
        known = ~np.isnan(X.data)
        cells, columns = X.data[known], X.indices[known]
        n_known = X.shape[0] - np.bincount(X.indices[~known], minlength=X.shape[1])
        sums, squares = (np.bincount(columns, of, minlength=X.shape[1]) for of in (cells, cells**2))
        means = np.nan_to_num(sums / n_known)
        return means, np.sqrt(np.maximum(np.nan_to_num(squares / n_known) - means**2, 0.0))
