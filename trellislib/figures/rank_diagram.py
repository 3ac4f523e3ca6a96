"""Average ranks of methods and whether they differ, as two pictures: Demsar's diagram, and the bars of the paper.

Both put rank 1, the best, at the left. Neither decides anything: who differs from whom comes in as the critical
distance of a test and the groups of methods that do not differ by it.

References
----------
Demšar (2006), Statistical comparisons of classifiers over multiple data sets, Journal of Machine Learning Research 7.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import pandas as pd
from scipy.optimize import isotonic_regression

from trellislib.figures.drawing import MIDDLE, SIZE, Dot, Drawing, Line, Mark, Rectangle, Text, printable, widest
from trellislib.figures.style import method_style

TITLE = 14.0  # letters of a title
ROW = 19.0  # between names
RAISED = 11.0  # numbers, above the axis
MARGIN, GAP = 10.0, 8.0
APART = 4.0  # between leader lines of equal ranks
LEVEL = 10.0  # between levels of groups
GRID = "#808080"


@dataclass(frozen=True)
class _Ranked:
    """A method, as it is drawn."""

    method: object
    name: str
    rank: float
    color: str

    @property
    def number(self) -> str:
        return f"{self.rank:.2f}"

    @property
    def hover(self) -> str:
        return f"{self.name}: average rank {self.rank:.3f}"


def rank_diagram(
    average_ranks: pd.Series,
    critical_distance: float | None = None,
    groups: Sequence[Sequence[str]] = (),
    *,
    width: float = 640.0,
    title: str = "",
) -> Drawing:
    """Draw Demsar's critical distance diagram: an axis of ranks, methods at both sides, a bar for each group.

    Methods of equal or nearly equal ranks leave the axis at one point and fan out to lines of their own. Where a bar
    passes over a method that is not of its group, as can happen with pairwise tests, bars have a dot at each member.

    Parameters
    ----------
    average_ranks : Series
        The average rank of each method, 1 or more; the index names at least two methods.
    critical_distance : float, optional
        Drawn as a ruler above the axis; None for a test that has none.
    groups : sequence of sequences of str
        The methods of each group that do not differ. Bars that overlap lie at different levels.
    width : float, default=640
        In points; the drawing is wider where names need it.
    title : str
        Written above, where there is one.

    Returns
    -------
    Drawing

    Raises
    ------
    ValueError
        If there are fewer than two methods, a name occurs twice, a rank is below 1 or not finite, the critical distance
        is not above 0, or a group names a method that has no rank.

    Examples
    --------
    >>> ranks = pd.Series({"IC": 2.75, "CT": 1.5, "ECT": 1.75})
    >>> drawing = rank_diagram(ranks, 1.17, [("CT", "ECT"), ("ECT", "IC")])
    >>> [text.text for text in drawing.texts][-6:]
    ['1.50', 'CT', '1.75', 'ECT', '2.75', 'IC']
    """
    methods = _ranked(average_ranks)
    _check_distance(critical_distance)
    members = _members(groups, methods)
    left, right = methods[: (len(methods) + 1) // 2], methods[: (len(methods) - 1) // 2 : -1]
    numbers = widest(method.number for method in methods)
    start = MARGIN + GAP + max(widest(m.name for m in left) + GAP + numbers, widest(["← better"], SIZE)) + GAP
    after = GAP + max(widest(m.name for m in right) + GAP + numbers, widest(["average rank"], SIZE)) + GAP + MARGIN
    shortest = max(140.0, 18.0 * len(methods))
    axis = _Axis(start, max(shortest, width - start - after), 1.0, max(len(methods), methods[-1].rank))

    heading = _heading(title)
    y = MARGIN + (TITLE + GAP if heading else 0.0)
    ruler, y = _ruler(axis, critical_distance, y)
    y += SIZE
    ticks = _ticks_above(axis, y)
    y += RAISED
    ends: list[Mark] = [
        Text(start - GAP, y + MIDDLE * SIZE, "← better", SIZE, "end"),
        Text(axis.end + GAP, y + MIDDLE * SIZE, "average rank", SIZE),
    ]

    at = _set_apart(np.array([axis.at(method.rank) for method in methods]))
    bars, bottom = _group_bars(members, methods, at, y + 2.5 * GAP)
    leaders: list[Mark] = []
    names: list[Mark] = []
    for side, edge, sign in ((left, start - GAP, -1.0), (right, axis.end + GAP, 1.0)):
        for row, method in enumerate(side):
            x, height = float(at[methods.index(method)]), bottom + GAP + ROW * row
            path = ((axis.at(method.rank), y), (x, y + 1.5 * GAP), (x, height), (edge, height))
            leaders.append(Line(tuple(dict.fromkeys(path)), 1.1, method.color))
            names += _name(method, edge + sign * GAP / 2, height + MIDDLE * SIZE, sign, numbers)
    dots = [Dot(axis.at(method.rank), y, 3.0, method.color, method.hover) for method in methods]
    end = bottom + GAP + ROW * (len(left) - 1) + SIZE + MARGIN
    return _fitted([*heading, *ruler, *ticks, *ends, *leaders, *bars, *dots, *names], axis.end + after, end)


def rank_bars(
    average_ranks: pd.Series, critical_distance: float, *, width: float = 640.0, title: str = "", by_rank: bool = True
) -> Drawing:
    """Draw the paper's form: a bar from each method's average rank to that plus the critical distance.

    Parameters
    ----------
    average_ranks : Series
        The average rank of each method, 1 or more; the index names at least two methods.
    critical_distance : float
        Methods whose bars do not overlap differ.
    width : float, default=640
        In points; the drawing is wider where names need it.
    title : str
        Written above, where there is one.
    by_rank : bool, default=True
        Best first; otherwise in the order given.

    Returns
    -------
    Drawing

    Raises
    ------
    ValueError
        If there are fewer than two methods, a name occurs twice, a rank is below 1 or not finite, or the critical
        distance is not above 0.

    Examples
    --------
    >>> drawing = rank_bars(pd.Series({"IC": 2.75, "CT": 1.5, "ECT": 1.75}), 1.17)
    >>> [text.text for text in drawing.texts][:6]
    ['1.50', 'CT', '1.75', 'ECT', '2.75', 'IC']
    """
    methods = _ranked(average_ranks)
    _check_distance(critical_distance)
    last = max(method.rank for method in methods) + critical_distance
    if not by_rank:
        methods.sort(key=lambda method: average_ranks.index.get_loc(method.method))
    numbers = widest(method.number for method in methods)
    start = MARGIN + widest(method.name for method in methods) + GAP + numbers + GAP
    after = MARGIN + GAP
    below_axis = ("average rank, 1 is best", f"bars apart differ (CD = {critical_distance:.2f})")
    axis = _Axis(start, max(widest(below_axis, SIZE), width - start - after), 1.0, last)

    heading = _heading(title)
    top = MARGIN + (TITLE + GAP if heading else 0.0)
    bottom = top + 20.0 * len(methods) + GAP / 2
    grid: list[Mark] = [
        Line(((axis.at(rank), top), (axis.at(rank), bottom)), 0.8, GRID, 0.35) for rank in axis.numbered()
    ]
    bars: list[Mark] = []
    names: list[Mark] = []
    for row, method in enumerate(methods):
        middle = top + 20.0 * (row + 0.5)
        x, length = axis.at(method.rank), axis.at(method.rank + critical_distance) - axis.at(method.rank)
        hover = f"{method.hover}; with the critical distance {method.rank + critical_distance:.3f}"
        bars.append(Rectangle(x, middle - 6.0, length, 12.0, method.color, 0.6, hover))
        bars.append(Rectangle(x, middle - 6.0, min(3.0, length), 12.0, method.color))
        names += _name(method, start - GAP, middle + MIDDLE * SIZE, -1.0, numbers)
    below: list[Mark] = [Line(((axis.start, bottom), (axis.end, bottom)), 1.0)]
    for rank in axis.numbered():
        below.append(Line(((axis.at(rank), bottom), (axis.at(rank), bottom + 4.0)), 1.0))
        below.append(Text(axis.at(rank), bottom + 5.0 + SIZE, str(rank), SIZE, "middle"))
    y = bottom + 5.0 + SIZE
    for sentence in below_axis:
        y += SIZE + GAP / 2
        below.append(Text((axis.start + axis.end) / 2, y, sentence, SIZE, "middle"))
    return _fitted([*heading, *grid, *bars, *names, *below], axis.end + after, y + 0.3 * SIZE + MARGIN)


@dataclass(frozen=True)
class _Axis:
    """An axis of ranks: where it begins, its length, and its first and last rank."""

    start: float
    length: float
    first: float
    last: float

    @property
    def end(self) -> float:
        return self.start + self.length

    @property
    def unit(self) -> float:
        return self.length / (self.last - self.first)

    def at(self, rank: float) -> float:
        return self.start + (rank - self.first) * self.unit

    def numbered(self) -> range:
        """Return the ranks that have room for a number: all, or every 2nd, 5th, 10th, 20th, ... from 1 on."""
        last = int(self.last + 1e-9)
        room = widest([str(last)], SIZE) + GAP / 2
        step = next(s * 10**d for d in range(9) for s in (1, 2, 5) if s * 10**d * self.unit >= room)
        return range(1, last + 1, step)


def _ranked(average_ranks: pd.Series) -> list[_Ranked]:
    """Return the methods, best first, after a look at their ranks."""
    if len(average_ranks) < 2:
        raise ValueError(f"Got the ranks of {len(average_ranks)} methods, but expected at least 2.")
    if not average_ranks.index.is_unique:
        twice = average_ranks.index[average_ranks.index.duplicated()][0]
        raise ValueError(f"The method {twice!r} has two average ranks; give each method one.")
    methods = [
        _Ranked(method, printable(str(method)), float(rank), method_style(str(method), average_ranks.index).color)
        for method, rank in average_ranks.items()
    ]
    for method in methods:
        if not (np.isfinite(method.rank) and method.rank >= 1):
            raise ValueError(f"Got the average rank {method.rank} of {method.method!r}, but expected 1 or more.")
    return sorted(methods, key=lambda method: method.rank)


def _check_distance(critical_distance: float | None) -> None:
    if critical_distance is not None and not (np.isfinite(critical_distance) and critical_distance > 0):
        raise ValueError(f"Got critical_distance={critical_distance}, but expected a finite number above 0.")


def _members(groups: Sequence[Sequence[str]], methods: Sequence[_Ranked]) -> list[list[int]]:
    """Return the positions of each group's members among `methods`, in ascending order."""
    positions = {method.method: position for position, method in enumerate(methods)}
    for group in groups:
        for member in group:
            if member not in positions:
                raise ValueError(f"The group {tuple(group)} names {member!r}, which has no average rank.")
    return [sorted({positions[member] for member in group}) for group in groups if len(group) > 0]


