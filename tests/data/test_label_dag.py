"""Labels simulated from a known graph: the graph's distribution and the model's frequencies."""

from collections import Counter

import networkx as nx
import numpy as np
import pytest

from trellislib.data.label_dag import DIFFICULTIES, _random_parents, probability_given_parent, simulate_label_dag


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
    ],
)
def test_errors(arguments, message):
    with pytest.raises(ValueError) as error:
        simulate_label_dag(**arguments)
    assert str(error.value) == message


def test_errors_of_the_probability():
    with pytest.raises(ValueError, match="Got parent_value=2, but expected -1, 1, or 0 for no parent"):
        probability_given_parent(1, 1, 0, 2)
    with pytest.raises(ValueError, match="Got sigma2=-1, but expected a variance"):
        probability_given_parent(1, -1, 0, 1)
