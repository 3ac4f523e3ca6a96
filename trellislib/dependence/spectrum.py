r"""Ridge regressions of all penalties from one eigendecomposition of the centred features.

With ``X'X = V diag(w) V'`` (or, for more features than instances, ``XX' = Q diag(w) Q'`` and ``V = X'Q w^-1/2``) the
features XV have a diagonal matrix of sums. On these rotated features every ridge regression is a division by
``w + alpha``, the leverage of row n is

.. math:: h_n(\alpha) = \tfrac 1 N + \sum_k \frac{(XV)_{nk}^2}{w_k + \alpha},

and ``V`` brings weights back to the features. Rotated features are features like others: what `.residual` finds with
them is what it finds with X.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from scipy import linalg, sparse

from trellislib.dependence.gram import DENSE_COLUMNS, Regression, Sums, centred_products
from trellislib.labels.matrices import dense
from trellislib.typing import Matrix

KEPT_CELLS = 2**24  # of rotated features that are kept, and not found again whenever they are asked for
NOTHING = 1e-13  # share of the largest eigenvalue below which one is rounding


@dataclass(frozen=True)
class Spectrum(ABC):
    """Centred features, rotated so that X'X is diagonal, and what is summed up of them and the label columns.

    Attributes
    ----------
    X : {ndarray, CSR} of shape (n_instances, n_features)
        Features.
    total : float
        Number of instances, or the sum of their weights.
    x_mean, z_mean : ndarray of shape (n_features,) and (n_columns,)
        Means of the features and of the indicator columns.
    values : ndarray of shape (rank,)
        Eigenvalues of the centred X'X, all above 0.
    XZ : ndarray of shape (rank, n_columns)
        Of the rotated features and the indicator columns, centred.
    """

    X: Matrix
    total: float
    x_mean: np.ndarray
    z_mean: np.ndarray
    values: np.ndarray
    XZ: np.ndarray

    @abstractmethod
    def _rotate(self, rows: slice | np.ndarray) -> np.ndarray:
        """Rotate the features of some instances."""

    @cached_property
    def _rotated(self) -> np.ndarray | None:
        """The rotated features of all instances, where they are small enough to be kept."""
        return self._rotate(slice(None)) if self.X.shape[0] * len(self.values) <= KEPT_CELLS else None

    def rotated(self, rows: np.ndarray) -> np.ndarray:
        """Return some of the instances' rotated features, of shape (n_rows, rank)."""
        if self._rotated is None:
            return self._rotate(rows)
        return self._rotated if np.array_equal(rows, np.arange(self.X.shape[0])) else self._rotated[rows]

    @abstractmethod
    def on_features(self, weights: np.ndarray) -> np.ndarray:
        """Return weights of rotated features, of shape (rank, n_columns), as those of the features."""

    def regression(self, alpha: float) -> Regression:
        """Return the regression of the label columns on the rotated features."""
        nowhere = np.zeros(len(self.values))
        return Regression(self.total, nowhere, self.z_mean, self.XZ, self.XZ / (self.values + alpha)[:, None], alpha)

    def leverages(self, rotated: np.ndarray, alphas: np.ndarray) -> np.ndarray:
        """Return the leverages of instances of weight 1 for each penalty, of shape (n_alphas, n_rows)."""
        return 1 / self.total + (1 / (self.values + alphas[:, None])) @ (rotated**2).T


@dataclass(frozen=True)
class FeatureSpectrum(Spectrum):
    """From X'X, for no more features than instances.

    Attributes
    ----------
    vectors : ndarray of shape (n_features, rank)
        Eigenvectors of the centred X'X.
    """

    vectors: np.ndarray

    @classmethod
    def of(cls, X: Matrix, sums: Sums) -> FeatureSpectrum:
        """Decompose what was summed up of `X` and the label columns."""
        values, vectors = linalg.eigh(sums.XX, driver="evd", check_finite=False)
        kept = values > NOTHING * values[-1]
        values, vectors = values[kept], vectors[:, kept]
        return cls(X, sums.total, sums.x_mean, sums.z_mean, values, vectors.T @ sums.XZ, vectors)

    def _rotate(self, rows: slice | np.ndarray) -> np.ndarray:
        if sparse.issparse(self.X):
            return self.X[rows] @ self.vectors - self.x_mean @ self.vectors
        return (self.X[rows] - self.x_mean) @ self.vectors

    def on_features(self, weights: np.ndarray) -> np.ndarray:
        """Return weights of rotated features as those of the features; see `Spectrum.on_features`."""
        return self.vectors @ weights


@dataclass(frozen=True)
class InstanceSpectrum(Spectrum):
    """From XX', for more features than instances.

    Attributes
    ----------
    root : ndarray of shape (n_instances,)
        Roots of the weights of the instances.
    vectors : ndarray of shape (n_instances, rank)
        Eigenvectors of the centred XX', whose rows and columns are multiplied by the roots.
    """

    root: np.ndarray
    vectors: np.ndarray

    @classmethod
    def of(cls, X: Matrix, Z: Matrix, weight: np.ndarray | None) -> InstanceSpectrum:
        """Decompose the products of all pairs of instances; `Z` are the indicator columns."""
        root = np.ones(X.shape[0]) if weight is None else np.sqrt(weight)
        total = float(root @ root)
        x_mean, z_mean = (X.T @ root**2) / total, (Z.T @ root**2) / total
        K, _ = centred_products(X, weight)
        values, vectors = linalg.eigh(K, driver="evd", overwrite_a=True, check_finite=False)
        kept = values > NOTHING * values[-1]
        values, vectors = values[kept], vectors[:, kept]
        XZ = np.empty((len(values), Z.shape[1]))
        Z = sparse.csc_array(Z) if sparse.issparse(Z) else Z
        for low in range(0, Z.shape[1], DENSE_COLUMNS):
            block = slice(low, low + DENSE_COLUMNS)
            XZ[:, block] = vectors.T @ (root[:, None] * (dense(Z[:, block]) - z_mean[block]))
        XZ *= np.sqrt(values)[:, None]
        return cls(X, total, x_mean, z_mean, values, XZ, root, vectors)

    def _rotate(self, rows: slice | np.ndarray) -> np.ndarray:
        return self.vectors[rows] * np.sqrt(self.values) / self.root[rows, None]

    def on_features(self, weights: np.ndarray) -> np.ndarray:
        """Return weights of rotated features as those of the features; see `Spectrum.on_features`."""
        dual = self.root[:, None] * (self.vectors @ (weights / np.sqrt(self.values)[:, None]))
        return np.asarray(self.X.T @ dual) - np.outer(self.x_mean, dual.sum(axis=0))
