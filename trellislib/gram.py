r"""One Gram matrix of features and label columns, from which all ridge regressions follow.

With centred features X and centred indicator columns Z, ``S = X'X + alpha I`` and ``U = S^-1 X'Z``, ridge
regression of all labels on the features alone is U. What the features leave unexplained is in the residual Gram
matrix ``R = Z'Z - Z'X U``. Weights of instances multiply the terms of every sum.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from scipy import linalg, sparse

from trellislib.matrices import dense, scaled_rows
from trellislib.typing import Matrix

BLOCK_CELLS = 2**22  # cells of the intermediate products of pairs of columns


@dataclass(frozen=True)
class Moments:
    """What is left of the data when all that matters has been summed.

    Attributes
    ----------
    x_mean, z_mean : ndarray of shape (n_features,) and (n_columns,)
        Means of the features and of the indicator columns.
    together : {ndarray, sparse array} of shape (n_columns, n_columns)
        Z'Z, not centred.
    total : float
        Number of instances, or the sum of their weights.
    XZ : ndarray of shape (n_features, n_columns)
        X'Z, centred.
    U : ndarray of shape (n_features, n_columns)
        Weights of the ridge regression of every column on the features.
    alpha : float
        Its penalty.
    """

    x_mean: np.ndarray
    z_mean: np.ndarray
    together: Matrix
    total: float
    XZ: np.ndarray
    U: np.ndarray
    alpha: float

    def residual(self, first: np.ndarray, second: np.ndarray) -> np.ndarray:
        """Return the entries R[first, second], the index arrays being broadcast together."""
        first, second = np.broadcast_arrays(first, second)
        shape, first, second = first.shape, first.ravel(), second.ravel()
        R = np.asarray(self.together[first, second]) - self.total * self.z_mean[first] * self.z_mean[second]
        size = max(BLOCK_CELLS // len(self.XZ), 1)
        for low in range(0, len(R), size):
            block = slice(low, low + size)
            R[block] -= np.einsum("dp,dp->p", self.XZ[:, first[block]], self.U[:, second[block]])
        return R.reshape(shape)

    @cached_property
    def residual_matrix(self) -> np.ndarray:
        """All of R."""
        return dense(self.together) - self.total * np.outer(self.z_mean, self.z_mean) - self.XZ.T @ self.U


@contextmanager
def singular_explained(alpha: float) -> Iterator[None]:
    """Say what to do where a system is singular in floating point."""
    try:
        yield
    except np.linalg.LinAlgError:
        raise ValueError(
            f"Features or labels are too large or too much alike for alpha={alpha}: scale them or raise alpha."
        ) from None


def moments(
    X: Matrix, Z: Matrix, alpha: float, weight: np.ndarray | None = None, together: Matrix | None = None
) -> Moments:
    """Sum up the data; for more features than instances in the dual form, whose systems are N x N.

    Parameters
    ----------
    X : {ndarray, CSR} of shape (n_instances, n_features)
        Features.
    Z : {ndarray, CSR} of shape (n_instances, n_columns)
        Indicator columns of the labels.
    alpha : float
        Penalty on the squared weights of the features.
    weight : ndarray of shape (n_instances,), optional
        Weights of the instances.
    together : {ndarray, sparse array} of shape (n_columns, n_columns), optional
        Z'Z, where it has been counted already.

    Returns
    -------
    Moments

    Raises
    ------
    numpy.linalg.LinAlgError
        If the system is singular in floating point.
    """
    n, n_features = X.shape
    weight = np.ones(n) if weight is None else weight
    total = weight.sum()
    x_mean, z_mean = (X.T @ weight) / total, (Z.T @ weight) / total
    ZW = scaled_rows(Z, weight)
    if n_features <= n:
        if sparse.issparse(X):
            S = dense(X.T @ scaled_rows(X, weight)) - total * np.outer(x_mean, x_mean)
            XZ = dense(X.T @ ZW) - total * np.outer(x_mean, z_mean)
        else:
            centred = _centred(X, weight, total)
            S = centred.T @ scaled_rows(centred, weight)
            XZ = np.asarray(ZW.T @ centred).T
        U = _solve_ridge(S, XZ, alpha)
    else:
        root = np.sqrt(weight)[:, None]
        targets = root * (dense(Z) - z_mean)
        if sparse.issparse(X):
            along = X @ x_mean
            K = dense(X @ X.T) - along[:, None] - along + x_mean @ x_mean
            dual = root * _solve_ridge(root * K * root.T, targets, alpha)
            XZ = X.T @ (root * targets)  # the targets' mean is 0, so that the features' mean has no part
            U = X.T @ dual - np.outer(x_mean, dual.sum(axis=0))
        else:
            rows = root * _centred(X, weight, total)
            XZ = rows.T @ targets
            U = rows.T @ _solve_ridge(rows @ rows.T, targets, alpha)
    together = Z.T @ ZW if together is None else together
    return Moments(x_mean, z_mean, together, float(total), XZ, U, alpha)


def _centred(X: np.ndarray, weight: np.ndarray, total: float) -> np.ndarray:
    """Subtract the mean, and what its rounding left: features far from 0 keep their digits."""
    centred = X - (weight @ X) / total
    centred -= (weight @ centred) / total
    return centred


def _solve_ridge(S: np.ndarray, B: np.ndarray, alpha: float) -> np.ndarray:
    """Solve ``(S + alpha I) U = B``; scaling to a unit diagonal keeps features of unlike sizes accurate."""
    scale = 1 / np.sqrt(S.diagonal() + alpha)
    system = S * np.outer(scale, scale)
    np.fill_diagonal(system, 1.0)
    factor = linalg.cho_factor(system, lower=True, overwrite_a=True)
    return scale[:, None] * linalg.cho_solve(factor, scale[:, None] * B)
