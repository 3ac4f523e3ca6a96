import networkx as nx
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import sparse

from trellislib.data import DIFFICULTIES, simulate_label_dag
from trellislib.graphs import LabelGraph, pc, recovery
from trellislib.graphs.pc import directed_throughout
from trellislib.running.progress import CancelledError


def colliders(parents, adjacent):
    """Labels with two parents that share no edge."""
    return {
        (one, label, other)
        for label, of_label in enumerate(parents)
        for one in of_label
        for other in of_label
        if one < other and not adjacent[one, other]
    }


def test_a_collider_keeps_its_direction_whatever_the_root():
    rng = np.random.default_rng(0)
    a, b = rng.integers(0, 2, (2, 1000))
    y = (a | b) ^ (rng.random(1000) < 0.05)
    for root in range(3):
        assert set(pc(np.column_stack([a, y, b]), root=root).edges) == {(0, 1), (2, 1)}


def test_open_edges_lead_away_from_the_root():
    rng = np.random.default_rng(1)
    columns = [rng.integers(0, 3, 1000)]
    for _ in range(3):
        columns.append((columns[-1] + (rng.random(1000) < 0.3)) % 3)
    Y = np.column_stack(columns)
    assert pc(Y, root=0).parents == ((), (0,), (1,), (2,))
    assert pc(Y, root=2).parents == ((1,), (2,), (), (2,))
    assert pc(sparse.csr_array(Y), root=2) == pc(Y, root=2) == pc(np.array(["a", "b", "c"])[Y], root=2)


@st.composite
def half_directed(draw, max_labels=7):
    """A graph of any edges, some of them directed, cycles among them."""
    n_labels = draw(st.integers(1, max_labels))
    ends = draw(st.lists(st.sampled_from("  -><"), min_size=n_labels**2, max_size=n_labels**2))
    directed, undirected = np.zeros((2, n_labels, n_labels), dtype=bool)
    for i in range(n_labels):
        for j in range(i):
            end = ends[i * n_labels + j]
            directed[i, j], directed[j, i] = end == ">", end == "<"
            undirected[i, j] = undirected[j, i] = end == "-"
    return directed, undirected, draw(st.permutations(range(n_labels)))


@settings(deadline=None)
@given(half_directed())
def test_all_edges_remain_without_a_cycle(graph):
    directed, undirected, order = graph
    parents, found = directed_throughout(directed, undirected, order)
    made = LabelGraph(parents, found)
    adjacent = directed | directed.T | undirected
    assert set(made.undirected().edges) == {(i, j) for i, j in np.argwhere(adjacent).tolist() if i < j}


@settings(deadline=None)
@given(half_directed())
def test_the_pattern_of_a_graph_gets_no_new_colliders(graph):
    """Of a directed acyclic graph, take the directions away from all edges that are in no collider."""
    directed, undirected, order = graph
    n_labels = len(order)
    truth = np.triu(directed | directed.T | undirected, 1)
    parents = [np.flatnonzero(truth[:, label]).tolist() for label in range(n_labels)]
    adjacent = truth | truth.T
    kept = np.zeros_like(truth)
    for one, label, other in colliders(parents, adjacent):
        kept[one, label] = kept[other, label] = True
    found, _ = directed_throughout(kept, adjacent & ~kept & ~kept.T, order)
    assert colliders(found, adjacent) == colliders(parents, adjacent)


def test_most_parents():
    rng = np.random.default_rng(2)
    a, b, c = rng.integers(0, 2, (3, 3000))
    y = (2 * a + b + c + rng.integers(0, 2, 3000)) // 3
    Y = np.column_stack([a, b, c, y])
    assert set(pc(Y, root=0).parents[3]) == {0, 1, 2}
    assert pc(Y, root=0, max_parents=1).parents[3] == (0,)


def test_seeds_and_given():
    Y = simulate_label_dag(300, 8, random_state=0).Y
    assert pc(Y, random_state=3) == pc(Y, random_state=3)
    assert len(pc(Y, root=0, max_given=0).edges) >= len(pc(Y, root=0).edges)


def test_few_labels_constants_and_more_labels_than_instances():
    assert pc(np.array([[0], [1]])).parents == ((),)
    assert pc(np.zeros((0, 2), dtype=int)).edges == ()
    assert pc(np.ones((20, 3), dtype=int)).edges == ()
    same = np.repeat([[0, 0, 1], [1, 1, 1]], 20, axis=0)
    assert pc(same, root=0).parents == ((), (0,), ())
    few = np.random.default_rng(0).integers(0, 2, (8, 12))
    assert nx.is_directed_acyclic_graph(pc(few, random_state=0).to_networkx())


@pytest.mark.parametrize("wrong", [{"max_parents": 0}, {"max_given": -1}, {"level": 1}, {"root": 3}])
def test_wrong_arguments(wrong):
    with pytest.raises(ValueError, match=f"Got {next(iter(wrong))}"):
        pc(np.eye(3, dtype=int), **wrong)


@pytest.mark.parametrize(("difficulty", "least"), [("easy", 0.85), ("medium", 0.7), ("hard", 0.3)])
def test_recovery(difficulty, least):
    f = []
    for seed in range(2):
        data = simulate_label_dag(**DIFFICULTIES[difficulty], random_state=seed)
        f.append(recovery(pc(data.Y, random_state=seed), data.true_parents).skeleton_f)
    assert np.mean(f) > least


def test_a_search_that_takes_too_long_is_given_up_in_words():
    Y = np.random.default_rng(0).integers(2, size=(50, 12))
    with pytest.raises(TimeoutError, match=r"12 labels.*fewer labels.*time_limit"):
        pc(Y, time_limit=0.0)


def test_a_search_stops_when_it_is_cancelled():
    answers = iter([False, False, True])
    with pytest.raises(CancelledError):
        pc(np.random.default_rng(0).integers(2, size=(50, 12)), cancelled=lambda: next(answers))
