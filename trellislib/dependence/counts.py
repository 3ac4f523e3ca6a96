"""How often label values occur, alone and in pairs: one pass of counting.

Counts add up over chunks, workers and folds, so nothing that can be computed from them reads the data twice.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from scipy import sparse

from trellislib.coding import LabelCoding
from trellislib.matrices import dense, scaled_rows
from trellislib.typing import Matrix

ROUNDING = 1e-12  # share of all weights below which a sum of weights is what rounding left of nothing


@dataclass(frozen=True)
class PairCounts:
    """How often label values occur, alone and together.

    Parameters
    ----------
    n_instances : int or float
        Number of rows counted, N, or the sum of their weights.
    single : ndarray of shape (n_columns,)
        Occurrences of each value after the first (see `trellislib.coding`).
    together : {ndarray, sparse array} of shape (n_columns, n_columns)
        Joint occurrences of each pair of those values.
    starts : ndarray of shape (n_labels + 1,)
        Where each label's columns start.
    """

    n_instances: float
    single: np.ndarray
    together: Matrix
    starts: np.ndarray

    @classmethod
    def of(cls, Z: Matrix, starts: np.ndarray, weight: np.ndarray | None = None) -> PairCounts:
        """Count the indicator columns `Z`, of shape (n_instances, n_columns), each instance `weight` times."""
        if weight is None:
            together = Z.T @ Z
            return cls(Z.shape[0], np.rint(together.diagonal()).astype(np.int64), together, starts)
        together = Z.T @ scaled_rows(Z, weight)
        total, single = float(weight.sum()), together.diagonal()
        always = single > (1 - ROUNDING) * total  # in whatever order the weights were summed
        return cls(total, np.where(always, total, single), together, starts)

    @property
    def is_weighted(self) -> bool:
        """Whether instances were counted by weights, so that counts may be fractions."""
        return self.single.dtype.kind == "f"

    def rows(self, first: int, last: int) -> np.ndarray:
        """Return the joint counts of the columns ``first .. last - 1`` with all columns, dense."""
        block = dense(self.together[first:last])
        return block if self.is_weighted else np.rint(block).astype(np.int64)

    def degrees_of_freedom(self) -> np.ndarray:
        """Return those of the test of independence of each pair, (K_i - 1)(K_j - 1) over values that occur."""
        firsts = self.starts[:-1]
        values = np.add.reduceat(self.single > 0, firsts, dtype=int)
        values += np.add.reduceat(self.single, firsts) < (1 - ROUNDING) * self.n_instances
        return np.outer(values - 1, values - 1)

    def table(self, i: int, j: int) -> np.ndarray:
        """Return the contingency table of labels `i` and `j`, of shape (K_i, K_j)."""
        (a, b), (c, d) = self.starts[i : i + 2], self.starts[j : j + 2]
        inner = self.rows(a, b)[:, c:d]
        right = np.column_stack([self.single[a:b] - inner.sum(axis=1), inner])
        top = np.concatenate([[self.n_instances], self.single[c:d]])
        top[0] -= self.single[c:d].sum()
        table = np.vstack([top - right.sum(axis=0), right])
        return np.where(table > ROUNDING * self.n_instances, table, 0)


def pair_counts(Y: Matrix) -> PairCounts:
    """Count all pairs of labels in one pass.

    Parameters
    ----------
    Y : {array-like, CSR} of shape (n_instances, n_labels)
        Label values; a CSR array holds codes, its implicit cells being 0.

    Returns
    -------
    PairCounts
    """
    Y = Y if sparse.issparse(Y) else np.asarray(Y)
    coding = LabelCoding.of(Y)
    return PairCounts.of(coding.encode(Y), coding.starts)
