"""How often label values occur, alone and in pairs: one pass of counting.

Counts add up over chunks, workers and folds, so nothing that can be computed from them reads the data twice. Pairs of
very many columns are counted where somebody asks for them: what is then held is one row of counts, not all.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from operator import add, sub
from typing import Any

import numpy as np
from scipy import sparse

from trellislib.labels.coding import LabelCoding
from trellislib.labels.matrices import dense, scaled_rows
from trellislib.running.checks import checked_weight
from trellislib.typing import Matrix

ROUNDING = 1e-12  # share of all weights below which a sum of weights is what rounding left of nothing
HELD_PAIRS = 2**25  # pairs of columns whose counts are held, 270 MB; above, they are counted on demand,
HELD_PER_COLUMN = 200  # unless they are few for each column
ENTRIES = 2**24  # entries of columns that are read at a time


@dataclass(frozen=True)
class PairCounts:
    """How often label values occur, alone and together.

    Parameters
    ----------
    n_instances : int or float
        Number of rows counted, N, or the sum of their weights.
    single : ndarray of shape (n_columns,)
        Occurrences of each value after the first (see `trellislib.labels.coding`).
    together : {ndarray, csr_array, PairsOnDemand} of shape (n_columns, n_columns)
        Joint occurrences of each pair of those values.
    starts : ndarray of shape (n_labels + 1,)
        Where each label's columns start.
    """

    n_instances: float
    single: np.ndarray
    together: Any
    starts: np.ndarray

    @classmethod
    def of(cls, Z: Matrix, starts: np.ndarray, weight: np.ndarray | None = None) -> PairCounts:
        """Count the indicator columns `Z`, of shape (n_instances, n_columns), each instance `weight` times.

        Pairs of very many sparse columns are counted on demand.
        """
        many = sparse.issparse(Z) and _n_pairs(Z) > max(HELD_PAIRS, HELD_PER_COLUMN * Z.shape[1])
        return cls._of(Z, starts, weight, held=not many)

    @classmethod
    def held(cls, Z: Matrix, starts: np.ndarray) -> PairCounts:
        """Count the columns `Z` and hold all pairs, as it must be if counts are to add up."""
        return cls._of(Z, starts, None, held=True)

    @classmethod
    def _of(cls, Z: Matrix, starts: np.ndarray, weight: np.ndarray | None, *, held: bool) -> PairCounts:
        if weight is None:
            weighted = Z = Z.astype(np.int32) if sparse.issparse(Z) else Z  # counts take less memory than sums
        else:
            weighted = scaled_rows(Z, weight)
        if held:
            together: Any = sparse.csr_array(Z.T) @ weighted if sparse.issparse(Z) else Z.T @ weighted
            single = together.diagonal()
        else:
            together = PairsOnDemand(sparse.csr_array(Z.T), sparse.csr_array(weighted))
            single = np.asarray(weighted.sum(axis=0)).ravel()
        if weight is None:
            return cls(Z.shape[0], np.rint(single).astype(np.int64), together, starts)
        total = float(weight.sum())
        always = single > (1 - ROUNDING) * total  # in whatever order the weights were summed
        return cls(total, np.where(always, total, single), together, starts)

    def __add__(self, other: PairCounts) -> PairCounts:
        """Return the counts of these instances and others."""
        return self._combined(add, other)

    def __sub__(self, other: PairCounts) -> PairCounts:
        """Return the counts of these instances without others, which are among them."""
        return self._combined(sub, other)

    def _combined(self, operation: Callable[[Any, Any], Any], other: PairCounts) -> PairCounts:
        return PairCounts(
            operation(self.n_instances, other.n_instances),
            operation(self.single, other.single),
            operation(self.together, other.together),
            self.starts,
        )

    @property
    def is_weighted(self) -> bool:
        """Whether instances were counted by weights, so that counts may be fractions."""
        return self.single.dtype.kind == "f"

    def rows(self, columns: slice | np.ndarray) -> np.ndarray:
        """Return the joint counts of some columns with all columns, dense."""
        block = dense(self.together[columns])
        return block if self.is_weighted else np.rint(block).astype(np.int64)

    def pairs(self, first: np.ndarray, second: np.ndarray) -> np.ndarray:
        """Return the joint counts of the columns `first` with those of `second`, one by one."""
        return np.asarray(self.together[first, second])

    def freedom_of_labels(self) -> np.ndarray:
        """Return the number of values of each label that occur less 1, of shape (n_labels,)."""
        firsts = self.starts[:-1]
        values = np.add.reduceat(self.single > 0, firsts, dtype=int)
        values += np.add.reduceat(self.single, firsts) < (1 - ROUNDING) * self.n_instances
        return values - 1

    def degrees_of_freedom(self) -> np.ndarray:
        """Return those of the test of independence of each pair, (K_i - 1)(K_j - 1) over values that occur."""
        of_labels = self.freedom_of_labels()
        return np.outer(of_labels, of_labels)

    def table(self, i: int, j: int) -> np.ndarray:
        """Return the contingency table of labels `i` and `j`, of shape (K_i, K_j)."""
        (a, b), (c, d) = self.starts[i : i + 2], self.starts[j : j + 2]
        inner = self.rows(slice(a, b))[:, c:d]
        right = np.column_stack([self.single[a:b] - inner.sum(axis=1), inner])
        top = np.concatenate([[self.n_instances], self.single[c:d]])
        top[0] -= self.single[c:d].sum()
        table = np.vstack([top - right.sum(axis=0), right])
        return np.where(table > ROUNDING * self.n_instances, table, 0)


@dataclass(frozen=True)
class PairsOnDemand:
    """Z'Z of sparse columns, of which only what is needed is ever counted.

    Parameters
    ----------
    by_column : csr_array of shape (n_columns, n_instances)
        Z'.
    weighted : csr_array of shape (n_instances, n_columns)
        Z, each instance times its weight.
    """

    by_column: sparse.csr_array
    weighted: sparse.csr_array

    def __getitem__(self, which: Any) -> np.ndarray:
        """Return some rows, or the entries at a pair of index arrays."""
        if not isinstance(which, tuple):
            return np.array([self._row(column) for column in np.arange(self.weighted.shape[1])[which]])
        first, second = which
        by_column, weighted = self.by_column, self._weighted_by_column
        size = max(ENTRIES * len(self.by_column.indptr) // max(self.by_column.nnz, 1), 1)
        found = [
            by_column[first[low : low + size]].multiply(weighted[second[low : low + size]]).sum(axis=1)
            for low in range(0, len(first), size)
        ]
        return np.concatenate(found) if found else np.zeros(0)

    def _row(self, column: int) -> np.ndarray:
        """Return the sum over the instances that have one column; counting is several times faster than a product."""
        found = self.weighted[self.by_column.indices[slice(*self.by_column.indptr[column : column + 2])]]
        weight = found.data if found.dtype.kind == "f" else None
        return np.bincount(found.indices, weight, minlength=found.shape[1])

    @cached_property
    def _weighted_by_column(self) -> sparse.csr_array:
        return sparse.csr_array(self.weighted.T)


def _n_pairs(Z: Matrix) -> int:
    """Return a bound on the number of pairs of columns that stand together."""
    in_row = np.diff(sparse.csr_array(Z).indptr).astype(np.int64)
    return min(Z.shape[1] ** 2, int(in_row @ in_row))


def pair_counts(Y: Matrix, sample_weight: np.ndarray | None = None) -> PairCounts:
    """Count all pairs of labels in one pass.

    Parameters
    ----------
    Y : {array-like, CSR} of shape (n_instances, n_labels)
        Label values; a CSR array holds codes, its implicit cells being 0.
    sample_weight : array-like of shape (n_instances,), optional
        How often each instance counts, 0 or more; once by default.
    """
    Y = Y if sparse.issparse(Y) else np.asarray(Y)
    coding = LabelCoding.of(Y)
    weight = None if sample_weight is None else checked_weight(sample_weight, Y.shape[0])
    return PairCounts.of(coding.encode(Y), coding.starts, weight)
