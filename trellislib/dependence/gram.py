r"""One Gram matrix of features and label columns, from which all ridge regressions follow.

With centred features X and centred indicator columns Z, ``S = X'X + alpha I`` and ``U = S^-1 X'Z``, ridge
regression of all labels on the features alone is U. Weights of instances multiply the terms of every sum. (What the
features leave unexplained, ``Z'Z - Z'X U``, is in `trellislib.dependence.residual`.)

Sums of centred products add up over chunks of instances, and those of a fold are taken away again, by the change of
their means (Chan, Golub and LeVeque, "Algorithms for computing the sample variance", The American Statistician 37,
1983).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass

import numpy as np
from scipy import linalg, sparse

from trellislib.labels.matrices import dense, scaled_rows
from trellislib.typing import Matrix

LOST = 1e-8  # share of a feature's sum of squares that a difference may have lost to rounding
DENSE_COLUMNS = 1024  # label columns that are dense at a time
BLOCK_CELLS = 2**22  # cells of rows that are dense at a time


@dataclass(frozen=True)
class Sums:
    """What is left of features and label columns when all that matters has been summed, but for Z'Z.

    Attributes
    ----------
    total : float
        Number of instances, or the sum of their weights.
    x_mean, z_mean : ndarray of shape (n_features,) and (n_columns,)
        Means of the features and of the indicator columns.
    XX : ndarray of shape (n_features, n_features)
        X'X, centred.
    XZ : ndarray of shape (n_features, n_columns)
        X'Z, centred.
    """

    total: float
    x_mean: np.ndarray
    z_mean: np.ndarray
    XX: np.ndarray
    XZ: np.ndarray

    @classmethod
    def of(cls, X: Matrix, Z: Matrix, weight: np.ndarray | None = None) -> Sums:
        """Sum up features `X` and indicator columns `Z`, arrays or CSR arrays with one row per instance."""
        total, x_mean, z_mean = _means(X, Z, weight)
        weighted = Z if weight is None else scaled_rows(Z, weight)
        if sparse.issparse(X):
            XX = dense(X.T @ (X if weight is None else scaled_rows(X, weight))) - total * np.outer(x_mean, x_mean)
            XZ = dense(X.T @ weighted) - total * np.outer(x_mean, z_mean)
        else:
            centred = _centred(X, weight, total)
            XX = centred.T @ (centred if weight is None else scaled_rows(centred, weight))
            XZ = np.asarray(weighted.T @ centred).T
        return cls(total, x_mean, z_mean, XX, XZ)

    def scaled(self, factor: np.ndarray) -> Sums:
        """Return the sums of the same instances with each feature multiplied by its `factor`."""
        XX = self.XX * np.outer(factor, factor)
        return Sums(self.total, self.x_mean * factor, self.z_mean, XX, self.XZ * factor[:, None])

    def keeps_digits_of(self, part: Sums) -> bool:
        """Return whether `part`, a difference that these sums were in, has enough digits left to be regressed on."""
        rounding = np.finfo(float).eps * self.XX.diagonal()
        return bool((rounding <= LOST * np.maximum(part.XX.diagonal(), 1.0)).all())

    def leverages(self, X: Matrix, alpha: float) -> np.ndarray:
        """Return the leverages of some of the instances in the regression on the features; see `leverages_of_few`.

        Parameters
        ----------
        X : {ndarray, CSR} of shape (n_instances, n_features)
            Features of some of the instances that were summed up.
        alpha : float
            Penalty on the squared weights.

        Returns
        -------
        ndarray of shape (n_instances,)

        Raises
        ------
        numpy.linalg.LinAlgError
            If the system is singular in floating point.
        """
        solve = _ridge_solver(self.XX, alpha)
        found = np.empty(X.shape[0])
        for rows in row_blocks(X.shape[0], X.shape[1]):
            centred = dense(X[rows]) - self.x_mean
            found[rows] = 1 / self.total + np.einsum("nd,dn->n", centred, solve(centred.T))
        return found

    def __add__(self, other: Sums) -> Sums:
        """Return the sums over these instances and others."""
        total = self.total + other.total
        x_step, z_step = other.x_mean - self.x_mean, other.z_mean - self.z_mean
        share, between = other.total / total, self.total * other.total / total
        return Sums(
            total,
            self.x_mean + share * x_step,
            self.z_mean + share * z_step,
            self.XX + other.XX + between * np.outer(x_step, x_step),
            self.XZ + other.XZ + between * np.outer(x_step, z_step),
        )

    def __sub__(self, other: Sums) -> Sums:
        """Return the sums over these instances without others, which are among them."""
        total = self.total - other.total
        share = other.total / total
        x_mean = self.x_mean + share * (self.x_mean - other.x_mean)
        z_mean = self.z_mean + share * (self.z_mean - other.z_mean)
        x_step, z_step = other.x_mean - x_mean, other.z_mean - z_mean
        between = total * other.total / self.total
        return Sums(
            total,
            x_mean,
            z_mean,
            self.XX - other.XX - between * np.outer(x_step, x_step),
            self.XZ - other.XZ - between * np.outer(x_step, z_step),
        )


@dataclass(frozen=True)
class Regression:
    """Ridge regression of every label column on the features alone.

    Attributes
    ----------
    total : float
        Number of instances, or the sum of their weights.
    x_mean, z_mean : ndarray of shape (n_features,) and (n_columns,)
        Means of the features and of the indicator columns.
    XZ : ndarray of shape (n_features, n_columns)
        X'Z, centred.
    U : ndarray of shape (n_features, n_columns)
        Weights of the features.
    alpha : float
        Penalty on the squared weights.
    """

    total: float
    x_mean: np.ndarray
    z_mean: np.ndarray
    XZ: np.ndarray
    U: np.ndarray
    alpha: float

    @classmethod
    def of(cls, X: Matrix, Z: Matrix, alpha: float, weight: np.ndarray | None = None) -> Regression:
        """Regress the indicator columns `Z` on the features `X`, arrays or CSR arrays with one row per instance.

        Raises
        ------
        numpy.linalg.LinAlgError
            If the system is singular in floating point.
        """
        if X.shape[1] <= X.shape[0]:
            return cls.of_sums(Sums.of(X, Z, weight), alpha)
        return cls.of_few(X, Z, alpha, weight)

    @classmethod
    def of_sums(cls, sums: Sums, alpha: float) -> Regression:
        """Solve one system of the size of the features for all columns; raises as `of`."""
        U = _ridge_solver(sums.XX, alpha)(sums.XZ)
        return cls(sums.total, sums.x_mean, sums.z_mean, sums.XZ, U, alpha)

    @classmethod
    def of_few(cls, X: Matrix, Z: Matrix, alpha: float, weight: np.ndarray | None = None) -> Regression:
        """Solve the dual form, whose system has the size of the instances, for more features than instances.

        Raises as `of`.
        """
        total, x_mean, z_mean = _means(X, Z, weight)
        root = np.ones((X.shape[0], 1)) if weight is None else np.sqrt(weight)[:, None]
        K, rows = centred_products(X, weight)
        solve = _ridge_solver(K, alpha)
        XZ, U = np.empty((2, X.shape[1], Z.shape[1]))
        Z = sparse.csc_array(Z) if sparse.issparse(Z) else Z
        for low in range(0, Z.shape[1], DENSE_COLUMNS):
            block = slice(low, low + DENSE_COLUMNS)
            targets = root * (dense(Z[:, block]) - z_mean[block])
            dual = solve(targets)
            if rows is None:
                XZ[:, block] = X.T @ (root * targets)  # the targets' mean is 0: the features' mean has no part
                U[:, block] = X.T @ (root * dual) - np.outer(x_mean, (root * dual).sum(axis=0))
            else:
                XZ[:, block], U[:, block] = rows.T @ targets, rows.T @ dual
        return cls(total, x_mean, z_mean, XZ, U, alpha)


def leverages_of_few(X: Matrix, alpha: float, weight: np.ndarray | None = None) -> np.ndarray:
    """Return the leverages of all instances from the dual form, for more features than instances.

    The leverage of a row is the derivative of its fitted value by its target, the diagonal of the hat matrix
    ``1/N + X (X'X + alpha I)^-1 X'`` of the centred features. What a regression without the row leaves of it is what
    the regression with it leaves, divided by 1 less the leverage. A row's weight counts its copies, and the leverage is
    that of one of them.

    Parameters
    ----------
    X : {ndarray, CSR} of shape (n_instances, n_features)
        Features.
    alpha : float
        Penalty on the squared weights.
    weight : ndarray of shape (n_instances,), optional
        Weights of the instances, above 0.

    Returns
    -------
    ndarray of shape (n_instances,)

    Raises
    ------
    numpy.linalg.LinAlgError
        If the system is singular in floating point.

    References
    ----------
    Hastie, Tibshirani and Friedman, "The Elements of Statistical Learning", 2009, section 7.10.1.

    Examples
    --------
    >>> leverages_of_few(np.array([[0.0, 1.0], [2.0, 1.0]]), alpha=2.0).round(9)  # X'X is 2 for the one feature
    array([0.75, 0.75])
    """
    K, _ = centred_products(X, weight)
    copies = np.ones(len(K)) if weight is None else weight
    return 1 / copies.sum() + (1 - alpha * _ridge_solver(K, alpha)(np.eye(len(K))).diagonal()) / copies


def fitted_freedom(X: Matrix, alpha: float, weight: np.ndarray | None = None) -> float:
    """Return the degrees of freedom that ridge regression on `X` takes of its instances.

    These are 1 for the mean, and the trace of ``X (X'X + alpha I)^-1 X'`` (Hastie, Tibshirani and Friedman, "The
    Elements of Statistical Learning", 2009, section 3.4.1).

    Raises
    ------
    numpy.linalg.LinAlgError
        If the system is singular in floating point.

    Examples
    --------
    >>> X = np.array([[0.0, 1.0], [2.0, 1.0]])  # centred, X'X is 2 for the one feature and 0 for the other
    >>> round(fitted_freedom(X, alpha=2.0), 9)
    1.5
    """
    if X.shape[1] <= X.shape[0]:
        products = Sums.of(X, np.zeros((X.shape[0], 0)), weight).XX
    else:
        root = np.ones(X.shape[0]) if weight is None else np.sqrt(weight)
        scaled = scaled_rows(X, root)
        products = dense(scaled @ scaled.T)
        for _ in range(2):  # the means are taken away from rows and columns
            products = products - np.outer(root, root @ products) / (root @ root)
            products = products.T
    return 1.0 + float(np.trace(_ridge_solver(products, alpha)(products)))


@contextmanager
def singular_explained(alpha: float) -> Iterator[None]:
    """Explain what to do where a system is singular in floating point."""
    try:
        yield
    except np.linalg.LinAlgError:
        raise ValueError(
            f"Features or labels are too large or too much alike for alpha={alpha}: scale them or raise alpha."
        ) from None


def row_blocks(n_rows: int, n_columns: int, n_cells: int = BLOCK_CELLS) -> Iterator[slice]:
    """Yield slices of rows, as many at a time as make so many cells with so many columns."""
    size = max(n_cells // max(n_columns, 1), 1)
    for first in range(0, n_rows, size):
        yield slice(first, min(first + size, n_rows))


def centred_products(X: Matrix, weight: np.ndarray | None) -> tuple[np.ndarray, np.ndarray | None]:
    """Return XX', centred, each row times the root of its weight; and these rows, where `X` is an array."""
    root = np.ones((X.shape[0], 1)) if weight is None else np.sqrt(weight)[:, None]
    total, x_mean, _ = _means(X, np.empty((X.shape[0], 0)), weight)
    if sparse.issparse(X):
        along = X @ x_mean
        return root * (dense(X @ X.T) - along[:, None] - along + x_mean @ x_mean) * root.T, None
    rows = root * _centred(X, weight, total)
    return rows @ rows.T, rows


def _means(X: Matrix, Z: Matrix, weight: np.ndarray | None) -> tuple[float, np.ndarray, np.ndarray]:
    """Return the number of instances or the sum of their weights, and the means of features and columns."""
    weight = np.ones(X.shape[0]) if weight is None else weight
    total = float(weight.sum())
    return total, (X.T @ weight) / total, (Z.T @ weight) / total


def _centred(X: np.ndarray, weight: np.ndarray | None, total: float) -> np.ndarray:
    """Subtract the mean, and what its rounding left: features far from 0 keep their digits."""
    weight = np.ones(len(X)) if weight is None else weight
    centred = X - (weight @ X) / total
    centred -= (weight @ centred) / total
    return centred


def _ridge_solver(S: np.ndarray, alpha: float) -> Callable[[np.ndarray], np.ndarray]:
    """Return what solves ``(S + alpha I) U = B``; a unit diagonal keeps features of unlike sizes accurate."""
    if not (S.diagonal() + alpha > 0).all():
        raise np.linalg.LinAlgError("a sum of squares below 0, which rounding left of large numbers")
    scale = 1 / np.sqrt(S.diagonal() + alpha)
    system = S * np.outer(scale, scale)
    np.fill_diagonal(system, 1.0)
    factor = linalg.cho_factor(system, lower=True, overwrite_a=True)
    return lambda B: scale[:, None] * linalg.cho_solve(factor, scale[:, None] * B)
