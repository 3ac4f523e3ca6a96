"""What placements of several seeds have in common, against counts by hand and by brute force."""

import tracemalloc
from itertools import combinations

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import sparse

from trellislib.dependence import InformationRows, information_of_counts, pair_counts
from trellislib.graphs import PATTERNS, Stability, captured_dependence, placement_stability, trellis
from trellislib.running.progress import CancelledError

pytestmark = pytest.mark.filterwarnings("ignore:Got width=")  # above the number of labels

# Labels 0 and 1 belong together, and 2 and 3; all else is equal. A chain of width 1 from 0 or 1 goes 0 1 2 3 or 1 0 2 3
# (ties to the lower label); from 2 or 3 it goes 2 3 0 1 or 3 2 0 1.
TWO_PAIRS = np.array([[0, 9, 1, 1], [9, 0, 1, 1], [1, 1, 0, 9], [1, 1, 9, 0]])


def random_dependence(n_labels, seed):
    upper = np.triu(np.random.default_rng(seed).random((n_labels, n_labels)), 1)
    return upper + upper.T


def test_two_pairs_by_hand():
    found = placement_stability(TWO_PAIRS, 1, n_seeds=40)
    firsts = np.array([placed.order[0] for placed in found.placed])
    assert set(firsts) == {0, 1, 2, 3}
    assert (found.captured == 19).all()
    assert found.together[0, 1] == found.together[2, 3] == 1
    # The third pair ties the end of the first pair to 2 (from 0 by 1, from 1 by 0) or to 0 (from 2 by 3, from 3 by 2).
    assert found.together[1, 2] == np.mean(firsts == 0)
    assert found.together[0, 2] == np.mean((firsts == 1) | (firsts == 3))
    assert found.together[0, 3] == np.mean(firsts == 2)
    assert found.together[1, 3] == 0
    # Placements share 2 of 4 pairs, or all 3 where their third pair is the same.
    third = np.array([{0: 12, 1: 2, 2: 3, 3: 2}[first] for first in firsts])
    same = [one == other for one, other in combinations(third, 2)]
    assert found.agreement == pytest.approx(np.where(same, 1.0, 0.5).mean())


@settings(deadline=None, max_examples=40)
@given(
    st.integers(1, 9),
    st.integers(1, 10),
    st.sampled_from(sorted(PATTERNS)),
    st.sampled_from(["hill-climbing", "random"]),
    st.integers(2, 6),
    st.integers(0, 99),
)
def test_brute_force(n_labels, width, pattern, placement, n_seeds, seed):
    dependence = random_dependence(n_labels, seed)
    found = placement_stability(dependence, width, pattern, n_seeds=n_seeds, placement=placement)
    ties = []
    for number, placed in enumerate(found.placed):
        assert placed == trellis(dependence, width, pattern, placement=placement, random_state=number)
        assert found.captured[number] == captured_dependence(placed, dependence)
        ties.append({frozenset(edge) for edge in placed.edges})
    for one, other in combinations(range(n_labels), 2):
        share = sum({one, other} in of_one for of_one in ties) / n_seeds
        assert found.together[one, other] == found.together[other, one] == pytest.approx(share)
    assert not np.diag(found.together).any()
    jaccard = [len(one & other) / len(one | other) if one | other else 1.0 for one, other in combinations(ties, 2)]
    assert found.agreement == pytest.approx(np.mean(jaccard))
    assert found.captured[found.best] == pytest.approx(found.captured.max())


def test_seeds_that_differ_only_by_rounding_are_equally_good():
    captured = np.array([0.3, 0.1 + 0.2, 0.2, 0.3 * (1 - 1e-8)])
    found = Stability((), captured, sparse.csr_array((2, 2)), 1.0)
    assert captured.argmax() == 1
    assert (found.best, found.all_best) == (0, (0, 1))


