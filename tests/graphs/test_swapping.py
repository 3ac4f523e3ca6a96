from itertools import combinations, permutations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.testing import assert_allclose
from scipy import sparse

from trellislib import ClassifierTrellis
from trellislib.dependence import InformationRows
from trellislib.dependence.counts import PairCounts
from trellislib.graphs import PATTERNS, Trellis, captured_dependence, trellis
from trellislib.graphs.placement import parent_cells
from trellislib.graphs.swapping import swapped_up


def made(n_labels, seed):
    D = np.random.default_rng(seed).random((n_labels, n_labels)) ** 3
    return D + D.T


def gains_of_swaps(placed, D):
    """Return what each swap of two labels would capture in addition, counted anew."""
    now = captured_dependence(placed, D)
    return [captured_dependence(placed.swapped(*pair), D) - now for pair in combinations(range(placed.n_labels), 2)]


@given(st.integers(1, 12), st.integers(1, 5), st.sampled_from(sorted(PATTERNS)), st.integers(0, 99))
def test_no_swap_of_two_labels_captures_more_and_nothing_is_lost(n_labels, width, pattern, seed):
    D = made(n_labels, seed)
    cells = parent_cells(n_labels, width, PATTERNS[pattern])
    start = np.random.default_rng(seed).permutation(n_labels).tolist()
    found = Trellis(swapped_up([start], cells, D)[0], width, PATTERNS[pattern])
    assert captured_dependence(found, D) >= captured_dependence(Trellis(start, width, PATTERNS[pattern]), D) - 1e-9
    assert max(gains_of_swaps(found, D), default=0.0) <= 1e-9


@pytest.mark.parametrize("pattern", sorted(PATTERNS))
def test_it_captures_nearly_what_the_best_of_all_placements_does(pattern):
    best = found = climbed = 0.0
    for seed in range(5):
        D = made(6, seed)
        best += max(captured_dependence(Trellis(order, 2, PATTERNS[pattern]), D) for order in permutations(range(6)))
        found += captured_dependence(trellis(D, 2, pattern, placement="swaps", random_state=0), D)
        climbed += captured_dependence(trellis(D, 2, pattern, random_state=0), D)
    assert climbed < found <= best + 1e-9
    assert found >= 0.99 * best


def test_it_never_captures_less_than_hill_climbing_from_the_same_seed():
    for seed in range(5):
        D = made(30, seed)
        climbed, swapped = (trellis(D, placement=way, random_state=seed) for way in ("hill-climbing", "swaps"))
        assert captured_dependence(swapped, D) > captured_dependence(climbed, D)


def test_rows_on_demand_give_the_placement_of_the_matrix():
    counts = PairCounts.of(np.random.default_rng(0).integers(0, 2, (60, 12)), np.arange(13))
    rows = InformationRows(counts)
    assert not rows.is_sparse
    whole = rows[np.arange(12)]
    for seed in range(3):
        assert trellis(rows, placement="swaps", random_state=seed) == trellis(
            whole, placement="swaps", random_state=seed
        )


def test_sparse_counts_are_improved_by_what_co_occurs():
    rng = np.random.default_rng(1)
    groups = rng.integers(0, 10, 300)
    Y = np.zeros((300, 40), dtype=int)
    for _ in range(2):
        Y[np.arange(300), groups * 4 + rng.integers(0, 4, 300)] = 1
    rows = InformationRows(PairCounts.of(sparse.csr_array(Y), np.arange(41)))
    assert rows.is_sparse
    together = np.where(rows.counts.together.toarray() > 0, rows[np.arange(40)], 0.0)
    found, climbed = (trellis(rows, placement=way, random_state=0) for way in ("swaps", "hill-climbing"))
    assert max(gains_of_swaps(found, together)) <= 1e-9
    assert captured_dependence(found, rows) > captured_dependence(climbed, rows)
    on_matrix = trellis(together, placement="swaps", random_state=0)
    assert_allclose(captured_dependence(on_matrix, together), captured_dependence(found, together), rtol=0.1)


def test_a_classifier_trellis_places_by_swaps():
    rng = np.random.default_rng(2)
    Y = (rng.random((80, 8)) + rng.random((80, 1)) > 1).astype(int)
    method = ClassifierTrellis(placement="swaps", random_state=3).fit(rng.random((80, 2)), Y)
    information = InformationRows(PairCounts.of(Y, np.arange(9)))[np.arange(8)]
    assert method.graph_ == trellis(information, placement="swaps", random_state=3)
    assert max(gains_of_swaps(method.graph_, information)) <= 1e-9


def test_of_sparse_counts_no_less_is_captured_than_by_hill_climbing():
    rng = np.random.default_rng(3)
    for seed in range(10):
        Y = np.eye(4, dtype=int)[rng.integers(0, 4, (90, 3))].reshape(90, 12)  # labels that exclude each other
        rows = InformationRows(PairCounts.of(sparse.csr_array(Y), np.arange(13)))
        found, climbed = (trellis(rows, placement=way, random_state=seed) for way in ("swaps", "hill-climbing"))
        assert captured_dependence(found, rows) >= captured_dependence(climbed, rows) - 1e-12


def test_starts_are_improved_as_each_alone():
    for seed in range(5):
        D, cells = made(12, seed), parent_cells(12, 3, PATTERNS["left-up"])
        starts = [np.random.default_rng(start).permutation(12).tolist() for start in range(6)]
        assert swapped_up(starts, cells, D) == [swapped_up([start], cells, D)[0] for start in starts]


def test_large_values_end_as_small_ones_do():
    rng = np.random.default_rng(10005)
    n = int(rng.integers(9, 16))
    D = np.round(rng.random((n, n)), 1) * 1e6 * 1.1
    placed = trellis(D + D.T, 2, "left-up-second", placement="swaps", random_state=0)
    assert max(gains_of_swaps(placed, D + D.T)) <= 1e-6 * D.max()
