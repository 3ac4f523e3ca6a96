import numpy as np
import pytest
from sentences import has_line

from trellislib.figures import trellis_figure
from trellislib.figures.arrows import THICKNESS
from trellislib.figures.lattice import (
    CHILD,
    CO_PARENT,
    DRAWN_EDGES,
    ITSELF,
    MARKED_CELLS,
    MOVED,
    NAMED_CELLS,
    NEIGHBOUR,
    PARENT,
    WEIGHED_EDGES,
)
from trellislib.figures.style import CO_OCCURRENCE, EXCLUSION, NEITHER
from trellislib.graphs import PATTERNS, Trellis, parse_pattern


def placed(order, width, pattern="left-up"):
    return Trellis(order, width, parse_pattern(pattern))


def dependence(n, seed=0):
    upper = np.triu(np.random.default_rng(seed).random((n, n)), k=1)
    return upper + upper.T


def names(n):
    return [f"label {j}" for j in range(n)]


def arrows(figure):
    """Return the edges that are drawn: (start, stop) as (row, column), with colour, dash and width."""
    found = {}
    for trace in figure.data[:-2]:
        points = list(zip(trace.y, trace.x, trace.marker.size, strict=True))
        path = []
        for row, column, head in points:
            if row is None:
                found[path[0], path[-1]] = (trace.line.color, trace.line.dash, trace.line.width)
                path = []
                continue
            path.append((row, column))
            assert head == 0 or head > 8
        assert not path
    return found


def n_heads(figure):
    return sum(size > 0 for trace in figure.data[:-2] for size in trace.marker.size)


@pytest.mark.parametrize("pattern", PATTERNS)
@pytest.mark.parametrize(("n", "width"), [(1, 1), (2, 1), (7, 3), (14, 4), (14, 14), (20, 1)])
def test_one_arrow_for_each_edge(pattern, n, width):
    trellis = placed(list(np.random.default_rng(3).permutation(n)), width, pattern)
    figure = trellis_figure(trellis, names(n), dependence(n))

    assert set(arrows(figure)) == {(trellis.positions[one], trellis.positions[other]) for one, other in trellis.edges}
    assert n_heads(figure) == len(trellis.edges)
    assert len(figure.data[-2].hovertext or ()) == len(trellis.edges)


def test_labels_stand_where_they_were_placed():
    trellis = placed([3, 0, 4, 1, 2], 2)
    figure = trellis_figure(trellis, names(5), dependence(5))
    nodes = figure.data[-1]

    assert list(zip(nodes.y, nodes.x, strict=True)) == [(0, 1), (1, 1), (2, 0), (0, 0), (1, 0)]
    assert {(box.y, box.x): box.text for box in figure.layout.annotations} == {
        (0, 0): "label 3",
        (0, 1): "label 0",
        (1, 0): "label 4",
        (1, 1): "label 1",
        (2, 0): "label 2",
    }
    assert figure.layout.yaxis.range[0] > figure.layout.yaxis.range[1], "the first row is at the top"


def test_dash_and_colour_by_sign():
    trellis = placed([0, 1, 2, 3], 2)
    signs = np.zeros((4, 4))
    signs[0, 1] = signs[1, 0] = 0.4
    signs[0, 2] = signs[2, 0] = -0.2
    figure = trellis_figure(trellis, names(4), dependence(4), signs=signs)
    drawn = {edge: style[:2] for edge, style in arrows(figure).items()}

    assert drawn[(0, 0), (0, 1)] == (CO_OCCURRENCE, "solid")
    assert drawn[(0, 0), (1, 0)][0] == EXCLUSION
    assert drawn[(0, 0), (1, 0)][1] not in (None, "solid")
    assert drawn[(0, 1), (1, 1)] == (NEITHER, "solid")
    texts = figure.data[-2].hovertext
    assert sum("co-occur" in text for text in texts) == 1
    assert sum("exclude" in text for text in texts) == 1


