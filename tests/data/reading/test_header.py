import pytest
from sentences import alike

from trellislib.data.reading.header import column_names, doubts_on_names, names_nothing


def test_names_are_stripped_numbered_and_called_by_position():
    names, notes = column_names([" x ", "", "x", "'=y"])
    assert names == ("x", "column 2", "x (2)", "=y")
    alike(
        notes,
        (
            "Columns without a name were called by their position, such as 'column 1'.",
            "The column name 'x' occurs more than once; later ones were numbered.",
        ),
    )


@pytest.mark.parametrize(
    ("first", "below", "is_row"),
    [
        (["5.1", "3.5"], [["4.9", "3.0"]], True),
        (["5", "3", "9"], [["4", "3", "2"]], True),
        (["5.1", "3.5", "iris"], [["4.9", "3", "rose"], ["4.9", "3", "iris"]], True),
        (["5.1", "3.5", "iris"], [["4.9", "3", "rose"]], False),  # nothing shows that iris is no name
        (["5.1", "?", "7.5"], [["4.9", "3", "2"]], True),
        (["red", "big"], [["red", "small"], ["blue", "big"]], True),
        (["x", "y"], [["1", "2"]], False),
        (["x", "1", "10"], [["1", "0", "0"]], False),
        (["2001", "2002", "2003"], [["1.5", "2", "3"]], False),
        (["", "0", "1"], [["7", "1", "4"]], False),  # as pandas writes an index, and columns without names
        (["7", "10", "3"], [["0", "1", "1"], ["1", "1", "0"]], False),  # codes of labels above 0 and 1
        (["7", "10", "3"], [["-1", "1", "1"]], False),
        (["1", "0", "1"], [["0", "1", "1"]], True),
        (["5.1", "3.5"], [], False),
        (["", ""], [["1", "2"]], False),
    ],
)
def test_whether_the_first_row_is_one_of_data(first, below, is_row):
    assert names_nothing(first, below) is is_row


def test_names_that_may_be_data_are_noted():
    assert doubts_on_names(["x", "10", "2001-01-01"]) == ()
    assert "count from 1 to 3" in doubts_on_names(["1", "2", "3"])[0]
    alike(doubts_on_names(["7", "10"]), ("The first row, of numbers, was taken for the names of the columns.",))
    assert "such as '5.1'" in doubts_on_names(["5.1", "3", "iris"])[0]
