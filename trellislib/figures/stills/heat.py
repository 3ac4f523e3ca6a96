"""Heat maps, as rectangles or as one image."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np
import plotly.graph_objects as go

from trellislib.figures.drawing import Box, Image, Mark, Text
from trellislib.figures.stills.axes import Axis, Reach, numeric
from trellislib.figures.stills.colors import painted, scaled
from trellislib.figures.stills.markers import cividis
from trellislib.figures.stills.plots import UNSEEN, Plot, contrasting, rectangle
from trellislib.figures.stills.ticks import formatted
from trellislib.figures.stills.words import block

MANY_CELLS = 2500  # above this, a heat map is an image


def heat_edges(values: Any, n: int, axis: Axis) -> np.ndarray:
    """Return the edges of `n` cells along an axis, from their middles or edges."""
    places = np.arange(n, dtype=float) if values is None else axis.numbers(values)
    if len(places) == n + 1:
        return places
    if n == 1:
        return np.array([places[0] - 0.5, places[0] + 0.5])
    middles = (places[1:] + places[:-1]) / 2
    return np.concatenate([[2 * places[0] - middles[0]], middles, [2 * places[-1] - middles[-1]]])


def heat_values(trace: go.Heatmap) -> np.ndarray:
    """Return the values of a heat map, row by row; NaN for none."""
    z = trace.z
    if isinstance(z, np.ndarray) and z.dtype.kind in "fiub":
        return z.astype(float)
    return np.array([numeric(row) for row in z], dtype=float).reshape(len(z), -1)


def heat_reach(trace: go.Heatmap, x: Axis, y: Axis) -> tuple[list[Reach], list[Reach]]:
    """Return what a heat map must show on both axes."""
    n_rows, n_columns = heat_values(trace).shape
    return [Reach(heat_edges(trace.x, n_columns, x))], [Reach(heat_edges(trace.y, n_rows, y))]


def heat_scale(trace: go.Heatmap) -> tuple[Sequence[Sequence[Any]], float, float, bool]:
    """Return the colour scale of a heat map, and the values at its ends."""
    values = heat_values(trace)
    finite = values[np.isfinite(values)]
    low = float(trace.zmin) if trace.zmin is not None else float(finite.min()) if finite.size else 0.0
    high = float(trace.zmax) if trace.zmax is not None else float(finite.max()) if finite.size else 1.0
    if trace.zmid is not None and trace.zmin is None and trace.zmax is None:
        reach = max(high - trace.zmid, trace.zmid - low)
        low, high = trace.zmid - reach, trace.zmid + reach
    return trace.colorscale or cividis(), low, high, bool(trace.reversescale)


def heat_marks(trace: go.Heatmap, plot: Plot) -> Iterator[Mark]:
    """Yield the cells of a heat map that are within the ranges of its axes, each a rectangle or all as an image."""
    values = heat_values(trace)
    n_rows, n_columns = values.shape
    if values.size == 0:
        return
    pixels = scaled(values, *heat_scale(trace))
    if trace.opacity is not None:
        pixels[..., 3] = np.rint(pixels[..., 3] * float(trace.opacity))
    x, y = plot.x.at(heat_edges(trace.x, n_columns, plot.x)), plot.y.at(heat_edges(trace.y, n_rows, plot.y))
    if x[0] > x[-1]:
        x, pixels = x[::-1], pixels[:, ::-1]
    if y[0] > y[-1]:
        y, pixels = y[::-1], pixels[::-1]
    left, top, right, bottom = plot.box
    columns = np.flatnonzero((x[1:] > left + 1e-6) & (x[:-1] < right - 1e-6))
    rows = np.flatnonzero((y[1:] > top + 1e-6) & (y[:-1] < bottom - 1e-6))
    if not (columns.size and rows.size):
        return
    x, y = x[columns[0] : columns[-1] + 2], y[rows[0] : rows[-1] + 2]
    pixels = pixels[rows[0] : rows[-1] + 1, columns[0] : columns[-1] + 1]
    if pixels.shape[0] * pixels.shape[1] > MANY_CELLS:
        yield _image(x, y, pixels, plot.box)
    else:
        yield from _cells(x, y, pixels, plot.box, float(trace.xgap or 0), float(trace.ygap or 0))
    if trace.texttemplate is not None:
        yield from _cell_texts(trace, plot)


def _image(x: np.ndarray, y: np.ndarray, pixels: np.ndarray, box: Box) -> Image:
    """Return cells as an image; of cells that lie partly outside only the middle decides."""
    inner = [
        np.flatnonzero((edges[1:] + edges[:-1] > 2 * low) & (edges[1:] + edges[:-1] < 2 * high))
        for edges, low, high in ((x, box[0], box[2]), (y, box[1], box[3]))
    ]
    (left, right), (top, bottom) = ((cells[0], cells[-1] + 1) for cells in inner)
    return Image(
        float(max(x[left], box[0])),
        float(max(y[top], box[1])),
        float(min(x[right], box[2]) - max(x[left], box[0])),
        float(min(y[bottom], box[3]) - max(y[top], box[1])),
        np.ascontiguousarray(pixels[top:bottom, left:right]),
    )


def _cells(x: np.ndarray, y: np.ndarray, pixels: np.ndarray, box: Box, xgap: float, ygap: float) -> Iterator[Mark]:
    """Yield cells as rectangles, which reach a little below the next ones so that no light shows between them."""
    seen = pixels[..., 3] / 255 >= UNSEEN
    solid = pixels[..., 3] == 255
    n_rows, n_columns = seen.shape
    for row in range(n_rows):
        for column in np.flatnonzero(seen[row]).tolist():
            covered = solid[row, column]
            right = 0.4 if not xgap and covered and column + 1 < n_columns and solid[row, column + 1] else -xgap / 2
            below = 0.4 if not ygap and covered and row + 1 < n_rows and solid[row + 1, column] else -ygap / 2
            across = (float(x[column]) + xgap / 2, float(x[column + 1]) + right)
            down = (float(y[row]) + ygap / 2, float(y[row + 1]) + below)
            yield from rectangle(across, down, box, painted(pixels[row, column]))


def _cell_texts(trace: go.Heatmap, plot: Plot) -> Iterator[Text]:
    values = heat_values(trace)
    pixels = scaled(values, *heat_scale(trace))
    x, y = (
        (edges[1:] + edges[:-1]) / 2
        for edges in (
            plot.x.at(heat_edges(trace.x, values.shape[1], plot.x)),
            plot.y.at(heat_edges(trace.y, values.shape[0], plot.y)),
        )
    )
    size = float(trace.textfont.size or 12)
    for row, column in np.argwhere(np.isfinite(values)).tolist():

        def value(match: re.Match[str], row: int = row, column: int = column) -> str:
            name, _, form = match.group(1).partition(":")
            found = values[row, column] if name == "z" else trace.text[row][column]
            return formatted(float(found), form) if form else str(found)

        text = re.sub(r"%\{([^}]*)\}", value, trace.texttemplate)
        color = trace.textfont.color or contrasting(painted(pixels[row, column]))
        yield from block(text, float(x[column]), float(y[row]), size, "middle", color)
