"""Prediction sets of a model, calibrated out of fold and checked on rows that it never saw."""

import io

import numpy as np
import pytest
from numpy.testing import assert_allclose
from sklearn.svm import LinearSVC

from trellislib import IndependentClassifiers, Logistic, PerLabel
from trellislib.data import Dataset, simulate_label_dag
from trellislib.decisions import ConformalSets
from trellislib.experiment import folds
from trellislib.models import ModelError, conformal_sets, fit_model, load_model, save_model, with_sets

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


def test_a_model_file_keeps_them():
    model = with_sets(fit_model(TRAIN, IndependentClassifiers(Logistic())), TRAIN, [0.9, 0.8])
    assert model.sets == tuple(conformal_sets(model, TRAIN, confidence) for confidence in (0.8, 0.9))
    file, new = io.BytesIO(), DATA.X[150:]
    save_model(model, file)
    loaded = load_model(file)
    assert loaded.sets == model.sets
    found = loaded.predict(new, sets=0.8)
    P = model.predict_proba(new)
    of_first = [name for name, p in zip(model.label_names, P[0], strict=True) if p >= model.sets[0].threshold]
    assert found.frame()["Set (80% sure)"][0] == (", ".join(of_first) or "none")
    assert list(found.frame().columns) == [*model.label_names, "Set (80% sure)"]


def test_scores_say_how_many_sets_hold_enough():
    model = with_sets(fit_model(TRAIN, IndependentClassifiers(Logistic())), TRAIN)
    new = DATA.select(slice(150, None)).frame()
    held = model.score(new).held
    P = model.predict_proba(DATA.X[150:])
    assert held.to_dict() == {sets.confidence: sets.held(P, DATA.Y[150:]) for sets in model.sets}
    some = new.copy().astype({model.label_names[0]: object})
    some.loc[:, model.label_names[0]] = [None] * 100 + some[model.label_names[0]].tolist()[100:]
    assert model.score(some).held[0.9] == model.sets_of(0.9).held(P[100:], DATA.Y[250:])
    assert fit_model(TRAIN).score(new).held.empty


def test_sets_that_were_not_calibrated_are_refused():
    model = fit_model(TRAIN, IndependentClassifiers(Logistic()))
    with pytest.raises(ModelError, match="no prediction sets; calibrate"):
        model.predict(DATA.X, sets=0.9)
    with pytest.raises(ModelError, match=r"0\.8 and 0\.9, not of 0\.7"):
        with_sets(model, TRAIN, [0.8, 0.9]).predict(DATA.X, sets=0.7)
