import numpy as np
import pytest
from numpy.testing import assert_allclose
from scipy import sparse

from trellislib.decisions import nearby
from trellislib.decisions.nearby import NearbySets


@pytest.fixture
def rows():
    rng = np.random.default_rng(0)
    return rng.random((30, 4)) * [1, 10, 100, 0], rng.integers(0, 5, 30)


def by_definition(X, of_row, weight, new, own):
    """Return the counts for one instance, row by row; `own` is the training row that it is, or None."""
    low, width = X.min(axis=0), np.ptp(X, axis=0)
    width[width == 0] = 1
    X, new = (X - low) / width, np.clip((new - low) / width, 0, 1)
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
    assert_allclose(found.counts(new).T, expected, rtol=1e-4)
    own = np.array([4, 0, 29])
    expected = [by_definition(X, of_row, weight, X[row], row) for row in own]
    assert_allclose(found.counts(X[own], own).T, expected, rtol=1e-4)


def test_csr_rows_are_normalised_and_missing_features_are_0(rows):
    X, of_row = rows
    X[3, 1] = 0.0
    lengths = np.sqrt((X**2).sum(axis=1, keepdims=True))
    unit_rows = X / lengths
    found = NearbySets(sparse.csr_array(X), of_row, 5, np.ones(30))
    new = X[:4] * 5
    squares = ((unit_rows[:, None] - unit_rows[:4]) ** 2).sum(axis=2)
    near = np.exp(-4 * squares / found.unit)  # each is there itself, at the distance 0
    expected = [(near + 0.1 * near.mean(axis=0))[of_row == number].sum(axis=0) for number in range(5)]
    assert_allclose(found.counts(sparse.csr_array(new)), expected, rtol=1e-4)
    gaps = X[:4].copy()
    gaps[3, 1] = np.nan
    assert_allclose(found.counts(sparse.csr_array(gaps)), found.counts(sparse.csr_array(X[:4])))
    assert_allclose(found.counts(X[:4]), found.counts(sparse.csr_array(X[:4])))  # whatever form new rows have


def test_missing_and_outlying_features_of_arrays_count_as_the_lowest_and_highest_values(rows):
    X, of_row = rows
    X[:, 3] = np.nan
    found = NearbySets(X, of_row, 5, np.ones(30))
    odd, plain = X[:2].copy(), X[:2].copy()
    odd[0, 0], plain[0, 0] = np.nan, X[:, 0].min()
    odd[1, 2], plain[1, 2] = 1e200, X[:, 2].max()
    assert_allclose(found.counts(odd), found.counts(plain))
    assert_allclose(found.counts(sparse.csr_array(np.nan_to_num(plain))), found.counts(np.nan_to_num(plain)))


def test_blocks_of_rows_count_as_all_at_once(rows, monkeypatch):
    X, of_row = rows
    found = NearbySets(X, of_row, 5, np.ones(30))
    whole = found.counts(X, np.arange(30))
    monkeypatch.setattr(nearby, "CELLS", 100)
    assert_allclose(found.counts(X, np.arange(30)), whole)
    assert_allclose(found.of_sets(np.array([3, 1])).counts(X), found.counts(X)[[3, 1]])


def test_of_equal_rows_the_unit_is_no_rounding_error():
    X = np.repeat(np.random.default_rng(0).random((5, 3)), 20, axis=0)
    assert NearbySets(X, np.zeros(100, dtype=int), 1, np.ones(100)).unit == 1.0


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
    assert len(NearbySets(sparse.csr_array(X), of_row, 5, np.ones(30)).rows) == 4  # a fourth of the cells is 0


def test_a_row_alone_has_nothing_near():
    found = NearbySets(np.zeros((1, 2)), np.zeros(1, dtype=int), 1, np.ones(1))
    assert found.counts(np.zeros((1, 2)), np.array([0])).tolist() == [[0.0]]
