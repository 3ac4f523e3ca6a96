"""Weights of classes for each label, and frames whose columns are picked by name or hold texts."""

import pickle
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from sentences import holds
from sklearn.base import clone
from sklearn.compose import ColumnTransformer, make_column_selector
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import GridSearchCV
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import OneHotEncoder, StandardScaler
from sklearn.utils.validation import has_fit_parameter

from trellislib import (
    ClassifierChain,
    EnsemblePrunedSets,
    IndependentClassifiers,
    LabelPowerset,
    PerLabel,
    StackedIndependentClassifiers,
)

RNG = np.random.default_rng(0)
FRAME = pd.DataFrame({"age": RNG.normal(40, 9, 30), "city": ["Oslo", "Lima", "Rome"] * 10, "x": RNG.normal(size=30)})
LABELS = pd.DataFrame({"L1": FRAME["age"] > 40, "L2": (FRAME["x"] > 0) & (FRAME["city"] != "Rome")}).astype(int)


def coded(city="city"):
    return ColumnTransformer(
        [("city", OneHotEncoder(), [city])], remainder=StandardScaler(), verbose_feature_names_out=False
    )


@pytest.mark.parametrize(
    "inside",
    [
        coded(),
        ColumnTransformer([("numbers", StandardScaler(), make_column_selector("age|x"))]),
        ColumnTransformer([("city", OneHotEncoder(), "city")], remainder="passthrough"),
    ],
    ids=["list", "selector", "name"],
)
def test_columns_by_name_belong_before_the_method(inside):
    learner = make_pipeline(inside, LogisticRegression())
    for method in (ClassifierChain(learner), LabelPowerset(learner), IndependentClassifiers(PerLabel(learner))):
        with pytest.raises(TypeError) as raised:
            method.fit(FRAME, LABELS)
        holds(str(raised.value), "picks the columns", "make_pipeline(ColumnTransformer(...), ClassifierChain")


def test_before_the_method_columns_are_picked_by_name():
    whole = make_pipeline(coded(), ClassifierChain(LogisticRegression()))
    by_hand = clone(whole[0]).fit_transform(FRAME)
    expected = ClassifierChain(LogisticRegression()).fit(by_hand, LABELS).predict(by_hand)
    assert_array_equal(clone(whole).fit(FRAME, LABELS).predict(FRAME[["x", "age", "city"]]), expected)
    sent = pickle.loads(pickle.dumps(whole))  # as to another process
    search = GridSearchCV(sent, {"classifierchain__estimator__C": [0.1, 1.0]}, cv=2)
    assert search.fit(FRAME, LABELS).best_params_["classifierchain__estimator__C"] in (0.1, 1.0)


def test_columns_by_position_stay_possible_inside():
    learner = make_pipeline(ColumnTransformer([("age", StandardScaler(), [0])], remainder="passthrough"), clone(LR))
    X = FRAME[["age", "x"]]
    assert IndependentClassifiers(learner).fit(X, LABELS).predict(X).shape == (30, 2)


LR = LogisticRegression()


def test_a_text_in_a_frame_is_named():
    for method in (ClassifierChain(), ClassifierChain(LR), LabelPowerset()):
        with pytest.raises(ValueError) as raised:
            method.fit(FRAME, LABELS)
        holds(str(raised.value), "'Oslo'", "'city'", "row 0", "make_pipeline(ColumnTransformer(...)", "from_frame")
    fitted = ClassifierChain().fit(FRAME[["age", "x"]], LABELS)
    with pytest.raises(ValueError, match="'many' in column 'x'"):
        fitted.predict(FRAME[["age", "x"]].astype({"x": object}).replace({"x": {FRAME["x"][1]: "many"}}))


def test_class_weights_may_differ_by_label():
    X, Y = FRAME[["age", "x"]].to_numpy(), LABELS.to_numpy()
    weights = [{0: 1, 1: 5}, "balanced"]
    for method in (IndependentClassifiers, ClassifierChain):
        found = method(LogisticRegression(class_weight=weights)).fit(X, Y).predict_proba(X)
        for label, weight in enumerate(weights):
            expected = method(LogisticRegression(class_weight=weight)).fit(X, Y).predict_proba(X)
            if label == 0 or method is IndependentClassifiers:
                assert_allclose(found[:, label], expected[:, label])
    with pytest.raises(ValueError, match="3 class weights in a list, but expected those of each of 2 labels"):
        IndependentClassifiers(LogisticRegression(class_weight=[None] * 3)).fit(X, Y)


CASES = Path(__file__).parents[2].parent / "shared" / "cases" / "inputs"


@pytest.mark.skipif(not CASES.is_dir(), reason="needs the shared cases")
def test_weighted_rows_are_rows_repeated_and_balance_is_that_of_each_label():
    weighted, repeated = (pd.read_csv(CASES / f"C07_{name}.csv") for name in ("weights", "rows_repeated"))
    asked, labels, base = np.array([[0.0, 0.0], [1.0, 1.0]]), ["A", "rare", "C"], LogisticRegression(tol=1e-9)
    X, Y, weight = weighted[["x1", "x2"]].to_numpy(), weighted[labels].to_numpy(), weighted["weight"].to_numpy()
    chain = ClassifierChain(base).fit(X, Y, sample_weight=weight).predict_proba(asked)
    assert_allclose(chain, [[0.49561, 0.07274, 0.33958], [0.92037, 0.22599, 0.97719]], atol=1e-4)
    for method in (ClassifierChain(base), ClassifierChain(), LabelPowerset(base)):
        of_weights = clone(method).fit(X, Y, sample_weight=weight).predict_proba(asked)
        of_rows = clone(method).fit(repeated[["x1", "x2"]].to_numpy(), repeated[labels].to_numpy()).predict_proba(asked)
        assert_allclose(of_weights, of_rows, atol=1e-6)
    balanced = IndependentClassifiers(LogisticRegression(class_weight="balanced", tol=1e-9)).fit(X, Y)
    expected = [[0.55489, 0.24444, 0.54665], [0.86805, 0.38701, 0.95564]]
    assert_allclose(balanced.predict_proba(asked), expected, atol=1e-4)


@pytest.mark.parametrize("method", [EnsemblePrunedSets, StackedIndependentClassifiers])
def test_methods_that_take_no_weights_say_so(method):
    assert not has_fit_parameter(method(), "sample_weight")
    with pytest.raises(TypeError, match=rf"Got sample_weight, but the fit of {method.__name__} takes none: leave"):
        method().fit([[0.0], [1.0]], [[0, 1], [1, 0]], sample_weight=[1, 2])
