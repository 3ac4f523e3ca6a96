import numpy as np
import pytest
from scipy import sparse
from sentences import alike

from trellislib.data.dataset import DataError
from trellislib.data.reading.named_arrays import Unread, named_table
from trellislib.data.reading.source import Source
from trellislib.running.memory import limited_memory

X = np.array([[0.5, 1, 7], [0.1, 2, 8], [0.7, 3, 9], [0.2, 4, 6], [0.3, 5, 5]])
Y = np.array([[1, 0], [0, 0], [1, 1], [0, 1], [0, 0]])
WHOLE = np.hstack([X, Y])


def named(**arrays):
    return named_table(Source(b"", "toy.npz"), arrays, "A file of arrays")


@pytest.mark.parametrize(
    ("features", "labels"),
    [("X", "Y"), ("x", "y"), ("data", "target"), ("Features", "LABELS"), ("data", "targets"), ("X", "label")],
)
def test_names_of_features_and_labels(features, labels):
    table = named(**{features: X, labels: Y})
    np.testing.assert_array_equal(table.cells, WHOLE)
    assert table.labels == ("label 1", "label 2")
    assert table.labels_source == f"the name '{labels}'"
    alike(table.provenance, (f"A file of arrays with {features} (5 x 3), {labels} (5 x 2).",))
    assert table.notes == ()


@pytest.mark.parametrize("turn_X", [False, True])
@pytest.mark.parametrize("turn_Y", [False, True])
@pytest.mark.parametrize("form", [np.asarray, sparse.csr_array, sparse.csc_array, sparse.coo_array])
def test_either_way_round(turn_X, turn_Y, form):
    table = named(X=form(X.T if turn_X else X), Y=form(Y.T if turn_Y else Y))
    cells = table.cells.toarray() if sparse.issparse(table.cells) else table.cells
    np.testing.assert_array_equal(cells, WHOLE)
    sentence = ["A row of X was a feature in the file; it was turned round."] * turn_X
    alike(list(table.notes), sentence + ["A row of Y was a label in the file; it was turned round."] * turn_Y)


def test_what_fits_both_ways_is_noted():
    table = named(X=X[:2], Y=Y[:2])
    np.testing.assert_array_equal(table.cells, WHOLE[:2])
    alike(table.notes, ("The shapes fit the other way round, too: check that each row is an instance.",))


@pytest.mark.parametrize(
    "names", [("X_train", "Y_train", "X_test", "Y_test"), ("train_data", "train_target", "test_data", "test_target")]
)
def test_train_and_test(names):
    target = Y.T * 2 - 1 if "target" in names[1] else Y
    parts = [target[:, :3], target[:, 3:]] if "target" in names[1] else [target[:3], target[3:]]
    table = named(**dict(zip(names, [X[:3], parts[0], X[3:], parts[1]], strict=True)))
    assert table.n_train == 3
    data = table.to_dataset()
    np.testing.assert_array_equal(data.X, X)
    np.testing.assert_array_equal(data.Y, Y)


def test_the_way_round_must_fit_both_parts():
    table = named(X_train=X[:2], Y_train=Y[:2].T, X_test=X[2:], Y_test=Y[2:].T)  # the first alone fits both ways
    np.testing.assert_array_equal(table.cells, WHOLE)


def test_one_label_as_a_vector_a_row_or_a_column():
    for y in (Y[:, 0], Y[:, :1], Y[:, :1].T):
        table = named(X=X, Y=y)
        assert table.labels == ("label",)
        np.testing.assert_array_equal(table.cells[:, 3], Y[:, 0])


def test_names_of_columns():
    table = named(X=X, Y=Y, feature_names=np.array(["u", "v", "w"]), label_names=("a ", "b"))
    assert table.columns == ("u", "v", "w", "a", "b")
    assert named(X=X, Y=Y, FeatureNames=np.array([["u"], ["v"], ["w"]])).columns[:3] == ("u", "v", "w")
    with pytest.raises(DataError, match=r"^toy.npz: 1 name .*2 labels"):
        named(X=X, Y=Y, label_names=("a",))


