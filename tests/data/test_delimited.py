import gzip
import io

import numpy as np
import pytest

from trellislib.data.dataset import DataError
from trellislib.data.delimited import read_csv


def read(text, name="toy.csv"):
    return read_csv(text.encode(), name)


@pytest.mark.parametrize("delimiter", list(",;\t|"))
def test_delimiters(delimiter):
    table = read("x,sunny\n1.5,yes\n-2,no\n".replace(",", delimiter))
    assert table.columns == ("x", "sunny")
    assert table.categories == (None, ("no", "yes"))
    assert table.cells.tolist() == [[1.5, 1], [-2, 0]]


@pytest.mark.parametrize("delimiter", list(";\t|"))
def test_decimal_commas(delimiter):
    table = read("x1;x2;a\n1,5;-0,25;1\n2,0;;0\n0,125;3,5e2;1\n".replace(";", delimiter))
    np.testing.assert_array_equal(table.cells, [[1.5, -0.25, 1], [2, np.nan, 0], [0.125, 350, 1]])
    assert table.notes == ("Numbers were read with a decimal comma.",)


def test_a_comma_in_quotes_is_no_decimal_comma():
    assert read('x,a\n"1,5",0\n"2,5",1\n').categories == (("1,5", "2,5"), None)


def test_missing_cells_of_every_spelling():
    table = read("x,hue\n1,red\n,\n?,?\nNA,na\nnan,NaN\n n/a ,NULL\n2,blue\n")
    assert table.categories == (None, ("blue", "red"))
    assert np.isnan(table.cells[1:6]).all()
    assert table.cells[[0, 6]].tolist() == [[1, 1], [2, 0]]


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "latin-1", "utf-16"])
def test_encodings(encoding):
    table = read_csv("Luft [°C],Größe\n1,groß\n2,klein\n".encode(encoding))
    assert table.columns == ("Luft [°C]", "Größe")
    assert table.categories[1] == ("groß", "klein")


def test_gzip_crlf_blank_lines_and_quotes():
    text = 'x, "a, b"\r\n\r\n1, "no, ""never"""\r\n2,yes\r\n\r\n'
    table = read_csv(io.BytesIO(gzip.compress(text.encode())))
    assert table.columns == ("x", "a, b")
    assert table.categories == (None, ('no, "never"', "yes"))
    assert table.cells.shape == (2, 2)


def test_names_that_look_like_numbers_stay_names():
    assert read("x1,1,10,1E1,2001-01-01\n5,0,1,0,1\n").columns == ("x1", "1", "10", "1E1", "2001-01-01")
    assert read("0,1,2\n5,0,1\n").columns == ("0", "1", "2")


def test_nameless_and_repeated_columns():
    table = read(",x,x\n0,5,1\n1,6,0\n")
    assert table.columns == ("column 1", "x", "x (2)")
    assert len(table.notes) == 2


def test_true_and_false():
    data = read("x,a,b\n1,TRUE,f\n2,False,t\n3,true,f\n").to_dataset(["b"])
    assert data.Y.ravel().tolist() == [0, 1, 0]
    data = read("x,a\n1,TRUE\n2,FALSE\n").to_dataset(["a"])
    assert data.label_values == (("FALSE", "TRUE"),)
    assert data.Y.ravel().tolist() == [1, 0]


def test_free_text_is_left_out_and_refused_as_a_label():
    rows = "".join(f"M{i},{i % 3},{'hot' if i % 2 else 'cold'},{i % 2}\n" for i in range(30))
    table = read("id,x,air,a\n" + rows)
    data = table.to_dataset(["a"])
    assert data.feature_names == ("x", "air")
    assert data.notes == ("Column 'id' holds free text or identifiers and was left out of the features.",)
    with pytest.raises(DataError, match=r"toy.csv: column 'id' holds free text or identifiers and cannot be a label"):
        table.to_dataset(["id"])


def test_a_column_that_numbers_the_rows_is_noted():
    table = read("id,a\n" + "".join(f"{i},{i % 2}\n" for i in range(1, 31)))
    assert table.notes == ("Column 'id' only numbers the rows; leave it out if it means nothing.",)


def test_text_that_turns_up_late_makes_the_whole_column_nominal():
    rows = ["007,0\n"] * 2500 + ["x9,1\n"]
    table = read("code,a\n" + "".join(rows))
    assert table.categories == (("007", "x9"), None)
    assert table.cells[:, 0].sum() == 1


def test_labels_in_one_column_do_not_crash():
    table = read("x,tags\n1,sea|sky\n2,\n3, sky |sand\n")
    assert table.categories[1] == ("sea|sky", "sky |sand")
    assert table.cells[0].tolist() == [1, 0]


@pytest.mark.parametrize(
    ("text", "cause"),
    [
        ("", "the file is empty (zero bytes)."),
        ("\n \n", "the file has nothing but blank lines."),
        ("x,a\n", "the file has a header but no rows."),
        ("x,a\n1,0\n\n1\n", "line 4: expected 2 values but got 1."),
        ("x,a\n1,0\n1,0,1\n", "line 3: expected 2 values but got 3."),
        ('x,a\n"1\n2",0\n1\n', "line 4: expected 2 values but got 1."),
        ("3.5,1\n1.5,0\n", "line 1: the first line holds numbers where the names of the columns were expected."),
        ("x,a\n1,0\ninf,1\n", "line 3: 'inf' in column 'x' is not a finite number; leave the cell empty."),
        ("hello\nworld\n", "the first line does not name columns; expected names between commas, semicolons or tabs."),
        ("1,0 2:2.5 10:-5\n2 5:1.0\n", "this looks like an svmlight file (position:value), not a table with a header."),
        ("<html>\n", "this is a web page, not a table; download the file that the page links to."),
    ],
)
def test_a_bad_file_gets_one_sentence(text, cause):
    with pytest.raises(DataError) as caught:
        read(text)
    assert str(caught.value) == f"toy.csv: {cause}"


def test_quotes_that_never_close_are_named_by_the_line_where_they_open():
    with pytest.raises(DataError, match=r"toy.csv: line 3: the quotes of the row that starts here do not fit"):
        read('x,a\n1,0\n"2,1\n3,0\n')


@pytest.mark.parametrize(
    ("content", "cause"),
    [
        (bytes(range(256)), "binary"),
        (b"PK\x03\x04rest", "zip archive or an Excel workbook"),
        (b"version https://git-lfs.github.com/spec/v1\noid sha256:6f\n", "Git LFS pointer"),
        (b"\x1f\x8bnot gzip", "gzip archive is damaged"),
    ],
)
def test_what_is_no_text(content, cause):
    with pytest.raises(DataError, match=rf"up.csv: .*{cause}"):
        read_csv(content, "up.csv")
