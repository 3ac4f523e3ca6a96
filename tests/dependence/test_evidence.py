import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from numpy.testing import assert_allclose, assert_array_equal
from scipy import sparse
from scipy.stats import chi2, chi2_contingency

from trellislib.dependence import g_test, mutual_information, p_values, pair_counts
from trellislib.dependence.evidence import LabelEvidence, ResidualEvidence


def gain_by_sums(Y, label, others, given=(), weight=None):
    """Conditional mutual information and degrees of freedom, one stratum and one cell at a time."""
    weight = np.ones(len(Y)) if weight is None else weight
    keys = [tuple(row) for row in Y[:, list(others)]]
    strata = [tuple(row) for row in Y[:, list(given)]]
    information, freedom = 0.0, 0
    for stratum in set(strata):
        here = np.array([one == stratum for one in strata]) & (weight > 0)
        n = weight[here].sum()
        mine = {value: weight[here & (Y[:, label] == value)].sum() for value in set(Y[here, label])}
        theirs = {}
        for row in np.flatnonzero(here):
            theirs[keys[row]] = theirs.get(keys[row], 0) + weight[row]
        for value, a in mine.items():
            for key, b in theirs.items():
                rows = here & (Y[:, label] == value) & np.array([one == key for one in keys])
                both = weight[rows].sum()
                if both:
                    information += both * np.log(both * n / (a * b))
        freedom += max(len(mine) - 1, 0) * max(len(theirs) - 1, 0)
    return information / weight.sum(), freedom


codes = st.integers(1, 40).flatmap(
    lambda n: arrays(np.int64, (n, 5), elements=st.integers(0, 3)).map(lambda Y: np.minimum(Y, [1, 1, 2, 3, 1]))
)


@settings(deadline=None, max_examples=50)
@given(codes, st.permutations(range(5)), st.integers(0, 3))
def test_a_gain_is_the_sum_over_strata_and_cells(Y, labels, n_given):
    label, given_, others = labels[0], labels[1 : 1 + n_given], labels[1 + n_given :]
    gains = LabelEvidence.of(Y).gains(label, others, given_)
    expected = [gain_by_sums(Y, label, [other], given_) for other in others]
    assert_allclose(gains.information, [one for one, _ in expected], atol=1e-10)
    assert_array_equal(gains.freedom, [freedom for _, freedom in expected])


@pytest.mark.parametrize("cells", [1, 2**22], ids=["piece by piece", "at once"])
@pytest.mark.parametrize("of", [LabelEvidence.of, lambda Y, weight: ResidualEvidence.of(Y - 1.0, np.arange(6), weight)])
@settings(deadline=None, max_examples=15)
@given(codes, st.permutations(range(5)), st.integers(0, 2), st.booleans())
def test_gains_given_each_are_gains(of, cells, Y, labels, n_given, is_weighted):
    evidence = of(Y, np.linspace(0.1, 2, len(Y)) if is_weighted else None)
    label, given_, others = labels[0], labels[1 : 1 + n_given], labels[1 + n_given :]
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr("trellislib.dependence.evidence.CELLS", cells)
        found = evidence.gains_given_each(label, others, given_)
    for row, one in enumerate(others):
        alone = evidence.gains(label, others, [*given_, one])
        assert_allclose(found.information[row], alone.information, atol=1e-10)
        assert_array_equal(found.freedom[row], alone.freedom)


@settings(deadline=None, max_examples=40)
@given(codes, st.integers(0, 2**32 - 1))
def test_weights_count_instances_that_many_times(Y, seed):
    times = np.random.default_rng(seed).integers(0, 4, len(Y))
    times[0] = 1
    repeated, weighted = LabelEvidence.of(np.repeat(Y, times, axis=0)), LabelEvidence.of(Y, times)
    assert weighted.total == repeated.total
    assert_allclose(weighted.pairs.information, repeated.pairs.information, atol=1e-10)
    for one, other in zip(weighted.gains(2, [0, 1], [3]), repeated.gains(2, [0, 1], [3]), strict=True):
        assert_allclose(one, other, atol=1e-10)


