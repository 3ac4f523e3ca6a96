"""What is seen of all pairs row by row is what the whole matrix says."""

import sys

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from numpy.testing import assert_allclose, assert_array_equal
from scipy import sparse

from trellislib.dependence import (
    InformationRows,
    PairCounts,
    PairsOnDemand,
    PhiRows,
    PValueRows,
    block_size,
    information_of_counts,
    overview,
    p_values,
    pair_counts,
    pairs,
    phi_coefficients,
    pooled,
    strongest_between,
    strongest_pairs,
)

seeing = sys.modules["trellislib.dependence.overview"]  # the name in the package is that of the function


def labels(n_values=2, most_labels=7):
    shapes = st.tuples(st.integers(1, 25), st.integers(1, most_labels))
    return arrays(np.int64, shapes, elements=st.integers(0, n_values - 1))


def on_demand(Y):
    """Return counts of binary labels as those of very many are: no pair is counted before it is asked for."""
    Z = sparse.csr_array(Y.astype(np.int32))
    single = np.asarray(Z.sum(axis=0)).ravel().astype(np.int64)
    return PairCounts(len(Y), single, PairsOnDemand(sparse.csr_array(Z.T), Z), np.arange(Y.shape[1] + 1))


def pooled_by_hand(matrix, order, block):
    n = len(order)
    starts = range(0, n, block)
    found = np.zeros((len(starts), len(starts)))
    for i, low in enumerate(starts):
        for j, left in enumerate(starts):
            cells = [matrix[a, b] for a in order[low : low + block] for b in order[left : left + block] if a != b]
            found[i, j] = max(cells, default=0.0)
    return found


def check(seen, Y, information, order, most_pairs):
    counts, n = pair_counts(Y), Y.shape[1]
    first, second = np.triu_indices(n, k=1)
    values = information[first, second]
    best = np.argsort(-values, kind="stable")[:most_pairs]
    assert_array_equal(seen.first, first[best])
    assert_array_equal(seen.second, second[best])
    assert_array_equal(seen.information, values[best])
    assert_array_equal(seen.pooled, pooled_by_hand(information, order, seen.block))
    others = information.copy()
    np.fill_diagonal(others, -1)
    assert_array_equal(seen.partners, others.argmax(axis=1) if n > 1 else [0])
    assert_array_equal(seen.partner_information, others.max(axis=1) if n > 1 else [0])
    dependent = p_values(counts, information)[first, second] < 0.01 / max(len(first), 1)
    assert seen.n_dependent == dependent.sum()
    assert seen.n_pairs == len(first)
    if len(counts.single) > n:
        assert seen.co_occurrence is seen.exclusion is None
        return
    phi = phi_coefficients(counts)[first, second]
    for sense, sign in ((seen.co_occurrence, 1), (seen.exclusion, -1)):
        here = np.flatnonzero(dependent & (np.sign(phi) == sign))
        assert sense.n_pairs == len(here)
        if len(here):
            strongest = here[values[here].argmax()]
            assert (sense.pair, sense.information) == ((first[strongest], second[strongest]), values[strongest])
        else:
            assert (sense.pair, sense.information) == (None, 0.0)


@settings(deadline=None, max_examples=50)
@given(labels(), st.integers(1, 60), st.integers(1, 8), st.integers(1, 12), st.randoms(use_true_random=False))
def test_overview_is_that_of_the_whole_matrix(Y, cells, n_blocks, most_pairs, random):
    """For every number of rows that are looked at together, of matrices and of rows found where they are asked for."""
    order = np.array(random.sample(range(Y.shape[1]), Y.shape[1]))
    counts = pair_counts(Y)
    information = information_of_counts(counts)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(pairs, "BLOCK_CELLS", cells)
        patch.setattr(seeing, "MOST_BLOCKS", n_blocks)
        options = {"order": order, "most_pairs": most_pairs}
        check(overview(counts, information, **options), Y, information, order, most_pairs)
        if Y.max(initial=0) == 1:
            demanded = on_demand(Y)
            check(overview(demanded, InformationRows(demanded), **options), Y, information, order, most_pairs)


@settings(deadline=None, max_examples=30)
@given(labels(n_values=4, most_labels=5), st.integers(1, 30))
def test_overview_of_labels_of_more_values(Y, cells):
    counts = pair_counts(Y)
    information = information_of_counts(counts)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(pairs, "BLOCK_CELLS", cells)
        check(overview(counts, information), Y, information, np.arange(Y.shape[1]), None)
        seen = overview(counts, InformationRows(counts))
    assert_allclose(seen.information, np.sort(information[np.triu_indices(Y.shape[1], k=1)])[::-1], atol=1e-12)


def test_overview_by_hand():
    """Of four labels, a and b exclude each other always, c follows a but once, d is constant."""
    a = np.array([1] * 20 + [0] * 20)
    c = np.where(np.arange(40) == 0, 1 - a, a)
    seen = overview(
        pair_counts(np.column_stack([a, 1 - a, c, 0 * a])),
        InformationRows(pair_counts(np.column_stack([a, 1 - a, c, 0 * a]))),
        most_pairs=1,
    )

    assert (seen.first.tolist(), seen.second.tolist()) == ([0], [1])
    assert seen.information == pytest.approx([np.log(2)])
    assert seen.partners.tolist() == [1, 0, 0, 0]
    assert (seen.n_dependent, seen.co_occurrence.n_pairs, seen.exclusion.n_pairs) == (3, 1, 2)
    assert (seen.co_occurrence.pair, seen.exclusion.pair) == ((0, 2), (0, 1))


