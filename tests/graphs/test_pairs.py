"""All pairs of labels that depend: marginally or beyond the features, directly or by way of others."""

import networkx as nx
import numpy as np
import pytest
from scipy.stats import chi2

from trellislib.data import simulate_label_dag
from trellislib.dependence import residual_gram
from trellislib.graphs import LabelGraph, dependent_pairs, joined_otherwise, strongest_pairs


def without_features(Y):
    return residual_gram(np.empty((len(Y), 0)), Y)


def by_a_shared_feature(n=400):
    """Return a feature, two labels that are the feature with noise of their own, and a label that is neither."""
    rng = np.random.default_rng(0)
    x = rng.standard_normal((n, 1))
    noise = 0.5 * rng.standard_normal((n, 2))
    return x, np.column_stack([x + noise > 0, rng.standard_normal(n) > 0]).astype(int)


def test_dependence_from_a_shared_feature_is_explained_away():
    X, Y = by_a_shared_feature()
    assert dependent_pairs(without_features(Y), level=1e-4).edges == ((0, 1),)
    assert dependent_pairs(residual_gram(X, Y), level=1e-4).edges == ()


@pytest.mark.parametrize("level", [0.001, 0.05, 0.5])
def test_marginal_pairs_are_those_whose_correlation_is_significant(level):
    Y = simulate_label_dag(120, 7, random_state=3).Y.astype(float)
    r = np.corrcoef(Y.T)
    G = -(len(Y) - 1 - (2 + 1) / 2) * np.log(1 - r**2 + np.eye(7))  # 2 n I, with Bartlett's n
    expected = {(i, j) for i in range(7) for j in range(i + 1, 7) if chi2.sf(G[i, j], 1) <= level}
    assert 0 < len(expected) < 21
    assert set(dependent_pairs(without_features(Y.astype(int)), level=level).edges) == expected


def test_edges_point_along_the_order():
    data = simulate_label_dag(300, 6, n_features=4, random_state=1)
    order = [4, 2, 0, 5, 1, 3]
    one, other = (dependent_pairs(without_features(data.Y), way) for way in (None, order))
    assert one.undirected() == other.undirected()
    assert tuple(other.order) == tuple(order)
    assert all(order.index(parent) < order.index(child) for parent, child in other.edges)
    assert all(parent < child for parent, child in one.edges)


@pytest.mark.parametrize("level", [0, 1, -0.1, np.nan])
def test_a_level_is_between_0_and_1(level):
    with pytest.raises(ValueError, match=r"expected .*number .*0 .*1"):
        dependent_pairs(without_features(np.eye(3, dtype=int)), level=level)


@pytest.mark.parametrize("order", [[0, 1], [0, 1, 1], [0, 1, 3]])
def test_an_order_has_each_label_once(order):
    with pytest.raises(ValueError, match=r"expected .*order .*labels 0 .*2"):
        dependent_pairs(without_features(np.eye(3, dtype=int)), order)


def test_causes_of_one_effect_do_not_depend_on_each_other():
    truth = LabelGraph([(), (), (0, 1), (2,)])
    found = LabelGraph.chain([0, 1, 2, 3])
    assert joined_otherwise(found, truth) == ((0, 3), (1, 3))
    common_cause = LabelGraph([(), (0,), (0,)])
    assert joined_otherwise(LabelGraph([(), (), (1,)]), common_cause) == ((1, 2),)


@pytest.mark.parametrize("seed", range(5))
def test_wrong_edges_within_a_tree_are_separate_from_those_between_trees(seed):
    truth = LabelGraph(simulate_label_dag(5, 8, random_state=seed).true_parents)
    paths = nx.Graph(truth.edges)
    paths.add_nodes_from(range(8))
    everything = LabelGraph.chain(truth.order)
    expected = {edge for edge in everything.edges if edge not in truth.edges and nx.has_path(paths, edge[0], edge[1])}
    assert set(joined_otherwise(everything, truth)) == expected
    assert joined_otherwise(truth, truth) == ()


def test_the_strongest_pairs_of_either_kind():
    truth = LabelGraph([(3,), (), (1,), ()])  # edges {0, 3} and {1, 2}
    dependence = np.zeros((4, 4))
    for pair, value in {(0, 1): 0.5, (0, 2): 0.2, (0, 3): 0.1, (1, 2): 0.4, (1, 3): 0.2, (2, 3): 0.9}.items():
        dependence[pair] = dependence[pair[::-1]] = value
    assert strongest_pairs(dependence, truth) == (((1, 2), (0, 3)), ((2, 3), (0, 1)))
    assert strongest_pairs(dependence, truth, 9) == (((1, 2), (0, 3)), ((2, 3), (0, 1), (0, 2), (1, 3)))
    assert strongest_pairs(dependence, LabelGraph.independent(4), 1) == ((), ((2, 3),))


@pytest.mark.parametrize("shape", [(3, 3), (5, 5), (4,), (4, 5)])
def test_strongest_pairs_are_of_the_labels_of_the_graph(shape):
    with pytest.raises(ValueError, match=r"Got dependence .*shape .*, .*expected \(4, 4\)"):
        strongest_pairs(np.zeros(shape), LabelGraph.independent(4))


@pytest.mark.parametrize("n_pairs", [0, -1, 1.5])
def test_a_number_of_strongest_pairs_is_positive(n_pairs):
    with pytest.raises(ValueError, match=r"Got n_pairs=.*, .*expected .*integer .*least 1"):
        strongest_pairs(np.zeros((4, 4)), LabelGraph.independent(4), n_pairs)
