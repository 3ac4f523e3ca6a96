import numpy as np
import pytest
from numpy.testing import assert_array_equal
from scipy import sparse
from sklearn.base import clone
from sklearn.naive_bayes import GaussianNB
from sklearn.svm import LinearSVC

from trellislib import (
    ClassifierChain,
    ClassifierTrellis,
    EnsembleClassifierChains,
    IndependentClassifiers,
    Logistic,
)
from trellislib.data import simulate_label_dag
from trellislib.decisions import AboveThreshold, Decision, MostExpected, MostProbableValues
from trellislib.methods.registry import METHODS
from trellislib.metrics import accuracy, exact_match, macro_f1

DATA = simulate_label_dag(n_instances=600, n_labels=5, delta=1.0, random_state=0)
X, Y = (array[:400] for array in DATA.arrays())
X_NEW, Y_NEW = (array[400:] for array in DATA.arrays())


def method(key, **parameters):
    found = METHODS[key].method()
    allowed = found.get_params()
    small = {"n_estimators": 3, "random_state": 0, "n_chains": 1}
    return found.set_params(**{name: value for name, value in small.items() if name in allowed}, **parameters)


@pytest.mark.parametrize("key", [key for key in METHODS if key != "OCC"])
def test_every_method_decides_for_a_score(key):
    plain = method(key).fit(X, Y)
    assert not hasattr(plain, "decision_")
    decided = method(key, decide="accuracy").fit(X, Y)
    assert isinstance(decided.decision_, Decision)
    assert decided.decision_.measure == "accuracy"
    assert decided.decision_.scores["the inference's own decisions"] <= max(decided.decision_.scores.values())
    found = decided.predict(X_NEW)
    assert found.shape == Y_NEW.shape
    assert accuracy(Y_NEW, found) > accuracy(Y_NEW, plain.predict(X_NEW)) - 0.02
    one_by_one = np.vstack([decided.predict(X_NEW[[row]]) for row in range(5)])
    assert_array_equal(one_by_one, found[:5])
    assert_array_equal(clone(decided).fit(X, Y).predict(X_NEW), found)


@pytest.mark.parametrize("measure", [accuracy, exact_match, macro_f1])
@pytest.mark.parametrize(
    "learner", [None, Logistic(), GaussianNB(), LinearSVC()], ids=["least-squares", "logistic", "bayes", "svm"]
)
def test_decisions_are_better_for_their_score(learner, measure):
    plain = IndependentClassifiers(learner).fit(X, Y)
    decided = IndependentClassifiers(learner, decide=measure.__name__).fit(X, Y)
    assert measure(Y_NEW, decided.predict(X_NEW)) > measure(Y_NEW, plain.predict(X_NEW)) - 0.03


def test_ensembles_mix_their_members_distributions():
    decided = EnsembleClassifierChains(decide="exact_match", n_estimators=3, random_state=0).fit(X, Y)
    assert all(member.decide is None for member in decided.estimators_)
    found = decided._distribution(X_NEW[:5])
    vectors = np.array([[0, 1], [0, 0], [0, 0], [0, 0], [0, 0]])
    of_members = [np.exp(member._distribution(X_NEW[:5]).log_probabilities(vectors)) for member in decided.estimators_]
    np.testing.assert_allclose(np.exp(found.log_probabilities(vectors)), np.mean(of_members, axis=0))


def test_sparse_labels_a_single_label_and_labels_of_more_values():
    dense = ClassifierTrellis(random_state=0, decide="accuracy").fit(X, Y)
    csr = ClassifierTrellis(random_state=0, decide="accuracy").fit(sparse.csr_array(X), sparse.csr_array(Y))
    assert_array_equal(csr.predict(X_NEW).toarray(), dense.predict(X_NEW))
    one = IndependentClassifiers(decide="macro_f1").fit(X, Y[:, 0])
    assert one.predict(X_NEW).shape == (len(X_NEW),)
    valued = np.column_stack([Y[:, 0] + Y[:, 1], Y[:, 2]])
    found = ClassifierChain(decide="exact_match").fit(X, valued).predict(X_NEW)
    assert set(map(tuple, found.tolist())) <= set(map(tuple, valued.tolist()))
    with pytest.raises(ValueError, match=r"decide='accuracy'.*more than two values"):
        ClassifierChain(decide="accuracy").fit(X, valued)


