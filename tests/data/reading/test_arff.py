import gzip
import io
import tracemalloc
from time import process_time

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import sparse
from sentences import alike, has_line

from trellislib.data.dataset import DataError
from trellislib.data.reading.arff import load_arff, read_arff
from trellislib.data.reading.choice import choose_labels
from trellislib.data.reading.combining import stacked

HEADER = "@relation toy\n@attribute x numeric\n@attribute a {0,1}\n@data\n"


def read(text, name="toy.arff"):
    return read_arff(text.encode(), name)


def cause_of(text, encode=str.encode):
    with pytest.raises(DataError) as caught:
        read_arff(encode(text) if isinstance(text, str) else text, "toy.arff")
    message = str(caught.value)
    assert message.startswith("toy.arff: ")
    assert message.endswith(".")
    return message.removeprefix("toy.arff: ")


def test_dense():
    table = read(
        "@relation t\n@attribute x real\n@attribute n integer\n@attribute c {u,v}\n@data\n1.5,2,v\n-1e3, 0 , u\n"
    )
    assert table.columns == ("x", "n", "c")
    assert table.categories == (None, None, ("u", "v"))
    assert table.cells.tolist() == [[1.5, 2, 1], [-1000, 0, 0]]
    assert table.labels is None


def test_quotes_and_escapes():
    table = read(
        "@relation 'a b'\n"
        "@attribute 'it\\'s \"so\"' {'red, dark','it\\'s blue',green,\"d'q\"}\n"
        '@attribute "two words" {\'0\',"1"}\n'
        "@attribute m\\'usica\tnumeric\n"
        "@data\n"
        "'red, dark','1',1\n"
        'green, "0",2\n'
        "'it\\'s blue','0',3\n"
        "\"d'q\",1,'4'\n"
    )
    assert table.columns == ('it\'s "so"', "two words", "m'usica")
    assert table.categories == (("red, dark", "it's blue", "green", "d'q"), ("0", "1"), None)
    assert table.cells.tolist() == [[0, 1, 1], [2, 0, 2], [1, 0, 3], [3, 1, 4]]


def test_case_comments_blank_lines_tabs_crlf_and_bom():
    text = (
        "\ufeff% about\n\n@RELATION t\n%\n@Attribute\tx\tNUMERIC\n@ATTRIBUTE a{ 0.0, 1.0}\n@DATA \n"
        "\n% rows\n1,0.0\n\n2\t1.0\n3 1.0\n"
    )
    table = read(text.replace("\n", "\r\n"))
    assert table.columns == ("x", "a")
    assert table.cells.tolist() == [[1, 0], [2, 1], [3, 1]]
    assert table.to_dataset(["a"]).label_values == (("0", "1"),)


@pytest.mark.parametrize("encoding", ["utf-8", "latin-1", "utf-16"])
def test_encodings(encoding):
    table = read_arff("@relation t\n@attribute Größe {größer,kleiner}\n@data\nkleiner\n".encode(encoding))
    assert table.columns == ("Größe",)
    assert table.categories == (("größer", "kleiner"),)


def test_gzip_and_an_open_file_that_was_read_before():
    packed = io.BytesIO(gzip.compress((HEADER + "1,0\n").encode()))
    packed.read()
    assert read_arff(packed).cells.tolist() == [[1, 0]]
    assert read_arff(packed).cells.tolist() == [[1, 0]]
    assert not packed.closed


def test_missing_cells():
    table = read("@relation t\n@attribute x numeric\n@attribute c {u,v,?}\n@data\n?,v\n1, ? \n,u\n'3',?\n")
    assert table.categories == (None, ("u", "v"))
    np.testing.assert_array_equal(table.cells, [[np.nan, 1], [1, np.nan], [np.nan, 0], [3, np.nan]])


