"""The people in the room and its layout as short texts, which the address carries.

People are written ``row-column`` of their lower left tile, from 1, with ``-height x width`` where they are no square of
the usual side: ``3-4,1-19-2x12``. A layout is points ``x,y``: first the two ends of the light, then the sensors.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import replace
from typing import NamedTuple

import numpy as np

from trellislib.data.room import SIDE, Room
from trellislib.data.room_scenes import person_side
from trellislib.room.tiles import row_runs

MOST_BODIES = 20
MOST_SENSORS = 200
NOBODY = "nobody"
_BODY = re.compile(r"(\d{1,3})-(\d{1,3})(?:-(\d{1,3})x(\d{1,3}))?")
_NUMBER = re.compile(r"\d{1,2}(\.\d{1,4})?")


class Body(NamedTuple):
    """A block of occupied tiles: its lower left one, from 0, and its size in tiles."""

    row: int
    column: int
    height: int
    width: int

    def covers(self, row: int, column: int) -> bool:
        return self.row <= row < self.row + self.height and self.column <= column < self.column + self.width


class StateError(ValueError):
    """A text or file that describes no room."""


def person_at(row: int, column: int, width: int) -> Body:
    """Return a person who stands around a tile, kept inside the room."""
    side = person_side(width)
    low, left = (min(max(place - side // 2, 0), width - side) for place in (row, column))
    return Body(low, left, side, side)


def toggled(bodies: tuple[Body, ...], row: int, column: int, width: int) -> tuple[Body, ...]:
    """Return the bodies without those on a tile, or with a person around it where there are none."""
    left = tuple(body for body in bodies if not body.covers(row, column))
    return left if len(left) < len(bodies) else (*bodies, person_at(row, column, width))


def tiles_of(bodies: Iterable[Body], width: int) -> np.ndarray:
    """Return which tiles are occupied, 0 or 1, of shape (n_labels,)."""
    floor = np.zeros((width, width), dtype=np.int8)
    for row, column, height, breadth in bodies:
        floor[row : row + height, column : column + breadth] = 1
    return floor.ravel()


def bodies_of(tiles: np.ndarray, width: int) -> tuple[Body, ...]:
    """Return blocks that together are the occupied tiles: equal runs in neighbouring rows are one block."""
    found: list[Body] = []
    for row, first, end in row_runs(np.asarray(tiles).reshape(width, width)):
        for place, (low, column, height, breadth) in enumerate(found):
            if (low + height, column, breadth) == (row, first, end - first):
                found[place] = Body(low, column, height + 1, breadth)
                break
        else:
            found.append(Body(row, first, 1, end - first))
    return tuple(found)


def written_people(bodies: Iterable[Body], width: int) -> str:
    """Return bodies as a text, `NOBODY` for none."""
    usual = (person_side(width),) * 2
    texts = [
        f"{row + 1}-{column + 1}" + ("" if (height, breadth) == usual else f"-{height}x{breadth}")
        for row, column, height, breadth in bodies
    ]
    return ",".join(texts) or NOBODY


def read_people(text: str, width: int) -> tuple[Body, ...]:
    """Return the bodies that a text names; a StateError where a part is none inside the room, or there are too many."""
    if text.strip() == NOBODY:
        return ()
    parts = [part.strip() for part in text.split(",")]
    if len(parts) > MOST_BODIES:
        raise StateError(f"Got {len(parts)} people, but expected at most {MOST_BODIES}.")
    return tuple(_read_body(part, width) for part in parts)


def _read_body(part: str, width: int) -> Body:
    matched = _BODY.fullmatch(part)
    if not matched:
        raise StateError(f"Got the person {part[:20]!r}, but expected row-column, such as 3-4, or {NOBODY}.")
    side = str(person_side(width))
    row, column, height, breadth = (int(group or side) for group in matched.groups())
    body = Body(row - 1, column - 1, height, breadth)
    is_inside = min(row, column, height, breadth) >= 1 and max(row - 1 + height, column - 1 + breadth) <= width
    if not is_inside:
        raise StateError(f"Got the person {part!r}, but expected one inside the room of {width} x {width} tiles.")
    return body


def written_layout(room: Room) -> str:
    """Return the ends of the light and the sensors as a text."""
    return " ".join(f"{x:g},{y:g}" for x, y in np.vstack([room.light, room.sensors]).round(2).tolist())


def read_layout(text: str, room: Room) -> Room:
    """Return `room` with the light and the sensors that a text names; a StateError where it names no such points."""
    points = [_read_point(part) for part in text.split()]
    if not 3 <= len(points) <= MOST_SENSORS + 2:
        raise StateError(
            f"Got {len(points)} points, but expected the two ends of the light and 1 to {MOST_SENSORS} sensors."
        )
    return replace(room, light=np.array(points[:2]), sensors=np.array(points[2:]))


def _read_point(part: str) -> tuple[float, float]:
    numbers = part.split(",")
    if len(numbers) != 2 or not all(_NUMBER.fullmatch(number) and float(number) <= SIDE for number in numbers):
        raise StateError(f"Got the point {part[:20]!r}, but expected x,y from 0 to {SIDE:g}, such as 2.5,0.")
    return float(numbers[0]), float(numbers[1])


def with_sensor(room: Room, x: float | None, y: float | None) -> Room:
    """Return the room with one more sensor: at the wall nearest to a point, or by default in its widest gap."""
    place = _widest_gap(room) if x is None or y is None else _on_wall(x, y)
    return replace(room, sensors=np.vstack([room.sensors, place]))


def without_sensor(room: Room, index: int) -> Room:
    return replace(room, sensors=np.delete(room.sensors, index, axis=0))


def with_moved(room: Room, what: str, index: int, x: float, y: float) -> Room:
    """Return the room with a sensor, or an end of the light, elsewhere."""
    points = (room.light if what == "light" else room.sensors).copy()
    points[index] = x, y
    return replace(room, light=points) if what == "light" else replace(room, sensors=points)


def _on_wall(x: float, y: float) -> tuple[float, float]:
    """Return the point of the walls that is nearest."""
    walls = [(abs(x), (0.0, y)), (abs(SIDE - x), (SIDE, y)), (abs(y), (x, 0.0)), (abs(SIDE - y), (x, SIDE))]
    return min(walls)[1]


def _widest_gap(room: Room) -> tuple[float, float]:
    """Return the place on the three edges without the light, in quarter units, that is furthest from all sensors."""
    along = np.arange(0.25, SIDE, 0.25)
    far, near = np.full(len(along), SIDE), np.zeros(len(along))
    places = np.vstack([np.column_stack(pair) for pair in ((far, along), (along, far), (near, along))])
    distances = np.linalg.norm(places[:, None] - room.sensors, axis=2).min(axis=1)
    x, y = places[distances.argmax()].tolist()
    return x, y
