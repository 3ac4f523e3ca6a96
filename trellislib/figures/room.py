"""A room of light sensors from above: the occupied tiles, and what the sensors report.

The zones of sensors that detect something overlap where it may stand, so each is drawn by itself, translucent, and
below the tiles: as a shape, for among traces a heat map is always the lowest. Nothing depends on colour alone: a
sensor that detects something is filled, and so is its zone; tiles in the shadow, which no sensor watches, are hatched.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np
import plotly.graph_objects as go
from numpy.typing import ArrayLike

from trellislib.data.room import SIDE, Room
from trellislib.figures.style import ACCENT, FAINT, FIXED, NEITHER, TEXT, TRANSPARENT, finish
from trellislib.room.tiles import row_runs

GRID_TILES = 40  # in a row; above this, lines between tiles hide the picture
NUMBERED_SENSORS = 60  # above this, their numbers run into each other
_BORDER, _BELOW = 0.9, 0.4  # units around the room, for the sensors and their numbers, and below it, for the light
_DETECTED = "#0072B2"
_HAZE = 0.4  # opacity where the zones of all sensors that detect something overlap

Corners = Sequence[Sequence[float]]


def room_figure(
    room: Room,
    tiles: ArrayLike | None = None,
    observed: ArrayLike | None = None,
) -> go.Figure:
    """Draw a room from above, the row next to the light at the bottom, as Figure 7 of the paper does.

    All tiles are one heat map, however many there are. The hover text of a tile has its label, whether it is occupied,
    and how many sensors watch it.

    Parameters
    ----------
    room : Room
        The floor, its sensors and its light.
    tiles : array-like of shape (n_labels,), optional
        1 where something is and 0 elsewhere, in the order of `Room.tiles`.
    observed : array-like of shape (n_sensors,), optional
        Share of each sensor's measurements that are positive, 0 or 1 for a single one. A sensor is drawn as detecting
        something if more than half are; at half, Algorithm 3 counts it as detecting nothing.

    Returns
    -------
    plotly.graph_objects.Figure

    Raises
    ------
    ValueError
        If there is not one value for each tile or sensor, or a value is not from 0 to 1.

    References
    ----------
    "Classifier trellises", section *A Structured Output Prediction Problem*, Figure 7.

    Examples
    --------
    >>> from trellislib.paper.structures import room_example
    >>> example = room_example()
    >>> figure = room_figure(example.room, example.tiles, example.observed)
    >>> [(trace.name, len(trace.x)) for trace in figure.data if trace.name in ("detects", "detects nothing")]
    [('detects', 3), ('detects nothing', 9)]
    """
    occupied = None if tiles is None else checked_values("tiles", tiles, room.n_labels, "tile") >= 0.5
    shares = None if observed is None else checked_values("observed", observed, room.n_sensors, "sensor")
    zones = room.zones()
    watchers = zones.sum(axis=0)
    detects = np.zeros(room.n_sensors, dtype=bool) if shares is None else shares > 0.5

    figure = go.Figure(_floor(room, occupied, watchers))
    figure.add_trace(shadow_trace(room, watchers == 0))
    figure.add_trace(_grid(room.width))
    figure.add_trace(_outlines(room, ~detects))
    if occupied is not None:  # a heat map has no entry in the legend
        marker = {"symbol": "square", "size": 11, "color": ACCENT}
        figure.add_scatter(x=[None], y=[None], mode="markers", name="occupied", marker=marker, hoverinfo="skip")
    figure.add_trace(line_trace([room.light.tolist()], name="light", line={"color": NEITHER, "width": 7}))
    texts = _hover_texts(zones, shares, detects)
    states = {"detects": detects, "detects nothing": ~detects} if shares is not None else {"sensor": ~detects}
    figure.add_traces([_sensors(room, name, among, texts) for name, among in states.items() if among.any()])
    axis: dict[str, Any] = {"visible": False, "fixedrange": True, "constrain": "domain"}
    return finish(
        figure,
        460,
        xaxis=axis | {"range": [-_BORDER, SIDE + _BORDER]},
        yaxis=axis | {"range": [-_BELOW, SIDE + _BORDER], "scaleanchor": "x"},
        shapes=_zones(room, detects),
        hovermode="closest",
        legend={"orientation": "h", "x": 0.5, "xanchor": "center", "y": 0.0, "yanchor": "top"} | FIXED,
    )


def checked_values(name: str, values: ArrayLike, n: int, what: str) -> np.ndarray:
    """Return `values` as floats, if there is one from 0 to 1 for each of `n` tiles or sensors."""
    checked = np.asarray(values, dtype=float)
    if checked.shape != (n,):
        raise ValueError(f"Got {name} of shape {checked.shape}, but expected ({n},), one value for each {what}.")
    wrong = np.flatnonzero(~((checked >= 0) & (checked <= 1)))
    if wrong.size:
        first = wrong[0]
        raise ValueError(f"Got {name}[{first}]={checked[first]}, but expected a value from 0 to 1 for each {what}.")
    return checked


def _floor(room: Room, occupied: np.ndarray | None, watchers: np.ndarray) -> go.Heatmap:
    """Return all tiles, the occupied ones filled."""
    width = room.width
    rows, columns = np.indices((width, width)) + 1
    fill = np.zeros(room.n_labels) if occupied is None else occupied
    lines = ["r%{customdata[0]}c%{customdata[1]}", "%{text}"][: 1 if occupied is None else 2]
    lines.append(f"watched by %{{customdata[2]}} of {room.n_sensors} sensors")
    middles = room.tiles()[:width, 0]
    return go.Heatmap(
        x=middles,
        y=middles,
        z=fill.reshape(width, width).astype(np.float32),
        zmin=0,
        zmax=1,
        colorscale=[[0, faded(ACCENT, 0)], [1, faded(ACCENT, 0.9)]],
        showscale=False,
        text=None if occupied is None else np.where(occupied, "occupied", "empty").reshape(width, width).tolist(),
        customdata=np.dstack([rows, columns, watchers.reshape(width, width)]).astype(np.int32),
        hovertemplate="<br>".join(lines) + "<extra></extra>",
    )


def shadow_trace(room: Room, unwatched: np.ndarray) -> go.Scatter:
    """Return the tiles that no sensor watches, hatched."""
    size = SIDE / room.width
    rectangles = []
    for row, first, end in row_runs(unwatched.reshape(room.width, room.width)):
        bottom, top, left, right = (place * size for place in (row, row + 1, first, end))
        rectangles.append([(left, bottom), (right, bottom), (right, top), (left, top), (left, bottom)])
    return line_trace(
        rectangles,
        name="no sensor watches",
        line={"width": 0},
        fill="toself",
        fillcolor=TRANSPARENT,
        fillpattern={"shape": "/", "fgcolor": FAINT, "bgcolor": TRANSPARENT, "size": 7, "solidity": 0.22},
        showlegend=bool(unwatched.any()),
        legendrank=1001,  # after all others
    )


def _grid(width: int) -> go.Scatter:
    """Return the walls, and the lines between tiles where there is space for them."""
    places = np.linspace(0, SIDE, width + 1 if width <= GRID_TILES else 2).tolist()
    lines = [[(place, 0), (place, SIDE)] for place in places] + [[(0, place), (SIDE, place)] for place in places]
    return line_trace(lines, name="grid", line={"color": FAINT, "width": 1}, showlegend=False)


def _zones(room: Room, detects: np.ndarray) -> list[dict[str, Any]]:
    """Return the triangles of the sensors that detect something, filled."""
    # Laid over each other, all of them together are no more opaque than `_HAZE`.
    opacity = min(0.2, 1 - (1 - _HAZE) ** (1 / max(1, int(detects.sum()))))
    return [
        {
            "type": "path",
            "path": "M" + "L".join(f"{x},{y}" for x, y in triangle) + "Z",
            "layer": "below",
            "line": {"color": faded(_DETECTED, 0.5), "width": 1},
            "fillcolor": faded(_DETECTED, opacity),
        }
        for triangle in _triangles(room, detects)
    ]


def _outlines(room: Room, among: np.ndarray) -> go.Scatter:
    """Return the triangles of those sensors that `among` marks, as faint outlines."""
    closed = [[*triangle, triangle[0]] for triangle in _triangles(room, among)]
    return line_trace(closed, name="zones", line={"color": FAINT, "width": 0.6, "dash": "dot"}, showlegend=False)


def _triangles(room: Room, among: np.ndarray) -> list[Corners]:
    """Return the corners of the zones of those sensors that `among` marks."""
    return [[sensor, *room.light.tolist()] for sensor in room.sensors[among].tolist()]


def _sensors(room: Room, name: str, among: np.ndarray, texts: Sequence[str]) -> go.Scatter:
    """Return those sensors that `among` marks, filled if they detect something."""
    chosen = np.flatnonzero(among).tolist()
    color = _DETECTED if name == "detects" else NEITHER
    numbered = room.n_sensors <= NUMBERED_SENSORS
    return go.Scatter(
        x=room.sensors[chosen, 0],
        y=room.sensors[chosen, 1],
        mode="markers+text" if numbered else "markers",
        name=name,
        text=[f"\u00a0{sensor + 1}\u00a0" for sensor in chosen],  # spaces keep numbers off the markers
        textposition=[_outside(*room.sensors[sensor]) for sensor in chosen],
        textfont={"size": TEXT},
        marker={
            "symbol": "circle" if name == "detects" else "circle-open",
            "size": 11 if numbered else 7,
            "color": color,
            "line": {"color": color, "width": 1.6},
        },
        hovertext=[texts[sensor] for sensor in chosen],
        hoverinfo="text",
        cliponaxis=False,
    )


def _hover_texts(zones: np.ndarray, shares: np.ndarray | None, detects: np.ndarray) -> list[str]:
    """Return the hover text of each sensor."""
    texts = []
    for sensor, n_watched in enumerate(zones.sum(axis=1).tolist()):
        lines = [f"sensor {sensor + 1}"]
        if shares is not None:
            share = shares[sensor]
            state = "detects something" if detects[sensor] else "detects nothing"
            lines.append(state if share in (0, 1) else f"{state}: {share:.3g} of its measurements are positive")
        texts.append("<br>".join([*lines, f"tiles in its zone: {n_watched:,}"]))
    return texts


def _outside(x: float, y: float) -> str:
    """Return on which side of a sensor its number stands outside of the room."""
    if y < SIDE and x >= SIDE:
        return "middle right"
    return "middle left" if y < SIDE and x <= 0 else "top center"


def line_trace(paths: Iterable[Corners], **style: Any) -> go.Scatter:
    """Return lines through the points of each path, as one trace without hover text."""
    points = [point for path in paths for point in (*path, (None, None))][:-1]
    return go.Scatter(
        x=[x for x, _ in points], y=[y for _, y in points], mode="lines", hoverinfo="skip", cliponaxis=False, **style
    )


def faded(color: str, opacity: float) -> str:
    """Return a colour written ``"#RRGGBB"`` at an opacity from 0 to 1."""
    red, green, blue = bytes.fromhex(color[1:])
    return f"rgba({red}, {green}, {blue}, {opacity:.4f})"