def test_sparse():
    table = read(
        "@relation t\n@attribute w1 numeric\n@attribute w2 numeric\n@attribute c {lo,hi}\n@attribute A {0,1}\n@data\n"
        "{0 2.5,3 1}\n{ }\n{ 3 1, 1 4,2 hi }\n{}\n{2\t'hi'}\n{0 ?}\n{1 0}\n"
    )
    assert sparse.issparse(table.cells)
    assert table.cells.nnz == 7
    np.testing.assert_array_equal(
        table.cells.toarray(),
        [[2.5, 0, 0, 1], [0] * 4, [0, 4, 1, 1], [0] * 4, [0, 0, 1, 0], [np.nan, 0, 0, 0], [0] * 4],
    )


def test_a_left_out_nominal_cell_is_the_first_value():
    data = load_arff(b"@relation t\n@attribute z {1,2,3}\n@attribute A {0,1}\n@data\n{1 1}\n{0 2}\n{0 3,1 1}\n", -1)
    assert data.feature_names == ("z=1", "z=2", "z=3")
    assert data.X.toarray().tolist() == [[1, 0, 0], [0, 1, 0], [0, 0, 1]]
    assert data.Y.toarray().tolist() == [[1], [0], [1]]


@pytest.mark.parametrize(
    ("relation", "labels"),
    [
        ("'toy: -C 2'", ("p", "q")),
        ('"toy: -C 2"', ("p", "q")),
        ("'toy: -c -1 -split-number 9'", ("x",)),
        ("'toy -C 1'", ("p",)),
        ("'-C 1: toy'", ("p",)),
        ("'toy:-C 2'", ("p", "q")),
        ("':-C 2'", ("p", "q")),
        ("toy:-C=1", ("p",)),
        ("'toy: -C = -1'", ("x",)),
        ("'toy: -C +2'", ("p", "q")),
        ("'toy: -C+2'", ("p", "q")),
        ("'toy: -C-1'", ("x",)),
        ("'toy: -split-percentage 66 -C 1 -x 3'", ("p",)),
        ("-C 2", ("p", "q")),
        ("toy-C2", None),
        ("'toy: -C 2.5'", None),
        ("'toy: -C 1a'", None),
        ("'toy: -C 99999999999999999999'", None),
        ("'weka.Add-Cfirst'", None),
        ("'toy: -C 0'", None),
        ("'toy: -C 3'", None),
    ],
)
def test_the_hint_in_the_relation(relation, labels):
    table = read(
        f"@relation {relation}\n@attribute p {{0,1}}\n@attribute q {{0,1}}\n@attribute x numeric\n@data\n0,1,2\n"
    )
    assert table.labels == labels
    assert table.labels_source.endswith(" in the relation's name") == (labels is not None)
    assert ("does not fit" in table.labels_note) == (relation in ("'toy: -C 0'", "'toy: -C 3'"))
    if table.labels_note:
        with pytest.raises(DataError, match=r"nothing .*-C [03], .*not fit .*3 attributes"):
            table.declared_labels()


def test_a_hint_that_a_filter_made_doubtful_is_noted_when_it_is_used():
    text = (
        b"@relation 'M: -C 1-weka.filters.unsupervised.attribute.Remove-R1'\n"
        b"@attribute a {0,1}\n@attribute b {0,1}\n@attribute x numeric\n@data\n0,1,2\n1,0,3\n"
    )
    assert any("check the labels" in note for note in load_arff(text).notes)
    assert load_arff(text, ["b"]).notes == ()


SPREAD = (
    b"@relation 's: -C 1'\n@attribute f1 numeric\n@attribute L-c {0,1}\n@attribute f2 numeric\n@attribute L-a {0,1}\n"
    b"@attribute f3 {0,1}\n@attribute 'L\\'b' {0,1}\n@data\n0.1,1,5,0,1,1\n0.2,0,6,1,0,1\n"
)


def test_an_xml_names_the_labels_and_their_order(tmp_path):
    xml = (
        b'<labels xmlns="http://mulan.sourceforge.net/labels">\n <label name="L-a"> </label>\n'
        b'<label name="L\\\'b"/><label name="L-c"/></labels>'
    )
    (tmp_path / "s.arff").write_bytes(SPREAD)
    (tmp_path / "s.xml").write_bytes(xml)
    for labels in (tmp_path / "s.xml", str(tmp_path / "s.xml"), xml, io.BytesIO(xml)):
        data = load_arff(tmp_path / "s.arff", labels)
        assert data.label_names == ("L-a", "L'b", "L-c")
        assert data.feature_names == ("f1", "f2", "f3")
        assert data.Y.tolist() == [[0, 1, 1], [1, 1, 0]]
    assert data.name == "s"


