"""Label matrices as the scores take them, after a look at their shapes and codes."""

from __future__ import annotations

import numpy as np
from scipy import sparse

from trellislib.typing import Matrix


def matrix(values: Matrix, name: str) -> Matrix:
    """Return `values` as a two-dimensional array or CSR array with at least one cell."""
    matrix = sparse.csr_array(values) if sparse.issparse(values) else np.asarray(values)
    if matrix.ndim != 2 or 0 in matrix.shape:
        raise ValueError(
            f"Got {name} of shape {matrix.shape}, but expected (n_instances, n_labels), at least one of each."
        )
    return matrix


def pair(Y_true: Matrix, other: Matrix, name: str) -> tuple[Matrix, Matrix]:
    """Return both as matrices, after a look at their shapes."""
    true, second = matrix(Y_true, "Y_true"), matrix(other, name)
    if true.shape != second.shape:
        raise ValueError(f"Got Y_true of shape {true.shape} and {name} of shape {second.shape}, which must be equal.")
    return true, second


def same_shape(Y_true: Matrix, other: Matrix, name: str) -> tuple[sparse.csr_array, sparse.csr_array]:
    """Return both as CSR arrays of the same shape, in canonical form."""
    true, second = (sparse.csr_array(matrix) for matrix in pair(Y_true, other, name))
    return canonical(true), canonical(second)


def canonical(Y: sparse.csr_array) -> sparse.csr_array:
    """Return `Y` with every cell stored at most once, leaving the user's own array as it is."""
    if not Y.has_canonical_format:
        Y = Y.copy()
        Y.sum_duplicates()
    return Y


def require_binary(Y: sparse.csr_array, name: str) -> None:
    """Raise if `Y` holds anything but 0 and 1."""
    wrong = (Y.data != 0) & (Y.data != 1)
    if wrong.any():
        place = int(wrong.argmax())
        row = int(np.searchsorted(Y.indptr, place, side="right")) - 1
        raise ValueError(
            f"Got {Y.data[place]} in {name} (instance {row}, label {Y.indices[place]}), "
            "but this score needs binary labels, with codes 0 and 1."
        )


def as_ranking(Y_true: Matrix, scores: Matrix) -> tuple[sparse.csr_array, np.ndarray]:
    """Return the true codes as a CSR array without stored zeros, and the scores as a dense array."""
    true, score = pair(Y_true, scores, "scores")
    true = canonical(sparse.csr_array(true))
    require_binary(true, "Y_true")
    score = score.toarray() if sparse.issparse(score) else score
    unusable = ~np.isfinite(score)
    if unusable.any():
        row, label = np.unravel_index(unusable.argmax(), score.shape)
        raise ValueError(
            f"Got {score[row, label]} in scores (instance {row}, label {label}), but expected finite numbers."
        )
    return true, score
