import numpy as np
import pytest
from sentences import alike

from trellislib.data.dataset import DataError
from trellislib.data.reading.orange import read_orange, starts_as_orange
from trellislib.data.reading.source import Source

THREE_LINES = (
    "place\tx\tsky\ton\tw\train\n"
    "string\tcontinuous\tvery\\ clear grey\ttime\tc\td\n"
    "meta\t\tclass\t\tweight\tclass\n"
    "here\t1.5\tgrey\t2026-01-31\t1\t0\n"
    "there\t?\tvery clear\t2026-02-01\t2\t1\n"
)


def test_three_lines():
    table = read_orange(THREE_LINES.encode(), "sky.tab")
    assert table.columns == ("x", "sky", "on", "w", "rain")
    assert table.categories == (None, ("very clear", "grey"), ("2026-01-31", "2026-02-01"), None, ("0", "1"))
    np.testing.assert_array_equal(table.cells, [[1.5, 1, 0, 1, 0], [np.nan, 0, 1, 2, 1]])
    assert (table.weights, table.to_dataset().weights.tolist()) == ("w", [1, 2])
    assert (table.labels, table.labels_source) == (("sky", "rain"), "the header's class columns")
    assert table.unusable == {"on": "dates"}
    alike(table.notes, ("Column 'place', which the header marks as meta, was left out.",))
    alike(
        table.provenance, ("Read as a table of Orange in UTF-8, types and roles below the names: 2 rows of 5 columns.",)
    )


@pytest.mark.parametrize("delimiter", ["\t", ",", ";"])
def test_letters_before_the_names(delimiter):
    text = "C#x,cD#sky,mS#place,i#other,cC#rain,plain\n0.5,1,here,3,0,7\n0.1,0,there,4,1,8\n".replace(",", delimiter)
    table = read_orange(text.encode(), "sky.tab")
    assert table.columns == ("x", "sky", "rain", "plain")
    assert table.categories == (None, ("0", "1"), None, None)
    assert table.cells.tolist() == [[0.5, 1, 0, 7], [0.1, 0, 1, 8]]
    assert table.labels == ("sky", "rain")
    assert table.to_dataset().Y.tolist() == [[1, 0], [0, 1]]


def test_types_decide_what_cells_are():
    text = "a\tb\tc\nd\tstring\td\n\t\tclass\n" + "".join(f"{i}\t{i}\t{i % 2}\n" for i in range(30))
    table = read_orange(text.encode(), "sky.tab")
    assert table.unusable == {"b": "free text"}  # each of 30 values of a discrete column is one
    assert len(table.categories[0]) == 30


def test_missing_cells_of_older_files():
    table = read_orange(b"x\ty\nc\td\n\tclass\n.\ta\n1\t~\n*\tb\n", "sky.tab")
    np.testing.assert_array_equal(table.cells, [[np.nan, 0], [1, np.nan], [np.nan, 1]])


def test_no_roles():
    for third in ("\t", ""):
        table = read_orange(f"x\ty\ncontinuous\tdiscrete\n{third}\n1\ta\n".encode(), "sky.tab")
        assert (table.labels, table.cells.tolist()) == (None, [[1, 0]])


@pytest.mark.parametrize(
    ("text", "is_orange"),
    [
        (THREE_LINES, True),
        ("x\ty\nc\td\n\tclass\n1\ta\n", True),
        ("x\ty\nc\td\n\tclass kind=3\n1\ta\n", True),
        ("C#x,cD#y\n1,a\n", True),
        ("x\ty\nc\td\nd\tc\n1\ta\n", False),  # letters as values
        ("x\ty\n1\t2\n\t\n", False),
        ("C#,F#,x\n1,2,3\n", False),
        ("x,y\n1,2\n", False),
        ("x\n", False),
        ("", False),
        ("\0\1\2", False),
    ],
)
def test_what_starts_as_orange(text, is_orange):
    assert starts_as_orange(Source(text.encode())) is is_orange


@pytest.mark.parametrize(
    ("text", "cause"),
    [
        ("x,y\n1,2\n", "there is no header of Orange, which says in two more lines or by letters what columns hold."),
        (
            "C#x\tC#z\tcD#y\n1,5\t0.5\t0\n1,2\t0.1\t1\n",
            "column 'x' is declared to be continuous, but holds '1,2'.",
        ),
        (
            "C#x,cD#y\n1,0\n9007199254740993,1\n",
            "column 'x' is declared to be continuous, but holds whole numbers of more digits than a number keeps.",
        ),
        ("C#x,cD#y\n1,0\nred,1\n", "column 'x' is declared to be continuous, but holds 'red'."),
        ("C#x,cD#y\n1,0\n2,1,3\n", "line 3: expected 2 values but got 3."),
        ("x\ty\nc\td\n\tclass\n1\ta\n2\n", "line 5: expected 2 values but got 1."),
        ("C#x,cD#y\ninf,0\n", "line 2: 'inf' in column 'x' is not a finite number; leave the cell empty."),
        ("C#x,cD#y\n", "the file has a header but no rows."),
        ("mC#x,iD#y\n1,2\n", "its header leaves all columns out."),
        ("", "the file is empty (zero bytes)."),
    ],
)
def test_a_bad_file_gets_one_sentence(text, cause):
    with pytest.raises(DataError) as caught:
        read_orange(text.encode(), "sky.tab")
    assert str(caught.value) == f"sky.tab: {cause}"
