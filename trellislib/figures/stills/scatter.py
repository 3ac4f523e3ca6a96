"""Traces of points: lines, areas, markers and texts."""

from __future__ import annotations

import math
from collections.abc import Iterator
from itertools import pairwise
from typing import Any

import numpy as np
import plotly.graph_objects as go

from trellislib.figures.drawing import Anchor, Area, Mark
from trellislib.figures.stills.axes import Axis, Reach, numeric
from trellislib.figures.stills.clip import clipped_ring, hatched
from trellislib.figures.stills.colors import Paint, paint
from trellislib.figures.stills.errors import error_ends, error_marks
from trellislib.figures.stills.markers import marker_marks, marker_paints
from trellislib.figures.stills.plots import UNSEEN, Plot, dash_of, each, filled_template, stroke
from trellislib.figures.stills.symbols import ARROW_LENGTH
from trellislib.figures.stills.words import block, is_blank


def scatter_values(trace: go.Scatter) -> tuple[Any, Any]:
    """Return what a trace of points has along x and y."""
    x, y = trace.x, trace.y
    if x is None and y is not None:
        x = np.arange(len(y)) * (trace.dx or 1) + (trace.x0 or 0)
    if y is None and x is not None:
        y = np.arange(len(x)) * (trace.dy or 1) + (trace.y0 or 0)
    return x, y


def mode_of(trace: go.Scatter) -> str:
    """Return how a trace of points is drawn, such as ``"lines+markers"``."""
    if trace.mode is not None:
        return trace.mode
    x, _ = scatter_values(trace)
    return "lines+markers" if x is not None and len(x) < 20 else "lines"


def scatter_reach(trace: go.Scatter, x: Axis, y: Axis) -> tuple[list[Reach], list[Reach]]:
    """Return what a trace of points must show on both axes."""
    across, down = (axis.numbers(values) for axis, values in zip((x, y), scatter_values(trace), strict=True))
    if len(across) == 0 or len(down) == 0:
        return [], []
    mode = mode_of(trace)
    pointed = "markers" in mode or "text" in mode
    room = 0.0
    if "markers" in mode:
        room = (
            max(
                (
                    float(size or 6)
                    for size in each(trace.marker.size, 1 if _is_one(trace.marker.size) else len(across))
                ),
                default=0.0,
            )
            / 2
        )
    fill = trace.fill or "none"
    reach_x = [Reach(across, room if pointed else 0.0, pointed, fill in ("tozerox", "tonextx"))]
    reach_y = [Reach(down, room, fill not in ("tozeroy", "tonexty"), fill == "tozeroy")]
    for bars, reach, axis, values in ((trace.error_x, reach_x, x, across), (trace.error_y, reach_y, y, down)):
        low, high = error_ends(bars, values, axis)
        reach += [Reach(low, 0.0, True), Reach(high, 0.0, True)]
    return reach_x, reach_y


def _is_one(value: Any) -> bool:
    return not isinstance(value, list | tuple | np.ndarray)


def scatter_marks(trace: go.Scatter, plot: Plot, before: np.ndarray | None) -> Iterator[Mark]:
    """Yield the marks of a trace of points; `before` are the points of the trace before it."""
    x, y = scatter_values(trace)
    if x is None or y is None:
        return
    across, down = plot.x.numbers(x), plot.y.numbers(y)
    n = min(len(across), len(down))
    across, down = across[:n], down[:n]
    points = plot.points(across, down)
    mode = mode_of(trace)
    if trace.fill not in (None, "none"):
        yield from _filled(trace, points, plot, before)
    if "lines" in mode:
        yield from _lines(trace, points, plot)
    yield from error_marks(trace, across, down, plot, _line_color(trace, plot))
    shown = plot.x.shows(across) & plot.y.shows(down)
    if "markers" in mode:
        yield from _markers(trace, points, shown, plot)
    if "text" in mode:
        yield from _texts(trace, points, shown, "markers" in mode)