def test_fractional_weights():
    rng = np.random.default_rng(1)
    Y, weight = rng.integers(0, 3, (30, 3)), rng.random(30)
    gains = LabelEvidence.of(Y, weight).gains(0, [1], [2])
    information, freedom = gain_by_sums(Y, 0, [1], [2], weight)
    assert_allclose(gains.information, information)
    assert gains.freedom == freedom
    share = weight[(Y[:, 0] > 0) & (Y[:, 1] > 0)].sum() / weight.sum()
    assert_allclose(LabelEvidence.of(Y, weight).frequent(1e-9)[0, 1], share)


def test_pairs_are_those_of_the_counts():
    Y = np.random.default_rng(0).integers(0, [2, 3, 4, 2], (50, 4))
    evidence = LabelEvidence.of(Y)
    assert_allclose(evidence.pairs.information, mutual_information(Y))
    expected = p_values(pair_counts(Y), mutual_information(Y))
    off = ~np.eye(4, dtype=bool)
    assert_allclose(g_test(*evidence.pairs, evidence.total)[off], expected[off])


def test_p_value_is_scipys():
    Y = np.random.default_rng(3).integers(0, [3, 4], (80, 2))
    table = np.array([[np.sum((Y[:, 0] == a) & (Y[:, 1] == b)) for b in range(4)] for a in range(3)])
    expected = chi2_contingency(table, lambda_="log-likelihood", correction=False)
    gains = LabelEvidence.of(Y).gains(0, [1])
    assert gains.freedom == expected.dof == 6
    assert_allclose(2 * 80 * gains.information, expected.statistic)
    assert_allclose(g_test(*gains, 80), expected.pvalue)


def test_p_value_given_a_label_adds_the_strata():
    Y = np.random.default_rng(4).integers(0, 2, (120, 3))
    tests = []
    for value in (0, 1):
        table = np.array([[np.sum(np.equal(Y, [a, b, value]).all(axis=1)) for b in (0, 1)] for a in (0, 1)])
        tests.append(chi2_contingency(table, lambda_="log-likelihood", correction=False))
    gains = LabelEvidence.of(Y).gains(0, [1], [2])
    assert_allclose(g_test(*gains, 120), chi2.sf(sum(test.statistic for test in tests), 2))


def test_sparse_labels_are_the_same_and_stay_sparse():
    Y = np.random.default_rng(0).integers(0, 3, (40, 4)) * np.random.default_rng(1).integers(0, 2, (40, 4))
    evidence = LabelEvidence.of(sparse.csr_array(Y))
    assert sparse.issparse(evidence.columns)
    for one, other in zip(evidence.gains(0, [1, 2], [3]), LabelEvidence.of(Y).gains(0, [1, 2], [3]), strict=True):
        assert_allclose(one, other)
    assert_array_equal(evidence.frequent(0.1).toarray(), LabelEvidence.of(Y).frequent(0.1).toarray())


@settings(deadline=None, max_examples=40)
@given(codes, st.sampled_from([1e-9, 0.2, 0.5]), st.integers(1, 3))
def test_frequent_pairs_are_those_that_stand_together(Y, least, block):
    share = np.array([[np.mean((one > 0) & (other > 0)) for other in Y.T] for one in Y.T])  # 0 is the first value,
    evidence = LabelEvidence.of(np.vstack([Y, np.zeros(5, int)]))  # and is there
    share *= len(Y) / (len(Y) + 1)
    np.fill_diagonal(share, 0)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("trellislib.dependence.evidence.BLOCK", block)
        frequent = evidence.frequent(least * len(Y) / (len(Y) + 1))
    assert frequent.has_sorted_indices
    kept = share >= least * len(Y) / (len(Y) + 1) - 1e-12
    assert_allclose(frequent.toarray(), np.where(kept, share, 0))


@pytest.mark.parametrize("n_values", [2, 4])
@pytest.mark.parametrize("weighted", [False, True])
def test_pairs_of_very_many_labels_are_found_row_by_row(n_values, weighted, monkeypatch):
    rng = np.random.default_rng(0)
    Y = sparse.csr_array(rng.integers(0, n_values, (60, 7)) * rng.integers(0, 2, (60, 7)))
    weight = rng.random(60) if weighted else None
    whole = LabelEvidence.of(Y, weight)
    information, freedom = whole.pairs
    monkeypatch.setattr("trellislib.dependence.information.WHOLE_LABELS", 6)
    monkeypatch.setattr("trellislib.dependence.counts.HELD_PAIRS", 0)
    monkeypatch.setattr("trellislib.dependence.counts.HELD_PER_COLUMN", 0)
    by_row = LabelEvidence.of(Y, weight)
    assert not isinstance(by_row.pairs.information, np.ndarray)
    for label in range(7):
        assert_allclose(by_row.pairs.information[label], information[label], atol=1e-12)
        assert_array_equal(by_row.pairs.freedom[label], freedom[label])
    assert_allclose(by_row.frequent(0.1).toarray(), whole.frequent(0.1).toarray())


