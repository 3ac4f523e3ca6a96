"""A trellis drawn as the lattice that it is: row by row, arrows to the children, thickness by dependence."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from math import gcd
from typing import Any

import numpy as np
import plotly.graph_objects as go

from trellislib.figures.arrows import SIGNS, Arrow, Point, arrow_traces, sign_of
from trellislib.figures.style import FAINT, NEUTRAL, finish, literal, shortened
from trellislib.graphs import Trellis

NAMED_CELLS = 120  # above this, names do not fit and are left to the hover text
WEIGHED_EDGES = 60  # above this, numbers on the edges hide the picture
ROW_HEIGHT, DRAWN_WIDTH = 84, 640  # pixels; the width is a guess at the page's, used to end arrows at the boxes


def trellis_figure(
    placed: Trellis,
    names: Sequence[str],
    dependence: np.ndarray,
    *,
    signs: np.ndarray | None = None,
    unit: str = "nats",
) -> go.Figure:
    """Draw a trellis.

    Parameters
    ----------
    placed : Trellis
        The labels in their lattice.
    names : sequence of str
        Names of the labels.
    dependence : ndarray of shape (n_labels, n_labels)
        Mutual information, or what else the thickness of the edges is to say.
    signs : ndarray of shape (n_labels, n_labels), optional
        Phi of each pair: above 0 is drawn as co-occurrence, below 0 as exclusion.
    unit : str
        Unit of `dependence`.

    Returns
    -------
    plotly.graph_objects.Figure
    """
    n_rows = -(-placed.n_labels // placed.width)
    n_columns = min(placed.width, placed.n_labels)
    named = placed.n_labels <= NAMED_CELLS
    drawn = [shortened(name, int(np.clip(60 // n_columns, 4, 24))) for name in names]
    boxes = [5 + 3.1 * len(name) if named else 6 for name in drawn]
    figure = go.Figure(arrow_traces(_arrows(placed, dependence, signs, boxes)))
    figure.add_trace(_weights(placed, names, dependence, signs, unit))
    figure.add_trace(_nodes(placed, names, dependence, size=24 if named else 9))
    return finish(
        figure,
        int(np.clip(ROW_HEIGHT * n_rows, 180, 640)),
        annotations=_boxes(placed, drawn) if named else [],
        xaxis={"visible": False, "range": [-0.6, n_columns - 0.4]},
        yaxis={"visible": False, "range": [n_rows - 0.5, -0.5]},
    )


def _arrows(
    placed: Trellis, dependence: np.ndarray, signs: np.ndarray | None, boxes: Sequence[float]
) -> Iterator[Arrow]:
    """Yield the edges; `boxes` are half widths in pixels."""
    strongest = max((dependence[edge] for edge in placed.edges), default=0.0)
    for edge in placed.edges:
        path = _path(*(placed.positions[label] for label in edge))
        share = max(dependence[edge], 0.0) / strongest if strongest > 0 else 0.0
        yield Arrow(path, sign_of(signs, edge), share, _to_border(path[-2], path[-1], boxes[edge[1]], placed.width))


def _weights(
    placed: Trellis, names: Sequence[str], dependence: np.ndarray, signs: np.ndarray | None, unit: str
) -> go.Scatter:
    """Return points at the middle of the edges that carry their weight, and on hover what they mean."""
    middles, numbers, sides, texts = [], [], [], []
    for parent, child in placed.edges:
        path = _path(placed.positions[parent], placed.positions[child])
        middles.append(np.mean(path, axis=0) if len(path) == 2 else np.array(path[len(path) // 2]))
        sides.append("top center" if path[0][0] == path[-1][0] else "middle right")
        weight = dependence[parent, child]
        numbers.append(f"{weight:.2f}" if abs(weight) >= 0.01 or weight == 0 else "<0.01")
        meaning = SIGNS[sign_of(signs, (parent, child))][2]
        texts.append(
            f"{literal(names[parent])} → {literal(names[child])}<br>{dependence[parent, child]:.3g} {unit}"
            + (f", they {meaning}" if meaning else "")
        )
    points = np.array(middles).reshape(-1, 2)
    return go.Scatter(
        x=points[:, 1],
        y=points[:, 0],
        mode="markers+text" if len(placed.edges) <= WEIGHED_EDGES else "markers",
        text=numbers,
        textposition=sides,
        textfont={"size": 11},
        marker={"size": 14, "opacity": 0},
        hovertext=texts,
        hoverinfo="text",
    )


def _nodes(placed: Trellis, names: Sequence[str], dependence: np.ndarray, size: float) -> go.Scatter:
    """Return the labels as points that say, on hover, where they are and whose children."""
    rows, columns = zip(*placed.positions, strict=True)
    place = np.argsort(placed.order)
    texts = []
    for label, name in enumerate(names):
        parents = [f"{literal(names[parent])} ({dependence[parent, label]:.3g})" for parent in placed.parents[label]]
        texts.append(
            f"{literal(name)}<br>placed {place[label] + 1} of {placed.n_labels}, "
            f"row {rows[label] + 1}, column {columns[label] + 1}<br>"
            + (f"parents: {', '.join(parents)}" if parents else "no parents")
        )
    return go.Scatter(
        x=columns,
        y=rows,
        mode="markers",
        marker={
            "size": size,
            "symbol": "square",
            "color": NEUTRAL,
            "line": {"color": FAINT, "width": 1},
        },
        hovertext=texts,
        hoverinfo="text",
    )


def _boxes(placed: Trellis, drawn: Sequence[str]) -> list[dict[str, Any]]:
    """Return the names of the labels, each in a box that covers the ends of its edges."""
    return [
        {
            "x": column,
            "y": row,
            "text": literal(name),
            "showarrow": False,
            "font": {"color": "#FFFFFF", "size": 12},
            "bgcolor": NEUTRAL,
            "borderpad": 4,
        }
        for name, (row, column) in zip(drawn, placed.positions, strict=True)
    ]


def _path(start: tuple[int, int], stop: tuple[int, int]) -> list[Point]:
    """Return the points of an edge: straight, or bent around the cells that lie between its ends."""
    a, b = np.array(start, dtype=float), np.array(stop, dtype=float)
    step = b - a
    if gcd(int(step[0]), int(step[1])) <= 1:
        return [(a[0], a[1]), (b[0], b[1])]
    bend = (a + b) / 2 + 0.7 * np.array([-step[1], step[0]]) / np.linalg.norm(step)
    t = np.linspace(0, 1, 9)[:, None]
    return [(row, column) for row, column in (1 - t) ** 2 * a + 2 * t * (1 - t) * bend + t**2 * b]


def _to_border(before: Point, end: Point, half_width: float, width: int, half_height: float = 13.0) -> float:
    """Return how many pixels an arrow that runs from `before` to `end` ends before the middle of a box."""
    right = abs(end[1] - before[1]) * DRAWN_WIDTH / width
    down = abs(end[0] - before[0]) * ROW_HEIGHT
    share = min(half_width / right if right else np.inf, half_height / down if down else np.inf)
    return float(share * np.hypot(right, down))