def test_a_misspelt_label_of_the_xml_is_named():
    with pytest.raises(DataError, match=r"no column 'L-aa', .*data names .*label; .*nearest name .*'L-a'"):
        load_arff(SPREAD, b'<labels><label name="L-aa"/></labels>')


def test_other_ways_to_name_the_labels():
    assert load_arff(SPREAD, ["L'b", "L-a"]).label_names == ("L'b", "L-a")
    assert load_arff(SPREAD, -2).label_names == ("f3", "L'b")
    with pytest.raises(DataError, match=r"7 labels .*6 columns; give"):
        load_arff(SPREAD, -7)
    with pytest.raises(DataError, match=r"nothing .*file says .*2 columns .*labels; .*guess .*'a'"):
        load_arff((HEADER + "1.5,0\n2,1\n").encode())


@pytest.mark.parametrize(
    ("text", "cause"),
    [
        (HEADER + "1,0\n1\n", "line 6: expected 2 values but got 1."),
        (HEADER + "1,0\n\n%\n1,0,1\n", "line 8: expected 2 values but got 3."),
        (HEADER + "1,0\n1,2\n", "line 6: '2' is not a declared value of attribute 'a' ({0, 1})."),
        (HEADER + "one,0\n", "line 5: 'one' is not a number, which attribute 'x' expects."),
        (HEADER + "1_000,0\n", "line 5: '1_000' is not a number, which attribute 'x' expects."),
        (HEADER + "inf,0\n", "line 5: 'inf' is not a finite number, which attribute 'x' expects."),
        (HEADER + "{0 1}\n1,0\n", "line 6: expected a sparse row in braces but found '1,0'."),
        (HEADER + "1,0\n{0 1}\n", "line 6: this row is sparse where earlier rows are dense."),
        (HEADER + "{0 1,2 1}\n", "line 5: there is no attribute 2; they are counted 0 to 1."),
        (HEADER + "{-1 1}\n", "line 5: there is no attribute -1; they are counted 0 to 1."),
        (HEADER + "{x 1}\n", "line 5: 'x' is not the position of an attribute."),
        (HEADER + "{0 1,0 2}\n", "line 5: an attribute is given twice in this sparse row."),
        (HEADER + "{0}\n", "line 5: a position or a value is missing in this sparse row."),
        (HEADER + "{0 '1',1}\n", "line 5: a position or a value is missing in this sparse row."),
        (HEADER + "{1 2}\n", "line 5: '2' is not a declared value of attribute 'a' ({0, 1})."),
        (HEADER + "{0 1\n", "line 5: expected a sparse row in braces but found '{0 1'."),
        (HEADER, "there are no rows after @data."),
        (HEADER.removesuffix("@data\n"), "line 3: the file ends before @data."),
        ("@relation t\n@data\n1\n", "line 2: there is no @attribute before @data."),
        ("@relation t\n@attribute x numeric\n1,2\n", "line 3: expected @attribute or @data but found '1,2'."),
        ("@relation t\n@attribute\n", "line 2: this @attribute has no name."),
        ("@relation t\n@attribute '' real\n", "line 2: this @attribute has no name."),
        ("@relation t\n@attribute a {0,1\n", "line 2: the values of attribute 'a' have no closing brace."),
        (HEADER + "1,0\n@data\n2,0\n", "line 6: found '@data' among the rows; give each table a file of its own."),
        (HEADER + "'1,0\n", """line 5: a quote is not closed, or not followed by a comma, in "'1,0"."""),
        (HEADER + "'1'2,0\n", """line 5: a quote is not closed, or not followed by a comma, in "'1'2,0"."""),
        (HEADER + "'1','0','0'\n", "line 5: expected 2 values but got more."),
        (HEADER + "1 0 0\n", "line 5: expected 2 values but got more."),
        (HEADER + "1e400,0\n", "line 5: '1e400' is not a finite number, which attribute 'x' expects."),
        (HEADER + "0x10,0\n", "line 5: '0x10' is not a number, which attribute 'x' expects."),
        (HEADER + "{0 1 1 1}\n", "line 5: a position or a value is missing in this sparse row."),
        (HEADER + "{0, 1 1}\n", "line 5: a position or a value is missing in this sparse row."),
        (HEADER + "{0_0 1}\n", "line 5: '0_0' is not the position of an attribute."),
        (HEADER + "{1000000000000 1}\n", "line 5: there is no attribute 1000000000000; they are counted 0 to 1."),
        (HEADER + "{" + "0 1," * 9 + "1 1}\n", "line 5: an attribute is given twice in this sparse row."),
        (
            HEADER.replace("@data", "@data 1,0"),
            "line 4: expected the rows on lines of their own but found '1,0' after @data.",
        ),
        ("@relation a\n@relation b\n", "line 2: there is a second @relation; give each table a file of its own."),
        ("@relation t\n@attribute 'x numeric\n", "line 2: the quote before the name of this attribute is not closed."),
        ("@relation t\n@attribute a {0,1} real\n", "line 2: found 'real' after the values of attribute 'a'."),
        ("@relation t\n@attribute a {0,\n1}\n", "line 2: the values of attribute 'a' have no closing brace."),
        (
            "@relation t\n@attribute a {" + "0," * 10**6 + "1}\n",
            "line 2: attribute 'a' declares more than 1,000,000 values; declare it as a string.",
        ),
        (
            "@relation t\n@attribute " + "n" * 10_001 + " real\n",
            "line 2: the name '" + "n" * 37 + "...' has more than 10,000 characters.",
        ),
        ("% only\n\n", "the file has nothing but blank lines and comments."),
        ("", "the file is empty (zero bytes)."),
        (b"\x00\x01\x02rest", "this is a binary file, not text; expected an ARFF or CSV file."),
        (gzip.compress(HEADER.encode(), mtime=0)[:-9], "the gzip archive is damaged or cut short."),
    ],
)
def test_a_bad_file_gets_one_sentence_with_the_line(text, cause):
    alike(cause_of(text), cause)


