"""Dates and times as year, month, weekday and hour."""

import datetime

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sentences import Containing, has_line

from trellislib.data import DataError, load, read_csv
from trellislib.data.reading.frames import from_frame
from trellislib.data.tables.dates import DateColumn, ambiguous, parts_of, says_date
from trellislib.data.tables.schema import Schema

FORMS = ("%Y-%m-%d", "%d.%m.%Y %H:%M", "%d/%m/%Y %H:%M:%S", "%d %b %Y", "%B %d, %Y %I:%M %p", "%Y/%m/%dT%H:%M:%S")


@given(st.datetimes(datetime.datetime(1970, 1, 1), datetime.datetime(2068, 1, 1)), st.sampled_from(FORMS))
def test_parts_are_those_of_the_calendar(moment, form):
    moment = moment.replace(microsecond=0)
    year, month, weekday, hour = parts_of([moment.strftime(form)], day_first=True)[0]
    assert (year, month, weekday) == (moment.year, moment.month, moment.isoweekday())
    if "%S" in form:
        assert hour == pytest.approx(moment.hour + moment.minute / 60 + moment.second / 3600)
    elif "%M" in form:
        assert hour == pytest.approx(moment.hour + moment.minute / 60)
    else:
        assert np.isnan(hour)


NO_DATES = ("2026-13-01", "31/31/2026", "2026", "1.5", "", "25:00", "monday", "2026-1", "1899-01")
NO_MIDNIGHTS = ("24:59", "24:00:01", "24:00 pm", "1/2/2026 24:30")


@pytest.mark.parametrize("text", NO_DATES + NO_MIDNIGHTS)
def test_what_is_no_date(text):
    assert not says_date(text)


@pytest.mark.parametrize("time", ["24:00", "24:00:00", "24:00:00.000", "24:00Z", "24:00 +02:00"])
def test_midnight_at_the_end_of_a_day_is_that_of_the_next(time):
    assert parts_of([f"2026-12-31 {time}"], day_first=True).tolist() == [[2027, 1, 5, 0]]
    assert parts_of([time], day_first=True)[0, 3] == 0
    assert np.isnan(parts_of([f"9999-12-31 {time}"], day_first=True)).all()


def test_which_of_day_and_month_stands_first():
    assert DateColumn.of(["03/04/2026", "13/04/2026"]).day_first
    assert not DateColumn.of(["03/04/2026", "04/13/2026"]).day_first
    assert DateColumn.of(["03.04.2026", "05.06.2026"]).day_first
    assert not DateColumn.of(["03/04/2026", "05/06/2026"]).day_first
    assert ambiguous(["03/04/2026", "13/04/2026"], True) == ""
    assert ambiguous(["03/04/2026", "04/04/2026"], False) == "03/04/2026"


ROWS = b"at,x,a\n" + b"".join(b"2026-0%d-1%d 0%d:30,%d,%d\n" % (i % 3 + 1, i, i % 2, i, i % 2) for i in range(6))


def test_a_column_of_dates_becomes_features_that_new_rows_get_too():
    data = load(ROWS, ["a"])
    assert data.feature_names == ("at: month", "at: weekday", "at: hour", "x")
    assert Containing("'at'", "month, weekday", "hour") in data.notes
    assert data.X[:, 0].tolist() == [1, 2, 3, 1, 2, 3]
    assert data.X[:, 1].tolist() == [datetime.date(2026, i % 3 + 1, 10 + i).isoweekday() for i in range(6)]
    assert data.X[:, 2].tolist() == [0.5, 1.5] * 3
    schema = Schema.from_json(data.schema.as_json())
    new = pd.DataFrame({"x": [1.0, 2], "at": ["2027-12-24 18:45", None], "a": [0, 1]})
    X, _ = schema.features(read_csv(new.to_csv(index=False).encode(), "new.csv"))
    np.testing.assert_array_equal(X, [[12, 5, 18.75, 1], [np.nan] * 3 + [2]])


def test_dates_can_be_read_in_another_way():
    assert "at: hour" not in load(ROWS, ["a"], leave_out=["at"]).feature_names
    assert "at=2026-01-10 00:30" in load(ROWS, ["a"], kinds={"at": "categories"}).feature_names
    with pytest.raises(DataError, match=r"'x' holds '\d', which is no date"):
        load(ROWS, ["a"], kinds={"x": "dates"})
    american = load(b"day,x,a\n1/2/2026,1,0\n3/4/2026,2,1\n5/6/2026,3,1\n", ["a"])
    assert american.X[:, american.feature_names.index("day: month")].tolist() == [1, 3, 5]
    has_line(american.notes, "'day'", "'1/2/2026'", "month")


def test_dates_that_tell_nothing_are_left_out_with_the_reason():
    alike = load(b"day,x,a\n1.2.2026,1,0\n1.2.2026,2,1\n", ["a"])
    assert alike.feature_names == ("x",)
    assert Containing("'day'", "all alike") in alike.notes
    content = b"@relation 'd: -C -1'\n@attribute t date 'yyyyMMdd'\n@attribute A {0,1}\n@data\n20260101,0\n20260202,1\n"
    with pytest.raises(DataError, match=r"'t' holds dates .*cannot be read"):
        load(content)


def test_dates_alone_are_features_and_durations_are_hours():
    content = (
        b"@relation 'd: -C -1'\n@attribute t date\n@attribute A {0,1}\n@data\n'2026-01-01T00:00:00',0\n'2026-05-02',1\n"
    )
    assert load(content).feature_names == ("t: month", "t: weekday")
    frame = pd.DataFrame({"took": pd.to_timedelta([90, None, 30], unit="min"), "a": [0, 1, 0]})
    np.testing.assert_array_equal(from_frame(frame, ["a"]).X.ravel(), [1.5, np.nan, 0.5])
    written = load(b"took,a\n1h 30m,0\n45m,1\nPT2H,0\n90s,1\n", ["a"])
    np.testing.assert_allclose(written.X.ravel(), [1.5, 0.75, 2, 0.025])
