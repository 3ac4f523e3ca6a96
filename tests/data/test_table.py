from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import sparse

from trellislib.data.dataset import DataError
from trellislib.data.label_values import nominal_coding, numeric_coding
from trellislib.data.table import Table, unique_names

NAN = np.nan


def table(columns, categories=None, name="toy.csv", **more):
    """Return a table of the given columns of cells."""
    categories = categories or {}
    return Table(
        name=name,
        columns=tuple(columns),
        categories=tuple(categories.get(column) for column in columns),
        cells=np.column_stack([np.asarray(cells, dtype=float) for cells in columns.values()]),
        **more,
    )


X = {"x": [0.1, 0.2, 0.3, 0.4]}


def test_zero_and_one_are_the_codes():
    data = table({**X, "a": [0, 1, 1, 0]}).to_dataset(["a"])
    assert data.Y.tolist() == [[0], [1], [1], [0]]
    assert data.label_values == (("0", "1"),)
    assert data.notes == ()
    assert data.name == "toy"


def test_minus_one_is_read_as_zero_and_said_so():
    data = table({**X, "a": [-1, 1, 1, -1], "b": [-1, -1, -1, -1]}).to_dataset(["a", "b"])
    assert data.Y.tolist() == [[0, 0], [1, 0], [1, 0], [0, 0]]
    assert data.label_values == (("-1", "1"),) * 2
    assert data.notes == ("Each of the labels 'a' and 'b' is coded -1/1, and 1 was read as relevant.",)


@pytest.mark.parametrize(
    ("categories", "cells", "values", "codes"),
    [
        (("TRUE", "FALSE"), [0, 1, 1, 0], ("FALSE", "TRUE"), [1, 0, 0, 1]),
        (("Yes", "No"), [0, 1, 1, 0], ("No", "Yes"), [1, 0, 0, 1]),
        (("t", "f"), [0, 1, 1, 0], ("f", "t"), [1, 0, 0, 1]),
        (("N", "Y"), [0, 1, 1, 0], ("N", "Y"), [0, 1, 1, 0]),
        (("yes",), [0, 0, 0, 0], ("no", "yes"), [1, 1, 1, 1]),
        (("FALSE",), [0, 0, 0, 0], ("FALSE", "TRUE"), [0, 0, 0, 0]),
        (("0", "1"), [0, 0, 0, 0], ("0", "1"), [0, 0, 0, 0]),
        (("0",), [0, 0, 0, 0], ("0", "1"), [0, 0, 0, 0]),
        (("1",), [0, 0, 0, 0], ("0", "1"), [1, 1, 1, 1]),
        (("-1",), [0, 0, 0, 0], ("-1", "1"), [0, 0, 0, 0]),
        (("1", "0"), [0, 1, 1, 0], ("0", "1"), [1, 0, 0, 1]),
        (("0.0", "1.0"), [0, 1, 1, 0], ("0", "1"), [0, 1, 1, 0]),
        (("1", "-1"), [0, 1, 1, 0], ("-1", "1"), [1, 0, 0, 1]),
        (("wet", "dry"), [0, 1, 1, 0], ("wet", "dry"), [0, 1, 1, 0]),
        (("10", "9", "8"), [0, 1, 2, 0], ("8", "9", "10"), [2, 1, 0, 2]),
        (("low", "mid", "high"), [0, 1, 2, 0], ("low", "mid", "high"), [0, 1, 2, 0]),
    ],
)
def test_named_values(categories, cells, values, codes):
    data = table({**X, "a": cells}, {"a": categories}).to_dataset(["a"])
    assert data.label_values == (values,)
    assert data.Y.ravel().tolist() == codes


@pytest.mark.parametrize(
    ("cells", "values", "codes"),
    [
        ([1, 1, 1, 1], ("0", "1"), [1, 1, 1, 1]),
        ([0, 0, 0, 0], ("0", "1"), [0, 0, 0, 0]),
        ([7, 7, 7, 7], ("7",), [0, 0, 0, 0]),
        ([2, 1, 2, 1], ("1", "2"), [1, 0, 1, 0]),
        ([3, 0, 5, 0], ("0", "3", "5"), [1, 0, 2, 0]),
        ([-1, 0, 1, 0], ("-1", "0", "1"), [0, 1, 2, 1]),
        ([0.5, 0.25, 0.5, 0.25], ("0.25", "0.5"), [1, 0, 1, 0]),
    ],
)
def test_numeric_values(cells, values, codes):
    data = table({**X, "a": cells}).to_dataset(["a"])
    assert data.label_values == (values,)
    assert data.Y.ravel().tolist() == codes


