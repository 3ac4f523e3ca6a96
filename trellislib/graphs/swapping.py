"""A placement improved by swaps: two labels change cells as long as that captures more dependence.

A label in a cell captures the sum of its dependences on the labels in the adjacent cells. For one cell after the other,
the label of every other cell is tried in its place, all at once: what both labels would capture in each other's cells,
less what they capture in their own. The best of these swaps is made if it gains. That ends where no swap gains.

Of very many labels, whose counts are sparse, only those that co-occur are taken to depend on each other. A swap that
gains then brings a label next to one that it co-occurs with. So no others are tried, and a sweep over all cells takes
time in the order of the stored counts.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from scipy import sparse

from trellislib.dependence import InformationRows

LEAST = 1e-12  # that a swap gains of dependences up to 1, so that rounding moves nothing


def swapped_up(
    orders: Sequence[Sequence[int]], parents: Sequence[Sequence[int]], dependence: np.ndarray | InformationRows
) -> list[list[int]]:
    """Return orders of labels that capture no less, and from which no swap of two labels captures more.

    Parameters
    ----------
    orders : sequence of sequence of int
        From where to start: for each start, the label in each cell.
    parents : sequence of sequence of int
        The parent cells of each cell, as from `trellislib.graphs.placement.parent_cells`.
    dependence : ndarray of shape (n_labels, n_labels), or InformationRows
        Symmetric pairwise dependence; its diagonal is not used.

    Returns
    -------
    list of list of int
        The label in each cell, for each start. Of swaps that gain alike, the one with the lower label is made.

    Examples
    --------
    >>> D = np.array([[0, 9, 1, 0], [9, 0, 0, 5], [1, 0, 0, 2], [0, 5, 2, 0]])
    >>> swapped_up([[0, 2, 1, 3]], [[], [0], [1], [2]], D)
    [[2, 3, 1, 0]]
    """
    adjacent = _adjacent(parents)
    if not isinstance(dependence, InformationRows):
        return _all_swapped_up(np.array(orders, dtype=np.intp), adjacent, np.asarray(dependence, dtype=float)).tolist()
    rows = _SparseRows(dependence) if dependence.is_sparse else _Rows(dependence)
    return [_swapped_up(np.array(order, dtype=np.intp), adjacent, rows) for order in orders]


def _all_swapped_up(label_in: np.ndarray, adjacent: np.ndarray, dependence: np.ndarray) -> np.ndarray:
    """Improve all orders in step, one cell after the other: most of the time goes into calls, not into sums."""
    n_starts, n = label_in.shape
    padded = np.pad(dependence, (0, 1))  # on no label, which is in a cell behind the last one, none depends
    np.fill_diagonal(padded, 0.0)
    label_in = np.pad(label_in, ((0, 0), (0, 1)), constant_values=n)
    cell_of = np.argsort(label_in[:, :n])
    least = LEAST * max(1.0, float(np.abs(dependence).max(initial=0.0)))
    captured = padded[label_in[:, :n, None], label_in[:, adjacent]].sum(axis=2)
    asked = np.ones((n_starts, n), dtype=bool)
    while asked.any():
        touched = np.zeros((n_starts, n + 1), dtype=bool)
        for cell in range(n):
            at = np.flatnonzero(asked[:, cell])
            if not at.size:
                continue
            labels = label_in[at]
            own = padded[labels[:, cell, None], labels]  # on the label of each cell
            here = padded[labels[:, adjacent[cell]], :n].sum(axis=1)
            # Labels that stay adjacent keep what they share, which is neither captured next to the own label.
            near = np.zeros(n + 1)
            near[adjacent[cell]] = 1
            there = own[:, adjacent].sum(axis=2) + 2 * own[:, :n] * near[:n] - captured[at]
            gains = here + np.take_along_axis(there, cell_of[at], axis=1) - captured[at, cell, None]
            gains[np.arange(at.size), labels[:, cell]] = 0.0
            best = gains.argmax(axis=1)
            for start, two in zip(at, np.where(gains.max(axis=1) > least, best, n), strict=True):
                if two == n:
                    continue
                other, one = cell_of[start, two], label_in[start, cell]
                label_in[start, [cell, other]] = two, one
                cell_of[start, [one, two]] = other, cell
                changed = [cell, other, *adjacent[cell], *adjacent[other]]
                touched[start, changed] = True
                places = [place for place in changed if place < n]
                captured[start, places] = padded[label_in[start, places, None], label_in[start, adjacent[places]]].sum(
                    axis=1
                )
        # Where something changed there may be more to gain; where nothing did, all are asked once more.
        is_whole, is_asked, is_touched = asked.all(axis=1), asked.any(axis=1), touched.any(axis=1)
        asked = touched[:, :n]
        asked[is_asked & ~is_whole & ~is_touched] = True
    return label_in[:, :n]


def _swapped_up(order: np.ndarray, adjacent: np.ndarray, rows: _Rows | _SparseRows) -> list[int]:
    n = len(order)
    label_in = np.append(order, n)  # and none in a cell behind the last one
    cell_of = np.argsort(label_in[:n])
    captured = np.array([rows.of(label_in[cell])[label_in[adjacent[cell]]].sum() for cell in range(n)])
    asked: Sequence[int] = range(n)
    while asked:
        touched: set[int] = set()
        for cell in asked:
            near = label_in[adjacent[cell]]
            labels, here = rows.captured_next_to(near[near < n])
            cells = cell_of[labels]
            own = rows.of(label_in[cell])
            there = own[label_in[adjacent[cells]]].sum(axis=1)
            still = 2 * own[labels] * (adjacent[cells] == cell).any(axis=1)  # between labels that stay adjacent
            gains = here + there + still - captured[cell] - captured[cells]
            gains[labels == label_in[cell]] = 0.0
            if not gains.size or gains.max() <= LEAST:
                continue
            other = int(cells[gains.argmax()])
            one, two = label_in[[cell, other]]
            label_in[[cell, other]] = two, one
            cell_of[[one, two]] = other, cell
            changed = {cell, other, *adjacent[cell].tolist(), *adjacent[other].tolist()} - {n}
            for place in changed:
                captured[place] = rows.of(label_in[place])[label_in[adjacent[place]]].sum()
            touched |= changed
        # Where something changed there may be more to gain; where nothing did, all are asked once more.
        asked = sorted(touched) if touched or len(asked) == n else range(n)
    return label_in[:n].tolist()


def _adjacent(parents: Sequence[Sequence[int]]) -> np.ndarray:
    """Return the cells that are adjacent to each, filled up with the number of cells, (n_cells, most that are)."""
    found: list[list[int]] = [list(cells) for cells in parents]
    for cell, cells in enumerate(parents):
        for parent in cells:
            found[parent].append(cell)
    most = max(map(len, found), default=0)
    return np.array([cells + [len(found)] * (most - len(cells)) for cells in found], dtype=np.intp).reshape(
        len(found), most
    )


class _Rows:
    """Dependences that are found row by row."""

    def __init__(self, dependence: InformationRows) -> None:
        self._dependence = dependence
        self._all = np.arange(len(dependence))

    def of(self, label: int) -> np.ndarray:
        """Return the dependence of a label on each, on itself 0, and after them 0 for no label; until the next call."""
        row = np.append(self._dependence[int(label)], 0.0)
        row[label] = 0.0
        return row

    def captured_next_to(self, near: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Return labels, and what each would capture next to those that are `near`."""
        return self._all, sum((self.of(label)[:-1] for label in near), np.zeros(len(self._all)))


