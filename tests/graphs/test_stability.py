"""What placements of several seeds have in common, against counts by hand and by brute force."""

from itertools import combinations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from trellislib.graphs import PATTERNS, captured_dependence, placement_stability, trellis

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
    assert found.captured[found.best] == found.captured.max()


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
