"""A trellis drawn as the lattice that it is: row by row, arrows to the children, thickness by dependence."""

from __future__ import annotations

from collections.abc import Sequence
from math import gcd

import numpy as np
import plotly.graph_objects as go

from trellislib.figures.style import (
    ACCENT,
    CO_OCCURRENCE,
    EXCLUSION,
    FAINT,
    NEITHER,
    finish,
    literal,
    shortened,
)
from trellislib.graphs import Trellis

NAMED_CELLS = 120  # above this, names do not fit and are left to the hover text
WEIGHED_EDGES = 60  # above this, numbers on the edges hide the picture
THICKNESS = (1.0, 2.0, 3.5, 5.0, 7.0)
_SIGNS = {1: (CO_OCCURRENCE, "solid", "co-occur"), -1: (EXCLUSION, "dash", "exclude"), 0: (NEITHER, "solid", "")}


def trellis_figure(
    placed: Trellis,
    names: Sequence[str],
    dependence: np.ndarray,
    *,
    signs: np.ndarray | None = None,
    selected: Sequence[int] = (),
) -> go.Figure:
    """Draw a trellis.

    Parameters
    ----------
    placed : Trellis
        The labels in their lattice.
    names : sequence of str
        Names of the labels.
    dependence : ndarray of shape (n_labels, n_labels)
        Mutual information in nats: the thickness of the edges.
    signs : ndarray of shape (n_labels, n_labels), optional
        Phi of each pair: above 0 is drawn as co-occurrence, below 0 as exclusion.
    selected : sequence of int
        Labels to mark.

    Returns
    -------
    plotly.graph_objects.Figure
    """
    strongest = max((dependence[edge] for edge in placed.edges), default=0.0)
    figure = go.Figure(_edge_traces(placed, dependence, signs, strongest))
    named = placed.n_labels <= NAMED_CELLS
    figure.add_trace(_edge_hover(placed, names, dependence, signs, shown=len(placed.edges) <= WEIGHED_EDGES))
    rows, columns = (np.array(axis) for axis in zip(*placed.positions, strict=True))
    place = np.argsort(placed.order)
    figure.add_trace(
        go.Scatter(
            x=columns,
            y=rows,
            mode="markers+text" if named else "markers",
            text=[literal(shortened(name, _name_length(placed.width))) for name in names],
            textposition="bottom center",
            textfont={"size": int(np.clip(110 / max(placed.width, 1) + 2, 9, 13))},
            marker={
                "size": int(np.clip(150 / max(placed.width, 1), 6, 18)),
                "color": [ACCENT if label in selected else "#5F6B7A" for label in range(placed.n_labels)],
                "line": {"color": FAINT, "width": 1},
            },
            hovertext=[
                f"{literal(name)}<br>placed {place[label] + 1} of {placed.n_labels}, "
                f"row {rows[label] + 1}, column {columns[label] + 1}<br>"
                + _parents_text(placed, label, names, dependence)
                for label, name in enumerate(names)
            ],
            hoverinfo="text",
            cliponaxis=False,
        )
    )
    n_rows = int(rows.max()) + 1
    return finish(
        figure,
        int(np.clip(105 * n_rows + 40, 260, 640)),
        xaxis={"visible": False, "range": [-0.6, max(placed.width - 1, columns.max()) + 0.6]},
        yaxis={"visible": False, "range": [n_rows - 0.3, -0.4]},
    )


def _edge_traces(
    placed: Trellis, dependence: np.ndarray, signs: np.ndarray | None, strongest: float
) -> list[go.Scatter]:
    """Return the arrows, one trace for each sign and thickness that occurs."""
    groups: dict[tuple[int, int], list[tuple[int, int]]] = {}
    for edge in placed.edges:
        share = dependence[edge] / strongest if strongest > 0 else 0.0
        thickness = min(int(share * len(THICKNESS)), len(THICKNESS) - 1)
        groups.setdefault((_sign(signs, edge), thickness), []).append(edge)
    traces = []
    positions = placed.positions
    for (sign, thickness), edges in sorted(groups.items()):
        x, y, arrows = [], [], []
        for parent, child in edges:
            path = _path(positions[parent], positions[child])
            x += [column for _, column in path] + [None]
            y += [row for row, _ in path] + [None]
            arrows += [0] * (len(path) - 1) + [7 + THICKNESS[thickness]] + [0]
        color, dash, _ = _SIGNS[sign]
        traces.append(
            go.Scatter(
                x=x,
                y=y,
                mode="lines+markers",
                line={"color": color, "width": THICKNESS[thickness], "dash": dash},
                marker={"symbol": "arrow", "angleref": "previous", "size": arrows, "standoff": 7, "opacity": 1},
                opacity=0.85,
                hoverinfo="skip",
            )
        )
    return traces


def _edge_hover(
    placed: Trellis, names: Sequence[str], dependence: np.ndarray, signs: np.ndarray | None, *, shown: bool
) -> go.Scatter:
    """Return invisible points at the middle of the edges that carry what each edge means, and its number."""
    middles, numbers, texts = [], [], []
    for parent, child in placed.edges:
        path = _path(placed.positions[parent], placed.positions[child])
        middles.append(np.mean(path, axis=0) if len(path) == 2 else np.array(path[len(path) // 2]))
        numbers.append(f"{dependence[parent, child]:.2f}")
        meaning = _SIGNS[_sign(signs, (parent, child))][2]
        texts.append(
            f"{literal(names[parent])} → {literal(names[child])}<br>{dependence[parent, child]:.3g} nats"
            + (f", they {meaning}" if meaning else "")
        )
    points = np.array(middles).reshape(-1, 2)
    return go.Scatter(
        x=points[:, 1],
        y=points[:, 0],
        mode="markers+text" if shown else "markers",
        text=numbers,
        textposition="middle right",
        textfont={"size": 11},
        marker={"size": 14, "opacity": 0},
        hovertext=texts,
        hoverinfo="text",
    )


def _path(start: tuple[int, int], stop: tuple[int, int]) -> list[tuple[float, float]]:
    """Return the points of an edge: straight, or bent around the cells that lie between its ends."""
    a, b = np.array(start, dtype=float), np.array(stop, dtype=float)
    step = b - a
    if gcd(int(step[0]), int(step[1])) <= 1:
        return [tuple(a), tuple(b)]
    bend = (a + b) / 2 + 0.35 * np.array([-step[1], step[0]]) / np.linalg.norm(step)
    t = np.linspace(0, 1, 9)[:, None]
    return [tuple(point) for point in (1 - t) ** 2 * a + 2 * t * (1 - t) * bend + t**2 * b]


def _parents_text(placed: Trellis, label: int, names: Sequence[str], dependence: np.ndarray) -> str:
    parents = placed.parents[label]
    if not parents:
        return "no parents"
    listed = ", ".join(f"{literal(names[parent])} ({dependence[parent, label]:.3g})" for parent in parents)
    return f"parents: {listed}"


def _sign(signs: np.ndarray | None, edge: tuple[int, int]) -> int:
    return 0 if signs is None else int(np.sign(signs[edge]))


def _name_length(width: int) -> int:
    """Return how many characters of a name fit a column of the lattice."""
    return int(np.clip(72 // max(width, 1), 5, 24))
