from itertools import count

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from scipy import sparse
from scipy.optimize import minimize
from scipy.special import expit
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.calibration import CalibratedClassifierCV
from sklearn.linear_model import LogisticRegression, Perceptron, Ridge
from sklearn.model_selection import FixedThresholdClassifier
from sklearn.naive_bayes import GaussianNB, MultinomialNB
from sklearn.neighbors import KNeighborsClassifier
from sklearn.svm import LinearSVC
from sklearn.tree import DecisionTreeClassifier

from trellislib.inference import Greedy
from trellislib.labels.coding import LabelCoding
from trellislib.labels.graph import LabelGraph, UndirectedLabelGraph
from trellislib.learners import LeastSquares, PerLabel, as_learner, with_probabilities
from trellislib.learners.training_set import TrainingSet
from trellislib.running.progress import CancelledError

GRAPH = LabelGraph([(), (0,), (1, 0), (2,)])
ALONE = LabelGraph.independent(1)


def data(n_instances=50):
    rng = np.random.default_rng(0)
    X = np.where(rng.random((n_instances, 3)) < 0.3, 0.0, rng.standard_normal((n_instances, 3)))
    Y = (X @ rng.standard_normal((3, 4)) + rng.standard_normal((n_instances, 4)) > 0).astype(int)
    Y[:, 2] += Y[:, 0]  # three values
    return X, Y


def fit(estimator, X, Y, graph=GRAPH, n_jobs=None, **watch):
    training_set = TrainingSet.of(X, Y)
    return PerLabel(estimator, n_jobs).prepare(training_set).fit(graph, **watch), training_set.coding


def decide(fitted, graph, coding, X):
    """Decide greedily; return the conditionals of X, the codes and their columns, which must agree."""
    given_X = fitted.given(X)
    inferred = Greedy().infer(given_X, graph, coding, X.shape[0])
    everything = range(coding.n_labels)
    assert_array_equal(inferred.columns, coding.indicators(inferred.codes, everything))
    assert_array_equal(given_X.decide(everything, inferred.columns), inferred.codes)  # given those on its parents
    return given_X, inferred.codes, inferred.columns


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
    if PerLabel(base).gives_probabilities:
        assert_allclose(other_X.probabilities(range(4), Z), given_X.probabilities(range(4), Z), atol=1e-3)


def test_a_classifier_without_probabilities_decides_all_the_same():
    X, Y = data()
    fitted, coding = fit(LinearSVC(), X, Y)
    assert not PerLabel(LinearSVC()).gives_probabilities
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
    fitted = PerLabel(LogisticRegression()).prepare(TrainingSet(X, Y, wide)).fit(GRAPH)
    given_X, codes, Z = decide(fitted, GRAPH, wide, X)
    P = given_X.probabilities(range(4), Z)
    assert not P[wide.columns([2])[2:]].any()
    assert (P[wide.columns([2])[:2]] > 0).all()
    assert set(codes[2].tolist()) == {0, 1, 2}
    lacking = TrainingSet(X, 2 * (Y[:, 2:3] > 0), LabelCoding([np.arange(3)]))
    lacks_1 = PerLabel(LogisticRegression()).prepare(lacking).fit(ALONE)
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
def test_progress_is_reported_label_by_label(n_jobs):
    reported = []
    fit(LogisticRegression(), *data(), n_jobs=n_jobs, progress=lambda *step: reported.append(step))
    assert reported == [(label, 4, "labels") for label in (1, 2, 3, 4)]


@pytest.mark.parametrize("n_jobs", [None, 2])
def test_cancelling_stops_before_the_next_label(n_jobs):
    asked, reported = count(1), []
    with pytest.raises(CancelledError):
        fit(
            LogisticRegression(),
            *data(),
            n_jobs=n_jobs,
            cancelled=lambda: next(asked) > 2,
            progress=lambda *step: reported.append(step),
        )
    assert len(reported) <= 2


def test_errors_of_a_classifier_about_the_data_are_raised():
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


