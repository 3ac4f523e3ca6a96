from math import log, sqrt

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from numpy.testing import assert_allclose, assert_array_equal
from scipy import sparse
from scipy.stats import chi2_contingency
from scipy.stats.contingency import association as scipy_association
from sklearn.metrics import mutual_info_score

from trellislib.dependence import (
    InformationRows,
    PairCounts,
    PairsOnDemand,
    association,
    counts,
    information_of_counts,
    mutual_information,
    pair_counts,
    pairs_table,
    phi_coefficients,
)
from trellislib.dependence import information as of_information
from trellislib.labels.coding import LabelCoding


def labels(n_values=3, max_instances=15, max_labels=5):
    shapes = st.tuples(st.integers(1, max_instances), st.integers(1, max_labels))
    return arrays(np.int64, shapes, elements=st.integers(0, n_values - 1))


def oracle(Y):
    """scikit-learn's mutual information (in nats) of every pair; of a label with itself it is the entropy."""
    return np.array([[mutual_info_score(a, b) for b in Y.T] for a in Y.T])


def cross_table(a, b):
    return np.array([[np.sum((a == u) & (b == v)) for v in np.unique(b)] for u in np.unique(a)])


@settings(deadline=None, max_examples=40)
@given(labels(n_values=2))
def test_binary_information_is_scikit_learns(Y):
    assert_allclose(mutual_information(Y), oracle(Y), atol=1e-12)


@settings(deadline=None, max_examples=40)
@given(labels(n_values=4))
def test_information_of_more_values_is_scikit_learns(Y):
    assert_allclose(mutual_information(Y), oracle(Y), atol=1e-12)


@settings(deadline=None, max_examples=30)
@given(labels(n_values=4))
def test_information_is_symmetric_finite_and_never_negative(Y):
    information = mutual_information(Y)
    assert_array_equal(information, information.T)
    assert np.isfinite(information).all()
    assert (information >= 0).all()
    constant = Y.min(axis=0) == Y.max(axis=0)
    assert (information[constant] == 0).all()


@settings(deadline=None, max_examples=30)
@given(labels(n_values=4))
def test_sparse_labels_give_the_same_information(Y):
    assert_allclose(mutual_information(sparse.csr_array(Y)), mutual_information(Y), atol=1e-14)


@settings(deadline=None, max_examples=30)
@given(labels(n_values=2))
def test_information_does_not_depend_on_how_values_are_written(Y):
    expected = mutual_information(Y)
    assert_allclose(mutual_information(2 * Y - 1), expected, atol=1e-14)
    assert_allclose(mutual_information(np.array(["off", "on"])[Y]), expected, atol=1e-14)
    assert_allclose(mutual_information(1 - Y), expected, atol=1e-14)


def test_exclusive_equal_and_independent_labels_by_hand():
    # Of eight instances, A holds in 2, B in the next 4; A and B never meet. C is A. D holds in every second one.
    A = np.array([1, 1, 0, 0, 0, 0, 0, 0])
    B = np.array([0, 0, 1, 1, 1, 1, 0, 0])
    D = np.array([0, 1, 0, 1, 0, 1, 0, 1])
    information = mutual_information(np.column_stack([A, B, A, D]))
    # The cells of A and B are 0, 1/4, 1/2 and 1/4; the margins 1/4 and 1/2.
    exclusive = 1 / 4 * log(2) + 1 / 2 * log(4 / 3) + 1 / 4 * log(2 / 3)
    entropy = 1 / 4 * log(4) + 3 / 4 * log(4 / 3)
    expected = [
        [entropy, exclusive, entropy, 0],
        [exclusive, log(2), exclusive, 0],
        [entropy, exclusive, entropy, 0],
        [0, 0, 0, log(2)],
    ]
    assert_allclose(information, expected, atol=1e-14)
    assert (information[3, :3] == 0).all()  # exactly: no weight to draw an edge for


def test_three_values_by_hand():
    # Y_1 tells whether Y_0 is 2: one bit of H(1/3).
    Y = np.array([[0, 0], [1, 0], [2, 1], [0, 0], [1, 0], [2, 1]])
    entropy = 1 / 3 * log(3) + 2 / 3 * log(3 / 2)
    assert_allclose(mutual_information(Y), [[log(3), entropy], [entropy, entropy]], atol=1e-14)