class _SparseRows:
    """The mutual information of labels that co-occur, from sparse counts; methods as those of `_Rows`."""

    def __init__(self, dependence: InformationRows) -> None:
        together = sparse.csr_array(dependence.counts.together)
        first = np.repeat(np.arange(len(dependence)), np.diff(together.indptr))
        self._starts, self._labels = together.indptr, together.indices
        self._values = dependence.of_pairs(first, together.indices, np.rint(together.data).astype(np.int64))
        self._values[first == together.indices] = 0.0
        self._row = np.zeros(len(dependence) + 1)
        self._filled = np.empty(0, dtype=np.intp)

    def of(self, label: int) -> np.ndarray:
        self._row[self._filled] = 0.0
        stored = slice(self._starts[label], self._starts[label + 1])
        self._filled = self._labels[stored]
        self._row[self._filled] = self._values[stored]
        return self._row

    def captured_next_to(self, near: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        stored = [slice(start, stop) for start, stop in zip(self._starts[near], self._starts[near + 1], strict=True)]
        labels = np.concatenate([self._labels[:0], *(self._labels[part] for part in stored)])
        values = np.concatenate([self._values[:0], *(self._values[part] for part in stored)])
        found, where = np.unique(labels, return_inverse=True)
        return found, np.bincount(where, weights=values, minlength=len(found))
