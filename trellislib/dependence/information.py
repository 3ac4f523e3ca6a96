"""Mutual information of every pair of labels, and co-occurrence, from counts.

With the table ``T[k] = k ln k`` for k = 0..N, the mutual information of a pair needs no logarithm of its own (and no
care for empty cells, as ``T[0] = 0``)::

    N I(i, j) = sum over cells T[n_ab]  -  sum_a T[n_a]  -  sum_b T[n_b]  +  T[N]
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cached_property, partial
from itertools import pairwise
from numbers import Integral
from typing import Any

import numpy as np
from scipy import sparse
from scipy.special import entr, xlogy

from trellislib.dependence.counts import PairCounts, pair_counts
from trellislib.typing import Matrix

UNITS = {"nats": 1.0, "bits": float(np.log(2))}
"""Units of information, in nats."""

NOISE = 1e-14  # information below this is what is left of independence after rounding
WHOLE_LABELS = 4096  # labels of which all pairs are held, 128 MB; of more, rows are found on demand
RECENT_CELLS = 2**23  # of the rows that are kept because they may be needed again, 64 MB
TABLE = 2**22  # instances up to which terms are looked up in a table; of more, they are computed where they are needed
BLOCK = 256  # labels per block of rows: bounds the memory of intermediate tables at BLOCK x n_columns


def mutual_information(Y: Matrix, sample_weight: np.ndarray | None = None) -> np.ndarray:
    """Mutual information of every pair of labels, in nats.

    Parameters
    ----------
    Y : {array-like, CSR} of shape (n_instances, n_labels)
        Label values, of any number of values per label; a CSR array holds codes.
    sample_weight : array-like of shape (n_instances,), optional
        How often each instance counts, 0 or more; once by default.

    Returns
    -------
    ndarray of shape (n_labels, n_labels)
        Symmetric, never negative, never nan; 0 for a constant label. The diagonal holds the entropies.

    References
    ----------
    Section 4 of the paper (the sum that guides Algorithm 1).

    Examples
    --------
    >>> import numpy as np
    >>> Y = np.array([[0, 0, 0], [0, 0, 1], [1, 1, 0], [1, 1, 1]])
    >>> mutual_information(Y).round(3)
    array([[0.693, 0.693, 0.   ],
           [0.693, 0.693, 0.   ],
           [0.   , 0.   , 0.693]])
    """
    return information_of_counts(pair_counts(Y, sample_weight))


def information_of_counts(counts: PairCounts) -> np.ndarray:
    """Mutual information in nats from counts; see `mutual_information`."""
    by_row = InformationRows(counts)
    information = np.empty(by_row.shape)
    for low in range(0, len(information), BLOCK):
        labels = np.arange(low, min(low + BLOCK, len(information)))
        information[labels] = by_row[labels]
    if counts.is_weighted or not by_row.is_binary:
        information = np.maximum(information, information.T)  # symmetric to the last bit
    return information


def whole_or_rows(counts: PairCounts) -> np.ndarray | InformationRows:
    """Return the mutual information of all pairs, that of more than 4,096 labels row by row."""
    return InformationRows(counts) if len(counts.starts) - 1 > WHOLE_LABELS else information_of_counts(counts)


class InformationRows:
    """The mutual information of very many labels, found row by row on demand, in nats.

    Its rows are those of `information_of_counts`; but where labels have more than two values, or instances have
    weights, that matrix is symmetric to the last bit, and these rows are so but for rounding.

    Parameters
    ----------
    counts : PairCounts
        Counts of the labels.

    Attributes
    ----------
    counts : PairCounts
        As given.
    shape : tuple of int
        (n_labels, n_labels).
    is_binary : bool
        Whether every label has at most two values.

    Examples
    --------
    >>> import numpy as np
    >>> counts = pair_counts(np.array([[0, 0, 0], [0, 0, 1], [1, 1, 0], [1, 1, 1]]))
    >>> InformationRows(counts)[[1]].round(3)
    array([[0.693, 0.693, 0.   ]])
    >>> float(InformationRows(counts)[0, 1].round(3))
    0.693
    """

    def __init__(self, counts: PairCounts) -> None:
        n_labels = len(counts.starts) - 1
        self.shape = (n_labels, n_labels)
        self.is_binary = len(counts.single) == n_labels
        self.counts = counts
        self._recent: dict[int, np.ndarray] = {}
        self._of_labels = partial(np.add.reduceat, indices=counts.starts[:-1])
        self._rest = counts.n_instances - self._of_labels(counts.single)  # occurrences of each label's first value

    @property
    def is_sparse(self) -> bool:
        """Whether whole counts of all pairs that co-occur are held, and no others."""
        return self.is_binary and not self.counts.is_weighted and sparse.issparse(self.counts.together)

    @cached_property
    def _xlogx(self) -> Callable[[np.ndarray], np.ndarray]:
        return _xlogx(self.counts)

    @cached_property
    def _margin(self) -> np.ndarray:
        return self._of_labels(self._xlogx(self.counts.single)) + self._xlogx(self._rest)

    def __len__(self) -> int:
        return self.shape[0]

    def __getitem__(self, labels: Sequence[int] | np.ndarray | int | tuple[Any, Any]) -> np.ndarray:
        """Return the rows of some labels, (len(labels), n_labels), or the row of one; or, as of a matrix, its entries.

        Entries are indexed by two labels, or by two arrays of labels (first, second).
        """
        if isinstance(labels, tuple):
            return self._entries(*labels)
        if isinstance(labels, Integral):
            return self._row(int(labels))
        labels = np.asarray(labels, dtype=np.intp)
        if self.is_binary:
            return self.of_counts(labels, self.counts.rows(labels))
        return self._of_cells(labels, self._cells_of_more(labels))

    def of_counts(self, labels: np.ndarray, together: np.ndarray) -> np.ndarray:
        """Return the rows of binary labels whose counts with all labels are known, ``counts.rows(labels)``."""
        return self._of_cells(labels, self._binary_cells(labels[:, None], np.arange(len(self)), together))

    def of_pairs(self, first: np.ndarray, second: np.ndarray, together: np.ndarray) -> np.ndarray:
        """Return the information of pairs of binary labels whose whole counts together are known, one by one."""
        cells = self._binary_cells(first, second, together)
        information = (cells - (self._margin[first] + self._margin[second])) / self.counts.n_instances
        return np.where(information < NOISE, 0.0, information)

    def _binary_cells(self, first: np.ndarray, second: np.ndarray, together: np.ndarray) -> np.ndarray:
        """Return the sums over the cells of tables of binary labels, in an order by which they are symmetric."""
        single, rest, xlogx = self.counts.single, self._rest, self._xlogx
        one, other = single[first] - together, single[second] - together
        return (xlogx(together) + (xlogx(one) + xlogx(other))) + xlogx(rest[second] - one)

    def _of_cells(self, labels: np.ndarray, cells: np.ndarray) -> np.ndarray:
        """Return rows from the sums over the cells of each pair's table."""
        margin = self._margin
        information = (cells - (margin[labels, None] + margin)) / self.counts.n_instances
        information[information < NOISE] = 0.0
        information[np.arange(len(labels)), labels] = -margin[labels] / self.counts.n_instances
        return information

    def _entries(self, first: np.ndarray | int, second: np.ndarray | int) -> np.ndarray:
        """Return the information of pairs of labels, one by one."""
        if isinstance(first, Integral) and isinstance(second, Integral):
            return self._row(int(first))[second]
        first, second = np.broadcast_arrays(first, second)
        asked, where = np.unique(first, return_inverse=True)
        where, entries = where.ravel(), np.empty(first.size)
        by_row = np.argsort(where, kind="stable")
        starts = np.searchsorted(where[by_row], np.arange(0, len(asked) + BLOCK, BLOCK))
        for block, (low, high) in enumerate(pairwise(starts)):
            here = by_row[low:high]
            rows = self[asked[block * BLOCK : (block + 1) * BLOCK]]
            entries[here] = rows[where[here] - block * BLOCK, second.ravel()[here]]
        return entries.reshape(first.shape)

    def _row(self, label: int) -> np.ndarray:
        """Return the row of one label; the last ones are kept, for a cell of a trellis is needed again below."""
        row = self._recent.pop(label, None)
        if row is None:
            row = self[[label]][0]
            row.flags.writeable = False
            if len(self._recent) * len(self) > RECENT_CELLS:
                for oldest in list(self._recent)[:1]:
                    self._recent.pop(oldest, None)  # unless another thread was faster
        self._recent[label] = row
        return row

    def _cells_of_more(self, labels: np.ndarray) -> np.ndarray:
        """Return the sum over the cells of each pair's table, for labels of any number of values."""
        starts, single, xlogx = self.counts.starts, self.counts.single, self._xlogx
        widths = np.diff(starts)[labels]
        here = np.cumsum(widths) - widths
        columns = np.repeat(starts[labels] - here, widths) + np.arange(widths.sum())
        together = self.counts.rows(columns)
        mine = single[columns, None]
        by_label = self._of_labels(together, axis=1)  # value of mine with any counted value of the other
        by_mine = np.add.reduceat(together, here, axis=0)
        both = np.add.reduceat(by_label, here, axis=0)
        cells = np.add.reduceat(self._of_labels(xlogx(together), axis=1), here, axis=0)
        cells += np.add.reduceat(xlogx(mine - by_label), here, axis=0)
        cells += self._of_labels(xlogx(single - by_mine), axis=1)
        return cells + xlogx(self._rest - np.add.reduceat(mine, here, axis=0) + both)


