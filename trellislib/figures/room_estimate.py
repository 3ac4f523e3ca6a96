"""What a method makes of the sensors of a room: a small picture, to stand beside those of others.

Unlike `room_figure` it has neither zones nor sensors, and says no more of a tile than its place and its value, so that
several of a room of 10,000 tiles are drawn at once.
"""

from __future__ import annotations

import numpy as np
import plotly.graph_objects as go
from numpy.typing import ArrayLike

from trellislib.data.room import SIDE, Room
from trellislib.figures.room import (
    GRID_TILES,
    TRUE_COLOR,
    checked_values,
    faded,
    grid_trace,
    line_trace,
    rectangles_around,
    shadow_trace,
)
from trellislib.figures.style import ACCENT, NEITHER, finish

_EDGE = 0.15  # units around the room, for its walls


def room_estimate_figure(
    room: Room, estimate: ArrayLike, tiles: ArrayLike | None = None, *, height: int = 180
) -> go.Figure:
    """Draw how probable it is that each tile of a room is occupied, the row beside the light at the bottom.

    Fuller is likelier, frames are what is true, and tiles that no sensor watches are hatched.

    Parameters
    ----------
    room : Room
        The floor, its sensors and its light.
    estimate : array-like of shape (n_labels,)
        Probabilities, or decisions, from 0 to 1, in the order of `Room.tiles`.
    tiles : array-like of shape (n_labels,), optional
        1 where something is and 0 elsewhere.
    height : int, default=180
        In pixels.

    Returns
    -------
    plotly.graph_objects.Figure

    Raises
    ------
    ValueError
        If there is not one value for each tile, or a value is not from 0 to 1.

    References
    ----------
    "Classifier trellises", section *A Structured Output Prediction Problem*.

    Examples
    --------
    >>> from trellislib.paper.structures import room_example
    >>> from trellislib.room_estimate import map_estimate
    >>> example = room_example()
    >>> figure = room_estimate_figure(example.room, map_estimate(example.room, [example.observed])[0], example.tiles)
    >>> [trace.name for trace in figure.data]
    ['estimate', 'no sensor watches', 'grid', 'occupied', 'light']
    """
    shown = checked_values("estimate", estimate, room.n_labels, "tile")
    occupied = None if tiles is None else checked_values("tiles", tiles, room.n_labels, "tile") >= 0.5
    width = room.width
    rows, columns = np.indices((width, width)) + 1
    middles = room.tiles()[:width, 0]
    figure = go.Figure(
        go.Heatmap(
            name="estimate",
            x=middles,
            y=middles,
            z=shown.reshape(width, width).astype(np.float32),
            customdata=np.dstack([rows, columns]).astype(np.int16),
            zmin=0,
            zmax=1,
            colorscale=[[0, faded(ACCENT, 0)], [1, faded(ACCENT, 0.9)]],
            showscale=False,
            hovertemplate="r%{customdata[0]}c%{customdata[1]}: %{z:.3~g}<extra></extra>",
        )
    )
    figure.add_trace(shadow_trace(room, np.logical_not(room.zones().any(axis=0))))
    figure.add_trace(grid_trace(width))
    if occupied is not None:
        line = {"color": TRUE_COLOR, "width": 2 if width <= GRID_TILES else 1.2}
        figure.add_trace(line_trace(rectangles_around(room, occupied), name="occupied", line=line))
    figure.add_trace(line_trace([room.light.tolist()], name="light", line={"color": NEITHER, "width": 5}))
    axis = {"visible": False, "fixedrange": True, "constrain": "domain", "range": [-_EDGE, SIDE + _EDGE]}
    return finish(
        figure,
        height,
        xaxis=axis,
        yaxis=axis | {"scaleanchor": "x"},
        hovermode="closest",
        showlegend=False,
        margin={"l": 0, "r": 0, "t": 0, "b": 0},
    )