def test_labels_of_an_undirected_graph_are_fitted_on_their_neighbours():
    X, Y = data()
    graph = UndirectedLabelGraph.of_edges(4, [(0, 2), (2, 3)])
    fitted, coding = fit(LogisticRegression(), X, Y, graph)
    joined = [np.c_[X, Y[:, 2] == 1, Y[:, 2] == 2], X, np.c_[X, Y[:, 0], Y[:, 3]], np.c_[X, Y[:, 2] == 1, Y[:, 2] == 2]]
    P = fitted.given(X).probabilities(range(4), coding.encode(Y).T)
    for label, inputs in enumerate(joined):
        expected = LogisticRegression().fit(inputs, Y[:, label])
        assert_array_equal(fitted.estimators[label].coef_, expected.coef_)
        assert_allclose(P[coding.columns([label])], expected.predict_proba(inputs)[:, 1:].T, atol=1e-12)


@pytest.mark.parametrize("sparse_X", [False, True], ids=["dense-X", "CSR-X"])
@pytest.mark.parametrize("n_labels", [2, 4], ids=["binary", "valued"])
@pytest.mark.parametrize("base", [LogisticRegression(), DecisionTreeClassifier(max_depth=3, random_state=0)])
def test_tiled_conditionals_are_those_of_tiled_instances(base, n_labels, sparse_X):
    X, Y = data()
    Y = Y[:, :n_labels]
    form = sparse.csr_array if sparse_X else np.asarray
    fitted, coding = fit(base, form(X), Y, LabelGraph.chain(range(n_labels)))
    rng = np.random.default_rng(0)
    codes = np.array([rng.integers(0, len(values), 3 * len(X)) for values in coding.classes])
    Z = coding.indicators(codes, range(n_labels))
    tiled, expected = fitted.given(form(X)).tiled(3), fitted.given(form(np.tile(X, (3, 1))))
    for labels in [range(n_labels), (1, 0)]:
        assert_allclose(tiled.probabilities(labels, Z), expected.probabilities(labels, Z), atol=1e-12)
        assert_array_equal(tiled.decide(labels, Z), expected.decide(labels, Z))


@pytest.mark.parametrize("constant", [False, True])
def test_logistic_regressions_as_one_linear_form_predict_what_each_predicts(constant):
    X, Y = data()
    Y = np.c_[Y[:, [0, 1, 3]], Y[:, 2] > 0].astype(int)
    Y[:, 1] = 1 if constant else Y[:, 1]
    graph = LabelGraph([(), (0,), (3, 1, 0), (1,)])
    for form in (np.asarray, sparse.csr_array):
        fitted, _ = fit(LogisticRegression(), form(X), Y, graph)
        Z = np.random.default_rng(0).integers(0, 2, (4, len(X))).astype(float)
        P = fitted.given(form(X)).probabilities([2, 0, 3, 1], Z)
        for row, label in enumerate([2, 0, 3, 1]):
            inputs = np.hstack([X, Z[list(graph.parents[label])].T])
            expected = fitted.estimators[label].predict_proba(inputs)
            assert_allclose(P[row], expected[:, -1], atol=1e-12)
            assert_array_equal(fitted.given(form(X)).decide([label], Z)[0], fitted.estimators[label].predict(inputs))


class Counting(ClassifierMixin, BaseEstimator):
    """Predicts the value seen most; notes what it was fitted on."""

    seen = []  # noqa: RUF012

    def fit(self, X, y, sample_weight=None):
        self.classes_ = np.unique(y)
        Counting.seen.append((np.shape(X)[1], tuple(y), None if sample_weight is None else tuple(sample_weight)))
        return self

    def predict(self, X):
        return np.full(len(X), self.classes_[0])


@pytest.fixture
def seen():
    Counting.seen.clear()
    return Counting.seen


