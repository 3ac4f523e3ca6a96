"""The multi-output forest against scikit-learn's."""

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from sklearn.ensemble import ExtraTreesClassifier

from trellislib import MultiOutputForest
from trellislib.running.memory import GIB, MemoryBudgetError, limited_memory


def problem(n_labels=4, valued=False, seed=0):
    rng = np.random.default_rng(seed)
    X = rng.standard_normal((60, 3))
    Y = (X @ rng.standard_normal((3, n_labels)) + rng.standard_normal((60, n_labels)) > 0).astype(int)
    if valued:
        Y[:, 1] += Y[:, 0]
    return X[:40], Y[:40], X[40:]


@pytest.mark.parametrize("valued", [False, True])
def test_a_forest_is_scikit_learns(valued):
    X, Y, X_test = problem(valued=valued)
    settings = {"n_estimators": 9, "max_depth": 4, "min_samples_leaf": 2, "random_state": 0}
    ours = MultiOutputForest(**settings).fit(X, Y)
    seed = ours.conditionals_.forest.random_state
    theirs = ExtraTreesClassifier(**{**settings, "random_state": seed}).fit(X, Y)
    assert_array_equal(ours.predict(X_test), theirs.predict(X_test))
    P = ours.predict_proba(X_test)
    P = P if valued else [np.column_stack([1 - p, p]) for p in P.T]
    for one, other in zip(P, theirs.predict_proba(X_test), strict=True):
        assert_allclose(one, other, atol=1e-12)


def test_one_label():
    X, Y, X_test = problem(1)
    ours = MultiOutputForest(9, random_state=0).fit(X, Y.ravel())
    theirs = ExtraTreesClassifier(9, random_state=ours.conditionals_.forest.random_state).fit(X, Y.ravel())
    assert_allclose(ours.predict_proba(X_test), theirs.predict_proba(X_test), atol=1e-12)


def test_all_labels_share_the_trees():
    fitted = MultiOutputForest(9, random_state=0).fit(*problem()[:2])
    assert len(fitted.conditionals_.forest.estimators_) == 9
    assert fitted.graph_.edges == ()


def test_a_second_fit_leaves_what_was_fitted_before():
    X, Y, X_test = problem()
    method = MultiOutputForest(9, random_state=0)
    first = method.fit(X, Y).conditionals_
    before = first.forest.predict(X_test)
    assert method.fit(X, 1 - Y).conditionals_.forest is not first.forest
    assert_array_equal(first.forest.predict(X_test), before)


def test_labels_that_are_too_large_as_an_array_are_refused():
    X, Y, _ = problem(200)
    with (
        limited_memory((40 * 200 * 24 - 1) / GIB),
        pytest.raises(MemoryBudgetError, match=r"200 label columns .*40 instances .*dense array.*use Independent"),
    ):
        MultiOutputForest(2, random_state=0).fit(X, Y)
    with limited_memory(40 * 200 * 24 / GIB):
        MultiOutputForest(2, random_state=0).fit(X, Y)
