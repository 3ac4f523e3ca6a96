import pickle
import tracemalloc

import networkx as nx
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from trellislib.graphs import trellis
from trellislib.labels.graph import LabelGraph, UndirectedLabelGraph


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


@settings(deadline=None, max_examples=50)
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
    with pytest.raises(ValueError, match=rf"order \({order[0]},.*expected .*{len(order)} labels once"):
        LabelGraph.chain(order)


def test_an_order_against_the_edges_is_refused():
    with pytest.raises(ValueError, match=r"label 1 before .*parent 0"):
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


def test_a_graph_without_its_directions():
    graph = LabelGraph([(1, 3), (3,), (), (), (1,)])
    assert graph.undirected() == UndirectedLabelGraph([(1, 3), (0, 3, 4), (), (0, 1), (1,)])
    assert graph.inputs == graph.parents
    assert LabelGraph.chain([2, 0, 1]).undirected() == UndirectedLabelGraph.complete(3)
    assert LabelGraph.independent(2).undirected() == UndirectedLabelGraph([(), ()])


@st.composite
def undirected_edges(draw):
    """Number of labels, up to nine, and some edges between them, in either direction or both."""
    n_labels = draw(st.integers(2, 9))
    pairs = st.tuples(st.integers(0, n_labels - 1), st.integers(0, n_labels - 1))
    return n_labels, draw(st.lists(pairs.filter(lambda pair: pair[0] != pair[1]), max_size=25))


def test_an_undirected_graph_by_hand():
    #  0 - 2 - 4 - 0,  2 - 1,  and 3 alone
    graph = UndirectedLabelGraph.of_edges(5, [(2, 0), (2, 4), (0, 4), (4, 0), (1, 2)])
    assert graph == UndirectedLabelGraph([[4, 2], {2}, (4, 1, 0, 0), (), [0, 2]])
    assert graph.neighbours == graph.inputs == ((2, 4), (2,), (0, 1, 4), (), (0, 2))
    assert graph.edges == ((0, 2), (0, 4), (1, 2), (2, 4))
    assert graph.n_labels == 5
    assert not graph.is_complete
    assert len(graph.colours) == 3


@settings(deadline=None, max_examples=50)
@given(undirected_edges())
def test_an_undirected_graph_is_networkxs(drawn):
    n_labels, edges = drawn
    expected = nx.Graph(edges)
    expected.add_nodes_from(range(n_labels))
    graph = UndirectedLabelGraph.of_edges(n_labels, edges)
    assert nx.utils.graphs_equal(graph.to_networkx(), expected)
    assert graph.neighbours == tuple(tuple(sorted(expected[label])) for label in range(n_labels))
    assert {frozenset(edge) for edge in graph.edges} == {frozenset(edge) for edge in expected.edges}
    assert len(graph.edges) == expected.number_of_edges()
    assert graph.is_complete == (nx.density(expected) == 1)
    assert UndirectedLabelGraph(graph.neighbours) == graph


@settings(deadline=None, max_examples=50)
@given(undirected_edges())
def test_colours_are_proper_and_few(drawn):
    graph = UndirectedLabelGraph.of_edges(*drawn)
    assert sorted(label for group in graph.colours for label in group) == list(range(graph.n_labels))
    colour_of = {label: colour for colour, group in enumerate(graph.colours) for label in group}
    assert all(colour_of[one] != colour_of[other] for one, other in graph.edges)
    assert all(group and list(group) == sorted(group) for group in graph.colours)
    assert len(graph.colours) <= 1 + max(map(len, graph.neighbours))
    if nx.is_bipartite(graph.to_networkx()):
        assert len(graph.colours) <= 2


@pytest.mark.parametrize(("n_labels", "width"), [(2, 1), (7, 2), (25, 5), (23, 5), (36, 9), (8, 7)])
def test_a_lattice_has_two_colours_wherever_its_labels_stand(n_labels, width):
    for seed in range(20):
        dependence = np.random.default_rng(seed).random((n_labels, n_labels))
        lattice = trellis(dependence + dependence.T, width, "left-up", random_state=seed)
        assert len(lattice.undirected().colours) == 2


@pytest.mark.parametrize("n_labels", [0, 1, 2, 5])
def test_a_complete_graph(n_labels):
    graph = UndirectedLabelGraph.complete(n_labels)
    assert nx.utils.graphs_equal(graph.to_networkx(), nx.complete_graph(n_labels))
    assert graph == UndirectedLabelGraph([set(range(n_labels)) - {label} for label in range(n_labels)])
    assert graph.is_complete
    assert graph.colours == tuple((label,) for label in range(n_labels))


def test_labels_without_edges_have_one_colour():
    assert UndirectedLabelGraph([()] * 3).colours == ((0, 1, 2),)
    assert not UndirectedLabelGraph([()] * 3).is_complete
    assert UndirectedLabelGraph([()]).is_complete


def test_names_are_the_nodes_of_an_undirected_drawing():
    drawing = UndirectedLabelGraph([(1,), (0,), ()]).to_networkx(["sun", "warm", "1E1"])
    assert list(drawing) == ["sun", "warm", "1E1"]
    assert list(drawing.edges) == [("sun", "warm")]


@pytest.mark.parametrize(
    ("neighbours", "message"),
    [
        ([(0,)], r"Label 0 got .*neighbours \(0,\); expected other labels\."),
        ([(), (5,)], r"Label 1 got .*neighbours \(5,\)"),
        ([(), (-1,)], r"Label 1 got .*neighbours \(-1,\)"),
        ([(1,), ()], r"Label 0 .*neighbour 1, .*1 .*not .*0\."),
        ([(), (2,), (1, 0)], r"Label 2 .*neighbour 0, .*0 .*not .*2\."),
    ],
)
def test_neighbours_that_make_no_graph_are_refused(neighbours, message):
    with pytest.raises(ValueError, match=message):
        UndirectedLabelGraph(neighbours)


