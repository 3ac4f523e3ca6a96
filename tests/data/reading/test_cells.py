import datetime

import numpy as np
import pytest
from sentences import Containing, alike

from trellislib.data.dataset import DataError
from trellislib.data.reading.cells import as_text, read_cells
from trellislib.data.reading.kinds import kind_of
from trellislib.data.reading.text_tables import text_table


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
        found = read(["0.07", "0", "00.5"], ["123", "00123", "7"], ["12", "1", "03"], ["01", "02", "12"])
        assert found.cells.tolist() == [[0.07, 123, 12, 1], [0, 123, 1, 2], [0.5, 7, 3, 12]]
        alike(
            found.notes,
            (
                "Columns 'c1', 'c2' and 'c3' hold cells such as '00123', which was read as 123; leave them out if they "
                "are codes.",
            ),
        )

    def test_zeros_in_front_of_the_names_of_rows_are_kept(self):
        found = read(["7", "008", "110"], ["1", "2", "3"])
        assert found.categories == (("008", "110", "7"), None)
        named = read_cells(["id"], lambda: [(2, ["7"]), (3, ["08"]), (4, ["11"])], DataError)
        assert named.categories == (("08", "11", "7"),)

    def test_whole_numbers_of_one_length_with_zeros_in_front_are_codes(self):
        found = read(["007", "120", "007"], ["1", "2", "3"])
        assert found.categories == (("007", "120"), None)
        assert found.cells[:, 0].tolist() == [0, 1, 0]

    def test_a_value_that_keeps_a_column_from_being_numeric_is_noted(self):
        numbers = ["1.5", "2", "3", "4", "5"]
        found = read([*numbers, "low"], [*numbers, "low"], [*numbers[:3], "low", "low", "low"], named=[1])
        assert [values is None for values in found.categories] == [False] * 3
        alike(
            found.notes,
            (
                "Column 'c0' holds numbers and cells such as 'low', and was read as categorical; empty those cells "
                "if they are missing.",
            ),
        )

    @pytest.mark.parametrize(
        ("texts", "meant"),
        [
            (["$1,234.50", "$89.00", "-$5"], [1234.5, 89, -5]),
            (["1.234,50 €", "89,00 €", "5 €"], [1234.5, 89, 5]),
            (["12%", "85 %", "7.5%"], [12, 85, 7.5]),
            (["45 kg", "60.5kg", "5 KG"], [45, 60.5, 5]),
            (["1 234", "12 345 678", "7"], [1234, 12345678, 7]),
            (["060Y", "006M", "045Y"], [60, 0.5, 45]),
            (["10:30", "8:15:00", "36:45"], [10.5, 8.25, 36.75]),
            (["(5.00 USD)", "USD 7", "8.5 USD"], [-5, 7, 8.5]),
        ],
    )
    def test_amounts_of_one_unit(self, texts, meant):
        found = read([*texts, "?", "-"], ["0"] * 5)
        assert found.categories == (None, None)
        np.testing.assert_allclose(found.cells[:, 0], [*meant, np.nan, np.nan])
        assert Containing("'-'", "missing", "1 cell", "'c0'") in found.notes

    @pytest.mark.parametrize(
        "texts", [["12 kg", "300 g"], ["L100", "L101"], ["$", "$5"], ["3-4", "5-6"], ["1e5x9", "2"]]
    )
    def test_what_has_no_common_unit_is_no_amount(self, texts):
        assert read(texts).categories[0] is not None

    def test_amounts_are_noted_with_an_example(self):
        found = read(["$5", "$6", "$7"])
        assert Containing("numbers", "'c0'", "'$5' as 5") in found.notes


@pytest.mark.parametrize("code", ["-", "--", ".", "None", "unknown", "n.a.", "<NA>"])
def test_codes_of_missing_cells(code):
    found = read(["1", "2.5", code], ["yes", "no", code], ["2026-01-31", "2026-02-01", code])
    assert found.categories == (None, ("no", "yes"), ("2026-01-31", "2026-02-01"))
    assert np.isnan(found.cells[2]).all()


def test_what_may_be_a_value_stays_one():
    found = read(["None", "mild", "severe"], ["+", "-", "+"], ["-", "red", "blue"], ["-", "x", "x"])
    assert found.categories == (("None", "mild", "severe"), ("+", "-"), ("blue", "red"), ("-", "x"))
    assert np.isnan(found.cells[0, 2])


def test_underscores_make_no_number():
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
    assert kind_of([f"{i:03d}" for i in range(21)], 22) == "identifiers"
    assert kind_of(codes, 42) == ""
    assert kind_of(codes[:5], 5) == "identifiers"
    assert kind_of(codes[:4], 4) == kind_of(["red", "blue", "green", "grey", "black"], 5) == ""
    assert kind_of([f"sea|{code}" for code in codes], 21) == "free text"  # a list of labels
    assert kind_of([f"word {code}" for code in codes], 21) == "free text"


@pytest.mark.parametrize(
    ("name", "first", "n_rows", "expected"),
    [
        ("id", 1, 5, True),
        ("patientID", 0, 5, True),
        ("row_id", 100, 5, True),
        ("row_id", 100, 4, False),
        ("column 1", 0, 5, False),
        ("covid", 100, 5, False),
    ],
)
def test_numbers_that_only_identify_rows(name, first, n_rows, expected):
    texts = [str(first + i) for i in range(n_rows)]
    found = read_cells([name], lambda: enumerate([text] for text in texts), lambda cause, _: DataError(cause))
    assert found.unusable == ({name: "identifiers"} if expected else {})


@pytest.mark.parametrize(("name", "first", "expected"), [("column 1", 0, True), ("column 1", 100, False)])
def test_a_first_column_without_a_name_that_counts_is_noted(name, first, expected):
    found = read_cells([name], lambda: ((i, [str(first + i)]) for i in range(5)), lambda cause, _: DataError(cause))
    assert [Containing("only numbers the rows")] * expected == list(found.notes)


def test_any_name_is_noted_that_counts_many_rows():
    found = read_cells(["x"], lambda: ((i, [str(i)]) for i in range(21)), lambda cause, _: DataError(cause))
    alike(found.notes, ("Column 'x' only numbers the rows; leave it out if it means nothing.",))


def test_values_as_texts():
    moment = datetime.datetime(2026, 1, 31, 8, 30)
    assert [as_text(value) for value in ("a", 3.0, 1e300, 0.1, 7, False, moment, np.float64(2.5))] == [
        "a", "3", str(int(1e300)), "0.1", "7", "False", "2026-01-31T08:30:00", "2.5"
    ]  # fmt: skip
