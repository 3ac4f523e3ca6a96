"""Labels simulated from a known graph: the graph's distribution and the model's frequencies."""

from collections import Counter
from dataclasses import replace

import networkx as nx
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.stats import norm
from sentences import alike

from trellislib.data.label_dag import (
    DIFFICULTIES,
    LabelDag,
    _random_parents,
    observed_given_parent,
    probability_given_parent,
    simulate_label_dag,
)


def test_form():
    data = simulate_label_dag(random_state=0)
    assert (data.n_instances, data.n_labels, data.n_features) == (500, 20, 10)
    assert len(data.true_parents) == 20
    assert set(data.label_values) == {("-1", "1")}
    assert set(np.unique(data.Y)) == {0, 1}
    assert abs(data.X.mean()) < 0.1
    assert data.X.std() == pytest.approx(1, abs=0.05)


def test_parents_form_a_forest():
    for seed in range(20):
        parents = simulate_label_dag(n_instances=2, n_labels=12, random_state=seed).true_parents
        graph = nx.DiGraph([(p, label) for label, above in enumerate(parents) for p in above])
        assert nx.is_directed_acyclic_graph(graph)
        assert max(map(len, parents)) <= 1


def test_every_graph_is_equally_likely():
    """Three labels have 4^2 = 16 graphs with at most one parent each and no cycle."""
    rng = np.random.default_rng(0)
    drawn = Counter(tuple(above for _, above in sorted(_random_parents(rng, 3).items())) for _ in range(8_000))
    assert len(drawn) == 16
    assert max(abs(count - 500) for count in drawn.values()) < 4.5 * np.sqrt(500)


def test_there_can_be_several_roots():
    rng = np.random.default_rng(0)
    roots = [sum(above is None for above in _random_parents(rng, 20).values()) for _ in range(2_000)]
    assert min(roots) == 1
    assert np.mean(roots) == pytest.approx(2 * 20 / 21, abs=0.08)


def test_parents_come_first():
    seen = set()
    for label, above in _random_parents(np.random.default_rng(0), 50).items():
        assert above is None or above in seen
        seen.add(label)
    assert seen == set(range(50))


@pytest.mark.parametrize("delta", [0.0, 0.7])
@pytest.mark.parametrize("difficulty", DIFFICULTIES)
def test_frequencies_follow_the_formula(difficulty, delta):
    """With one of 200 features to each label, hardly any label shares its feature with its parent."""
    setting = DIFFICULTIES[difficulty]
    data = simulate_label_dag(40_000, 6, 200, n_ones=1, delta=delta, random_state=2, **setting)
    assert sum(map(len, data.true_parents)) > 0
    for label, above in enumerate(data.true_parents):
        for value in (-1, 1) if above else (0,):
            rows = data.Y[:, above[0]] == (value + 1) // 2 if above else slice(None)
            expected = probability_given_parent(**setting, delta=delta, parent_value=value)
            assert data.Y[rows, label].mean() == pytest.approx(expected, abs=0.015)


def test_a_label_depends_on_exactly_its_ones():
    """Without noise and parents a label is the sign of its features' sum, which a regression shows."""
    data = simulate_label_dag(20_000, 4, 8, n_ones=3, alpha=0.0, sigma2=0.0, random_state=0)
    slopes = data.X.T @ (data.Y - 0.5) / 20_000
    large = np.abs(slopes) > 0.1
    assert (large.sum(axis=0) == 3).all()
    for label in range(4):
        np.testing.assert_array_equal(data.Y[:, label], data.X[:, large[:, label]].sum(axis=1) >= 0)


def test_negative_alpha_parts_label_and_parent():
    data = simulate_label_dag(5_000, 2, 50, alpha=-2.0, random_state=1)
    (pair,) = ((above[0], label) for label, above in enumerate(data.true_parents) if above)
    assert (data.Y[:, pair[0]] == data.Y[:, pair[1]]).mean() < 0.3


