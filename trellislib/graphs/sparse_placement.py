"""Algorithm 1 for a million labels: the same placement as from the matrix of all pairs, without the matrix.

Every cell takes the unplaced label whose mutual information with the labels in the parent cells sums highest. Most
pairs of very many labels never co-occur, and their information is known from two frequencies. So a cell considers only

1. the labels that co-occur with a parent, which the parents' rows of the sparse counts list; and
2. of those that co-occur with no parent, the most frequent.

Why the second is enough: let p and q be the shares of instances with a parent and with a label apart from it; then
p + q <= 1, and the derivative of their mutual information in q is ``ln(1 - q) - ln(1 - p - q) >= 0``, above 0 unless
the parent is in no instance. Summed over the parents, the gain of a label apart from all of them grows with its
frequency, and labels of one frequency gain alike, of which the lowest is taken. A parent that is in no instance or in
all of them is independent of every label and is left out; where no other is left, all labels gain 0 and the lowest
unplaced one is taken.

That is true of real numbers. In floating point a gain is off by the rounding of its terms (less than 4e-15 nats for
each parent), and information below `NOISE` counts as 0. So lower frequencies are tried, too, while their gain is
within `SLACK` of the best, which is more than rounding can lift a label further down. Each value is found by the
expression of `trellislib.dependence.information_of_counts`, term by term, and the parents are summed in the same
order, so that ties, too, are those of the matrix. (Rounding was not seen to raise a less frequent label above a more
frequent one below 100 million instances.)

The work is that of the stored counts of the labels in all parent cells: the pairs that co-occur times the number of
parents. In most cells no label apart is looked at, as those that co-occur with a parent gain more. All of it is numpy,
some 40 calls for each cell: a million labels with two parents take about 45 seconds of one core. (Compiled loops take
a fifth of that, for a dependency and a second copy of the algorithm.)
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import reduce
from operator import add
from typing import Any

import numpy as np
from scipy.special import entr

from trellislib.dependence.counts import PairCounts
from trellislib.dependence.information import NOISE

SLACK = 1e-13  # nats per parent: above twice the error of a value, NOISE included


def climb_sparse(counts: PairCounts, cells: Sequence[Sequence[int]], first: int) -> list[int]:
    """Fill a lattice with binary labels, Algorithm 1 of the paper, from sparse counts.

    Parameters
    ----------
    counts : PairCounts
        Counts of binary labels without weights: whole numbers, no pair stored twice.
    cells : sequence of sequence of int
        The parent cells of each cell, as from `trellislib.graphs.placement.parent_cells`.
    first : int
        The label in the first cell.

    Returns
    -------
    list of int
        The labels in the order of the cells: that of `trellislib.graphs.trellis` on the mutual information of the
        labels, to the last tie (which goes to the lower label). See the module for why.

    References
    ----------
    Section 4 of the paper, Algorithm 1.

    Examples
    --------
    >>> from scipy import sparse
    >>> Y = np.array([[1, 1, 0, 0], [1, 1, 0, 0], [1, 0, 1, 0], [0, 0, 0, 1], [0, 0, 0, 1], [0, 0, 0, 0]])
    >>> counts = PairCounts.of(sparse.csr_array(Y), np.arange(5))
    >>> climb_sparse(counts, cells=[[], [0], [0], [2, 1]], first=1)
    [1, 0, 3, 2]
    """
    n, n_labels, together = int(counts.n_instances), len(counts.single), counts.together
    single, counted = counts.single.astype(np.int64), np.rint(together.data).astype(np.int64)
    x = -n * entr(np.arange(n + 1) / n)
    margin = x[single] + x[n - single]
    varies = ((single > 0) & (single < n)).tolist()
    starts, neighbours = together.indptr.tolist(), together.indices
    most_parents = max(map(len, cells))
    both = np.zeros((most_parents, n_labels), dtype=np.int64)  # counts of the cell's parents with all labels, or 0
    unplaced = _Unplaced(single)
    order = [first]
    unplaced.remove(first)
    for cell in cells[1:]:
        parents = [order[parent] for parent in cell if varies[order[parent]]]
        if parents:
            # Cast once: numpy indexes by any other integers several times slower.
            rows = [neighbours[starts[parent] : starts[parent + 1]].astype(np.intp) for parent in parents]
            for of_parent, row, parent in zip(both, rows, parents, strict=False):
                of_parent[row] = counted[starts[parent] : starts[parent + 1]]
            label = _best(x, single, margin, parents, np.concatenate(rows), both, unplaced)
            for of_parent, row in zip(both, rows, strict=False):
                of_parent[row] = 0
        else:
            label = unplaced.lowest()
        order.append(label)
        unplaced.remove(label)
    return order


def _best(
    x: np.ndarray,
    single: np.ndarray,
    margin: np.ndarray,
    parents: list[int],
    near: np.ndarray,
    both: np.ndarray,
    unplaced: _Unplaced,
) -> int:
    """Return the unplaced label that depends most on `parents`, of those `near` them and those apart."""
    near = near[unplaced.mask[near]]
    best, label = -np.inf, len(single)
    if len(near):
        counts = both[: len(parents)].take(near, axis=1)
        rows = np.array(parents)[:, None]
        gains = reduce(add, _information(x, counts, single[rows], single[near], margin[rows] + margin[near]))
        best = gains[gains.argmax()]
        label = min(near[gains == best].tolist())
    n, known = len(x) - 1, [(int(single[parent]), margin[parent]) for parent in parents]
    apart_from_all = n - max(known)[0]
    for frequency, labels in unplaced.by_frequency():
        if frequency > apart_from_all:
            continue  # too frequent not to co-occur with a parent
        own = x[frequency] + x[n - frequency]
        gain = reduce(add, [_information(x, 0, of, frequency, theirs + own) for of, theirs in known])
        if gain + SLACK * len(parents) < best:
            break
        apart = next((other for other in labels if not both[:, other].any()), None)
        if apart is not None and (-gain, apart) < (-best, label):
            best, label = gain, apart
    return label


def _information(x: np.ndarray, both: Any, one: Any, other: Any, margins: Any) -> Any:
    """Return the mutual information of pairs, by the very expression of `information_of_counts`."""
    n, alone = len(x) - 1, other - both
    value = (((x[both] + (x[one - both] + x[alone])) + x[n - one - alone]) - margins) / n
    return value * (value >= NOISE)


class _Unplaced:
    """The labels that are not placed yet, by falling frequency; those of one frequency from the lowest up."""

    def __init__(self, single: np.ndarray) -> None:
        labels = np.argsort(-single, kind="stable")
        falling = -single[labels]
        self.mask = np.ones(len(single), dtype=bool)
        self._labels = labels.tolist()
        self._ranks = np.argsort(labels).tolist()
        self._frequencies = (-falling).tolist()
        self._ends = np.searchsorted(falling, falling, side="right").tolist()  # of the labels of one frequency
        self._next = list(range(len(single) + 1))  # from each rank towards the next unplaced one, itself if it is
        self._lowest = 0

    def remove(self, label: int) -> None:
        rank = self._ranks[label]
        self._next[rank] = rank + 1
        self.mask[label] = False

    def lowest(self) -> int:
        """Return the lowest label of all."""
        while not self.mask[self._lowest]:
            self._lowest += 1
        return self._lowest

    def by_frequency(self) -> Iterator[tuple[int, Iterator[int]]]:
        """Yield each frequency that is left, and an iterator over its labels."""
        rank = self._from(0)
        while rank < len(self._labels):
            end = self._ends[rank]
            yield self._frequencies[rank], self._between(rank, end)
            rank = self._from(end)

    def _between(self, rank: int, end: int) -> Iterator[int]:
        while rank < end:
            yield self._labels[rank]
            rank = self._from(rank + 1)

    def _from(self, rank: int) -> int:
        """Return the first unplaced rank from `rank` on, or the number of labels; halves the path that it walks."""
        after = self._next
        while after[rank] != rank:
            after[rank] = after[after[rank]]
            rank = after[rank]
        return rank
