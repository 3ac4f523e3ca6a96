"""Sentences under charts of scores, ranks and times."""

import numpy as np
import pandas as pd
import pytest
from sentences import holds

from trellislib.summaries import (
    about_average_ranks,
    about_calibration,
    about_front,
    about_growth,
    about_label_scores,
    about_reliability,
)


def growth(**seconds):
    """Return a table of growth: seconds at 10, 100 and 1,000 labels by method."""
    rows = [
        {"method": method, "base": "least squares", "variable": "L", "size": size, "train s": of, "predict s": 1.0}
        for method, of_method in seconds.items()
        for size, of in zip((10, 100, 1000), of_method, strict=False)
    ]
    other = {"method": "other", "base": "logistic", "variable": "L", "size": 10, "train s": 1.0, "predict s": 1.0}
    return pd.DataFrame([*rows, other, other | {"size": 100, "train s": 1e9}])


THREE = growth(IC=(1, 10, 100), CC=(1, 100, 10_000), CT=(1, 1, 1))


@pytest.mark.parametrize(
    ("frame", "variable", "parts"),
    [
        (THREE, "L", ("number of labels for CC", "grows fastest", "L to the power 2.00", "slowest for CT (0.00)")),
        (growth(IC=(1, 10, 100)), "L", ("for IC", "L to the power 1.00")),
        (growth(IC=(1, 10, 100), CC=(2, 20, 200)), "L", ("for IC and CC", "L to the power 1.00")),
        (growth(IC=(1, 0.998, 0.996), CC=(1, 10, 100)), "L", ("slowest for IC (0.00)",)),
        (growth(IC=(1, 10)).assign(size=10), "L", ("numbers of labels", "No method was measured")),
        (THREE, "N", ("numbers of instances", "No method was measured")),
        (growth(IC=(1,)), "L", ("No method was measured",)),
    ],
)
def test_growth_names_the_steepest_and_the_flattest(frame, variable, parts):
    holds(about_growth(frame, variable), *parts)


def series(**values):
    return pd.Series(values, dtype=float)


@pytest.mark.parametrize(
    ("scores", "seconds", "higher", "parts"),
    [
        (
            {"IC": 0.5, "CC": 0.4, "CT": 0.6},
            {"IC": 1, "CC": 2, "CT": 1.5},
            True,
            ("IC and CT", "CT takes about 1.5 times as long as IC"),
        ),
        (
            {"IC": 3.0, "CC": 2.0, "CT": 1.0},
            {"IC": 1, "CC": 2, "CT": 12},
            False,
            ("IC, CC and CT", "CT takes about 10 times as long as IC"),
        ),
        ({"IC": 0.5, "CT": 0.6}, {"IC": 2, "CT": 1}, True, ("CT beats every other method in score and time",)),
        ({"IC": 0.6, "CT": 0.6}, {"IC": 2, "CT": 1}, True, ("No other method is better than CT in score or time",)),
        ({"IC": 0.5, "CT": 0.6}, {"IC": 1, "CT": 1}, True, ("No other method is better than CT in score or time",)),
        ({"IC": 0.6, "CT": 0.6}, {"IC": 1, "CT": 1}, True, ("IC and CT are equal in score and time",)),
        (
            {"IC": 0.6, "CT": 0.6, "CC": 0.5},
            {"IC": 1, "CT": 1, "CC": 2},
            True,
            ("IC and CT beat every other method in score and time",),
        ),
        ({"IC": 0.5, "CT": 0.6}, {"IC": 0, "CT": 1}, True, ("IC and CT",)),
        ({"IC": 0.5, "CT": None}, {"IC": 2, "CT": 1}, True, ("IC is the only method",)),
        ({"IC": None}, {"IC": 2}, True, ("No method",)),
    ],
)
def test_front(scores, seconds, higher, parts):
    found = about_front(series(**scores), series(**seconds), higher_is_better=higher)
    holds(found, *parts)
    assert ("as long as" in found) == any("as long as" in part for part in parts)


@pytest.mark.parametrize(("spread", "is_said"), [(float("nan"), True), (0.4, True), (0.6, False)])
def test_the_front_says_how_far_apart_times_are_where_their_spread_lets_it(spread, is_said):
    scores, seconds = series(IC=0.5, CT=0.6), series(IC=1, CT=1.5)
    assert ("as long as" in about_front(scores, seconds, series(IC=0.1, CT=spread))) == is_said


