"""The shapes of `trellislib.data.simulate_shapes` in the plane: a symbol for each label set."""

from __future__ import annotations

import numpy as np
import plotly.graph_objects as go

from trellislib.data.dataset import Dataset
from trellislib.data.shapes import SHAPES
from trellislib.figures.style import LEGEND_ABOVE, NEUTRAL, finish

SYMBOLS = {
    "circle": ("circle", "#0072B2"),
    "square": ("square", "#009E73"),
    "triangle": ("triangle-up", "#CC79A7"),
    "hexagon": ("hexagon", "#E69F00"),
}
SIZE, LARGER = 8, 3  # of a label's value 1, and for each value more


def shapes_figure(dataset: Dataset, codes: np.ndarray | None = None) -> go.Figure:
    """Draw shapes where they lie, each label set with its own symbol, larger for higher values.

    Parameters
    ----------
    dataset : Dataset
        As by `trellislib.data.simulate_shapes`.
    codes : ndarray of int of shape (n_instances, 3), optional
        Labels to draw in place of the true ones, as predicted; sets that no shape has are crosses.

    Returns
    -------
    plotly.graph_objects.Figure
    """
    labels = np.asarray(dataset.Y if codes is None else codes)
    sets = (labels > 0).astype(int)
    figure = go.Figure()
    is_shape = np.zeros(len(labels), dtype=bool)
    for label_set, kind in SHAPES.items():
        rows = (sets == label_set).all(axis=1)
        is_shape |= rows
        symbol, color = SYMBOLS[kind]
        figure.add_trace(_points(dataset, labels, rows, f"{kind}: {_members(label_set)}", symbol, color))
    if not is_shape.all():
        figure.add_trace(_points(dataset, labels, ~is_shape, "no shape", "x", NEUTRAL))
    return finish(
        figure,
        420,
        legend=LEGEND_ABOVE,
        xaxis={"title": {"text": "feature x1"}, "zeroline": False},
        yaxis={"title": {"text": "feature x2"}, "zeroline": False},
    )


def _points(dataset: Dataset, labels: np.ndarray, rows: np.ndarray, name: str, symbol: str, color: str) -> go.Scatter:
    values = labels[rows]
    return go.Scatter(
        x=dataset.X[rows, 0],
        y=dataset.X[rows, 1],
        mode="markers",
        name=f"{name} ({int(rows.sum())})",
        marker={
            "symbol": symbol,
            "color": color,
            "size": SIZE + LARGER * np.maximum(values.max(axis=1, initial=1) - 1, 0),
            "opacity": 0.8,
            "line": {"width": 0.5, "color": "white"},
        },
        customdata=values,
        hovertemplate="y1 = %{customdata[0]}, y2 = %{customdata[1]}, y3 = %{customdata[2]}<extra></extra>",
    )


def _members(label_set: tuple[int, ...]) -> str:
    """Return the names of the labels of a set."""
    return " and ".join(f"y{label + 1}" for label, is_there in enumerate(label_set) if is_there)
