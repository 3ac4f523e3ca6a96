from itertools import combinations

import numpy as np
import pandas as pd
import pytest
import scikit_posthocs
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import norm
from sentences import has_line

from trellislib.ranking import Nemenyi, critical_distance, friedman, nemenyi

scores_of_any = st.tuples(st.integers(2, 9), st.integers(3, 7), st.integers(0, 10_000)).map(
    lambda of: pd.DataFrame(np.random.default_rng(of[2]).integers(0, 9, of[:2]) + 3.0 * np.arange(of[1])).rename(
        index="d{}".format, columns="m{}".format
    )
)


@pytest.mark.parametrize(("alpha", "expected"), [(0.10, 2.908), (0.05, 3.185)])
def test_critical_distance_of_the_paper(alpha, expected):
    assert critical_distance(7, 8, alpha) == pytest.approx(expected, abs=5e-4)


@pytest.mark.parametrize(
    ("alpha", "quantiles"),  # Demsar, table 5(a): for 2 to 10 methods
    [
        (0.05, [1.960, 2.343, 2.569, 2.728, 2.850, 2.949, 3.031, 3.102, 3.164]),
        (0.10, [1.645, 2.052, 2.291, 2.459, 2.589, 2.693, 2.780, 2.855, 2.920]),
    ],
)
def test_critical_distance_by_the_printed_quantiles(alpha, quantiles):
    for k, q in enumerate(quantiles, start=2):
        assert critical_distance(k, 1, alpha) == pytest.approx(q * np.sqrt(k * (k + 1) / 6), rel=4e-4)


@given(st.floats(1e-6, 0.999), st.integers(1, 100))
def test_critical_distance_of_two_methods_is_by_the_normal_distribution(alpha, n_datasets):
    assert critical_distance(2, n_datasets, alpha) == pytest.approx(norm.isf(alpha / 2) / np.sqrt(n_datasets), rel=1e-6)


def test_critical_distance_of_cases():
    assert critical_distance(4, 6, 0.05) == pytest.approx(1.914843, abs=5e-7)
    assert critical_distance(4, 3, 0.05) == pytest.approx(2.707997, abs=5e-7)


@pytest.mark.parametrize(
    ("table", "expected"), [("accuracy", {("ECC", "IC"), ("ECC", "CDT"), ("ECT", "IC"), ("ECT", "CDT")})]
)
def test_the_pairs_that_differ_in_the_paper(paper_table, table, expected):
    """ECC and ECT are statistically stronger than IC and CDT."""
    assert set(nemenyi(paper_table(table)).better_pairs) == expected


def test_accuracy_of_the_paper(paper_table):
    found = nemenyi(paper_table("accuracy"))
    assert found.left_out == ("Delicious", "Local10k")
    assert found.n_datasets == 8
    assert found.critical_distance == critical_distance(7, 8)
    assert found.groups == (("ECC", "ECT", "EBCC", "CT", "MCC"), ("EBCC", "CT", "MCC", "IC", "CDT"))
    assert found.better_pairs == (("ECC", "IC"), ("ECC", "CDT"), ("ECT", "IC"), ("ECT", "CDT"))
    assert found.notes == ()


def test_two_methods_alike(two_alike):
    found = nemenyi(two_alike, alpha=0.05)
    assert found.p_values.loc["CT", "CT_copy"] == pytest.approx(1)
    assert found.critical_distance == pytest.approx(1.914843, abs=5e-7)
    assert found.groups == (("ECC", "CT", "CT_copy", "IC"),)
    assert found.better_pairs == ()
    has_line(found.notes[-1], "no difference", "methods", f"0.05 ({friedman(two_alike).best_p_words})")


def test_the_note_goes_by_the_p_value_of_the_verdict(three_datasets):
    """By Iman and Davenport p is 0.0219 here, and exactly 0.0538."""
    (few,) = nemenyi(three_datasets, alpha=0.06).notes
    assert "too few" in few
    note = nemenyi(three_datasets, alpha=0.05).notes[-1]
    has_line(note, "Friedman's test finds no difference", "methods", "0.05", "p = 0.0538", "exact")


def test_losses(paper_table):
    scores = paper_table("hamming_score")
    as_score, as_loss = nemenyi(scores), nemenyi(1 - scores, higher_is_better=False)
    pd.testing.assert_series_equal(as_score.average_ranks, as_loss.average_ranks)
    assert (
        as_score.better_pairs == as_loss.better_pairs == (("CT", "CDT"), ("MCC", "CDT"), ("IC", "CDT"), ("ECC", "CDT"))
    )


def test_a_difference_of_exactly_the_critical_distance_counts():
    average_ranks = pd.Series({"a": 1.0, "b": 2.0, "c": 3.0})
    found = Nemenyi(average_ranks, pd.DataFrame(), 0.1, 4, (), (), pd.DataFrame(), critical_distance=1.0)
    assert found.better_pairs == (("a", "b"), ("a", "c"), ("b", "c"))
    assert found.groups == ()
    assert Nemenyi(
        average_ranks, pd.DataFrame(), 0.1, 4, (), (), pd.DataFrame(), critical_distance=1.0 + 1e-9
    ).groups == (
        ("a", "b"),
        ("b", "c"),
    )


@given(scores_of_any)
def test_p_values_as_scikit_posthocs_has_them(scores):
    expected = scikit_posthocs.posthoc_nemenyi_friedman(scores)
    found = nemenyi(scores).p_values
    pd.testing.assert_frame_equal(found, expected, atol=1e-6, rtol=1e-5, check_dtype=False)


@given(scores_of_any, st.floats(0.001, 0.9))
def test_distance_and_p_values_agree(scores, alpha):
    found = nemenyi(scores, alpha=alpha)
    for one, other in combinations(scores.columns, 2):
        p = found.p_values.loc[one, other]
        if abs(p - alpha) > 1e-6:
            assert found.differs(one, other) == (p < alpha)
    assert {frozenset(pair) for pair in found.better_pairs} == {
        frozenset(pair) for pair in combinations(scores.columns, 2) if found.differs(*pair)
    }
    for better, worse in found.better_pairs:
        assert found.average_ranks[better] < found.average_ranks[worse]


def test_ranks_are_those_of_friedman(paper_table):
    scores = paper_table("exact_match")
    pd.testing.assert_series_equal(nemenyi(scores).average_ranks, friedman(scores).average_ranks)
    last = nemenyi(scores, unfinished="last")
    pd.testing.assert_series_equal(last.average_ranks, friedman(scores, unfinished="last").average_ranks)
    assert last.critical_distance == critical_distance(7, 10)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ((1, 8), r"Got n_methods=1, .*expected .*integer .*least 2"),
        ((7, 0), "Got n_datasets=0"),
        ((7, 8, 0), r"Got alpha=0, .*expected .*level .*0 .*1"),
        ((7, 8, 1.0), "Got alpha=1.0"),
        ((7, 8, float("nan")), "Got alpha=nan"),
    ],
)
def test_critical_distance_refuses(arguments, message):
    with pytest.raises(ValueError, match=message):
        critical_distance(*arguments)


def test_refused(three_datasets):
    with pytest.raises(ValueError, match="There are only two methods"):
        nemenyi(three_datasets[["IC", "CT"]])
    with pytest.raises(ValueError, match=r"There .*only .*data set"):
        nemenyi(three_datasets[:1])
    with pytest.raises(ValueError, match="Got alpha=2"):
        nemenyi(three_datasets, alpha=2)