def test_no_instance_of_a_label_and_labels_that_always_hold():
    Y = np.array([[0, 1, 0], [0, 1, 1], [0, 1, 1]])
    entropy = 1 / 3 * log(3) + 2 / 3 * log(3 / 2)
    assert_allclose(mutual_information(Y), np.diag([0, 0, entropy]), atol=1e-14)


def test_one_instance_and_one_label():
    assert mutual_information(np.array([[1]])).tolist() == [[0.0]]
    assert mutual_information(sparse.csr_array(np.array([[0, 1]]))).tolist() == [[0.0, 0.0], [0.0, 0.0]]


@pytest.mark.parametrize("n_values", [2, 4])
@pytest.mark.parametrize("form", [np.asarray, sparse.csr_array], ids=["dense", "CSR"])
def test_blocks_do_not_change_the_information(monkeypatch, n_values, form):
    Y = np.random.default_rng(0).integers(0, n_values, (40, 7))
    whole = mutual_information(form(Y))
    monkeypatch.setattr(of_information, "BLOCK", 2)
    assert_array_equal(mutual_information(form(Y)), whole)
    assert_allclose(whole, oracle(Y), atol=1e-12)


@settings(deadline=None, max_examples=30)
@given(labels(n_values=3), st.data())
def test_tables_are_the_counts(Y, data):
    i, j = (data.draw(st.integers(0, Y.shape[1] - 1)) for _ in range(2))
    table = pair_counts(Y).table(i, j)
    assert table.sum() == len(Y)
    seen = table[table.sum(axis=1) > 0][:, table.sum(axis=0) > 0]
    assert_array_equal(seen, cross_table(Y[:, i], Y[:, j]))


def test_table_and_counts_by_hand():
    counts = pair_counts(np.array([[0, 1], [2, 0], [2, 1], [1, 1], [2, 1]]))
    assert counts.n_instances == 5
    assert counts.single.tolist() == [1, 3, 4]
    assert counts.rows(slice(0, 2)).tolist() == [[1, 0, 1], [0, 3, 2]]
    assert counts.table(0, 1).tolist() == [[0, 1], [0, 1], [1, 2]]
    assert counts.table(1, 0).tolist() == [[0, 0, 1], [1, 1, 2]]
    assert counts.table(0, 0).tolist() == [[1, 0, 0], [0, 1, 0], [0, 0, 3]]


def test_sparse_counts_stay_sparse():
    counts = pair_counts(sparse.csr_array(np.eye(50, dtype=int)))
    assert sparse.issparse(counts.together)
    assert counts.together.nnz == 50


@settings(deadline=None, max_examples=40)
@given(labels(n_values=4, max_instances=25), st.data())
def test_g_and_its_probability_are_scipys(Y, data):
    i, j = (data.draw(st.integers(0, Y.shape[1] - 1)) for _ in range(2))
    table = cross_table(Y[:, i], Y[:, j])
    assume(min(table.shape) > 1)
    pair = association(pair_counts(Y), i, j)
    expected = chi2_contingency(table, correction=False, lambda_="log-likelihood")
    assert_allclose(pair.g, expected.statistic, atol=1e-10)
    assert_allclose(pair.p_value, expected.pvalue, rtol=1e-8)
    assert_allclose(pair.information, mutual_information(Y)[i, j], atol=1e-12)
    assert_allclose(abs(pair.strength), scipy_association(table, method="cramer"), atol=1e-12)


def test_an_association_by_hand():
    # 3 instances hold both, 1 only the first, 1 only the second, 3 neither.
    Y = np.array([[1, 1]] * 3 + [[1, 0]] + [[0, 1]] + [[0, 0]] * 3)
    pair = association(pair_counts(Y), 0, 1)
    assert pair.table.tolist() == [[3, 1], [1, 3]]
    assert pair.strength == pytest.approx((3 * 3 - 1 * 1) / sqrt(4**4))
    information = 6 / 8 * log(3 / 2) + 2 / 8 * log(1 / 2)
    assert pair.information == pytest.approx(information)
    assert pair.g == pytest.approx(16 * information)
    assert pair.sign == 1


