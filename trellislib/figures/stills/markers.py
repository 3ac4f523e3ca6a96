"""Markers in their places, and the colours of markers and bars."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np
import plotly.graph_objects as go

from trellislib.figures.drawing import Area, Dot, Line, Mark
from trellislib.figures.stills.axes import numeric
from trellislib.figures.stills.colors import Paint, paint, painted, scaled
from trellislib.figures.stills.plots import UNSEEN, each
from trellislib.figures.stills.symbols import symbol


def marker_paints(marker: Any, n: int, default: str, opacity: float | None) -> list[Paint]:
    """Return the colour of each marker or bar."""
    colors = marker.color
    fading = each(marker.opacity, n)
    faded = [_product(opacity, fade) for fade in fading]
    if colors is not None and not isinstance(colors, str) and not any(isinstance(color, str) for color in colors):
        numbers = numeric(colors)
        scale, low, high, reverse = color_scale(marker, numbers)
        pixels = scaled(numbers, scale, low, high, reverse)
        return [painted(pixel, fade) for pixel, fade in zip(pixels, faded, strict=False)]
    return [paint(color or default, fade) for color, fade in zip(each(colors, n), faded, strict=True)]


def _product(one: float | None, other: float | None) -> float:
    return (1.0 if one is None else float(one)) * (1.0 if other is None else float(other))


def color_scale(marker: Any, numbers: np.ndarray) -> tuple[Sequence[Sequence[Any]], float, float, bool]:
    """Return the colour scale of markers, and the values at its ends."""
    finite = numbers[np.isfinite(numbers)]
    low = float(marker.cmin) if marker.cmin is not None else float(finite.min()) if finite.size else 0.0
    high = float(marker.cmax) if marker.cmax is not None else float(finite.max()) if finite.size else 1.0
    return marker.colorscale or cividis(), low, high, bool(marker.reversescale)


def cividis() -> Sequence[Sequence[Any]]:
    """Return the scale of colours of what names none."""
    return go.Heatmap(colorscale="Cividis").colorscale


def marker_marks(
    name: str,
    at: Sequence[float] | np.ndarray,
    size: float,
    fill: Paint,
    width: float = 0.0,
    line: str | None = None,
    angle: float = 0.0,
    back: float = 0.0,
) -> Iterator[Mark]:
    """Yield the marks of one marker, turned clockwise by `angle` degrees and set `back` from its place."""
    shape, radius = symbol(name), size / 2
    edge = fill if not shape.filled else paint(line, fill.opacity) if line else Paint("#808080", fill.opacity)
    width = width if shape.filled else max(width, 1.0)
    x, y = float(at[0]), float(at[1])
    if name.split("-")[0] == "circle" and shape.filled:
        yield Dot(x, y, radius, fill.color, "", fill.opacity)
    turn = math.radians(angle)
    rotation = np.array([[math.cos(turn), math.sin(turn)], [-math.sin(turn), math.cos(turn)]])
    outline = None
    if shape.outline is not None:
        moved = radius * shape.outline + [0, back]
        outline = [(a, b) for a, b in (moved @ rotation + [x, y]).tolist()]
        if shape.filled and name.split("-")[0] != "circle" and fill.opacity >= UNSEEN:
            yield Area((tuple(outline),), fill.color, fill.opacity)
        if width > 0 and edge.opacity >= UNSEEN:
            yield Line((*outline, outline[0]), width, edge.color, edge.opacity)
    across = Paint("#FFFFFF", fill.opacity) if shape.filled and width == 0 else edge
    for strokes in shape.strokes:
        ends = (radius * strokes + [0, back]) @ rotation + [x, y]
        yield Line(tuple((a, b) for a, b in ends.tolist()), max(width, 1.0), across.color, across.opacity)
    if shape.dotted:
        yield Dot(x, y, max(0.5, radius / 4), edge.color, "", edge.opacity)
