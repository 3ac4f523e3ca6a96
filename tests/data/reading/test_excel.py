import datetime
import io
import re
import zipfile

import numpy as np
import openpyxl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sentences import Containing, alike

from trellislib.data import load
from trellislib.data.dataset import DataError
from trellislib.data.reading.excel import read_excel

SHEET = "xl/worksheets/sheet1.xml"
DAY = datetime.date(2026, 1, 31)


def book(*sheets, start=(1, 1), titles=()):
    """Return the bytes of a workbook with these rows in each sheet."""
    workbook = openpyxl.Workbook()
    workbook.remove(workbook.active)
    for k, rows in enumerate(sheets):
        sheet = workbook.create_sheet(titles[k] if titles else f"Sheet {k + 1}")
        for i, row in enumerate(rows):
            for j, value in enumerate(row):
                sheet.cell(start[0] + i, start[1] + j, value)
    file = io.BytesIO()
    workbook.save(file)
    return file.getvalue()


def edited(content, old, new, member=SHEET):
    """Return a workbook in which a part of a member is replaced."""
    file = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(content)) as before, zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as after:
        for name in before.namelist():
            part = before.read(name)
            if name == member:
                assert re.search(old, part)
                part = re.sub(old, lambda _: new, part)
            after.writestr(name, part)
    return file.getvalue()


def zipped(**files):
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in files.items():
            archive.writestr(name.replace("__", "."), content)
    return file.getvalue()


SMALL = book([["x", "a"], [1, 0], [2, 1]])


def test_cells_of_every_type():
    rows = [
        ["x", "a", "hue", "n", "on", "at"],
        [0.5, True, "red", "1", DAY, datetime.time(8, 30)],
        [None, False, " blue ", "2.5", datetime.datetime(2026, 2, 1, 9), None],
        [3, True, "NA", None, None, datetime.time(9, 0)],
    ]
    table = read_excel(book(rows), "sky.xlsx")
    assert table.columns == ("x", "a", "hue", "n", "on", "at")
    assert table.categories[:4] == (None, ("False", "True"), ("blue", "red"), None)
    np.testing.assert_array_equal(table.cells[:, :4], [[0.5, 1, 1, 1], [np.nan, 0, 0, 2.5], [3, 1, np.nan, np.nan]])
    np.testing.assert_array_equal(table.cells[:, 5], [8.5, np.nan, 9])  # hours
    assert table.unusable == {"on": "dates"}
    alike(table.provenance, ("Read from the sheet 'Sheet 1' of an Excel workbook: 3 rows of 6 columns.",))
    assert list(table.notes) == [Containing("'at'", "'08:30:00' as 8.5")]


@settings(max_examples=25)
@given(
    st.integers(1, 4).flatmap(
        lambda width: st.lists(
            st.lists(
                st.none()
                | st.integers(-99, 99)
                | st.floats(-10, 10).map(lambda x: round(x, 6))
                | st.sampled_from(["red", "blue"]),
                min_size=width,
                max_size=width,
            ).filter(lambda row: any(cell is not None for cell in row)),
            min_size=1,
            max_size=6,
        )
    )
)
def test_what_was_written_is_read(rows):
    names = [f"name {j}" for j in range(len(rows[0]))]
    table = read_excel(book([names, *rows]))
    assert table.columns == tuple(names)
    for j, column in enumerate(zip(*rows, strict=True)):
        values = table.categories[j]
        ours = [None if np.isnan(c) else c if values is None else values[int(c)] for c in table.cells[:, j]]
        if values is None:
            assert ours == list(column)
        else:
            texts = [str(int(c)) if isinstance(c, float) and c.is_integer() else str(c) for c in column]
            assert ours == [None if cell is None else text for cell, text in zip(column, texts, strict=True)]


def test_a_table_anywhere_with_blank_rows_and_a_title():
    rows = [["Sky of 2026", None], [None, None], ["x", "a"], [1, 0], [None, None], [2, 1]]
    table = read_excel(book(rows, start=(4, 3)))
    assert (table.columns, table.cells.tolist()) == (("x", "a"), [[1, 0], [2, 1]])
    alike(table.provenance[1:], ("Above the names of the columns stands 'Sky of 2026', which was skipped.",))


def test_names_missing_above_columns_and_above_nothing():
    table = read_excel(book([[None, "x", None, "a"], [None, 1, 5, 0], [None, 2, 6, 1]]))
    assert table.columns == ("x", "column 3", "a")
    alike(table.notes, ("Columns without a name were called by their position, such as 'column 1'.",))
    assert read_excel(book([[None, "x", None, "a"], [None, 1, None, 0]])).notes == ()


