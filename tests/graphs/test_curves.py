"""What is captured at every width and with every pattern, against one call for each."""

from itertools import permutations

import numpy as np
import pandas as pd
import pytest

from trellislib.dependence import InformationRows, information_of_counts, pair_counts
from trellislib.graphs import (
    PATTERNS,
    Trellis,
    capture_bound,
    capture_curve,
    captured_dependence,
    placement,
    random_captures,
    selected_widths,
    trellis,
)
from trellislib.running.progress import CancelledError

FOUR = np.array([[0, 9, 1, 3], [9, 0, 0, 5], [1, 0, 0, 2], [3, 5, 2, 0]])


def random_dependence(n_labels, seed=0):
    upper = np.triu(np.random.default_rng(seed).random((n_labels, n_labels)), 1)
    return upper + upper.T


def test_every_row_equals_what_the_functions_return():
    dependence = random_dependence(7)
    curve = capture_curve(dependence, [1, 3, 7], n_placements=30, random_state=4)
    assert list(curve["pattern"].unique()) == list(PATTERNS)
    assert len(curve) == 3 * len(PATTERNS)
    for row in curve.itertuples():
        at = (dependence, row.width, row.pattern)
        placed = trellis(*at, random_state=4)
        drawn = random_captures(*at, n_placements=30, random_state=4)
        assert row.edges == len(placed.edges)
        assert row.captured == captured_dependence(placed, dependence)
        assert row.random == drawn.mean()
        assert (row.random_low, row.random_high) == tuple(np.percentile(drawn, [5, 95]))
        assert row.bound == capture_bound(*at)
        assert row.captured <= row.bound + 1e-12


def test_four_labels_by_hand():
    # All labels in one row, each the parent of the next. From label 2 (seed 0): 3 (2), then 1 (5), then 0 (9).
    (row,) = capture_curve(FOUR, [4], {"left": [(0, -1)]}).itertuples()
    assert (row.pattern, row.width, row.edges, row.captured) == ("left", 4, 3, 16)


def test_the_bound_holds_for_every_placement():
    dependence = random_dependence(5, seed=1)
    for row in capture_curve(dependence).itertuples():
        most = max(
            captured_dependence(Trellis(order, row.width, PATTERNS[row.pattern]), dependence)
            for order in permutations(range(5))
        )
        assert max(row.captured, row.random_high) <= most + 1e-12
        assert most <= row.bound + 1e-12


def test_a_random_mean_is_what_an_edge_weighs_on_average():
    dependence = random_dependence(9, seed=2)
    row = capture_curve(dependence, [3], {"left": [(0, -1)]}, n_placements=4000).iloc[0]
    expected = row["edges"] * dependence[np.triu_indices(9, 1)].mean()
    assert row["random"] == pytest.approx(expected, rel=0.02)


def test_few_widths_are_all_and_many_are_geometric():
    assert selected_widths(1) == [1]
    assert selected_widths(15) == list(range(1, 16))
    many = selected_widths(983)
    assert (many[0], many[-1]) == (1, 983)
    assert len(many) <= 15
    ratios = np.array(many[4:]) / np.array(many[3:-1])
    assert ratios.min() > 1.4
    assert ratios.max() < 1.9


def test_a_single_label_has_one_lattice_without_edges():
    curve = capture_curve(np.zeros((1, 1)))
    assert curve["width"].tolist() == [1] * len(PATTERNS)
    assert not curve[["edges", "captured", "random", "bound"]].to_numpy().any()


@pytest.mark.parametrize("most", [1, 2.5])
def test_fewer_than_two_widths_are_refused(most):
    with pytest.raises(ValueError, match="most"):
        selected_widths(9, most)


def test_rows_that_are_found_where_they_are_asked_for():
    counts = pair_counts((np.random.default_rng(0).random((60, 25)) < 0.2).astype(int))
    whole, rows = (
        capture_curve(given, [1, 5, 25], n_placements=9)
        for given in (information_of_counts(counts), InformationRows(counts))
    )
    pd.testing.assert_frame_equal(rows, whole)


def test_a_list_does_as_well_as_an_array():
    pd.testing.assert_frame_equal(capture_curve(FOUR.tolist()), capture_curve(FOUR))


def test_progress_is_reported_and_a_cancel_ends_it():
    reported = []
    capture_curve(FOUR, [1, 2], n_placements=2, progress=lambda *of: reported.append(of))
    assert [done for done, _, _ in reported] == list(range(2 * len(PATTERNS) + 1))
    assert reported[0] == (0, 2 * len(PATTERNS), "left-up, width 1")
    asked = iter([False, True])
    with pytest.raises(CancelledError):
        capture_curve(FOUR, cancelled=lambda: next(asked))


def test_pairs_are_looked_for_once_for_all_widths(monkeypatch):
    asked = []
    looked_for = placement.strongest_pairs
    monkeypatch.setattr(placement, "strongest_pairs", lambda *of: asked.append(of) or looked_for(*of))
    capture_curve(random_dependence(6), n_placements=2)
    assert len(asked) == 1