def label_scores(**methods):
    index = pd.MultiIndex.from_product([methods, ["sky", "sea"]], names=["method", "label"])
    return pd.DataFrame({"auc": [value for of_method in methods.values() for value in of_method]}, index)


@pytest.mark.parametrize(
    ("methods", "parts"),
    [
        (
            {"IC": (0.9, 0.2), "CT": (0.7, 0.8)},
            ("IC and CT are each best", "1 of 2 labels", "most on sea", "from 0.200 (IC) to 0.800 (CT)"),
        ),
        ({"IC": (0.9, 0.2), "CT": (0.9, 0.8)}, ("CT is best", "on 1 of 2 labels", "equal on 1", "most on sea")),
        (
            {"IC": (0.9, 0.2), "CT": (0.9, 0.8), "CC": (0.8, 0.8)},
            ("CT is best", "on 2 of 2 labels, with ties", "most on sea"),
        ),
        ({"IC": (0.9, 0.2), "CT": (0.9, 0.2)}, ("the same", "on every label")),
        ({"IC": (0.9, 0.2)}, ("IC", "from 0.200 (sea) to 0.900 (sky)")),
        ({"IC": (0.9, 0.9)}, ("IC", "0.900 on every label")),
        ({"IC": (np.nan, 0.2)}, ("IC", "0.200 on sea")),
        ({"IC": (np.nan, 0.2), "CT": (0.5, 0.4)}, ("On sea", "from 0.200 (IC) to 0.400 (CT)")),
        ({"IC": (np.nan, 0.2), "CT": (0.5, 0.2)}, ("the same", "on sea")),
        ({"IC": (np.nan, 0.2), "CT": (0.5, np.nan)}, ("No label",)),
    ],
)
def test_label_scores(methods, parts):
    found = about_label_scores(label_scores(**methods), "auc", "AUC")
    holds(found, "AUC", *parts)
    assert ("with ties" in found) == any("with ties" in part for part in parts)


@pytest.mark.parametrize(
    ("ranks", "n_groups", "parts"),
    [
        ({"IC": 2.0, "CT": 1.0}, 0, ("from 1.00 (CT, best) to 2.00 (IC)", "Every two methods differ")),
        ({"IC": 1.6, "CT": 1.4}, 1, ("from 1.40 (CT, best) to 1.60 (IC)", "The bar")),
        ({"IC": 1.6, "CT": 1.4}, 2, ("Each of 2 bars",)),
        ({"IC": 1.0}, 0, ("IC is the only method",)),
        ({"IC": 1.5, "CT": 1.5}, 1, ("All average ranks are 1.50", "The bar")),
    ],
)
def test_average_ranks(ranks, n_groups, parts):
    holds(about_average_ranks(series(**ranks), n_groups), *parts)


def test_of_a_loss_the_lowest_is_best():
    index = pd.MultiIndex.from_product([["IC", "CT"], ["sky", "sea"]], names=["method", "label"])
    found = about_label_scores(pd.DataFrame({"log_loss": [0.5, 0.2, 0.6, 0.6]}, index), "log_loss", "Log loss")
    holds(found, "IC is best in Log loss on 2 of 2 labels", "from 0.200 (IC) to 0.600 (CT)")


def test_the_bin_is_named_that_adds_most_to_the_calibration_error():
    bins = pd.DataFrame({"probability": [0.05, 0.5, 0.9], "relevant": [0.04, 0.4, 0.5], "cells": [1000, 50, 20]})
    holds(about_reliability("CC", bins), "4% of the cells that CC calls 5% probable", "1,070 cells is 0.021")
    alone = bins.iloc[[2]]
    holds(about_reliability("CC", alone), "50% of the cells that CC calls 90% probable", "20 cells is 0.400")


def test_methods_of_the_lowest_and_highest_calibration_error_are_named():
    bins = pd.DataFrame({"probability": [0.05, 0.5], "relevant": [0.05, 0.4], "cells": [100, 100]})
    of_methods = {"IC": bins, "CC": bins.assign(relevant=[0.05, 0.5]), "CT": bins.assign(relevant=[0.25, 0.5])}
    holds(about_calibration(of_methods), "lowest for CC (0.000)", "highest for CT (0.100)")
    holds(about_calibration({"IC": bins}), "IC is 0.050")