def test_a_sheet_without_names():
    table = read_excel(book([[5.1, 3.5, "rose"], [4.9, 3, "rose"]]))
    assert table.columns == ("column 1", "column 2", "column 3")
    alike(table.provenance[1], "The first row holds data, so the columns are called by their position.")


def test_errors_and_formulas():
    content = book([["x", "a"], ["=1+1", 0], [3, 1], ["#N/A", 1]])
    assert np.isnan(read_excel(content).cells[0, 0])  # nobody has computed it
    content = edited(content, rb"<f>1\+1</f><v\s*/>|<f>1\+1</f><v></v>", b"<f>1+1</f><v>2</v>")
    content = edited(content, rb'<c r="A3" t="n"><v>3</v></c>', b'<c r="A3" t="e"><v>#DIV/0!</v></c>')
    table = read_excel(content)
    np.testing.assert_array_equal(table.cells, [[2, 0], [np.nan, 1], [np.nan, 1]])
    alike(table.notes, ("2 cells of the sheet hold errors and count as missing.",))


class TestSheets:
    X, Y = [["x"], [0.5], [0.1]], [["a", "b"], [1, 0], [0, 1]]

    def test_empty_ones_do_not_count(self):
        table = read_excel(book([], self.Y, []))
        assert table.columns == ("a", "b")
        alike(table.provenance, ("Read from the sheet 'Sheet 2' of an Excel workbook: 2 rows of 2 columns.",))

    def test_others_are_named(self):
        table = read_excel(book(self.X, self.Y))
        assert table.columns == ("x",)
        alike(table.provenance[1], "Its other sheet, 'Sheet 2', was not read.")
        table = read_excel(book(self.X, self.Y, self.Y))
        alike(table.provenance[1], "Its other sheets, 'Sheet 2' and 'Sheet 3', were not read.")

    @pytest.mark.parametrize("titles", [("X", "Y"), ("features", "Labels"), ("inputs", "targets")])
    def test_features_and_labels_are_put_together(self, titles):
        for content in (book(self.X, self.Y, titles=titles), book(self.Y, self.X, titles=titles[::-1])):
            table = read_excel(content, "sky.xlsx")
            assert (table.name, table.columns, table.labels) == ("sky.xlsx", ("x", "a", "b"), ("a", "b"))
            assert table.labels_source == f"the sheet '{titles[1]}'"
            assert table.cells.tolist() == [[0.5, 1, 0], [0.1, 0, 1]]
            alike(table.provenance[-1], f"The labels are in the sheet '{titles[1]}'.")

    def test_unless_they_have_not_the_same_rows(self):
        table = read_excel(book(self.X, [*self.Y, [1, 1]], titles=("X", "Y")))
        assert (table.columns, table.labels) == (("x",), None)
        alike(table.provenance[1], "Its other sheet, 'Y', was not read.")

    def test_one_may_be_chosen(self):
        assert read_excel(book(self.X, self.Y), sheet="Sheet 2").columns == ("a", "b")
        with pytest.raises(DataError, match=r"no sheet 'Z'; .*sheets .*'Sheet 1' .*'Sheet 2'\."):
            read_excel(book(self.X, self.Y), sheet="Z")
        with pytest.raises(DataError, match=r"sheet 'Sheet 2' .*empty\."):
            read_excel(book(self.X, []), sheet="Sheet 2")


@pytest.mark.parametrize(
    ("content", "cause"),
    [
        (book([]), "no sheet of the workbook has a cell with anything in it."),
        (book([["x", "a"]]), "the file has a header but no rows."),
        (
            book([["x", "a"], [1, 2, 3]]),
            "row 2: '3' stands in the sheet's column 3, which has no name; name it, or empty the cell.",
        ),
        (edited(SMALL, b"</row>", b""), "the Excel workbook is damaged (ParseError)."),
        (edited(SMALL, rb'r="A2"', b'r="12"'), "the Excel workbook is damaged (ValueError)."),
        (SMALL[:-30], "the zip archive is damaged or cut short."),
        (
            zipped(sky__zip=zipped(x__csv=b"x\n1\n", y__csv=b"y\n0\n")),
            "this zip archive is no Excel workbook; if it lies in another archive, unpack that first.",
        ),
        (
            zipped(mimetype=b"application/vnd.oasis.opendocument.spreadsheet", content__xml=b"<x/>"),
            "this is an OpenDocument file, not an Excel workbook; save it as .xlsx or CSV.",
        ),
    ],
)
def test_a_bad_workbook_gets_one_sentence(content, cause):
    with pytest.raises(DataError) as caught:
        read_excel(content, "sky.xlsx")
    assert str(caught.value) == f"sky.xlsx: {cause}"