def _set_apart(x: np.ndarray) -> np.ndarray:
    """Return the ascending positions `x`, moved by as little as keeps them `APART`."""
    steps = APART * np.arange(len(x))
    return isotonic_regression(x - steps).x + steps


def _heading(title: str) -> list[Mark]:
    return [Text(MARGIN, MARGIN + TITLE, printable(title), TITLE)] if printable(title) else []


def _ruler(axis: _Axis, critical_distance: float | None, y: float) -> tuple[list[Mark], float]:
    """Return the ruler of the critical distance below `y`, from rank 1 on, and where it ends."""
    if critical_distance is None:
        return [], y
    text = f"CD = {critical_distance:.2f}"
    y += SIZE
    if critical_distance > axis.last - axis.first:
        return [Text(axis.start, y, f"{text}, longer than the axis: no two methods can differ", SIZE)], y + GAP
    end = axis.at(1 + critical_distance)
    ruler = y + GAP
    marks: list[Mark] = [
        Text((axis.start + end) / 2, y, text, SIZE, "middle"),
        Line(((axis.start, ruler), (end, ruler)), 1.5),
        *(Line(((x, ruler - 4.0), (x, ruler + 4.0)), 1.5) for x in (axis.start, end)),
    ]
    return marks, ruler + GAP


