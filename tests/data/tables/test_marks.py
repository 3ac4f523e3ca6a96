"""Ticked boxes: a mark or nothing in the columns of labels, from every form of file."""

import json

import pandas as pd
import pytest
from sentences import Containing
from written import csv, excel

from trellislib.data import load, read_table
from trellislib.data.reading.frames import frame_table

Y = [[1, 0], [0, 1], [0, 0], [1, 1], [0, 0]]


def boxes(mark, nothing=None):
    cells = [[mark if code else nothing for code in row] for row in Y]
    return pd.DataFrame(cells, columns=["sun", "rain"]).assign(x=[0.5, 1, 2, 3, 4])[["x", "sun", "rain"]]


def records(frame):
    return json.dumps(frame.to_dict("records")).encode()


@pytest.mark.parametrize("mark", [1, "x", "X", "\u2713", "yes", "Ja", True])
@pytest.mark.parametrize("form", [csv, excel, records])
def test_nothing_means_that_the_label_does_not_apply(form, mark):
    table = read_table(form(boxes(mark)))
    assert table.propose_labels() == ("sun", "rain")
    data = table.to_dataset(table.propose_labels())
    assert data.Y.tolist() == Y
    assert data.label_values == (("0", "1"), ("0", "1"))
    assert Containing("'sun' and 'rain'", "nothing", "0") in data.notes


def test_a_column_that_holds_its_own_name():
    frame = boxes(1).assign(sun=["sun", None, None, "sun", None], rain=[None, "Rain", None, "Rain", None])
    assert frame_table(frame).to_dataset(["sun", "rain"]).Y.tolist() == Y


def test_a_gap_stays_one_where_another_label_says_no():
    frame = boxes(1).assign(rain=[0, 1, 0, 1, 0])
    data = frame_table(frame).to_dataset(["sun", "rain"])
    assert data.n_instances == 2
    assert Containing("3 rows", "missing label") in data.notes


def test_a_single_word_that_means_nothing_is_no_mark():
    frame = boxes("wet")
    assert frame_table(frame).to_dataset(["sun"]).n_instances == 2


def test_new_rows_have_them_too():
    data = load(csv(boxes("x")), labels=-2)
    new = data.schema.labels(frame_table(boxes("x").iloc[:3]))
    assert new.Y.tolist() == Y[:3]
    assert new.known is None