@pytest.mark.parametrize("edge", [(0, 3), (3, 0), (-1, 0), (0, -1), (1, 1)])
def test_edges_between_something_else_than_two_labels_are_refused(edge):
    with pytest.raises(ValueError, match=rf"edge \({edge[0]}, {edge[1]}\), .*expected two .*3 labels"):
        UndirectedLabelGraph.of_edges(3, [(0, 1), edge])


def test_undirected_graphs_are_values():
    first, second = UndirectedLabelGraph([(1,), (0,)]), UndirectedLabelGraph.of_edges(2, [(np.int64(1), np.int64(0))])
    assert first.edges == ((0, 1),)  # what is cached takes no part in comparing
    assert first == second
    assert hash(first) == hash(second)
    assert {type(label) for label in second.neighbours[0]} == {int}
    assert first != UndirectedLabelGraph([(), ()])
    assert first != LabelGraph([(), (0,)])
    assert pickle.loads(pickle.dumps(first)) == first
    with pytest.raises(AttributeError):
        first.neighbours = ((), ())


def test_a_chain_makes_parents_when_asked_for():
    order = (2, 0, 3, 1)
    chain = LabelGraph.chain(order)
    written = LabelGraph([(2,), (2, 0, 3), (), (2, 0)], order)
    assert chain == written
    assert written == chain
    assert hash(chain) == hash(written)
    assert tuple(chain.parents) == written.parents
    assert chain.parents[1:3] == ((2, 0, 3), ())
    assert repr(chain) == repr(written)
    assert (chain.edges, chain.levels, chain.is_complete) == (written.edges, written.levels, True)
    sets = LabelGraph.chain_of_sets(order)
    assert tuple(sets.parents) == ((2,), (0, 2, 3), (), (0, 2))
    assert sets != chain
    assert sets == LabelGraph.chain_of_sets(list(order))
    with pytest.raises(ValueError, match=r"Got the order \(0, 0\)"):
        LabelGraph.chain_of_sets([0, 0])


def test_a_chain_of_many_labels_takes_little_memory():
    tracemalloc.start()
    LabelGraph.chain(range(20_000))
    _, most = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert most < 2**23  # all parents would take 1.6 GB


@settings(deadline=None, max_examples=50)
@given(acyclic_parents())
def test_children_and_blankets_are_those_of_networkx(drawn):
    parents, order = drawn
    graph = LabelGraph(parents, order)
    drawing = graph.to_networkx()
    moral = nx.moral_graph(drawing)  # a label's blanket is its neighbours where parents of a label are married
    for label in range(graph.n_labels):
        assert graph.children[label] == tuple(sorted(drawing.successors(label)))
        assert graph.markov_blanket(label) == tuple(sorted(moral[label]))


@pytest.mark.parametrize("order", [(0, 1, 2, 3), (3, 1, 0, 2)])
def test_a_blanket_shields_a_label_from_all_others(order):
    #  0 -> 2 <- 1,  2 -> 3, 3 -> 4,  and 5 alone
    graph = LabelGraph([(), (), (0, 1), (2,), (3,), ()])
    assert graph.markov_blanket(2) == (0, 1, 3)
    assert graph.markov_blanket(0) == (1, 2)
    assert graph.markov_blanket(5) == ()
    drawing = graph.to_networkx()
    for label in range(6):
        blanket = set(graph.markov_blanket(label))
        others = set(range(6)) - blanket - {label}
        assert not others or nx.is_d_separator(drawing, {label}, others, blanket)
        for one in blanket:
            assert not nx.is_d_separator(drawing, {label}, {one}, blanket - {one})
    assert LabelGraph.chain(order).markov_blanket(order[0]) == tuple(sorted(order[1:]))


@settings(deadline=None, max_examples=40)
@given(undirected_edges())
def test_in_an_undirected_graph_the_blanket_is_the_neighbours(drawn):
    graph = UndirectedLabelGraph.of_edges(*drawn)
    drawing = graph.to_networkx()
    assert [graph.markov_blanket(label) for label in range(graph.n_labels)] == [
        tuple(sorted(drawing[label])) for label in range(graph.n_labels)
    ]


@pytest.mark.parametrize("graph", [LabelGraph([(), (0,)]), UndirectedLabelGraph([(1,), (0,)])])
@pytest.mark.parametrize("label", [-1, 2])
def test_no_label_no_blanket(graph, label):
    with pytest.raises(ValueError, match=rf"Got .*label {label}, .*expected .*0 .*1"):
        graph.markov_blanket(label)


def test_graphs_of_any_kind_are_pickled_and_earlier_pickles_are_read():
    for graph in (trellis(np.eye(5, dtype=int), width=2), LabelGraph.chain([2, 0, 1]), LabelGraph([(), (0,), (0, 1)])):
        assert graph.levels  # what can be found again is not kept
        again = pickle.loads(pickle.dumps(graph))
        assert again == graph
        assert "levels" not in vars(again)
        assert {type(label) for label in again.order} == {int}
    earlier = object.__new__(LabelGraph)
    earlier.__setstate__({"parents": ((), (0,)), "order": (0, 1)})
    assert earlier == LabelGraph([(), (0,)])
    undirected = object.__new__(UndirectedLabelGraph)
    undirected.__setstate__({"neighbours": ((1,), (0,))})
    assert undirected == UndirectedLabelGraph([(1,), (0,)])
