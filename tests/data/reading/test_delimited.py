import csv
import gzip
import io
import tracemalloc

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sentences import Containing, alike, has_line

from trellislib.data.dataset import DataError
from trellislib.data.reading import plain
from trellislib.data.reading.delimited import _Layout, read_cells, read_csv


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
    (sentence,) = table.provenance
    has_line(sentence, "numbers", "decimal comma", "3 rows", "3 columns")
    assert table.notes == ()


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
    assert [note.split(",")[0].split(" ")[0] for note in table.notes] == ["Columns", "The", "Column"]
    alike(table.notes[-1], "Column 'column 1' only numbers the rows; leave it out if it means nothing.")


def test_lines_that_all_end_in_a_delimiter_make_no_column():
    table = read("x,a,\n5,1,\n6,0,\n")
    assert (table.columns, table.cells.tolist(), table.notes) == (("x", "a"), [[5, 1], [6, 0]], ())
    assert read("x,,a\n5,,1\n6,7,0\n").columns == ("x", "column 2", "a")


def test_a_name_with_a_blank_line_in_it():
    table = read('"x\n\nin metres",a\n\n5,1\n6,0\n')
    assert (table.columns, table.cells.tolist()) == (("x in metres", "a"), [[5, 1], [6, 0]])


def test_true_and_false():
    data = read("x,a,b\n1,TRUE,f\n2,False,t\n3,true,f\n").to_dataset(["b"])
    assert data.Y.ravel().tolist() == [0, 1, 0]
    data = read("x,a\n1,TRUE\n2,FALSE\n").to_dataset(["a"])
    assert data.label_values == (("FALSE", "TRUE"),)
    assert data.Y.ravel().tolist() == [1, 0]


def test_identifiers_texts_and_dates_are_left_out_and_refused_as_labels():
    rows = "".join(
        f"M{i},{'hot' if i % 2 else 'cold'} day {i},2026-01-{i + 1:02d},{i % 3},{'hot' if i % 2 else 'cold'},{i % 2}\n"
        for i in range(30)
    )
    table = read("code,said,on,x,air,a\n" + rows)
    assert table.unusable == {"code": "identifiers", "said": "free text", "on": "dates"}
    assert len(table.categories[1]) == 30  # TF-IDF needs the texts
    assert table.to_dataset(["a"]).feature_names == ("on: weekday", "x", "air")
    for column, what in table.unusable.items():
        with pytest.raises(DataError, match=rf"toy.csv: column '{column}' holds {what} .*cannot .*label"):
            table.to_dataset([column])


def test_a_column_that_numbers_the_rows_is_noted():
    table = read("n,a\n" + "".join(f"{i},{i % 2}\n" for i in range(1, 31)))
    alike(table.notes, ("Column 'n' only numbers the rows; leave it out if it means nothing.",))


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
        (
            '"x","a"\n"1",0.5,1\n"2",0.1,0\n',
            "line 2: expected 2 values but got 3; name every column, also that of the names of rows, which R leaves "
            "out.",
        ),
        (
            '"x" "a"\n"1" 0.5 1\n"2" NA 0\n',
            "cells are separated by blanks; write commas, semicolons or tabs between them.",
        ),
        ("x,a\n1,0\n1,0,1\n", "line 3: expected 2 values but got 3."),
        ('x,a\n"1\n2",0\n1\n', "line 4: expected 2 values but got 1."),
        ("x,a\n1,0\ninf,1\n", "line 3: 'inf' in column 'x' is not a finite number; leave the cell empty."),
        (
            "hello to all the world\nagain\n",
            "the first line does not name columns; expected names between commas, semicolons or tabs.",
        ),
        ("1,0 2:2.5 10:-5\n2 5:1.0\n", "this looks like an svmlight file (position:value), not a table with a header."),
        ("0.5 1 2\n0.5 2 3\n", "cells are separated by blanks; write commas, semicolons or tabs between them."),
        ("x,a\n1,0\n\0,1\n", "this is a binary file, not text; expected an ARFF or CSV file."),
        ("<html>\n", "this is a web page, not a table; download the file that the page links to."),
    ],
)
def test_a_bad_file_gets_one_sentence(text, cause):
    with pytest.raises(DataError) as caught:
        read(text)
    assert str(caught.value) == f"toy.csv: {cause}"