def _ticks_above(axis: _Axis, y: float) -> list[Mark]:
    """Return the axis below numbers that stand on `y`."""
    below = y + RAISED
    marks: list[Mark] = [Line(((axis.start, below), (axis.end, below)), 1.2)]
    numbered = axis.numbered()
    for rank in np.arange(1.0, axis.last + 1e-9, 0.5 if axis.unit >= 24 else 1.0):
        tick = 5.0 if rank in numbered else 3.0
        marks.append(Line(((axis.at(rank), below - tick), (axis.at(rank), below)), 1.0))
    return marks + [Text(axis.at(rank), y, str(rank), SIZE, "middle") for rank in numbered]


def _group_bars(
    members: Sequence[Sequence[int]], methods: Sequence[_Ranked], at: np.ndarray, y: float
) -> tuple[list[Mark], float]:
    """Return a bar for each group, the first level at `y`, and where the last level ends."""
    marks: list[Mark] = []
    ends: list[float] = []  # of the last bar at each level
    pass_over = any(len(group) <= group[-1] - group[0] for group in members)
    for group in sorted(members, key=lambda group: (group[0], group[-1])):
        left, right = at[group[0]] - 4.0, at[group[-1]] + 4.0
        level = next((level for level, end in enumerate(ends) if end + GAP < left), len(ends))
        ends[level : level + 1] = [right]
        middle = y + LEVEL * level
        hover = f"Do not differ significantly: {', '.join(methods[position].name for position in group)}"
        marks.append(Rectangle(left, middle - 2.0, right - left, 4.0, hover=hover))
        if pass_over:
            marks += [Dot(float(at[position]), middle, 3.8) for position in group]
    return marks, y + LEVEL * len(ends)


def _name(method: _Ranked, x: float, y: float, sign: float, numbers: float) -> list[Mark]:
    """Return a method's rank and name outwards from x, to the left (-1) or the right (1)."""
    inner = x if sign < 0 else x + numbers
    return [
        Text(inner, y, method.number, SIZE, "end", method.hover),
        Text(x + sign * (numbers + GAP), y, method.name, SIZE, "end" if sign < 0 else "start", method.hover),
    ]


def _fitted(marks: Sequence[Mark], width: float, height: float) -> Drawing:
    """Return a drawing of whole points, at least that large, in which all texts have their place."""
    boxes = [mark.box for mark in marks if isinstance(mark, Text)]
    right = max(width, *(right + MARGIN for _, _, right, _ in boxes))
    bottom = max(height, *(bottom + MARGIN for _, _, _, bottom in boxes))
    return Drawing(math.ceil(right - 1e-6), math.ceil(bottom - 1e-6), tuple(marks))
