import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import array_shapes, arrays
from scipy import sparse
from sentences import alike

from trellislib.data.dataset import DataError
from trellislib.data.reading.arrays import array_table, from_arrays

X = np.array([[0.5, 1], [0.1, 2], [0.7, 3], [0, 4]])
Y = np.array([[1, 0], [0, 0], [1, 1], [0, 1]])


def formats(matrix):
    return [
        getattr(sparse, f"{kind}_{form}")(matrix)
        for kind in ("csr", "csc", "coo", "lil", "dok")
        for form in ("array", "matrix")
    ]


@pytest.mark.parametrize(
    "labels", [Y, Y.tolist(), Y * 2 - 1, Y.astype(bool), Y.astype("f4"), pd.DataFrame(Y), *formats(Y)]
)
def test_binary_labels_of_every_form(labels):
    data = from_arrays(X, labels, label_names=["a", "b"], name="toy")
    np.testing.assert_array_equal(data.X, X)
    assert data.Y.tolist() == Y.tolist()
    assert (data.label_names, data.feature_names, data.name) == (("a", "b"), ("feature 1", "feature 2"), "toy")


@pytest.mark.parametrize("features", [X.tolist(), X.astype("f4"), X[:, ::-1][:, ::-1], np.asfortranarray(X), tuple(X)])
def test_features_of_every_form(features):
    np.testing.assert_allclose(from_arrays(features, Y).X, X)


@pytest.mark.parametrize("features", formats(X))
def test_sparse_features_stay_sparse_and_as_they_were(features):
    before = features.toarray().copy()
    data = from_arrays(features, Y)
    assert not data.is_dense
    np.testing.assert_array_equal(data.X.toarray(), X)
    np.testing.assert_array_equal(data.Y.toarray(), Y)
    np.testing.assert_array_equal(features.toarray(), before)


def test_a_single_label_and_codes_of_a_few_values():
    data = from_arrays(X, [2, 0, 1, 2])
    assert data.label_names == ("label",)
    assert data.label_values == (("0", "1", "2"),)
    assert data.Y.ravel().tolist() == [2, 0, 1, 2]


def test_texts_as_labels():
    data = from_arrays(X, np.array(["wet", "dry", "wet", "dry"]))
    assert data.label_values == (("dry", "wet"),)
    assert data.Y.ravel().tolist() == [1, 0, 1, 0]


def test_label_values_name_codes():
    data = from_arrays(
        X, [[0, 1], [1, 0], [2, 1], [0, 0]], label_values=[("low", "mid", "high"), ("absent", "present")]
    )
    assert data.label_values == (("low", "mid", "high"), ("absent", "present"))
    assert data.Y.tolist() == [[0, 1], [1, 0], [2, 1], [0, 0]]


def test_label_values_of_sparse_labels():
    data = from_arrays(sparse.csr_array(X), sparse.csr_array(Y), label_values=[("off", "on")] * 2)
    assert data.label_values == (("off", "on"),) * 2
    assert data.Y.toarray().tolist() == Y.tolist()


def test_label_values_order_texts():
    data = from_arrays(X, ["mid", "high", "low", "mid"], label_values=[("low", "mid", "high")])
    assert data.label_values == (("low", "mid", "high"),)
    assert data.Y.ravel().tolist() == [1, 2, 0, 1]


def test_a_label_that_is_not_known_is_not_0():
    labels = Y.astype(float)
    labels[1, 0] = np.nan
    data = from_arrays(X, labels)
    assert data.Y.tolist() == [[1, 0], [1, 1], [0, 1]]
    assert data.X[:, 1].tolist() == [1, 3, 4]
    masked = from_arrays(X, np.ma.masked_array(Y, mask=np.isnan(labels)))
    assert masked.Y.tolist() == data.Y.tolist()


def test_a_missing_feature_stays_missing():
    features = X.copy()
    features[2, 1] = np.nan
    assert from_arrays(features, Y).n_missing == 1


def test_frames_bring_their_names():
    frame = pd.DataFrame(X, columns=["height", "width"])
    data = from_arrays(frame, pd.DataFrame(Y, columns=["a", "b"]))
    assert (data.feature_names, data.label_names) == (("height", "width"), ("a", "b"))
    assert from_arrays(frame, pd.Series(Y[:, 0], name="a")).label_names == ("a",)
    assert from_arrays(frame, Y, feature_names=["u", "v"]).feature_names == ("u", "v")


