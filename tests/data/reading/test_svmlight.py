import io
import time
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sentences import alike, has_line, holds
from sklearn.datasets import load_svmlight_file
from sklearn.preprocessing import MultiLabelBinarizer

from trellislib.data.dataset import DataError
from trellislib.data.reading.arff import load_arff
from trellislib.data.reading.svmlight import read_svmlight, starts_as_svmlight
from trellislib.data.writing import written

SHARED = Path(__file__).parents[4] / "shared"
needs_shared = pytest.mark.skipif(not SHARED.exists(), reason="the shared files are not here")


def read(text):
    return read_svmlight(text.encode(), "toy.txt")


def test_several_labels_by_hand():
    table = read("# a comment\n10,2 2:2.5 5:-5.2 # note\n2 4:1e1\n\n 1:3.5\n")
    assert table.columns == (*(f"feature {j}" for j in range(1, 6)), "label 2", "label 10")
    assert table.cells.toarray().tolist() == [[0, 2.5, 0, 0, -5.2, 1, 1], [0, 0, 0, 10, 0, 1, 0], [3.5, *[0] * 6]]
    assert table.labels == ("label 2", "label 10")
    holds(table.labels_source, "first field", "row")
    has_line(table.provenance, "Positions count", "1", "none", "0", "largest", "5", "makes 5 features")
    has_line(table.provenance, "Some rows", "several labels", "none", "label", "column", "own")
    alike(table.notes, ("1 blank line was left out.",))
    data = table.to_dataset()
    assert data.Y.toarray().tolist() == [[1, 1], [1, 0], [0, 0]]


def test_positions_from_0():
    table = read("1,2 0:1 3:2\n 3:1\n")
    assert table.columns[:4] == ("feature 0", "feature 1", "feature 2", "feature 3")
    has_line(table.provenance[1], "Positions count", "0", "0", "largest", "3", "makes 4")


def test_names_as_labels():
    table = read("Wren,Owl 1:1\n 1:2\nfeature 1:1\n")
    assert table.labels == ("Owl", "Wren", "feature")
    assert read("a,feature_1 1:1\n").labels == ("a", "feature_1")
    clash = read("feature,label 1:1\n")
    assert len(set(clash.columns)) == 3


@pytest.mark.parametrize(
    ("labels", "values", "codes"),
    [
        (["+1", "-1", "1", "-1"], ("-1", "1"), [1, 0, 1, 0]),
        (["0", "1", "1.0", "0"], ("0", "1"), [0, 1, 1, 0]),
        (["3", "1", "10", "1"], ("1", "3", "10"), [1, 0, 2, 0]),
        (["red", "blue", "red", "blue"], ("blue", "red"), [1, 0, 1, 0]),
    ],
)
def test_one_label_a_row_is_one_column(labels, values, codes):
    table = read("".join(f"{label} 1:{i} 2:1\n" for i, label in enumerate(labels)))
    assert table.labels == ("label",)
    alike(table.provenance[-1], "Every row has exactly one label, so they are the values of one column.")
    data = table.to_dataset()
    assert data.label_values == (values,)
    assert data.Y.toarray().ravel().tolist() == codes


def test_continuous_targets_are_refused_as_a_label():
    table = read("".join(f"{i + 0.25} 1:1\n" for i in range(30)))
    with pytest.raises(DataError, match="continuous"):
        table.to_dataset()