@pytest.mark.parametrize("n_jobs", [None, 2])
def test_graphs_share_the_fits_they_have_in_common(seen, n_jobs):
    X, Y = data()
    training = PerLabel(Counting(), n_jobs).prepare(TrainingSet.of(X, Y))
    first = training.fit(LabelGraph([(), (0,), (1, 0), (2,)]))
    assert len(seen) == 4
    again = training.fit(LabelGraph([(), (0,), (1, 0), (2,)]))
    assert len(seen) == 4
    assert all(one is other for one, other in zip(first.estimators, again.estimators, strict=True))
    other = training.fit(LabelGraph([(), (0,), (0,), (2,)]))
    assert len(seen) == 5
    assert [one is two for one, two in zip(first.estimators, other.estimators, strict=True)] == [
        True,
        True,
        False,
        True,
    ]
    training.fit(UndirectedLabelGraph.of_edges(4, [(0, 1)]))  # 1 on 0 is known; 0 on 1, 2 and 3 alone are new
    assert len(seen) == 8
    PerLabel(Counting()).prepare(TrainingSet.of(X, Y)).fit(LabelGraph([(), (0,), (1, 0), (2,)]))
    assert len(seen) == 12, "another training starts afresh"


def test_weights_are_passed_on(seen):
    X, Y = data()
    weight = np.linspace(0, 1, len(X))
    PerLabel(Counting()).prepare(TrainingSet.of(X, Y, weight)).fit(GRAPH)
    assert [given_weight for *_, given_weight in seen] == [tuple(weight)] * 4
    PerLabel(Counting()).prepare(TrainingSet.of(X, Y)).fit(GRAPH)
    assert [given_weight for *_, given_weight in seen[4:]] == [None] * 4
    fitted = PerLabel(GaussianNB()).prepare(TrainingSet.of(X, Y, weight)).fit(GRAPH)
    expected = GaussianNB().fit(np.c_[X, Y[:, 0]], Y[:, 1], sample_weight=weight)
    assert_allclose(fitted.estimators[1].theta_, expected.theta_)


def test_weights_are_refused_for_a_classifier_that_takes_none():
    X, Y = data()
    with pytest.raises(TypeError, match=r"Got sample_weight, .*KNeighborsClassifier\(\) takes no weights"):
        PerLabel(KNeighborsClassifier()).prepare(TrainingSet.of(X, Y, np.ones(len(X))))
    PerLabel(KNeighborsClassifier()).prepare(TrainingSet.of(X, Y))


def platt(scores, observed, weight):
    """Fit the logistic function of a + b times the scores to Platt's targets by a general optimiser."""
    positive, negative = weight[observed].sum(), weight[~observed].sum()
    target = np.where(observed, (positive + 1) / (positive + 2), 1 / (negative + 2))

    def loss(line):
        margin = line[0] + line[1] * scores
        return (weight * (np.logaddexp(0, margin) - target * margin)).sum()

    a, b = minimize(loss, [0.0, 1.0], method="BFGS", options={"gtol": 1e-9}).x
    return expit(a + b * scores)


@pytest.mark.parametrize("weighted", [False, True])
def test_calibrated_scores_are_platts(weighted):
    X, Y = data()
    weight = np.random.default_rng(0).random(len(X)) + 0.5 if weighted else None
    fitted = PerLabel(LinearSVC(), calibrate=True).prepare(TrainingSet.of(X, Y, weight)).fit(GRAPH)
    Z = LabelCoding.of(Y).encode(Y).T
    P = fitted.given(X).probabilities(range(4), Z)
    weights = {"sample_weight": weight} if weighted else {}
    for label, row, inputs in [(0, 0, X), (1, 1, np.c_[X, Y[:, 0]]), (3, 4, np.c_[X, Z[2:4].T])]:
        scores = LinearSVC().fit(inputs, Y[:, label], **weights).decision_function(inputs)
        expected = platt(scores, Y[:, label] == 1, weight if weighted else np.ones(len(X)))
        assert_allclose(P[row], expected, atol=1e-4)
    # Of three values, each against the others, and then their shares.
    inputs = np.c_[X, Y[:, 1], Y[:, 0]]
    scores = LinearSVC().fit(inputs, Y[:, 2], **weights).decision_function(inputs)
    each = [platt(scores[:, k], Y[:, 2] == k, weight if weighted else np.ones(len(X))) for k in range(3)]
    assert_allclose(P[2:4], (each / np.sum(each, axis=0))[1:], atol=1e-4)
    assert_array_equal(fitted.given(X).decide([2], Z)[0], np.argmax(each, axis=0))


