"""A room as JSON: there and back, and one sentence for what is wrong with it."""

import json

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sentences import alike

from trellislib.data import DataError
from trellislib.data.room import LIGHT, Room
from trellislib.data.room_files import read_room, written_room

COORDINATES = st.floats(-100, 100)


@given(
    st.integers(2, 200),
    st.lists(st.tuples(COORDINATES, COORDINATES), min_size=1, max_size=5),
    st.floats(0, 1),
    st.floats(0, 1),
)
def test_there_and_back(width, sensors, miss, false_alarm):
    room = Room(width, np.array(sensors), np.array(LIGHT), miss, false_alarm)
    again = read_room(written_room(room))
    assert (again.width, again.false_negative, again.false_positive) == (width, miss, false_alarm)
    np.testing.assert_array_equal(again.sensors, room.sensors)
    np.testing.assert_array_equal(again.light, room.light)


def changed(**values):
    described = json.loads(written_room(Room.default(4, 2))) | values
    return json.dumps({key: value for key, value in described.items() if value != "absent"})


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("{", "Got a room that is not JSON (line 1: Expecting property name enclosed in double quotes)."),
        ("[" * 100_000, "Got a room that is not JSON (it is too deep)."),
        ("3", "Got 3, but expected an object with width, light, sensors, false_negative, false_positive."),
        (
            changed(light="absent"),
            "Got a room without 'light', but expected width, light, sensors, false_negative, false_positive.",
        ),
        (
            changed(walls=1),
            'Got the key "walls", but expected only width, light, sensors, false_negative, false_positive.',
        ),
        (changed(width=2.5), "Got width=2.5, but expected an integer of at least 2."),
        (changed(sensors=5), "Got sensors 5, but expected a list of points [x, y]."),
        (
            changed(sensors=[[0, 5], [1, "a"]]),
            'Got sensor 2 at [1, "a"], but expected a point [x, y] of two numbers.',
        ),
        (changed(sensors=[[0, 5, 1]]), "Got sensor 1 at [0, 5, 1], but expected a point [x, y] of two numbers."),
        (
            changed(sensors=[[0, float("nan")]]),
            "Got sensor 1 at [0, NaN], but expected a point [x, y] of two numbers.",
        ),
        (changed(sensors=[]), "Got no sensors, but expected at least one."),
        (changed(light=[[0, 0]]), "Got light of 1 points, but expected its 2 ends."),
        (
            changed(light=[[0, 0], [True, 0]]),
            "Got end 2 of the light at [true, 0], but expected a point [x, y] of two numbers.",
        ),
        (changed(false_positive="1"), 'Got false_positive "1", but expected a probability, from 0 to 1.'),
        (changed(false_negative=2), "Got false_negative=2, but expected a probability, from 0 to 1."),
    ],
)
def test_what_is_wrong(text, message):
    with pytest.raises(DataError) as error:
        read_room(text)
    alike(str(error.value), message)
