from itertools import permutations, product

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from scipy import stats
from sentences import has_line, holds

from trellislib.ranking import friedman
from trellislib.ranking.exact import LIMITS, exact_p


def tables(n_datasets=(2, 6), n_methods=(3, 5), values=4):
    shapes = st.tuples(st.integers(*n_datasets), st.integers(*n_methods))
    return shapes.flatmap(lambda shape: arrays(float, shape, elements=st.integers(0, values))).map(
        lambda scores: pd.DataFrame(scores).rename(index="d{}".format, columns="m{}".format)
    )


def by_enumeration(ranks):
    """The share of all combinations of orders whose sums of ranks spread at least as much."""

    def spread(rows):
        return np.square(np.sum(rows, axis=0) - len(ranks) * (len(ranks[0]) + 1) / 2).sum()

    spreads = [spread(rows) for rows in product(*(list(permutations(row)) for row in ranks))]
    return np.mean(np.array(spreads) >= spread(ranks) - 1e-9)


@pytest.mark.parametrize(
    ("table", "average_ranks", "statistic", "p"),
    [
        ("accuracy", [5.75, 2.125, 4.125, 3.625, 3.875, 2.625, 5.875], 20.839, 0.00196),
        ("hamming_score", [3.438, 3.438, 3.375, 4.438, 2.375, 4.5, 6.438], 18.070, 0.00606),
        ("exact_match", [4.5, 3.25, 2.0, 5.312, 2.312, 4.25, 6.375], 26.036, 0.000219),
    ],
)
def test_tables_of_the_paper(paper_table, table, average_ranks, statistic, p):
    test = friedman(paper_table(table))
    assert test.average_ranks.to_numpy() == pytest.approx(average_ranks, abs=5.1e-4)
    assert test.statistic == pytest.approx(statistic, abs=5e-4)
    assert test.p_value == pytest.approx(p, abs=5e-6)
    assert (test.n_methods, test.n_datasets, test.left_out) == (7, 8, ("Delicious", "Local10k"))
    assert test.exact_p is None
    (note,) = test.notes
    has_line(note, "8 data sets", "7 methods")
    has_line(note, "read", "Iman", f"Davenport ({test.iman_davenport_p:.3g})")
    holds(test.best_p_words, f"p = {test.iman_davenport_p:.3g}", "Iman and Davenport")
    assert test.best_p_value == test.iman_davenport_p


def test_two_methods_alike(two_alike):
    test = friedman(two_alike)
    assert test.average_ranks.to_dict() == pytest.approx({"IC": 3.5, "CT": 14 / 6, "CT_copy": 14 / 6, "ECC": 11 / 6})
    assert (test.statistic, test.p_value) == pytest.approx((6.0, 0.11161), abs=5e-6)
    assert test.iman_davenport == pytest.approx(5 * 6.0 / (6 * 3 - 6.0))
    assert test.uncorrected.statistic == pytest.approx(5.4)
    assert test.uncorrected.iman_davenport == pytest.approx(2.142857, abs=5e-7)
    assert test.uncorrected.iman_davenport_p == pytest.approx(0.137543, abs=5e-7)


def test_three_data_sets(three_datasets):
    test = friedman(three_datasets)
    assert test.average_ranks.to_dict() == pytest.approx({"IC": 4, "CC": 8 / 3, "CT": 2, "ECT": 4 / 3})
    assert (test.statistic, test.p_value) == pytest.approx((7.0, 0.0718978), abs=5e-7)
    assert test.iman_davenport_p == pytest.approx(0.0219068, abs=5e-7)
    assert test.exact_p == pytest.approx(0.053819, abs=5e-7)
    few, rough = test.notes
    has_line(few, "3 data sets", "few", "test")
    has_line(rough, "read", "exact", "(0.0538)")
    assert test.best_p_words == "p = 0.0538, exact"
    assert test.best_p_value == test.exact_p


def test_times():
    seconds = pd.DataFrame({"IC": [1, 3, 11, 4, 51], "CT": [2, 4, 5, 3, 24], "ECC": [4, 10, 53, 19, 207]})
    test = friedman(seconds, higher_is_better=False)
    assert test.average_ranks.to_dict() == pytest.approx({"IC": 1.6, "CT": 1.4, "ECC": 3.0})
    assert (test.statistic, test.p_value) == pytest.approx((7.6, 0.0223708), abs=5e-7)


def test_perfect_agreement():
    scores = pd.DataFrame(np.tile([0.1, 0.2, 0.3], (11, 1))).rename(index="d{}".format, columns="m{}".format)
    test = friedman(scores)
    assert test.statistic == pytest.approx(22)
    assert (test.iman_davenport, test.iman_davenport_p) == (np.inf, 0)
    assert test.exact_p == pytest.approx(6.0**-10)