@pytest.mark.parametrize("base", [LinearSVC(), Perceptron()])
def test_calibrated_scores_are_scikit_learns_on_the_training_rows(base):
    X, Y = data()
    fitted = PerLabel(base, calibrate=True).prepare(TrainingSet.of(X, Y)).fit(GRAPH)
    rows = np.arange(len(X))
    expected = CalibratedClassifierCV(base, cv=[(rows, rows)], ensemble=False).fit(np.c_[X, Y[:, 0]], Y[:, 1])
    P = fitted.given(X).probabilities([1], LabelCoding.of(Y).encode(Y).T)
    assert_allclose(P[0], expected.predict_proba(np.c_[X, Y[:, 0]])[:, 1], atol=1e-8)


@pytest.mark.parametrize("n_seen", [1, 2])
def test_a_label_with_few_positives_is_calibrated(n_seen):
    X, Y = data()
    Y[:, 1] = 0
    Y[:n_seen, 1] = 1
    Y[:, 3] = 1
    Y[:, 2] = np.minimum(Y[:, 2], 1)
    Y[7, 2] = 2
    fitted = PerLabel(LinearSVC(), calibrate=True).prepare(TrainingSet.of(X, Y)).fit(GRAPH)
    Z = LabelCoding.of(Y).encode(Y).T
    P = fitted.given(X).probabilities(range(4), Z)
    assert_allclose(
        P[1],
        platt(
            LinearSVC().fit(np.c_[X, Y[:, 0]], Y[:, 1]).decision_function(np.c_[X, Y[:, 0]]),
            Y[:, 1] == 1,
            np.ones(len(X)),
        ),
        atol=1e-4,
    )
    assert ((P[1:4] > 0) & (P[1:4] < 1)).all()
    assert not P[4].any(), "constant, and its one value is the first"
    assert (fitted.given(X).decide([3], Z) == 0).all()


def test_a_calibrated_classifier_decides_by_its_probabilities():
    X, Y = data()
    Y[:, 0] = np.arange(len(X)) % 4 == 0  # a Perceptron sets no great store by frequencies
    fitted = PerLabel(Perceptron(), calibrate=True).prepare(TrainingSet.of(X, Y)).fit(GRAPH)
    given_X, Z = fitted.given(X), LabelCoding.of(Y).encode(Y).T
    assert_array_equal(given_X.decide([0], Z)[0], given_X.probabilities([0], Z)[0] > 0.5)
    assert (given_X.decide([0], Z)[0] != Perceptron().fit(X, Y[:, 0]).predict(X)).any()


def test_what_may_be_given_as_a_base_learner():
    assert isinstance(as_learner(None), LeastSquares)
    learner = PerLabel(GaussianNB())
    assert as_learner(learner) is learner
    per_label = as_learner(LinearSVC(C=3))
    assert isinstance(per_label, PerLabel)
    assert per_label.estimator.C == 3
    assert not per_label.calibrate


@pytest.mark.parametrize("estimator", [Ridge(), "svm", 3, LinearSVC])
def test_what_is_no_base_learner_is_refused(estimator):
    with pytest.raises(TypeError, match=r"expected .*learner .*trellislib .*classifier"):
        as_learner(estimator)


@pytest.mark.parametrize("learner", [LeastSquares(), PerLabel(GaussianNB()), PerLabel(LinearSVC(), calibrate=True)])
def test_a_learner_with_probabilities_stays_as_it_is(learner):
    assert learner.gives_probabilities
    assert with_probabilities(learner) is learner


def test_a_classifier_with_scores_is_calibrated():
    svm = LinearSVC()
    learner = with_probabilities(PerLabel(svm, 2))
    assert (learner.estimator, learner.n_jobs, learner.calibrate) == (svm, 2, True)
    assert learner.gives_probabilities


def test_a_classifier_without_scores_is_refused_where_probabilities_are_needed(seen):
    assert not PerLabel(Counting()).gives_probabilities
    with pytest.raises(TypeError, match=r"estimator=Counting\(\), .*gives neither probabilities nor scores"):
        with_probabilities(PerLabel(Counting()))
    assert not seen
