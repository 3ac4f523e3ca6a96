from itertools import combinations

import numpy as np
import pandas as pd
import pytest
import scikit_posthocs
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from scipy import stats
from sentences import holds

from trellislib.ranking import wilcoxon_holm
from trellislib.ranking.wilcoxon import MOST_EXACT, holm, signed_rank_p


def frame(values, methods="abcdefg"):
    return pd.DataFrame(np.asarray(values, dtype=float)).rename(index="d{}".format, columns=dict(enumerate(methods)))


continuous = st.tuples(st.integers(2, 25), st.integers(2, 5), st.integers(0, 10_000)).map(
    lambda of: frame(np.random.default_rng(of[2]).normal(size=of[:2]) + 0.5 * np.arange(of[1]))
)


@settings(max_examples=20)
@given(continuous)
def test_as_scikit_posthocs_has_it(scores):
    found = wilcoxon_holm(scores)
    raw, adjusted = (
        scikit_posthocs.posthoc_wilcoxon(scores.melt(), "value", "variable", p_adjust=adjust)
        for adjust in (None, "holm")
    )
    pd.testing.assert_frame_equal(found.raw_p_values, raw, check_names=False)
    pd.testing.assert_frame_equal(found.p_values, adjusted, check_names=False)


@given(arrays(float, st.integers(2, 7), elements=st.integers(-4, 4)))
def test_exact_with_ties_and_zeros(differences):
    """By going through all signs: at least as much on one side, either way."""
    ranks = stats.rankdata(np.abs(differences)) * np.sign(differences)
    signs = np.array(np.meshgrid(*[[-1, 1]] * len(ranks))).reshape(len(ranks), -1)
    expected = np.mean(np.abs(ranks @ signs) >= abs(ranks.sum()))
    assert signed_rank_p(ranks) == pytest.approx(expected)


def test_large_and_small_numbers_of_data_sets_agree():
    """Where the p-value is by the normal distribution, it is that of scipy, and close to the exact one."""
    rng = np.random.default_rng(0)
    differences = np.append(rng.normal(0.1, 1, MOST_EXACT), 0)
    many = stats.rankdata(np.abs(differences)) * np.sign(differences)
    assert signed_rank_p(many) == stats.wilcoxon(differences, zero_method="zsplit").pvalue
    assert signed_rank_p(many[1:]) == pytest.approx(signed_rank_p(many), abs=0.02)
    assert signed_rank_p(np.zeros(MOST_EXACT + 1)) == 1


def test_methods_alike(two_alike):
    found = wilcoxon_holm(two_alike)
    assert found.raw_p_values.loc["CT", "CT_copy"] == found.p_values.loc["CT", "CT_copy"] == 1
    assert found.effects.loc["CT", "CT_copy"] == 0


def test_effects_and_direction():
    """b is worse than a on one data set by much, and better on three by little: 1 + 2 + 3 against 4 ranks."""
    scores = frame([[0.1, 0.2], [0.2, 0.4], [0.3, 0.6], [0.9, 0.1]])
    found = wilcoxon_holm(scores)
    assert found.effects.loc["b", "a"] == pytest.approx((6 - 4) / 10)
    assert found.effects.loc["a", "b"] == -found.effects.loc["b", "a"]
    assert found.lead("b", "a") > 0
    losses = wilcoxon_holm(scores, higher_is_better=False)
    assert losses.lead("b", "a") < 0
    pd.testing.assert_frame_equal(losses.p_values, found.p_values)


def test_the_better_is_by_differences_and_not_by_average_ranks():
    """a is better on three of five data sets, but b by more: 4 + 5 ranks against 1 + 2 + 3."""
    found = wilcoxon_holm(frame([[0.2, 0.1], [0.4, 0.2], [0.6, 0.3], [0.1, 0.6], [0.1, 0.9]]), alpha=0.9)
    assert found.average_ranks["a"] < found.average_ranks["b"]
    assert found.better_pairs == (("b", "a"),)


