"""The classifier trellis: a fixed lattice into which labels are placed so that neighbours depend on each other.

The cells of the lattice are filled row by row. A parent pattern, the same for every cell, gives the earlier
cells that are its parents; any offset that points to an earlier cell in row order keeps the graph acyclic. A parent
off the lattice is no parent, and the last row may be short.
"""

from __future__ import annotations

import warnings
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from math import isqrt
from numbers import Integral
from operator import index

import numpy as np
from scipy.optimize import linear_sum_assignment
from sklearn.utils import check_random_state

from trellislib.dependence import InformationRows, strongest_pairs, symmetric
from trellislib.dependence.pairs import row_blocks
from trellislib.graphs.sparse_placement import climb_sparse
from trellislib.graphs.swapping import swapped_up
from trellislib.labels.graph import LabelGraph, existing_label
from trellislib.running.checks import require_integer
from trellislib.wording import counted

Offset = tuple[int, int]
Gain = Callable[[list[int]], np.ndarray | float]

# Each parent as (rows, columns) from the cell. The paper's text has the first; its third figure has four parents.
PATTERNS: dict[str, tuple[Offset, ...]] = {
    "left-up": ((0, -1), (-1, 0)),
    "left-up-diagonal": ((0, -1), (-1, 0), (-1, -1)),
    "left-up-diagonals": ((0, -1), (-1, 0), (-1, -1), (-1, 1)),
    "left-up-second": ((0, -1), (-1, 0), (-1, -1), (0, -2), (-2, 0)),
}

PLACEMENTS = ("hill-climbing", "swaps", "random")
STARTS = 10  # of Algorithm 1, each improved by swaps,
STARTED_LABELS = 500  # or so many less that the labels of all of them are no more
ASSIGNED_LABELS = 1000  # above this, the best assignment of labels to cells takes seconds


