"""Hand-made comparisons in sentences, and no sentence that claims what the test does not find."""

import re
from dataclasses import replace
from itertools import combinations

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sentences import holds

from trellislib.ranking.comparison import Comparison
from trellislib.ranking.friedman import FriedmanTest, RankStatistics
from trellislib.ranking.verdict import about_pair, about_ranking
from trellislib.ranking.wilcoxon import wilcoxon_holm

PAPER = {"IC": 5.75, "ECC": 2.125, "MCC": 4.125, "EBCC": 3.625, "CT": 3.875, "ECT": 2.625, "CDT": 5.875}


def compared(ranks: dict[str, float], distance: float, n_datasets: int = 8, alpha: float = 0.1) -> Comparison:
    """Call different the methods whose ranks are at least a distance apart."""
    series = pd.Series(ranks)
    apart = np.abs(np.subtract.outer(series.to_numpy(), series.to_numpy())) >= distance
    p_values = pd.DataFrame(np.where(apart, alpha / 2, 0.9), index=series.index, columns=series.index)
    return Comparison(series, p_values, alpha=alpha, n_datasets=n_datasets, left_out=(), notes=())


def friedman_of(p_value: float, exact_p: float | None = None) -> FriedmanTest:
    """Return a test by Iman and Davenport's p-value; that by chi-square would always give another result."""
    statistics = RankStatistics(1.0, 0.5 if p_value <= 0.1 else 0.01, 1.0, p_value)
    return FriedmanTest(*statistics, exact_p, statistics, pd.Series(PAPER), 7, 8, (), ())


@pytest.mark.parametrize(
    ("ranks", "distance", "alpha", "parts"),
    [
        (
            PAPER,
            2.908,
            0.1,
            (
                "ECC and ECT are better than IC and CDT in F1 at 0.10",
                "EBCC, CT and MCC are not significantly different",
            ),
        ),
        (
            {"CT": 2.5, "ECC": 1.0, "IC": 4.0},
            3,
            0.05,
            ("ECC is better than IC in F1 at 0.05", "CT is not significantly different"),
        ),
        ({"A": 1.0, "B": 1.5, "C": 3.0, "D": 3.6}, 2, 0.1, ("A is better than C and D in F1", "B is better than D")),
        (
            {"IC": 4.0, "CT": 2.375, "CC": 3.0},
            3,
            0.1,
            ("No two of the 3 methods differ", "in F1 on 8 data sets at 0.10", "CT has the best average rank (2.38)"),
        ),
        ({"IC": 3, "CT": 1, "CC": 2}, 1, 0.1, ("All 3 methods differ in F1 at 0.10", "best down: CT, CC and IC")),
        ({"IC": 2, "CT": 1}, 1, 0.1, ("CT is better than IC in F1 at 0.10",)),
    ],
)
def test_who_is_better_than_whom(ranks, distance, alpha, parts):
    holds(about_ranking(compared(ranks, distance, alpha=alpha), "F1"), *parts)


def test_few_data_sets_are_called_too_few():
    found = about_ranking(compared({"IC": 1.5, "CT": 1.5}, 1, n_datasets=1, alpha=0.005), "F1")
    holds(found, "two methods do not differ", "on 1 data set at 0.005", "IC and CT share", "1.50", "too few data sets")
    assert "too few" not in about_ranking(compared(PAPER, 9, n_datasets=5), "F1")


def test_long_lists_are_shortened():
    ranks = {"Z": 1.0, **{f"M{i}": 5 + i / 10 for i in range(7)}, **{f"N{i}": 2 + i / 10 for i in range(6)}}
    holds(about_ranking(compared(ranks, 3.8), "F1"), "M0, M1, M2, M3 and 3 more", "N0, N1, N2, N3 and 2 more")
    chain = about_ranking(compared({f"M{i:02}": i for i in range(1, 11)}, 4.5), "F1")
    holds(chain, "M04 is better than M09 and M10", "15 of 45 pairs differ")
    assert "M05 is" not in chain


def test_what_the_friedman_test_does_not_find_comes_first():
    alike, differ = compared(PAPER, 9), compared(PAPER, 3.7)
    nothing = "finds no difference (p = 0.31 by Iman and Davenport)"
    holds(about_ranking(alike, "F1", friedman_of(0.31)), nothing, about_ranking(alike, "F1"))
    found = about_ranking(differ, "F1", friedman_of(0.31))
    holds(found, nothing, "no pair differs", about_ranking(differ, "F1"))
    assert found.index("no difference") < found.index("better than")


def test_the_friedman_test_finds_a_difference():
    differ, alike = compared(PAPER, 2.908), compared(PAPER, 9)
    assert about_ranking(differ, "F1", friedman_of(0.002)) == about_ranking(differ, "F1")
    found = about_ranking(alike, "F1", friedman_of(0.002))
    holds(found, "finds a difference (p = 0.002 by Iman and Davenport)", about_ranking(alike, "F1"))


