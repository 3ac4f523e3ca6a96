"""Which method is best, and at what price, in a sentence."""

import numpy as np
import pandas as pd
import pytest
from sentences import holds

from trellislib.metrics import MEASURES
from trellislib.summaries import about_comparison

ACCURACY, LOSS = MEASURES["accuracy"], MEASURES["ranking_loss"]
DNF = (np.nan, np.nan, np.nan)


def summary(key="accuracy", **rows):
    """Return a summary of methods: (mean, std, seconds of training and, where given, their std)."""
    nothing = np.nan
    columns = {
        (key, "mean"): [row[0] for row in rows.values()],
        (key, "std"): [row[1] for row in rows.values()],
        ("train_seconds", "mean"): [row[2] for row in rows.values()],
        ("train_seconds", "std"): [row[3] if len(row) > 3 else nothing for row in rows.values()],
        ("test_seconds", "mean"): [0.0 if row[2] == row[2] else nothing for row in rows.values()],
        ("test_seconds", "std"): nothing,
    }
    return pd.DataFrame(columns, index=pd.Index(rows, name="method"))


@pytest.mark.parametrize(
    ("rows", "parts"),
    [
        (
            {"IC": (0.5, 0.01, 1.0), "CC": (0.6, 0.02, 4.0), "CT": (0.55, 0.02, 2.0)},
            ("CC is best in accuracy with 0.600", "0.050 ahead of CT", "about 4 times as long as IC", "the fastest"),
        ),
        (
            {"IC": (0.5, np.nan, 1.0), "CC": (0.505, np.nan, 0.5)},  # one split has no spread
            ("CC is best in accuracy with 0.505", "0.005 ahead of IC", "CC is also the fastest"),
        ),
        (
            {"IC": (0.5, np.nan, 1.0), "CT": (0.5001, np.nan, 1.0)},
            ("less than 0.001 ahead of IC",),
        ),
        ({"IC": (0.5, 0.1, 1.0)}, ("IC reaches 0.500 in accuracy",)),
        ({"IC": DNF, "CT": DNF}, ("No method finished all folds", "no accuracy")),
        (
            dict.fromkeys("ABC", (0.5, 0.01, 1.0)) | {"D": (0.4, 0.01, 1.0)},
            ("A, B and C are equally good in accuracy", "0.500"),
        ),
    ],
)
def test_which_method_is_best(rows, parts):
    holds(about_comparison(summary(**rows), ACCURACY), *parts)


def test_less_of_a_loss_is_better():
    rows = summary("ranking_loss", IC=(0.5, 0.01, 1.0), CC=(0.3, 0.02, 4.0))
    holds(about_comparison(rows, LOSS), "CC is best in ranking loss with 0.300", "0.200 ahead of IC", "about 4 times")


@pytest.mark.parametrize(
    ("rows", "parts"),
    [
        (
            {"IC": (0.4, 0.01, 0.1), "CC": (0.505, 0.02, 45.7), "CT": (0.5, 0.01, 1.0), "ECC": (0.49, 0.01, 9.0)},
            (
                "CC is best in accuracy with 0.505",
                "CT and ECC are within one standard deviation",
                "about 50 times as long as CT, the fastest of these",
            ),
        ),
        (
            {"IC": (0.5, 0.01, 908.0), "CC": (0.505, 0.02, 1.0)},
            (
                "CC is best in accuracy with 0.505",
                "IC is within one standard deviation",
                "CC is also the fastest of these",
            ),
        ),
        (
            {name: (0.5 + i / 100, 0.1, 908.0 if name == "E" else 1.0) for i, name in enumerate("ABCDE")},
            ("D, C and 2 more are within one standard deviation", "about 900 times as long as D, the fastest of these"),
        ),
    ],
)
def test_methods_within_the_spread_are_named_with_the_fastest_of_them(rows, parts):
    holds(about_comparison(summary(**rows), ACCURACY), *parts)


def test_a_method_that_did_not_finish_is_no_part_of_the_comparison():
    rows = summary(IC=(0.6, 0.01, 1.0), ECC=(0.62, 0.01, 2.0), CT=DNF)
    holds(about_comparison(rows, ACCURACY), "ECC is best in accuracy with 0.620", "0.020 ahead of IC")
    holds(about_comparison(summary(IC=(0.6, 0.01, 1.0), CT=DNF), ACCURACY), "IC reaches 0.600 in accuracy")


def test_a_tie_has_no_winner():
    found = about_comparison(summary(IC=(0.5, 0.01, 1.0), CC=(0.5, 0.01, 4.0)), ACCURACY)
    holds(found, "IC", "CC", "0.500")
    assert "ahead" not in found
    assert "best" not in found


@pytest.mark.parametrize(
    ("times", "price"),
    [
        (((0.0,), (1.0,)), "CT takes longer than IC, the fastest"),  # no ratio of a time of nothing
        (((1.0,), (1.01,)), "CT takes about as long as IC, the fastest"),
        (((1.0, 0.1), (1.8, 0.9)), "CT takes about as long as IC, the fastest."),
        (((1.0, 0.1), (1.3, 0.2)), "about 1.3 times as long as IC, the fastest."),
    ],
)
def test_the_price_of_the_best(times, price):
    ic, ct = times
    holds(about_comparison(summary(IC=(0.5, 0.01, *ic), CT=(0.6, 0.02, *ct)), ACCURACY), price)