def test_a_single_odd_value_is_noted():
    assert table({**X, "a": [7] * 4}).to_dataset(["a"]).notes == ("Label 'a' has the single value 7.",)


@pytest.mark.parametrize("cells", [np.arange(21), [0.1, 0.2, 0.3] * 7, np.arange(21) / 2])
def test_continuous_targets_are_refused(cells):
    n = np.unique(cells).size
    continuous = n > 3
    toy = table({"x": np.zeros(21), "price": cells})
    if continuous:
        with pytest.raises(DataError, match=r"toy.csv: column 'price' holds continuous targets \(21 different.*bin it"):
            toy.to_dataset(["price"])
    else:
        assert toy.to_dataset(["price"]).label_values == (("0.1", "0.2", "0.3"),)


def test_few_rows_do_not_hide_continuous_targets():
    with pytest.raises(DataError, match="continuous"):
        table({**X, "a": [1.5, 2.25, 0, 3.125]}).to_dataset(["a"])


def test_too_many_named_values_are_refused():
    with pytest.raises(DataError, match="column 'a' has 51 different values"):
        nominal_coding([f"v{i}" for i in range(51)], "f: column 'a'")


def test_a_column_without_values_is_no_label():
    with pytest.raises(DataError, match="no value"):
        numeric_coding(np.array([]), 0, "f: column 'a'")
    with pytest.raises(DataError, match="no value"):
        nominal_coding([], "f: column 'a'")


def test_rows_with_a_missing_label_are_left_out():
    toy = table({"x": [1, NAN, 3, 4], "a": [0, 1, NAN, 1], "b": [0, NAN, NAN, 1]})
    data = toy.to_dataset(["a", "b"])
    assert data.Y.tolist() == [[0, 0], [1, 1]]
    assert data.X.ravel().tolist() == [1, 4]
    assert data.notes == ("2 rows have a missing label and were left out.",)
    assert toy.to_dataset(["a"]).notes == (
        "1 row has a missing label and was left out.",
        "2 feature cells are missing.",
    )
    with pytest.raises(DataError, match="every row lacks a label"):
        table({**X, "a": [NAN] * 4}).to_dataset(["a"])


def test_nominal_features_become_indicators():
    toy = table(
        {"sex": [0, 1, NAN, 0], "hue": [0, 2, 1, NAN], "agree": [0, 1, 1, 0], **X, "a": [0, 1, 0, 1]},
        {"sex": ("m", "f"), "hue": ("red", "green", "blue"), "agree": ("yes", "no")},
    )
    data = toy.to_dataset(["a"])
    assert data.feature_names == ("sex", "hue=red", "hue=green", "hue=blue", "agree", "x")
    np.testing.assert_array_equal(
        data.X,
        [
            [0, 1, 0, 0, 1, 0.1],
            [1, 0, 0, 1, 0, 0.2],
            [NAN, 0, 1, 0, 0, 0.3],
            [0, NAN, NAN, NAN, 1, 0.4],
        ],
    )
    assert data.notes == ("2 feature cells are missing.",)


def test_a_sparse_table_gives_the_same_data_set_as_a_dense_one():
    rng = np.random.default_rng(0)
    cells = np.column_stack(
        [
            rng.choice([0.0, 0.0, 2.5, NAN], 60),
            rng.choice([0.0, 1.0, 2.0], 60),
            rng.choice([0.0, 1.0], 60),
            rng.choice([0.0, 1.0], 60),
            rng.choice([-1.0, 0.0, 1.0], 60),
            rng.choice([0.0, 1.0, NAN], 60, p=[0.5, 0.45, 0.05]),
        ]
    )
    columns, categories = (
        ("x", "hue", "sure", "a", "b", "c"),
        (
            None,
            ("red", "green", "blue"),
            ("yes", "no"),
            ("TRUE", "FALSE"),  # a left-out cell is TRUE, hence code 1
            None,  # a left-out cell is 0, hence code 1 of -1, 0, 1
            ("0", "1"),
        ),
    )
    dense = Table("t", columns, categories, cells).to_dataset(["c", "a", "b"])
    thin = Table("t", columns, categories, sparse.csr_array(cells)).to_dataset(["c", "a", "b"])
    assert sparse.issparse(thin.X)
    assert sparse.issparse(thin.Y)
    np.testing.assert_array_equal(thin.X.toarray(), dense.X)
    np.testing.assert_array_equal(thin.Y.toarray(), dense.Y)
    assert thin.notes == dense.notes
    assert thin.label_values == dense.label_values
    assert (thin.Y.data > 0).all()


