"""What all figures share: letters, names that are cut, numbers that keep apart, and how methods are drawn."""

import itertools

import numpy as np
import plotly.graph_objects as go
import pytest

from trellislib.data import packaged
from trellislib.dependence import mutual_information
from trellislib.figures import trellis_figure
from trellislib.figures.style import FILLS, LETTER, METHOD_STYLES, TEXT, distinct, finish, method_style
from trellislib.graphs import PATTERNS, trellis


def test_letters_of_ticks_titles_legends_and_colour_bars_have_the_size_of_all():
    figure = go.Figure(go.Heatmap(z=[[1]]), layout={"yaxis2": {"title": "y"}})
    finish(figure, 200, legend={}, xaxis={"title": {"text": "x"}})

    layout, bar = figure.layout, figure.data[0].colorbar
    fonts = [layout.font, layout.legend.font, bar.tickfont, bar.title.font]
    for axis in (layout.xaxis, layout.yaxis, layout.yaxis2):
        fonts += [axis.tickfont, axis.title.font]
    assert {font.size for font in fonts} == {TEXT}
    assert layout.yaxis2.title.text == "y"


@pytest.mark.parametrize("most", [3, 4, 6, 10])
def test_no_two_names_are_cut_to_the_same(most):
    names = [f"Class{number}" for number in range(1, 15)]
    cut = distinct(names, most)

    assert len(set(cut)) == len(names)
    assert max(map(len, cut)) <= most
    assert cut == names or most < 7


def test_equal_names_stay_equal():
    assert (
        distinct(["a long name", "a long name"], 4) == ["a l…"] * 2 or len(set(distinct(["a long name"] * 2, 4))) == 1
    )


def test_colour_is_the_method_and_fill_the_learner():
    learners = ("", " (logistic)", " random forest")
    names = [f"{method}{learner}" for method, learner in itertools.product(METHOD_STYLES, learners)]
    markers = {name: method_style(name, names).marker(9) for name in names}

    for method in METHOD_STYLES:
        assert {markers[f"{method}{learner}"]["color"] for learner in learners} == {METHOD_STYLES[method].color}
    for fill, learner in enumerate(learners):
        assert {method_style(f"{method}{learner}", names).fill for method in METHOD_STYLES} == {fill}
    assert len({str(marker) for marker in markers.values()}) == len(names)


def test_methods_without_a_style_share_none():
    names = [f"mine {number}" for number in range(12 * len(FILLS))]
    drawn = {str(method_style(name, [*METHOD_STYLES, *names]).marker(9)) for name in names}

    assert len(drawn) == len(names)


@pytest.mark.parametrize("parents", ["left-up", "left-up-diagonal", "left-up-diagonals"])
@pytest.mark.parametrize("width", [3, 7])
def test_numbers_on_the_edges_of_a_lattice_never_collide(parents, width):
    data = packaged("yeast")
    information = mutual_information(data.Y)
    placed = trellis(information, width, PATTERNS[parents], random_state=0)
    figure = trellis_figure(placed, data.label_names, information)

    (numbers,) = [trace for trace in figure.data if trace.mode == "markers+text"]
    column, row = 640 / width, 84
    boxes = []
    for x, y, text, side in zip(numbers.x, numbers.y, numbers.text, numbers.textposition, strict=True):
        if text:
            left = x * column - (LETTER * len(text) / 2 if side == "top center" else 0)
            boxes.append((left, y * row - (TEXT if side == "top center" else TEXT / 2), LETTER * len(text)))
    for (x, y, w), (left, top, other) in itertools.combinations(boxes, 2):
        assert not (x < left + other and left < x + w and abs(y - top) < TEXT - 1e-9)
    strongest = max(placed.edges, key=lambda edge: information[edge])
    assert f"{information[strongest]:.2f}" in numbers.text
    assert np.count_nonzero(np.array(numbers.text) != "") > len(placed.edges) / 2
