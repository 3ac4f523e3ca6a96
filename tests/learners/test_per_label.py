from itertools import count

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from scipy import sparse
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import FixedThresholdClassifier
from sklearn.naive_bayes import MultinomialNB
from sklearn.svm import LinearSVC
from sklearn.tree import DecisionTreeClassifier

from trellislib.coding import LabelCoding
from trellislib.graphs import LabelGraph
from trellislib.inference import greedy
from trellislib.learners import PerLabel
from trellislib.progress import CancelledError

GRAPH = LabelGraph([(), (0,), (1, 0), (2,)])
ALONE = LabelGraph.independent(1)


def data(n_instances=50):
    rng = np.random.default_rng(0)
    X = np.where(rng.random((n_instances, 3)) < 0.3, 0.0, rng.standard_normal((n_instances, 3)))
    Y = (X @ rng.standard_normal((3, 4)) + rng.standard_normal((n_instances, 4)) > 0).astype(int)
    Y[:, 2] += Y[:, 0]  # three values
    return X, Y


def fit(estimator, X, Y, graph=GRAPH, n_jobs=None, **watch):
    coding = LabelCoding.of(Y)
    return PerLabel(estimator, n_jobs).fit_graph(X, Y, coding, graph, **watch), coding


def decide(fitted, graph, coding, X):
    """Decide greedily; return the conditionals of X, the codes and their columns, which must agree."""
    given_X = fitted.given(X)
    codes, Z = greedy(given_X, graph, coding, X.shape[0])
    everything = range(coding.n_labels)
    assert_array_equal(Z, coding.indicators(codes, everything))
    assert_array_equal(given_X.decide(everything, Z), codes)  # each given the decisions on its parents
    return given_X, codes, Z


def test_each_label_is_fitted_on_the_features_and_its_parents_columns():
    X, Y = data()
    fitted, coding = fit(LogisticRegression(), X, Y)
    Z = coding.encode(Y)
    assert coding.starts.tolist() == [0, 1, 2, 4, 5]
    joined = [X, np.c_[X, Y[:, 0]], np.c_[X, Y[:, 1], Y[:, 0]], np.c_[X, Y[:, 2] == 1, Y[:, 2] == 2]]
    given_X = fitted.given(X)
    P, codes = given_X.probabilities(range(4), Z.T), given_X.decide(range(4), Z.T)
    assert P.shape == (5, len(X))
    assert codes.shape == (4, len(X))
    for label, inputs in enumerate(joined):
        expected = LogisticRegression().fit(inputs, Y[:, label])
        assert_array_equal(fitted.estimators[label].coef_, expected.coef_)
        assert_allclose(P[coding.columns([label])], expected.predict_proba(inputs)[:, 1:].T, atol=1e-12)
        assert_array_equal(codes[label], expected.predict(inputs))
    assert_array_equal(given_X.decide([2, 0], Z.T), codes[[2, 0]])
    assert_array_equal(given_X.probabilities([2, 0], Z.T), P[[2, 3, 0]])
    without = np.where(np.isin(np.arange(5), [2, 3])[:, None], Z.T, 7.0)  # label 3 reads nothing but its parent, 2
    assert_array_equal(given_X.decide([3], without), codes[[3]])
    assert_array_equal(given_X.probabilities([3], without), P[[4]])


@pytest.mark.parametrize("base", [LogisticRegression(), DecisionTreeClassifier(random_state=0), LinearSVC()])
@pytest.mark.parametrize("sparse_Y", [False, True], ids=["dense-Y", "CSR-Y"])
def test_sparse_data_give_the_same_predictions(base, sparse_Y):
    X, Y = data()
    fitted, coding = fit(base, X, Y)
    given_X, codes, Z = decide(fitted, GRAPH, coding, X)
    given_Y = sparse.csr_array(Y) if sparse_Y else Y
    other, other_coding = fit(base, sparse.csr_array(X), given_Y)
    other_X, other_codes, other_Z = decide(other, GRAPH, other_coding, sparse.csr_array(X))
    assert_array_equal(other_codes, codes)
    assert_array_equal(other_Z, Z)
    assert other.gives_probabilities == fitted.gives_probabilities == hasattr(base, "predict_proba")
    if fitted.gives_probabilities:
        assert_allclose(other_X.probabilities(range(4), Z), given_X.probabilities(range(4), Z), atol=1e-3)


def test_a_classifier_without_probabilities_decides_all_the_same():
    X, Y = data()
    fitted, coding = fit(LinearSVC(), X, Y)
    assert not fitted.gives_probabilities
    _, codes, Z = decide(fitted, GRAPH, coding, X)
    assert set(np.unique(Z)) == {0.0, 1.0}
    assert_array_equal(codes[0], LinearSVC().fit(X, Y[:, 0]).predict(X))
    assert_array_equal(codes[3], fitted.estimators[3].predict(np.c_[X, codes[2] == 1, codes[2] == 2]))


@pytest.mark.parametrize("base", [LogisticRegression(), LinearSVC(), DecisionTreeClassifier()])
def test_constant_labels_are_predicted_as_that_constant(base):
    X, Y = data()
    Y[:, 0], Y[:, 1], Y[:, 2] = 0, 1, 2
    fitted, coding = fit(base, X, Y)
    given_X, codes, Z = decide(fitted, GRAPH, coding, X)
    assert_array_equal(coding.decode(codes)[:, :3], np.tile([0, 1, 2], (len(X), 1)))
    assert (Z[0] == 0).all()
    assert (given_X.probabilities([0, 1, 2], Z) == 0).all()  # their one value is the first, which has no column


