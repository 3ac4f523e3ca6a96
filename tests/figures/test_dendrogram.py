import numpy as np
import pytest

from trellislib.dependence import label_tree
from trellislib.figures import dendrogram_figure

SIMILAR = np.array([[0, 0.1, 0.5, 0.0], [0.1, 0, 0.1, 0.4], [0.5, 0.1, 0, 0.0], [0.0, 0.4, 0.0, 0]])
NAMES = ("a<b>", "$x$", "c", "a label whose name is very long")


def paths(trace):
    """Return the lines of a trace, each as its corners."""
    found, line = [], []
    for x, y in zip(trace.x, trace.y, strict=True):
        if x is None:
            found.append(line)
            line = []
        else:
            line.append((pytest.approx(x), y))
    return found


def test_merges_are_drawn_at_what_they_share():
    tree = label_tree(SIMILAR)
    place = np.argsort(tree.order)
    above, inside, points = dendrogram_figure(tree, NAMES, 3).data

    assert paths(inside) == [[(0.5, place[one]) for one in (0, 0, 2, 2)]] or paths(inside) == [
        [(0.5, place[one]) for one in (2, 2, 0, 0)]
    ]
    assert sorted({x for x in above.x if x is not None}) == pytest.approx([0.05, 0.4, 0.5])
    assert (inside.line.dash, above.line.dash) == ("solid", "dot")
    assert len(points.x) == 3


def test_leaves_stand_in_the_order_of_the_tree_from_top_to_bottom():
    tree = label_tree(SIMILAR)
    axis = dendrogram_figure(tree, NAMES, 2).layout.yaxis

    shown = ("a&lt;b&gt;", "&#36;x&#36;", "c", "a label whose nam…")
    assert axis.ticktext == tuple(shown[label] for label in tree.order)
    assert axis.range[0] > axis.range[1]


def test_each_cluster_has_a_point_where_its_last_merge_is():
    tree = label_tree(SIMILAR)
    clusters = tree.cut(2)
    points = dendrogram_figure(tree, NAMES, 2, selected=1).data[2]
    levels = {frozenset({0, 2}): 0.5, frozenset({1, 3}): 0.4}

    assert points.customdata == ([0], [1])
    assert list(points.x) == pytest.approx([levels[frozenset(labels.tolist())] for labels in clusters])
    assert list(points.y) == [0.5, 2.5]
    assert points.marker.symbol == ("circle", "diamond")
    for labels, text in zip(clusters, points.hovertext, strict=True):
        assert text.split("<br>")[0].endswith("2 labels")
        assert ("a&lt;b&gt;" in text) == (0 in labels)


def test_units_are_converted():
    in_nats, in_bits = (dendrogram_figure(label_tree(SIMILAR), NAMES, 2, unit=unit) for unit in ("nats", "bits"))

    assert in_bits.data[2].x == pytest.approx(np.array(in_nats.data[2].x) / np.log(2))
    assert in_bits.layout.xaxis.title.text == "mean bits"


def test_many_labels_are_drawn_as_their_clusters():
    n = 80
    upper = np.triu(np.random.default_rng(0).random((n, n)), k=1)
    tree = label_tree(upper + upper.T)
    figure = dendrogram_figure(tree, [f"l{label}" for label in range(n)], 6)
    above, inside, points = figure.data

    assert len(figure.layout.yaxis.ticktext) == len(points.x) == 6
    assert list(points.y) == list(range(6))
    assert len(paths(above)) == 5
    assert not paths(inside)
    sizes = [len(labels) for labels in tree.cut(6)]
    assert [int(text.split(": ")[1].split()[0]) for text in points.hovertext] == sizes


@pytest.mark.parametrize("n", [1, 2])
def test_few_labels(n):
    figure = dendrogram_figure(label_tree(np.zeros((n, n))), NAMES, 1)

    assert len(figure.data[2].x) == 1
    assert np.isfinite(figure.layout.xaxis.range).all()
