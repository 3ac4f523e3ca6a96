import numpy as np
import pytest

from trellislib.data.dataset import DataError
from trellislib.data.tables.label_values import ascending, nominal_coding, numeric_coding


def test_too_many_categories_are_refused():
    with pytest.raises(DataError, match=r"column 'a' .*51 different values"):
        nominal_coding([f"v{i}" for i in range(51)], "f: column 'a'")


def test_a_column_without_values_is_no_label():
    with pytest.raises(DataError, match="no value"):
        numeric_coding(np.array([]), 0, "f: column 'a'")
    with pytest.raises(DataError, match="no value"):
        nominal_coding([], "f: column 'a'")


@pytest.mark.parametrize(
    ("categories", "values", "codes"),
    [
        (["yes", "Yes", "no"], ("no", "yes"), [1, 1, 0]),
        (["True", "FALSE", " true"], ("FALSE", "True"), [1, 0, 1]),
        (["1", "0", "1.0"], ("0", "1"), [1, 0, 1]),
        (["+1", "-1", "1", "-1.0"], ("-1", "+1"), [1, 0, 1, 0]),
        (["Yes", "YES"], ("No", "Yes"), [1, 1]),
    ],
)
def test_spellings_of_one_value_are_one_value(categories, values, codes):
    coding = nominal_coding(categories, "f: column 'a'")
    assert coding.values == values
    assert coding.codes(np.arange(len(categories)) * 1.0).tolist() == codes
    assert coding.note.startswith(f"spells its values in several ways ({', '.join(categories)})")


def test_other_values_are_not_folded():
    assert nominal_coding(["Rock", "rock"], "f").values == ("Rock", "rock")
    assert nominal_coding(["yes", "no", "maybe"], "f").values == ("yes", "no", "maybe")


@pytest.mark.parametrize(
    ("categories", "is_guess"),
    [
        (["0", "1"], False),
        (["-1", "+1"], False),
        (["False", "TRUE"], False),
        (["n", "Y"], False),
        (["1", "2"], True),
        (["blue", "grey"], True),
        (["a", "b", "c"], False),
        (["a"], False),
    ],
)
def test_two_other_values_are_a_guess(categories, is_guess):
    assert nominal_coding(categories, "f").is_guess == is_guess


def test_a_given_value_holds_for_all_spellings():
    coding = nominal_coding(["yes", "Yes", "no"], "f").with_relevant("no", "f")
    assert coding.values == ("yes", "no")
    assert coding.codes(np.array([0.0, 1, 2])).tolist() == [0, 0, 1]


def test_a_missing_cell_has_code_0():
    assert numeric_coding(np.array([3.0, 5.0]), 9, "f").codes(np.array([np.nan, 5, 3, np.nan])).tolist() == [0, 1, 0, 0]


@pytest.mark.parametrize(
    ("categories", "order"),
    [(["1", "0"], [1, 0]), (["yes", "no"], [1, 0]), (["b", "a"], [0, 1]), (["3", "20", "1"], [2, 0, 1])],
)
def test_the_order_of_values(categories, order):
    assert ascending(categories) == order
