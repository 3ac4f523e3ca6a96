import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats
from sentences import has_line

from trellislib.ranking import median_interval, nemenyi, pair_effects, wilcoxon_holm

TABLE = pd.DataFrame(
    {"a": [0.2, 0.4, 0.6, 0.5, 0.5, 0.9], "b": [0.1, 0.3, 0.4, 0.5, 0.5, 0.9], "c": [0.3, 0.5, 0.8, 0.6, 0.6, 0.1]}
)


def test_effects_by_hand():
    """a - b is 0.1, 0.1, 0.2 and three times 0: ranks 4.5, 4.5 and 6, and 2 for each 0."""
    of_pair = pair_effects(TABLE).set_index(["method", "other"]).loc["a", "b"]
    assert of_pair[["wins", "loses", "zeros", "tied"]].tolist() == [3, 0, 3, 2]
    assert of_pair["median"] == pytest.approx(0.05)
    assert of_pair[["low", "high"]].tolist() == pytest.approx([0, 0.2])
    assert of_pair["rank_biserial"] == pytest.approx(15 / 21)


def test_effects_stand_beside_the_p_of_each_test():
    for found in (wilcoxon_holm(TABLE), nemenyi(TABLE), wilcoxon_holm(-TABLE, higher_is_better=False)):
        pairs = found.pairs
        assert pairs["p"].is_monotonic_increasing
        for row in pairs.itertuples():
            assert row.p == found.p_values.loc[row.method, row.other]
            assert row.rank_biserial == pytest.approx(wilcoxon_holm(TABLE).effects.loc[row.method, row.other])
            assert row.rank_biserial >= 0


def test_the_rule_for_zeros_is_named_with_their_number():
    has_line(wilcoxon_holm(TABLE).notes, "3 differences of 18", "0", "zsplit")
    assert not any("zsplit" in note for note in wilcoxon_holm(TABLE[["a", "c"]]).notes)


@given(st.integers(2, 60), st.sampled_from([0.8, 0.9, 0.95, 0.99]))
def test_the_interval_of_a_median_is_the_shortest_that_is_sure(n, level):
    """Below the median lies each of n values with a chance of one half."""
    low, high = median_interval(np.arange(n, dtype=float), level)
    outside = [2 * stats.binom.cdf(place, n, 0.5) for place in range(n // 2)]
    enough = [place for place, missed in enumerate(outside) if missed <= 1 - level + 1e-12]
    if enough:
        assert (low, high) == (max(enough), n - 1 - max(enough))
    else:
        assert np.isnan([low, high]).all()


def test_unfinished_last():
    scores = pd.DataFrame({"a": [0.5, 0.6, np.nan], "b": [0.4, np.nan, np.nan]})
    (of_pair,) = wilcoxon_holm(scores, unfinished="last").pairs.itertuples()
    assert (of_pair.wins, of_pair.zeros, of_pair.median) == (2, 1, pytest.approx(0.1))


def test_the_median_is_over_data_sets_that_both_finished():
    unfinished = -np.inf
    scores = pd.DataFrame({"A": [0.5, 0.7, unfinished, 0.4], "B": [0.4, unfinished, 0.6, 0.4]})
    (found,) = pair_effects(scores).itertuples()
    assert (found.wins, found.loses, found.zeros) == (2, 1, 1)
    assert found.median == pytest.approx(0.05)
    (none,) = pair_effects(scores.iloc[1:3]).itertuples()
    assert np.isnan(none.median)
