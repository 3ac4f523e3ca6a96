import numpy as np
import pytest
from numpy.testing import assert_array_equal
from scipy import sparse
from sklearn.dummy import DummyClassifier
from sklearn.utils.estimator_checks import parametrize_with_checks

from trellislib import Baseline
from trellislib.methods import BASELINES

RNG = np.random.default_rng(0)
X, Y = RNG.normal(size=(30, 2)), (RNG.random((30, 4)) < [0.2, 0.6, 0.5, 0.9]).astype(int)
NEW = np.full((3, 2), np.nan)


@parametrize_with_checks([Baseline(), Baseline("set")])
def test_the_contract_of_scikit_learn(estimator, check):
    check(estimator)


@pytest.mark.parametrize("form", [np.asarray, sparse.csr_array])
def test_the_same_labels_for_every_row(form):
    of = {name: Baseline(strategy).fit(X, form(Y)).predict(NEW) for name, strategy in BASELINES.items()}
    found = {name: labels.toarray() if sparse.issparse(labels) else labels for name, labels in of.items()}
    assert_array_equal(found["Majority"], DummyClassifier(strategy="most_frequent").fit(X, Y).predict(NEW))
    sets, counts = np.unique(Y, axis=0, return_counts=True)
    assert_array_equal(found["Most frequent set"], np.tile(sets[counts.argmax()], (3, 1)))
    assert_array_equal(found["Nobody"], np.zeros((3, 4)))


def test_probabilities_are_frequencies_by_weight():
    weight = RNG.integers(1, 4, 30)
    fitted = Baseline("nobody").fit(X, Y, sample_weight=weight)
    np.testing.assert_allclose(fitted.predict_proba(NEW), np.tile(np.average(Y, axis=0, weights=weight), (3, 1)))


def test_labels_of_many_values():
    many = np.column_stack([Y[:, 0], Y[:, 1] * 2, Y.sum(axis=1)])
    expected = DummyClassifier(strategy="most_frequent").fit(X, many).predict(NEW)
    assert_array_equal(Baseline().fit(X, many).predict(NEW), expected)


def test_without_features_the_best_decision_for_a_score_is_the_same_for_all():
    decided = Baseline(decide="exact_match").fit(X, Y).predict(np.zeros((3, 2)))
    assert len(np.unique(decided, axis=0)) == 1


def test_an_unknown_strategy_is_refused():
    with pytest.raises(ValueError, match="strategy='best', but expected one of majority, set, nobody"):
        Baseline("best").fit(X, Y)
