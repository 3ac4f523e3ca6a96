"""An interactive figure as a `Drawing`, from which files are made without a browser."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Any

import numpy as np
import plotly.graph_objects as go

from trellislib.figures.drawing import Area, Box, Dot, Drawing, Image, Line, Mark, Rectangle, Text
from trellislib.figures.stills.axes import Axis, Reach, axis_marks, kind_of, numeric, ranged
from trellislib.figures.stills.bars import Bars, arranged, bar_marks, histogram_bars
from trellislib.figures.stills.boxes import box_marks, box_reach
from trellislib.figures.stills.color_bars import color_bars
from trellislib.figures.stills.colors import COLORWAY
from trellislib.figures.stills.heat import heat_marks, heat_reach
from trellislib.figures.stills.legend import Entry, entries, legend_marks
from trellislib.figures.stills.notes import Places, annotation_marks, shape_marks
from trellislib.figures.stills.plots import Plot
from trellislib.figures.stills.scatter import scatter_marks, scatter_reach, scatter_values
from trellislib.figures.stills.words import block, bounds, size_of

_MARGIN = {"l": 80.0, "r": 80.0, "t": 100.0, "b": 80.0}
_ROUNDS = 4  # in which margins and axes come to fit each other
_EDGE = 4.0  # between what is outermost and the edge of the drawing
_ORDER = {"heatmap": 0, "histogram": 1, "bar": 1, "box": 2, "scatter": 3, "scattergl": 3}


def still(figure: go.Figure, width: float = 640) -> Drawing:
    """Return a figure of this package as a drawing, which `trellislib.figures.export` writes without a browser.

    It looks as the figure does in a browser on a page that is as wide: the same ranges, ticks, colours, dashes and
    markers. What is there only to be pointed at is left out. Letters have no background and the colour of the text
    around them. Where texts at the border need it, the drawing is a little larger.

    Parameters
    ----------
    figure : plotly.graph_objects.Figure
        With traces of points and lines, bars, histograms, boxes and heat maps.
    width : float, default=640
        In points, unless the figure has a width of its own. The height is the figure's, or 450.

    Returns
    -------
    Drawing

    Raises
    ------
    ValueError
        If the figure has a trace, a marker, a kind of axis or a format of numbers that stills have not.

    Examples
    --------
    >>> import plotly.graph_objects as go
    >>> figure = go.Figure(go.Bar(x=["CT", "IC"], y=[1, 2]), layout={"height": 300})
    >>> drawing = still(figure)
    >>> (drawing.width, drawing.height, [text.text for text in drawing.texts][:2])
    (640, 300, ['CT', 'IC'])
    """
    for trace in figure.data:
        if trace.type not in _ORDER:
            raise ValueError(f"A still has no traces of type {trace.type!r}; it has {', '.join(_ORDER)}.")
    width = float(figure.layout.width or width)
    return _fitted(_Composition(figure, width).marks(), width, float(figure.layout.height or 450))


class _Composition:
    """A figure in the course of being placed in a drawing."""

    def __init__(self, figure: go.Figure, width: float) -> None:
        self.layout = figure.layout
        self.figure = figure
        self.width, self.height = width, float(figure.layout.height or 450)
        colorway = figure.layout.colorway or COLORWAY
        self.colors = [colorway[place % len(colorway)] for place in range(len(figure.data))]
        # A histogram is drawn as bars; everything else as it is.
        self.traces = [
            (histogram_bars(trace).update(xaxis=trace.xaxis, yaxis=trace.yaxis) if trace.type == "histogram" else trace)
            for trace in figure.data
        ]
        self.traces = [trace for trace in self.traces if trace.visible in (None, True)]
        self.colors_of = [
            color for trace, color in zip(figure.data, self.colors, strict=True) if trace.visible in (None, True)
        ]
        self.entries: list[Entry] = entries(figure, self.colors)
        margin = self.layout.margin
        self.margins = {
            side: default if margin[side] is None else float(margin[side]) for side, default in _MARGIN.items()
        }
        self.axes = {axis.name: axis for axis in self._kinds()}

    def _kinds(self) -> Iterator[Axis]:
        """Yield the axes that traces use, and those of an empty figure, with their kinds and categories."""
        names = dict.fromkeys(["x", "y"] if not self.traces else [])
        for trace in self.traces:
            names |= dict.fromkeys([trace.xaxis or "x", trace.yaxis or "y"])
        for name in names:
            letter = name[0]
            settings = self.layout[f"{letter}axis{name[1:]}"]
            arrays = []
            for trace in self.traces:
                if (trace[f"{letter}axis"] or letter) == name:
                    arrays.append(trace[letter])
                    if trace.type == "box" and trace[letter] is None and trace.name:
                        arrays.append([trace.name])
            kind, categories = kind_of(settings, arrays)
            known = {category: place for place, category in enumerate(categories)}
            yield Axis(name, settings, kind, categories, known=known)

    @property
    def plot(self) -> Box:
        """The area that all plots share."""
        left, top = self.margins["l"], self.margins["t"]
        right = max(self.width - self.margins["r"], left + 10)
        return left, top, right, max(self.height - self.margins["b"], top + 10)

    def marks(self) -> list[Mark]:
        """Return all marks, after margins have grown to what stands outside of the plots."""
        for _ in range(_ROUNDS):
            self._place_axes()
            grown = self._grown(self._outer())
            if all(abs(grown[side] - margin) < 0.5 for side, margin in self.margins.items()):
                break
            self.margins = grown
        self._place_axes()
        return [*self._inner(), *self._outer(), *self._notes()]

    def _grown(self, outer: list[Mark]) -> dict[str, float]:
        """Return the margins that `outer` needs, at least those of the figure, at most nearly half of it."""
        margin = self.layout.margin
        least = {side: default if margin[side] is None else float(margin[side]) for side, default in _MARGIN.items()}
        boxes = [_box_of(mark) for mark in outer]
        if not boxes:
            return least
        left, top, right, bottom = bounds(boxes)
        plot = self.plot
        needed = {"l": plot[0] - left, "t": plot[1] - top, "r": right - plot[2], "b": bottom - plot[3]}
        most = {"l": 0.6 * self.width, "r": 0.6 * self.width, "t": 0.6 * self.height, "b": 0.6 * self.height}
        return {side: min(max(least[side], needed[side] + _EDGE), most[side]) for side in least}

    # Axes

    def _place_axes(self) -> None:
        left, top, right, bottom = self.plot
        for name, axis in self.axes.items():
            settings = axis.settings
            over = settings.overlaying
            domain = settings.domain
            if over and over in self.axes:
                domain = self.axes[over].settings.domain
            low, high = (0.0, 1.0) if domain is None else (float(share) for share in domain)
            if axis.is_across:
                start, end = left + low * (right - left), left + high * (right - left)
            else:
                start, end = bottom - low * (bottom - top), bottom - high * (bottom - top)
            self.axes[name] = replace(axis, start=start, end=end)
        bars = self._bars()
        reaches = self._reaches(bars)
        for name, axis in self.axes.items():
            self.axes[name] = ranged(axis, reaches[name], abs(axis.end - axis.start))
        for name, axis in self.axes.items():
            lead = self.axes.get(axis.settings.matches or "")
            if lead is not None and lead.name != name:
                self.axes[name] = replace(axis, low=lead.low, high=lead.high)
        for name, axis in self.axes.items():
            lead = self.axes.get(axis.settings.scaleanchor or "")
            if lead is not None and lead.name != name:
                self._equalise(name, lead.name, float(axis.settings.scaleratio or 1.0))

    def _equalise(self, name: str, lead: str, ratio: float) -> None:
        """Make a unit of both axes as long, by a shorter axis or a longer range of the one that has more room."""
        one, other = abs(self.axes[name].unit) / ratio, abs(self.axes[lead].unit)
        loose, unit = (name, other * ratio) if one > other else (lead, one)
        axis = self.axes[loose]
        if axis.settings.constrain == "domain":
            length = unit * abs(axis.high - axis.low) * (1 if axis.is_across else -1)
            toward = axis.settings.constraintoward
            share = {"left": 0.0, "bottom": 0.0, "right": 1.0, "top": 1.0}.get(toward or "", 0.5)
            start = axis.start + share * (axis.end - axis.start - length)
            self.axes[loose] = replace(axis, start=start, end=start + length)
        else:
            half = abs(axis.end - axis.start) / unit / 2 * (1 if axis.high > axis.low else -1)
            middle = (axis.low + axis.high) / 2
            self.axes[loose] = replace(axis, low=middle - half, high=middle + half)

    def _bars(self) -> dict[int, Bars]:
        """Return where the bars of each trace are, by the trace's place."""
        groups: dict[tuple[str, str], list[int]] = {}
        for place, trace in enumerate(self.traces):
            if trace.type == "bar":
                groups.setdefault(self._names(trace), []).append(place)
        found: dict[int, Bars] = {}
        for (x, y), places in groups.items():
            traces = [self.traces[place] for place in places]
            found |= zip(places, arranged(traces, self.layout, self.axes[x], self.axes[y]), strict=True)
        return found

    @staticmethod
    def _names(trace: Any) -> tuple[str, str]:
        return trace.xaxis or "x", trace.yaxis or "y"

    def _reaches(self, bars: Mapping[int, Bars]) -> dict[str, list[Reach]]:
        """Return what each axis must show: of traces, shapes and annotations."""
        reaches: dict[str, list[Reach]] = {name: [] for name in self.axes}
        for place, trace in enumerate(self.traces):
            names = self._names(trace)
            x, y = (self.axes[name] for name in names)
            if trace.type == "bar":
                found = bars[place].reach()
            else:
                found = {"heatmap": heat_reach, "box": box_reach}.get(trace.type, scatter_reach)(trace, x, y)
            for name, more in zip(names, found, strict=True):
                reaches[name] += more
        for shape in self.layout.shapes:
            for letter, ends in (("x", (shape.x0, shape.x1)), ("y", (shape.y0, shape.y1))):
                name = shape[f"{letter}ref"] or letter
                if shape.type != "path" and name in reaches:
                    reaches[name].append(Reach(self.axes[name].numbers(ends)))
        for note in self.layout.annotations:
            for letter, value in (("x", note.x), ("y", note.y)):
                name = note[f"{letter}ref"] or letter
                if name in reaches:
                    axis = self.axes[name]
                    reaches[name].append(Reach(numeric([value]) if axis.kind == "log" else axis.numbers([value])))
        return reaches

    def _anchor(self, axis: Axis) -> Axis:
        """Return the axis at whose start an axis stands."""
        letter = "y" if axis.is_across else "x"
        wanted = axis.settings.anchor
        if wanted in self.axes:
            return self.axes[wanted]
        if letter + axis.name[1:] in self.axes:
            return self.axes[letter + axis.name[1:]]
        return next(other for name, other in self.axes.items() if name[0] == letter)

    # Marks

    def _inner(self) -> list[Mark]:
        """Return grid lines, shapes and traces."""
        places = Places(self.axes, self.plot)
        marks: list[Mark] = []
        for axis in self.axes.values():
            marks += axis_marks(axis, self._anchor(axis))[0]
        for shape in self.layout.shapes:
            if shape.layer in ("below", "between"):
                marks += shape_marks(shape, places)
        bars = self._bars()
        before: dict[tuple[str, str], np.ndarray] = {}
        for place in sorted(range(len(self.traces)), key=lambda place: _ORDER[self.traces[place].type]):
            trace = self.traces[place]
            names = self._names(trace)
            plot = Plot(self.axes[names[0]], self.axes[names[1]], self.colors_of[place])
            match trace.type:
                case "bar":
                    marks += bar_marks(bars[place], plot)
                case "box":
                    marks += box_marks(trace, plot)
                case "heatmap":
                    marks += heat_marks(trace, plot)
                case _:
                    marks += scatter_marks(trace, plot, before.get(names))
                    x, y = scatter_values(trace)
                    if x is not None and y is not None:
                        before[names] = plot.points(plot.x.numbers(x), plot.y.numbers(y))
        for shape in self.layout.shapes:
            if shape.layer not in ("below", "between"):
                marks += shape_marks(shape, places)
        return marks

    def _outer(self) -> list[Mark]:
        """Return what stands around the plots: labels and titles of axes, colour bars, the legend and the title."""
        marks: list[Mark] = []
        for axis in self.axes.values():
            marks += axis_marks(axis, self._anchor(axis))[1]
        marks += color_bars(self.figure, self.plot)
        marks += legend_marks(self.figure, self.entries, self.plot, self.width)
        title = self.layout.title.text
        if title:
            size = float(self.layout.title.font.size or 15)
            height = size_of(title, size)[1]
            top = min([self.plot[1], *(_box_of(mark)[1] for mark in marks)])
            x = float(0.0 if self.layout.title.x is None else self.layout.title.x)
            marks += block(
                title, 8 + x * (self.width - 16), top - height / 2 - 4, size, "middle" if x == 0.5 else "start"
            )
        return marks

    def _notes(self) -> list[Mark]:
        places = Places(self.axes, self.plot)
        return [mark for note in self.layout.annotations for mark in annotation_marks(note, places)]