def test_what_is_not_arff_at_all():
    has_line(cause_of("x1,x2,A\n1,2,0\n"), "line 1", "not", "ARFF file")
    assert "'x1,x2,A'" in cause_of("x1,x2,A\n1,2,0\n")
    assert "Git LFS pointer" in cause_of("version https://git-lfs.github.com/spec/v1\noid sha256:6f\nsize 3\n")
    has_line(cause_of("@relation t\n@attribute bag relational\n"), "line 2", "attribute 'bag'", "relational")
    has_line(cause_of("@relation t\n@attribute x complex\n"), "line 2", "attribute 'x'", "type 'complex'")
    with pytest.raises(DataError, match=r"toy.arff: .*no .*file"):
        read_arff("/nowhere/toy.arff")
    with pytest.raises(DataError, match="the file cannot be read"):
        read_arff("/")


def test_texts_are_no_features_and_dates_are():
    table = read(
        "@relation t\n@attribute title string\n@attribute day date 'yyyy-MM-dd'\n"
        "@attribute x real\n@attribute a {0,1}\n"
        "@data\n'A, B',2001-01-01,1,0\nC,?,2,1\n'A, B',2001-01-02,2,1\n"
    )
    assert table.categories[0] == ("A, B", "C")
    assert table.cells[:, 0].tolist() == [0, 1, 0]
    data = table.to_dataset(["a"])
    assert data.feature_names == ("day: weekday", "x")
    assert len(data.notes) == 3
    with pytest.raises(DataError, match="'title' holds free text"):
        table.to_dataset(["title"])


def test_repeated_names_are_numbered():
    table = read("@relation t\n@attribute x real\n@attribute x real\n@data\n1,2\n")
    assert table.columns == ("x", "x (2)")
    assert "more than once" in table.notes[0]


