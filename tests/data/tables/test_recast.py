"""Columns that are read as a person says."""

import numpy as np
import pytest
from sentences import Containing

from trellislib.data import load
from trellislib.data.dataset import DataError
from trellislib.data.tables.table import Table

ROWS = b"id,size,month,said,a\n" + b"".join(b"%d,%s,%d,%s,%d\n" % row for row in (
    (11, b"5 kg", 1, b"red sea", 0), (12, b"700 g", 12, b"blue sea", 1), (14, b"2 kg", 6, b"red sky", 1),
    (19, b"1 kg", 1, b"blue sky", 0), (25, b"3 kg", 6, b"red", 1),
))  # fmt: skip


def test_each_kind():
    plain = load(ROWS, ["a"])
    assert "id" not in plain.feature_names
    data = load(ROWS, ["a"], kinds={"id": "numbers", "month": "categories", "said": "text"}, leave_out=["size"])
    assert data.feature_names == (
        "id", "month=1", "month=6", "month=12", "said: blue", "said: red", "said: sea", "said: sky"
    )  # fmt: skip
    assert data.X.toarray()[:, 0].tolist() == [11, 12, 14, 19, 25]
    assert Containing("'month'", "categories", "as asked") in data.notes


def test_new_rows_are_read_alike():
    data = load(ROWS, ["a"], kinds={"month": "categories", "size": "categories"})
    table = Table("new.csv", ("size", "month", "said"), (("2 kg",), None, ("red",)), np.array([[0, 12.0, 0]]))
    X, _ = data.schema.features(table)
    assert X[0, list(data.feature_names).index("month=12")] == 1
    assert X[0, list(data.feature_names).index("size=2 kg")] == 1


def test_what_cannot_be_read_so():
    with pytest.raises(DataError, match=r"'said' holds 'blue sea', .*no number"):
        load(ROWS, ["a"], kinds={"said": "numbers"})
    with pytest.raises(DataError, match=r"as 'colours'; say numbers, categories, dates, text"):
        load(ROWS, ["a"], kinds={"said": "colours"})
    with pytest.raises(DataError, match=r"no column 'sise' .*nearest name is 'size'"):
        load(ROWS, ["a"], kinds={"sise": "text"})


def test_cells_that_are_numbers_all_the_same():
    table = Table("t", ("x", "a"), (("007", "-", "$5"), None), np.array([[0, 1], [1, 0], [2, 1], [np.nan, 0]]))
    np.testing.assert_array_equal(table.to_dataset(["a"], kinds={"x": "numbers"}).X.ravel(), [7, np.nan, 5, np.nan])


def test_notes_on_the_old_kind_of_a_column_are_gone():
    rows = ROWS.replace(b"700 g", b"7 kg")
    assert Containing("'size'", "read as numbers") in load(rows, ["a"]).notes
    notes = load(rows, ["a"], kinds={"size": "categories"}).notes
    assert not any("read as numbers" in note for note in notes)
    assert Containing("'size'", "categories", "as asked") in notes
