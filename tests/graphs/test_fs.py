import time

import networkx as nx
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from scipy import sparse

from trellislib.data import DIFFICULTIES, simulate_label_dag
from trellislib.dependence import LabelEvidence, g_test, information_of_counts, p_values, pair_counts
from trellislib.graphs import fs, grown, mutual_information_tree, recovery

codes = st.tuples(st.integers(1, 40), st.integers(1, 6)).flatmap(
    lambda shape: arrays(np.int64, shape, elements=st.integers(0, 2))
)


def noisy(rng, label, share):
    """The label, wrong in that share of the instances."""
    return label ^ (rng.random(len(label)) < share)


def linked(n_instances=600, n_labels=8, seed=0):
    """Labels that depend on earlier ones, no two pairs equally."""
    rng = np.random.default_rng(seed)
    Y = rng.integers(0, 2, (n_instances, n_labels))
    for label in range(1, n_labels):
        Y[:, label] = noisy(rng, Y[:, label // 2], 0.1 + 0.02 * label)
    return Y


@settings(deadline=None, max_examples=60)
@given(codes, st.integers(1, 4), st.integers(0, 99), st.sampled_from([0.01, 0.5]), st.booleans())
def test_any_labels_give_a_graph(Y, max_parents, seed, level, background):
    graph = fs(Y, max_parents=max_parents, level=level, background=background, random_state=seed)
    assert nx.is_directed_acyclic_graph(graph.to_networkx())
    assert max(map(len, graph.parents)) <= max_parents
    assert graph == fs(Y, max_parents=max_parents, level=level, background=background, random_state=seed)
    assert graph == fs(
        sparse.csr_array(Y), max_parents=max_parents, level=level, background=background, random_state=seed
    )


@pytest.mark.parametrize("level", [0.01, 0.3])
def test_one_parent_is_the_tree(level):
    for seed in range(5):
        Y = linked(200, seed=seed)
        counts = pair_counts(Y)
        information = information_of_counts(counts)
        tree = mutual_information_tree(
            information, p_values=p_values(counts, information), level=level, random_state=seed
        )
        assert fs(Y, max_parents=1, level=level, random_state=seed) == tree


def test_the_first_parent_is_the_strongest_before():
    Y = simulate_label_dag(2000, 15, **DIFFICULTIES["easy"], random_state=1).Y
    information = LabelEvidence.of(Y).pairs.information
    graph = fs(Y, background=False, random_state=0)
    assert max(map(len, graph.parents)) > 1
    for place, label in enumerate(graph.order[1:], start=1):
        assert graph.parents[label][0] == max(graph.order[:place], key=lambda one: information[one, label])


@settings(deadline=None, max_examples=15)
@given(st.permutations(range(8)), st.integers(0, 7))
def test_labels_of_another_order_have_the_same_graph(order, root):
    Y = linked()
    graph, other = fs(Y, root=root), fs(Y[:, order], root=order.index(root))
    assert {(order[parent], order[child]) for parent, child in other.edges} == set(graph.edges)
    assert [order[label] for label in other.order] == list(graph.order)


def test_parity_is_seen_by_two_labels_together():
    rng = np.random.default_rng(0)
    a, b, c = rng.integers(0, 2, (3, 400))
    for third in (a ^ b, 1 - (a ^ b)):
        Y = np.column_stack([a, c, noisy(rng, third, 0.1), b])
        evidence = LabelEvidence.of(Y)
        pairs = g_test(*evidence.pairs, evidence.total)[np.triu_indices(4, 1)]
        assert (pairs > 0.01).all()  # nothing is to be seen in pairs
        graph = fs(Y, root=1)
        (child,) = (label for label in range(4) if graph.parents[label])
        assert set(graph.parents[child]) | {child} == {0, 2, 3}
        assert fs(Y, root=1, max_parents=1).edges == ()
        assert fs(Y, root=1, min_support=0.4).edges == ()


def test_parity_given_a_parent():
    rng = np.random.default_rng(1)
    a, b = rng.integers(0, 2, (2, 2000))
    y = np.where(rng.random(2000) < 0.6, a, a ^ b)  # b alone says nothing of y, with a it does
    assert set(fs(np.column_stack([a, b, y]), root=0).edges) in ({(0, 2), (1, 2)}, {(0, 2), (0, 1), (2, 1)})


def test_mutual_exclusion_counts():
    Y = np.zeros((300, 3), dtype=int)
    Y[np.arange(300), np.arange(300) % 3] = 1  # exactly one of three
    assert {frozenset(parents) for parents in fs(Y, root=0).parents} == {frozenset(), frozenset({0}), frozenset({0, 1})}


def test_the_causes_of_a_label_are_tied_by_it_where_one_comes_after():
    rng = np.random.default_rng(2)
    a, b, c = rng.integers(0, 2, (3, 3000))
    y = (a + b + rng.integers(0, 2, 3000)) // 2
    graph = fs(np.column_stack([y, a, b, c]), root=1)
    assert {frozenset(edge) for edge in graph.edges} == {frozenset({0, 1}), frozenset({0, 2}), frozenset({1, 2})}
    assert graph.parents[3] == ()


def test_a_chain_gets_no_shortcuts():
    rng = np.random.default_rng(3)
    columns = [rng.integers(0, 2, 5000)]
    for _ in range(5):
        columns.append(noisy(rng, columns[-1], 0.1))
    graph = fs(np.column_stack(columns), root=2, background=False)
    assert graph.parents == ((1,), (2,), (), (2,), (3,), (4,))


def test_labels_of_more_values():
    rng = np.random.default_rng(4)
    a = rng.integers(0, 3, 400)
    b = (a + (rng.random(400) < 0.2)) % 3
    Y = np.column_stack([a, b, rng.integers(0, 4, 400), (b + (rng.random(400) < 0.2)) % 3])
    assert fs(Y, root=0).parents == ((), (0,), (), (1,))
    names = np.array(["x", "y", "z", "w"])[Y]
    assert fs(names, root=0).parents == ((), (0,), (), (1,))


def test_few_labels_and_instances():
    assert fs(np.array([[0], [1]])).parents == ((),)
    assert fs(np.zeros((0, 3), dtype=int), root=0).parents == ((), (), ())
    same = np.repeat([[0, 0], [1, 1]], 20, axis=0)
    assert fs(same, root=1).parents == ((1,), ())
    assert fs(np.ones((30, 4), dtype=int), root=2).order == (2, 0, 1, 3)
    assert fs(np.random.default_rng(0).integers(0, 2, (6, 30)), random_state=0).n_labels == 30


def test_copies_of_a_label_hang_on_it_and_constants_alone():
    rng = np.random.default_rng(5)
    a = rng.integers(0, 2, 100)
    assert fs(np.column_stack([a, a, np.ones(100, int), a]), root=1).parents == ((1,), (), (), (1,))


def test_weights_count_instances_that_many_times():
    rng = np.random.default_rng(6)
    Y, times = linked(150, 5), rng.integers(0, 5, 150)
    assert fs(Y, root=0, sample_weight=times) == fs(np.repeat(Y, times, axis=0), root=0)


def test_seeds_give_different_roots_and_the_same_graph_twice():
    Y = linked()
    assert len({fs(Y, random_state=seed).order[0] for seed in range(12)}) > 4
    evidence = LabelEvidence.of(Y)
    assert all(grown(evidence, root=root) == fs(Y, root=root) for root in range(8))


@pytest.mark.parametrize(
    "wrong", [{"max_parents": 0}, {"level": 0}, {"level": 1.0}, {"min_support": 0}, {"root": 8}, {"sample_weight": [1]}]
)
def test_wrong_arguments(wrong):
    with pytest.raises(ValueError, match=f"Got {next(iter(wrong))}"):
        fs(linked(), **wrong)


@pytest.mark.parametrize(("difficulty", "least"), [("easy", 0.94), ("medium", 0.82), ("hard", 0.42)])
def test_recovery(difficulty, least):
    f = []
    for seed in range(6):
        data = simulate_label_dag(**DIFFICULTIES[difficulty], random_state=seed)
        f.append(recovery(fs(data.Y, random_state=seed), data.true_parents).skeleton_f)
    assert np.mean(f) > least


def test_the_background_keeps_what_the_features_have_in_common_out():
    f = {True: [], False: []}
    for seed in range(3):
        data = simulate_label_dag(2000, **DIFFICULTIES["easy"], random_state=seed)
        for background, values in f.items():
            graph = fs(data.Y, background=background, random_state=seed)
            values.append(recovery(graph, data.true_parents).skeleton_f)
    assert np.mean(f[True]) > 0.94
    assert np.mean(f[False]) < 0.75


def test_a_thousand_sparse_labels_take_seconds():
    rng = np.random.default_rng(7)
    topics = rng.integers(0, 50, 4000)
    columns = (topics[:, None] * 20 + rng.integers(0, 20, (4000, 10))).ravel()
    rows = np.repeat(np.arange(4000), 10)
    Y = sparse.coo_array((np.ones(40000, dtype=int), (rows, columns)), shape=(4000, 1000)).tocsr()
    Y.data[:] = 1
    started = time.perf_counter()
    graph = fs(Y, root=0)
    assert time.perf_counter() - started < 20
    assert np.mean([parent // 20 == child // 20 for parent, child in graph.edges]) > 0.9