def test_more_rows_than_a_block():
    rows = "".join(f"{i},{i % 2}\n" for i in range(1300))
    assert read(HEADER + rows).cells[:, 0].tolist() == list(range(1300))
    has_line(cause_of(HEADER + rows + "x,1\n"), "line 1305", "'x'", "not", "number")


def test_how_it_was_read_is_noted():
    (sentence,) = read(HEADER + "1,0\n").provenance
    alike(sentence, "Read as a dense ARFF file in UTF-8, of 1 row and 2 columns.")
    packed = gzip.compress((HEADER.replace("x", "\xe9") + "{}\n" * 1234).encode("latin-1"))
    (sentence,) = read_arff(packed).provenance
    alike(sentence, "Read as a sparse ARFF file in Windows-1252, unpacked from gzip, of 1,234 rows and 2 columns.")


def test_comments_behind_what_they_are_about():
    table = read(
        "@relation t % a toy\n@attribute x numeric % in %\n"
        "@attribute '50 % off' {'0 % a', 50%,it's} % {0}\n@data % rows\n"
        "1,50% % half\n2,'0 % a'\t% none\n3, it's % not a quote\n"
    )
    assert table.columns == ("x", "50 % off")
    assert table.categories == (None, ("0 % a", "50%", "it's"))
    assert table.cells.tolist() == [[1, 1], [2, 0], [3, 2]]


def test_types_as_people_write_them():
    table = read(
        "@relation t\n@attribute a numeric [0,1]\n@ATTRIBUTE b INTEGER\n@attribute c Real{0.5}\n"
        "@attribute d{u,v} {2}\n@attribute 'e'{'}',\"{\",\\'}\n@attribute f {it's,don't}\n"
        "@data\n0,1,2,v,'}',don't\n1,2,3,u,\\',it's\n"
    )
    assert table.columns == tuple("abcdef")
    assert table.categories[3:] == (("u", "v"), ("}", "{", "'"), ("it's", "don't"))
    assert table.cells.tolist() == [[0, 1, 2, 1, 0, 1], [1, 2, 3, 0, 2, 0]]


def test_weights_of_rows_are_a_column_that_weighs_them():
    for rows in ("1,0, {0.5}\n2,1\n3,1,{ 2 }\n", "{0 1}, {0.5}\n{0 2,1 1}\n{0 3, 1 1}  ,{2}\n"):
        table = read(HEADER + rows)
        cells = table.cells if isinstance(table.cells, np.ndarray) else table.cells.toarray()
        assert cells.tolist() == [[1, 0, 0.5], [2, 1, 1], [3, 1, 2]]
        assert (table.columns[-1], table.weights, table.propose_labels()) == ("weight", "weight", table.columns[1:2])
        alike(table.notes, ("1 row without a weight count once.",))
        assert choose_labels(table, -1) == table.columns[1:2]
        data = table.to_dataset(choose_labels(table, -1))
        assert (data.feature_names, data.weights.tolist()) == (table.columns[:1], [0.5, 1, 2])
        assert table.to_dataset(table.columns[1:2], weights="").feature_names == (table.columns[0], "weight")
        assert table.to_dataset(table.columns[1:2], leave_out=["weight"]).weights is None
    with pytest.raises(DataError, match=r"line 5: '\{1e\}' is no weight"):
        read(HEADER + "1,0,{1e}\n")
    for weight in ("-2", "1e999"):
        with pytest.raises(DataError, match=rf"line 5: '\{{{weight}\}}' is no weight.*from 0 on"):
            read(HEADER + f"1,0,{{{weight}}}\n")


def test_a_file_without_weights_below_one_that_has_some():
    one, other = read(HEADER + "1,0,{0.5}\n"), read(HEADER + "2,1\n")
    assert stacked(one, other).to_dataset(one.columns[1:2]).weights.tolist() == [0.5, 1]
    assert stacked(other, one).to_dataset(one.columns[1:2]).weights.tolist() == [1, 0.5]


