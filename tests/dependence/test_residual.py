from dataclasses import replace
from itertools import combinations
from math import log

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.testing import assert_allclose, assert_array_equal
from scipy import linalg, sparse
from scipy.stats import chi2
from sklearn.linear_model import Ridge

from trellislib.dependence import pair_counts, phi_coefficients, residual_gram, residual_information
from trellislib.labels.coding import LabelCoding

forms = pytest.mark.parametrize("form", [np.asarray, sparse.csr_array], ids=["dense", "CSR"])
shapes = pytest.mark.parametrize("n_features", [3, 80], ids=["primal", "dual"])


def data(n_features=3, n_instances=60, n_values=2, seed=0):
    """Labels that depend on the features and on each other."""
    rng = np.random.default_rng(seed)
    X = np.where(rng.random((n_instances, n_features)) < 0.4, 0.0, rng.standard_normal((n_instances, n_features)))
    common = rng.standard_normal((n_instances, 1))
    Y = X @ rng.standard_normal((n_features, 4)) + common + rng.standard_normal((n_instances, 4))
    ranks = Y.argsort(axis=0).argsort(axis=0)
    return X, ranks * n_values // n_instances


def cross_products(X, Z, alpha, weight=None):
    """Products of the centred columns with what ridge regression leaves of them."""
    w = np.ones(len(X)) if weight is None else weight
    left = Z - Ridge(alpha, solver="svd").fit(X, Z, sample_weight=w).predict(X)
    return (Z - np.average(Z, axis=0, weights=w)).T @ (w[:, None] * left)


@forms
@shapes
@pytest.mark.parametrize("alpha", [0.1, 1.0, 30.0])
def test_binary_labels_have_the_information_of_their_partial_correlation(form, n_features, alpha):
    X, Y = data(n_features)
    R = cross_products(X, Y.astype(float), alpha)
    r = R / np.sqrt(np.outer(R.diagonal(), R.diagonal()))
    expected = -np.log(1 - (r - np.diag(r.diagonal())) ** 2) / 2
    assert_allclose(residual_information(form(X), form(Y), alpha), expected, atol=1e-10)


@forms
def test_without_a_penalty_it_is_the_correlation_of_residuals(form):
    X, Y = data()
    left = Y - Ridge(1e-9, solver="svd").fit(X, Y).predict(X)
    r = np.corrcoef(left, rowvar=False) - np.eye(4)
    assert_allclose(residual_information(form(X), form(Y), 1e-9), -np.log(1 - r**2) / 2, atol=1e-8)


@forms
@shapes
@pytest.mark.parametrize("weighted", [False, True])
def test_labels_of_more_values_have_that_of_their_canonical_correlations(form, n_features, weighted):
    X, Y = data(n_features, n_values=4)
    Y[:, 2] = Y[:, 2] > 1
    weight = np.random.default_rng(1).random(len(X)) * 2 if weighted else None
    coding = LabelCoding.of(Y)
    R = cross_products(X, coding.encode(Y), 1.0, weight)
    found = residual_information(form(X), form(Y), 1.0, weight)
    for i, j in combinations(range(4), 2):
        a, b = coding.columns([i]), coding.columns([j])
        # Squared canonical correlations: the eigenvalues of R_ij R_jj^-1 R_ji against R_ii.
        across = R[np.ix_(a, b)] @ np.linalg.inv(R[np.ix_(b, b)]) @ R[np.ix_(b, a)]
        squared = linalg.eigh((across + across.T) / 2, R[np.ix_(a, a)], eigvals_only=True)
        assert found[i, j] == pytest.approx(-np.log(1 - squared).sum() / 2, abs=1e-9)
        both = np.concatenate([a, b])
        determinants = [np.linalg.det(R[np.ix_(of, of)]) for of in (both, a, b)]
        assert found[i, j] == pytest.approx(-log(determinants[0] / determinants[1] / determinants[2]) / 2, abs=1e-8)
    assert_array_equal(found, found.T)
    assert not found.diagonal().any()


@settings(deadline=None, max_examples=30)
@given(st.lists(st.integers(0, 3), min_size=30, max_size=30), st.integers(2, 3), st.booleans())
def test_weights_are_repetitions(times, n_values, as_sparse):
    X, Y = data(n_instances=40, n_values=n_values)
    times = np.array(times + [1] * 10)
    form = sparse.csr_array if as_sparse else np.asarray
    weighted = residual_information(form(X), form(Y), 1.0, times.astype(float))
    repeated = residual_information(form(np.repeat(X, times, axis=0)), form(np.repeat(Y, times, axis=0)))
    assert_allclose(weighted, repeated, atol=1e-9)


@pytest.mark.parametrize("unit", [1e-12, 1e-6, 1e6])
@pytest.mark.parametrize("n_values", [2, 3])
def test_the_unit_of_weights_matters_no_more_than_that_of_the_penalty(n_values, unit):
    X, Y = data(n_values=n_values)
    weight = np.random.default_rng(2).random(len(X))
    expected = residual_information(X, Y, 1.0, weight)
    assert_allclose(residual_information(X, Y, unit, weight * unit), expected, rtol=1e-6, atol=1e-9)
    assert (expected[~np.eye(4, dtype=bool)] > 0).all()


@forms
@pytest.mark.parametrize("n_values", [2, 3])
@pytest.mark.parametrize("value", [0, 1])
def test_a_constant_label_has_no_information(form, n_values, value):
    X, Y = data(n_values=n_values)
    Y[:, 1] = value
    for weight in (None, np.random.default_rng(0).random(len(X))):
        found = residual_information(form(X), form(Y), 1.0, weight)
        assert not found[1].any()
        assert found[0, 2] > 0


