"""What the cells of features and labels hold, column by column."""

from __future__ import annotations

import numpy as np
from scipy import sparse

from trellislib.typing import Matrix


def column_range(Y: Matrix) -> tuple[np.ndarray, np.ndarray]:
    """Return the lowest and highest code of each label."""
    if sparse.issparse(Y):
        return Y.min(axis=0).toarray().ravel(), Y.max(axis=0).toarray().ravel()
    return Y.min(axis=0), Y.max(axis=0)


def missing_cells(X: Matrix) -> int:
    """Return the number of cells that are ``nan``."""
    return int(np.isnan(X.data if sparse.issparse(X) else X).sum())


def missing_of_columns(X: Matrix) -> np.ndarray:
    """Return the number of cells of each column that are ``nan``."""
    if not sparse.issparse(X):
        return np.isnan(X).sum(axis=0)
    cells = sparse.coo_array(X)
    return np.bincount(cells.coords[1][np.isnan(cells.data)], minlength=X.shape[1])


def constant_columns(X: Matrix) -> np.ndarray:
    """Return which columns hold at most one value, missing cells aside."""
    if sparse.issparse(X):
        low, high = (extreme.toarray().ravel() for extreme in (X.nanmin(axis=0), X.nanmax(axis=0)))
    else:
        low, high = np.fmin.reduce(X, axis=0), np.fmax.reduce(X, axis=0)
    return ~(low < high)
