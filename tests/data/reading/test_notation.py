import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from trellislib.data.reading.notation import COMMA, POINT, any_number, is_missing, number, numbers, plain_numbers


@pytest.mark.parametrize("cell", ["", " ", "?", "NA", "na", "N/A", "nan", "NaN", " null ", "#N/A"])
def test_missing(cell):
    assert is_missing(cell)
    assert math.isnan(numbers([cell], POINT)[0])
    assert math.isnan(numbers([cell], COMMA)[0])


@pytest.mark.parametrize(
    ("cell", "point", "comma"),
    [
        ("12", 12, 12),
        (" -1.5e3 ", -1500, None),
        ("1,5", None, 1.5),
        (",5", None, 0.5),
        ("1.234", 1.234, 1234),
        ("1,234", 1234, 1.234),
        ("1.234,5", None, 1234.5),
        ("1,234.5", 1234.5, None),
        ("1,234,567", 1234567, None),
        ("1.234.567,25", None, 1234567.25),
        ("0,123", None, 0.123),
        ("12,34", None, 12.34),
        ("1_000", None, None),
        ("1,2,3", None, None),
        ("red", None, None),
        ("12%", None, None),
    ],
)
def test_what_a_number_is_with_a_point_and_with_a_comma(cell, point, comma):
    assert number(cell, POINT) == point
    assert number(cell, COMMA) == comma
    assert any_number(cell) == (comma if point is None else point)


@given(st.lists(st.floats(allow_nan=False, allow_infinity=False), min_size=1))
def test_a_decimal_comma_is_read_as_a_decimal_point(values):
    texts = [repr(value) for value in values]
    np.testing.assert_array_equal(plain_numbers(texts), values)
    np.testing.assert_array_equal(numbers([text.replace(".", ",") for text in texts], COMMA), values)


@given(st.integers(1000, 10**12), st.integers(0, 99))
def test_thousands_set_apart(whole, cents):
    english = f"{whole:,}.{cents:02d}"
    german = english.translate(str.maketrans(",.", ".,"))
    assert number(english, POINT) == number(german, COMMA) == float(f"{whole}.{cents:02d}")
    assert number(english, COMMA) is None


@given(st.lists(st.sampled_from(["1", "2.5", "1,5", "1.234", "1,234", "?", " n/a ", "x", "1_0", ""]), min_size=1))
def test_the_quick_ways_agree_with_reading_cell_by_cell(cells):
    for notation in (POINT, COMMA):
        one_by_one = [math.nan if is_missing(cell) else number(cell, notation) for cell in cells]
        expected = None if None in one_by_one else one_by_one
        together = numbers(cells, notation)
        assert (together is None) == (expected is None)
        if expected is not None:
            np.testing.assert_array_equal(together, expected)
    quick = plain_numbers(cells)
    if quick is not None:
        np.testing.assert_array_equal(quick, numbers(cells, POINT))