def _box_of(mark: Mark) -> Box:
    """Return the box around a mark."""
    match mark:
        case Text():
            return mark.box
        case Rectangle() | Image():
            return mark.x, mark.y, mark.x + mark.width, mark.y + mark.height
        case Dot():
            return mark.x - mark.radius, mark.y - mark.radius, mark.x + mark.radius, mark.y + mark.radius
        case Line():
            x, y = zip(*mark.points, strict=True)
        case Area():
            x, y = zip(*(point for ring in mark.rings for point in ring), strict=True)
    return min(x), min(y), max(x), max(y)


def _fitted(marks: list[Mark], width: float, height: float) -> Drawing:
    """Return a drawing of at least that size in which all marks have their place."""
    if not marks:
        return Drawing(width, height, ())
    left, top, right, bottom = bounds([_box_of(mark) for mark in marks])
    across, down = (math.ceil(max(0.0, -low) - 1e-6) for low in (left, top))
    moved = tuple(_moved(mark, across, down) for mark in marks) if across or down else tuple(marks)
    return Drawing(
        max(math.ceil(width), math.ceil(right - 1e-6)) + across,
        max(math.ceil(height), math.ceil(bottom - 1e-6)) + down,
        moved,
    )


def _moved(mark: Mark, across: float, down: float) -> Mark:
    """Return a mark further to the right and down."""
    match mark:
        case Line():
            return replace(mark, points=tuple((x + across, y + down) for x, y in mark.points))
        case Area():
            rings = tuple(tuple((x + across, y + down) for x, y in ring) for ring in mark.rings)
            return replace(mark, rings=rings)
        case _:
            return replace(mark, x=mark.x + across, y=mark.y + down)
