"""The methods against scikit-learn's, and against chains made by hand."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.testing import assert_allclose, assert_array_equal
from sklearn import multioutput
from sklearn.base import clone
from sklearn.dummy import DummyClassifier
from sklearn.linear_model import LogisticRegression, Ridge
from sklearn.multioutput import MultiOutputClassifier
from sklearn.neighbors import KNeighborsClassifier
from sklearn.svm import LinearSVC
from sklearn.tree import DecisionTreeClassifier

from trellislib import ClassifierChain, ClassifierTrellis, IndependentClassifiers, LeastSquares
from trellislib.graphs import PATTERNS

CLASSIFIERS = {
    "logistic": LogisticRegression(C=10.0),
    "tree": DecisionTreeClassifier(max_depth=4, random_state=1),
    "neighbours": KNeighborsClassifier(4),
    "svm": LinearSVC(random_state=0),
}

every_classifier = pytest.mark.parametrize("base", CLASSIFIERS.values(), ids=CLASSIFIERS)


def problem(seed=0, n_values=2):
    """Training and test rows of six labels that depend on each other beyond the features."""
    rng = np.random.default_rng(seed)
    X = rng.standard_normal((120, 5))
    noise = rng.standard_normal((120, 6))
    Y = (X @ rng.standard_normal((5, 6)) + noise + np.roll(noise, 1, axis=1) > 0).astype(int)
    for label in range(1, 6, 2):
        Y[:, label] += (n_values - 2) * Y[:, label - 1]
    return X[:80], Y[:80], X[80:], Y[80:]


def chain_by_hand(base, graph, X, Y, X_test):
    """Fit and predict label by label along the graph, the parents as 0/1 columns after the features."""
    predicted = np.empty((len(X_test), Y.shape[1]), dtype=Y.dtype)
    probability = np.full(predicted.shape, np.nan)
    for label in graph.order:
        parents = list(graph.parents[label])
        fitted = clone(base).fit(np.hstack([X, Y[:, parents]]), Y[:, label])
        inputs = np.hstack([X_test, predicted[:, parents]])
        predicted[:, label] = fitted.predict(inputs)
        if hasattr(fitted, "predict_proba"):
            probability[:, label] = fitted.predict_proba(inputs)[:, 1]
    return predicted, probability


@every_classifier
@pytest.mark.parametrize("order", [[0, 1, 2, 3, 4, 5], [4, 0, 5, 2, 1, 3]])
def test_a_chain_is_scikit_learns(base, order):
    X, Y, X_test, Y_test = problem()
    ours = ClassifierChain(base, order=order).fit(X, Y)
    theirs = multioutput.ClassifierChain(base, order=order).fit(X, Y)
    assert_array_equal(ours.predict(X_test), theirs.predict(X_test))
    assert ours.score(X_test, Y_test) == pytest.approx((theirs.predict(X_test) == Y_test).all(axis=1).mean())
    if hasattr(ours, "predict_proba"):
        assert_allclose(ours.predict_proba(X_test), theirs.predict_proba(X_test), atol=1e-12)


@every_classifier
@pytest.mark.parametrize("n_values", [2, 3])
def test_independent_classifiers_are_scikit_learns(base, n_values):
    X, Y, X_test, Y_test = problem(n_values=n_values)
    ours = IndependentClassifiers(base).fit(X, Y)
    theirs = MultiOutputClassifier(base).fit(X, Y)
    assert_array_equal(ours.predict(X_test), theirs.predict(X_test))
    assert ours.score(X_test, Y_test) == pytest.approx(theirs.score(X_test, Y_test))
    if hasattr(ours, "predict_proba"):
        P = ours.predict_proba(X_test)
        P = [np.column_stack([1 - p, p]) for p in P.T] if n_values == 2 else P
        for one, other in zip(P, theirs.predict_proba(X_test), strict=True):
            assert_allclose(one, other, atol=1e-12)


@every_classifier
@pytest.mark.parametrize("pattern", sorted(PATTERNS))
def test_a_trellis_is_a_chain_over_its_graph(base, pattern):
    X, Y, X_test, _ = problem()
    fitted = ClassifierTrellis(base, width=3, parents=pattern, random_state=0).fit(X, Y)
    assert len(fitted.graph_.edges) > 6
    predicted, probability = chain_by_hand(base, fitted.graph_, X, Y, X_test)
    assert_array_equal(fitted.predict(X_test), predicted)
    if hasattr(fitted, "predict_proba"):
        assert_allclose(fitted.predict_proba(X_test), probability, atol=1e-12)


@settings(deadline=None, max_examples=10)
@given(st.integers(0, 2**32 - 1), st.integers(1, 6), st.sampled_from(sorted(PATTERNS)), st.floats(1e-2, 100))
def test_least_squares_over_a_graph_is_ridge_by_ridge(seed, width, pattern, alpha):
    X, Y, X_test, _ = problem(seed)
    for method in (
        ClassifierTrellis(LeastSquares(alpha), width=width, parents=pattern, random_state=seed),
        ClassifierChain(LeastSquares(alpha), order="random", random_state=seed),
        IndependentClassifiers(LeastSquares(alpha)),
    ):
        fitted = method.fit(X, Y)
        predicted = np.empty((len(X_test), 6), dtype=int)
        unsure = np.zeros(len(X_test), dtype=bool)  # a score within rounding of one half may fall on either side
        for label in fitted.graph_.order:
            parents = list(fitted.graph_.parents[label])
            ridge = Ridge(alpha).fit(np.hstack([X, Y[:, parents]]), Y[:, label])
            score = ridge.predict(np.hstack([X_test, predicted[:, parents]]))
            predicted[:, label] = score > 0.5
            unsure |= np.abs(score - 0.5) < 1e-9
        assert unsure.mean() < 0.1
        assert_array_equal(fitted.predict(X_test)[~unsure], predicted[~unsure])


# Two features and one label, ours to make; every method is then the plain classifier.
X_ONE = np.array(
    [
        [0.1, 2.0],
        [0.4, 1.5],
        [0.9, 1.9],
        [1.1, 0.2],
        [1.6, 0.9],
        [2.0, 0.1],
        [2.2, 1.4],
        [2.9, 0.6],
        [3.1, 1.1],
        [0.2, 0.8],
    ]
)
Y_ONE = np.array([0, 0, 1, 0, 1, 1, 1, 1, 1, 0])


@pytest.mark.parametrize("method", [IndependentClassifiers, ClassifierChain, ClassifierTrellis])
def test_with_one_label_every_method_is_its_base(method):
    plain = LogisticRegression().fit(X_ONE, Y_ONE)
    fitted = method(LogisticRegression()).fit(X_ONE, Y_ONE[:, None])
    assert_array_equal(fitted.predict(X_ONE).ravel(), plain.predict(X_ONE))
    assert_allclose(fitted.predict_proba(X_ONE).ravel(), plain.predict_proba(X_ONE)[:, 1], atol=1e-12)
    assert (fitted.graph_.n_labels, fitted.graph_.edges) == (1, ())
    ridge = Ridge().fit(X_ONE, Y_ONE)
    assert_array_equal(method().fit(X_ONE, Y_ONE).predict(X_ONE), ridge.predict(X_ONE) > 0.5)


def test_a_chain_can_predict_what_its_base_alone_cannot():
    # The second label needs three splits of the features, but two of the first label and one feature.
    rng = np.random.default_rng(0)
    X = rng.standard_normal((400, 2))
    first = np.abs(X[:, 0]) > 0.7
    Y = np.column_stack([first, first & (X[:, 1] > 0)]).astype(int)
    tree = DecisionTreeClassifier(max_depth=2, random_state=0)
    right = {
        method: (method(tree).fit(X[:300], Y[:300]).predict(X[300:])[:, 1] == Y[300:, 1]).mean()
        for method in (IndependentClassifiers, ClassifierChain)
    }
    assert right[ClassifierChain] > 0.95
    assert right[IndependentClassifiers] < 0.9


def test_a_base_that_knows_nothing_predicts_the_commonest_value():
    X, Y, X_test, _ = problem()
    expected = np.tile((Y.mean(axis=0) > 0.5).astype(int), (len(X_test), 1))
    for method in (IndependentClassifiers, ClassifierChain, ClassifierTrellis):
        assert_array_equal(method(DummyClassifier()).fit(X, Y).predict(X_test), expected)
