import pickle

import networkx as nx
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from trellislib.graphs import LabelGraph


@st.composite
def acyclic_parents(draw):
    """Parents of up to eight labels whose edges all follow one drawn order."""
    order = draw(st.permutations(range(draw(st.integers(1, 8)))))
    parents = {label: draw(st.sets(st.sampled_from(order[:i]))) if i else set() for i, label in enumerate(order)}
    return [tuple(parents[label]) for label in range(len(order))], order


def test_edges_levels_neighbours_and_order_by_hand():
    #  3 -> 1 -> 0,  3 -> 0,  1 -> 4, and 2 alone
    graph = LabelGraph([(1, 3), (3,), (), (), (1,)])
    assert graph.n_labels == 5
    assert graph.edges == ((1, 0), (3, 0), (3, 1), (1, 4))
    assert graph.levels == ((2, 3), (1,), (0, 4))
    assert graph.neighbours == ((1, 3), (0, 3, 4), (), (0, 1), (1,))
    assert graph.order == (2, 3, 1, 0, 4)
    assert not graph.is_complete


def test_independent_labels():
    graph = LabelGraph.independent(3)
    assert (graph.edges, graph.levels, graph.order) == ((), ((0, 1, 2),), (0, 1, 2))
    assert not graph.is_complete


def test_a_chain_has_all_labels_before_as_parents():
    graph = LabelGraph.chain([2, 0, 3, 1])
    assert graph.parents == ((2,), (2, 0, 3), (), (2, 0))
    assert graph.order == (2, 0, 3, 1)
    assert graph.levels == ((2,), (0,), (3,), (1,))
    assert graph.is_complete


def test_one_label_is_a_chain_and_independent():
    assert LabelGraph.chain([0]) == LabelGraph.independent(1)
    assert LabelGraph.independent(1).is_complete


@settings(deadline=None, max_examples=80)
@given(acyclic_parents())
def test_levels_are_networkx_generations(drawn):
    parents, order = drawn
    for graph in (LabelGraph(parents), LabelGraph(parents, order)):
        drawing = graph.to_networkx()
        assert nx.is_directed_acyclic_graph(drawing)
        assert sorted(drawing) == list(range(len(parents)))
        assert [sorted(level) for level in nx.topological_generations(drawing)] == [list(of) for of in graph.levels]
        assert all(graph.order.index(parent) < graph.order.index(child) for parent, child in graph.edges)
        assert graph.neighbours == tuple(tuple(sorted(nx.all_neighbors(drawing, node))) for node in range(len(parents)))
        n_pairs = len(parents) * (len(parents) - 1) // 2
        assert graph.is_complete == (drawing.number_of_edges() == n_pairs)


def test_names_are_the_nodes_of_the_drawing():
    drawing = LabelGraph([(), (0,), ()]).to_networkx(["sun", "warm", "1E1"])
    assert set(drawing.nodes) == {"sun", "warm", "1E1"}
    assert list(drawing.edges) == [("sun", "warm")]


def test_numpy_numbers_become_plain_ones():
    graph = LabelGraph.chain(np.array([1, 0]))
    assert {type(label) for label in (*graph.order, *graph.parents[0])} == {int}


@pytest.mark.parametrize(
    ("parents", "message"),
    [
        ([(1,), (0,)], "cycle"),
        ([(1,), (2,), (0,)], "cycle"),
        ([(0,)], "Label 0 got the parents"),
        ([(), (5,)], "Label 1 got the parents"),
        ([(), (-1,)], "Label 1 got the parents"),
        ([(), (0, 0)], "Label 1 got the parents"),
    ],
)
def test_parents_that_make_no_graph_are_refused(parents, message):
    with pytest.raises(ValueError, match=message):
        LabelGraph(parents)


@pytest.mark.parametrize("order", [[0, 1], [0, 1, 1], [0, 1, 3], [0, 1, 2, 2]])
def test_an_order_that_leaves_out_or_repeats_labels_is_refused(order):
    with pytest.raises(ValueError, match="order"):
        LabelGraph([(), (), ()], order)
    with pytest.raises(ValueError, match="expected each"):
        LabelGraph([(), (), ()], order)


@pytest.mark.parametrize("order", [[0, 2], [0, 0], [1, 2], [1], [0, -1], [0, 1, 1], [2, 1, 0, 4], [0, 0, 1, 2]])
def test_a_chain_of_something_else_than_the_labels_is_refused(order):
    with pytest.raises(ValueError, match=rf"the order \({order[0]},.*expected each of {len(order)} labels once"):
        LabelGraph.chain(order)


def test_an_order_against_the_edges_is_refused():
    with pytest.raises(ValueError, match="label 1 before its parent 0"):
        LabelGraph([(), (0,)], [1, 0])


def test_graphs_are_values():
    first, second = LabelGraph([(), (0,)]), LabelGraph([[], [0]])
    assert first.levels == ((0,), (1,))  # what is cached takes no part in comparing
    assert first == second
    assert hash(first) == hash(second)
    assert first != LabelGraph([(), ()])
    assert pickle.loads(pickle.dumps(first)) == first
    with pytest.raises(AttributeError):
        first.order = (1, 0)
