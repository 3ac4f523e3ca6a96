"""The labels of neighbours as features: by hand, by explicit loops, and with weights as with copies."""

import numpy as np
import pytest
from numpy.testing import assert_allclose
from scipy import sparse
from scipy.spatial.distance import cdist

from trellislib.learners.neighbours import NeighbourLabels

RNG = np.random.default_rng(0)
X, Z, NEW = RNG.random((30, 4)), RNG.integers(2, size=(30, 3)), RNG.random((8, 4))


def looped(k, of_training):
    """Return the averages by the letter of the definition."""
    own = cdist(X, X, "sqeuclidean") + np.diag([np.inf] * len(X))
    scale = np.sort(own, axis=1)[:, k - 1].mean() / 8
    found = []
    for distances in own if of_training else cdist(NEW, X, "sqeuclidean"):
        nearest = np.argsort(distances)[:k]
        found.append(np.average(Z[nearest], axis=0, weights=np.exp(-distances[nearest] / scale)))
    return np.array(found)


@pytest.mark.parametrize("k", [1, 4, 10])
@pytest.mark.parametrize("form", [np.asarray, sparse.csr_array])
def test_they_are_averages_over_the_nearest_rows_by_distance(k, form):
    found = NeighbourLabels(k).fit(form(X), Z)
    assert_allclose(found.training_features_, looped(k, of_training=True))
    assert_allclose(found.transform(form(NEW)), looped(k, of_training=False))


def test_a_row_does_not_see_its_own_labels():
    changed = Z.copy()
    changed[3] = 1 - Z[3]
    before, after = (NeighbourLabels(5).fit(X, labels).training_features_[3] for labels in (Z, changed))
    assert_allclose(before, after)


def test_a_weight_is_so_many_copies():
    weight = RNG.integers(1, 4, size=len(X))
    found = NeighbourLabels(6).fit(X, Z, weight)
    copies = NeighbourLabels(6).fit(np.repeat(X, weight, axis=0), np.repeat(Z, weight, axis=0))
    assert_allclose(found.transform(NEW), copies.transform(NEW))
    firsts = np.cumsum(weight) - weight
    assert_allclose(found.training_features_, copies.training_features_[firsts])


def test_copies_of_a_row_and_far_rows_give_finite_averages():
    same = NeighbourLabels(3).fit(np.zeros((5, 2)), Z[:5])
    assert_allclose(same.transform(np.zeros((1, 2))), Z[:3].mean(axis=0, keepdims=True))
    assert np.isfinite(NeighbourLabels(3).fit(X, Z).transform(1e6 * NEW)).all()
    assert_allclose(NeighbourLabels(3).fit(X[:1], Z[:1]).training_features_, np.zeros((1, 3)))  # no other row
