"""Scores while a lattice is filled."""

import numpy as np
import pytest

from trellislib import ClassifierTrellis, IndependentClassifiers
from trellislib.data import simulate_label_dag
from trellislib.decisions.rules import MostExpected
from trellislib.experiment.filling import filling_scores
from trellislib.experiment.rescoring import CrossValidation
from trellislib.labels.label_sets import unseen_sets


@pytest.fixture(scope="module")
def cv():
    return CrossValidation(simulate_label_dag(n_instances=150, n_labels=7, n_features=5, random_state=1))


def test_it_goes_from_independent_classifiers_to_the_whole_trellis(cv):
    method = ClassifierTrellis(width=3, random_state=0)
    found = filling_scores(cv, method)
    assert list(found.index) == list(range(8))
    for key in ("accuracy", "exact_match"):
        assert found[key].iloc[0] == pytest.approx(cv.scores(IndependentClassifiers())[key].mean())
        assert found[key].iloc[-1] == pytest.approx(cv.scores(method)[key].mean())
    assert (found.iloc[0] == found.iloc[1]).all(), "the first label has no parents"


def test_it_decides_for_a_score_as_the_trellis_does(cv):
    rule = MostExpected("accuracy")
    method = ClassifierTrellis(width=3, random_state=0, decide=rule)
    found = filling_scores(cv, method)
    for key in ("accuracy", "exact_match"):
        assert found[key].iloc[0] == pytest.approx(cv.scores(IndependentClassifiers(decide=rule))[key].mean())
        assert found[key].iloc[-1] == pytest.approx(cv.scores(method)[key].mean())
    assert found["accuracy"].iloc[-1] > filling_scores(cv, method.set_params(decide=None))["accuracy"].iloc[-1]


def test_a_partly_filled_lattice_predicts_each_label_from_its_parents_or_alone(cv):
    method = ClassifierTrellis(width=2, placement=[3, 1, 0, 2, 6, 5, 4])
    exact, unseen = [], []
    for (trellis, X, Y), (independent, _, _), known in zip(
        cv.fits(method), cv.fits(IndependentClassifiers()), cv.training_labels, strict=True
    ):
        predicted = np.where(np.isin(np.arange(7), [3, 1, 0, 2]), trellis.predict(X), independent.predict(X))
        exact.append((predicted == Y.toarray()).all(axis=1).mean())
        unseen.append(unseen_sets(known, predicted).mean())
    row = filling_scores(cv, method).iloc[4]
    assert row["exact_match"] == pytest.approx(np.mean(exact))
    assert row["unseen"] == pytest.approx(np.mean(unseen))