def test_few_rows_and_constant_labels():
    assert IndependentClassifiers(decide="accuracy").fit(X[:1], Y[:1]).predict(X[:1]).shape == (1, 5)
    constant = np.column_stack([Y[:, 0], np.ones(len(Y), dtype=int)])
    assert (IndependentClassifiers(decide="f1").fit(X, constant).predict(X_NEW)[:, 1] == 1).all()


@pytest.mark.parametrize("rule", [MostExpected("accuracy"), AboveThreshold(0.3)])
def test_a_rule_that_is_given_decides_on_a_stream_too(rule):
    whole = ClassifierTrellis(decide=rule, random_state=0).fit(X, Y)
    chunks = ((X[rows], Y[rows]) for rows in np.array_split(np.arange(len(X)), 3))
    streamed = ClassifierTrellis(decide=rule, random_state=0).fit_chunks(chunks)
    assert_array_equal(streamed.predict(X_NEW), whole.predict(X_NEW))


def test_no_rule_is_chosen_on_a_stream_or_for_an_unknown_score():
    with pytest.raises(TypeError, match=r"IndependentClassifiers\(decide='f1'\) reads rows again.*MostExpected"):
        IndependentClassifiers(decide="f1").fit_chunks([(X, Y)])
    with pytest.raises(ValueError, match=r"decide='loss'.*expected one of"):
        IndependentClassifiers(decide="loss").fit(X, Y)


@pytest.mark.parametrize("settings", [{"voting": "soft"}, {}, {"threshold": 0.3}], ids=["soft", "hard", "threshold"])
def test_the_inference_s_own_decisions_are_those_without_a_score(settings):
    plain = EnsembleClassifierChains(n_estimators=4, random_state=0, **settings).fit(X, Y)
    decided = EnsembleClassifierChains(n_estimators=4, random_state=0, decide="f1", **settings).fit(X, Y)
    assert_array_equal(decided._distribution(X_NEW).codes.T, plain.predict(X_NEW))


@pytest.mark.parametrize("key", ["IC", "CT", "LP", "MOF"])
def test_a_rule_that_is_given_decides_and_nothing_is_held_out(key, monkeypatch):
    monkeypatch.setattr("trellislib.methods.base.chosen_decision", None)
    rule = AboveThreshold(0.3)
    decided = method(key, decide=rule).fit(X, Y)
    assert decided.decision_ == Decision(None, decided.decide, {})
    assert_array_equal(decided.predict(X_NEW), decided.predict_proba(X_NEW) > 0.3)


@pytest.mark.parametrize("rule", [AboveThreshold(0.3), MostExpected("accuracy")])
def test_a_rule_for_labels_of_two_values_refuses_others(rule):
    with pytest.raises(ValueError, match=r"Got decide=.*more than two values, but expected labels of two"):
        IndependentClassifiers(decide=rule).fit(X, Y + (X[:, :1] > 0))
    found = IndependentClassifiers(decide=MostProbableValues()).fit(X, Y + (X[:, :1] > 0)).predict(X_NEW)
    assert set(np.unique(found)) <= {0, 1, 2}


def test_highest_expected_accuracy_is_more_accurate_than_one_half():
    plain, decided = (IndependentClassifiers(decide=rule).fit(X, Y) for rule in (None, MostExpected("accuracy")))
    assert accuracy(Y_NEW, decided.predict(X_NEW)) > accuracy(Y_NEW, plain.predict(X_NEW)) + 0.01
