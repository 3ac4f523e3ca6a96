"""The methods with the paper's parameters."""

import numpy as np
import pytest
from numpy.testing import assert_allclose
from scipy import sparse
from sklearn.base import clone
from sklearn.svm import SVC, LinearSVC

from trellislib import GibbsSampling, LeastSquares, Logistic
from trellislib.data import Dataset, simulate_label_dag, simulate_room
from trellislib.paper import EXPERIMENTS, LEARNERS, base_learner, paper_method
from trellislib.paper.learners import METHODS, LinearSVM


@pytest.fixture(scope="module")
def data():
    """Four labels, each the sign of a feature: what every method should learn."""
    X = np.random.default_rng(0).uniform(-1, 1, (80, 5))
    return Dataset(X, (X[:, :4] > 0).astype(np.int8), tuple("abcde"), tuple("pqrs"), (("0", "1"),) * 4, "signs")


def as_sparse(data):
    X, Y = sparse.csr_array(np.maximum(data.X, 0)), sparse.csr_array(data.Y)
    return Dataset(X, Y, data.feature_names, data.label_names, data.label_values, "sparse")


def inner(key, data, learner="fast"):
    return paper_method(key, learner, data).named_steps["method"]


@pytest.mark.parametrize("learner", LEARNERS)
@pytest.mark.parametrize("key", METHODS)
def test_every_method_fits(key, learner, data):
    method = paper_method(key, learner, data)
    assert clone(method).get_params().keys() == method.get_params().keys()
    predicted = clone(method).fit(data.X, data.Y).predict(data.X)
    assert predicted.shape == data.Y.shape
    assert set(np.unique(predicted)) <= {0, 1}
    assert (predicted == data.Y).mean() > 0.9


@pytest.mark.parametrize("key", ["IC", "CT", "CDT"])
def test_sparse_data_are_scaled_sparse(key, data):
    data = as_sparse(data)
    method = paper_method(key, "fast", data).fit(data.X, data.Y)
    scaled = method[:-1].transform(data.X)
    assert sparse.issparse(scaled)
    assert scaled.max() == 1.0


def test_features_go_to_the_unit_interval(data):
    scaled = paper_method("IC", "paper", data).fit(data.X, data.Y)[:-1].transform(data.X)
    assert_allclose([scaled.min(axis=0), scaled.max(axis=0)], np.repeat([[0.0], [1.0]], data.X.shape[1], axis=1))


def test_parameters_of_the_paper(data):
    for key in ("ECC", "EBCC", "EBCC-FS", "EBCC-LEAD", "ECT"):
        ensemble = inner(key, data)
        assert (ensemble.n_estimators, ensemble.voting, ensemble.max_samples) == (10, "hard", 1.0)
    assert inner("MCC", data).n_orders == 10
    gibbs = inner("CDT", data).inference
    assert isinstance(gibbs, GibbsSampling)
    assert (gibbs.n_iterations, gibbs.n_burn_in) == (100, 10)
    for key in ("CT", "CT-HC", "CT-random", "ECT", "CDT"):
        assert (inner(key, data).parents, inner(key, data).width) == ("left-up", None)
    assert [inner(key, data).placement for key in ("CT-HC", "CT-random")] == ["hill-climbing", "random"]
    assert (inner("EBCC-LEAD", data).structure, inner("EBCC-LEAD", data).residuals) == ("lead", "error")
    assert inner("EBCC-FS", data).structure == "fs"


def test_ebcc_has_no_more_members_than_labels(data):
    assert len(paper_method("EBCC", "fast", data).fit(data.X, data.Y).named_steps["method"].estimators_) == 4


def test_seeds_are_left_open(data):
    for key in METHODS:
        given = paper_method(key, "paper", data).get_params()
        assert {value for name, value in given.items() if name.endswith("random_state")} <= {None}


def test_base_learners_by_number_of_labels():
    svm = base_learner("paper", 100)
    assert isinstance(svm, LinearSVC)
    assert (svm.C, svm.loss) == (1.0, "hinge")
    sgd = base_learner("paper", 101)
    assert (sgd.loss, sgd.max_iter) == ("hinge", 100)
    assert isinstance(base_learner("fast", 6), LeastSquares)
    assert isinstance(base_learner("logistic", 6), Logistic)
    with pytest.raises(ValueError, match=r"Got .*base learner 'svm', .*expected .*\['fast'"):
        base_learner("svm", 6)


def test_svm_is_that_of_the_hinge_loss(data):
    """Against libsvm, which like Weka's SMO solves the dual by sequential minimal optimisation."""
    y, signs = data.Y[:, 0], 2 * data.Y[:, 0] - 1

    def objective(svm):
        return 0.5 * (svm.coef_**2).sum() + np.maximum(0, 1 - signs * (data.X @ svm.coef_[0] + svm.intercept_)).sum()

    least = objective(SVC(kernel="linear", C=1.0).fit(data.X, y))
    assert objective(base_learner("paper", 4).set_params(random_state=0).fit(data.X, y)) < 1.01 * least
    assert objective(LinearSVM(C=1.0, random_state=0).fit(data.X, y)) > 1.05 * least  # of the squared hinge


def test_an_svm_that_is_stopped_gives_no_warning():
    rng = np.random.default_rng(0)
    X, y = rng.normal(size=(200, 20)) * 100, rng.integers(2, size=200)
    assert LinearSVM(loss="hinge", max_iter=5, random_state=0).fit(X, y).n_iter_ == 5  # warnings are errors here


def test_sampling_gets_probabilities_from_a_logistic_model(data):
    fitted = paper_method("CDT", "paper", data).fit(data.X, data.Y)
    assert fitted.predict_proba(data.X).shape == data.Y.shape


def test_unknown_method(data):
    with pytest.raises(ValueError, match=r"Got .*method 'CDN', .*expected .*\['IC', .*'MAP'\]"):
        paper_method("CDN", "fast", data)


def test_map_is_for_the_room():
    room = simulate_room(50, width=8, n_sensors=9, random_state=0)
    estimator = paper_method("MAP", "fast", room)
    assert (estimator.room.width, estimator.room.n_sensors) == (8, 9)
    assert estimator.fit(room.X, room.Y).predict(room.X).shape == (50, 64)
    other = simulate_label_dag(n_instances=20, n_labels=5, random_state=0)
    with pytest.raises(ValueError, match=r"Label DAG: MAP takes .*room .*W x W tiles, .*5 labels"):
        paper_method("MAP", "fast", other)


def test_experiments_name_methods_that_there_are():
    for experiment in EXPERIMENTS.values():
        assert set(experiment.methods) <= {*METHODS, "MAP"}