@forms
@pytest.mark.parametrize("n_values", [2, 3])
def test_a_label_that_the_features_determine_has_no_information_left(form, n_values):
    X, Y = data(n_values=n_values)
    X = np.column_stack([X, Y[:, 0] == 1, Y[:, 0] == 2]).astype(float)
    found = residual_information(form(X), form(Y), 1e-9)
    assert not found[0].any()
    assert found[1, 2] > 0


def test_one_value_that_the_features_determine_leaves_the_other_two():
    # Given whether the first label is 0, all it has left is one binary choice.
    X, Y = data(n_values=3)
    X = np.column_stack([X, Y[:, 0] == 0]).astype(float)
    Z = np.column_stack([Y[:, 0] == 1, Y[:, 1] == 1, Y[:, 1] == 2]).astype(float)
    R = cross_products(X, Z, 1e-9)
    squared = R[0, 1:] @ np.linalg.inv(R[1:, 1:]) @ R[1:, 0] / R[0, 0]
    assert residual_information(X, Y[:, :2], 1e-9)[0, 1] == pytest.approx(-log(1 - squared) / 2, abs=1e-6)


@forms
@pytest.mark.parametrize("n_values", [2, 3, 4])
def test_equal_labels_have_much_but_finite_information(form, n_values):
    for seed in range(5):
        X, Y = data(n_values=n_values, seed=seed)
        Y[:, 2] = Y[:, 0]
        found = residual_information(form(X), form(Y))
        assert np.isfinite(found).all()
        assert (found >= 0).all()
        assert_array_equal(found, found.T)
        assert found[0, 2] == found.max() > 10
        assert_allclose(found[0, [1, 3]], found[2, [1, 3]], atol=1e-8)


def test_a_value_that_no_instance_has_changes_nothing():
    X, Y = data(n_values=3)
    expected = residual_information(X, Y)
    shifted = Y + np.array([0, 1, 2, 0])  # a CSR array holds codes: the values 0, or 0 and 1, do not occur
    assert_allclose(residual_information(X, sparse.csr_array(shifted)), expected, atol=1e-8)


def test_one_label():
    X, Y = data()
    assert residual_information(X, Y[:, :1]).tolist() == [[0.0]]
    assert residual_information(X, 2 * Y[:, :1] + (X[:, :1] > 0)).tolist() == [[0.0]]


@pytest.mark.parametrize("n_values", [2, 3])
@forms
def test_one_pair_is_found_without_the_others(form, n_values):
    X, Y = data(n_values=n_values)
    residuals = residual_gram(form(X), form(Y))
    whole = residual_information(X, Y)
    fitted = 1 + np.trace(Ridge(1.0, solver="svd").fit(X, np.eye(len(X))).predict(X) - 1 / len(X))
    for one, other in combinations(range(Y.shape[1]), 2):
        beyond = residuals.pair(one, other)
        assert beyond.information == pytest.approx(whole[one, other], abs=1e-10)
        widths = [len(np.unique(Y[:, label])) - 1 for label in (one, other)]
        tested = len(Y) - fitted - (sum(widths) + 1) / 2
        assert beyond.p_value == pytest.approx(chi2.sf(2 * tested * beyond.information, np.prod(widths)))


def test_a_pair_without_its_features_is_known_from_phi():
    X, Y = data()
    phi = phi_coefficients(pair_counts(Y))[0, 1]

    assert residual_gram(X, Y).pair(0, 1).ignoring == pytest.approx(-log(1 - phi**2) / 2)


@pytest.mark.parametrize("n_features", [20, 200, 400])
@pytest.mark.parametrize("n_values", [2, 3])
def test_independent_labels_are_found_to_depend_as_often_as_the_level(n_features, n_values):
    """Given the features, 870 pairs of labels are independent: about 1% of them have a p-value below 0.01."""
    rng = np.random.default_rng(n_features)
    found = []
    for _ in range(2):
        X = rng.standard_normal((500, n_features))
        latent = X @ rng.standard_normal((n_features, 30)) / np.sqrt(2 * n_features) + rng.standard_normal((500, 30))
        residuals = residual_gram(X, latent.argsort(axis=0).argsort(axis=0) * n_values // 500)
        found += [residuals.pair(one, other).p_value < 0.01 for one, other in combinations(range(30), 2)]

    assert 0.001 < np.mean(found) < 0.025


@forms
@pytest.mark.parametrize("n_features", [60, 300])
def test_as_many_features_as_instances_leave_no_residual(form, n_features):
    rng = np.random.default_rng(0)
    X, common = rng.standard_normal((60, n_features)), rng.integers(2, size=60)
    beyond = residual_gram(form(X), np.column_stack([common, common]), alpha=1e-6).pair(0, 1)

    assert beyond.information > 1
    assert beyond.p_value == 1


def test_the_test_counts_the_degrees_of_freedom_that_are_left():
    X, Y = data(n_features=10)
    residuals = residual_gram(X, Y, alpha=1e-9)
    beyond = residuals.pair(0, 1)
    as_many = replace(residuals, fitted=None).pair(0, 1)

    assert residuals.fitted == pytest.approx(11)
    assert beyond.p_value == pytest.approx(chi2.sf(2 * (60 - 11 - 1.5) * beyond.information, 1))
    assert as_many.p_value == pytest.approx(beyond.p_value)


def test_a_label_that_is_a_feature_shares_nothing_beyond_it():
    _, Y = data()
    beyond = residual_gram(Y[:, :1].astype(float), Y, alpha=1e-9).pair(0, 1)

    assert (beyond.information, beyond.p_value) == pytest.approx((0, 1))
    assert beyond.ignoring > 0
