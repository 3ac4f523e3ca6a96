"""The legend of a figure."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import plotly.graph_objects as go

from trellislib.figures.drawing import Area, Box, Line, Mark, Rectangle
from trellislib.figures.stills.clip import hatched
from trellislib.figures.stills.colors import Paint, paint
from trellislib.figures.stills.markers import marker_marks, marker_paints
from trellislib.figures.stills.plots import UNSEEN, dash_of, each
from trellislib.figures.stills.scatter import mode_of
from trellislib.figures.stills.words import block, is_blank, size_of

ROW, SAMPLE, BETWEEN = 20.0, 40.0, 8.0  # height of an entry, room for its sample, and after its name


@dataclass(frozen=True)
class Entry:
    """An entry of a legend: a trace, the colour that it has if it names none, and its name."""

    trace: Any
    color: str
    name: str


def entries(figure: go.Figure, colors: Sequence[str]) -> list[Entry]:
    """Return what a figure's legend tells, in its order."""
    shown = figure.layout.showlegend
    if shown is False:
        return []
    found = [
        Entry(trace, color, trace.name)
        for trace, color in zip(figure.data, colors, strict=True)
        if trace.visible is not False
        and trace.name
        and not is_blank(trace.name)
        and (trace.showlegend is True or (trace.showlegend is None and trace.type not in ("heatmap",)))
    ]
    if shown is None and len(found) < 2 and not any(entry.trace.showlegend for entry in found):
        return []
    order = sorted(found, key=lambda entry: 1000 if entry.trace.legendrank is None else entry.trace.legendrank)
    return order[::-1] if "reversed" in (figure.layout.legend.traceorder or "") else order


def legend_marks(figure: go.Figure, of_legend: Sequence[Entry], plot: Box, width: float) -> list[Mark]:
    """Return the marks of a legend beside, above or below a plot, or over it, in a drawing of that width."""
    if not of_legend:
        return []
    legend = figure.layout.legend
    lying = legend.orientation == "h"
    size = float(legend.font.size or 12)
    widths = [SAMPLE + size_of(entry.name, size)[0] + BETWEEN for entry in of_legend]
    heights = [max(ROW, size_of(entry.name, size)[1] + 4) for entry in of_legend]
    rows = _rows(widths, width - 16.0) if lying else [[place] for place in range(len(widths))]
    title = legend.title.text
    title_height = size_of(title, size)[1] + 4 if title else 0.0
    row_widths = [sum(widths[place] for place in row) for row in rows]
    row_heights = [max(heights[place] for place in row) for row in rows]
    left, top, right, bottom = plot
    share_x = float(legend.x) if legend.x is not None else 0.0 if lying else 1.02
    share_y = float(legend.y) if legend.y is not None else -0.1 if lying else 1.0
    x, y = left + share_x * (right - left), bottom - share_y * (bottom - top)
    full_width, full_height = max(row_widths), sum(row_heights) + title_height
    x -= {"center": 0.5, "right": 1.0}.get(
        _anchor(legend.xanchor, share_x, ("left", "center", "right")), 0.0
    ) * full_width
    y -= {"middle": 0.5, "bottom": 1.0}.get(
        _anchor(legend.yanchor, share_y, ("bottom", "middle", "top")), 0.0
    ) * full_height
    if lying:
        x = max(min(x, width - 4.0 - full_width), 4.0)
    marks: list[Mark] = []
    if title:
        marks += block(title, x + 4, y + title_height / 2, size, "start", legend.font.color)
        y += title_height
    for row, row_height in zip(rows, row_heights, strict=True):
        at = x
        for place in row:
            entry = of_legend[place]
            marks += _sample(entry, at + SAMPLE / 2, y + row_height / 2)
            marks += block(entry.name, at + SAMPLE, y + row_height / 2, size, "start", legend.font.color)
            at += widths[place]
        y += row_height
    return marks


def _anchor(anchor: str | None, share: float, sides: tuple[str, str, str]) -> str:
    if anchor not in (None, "auto"):
        return str(anchor)
    return sides[0] if share <= 1 / 3 else sides[2] if share >= 2 / 3 else sides[1]


def _rows(widths: Sequence[float], room: float) -> list[list[int]]:
    """Return the places of entries, row by row, each as long as there is room."""
    rows: list[list[int]] = [[]]
    used = 0.0
    for place, width in enumerate(widths):
        if rows[-1] and used + width > room:
            rows.append([])
            used = 0.0
        rows[-1].append(place)
        used += width
    return rows


def _sample(entry: Entry, x: float, y: float) -> Iterator[Mark]:
    """Yield what stands before the name of a trace: its line, its fill or its marker."""
    trace = entry.trace
    if trace.type in ("bar", "histogram", "box"):
        fill = marker_paints(trace.marker, 1, entry.color, trace.opacity)[0]
        if trace.type == "box" and trace.marker.color is None:
            fill = paint(trace.line.color or entry.color, trace.opacity)
        yield Rectangle(x - 6, y - 6, 12, 12, fill.color, fill.opacity)
        return
    if trace.type not in ("scatter", "scattergl"):
        return
    color = paint(
        trace.line.color or (trace.marker.color if isinstance(trace.marker.color, str) else None) or entry.color
    )
    if trace.fill not in (None, "none"):
        fill = paint(trace.fillcolor, trace.opacity) if trace.fillcolor else Paint(color.color, 0.5)
        ring = ((x - 15, y - 6), (x + 15, y - 6), (x + 15, y + 6), (x - 15, y + 6))
        pattern = trace.fillpattern
        if pattern.shape:
            ink = paint(pattern.fgcolor or color.color)
            for a, b in hatched([ring], float(pattern.size or 8) / 2**0.5):
                yield Line(
                    (a, b), float(pattern.size or 8) * float(pattern.solidity or 0.3) / 2, ink.color, ink.opacity
                )
        elif fill.opacity >= UNSEEN:
            yield Area((ring,), fill.color, fill.opacity)
    width = 2.0 if trace.line.width is None else min(float(trace.line.width), 10.0)
    opacity = 1.0 if trace.opacity is None else float(trace.opacity)
    mode = mode_of(trace)
    if "lines" in mode and width > 0:
        dash = dash_of(trace.line.dash, width)
        yield Line(((x - 15, y), (x + 15, y)), width, color.color, color.opacity * opacity, dash)
    marker = trace.marker
    name = str(each(marker.symbol, 1)[0] or "circle")
    if "markers" in mode and name != "arrow":
        default = trace.line.color or entry.color
        fill = marker_paints(marker, 1, default, trace.opacity)[0]
        size = min(max(float(6 if each(marker.size, 1)[0] is None else each(marker.size, 1)[0]), 2.0), 16.0)
        line = each(marker.line.color, 1)[0]
        yield from marker_marks(name, (x, y), size, fill, min(float(each(marker.line.width, 1)[0] or 0), 5.0), line)
    if mode == "text":
        yield from block("Aa", x, y, 12.0, "middle", each(trace.textfont.color, 1)[0])