def symmetric(dependence: np.ndarray | InformationRows, name: str) -> np.ndarray | InformationRows:
    """Return pairwise dependence after a look at it; rows that are found on demand need none.

    Raises
    ------
    ValueError
        If it is not a square, symmetric matrix of finite numbers.
    """
    if isinstance(dependence, InformationRows):
        return dependence
    matrix = np.asarray(dependence)
    if matrix.ndim != 2 or matrix.shape[0] != matrix.shape[1] or not np.isfinite(matrix).all():
        raise ValueError(f"Got {name} of shape {matrix.shape}, but expected a square matrix of finite numbers.")
    if not (matrix == matrix.T).all() and not np.allclose(matrix, matrix.T):
        raise ValueError(f"Got {name} that is not symmetric: the entry of a pair must not depend on its order.")
    return matrix


def _xlogx(counts: PairCounts) -> Callable[[np.ndarray], np.ndarray]:
    """Return the function n p ln p of a count, p being its share of n: T up to a multiple of k that cancels."""
    term = partial(_term, counts.n_instances)
    if counts.is_weighted or counts.n_instances > TABLE:
        return term
    return term(np.arange(counts.n_instances + 1)).__getitem__


def _term(n: float, count: np.ndarray) -> np.ndarray:
    return -n * entr(np.clip(count / n, 0.0, 1.0))


