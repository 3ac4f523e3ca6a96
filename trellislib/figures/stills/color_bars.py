"""Colour bars: what the colours of heat maps and of markers mean."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np
import plotly.graph_objects as go

from trellislib.figures.drawing import Box, Mark, Rectangle
from trellislib.figures.stills import ticks
from trellislib.figures.stills.axes import numeric
from trellislib.figures.stills.colors import painted, scaled
from trellislib.figures.stills.heat import heat_scale
from trellislib.figures.stills.markers import color_scale
from trellislib.figures.stills.words import block, is_blank, size_of

STRIPES = 64
_OVERLAP = 0.5  # points by which a stripe reaches below the next, so that no light shows between them
_BEFORE_LABEL = 4.0

Scale = tuple[Sequence[Sequence[Any]], float, float, bool]


def color_bars(figure: go.Figure, plot: Box) -> list[Mark]:
    """Return the colour bars of heat maps and of coloured markers, around a plot."""
    marks: list[Mark] = []
    for trace in figure.data:
        if trace.visible is False:
            continue
        if trace.type == "heatmap" and trace.showscale is not False:
            marks += _bar(trace.colorbar, heat_scale(trace), plot)
        elif trace.type in ("scatter", "scattergl", "bar") and trace.marker.showscale:
            marks += _bar(trace.marker.colorbar, color_scale(trace.marker, numeric(trace.marker.color)), plot)
    return marks


def _bar(bar: Any, scale: Scale, plot: Box) -> Iterator[Mark]:
    return _lying(bar, scale, plot) if bar.orientation == "h" else _standing(bar, scale, plot)


def _or(value: Any, default: float) -> float:
    return default if value is None else float(value)


def _standing(bar: Any, scale: Scale, plot: Box) -> Iterator[Mark]:
    """Yield a bar beside the plot: its title, its colours from the highest to the lowest, and its ticks."""
    left, top, right, bottom = plot
    thickness = _or(bar.thickness, 30.0)
    length = _or(bar.len, 1.0) * (1.0 if bar.lenmode == "pixels" else bottom - top)
    x = left + _or(bar.x, 1.02) * (right - left) + _or(bar.xpad, 10.0)
    middle = bottom - _or(bar.y, 0.5) * (bottom - top)
    pad = _or(bar.ypad, 10.0)
    head, foot = middle - length / 2 + pad, middle + length / 2 - pad
    title = bar.title.text
    if title and not is_blank(title):
        size = _or(bar.title.font.size, 12.0)
        height = size_of(title, size)[1]
        yield from block(title, x, head + height / 2 - 2, size, "start", bar.title.font.color)
        head += height + 3
    step = (foot - head) / STRIPES
    for place, fill in enumerate(_stripes(scale)[::-1]):
        y = head + place * step
        reach = min(step + _OVERLAP, foot - y) if fill.opacity == 1 else step
        yield Rectangle(x, y, thickness, reach, fill.color, fill.opacity)
    for share, text in _ticks(bar, scale, foot - head, 40.0):
        y = foot - share * (foot - head)
        size = _or(bar.tickfont.size, 12.0)
        yield from block(text, x + thickness + _BEFORE_LABEL, y, size, "start", bar.tickfont.color)


def _lying(bar: Any, scale: Scale, plot: Box) -> Iterator[Mark]:
    """Yield a bar above or below the plot: its title, its colours from the lowest to the highest, and its ticks."""
    left, top, right, bottom = plot
    thickness = _or(bar.thickness, 30.0)
    length = _or(bar.len, 1.0) * (1.0 if bar.lenmode == "pixels" else right - left)
    middle = left + _or(bar.x, 0.5) * (right - left)
    pad = _or(bar.xpad, 10.0)
    start, end = middle - length / 2 + pad, middle + length / 2 - pad
    title, size, label = bar.title.text, _or(bar.title.font.size, 12.0), _or(bar.tickfont.size, 12.0)
    heading = size_of(title, size)[1] if title and not is_blank(title) else 0.0
    full = heading + thickness + _BEFORE_LABEL + 1.3 * label + 2 * _or(bar.ypad, 10.0)
    y = bottom - _or(bar.y, 1.02) * (bottom - top)
    y -= {"middle": 0.5, "top": 0.0}.get(bar.yanchor, 1.0) * full
    y += _or(bar.ypad, 10.0)
    if heading:
        yield from block(title, start, y + heading / 2, size, "start", bar.title.font.color)
    y += heading
    step = (end - start) / STRIPES
    for place, fill in enumerate(_stripes(scale)):
        x = start + place * step
        reach = min(step + _OVERLAP, end - x) if fill.opacity == 1 else step
        yield Rectangle(x, y, reach, thickness, fill.color, fill.opacity)
    y += thickness + _BEFORE_LABEL + 0.65 * label
    for share, text in _ticks(bar, scale, end - start, 80.0):
        yield from block(text, start + share * (end - start), y, label, "middle", bar.tickfont.color)


def _stripes(scale: Scale) -> list[Any]:
    """Return the colours from the lowest value to the highest."""
    _, low, high, _ = scale
    return [painted(pixel) for pixel in scaled((np.arange(STRIPES) + 0.5) / STRIPES * (high - low) + low, *scale)]


def _ticks(bar: Any, scale: Scale, length: float, least: float) -> list[tuple[float, str]]:
    """Return the ticks of a bar as shares of its length, and what they say."""
    _, low, high, _ = scale
    if high <= low:
        return []
    if bar.tickvals is not None:
        at, step = numeric(bar.tickvals), None
    else:
        step = float(bar.dtick) if bar.dtick else ticks.step_for(high - low, length, least)
        at = ticks.multiples(low, high, step)
    if bar.tickvals is not None and bar.ticktext is not None:
        told = [str(text) for text in bar.ticktext]
    elif bar.tickformat:
        told = [ticks.formatted(value, bar.tickformat) for value in at.tolist()]
    else:
        told = ticks.plain(at, step)
    shares = ((at - low) / (high - low)).tolist()
    return [(share, text) for share, text in zip(shares, told, strict=False) if -1e-9 <= share <= 1 + 1e-9]
