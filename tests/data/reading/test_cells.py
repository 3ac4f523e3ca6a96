import datetime

import numpy as np
import pytest
from sentences import Containing, alike

from trellislib.data.dataset import DataError
from trellislib.data.reading.cells import as_text, kind_of, read_cells, text_table


def read(*columns, separated_by="", named=()):
    def rows():
        return enumerate(map(list, zip(*columns, strict=True)), 1)

    names = [f"c{j}" for j in range(len(columns))]
    return read_cells(
        names, rows, lambda cause, row: DataError(f"row {row}: {cause}."), separated_by=separated_by, named=named
    )


@pytest.fixture(params=[10**6, 2])
def _blocks(request, monkeypatch):
    """All rows in one block, and a row or two in each, where what a column holds is often shown late."""
    monkeypatch.setitem(read_cells.__globals__, "_BLOCK_CELLS", request.param)


@pytest.mark.usefixtures("_blocks")
class TestNumbers:
    def test_plain(self):
        found = read(["1", "-2.5", "1e3", ""], ["NA", "0", "1", "1"])
        np.testing.assert_array_equal(found.cells, [[1, np.nan], [-2.5, 0], [1000, 1], [np.nan, 1]])
        assert found.categories == (None, None)
        assert (found.notes, found.decimal_comma, found.unusable) == ((), False, {})

    def test_decimal_commas_where_no_number_has_a_point(self):
        found = read(["1", "1,5", "n/a"], ["3", "4", "5"])
        np.testing.assert_array_equal(found.cells, [[1, 3], [1.5, 4], [np.nan, 5]])
        assert found.decimal_comma

    @pytest.mark.parametrize("separated_by", [";", "", ","])
    def test_commas_next_to_points_are_no_decimal_commas(self, separated_by):
        found = read(["0.5", "0.25", "1"], ["3", "1,2", "1,3"], separated_by=separated_by)
        assert found.categories == (None, ("1,2", "1,3", "3"))
        assert not found.decimal_comma
        is_noted = Containing("'c1'", "'1,2'", "nothing shows") in found.notes
        assert is_noted is (separated_by != ",")

    def test_both_signs_show_which_sets_thousands_apart(self):
        found = read(["2", "1.234,5", "1.000"], ["1", "2", "3"])
        assert found.cells[:, 0].tolist() == [2, 1234.5, 1000]
        alike(found.notes, ("Column 'c0' sets thousands apart: '1.234,5' was read as 1234.5.",))
        found = read(["2", "1,234.5", "1,000"], ["1", "2", "3"])
        assert found.cells[:, 0].tolist() == [2, 1234.5, 1000]

    def test_another_column_shows_it(self):
        found = read(["1.234", "2"], ["0,5", "1"])
        assert found.cells.tolist() == [[1234, 0.5], [2, 1]]
        alike(found.notes, ("Column 'c0' sets thousands apart: '1.234' was read as 1234.",))
        found = read(["1,234", "2"], ["0.5", "1"])
        assert found.cells.tolist() == [[1234, 0.5], [2, 1]]

    def test_where_nothing_shows_it(self):
        assert read(["1.234", "2.345"]).cells.ravel().tolist() == [1.234, 2.345]
        assert read(["1,234", "2"]).categories == (("1,234", "2"),)
        assert read(["1,234", "2"], separated_by=";").cells.ravel().tolist() == [1.234, 2]
        assert read(["1,234", "2"], separated_by=",").cells.ravel().tolist() == [1234, 2]

    def test_a_text_far_down_makes_the_whole_column_one_of_texts(self):
        found = read(["007", "7", "", "x9"], ["1", "2", "3", "4"])
        assert found.categories == (("007", "7", "x9"), None)
        np.testing.assert_array_equal(found.cells[:, 0], [0, 1, np.nan, 2])

    @pytest.mark.parametrize("cell", ["inf", "-Infinity", "1e999"])
    def test_infinite_numbers_are_refused_by_place(self, cell):
        with pytest.raises(DataError, match=rf"row 2: '{cell}' .*column 'c1' .*not .*finite number; leave"):
            read(["1", "2"], ["3", cell])

    @pytest.mark.parametrize("cell", ["9007199254740993", "-9007199254740993", "009007199254740993"])
    def test_whole_numbers_of_too_many_digits_are_categories(self, cell):
        found = read(["1", "?", cell], ["1", "2", "3"])
        assert found.categories == (tuple(sorted(["1", cell])), None)
        alike(
            found.notes,
            (
                f"Column 'c0' holds whole numbers such as '{cell}', of more digits than it keeps, and was read as "
                "categories.",
            ),
        )

    @pytest.mark.parametrize(
        "cell", ["9007199254740992", "12345678901234567168", "12345678901234567000", "1e20", "1e300"]
    )
    def test_large_numbers_stay_numbers_as_far_as_they_are_exact(self, cell):
        found = read(["1", "", cell])
        np.testing.assert_array_equal(found.cells[:, 0], [1, np.nan, float(cell)])
        assert found.notes == ()

    def test_zeros_in_front_are_noted(self):
        found = read(["0.07", "0", "00.5"], ["123", "00123", "7"], ["12", "1", "03"])
        assert found.cells.tolist() == [[0.07, 123, 12], [0, 123, 1], [0.5, 7, 3]]
        alike(
            found.notes,
            (
                "Columns 'c1' and 'c2' hold cells such as '00123', which was read as 123; leave them out if these are "
                "codes.",
            ),
        )

    def test_a_value_that_keeps_a_column_from_being_numeric_is_noted(self):
        numbers = ["1.5", "2", "3", "4", "5"]
        found = read([*numbers, "--"], [*numbers, "--"], [*numbers[:3], "--", "--", "--"], named=[1])
        assert [values is None for values in found.categories] == [False] * 3
        alike(
            found.notes,
            (
                "Column 'c0' holds numbers and cells such as '--', and was read as categorical; empty those cells "
                "if they are missing.",
            ),
        )

    def test_underscores_make_no_number(self):
        assert read(["1_000", "2"]).categories == (("1_000", "2"),)