def test_quotes_that_never_close_are_named_by_the_line_where_they_open():
    with pytest.raises(DataError, match=r"toy.csv: line 3: .*quotes .*row .*starts .*not closed.*incomplete"):
        read('x,a\n1,0\n"2,1\n3,0\n')


@pytest.mark.parametrize(
    ("content", "cause"),
    [
        (bytes(range(256)), "binary"),
        (b"PK\x03\x04rest", "zip archive is damaged"),
        (b"version https://git-lfs.github.com/spec/v1\noid sha256:6f\n", "Git LFS pointer"),
        (b"\x1f\x8bnot gzip", "gzip archive is damaged"),
    ],
)
def test_what_is_no_text(content, cause):
    with pytest.raises(DataError, match=rf"up.csv: .*{cause}"):
        read_csv(content, "up.csv")


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("x,a\n1,0\n", "Read as CSV in UTF-8, cells between commas: 1 row of 2 columns."),
        (
            "x;a\n1,5;0\n2;1\n",
            "Read as CSV in UTF-8, cells between semicolons, numbers with a decimal comma: 2 rows of 2",
        ),
        ("x\ta\n1\t0\n", "cells between tabs"),
        ("x|a\n1|0\n", "cells between bars"),
        ("sep=;\nx;a\n1;0\n", "cells between semicolons"),
        ("tags\nsea\nsky\n", "Read as CSV in UTF-8, one cell in a line: 2 rows of 1 column."),
    ],
)
def test_how_it_was_read_is_noted(text, sentence):
    assert sentence in read(text).provenance[0]


def test_latin_1_in_gzip_is_noted():
    table = read_csv(gzip.compress("Größe,a\n1,0\n".encode("latin-1")))
    has_line(table.provenance[0], "Read", "CSV", "Windows-1252 (Latin-1)", "unpacked", "gzip", "cells", "commas")


@pytest.mark.parametrize("text", ["5.1,3.5,rose\n4.9,3,rose\n", "5.1,3.5,9\n4.9,3,2\n"])
def test_a_file_without_names_is_read_and_noted_to_have_none(text):
    table = read(text)
    assert table.columns == ("column 1", "column 2", "column 3")
    assert table.cells[:, :2].tolist() == [[5.1, 3.5], [4.9, 3]]
    alike(table.provenance[1], "The first row holds data, so the columns are called by their position.")


def test_names_that_are_years_stay_names_and_are_noted():
    table = read("2001,2002,2003\n5,0.5,1\n")
    assert table.columns == ("2001", "2002", "2003")
    has_line(table.provenance[1], "numbers", "count", "2001", "2003", "taken", "names")


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("# made, by hand\n# in 2026\nx,a\n1,0\n", "2 lines of comments (#) were skipped above the table."),
        ("#\n\nx,a\n1,0\n", "1 line of comments (#) was skipped above the table."),
        ("# x, a\n1,0\n", "The names of the columns stand in a line after a #."),
    ],
)
def test_comments_above_the_table(text, sentence):
    table = read(text)
    assert (table.columns, table.cells.tolist()) == (("x", "a"), [[1, 0]])
    assert table.provenance[1:] == (sentence,)


def test_lines_are_counted_from_the_top_of_the_file():
    with pytest.raises(DataError, match=r"line 5: expected 2 values .*got 1"):
        read("# made by hand\n\nx,a\n1,0\n1\n")


def test_a_hash_below_the_names_is_no_comment():
    assert read("x,a\n#1,0\n#2,1\n").categories == (("#1", "#2"), None)


def test_one_column_of_lists_of_labels_is_read():
    assert read("tags\nsea|sky\nsky\n").categories == (("sea|sky", "sky"),)
    assert read('tags\n"sea, sky"\nsky\n').categories == (("sea, sky", "sky"),)


def test_cells_with_newlines_delimiters_and_a_hundred_thousand_characters():
    long = "word " * 50_000
    table = read(f'x,said\n1,"a\nb, ""c"""\n2,"{long}"\n')
    assert table.categories[1] == ('a\nb, "c"', long.strip())


