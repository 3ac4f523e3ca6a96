"""Input that is right but unusual gives what the usual form of it gives."""

import numpy as np
import pandas as pd
import pytest
from scipy import sparse
from sklearn.linear_model import Ridge

from trellislib import ClassifierChain, ClassifierTrellis, IndependentClassifiers
from trellislib.dependence import mutual_information, residual
from trellislib.graphs import random_trellis, trellis

METHODS = (IndependentClassifiers(), ClassifierChain(), ClassifierTrellis(random_state=0))
every_method = pytest.mark.parametrize("method", METHODS, ids=lambda method: type(method).__name__)


def made(n=120, n_features=6, n_labels=5, seed=0):
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n, n_features))
    Y = (X[:, :1] + rng.normal(size=(n, n_labels)) > 0.3).astype(int)
    return X, Y


def duplicated(Y):
    """Return `Y` as CSR in which a relevant cell is stored as 1 and again as 0, out of order."""
    rows, columns = np.nonzero(Y)
    data = np.concatenate([np.ones_like(rows), np.zeros_like(rows)])
    order = np.argsort(np.concatenate([rows, rows]), kind="stable")
    indices = np.concatenate([columns, columns])[order][::-1]
    indptr = np.concatenate([[0], np.cumsum(np.bincount(rows[::-1], minlength=len(Y))[::-1] * 2)])
    turned = sparse.csr_array((data[order][::-1], indices, indptr), shape=Y.shape)
    return sparse.csr_array(turned[np.arange(len(Y))[::-1]])


def test_cells_stored_twice_are_counted_once():
    _, Y = made()
    assert not duplicated(Y).has_canonical_format
    assert np.array_equal(duplicated(Y).toarray(), Y)
    assert np.array_equal(mutual_information(duplicated(Y)), mutual_information(Y))


@every_method
def test_cells_stored_twice_train_the_same(method):
    X, Y = made()
    again = duplicated(Y)
    predicted = method.fit(X, again).predict(X)
    assert np.array_equal(predicted.toarray(), method.fit(X, Y).predict(X))
    assert not again.has_canonical_format, "what the caller owns stays as it was"


@every_method
@pytest.mark.parametrize("dtype", ["float16", "float32", "longdouble"])
@pytest.mark.parametrize("form", [np.asarray, sparse.csr_array], ids=["dense", "CSR"])
def test_other_floats_lose_no_more_than_their_own_digits(method, dtype, form):
    if form is sparse.csr_array and dtype == "float16":
        pytest.skip("scipy's sparse arrays have no float16")
    X, Y = made()
    X = (X * 20 + 100).round(1).astype("float16").astype(dtype)
    expected = method.fit(X.astype(float), Y).predict(X.astype(float))
    assert np.array_equal(method.fit(form(X), Y).predict(form(X)), expected)


@every_method
def test_sparse_features_that_outnumber_the_instances_stay_sparse(method, monkeypatch):
    rng = np.random.default_rng(1)
    X = sparse.random_array((40, 300), density=0.05, rng=rng, format="csr")
    Y = (rng.random((40, 4)) < 0.4).astype(int)
    expected = method.fit(X.toarray(), Y)
    dense, probabilities = expected.conditionals_, expected.predict_proba(X)

    toarray = sparse.csr_array.toarray

    def guarded(self, *args, **kwargs):
        assert self.shape[1] != 300, "the features were made dense"
        return toarray(self, *args, **kwargs)

    monkeypatch.setattr(sparse.csr_array, "toarray", guarded)
    method.fit(X, Y)
    assert np.allclose(method.conditionals_.on_features, dense.on_features, atol=1e-10)
    assert np.allclose(method.predict_proba(X), probabilities, atol=1e-10)


def test_sparse_dual_form_is_ridge():
    rng = np.random.default_rng(2)
    X = sparse.random_array((30, 200), density=0.1, rng=rng, format="csr")
    Y = (rng.random((30, 3)) < 0.5).astype(int)
    fitted = IndependentClassifiers().fit(X, Y).conditionals_
    ridge = Ridge(alpha=1.0).fit(X.toarray(), Y)
    assert np.allclose(fitted.on_features, ridge.coef_.T, atol=1e-10)
    assert np.allclose(fitted.intercept, ridge.intercept_, atol=1e-10)


def test_parents_in_small_blocks_are_the_same(monkeypatch):
    X, Y = made(n_labels=9)
    whole = ClassifierTrellis(parents="left-up-second", random_state=0).fit(X, Y).conditionals_
    monkeypatch.setattr(residual, "BLOCK_CELLS", 13)
    parts = ClassifierTrellis(parents="left-up-second", random_state=0).fit(X, Y).conditionals_
    assert np.array_equal(whole.on_inputs.toarray(), parts.on_inputs.toarray())


def test_text_mixed_with_numbers_is_refused_in_a_sentence():
    X, Y = made(n_labels=2)
    mixed = pd.DataFrame({"a": np.where(Y[:, 0] == 1, "yes", "no"), "b": Y[:, 1]})
    with pytest.raises(ValueError, match=r"mix text .*numbers|Unknown label type"):
        IndependentClassifiers().fit(X, mixed)


def test_random_placement_needs_no_dependence():
    information = mutual_information(made(n_labels=7)[1])
    placed = trellis(information, 3, "left-up-diagonal", placement="random", random_state=4)
    assert random_trellis(7, 3, "left-up-diagonal", random_state=4) == placed
    X, Y = made(n_labels=7)
    method = ClassifierTrellis(width=3, parents="left-up-diagonal", placement="random", random_state=4)
    assert method.fit(X, Y).graph_ == placed


def test_gaps_that_the_base_learner_does_not_take():
    X, Y = np.array([[1.0, 2], [np.nan, 1], [0, 3], [2, 2]]), np.array([[1, 0], [0, 1], [1, 1], [0, 0]])
    with pytest.raises(ValueError, match=r"X .*contains NaN .*base learner .*SimpleImputer\(\), ClassifierChain\(\)"):
        ClassifierChain().fit(X, Y)