@pytest.mark.parametrize("rows", ["{},0\n{},1\n1e300,1\n", "{{0 {}}}\n{{0 {},1 1}}\n{{0 1e300,1 1}}\n"])
def test_digits_that_are_lost_are_noted(rows):
    exact, long = 2**53, 2**53 + 1
    table = read(HEADER + rows.format(exact, long))
    cells = table.cells if isinstance(table.cells, np.ndarray) else table.cells.toarray()
    assert cells.tolist() == [[exact, 0], [exact, 1], [1e300, 1]]
    alike(table.notes, ("1 whole number has more digits than are kept, and lost the last ones.",))
    assert read(HEADER + rows.format(exact, 12345678901234567168)).notes == ()


def test_nan_is_missing_and_noted():
    for rows in ("nan,0\n1,1\n?,1\n", "{0 NaN}\n{0 1,1 1}\n{0 ?,1 1}\n"):
        table = read(HEADER + rows)
        cells = table.cells if isinstance(table.cells, np.ndarray) else table.cells.toarray()
        np.testing.assert_array_equal(cells, [[np.nan, 0], [1, 1], [np.nan, 1]])
        alike(table.notes, ("1 cell with 'nan' instead of '?' was read as missing.",))


@pytest.mark.parametrize(
    "text",
    [
        HEADER + "'" + "\\','" * 50_000,
        HEADER + "{0 " + " " * 200_000 + "'}\n",
        HEADER + "{0 'a" + " '" * 100_000 + "}\n",
        HEADER + "1,a'" + " %" * 100_000,
        HEADER + "' \"" * 60_000 + " %\n",
        HEADER + "'a'" + " " * 200_000 + "x,0\n",
        "@relation t\n@attribute a {" + "'a" * 100_000 + "\n",
        "@relation t\n@attribute '" + "\\'" * 100_000 + "\n",
    ],
)
def test_no_line_takes_the_square_of_its_length(text):
    start = process_time()
    cause_of(text)
    assert process_time() - start < 60  # it takes minutes otherwise


def test_the_cells_are_held_once():
    text = (HEADER + "".join(f"{i},{i % 2}\n" for i in range(30_000))).encode()
    tracemalloc.start()
    try:
        table = read_arff(text)
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert peak < 1.5 * table.cells.nbytes + 2**20


NAMES = st.text(st.sampled_from("ab '\"\\%,{}@é?"), min_size=1, max_size=6).filter(
    lambda name: name.strip() == name and name != "?"
)


def quote(name):
    return "'" + name.replace("\\", "\\\\").replace("'", "\\'") + "'"


@settings(max_examples=40)
@given(st.data(), st.booleans())
def test_what_is_written_is_read_back(data, thin):
    columns = data.draw(st.lists(NAMES, min_size=1, max_size=4, unique=True))
    values = [data.draw(st.none() | st.lists(NAMES, min_size=1, max_size=3, unique=True)) for _ in columns]
    numbers = st.floats(allow_nan=False, allow_infinity=False)
    rows = data.draw(
        st.lists(
            st.tuples(*(st.none() | (numbers if v is None else st.integers(0, len(v) - 1)) for v in values)),
            min_size=1,
            max_size=6,
        )
    )
    lines = ["@relation 'round trip'"]
    for column, of in zip(columns, values, strict=True):
        lines.append(f"@attribute {quote(column)} {'real' if of is None else '{' + ', '.join(map(quote, of)) + '}'}")
    lines.append("@data")
    for row in rows:
        cells = [
            "?" if cell is None else repr(cell) if of is None else quote(of[cell])
            for cell, of in zip(row, values, strict=True)
        ]
        kept = [f"{j} {text}" for j, text in enumerate(cells) if row[j] != 0]
        lines.append("{" + ",".join(kept) + "}" if thin else ",".join(cells))
    table = read("\n".join(lines))
    assert table.columns == tuple(columns)
    assert table.categories == tuple(None if of is None else tuple(of) for of in values)
    cells = table.cells.toarray() if thin else table.cells
    np.testing.assert_array_equal(cells, np.array(rows, dtype=float))