def test_friedmans_exact_p_value_counts():
    differ = compared(PAPER, 2.908)
    assert "(p = 0.12, exact)" in about_ranking(differ, "F1", friedman_of(0.05, exact_p=0.12))
    assert about_ranking(differ, "F1", friedman_of(0.12, exact_p=0.05)) == about_ranking(differ, "F1")
    assert about_ranking(differ, "F1", friedman_of(0.1)) == about_ranking(differ, "F1")  # at the level itself: rejected


def test_pairwise_tests_are_read_the_same_way():
    turns = [0.01, -0.01, 0.02, -0.02, 0.03, -0.03, 0.04, -0.04]  # between CT and ECT, which therefore do not differ
    scores = pd.DataFrame({"IC": 0.5, "CT": 0.7, "ECT": np.add(0.7, turns)}, index=list("abcdefgh"))
    holds(about_ranking(wilcoxon_holm(scores), "accuracy"), "CT and ECT are better than IC in accuracy at 0.10")


METHOD = r"M\d\d"
LIST = rf"({METHOD}(?:, {METHOD})*(?: and (?:{METHOD}|\d+ more))?)"


@given(st.data(), st.integers(2, 9), st.booleans())
def test_every_pair_that_is_claimed_differs(data, n_methods, by_distance):
    names = [f"M{i:02}" for i in range(n_methods)]
    values = data.draw(st.lists(st.integers(2, 2 * n_methods), min_size=n_methods, max_size=n_methods))
    test = compared({name: value / 2 for name, value in zip(names, values, strict=True)}, data.draw(st.floats(0.5, 6)))
    if not by_distance:  # any pairs of unlike ranks, as pairwise tests may tell apart
        p_values = test.p_values.copy()
        for one, other in combinations(names, 2):
            differ = test.average_ranks[one] != test.average_ranks[other] and data.draw(st.booleans())
            p_values.loc[one, other] = p_values.loc[other, one] = 0.01 if differ else 0.5
        test = replace(test, p_values=p_values)
    text = about_ranking(test, "F1")
    claimed = set()
    for better, worse in re.findall(rf"{LIST} (?:is|are) better than {LIST}", text):
        claimed |= {(one, other) for one in re.findall(METHOD, better) for other in re.findall(METHOD, worse)}
    for down in re.findall(rf"from the best down: {LIST}", text):
        claimed |= set(combinations(re.findall(METHOD, down), 2))
    true = {
        (one, other)
        for one in names
        for other in names
        if test.differs(one, other) and test.average_ranks[one] < test.average_ranks[other]
    }
    assert claimed <= true
    if "more" not in text and " pairs differ" not in text:
        assert claimed == true
    assert bool(claimed) == bool(true)
    for alone in re.findall(rf"{LIST} (?:is|are) not significantly different", text):
        assert not any(method in pair for method in re.findall(METHOD, alone) for pair in true)


def test_about_a_pair():
    gains = pd.Series(
        {"Music": 0.094, "Scene": 0.031, "Yeast": 0.03, "MediaMill": -0.009, "Enron": 0.0, "Local10k": np.nan}
    )
    found = about_pair(gains, "CT", "IC", "accuracy")
    holds(
        found,
        "CT is ahead of IC in accuracy on 3 of 5 data sets",
        "behind on 1",
        "equal on 1",
        "median difference is 0.030",
    )
    holds(found, "most on Music (0.094)", "most on MediaMill (0.009)", "1 data set", "did not finish")
    assert about_pair(-gains, "IC", "CT", "accuracy") == found
    assert about_pair(-gains, "CT", "IC", "loss", False) == about_pair(gains, "CT", "IC", "loss")


@pytest.mark.parametrize(
    ("differences", "parts"),
    [
        ([1400.0, 20.0], ("A is ahead of B", "on both data sets", "median difference is 710", "d0 (1,400)")),
        ([0.0001], ("A is ahead of B", "on the only data set", "less than 0.001")),
        ([0.5, 0.25, 12.0], ("A is ahead of B", "on all 3 data sets", "difference is 0.500", "d2 (12.0)")),
        ([0.0, 0.0], ("A and B are equal", "on both data sets")),
        (
            [0.0, 0.1, 0.0],
            ("A is ahead of B", "1 of 3 data sets", "equal on 2", "median difference is 0", "d1 (0.100)"),
        ),
        ([np.nan, np.nan], ("no data set", "A and B")),
        ([0.1, -0.3], ("B is ahead of A", "1 of 2 data sets", "behind on 1", "d1 (0.300)", "d0 (0.100)")),
        ([0.0, np.nan], ("A and B are equal", "on the only data set", "1 data set where one of them did not finish")),
    ],
)
def test_about_pairs_at_the_edges(differences, parts):
    series = pd.Series(differences, index=[f"d{i}" for i in range(len(differences))])
    holds(about_pair(series, "A", "B", "it"), *parts)