def test_signs():
    exclusive = np.array([[1, 0], [1, 0], [0, 1], [0, 0], [0, 0]])
    independent = np.array([[0, 0], [0, 1], [1, 0], [1, 1]])
    valued = np.array([[0, 0], [1, 1], [2, 2]])
    assert association(pair_counts(exclusive), 0, 1).sign == -1
    assert association(pair_counts(independent), 0, 1).sign == 0
    assert association(pair_counts(valued), 0, 1).sign == 0
    assert association(pair_counts(valued), 0, 1).strength == pytest.approx(1.0)


@pytest.mark.parametrize("value", [0, 1])
def test_a_constant_label_is_associated_with_nothing(value):
    pair = association(pair_counts(np.array([[value, 0], [value, 1], [value, 1]])), 0, 1)
    assert (pair.information, pair.strength, pair.g, pair.p_value, pair.sign) == (0.0, 0.0, 0.0, 1.0, 0)


@settings(deadline=None, max_examples=30)
@given(labels(n_values=2, max_instances=25))
def test_phi_is_the_correlation(Y):
    counts = pair_counts(Y)
    phi = phi_coefficients(counts)
    varies = Y.min(axis=0) < Y.max(axis=0)
    assert (phi[~varies] == 0).all()
    assert (phi[:, ~varies] == 0).all()
    if varies.sum() > 1:
        assert_allclose(phi[np.ix_(varies, varies)], np.corrcoef(Y[:, varies], rowvar=False), atol=1e-12)
    for i in range(Y.shape[1]):
        for j in range(Y.shape[1]):
            assert association(counts, i, j).strength == pytest.approx(phi[i, j], abs=1e-12)


def test_phi_stays_within_its_bounds():
    for n_instances in range(2, 30):
        for n_relevant in range(1, n_instances):
            first = (np.arange(n_instances) < n_relevant).astype(int)
            phi = phi_coefficients(pair_counts(np.column_stack([first, first, 1 - first])))
            assert np.abs(phi).max() <= 1.0, f"{n_relevant} of {n_instances}: {phi.max()!r}"


@pytest.mark.parametrize("form", [np.asarray, sparse.csr_array], ids=["dense", "CSR"])
def test_phi_of_sparse_labels_is_the_same(form):
    Y = np.random.default_rng(1).integers(0, 2, (30, 4))
    assert_allclose(phi_coefficients(pair_counts(form(Y))), np.corrcoef(Y, rowvar=False), atol=1e-12)


@pytest.mark.parametrize("form", [np.asarray, sparse.csr_array], ids=["dense", "CSR"])
@pytest.mark.parametrize(
    "Y",
    [[[0, 0], [1, 1], [2, 0]], [[0, 0, 0], [0, 1, 0], [0, 2, 0]], [[2, 0], [1, 0], [0, 3]]],
    ids=["one of three", "beside constant labels", "all"],
)
def test_phi_of_labels_of_more_values_is_refused(Y, form):
    with pytest.raises(ValueError, match=r"Phi .*defined .*binary labels"):
        phi_coefficients(pair_counts(form(np.array(Y))))


@pytest.mark.parametrize("n_values", [2, 3])
@pytest.mark.parametrize("form", [np.asarray, sparse.csr_array], ids=["dense", "CSR"])
def test_the_table_of_pairs_is_pair_by_pair(n_values, form):
    Y = np.random.default_rng(2).integers(0, n_values, (30, 5))
    Y[:, 3] = Y[:, 1]
    counts = pair_counts(form(Y))
    table = pairs_table("abcde", counts, information_of_counts(counts))
    assert len(table) == 10
    assert table.iloc[0, :2].tolist() == ["b", "d"]
    assert table["MI (nats)"].is_monotonic_decreasing
    assert [column in table for column in ("phi", "together")] == [n_values == 2] * 2
    for _, row in table.iterrows():
        i, j = ("abcde".index(row[end]) for end in ("label", "other label"))
        assert i < j
        pair = association(counts, i, j)
        assert row["MI (nats)"] == pytest.approx(pair.information, abs=1e-12)
        assert row["p-value"] == pytest.approx(pair.p_value, rel=1e-8)
        if n_values == 2:
            assert row["phi"] == pytest.approx(pair.strength, abs=1e-12)
            assert row["together"] == (Y[:, i] * Y[:, j]).sum()