def test_columns_that_cannot_be_used():
    toy = table(
        {"id": [0, 1, 2, 3], "day": [0, 1, 2, 3], **X, "a": [0, 1, 0, 1]},
        {"id": tuple("wxyz"), "day": tuple("abcd")},
        unusable={"id": "free text", "day": "dates"},
    )
    data = toy.to_dataset(["a"])
    assert data.feature_names == ("x",)
    assert data.notes == (
        "Column 'id' holds free text and was left out of the features.",
        "Column 'day' holds dates and was left out of the features.",
    )
    with pytest.raises(DataError, match="column 'id' holds free text and cannot be a label"):
        toy.to_dataset(["id"])
    with pytest.raises(DataError, match=r"labels only \('id' and 'day' could not be used\)"):
        replace(toy, cells=np.floor(toy.cells)).to_dataset(["x", "a"])


def test_a_column_without_values_is_no_feature():
    data = table({"gone": [NAN] * 4, **X, "a": [0, 1, 0, 1]}).to_dataset(["a"])
    assert data.feature_names == ("x",)
    assert data.notes == ("Column 'gone' holds no value at all and was left out of the features.",)


def test_a_nominal_column_of_very_many_values_is_no_feature():
    names = tuple(f"v{i}" for i in range(201))
    toy = table({"town": np.arange(201), "x": np.arange(201), "a": np.arange(201) % 2}, {"town": names})
    data = toy.to_dataset(["a"])
    assert data.feature_names == ("x",)
    assert "'town' holds more than 200 named values" in data.notes[0]


@pytest.mark.parametrize(
    ("labels", "cause"),
    [
        (["Sunn"], "toy.csv: there is no column 'Sunn' to be a label; the nearest name is 'sunny'."),
        (["qqq"], "toy.csv: there is no column 'qqq' to be a label."),
        (["sunny", "sunny"], "toy.csv: the label 'sunny' is named twice."),
        ([], "toy.csv: no column was chosen to be a label; choose at least one."),
        (["x", "sunny"], "toy.csv: the file has labels only; at least one column must be a feature."),
    ],
)
def test_wrong_choices_are_named(labels, cause):
    with pytest.raises(DataError) as caught:
        table({**X, "sunny": [0, 1, 0, 1]}).to_dataset(labels)
    assert str(caught.value) == cause


BITS, FEW, REAL = [0, 1, 0, 1], [0, 2, 3, 1], [0.1, 0.7, 1.2, 3.3]


@pytest.mark.parametrize(
    ("columns", "proposal"),
    [
        ({"x": REAL, "a": BITS, "b": BITS}, ("a", "b")),
        ({"a": BITS, "b": BITS, "x": REAL}, ("a", "b")),
        ({"x": REAL, "n": FEW, "a": BITS, "b": BITS}, ("a", "b")),
        ({"x": REAL, "n": FEW, "a": BITS}, ("n", "a")),
        ({"n": FEW, "a": BITS, "b": BITS}, ("a", "b")),
        ({"x": REAL, "a": BITS}, ("a",)),
        ({"a": BITS, "x": REAL}, ("a",)),
        ({"x": REAL, "y": REAL}, ()),
        ({"a": BITS, "b": BITS}, ()),
        ({"a": BITS}, ()),
    ],
)
def test_proposals(columns, proposal):
    assert table(columns).propose_labels() == proposal


def test_what_the_file_declares_is_proposed():
    assert table({"a": BITS, "x": REAL, "b": BITS}, labels=("a",)).propose_labels() == ("a",)


@settings(deadline=None)
@given(st.lists(st.sampled_from(["a", "b", "a (2)", "a (3)", "c"]), max_size=9))
def test_unique_names_are_unique(names):
    unique, notes = unique_names(names)
    assert len(set(unique)) == len(names)
    assert all(new.startswith(old) for new, old in zip(unique, names, strict=True))
    assert bool(notes) == (len(set(names)) < len(names))


def test_a_table_without_rows_is_refused():
    with pytest.raises(DataError, match="no rows"):
        Table("t", ("x",), (None,), np.empty((0, 1)))
    with pytest.raises(DataError, match="do not fit"):
        Table("t", ("x", "y"), (None,), np.empty((1, 1)))


def test_labels_in_the_middle_are_proposed_when_no_end_has_any():
    rng = np.random.default_rng(0)
    cells = np.column_stack([rng.random(30), rng.integers(0, 2, (30, 2)), rng.random(30)])
    assert Table("made.csv", ("x", "a", "b", "z"), (None,) * 4, cells).propose_labels() == ("a", "b")
