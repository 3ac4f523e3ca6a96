"""Names on two lines: nothing is lost while there is room, and no line is too long."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from trellislib.figures.broken_names import in_two_lines


@pytest.mark.parametrize(
    ("name", "letters", "broken"),
    [
        ("Horror", 6, "Horror"),
        ("Documentary", 7, "Docu-\nmentary"),
        ("Documentary", 6, "Docum-\nentary"),
        ("Biography", 7, "Bio-\ngraphy"),
        ("Adventure", 6, "Adven-\nture"),
        ("low quality", 7, "low\nquality"),
        ("Sci-Fi", 4, "Sci-\nFi"),
        ("relaxing-calm", 9, "relaxing-\ncalm"),
        ("Documentary", 4, "Doc-\nume…"),
    ],
)
def test_where_a_name_is_broken(name, letters, broken):
    assert in_two_lines(name, letters) == broken


@given(st.text(st.characters(exclude_categories=("C", "Z")) | st.just(" "), min_size=1), st.integers(2, 30))
def test_two_lines_hold_what_they_can(name, letters):
    lines = in_two_lines(name, letters).split("\n")

    assert len(lines) <= 2
    assert max(map(len, lines)) <= letters
    if len(name) <= 2 * letters - 1:
        whole, kept = ("".join(text.split()).replace("-", "") for text in (name, "".join(lines)))
        assert whole == kept
