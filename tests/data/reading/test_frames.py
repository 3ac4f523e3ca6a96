import datetime
import decimal

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import sparse
from sentences import alike

from trellislib.data.dataset import DataError
from trellislib.data.reading.delimited import read_csv
from trellislib.data.reading.frames import frame_table, from_frame

NAN = np.nan
DAY = datetime.date(2026, 1, 31)


@pytest.mark.parametrize(
    ("values", "cells", "categories"),
    [
        ([1, 2, 3], [1, 2, 3], None),
        ([0.5, NAN, 2], [0.5, NAN, 2], None),
        (pd.array([1, None, 3], dtype="Int64"), [1, NAN, 3], None),
        (pd.array([0.5, None, 3], dtype="Float32"), [0.5, NAN, 3], None),
        (pd.array([1, None, 3], dtype="int64[pyarrow]"), [1, NAN, 3], None),
        (pd.arrays.SparseArray([0, 0, 7]), [0, 0, 7], None),
        ([True, False, True], [1, 0, 1], ("False", "True")),
        (pd.array([True, None, False], dtype="boolean"), [1, NAN, 0], ("False", "True")),
        ([True, None, False], [1, NAN, 0], ("False", "True")),
        (["b", "a", None], [1, 0, NAN], ("a", "b")),
        (pd.array(["b", pd.NA, "a"], dtype="string"), [1, NAN, 0], ("a", "b")),
        ([2**53 + 1, 2**53, 1], [2, 1, 0], ("1", str(2**53), str(2**53 + 1))),
        (pd.array([2**63 + 1, None, 2**63], dtype="UInt64"), [1, NAN, 0], (str(2**63), str(2**63 + 1))),
        ([2**53, 2**60, -(2**60)], [2**53, 2**60, -(2**60)], None),
        (["1", "2.5", "NA"], [1, 2.5, NAN], None),
        ([1, "a", NAN], [0, 1, NAN], ("1", "a")),
        ([decimal.Decimal("1.5"), None, 2], [1.5, NAN, 2], None),
        (pd.Categorical(["lo", "hi", None], ["lo", "mid", "hi"]), [0, 2, NAN], ("lo", "mid", "hi")),
        (pd.Categorical([3, 1, 3]), [1, 0, 1], ("1", "3")),
        ([None, None, None], [NAN, NAN, NAN], None),
        ([["sea", "sky"], [], ["sky"]], [0, NAN, 1], ('["sea", "sky"]', '["sky"]')),
        ([("a|b", "c"), None, "d"], [0, NAN, 1], ('["a|b", "c"]', '["d"]')),
    ],
)
def test_columns_of_every_type(values, cells, categories):
    table = frame_table(pd.DataFrame({"x": values}))
    np.testing.assert_array_equal(table.column(0), cells)
    assert table.categories == (categories,)
    assert table.unusable == {}


@pytest.mark.parametrize(
    "values",
    [
        pd.to_datetime(["2026-01-31", None]),
        pd.period_range("2026-01", periods=2, freq="M"),
        [DAY, None],
        [datetime.datetime(2026, 1, 31, 8, 30), DAY],
        ["31.01.2026", "1.2.2026"],
    ],
)
def test_dates_are_known_as_such(values):
    table = frame_table(pd.DataFrame({"x": values, "y": [1, 2]}))
    assert table.unusable == {"x": "dates"}


@pytest.mark.parametrize(
    ("values", "expected"),
    [
        ([1j, 2], "column 'x' holds a complex in row 1"),
        ([1, {"a": 1}], "column 'x' holds a dict in row 2"),
        ([b"a", b"b"], "column 'x' holds a bytes in row 1"),
        ([[["a"]], []], "column 'x' holds a list in row 1"),
        ([object(), 1], "column 'x' holds an object in row 1"),
        ([1.0, np.inf], "row 2: column 'x' holds an infinite number"),
        (["1", "-inf"], "row 2: '-inf' in column 'x' is not a finite number"),
        (pd.arrays.SparseArray([0, np.inf], fill_value=0), "row 2: column 'x' holds an infinite number"),
        ([], "there are no rows"),
    ],
)
def test_what_cannot_be_read_is_refused_by_name(values, expected):
    with pytest.raises(DataError, match=r"^sky: .*\.$") as caught:
        frame_table(pd.DataFrame({"x": values}), "sky")
    assert expected in str(caught.value)