def test_what_was_left_out_is_noted():
    table = read("1,1 qid:4 2:1 1:1\n\n \n2,3 qid:5 1:1\n")
    alike(
        table.notes,
        (
            "2 blank lines were left out.",
            "2 query numbers were left out (qid).",
            "1 row was sorted, since positions were out of order.",
            "1 label was counted once, since the row names it again.",
        ),
    )


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("1,2 1:1\n1 2:x\n", "toy.txt: line 2: column 3: '2:x' does not end with a number."),
        ("1,2 1:1\n\n# c\n1 2:1 2:2\n", "toy.txt: line 4: a position is given twice in this row."),
        ("1\n2\n", "toy.txt: no row has a feature (position:value)."),
        (" 1:1\n 2:1\n", "toy.txt: no row has a label; expected labels before the features, as in 1,0 2:2.5."),
        ("# nothing\n\n", "toy.txt: the file has nothing but blank lines and comments."),
        ("", "toy.txt: the file is empty (zero bytes)."),
        ("1,2 3000000:1\n", "toy.txt: line 1: there would be 3,000,000 columns for 1 cell, which cannot"),
        ("1,2 1000000000000:1\n", "toy.txt: line 1: column 5: '1000000000000:1' has a position beyond 3,999,999"),
        ("1500 1836\n0:1\n", "toy.txt: line 1: this is one of two files, since its header announces no labels"),
    ],
)
def test_refusals(text, sentence):
    with pytest.raises(DataError) as error:
        read(text)
    alike(str(error.value), sentence)


def test_starts_as_svmlight():
    for text in ("1,0 2:2.5\n", "# c\n\n 1:2\n", "2 3 2\n0 1:1\n", "a qid:1 1:2\n"):
        assert starts_as_svmlight(text.encode()), text
    for text in ("x,y\n1,0\n", "2 3\n1:1\n", "@relation x\n", "1,2\n3,4\n", "a:b\n"):
        assert not starts_as_svmlight(text.encode()), text


finite = st.floats(allow_nan=False, allow_infinity=False).filter(lambda value: value != 0)
row = st.tuples(st.sets(st.integers(0, 30), max_size=4), st.dictionaries(st.integers(1, 12), finite, max_size=6))


@given(st.lists(row, min_size=1, max_size=8))
def test_it_agrees_with_scikit_learn(rows):
    rows = [({1, 2}, {1: 1.0}), *rows]  # several labels, and positions that count from 1
    text = "".join(
        ",".join(map(str, labels)) + " " + " ".join(f"{j}:{value!r}" for j, value in sorted(cells.items())) + "\n"
        for labels, cells in rows
        if cells  # scikit-learn skips a row that is blank
    ).encode()
    X, Y = load_svmlight_file(io.BytesIO(text), multilabel=True, zero_based=False)
    labels = MultiLabelBinarizer()
    expected = labels.fit_transform([tuple(map(int, of_row)) for of_row in Y])
    table = read_svmlight(text)
    D = X.shape[1]
    np.testing.assert_array_equal(table.cells[:, list(range(D))].toarray(), X.toarray())
    assert table.labels == tuple(f"label {label}" for label in labels.classes_)
    np.testing.assert_array_equal(table.cells[:, list(range(D, table.cells.shape[1]))].toarray(), expected)


@needs_shared
def test_files_of_others():
    small = read_svmlight(SHARED / "awkward" / "svmlight_multilabel.txt").to_dataset()
    assert (small.n_instances, small.n_features, small.label_names) == (4, 20, ("label 0", "label 1", "label 2"))
    assert small.Y.toarray().tolist() == [[1, 1, 0], [0, 0, 1], [0, 0, 0], [0, 1, 1]]
    path = SHARED / "awkward" / "yeast_test.txt"
    yeast = read_svmlight(path).to_dataset()
    X, Y = load_svmlight_file(str(path), multilabel=True)
    np.testing.assert_array_equal(yeast.X.toarray(), X.toarray())
    assert (yeast.n_instances, yeast.n_labels) == (917, 14)
    assert yeast.Y.sum() == sum(map(len, Y))


@needs_shared
def test_a_large_set_is_read_quickly():
    folder = SHARED / "data" / "mulan" / "delicious"
    delicious = load_arff(folder / "delicious.arff", folder / "delicious.xml")
    (content,) = written(delicious, "svmlight").values()
    unnamed = content[: content.rindex(b"#")]
    start = time.process_time()
    data = read_svmlight(unnamed).to_dataset()
    assert time.process_time() - start < 60
    assert (data.X != delicious.X).nnz == 0
    assert (data.Y != delicious.Y).nnz == 0
