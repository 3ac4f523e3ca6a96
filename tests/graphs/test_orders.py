from itertools import permutations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from scipy import sparse

from trellislib.dependence import PairCounts, pair_counts
from trellislib.graphs.orders import frequency_order, information_order
from trellislib.labels.coding import LabelCoding


def labels(n_values):
    shapes = st.tuples(st.integers(1, 12), st.integers(1, 6))
    return arrays(np.int64, shapes, elements=st.integers(0, n_values - 1))


def symmetric(n_labels):
    entries = arrays(float, (n_labels, n_labels), elements=st.integers(0, 8).map(float))
    return entries.map(lambda matrix: matrix + matrix.T)


@settings(deadline=None, max_examples=50)
@given(labels(3))
def test_frequent_labels_come_first(Y):
    relevant = [sum(Y[:, label] != values[0]) for label, values in enumerate(LabelCoding.of(Y).classes)]
    expected = sorted(range(Y.shape[1]), key=lambda label: (-relevant[label], label))
    assert frequency_order(pair_counts(Y)) == expected


@pytest.mark.parametrize("form", [np.asarray, sparse.csr_array], ids=["dense", "CSR"])
def test_frequencies_by_hand(form):
    Y = np.array([[0, 2, 1, 0], [0, 1, 0, 1], [1, 0, 0, 1], [0, 1, 0, 0]])
    assert frequency_order(pair_counts(form(Y))) == [1, 3, 0, 2]
    weights = np.array([9.0, 1.0, 1.0, 1.0])
    coding = LabelCoding.of(form(Y))
    assert frequency_order(PairCounts.of(coding.encode(form(Y)), coding.starts, weights)) == [1, 2, 3, 0]


def tells(order, information):
    """The sums that the labels of an order are chosen by, one after the other."""
    first = sum(information[order[0], other] for other in order[1:])
    return [first] + [sum(information[label, before] for before in order[:i]) for i, label in enumerate(order) if i]


@settings(deadline=None, max_examples=50)
@given(st.integers(1, 5).flatmap(symmetric), st.floats(-100, 100))
def test_each_next_label_has_most_information_with_those_before(information, diagonal):
    # The order is the one whose sums are highest, compared place by place, then labels; all L! are looked at.
    n_labels = len(information)
    expected = max(
        permutations(range(n_labels)),
        key=lambda order: list(zip(tells(order, information), (-label for label in order), strict=True)),
    )
    np.fill_diagonal(information, diagonal)
    before = information.copy()
    assert information_order(information) == list(expected)
    assert (information == before).all(), "what the caller owns stays as it was"


def test_the_diagonal_decides_no_tie():
    information = np.array([[0.0, 8, 6, 0], [8, 0, 10, 0], [6, 10, 0, 2], [0, 0, 2, 0]])
    np.fill_diagonal(information, 1e-6)
    assert information_order(information) == [1, 2, 0, 3]


def test_information_by_hand():
    # The sums over the others are 6, 6, 7 and 5; then 2 has 3 with 1 and with 3; then 0 has 2 + 1, 3 has 1 + 3.
    information = np.array([[9, 2, 1, 3], [2, 9, 3, 1], [1, 3, 9, 3], [3, 1, 3, 9]])
    assert information_order(information) == [2, 1, 3, 0]
    assert information_order(np.zeros((3, 3))) == [0, 1, 2]
    assert information_order(np.zeros((1, 1))) == [0]
