"""Rows that are unlike the training rows, against standard scores by hand."""

import json

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from scipy import sparse

from trellislib.models.typical import TypicalFeatures

RNG = np.random.default_rng(0)
X = RNG.normal(3, 2, (200, 4)) * (RNG.random((200, 4)) < 0.5)


def by_hand(new, seen):
    """Return the mean squared standard score of each row, over the features that it has."""
    scores = (new - np.nanmean(seen, axis=0)) / np.nanstd(seen, axis=0)
    return np.nanmean(scores**2, axis=1)


@pytest.mark.parametrize("form", [np.asarray, sparse.csr_array])
def test_distances_are_mean_squared_standard_scores(form):
    gaps = X.copy()
    gaps[RNG.random(gaps.shape) < 0.1] = np.nan
    found = TypicalFeatures.of(form(gaps))
    assert_allclose(found.distances(form(gaps)), by_hand(gaps, gaps), rtol=1e-9)
    assert found.limit == pytest.approx(np.quantile(by_hand(gaps, gaps), 0.99))


def test_about_one_training_row_in_a_hundred_is_unlike_the_others():
    assert TypicalFeatures.of(X).unlike(X).sum() == 2


def test_a_feature_that_did_not_vary_is_not_looked_at():
    seen = np.column_stack([X[:, 0], np.full(200, 0.1)])
    found = TypicalFeatures.of(seen)
    assert not found.unlike(np.array([[seen[:, 0].mean(), 99.0]]))[0]


def test_a_small_spread_around_a_large_mean_is_seen():
    seen = 1.7e9 + 10 * RNG.standard_normal((300, 1))
    assert TypicalFeatures.of(seen).unlike(np.array([[1.7e9], [1.7e9 + 200]])).tolist() == [False, True]


def test_it_comes_back_from_json():
    found = TypicalFeatures.of(X)
    again = TypicalFeatures.from_json(json.loads(json.dumps(found.as_json())))
    assert_array_equal(again.unlike(3 * X), found.unlike(3 * X))