def test_cells_neutralised_for_spreadsheets_are_read_as_meant():
    table = read("'=x,'a'\n'=1+1,0\n'-y,1\nz,1\n")
    assert table.columns == ("=x", "'a'")
    assert table.categories[0] == ("-y", "=1+1", "z")


_CELLS = st.one_of(
    st.integers(-999, 999).map(str),
    st.floats(-100, 100).map(lambda x: f"{x:.3f}"),
    st.sampled_from(["", "NA", "red", "sea, sky", 'say "no"', "two\nlines", "Größe"]),
)


@given(st.integers(1, 4).flatmap(lambda width: st.lists(st.lists(_CELLS, min_size=width, max_size=width), min_size=1)))
def test_pandas_reads_the_same(rows):
    names = [f"name {j}" for j in range(len(rows[0]))]
    file = io.StringIO()
    csv.writer(file).writerows([names, *rows])
    if len(names) == 1 and any(row == [""] for row in rows):  # a blank line
        return
    table = read(file.getvalue())
    frame = pd.read_csv(io.StringIO(file.getvalue()))
    assert table.columns == tuple(frame.columns)
    for j, values in enumerate(table.categories):
        theirs = frame.iloc[:, j]
        ours = [None if np.isnan(c) else c if values is None else values[int(c)] for c in table.cells[:, j]]
        assert (values is None) == (pd.api.types.is_numeric_dtype(theirs) or theirs.isna().all())
        assert ours == [None if pd.isna(cell) else cell for cell in theirs]


@given(st.text(alphabet='x1.,;\t|"#\n =-', max_size=60))
def test_any_text_is_a_table_or_refused_in_one_sentence(text):
    sentence = ""
    try:
        table = read(text)
        assert table.cells.shape == (table.n_rows, len(table.columns))
    except DataError as error:
        sentence = str(error)
    assert not sentence or (sentence.startswith("toy.csv: ") and sentence.endswith(".") and "\n" not in sentence)


def test_a_table_is_read_without_several_copies_of_its_cells(monkeypatch):
    rows = "\n".join(",".join(str(i * j % 7) for j in range(100)) for i in range(3000))
    text = ",".join(f"x{j}" for j in range(100)) + "\n" + rows + "\n"
    monkeypatch.setitem(read_cells.__globals__, "_BLOCK_CELLS", 10_000)
    monkeypatch.setattr(plain, "_BLOCK", 10_000)
    content = text.encode()
    tracemalloc.start()
    table = read_csv(content)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert table.cells.shape == (3000, 100)
    assert peak < 2.8 * table.cells.nbytes


def test_a_header_that_stands_again_further_down_is_skipped():
    table = read("x,a\n0.5,1\n0.7,0\nx,a\n0.9,1\nx,a\n")
    assert table.columns == ("x", "a")
    assert table.cells.tolist() == [[0.5, 1], [0.7, 0], [0.9, 1]]
    assert list(table.notes) == [Containing("4", "6", "repeat the header", "skipped")]
    assert read("x,x\n1,0\nx,x\n2,1\n").n_rows == 2
    assert read("1,red\n2,red\n1,red\n").n_rows == 3  # rows of data may repeat


def test_names_that_look_alike_are_one_name():
    composed, apart = "caf\u00e9", "cafe\u0301"
    table = read(f"x,{apart}\n1,0\n2,1\n")
    assert table.columns == ("x", composed)
    assert table.find(apart) == 1
    table = read(f"x,{apart},{composed}\n1,0,1\n")
    assert table.columns == ("x", composed, f"{composed} (2)")
    assert Containing(composed, "more than once") in table.notes


def test_many_names_over_a_short_row_are_refused_before_they_are_looked_at(monkeypatch):
    monkeypatch.setitem(_Layout.of.__func__.__globals__, "_WIDE", 3)
    monkeypatch.setitem(_Layout.of.__func__.__globals__, "names_nothing", None)
    with pytest.raises(DataError, match=r"wide\.csv: line 3: expected 4 values but got 2"):
        read_csv(b"# a remark\na,b,c,d\n1,2\n", "wide.csv")
