"""Methods over undirected graphs: CDN and CDT."""

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from sklearn.linear_model import LogisticRegression

from trellislib import (
    ClassifierDependencyTrellis,
    ClassifierTrellis,
    ConditionalDependencyNetwork,
    Exhaustive,
    GibbsSampling,
    IndependentClassifiers,
    ProbabilisticClassifierChain,
)

LOGISTIC = LogisticRegression()


def problem(n_labels=4, n_instances=60, seed=0):
    rng = np.random.default_rng(seed)
    X = rng.standard_normal((n_instances, 3))
    noise = rng.standard_normal((n_instances, n_labels))
    Y = (X @ rng.standard_normal((3, n_labels)) + noise + np.roll(noise, 1, axis=1) > 0).astype(int)
    return X, Y


def test_in_a_network_all_other_labels_are_neighbours():
    fitted = ConditionalDependencyNetwork(inference=GibbsSampling(2, 0)).fit(*problem())
    assert fitted.graph_.neighbours == ((1, 2, 3), (0, 2, 3), (0, 1, 3), (0, 1, 2))


def test_in_a_lattice_they_are_above_below_left_and_right():
    fitted = ClassifierDependencyTrellis(width=3, placement="random", random_state=0).fit(*problem(9))
    cell = np.reshape(fitted.trellis_.order, (3, 3))
    of_middle = {cell[0, 1], cell[1, 0], cell[1, 2], cell[2, 1]}
    assert set(fitted.graph_.neighbours[cell[1, 1]]) == of_middle
    assert set(fitted.graph_.neighbours[cell[0, 0]]) == {cell[0, 1], cell[1, 0]}
    assert set(fitted.graph_.neighbours[cell[1, 2]]) == {cell[0, 2], cell[1, 1], cell[2, 2]}
    assert sorted(map(len, fitted.graph_.neighbours)) == [2] * 4 + [3] * 4 + [4]
    assert len(fitted.graph_.colours) == 2


@pytest.mark.parametrize("parents", ["left-up", "left-up-diagonal", [(-1, 0)]])
def test_a_dependency_trellis_is_a_trellis_without_directions(parents):
    X, Y = problem(6)
    directed = ClassifierTrellis(parents=parents, random_state=4).fit(X, Y)
    undirected = ClassifierDependencyTrellis(parents=parents, random_state=4).fit(X, Y)
    assert undirected.trellis_ == directed.graph_
    assert undirected.graph_ == directed.graph_.undirected()


def test_joint_decisions_need_no_label_without_neighbours():
    fitted = ClassifierDependencyTrellis(LOGISTIC, decide="exact_match", random_state=0).fit(*problem(2))
    assert fitted.predict(problem(2)[0]).shape == (60, 2)


@pytest.mark.parametrize("method", [ConditionalDependencyNetwork, ClassifierDependencyTrellis])
def test_each_conditional_is_fitted_on_features_and_neighbours(method):
    X, Y = problem()
    fitted = method(LOGISTIC, inference=GibbsSampling(2, 0), random_state=0).fit(X, Y)
    for label, neighbours in enumerate(fitted.graph_.neighbours):
        inputs = np.hstack([X, Y[:, list(neighbours)]])
        by_hand = LogisticRegression().fit(inputs, Y[:, label])
        p = fitted.conditionals_.given(X).probabilities((label,), Y.T.astype(float))[0]
        assert_allclose(p, by_hand.predict_proba(inputs)[:, 1], atol=1e-9)


@pytest.mark.parametrize("method", [ConditionalDependencyNetwork, ClassifierDependencyTrellis])
def test_seeds_agree_on_the_marginals_after_many_sweeps(method):
    X, Y = problem()

    def apart(n_sweeps):
        inference = GibbsSampling(n_sweeps, n_sweeps // 10)
        fitted = method(inference=inference, random_state=0).fit(X, Y)
        found = []
        for seed in (1, 2):
            fitted._seed = seed  # of the sweeps alone: the lattice stays
            found.append(fitted.predict_proba(X[:20]))
        return np.abs(found[0] - found[1]).max()

    few, many = apart(20), apart(1000)
    assert many < 0.1
    assert many < few


def test_marginals_are_near_the_exact_ones_of_a_chain():
    X, Y = problem(2, n_instances=200)
    network = ConditionalDependencyNetwork(LOGISTIC, inference=GibbsSampling(800, 100), random_state=0).fit(X, Y)
    chain = ProbabilisticClassifierChain(LOGISTIC, inference=Exhaustive()).fit(X, Y)
    assert np.abs(network.predict_proba(X) - chain.predict_proba(X)).max() < 0.1
    assert np.abs(network.predict_proba(X) - chain.predict_proba(X)).mean() < 0.03


def test_without_neighbours_nothing_is_left_to_chance():
    X, Y = problem(1)
    alone = IndependentClassifiers(LOGISTIC).fit(X, Y)
    for method in (ConditionalDependencyNetwork, ClassifierDependencyTrellis):
        fitted = method(LOGISTIC, inference=GibbsSampling(3, 1), random_state=0).fit(X, Y)
        assert_allclose(fitted.predict_proba(X), alone.predict_proba(X))
        assert_array_equal(fitted.predict(X), alone.predict(X))
