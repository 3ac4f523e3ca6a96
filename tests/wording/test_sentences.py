"""Words that sentences share."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from trellislib.wording import amount, in_points, listed, named, percent, thousandths, three_digits


@pytest.mark.parametrize(
    ("n", "sentence"),
    [(1, "a is"), (2, "a and b are"), (3, "a, b and c are"), (4, "a, b and 2 more are"), (6, "a, b and 4 more are")],
)
def test_names_with_their_verb(n, sentence):
    assert named(list("abcdef")[:n]) == sentence


@given(st.integers(1, 40), st.integers(2, 10))
def test_a_row_of_names_never_leaves_a_single_one_out(n, most):
    sentence = listed([f"x{place}" for place in range(n)], most)
    shown = sentence.count("x")
    assert " and 1 more" not in sentence
    assert shown + (int(sentence.split()[-2]) if sentence.endswith("more") else 0) == n


@pytest.mark.parametrize(
    ("value", "sentence"),
    [(0, "0"), (0.1251, "0.125"), (2.0, "2"), (999.4, "999"), (999.6, "1,000"), (12345.6, "12,346"), (2e-5, "2e-05")],
)
def test_amounts(value, sentence):
    assert amount(value) == sentence


@pytest.mark.parametrize(
    ("value", "sentence"),
    [(0, "0"), (0.41, "0.410"), (0.06149, "0.0615"), (1.7, "1.70"), (2.0, "2"), (999.6, "1,000"), (12345.6, "12,346")],
)
def test_measured_numbers_have_three_digits(value, sentence):
    assert three_digits(value) == sentence


@pytest.mark.parametrize(
    ("share", "decimals", "sentence"),
    [
        (0, 0, "0%"),
        (0.004, 0, "less than 1%"),
        (0.005, 0, "less than 1%"),
        (0.5, 0, "50%"),
        (0.996, 0, "more than 99%"),
        (1 - 1e-12, 0, "100%"),
        (1, 1, "100.0%"),
        (0.0002, 1, "less than 0.1%"),
        (0.9998, 1, "more than 99.9%"),
    ],
)
def test_shares(share, decimals, sentence):
    assert percent(share, decimals) == sentence


@given(st.floats(0, 1))
def test_only_none_and_all_are_called_so(share):
    assert (percent(share) == "0%") == (share == 0)
    assert (percent(share) == "100%") == (share >= 1 - 1e-9)


@pytest.mark.parametrize(("value", "sentence"), [(0, "0"), (1e-9, "less than 0.001"), (0.0006, "0.001"), (2, "2.000")])
def test_thousandths(value, sentence):
    assert thousandths(value) == sentence


@pytest.mark.parametrize(
    ("mean", "error", "signed", "sentence"),
    [
        (0.005, 0.002, True, "+0.50 ± 0.20 points"),
        (-0.005, 0.002, False, "0.50 ± 0.20 points"),
        (-0.00001, 0, True, "+0.00 ± 0.00 points"),
        (-0.1, float("nan"), True, "-10.00 points"),
    ],
)
def test_points(mean, error, signed, sentence):
    assert in_points(mean, error, signed=signed) == sentence