def test_many_strata_are_counted_as_few():
    Y = np.random.default_rng(0).integers(0, 5, (60, 6))
    gains = LabelEvidence.of(Y).gains(0, [1], [2, 3, 4, 5])
    information, freedom = gain_by_sums(Y, 0, [1], [2, 3, 4, 5])
    assert_allclose(gains.information, information, atol=1e-10)
    assert gains.freedom == freedom


def test_constant_labels_and_no_instances_have_no_evidence():
    gains = LabelEvidence.of(np.array([[1, 0], [1, 1], [1, 0]])).gains(0, [1])
    assert (gains.information, gains.freedom) == ([0], [0])
    empty = LabelEvidence.of(np.zeros((0, 3), dtype=int))
    assert not empty.pairs.information.any()
    assert empty.frequent(0.01).nnz == 0


@pytest.mark.parametrize("weight", [[1.0], [1.0, -1.0, 1.0], [1.0, np.nan, 1.0]])
def test_weights_are_looked_at(weight):
    with pytest.raises(ValueError, match="3 finite weights"):
        LabelEvidence.of(np.eye(3, dtype=int), weight)


def test_residual_gain_is_that_of_the_partial_correlation():
    E = np.random.default_rng(0).standard_normal((200, 4)) @ np.random.default_rng(1).standard_normal((4, 4))
    gains = ResidualEvidence.of(E, np.arange(5)).gains(0, [1], [2, 3])
    A = np.column_stack([np.ones(200), E[:, 2:]])
    left = E[:, :2] - A @ np.linalg.lstsq(A, E[:, :2])[0]
    assert_allclose(gains.information, -0.5 * np.log1p(-(np.corrcoef(left.T)[0, 1] ** 2)))
    assert gains.freedom == 1


def test_residual_gain_of_blocks_is_a_ratio_of_determinants():
    E = np.random.default_rng(0).standard_normal((100, 6)) @ np.random.default_rng(1).standard_normal((6, 6))
    starts, C = np.array([0, 2, 5, 6]), np.cov(E.T)
    gains = ResidualEvidence.of(E, starts).gains(0, [1], [2])

    def volume(*columns):
        return np.linalg.slogdet(C[np.ix_(columns, columns)])[1]

    mine, theirs, known = (0, 1), (2, 3, 4), (5,)
    expected = volume(*mine, *known) + volume(*theirs, *known) - volume(*mine, *theirs, *known) - volume(*known)
    assert_allclose(gains.information, expected / 2)
    assert gains.freedom == 2 * 3


def test_residual_weights_count_instances_that_many_times():
    rng = np.random.default_rng(0)
    E, times = rng.standard_normal((30, 3)), rng.integers(0, 4, 30)
    weighted = ResidualEvidence.of(E, np.arange(4), times)
    repeated = ResidualEvidence.of(np.repeat(E, times, axis=0), np.arange(4))
    assert weighted.total == repeated.total
    assert_allclose(weighted.covariance, repeated.covariance)


def test_residuals_that_repeat_or_vanish():
    e = np.random.default_rng(0).standard_normal(50)
    evidence = ResidualEvidence.of(np.column_stack([e, e, np.zeros(50), np.cos(e)]), np.arange(5))
    assert np.isfinite(evidence.pairs.information).all()
    assert evidence.pairs.information[0, 1] > 10
    assert_array_equal(evidence.gains(3, [1, 2], [0]).freedom, [0, 0])
    assert_array_equal(evidence.gains(3, [1, 2], [0]).information, [0, 0])


def test_a_covariance_sees_no_three_labels():
    evidence = ResidualEvidence.of(np.random.default_rng(0).standard_normal((9, 3)), np.arange(4))
    assert evidence.frequent(0.01).shape == (3, 3)
    assert evidence.frequent(0.01).nnz == 0