def _line_color(trace: go.Scatter, plot: Plot) -> str:
    marker = trace.marker.color
    return trace.line.color or (marker if isinstance(marker, str) else None) or plot.color


def runs(points: np.ndarray, connect: bool = False) -> list[np.ndarray]:
    """Return the points between gaps."""
    finite = np.isfinite(points).all(axis=1)
    if connect:
        return [points[finite]] if finite.any() else []
    ends = np.flatnonzero(np.diff(np.r_[0, finite.astype(int), 0]))
    return [points[start:stop] for start, stop in ends.reshape(-1, 2)]


def stepped(points: np.ndarray, shape: str | None) -> np.ndarray:
    """Return the corners of a line through points that goes across and down in turn, or straight.

    Examples
    --------
    >>> stepped(np.array([[0, 0], [2, 4]]), "hv").tolist()
    [[0, 0], [2, 0], [2, 4]]
    """
    if shape not in ("hv", "vh", "hvh", "vhv") or len(points) < 2:
        return points
    corners = [points[0]]
    for a, b in pairwise(points):
        middle = (a + b) / 2
        corners += {
            "hv": [(b[0], a[1])],
            "vh": [(a[0], b[1])],
            "hvh": [(middle[0], a[1]), (middle[0], b[1])],
            "vhv": [(a[0], middle[1]), (b[0], middle[1])],
        }[shape]
        corners.append(b)
    return np.array(corners)


def _lines(trace: go.Scatter, points: np.ndarray, plot: Plot) -> Iterator[Mark]:
    width = 2.0 if trace.line.width is None else float(trace.line.width)
    color, dash = paint(_line_color(trace, plot), trace.opacity), dash_of(trace.line.dash, width)
    sizes = back = None
    if trace.marker.symbol == "arrow" and "markers" in mode_of(trace):
        sizes = numeric(each(trace.marker.size, len(points)))
        back = numeric(each(trace.marker.standoff, len(points)))
    start = 0
    finite = np.isfinite(points).all(axis=1)
    for run in runs(points, bool(trace.connectgaps)):
        path = stepped(run, trace.line.shape)
        if sizes is not None and back is not None and not trace.connectgaps:
            start = int(np.flatnonzero(finite[start:])[0]) + start
            last = start + len(run) - 1
            head = sizes[last] / 2 * ARROW_LENGTH * 0.9 if sizes[last] > 0 else 0.0
            path = _shortened(path, np.nan_to_num(back[last]) + head)
            start = last + 1
        yield from stroke(path, width, color, dash, plot.box)


def _shortened(path: np.ndarray, length: float) -> np.ndarray:
    """Return a path without its last `length` points of the drawing."""
    while length > 0 and len(path) > 1:
        last = float(np.hypot(*(path[-1] - path[-2])))
        if last > length:
            end = path[-1] + (path[-2] - path[-1]) * (length / last)
            return np.vstack([path[:-1], end])
        length -= last
        path = path[:-1]
    return path