def test_one_label():
    counts = pair_counts(np.array([[0], [1]]))
    seen = overview(counts, information_of_counts(counts))

    assert seen.pooled.tolist() == [[0.0]]
    assert (seen.n_pairs, seen.n_dependent, len(seen.first), seen.partners.tolist()) == (0, 0, 0, [0])


def test_independent_labels_are_seldom_found_to_depend():
    """Of 4,950 pairs some 50 have a p-value below 0.01; a pair is found in no more than a few of 40 such sets."""
    rng = np.random.default_rng(0)
    found, alone = [], []
    for _ in range(40):
        counts = pair_counts((rng.random((500, 100)) < rng.uniform(0.2, 0.5, 100)).astype(int))
        information = information_of_counts(counts)
        found.append(overview(counts, information).n_dependent)
        alone.append((p_values(counts, information)[np.triu_indices(100, k=1)] < 0.01).sum())

    assert 40 < np.mean(alone) < 65
    assert np.count_nonzero(found) <= 3


def test_an_overview_is_shared_and_cannot_be_changed():
    counts, order = pair_counts(np.eye(4, dtype=int)), np.arange(4)
    seen, other = (overview(counts, information_of_counts(counts), order=order) for _ in range(2))

    for array in (seen.pooled, seen.order, seen.first, seen.information, seen.partners):
        with pytest.raises(ValueError, match="read-only"):
            array[0] = 0
    assert order.flags.writeable, "what is given stays as it is"
    assert seen != other


@pytest.mark.parametrize(("n_labels", "size"), [(1, 1), (200, 1), (201, 2), (983, 5), (10_000, 50)])
def test_blocks_are_no_more_than_fit(n_labels, size):
    assert block_size(n_labels) == size
    assert -(-n_labels // size) <= 200


def test_pooled_in_an_order(monkeypatch):
    monkeypatch.setattr(seeing, "MOST_BLOCKS", 2)
    matrix = np.array([[9, 1, 2, 3], [1, 9, 4, 5], [2, 4, 9, 6], [3, 5, 6, 9]])

    assert pooled(matrix, np.array([3, 0, 2, 1])).tolist() == [[3, 6], [6, 4]]


@settings(deadline=None, max_examples=40)
@given(st.integers(0, 8), st.integers(0, 40), st.integers(1, 30), st.integers(0, 3))
def test_strongest_pairs_are_those_of_all_sorted(n, most, cells, n_levels):
    """With few levels there are many ties, which stand in label order."""
    matrix = np.random.default_rng(n).integers(0, n_levels + 1, (n, n))
    first, second = np.triu_indices(n, k=1)
    best = np.argsort(-matrix[first, second], kind="stable")[:most]
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(pairs, "BLOCK_CELLS", cells)
        found = strongest_pairs(matrix, most)

    assert_array_equal(found, [first[best], second[best], matrix[first, second][best]])


def test_strongest_between_leaves_out_a_label_with_itself():
    matrix = np.array([[9, 1, 2], [1, 9, 4], [2, 4, 9]])

    assert strongest_between(matrix, np.array([2, 0]), np.array([0, 2])) == (2, 0, 2.0)
    assert strongest_between(matrix, np.array([1]), np.array([1])) is None


@settings(deadline=None, max_examples=40)
@given(labels(n_values=3), st.integers(1, 4))
def test_entries_are_those_of_the_matrix(Y, block):
    counts = pair_counts(Y)
    whole, rows = information_of_counts(counts), InformationRows(counts)
    first, second = (side.ravel() for side in np.indices(whole.shape))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("trellislib.dependence.information.BLOCK", block)
        assert_allclose(rows[first, second].reshape(whole.shape), whole, atol=1e-12)
        assert_allclose(rows[0, second], whole[0, second], atol=1e-12)
    assert rows[0, Y.shape[1] - 1] == pytest.approx(whole[0, -1], abs=1e-12)
    p = PValueRows(counts, rows)
    off = first != second
    assert_allclose(p[first[off], second[off]], p_values(counts, whole)[first[off], second[off]], atol=1e-9)


@settings(deadline=None, max_examples=40)
@given(labels())
def test_phi_where_it_is_asked_for_is_numpys_correlation(Y):
    Y = np.vstack([Y, np.zeros_like(Y[0]), np.ones_like(Y[0])])  # so that no label is constant
    expected = np.corrcoef(Y.T).reshape(Y.shape[1], -1)
    for counts in (pair_counts(Y), on_demand(Y)):
        phi = PhiRows(counts)
        first, second = np.indices(expected.shape)
        assert_allclose(phi[first, second], expected, atol=1e-12)
        assert_allclose(phi[np.arange(len(expected))], expected, atol=1e-12)
        assert phi[0, 0] == pytest.approx(1.0)
