"""Edges between labels: colour and dash by sign, thickness by dependence, and a head at the child."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from math import gcd
from typing import Any

import numpy as np
import plotly.graph_objects as go
from numpy.typing import ArrayLike

from trellislib.dependence import PhiRows
from trellislib.figures.style import CO_OCCURRENCE, EXCLUSION, NEITHER

THICKNESS = (1.5, 2.25, 3.5, 5.0, 7.0)
SIGNS = {1: (CO_OCCURRENCE, "solid", "co-occur"), -1: (EXCLUSION, "6px,4px", "exclude"), 0: (NEITHER, "solid", "")}
PALE = 0.65  # opacity of edges that stand back
# Pixels of a row and of all columns of a lattice; the width is a guess at the page's, used to end arrows at the boxes.
ROW_HEIGHT, DRAWN_WIDTH = 84, 640

Point = tuple[float, float]
"""Row and column, or any other two coordinates, the vertical one first."""


@dataclass(frozen=True)
class Arrow:
    """An edge as it is drawn.

    Attributes
    ----------
    path : sequence of (float, float)
        Its points.
    sign : {-1, 0, 1}
        Exclusion, neither or co-occurrence.
    share : float
        Its dependence as a share of the strongest.
    standoff : float
        By how many pixels its head ends before the last point.
    headed : bool
        Whether it has a head.
    pale : bool
        Whether it stands back.
    """

    path: Sequence[Point]
    sign: int
    share: float
    standoff: float
    headed: bool = True
    pale: bool = False


def arrow_traces(arrows: Iterable[Arrow], pale: float = PALE, **more: Any) -> list[go.Scatter]:
    """Return one trace for each sign, thickness and paleness that occurs; an annotation per edge would be slow.

    Those that stand back have the opacity `pale`.
    """
    groups: dict[tuple[bool, int, int], list[Arrow]] = {}
    for arrow in arrows:
        thickness = min(int(arrow.share * len(THICKNESS)), len(THICKNESS) - 1)
        groups.setdefault((not arrow.pale, arrow.sign, thickness), []).append(arrow)
    traces = []
    for (strong, sign, thickness), of_group in sorted(groups.items(), key=lambda group: group[0]):
        x: list[float | None] = []
        y: list[float | None] = []
        heads: list[float] = []
        standoff: list[float] = []
        for arrow in of_group:
            x += [across for _, across in arrow.path] + [None]
            y += [down for down, _ in arrow.path] + [None]
            heads += [0] * (len(arrow.path) - 1) + [(8 + THICKNESS[thickness]) * arrow.headed, 0]
            standoff += [0] * (len(arrow.path) - 1) + [arrow.standoff, 0]
        color, dash, _ = SIGNS[sign]
        traces.append(
            go.Scatter(
                x=x,
                y=y,
                mode="lines+markers",
                line={"color": color, "width": THICKNESS[thickness], "dash": dash},
                marker={"symbol": "arrow", "angleref": "previous", "size": heads, "standoff": standoff},
                opacity=1.0 if strong else pale,
                hoverinfo="skip",
                **more,
            )
        )
    return traces


def edge_between(positions: np.ndarray, edge: tuple[int, int], **style: Any) -> Arrow:
    """Return a straight edge between labels at `positions`, of shape (n_labels, 2), horizontal first."""
    (x_start, y_start), (x_end, y_end) = positions[list(edge)].tolist()
    return Arrow(path=[(y_start, x_start), (y_end, x_end)], **style)


def pointed_at(points: ArrayLike, texts: Sequence[str], **more: Any) -> go.Scatter:
    """Return points that nobody sees, each with a text on hover; `points` has shape (n_points, 2), horizontal first."""
    places = np.asarray(points, dtype=float).reshape(-1, 2)
    unseen = {"mode": "markers", "marker": {"size": 14, "opacity": 0}}
    return go.Scatter(x=places[:, 0], y=places[:, 1], hovertext=texts, hoverinfo="text", **unseen | more)


def middles(positions: np.ndarray, edges: Sequence[tuple[int, int]]) -> list[np.ndarray]:
    """Return the middle of each edge."""
    return [positions[list(edge)].mean(axis=0) for edge in edges]


def sign_of(signs: np.ndarray | PhiRows | None, edge: tuple[int, int]) -> int:
    """Return the sign of an edge, 0 where signs are not known."""
    return 0 if signs is None else int(np.sign(signs[edge]))


def path_between(start: tuple[int, int], stop: tuple[int, int]) -> list[Point]:
    """Return the points of an edge: straight, or bent around the cells that lie between its ends."""
    a, b = np.array(start, dtype=float), np.array(stop, dtype=float)
    step = b - a
    if gcd(int(step[0]), int(step[1])) <= 1:
        return [(a[0], a[1]), (b[0], b[1])]
    bend = (a + b) / 2 + 0.7 * np.array([-step[1], step[0]]) / np.linalg.norm(step)
    t = np.linspace(0, 1, 9)[:, None]
    return [(row, column) for row, column in (1 - t) ** 2 * a + 2 * t * (1 - t) * bend + t**2 * b]


def middle_of(path: Sequence[Point]) -> tuple[float, float]:
    """Return the middle of the points of an edge, horizontal first."""
    down, across = np.mean(path, axis=0) if len(path) == 2 else path[len(path) // 2]
    return float(across), float(down)


def to_border(
    before: Point, end: Point, half_width: float, n_columns: int, half_height: float = 13.0, *, drawn: int = DRAWN_WIDTH
) -> float:
    """Return how many pixels an arrow that runs from `before` to `end` ends before the middle of a box."""
    right = abs(end[1] - before[1]) * drawn / n_columns
    down = abs(end[0] - before[0]) * ROW_HEIGHT
    share = min(half_width / right if right else np.inf, half_height / down if down else np.inf)
    return float(share * np.hypot(right, down))
