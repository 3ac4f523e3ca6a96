"""Small helpers for matrices that may be sparse."""

from __future__ import annotations

import numpy as np
from scipy import sparse

from trellislib.typing import Matrix


def dense(matrix: Matrix) -> np.ndarray:
    """Return `matrix` as an array."""
    return matrix.toarray() if sparse.issparse(matrix) else matrix


def scaled_rows(matrix: Matrix, weight: np.ndarray) -> Matrix:
    """Return `matrix` with each row times its weight."""
    if sparse.issparse(matrix):
        return sparse.csr_array(sparse.diags_array(weight) @ matrix)
    return weight[:, None] * matrix


def with_narrow_indices(matrix: Matrix) -> Matrix:
    """Return a CSR array with 32-bit indices where they suffice, which some classifiers demand; else `matrix`."""
    if not sparse.issparse(matrix) or matrix.nnz >= np.iinfo(np.int32).max:
        return matrix
    indices, indptr = matrix.indices.astype(np.int32, copy=False), matrix.indptr.astype(np.int32, copy=False)
    return sparse.csr_array((matrix.data, indices, indptr), shape=matrix.shape)


def pooled_blocks(cells: np.ndarray, down: int, across: int, pool: np.ufunc = np.maximum) -> np.ndarray:
    """Return each block of `down` rows by `across` columns as one cell; the last blocks may be smaller.

    Parameters
    ----------
    cells : ndarray of shape (n_rows, n_columns, ...)
        What is pooled; further axes are kept.
    down, across : int
        Rows and columns of a block.
    pool : ufunc, default=numpy.maximum
        What becomes of the cells of a block: their maximum, or with `numpy.add` their sum.

    Examples
    --------
    >>> pooled_blocks(np.arange(9).reshape(3, 3), 2, 2).tolist()
    [[4, 5], [7, 8]]
    """
    rows, columns = (np.arange(0, n, block) for n, block in zip(cells.shape[:2], (down, across), strict=True))
    return pool.reduceat(pool.reduceat(cells, rows, axis=0), columns, axis=1)


def read_only(array: np.ndarray) -> np.ndarray:
    """Return a view of `array` that cannot be written to, for what is shared; `array` itself stays as it is."""
    view = array.view()
    view.flags.writeable = False
    return view
