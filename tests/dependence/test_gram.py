import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.testing import assert_allclose
from scipy import sparse
from sklearn.linear_model import Ridge

from trellislib.dependence import PairCounts, ResidualGram, gram, residual
from trellislib.dependence.gram import Regression, Sums, fitted_freedom
from trellislib.labels.matrices import dense, scaled_rows

forms = pytest.mark.parametrize(
    "form",
    [(np.asarray, np.asarray), (sparse.csr_array, np.asarray), (np.asarray, sparse.csr_array), (sparse.csr_array,) * 2],
    ids=["dense", "CSR-X", "CSR-Z", "CSR"],
)
shapes = pytest.mark.parametrize("n_features", [3, 30], ids=["primal", "dual"])


def data(n_features, n_instances=20, seed=0):
    rng = np.random.default_rng(seed)
    X = np.where(rng.random((n_instances, n_features)) < 0.4, 0.0, 2 + rng.standard_normal((n_instances, n_features)))
    return X, (rng.random((n_instances, 4)) < 0.4).astype(float), rng.random(n_instances) * 3


@forms
@shapes
@pytest.mark.parametrize("weighted", [False, True])
@pytest.mark.parametrize("alpha", [0.01, 1.0, 50.0])
def test_sums_are_those_of_centred_data(form, n_features, weighted, alpha):
    X, Z, weight = data(n_features)
    w = weight if weighted else np.ones(len(X))
    found = Regression.of(form[0](X), form[1](Z), alpha, weight if weighted else None)
    x_mean, z_mean = np.average(X, axis=0, weights=w), np.average(Z, axis=0, weights=w)
    Xc, Zc, W = X - x_mean, Z - z_mean, np.diag(w)
    U = Ridge(alpha, solver="svd").fit(X, Z, sample_weight=w).coef_.T
    assert_allclose(found.x_mean, x_mean)
    assert_allclose(found.z_mean, z_mean)
    assert_allclose(found.total, w.sum())
    assert_allclose(found.XZ, Xc.T @ W @ Zc, atol=1e-10)
    assert_allclose(found.U, U, atol=1e-10)
    R = Zc.T @ W @ (Zc - Xc @ U)
    counts = PairCounts.of(form[1](Z), np.arange(5), weight if weighted else None)
    residuals = ResidualGram(found, counts)
    assert_allclose(residuals.matrix, R, atol=1e-9)
    assert_allclose(residuals.rows(np.array([2, 0])), R[[2, 0]], atol=1e-9)
    first, second = np.array([[3], [0]]), np.array([[1, 3, 2]])
    assert_allclose(residuals.pairs(first, second), R[first, second], atol=1e-9)
    assert_allclose(residuals.pairs(np.array([2]), np.array([0, 1])), R[2, [0, 1]], atol=1e-9)


@settings(deadline=None, max_examples=40)
@given(st.lists(st.integers(0, 3), min_size=2, max_size=12).filter(any), st.integers(1, 15), st.booleans())
def test_weights_are_repetitions(times, n_features, as_sparse):
    X, Z, _ = data(n_features, len(times))
    form = sparse.csr_array if as_sparse else np.asarray
    weighted = Regression.of(form(X), form(Z), 0.7, np.array(times, dtype=float))
    repeated = Regression.of(form(np.repeat(X, times, axis=0)), form(np.repeat(Z, times, axis=0)), 0.7)
    assert weighted.total == repeated.total == sum(times)
    for name in ("x_mean", "z_mean", "XZ", "U"):
        assert_allclose(getattr(weighted, name), getattr(repeated, name), atol=1e-10)


@forms
def test_entries_in_blocks_are_the_same(monkeypatch, form):
    X, Z, weight = data(3)
    counts = PairCounts.of(form[1](Z), np.arange(5), weight)
    residuals = ResidualGram(Regression.of(form[0](X), form[1](Z), 1.0, weight), counts)
    first, second = np.indices((4, 4))
    for cells in (7, 1):  # two entries at a time, and fewer than one
        monkeypatch.setattr(residual, "BLOCK_CELLS", cells)
        assert_allclose(residuals.pairs(first, second), residuals.matrix, atol=1e-10)


@forms
@pytest.mark.parametrize("weighted", [False, True])
@pytest.mark.parametrize("far", [0.0, 1e6])
def test_sums_add_up_over_chunks_and_folds_are_taken_away(form, weighted, far):
    X, Z, weight = data(3)
    X = X + far
    weight = weight if weighted else None

    def sums(rows):
        return Sums.of(form[0](X[rows]), form[1](Z[rows]), None if weight is None else weight[rows])

    whole, first, second = sums(slice(None)), sums(slice(0, 7)), sums(slice(7, None))
    scale = max(far**2 if sparse.issparse(form[0](X)) else far, 1.0)  # sparse features are not centred first
    for found, expected in ((first + second, whole), (whole - first, second), (whole - second, first)):
        for name in ("total", "x_mean", "z_mean", "XX", "XZ"):
            assert_allclose(getattr(found, name), getattr(expected, name), atol=1e-12 * scale, rtol=1e-12, err_msg=name)


@shapes
def test_what_the_caller_owns_stays_as_it_was(n_features):
    X, Z, weight = data(n_features)
    kept = X.copy(), Z.copy(), weight.copy()
    Regression.of(X, Z, 1.0, weight)
    for given_array, copy in zip((X, Z, weight), kept, strict=True):
        assert (given_array == copy).all()


@pytest.mark.parametrize("form", [np.asarray, sparse.csr_array])
def test_rows_times_their_weights(form):
    scaled = scaled_rows(form(np.array([[1.0, 0.0], [2.0, 3.0]])), np.array([10.0, 0.5]))
    assert dense(scaled).tolist() == [[10.0, 0.0], [1.0, 1.5]]
    assert sparse.issparse(scaled) == (form is sparse.csr_array)


def test_a_singular_system_is_reported():
    with pytest.raises(np.linalg.LinAlgError):
        Regression.of(np.array([[1.0, 1.0], [-1.0, -1.0], [1.0, 1.0], [-1.0, -1.0]]), np.eye(4)[:, :1], 0.0)


@forms
def test_label_columns_in_blocks_are_the_same(monkeypatch, form):
    X, Z, weight = data(30)
    whole = Regression.of(form[0](X), form[1](Z), 1.0, weight)
    monkeypatch.setattr(gram, "DENSE_COLUMNS", 3)
    parts = Regression.of(form[0](X), form[1](Z), 1.0, weight)
    for name in ("XZ", "U"):
        assert_allclose(getattr(parts, name), getattr(whole, name), atol=1e-12)


@pytest.mark.parametrize("weighted", [False, True])
@pytest.mark.parametrize("form", [np.asarray, sparse.csr_array])
@pytest.mark.parametrize(("n", "d"), [(12, 4), (9, 20)])
def test_fitted_freedom_is_the_trace_of_the_hat_matrix(n, d, form, weighted):
    """Column by column: what scikit-learn's ridge regression makes of each unit vector at its own place."""
    rng = np.random.default_rng(0)
    X = rng.standard_normal((n, d)) * (rng.random((n, d)) < 0.5) + 3
    weight = rng.integers(1, 4, n).astype(float) if weighted else None
    hat = Ridge(0.7, solver="svd").fit(X, np.eye(n), sample_weight=weight).predict(X)

    assert fitted_freedom(form(X), 0.7, weight) == pytest.approx(np.trace(hat))
