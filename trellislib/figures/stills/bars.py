"""Bars beside, above and over each other, and histograms as bars."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import plotly.graph_objects as go

from trellislib.figures.drawing import Mark, text_width
from trellislib.figures.stills.axes import Axis, Reach, numeric
from trellislib.figures.stills.colors import Paint
from trellislib.figures.stills.errors import error_marks
from trellislib.figures.stills.markers import marker_paints
from trellislib.figures.stills.plots import Plot, contrasting, each, filled_template, rectangle
from trellislib.figures.stills.scatter import scatter_values
from trellislib.figures.stills.words import block, is_blank


@dataclass(frozen=True)
class Bars:
    """Where the bars of a trace are: their middles and widths along one axis, their bases and ends along the other."""

    trace: go.Bar
    middles: np.ndarray
    widths: np.ndarray
    bases: np.ndarray
    ends: np.ndarray
    lying: bool

    def reach(self) -> tuple[list[Reach], list[Reach]]:
        """Return what they must show on both axes."""
        edges = np.concatenate([self.middles - self.widths / 2, self.middles + self.widths / 2])
        along = [Reach(edges)]
        values = [Reach(np.concatenate([self.bases, self.ends]), 0.0, True, True)]
        return (values, along) if self.lying else (along, values)


def arranged(traces: Sequence[go.Bar], layout: Any, x: Axis, y: Axis) -> list[Bars]:
    """Return where the bars of traces on the same axes are: beside, above or over each other."""
    if not traces:
        return []
    lying = [trace.orientation == "h" for trace in traces]
    mode = layout.barmode or "group"
    gap = 0.2 if layout.bargap is None else float(layout.bargap)
    group_gap = float(layout.bargroupgap or 0.0)
    places, values = [], []
    for trace, flat in zip(traces, lying, strict=True):
        across, along = scatter_values(trace)
        places.append((y if flat else x).numbers(along if flat else across))
        values.append((x if flat else y).numbers(across if flat else along))
    distinct = np.unique(np.concatenate(places)) if places else np.empty(0)
    distinct = distinct[np.isfinite(distinct)]
    apart = float(np.diff(distinct).min()) if len(distinct) > 1 else 1.0
    beside = len(traces) if mode == "group" else 1
    slot = apart * (1 - gap) / beside
    heights: dict[tuple[float, bool], float] = {}
    bars = []
    for number, (trace, place, value, flat) in enumerate(zip(traces, places, values, lying, strict=True)):
        n = len(place)
        widths = np.full(n, slot * (1 - group_gap))
        middles = place + (slot * (number - (beside - 1) / 2) if mode == "group" else 0.0)
        if trace.width is not None:
            widths = numeric(each(trace.width, n))
        if trace.offset is not None:
            middles = place + numeric(each(trace.offset, n)) + widths / 2
        bases = numeric(each(trace.base if trace.base is not None else 0.0, n))
        axis = x if flat else y
        if axis.kind == "log":
            bases = np.full(n, min(axis.low, axis.high))
        if mode in ("stack", "relative") and trace.base is None:
            for bar in range(n):
                key = (float(place[bar]), bool(value[bar] < 0))
                bases[bar] = heights.get(key, 0.0)
                heights[key] = bases[bar] + np.nan_to_num(value[bar])
        ends = value if axis.kind == "log" else bases + value
        bars.append(Bars(trace, middles, widths, bases, ends, flat))
    return bars


def bar_marks(bars: Bars, plot: Plot) -> Iterator[Mark]:
    """Yield the bars of a trace, their error bars and their texts."""
    trace, n = bars.trace, len(bars.middles)
    along, across = (plot.y, plot.x) if bars.lying else (plot.x, plot.y)
    paints = marker_paints(trace.marker, n, plot.color, trace.opacity)
    widths, colors = each(trace.marker.line.width, n), each(trace.marker.line.color, n)
    sides = along.at(bars.middles - bars.widths / 2), along.at(bars.middles + bars.widths / 2)
    ends = across.at(bars.bases), across.at(bars.ends)
    for place in range(n):
        one, other = ([float(of[place]) for of in pair] for pair in (sides, ends))
        if not np.isfinite([*one, *other]).all():
            continue
        a, b = (other, one) if bars.lying else (one, other)
        yield from rectangle(a, b, plot.box, paints[place], float(widths[place] or 0), colors[place])
    x, y = (bars.ends, bars.middles) if bars.lying else (bars.middles, bars.ends)
    yield from error_marks(trace, x, y, plot, "#444444")
    yield from _bar_texts(bars, plot, paints)


def _bar_texts(bars: Bars, plot: Plot, paints: Sequence[Paint]) -> Iterator[Mark]:
    trace, n = bars.trace, len(bars.middles)
    if trace.texttemplate is not None:
        texts = [filled_template(template, trace, place) for place, template in enumerate(each(trace.texttemplate, n))]
    else:
        texts = each(trace.text, n)
    positions = each(trace.textposition, n)
    size = float(trace.textfont.size or 12)
    along, across = (plot.y, plot.x) if bars.lying else (plot.x, plot.y)
    for place, text in enumerate(texts):
        if text is None or is_blank(text) or positions[place] == "none":
            continue
        end, base = float(across.at(bars.ends[place])), float(across.at(bars.bases[place]))
        middle = float(along.at(bars.middles[place]))
        if not np.isfinite([end, base, middle]).all():
            continue
        out = 1.0 if end >= base else -1.0
        if not bars.lying and end == base:
            out = -1.0
        room = text_width(str(text), size) if bars.lying else size
        inside = positions[place] == "inside" or (positions[place] in (None, "auto") and abs(end - base) > room + 6)
        color = trace.textfont.color
        if inside:
            color = trace.insidetextfont.color or color or contrasting(paints[place])
        sign = -out if inside else out
        if bars.lying:
            yield from block(text, end + 4 * sign, middle, size, "start" if sign > 0 else "end", color)
        else:
            yield from block(text, middle, end + sign * (0.7 * size + 2), size, "middle", color)


def histogram_bars(trace: go.Histogram) -> go.Bar:
    """Return a histogram as bars, with bins as wide as plotly makes them: 1, 2 or 5 times a power of ten.

    At most as many as ``nbinsx``, or where that is not set about as many as the square root of the number of values.
    """
    lying = trace.x is None
    values = numeric(trace.y if lying else trace.x)
    values = values[np.isfinite(values)]
    given, most = (trace.ybins, trace.nbinsy) if lying else (trace.xbins, trace.nbinsx)
    shared = {
        "marker": trace.marker.to_plotly_json(),
        "opacity": trace.opacity,
        "name": trace.name,
        "showlegend": trace.showlegend,
    }
    if len(values) == 0:
        return go.Bar(x=[], y=[], **shared)
    low, high = float(values.min()), float(values.max())
    if given.size:
        size, start = float(given.size), float(given.start if given.start is not None else low)
    else:
        size = _bin_size(low, high, float(most or max(2, round(math.sqrt(len(values))))))
        start = size * math.floor(low / size + 1e-9)
        if (values == np.round(values)).all() and size == 1:
            start -= 0.5
    n_bins = max(1, math.floor((high - start) / size + 1e-9) + 1)
    counts = np.bincount(((values - start) / size + 1e-9).astype(int), minlength=n_bins).astype(float)
    if trace.histnorm in ("percent", "probability"):
        counts *= (100.0 if trace.histnorm == "percent" else 1.0) / len(values)
    elif trace.histnorm:
        raise ValueError(f"A still has no histnorm {trace.histnorm!r}; use 'probability' or 'percent'.")
    middles = start + size * (np.arange(n_bins) + 0.5)
    if lying:
        return go.Bar(x=counts, y=middles, orientation="h", **shared)
    return go.Bar(x=middles, y=counts, **shared)


def _bin_size(low: float, high: float, most: float) -> float:
    if high <= low:
        return 1.0
    rough = (high - low) / most
    power = 10.0 ** math.floor(math.log10(rough))
    return power * next(step for step in (1, 2, 5, 10) if step * power >= rough * (1 - 1e-9))
