"""Label graphs at shared positions."""

import numpy as np
import plotly.graph_objects as go
import pytest
from numpy.testing import assert_array_equal

from trellislib.figures import DRAWN_EDGES, GROUP_STYLES, drawn_edges, graph_figure, graph_positions
from trellislib.figures.arrows import PALE
from trellislib.figures.graph import APART, FAR, FAR_LABELS, NAMED_NODES, NAMED_OF_MANY
from trellislib.figures.style import ACCENT, CO_OCCURRENCE, EXCLUSION, NEITHER, NEUTRAL
from trellislib.graphs import LabelGraph, UndirectedLabelGraph


def dependence(n, seed=0):
    upper = np.triu(np.random.default_rng(seed).random((n, n)), k=1)
    return upper + upper.T


def drawn(graph, n=4, **options):
    names = options.pop("names", [f"label {j}" for j in range(n)])
    positions = options.pop("positions", graph_positions(dependence(n)))
    return graph_figure(graph, names, positions, dependence(n), **options)


def edges(figure, positions):
    """Return the edges that are drawn, with their colour, dash, opacity and whether they have a head."""
    place = {tuple(at): label for label, at in enumerate(positions)}
    found = {}
    for trace in figure.data[:-2]:
        points = list(zip(trace.x, trace.y, trace.marker.size, strict=True))
        for start, stop, end in zip(points[::3], points[1::3], points[2::3], strict=True):
            assert end[0] is None
            style = (trace.line.color, trace.line.dash, trace.opacity, stop[2] > 0)
            found[place[start[:2]], place[stop[:2]]] = style
    return found


@pytest.mark.parametrize("n", [0, 1, 2, 14, 40])
def test_positions_are_places_of_their_own(n):
    positions = graph_positions(dependence(n))

    assert positions.shape == (n, 2)
    assert ((positions >= 0) & (positions <= 1)).all()
    assert len(np.unique(positions.round(4), axis=0)) == n
    assert_array_equal(positions, graph_positions(dependence(n)), "the same every time")


@pytest.mark.parametrize("information", [np.zeros((5, 5)), np.ones((5, 5))])
def test_positions_without_a_structure_to_show(information):
    assert np.isfinite(graph_positions(information)).all()


@pytest.mark.parametrize("n", [6, 150])
def test_labels_around_a_hub_keep_a_distance(n):
    information = 0.01 * dependence(n)
    information[0, 1:] = information[1:, 0] = 1.0
    positions = graph_positions(information)
    distance = np.linalg.norm(positions[:, None] - positions, axis=2) + np.eye(n)

    assert distance.min() > 0.5 * APART / np.sqrt(n)


def test_names_are_on_the_same_side_in_all_graphs_that_are_compared():
    positions = np.array([[0.5, 0.5], [0.5, 1.0], [0.5, 0.0]])
    up, down = LabelGraph([(), (0,), ()]), LabelGraph([(), (), (0,)])

    def side(graph, *others):
        return drawn(graph, 3, positions=positions, others=others).data[-1].textposition[0]

    assert side(up) == "bottom center"
    assert side(down) == "top center"
    assert side(up, down) == side(down, up) == "middle right"


def test_labels_that_depend_lie_near():
    information = np.eye(6, k=1) + np.eye(6, k=-1)
    positions = graph_positions(information)
    distance = np.linalg.norm(positions[:, None] - positions, axis=2)

    assert distance[0, 1] < distance[0, 3] < distance[0, 5]


def test_of_too_many_labels_the_dependent_ones_are_drawn():
    information = np.zeros((6, 6))
    information[1, 4] = information[4, 1] = 1.0
    information[0, 2] = information[2, 0] = 0.5
    positions = graph_positions(information, most=3)

    assert np.isfinite(positions).all(axis=1).tolist() == [True, True, False, False, True, False]
    graph = LabelGraph([(), (4,), (0,), (), (), (1,)])
    figure = drawn(graph, 6, positions=positions)
    assert list(edges(figure, positions)) == [(4, 1)]
    assert len(figure.data[-1].x) == 3


def test_an_arrow_for_each_edge_in_the_colour_of_its_sign():
    graph = LabelGraph([(), (0,), (1,), (0, 2)])
    signs = np.zeros((4, 4))
    signs[0, 1], signs[1, 2] = 0.5, -0.5
    found = edges(drawn(graph, signs=signs), graph_positions(dependence(4)))

    assert set(found) == set(graph.edges)
    assert found[0, 1][:2] == (CO_OCCURRENCE, "solid")
    assert found[1, 2][:2] == (EXCLUSION, "6px,4px")
    assert found[0, 3][:2] == (NEITHER, "solid")
    assert all(style[3] for style in found.values())