def test_a_seed_gives_the_same_data_and_settings_share_graph_and_features():
    easy, again = (simulate_label_dag(random_state=4, **DIFFICULTIES["easy"]) for _ in range(2))
    hard = simulate_label_dag(random_state=4, **DIFFICULTIES["hard"])
    assert easy.digest == again.digest != hard.digest
    assert easy.true_parents == again.true_parents == hard.true_parents
    np.testing.assert_array_equal(easy.X, hard.X)
    assert simulate_label_dag(random_state=5).digest != easy.digest


@pytest.mark.parametrize("n_labels", [1, 2])
def test_few_labels(n_labels):
    data = simulate_label_dag(10, n_labels, random_state=0)
    assert data.Y.shape == (10, n_labels)
    assert () in data.true_parents


def test_probability_by_hand():
    # Q((0 - 1) / sqrt 2) = Phi(0.7071) = 0.7602
    assert probability_given_parent(1, 1, 0, 1) == pytest.approx(0.76025, abs=1e-5)
    assert probability_given_parent(1, 1, 0, -1) == pytest.approx(1 - 0.76025, abs=1e-5)
    assert probability_given_parent(0.5, 3, 0.5, 1) == 0.5


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"n_labels": 0}, "Got n_labels=0, but expected an integer of at least 1."),
        ({"n_instances": 0}, "Got n_instances=0, but expected an integer of at least 1."),
        ({"n_ones": 4, "n_features": 3}, "Got n_ones=4, but expected at most n_features=3."),
        ({"sigma2": -1.0}, "Got sigma2=-1.0, but expected a variance of at least 0."),
        ({"sigma2": np.inf}, "Got sigma2=inf, but expected a finite number."),
        ({"alpha": np.nan}, "Got alpha=nan, but expected a finite number."),
        ({"delta": -np.inf}, "Got delta=-inf, but expected a finite number."),
    ],
)
def test_errors(arguments, message):
    with pytest.raises(ValueError) as error:
        simulate_label_dag(**arguments)
    alike(str(error.value), message)


def test_errors_of_the_probability():
    with pytest.raises(ValueError, match=r"Got parent_value=2, .*expected -1, 1, .*0 .*no parent"):
        probability_given_parent(1, 1, 0, 2)
    with pytest.raises(ValueError, match=r"Got sigma2=-1, .*expected .*variance"):
        probability_given_parent(1, -1, 0, 1)


# What is drawn before the instances, and how labels follow their parents


def chain(*weights, alpha=1.0, sigma2=1.0, delta=0.0):
    """Return labels each of which is the parent of the next, with the features that each depends on."""
    parents = tuple(() if label == 0 else (label - 1,) for label in range(len(weights)))
    return LabelDag(parents, np.array(weights, dtype=bool), alpha, sigma2, delta)


@given(seed=st.integers(0, 1000), n_labels=st.integers(1, 12), n_features=st.integers(1, 6), data=st.data())
@settings(max_examples=30)
def test_the_seed_gives_the_graph_of_the_data(seed, n_labels, n_features, data):
    n_ones = data.draw(st.integers(1, n_features))
    dag = LabelDag.drawn(n_labels, n_features, n_ones, random_state=seed)
    simulated = simulate_label_dag(30, n_labels, n_features, n_ones, random_state=seed)
    assert dag.true_parents == simulated.true_parents
    assert dag.weights.shape == (n_labels, n_features)
    assert (dag.weights.sum(axis=1) == n_ones).all()
    table = observed_given_parent(dag, simulated)
    n_roots = sum(parents == () for parents in dag.true_parents)
    assert len(table) == 2 * n_labels - n_roots
    assert (table.groupby("label")["n"].sum() == 30).all()  # each instance has one value of the parent
    positive = (table["observed"].fillna(0) * table["n"]).groupby(table["label"], sort=False).sum()
    np.testing.assert_allclose(positive, simulated.Y.sum(axis=0))  # the law of total probability, in counts
    assert (table["low"].dropna() <= table["theory"][table["low"].notna()]).all()
    assert (table["high"].dropna() >= table["theory"][table["high"].notna()]).all()