def co_occurrence(counts: PairCounts) -> np.ndarray:
    """Co-occurrence of every pair of binary labels, which grows with their frequency as well as their dependence.

    With p the share of instances in which both are relevant and q the share expected of independent labels, it is
    ``p ln(p / q_1) + (1 - p) ln((1 - p) / q_0)``, where ``q_1 = p_j p_k`` and ``q_0 = (1 - p_j)(1 - p_k)``. As q_1
    and q_0 do not sum to 1, this is no divergence: it is above 0 for independent labels, too. As a guide of
    placement it prefers frequent labels.

    Parameters
    ----------
    counts : PairCounts
        Counts of binary labels.

    Returns
    -------
    ndarray of shape (n_labels, n_labels)
        Symmetric, never negative; 0 for a constant label, and the entropies on the diagonal.

    Raises
    ------
    ValueError
        If a label has more than two values.

    Examples
    --------
    >>> import numpy as np
    >>> counts = pair_counts(np.array([[1, 1, 0], [1, 1, 1], [0, 0, 0], [0, 0, 1]]))
    >>> co_occurrence(counts).round(3)
    array([[0.693, 0.693, 0.824],
           [0.693, 0.693, 0.824],
           [0.824, 0.824, 0.693]])
    """
    if len(counts.single) != len(counts.starts) - 1:
        raise ValueError("Co-occurrence is defined for binary labels, but these have more than two values.")
    n = counts.n_instances
    share = counts.single / n
    together = counts.rows(slice(None)) / n
    varies = (share > 0) & (share < 1)
    both, neither = np.outer(share, share), np.outer(1 - share, 1 - share)
    with np.errstate(divide="ignore", invalid="ignore"):
        found = xlogy(together, together / both) + xlogy(1 - together, (1 - together) / neither)
    return np.where(np.outer(varies, varies), found, 0.0)