def test_edges_that_the_other_graph_has_not_stand_back():
    graph, other = LabelGraph([(), (0,), (1,), ()]), LabelGraph([(1,), (), (), (0,)])
    figure = drawn(graph, others=[other])
    found = edges(figure, graph_positions(dependence(4)))

    assert found[0, 1][2] == 1.0, "whatever its direction"
    assert found[1, 2][2] == PALE
    assert [text.split("<br>")[-1] for text in figure.data[-2].hovertext] == ["in both", "here only"]


def test_an_undirected_graph_has_no_heads():
    graph = UndirectedLabelGraph([(1,), (0, 2), (1,), ()])
    figure = drawn(graph)

    assert not any(style[3] for style in edges(figure, graph_positions(dependence(4))).values())
    assert all(part in figure.data[-1].hovertext[1] for part in ("label 1", "neighbours: label 0, label 2"))


def test_names_are_shown_as_they_are_written():
    nodes = drawn(LabelGraph([(), (0,)]), 2, names=["<b>$x$</b>", "a name that is far too long"]).data[-1]

    assert nodes.text[0] == "&lt;b&gt;&#36;x&#36;&lt;/b&gt;"
    assert nodes.text[1].endswith("…")
    assert nodes.hovertext[1].startswith("a name that is far too long<br>")
    assert nodes.hovertext[1].endswith("&lt;b&gt;&#36;x&#36;&lt;/b&gt;")


def test_of_many_labels_the_most_connected_are_named():
    n = NAMED_NODES + 1
    parents = [(n - 1,)] * (n - 1) + [()]
    positions = np.random.default_rng(0).random((n, 2))
    nodes = drawn(LabelGraph(parents), n, positions=positions).data[-1]

    assert sum(bool(text) for text in nodes.text) == NAMED_OF_MANY
    assert nodes.text[n - 1]


def test_a_graph_without_edges_is_drawn():
    assert "no parents" in drawn(LabelGraph.independent(3), 3).data[-1].hovertext[0]


def test_a_pair_is_as_thick_in_every_graph_over_the_same_labels():
    def width(graph, edge):
        place = [tuple(at) for at in graph_positions(dependence(4))]
        ends = {place[edge[0]], place[edge[1]]}
        traces = drawn(graph).data[:-2]
        return next(trace.line.width for trace in traces if ends <= set(zip(trace.x, trace.y, strict=True)))

    information = dependence(4)
    pairs = sorted((information[i, j], j, i) for i in range(4) for j in range(i))
    (_, *weak), (_, *strong) = pairs[0], pairs[-1]
    parents = [[] for _ in range(4)]
    parents[weak[1]].append(weak[0])
    alone = LabelGraph(parents)
    parents[strong[1]].append(strong[0])
    beside = LabelGraph(parents)
    assert width(alone, weak) == width(beside, weak) < width(beside, strong)


def test_names_stand_where_no_edge_leaves():
    # A cross: the middle label has edges to all sides but the bottom one; at the borders names go no further out.
    positions = np.array([[0.5, 0.5], [0.5, 1.0], [0.0, 0.5], [1.0, 0.5]])
    figure = drawn(LabelGraph([(), (0,), (0,), (0,)]), positions=positions)
    sides = figure.data[-1].textposition
    assert sides[0] == "bottom center"
    assert sides[1] == "top center"
    assert "left" not in sides[2]
    assert "right" not in sides[3]


def test_an_edge_of_several_graphs_shows_their_number():
    graph = LabelGraph([(), (0,), (1,), (2,)])
    others = [LabelGraph([(1,), (), (1,), ()]), UndirectedLabelGraph([(1,), (0,), (), ()])]
    figure = drawn(graph, others=others)

    assert [text.split("<br>")[-1] for text in figure.data[-2].hovertext] == ["in all 3", "in 2 of 3", "here only"]
    opacity = {edge: style[2] for edge, style in edges(figure, graph_positions(dependence(4))).items()}
    assert opacity == {(0, 1): 1.0, (1, 2): 1.0, (2, 3): PALE}


