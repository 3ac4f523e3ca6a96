"""Thresholds, against trying them all."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.testing import assert_allclose, assert_array_equal
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import f1_score
from sklearn.model_selection import KFold, PredefinedSplit
from sklearn.svm import LinearSVC
from sklearn.tree import DecisionTreeClassifier

from trellislib import (
    ClassifierChain,
    ClassifierDependencyTrellis,
    EnsembleClassifierChains,
    IndependentClassifiers,
    LabelPowerset,
    LeastSquares,
    MultiOutputForest,
    RAkEL,
    ThresholdedClassifier,
)
from trellislib.methods.thresholds import matching_threshold
from trellislib.running.progress import CancelledError

FOLDS = KFold(4, shuffle=True, random_state=2)


def problem(n_labels=4, n_instances=60, seed=0):
    rng = np.random.default_rng(seed)
    X = rng.standard_normal((n_instances, 3))
    Y = (X @ rng.standard_normal((3, n_labels)) + 2 * rng.standard_normal((n_instances, n_labels)) > 1.5).astype(int)
    return X, Y


def out_of_fold(method, X, Y):
    P = np.empty(Y.shape)
    for train, test in FOLDS.split(X):
        P[test] = method.fit(X[train], Y[train]).predict_proba(X[test])
    return P


scores = st.lists(st.sampled_from([0.0, 0.1, 0.25, 0.5, 0.7, 0.9, 1.0]) | st.floats(0, 1), min_size=1, max_size=12)


@settings(deadline=None, max_examples=50)
@given(scores, st.integers(0, 99), st.floats(0, 15))
def test_no_threshold_matches_better(found, seed, wanted):
    found = np.array(found)
    weight = np.random.default_rng(seed).integers(1, 4, len(found)).astype(float)
    threshold = matching_threshold(found, weight, wanted)
    assert 0 <= threshold <= 1
    error = abs(weight[found > threshold].sum() - wanted)
    for other in [0.0, 0.5, 1.0, *found, *np.maximum(found - 1e-9, 0)]:
        assert error <= abs(weight[found > other].sum() - wanted) + 1e-9


@pytest.mark.parametrize(
    ("wanted", "expected"),
    [(0, 0.9), (1, 0.7), (2, 0.4), (3, 0.15), (4, 0.05), (9, 0.05), (1.4, 0.7), (1.5, 0.4)],
)
def test_thresholds_by_hand(wanted, expected):
    assert matching_threshold(np.array([0.6, 0.1, 0.8, 0.2]), np.ones(4), wanted) == pytest.approx(expected)


def test_equal_scores_stay_together():
    assert matching_threshold(np.array([0.2, 0.6, 0.6, 0.6]), np.ones(4), 2) == pytest.approx(0.4)
    assert matching_threshold(np.array([0.2, 0.6, 0.6, 0.6]), np.ones(4), 1) == pytest.approx(0.8)


@pytest.mark.parametrize("base", [LeastSquares(), LogisticRegression()], ids=["least-squares", "logistic"])
def test_the_predicted_cardinality_is_that_of_training(base):
    X, Y = problem()
    method = ClassifierChain(base)
    fitted = ThresholdedClassifier(method, cv=FOLDS).fit(X, Y)
    P = out_of_fold(method, X, Y)
    assert np.sum(fitted.threshold_ < P) == Y.sum()  # all scores differ, so that it is met exactly
    assert np.sum(P > 0.5) < 0.9 * Y.sum()
    whole = ClassifierChain(base).fit(X, Y)
    assert_allclose(fitted.predict_proba(X), whole.predict_proba(X))
    assert_array_equal(fitted.predict(X), whole.predict_proba(X) > fitted.threshold_)


def test_a_threshold_for_each_label():
    X, Y = problem()
    method = IndependentClassifiers(LogisticRegression())
    fitted = ThresholdedClassifier(method, threshold="per-label", cv=FOLDS).fit(X, Y)
    assert fitted.threshold_.shape == (4,)
    P = out_of_fold(method, X, Y)
    assert_array_equal((fitted.threshold_ < P).sum(axis=0), Y.sum(axis=0))
    expected = [matching_threshold(p, np.ones(len(X)), y.sum()) for p, y in zip(P.T, Y.T, strict=True)]
    assert_allclose(fitted.threshold_, expected)
    assert_array_equal(fitted.predict(X), fitted.predict_proba(X) > fitted.threshold_)


def test_a_threshold_for_the_f1_of_each_label():
    X, Y = problem()
    fitted = ThresholdedClassifier(threshold="f1", cv=FOLDS).fit(X, Y)
    P = out_of_fold(IndependentClassifiers(), X, Y)
    for p, y, threshold in zip(P.T, Y.T, fitted.threshold_, strict=True):
        best = max(f1_score(y, p >= cut) for cut in p)
        assert f1_score(y, p > threshold) == pytest.approx(best)


def test_weights_count_in_the_cardinality():
    X, Y = problem(2)
    weight = np.where(Y.any(axis=1), 3.0, 1.0)
    fitted = ThresholdedClassifier(cv=FOLDS).fit(X, Y, weight)
    P = np.empty(Y.shape)
    for train, test in FOLDS.split(X):
        P[test] = IndependentClassifiers().fit(X[train], Y[train], weight[train]).predict_proba(X[test])
    assert abs(((fitted.threshold_ < P) * weight[:, None]).sum() - (Y * weight[:, None]).sum()) <= 1.5


class Noting(DecisionTreeClassifier):
    """Notes the rows that it is fitted on and those that it is asked about."""

    log: list = []  # noqa: RUF012

    def fit(self, X, y, sample_weight=None):
        Noting.log.append(("fit", frozenset(X[:, 0])))
        return super().fit(X, y, sample_weight)

    def predict_proba(self, X):
        Noting.log.append(("predict", frozenset(X[:, 0])))
        return super().predict_proba(X)


def test_a_threshold_is_chosen_on_rows_that_were_not_fitted_on():
    X, Y = problem(1)
    X[:, 0] = np.arange(60)
    Noting.log = []
    ThresholdedClassifier(IndependentClassifiers(Noting(max_depth=2)), cv=FOLDS).fit(X, Y)
    kinds = [kind for kind, _ in Noting.log]
    assert kinds == ["fit", "predict"] * 4 + ["fit"]
    fits, asked = (([rows for kind, rows in Noting.log if kind == which]) for which in ("fit", "predict"))
    for train, test in zip(fits[:4], asked, strict=True):
        assert not train & test
        assert train | test == frozenset(range(60))
    assert frozenset().union(*asked) == fits[-1] == frozenset(range(60))


@pytest.mark.parametrize("number", [0, 0.0, 0.25, 1, 1.0])
def test_a_number_is_taken_as_it_is(number):
    X, Y = problem(1)
    Noting.log = []
    fitted = ThresholdedClassifier(IndependentClassifiers(Noting(max_depth=2)), threshold=number).fit(X, Y)
    assert [kind for kind, _ in Noting.log] == ["fit"]
    assert fitted.threshold_ == number
    assert_array_equal(fitted.predict(X), fitted.predict_proba(X) > max(number, 1e-300))  # 0 is told as nearly 0


@pytest.mark.parametrize("wrong", [{"threshold": "best"}, {"threshold": 1.1}, {"threshold": -0.1}, {"cv": 1}])
def test_a_rule_that_is_none_is_refused(wrong):
    with pytest.raises(ValueError, match="Got"):
        ThresholdedClassifier(**wrong).fit(*problem())


def test_every_row_must_be_tested():
    X, Y = problem()
    split = PredefinedSplit(np.where(np.arange(60) == 7, -1, np.arange(60) % 2))
    with pytest.raises(ValueError, match="do not test row 7"):
        ThresholdedClassifier(cv=split).fit(X, Y)


def test_what_is_no_method_is_refused():
    with pytest.raises(TypeError, match=r"Got estimator=LogisticRegression\(\), .*expected .*method .*trellislib"):
        ThresholdedClassifier(LogisticRegression()).fit(*problem())


@pytest.mark.parametrize(
    "method", [IndependentClassifiers, ClassifierChain, ClassifierDependencyTrellis, LabelPowerset]
)
def test_decision_functions_are_enough(method):
    X, Y = problem(n_instances=200)
    fitted = ThresholdedClassifier(method(LinearSVC()), cv=FOLDS, random_state=0).fit(X, Y)
    assert fitted.predict(X).sum() == pytest.approx(Y.sum(), rel=0.25)
    assert_array_equal(fitted.predict(X), fitted.predict_proba(X) > fitted.threshold_)


def test_a_threshold_on_calibrated_scores_is_one_on_the_scores():
    X, Y = problem(1, n_instances=200)
    fitted = ThresholdedClassifier(IndependentClassifiers(LinearSVC()), cv=FOLDS).fit(X, Y)
    scores = LinearSVC().fit(X, Y[:, 0]).decision_function(X)
    chosen = fitted.predict(X)[:, 0] == 1
    assert scores[chosen].min() > scores[~chosen].max()


def test_what_has_neither_probabilities_nor_scores_is_refused():
    class Commonest(ClassifierMixin, BaseEstimator):
        def fit(self, X, y):
            return self

        def predict(self, X):
            return np.zeros(len(X))

    method = ThresholdedClassifier(IndependentClassifiers(Commonest()))
    assert not hasattr(method, "predict_proba")
    with pytest.raises(
        TypeError, match=r"Got estimator=IndependentClassifiers\(.*, .*neither probabilities nor scores"
    ):
        method.fit(*problem())


def test_where_there_is_nothing_to_choose():
    X, Y = problem()
    assert ThresholdedClassifier().fit(X[:1], Y[:1]).threshold_ == 0.5
    Y[:, 1] += Y[:, 0]
    plain, thresholded = IndependentClassifiers().fit(X, Y), ThresholdedClassifier().fit(X, Y)
    assert thresholded.threshold_ == 0.5
    assert_array_equal(thresholded.predict(X), plain.predict(X))
    two = ThresholdedClassifier().fit(X[:2], np.array([[0, 1], [1, 1]]))  # two folds of one row
    assert 0 <= two.threshold_ <= 1


def test_folds_are_shuffled_by_the_seed():
    X, Y = problem()
    found = {ThresholdedClassifier(random_state=seed).fit(X, Y).threshold_ for seed in (0, 0, 1, 2, 3)}
    assert 1 < len(found) < 5
    assert ThresholdedClassifier(random_state=0).fit(X, Y).threshold_ in found


def test_forests_of_different_folds_are_different_forests():
    X, Y = problem()
    method = MultiOutputForest(5, max_depth=3, random_state=0)
    fitted = ThresholdedClassifier(method, cv=FOLDS).fit(X, Y)
    P = out_of_fold(method, X, Y)
    assert fitted.threshold_ == pytest.approx(matching_threshold(P.ravel(), np.ones(P.size), Y.sum()))


TUNED = {
    "thresholded": ThresholdedClassifier(cv=3, random_state=0),
    "ensemble": EnsembleClassifierChains(n_estimators=2, threshold="cardinality", random_state=0),
    "labelsets": RAkEL(threshold="per-label", random_state=0),
}


@pytest.mark.parametrize("method", TUNED.values(), ids=TUNED)
@pytest.mark.parametrize("valued", [False, True])
def test_tuning_reports_its_progress_and_can_be_cancelled(method, valued):
    X, Y = problem()
    Y[:, 1] += valued * Y[:, 0]
    reported, asked = [], []
    method.fit(X, Y, progress=lambda done, total, _: reported.append(done / total), cancelled=lambda: asked.append(0))
    assert reported == sorted(reported)
    assert reported[-1] == 1
    if not valued:
        assert any(0 < share < 0.5 for share in reported)
    for stop_at in (1, max(len(asked) // 3, 1), len(asked)):
        times = iter(range(1, len(asked) + 1))
        with pytest.raises(CancelledError):
            method.fit(X, Y, cancelled=lambda times=times, stop_at=stop_at: next(times) == stop_at)