def test_agreement_with_ties():
    scores = pd.DataFrame(np.tile([0.1, 0.1, 0.3], (4, 1))).rename(index="d{}".format, columns="m{}".format)
    test = friedman(scores)
    assert (test.statistic, test.iman_davenport, test.iman_davenport_p) == (pytest.approx(8), np.inf, 0)
    assert test.uncorrected.iman_davenport == pytest.approx(3 * 6 / (8 - 6))
    assert test.exact_p == pytest.approx(3.0**-3)


def test_all_methods_tie_everywhere():
    test = friedman(pd.DataFrame(np.ones((4, 3)), columns=["a", "b", "c"]))
    assert (test.statistic, test.p_value, test.iman_davenport, test.iman_davenport_p) == (0, 1, 0, 1)
    assert test.exact_p == 1


@given(tables().filter(lambda scores: (scores.nunique(axis=1) > 1).any()))
def test_as_scipy_has_it(scores):
    expected = stats.friedmanchisquare(*scores.to_numpy().T)
    test = friedman(scores)
    assert test.statistic == pytest.approx(expected.statistic, abs=1e-9)
    assert test.p_value == pytest.approx(expected.pvalue, abs=1e-9)


@given(tables().filter(lambda scores: (scores.nunique(axis=1) > 1).any()))
def test_f_is_that_of_an_analysis_of_variance_of_ranks(scores):
    ranked = scores.rank(axis=1).to_numpy()
    n, k = ranked.shape
    fitted = ranked.mean(axis=0)
    between = n * np.square(fitted - ranked.mean()).sum() / (k - 1)
    within = np.square(ranked - fitted).sum() / ((n - 1) * (k - 1))
    found = friedman(scores).iman_davenport
    if within < 1e-9:
        assert np.isinf(found)
    else:
        assert found == pytest.approx(between / within, abs=1e-9)


@settings(max_examples=30)
@given(tables(n_datasets=(2, 4), n_methods=(3, 3)) | tables(n_datasets=(2, 3), n_methods=(4, 4)))
def test_exact_p_by_enumeration(scores):
    ranked = scores.rank(axis=1).to_numpy()
    assert exact_p(ranked) == pytest.approx(by_enumeration(ranked))


def test_exact_p_by_shuffling():
    rng = np.random.default_rng(0)
    ranked = stats.rankdata(rng.integers(0, 9, (8, 5)) + np.arange(5), axis=1)
    shuffled = rng.permuted(np.broadcast_to(ranked, (40_000, 8, 5)), axis=2).sum(axis=1)
    p = np.mean(np.square(shuffled - 24).sum(axis=1) >= np.square(ranked.sum(axis=0) - 24).sum() - 1e-9)
    assert 0.01 < p < 0.5
    assert exact_p(ranked) == pytest.approx(p, abs=4 * np.sqrt(p * (1 - p) / 40_000))


@pytest.mark.parametrize("ranked", [[1.0, 2.0, 3.0], [1.5, 1.5, 3.0, 4.0], [2.0, 2.0, 2.0]])
def test_exact_p_of_one_data_set_is_one(ranked):
    """Whatever the order is there, every other spreads as much."""
    assert exact_p(np.array([ranked])) == pytest.approx(1)


def test_exact_p_has_limits():
    for n_methods, most in LIMITS.items():
        orders = np.tile(np.arange(1.0, n_methods + 1), (most + 1, 1))
        assert exact_p(orders[:2]) == pytest.approx(1 / np.prod(np.arange(1, n_methods + 1)))
        assert exact_p(orders) is None
    assert exact_p(np.tile(np.arange(1.0, 9), (2, 1))) is None


def test_unfinished_last_takes_all_data_sets(paper_table):
    test = friedman(paper_table("accuracy"), unfinished="last")
    assert (test.n_datasets, test.left_out) == (10, ())
    assert test.average_ranks.sum() == pytest.approx(28)


def test_no_note_where_there_is_nothing_to_be_wary_of():
    scores = pd.DataFrame(np.random.default_rng(0).random((11, 6)), columns=list("abcdef"))
    assert friedman(scores).notes == ()


def test_refused(three_datasets, paper_table):
    with pytest.raises(ValueError, match=r"There .*only two methods \(IC, CT\).*Wilcoxon signed-rank"):
        friedman(three_datasets[["IC", "CT"]])
    with pytest.raises(ValueError, match=r"There .*only .*method \(IC\)"):
        friedman(three_datasets[["IC"]])
    with pytest.raises(ValueError, match=r"There .*only .*data set \(d1\), .*no test .*folds"):
        friedman(three_datasets[:1])
    with pytest.raises(ValueError, match=r"only .*data set \(Music\), .*methods .*not finish .*2 others,"):
        friedman(paper_table("accuracy").loc[["Music", "Delicious", "Local10k"]])
    with pytest.raises(ValueError, match="Got unfinished='skip'"):
        friedman(three_datasets, unfinished="skip")
    with pytest.raises(ValueError, match=r"ECC .*not finish .*Delicious"):
        friedman(paper_table("accuracy"), unfinished="refuse")
