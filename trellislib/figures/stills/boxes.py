"""Boxes from quartile to quartile."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np
import plotly.graph_objects as go

from trellislib.figures.drawing import Area, Mark, Point
from trellislib.figures.stills.axes import Axis, Reach
from trellislib.figures.stills.clip import clipped_ring
from trellislib.figures.stills.colors import Paint, paint
from trellislib.figures.stills.markers import marker_marks
from trellislib.figures.stills.plots import Plot, stroke


def box_groups(trace: go.Box, x: Axis, y: Axis) -> tuple[list[tuple[float, np.ndarray]], bool]:
    """Return the values of each box of a trace at its place, and whether boxes lie."""
    lying = trace.orientation == "h" or (trace.y is None and trace.x is not None)
    values, places = (trace.x, trace.y) if lying else (trace.y, trace.x)
    numbers = (x if lying else y).numbers(values)
    axis = y if lying else x
    at = axis.numbers(places) if places is not None else axis.numbers([trace.name] * len(numbers))
    if places is None and not np.isfinite(at).all():
        at = np.zeros(len(numbers))
    return [(float(place), numbers[(at == place) & np.isfinite(numbers)]) for place in np.unique(at)], lying


def box_reach(trace: go.Box, x: Axis, y: Axis) -> tuple[list[Reach], list[Reach]]:
    """Return what boxes must show on both axes."""
    groups, lying = box_groups(trace, x, y)
    along = [Reach(np.array([place + side for place, _ in groups for side in (-0.5, 0.5)]))]
    values = [Reach(np.concatenate([found for _, found in groups]) if groups else np.empty(0), 3.0, True)]
    return (values, along) if lying else (along, values)


def box_marks(trace: go.Box, plot: Plot) -> Iterator[Mark]:
    """Yield boxes from quartile to quartile, whiskers to 1.5 times their distance, and points beyond."""
    groups, lying = box_groups(trace, plot.x, plot.y)
    along, across = (plot.y, plot.x) if lying else (plot.x, plot.y)
    color = trace.line.color or (trace.marker.color if isinstance(trace.marker.color, str) else None) or plot.color
    line = paint(color, trace.opacity)
    fill = paint(trace.fillcolor, trace.opacity) if trace.fillcolor else Paint(line.color, 0.5 * line.opacity)
    width = 2.0 if trace.line.width is None else float(trace.line.width)
    half = 0.5 * (0.5 if trace.width is None else float(trace.width))

    def turned(points: Sequence[Point]) -> list[Point]:
        return [(b, a) if lying else (a, b) for a, b in points]

    for place, values in groups:
        if len(values) == 0:
            continue
        first, middle, third = np.quantile(values, (0.25, 0.5, 0.75), method="hazen")
        reach = 1.5 * (third - first)
        inner = values[(values >= first - reach) & (values <= third + reach)]
        low, a, b, c, high = (float(across.at(v)) for v in (inner.min(), first, middle, third, inner.max()))
        left, at, right = (float(along.at(place + side)) for side in (-half, 0.0, half))
        ring = turned([(left, a), (right, a), (right, c), (left, c), (left, a)])
        if inside := clipped_ring(ring[:-1], plot.box):
            yield Area((tuple(inside),), fill.color, fill.opacity)
        cap = (right - left) / 4
        for points in (
            ring,
            turned([(left, b), (right, b)]),
            turned([(at, a), (at, low)]),
            turned([(at, c), (at, high)]),
            turned([(at - cap, low), (at + cap, low)]),
            turned([(at - cap, high), (at + cap, high)]),
        ):
            yield from stroke(points, width, line, (), plot.box)
        if trace.boxpoints is False:
            continue
        shown = values if trace.boxpoints == "all" else values[(values < first - reach) | (values > third + reach)]
        for value in shown[across.shows(shown)].tolist():
            spot = turned([(at, float(across.at(value)))])[0]
            yield from marker_marks(str(trace.marker.symbol or "circle"), spot, float(trace.marker.size or 6), line)
