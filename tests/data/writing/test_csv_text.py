"""No table that is saved as CSV holds a cell that a spreadsheet runs."""

import csv
import io

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from trellislib.data.spreadsheet import as_meant
from trellislib.data.writing.csv_text import csv_text
from trellislib.score_tables import as_csv, read_scores

FORMULAS = ["=1+1", "+x", "-x", "@cmd", "\t=1", "  =1", "\n=1", "'=1", "-1+1|cmd", "\uff1d1"]


def cells(text):
    return [*csv.reader(io.StringIO(text, newline=""))]


@pytest.mark.parametrize("formula", FORMULAS)
def test_texts_names_of_columns_and_of_rows_have_an_apostrophe(formula):
    meant = pd.DataFrame({formula: [formula], "x": [-1.5]}, index=pd.Index([formula], name=formula))

    assert cells(csv_text(meant)) == [[f"'{formula}", f"'{formula}", "x"], [f"'{formula}", f"'{formula}", "-1.5"]]
    assert cells(csv_text(meant, index=False))[1] == [f"'{formula}", "-1.5"]
    assert meant.columns[0] == meant.index[0] == meant.iloc[0, 0] == formula  # the table itself is as it was


@pytest.mark.parametrize("end", ["\r", "\r\n", "\n"])
def test_no_line_of_a_text_becomes_a_row(end):
    assert cells(csv_text(pd.DataFrame({f"a{end}=1": [f"b{end}=1"]}), index=False)) == [["a\n=1"], ["b\n=1"]]


def test_every_level_of_many_names_is_looked_at():
    rows = pd.MultiIndex.from_product([["=a", "b"], [-1, 2]], names=["=of", None])
    columns = pd.MultiIndex.from_tuples([("@x", "mean"), ("y", "-std")])
    table = pd.DataFrame(np.arange(-4.0, 4).reshape(4, 2), rows, columns)

    assert cells(csv_text(table)) == [
        ["", "", "'@x", "y"],
        ["", "", "mean", "'-std"],
        ["'=of", "", "", ""],
        ["'=a", "-1", "-4.0", "-3.0"],
        ["'=a", "2", "-2.0", "-1.0"],
        ["b", "-1", "0.0", "1.0"],
        ["b", "2", "2.0", "3.0"],
    ]


def test_names_that_differ_in_how_lines_end_are_written_alike():
    rows = pd.MultiIndex.from_tuples([("a\rb", 1), ("a\nb", 2)])
    assert cells(csv_text(pd.DataFrame({"x": [3, 4]}, rows)))[1:] == [["a\nb", "1", "3"], ["a\nb", "2", "4"]]


def test_categories_and_mixed_cells_are_texts_too():
    table = pd.DataFrame({"c": pd.Categorical(["=1", None, "a"]), "m": [-1, "=1", None], "same": [True, False, True]})
    table.columns = ["c", "m", "c"]

    assert cells(csv_text(table, index=False)) == [
        ["c", "m", "c"],
        ["'=1", "-1", "True"],
        ["", "'=1", "False"],
        ["a", "", "True"],
    ]


@given(st.lists(st.floats() | st.integers(), min_size=1), st.lists(st.booleans(), min_size=1))
def test_numbers_are_as_pandas_writes_them(numbers, booleans):
    table = pd.DataFrame({"x": pd.Series(numbers), "y": pd.Series(booleans)})

    assert csv_text(table) == table.to_csv()


def test_a_table_without_rows_has_its_header():
    assert csv_text(pd.DataFrame({"=x": []})) == ",'=x\n"


@given(st.text(st.characters(exclude_categories=["Cs", "Cc"])))
def test_what_was_meant_is_found_again(text):
    assert as_meant(cells(csv_text(pd.DataFrame({"x": [text]}), index=False))[1][0]) == text


@pytest.mark.parametrize("name", ["=SUM(A1)", "@home", "-x", "+CT", "'=x"])
def test_scores_are_read_back_under_the_names_that_were_meant(name):
    scores = pd.DataFrame(
        {name: [0.5, -0.25], "IC": [0.1, np.nan]}, index=pd.Index([f"{name} data", "d"], name="dataset")
    )
    ranked = scores.rank(axis=1, ascending=False)

    long = as_csv(scores, ranked)
    assert f"'{name} data,'{name},0.5,1.0\n" in long
    assert f"avg rank,'{name},,1.0\n" in long
    for text, measure in ((long, "score"), (csv_text(scores), None)):
        pd.testing.assert_frame_equal(read_scores(text).table(measure), scores, check_exact=True)
