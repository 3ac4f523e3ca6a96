import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.testing import assert_allclose
from scipy import sparse
from sklearn.linear_model import Ridge

from trellislib import gram
from trellislib.gram import dense, moments, scaled_rows

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
    found = moments(form[0](X), form[1](Z), alpha, weight if weighted else None)
    x_mean, z_mean = np.average(X, axis=0, weights=w), np.average(Z, axis=0, weights=w)
    Xc, Zc, W = X - x_mean, Z - z_mean, np.diag(w)
    U = Ridge(alpha, solver="svd").fit(X, Z, sample_weight=w).coef_.T
    assert_allclose(found.x_mean, x_mean)
    assert_allclose(found.z_mean, z_mean)
    assert_allclose(found.total, w.sum())
    assert_allclose(dense(found.together), Z.T @ W @ Z, atol=1e-12)
    assert_allclose(found.XZ, Xc.T @ W @ Zc, atol=1e-10)
    assert_allclose(found.U, U, atol=1e-10)
    R = Zc.T @ W @ (Zc - Xc @ U)
    assert_allclose(found.residual_matrix, R, atol=1e-9)
    first, second = np.array([[3], [0]]), np.array([[1, 3, 2]])
    assert_allclose(found.residual(first, second), R[first, second], atol=1e-9)
    assert_allclose(found.residual(np.array([2]), np.array([0, 1])), R[2, [0, 1]], atol=1e-9)


@settings(deadline=None, max_examples=40)
@given(st.lists(st.integers(0, 3), min_size=2, max_size=12).filter(any), st.integers(1, 15), st.booleans())
def test_weights_are_repetitions(times, n_features, as_sparse):
    X, Z, _ = data(n_features, len(times))
    form = sparse.csr_array if as_sparse else np.asarray
    weighted = moments(form(X), form(Z), 0.7, np.array(times, dtype=float))
    repeated = moments(form(np.repeat(X, times, axis=0)), form(np.repeat(Z, times, axis=0)), 0.7)
    assert weighted.total == repeated.total == sum(times)
    for name in ("x_mean", "z_mean", "XZ", "U"):
        assert_allclose(getattr(weighted, name), getattr(repeated, name), atol=1e-10)
    assert_allclose(weighted.residual_matrix, repeated.residual_matrix, atol=1e-10)


@forms
def test_entries_in_blocks_are_the_same(monkeypatch, form):
    X, Z, weight = data(3)
    summed = moments(form[0](X), form[1](Z), 1.0, weight)
    first, second = np.indices((4, 4))
    monkeypatch.setattr(gram, "BLOCK_CELLS", 7)  # two entries at a time
    assert_allclose(summed.residual(first, second), summed.residual_matrix, atol=1e-10)
    monkeypatch.setattr(gram, "BLOCK_CELLS", 1)  # fewer than one
    assert_allclose(summed.residual(first, second), summed.residual_matrix, atol=1e-10)


@shapes
def test_what_the_caller_owns_stays_as_it_was(n_features):
    X, Z, weight = data(n_features)
    kept = X.copy(), Z.copy(), weight.copy()
    moments(X, Z, 1.0, weight)
    for given_array, copy in zip((X, Z, weight), kept, strict=True):
        assert (given_array == copy).all()


@pytest.mark.parametrize("form", [np.asarray, sparse.csr_array])
def test_rows_times_their_weights(form):
    scaled = scaled_rows(form(np.array([[1.0, 0.0], [2.0, 3.0]])), np.array([10.0, 0.5]))
    assert dense(scaled).tolist() == [[10.0, 0.0], [1.0, 1.5]]
    assert sparse.issparse(scaled) == (form is sparse.csr_array)


def test_a_singular_system_is_told():
    with pytest.raises(np.linalg.LinAlgError):
        moments(np.array([[1.0, 1.0], [-1.0, -1.0], [1.0, 1.0], [-1.0, -1.0]]), np.eye(4)[:, :1], 0.0)
