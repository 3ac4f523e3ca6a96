import numpy as np
import pytest
from numpy.testing import assert_allclose
from scipy import sparse
from sklearn.linear_model import LogisticRegression
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import MaxAbsScaler, MinMaxScaler

from trellislib import (
    ClassifierChain,
    ClassifierDependencyTrellis,
    ClassifierTrellis,
    GibbsSampling,
    IndependentClassifiers,
    LeastSquares,
    MultiOutputForest,
)
from trellislib.data import Dataset, packaged, simulate_label_dag
from trellislib.experiment import evaluate
from trellislib.experiment.rescoring import QUICK, CrossValidation
from trellislib.running.progress import CancelledError

METHODS = {
    "IC": IndependentClassifiers(),
    "CC": ClassifierChain(random_state=0),
    "CT": ClassifierTrellis(random_state=0),
    "CDT": ClassifierDependencyTrellis(inference=GibbsSampling(400, 40), random_state=0),
}


def made(n_instances=120, n_features=None, as_sparse=False):
    data = simulate_label_dag(n_instances=n_instances, n_labels=6, n_features=n_features or 8, random_state=0)
    X, Y = data.arrays()
    if as_sparse:
        X = np.abs(np.where(np.abs(X) > np.median(np.abs(X)), X, 0))  # so that scaling keeps zeros
        return Dataset(
            sparse.csr_array(X), sparse.csr_array(Y), data.feature_names, data.label_names, data.label_values, "sparse"
        )
    return data


@pytest.mark.parametrize("name", METHODS)
@pytest.mark.parametrize("as_sparse", [False, True], ids=["dense", "CSR"])
@pytest.mark.parametrize("n_features", [8, 150], ids=["primal", "dual"])
@pytest.mark.parametrize("scale", [False, True])
def test_scores_are_those_of_an_evaluation(name, as_sparse, n_features, scale):
    data = made(n_features=n_features, as_sparse=as_sparse)
    method = METHODS[name]
    scaler = MaxAbsScaler() if as_sparse else MinMaxScaler()
    piped = make_pipeline(scaler, method) if scale else method
    expected = evaluate(data, {name: piped}, cv=3, seed=1).fits[list(QUICK)]
    found = CrossValidation(data, cv=3, seed=1, scale=scale).scores(method)
    assert list(found) == list(QUICK)
    # A row that is scaled without a shift has other random numbers, and slopes depend on the last digits.
    atol = (0.1 if scale else 0.03) if name == "CDT" else 1e-12
    assert_allclose(found, expected, atol=atol)


@pytest.mark.parametrize("cv", [0.3, [([0, 1, 2, 3, 4, 5, 6, 7, 8, 9], [20, 21, 22])]])
def test_test_rows_need_not_be_all_others(cv):
    data = made()
    expected = evaluate(data, {"CT": METHODS["CT"]}, cv=cv).fits[list(QUICK)]
    assert_allclose(CrossValidation(data, cv=cv).scores(METHODS["CT"]), expected)


def test_any_base_learner_and_measure():
    data = made()
    learner = LogisticRegression(C=0.5)
    expected = evaluate(data, {"CC": ClassifierChain(learner)}, cv=2).fits[["micro_f1"]]
    found = CrossValidation(data, learner, cv=2).scores(ClassifierChain(), ["micro_f1"])
    assert_allclose(found, expected)
    strong = CrossValidation(data, LeastSquares(1e6), cv=2).scores(ClassifierChain())
    assert not np.allclose(strong, CrossValidation(data, cv=2).scores(ClassifierChain()))


def test_labels_of_more_values_have_no_accuracy():
    data = packaged("solar-flare")
    found = CrossValidation(data, cv=2).scores(ClassifierTrellis(random_state=0))
    assert list(found) == ["exact_match", "hamming_score"]
    expected = evaluate(data, {"CT": ClassifierTrellis(random_state=0)}, cv=2).fits
    assert_allclose(found["exact_match"], expected["exact_match"])


def test_the_method_given_stays_as_it_was_and_cancel_is_asked():
    cv, method = CrossValidation(made(), cv=2), ClassifierTrellis(LogisticRegression(), random_state=0)
    cv.scores(method)
    assert isinstance(method.estimator, LogisticRegression)
    assert not hasattr(method, "graph_")
    with pytest.raises(CancelledError):
        cv.scores(method, cancelled=lambda: True)


def test_a_feature_far_larger_in_a_fold_changes_nothing():
    data = made(n_instances=300)
    X, Y = data.arrays()
    X = X.copy()
    X[:6, 0] = 1e9
    outlying = Dataset(X, Y, data.feature_names, data.label_names, data.label_values, "outlying")
    cv = [(np.arange(100, 300), np.arange(100)), (np.arange(200), np.arange(200, 300))]
    expected = evaluate(outlying, {"IC": METHODS["IC"]}, cv=cv).fits[list(QUICK)]
    assert_allclose(CrossValidation(outlying, cv=cv).scores(METHODS["IC"]), expected)


def test_measures_that_take_no_decisions_are_refused_and_a_forest_has_no_base_learner():
    cv = CrossValidation(made(), cv=2)
    with pytest.raises(ValueError, match=r"Got .*measure 'macro_auc', .*expected some"):
        cv.scores(METHODS["IC"], ["macro_auc"])
    assert cv.scores(MultiOutputForest(5, random_state=0)).shape == (2, 3)