def test_an_absurd_size_is_not_believed():
    content = edited(SMALL, rb'<dimension ref="[^"]*"\s*/>', b'<dimension ref="A1:XFD1048576"/>')
    assert read_excel(content).cells.tolist() == [[1, 0], [2, 1]]


@pytest.mark.parametrize("row", ["1048577", "9" * 18])
def test_cells_far_away_are_refused(row):
    content = edited(SMALL, rb'<row r="3"', f'<row r="{row}"'.encode())
    with pytest.raises(DataError, match=r"sheet 'Sheet 1' spans more than 1,048,576 rows .*50,000,000 cells; delete"):
        read_excel(content)


def test_a_wide_empty_area_is_refused(monkeypatch):
    monkeypatch.setitem(read_excel.__globals__, "MAX_CELLS", 16_384 * 3)
    far = b"".join(b'<row r="%d"><c r="XFD%d" t="n"><v>1</v></c></row>' % (i, i) for i in range(1, 9))
    with pytest.raises(DataError, match="spans more than"):
        read_excel(edited(SMALL, rb"<sheetData>.*</sheetData>", b"<sheetData>" + far + b"</sheetData>"))


def test_a_bomb_in_an_archive_is_refused(monkeypatch):
    bomb = edited(SMALL, rb"</worksheet>.*", b"</worksheet>" + b" " * 2**22)
    monkeypatch.setattr("trellislib.data.reading.packing.UNSUSPICIOUS", 2**16)
    with pytest.raises(DataError, match=r"sky.zip: .*zip archive unpacks .*more than 800 times .*size"):
        read_excel(zipped(a__xlsx=bomb), "sky.zip")


def test_entities_are_not_multiplied():
    bomb = b'<!DOCTYPE b [<!ENTITY a "ha">' + b"".join(
        b'<!ENTITY %c "%s">' % (c + 1, b"&%c;" % c * 30) for c in range(ord("a"), ord("h"))
    )
    content = edited(SMALL, rb"(<\?xml[^>]*>)?<worksheet", bomb + b"]><worksheet")
    content = edited(content, rb"<v>2</v>", b"<v>&h;</v>")
    with pytest.raises(DataError, match=r"the Excel workbook is damaged"):
        read_excel(content)


@settings(max_examples=25)
@given(st.data())
def test_damaged_workbooks_are_refused_in_one_sentence(data):
    content = bytearray(SMALL)
    for _ in range(data.draw(st.integers(1, 3))):
        content[data.draw(st.integers(0, len(content) - 1))] = data.draw(st.integers(0, 255))
    expected = ""
    try:
        read_excel(bytes(content), "sky.xlsx")
    except DataError as error:
        expected = str(error)
    assert not expected or (expected.startswith("sky.xlsx: ") and "\n" not in expected)


def test_formulas_whose_results_were_not_saved_are_named_as_such():
    rows = [["x", "sum", "a"], *([i, f"=A{i}+1", i % 2] for i in range(2, 9))]
    data = read_excel(book(rows), "sky.xlsx").to_dataset(["a"])
    assert Containing("'sum'", "formulas", "not saved", "spreadsheet") in data.notes
    assert data.feature_names == ("x",)


def test_what_a_workbook_unpacks_to_is_limited(monkeypatch):
    monkeypatch.setitem(read_excel.__globals__, "MAX_SHEETS", 2**10)
    with pytest.raises(DataError, match=r"wide\.xlsx: .* MB.*save the sheet as CSV"):
        read_excel(SMALL, "wide.xlsx")


def test_a_sheet_is_chosen():
    content = book(
        [["x", "a"], [1, 0], [2, 1]], [["y", "a", "b"], [1, 0, 1], [2, 1, 1], [3, 0, 0]], titles=("old", "new")
    )
    assert read_excel(content).sheets == ("old", "new")
    assert load(content, ["a"]).n_instances == 2
    data = load(content, ["a", "b"], sheet="new")
    assert (data.n_instances, data.feature_names) == (3, ("y",))
    with pytest.raises(DataError, match=r"no sheet 'mew'; its sheets are 'old' and 'new'"):
        load(content, ["a"], sheet="mew")