def test_all_but_a_selected_label_and_its_neighbours_stand_back():
    graph = LabelGraph([(), (0,), (1,), (2,)])
    figure = drawn(graph, others=[LabelGraph.independent(4)], selected=1)
    *arrows, middles, far, near = figure.data
    opacity = {
        edge: style[2]
        for edge, style in edges(go.Figure([*arrows, middles, near]), graph_positions(dependence(4))).items()
    }

    assert opacity == {(0, 1): 1.0, (1, 2): 1.0, (2, 3): FAR}
    assert (list(far.customdata), far.opacity) == ([3], FAR_LABELS)
    assert (list(near.customdata), near.opacity) == ([0, 1, 2], None)
    assert near.marker.size[1] > near.marker.size[0]
    assert (near.marker.color[1], near.marker.line.width[1]) == (ACCENT, 3)


def test_a_selected_label_without_a_place_is_not_drawn():
    positions = graph_positions(dependence(4), labels=[1, 2])
    figure = drawn(LabelGraph([(), (0,), (1,), ()]), positions=positions, selected=0)

    assert list(figure.data[-1].customdata) == [1]
    assert list(figure.data[-2].customdata) == [2]


def test_a_click_on_a_label_lets_no_other_fade():
    figure = drawn(LabelGraph([(), (0,), (1,), (2,)]), selected=0)

    assert {trace.unselected.marker.opacity for trace in figure.data} == {1}
    assert figure.data[-1].customdata == (0, 1)


def test_groups_have_a_colour_and_a_shape():
    figure = drawn(LabelGraph.independent(4), groups=[1, 0, -1, len(GROUP_STYLES)])
    styles = list(zip(figure.data[-1].marker.color, figure.data[-1].marker.symbol, strict=True))

    assert styles == [GROUP_STYLES[1], GROUP_STYLES[0], (NEUTRAL, "circle"), (NEUTRAL, "circle")]
    assert "community 2" in figure.data[-1].hovertext[0]
    assert "community" not in figure.data[-1].hovertext[2]
    colors, symbols = zip(*GROUP_STYLES, strict=True)
    assert len(set(colors)) == len(set(symbols)) == len(GROUP_STYLES)
    assert not {CO_OCCURRENCE, EXCLUSION, NEITHER} & set(colors)


def test_only_some_labels_can_be_placed():
    information = dependence(9)
    positions = graph_positions(information, labels=[7, 2, 5])

    assert np.flatnonzero(np.isfinite(positions[:, 0])).tolist() == [2, 5, 7]
    assert_array_equal(positions[[2, 5, 7]], graph_positions(information[np.ix_([2, 5, 7], [2, 5, 7])]))
    assert np.isnan(graph_positions(information, labels=[])).all()
    assert_array_equal(graph_positions(information, labels=[3])[3], [0.5, 0.5])


def test_of_too_many_edges_the_strongest_are_drawn_and_those_of_the_selected_label():
    n = 30
    information, positions = dependence(n), graph_positions(dependence(n))
    complete = LabelGraph.chain(range(n))
    weakest = min(complete.edges, key=lambda edge: information[edge])
    strongest = sorted(complete.edges, key=lambda edge: -information[edge])[:DRAWN_EDGES]

    assert set(edges(drawn(complete, n, positions=positions), positions)) == set(strongest)
    selected = drawn(complete, n, positions=positions, selected=weakest[0])
    assert len(selected.data[-3].hovertext) > DRAWN_EDGES
    reported = drawn_edges(complete, positions, information, selected=weakest[0])
    assert set(reported) == set(strongest) | {edge for edge in complete.edges if weakest[0] in edge}


def test_of_many_labels_communities_lie_apart():
    n, group = 45, np.arange(45) // 15
    information = 0.02 * dependence(n) + 0.5 * dependence(n, seed=1) * (group[:, None] == group)
    places = graph_positions(information)
    away = np.linalg.norm(places[:, None] - places, axis=2)
    same = group[:, None] == group

    assert away[~same].mean() > 1.6 * away[same & ~np.eye(n, dtype=bool)].mean()


def test_the_strongest_edges_are_drawn_up_to_a_number():
    complete = LabelGraph([tuple(range(label)) for label in range(10)])
    figure = drawn(complete, 10, most_edges=7)
    information = dependence(10)
    strongest = sorted(complete.edges, key=lambda edge: -information[edge])[:7]

    assert len(figure.data[-2].hovertext) == 7
    assert set(drawn_edges(complete, graph_positions(information), information, most=7)) == set(strongest)