def test_pairs_are_ordered_by_how_often_and_how_strongly_they_are_tied():
    found = placement_stability(TWO_PAIRS, 1, n_seeds=40)
    pairs = found.pairs("abcd", TWO_PAIRS)
    assert pairs.columns.tolist() == ["label", "other label", "share", "dependence"]
    assert pairs[["label", "other label"]].to_numpy().tolist()[:2] == [["a", "b"], ["c", "d"]]
    assert pairs["share"].is_monotonic_decreasing
    assert len(pairs) == 5  # b and d are never tied
    assert pairs["share"].sum() == pytest.approx(3)  # edges of each placement
    assert found.pairs("abcd", TWO_PAIRS, 2).equals(pairs.head(2))


def test_what_does_not_depend_on_the_seed_agrees_fully():
    found = placement_stability(np.array([[0, 1], [1, 0]]), 1, n_seeds=5)
    assert found.agreement == 1
    assert placement_stability(np.zeros((1, 1)), n_seeds=3).agreement == 1


@pytest.mark.parametrize("n_seeds", [1, 0, 2.5, True])
def test_fewer_than_two_seeds_are_refused(n_seeds):
    with pytest.raises(ValueError, match="n_seeds"):
        placement_stability(TWO_PAIRS, n_seeds=n_seeds)


def test_an_unknown_placement_is_refused():
    with pytest.raises(ValueError, match="placement"):
        placement_stability(TWO_PAIRS, placement="searched")


@pytest.mark.parametrize("placement", ["hill-climbing", "random"])
def test_rows_that_are_found_where_they_are_asked_for(placement):
    counts = pair_counts((np.random.default_rng(0).random((60, 30)) < 0.2).astype(int))
    whole, rows = information_of_counts(counts), InformationRows(counts)
    of_whole, of_rows = (placement_stability(given, 5, n_seeds=4, placement=placement) for given in (whole, rows))
    assert of_rows.placed == of_whole.placed
    np.testing.assert_array_equal(of_rows.together, of_whole.together)
    np.testing.assert_allclose(of_rows.captured, of_whole.captured)
    names = [f"label {number}" for number in range(30)]
    pd.testing.assert_frame_equal(of_rows.pairs(names, rows), of_whole.pairs(names, whole))


def test_very_many_labels_take_the_memory_of_their_edges():
    n_labels = 6_000  # 288 MB for a matrix of all pairs
    counts = pair_counts(sparse.random_array((50, n_labels), density=0.002, rng=0, dtype=float).sign().astype(int))
    tracemalloc.start()
    try:
        found = placement_stability(InformationRows(counts), n_seeds=2, placement="random")
        found.pairs([str(number) for number in range(n_labels)], InformationRows(counts), most=5)
        _, most = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert found.tied.nnz <= 2 * 2 * 2 * n_labels
    assert most < 8 * n_labels**2 / 2


def test_the_most_stable_pair():
    found = placement_stability(TWO_PAIRS, 1, n_seeds=40)
    assert found.most_stable == (0, 1, 1.0)  # as stable as 2 and 3, and before them
    assert placement_stability(np.zeros((1, 1)), n_seeds=3).most_stable is None


def test_a_list_does_as_well_as_an_array():
    assert (
        placement_stability(TWO_PAIRS.tolist(), 1, n_seeds=3).placed
        == placement_stability(TWO_PAIRS, 1, n_seeds=3).placed
    )


def test_it_is_itself_alone_and_cannot_be_written_to():
    one, other = (placement_stability(TWO_PAIRS, 1, n_seeds=3) for _ in range(2))
    assert one == one
    assert one != other  # and does not fail on its arrays
    with pytest.raises(ValueError, match="read-only"):
        one.captured[0] = 7


def test_progress_is_reported_and_a_cancel_ends_it():
    reported = []
    placement_stability(TWO_PAIRS, n_seeds=3, progress=lambda done, total, what: reported.append((done, total)))
    assert reported == [(0, 3), (1, 3), (2, 3), (3, 3)]
    asked = iter([False, False, True])
    with pytest.raises(CancelledError):
        placement_stability(TWO_PAIRS, n_seeds=9, cancelled=lambda: next(asked))
