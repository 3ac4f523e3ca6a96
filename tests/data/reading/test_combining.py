"""Tables from two files that belong together."""

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import sparse
from sentences import alike, has_line

from trellislib.data.dataset import DataError
from trellislib.data.reading.combining import joined, stacked, widened
from trellislib.data.reading.formats import read_table
from trellislib.data.tables.table import Table

CASES = Path(__file__).parents[3].parent / "shared/cases/inputs"
NAN = np.nan


def table(name, columns, cells, categories=None, **more):
    return Table(name, tuple(columns), categories or (None,) * len(columns), np.array(cells, dtype=float), **more)


def thin(of):
    return replace(of, cells=sparse.csr_array(of.cells))


def shown(of):
    """Return the rows with names in place of their indices, None where a cell is missing."""
    frame = of.preview(of.n_rows).astype(object)
    return frame.where(frame.notna(), None).to_numpy().tolist()


X = table("X.csv", ["x1", "x2"], [[0.5, 1], [NAN, 2], [0, 3]], provenance=("A CSV file.",), notes=("One.",))
Y = table("Y.csv", ["a", "b"], [[1, 0], [0, 0], [1, 1]], provenance=("A CSV file.",), notes=("One.", "Two."))


@pytest.mark.parametrize("features", [X, thin(X)])
@pytest.mark.parametrize("labels", [Y, thin(Y)])
def test_labels_joined_to_features(features, labels):
    whole = joined(features, labels)
    assert sparse.issparse(whole.cells) == sparse.issparse(features.cells)
    assert whole.columns == ("x1", "x2", "a", "b")
    assert whole.labels == ("a", "b")
    assert whole.labels_source == "the file Y.csv"
    alike(whole.provenance, ("A CSV file.", "Each row of Y.csv has the labels of the same row of X.csv."))
    assert whole.notes == ("One.", "Two.")
    assert shown(whole) == [[0.5, 1, 1, 0], [None, 2, 0, 0], [0, 3, 1, 1]]


def test_what_is_noted_of_each_file():
    whole = joined(X, replace(Y, provenance=("An NPZ file.",)))
    alike(
        whole.provenance,
        (
            "X.csv: A CSV file.",
            "Y.csv: An NPZ file.",
            "Each row of Y.csv has the labels of the same row of X.csv.",
        ),
    )


def test_very_many_sparse_labels_stay_sparse():
    labels = Table(
        "Y.npz",
        tuple(f"l{j}" for j in range(2000)),
        (None,) * 2000,
        sparse.csr_array(([1.0], ([3], [7])), shape=(1000, 2000)),
    )
    whole = joined(table("X.npy", ["x"], np.ones((1000, 1))), labels)
    assert sparse.issparse(whole.cells)
    assert whole.cells[[3], :].toarray()[0, [0, 8]].tolist() == [1, 1]


def test_a_column_of_lists_of_labels_is_split():
    texts = ("sand|sea", "sea|sky|sand", "sky")
    tags = Table("Y.csv", ("tags",), (texts,), np.array([[2.0], [0], [1]]))
    whole = joined(X, tags)
    assert whole.labels == ("sand", "sea", "sky")
    assert [row[2:] for row in shown(whole)] == [[0, 0, 1], [1, 1, 0], [1, 1, 1]]


def test_row_numbers_that_both_have_are_taken_once():
    features, labels = (
        table("X.csv", ["id", "x"], [[1, 5], [2, 6]]),
        table("Y.csv", ["id", "a"], [[1, 0], [2, 1]]),
    )
    whole = joined(features, labels)
    assert (whole.columns, whole.labels) == (("id", "x", "a"), ("a",))
    alike(whole.notes, ("Column 'id' is the same in both files and was taken once.",))
    assert joined(features, replace(labels, cells=labels.cells[::-1])).cells.tolist() == whole.cells.tolist()
    with pytest.raises(DataError) as error:
        joined(features, replace(labels, cells=np.add(labels.cells, [[2, 0]])))
    alike(
        str(error.value),
        "Y.csv: column 'id' has other values than the column of this name in X.csv; bring the rows of both files into "
        "the same order, or rename one of the columns.",
    )