def test_the_weights_are_those_of_the_data():
    """Without noise and parents a label is +1 where its features' sum is not negative."""
    setting = {"n_labels": 5, "n_features": 7, "n_ones": 2, "alpha": 0.0, "sigma2": 0.0, "random_state": 3}
    data = simulate_label_dag(200, **setting)
    np.testing.assert_array_equal(data.Y, data.X @ LabelDag.drawn(**setting).weights.T >= 0)


def test_ancestors_and_shared_features():
    dag = chain([1, 1, 0, 0], [0, 0, 1, 1], [1, 0, 1, 0])
    assert [dag.ancestors(label) for label in range(3)] == [(), (0,), (1, 0)]
    assert [dag.n_shared(2, others) for others in ((), (0,), (1,), (0, 1))] == [0, 1, 1, 2]


def test_observed_by_hand():
    dag = chain([1, 0], [0, 1])
    data = replace(dag.simulate(5), Y=np.array([[1, 1], [1, 1], [1, 0], [0, 0], [0, 0]]))
    table = observed_given_parent(dag, data)
    assert table["label"].to_list() == ["y1", "y2", "y2"]
    assert table["parent"].to_list() == ["", "y1", "y1"]
    assert table["parent value"].to_list() == [0, -1, 1]
    assert table["n"].to_list() == [5, 2, 3]
    assert table["observed"].to_list() == pytest.approx([3 / 5, 0, 2 / 3])
    # Phi(-1/sqrt 2) = 0.23975: of two, one or none is +1 with probability 1 - 0.0575 = 0.94 < 0.95, so two may be
    assert table["theory"].to_list() == pytest.approx([0.5, 0.23975, 0.76025], abs=1e-5)
    assert table[["low", "high"]].iloc[1].to_list() == [0, 1]
    assert table["exact"].all()


def test_a_parent_that_is_never_seen_with_a_value():
    dag = chain([1, 0], [0, 1])
    table = observed_given_parent(dag, replace(dag.simulate(3), Y=np.ones((3, 2), dtype=int)))
    never = table[table["parent value"] == -1].iloc[0]
    assert never["n"] == 0
    assert np.isnan(never[["observed", "low", "high"]].astype(float)).all()


def test_the_formula_is_exact_where_no_ancestor_shares_a_feature():
    apart = chain([1, 0, 0], [0, 1, 0], [0, 0, 1], alpha=0.5, sigma2=0.0)
    table = observed_given_parent(apart, apart.simulate(100_000, random_state=0))
    assert table["exact"].all()
    assert (table["observed"] - table["theory"]).abs().max() < 0.008


def test_a_feature_shared_with_the_grandparent_alone_makes_it_inexact():
    """By hand: given y2 = +1, y1 is +1 with probability Phi(1/2), and y3 then surely; else with 2 Phi(1/2) - 1."""
    dag = chain([1, 0], [0, 1], [1, 0], alpha=0.5, sigma2=0.0)
    table = observed_given_parent(dag, dag.simulate(200_000, random_state=0))
    row = table[(table["label"] == "y3") & (table["parent value"] == 1)].iloc[0]
    phi = norm.cdf(0.5)
    assert row["shared"] == 0
    assert not row["exact"]
    assert row["theory"] == pytest.approx(phi)
    assert row["observed"] == pytest.approx(phi + (1 - phi) * (2 * phi - 1), abs=0.006)


def test_data_of_another_graph():
    with pytest.raises(ValueError, match=r"Label DAG .*other true parents"):
        observed_given_parent(LabelDag.drawn(4, random_state=0), simulate_label_dag(10, 5, random_state=0))
