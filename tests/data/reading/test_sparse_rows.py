import numpy as np
import pytest

from trellislib.data.dataset import DataError
from trellislib.data.reading.source import Source
from trellislib.data.reading.sparse_rows import SparseRows, first_lines, look_like_rows


def rows_of(*lines):
    rows = SparseRows(Source(b"", "toy.txt"))
    for number, line in enumerate(lines, 1):
        rows.add(number, line)
    return rows


def test_cells_labels_and_empty_rows():
    rows = rows_of("b,a qid:7 0:1.5 3:-2e-1 # 1:9\n", "\t2:nan\n", "a\n", "\n", "  c 1:+.5\n")
    expected = [[1.5, 0, 0, -0.2], [0, 0, np.nan, 0], [0] * 4, [0] * 4, [0, 0.5, 0, 0]]
    np.testing.assert_array_equal(rows.cells(4).toarray(), expected)
    lists = rows.labels()
    assert lists.texts == ("b", "a", "c")
    assert lists.of_row.toarray().tolist() == [[1, 1, 0], [0, 0, 0], [0, 1, 0], [0, 0, 0], [0, 0, 1]]
    assert rows.n_labels_of_row.tolist() == [2, 0, 1, 0, 1]
    assert (rows.n_queries, rows.n_unsorted, lists.n_twice) == (1, 0, 0)


def test_columns_of_labels_that_are_the_same():
    lists = rows_of("1,1.0,2", "2,2").labels()
    assert lists.n_twice == 1
    assert lists.columns([0, 0, 1], 3).toarray().tolist() == [[1, 1, 0], [0, 1, 0]]


def test_positions_out_of_order_are_sorted_and_zeros_left_out():
    rows = rows_of("1 3:3 0:1 2:0", "1 0:1 1:2")
    cells = rows.cells(4)
    assert cells.toarray().tolist() == [[1, 0, 0, 3], [1, 2, 0, 0]]
    assert cells.nnz == 4
    assert rows.n_unsorted == 1


@pytest.mark.parametrize("row", ["1 2:1 2:1", "1 2:1 0:5 2:0"])
def test_a_position_twice_is_refused(row):
    with pytest.raises(DataError, match=r"^toy.txt: line 3: .*position .*given twice .*row\.$"):
        rows_of("1 2:1", "2 2:1", row, "1 0:1").cells(3)


def test_falling_positions_across_rows_are_no_fault():
    rows = rows_of("1 5:1", "1 5:1", "", "1 0:1")
    rows.cells(6)
    assert rows.n_unsorted == 0


@pytest.mark.parametrize(
    ("row", "sentence"),
    [
        ("1,2 1:2 x:3", "column 9: 'x:3' does not start with a position, a whole number from 0"),
        ("1 -1:2", "column 3: '-1:2' does not start with a position"),
        ("1 1.0:2", "column 3: '1.0:2' does not start with a position"),
        ("1 1_0:2", "column 3: '1_0:2' does not start with a position"),
        ("1 1:2_0", "column 3: '1:2_0' does not end with a number"),
        ("1 1:2 2:y", "column 7: '2:y' does not end with a number"),
        ("1 1:", "column 3: '1:' does not end with a number"),
        ("1 1:2:3", "column 3: '1:2:3' does not end with a number"),
        ("1, 2 3:4", "'1,' names no label in one place"),
        ("1 2 3:4", "column 3: '2' is not position:value"),
        ("1:2 qid:3 1:1", "column 5: 'qid:3' does not start with a position"),
        ("1 1000000000000:1", "column 3: '1000000000000:1' has a position beyond 3,999,999, the largest that is read"),
        (f"1 {'9' * 5000}:1", "does not start with a position"),
        (",1 1:2", "',1' names no label in one place; a row without labels starts with a blank"),
        ("?,1 1:2", "names no label"),
        ("nan 1:2", "names no label"),
    ],
)
def test_what_cannot_be_read_is_named_with_line_and_column(row, sentence):
    with pytest.raises(DataError) as error:
        rows_of("1 1:1", row)
    assert str(error.value).startswith("toy.txt: line 2: ")
    assert sentence in str(error.value)
    assert len(str(error.value)) < 200


@pytest.mark.parametrize("value", ["inf", "-inf", "1e999"])
def test_values_that_are_not_finite_are_refused(value):
    with pytest.raises(DataError, match=r"line 2: position 4 .*value .*not finite\.$"):
        rows_of("1 4:1", f"1 1:1 4:{value}").cells(5)


def test_positions_outside_are_refused_in_the_counting_of_the_file():
    with pytest.raises(DataError, match=r"line 2: position 5 lies outside .*1 .*4\.$"):
        rows_of("1 4:1", "1 1:1 5:1").cells(4, first=1)


def test_lines_of_cells_and_labels():
    rows = rows_of("1 4:1", "", "2,1 1:1 2:1", "3 1:1")
    assert [rows.line_of_cell(cell) for cell in range(4)] == [1, 3, 3, 4]
    assert [rows.line_of_label(label) for label in range(3)] == [1, 3, 4]


def test_a_matrix_of_a_few_cells_is_not_made_absurdly_wide():
    rows = rows_of("1 3999999:1")
    with pytest.raises(DataError, match=r"line 1: .*4,000,000 columns .*1 cell,"):
        rows.cells(4_000_000, line=1)


@pytest.mark.parametrize(
    ("lines", "are"),
    [
        (["1,0 2:2.5", " 1:3 # no label"], True),
        (["-1 1:1e-5 2:-.5", "+1 qid:3 1:2"], True),
        (["Owl,Wren 1:1"], True),
        (["1:2 2:3"], True),
        (["1,0", "2 1:nan"], True),
        (["1", "0"], False),
        ([], False),
        (["x,y", "1,0"], False),
        (["time,x", "12:30,1"], False),
        (["time;x", "12:30:15;1"], False),
        (["1 1:2", "a b"], False),
        (["id 1:2:3"], False),
    ],
)
def test_rows_are_distinguished_from_other_text(lines, are):
    assert look_like_rows(lines) is are


def test_first_lines_are_cut_at_a_blank():
    long = b"1 " + b" ".join(b"%d:0.5" % i for i in range(20_000))
    lines = first_lines(Source(b"# note\n\n" + long + b"\n1 2:3\n"))
    assert len(lines) == 1
    assert lines[0].endswith(":0.5")
    assert look_like_rows(lines)