def test_columns_that_are_called_by_their_position_in_both():
    whole = joined(table("X.npy", ["column 1", "column 2"], [[5, 6]]), table("Y.npy", ["column 1"], [[1]]))
    assert whole.columns == ("feature 1", "feature 2", "label 1")
    assert whole.labels == ("label 1",)


def test_columns_of_the_same_informative_names():
    whole = joined(table("X.csv", ["a", "b"], [[5, 6]]), table("Y.csv", ["a"], [[1]]))
    assert whole.labels == ("a (2)",)
    alike(whole.notes, ("The column name 'a' occurs more than once; later ones were numbered.",))


def test_text_among_labels_stays_unusable():
    whole = joined(X, replace(Y, unusable={"b": "dates"}))
    assert whole.unusable == {"b": "dates"}


def test_other_numbers_of_rows():
    with pytest.raises(DataError) as error:
        joined(X, replace(Y, cells=Y.cells[:2]))
    alike(
        str(error.value),
        "Y.csv: it has 2 rows of labels, but X.csv has 3 rows of features; give two files with the same rows.",
    )


TRAIN = table("sky-train.csv", ["x", "c", "p"], [[1, 0, 1], [2, 1, 0]], (None, ("red", "blue"), None))
TEST = table("sky-test.csv", ["p", "x", "c"], [[0, 3, 0], [1, NAN, 1]], (None, None, ("blue", "red")))


@pytest.mark.parametrize("train", [TRAIN, thin(TRAIN)])
@pytest.mark.parametrize("test", [TEST, thin(TEST)])
def test_rows_below_rows(train, test):
    whole = stacked(train, test)
    assert sparse.issparse(whole.cells) == (sparse.issparse(train.cells) or sparse.issparse(test.cells))
    assert shown(whole) == [[1, "red", 1], [2, "blue", 0], [3, "blue", 0], [None, "red", 1]]
    assert whole.categories == (None, ("red", "blue"), None)
    assert (whole.name, whole.n_train) == ("sky", 2)
    alike(whole.provenance, ("The first 2 rows are sky-train.csv, the other 2 sky-test.csv.",))
    alike(whole.notes, ("The columns of sky-test.csv stand in another order and were matched by name.",))


def test_names():
    assert stacked(replace(TRAIN, name="train.csv"), TEST).name == "train.csv"
    assert stacked(replace(TRAIN, name="sky.csv"), TEST).name == "sky"


@pytest.mark.parametrize("form", [lambda of: of, thin])
@pytest.mark.parametrize(
    ("ours", "theirs", "together", "rows"),
    [
        (("no", "yes"), ("yes", "no"), ("no", "yes"), ["no", "yes", "yes", "no"]),
        (("no", "yes"), ("perhaps", "no"), ("no", "yes", "perhaps"), ["no", "yes", "perhaps", "no"]),
        (None, None, None, [0, 1, 0, 1]),
        (None, ("1", "0"), ("0", "1"), ["0", "1", "1", "0"]),
        (("1", "0"), None, ("1", "0"), ["1", "0", "0", "1"]),
        (None, ("low", "high"), ("0", "1", "low", "high"), ["0", "1", "low", "high"]),
    ],
)
def test_values_are_united(form, ours, theirs, together, rows):
    first, second = (
        form(Table(name, ("c", "x"), (categories, None), np.array([[0.0, 7], [1, 8]])))
        for name, categories in (("a.csv", ours), ("b.csv", theirs))
    )
    whole = stacked(first, second)
    assert whole.categories[0] == together
    assert [row[0] for row in shown(whole)] == rows
    assert [row[1] for row in shown(whole)] == [7, 8, 7, 8]


def test_missing_cells_of_a_column_whose_values_are_united_stay_missing():
    train = Table("a.csv", ("c",), (None,), np.array([[1.5], [NAN]]))
    test = Table("b.csv", ("c",), (("old",),), np.array([[NAN], [0]]))
    assert shown(stacked(train, test)) == [["1.5"], [None], [None], ["old"]]


