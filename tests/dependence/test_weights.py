from math import log

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from numpy.testing import assert_allclose, assert_array_equal
from scipy import sparse

from trellislib.dependence import (
    PairCounts,
    association,
    co_occurrence,
    information_of_counts,
    p_values,
    pair_counts,
    phi_coefficients,
)
from trellislib.dependence import information as of_information
from trellislib.labels.coding import LabelCoding

forms = pytest.mark.parametrize("form", [np.asarray, sparse.csr_array], ids=["dense", "CSR"])


@st.composite
def weighted_labels(draw, n_values=3):
    """Labels, and whole weights of which at least one is not 0."""
    n_instances, n_labels = draw(st.integers(1, 12)), draw(st.integers(1, 5))
    Y = draw(arrays(np.int64, (n_instances, n_labels), elements=st.integers(0, n_values - 1)))
    return Y, np.array(draw(st.lists(st.integers(0, 4), min_size=n_instances, max_size=n_instances).filter(any)))


def counted(Y, weight=None):
    coding = LabelCoding.of(Y)
    return PairCounts.of(coding.encode(Y), coding.starts, weight)


def repeated(Y, times):
    """Counts of the rows of `Y`, each standing as often as `times` says; the labels keep their values."""
    coding = LabelCoding.of(Y)
    return PairCounts.of(coding.encode(np.repeat(Y, times, axis=0)), coding.starts)


@settings(deadline=None, max_examples=50)
@given(weighted_labels())
def test_whole_weights_are_repetitions(drawn):
    Y, times = drawn
    weighted, expected = counted(Y, times.astype(float)), repeated(Y, times)
    assert weighted.is_weighted
    assert not expected.is_weighted
    assert weighted.n_instances == expected.n_instances == times.sum()
    assert_array_equal(weighted.single, expected.single)
    assert_array_equal(weighted.degrees_of_freedom(), expected.degrees_of_freedom())
    for i in range(Y.shape[1]):
        for j in range(Y.shape[1]):
            assert_array_equal(weighted.table(i, j), expected.table(i, j))
            assert association(weighted, i, j).g == pytest.approx(association(expected, i, j).g, abs=1e-10)
    information = information_of_counts(weighted)
    assert_allclose(information, information_of_counts(expected), atol=1e-12)
    assert_allclose(p_values(weighted, information), p_values(expected, information), atol=1e-12)


@settings(deadline=None, max_examples=40)
@given(weighted_labels(n_values=2))
def test_whole_weights_are_repetitions_for_what_binary_labels_have(drawn):
    Y, times = drawn
    weighted, expected = counted(Y, times.astype(float)), repeated(Y, times)
    assert_allclose(co_occurrence(weighted), co_occurrence(expected), atol=1e-12)
    assert_allclose(phi_coefficients(weighted), phi_coefficients(expected), atol=1e-12)


@settings(deadline=None, max_examples=50)
@given(weighted_labels(), st.floats(1e-6, 1e6))
def test_the_unit_of_weights_does_not_matter(drawn, unit):
    # A unit makes fractions of the counts, whose sums are then rounded; what is 0 must stay so.
    Y, times = drawn
    expected = information_of_counts(counted(Y, times.astype(float)))
    counts = counted(Y, times * unit)
    information = information_of_counts(counts)
    assert_allclose(information, expected, atol=1e-11)
    assert (information >= 0).all()
    assert_array_equal(information, information.T)
    assert_array_equal(counts.degrees_of_freedom(), repeated(Y, times).degrees_of_freedom())
    if counts.starts[-1] == Y.shape[1]:
        assert_allclose(co_occurrence(counts), co_occurrence(repeated(Y, times)), atol=1e-11)
        assert_allclose(phi_coefficients(counts), phi_coefficients(repeated(Y, times)), atol=1e-7)


@forms
@pytest.mark.parametrize("value", [0, 1])
def test_a_constant_label_has_no_information_however_weights_are_rounded(form, value):
    for seed in range(100):  # the sum of all weights, in another order, may be another number
        rng = np.random.default_rng(seed)
        Y = rng.integers(0, 2, (15, 3))
        Y[:, 1] = value
        counts = counted(form(Y), rng.random(15) * 3)
        information = information_of_counts(counts)
        assert_allclose(information[1], 0.0, atol=1e-13)
        assert not co_occurrence(counts)[1].any()
        assert not phi_coefficients(counts)[1].any()
        assert not counts.degrees_of_freedom()[1].any()
        assert (p_values(counts, information)[1] == 1).all()
        assert (association(counts, 0, 1).information, association(counts, 0, 1).strength) == (0.0, 0.0)
        assert (counts.table(0, 1) >= 0).all()


