"""How many data sets a gap of average ranks needs."""

import numpy as np
import pytest

from trellislib.paper.published import score_table
from trellislib.ranking import critical_distance, datasets_needed, nemenyi


@pytest.mark.parametrize("n_methods", [2, 3, 7, 20])
@pytest.mark.parametrize("alpha", [0.01, 0.1])
def test_it_is_the_least_number_whose_distance_is_not_above_the_gap(n_methods, alpha):
    for gap in np.geomspace(0.05, 1, 9) * (n_methods - 1):
        needed = datasets_needed(gap, n_methods, alpha)
        assert critical_distance(n_methods, needed, alpha) <= gap
        assert needed == 1 or critical_distance(n_methods, needed - 1, alpha) > gap


@pytest.mark.parametrize("n_datasets", [1, 2, 8, 30, 99])
def test_a_gap_that_is_the_critical_distance_needs_no_more(n_datasets):
    least = next(n for n in range(1, 99) if critical_distance(7, n) <= 6)
    expected = max(n_datasets, least)
    assert datasets_needed(critical_distance(7, expected), 7) == expected


def test_by_hand():
    # Two methods at 0.1: 1.645 * sqrt(2 * 3 / (6 N)) = 1.645 / sqrt(N), and half a rank needs (1.645 / 0.5)^2 = 10.8.
    assert datasets_needed(0.5, 2) == 11
    # (1.645 / 0.25)^2 = 43.3: half the gap, four times as many.
    assert datasets_needed(0.25, 2) == 44


def test_the_gap_of_the_paper():
    ranks = nemenyi(score_table("accuracy")).average_ranks
    # The quantile of Demsar's table for seven methods is 2.693; (2.693 / 1.875)^2 * 7 * 8 / 6 = 19.25.
    assert datasets_needed(ranks["IC"] - ranks["CT"], 7) == 20


@pytest.mark.parametrize("gap", [0, -1, 6.5, float("nan"), float("inf")])
def test_a_gap_that_ranks_cannot_have_is_refused(gap):
    with pytest.raises(ValueError, match=r"Got gap=.*, .*expected .*number above 0 .*most 6\."):
        datasets_needed(gap, 7)
