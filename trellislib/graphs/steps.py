"""Algorithm 1 step by step: which labels could have come into each cell of a trellis, and why one of them did.

The order of the labels determines all steps: the candidates of a cell are the labels that come later. So a step is
found on demand, however many labels there are.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from operator import index
from typing import overload

import numpy as np

from trellislib.dependence import InformationRows, symmetric
from trellislib.graphs.placement import Offset, Trellis, parent_cells, trellis
from trellislib.labels.matrices import read_only


@dataclass(frozen=True, eq=False)
class Step:
    """A cell of a trellis that takes its label. Its arrays cannot be written to.

    Attributes
    ----------
    cell : int
        Its number, row by row from 0.
    row, column : int
        Where it is, from 0.
    parents : tuple of int
        The labels in its parent cells, in the order of the pattern.
    candidates : ndarray of shape (n_candidates,)
        The labels that had no cell yet, the one that gains most first; of equal ones the lower first.
    shares : ndarray of shape (n_candidates, n_parents)
        The dependence of each candidate on each parent.
    gains : ndarray of shape (n_candidates,)
        Their sums: what each candidate would have added to the captured dependence.
    chosen : int
        The label that the cell took: the first candidate, but for the first cell, whose label is random.
    """

    cell: int
    row: int
    column: int
    parents: tuple[int, ...]
    candidates: np.ndarray
    shares: np.ndarray
    gains: np.ndarray
    chosen: int

    def __post_init__(self) -> None:
        for name in ("candidates", "shares", "gains"):
            object.__setattr__(self, name, read_only(getattr(self, name)))

    @property
    def is_random(self) -> bool:
        """Whether the label was drawn, not chosen, as that of the first cell is."""
        return self.cell == 0

    @property
    def place(self) -> int:
        """Where among the candidates the chosen label is; 0 but for the first cell."""
        return int(np.flatnonzero(self.candidates == self.chosen)[0])

    @property
    def gain(self) -> float:
        """What the chosen label added to the captured dependence."""
        return float(self.gains[self.place])

    @property
    def ties(self) -> tuple[int, ...]:
        """The other candidates that would have added as much, and are not chosen for their higher number."""
        if self.is_random:
            return ()
        return tuple(int(label) for label in self.candidates[1:][self.gains[1:] == self.gains[0]])


class PlacementSteps(Sequence[Step]):
    """The steps by which Algorithm 1 fills a trellis, one for each label; made by `placement_steps`.

    Attributes
    ----------
    trellis : Trellis
        What it comes to.
    """

    def __init__(self, placed: Trellis, dependence: np.ndarray | InformationRows) -> None:
        self.trellis = placed
        self._dependence = dependence
        self._cells = parent_cells(placed.n_labels, placed.width, placed.offsets)

    @cached_property
    def strongest(self) -> float:
        """The dependence of the strongest edge; 0 where there is none above."""
        return float(np.max(self._weights, initial=0.0))

    @cached_property
    def captured(self) -> np.ndarray:
        """The dependence that is captured after each step, (n_steps,)."""
        cells = np.empty(len(self), dtype=int)
        cells[list(self.trellis.order)] = np.arange(len(self))
        gains = np.bincount(cells[self._edges[1]], weights=self._weights, minlength=len(self))
        return read_only(np.cumsum(gains))

    @cached_property
    def _edges(self) -> np.ndarray:
        """The parents and the children of all edges, (2, n_edges)."""
        return np.array(self.trellis.edges, dtype=int).reshape(-1, 2).T

    @cached_property
    def _weights(self) -> np.ndarray:
        """The dependence of each edge."""
        return np.asarray(self._dependence[self._edges[0], self._edges[1]], dtype=float)

    def __len__(self) -> int:
        return self.trellis.n_labels

    @overload
    def __getitem__(self, step: int) -> Step: ...

    @overload
    def __getitem__(self, step: slice) -> list[Step]: ...

    def __getitem__(self, step: int | slice) -> Step | list[Step]:
        if isinstance(step, slice):
            return [self[cell] for cell in range(*step.indices(len(self)))]
        cell = range(len(self))[index(step)]
        order = self.trellis.order
        parents = tuple(order[parent] for parent in self._cells[cell])
        free = np.sort(np.array(order[cell:], dtype=int))
        by_parent = [self._dependence[parent][free] for parent in parents]
        gains = np.zeros(len(free)) + sum(by_parent)  # of the same rows and in the same order as `trellis` adds them
        shares = np.column_stack(by_parent) if parents else np.zeros((len(free), 0))
        ranked = np.argsort(-gains, kind="stable")
        row, column = divmod(cell, self.trellis.width)
        return Step(cell, row, column, parents, free[ranked], shares[ranked], gains[ranked], order[cell])


def placement_steps(
    dependence: np.ndarray | InformationRows,
    width: int | None = None,
    parents: str | Iterable[Offset] = "left-up",
    *,
    random_state: int | np.random.RandomState | None = None,
) -> PlacementSteps:
    """Return Algorithm 1 of the paper step by step.

    Parameters
    ----------
    dependence : ndarray of shape (n_labels, n_labels), or InformationRows
        Symmetric pairwise dependence, as for `trellislib.graphs.trellis`.
    width, parents, random_state
        As for `trellislib.graphs.trellis`.

    Returns
    -------
    PlacementSteps
        A sequence of `Step`, one for each cell in row order. Its ``trellis`` is what `trellislib.graphs.trellis`
        returns for the same arguments.

    Raises
    ------
    ValueError
        As by `trellislib.graphs.trellis`.

    References
    ----------
    Section 4 of the paper, Algorithm 1.

    Examples
    --------
    >>> import numpy as np
    >>> I = np.array([[0, 9, 1, 0], [9, 0, 0, 5], [1, 0, 0, 2], [0, 5, 2, 0]])
    >>> for step in placement_steps(I, width=2, random_state=0):
    ...     print(step.parents, step.candidates, step.gains, step.chosen)
    () [0 1 2 3] [0. 0. 0. 0.] 2
    (2,) [3 0 1] [2. 1. 0.] 3
    (2,) [0 1] [1. 0.] 0
    (0, 3) [1] [14.] 1
    """
    dependence = symmetric(dependence, "dependence")
    return PlacementSteps(trellis(dependence, width, parents, random_state=random_state), dependence)