def test_without_signs_no_edge_is_signed():
    drawn = arrows(trellis_figure(placed([0, 1, 2, 3], 2), names(4), dependence(4)))

    assert {style[:2] for style in drawn.values()} == {(NEITHER, "solid")}


def test_thickness_grows_with_dependence():
    information = np.array([[0, 1.0, 0.05], [1.0, 0, 0.5], [0.05, 0.5, 0]])
    drawn = arrows(trellis_figure(placed([0, 1, 2], 3), names(3), information))
    width = {edge: style[2] for edge, style in drawn.items()}

    assert width[(0, 0), (0, 1)] == THICKNESS[-1]
    assert width[(0, 1), (0, 2)] == THICKNESS[2]


def test_no_dependence_is_drawn_thin():
    drawn = arrows(trellis_figure(placed([0, 1, 2, 3], 2), names(4), np.zeros((4, 4))))

    assert {style[2] for style in drawn.values()} == {THICKNESS[0]}
    assert len(drawn) == 4


def test_edges_past_a_cell_are_bent_around_it():
    trellis = placed([0, 1, 2], 3, [(0, -2), (0, -1)])
    (trace,) = trellis_figure(trellis, names(3), np.ones((3, 3))).data[:-2]
    rows = [row for row in trace.y if row is not None]

    assert max(map(abs, rows)) > 0.2


def test_weights_and_names_on_hover():
    information = np.array([[0, 0.1234, 0.001], [0.1234, 0, 0.02], [0.001, 0.02, 0]])
    trellis = placed([0, 1, 2], 2)
    figure = trellis_figure(trellis, ["<b>", "$x$", "c"], information)
    weights, nodes = figure.data[-2:]

    assert dict(zip(trellis.edges, weights.text, strict=True)) == {(0, 1): "0.12", (0, 2): "0.001"}
    assert all(part in weights.hovertext[0] for part in ("&lt;b&gt; → &#36;x&#36;", "0.123 nats"))
    assert all(part in nodes.hovertext[0] for part in ("&lt;b&gt;", "1 of 3", "row 1, column 1", "no parents"))
    assert nodes.hovertext[1].endswith("parents: &lt;b&gt; (0.123)")
    assert {box.text for box in figure.layout.annotations} == {"&lt;b&gt;", "&#36;x&#36;", "c"}


def test_a_large_trellis_has_no_names_and_no_numbers():
    n = NAMED_CELLS + 1
    figure = trellis_figure(placed(list(range(n)), 11), names(n), dependence(n))

    assert not figure.layout.annotations
    assert figure.data[-2].mode == "markers"
    assert len(arrows(figure)) > WEIGHED_EDGES


def test_a_thousand_labels_are_few_traces():
    n = 1000
    figure = trellis_figure(placed(list(range(n)), 31), names(n), dependence(n), signs=dependence(n) - 0.5)

    assert len(figure.data) <= 2 * len(THICKNESS) + 2
    assert n_heads(figure) == DRAWN_EDGES < len(placed(list(range(n)), 31).edges)


def test_one_label_has_no_arrows():
    figure = trellis_figure(placed([0], 1), ["alone"], np.zeros((1, 1)))

    assert len(figure.data) == 2
    assert figure.layout.annotations[0].text == "alone"


# What a label is surrounded by


def marks(figure, mark):
    return {box.text.removeprefix(f"{mark} ") for box in figure.layout.annotations if box.text.startswith(mark)}


def test_the_surroundings_of_a_label_are_marked():
    """Rows abc, def, ghi: e has the parents d and b, and the children f and h, whose other parents are c and g."""
    figure = trellis_figure(placed(list(range(9)), 3), list("abcdefghi"), dependence(9), label=4)

    assert marks(figure, ITSELF.mark) == {"e"}
    assert marks(figure, PARENT.mark) == {"b", "d"}
    assert marks(figure, CHILD.mark) == {"f", "h"}
    assert marks(figure, CO_PARENT.mark) == {"c", "g"}
    texts = figure.data[-1].hovertext
    has_line(texts[2], "another parent", "children")
    assert texts[0].endswith("no parents")
    assert sum(trace.opacity == 1.0 for trace in arrows_of(figure)) > 0
    assert sum(trace.opacity < 1.0 for trace in arrows_of(figure)) > 0