@forms
def test_a_value_that_does_not_occur_is_no_degree_of_freedom_however_weights_are_rounded(form):
    for seed in range(100):
        rng = np.random.default_rng(seed)
        Y = rng.integers(0, 3, (15, 2))
        Y[:, 0] = 1 + (Y[:, 0] > 1)
        Y[:2] = [[2, 0], [2, 2]]
        weight = rng.random(15)
        coding = LabelCoding([np.arange(3)] * 2)
        counts = PairCounts.of(coding.encode(form(Y)), coding.starts, weight)
        assert counts.degrees_of_freedom()[0, 1] == len(np.unique(Y[:, 1])) - 1
        pair = association(counts, 0, 1)
        assert pair.information == pytest.approx(information_of_counts(counts)[0, 1], abs=1e-12)
        assert pair.p_value == pytest.approx(p_values(counts, information_of_counts(counts))[0, 1], rel=1e-9)


@forms
@pytest.mark.parametrize("n_values", [2, 4])
def test_blocks_do_not_change_what_weights_give(monkeypatch, n_values, form):
    rng = np.random.default_rng(0)
    counts = counted(form(rng.integers(0, n_values, (40, 7))), rng.random(40))
    whole = information_of_counts(counts)
    monkeypatch.setattr(of_information, "BLOCK", 2)
    assert_allclose(information_of_counts(counts), whole, atol=1e-14)


def test_information_of_weighted_shares_by_hand():
    # Shares of the cells: both 1/2, the first alone 1/4, neither 1/4.
    information = information_of_counts(counted(np.array([[1, 1], [1, 0], [0, 0]]), np.array([0.2, 0.1, 0.1])))[0, 1]
    assert information == pytest.approx(0.5 * log(0.5 / 0.375) + 0.25 * log(0.25 / 0.375) + 0.25 * log(0.25 / 0.125))


@settings(deadline=None, max_examples=50)
@given(weighted_labels(n_values=2), st.booleans())
def test_co_occurrence_is_its_formula(drawn, weighted):
    Y, times = drawn
    weight = times.astype(float) if weighted else np.ones(len(Y))
    found = co_occurrence(counted(Y, weight if weighted else None))
    total = weight.sum()
    for j in range(Y.shape[1]):
        for k in range(Y.shape[1]):
            p_j, p_k, p = (weight @ column / total for column in (Y[:, j], Y[:, k], Y[:, j] * Y[:, k]))
            if 0 < p_j < 1 and 0 < p_k < 1:
                together = p * log(p / (p_j * p_k)) if p > 0 else 0.0
                expected = together + (1 - p) * log((1 - p) / ((1 - p_j) * (1 - p_k)))
            else:
                expected = 0.0
            assert found[j, k] == pytest.approx(expected, abs=1e-12)
    assert_array_equal(found, found.T)


def test_co_occurrence_of_a_label_with_itself_is_its_entropy():
    Y = np.random.default_rng(0).integers(0, 2, (30, 4))
    counts = pair_counts(Y)
    assert_allclose(np.diag(co_occurrence(counts)), np.diag(information_of_counts(counts)))


def test_co_occurrence_grows_with_frequency_and_is_no_divergence():
    independent = pair_counts(np.array([[0, 0], [0, 1], [1, 0], [1, 1]]))
    assert co_occurrence(independent)[0, 1] == pytest.approx(0.75 * log(3))  # not 0
    rare = np.zeros((100, 2), dtype=int)
    rare[:1] = 1
    frequent = np.zeros((100, 2), dtype=int)
    frequent[:50] = 1
    assert co_occurrence(pair_counts(rare))[0, 1] < co_occurrence(pair_counts(frequent))[0, 1]


@settings(deadline=None, max_examples=50)
@given(weighted_labels(n_values=2))
def test_co_occurrence_is_never_negative(drawn):
    # By the log sum inequality it is at least -ln(q_1 + q_0), where q_1 + q_0 is the share of agreement expected.
    Y, times = drawn
    counts = counted(Y, times.astype(float))
    share = counts.single / counts.n_instances
    agree = np.outer(share, share) + np.outer(1 - share, 1 - share)
    varies = np.outer(share * (1 - share), share * (1 - share)) > 0
    assert (co_occurrence(counts)[varies] >= -np.log(agree[varies]) - 1e-12).all()
    assert (co_occurrence(counts) >= 0).all()


@forms
def test_co_occurrence_of_labels_of_more_values_is_refused(form):
    with pytest.raises(ValueError, match=r"Co-occurrence .*defined .*binary labels"):
        co_occurrence(pair_counts(form(np.array([[0, 0], [1, 1], [2, 0]]))))
