import pytest

from trellislib.running.progress import CancelledError, part_of, stop_if


def test_parts_are_reported_as_parts_of_the_whole():
    reported = []
    for number in range(3):
        part = part_of(lambda *step: reported.append(step), number, 3)
        part(1, 2, "labels")
        part(2, 2, "labels")
    assert reported == [(done, 6, "labels") for done in range(1, 7)]


def test_parts_of_parts():
    reported = []
    outer = part_of(lambda *step: reported.append(step), 1, 2)
    part_of(outer, 2, 5)(3, 4, "folds")
    assert reported == [(20 + 8 + 3, 40, "folds")]


def test_each_part_remembers_its_own_number():
    reported = []
    parts = [part_of(lambda done, total, what: reported.append(done), number, 4) for number in range(4)]
    for part in reversed(parts):
        part(0, 10, "")
    assert reported == [30, 20, 10, 0]


def test_nobody_watches():
    assert part_of(None, 0, 2) is None


def test_work_stops_when_asked_to():
    stop_if(None)
    stop_if(lambda: False)
    with pytest.raises(CancelledError):
        stop_if(lambda: True)