def test_an_undirected_lattice_has_lines_and_neighbours():
    figure = trellis_figure(placed(list(range(9)), 3), list("abcdefghi"), dependence(9), label=4, directed=False)

    assert marks(figure, NEIGHBOUR.mark) == {"b", "d", "f", "h"}
    assert n_heads(figure) == 0
    assert figure.data[-2].hovertext[0].startswith("a and b<br>")
    assert "neighbours: " in figure.data[-1].hovertext[0]


def arrows_of(figure):
    return [trace for trace in figure.data if trace.mode == "lines+markers"]


def test_moved_labels_are_marked_and_framed():
    figure = trellis_figure(placed([0, 1, 2], 2), ["a", "b", "c"], dependence(3), moved=[1])

    assert marks(figure, MOVED) == {"b"}
    assert [box.borderwidth for box in figure.layout.annotations] == [None, 2, None]


def test_of_a_large_trellis_the_surroundings_are_drawn_whatever_their_strength():
    n = 1000
    trellis, weights = placed(list(range(n)), 31), dependence(n)
    label = trellis.edges[min(range(len(trellis.edges)), key=lambda place: weights[trellis.edges[place]])][1]
    figure = trellis_figure(trellis, names(n), weights, label=label)

    assert n_heads(figure) > DRAWN_EDGES
    symbols = dict(zip(figure.data[-1].customdata, figure.data[-1].marker.symbol, strict=True))
    assert symbols[label] == "circle"
    assert all(symbols[parent] == "triangle-up" for parent in trellis.parents[label])


def test_very_many_labels_are_an_image():
    n = MARKED_CELLS + 10
    rng = np.random.default_rng(0)
    weights = rng.random((n, n))
    weights += weights.T
    trellis = placed(list(range(n)), 45)
    figure = trellis_figure(trellis, names(n), weights, label=46)
    image = figure.data[0]

    assert image.type == "heatmap"
    assert image.z[1][1] == pytest.approx(weights[45, 46] + weights[1, 46], rel=1e-2)
    assert image.z[-1][-1] is None
    assert "placed 47 of 2010" in image.text[1][1]
    assert set(figure.data[-1].customdata) == {46, *trellis.markov_blanket(46)}


def test_a_long_name_takes_the_room_that_short_ones_leave():
    placed = Trellis((0, 1, 2), 3, PATTERNS["left-up"])

    def written(*names, **more):
        return [
            box.text for box in trellis_figure(placed, names, np.zeros((3, 3)), width=240, **more).layout.annotations
        ]

    assert written("Music", "Documentary", "Drama") == ["Music", "Documentary", "Drama"]
    assert written("Documentary", "Adventures!", "Drama") == ["Docu-<br>mentary", "Adven-<br>tures!", "Drama"]
    assert written("Documentary", "Drama", "Music", label=0) == ["●<br>Documentary", "▼ Drama", "Music"]


def test_no_genre_is_cut_where_two_lattices_of_seven_columns_share_a_page():
    n = 21
    genres = ["Documentary", "Biography", "Animation", "Adventure", "Sci-Fi", "Thriller", "Romance"] * 3
    for label in (None, *range(n)):
        figure = trellis_figure(placed(list(range(n)), 7), genres, np.zeros((n, n)), label=label, width=400)
        texts = [box.text.replace("-<br>", "").replace("<br>", "") for box in figure.layout.annotations]
        assert all(text.endswith(genre) for text, genre in zip(texts, genres, strict=True) if "-" not in genre)