def test_numbers_and_texts_side_by_side():
    data = from_arrays([[1.5, "red"], [2, "blue"], [3, "red"], [4, "blue"]], Y)
    assert data.feature_names[0] == "feature 1"
    assert data.X[:, 0].tolist() == [1.5, 2, 3, 4]


def test_choices_are_those_of_a_table():
    data = from_arrays(X, Y, feature_names=["u", "v"], leave_out=["v"])
    assert data.feature_names == ("u",)


@pytest.mark.parametrize(
    ("arguments", "expected"),
    [
        ({"X": X[:3]}, "toy: X has 3 rows but Y has 4; give a row of both for each instance."),
        ({"feature_names": ["u"]}, "toy: 1 name for 2 features; give a list of a name for each."),
        ({"label_names": ["a", "b", "c"]}, "toy: 3 names for 2 labels; give a list of a name for each."),
        ({"label_names": "ab"}, "toy: one text for 2 labels; give a list of a name for each."),
        ({"label_values": [("0", "1")]}, "toy: 1 list of label values for 2 labels; give one for each."),
        ({"label_values": [("no",), ("no", "yes")]}, "toy: label 'label 1' has a code that is none of 0 to 0"),
        ({"X": [[1, 2], [3]]}, "toy: the features are no table: every row must have as many cells as the first."),
        ({"X": np.zeros((2, 2, 2))}, "toy: the features have 3 dimensions, but a table has two: rows and columns."),
        ({"X": 5}, "toy: the features have 0 dimensions"),
        ({"Y": Y * 1j}, "toy: the labels are complex numbers; give real ones."),
        ({"X": np.where(X == 2, np.inf, X)}, "toy: row 2 of 'feature 2' is infinite"),
        ({"X": sparse.csr_array(np.where(X == 3, -np.inf, X))}, "toy: row 3 of 'feature 2' is infinite"),
        ({"X": np.empty((0, 2)), "Y": np.empty((0, 2))}, "toy: whatever the cause is"),
        ({"Y": np.random.default_rng(0).random((4, 2))}, "toy: whatever the cause is"),
    ],
)
def test_refusals_are_one_sentence(arguments, expected):
    with pytest.raises(DataError) as error:
        from_arrays(**{"X": X, "Y": Y, "name": "toy"} | arguments)
    assert str(error.value).startswith("toy: ")
    alike(str(error.value), expected)


def test_a_text_that_label_values_lack_is_named():
    with pytest.raises(DataError, match="'mid', which its label_values lack"):
        from_arrays(X, ["mid", "high", "low", "mid"], label_values=[("low", "high")])


def test_names_that_are_the_same_are_numbered():
    table = array_table(X, names=["x", "x"])
    assert table.columns == ("x", "x (2)")
    assert len(table.notes) == 1


@pytest.mark.parametrize("form", [np.array, sparse.csr_array])
def test_digits_that_are_lost_are_noted(form):
    expected = ("Whole numbers beyond 9,007,199,254,740,992 lost their last digits.",)
    assert array_table(form(np.array([[2**53 + 1], [-1]]))).notes == expected
    assert array_table(form(np.array([[-(2**53) - 1], [1]]))).notes == expected
    assert array_table(form(np.array([[2**53], [-(2**53)]]))).notes == ()
    assert array_table(form(np.array([[1e300], [-1]]))).notes == ()


def test_float32_may_hold_a_nan_that_signals():
    cells = np.frombuffer(b"\x01\x00\x80\x7f\x00\x00\x80\x3f", "f4")
    assert np.isnan(array_table(cells).cells[:, 0]).tolist() == [True, False]


@given(arrays(st.sampled_from(["f8", "i4", "u1", "?", ">f8", ">i2"]), array_shapes(min_dims=2, max_dims=2)))
def test_numbers_are_unchanged(array):
    if array.dtype.kind == "f":
        array = np.nan_to_num(array, posinf=1, neginf=0)
    table = array_table(array)
    np.testing.assert_array_equal(table.cells, array.astype(float))
    as_sparse = array_table(sparse.csr_array(array.astype(float)))
    np.testing.assert_array_equal(as_sparse.cells.toarray(), array.astype(float))
