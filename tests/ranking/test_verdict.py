"""The verdict: hand-made comparisons, and no sentence that claims what the test does not."""

import re
from dataclasses import replace
from itertools import combinations

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from trellislib.ranking.comparison import Comparison
from trellislib.ranking.friedman import FriedmanTest, RankStatistics
from trellislib.ranking.verdict import about_pair, about_ranking
from trellislib.ranking.wilcoxon import wilcoxon_holm

PAPER = {"IC": 5.75, "ECC": 2.125, "MCC": 4.125, "EBCC": 3.625, "CT": 3.875, "ECT": 2.625, "CDT": 5.875}


def compared(ranks: dict[str, float], distance: float, n_datasets: int = 8, alpha: float = 0.1) -> Comparison:
    """Tell apart the methods whose ranks are at least a distance apart."""
    series = pd.Series(ranks)
    apart = np.abs(np.subtract.outer(series.to_numpy(), series.to_numpy())) >= distance
    p_values = pd.DataFrame(np.where(apart, alpha / 2, 0.9), index=series.index, columns=series.index)
    return Comparison(series, p_values, alpha=alpha, n_datasets=n_datasets, left_out=(), notes=())


def friedman_of(p_value: float, exact_p: float | None = None) -> FriedmanTest:
    """Return a test by Iman and Davenport's p-value; that by chi-square would always say something else."""
    statistics = RankStatistics(1.0, 0.5 if p_value <= 0.1 else 0.01, 1.0, p_value)
    return FriedmanTest(*statistics, exact_p, statistics, pd.Series(PAPER), 7, 8, (), ())


def test_the_papers_accuracy():
    assert about_ranking(compared(PAPER, 2.908), "accuracy") == (
        "ECC and ECT are better than IC and CDT in accuracy at 0.10; nothing separates EBCC, CT and MCC from the rest."
    )


def test_one_method_that_nothing_separates():
    ranks = {"CT": 2.5, "ECC": 1.0, "IC": 4.0}
    assert about_ranking(compared(ranks, 3, alpha=0.05), "F1") == (
        "ECC is better than IC in F1 at 0.05; nothing separates CT from the rest."
    )


def test_winners_of_different_losers():
    ranks = {"A": 1.0, "B": 1.5, "C": 3.0, "D": 3.6}
    assert about_ranking(compared(ranks, 2), "F1") == ("A is better than C and D in F1 at 0.10; B is better than D.")


def test_no_difference():
    ranks = {"IC": 4.0, "CT": 2.375, "CC": 3.0}
    assert about_ranking(compared(ranks, 3), "Hamming score") == (
        "No two of the 3 methods can be told apart in Hamming score on 8 data sets at 0.10; CT has the best average "
        "rank, 2.38."
    )
    assert about_ranking(compared({"IC": 1.5, "CT": 1.5}, 1, n_datasets=1, alpha=0.005), "F1") == (
        "The two methods cannot be told apart in F1 on 1 data set at 0.005; IC and CT share the "
        "best average rank, 1.50. But these are too few data sets to rely on."
    )


def test_all_differ():
    assert about_ranking(compared({"IC": 3, "CT": 1, "CC": 2}, 1), "F1") == (
        "All 3 methods differ in F1 at 0.10, from the best down: CT, CC and IC."
    )
    assert about_ranking(compared({"IC": 2, "CT": 1}, 1), "F1") == "CT is better than IC in F1 at 0.10."


def test_long_lists_are_shortened():
    ranks = {"Z": 1.0, **{f"M{i}": 5 + i / 10 for i in range(7)}, **{f"N{i}": 2 + i / 10 for i in range(5)}}
    assert about_ranking(compared(ranks, 3.8), "F1") == (
        "Z is better than M0, M1, M2, M3 and 3 more in F1 at 0.10; nothing separates N0, N1, N2, N3 "
        "and 1 more from the "
        "rest."
    )
    chain = compared({f"M{i:02}": i for i in range(1, 11)}, 4.5)
    assert about_ranking(chain, "F1") == (
        "M01 is better than M06, M07, M08, M09 and 1 more in F1 at 0.10; M02 is better than M07, M08, M09 and M10; "
        "M03 is better than M08, M09 and M10; M04 is better than M09 and M10; of all 45 pairs 15 differ."
    )


