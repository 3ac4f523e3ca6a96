"""Structures on simulated data sets: how near to the truth, and how well a chain predicts with each."""

from dataclasses import replace

import networkx as nx
import numpy as np
import pytest

from trellislib import BayesianClassifierChain, IndependentClassifiers
from trellislib.data import simulate_label_dag, simulate_shapes
from trellislib.data.label_dag import LabelDag
from trellislib.graphs import LabelGraph, fs, lead
from trellislib.structure_comparison import compared_structures, structure_comparison

SETTING = {"n_instances": 150, "n_labels": 5, "n_features": 4}


def table(**more):
    return structure_comparison(2, 80, seed=3, **SETTING, **more)


def test_the_structures_are_those_that_they_are_called():
    data = simulate_label_dag(**SETTING, random_state=1)
    found = compared_structures(data, seed=7)
    assert found["truth"].parents == data.true_parents
    assert found["FS"].parents == fs(data.Y, random_state=7).parents
    for residuals in ("signed", "error"):
        alone = lead(data.X, data.Y, residuals=residuals, random_state=7)
        assert found[f"LEAD ({residuals})"].parents == alone.parents


@pytest.mark.parametrize("seed", range(4))
def test_the_turned_truth_points_away_from_where_fs_and_lead_begin(seed):
    data = simulate_label_dag(150, 9, n_features=4, random_state=seed)
    found = compared_structures(data, seed=seed)
    truth, turned = found["truth"], found["truth, turned"]
    assert turned.undirected() == truth.undirected()
    assert turned.order[0] == found["FS"].order[0] == found["LEAD (signed)"].order[0]
    assert all(len(parents) <= 1 for parents in turned.parents)
    roots = {label for label, parents in enumerate(turned.parents) if not parents}
    trees = nx.connected_components(truth.undirected().to_networkx())
    first = [min(tree, key=found["FS"].order.index) for tree in trees]
    assert roots == set(first)


def test_a_truth_of_several_parents_is_turned_without_a_cycle():
    data = replace(simulate_label_dag(150, 4, n_features=4, random_state=0), true_parents=((), (0,), (0, 1), (0, 2)))
    truth, turned = (compared_structures(data, seed=3)[name] for name in ("truth", "truth, turned"))
    assert turned.undirected() == truth.undirected()


def test_scores_are_counted_anew():
    scores = table().set_index(["data set", "structure"])
    assert len(scores) == 2 * 7
    for number in (3, 4):
        rng = np.random.default_rng(number)
        dag = LabelDag.drawn(5, 4, random_state=rng)
        data, new = dag.simulate(150, rng), dag.simulate(80, rng)
        assert (data.Y == simulate_label_dag(**SETTING, random_state=number).Y).all()
        plain = (IndependentClassifiers().fit(data.X, data.Y).predict(new.X) == new.Y).all(axis=1).mean()
        true = {frozenset(edge) for edge in LabelGraph(data.true_parents).edges}
        for name, graph in compared_structures(data, seed=number).items():
            chain = BayesianClassifierChain(structure=graph).fit(data.X, data.Y)
            exact = (chain.predict(new.X) == new.Y).all(axis=1).mean()
            row = scores.loc[(number, name)]
            found = {frozenset(edge) for edge in graph.edges}
            assert row["exact_match"] == pytest.approx(exact)
            assert row["gain"] == pytest.approx(exact - plain)
            assert row["f"] == pytest.approx(2 * len(true & found) / (len(true) + len(found)))
            assert row["recall"] == pytest.approx(len(true & found) / len(true))


def test_a_strict_level_joins_fewer_pairs():
    data = simulate_label_dag(**SETTING, random_state=1)
    strict, loose = (compared_structures(data, level=level) for level in (1e-6, 0.3))
    for name in ("marginal pairs", "conditional pairs"):
        assert set(strict[name].edges) < set(loose[name].edges)
    assert strict["FS"].parents == loose["FS"].parents


def test_more_data_sets_begin_with_the_same():
    assert structure_comparison(1, 80, seed=3, **SETTING).equals(table().head(7))


def test_a_data_set_without_known_graph_is_refused():
    with pytest.raises(ValueError, match="expected a data set whose graph is known"):
        compared_structures(simulate_shapes(20, random_state=0))


@pytest.mark.parametrize("numbers", [{"n_datasets": 0}, {"n_test": 0}])
def test_numbers_are_positive(numbers):
    with pytest.raises(ValueError, match="expected an integer"):
        structure_comparison(**numbers)


def test_the_source_of_randomness_is_the_seed_alone():
    with pytest.raises(TypeError, match="unexpected keyword argument 'random_state'"):
        structure_comparison(2, 80, random_state=0)
    harder = structure_comparison(1, 80, seed=3, alpha=0.1, sigma2=5.0, **SETTING)
    assert not harder.equals(table().head(7))
