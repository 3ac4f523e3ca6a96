from pathlib import Path

import pytest
from sentences import has_line

from trellislib.data.dataset import DataError
from trellislib.data.reading.combining import joined
from trellislib.data.reading.sparse_rows import read_extreme, read_sparse_text, starts_as_sparse_text
from trellislib.data.reading.svmlight import read_svmlight, starts_as_svmlight
from trellislib.running.memory import limited_memory

XMC = Path(__file__).parents[4] / "shared" / "awkward" / "xmc_single_file.txt"


def test_one_file_by_hand():
    table = read_svmlight(b"4 3 4\n2,0 0:1.5 2:1\n 1:2\n\n3\n\n", "xmc.txt")
    assert table.columns == (*(f"feature {j}" for j in range(3)), *(f"label {j}" for j in range(4)))
    expected = [[1.5, 0, 1, 1, 0, 1, 0], [0, 2, 0, 0, 0, 0, 0], [0] * 7, [0, 0, 0, 0, 0, 0, 1]]
    assert table.cells.toarray().tolist() == expected
    assert table.labels == ("label 0", "label 1", "label 2", "label 3")
    has_line(table.provenance, "Its header announces 4 rows", "3 features", "4 labels", "positions count", "0")
    assert table.to_dataset().Y.toarray().tolist() == [[1, 0, 1, 0], [0] * 4, [0] * 4, [0, 0, 0, 1]]


def test_two_files_by_hand():
    features = read_sparse_text(b"3 4\n0:1 3:0.5\n\n2:1\n", "X.txt", "feature")
    labels = read_sparse_text(b"3 2\n1:1\n0:1 1:1\n\n", "Y.txt", "label")
    assert features.labels is None
    assert features.cells.toarray().tolist() == [[1, 0, 0, 0.5], [0] * 4, [0, 0, 1, 0]]
    data = joined(features, labels).to_dataset()
    assert data.label_names == ("label 0", "label 1")
    assert data.Y.toarray().tolist() == [[0, 1], [1, 1], [0, 0]]


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("2 3 2\n0 0:1\n", "the header announces 2 rows, but only 1 came; is the file whole?"),
        ("1 3 2\n0 0:1\n1 0:1\n", "line 3: the header announces 1 row, but here is one more"),
        ("1 3 2\n0 3:1\n", "line 2: position 3 lies outside of 0 to 2"),
        ("2 3 2\n0 1:1\n2 1:1\n", "line 3: '2' is no label, which the header says are 0 to 1"),
        ("1 3 2\nOwl 1:1\n", "line 2: 'Owl' is no label"),
        ("1 3 2\n-1 1:1\n", "line 2: '-1' is no label"),
        ("1 3 0\n 1:1\n", "line 1: the header announces 0 labels"),
        ("1 3\n1:1\n", "line 1: this is one of two files"),
        ("1,0 1:1\n", "line 1: expected a header of 3 numbers: rows, features, labels"),
        ("1000000000 1000000000 1000000000\n0 1:1\n", "line 1: 2,000,000,000 columns are too many"),
        ("100000000000000000 3 2\n0 1:1\n", "the header announces 100,000,000,000,000,000 rows, but only 1 came"),
        ("1 3000000 2\n0 1:1\n", "there would be 3,000,000 columns for 1 cell,"),
        ("1 3 3000000\n0 1:1\n", "there would be 3,000,003 columns for 2 cells"),
        ("\n \n", "the file has nothing but blank lines"),
    ],
)
def test_refusals_of_one_file(text, sentence):
    with limited_memory(64), pytest.raises(DataError) as error:
        read_extreme(text.encode(), "xmc.txt")
    assert str(error.value).startswith(f"xmc.txt: {sentence}")


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("1 3 2\n0 1:1\n", "line 1: expected a header of 2 numbers: rows, columns"),
        ("2 3\n1:1\n0,1 1:1\n", "line 3: this row starts with labels, but the header of two numbers announces none"),
        ("1 3\n3:1\n", "line 2: position 3 lies outside of 0 to 2"),
    ],
)
def test_refusals_of_two_files(text, sentence):
    with pytest.raises(DataError) as error:
        read_sparse_text(text.encode(), "X.txt")
    assert str(error.value).startswith(f"X.txt: {sentence}")


def test_columns_that_memory_has_no_room_for_are_refused_by_the_header():
    with limited_memory(0.01), pytest.raises(DataError, match=r"line 1|names of 200,000 columns"):
        read_extreme(b"1 100000 100000\n0 1:1\n")


def test_the_layouts_are_distinguished():
    two = b"2 3\n0:1 2:1\n\n"
    assert starts_as_sparse_text(two)
    assert not starts_as_svmlight(two)
    for text in (b"2 3 2\n0 1:2\n", b"1,0 1:2\n", b"1 2\n3 4\n", b"# x\n"):
        assert not starts_as_sparse_text(text)


@pytest.mark.skipif(not XMC.exists(), reason="the shared files are not here")
def test_a_file_of_others():
    data = read_svmlight(XMC).to_dataset()
    assert (data.n_instances, data.n_features, data.n_labels) == (1500, 1836, 159)
    rows = XMC.read_text().splitlines()[1:]
    assert data.Y.sum() == sum(len(set(filter(None, row.split(" ", 1)[0].split(",")))) for row in rows)
    assert data.X.nnz == sum(row.count(":") for row in rows)
