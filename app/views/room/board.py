"""The room from above, to be changed by hand: by drag, by touch or by keyboard. It runs in the browser.

A tile that is touched gets a person, or loses the one on it. Sensors and the ends of the light are dragged, or chosen
by Tab and moved by arrow keys; what a browser sends is an `Action`, checked before it is used.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
import streamlit as st
from components.scripts import browser_component

from trellislib.data.room import SIDE, Room
from trellislib.data.room_scenes import person_side
from trellislib.room.tiles import row_runs
from views.room.state import MOST_SENSORS, Body

_board = browser_component("trellis_room_board", __file__)


@dataclass(frozen=True)
class Action:
    """What somebody did on the board: `what`, on which sensor or end, and where in the room or on which tile."""

    what: str  # "tile", "sensor", "light", "add" or "remove"
    index: int = -1
    x: float | None = None
    y: float | None = None
    row: int = -1
    column: int = -1


def read_action(sent: object, room: Room) -> Action | None:
    """Return what a browser sent as an action in this room, None where it is none."""
    if not isinstance(sent, list) or not sent:
        return None
    what, *rest = sent
    if what == "tile" and _are_indices(rest, room.width, room.width):
        return Action("tile", row=rest[0], column=rest[1])
    if what == "remove" and _are_indices(rest, room.n_sensors) and room.n_sensors > 1:
        return Action("remove", rest[0])
    if what == "add" and room.n_sensors < MOST_SENSORS and (rest == [None, None] or _are_places(rest)):
        return Action("add", x=rest[0], y=rest[1])
    most = {"sensor": room.n_sensors, "light": 2}.get(what) if isinstance(what, str) else None
    if most and len(rest) == 3 and _are_indices(rest[:1], most) and _are_places(rest[1:]):
        return Action(what, rest[0], float(rest[1]), float(rest[2]))
    return None


def _are_indices(given: list, *ends: int) -> bool:
    return len(given) == len(ends) and all(
        type(one) is int and 0 <= one < end for one, end in zip(given, ends, strict=True)
    )


def _are_places(given: list) -> bool:
    return len(given) == 2 and all(type(one) in (int, float) and 0 <= one <= SIDE for one in given)


def room_board(
    room: Room,
    bodies: Sequence[Body],
    reading: np.ndarray,
    chances: np.ndarray,
    *,
    key: str,
    on_action: Callable[[Action], None],
) -> None:
    """Show a room to be changed by hand; `on_action` is called with what somebody did.

    `reading` is the share of positive measurements of each sensor, `chances` the probability of one.
    """

    def acted() -> None:
        action = read_action(st.session_state[key].acted, room)
        if action is not None:
            on_action(action)

    fires = reading > 0.5
    reports = ["detects something" if one else "detects nothing" for one in fires]
    n_firing = int(fires.sum())
    _board(
        data={
            "width": room.width,
            "block": person_side(room.width),
            "people": [list(body) for body in bodies],
            "sensors": room.sensors.tolist(),
            "light": room.light.tolist(),
            "fires": fires.astype(int).tolist(),
            "names": [
                f"Sensor {index + 1} at {x:.3g}, {y:.3g}: {report}, chance {chance:.3g}"
                for index, ((x, y), report, chance) in enumerate(zip(room.sensors, reports, chances, strict=True))
            ],
            "shadow": row_runs(np.asarray(~room.zones().any(axis=0)).reshape(room.width, room.width)),
            "status": f"{n_firing} of {room.n_sensors} sensors detect something (filled). Click a tile to place or "
            "remove a person. Drag sensors and the ends of the light.",
        },
        key=key,
        on_acted_change=acted,
    )
