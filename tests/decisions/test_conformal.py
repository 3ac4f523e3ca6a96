"""Conformal label sets, against their definition and against what they guarantee."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import sparse

from trellislib.decisions import ConformalSets


def holds_enough(probabilities, true, threshold, share):
    """Return whether the labels from a threshold on have enough of the true ones, by counting."""
    inside = sum(p >= threshold and y for p, y in zip(probabilities, true, strict=True))
    return not sum(true) or inside / sum(true) >= share - 1e-12


@given(st.integers(0, 10**6), st.sampled_from([0.5, 0.75, 0.9]), st.sampled_from([0.5, 0.8, 0.95]))
def test_the_threshold_is_the_highest_with_which_few_enough_rows_hold_too_few(seed, share, confidence):
    rng = np.random.default_rng(seed)
    n = int(rng.integers(1, 30))
    P, Y = rng.choice([0.1, 0.2, 0.4, 0.7, 0.9], (n, 4)), rng.integers(0, 2, (n, 4))
    found = ConformalSets.calibrated(P, Y, confidence, share)
    allowed = (1 - confidence) * (n + 1) - 1  # of the calibration rows; the new row counts as one more that fails

    def n_failing(threshold):
        return sum(not holds_enough(p, y, threshold, share) for p, y in zip(P, Y, strict=True))

    assert n_failing(found.threshold) <= max(allowed, 0)
    higher = [level for level in np.unique(P) if level > found.threshold]
    assert not found.threshold or all(n_failing(level) > allowed - 1 for level in higher)
    assert found.held(P, Y) == pytest.approx(1 - n_failing(found.threshold) / n)


def test_what_is_guaranteed_holds_whatever_the_probabilities_are():
    rng = np.random.default_rng(0)
    held = []
    for _ in range(300):
        Y = rng.integers(0, 2, (120, 5))
        P = rng.random((120, 5)) ** 3 + 0.3 * Y  # far from the truth
        found = ConformalSets.calibrated(P[:60], Y[:60], confidence=0.8, share=0.7)
        held.append(found.held(P[60:], Y[60:]))
    assert 0.8 <= np.mean(held) <= 0.84


def test_few_rows_guarantee_nothing_less_than_all_labels():
    found = ConformalSets.calibrated([[0.9, 0.1]], [[1, 0]])
    assert found.threshold == 0
    assert found.sets([[0.3, 0.0]]).tolist() == [[1, 1]]


def test_a_row_without_labels_is_always_held():
    assert ConformalSets(0.99, 0.9, 0.9, 10).held(np.zeros((2, 3)), np.zeros((2, 3), int)) == 1


def test_sparse_labels_are_the_same():
    rng = np.random.default_rng(0)
    P, Y = rng.random((30, 4)), rng.integers(0, 2, (30, 4))
    assert ConformalSets.calibrated(P, sparse.csr_array(Y)) == ConformalSets.calibrated(P, Y)


@pytest.mark.parametrize(("given", "named"), [({"confidence": 1.0}, "1.0"), ({"share": 0}, "0")])
def test_what_cannot_be_guaranteed_is_refused(given, named):
    with pytest.raises(ValueError, match=named):
        ConformalSets.calibrated([[0.5]], [[1]], **given)


def test_shapes_must_be_the_same():
    with pytest.raises(ValueError, match="shape"):
        ConformalSets.calibrated(np.zeros((2, 2)), np.zeros((2, 3)))


@pytest.mark.parametrize("confidence", ["0.9); print(1", None, np.nan, 1.5])
def test_numbers_that_are_none_are_refused(confidence):
    with pytest.raises(ValueError, match=r"Got confidence=.*expected a number from 0 to 1"):
        ConformalSets(0.5, confidence, 0.9, 10)
