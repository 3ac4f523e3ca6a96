"""Axes: from values to points of the drawing, the ranges that plotly would choose, and what is drawn of them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, NamedTuple

import numpy as np

from trellislib.figures.drawing import Anchor, Line, Mark, Text
from trellislib.figures.stills import ticks
from trellislib.figures.stills.colors import paint
from trellislib.figures.stills.words import block, bounds, is_blank, size_of

GRID = "rgba(128, 128, 128, 0.25)"
LABEL, TITLE = 12.0, 13.0  # sizes of fonts
GAP = 5.0


class Reach(NamedTuple):
    """What an axis must show: values, with room around them in points, and for a share of the axis; and zero."""

    values: np.ndarray
    room: float = 0.0
    padded: bool = False
    zero: bool = False


@dataclass(frozen=True)
class Axis:
    """An axis of the figure.

    Attributes
    ----------
    name : str
        ``"x"``, ``"y2"``, as traces call it.
    settings : plotly.graph_objects.layout.XAxis or YAxis
    kind : {"linear", "log", "category"}
    categories : tuple of str
    low, high : float
        The values, logarithms or positions of categories, at its start and its end.
    start, end : float
        Points of the drawing: left and right, or bottom and top.
    """

    name: str
    settings: Any
    kind: str = "linear"
    categories: tuple[str, ...] = ()
    low: float = 0.0
    high: float = 1.0
    start: float = 0.0
    end: float = 1.0
    known: dict[str, int] = field(default_factory=dict, compare=False, repr=False)

    @property
    def is_across(self) -> bool:
        """Whether the axis is horizontal."""
        return self.name.startswith("x")

    @property
    def unit(self) -> float:
        """Points for a unit, negative where values grow against the axis' direction."""
        return (self.end - self.start) / (self.high - self.low)

    def numbers(self, values: Any) -> np.ndarray:
        """Return values as numbers on the axis' line: themselves, their logarithms, or positions of categories."""
        if values is None:
            return np.empty(0)
        if self.kind == "category":
            found = [np.nan if value is None else self._category(value) for value in values]
            return np.array(found, dtype=float)
        return self.straight(numeric(values))

    def straight(self, numbers: np.ndarray) -> np.ndarray:
        """Return numbers as they stand on the axis' line."""
        if self.kind != "log":
            return numbers
        with np.errstate(invalid="ignore", divide="ignore"):
            return np.where(numbers > 0, np.log10(numbers), np.nan)

    def _category(self, value: Any) -> float:
        if str(value) in self.known:
            return self.known[str(value)]
        try:
            return float(value)
        except (TypeError, ValueError):
            return np.nan

    def at(self, numbers: Any) -> Any:
        """Return where numbers of the axis' line are, in points."""
        return self.start + (np.asarray(numbers, dtype=float) - self.low) * self.unit

    def shows(self, numbers: Any) -> Any:
        """Return whether numbers of the axis' line are within its range."""
        low, high = min(self.low, self.high), max(self.low, self.high)
        slack = 1e-9 * (high - low)
        return (numbers >= low - slack) & (numbers <= high + slack)


def numeric(values: Any) -> np.ndarray:
    """Return values as floats, NaN for what is none."""
    if isinstance(values, np.ndarray) and values.dtype.kind in "fiub":
        return values.astype(float)
    return np.array([_number(value) for value in values], dtype=float)


def _number(value: Any) -> float:
    try:
        return np.nan if value is None else float(value)
    except (TypeError, ValueError):
        return np.nan


def kind_of(settings: Any, values: Iterable[Any]) -> tuple[str, tuple[str, ...]]:
    """Return the kind of an axis and its categories, from its settings and the arrays of values on it."""
    arrays = [array for array in values if array is not None]
    if settings.type in ("linear", "log"):
        return settings.type, ()
    if settings.type not in (None, "-", "category"):
        raise ValueError(f"A still has no axis of type {settings.type!r}; use 'linear', 'log' or 'category'.")
    if settings.type != "category" and not any(_has_words(array) for array in arrays):
        return "linear", ()
    given = [str(value) for value in settings.categoryarray or ()]
    found = dict.fromkeys([*given, *(str(value) for array in arrays for value in array if value is not None)])
    return "category", tuple(found)


def _has_words(array: Any) -> bool:
    if isinstance(array, np.ndarray) and array.dtype.kind in "fiub":
        return False
    return any(isinstance(value, str) and np.isnan(_number(value)) for value in array)