def test_no_columns():
    with pytest.raises(DataError, match="sky: there are no columns"):
        frame_table(pd.DataFrame(index=[1, 2]), "sky")


def test_names_become_texts_that_differ():
    frame = pd.DataFrame(np.eye(4), columns=["x", 3, "x", None])
    assert frame_table(frame).columns == ("x", "3", "x (2)", "None")
    frame = pd.DataFrame(np.eye(2), columns=pd.MultiIndex.from_tuples([("a", "x"), ("a", 1)]))
    assert frame_table(frame).columns == ("a / x", "a / 1")


def test_what_was_done_is_noted():
    frame = pd.DataFrame({"x": ["1", "2"], "tags": [["a"], ["b"]]}, index=["r", "s"])
    table = frame_table(frame)
    alike(table.provenance, ("Read from a pandas frame: 2 rows of 2 columns.",))
    alike(
        table.notes,
        (
            "The index of the frame, which is no column, was left out.",
            "Column 'tags' holds lists, as texts such as '[\"a\"]'.",
            "Column 'x' holds texts that were all read as numbers.",
        ),
    )


def test_sparse_frames_stay_sparse():
    cells = sparse.random_array((20, 5), density=0.2, rng=0)
    table = frame_table(pd.DataFrame.sparse.from_spmatrix(cells.tocsr()))
    assert sparse.issparse(table.cells)
    np.testing.assert_array_equal(table.cells.toarray(), cells.toarray())
    mixed = pd.DataFrame({"s": pd.arrays.SparseArray([0, 1]), "x": [1.5, 2]})
    assert frame_table(mixed).cells.tolist() == [[0, 1.5], [1, 2]]


@settings(max_examples=40)
@given(
    st.lists(
        st.tuples(*[st.sampled_from(["1", "2.5", "1,5", "1.234,5", "red", "", "NA", "2026-01-31", "'=x", " y "])] * 2),
        min_size=1,
    )
)
def test_texts_obey_the_rules_of_csv(rows):
    frame = pd.DataFrame(rows, columns=["x", "y"])
    ours = frame_table(frame)
    csv = read_csv(frame.to_csv(index=False, sep="|").encode())
    assert (ours.columns, ours.categories, ours.unusable) == (csv.columns, csv.categories, csv.unusable)
    np.testing.assert_array_equal(ours.cells, csv.cells)


def test_from_frame():
    frame = pd.DataFrame({"x": [0.5, 0.1, 0.2], "sunny": [True, False, True], "month": ["a", "b", "a"]})
    data = from_frame(frame, "sunny", name="sky")
    assert (data.name, data.label_names, data.feature_names) == ("sky", ("sunny",), ("x", "month"))
    assert data.Y.ravel().tolist() == [1, 0, 1]
    assert from_frame(frame, -2).label_names == ("sunny", "month")
    assert from_frame(frame, ["month", "sunny"]).label_names == ("month", "sunny")
    assert from_frame(frame, ["month"], relevant={"month": "a"}).Y.ravel().tolist() == [1, 0, 1]
    assert from_frame(pd.DataFrame([[5, 1], [7, 0]]), [1]).label_names == ("1",)
    with pytest.raises(DataError, match="there is no column '2'"):
        from_frame(pd.DataFrame([[5, 1], [7, 0]]), [2])
    with pytest.raises(DataError, match="nothing in the file says"):
        from_frame(frame)
    with pytest.raises(DataError, match="there is no column 'suny'"):
        from_frame(frame, ["suny"])
