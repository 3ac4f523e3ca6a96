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


def same_shape(Y_true: Matrix, Y_pred: Matrix, known: np.ndarray | None) -> tuple[sparse.csr_array, sparse.csr_array]:
    """Return both as CSR arrays of the same shape, in canonical form, with 0 in both where a label is not known."""
    true, pred = (canonical(sparse.csr_array(matrix)) for matrix in pair(Y_true, Y_pred, "Y_pred"))
    require_known(known, true.shape)
    return only_known(true, known), only_known(pred, known)


def require_known(known: np.ndarray | None, shape: tuple[int, ...]) -> None:
    """Raise if `known` does not mark cells of this shape, or leaves nothing known of a row or column."""
    if known is None:
        return
    if np.shape(known) != shape or np.asarray(known).dtype != bool:
        raise ValueError(f"Got known of shape {np.shape(known)}, but expected booleans of the shape {shape} of Y_true.")
    for axis, what in ((1, "instance"), (0, "label")):
        without = ~np.any(known, axis=axis)
        if without.any():
            raise ValueError(f"Nothing is known of {what} {without.argmax()}, so it cannot be scored: leave it out.")


def only_known(Y: sparse.csr_array, known: np.ndarray | None) -> sparse.csr_array:
    """Return `Y` without what stands in cells that are not known."""
    if known is None:
        return Y
    cells = Y.tocoo()
    kept = np.asarray(known)[cells.coords]
    rows, labels = cells.coords
    return sparse.csr_array((cells.data[kept], (rows[kept], labels[kept])), shape=Y.shape)


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


def as_ranking(Y_true: Matrix, scores: Matrix, known: np.ndarray | None = None) -> tuple[sparse.csr_array, np.ndarray]:
    """Return the true codes as a CSR array, and the scores as a dense array, with ``nan`` for labels not known."""
    true, score = pair(Y_true, scores, "scores")
    require_known(known, true.shape)
    true = only_known(canonical(sparse.csr_array(true)), known)
    require_binary(true, "Y_true")
    score = score.toarray() if sparse.issparse(score) else score
    unusable = ~np.isfinite(score)
    if unusable.any():
        row, label = np.unravel_index(unusable.argmax(), score.shape)
        raise ValueError(
            f"Got {score[row, label]} in scores (instance {row}, label {label}), but expected finite numbers."
        )
    return true, score if known is None else np.where(known, score, np.nan)


def as_rankings_of_instances(
    Y_true: Matrix, scores: Matrix, known: np.ndarray | None
) -> tuple[sparse.csr_array, np.ndarray]:
    """Return what `as_ranking` does, of the instances of which all labels are known."""
    true, score = as_ranking(Y_true, scores, known)
    if known is None:
        return true, score
    whole = np.all(known, axis=1)
    if not whole.any():
        raise ValueError("No instance has all its labels known, but this score compares all labels of an instance.")
    return true[whole], score[whole]
