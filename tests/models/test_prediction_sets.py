"""Prediction sets of a model, calibrated out of fold and checked on rows that it never saw."""

import numpy as np
import pytest
from numpy.testing import assert_allclose
from sklearn.svm import LinearSVC

from trellislib import IndependentClassifiers, Logistic, PerLabel
from trellislib.data import Dataset, simulate_label_dag
from trellislib.decisions import ConformalSets
from trellislib.experiment import folds
from trellislib.models import ModelError, conformal_sets, fit_model

DATA = simulate_label_dag(n_instances=300, n_labels=5, random_state=0)
TRAIN = Dataset(DATA.X[:150], DATA.Y[:150], DATA.feature_names, DATA.label_names, DATA.label_values)


def test_they_are_calibrated_on_rows_that_were_not_fitted():
    model = fit_model(TRAIN, IndependentClassifiers(Logistic()))
    P = np.empty(TRAIN.Y.shape)
    for train, test in folds(TRAIN, 5, 0):
        P[test] = IndependentClassifiers(Logistic()).fit(TRAIN.X[train], TRAIN.Y[train]).predict_proba(TRAIN.X[test])
    found, expected = conformal_sets(model, TRAIN), ConformalSets.calibrated(P, TRAIN.Y)
    assert_allclose(found.threshold, expected.threshold)
    assert found.n_rows == 150


def test_the_guarantee_holds_on_new_rows():
    model = fit_model(TRAIN, IndependentClassifiers(Logistic()))
    sets = conformal_sets(model, TRAIN, confidence=0.8)
    assert sets.held(model.predict_proba(DATA.X[150:]), DATA.Y[150:]) >= 0.75


def test_a_model_without_probabilities_is_refused():
    model = fit_model(TRAIN, IndependentClassifiers(PerLabel(LinearSVC(), calibrate=False)))
    with pytest.raises(ModelError, match="probabilities"):
        conformal_sets(model, TRAIN)