def test_always_better():
    scores = frame(np.arange(8)[:, None] + [0.0, 0.1, 0.3], "abc")
    found = wilcoxon_holm(scores)
    assert found.better_pairs == (("c", "b"), ("c", "a"), ("b", "a"))
    assert found.groups == ()
    assert (found.raw_p_values.to_numpy()[np.triu_indices(3, 1)] == 2 / 2**8).all()
    assert (found.p_values.to_numpy()[np.triu_indices(3, 1)] == 3 * 2 / 2**8).all()


def test_rounding_is_no_difference():
    """0.3 - 0.2 and 0.2 - 0.1 are the same difference, and 0.1 + 0.2 is 0.3."""
    assert 0.3 - 0.2 != 0.2 - 0.1
    scores = frame([[0.3, 0.2], [0.2, 0.1], [0.1, 0.4], [0.1 + 0.2, 0.3]])
    found = wilcoxon_holm(scores)
    assert found.effects.loc["a", "b"] == pytest.approx((2.5 + 2.5 - 4) / 10)


def test_unfinished_last():
    """What did not finish is worse by more than any difference of scores; where neither did, there is none."""
    scores = frame([[0.9, np.nan], [0.1, 0.2], [0.1, 0.3], [np.nan, np.nan], [0.5, np.nan]])
    found = wilcoxon_holm(scores, unfinished="last")
    assert found.effects.loc["a", "b"] == pytest.approx((4.5 + 4.5 - 2 - 3) / 15)
    assert (found.n_datasets, found.left_out) == (5, ())
    assert found.average_ranks.to_dict() == {"a": 1.5, "b": 1.5}
    dropped = wilcoxon_holm(scores)
    assert (dropped.n_datasets, dropped.left_out) == (2, ("d0", "d3", "d4"))
    assert dropped.effects.loc["a", "b"] == -1


def test_what_can_be_reached(paper_table):
    """21 pairs and 8 data sets: not below 21 * 2 / 2**8."""
    found = wilcoxon_holm(paper_table("accuracy"))
    (note,) = found.notes
    holds(note, "8 data sets", "21 pairs", "no pair", "0.1", "below 0.164", "add data sets, or compare fewer methods")
    assert found.p_values.to_numpy().min() >= 0.164
    assert found.better_pairs == ()
    assert len(found.groups) == 1
    assert wilcoxon_holm(paper_table("accuracy"), alpha=0.2).notes == ()


def test_two_methods_on_few_data_sets(three_datasets):
    few, unreachable = wilcoxon_holm(three_datasets[["IC", "CT"]]).notes
    holds(few, "3 data sets are too few")
    holds(unreachable, "1 pair", "below 0.25", "add data sets")
    assert "fewer methods" not in unreachable


def test_holm_by_hand():
    np.testing.assert_allclose(holm(np.array([0.01, 0.04, 0.03, 0.005])), [0.03, 0.06, 0.06, 0.02])
    np.testing.assert_allclose(holm(np.array([0.9, 0.5, 0.6])), [1, 1, 1])


@given(continuous, st.floats(0.01, 0.5))
def test_groups_hold_no_pair_that_differs(scores, alpha):
    found = wilcoxon_holm(scores, alpha=alpha)
    for group in found.groups:
        assert not any(found.differs(*pair) for pair in combinations(group, 2))
    for better, worse in found.better_pairs:
        assert found.p_values.loc[better, worse] <= alpha
        assert found.effects.loc[better, worse] > 0


def test_refused(three_datasets):
    with pytest.raises(ValueError, match=r"There .*only .*method \(IC\)"):
        wilcoxon_holm(three_datasets[["IC"]])
    with pytest.raises(ValueError, match=r"There .*only .*data set"):
        wilcoxon_holm(three_datasets[:1])
    with pytest.raises(ValueError, match="Got alpha=0"):
        wilcoxon_holm(three_datasets, alpha=0)
