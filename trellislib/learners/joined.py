"""The features and the columns of the labels' inputs, joined for a batch of labels, as the operator that they are."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from scipy import sparse

from trellislib.typing import Matrix

LEAST_EIGENVALUE = 1e-6  # of a preconditioner, so that it stays finite where features are copies of each other


@dataclass(frozen=True)
class Features:
    """What all labels have in common, in one precision.

    Attributes
    ----------
    X : {ndarray, csr_array} of shape (n_instances, n_features)
        Features.
    transposed, squares : {ndarray, sparse array} of shape (n_features, n_instances)
        X' and the squares of its cells; the same object where all cells are 0 or 1.
    correlation : tuple of ndarray of shape (n_features,) and (n_features, n_features), or None
        Eigenvalues and eigenvectors of the features' correlation matrix, where conjugate gradients shall use them.
    """

    X: Matrix
    transposed: Matrix
    squares: Matrix
    correlation: tuple[np.ndarray, np.ndarray] | None

    @classmethod
    def of(cls, X: Matrix, correlation: tuple[np.ndarray, np.ndarray] | None, dtype: type) -> Features:
        """Return the features in the precision of `dtype`."""
        X = X.astype(dtype)
        transposed = X.T
        zero_or_one = sparse.issparse(X) and (X.data == 1).all()
        squares = transposed if zero_or_one else transposed * transposed
        return cls(X, transposed, squares, correlation and (correlation[0].astype(dtype), correlation[1].astype(dtype)))


@dataclass(frozen=True)
class Joined:
    """The features joined with each label's inputs. Label by label they differ; only their products are formed.

    Parameters
    ----------
    features : Features
        What all labels have in common.
    slots : csr_array of shape (n_labels * width, n_instances)
        `width` rows for each label, each the column of an input or empty.
    width : int
        Largest number of inputs of a label.
    n_labels : int
        Labels of the batch.
    """

    features: Features
    slots: sparse.csr_array
    width: int
    n_labels: int

    def take(self, labels: np.ndarray) -> Joined:
        """Return the same for some labels of the batch."""
        if self.width == 0:
            return Joined(self.features, self.slots, 0, len(labels))
        rows = (labels[:, None] * self.width + np.arange(self.width)).ravel()
        return Joined(self.features, self.slots[rows], self.width, len(labels))

    @cached_property
    def _blocks(self) -> sparse.csr_array:
        """The slots as one block-diagonal matrix, whose second axis runs over instances and, within, labels."""
        label = np.repeat(np.arange(self.n_labels), np.diff(self.slots.indptr[:: self.width]))
        cells = (self.slots.data, self.slots.indices * self.n_labels + label, self.slots.indptr)
        return sparse.csr_array(cells, shape=(self.slots.shape[0], self.slots.shape[1] * self.n_labels))

    @cached_property
    def _blocks_transposed(self) -> sparse.csc_array:
        return self._blocks.T

    def times(self, weights: np.ndarray) -> np.ndarray:
        """Return what `weights`, of shape (n_features + width, n_labels), add to margins, (n_instances, n_labels)."""
        n_features = self.features.X.shape[1]
        margins = self.features.X @ weights[:n_features]
        if self.width:
            margins += (self._blocks_transposed @ weights[n_features:].T.ravel()).reshape(margins.shape)
        return margins

    def sums(self, values: np.ndarray) -> np.ndarray:
        """Return the sums of the joined features times `values`, of shape (n_instances, n_labels)."""
        return self._with_inputs(self.features.transposed @ values, values)

    def square_sums(self, values: np.ndarray, sums: np.ndarray) -> np.ndarray:
        """Return the sums of their squares times `values`, whose own `sums` are known: columns of inputs are 0 or 1."""
        if self.features.squares is self.features.transposed:
            return sums
        of_features = self.features.squares @ values
        return np.vstack([of_features, sums[len(of_features) :]]) if self.width else of_features

    def _with_inputs(self, of_features: np.ndarray, values: np.ndarray) -> np.ndarray:
        if not self.width:
            return of_features
        of_inputs = (self._blocks @ values.ravel()).reshape(self.n_labels, self.width).T
        return np.vstack([of_features, of_inputs])


class Preconditioner:
    r"""Divides by a matrix near the Hessian.

    That is its diagonal S, or where the correlation R of the features is at hand

    .. math:: S^{1/2} \,[(1 - a) I + a R]\, S^{1/2},

    a being the mean share of the diagonal that is not the penalty's. R is the same for all labels, S and a are not.

    Parameters
    ----------
    features : Features
        What all labels have in common.
    diagonal : ndarray of shape (n_features + width, n_labels)
        Of each label's Hessian.
    C : ndarray of shape (n_labels,)
        Inverse of each label's penalty.
    """

    def __init__(self, features: Features, diagonal: np.ndarray, C: np.ndarray) -> None:
        self.diagonal = diagonal
        self._vectors = None
        if features.correlation is not None:
            values, self._vectors = features.correlation
            of_features = diagonal[: len(values)]
            share = 1 - (1 / of_features).mean(axis=0) / C
            self._inner = np.maximum(1 - share + share * values[:, None], LEAST_EIGENVALUE)
            self._root = np.sqrt(of_features)

    def divide(self, r: np.ndarray) -> np.ndarray:
        """Return `r`, of the shape of the diagonal, divided by the matrix."""
        if self._vectors is None:
            return r / self.diagonal
        n_features = len(self._root)
        of_features = self._vectors @ (self._vectors.T @ (r[:n_features] / self._root) / self._inner) / self._root
        return np.vstack([of_features, r[n_features:] / self.diagonal[n_features:]])