def ranged(axis: Axis, reaches: Sequence[Reach], length: float) -> Axis:
    """Return an axis of `length` points with its range, as set or around what it must show."""
    settings = axis.settings
    reverse = settings.autorange in ("reversed", "max reversed", "min reversed")
    given: list[Any] = [None, None] if settings.range is None or reverse else list(settings.range)
    if None not in given:
        low, high = (float(axis.numbers([end])[0]) if axis.kind == "category" else float(end) for end in given)
        return replace(axis, low=low, high=high)
    low, high = _automatic(reaches, length, settings.rangemode, axis.kind)
    low, high = (
        float(chosen) if chosen is not None else found for chosen, found in zip(given, (low, high), strict=True)
    )
    return replace(axis, low=high, high=low) if reverse else replace(axis, low=low, high=high)


def _automatic(reaches: Sequence[Reach], length: float, mode: str | None, kind: str) -> tuple[float, float]:
    finite = [(reach, reach.values[np.isfinite(reach.values)]) for reach in reaches]
    ends = [(reach, float(values.min()), float(values.max())) for reach, values in finite if len(values)]
    if not ends:
        return (0.0, 1.0) if kind == "log" else (-1.0, 6.0)
    low, high = min(least for _, least, _ in ends), max(most for _, _, most in ends)
    zero = any(reach.zero for reach in reaches) or mode in ("tozero", "nonnegative")
    if zero and kind != "log":
        low, high = min(low, 0.0), max(high, 0.0)
    if high == low:
        return (0.0, high + 1) if zero and high == 0 else (low - 1, high + 1)
    span, length = high - low, max(length, 10.0)
    before, after = (
        0.0
        if zero and kind != "log" and limit == 0
        else max(
            reach.room + 0.05 * length * reach.padded - abs(end[side] - limit) / span * length for reach, *end in ends
        )
        for side, limit in ((0, low), (1, high))
    )
    before, after = (min(max(room, 0.0), 0.45 * length) for room in (before, after))
    per_point = span / max(length - before - after, 1.0)
    return low - before * per_point, high + after * per_point


def ticks_of(axis: Axis) -> tuple[np.ndarray, list[str]]:
    """Return the ticks within the range of an axis, on its line, and what they say."""
    settings, length = axis.settings, abs(axis.end - axis.start)
    form = settings.tickformat
    if settings.tickvals is not None:
        at = axis.numbers(settings.tickvals)
        texts = settings.ticktext
        told = [str(text) for text in texts] if texts is not None else _told(axis, at, form, None)
        shown = [place for place in np.flatnonzero(axis.shows(at)).tolist() if place < len(told)]
        return at[shown], [told[place] for place in shown]
    if axis.kind == "category":
        at = np.arange(len(axis.categories), dtype=float)
        at = at[axis.shows(at)]
        every = max(1, int(np.ceil(len(at) * LABEL * 1.2 / max(length, 1.0))))
        return at[::every], [axis.categories[int(place)] for place in at[::every]]
    least = 80.0 if axis.is_across else 40.0
    if settings.nticks:
        least = length / max(settings.nticks - 1, 1)
    if axis.kind == "log":
        dtick = settings.dtick
        if isinstance(dtick, int | float):
            at = ticks.multiples(axis.low, axis.high, float(dtick))
        else:
            at = ticks.logarithmic(axis.low, axis.high, length, least)
        return at, _told(axis, at, form, None)
    step = float(settings.dtick) if settings.dtick else ticks.step_for(axis.high - axis.low, length, least)
    at = ticks.multiples(axis.low, axis.high, step, float(settings.tick0 or 0.0))
    return at, _told(axis, at, form, step)


def _told(axis: Axis, at: np.ndarray, form: str | None, step: float | None) -> list[str]:
    if axis.kind == "category":
        return [axis.categories[int(place)] for place in at]
    if axis.kind == "log":
        return [ticks.formatted(value, form or "") if form else f"{value:,.6g}" for value in (10.0**at).tolist()]
    prefix, suffix = axis.settings.tickprefix or "", axis.settings.ticksuffix or ""
    said = [ticks.formatted(value, form) for value in at.tolist()] if form else ticks.plain(at, step)
    return [f"{prefix}{text}{suffix}" for text in said]