def _filled(trace: go.Scatter, points: np.ndarray, plot: Plot, before: np.ndarray | None) -> Iterator[Mark]:
    found = runs(points, bool(trace.connectgaps))
    rings = [stepped(run, trace.line.shape) for run in found]
    fill = trace.fill
    if fill in ("tozeroy", "tozerox") or (fill == "tonexty" and before is None):
        axis = plot.x if fill == "tozerox" else plot.y
        base = float(axis.at(0.0)) if axis.kind != "log" else axis.start
        column = 0 if fill == "tozerox" else 1
        closed = []
        for ring in rings:
            ends = ring[[-1, 0]].copy()
            ends[:, column] = base
            closed.append(np.vstack([ring, ends]))
        rings = closed
    elif fill in ("tonexty", "tonextx") and before is not None:
        rings = [np.vstack([*rings, *[run[::-1] for run in runs(before, True)]])] if rings else []
    elif fill not in ("toself", "tonext"):
        raise ValueError(f"A still has no fill {fill!r}; use 'toself', 'tozeroy' or 'tonexty'.")
    inside = [
        tuple(ring) for ring in (clipped_ring(ring.tolist(), plot.box) for ring in rings if len(ring) > 2) if ring
    ]
    if not inside:
        return
    color = paint(trace.fillcolor or paint(_line_color(trace, plot)).color, trace.opacity)
    if trace.fillcolor is None:
        color = Paint(color.color, 0.5 * color.opacity)
    pattern = trace.fillpattern
    if pattern.shape:
        ink = paint(pattern.fgcolor or color.color, trace.opacity)
        color = paint(pattern.bgcolor or "transparent", trace.opacity)
    if color.opacity >= UNSEEN:
        yield Area(tuple(inside), color.color, color.opacity)
    if pattern.shape:
        size, solidity = float(pattern.size or 8), float(pattern.solidity or 0.3)
        for line in hatched(inside, size / math.sqrt(2)):
            yield from stroke(line, size * solidity / 2, ink, (), plot.box)


def _markers(trace: go.Scatter, points: np.ndarray, shown: np.ndarray, plot: Plot) -> Iterator[Mark]:
    marker, n = trace.marker, len(points)
    default = trace.line.color or plot.color
    paints = marker_paints(marker, n, default, trace.opacity)
    if len(set(paints)) == 1 and paints[0].opacity < UNSEEN and _is_one(marker.line.width):
        return
    sizes, symbols = each(marker.size, n), each(marker.symbol, n)
    widths, colors = each(marker.line.width, n), each(marker.line.color, n)
    angles, back = each(marker.angle, n), each(marker.standoff, n)
    for place in np.flatnonzero(shown & np.isfinite(points).all(axis=1)).tolist():
        size = 6.0 if sizes[place] is None else float(sizes[place])
        if marker.sizemode == "area" and size > 0:
            size = math.sqrt(size / float(marker.sizeref or 1))
        elif marker.sizeref:
            size /= float(marker.sizeref)
        angle = float(angles[place] or 0)
        if marker.angleref == "previous":
            if place == 0 or not np.isfinite(points[place - 1]).all() or (points[place] == points[place - 1]).all():
                continue
            ahead = points[place] - points[place - 1]
            angle += math.degrees(math.atan2(ahead[0], -ahead[1]))
        if size > 0:
            yield from marker_marks(
                str(symbols[place] or "circle"),
                points[place],
                size,
                paints[place],
                float(widths[place] or 0.0),
                colors[place],
                angle,
                float(back[place] or 0.0),
            )


def _texts(trace: go.Scatter, points: np.ndarray, shown: np.ndarray, marked: bool) -> Iterator[Mark]:
    n = len(points)
    if trace.texttemplate is not None:
        texts = [filled_template(template, trace, place) for place, template in enumerate(each(trace.texttemplate, n))]
    else:
        texts = each(trace.text, n)
    positions, sizes = each(trace.textposition, n), each(trace.textfont.size, n)
    colors, markers = each(trace.textfont.color, n), each(trace.marker.size, n)
    for place in np.flatnonzero(shown & np.isfinite(points).all(axis=1)).tolist():
        text = texts[place]
        if text is None or is_blank(text):
            continue
        size = float(sizes[place] or 12)
        vertical, horizontal = (positions[place] or "middle center").split()
        radius = (6.0 if markers[place] is None else float(markers[place])) / 2 / 0.8 + 1 if marked else 0.0
        x = points[place][0] + {"left": -radius, "right": radius}.get(horizontal, 0.0)
        height = size * (1 + 1.3 * str(text).count("<br>"))
        y = points[place][1] + {"top": -radius - height / 2 - size / 10, "bottom": radius + height / 2 - size / 10}.get(
            vertical, 0.0
        )
        anchor: Anchor = "end" if horizontal == "left" else "start" if horizontal == "right" else "middle"
        yield from block(text, float(x), float(y), size, anchor, colors[place])
