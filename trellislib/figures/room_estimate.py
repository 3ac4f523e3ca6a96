"""Estimates of a room by several methods: a small picture of each, side by side.

Unlike `room_figure` they have neither zones nor sensors, and the hover text of a tile has only its place and its value,
so that several pictures of a room of 10,000 tiles are drawn at once. The opacity of a tile grows with the square root
of its probability: of a few people on many tiles, each tile is improbable, and would hardly be seen.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import plotly.graph_objects as go
from numpy.typing import ArrayLike

from trellislib.data.room import SIDE, Room
from trellislib.figures.room import GRID_TILES, Corners, checked_values, line_trace, shadow_trace
from trellislib.figures.style import ACCENT, FAINT, NEITHER, NO_MARGIN, TEXT, finish, literal
from trellislib.room.tiles import row_runs

_EDGE = 0.15  # units around the room, for its walls
_GAP = 0.02  # of the figure's width, between pictures
_COLUMNS, _ROW = 3, 195  # pictures in a row, and pixels of a row of pictures with their names
_LINE = 17  # pixels above each picture for its name, and for each line of its caption
_TRUE = "#009E73"
_PALE = 0.5  # opacity of probabilities next to decisions
_SHADES = 16  # stops of the colour scale, straight in between


def room_estimates_figure(
    room: Room,
    estimates: Mapping[str, ArrayLike],
    tiles: ArrayLike | None = None,
    *,
    captions: Mapping[str, Sequence[str]] | None = None,
    decided: Mapping[str, ArrayLike] | None = None,
) -> go.Figure:
    """Draw the probability of each tile to be occupied by each method, the row next to the light at the bottom.

    Fuller tiles are more probable, frames mark the truth, and tiles that no sensor watches are hatched.

    Parameters
    ----------
    room : Room
        The floor, its sensors and its light.
    estimates : mapping of str to array-like of shape (n_labels,)
        For each method probabilities, or decisions, from 0 to 1, in the order of `Room.tiles`.
    tiles : array-like of shape (n_labels,), optional
        1 where something is and 0 elsewhere.
    captions : mapping of str to sequence of str, optional
        Short lines under the name of a method, such as its scores.
    decided : mapping of str to array-like of shape (n_labels,), optional
        The tiles that each method decides are occupied, as 0 and 1: these are solid, and all others paler than without.

    Returns
    -------
    plotly.graph_objects.Figure

    Raises
    ------
    ValueError
        If there is no estimate, or not one value for each tile, or a value is not from 0 to 1.

    References
    ----------
    "Classifier trellises", section *A Structured Output Prediction Problem*.

    Examples
    --------
    >>> from trellislib.paper.structures import room_example
    >>> from trellislib.room.estimate import map_estimate
    >>> example = room_example()
    >>> estimates = {"MAP": map_estimate(example.room, [example.observed])[0]}
    >>> figure = room_estimates_figure(example.room, estimates, example.tiles)
    >>> [trace.name for trace in figure.data]
    ['MAP', 'no sensor watches', 'occupied', 'light', 'walls']
    """
    if not estimates:
        raise ValueError("Got no estimates, but expected those of one method or more.")
    shown = {
        name: checked_values(f"estimate of {name}", values, room.n_labels, "tile") for name, values in estimates.items()
    }
    solid = {
        name: checked_values(f"decisions of {name}", values, room.n_labels, "tile") >= 0.5
        for name, values in (decided or {}).items()
    }
    occupied = None if tiles is None else checked_values("tiles", tiles, room.n_labels, "tile") >= 0.5
    width = room.width
    rows, columns = np.indices((width, width), dtype=np.min_scalar_type(width)) + 1
    places = np.dstack([rows, columns])
    middles = room.tiles()[:width, 0]
    lines = [shadow_trace(room, np.logical_not(room.zones().any(axis=0)))]
    if occupied is not None:
        frame = {"color": _TRUE, "width": 2 if width <= GRID_TILES else 1}
        lines.append(line_trace(_outlines_around(room, occupied), name="occupied", line=frame))
    lines.append(line_trace([room.light.tolist()], name="light", line={"color": NEITHER, "width": 5}))
    lines.append(line_trace([_WALLS], name="walls", line={"color": FAINT, "width": 1}))

    written = {name: [literal(line) for line in (captions or {}).get(name, ())] for name in shown}
    title = 10 + _LINE * (1 + max(map(len, written.values())))
    packed = [trace.to_plotly_json() | _packed(trace) for trace in lines]
    n_rows = -(-len(shown) // _COLUMNS)
    height = n_rows * _ROW
    axis = {"visible": False, "fixedrange": True, "constrain": "domain", "range": [-_EDGE, SIDE + _EDGE]}
    traces: list[dict[str, Any]] = []
    annotations, axes = [], {}
    for place, (name, values) in enumerate(shown.items()):
        number = str(place + 1) if place else ""
        row, column = divmod(place, _COLUMNS)
        left = column * (1 + _GAP) / _COLUMNS
        right = left + (1 + _GAP) / _COLUMNS - _GAP
        bottom, top = 1 - (row + 1) / n_rows, 1 - (row * _ROW + title) / height
        axes[f"xaxis{number}"] = axis | {"domain": [left, right], "anchor": f"y{number}"}
        axes[f"yaxis{number}"] = axis | {
            "domain": [bottom, top],
            "anchor": f"x{number}",
            "scaleanchor": f"x{number}",
            "constraintoward": "top",
        }
        annotations.append(
            {
                "text": "<br>".join([f"<b>{literal(name)}</b>", *written[name]]),
                "x": (left + right) / 2,
                "y": top,
                "xref": "paper",
                "yref": "paper",
                "xanchor": "center",
                "yanchor": "bottom",
                "showarrow": False,
                "font": {"size": TEXT},
            }
        )
        shared = {
            "type": "heatmap",
            "x": middles,
            "y": middles,
            "zmin": 0,
            "zmax": 1,
            "colorscale": _SCALE,
            "showscale": False,
            "xaxis": f"x{number}",
            "yaxis": f"y{number}",
        }
        likely = {
            "name": name,
            "z": values.reshape(width, width).astype(np.float32),
            "customdata": places,
            "hovertemplate": "r%{customdata[0]}c%{customdata[1]}: %{z:.3~g}<extra></extra>",
        }
        traces.append(shared | likely | ({"opacity": _PALE} if name in solid else {}))
        if name in solid:
            z = np.where(solid[name].reshape(width, width), np.float32(1), np.float32(np.nan))
            traces.append(shared | {"name": "decided", "z": z, "hoverinfo": "skip"})
        traces += [trace | {"xaxis": f"x{number}", "yaxis": f"y{number}"} for trace in packed]
    return finish(
        go.Figure(traces, {"annotations": annotations, **axes}),  # to be added later, axes take much longer
        height,
        hovermode="closest",
        showlegend=False,
        margin=NO_MARGIN,
    )


def _outlines_around(room: Room, among: np.ndarray) -> list[Corners]:
    """Return the straight lines around those tiles that `among` marks, without those between two of them."""
    size = SIDE / room.width
    floor = among.reshape(room.width, room.width).astype(int)
    lines: list[Corners] = []
    for is_upright, cells in ((False, floor), (True, floor.T)):
        for place, first, end in row_runs(np.diff(cells, axis=0, prepend=0, append=0)):
            at, ends = place * size, (first * size, end * size)
            lines.append([(at, along) if is_upright else (along, at) for along in ends])
    return lines


def _packed(line: go.Scatter) -> dict[str, np.ndarray]:
    """Return the points of a line as arrays, gaps as NaN, which are copied and sent in a fraction of the time."""
    return {axis: np.array(line[axis], dtype=np.float32) for axis in ("x", "y")}


_WALLS = [(0.0, 0.0), (SIDE, 0.0), (SIDE, SIDE), (0.0, SIDE), (0.0, 0.0)]
_EMPTY = np.array([128, 128, 128, 0.16])  # grey, so that a floor of none is seen on a dark page, too
_FULL = np.array([*bytes.fromhex(ACCENT[1:]), 0.95])


def _between(share: float) -> str:
    """Return the colour that lies so far between those of an empty and of an occupied tile."""
    red, green, blue, opacity = (1 - share) * _EMPTY + share * _FULL
    return f"rgba({red:.0f}, {green:.0f}, {blue:.0f}, {opacity:.4f})"


_SCALE = [[(stop / _SHADES) ** 2, _between(stop / _SHADES)] for stop in range(_SHADES + 1)]
