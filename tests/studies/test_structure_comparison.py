"""Structures on simulated data sets: how near to the truth, and how well a chain predicts with each."""

from dataclasses import replace

import networkx as nx
import numpy as np
import pandas as pd
import pytest
from scipy.stats import ttest_rel

from trellislib import BayesianClassifierChain, IndependentClassifiers
from trellislib.data import simulate_label_dag, simulate_shapes
from trellislib.data.label_dag import LabelDag
from trellislib.graphs import LabelGraph, fs, lead
from trellislib.studies.structure_comparison import compared_structures, nearest_lead, structure_comparison

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
    truth, turned = found["truth"], found["turned truth"]
    assert turned.undirected() == truth.undirected()
    assert turned.order[0] == found["FS"].order[0] == found["LEAD (signed)"].order[0]
    assert all(len(parents) <= 1 for parents in turned.parents)
    roots = {label for label, parents in enumerate(turned.parents) if not parents}
    trees = nx.connected_components(truth.undirected().to_networkx())
    first = [min(tree, key=found["FS"].order.index) for tree in trees]
    assert roots == set(first)


def test_a_truth_of_several_parents_is_turned_without_a_cycle():
    data = replace(simulate_label_dag(150, 4, n_features=4, random_state=0), true_parents=((), (0,), (0, 1), (0, 2)))
    truth, turned = (compared_structures(data, seed=3)[name] for name in ("truth", "turned truth"))
    assert turned.undirected() == truth.undirected()


def test_scores_are_computed_again():
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
    with pytest.raises(ValueError, match=r"expected .*data set .*graph .*known"):
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


F = {"truth": 1.0, "turned truth": 1.0, "pairs": 0.4, "FS": 0.8, "LEAD": 0.9}
EACH = np.array([1.0, 5.0, -2.0, 8.0])  # data sets differ more than structures


def of_gains(**gains):
    """Return a table of structures, each with its gains on every data set; the truth gains most."""
    of_each = {"truth": [9.0] * len(gains["FS"]), "turned truth": [9.0] * len(gains["FS"])} | gains
    return pd.DataFrame(
        [(number, name, F[name], gain) for name, of in of_each.items() for number, gain in enumerate(of)],
        columns=["data set", "structure", "f", "gain"],
    )


def test_the_nearest_is_compared_with_every_other():
    pairs, by_fs, by_lead = EACH + np.array([0.5, -0.5, 0.2, 0.1]), EACH, EACH + np.array([0.9, 0.7, 0.4, 0.5])
    lead = nearest_lead(of_gains(pairs=pairs, FS=by_fs, LEAD=by_lead))
    assert lead.nearest == "LEAD"
    assert list(lead.over.index) == ["pairs", "FS"]  # the better first
    assert lead.over["gain"].to_list() == pytest.approx([0.55, 0.625])
    assert lead.over["error"].to_list() == pytest.approx([np.std(by_lead - of, ddof=1) / 2 for of in (pairs, by_fs)])
    less, more = sorted(ttest_rel(by_lead, of).pvalue for of in (pairs, by_fs))
    assert sorted(lead.over["p"]) == pytest.approx([2 * less, max(more, 2 * less)])


@pytest.mark.parametrize(
    ("beside_fs", "beside_pairs", "ahead_of", "behind"),
    [
        ([0.4, 0.6, 0.5, 0.5], [0.8, 0.9, 0.9, 0.8], ["FS", "pairs"], []),
        ([0.4, 0.6, 0.5, 0.5], [2.0, -2.0, 1.0, -0.6], ["FS"], []),
        ([-0.4, -0.6, -0.5, -0.5], [0.8, 0.9, 0.9, 0.8], ["pairs"], ["FS"]),
        ([2.0, -2.0, 1.0, -0.6], [1.0, -1.0, 1.0, -1.0], [], []),
    ],
)
def test_the_nearest_leads_or_not(beside_fs, beside_pairs, ahead_of, behind):
    lead = nearest_lead(of_gains(FS=EACH - beside_fs, pairs=EACH - beside_pairs, LEAD=EACH))
    assert (set(lead.ahead_of), lead.behind) == (set(ahead_of), behind)
    assert (lead.is_ahead, lead.is_behind) == (len(ahead_of) == 2, bool(behind))


def test_many_others_must_be_beaten_more_clearly():
    """Beside one other p is 0.040; beside two, of which the second is as near, 0.080."""
    step = [1.0, 1.0, 1.0, 2.8]
    assert 0.025 < ttest_rel(EACH + step, EACH).pvalue < 0.05
    assert nearest_lead(of_gains(FS=EACH, LEAD=EACH + step)).is_ahead
    assert not nearest_lead(of_gains(FS=EACH, pairs=EACH, LEAD=EACH + step)).ahead_of


def test_one_data_set_shows_no_lead():
    lead = nearest_lead(of_gains(FS=[0.0], LEAD=[1.0]))
    assert lead.over["p"].to_list() == [1.0]
    assert (lead.is_ahead, lead.is_behind) == (False, False)


def test_one_found_structure_leads_nothing():
    with pytest.raises(ValueError, match=r"Got FS next .*truth, .*expected .*least two"):
        nearest_lead(of_gains(FS=EACH))