def axis_marks(axis: Axis, across: Axis) -> tuple[list[Mark], list[Text]]:
    """Return the lines of an axis, and its labels and title outside of the plot.

    Parameters
    ----------
    axis : Axis
    across : Axis
        The axis to which it is anchored.
    """
    settings = axis.settings
    if settings.visible is False:
        return [], []
    at, told = ticks_of(axis)
    places = axis.at(at)
    lines: list[Mark] = []
    if settings.showgrid is not False:
        color, opacity = paint(settings.gridcolor or GRID)
        width = _or(settings.gridwidth, 1.0)
        lines += [_across(axis, across, place, width, color, opacity) for place in places.tolist()]
    if settings.zeroline and axis.kind == "linear" and axis.shows(np.zeros(1))[0]:
        color, opacity = paint(settings.zerolinecolor or GRID)
        width = _or(settings.zerolinewidth, 1.0)
        lines.append(_across(axis, across, float(axis.at(0.0)), width, color, opacity))
    far = settings.side in ("top", "right")
    edge = across.end if far else across.start
    if settings.showline:
        color, opacity = paint(settings.linecolor)
        ends = ((axis.start, edge), (axis.end, edge))
        points = ends if axis.is_across else tuple((y, x) for x, y in ends)
        lines.append(Line(points, _or(settings.linewidth, 1.0), color, opacity))
    labels: list[Text] = []
    size = _or(settings.tickfont.size, LABEL)
    if settings.showticklabels is not False:
        labels = _labels(axis, places, told, edge, far, size)
    title = settings.title.text
    if title and not is_blank(title):
        labels += _title(axis, title, edge, far, labels)
    return lines, labels


def _or(value: Any, default: float) -> float:
    return default if value is None else float(value)


def _across(axis: Axis, across: Axis, place: float, width: float, color: str | None, opacity: float) -> Line:
    ends = (place, across.start), (place, across.end)
    return Line(ends if axis.is_across else tuple((y, x) for x, y in ends), width, color, opacity)


def _labels(axis: Axis, places: np.ndarray, told: Sequence[str], edge: float, far: bool, size: float) -> list[Text]:
    """Return the labels of the ticks; those below turn where they would run into each other."""
    texts: list[Text] = []
    color = axis.settings.tickfont.color
    out = 1 if far != axis.is_across else -1  # of the plot, to the right and down
    if not axis.is_across:
        beside: Anchor = "start" if far else "end"
        for place, text in zip(places.tolist(), told, strict=True):
            texts += block(text, edge + out * GAP, place, size, beside, color)
        return texts
    angle = axis.settings.tickangle
    if angle is None or angle == "auto":
        angle = _free_angle(places, told, size)
    for place, text in zip(places.tolist(), told, strict=True):
        if angle == 0:
            height = size_of(text, size)[1]
            texts += block(text, place, edge + out * (GAP + height / 2), size, "middle", color)
        else:
            anchor: Anchor = "start" if (angle > 0) == (out > 0) else "end"
            y = edge + out * (GAP + (0.5 * size if abs(angle) < 90 else 0.0))
            texts += block(text, place, y, size, anchor, color, float(angle))
    return texts


def _free_angle(places: np.ndarray, told: Sequence[str], size: float) -> int:
    """Return by how much labels below an axis turn so that none runs into the next: not, 30 or 90 degrees."""
    if len(places) < 2:
        return 0
    room = float(np.abs(np.diff(places)).min())
    if max(size_of(text, size)[0] for text in told) + 2 <= room:
        return 0
    return 30 if room > 2.2 * size else 90


def _title(axis: Axis, title: str, edge: float, far: bool, labels: Sequence[Text]) -> list[Text]:
    settings = axis.settings.title
    size = _or(settings.font.size, TITLE)
    height = size_of(title, size)[1]
    box = bounds([text.box for text in labels]) if labels else None
    middle = (axis.start + axis.end) / 2
    if axis.is_across:
        y = (box[1] - GAP if far else box[3] + GAP) if box else (edge - GAP if far else edge + GAP)
        return block(title, middle, y + (-height if far else height) / 2, size, "middle", settings.font.color)
    x = (box[2] + GAP if far else box[0] - GAP) if box else (edge + GAP if far else edge - GAP)
    return block(title, x + (height if far else -height) / 2, middle, size, "middle", settings.font.color, -90.0)
