import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from scipy import sparse
from sklearn.linear_model import Ridge

from trellislib.inference import Greedy
from trellislib.labels.graph import LabelGraph
from trellislib.learners import LeastSquares, chain_weights
from trellislib.learners.training_set import TrainingSet


def data(values=2, n_labels=11, n_instances=80, seed=0):
    rng = np.random.default_rng(seed)
    X = rng.standard_normal((n_instances, 4))
    scores = X @ rng.standard_normal((4, n_labels)) + rng.standard_normal((n_instances, n_labels)).cumsum(axis=1)
    return X, np.clip(np.round(scores), 0, values - 1).astype(int)


def fitted(X, Y, order):
    training_set = TrainingSet.of(X, Y)
    return LeastSquares().prepare(training_set).fit(LabelGraph.chain(order)), training_set


@pytest.fixture(params=[1, 3, 64], ids=["panels of 1", "panels of 3", "one panel"])
def panel(request, monkeypatch):
    monkeypatch.setattr(chain_weights, "PANEL", request.param)
    return request.param


@pytest.mark.parametrize("values", [2, 3])
def test_weights_are_ridge_regressions_on_the_labels_before(panel, values):
    X, Y = data(values)
    order = np.random.default_rng(1).permutation(Y.shape[1])
    chain, training_set = fitted(X, Y, order)
    Z, coding = training_set.columns, training_set.coding
    weights = chain.on_inputs.toarray()
    for place, label in enumerate(order):
        before = coding.columns(order[:place])
        for column in coding.columns([label]):
            expected = Ridge(1.0, solver="svd").fit(np.hstack([X, Z[:, before]]), Z[:, column]).coef_
            assert_allclose(weights[column, before], expected[4:], atol=1e-10)
            assert not np.delete(weights[column], before).any()
    assert_allclose(chain.on_inputs @ Z.T, weights @ Z.T, atol=1e-10)
    some = np.array([5, 0, 7])
    assert_array_equal(chain.on_inputs[some], weights[some])
    assert chain.on_inputs.shape == (coding.n_columns, coding.n_columns)


@pytest.mark.parametrize("values", [2, 3])
def test_a_walk_scores_each_label_as_asking_for_it_does(panel, values):
    X, Y = data(values)
    order = np.random.default_rng(2).permutation(Y.shape[1]).tolist()
    chain, training_set = fitted(X, Y, order)
    coding = training_set.coding
    given = chain.given(X)
    greedy = Greedy().infer(given, LabelGraph.chain(order), coding, len(X))
    walk, Z = given.walk(), np.zeros_like(greedy.columns)
    for label in order:
        assert_allclose(walk.scores([label], Z), given.scores([label], greedy.columns), atol=1e-10)
        columns = coding.columns([label])
        Z[columns] = greedy.columns[columns]
    everything = range(coding.n_labels)
    of_path = given.scores(everything, greedy.columns)
    assert_allclose(greedy.walked.scores(everything, greedy.columns), of_path, atol=1e-10)
    assert_array_equal(coding.decide(of_path, everything), greedy.codes)


def test_panels_take_half_of_the_matrix():
    X, Y = data(n_labels=300, n_instances=50)
    chain, _ = fitted(X, sparse.csr_array(Y), range(300))
    kept = sum(panel.size for panel in chain.on_inputs.panels)
    assert kept < 0.65 * 300**2


def test_many_columns_are_stored_in_single_precision(monkeypatch):
    X, Y = data()
    exact, training_set = fitted(X, Y, range(11))
    monkeypatch.setattr(chain_weights, "SINGLE_PRECISION", 5)
    rounded, _ = fitted(X, Y, range(11))
    assert rounded.on_inputs.panels[0].dtype == np.float32
    assert_allclose(rounded.on_inputs.toarray(), exact.on_inputs.toarray(), rtol=1e-6, atol=1e-7)
    chain, coding = LabelGraph.chain(range(11)), training_set.coding
    decided = [Greedy().infer(one.given(X), chain, coding, len(X)).codes for one in (exact, rounded)]
    assert_array_equal(*decided)