@pytest.mark.parametrize("value", [0, 1])
def test_a_constant_binary_label_has_its_value_for_certain(value):
    X, Y = data()
    Y[:, 2] = Y[:, 0]
    Y[:, 1] = value
    fitted, coding = fit(LogisticRegression(), X, Y)
    given_X, codes, Z = decide(fitted, GRAPH, coding, X)
    assert (codes[1] == value).all()
    assert (Z[1] == value).all()
    assert (given_X.probabilities([1], Z) == value).all()


def test_a_value_that_the_training_rows_lack_has_no_probability():
    X, Y = data()
    wide = LabelCoding([np.arange(2), np.arange(2), np.arange(5), np.arange(2)])
    fitted = PerLabel(LogisticRegression()).fit_graph(X, Y, wide, GRAPH)
    given_X, codes, Z = decide(fitted, GRAPH, wide, X)
    P = given_X.probabilities(range(4), Z)
    assert not P[wide.columns([2])[2:]].any()
    assert (P[wide.columns([2])[:2]] > 0).all()
    assert set(codes[2].tolist()) == {0, 1, 2}
    lacks_1 = PerLabel(LogisticRegression()).fit_graph(X, 2 * (Y[:, 2:3] > 0), LabelCoding([np.arange(3)]), ALONE)
    P = lacks_1.given(X).probabilities([0], np.empty((2, len(X))))
    expected = LogisticRegression().fit(X, Y[:, 2] > 0).predict_proba(X)[:, 1]
    assert not P[0].any()
    assert_allclose(P[1], expected, atol=1e-12)
    assert_array_equal(lacks_1.given(X).decide([0], np.empty((2, len(X)))), [2 * (expected > 0.5)])


def test_threads_change_nothing():
    X, Y = data()
    alone, coding = fit(DecisionTreeClassifier(random_state=0), X, Y)
    together, _ = fit(DecisionTreeClassifier(random_state=0), X, Y, n_jobs=2)
    one, codes, Z = decide(alone, GRAPH, coding, X)
    other, other_codes, other_Z = decide(together, GRAPH, coding, X)
    assert_array_equal(other_codes, codes)
    assert_array_equal(other_Z, Z)
    assert_array_equal(other.probabilities(range(4), Z), one.probabilities(range(4), Z))


@pytest.mark.parametrize("n_jobs", [None, 2])
def test_progress_is_told_label_by_label(n_jobs):
    told = []
    fit(LogisticRegression(), *data(), n_jobs=n_jobs, progress=lambda *step: told.append(step))
    assert told == [(label, 4, "labels") for label in (1, 2, 3, 4)]


@pytest.mark.parametrize("n_jobs", [None, 2])
def test_cancelling_stops_before_the_next_label(n_jobs):
    asked, told = count(1), []
    with pytest.raises(CancelledError):
        fit(
            LogisticRegression(),
            *data(),
            n_jobs=n_jobs,
            cancelled=lambda: next(asked) > 2,
            progress=lambda *step: told.append(step),
        )
    assert len(told) <= 2


def test_what_a_classifier_says_against_the_data_is_heard():
    with pytest.raises(ValueError, match="Negative values"):
        fit(MultinomialNB(), *data())


def test_the_estimator_given_is_never_fitted():
    base = LogisticRegression()
    fit(base, *data())
    assert not hasattr(base, "coef_")


@pytest.mark.parametrize("values", [[0, 0, 1, 1, 2], [0, 1, 1, 2, 2], [2, 2, 0, 1, 1]])
def test_ties_are_decided_as_the_classifier_decides_them(values):
    X, y = np.zeros((5, 1)), np.array(values)  # one leaf: a tree predicts the lowest of the most frequent values
    fitted, coding = fit(DecisionTreeClassifier(), X, y[:, None], ALONE)
    given_X, codes, Z = decide(fitted, ALONE, coding, X)
    tree = DecisionTreeClassifier().fit(X, y)
    assert_array_equal(codes[0], tree.predict(X))
    assert_array_equal(given_X.probabilities([0], Z), tree.predict_proba(X)[:, 1:].T)


def test_a_classifier_that_sets_its_own_threshold_keeps_it():
    X, Y = data()
    strict = FixedThresholdClassifier(LogisticRegression(), threshold=0.9)
    fitted, coding = fit(strict, X, Y[:, :1], ALONE)
    given_X, codes, Z = decide(fitted, ALONE, coding, X)
    expected = strict.fit(X, Y[:, 0]).predict(X)
    assert expected.sum() < LogisticRegression().fit(X, Y[:, 0]).predict(X).sum()
    assert_array_equal(codes[0], expected)
    assert_allclose(given_X.probabilities([0], Z)[0], strict.predict_proba(X)[:, 1], atol=1e-12)


def test_parents_are_handed_on_as_their_classifier_decided_them():
    X, Y = data()
    strict = FixedThresholdClassifier(LogisticRegression(), threshold=0.9)
    chain = LabelGraph.chain([0, 1])
    fitted, coding = fit(strict, X, Y[:, :2], chain)
    given_X, codes, Z = decide(fitted, chain, coding, X)
    second = strict.fit(np.c_[X, Y[:, 0]], Y[:, 1])
    first = FixedThresholdClassifier(LogisticRegression(), threshold=0.9).fit(X, Y[:, 0]).predict(X)
    assert (first != (given_X.probabilities([0], Z)[0] > 0.5)).any()
    assert_array_equal(codes, [first, second.predict(np.c_[X, first])])
    assert_allclose(given_X.probabilities([1], Z)[0], second.predict_proba(np.c_[X, first])[:, 1], atol=1e-12)
