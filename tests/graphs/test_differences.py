"""Where graphs differ, edge by edge, and graphs without their weak edges."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from trellislib.graphs import (
    LabelGraph,
    PairOfLabels,
    Trellis,
    UndirectedLabelGraph,
    edge_differences,
    recovery,
    without_weak_edges,
)


@st.composite
def graphs(draw, most=4):
    """Several graphs over the same labels, directed and not."""
    n_labels = draw(st.integers(1, 6))
    found = {}
    for name in "ABCD"[: draw(st.integers(1, most))]:
        order = draw(st.permutations(range(n_labels)))
        parents = [()] * n_labels
        for place, label in enumerate(order):
            parents[label] = tuple(parent for parent in order[:place] if draw(st.booleans()))
        graph = LabelGraph(parents, order)
        found[name] = graph if draw(st.booleans()) else graph.undirected()
    return found


def reported(graphs, **options):
    return {pair.labels: pair.in_words for pair in edge_differences(graphs, **options)}


def test_two_graphs_by_hand():
    fs, lead = LabelGraph([(), (0,), (1,), (2,)]), LabelGraph([(1,), (), (1,), ()])

    assert reported({"FS": fs, "LEAD": lead}) == {
        (0, 1): "both, reversed",
        (1, 2): "both",
        (2, 3): "FS only",
    }


def test_four_graphs_by_hand():
    graphs = {
        "A": LabelGraph([(), (0,), (0,), (0,)]),
        "B": LabelGraph([(), (0,), (0,), ()]),
        "C": LabelGraph([(1,), (), (), ()]),
        "D": UndirectedLabelGraph([(1, 2), (0,), (0,), ()]),
    }

    assert reported(graphs) == {(0, 1): "all, reversed", (0, 2): "A, B, D", (0, 3): "A only"}
    first, second, third = edge_differences(graphs)
    assert (first.is_in_all, first.is_reversed, first.is_alike) == (True, True, False)
    assert (second.is_in_all, second.is_reversed, second.is_alike) == (False, False, False)
    assert first.directions == {"A": (0, 1), "B": (0, 1), "C": (1, 0), "D": None}
    assert third == PairOfLabels((0, 3), {"A": (0, 3)}, 4)
    assert [first.arrow(name) for name in "ABCD"] == ["→", "→", "←", "—"]
    assert [third.arrow(name) for name in "ABCD"] == ["→", "", "", ""]


def test_an_edge_without_a_direction_is_reversed_by_none():
    graphs = {"A": LabelGraph([(), (0,)]), "B": UndirectedLabelGraph([(1,), (0,)])}

    assert reported(graphs) == {(0, 1): "both"}


def test_one_graph_agrees_with_itself():
    assert reported({"FS": LabelGraph([(), (0,)])}) == {(0, 1): "FS"}


def test_the_strongest_come_first_and_equals_in_the_order_of_labels():
    graph = LabelGraph([(), (0,), (0,), (0, 1)])
    dependence = np.zeros((4, 4))
    dependence[1, 3] = dependence[3, 1] = 0.5

    assert list(reported({"A": graph}, dependence=dependence)) == [(1, 3), (0, 1), (0, 2), (0, 3)]


@settings(deadline=None, max_examples=50)
@given(graphs())
def test_every_pair_is_described_by_its_edges(drawn):
    pairs = edge_differences(drawn)
    undirected = {name: {frozenset(edge) for edge in graph.edges} for name, graph in drawn.items()}

    assert {frozenset(pair.labels) for pair in pairs} == set().union(*undirected.values())
    assert [pair.labels for pair in pairs] == sorted(pair.labels for pair in pairs)
    for pair in pairs:
        one, other = pair.labels
        assert one < other
        assert set(pair.directions) == {name for name, edges in undirected.items() if frozenset(pair.labels) in edges}
        ways = set()
        for name, edge in pair.directions.items():
            graph = drawn[name]
            if isinstance(graph, LabelGraph):
                assert edge in graph.edges
                ways.add(edge)
            else:
                assert edge is None
        assert pair.is_reversed == (ways == {(one, other), (other, one)})


@settings(deadline=None, max_examples=50)
@given(graphs(most=2))
def test_what_is_not_alike_is_the_structural_distance(drawn):
    directed = {name: graph for name, graph in drawn.items() if isinstance(graph, LabelGraph)}
    if len(directed) == 2:
        pairs = edge_differences(directed)
        assert sum(not pair.is_alike for pair in pairs) == recovery(*directed.values()).shd


@pytest.mark.parametrize("graphs", [{}, {"A": LabelGraph([()]), "B": LabelGraph([(), ()])}])
def test_graphs_over_other_labels_are_refused(graphs):
    with pytest.raises(ValueError, match="all over the same labels"):
        edge_differences(graphs)


@settings(deadline=None, max_examples=50)
@given(graphs(most=1), st.floats(0, 1), st.integers(0, 99))
def test_weak_edges_are_taken_out_and_nothing_else(drawn, least, seed):
    graph = next(iter(drawn.values()))
    if isinstance(graph, LabelGraph):
        upper = np.triu(np.random.default_rng(seed).random((graph.n_labels,) * 2), k=1)
        dependence = upper + upper.T
        thinned = without_weak_edges(graph, dependence, least)

        assert thinned.edges == tuple(edge for edge in graph.edges if dependence[edge] >= least)
        assert thinned.order == graph.order


def test_a_trellis_that_loses_nothing_stays_one():
    placed = Trellis([1, 0, 2], 2, [(0, -1)])

    assert without_weak_edges(placed, np.ones((3, 3)), 0.5) is placed
    assert not isinstance(without_weak_edges(placed, np.zeros((3, 3)), 0.5), Trellis)