def test_friedman_sees_nothing():
    assert about_ranking(compared(PAPER, 9), "F1", friedman_of(0.31)) == (
        "The Friedman test finds no difference (p = 0.31 by Iman and Davenport). No two of the 7 methods can be "
        "told apart in F1 on 8 data sets at 0.10; ECC has the best average rank, 2.12."
    )
    assert about_ranking(compared(PAPER, 3.7), "F1", friedman_of(0.31)).startswith(
        "The Friedman test finds no difference (p = 0.31 by Iman and Davenport), so that no two methods should "
        "be taken to differ; the test of pairs alone would say: ECC is better than CDT in F1 at 0.10; nothing "
        "separates ECT, EBCC, CT, MCC and 1"
    )


def test_friedman_sees_a_difference():
    differ, alike = compared(PAPER, 2.908), compared(PAPER, 9)
    assert about_ranking(differ, "F1", friedman_of(0.002)) == about_ranking(differ, "F1")
    assert about_ranking(alike, "F1", friedman_of(0.002)) == (
        "The Friedman test sees a difference (p = 0.002 by Iman and Davenport), but not where. "
        f"{about_ranking(alike, 'F1')}"
    )


def test_friedmans_exact_p_value_counts():
    differ = compared(PAPER, 2.908)
    assert "(p = 0.12, exact)" in about_ranking(differ, "F1", friedman_of(0.05, exact_p=0.12))
    assert about_ranking(differ, "F1", friedman_of(0.12, exact_p=0.05)) == about_ranking(differ, "F1")
    assert about_ranking(differ, "F1", friedman_of(0.1)) == about_ranking(differ, "F1")  # at the level itself: rejected


def test_pairwise_tests_are_read_the_same_way():
    turns = [0.01, -0.01, 0.02, -0.02, 0.03, -0.03, 0.04, -0.04]  # between CT and ECT, which therefore do not differ
    scores = pd.DataFrame({"IC": 0.5, "CT": 0.7, "ECT": np.add(0.7, turns)}, index=list("abcdefgh"))
    assert about_ranking(wilcoxon_holm(scores), "accuracy") == "CT and ECT are better than IC in accuracy at 0.10."


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
    if "more" not in text and "of all" not in text:
        assert claimed == true
    assert bool(claimed) == bool(true)
    for alone in re.findall(rf"nothing separates {LIST}", text):
        assert not any(method in pair for method in re.findall(METHOD, alone) for pair in true)


def test_about_a_pair():
    gains = pd.Series(
        {"Music": 0.094, "Scene": 0.031, "Yeast": 0.03, "MediaMill": -0.009, "Enron": 0.0, "Local10k": np.nan}
    )
    assert about_pair(gains, "CT", "IC", "accuracy") == (
        "CT is ahead of IC in accuracy on 3 of 5 data sets, behind on 1 and equal on 1, in the "
        "median by 0.030; it leads "
        "most on Music (by 0.094) and trails most on MediaMill (by 0.009). Left out: 1 data set "
        "where one of them did not "
        "finish."
    )
    assert about_pair(-gains, "IC", "CT", "accuracy") == about_pair(gains, "CT", "IC", "accuracy")
    assert about_pair(-gains, "CT", "IC", "loss", False) == about_pair(gains, "CT", "IC", "loss")


@pytest.mark.parametrize(
    ("differences", "sentence"),
    [
        ([1400.0, 20.0], "A is ahead of B in it on both data sets, in the median by 710; it leads "
         "most on d0 (by 1,400)."),
        ([0.0001], "A is ahead of B in it on the only data set, in the median by less than 0.001."),
        ([0.5, 0.25, 12.0], "A is ahead of B in it on all 3 data sets, in the median by 0.500; it "
         "leads most on d2 (by 12.0)."),
        ([0.0, 0.0], "A and B are equal in it on both data sets."),
        ([0.0, 0.1, 0.0], "A is ahead of B in it on 1 of 3 data sets, equal on 2, but not in the "
         "median; it leads most on d1 "
         "(by 0.100)."),
        ([np.nan, np.nan], "There is no data set on which both A and B finished."),
        ([0.1, -0.3], "B is ahead of A in it on 1 of 2 data sets, behind on 1, in the median by "
         "0.100; it leads most on d1 "
         "(by 0.300) and trails most on d0 (by 0.100)."),
        ([0.0, np.nan], "A and B are equal in it on the only data set. Left out: 1 data set where one of them did not "
         "finish."),
    ],
)  # fmt: skip
def test_about_pairs_at_the_edges(differences, sentence):
    assert (
        about_pair(pd.Series(differences, index=[f"d{i}" for i in range(len(differences))]), "A", "B", "it") == sentence
    )