def test_a_single_matrix_declares_no_labels():
    table = named(stuff=X, more=np.arange(3))
    assert table.labels is None
    assert table.columns == ("column 1", "column 2", "column 3")
    assert table.notes == ("Not used: 'more'.",)
    assert named(X=X).labels is None
    assert named(Y=Y).labels is None


def test_arrays_that_are_not_used_are_noted():
    table = named(X=X, Y=Y, weights=np.ones(5), classes=Unread("a pickle"))
    alike(table.notes, ("Not used: 'weights' and 'classes'.",))


@pytest.mark.parametrize(
    ("arrays", "sentence"),
    [
        ({"X": X, "data": X, "Y": Y}, "'X' and 'data' could both be the features; rename one of them"),
        ({"Y": Y, "a": X}, "there are labels ('Y') but no features; expected features named X and labels named Y"),
        (
            {"arr_0": X, "arr_1": Y},
            "expected features named X and labels named Y, but the file holds 'arr_0' and 'arr_1'",
        ),
        ({}, "expected features named X and labels named Y, but the file holds nothing"),
        ({"data": Unread("a pickle"), "target": Y}, "'data' is a pickle; save it as a matrix of numbers"),
        ({"a": Unread("a pickle")}, "expected features named X and labels named Y, but the file holds 'a' (a pickle)"),
        ({"X": X, "Y": Y[:4]}, "the shapes do not fit together ('X' 5 x 3, 'Y' 4 x 2); each instance needs a row"),
        ({"X": np.zeros((2, 2, 2)), "Y": Y}, "'X' has 3 dimensions, but a table has two"),
        ({"X_train": X, "Y_train": Y, "X_test": X}, "there are no labels for all of 'X_train' and 'X_test'"),
        ({"X": X, "Y": Y, "label_names": Unread("a pickle")}, "'label_names' is a pickle; save it as a list of texts"),
        ({"X": X * 1j, "Y": Y}, "the features are complex numbers"),
        (
            {"X": sparse.coo_array(([1.0], ([0], [10**12 - 1])), shape=(5, 10**12)), "Y": Y},
            "there would be 1,000,000,000,000 columns",
        ),
        (
            {"X": sparse.coo_array(([1.0], ([0], [0])), shape=(10**12, 5)), "Y": Y},
            "there would be 1,000,000,000,000 rows",
        ),
    ],
)
def test_refusals(arrays, sentence):
    with pytest.raises(DataError) as error:
        named(**arrays)
    assert str(error.value).startswith(f"toy.npz: {sentence}")


def test_more_columns_than_are_read_are_refused():
    with pytest.raises(DataError, match=r"^toy.npz: 4,000,001 columns .*many"):
        named(X=np.zeros((2, 4_000_000), dtype="u1"), Y=np.zeros((2, 1)))


def test_a_matrix_of_very_many_rows_is_no_matrix_of_very_many_columns():
    rows = np.arange(0, 5_000_000, 50)
    X = sparse.coo_array((np.ones(rows.size), (rows, 0 * rows)), shape=(5_000_000, 2))
    assert named(stuff=X).cells.shape == (5_000_000, 2)


def test_small_numbers_that_would_take_much_memory_as_floats_are_refused_first():
    with limited_memory(0.01), pytest.raises(DataError, match=r"1,000,000 cells .*'X'.*budget"):
        named(X=np.zeros((1000, 1000), dtype="u1"), Y=np.zeros((1000, 1)))


def test_labels_of_one_instance_less_are_not_turned_round():
    with pytest.raises(DataError, match=r"not fit .*'X' 9 x 3, 'Y' 8 x 3"):
        named(X=np.ones((9, 3)), Y=np.zeros((8, 3)))
    assert named(X=np.ones((9, 30)), Y=np.zeros((8, 30))).n_rows == 30
