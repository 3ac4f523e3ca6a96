import numpy as np
import pytest
from numpy.testing import assert_allclose
from scipy import sparse

from trellislib.decisions import nearby
from trellislib.decisions.nearby import NearbySets


@pytest.fixture
def rows():
    rng = np.random.default_rng(0)
    return rng.random((30, 4)) * [1, 10, 100, 0], rng.integers(-1, 5, 30)


def by_definition(X, of_row, weight, new, own):
    """Return the counts for one instance, row by row; `own` is the training row that it is, or None."""
    low, width = X.min(axis=0), np.ptp(X, axis=0)
    width[width == 0] = 1
    X, new = (X - low) / width, (new - low) / width
    tenth = [np.sort(((X - row) ** 2).sum(axis=1))[10] for row in X]  # the row itself is the first
    squares = ((X - new) ** 2).sum(axis=1)
    weight = np.where(np.arange(len(X)) == own, np.maximum(weight - 1, 0), weight)
    nearest = squares[weight > 0].min()
    near = weight * np.exp(-4 * np.maximum(squares - nearest, 0) / np.mean(tenth))
    near = near + 0.1 * weight * near.sum() / weight.sum()
    return [near[of_row == number].sum() for number in range(5)]


def test_counts_are_those_of_the_definition(rows):
    X, of_row = rows
    weight = np.random.default_rng(1).integers(1, 4, 30).astype(float)
    found = NearbySets(X, of_row, 5, weight)
    new = np.random.default_rng(2).random((7, 4)) * [1, 10, 100, 1]
    expected = [by_definition(X, of_row, weight, instance, None) for instance in new]
    assert_allclose(found.counts(new).T, expected)
    own = np.array([4, 0, 29])
    expected = [by_definition(X, of_row, weight, X[row], row) for row in own]
    assert_allclose(found.counts(X[own], own).T, expected)


def test_csr_rows_are_normalised_and_missing_features_are_0(rows):
    X, of_row = rows
    X[3, 1] = 0.0
    lengths = np.sqrt((X**2).sum(axis=1, keepdims=True))
    scaled = NearbySets(np.vstack([np.eye(4), 0 * X[:1], X / lengths]), np.append([-1] * 5, of_row), 5, np.ones(35))
    of_csr = NearbySets(sparse.csr_array(X), of_row, 5, np.ones(30))
    same_unit = scaled.unit = of_csr.unit
    assert same_unit > 0
    scaled.weight[:5] = 0.0
    assert_allclose(of_csr.counts(sparse.csr_array(5 * X[:4])), scaled.counts(X[:4] / lengths[:4]))
    gaps, whole = X[:4].copy(), X[:4].copy()
    gaps[3, 1] = np.nan
    assert_allclose(of_csr.counts(sparse.csr_array(gaps)), of_csr.counts(sparse.csr_array(whole)))
    dense = NearbySets(X, of_row, 5, np.ones(30))
    assert_allclose(dense.counts(gaps), dense.counts(whole))


def test_of_many_rows_some_are_looked_at(rows, monkeypatch):
    X, of_row = rows
    monkeypatch.setattr(nearby, "MOST_ROWS", 10)
    some = np.unique(np.linspace(0, 29, 10).astype(int))
    found = NearbySets(X, of_row, 5, np.ones(30))
    found.scaler = found.scaler.fit(X[some])
    alone = NearbySets(X[some], of_row[some], 5, np.ones(10))
    found.X, found.unit = alone.X, alone.unit
    own = np.array([0, 1])  # the second is not looked at
    assert some[1] > 1
    expected = np.hstack([alone.counts(X[:1], np.array([0])), alone.counts(X[1:2])])
    assert_allclose(found.counts(X[:2], own), expected)
    monkeypatch.setattr(nearby, "MOST_CELLS", 12)
    assert len(NearbySets(X, of_row, 5, np.ones(30)).rows) == 3


def test_a_row_alone_has_nothing_near():
    found = NearbySets(np.zeros((1, 2)), np.zeros(1, dtype=int), 1, np.ones(1))
    assert found.counts(np.zeros((1, 2)), np.array([0])).tolist() == [[0.0]]
