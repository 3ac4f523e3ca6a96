import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from scipy import sparse
from sklearn.metrics import mutual_info_score

from trellislib.dependence import InformationRows, pair_counts
from trellislib.labels.coding import LabelCoding
from trellislib.learners.training_set import TrainingSet, evenly_spread

X = np.arange(12.0).reshape(6, 2)
Y = np.array([[0, 2, 1], [1, 0, 1], [1, 1, 0], [0, 2, 0], [0, 0, 1], [1, 2, 1]])
forms = pytest.mark.parametrize("form", [np.asarray, sparse.csr_array], ids=["dense", "CSR"])


def dense(matrix):
    return matrix.toarray() if sparse.issparse(matrix) else matrix


@forms
def test_what_is_known_of_the_labels(form):
    whole = TrainingSet.of(form(X), form(Y))
    assert (whole.n_instances, whole.n_labels) == (6, 3)
    assert [values.tolist() for values in whole.coding.classes] == [[0, 1], [0, 1, 2], [0, 1]]
    assert_array_equal(whole.codes, Y)
    assert whole.codes.dtype == np.intp
    assert_array_equal(dense(whole.counts.together), dense(pair_counts(Y).together))
    assert_allclose(whole.information, [[mutual_info_score(a, b) for b in Y.T] for a in Y.T], atol=1e-12)


def test_codes_are_places_among_the_values():
    named = np.array([["no", "b"], ["yes", "c"], ["no", "a"]])
    assert TrainingSet.of(X[:3], named).codes.tolist() == [[0, 1], [1, 2], [0, 0]]


@forms
def test_weights_count(form):
    weight = np.array([0, 1, 2, 3, 1, 1])
    weighted = TrainingSet.of(form(X), form(Y), weight.astype(float))
    repeated = TrainingSet(np.repeat(X, weight, axis=0), np.repeat(Y, weight, axis=0), LabelCoding.of(Y))
    assert weighted.counts.n_instances == 8
    assert_allclose(dense(weighted.counts.together), dense(repeated.counts.together))
    assert_allclose(weighted.information, repeated.information, atol=1e-12)


@forms
@pytest.mark.parametrize("which", [[2, 0], (1,), np.array([0, 1, 2])])
def test_some_of_the_labels(form, which):
    weight = np.arange(6.0)
    some = TrainingSet.of(form(X), form(Y), weight).labels(which)
    assert_array_equal(some.codes, Y[:, list(which)])
    assert [len(values) for values in some.coding.classes] == [[2, 3, 2][label] for label in which]
    assert some.weight is weight
    assert some.n_instances == 6
    assert_array_equal(dense(some.X), X)


@forms
@pytest.mark.parametrize("which", [np.array([4, 1]), np.array([True, False, False, True, False, True])])
def test_some_of_the_instances(form, which):
    weight = np.arange(6.0)
    some = TrainingSet.of(form(X), form(Y), weight).rows(which)
    assert_array_equal(dense(some.X), X[which])
    assert_array_equal(some.codes, Y[which])
    assert_array_equal(some.weight, weight[which])
    assert [len(values) for values in some.coding.classes] == [2, 3, 2], "values stay, whether or not they occur"
    assert TrainingSet.of(form(X), form(Y)).rows(which).weight is None


@forms
@pytest.mark.parametrize("n_features", [2, 9], ids=["primal", "dual"])
@pytest.mark.parametrize("weighted", [False, True])
def test_split_takes_away_what_is_held_out(form, n_features, weighted):
    rng = np.random.default_rng(0)
    wide, values = rng.random((8, n_features)), rng.integers(3, size=(8, 4))
    weight = rng.random(8) + 0.5 if weighted else None
    whole = TrainingSet.of(form(wide), form(values), weight)
    held, kept = np.array([1, 4]), np.array([0, 2, 3, 5, 6, 7])
    (found, others), expected = whole.split(held), whole.rows(kept)
    assert_array_equal(dense(others.X), wide[held])
    assert_array_equal(dense(found.X), wide[kept])
    assert_array_equal(dense(found.Y), values[kept])
    assert_allclose(dense(found.counts.together), dense(expected.counts.together), atol=1e-12)
    assert_allclose(found.information, expected.information, atol=1e-12)
    assert_allclose(found.regression(0.5).U, expected.regression(0.5).U, atol=1e-10)


