"""A room as text: JSON that people can read, change and hand on."""

from __future__ import annotations

import json
from typing import Any

import numpy as np

from trellislib.data.dataset import DataError
from trellislib.data.room import Room

KEYS = ("width", "light", "sensors", "false_negative", "false_positive")


def written_room(room: Room) -> str:
    """Return a room as JSON, with a line for each of its keys.

    Parameters
    ----------
    room : Room
        The floor, its sensors and its light.

    Returns
    -------
    str
        From which `read_room` makes the same room.

    Examples
    --------
    >>> print(written_room(Room.default(width=4, n_sensors=1)))
    {
      "width": 4,
      "light": [[2.5, 0.0], [7.5, 0.0]],
      "sensors": [[5.0, 10.0]],
      "false_negative": 0.15,
      "false_positive": 0.01
    }
    """
    values = (int(room.width), room.light.tolist(), room.sensors.tolist(), room.false_negative, room.false_positive)
    lines = [f'  "{key}": {json.dumps(value)}' for key, value in zip(KEYS, values, strict=True)]
    return "\n".join(["{", ",\n".join(lines), "}"])


def read_room(text: str) -> Room:
    """Return the room that a JSON text describes.

    Parameters
    ----------
    text : str
        An object with ``width``, ``light`` (two points), ``sensors`` (points), ``false_negative`` and
        ``false_positive``; a point is [along the light's edge, away from it], in units of a room of 10 x 10.

    Returns
    -------
    Room
        As described.

    Raises
    ------
    DataError
        If the text is no such object; one sentence that names the key, and the sensor by its number from 1.

    Examples
    --------
    >>> read_room(written_room(Room.default(width=4, n_sensors=1))).sensors.tolist()
    [[5.0, 10.0]]
    """
    try:
        described = json.loads(text)
    except (ValueError, RecursionError) as error:
        cause = f"line {error.lineno}: {error.msg}" if isinstance(error, json.JSONDecodeError) else "it is too deep"
        raise DataError(f"Got a room that is not JSON ({cause}).") from error
    if not isinstance(described, dict):
        raise DataError(f"Got {_shown(described)}, but expected an object with {', '.join(KEYS)}.")
    for key in KEYS:
        if key not in described:
            raise DataError(f"Got a room without {key!r}, but expected {', '.join(KEYS)}.")
    for key in described:
        if key not in KEYS:
            raise DataError(f"Got the key {_shown(key)}, but expected only {', '.join(KEYS)}.")
    light, sensors = (_points(key, described[key]) for key in ("light", "sensors"))
    rates = [described[key] for key in KEYS[3:]]
    for key, rate in zip(KEYS[3:], rates, strict=True):
        if not _is_number(rate):
            raise DataError(f"Got {key} {_shown(rate)}, but expected a probability, from 0 to 1.")
    if len(light) != 2:
        raise DataError(f"Got light of {len(light)} points, but expected its 2 ends.")
    if len(sensors) == 0:
        raise DataError("Got no sensors, but expected at least one.")
    try:
        return Room(described["width"], sensors, light, *rates)
    except ValueError as error:
        raise DataError(str(error)) from error


def _points(key: str, values: Any) -> np.ndarray:
    """Return the points of one key as an array of shape (n_points, 2)."""
    if not isinstance(values, list):
        raise DataError(f"Got {key} {_shown(values)}, but expected a list of points [x, y].")
    for number, point in enumerate(values, start=1):
        if not isinstance(point, list) or len(point) != 2 or not all(_is_number(value) for value in point):
            place = f"{key.removesuffix('s')} {number}" if key == "sensors" else f"end {number} of the light"
            raise DataError(f"Got {place} at {_shown(point)}, but expected a point [x, y] of two numbers.")
    return np.array(values, dtype=float).reshape(-1, 2)


def _is_number(value: Any) -> bool:
    """Return whether a JSON value is a finite number that a float can hold."""
    return isinstance(value, int | float) and not isinstance(value, bool) and abs(value) < 1e300


def _shown(value: Any) -> str:
    """Return a JSON value as text, the beginning of a long one."""
    text = json.dumps(value)
    return text if len(text) <= 40 else f"{text[:37]}..."