def test_labels_that_one_file_declares():
    declared = {"labels": ("p",), "labels_source": "-C -1", "labels_note": "Doubtful."}
    for train, test in ((replace(TRAIN, **declared), TEST), (TRAIN, replace(TEST, **declared))):
        whole = stacked(train, test)
        assert (whole.labels, whole.labels_source, whole.labels_note) == (("p",), "-C -1", "Doubtful.")
    whole = stacked(replace(TRAIN, labels=("c", "p")), replace(TEST, **declared))
    assert whole.labels == ("c", "p")
    has_line(whole.notes, "sky-test.csv declares other labels than sky-train.csv", "sky-train.csv", "taken")


def test_a_missing_column_is_named():
    with pytest.raises(DataError) as error:
        stacked(TRAIN, replace(TEST, columns=("p", "x", "cc")))
    alike(
        str(error.value),
        "sky-test.csv: there is no column 'c', which sky-train.csv has; the nearest name is 'cc'; add the column.",
    )


def test_columns_that_only_the_test_file_has_are_left_out():
    test = table("t.csv", ["id", "x", "p"], [[9, 3, 0]], unusable={"id": "identifiers"})
    whole = stacked(table("s.csv", ["x", "p"], [[1, 0]]), test)
    assert shown(whole) == [[1, 0], [3, 0]]
    alike(whole.notes, ("Column 'id' of t.csv is not in s.csv and was left out.",))
    assert whole.unusable == {}
    more = stacked(table("s.csv", ["x"], [[1]]), test).notes
    alike(more, ("Columns 'id' and 'p' of t.csv are not in s.csv and were left out.",))


@given(st.permutations(range(4)), st.booleans(), st.booleans())
def test_the_order_of_the_columns_does_not_matter(order, first_thin, second_thin):
    rng = np.random.default_rng(0)
    whole = Table("a.csv", tuple("wxyz"), (None, ("n", "y"), None, None), rng.integers(2, size=(5, 4)).astype(float))
    mixed = replace(
        whole,
        columns=tuple("wxyz"[j] for j in order),
        categories=tuple(whole.categories[j] for j in order),
        cells=whole.cells[:, order],
    )
    both = stacked(thin(whole) if first_thin else whole, thin(mixed) if second_thin else mixed)
    assert shown(both) == shown(whole) * 2


def test_columns_of_sparse_files_that_one_lacks_are_0():
    first = thin(table("a.txt", ["f1", "l1"], [[2, 1]], labels=("l1",)))
    second = thin(table("b.txt", ["f1", "f2", "l2"], [[3, 4, 1]], labels=("l2",)))
    whole = stacked(widened(first, second), widened(second, first))
    assert whole.columns == ("f1", "l1", "f2", "l2")
    assert whole.labels == ("l1", "l2")
    assert whole.cells.toarray().tolist() == [[2, 1, 0, 0], [3, 0, 4, 1]]
    has_line(whole.notes, "2 columns", "b.txt", "0", "a.txt")
    has_line(whole.notes, "1 column", "a.txt", "0", "b.txt")
    assert widened(first, first) is first


@pytest.mark.skipif(not CASES.is_dir(), reason=f"the folder of real files is not there ({CASES})")
def test_b21():
    train = read_table(CASES / "B21_train.csv")

    def with_labels(name):
        first, *rows = (CASES / f"B21_test_{name}.csv").read_text().split()
        text = "\n".join([f"B,A,{first}", *(f"{i % 2},1,{row}" for i, row in enumerate(rows))])
        return read_table(text.encode(), f"{name}.csv")

    same, other, more = (stacked(train, with_labels(name)) for name in ("same_order", "reordered", "extra_column"))
    assert shown(same) == shown(other) == shown(more)
    assert same.to_dataset(["A", "B"]).Y[-4:].tolist() == [[1, 0], [1, 1], [1, 0], [1, 1]]
    has_line(more.notes, "Column 'id'", "extra_column.csv", "not", "B21_train.csv", "left out")
    with pytest.raises(DataError, match=r"missing_x2.csv: .*no column 'x2', .*B21_train.csv"):
        stacked(train, with_labels("missing_x2"))
