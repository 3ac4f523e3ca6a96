"""Mutual information of every pair of labels, and co-occurrence, from counts.

With the table ``T[k] = k ln k`` for k = 0..N, the mutual information of a pair needs no logarithm of its own (and no
care for empty cells, as ``T[0] = 0``)::

    N I(i, j) = sum over cells T[n_ab]  -  sum_a T[n_a]  -  sum_b T[n_b]  +  T[N]
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from scipy.special import entr, xlogy

from trellislib.dependence.counts import PairCounts, pair_counts
from trellislib.typing import Matrix

UNITS = {"nats": 1.0, "bits": float(np.log(2))}
"""Units of information, in nats."""

BLOCK = 256  # labels per block of rows: bounds the memory of intermediate tables at BLOCK x n_columns


def mutual_information(Y: Matrix) -> np.ndarray:
    """Mutual information of every pair of labels, in nats.

    Parameters
    ----------
    Y : {array-like, CSR} of shape (n_instances, n_labels)
        Label values, of any number of values per label; a CSR array holds codes.

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
    return information_of_counts(pair_counts(Y))


def information_of_counts(counts: PairCounts) -> np.ndarray:
    """Mutual information in nats from counts; see `mutual_information`."""
    n, starts, single = counts.n_instances, counts.starts, counts.single
    n_labels = len(starts) - 1
    xlogx = _xlogx(counts)
    firsts = starts[:-1]
    rest = n - np.add.reduceat(single, firsts)  # occurrences of each label's first value
    margin = np.add.reduceat(xlogx(single), firsts) + xlogx(rest)
    information = np.empty((n_labels, n_labels))
    for low in range(0, n_labels, BLOCK):
        high = min(low + BLOCK, n_labels)
        together = counts.rows(starts[low], starts[high])
        here = starts[low:high] - starts[low]
        mine = single[starts[low] : starts[high], None]
        by_label = np.add.reduceat(together, firsts, axis=1)  # value of mine with any counted value of the other
        by_mine = np.add.reduceat(together, here, axis=0)
        both = np.add.reduceat(by_label, here, axis=0)
        cells = np.add.reduceat(np.add.reduceat(xlogx(together), firsts, axis=1), here, axis=0)
        cells += np.add.reduceat(xlogx(mine - by_label), here, axis=0)
        cells += np.add.reduceat(xlogx(single - by_mine), firsts, axis=1)
        cells += xlogx(rest[None, :] - np.add.reduceat(mine, here, axis=0) + both)
        information[low:high] = (cells - margin[low:high, None] - margin) / n
    information = np.maximum(information, information.T)  # symmetric to the last bit
    np.fill_diagonal(information, -margin / n)
    information[information < 1e-14] = 0.0  # what is left of independence after rounding
    return information


def _xlogx(counts: PairCounts) -> Callable[[np.ndarray], np.ndarray]:
    """Return the function n p ln p of a count, p being its share of n: T up to a multiple of k that cancels."""
    n = counts.n_instances
    if counts.is_weighted:
        return lambda count: -n * entr(np.clip(count / n, 0.0, 1.0))
    table = -n * entr(np.arange(n + 1) / n)
    return table.__getitem__


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
    together = counts.rows(0, len(share)) / n
    varies = (share > 0) & (share < 1)
    both, neither = np.outer(share, share), np.outer(1 - share, 1 - share)
    with np.errstate(divide="ignore", invalid="ignore"):
        found = xlogy(together, together / both) + xlogy(1 - together, (1 - together) / neither)
    return np.where(np.outer(varies, varies), found, 0.0)