@forms
def test_scaled_features_keep_what_is_summed_up(form):
    factor = np.array([0.5, 3.0])
    summed = TrainingSet.of(form(X), form(Y))
    summed.sums, summed.information  # noqa: B018
    for scaled in (summed.scaled(factor), TrainingSet.of(form(X), form(Y)).scaled(factor)):
        assert_allclose(dense(scaled.X), X * factor)
        fresh = TrainingSet.of(form(X * factor), form(Y))
        for name in ("XX", "XZ", "x_mean"):
            assert_allclose(getattr(scaled.sums, name), getattr(fresh.sums, name), atol=1e-10)
        assert_allclose(scaled.information, fresh.information)


@forms
def test_blocks_and_spread_rows(form):
    whole = TrainingSet.of(form(X), form(Y), np.arange(6.0) + 1)
    assert [block.n_instances for block in whole.blocks(4)] == [4, 2]
    assert_array_equal(np.concatenate([block.codes for block in whole.blocks(4)]), Y)
    some = whole.spread(3)
    assert_array_equal(dense(some.X), X[[0, 2, 5]])
    assert_array_equal(some.weight, [1, 3, 6])
    assert_array_equal(dense(some.columns), dense(whole.columns)[[0, 2, 5]])
    assert whole.spread(99).n_instances == 6


def test_which_labels_are_constant():
    values = np.array([[1, 2, 0], [1, 0, 0], [1, 0, 0]])
    coding = LabelCoding([np.array([0, 1]), np.arange(3), np.arange(3)])
    assert TrainingSet(X[:3], values, coding).constant.tolist() == [True, False, True]


def test_information_of_many_labels_comes_row_by_row(monkeypatch):
    whole = TrainingSet.of(X, Y).information
    monkeypatch.setattr("trellislib.dependence.information.WHOLE_LABELS", 2)
    rows = TrainingSet.of(X, Y).information
    assert isinstance(rows, InformationRows)
    assert_allclose(rows[[0, 1, 2]], whole, atol=1e-14)


def test_a_difference_that_lost_its_digits_is_summed_again():
    rng = np.random.default_rng(0)
    wide, values = rng.random((60, 3)), rng.integers(2, size=(60, 2))
    wide[:5, 0] = 1e9
    rest, _ = TrainingSet.of(wide, values).split(np.arange(20))
    assert "sums" not in vars(rest)
    assert_allclose(rest.regression(1.0).U, TrainingSet.of(wide[20:], values[20:]).regression(1.0).U, atol=1e-10)
    ordinary, _ = TrainingSet.of(wide[20:], values[20:]).split(np.arange(20))
    assert "sums" in vars(ordinary)


def test_regressions_are_found_once():
    data = TrainingSet.of(X, Y)
    assert data.regression(1.0) is data.regression(1.0)
    assert data.regression(2.0) is not data.regression(1.0)
    assert data.once("name", lambda: 1) == data.once("name", lambda: 2) == 1


@pytest.mark.parametrize(
    ("n_instances", "n_rows", "expected"),
    [(10, 4, [0, 3, 6, 9]), (10, 9, [0, 1, 2, 3, 4, 5, 6, 7, 9]), (4, 4, range(4)), (4, 10**6, range(4)), (1, 9, [0])],
)
def test_rows_are_spread_evenly_and_all_where_enough_may_be_taken(n_instances, n_rows, expected):
    assert_array_equal(evenly_spread(n_instances, n_rows), expected)