@dataclass(frozen=True, init=False)
class Trellis(LabelGraph):
    """A label graph whose labels lie on a lattice: ``order`` fills it row by row.

    Parameters
    ----------
    order : sequence of int
        The labels, row by row.
    width : int
        Number of columns of the lattice, W.
    offsets : sequence of (int, int)
        The parent pattern, as (rows, columns) from a cell to each parent.
    """

    width: int = 1
    offsets: tuple[Offset, ...] = ()

    def __init__(self, order: Sequence[int], width: int, offsets: Sequence[Offset]) -> None:
        order = tuple(index(label) for label in order)
        if sorted(order) != list(range(len(order))):
            raise ValueError(f"Got the order {order}, but expected each of {len(order)} labels once.")
        offsets = parse_pattern(offsets)
        parents: list[tuple[int, ...]] = [()] * len(order)
        for place, cells in enumerate(parent_cells(len(order), width, offsets)):
            parents[order[place]] = tuple([order[cell] for cell in cells])
        found = {"parents": tuple(parents), "order": order, "width": width, "offsets": offsets}
        for name, value in found.items():  # acyclic by construction, so that many labels need no check
            object.__setattr__(self, name, value)

    @cached_property
    def positions(self) -> tuple[tuple[int, int], ...]:
        """The (row, column) of each label."""
        place = np.argsort(self.order)
        return tuple((int(p) // self.width, int(p) % self.width) for p in place)

    def swapped(self, one: int, other: int) -> Trellis:
        """Return the trellis in which two labels have changed places.

        Raises
        ------
        ValueError
            If one of them is no label.

        Examples
        --------
        >>> Trellis([2, 0, 1, 3], width=2, offsets=[(0, -1), (-1, 0)]).swapped(0, 3).order
        (2, 3, 1, 0)
        """
        one, other = (existing_label(label, self.n_labels) for label in (one, other))
        places = {one: other, other: one}
        return Trellis([places.get(label, label) for label in self.order], self.width, self.offsets)


def parse_pattern(parents: str | Iterable[Offset]) -> tuple[Offset, ...]:
    """Return the offsets of a parent pattern given by name or as offsets.

    Raises
    ------
    ValueError
        If the name is unknown, or an offset does not point to an earlier cell in row order.

    Examples
    --------
    >>> parse_pattern("left-up")
    ((0, -1), (-1, 0))
    """
    if isinstance(parents, str):
        if parents not in PATTERNS:
            raise ValueError(f"Got parents={parents!r}, but expected one of {list(PATTERNS)} or a list of offsets.")
        return PATTERNS[parents]
    offsets = tuple(tuple(parent) for parent in parents)
    for offset in offsets:
        if len(offset) != 2 or not all(isinstance(steps, Integral) for steps in offset):
            raise ValueError(f"Got the parent offset {offset}, but expected two integers: rows and columns.")
        if offset >= (0, 0):
            raise ValueError(
                f"Got the parent offset {offset}, but a parent must be an earlier cell: in a row above, or to "
                "the left in the same row."
            )
    return tuple(dict.fromkeys((int(row), int(column)) for row, column in offsets))


def default_width(n_labels: int) -> int:
    """Return the default width, the square root of the number of labels rounded down."""
    return max(isqrt(n_labels), 1)


def lattice(n_labels: int, width: int | None, parents: str | Iterable[Offset]) -> tuple[int, tuple[Offset, ...]]:
    """Return the width, by default that of `default_width`, and the offsets of a lattice after a look at them.

    A width above the number of labels is cut to it, with a warning: more columns would be empty.
    """
    width = default_width(n_labels) if width is None else width
    require_integer("width", width)
    widest = max(n_labels, 1)
    if width > widest:
        warnings.warn(f"Got width={width} for {counted(n_labels, 'label')}: width {widest} is used.", stacklevel=3)
    return min(int(width), widest), parse_pattern(parents)


def parent_cells(n_cells: int, width: int, offsets: Sequence[Offset]) -> list[list[int]]:
    """Return, for each cell of a lattice in row order, the cells that are its parents."""
    require_integer("width", width)
    parents: list[list[int]] = []
    for cell in range(n_cells):
        row, column = divmod(cell, width)
        places = [(row + down, column + right) for down, right in offsets]
        parents.append([r * width + c for r, c in places if r >= 0 and 0 <= c < width])
    return parents


def trellis(
    dependence: np.ndarray | InformationRows,
    width: int | None = None,
    parents: str | Iterable[Offset] = "left-up",
    *,
    placement: str = "hill-climbing",
    random_state: int | np.random.RandomState | None = None,
) -> Trellis:
    """Place labels into a trellis, Algorithm 1 of the paper.

    The first label is random. Every next cell of the lattice, row by row, takes the label that depends most on
    the labels in its parent cells, by the sum of `dependence`; ties go to the lower label.

    Parameters
    ----------
    dependence : ndarray of shape (n_labels, n_labels), or InformationRows
        Symmetric pairwise dependence, as from `trellislib.dependence.mutual_information`; its diagonal is not used.
        That of very many labels can be given as rows that are found on demand.
    width : int, optional
        Number of columns W; by default the square root of the number of labels, rounded down. A width of 1 is a
        chain in which each label has the one before it as parent (where the pattern has "up"). One above the number of
        labels is cut to it, with a warning.
    parents : str or iterable of (int, int), default="left-up"
        A pattern of `PATTERNS`, or offsets (rows, columns) from a cell to its parents.
    placement : {"hill-climbing", "swaps", "random"}, default="hill-climbing"
        How labels are placed: as above; as above and then improved by swaps of two labels (pairwise interchange) until
        none captures more, which of more than 4,096 labels with sparse counts is judged by those that co-occur,
        the best of 10 first labels (fewer of more than 50 labels, one of more than 250); or at random (the paper's
        baseline).
    random_state : int, RandomState or None
        Seed of the first labels, or of the random placement; a seed reproduces the trellis.

    Raises
    ------
    ValueError
        If the matrix is not square and finite, the width is below 1, or the pattern is not legal.

    References
    ----------
    Section 4 of the paper, Algorithm 1.

    Examples
    --------
    >>> import numpy as np
    >>> I = np.array([[0, 9, 1, 0], [9, 0, 0, 5], [1, 0, 0, 2], [0, 5, 2, 0]])
    >>> placed = trellis(I, width=2, random_state=0)
    >>> placed.order, placed.parents
    ((2, 3, 0, 1), ((2,), (0, 3), (), (2,)))
    """
    dependence = symmetric(dependence, "dependence")
    n_labels = len(dependence)
    if placement not in PLACEMENTS:
        raise ValueError(f"Got placement={placement!r}, but expected one of {PLACEMENTS}.")
    if placement == "random":
        return random_trellis(n_labels, width, parents, random_state=random_state)
    width, offsets = lattice(n_labels, width, parents)
    firsts = check_random_state(random_state).permutation(n_labels).tolist()
    cells = parent_cells(n_labels, width, offsets)
    if placement == "hill-climbing":
        return Trellis(_climbed(dependence, cells, firsts[0]), width, offsets)
    starts = [_climbed(dependence, cells, first) for first in firsts[: swap_starts(n_labels)]]
    orders = [*swapped_up(starts, cells, dependence), *starts]
    placed = [Trellis(order, width, offsets) for order in orders]
    return placed[int(np.argmax(captured_by_each(placed, dependence)))]  # the first of equally good ones


def swap_starts(n_labels: int) -> int:
    """Return how many placements of so many labels are improved by swaps, of which the best is taken."""
    return min(STARTS, max(STARTED_LABELS // n_labels, 1))


def _climbed(dependence: np.ndarray | InformationRows, cells: list[list[int]], first: int) -> list[int]:
    """Return the labels in the order of the cells, placed by Algorithm 1."""
    if isinstance(dependence, InformationRows) and dependence.is_sparse:
        return climb_sparse(dependence.counts, cells, first)
    return climb(lambda labels: sum(dependence[label] for label in labels), cells, first)


def random_trellis(
    n_labels: int,
    width: int | None = None,
    parents: str | Iterable[Offset] = "left-up",
    *,
    random_state: int | np.random.RandomState | None = None,
) -> Trellis:
    """Place labels into a trellis at random, the paper's baseline.

    Parameters
    ----------
    n_labels : int
        Number of labels.
    width, parents, random_state
        As for `trellis`.

    Examples
    --------
    >>> random_trellis(4, random_state=0).order
    (2, 3, 1, 0)
    """
    width, offsets = lattice(n_labels, width, parents)
    return Trellis(check_random_state(random_state).permutation(n_labels).tolist(), width, offsets)


def climb(gain: Gain, cells: list[list[int]], first: int) -> list[int]:
    """Fill the cells one by one, each with the label of those not yet placed that gains most.

    `gain` takes the labels in the parent cells, and returns the gain of every label, (n_labels,). The label `first` is
    in the first of the `cells`, which are given by their parent cells, as from `parent_cells`. Returns the labels in
    the order of the cells; ties go to the lower label.
    """
    order = [first]
    free = np.zeros(len(cells))  # what is added to the gain of a label: nothing, or less than any gain
    free[first] = -np.inf
    for parents in cells[1:]:
        order.append(int((gain([order[cell] for cell in parents]) + free).argmax()))
        free[order[-1]] = -np.inf
    return order


def captured_dependence(graph: LabelGraph, dependence: np.ndarray | InformationRows) -> float:
    """Return the sum of `dependence` over the edges of `graph`."""
    parents, children = np.array(graph.edges, dtype=int).reshape(-1, 2).T
    return float(sum(dependence[parents, children].tolist()))


def captured_by_each(graphs: Sequence[LabelGraph], dependence: np.ndarray | InformationRows) -> list[float]:
    """Return the sum of `dependence` over the edges of each graph; a pair that many of them share is looked up once."""
    pairs = sorted({edge for graph in graphs for edge in graph.edges})
    parents, children = np.array(pairs, dtype=int).reshape(-1, 2).T
    weights = dict(zip(pairs, dependence[parents, children].tolist(), strict=True))
    return [float(sum(weights[edge] for edge in graph.edges)) for graph in graphs]


def random_captures(
    dependence: np.ndarray | InformationRows,
    width: int | None = None,
    parents: str | Iterable[Offset] = "left-up",
    *,
    n_placements: int = 200,
    random_state: int | np.random.RandomState | None = None,
) -> np.ndarray:
    """Return the dependence captured by random placements into a lattice.

    Returns
    -------
    ndarray of shape (n_placements,)
        The sum of `dependence` over the edges, for each placement.
    """
    n_labels = len(dependence)
    rng = check_random_state(random_state)
    child, parent = _lattice_edges(n_labels, width, parents)
    orders = [rng.permutation(n_labels) for _ in range(n_placements)]
    if not isinstance(dependence, InformationRows):
        dependence = np.asarray(dependence)
        return np.array([dependence[order[child], order[parent]].sum() for order in orders])
    captured = np.zeros(n_placements)
    starts = np.searchsorted(child, np.arange(n_labels + 1))
    places = [np.argsort(order) for order in orders]
    for labels in row_blocks(n_labels):  # so that each row is found once for all placements
        rows = dependence[labels]
        for placement, (order, place) in enumerate(zip(orders, places, strict=True)):
            cells = place[labels]
            n_parents = starts[cells + 1] - starts[cells]
            edges = np.repeat(starts[cells] - np.cumsum(n_parents) + n_parents, n_parents) + np.arange(n_parents.sum())
            captured[placement] += rows[np.repeat(np.arange(len(labels)), n_parents), order[parent[edges]]].sum()
    return captured


def climbed_captures(
    dependence: np.ndarray | InformationRows,
    width: int | None = None,
    parents: str | Iterable[Offset] = "left-up",
    *,
    n_starts: int = 20,
) -> np.ndarray:
    """Return the dependence captured by Algorithm 1 with each of the seeds 0 to `n_starts` - 1.

    Returns
    -------
    ndarray of shape (n_starts,)
        The sum of `dependence` over the edges, for each seed.
    """
    placements = (trellis(dependence, width, parents, random_state=seed) for seed in range(n_starts))
    return np.array([captured_dependence(placed, dependence) for placed in placements])


def capture_bound(
    dependence: np.ndarray | InformationRows, width: int | None = None, parents: str | Iterable[Offset] = "left-up"
) -> float:
    """Return a bound on the dependence that any placement into a lattice could capture.

    A label in a cell with d edges captures at most the sum of its d largest dependences. Taken over the best
    assignment of labels to cells, half of those sums (each edge has two ends) is a bound; so is the sum of as
    many of the largest pairs as the lattice has edges. The smaller of the two is returned; above 1,000 labels, where
    the assignment would take seconds, the second alone.

    Parameters
    ----------
    dependence : ndarray of shape (n_labels, n_labels), or InformationRows
        Symmetric and never negative.
    width, parents
        The lattice, as for `trellis`.
    """
    return next(capture_bounds(dependence, [(width, parents)]))


def capture_bounds(
    dependence: np.ndarray | InformationRows, lattices: Sequence[tuple[int | None, str | Iterable[Offset]]]
) -> Iterator[float]:
    """Yield `capture_bound` of each lattice, given as (width, parents); what they share is found once."""
    dependence = dependence if isinstance(dependence, InformationRows) else np.asarray(dependence)
    n_labels = len(dependence)
    edges = [_lattice_edges(n_labels, width, parents) for width, parents in lattices]
    _, _, strongest = strongest_pairs(dependence, max((len(child) for child, _ in edges), default=0))
    reach = _reach(dependence) if n_labels <= ASSIGNED_LABELS else None
    for child, parent in edges:
        most_pairs = float(strongest[: len(child)].sum())
        if reach is None:
            yield most_pairs
            continue
        degrees = np.bincount(np.concatenate([child, parent]).astype(int), minlength=n_labels)
        of_cells = reach[:, degrees]
        labels, cells = linear_sum_assignment(of_cells, maximize=True)
        yield float(min(most_pairs, of_cells[labels, cells].sum() / 2))


def _reach(dependence: np.ndarray | InformationRows) -> np.ndarray:
    """Return, for each label and number of edges from 0, the sum of its largest dependences."""
    others = np.array(dependence[np.arange(len(dependence))], dtype=float)
    np.fill_diagonal(others, 0.0)
    best = np.sort(others, axis=1)[:, ::-1].cumsum(axis=1)
    return np.column_stack([np.zeros(len(others)), best])


def _lattice_edges(n_cells: int, width: int | None, parents: str | Iterable[Offset]) -> tuple[np.ndarray, np.ndarray]:
    """Return the edges of a lattice as arrays of child cells and parent cells."""
    cells = parent_cells(n_cells, *lattice(n_cells, width, parents))
    child = np.repeat(np.arange(n_cells), [len(of) for of in cells])
    return child, np.array([cell for of in cells for cell in of], dtype=int)
