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