@pytest.mark.usefixtures("_blocks")
class TestNamedValues:
    def test_they_are_stripped_sorted_and_as_meant(self):
        found = read(["red", " blue", "?", "'=red", "blue "])
        assert found.categories == (("=red", "blue", "red"),)
        np.testing.assert_array_equal(found.cells[:, 0], [2, 1, np.nan, 0, 1])

    def test_columns_may_be_declared_to_hold_them(self):
        found = read(["1", "10", "2"], ["1", "2", "3"], named=[0])
        assert found.categories == (("1", "10", "2"), None)
        assert found.cells[:, 0].tolist() == [0, 1, 2]

    def test_a_column_of_missing_cells_holds_numbers(self):
        assert read(["", "?"], ["a", "b"]).categories == (None, ("a", "b"))


@pytest.mark.parametrize("text", ["0" * 6000 + "9007199254740993", "9" * 308, "\u0660" * 6000 + "9007199254740993"])
def test_numbers_longer_than_any_code_are_read(text):
    assert read([text]).cells.tolist() == [[float(text)]]


def test_columns_without_a_name_and_a_value_are_left_out():
    found = read(["1", "2"], ["", "?"], ["", ""], ["", "x"])
    table = text_table("t", ["a", "b", " ", ""], found, "Read")
    assert (table.columns, table.categories) == (("a", "b", "column 4"), (None, None, ("x",)))
    np.testing.assert_array_equal(table.cells, [[1, np.nan, np.nan], [2, np.nan, 0]])
    assert text_table("t", [""], read(["", ""]), "Read").columns == ("column 1",)


def test_no_rows():
    with pytest.raises(DataError, match=r"header .*no rows"):
        read([])


@pytest.mark.parametrize(
    "values",
    [
        ["2026-01-31"],
        ["2026/1/31", "2026-02-01 08:30", "2026-02-01T08:30:15.250Z", "2026-02-01 08:30:00+02:00"],
        ["31.01.2026", "1.2.26"],
        ["31/01/2026", "12/31/2026", "01-02-2026 8:15 PM"],
        ["08:30", "8:30:15", "23:59:59.5"],
        ["31-Jan-2026", "1 february 2026", "3. Sep 26", "31JAN2026", "12-Sept-26 08:30"],
        ["January 31, 2026", "Sep. 1 2026"],
    ],
)
def test_dates_and_times(values):
    assert kind_of(values, 100) == "dates"


@pytest.mark.parametrize(
    "value",
    [
        "2026-13-01",
        "32.01.2026",
        "1.2.3",
        "2026-01/31",
        "31/02",
        "25:61",
        "red",
        "10-20",
        "May",
        "May 2026",
        "4 men 2026",
    ],
)
def test_what_is_no_date(value):
    assert kind_of(["2026-01-31", value], 100) == ""


def test_texts_and_identifiers_are_distinguished_from_values():
    codes = [f"M{i}" for i in range(21)]
    assert kind_of(codes, 21) == "identifiers"
    assert kind_of(codes, 22) == "free text"  # one occurs twice
    assert kind_of(codes, 42) == ""
    assert kind_of(codes[:20], 20) == ""
    assert kind_of([f"sea|{code}" for code in codes], 21) == "free text"  # a list of labels
    assert kind_of([f"word {code}" for code in codes], 21) == "free text"


@pytest.mark.parametrize(
    ("name", "first", "expected"),
    [
        ("id", 1, "only numbers the rows"),
        ("patientID", 0, "only numbers the rows"),
        ("row_id", 100, "has a number of its own in each row"),
        ("column 1", 0, "only numbers the rows"),
        ("column 1", 100, ""),
        ("covid", 100, ""),
        ("x", 1, ""),
    ],
)
def test_columns_that_only_identify_rows_are_noted(name, first, expected):
    found = read_cells([name], lambda: ((i, [str(first + i)]) for i in range(5)), lambda cause, _: DataError(cause))
    assert [expected in note for note in found.notes] == ([True] if expected else [])


def test_any_name_is_noted_that_counts_many_rows():
    found = read_cells(["x"], lambda: ((i, [str(i)]) for i in range(21)), lambda cause, _: DataError(cause))
    alike(found.notes, ("Column 'x' only numbers the rows; leave it out if it means nothing.",))


def test_values_as_texts():
    moment = datetime.datetime(2026, 1, 31, 8, 30)
    assert [as_text(value) for value in ("a", 3.0, 1e300, 0.1, 7, False, moment, np.float64(2.5))] == [
        "a", "3", str(int(1e300)), "0.1", "7", "False", "2026-01-31T08:30:00", "2.5"
    ]  # fmt: skip
