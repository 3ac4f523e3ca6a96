import time
from importlib import import_module

import networkx as nx
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from scipy import sparse
from scipy.special import chdtri

from trellislib.data import DIFFICULTIES, simulate_label_dag
from trellislib.dependence import LabelEvidence, g_test, information_of_counts, p_values, pair_counts
from trellislib.graphs import fs, grown, mutual_information_tree, recovery
from trellislib.graphs.fs import _n_triangles, _Ratios, grown_from_roots
from trellislib.graphs.tree import prim
from trellislib.running.progress import CancelledError

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


def parents_one_at_a_time(evidence, root, max_parents, level, min_support):
    """The parents that FS finds, with all pairs held and every question asked where it comes up."""
    information, n_labels = evidence.pairs.information, evidence.n_labels
    order, links = prim(information, root)
    significant = g_test(*evidence.pairs, evidence.total) <= level
    together = evidence.frequent(min_support).toarray()
    frequent = together > 0
    n_pairs = max(n_labels * (n_labels - 1) / 2, 1)
    n_triples = max(np.trace(np.linalg.matrix_power(frequent.astype(int), 3)) / 6, 1)

    def in_tree(label):
        return (links[label],) if links[label] != label and significant[links[label], label] else ()

    background = []
    for place, child in enumerate(order):  # fewer labels than are looked at
        others = np.setdiff1d(order[:place], [links[child]])
        gains = evidence.gains(child, others, in_tree(child))
        for other, gain, freedom in zip(others, *gains, strict=True):
            if freedom:
                background.append((child, other, 2 * evidence.total * gain / chdtri(freedom, 0.5)))

    def adds(label, other, given, n_tests):
        gain, freedom = (of[0] for of in evidence.gains(label, [other], given))
        elsewhere = [ratio for child, one, ratio in background if label not in (child, one)]
        inflation = max(np.median(elsewhere), 1) if elsewhere else 1
        return gain if g_test(gain / inflation, freedom, evidence.total) <= level / n_tests else -np.inf

    def one_more(label, before, found):
        seen = [
            one for one in before if significant[label, one] or (frequent[label, one] and frequent[one, found].any())
        ]
        gains = {one: adds(label, one, found, n_pairs) for one in seen if one not in found}
        gains = {one: gain for one, gain in gains.items() if np.isfinite(gain)}
        return [max(gains, key=gains.get)] if gains else []

    def two_more(label, before, found):
        tried = [one for one in before if frequent[label, one] and one not in found]
        tried = sorted(sorted(tried, key=lambda one: -together[label, one])[:20])
        alone = {one: evidence.gains(label, [one], found).information[0] for one in tried}
        doubles = [(one, other) for one in tried for other in tried if frequent[one, other]]
        more = {(one, other): adds(label, other, [*found, one], n_triples) for one, other in doubles}
        joint = {
            (one, other): alone[one] + gain
            for (one, other), gain in more.items()
            if np.isfinite([gain, more[other, one]]).all()
        }
        return list(max(joint, key=joint.get, default=()))

    parents = [()] * n_labels
    for place, label in enumerate(order):
        before, found = sorted(order[:place]), list(in_tree(label))
        while len(found) < max_parents:
            more = one_more(label, before, found)
            if not more and len(found) + 2 <= max_parents:
                more = two_more(label, before, found)
            if not more:
                break
            found += more
        parents[label] = tuple(found)
    return tuple(parents)


@settings(deadline=None, max_examples=50)
@given(st.integers(0, 2**32 - 1), st.integers(2, 3), st.booleans(), st.integers(1, 4), st.sampled_from([0.01, 0.3]))
def test_graphs_of_several_roots_are_those_found_one_at_a_time(seed, n_values, weighted, max_parents, level):
    rng = np.random.default_rng(seed)
    Y = rng.integers(0, n_values, (rng.integers(10, 80), rng.integers(1, 8)))
    for label in range(1, Y.shape[1]):
        Y[:, label] = np.where(rng.random(len(Y)) < rng.random(), Y[:, rng.integers(label)], Y[:, label])
    evidence = LabelEvidence.of(Y, rng.random(len(Y)) if weighted else None)
    graphs = grown_from_roots(evidence, range(Y.shape[1]), max_parents=max_parents, level=level, min_support=0.05)
    for root, graph in enumerate(graphs):
        assert graph == grown(evidence, root=root, max_parents=max_parents, level=level, min_support=0.05)
        assert graph.parents == parents_one_at_a_time(evidence, root, max_parents, level, 0.05)


def test_graphs_of_very_many_labels_are_those_of_few(monkeypatch):
    sets = [(sparse.csr_array(linked(300, 12, seed)), None) for seed in range(4)]
    rng = np.random.default_rng(0)
    sets += [(Y, rng.random(300)) for Y, _ in sets]
    three = rng.integers(0, 3, (400, 9))
    three[:, 5:] = (three[:, 1:5] + (rng.random((400, 4)) < 0.3)) % 3
    sets.append((three, None))
    expected = [grown_from_roots(LabelEvidence.of(Y, weight), range(9)) for Y, weight in sets]
    monkeypatch.setattr("trellislib.dependence.information.WHOLE_LABELS", 0)
    monkeypatch.setattr("trellislib.dependence.evidence.BLOCK", 5)
    monkeypatch.setattr(import_module("trellislib.graphs.fs"), "BLOCK", 5)  # the package has a function of that name
    monkeypatch.setattr("trellislib.dependence.counts.HELD_PAIRS", 0)
    monkeypatch.setattr("trellislib.dependence.counts.HELD_PER_COLUMN", 0)
    assert [grown_from_roots(LabelEvidence.of(Y, weight), range(9)) for Y, weight in sets] == expected


@settings(deadline=None)
@given(st.integers(0, 2**32 - 1), st.integers(0, 12), st.integers(2, 5))
def test_the_median_without_a_label(seed, n_pairs, n_labels):
    rng = np.random.default_rng(seed)
    first = rng.integers(0, n_labels - 1, n_pairs)
    second = rng.integers(first + 1, n_labels)
    values = rng.integers(0, 9, n_pairs) / 7
    ratios = _Ratios(first, second, values, n_labels)
    for label in range(n_labels):
        elsewhere = values[(first != label) & (second != label)]
        assert ratios.median_without(label) == (np.median(elsewhere) if len(elsewhere) else 1)


def test_triangles():
    links = np.triu(np.random.default_rng(0).random((30, 30)) < 0.4, k=1)
    graph = nx.from_numpy_array(links | links.T)
    assert _n_triangles(sparse.csr_array(0.5 * (links | links.T))) == sum(nx.triangles(graph).values()) / 3


@pytest.mark.parametrize("answers", [0, 1, 3, 6])
def test_growth_stops_at_its_limit(answers):
    asked = []

    def cancelled():
        asked.append(None)
        return len(asked) > answers

    with pytest.raises(CancelledError):
        grown_from_roots(LabelEvidence.of(linked()), [0, 3], cancelled=cancelled)
    assert len(asked) == answers + 1


@settings(deadline=None, max_examples=50)
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