@pytest.mark.parametrize("value", [0, 1])
def test_the_table_of_pairs_with_a_constant_label_agrees_with_the_association(value):
    counts = pair_counts(np.array([[value, 0], [value, 1], [value, 1]]))
    (row,) = pairs_table("ab", counts, information_of_counts(counts)).to_dict("records")
    pair = association(counts, 0, 1)
    assert (row["MI (nats)"], row["phi"], row["together"]) == (pair.information, pair.strength, 2 * value)
    assert row["p-value"] == pair.p_value == 1.0


def test_expected_counts_are_those_of_independent_labels():
    pair = association(pair_counts(np.array([[1, 0], [1, 1], [0, 1], [0, 1], [0, 0], [0, 0]])), 0, 1)
    assert np.allclose(pair.expected, np.outer([4, 2], [3, 3]) / 6)


@pytest.mark.parametrize("weighted", [False, True])
@pytest.mark.parametrize("values", [2, 3])
def test_pairs_on_demand_are_those_of_the_matrix(monkeypatch, weighted, values):
    rng = np.random.default_rng(0)
    coding = LabelCoding([np.arange(values)] * 9)
    Z = coding.encode(sparse.csr_array(rng.integers(values, size=(50, 9)) * (rng.random((50, 9)) < 0.4)))
    weight = rng.random(50) if weighted else None
    whole = PairCounts.of(Z, coding.starts, weight)
    monkeypatch.setattr(counts, "HELD_PAIRS", 0)
    monkeypatch.setattr(counts, "HELD_PER_COLUMN", 0)
    asked = PairCounts.of(Z, coding.starts, weight)
    assert isinstance(asked.together, PairsOnDemand)
    assert_allclose(asked.single, whole.single, atol=1e-12)
    for columns in (slice(None), slice(2, 5), np.array([7, 0, 3])):
        assert_allclose(asked.rows(columns), whole.rows(columns), atol=1e-12)
    first, second = rng.integers(coding.n_columns, size=(2, 30))
    for entries in (2**24, 1):  # in one go, and one pair at a time
        monkeypatch.setattr(counts, "ENTRIES", entries)
        assert_allclose(asked.pairs(first, second), whole.pairs(first, second), atol=1e-12)
    assert_allclose(information_of_counts(asked), information_of_counts(whole), atol=1e-12)
    assert_allclose(asked.table(1, 4), whole.table(1, 4), atol=1e-12)


@pytest.mark.parametrize("form", [np.asarray, sparse.csr_array])
def test_counts_add_up_and_are_taken_away(form):
    Y = np.random.default_rng(0).integers(3, size=(40, 5))
    coding = LabelCoding.of(Y)

    def counted(rows):
        return PairCounts.of(coding.encode(form(Y[rows])), coding.starts)

    whole, first, second = counted(slice(None)), counted(slice(0, 13)), counted(slice(13, None))
    for found, expected in ((first + second, whole), (whole - second, first)):
        assert found.n_instances == expected.n_instances
        assert_array_equal(found.single, expected.single)
        assert_array_equal(found.rows(slice(None)), expected.rows(slice(None)))


@pytest.mark.parametrize("values", [2, 4])
def test_rows_of_information_are_those_of_the_matrix(values):
    Y = np.random.default_rng(0).integers(values, size=(60, 8))
    counted = pair_counts(Y)
    rows, whole = InformationRows(counted), information_of_counts(counted)
    assert rows.shape == whole.shape
    assert len(rows) == 8
    for label in (3, 0, 3):  # the second time it is at hand
        assert_allclose(rows[label], whole[label], atol=1e-14)
    assert_allclose(rows[[5, 2]], whole[[5, 2]], atol=1e-14)
    if values == 2:  # to the last bit, so that ties stay ties
        assert_array_equal(rows[[5, 2]], whole[[5, 2]])
        assert_array_equal(whole, whole.T)


def test_only_the_last_rows_are_cached(monkeypatch):
    monkeypatch.setattr(of_information, "RECENT_CELLS", 16)
    rows = InformationRows(pair_counts(np.random.default_rng(0).integers(2, size=(60, 8))))
    for label in (0, 1, 2, 0, 3):
        rows[label]
    assert list(rows._recent) == [2, 0, 3]
    with pytest.raises(ValueError, match="read-only"):
        rows[0][0] = 1.0
