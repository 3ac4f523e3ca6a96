"""Markers: the outlines of plotly's symbols around (0, 0), for a radius of 1; y runs down."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np


def _regular(corners: int, turned: float = 0.0, inner: float = 0.0, radius: float = 1.0) -> np.ndarray:
    """Return a regular polygon, the first corner at the top; a star where `inner` is a radius."""
    n = corners * (2 if inner else 1)
    angles = np.radians(turned) + 2 * np.pi * np.arange(n) / n
    radii = np.where(np.arange(n) % 2, inner, radius) if inner else np.full(n, radius)
    return np.column_stack([radii * np.sin(angles), -radii * np.cos(angles)])


_SQUARE = np.array([(-1, -1), (1, -1), (1, 1), (-1, 1)], dtype=float)
_DIAMOND = 1.3 * np.array([(0, -1), (1, 0), (0, 1), (-1, 0)], dtype=float)
_CROSS = 0.4 * np.array(
    [(1, -3), (1, -1), (3, -1), (3, 1), (1, 1), (1, 3), (-1, 3), (-1, 1), (-3, 1), (-3, -1), (-1, -1), (-1, -3)],
    dtype=float,
)
_TURN = np.array([[1, 1], [-1, 1]]) / np.sqrt(2)
_X = _CROSS @ _TURN / 1.02
_TRIANGLE = np.array([(-2 / np.sqrt(3), 0.5), (2 / np.sqrt(3), 0.5), (0, -1)])
_ROUND = _regular(40)
_BEND = np.linspace(-1, 1, 8) * np.arcsin(0.7 / np.sqrt(2))  # of arcs of radius 2 between corners at 1.4
_ARC = np.array([0.7 + np.sqrt(1.51), -0.7 - np.sqrt(1.51)]) - 2 * np.column_stack(
    [np.cos(np.pi / 4 + _BEND), -np.sin(np.pi / 4 + _BEND)]
)
_CONCAVE = np.concatenate([_ARC, _ARC[::-1] * [1, -1], -_ARC, _ARC[::-1] * [-1, 1]])
ARROW_LENGTH, ARROW_HALF_WIDTH = 2 * np.sin(np.pi / 2.5), 2 * np.cos(np.pi / 2.5)

OUTLINES: dict[str, np.ndarray] = {
    "circle": _ROUND,
    "square": _SQUARE,
    "diamond": _DIAMOND,
    "cross": _CROSS,
    "x": _X,
    "triangle-up": _TRIANGLE,
    "triangle-down": -_TRIANGLE,
    "triangle-left": _TRIANGLE[:, ::-1],
    "triangle-right": -_TRIANGLE[:, ::-1],
    "pentagon": _regular(5),
    "hexagon": _regular(6),
    "hexagon2": _regular(6, 30),
    "octagon": _regular(8, 22.5),
    "star": _regular(5, inner=1.4 * 0.382, radius=1.4),
    "hexagram": _regular(6, inner=0.76, radius=1.32),
    "star-square": _regular(4, 45, inner=0.55, radius=1.1 * np.sqrt(2)),
    "star-diamond": _CONCAVE,
    "star-triangle-up": _TRIANGLE,
    "star-triangle-down": -_TRIANGLE,
    "diamond-tall": _DIAMOND * [0.7 / 1.3, 1.4 / 1.3],
    "diamond-wide": _DIAMOND * [1.4 / 1.3, 0.7 / 1.3],
    "hourglass": np.array([(1, 1), (-1, 1), (1, -1), (-1, -1)], dtype=float),
    "bowtie": np.array([(1, 1), (1, -1), (-1, 1), (-1, -1)], dtype=float),
    "arrow": np.array([(0, 0), (-ARROW_HALF_WIDTH, ARROW_LENGTH), (ARROW_HALF_WIDTH, ARROW_LENGTH)]),
}
_PLUS = [np.array([(-1, 0), (1, 0)], dtype=float), np.array([(0, -1), (0, 1)], dtype=float)]
_TIMES = [stroke @ _TURN for stroke in _PLUS]
_STROKES = {
    "cross-thin": _PLUS,
    "x-thin": _TIMES,
    "asterisk": _PLUS + _TIMES,
    "line-ew": _PLUS[:1],
    "line-ns": _PLUS[1:],
    "line-ne": _TIMES[:1],
    "line-nw": _TIMES[1:],
}


class Symbol(NamedTuple):
    """A marker: its outline if it has one, strokes across it, and whether it is filled and has a dot."""

    outline: np.ndarray | None
    strokes: list[np.ndarray]
    filled: bool
    dotted: bool


def symbol(name: str) -> Symbol:
    """Return a marker of plotly by its name.

    Raises
    ------
    ValueError
        If there is none of that name.

    Examples
    --------
    >>> symbol("square-open").outline.tolist(), symbol("square-open").filled
    ([[-1.0, -1.0], [1.0, -1.0], [1.0, 1.0], [-1.0, 1.0]], False)
    """
    base = name.removesuffix("-dot").removesuffix("-open")
    filled, dotted = "-open" not in name, name.endswith("-dot")
    if base in OUTLINES:
        return Symbol(OUTLINES[base], [], filled, dotted)
    if base in _STROKES:
        return Symbol(None, _STROKES[base], False, dotted)
    outline, _, across = base.rpartition("-")
    if outline in OUTLINES and across in ("cross", "x"):
        reach = 1.3 if outline == "diamond" else 1.0
        strokes = _PLUS if across == "cross" else _TIMES
        if outline == "diamond" and across == "x":
            reach = 0.65 * np.sqrt(2)
        elif outline == "square" and across == "x":
            reach = np.sqrt(2)
        return Symbol(OUTLINES[outline], [reach * stroke for stroke in strokes], filled, dotted)
    raise ValueError(f"A still has no marker {name!r}; draw it as one of {', '.join(OUTLINES)}.")
