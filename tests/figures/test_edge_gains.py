"""What edges are worth."""

import pandas as pd
import pytest

from trellislib.figures import METHOD_STYLES, edge_gains_figure

SCORES = pd.DataFrame(
    {"IC": [0.5, 0.6, 0.7], "wide": [0.53, 0.63, 0.73], "<narrow>": [0.5, 0.61, 0.72], "CC": [0.55, 0.66, 0.74]}
)
EDGES = {"IC": 0, "wide": 1_500, "<narrow>": 900, "CC": 2_000}


def traces(**more):
    return {trace.name: trace for trace in edge_gains_figure(SCORES, EDGES, "Accuracy", **more).data}


def test_gains_are_means_of_paired_differences_with_their_corrected_errors():
    error = (1 / 3 + 1 / 2) ** 0.5  # of three folds, a deviation of 1, and half as many rows to test as to train
    drawn = traces()
    assert list(drawn) == ["IC", "CC", "CT"]
    assert (list(drawn["IC"].x), list(drawn["IC"].y), list(drawn["IC"].error_y.array)) == ([0], [0], [0])
    assert list(drawn["CC"].y) == pytest.approx([5])  # 5, 6 and 4: a deviation of 1
    assert list(drawn["CC"].error_y.array) == pytest.approx([error])
    assert list(drawn["CT"].x) == [900, 1_500]  # in the order of the edges
    assert list(drawn["CT"].y) == pytest.approx([1, 3])
    assert list(drawn["CT"].error_y.array) == pytest.approx([error, 0], abs=1e-9)


def test_methods_keep_their_styles_and_names_are_literal():
    drawn = traces(chosen="<narrow>")
    for name in ("IC", "CC", "CT"):
        assert drawn[name].marker.color == METHOD_STYLES[name].color
        assert drawn[name].marker.symbol == METHOD_STYLES[name].symbol
    assert all(part in drawn["CT"].hovertext[0] for part in ("CT, &lt;narrow&gt;", "900", "+1.00 ± 0.91"))
    assert all(part in drawn["CC"].hovertext[0] for part in ("CC", "2,000", "+5.00 ± 0.91"))


def test_what_is_chosen_is_ringed():
    ring = traces(chosen="<narrow>")["&lt;narrow&gt;"]
    assert (list(ring.x), list(ring.y)) == ([900], pytest.approx([1]))
    assert ring.marker.symbol == "circle-open"


def test_axes_hold_all_points_and_are_labelled():
    layout = edge_gains_figure(SCORES, EDGES, "Accuracy").layout
    assert all(part in layout.yaxis.title.text for part in ("Accuracy", "over IC", "points"))
    assert layout.yaxis.range[0] < 0 < 5.9 < layout.yaxis.range[1]
    assert layout.xaxis.range[0] < 0 < 2_000 < layout.xaxis.range[1]


def test_of_one_fold_there_is_no_spread():
    figure = edge_gains_figure(SCORES.head(1), EDGES, "Accuracy")
    assert [list(trace.error_y.array) for trace in figure.data] == [[0], [0], [0, 0]]


def test_without_a_difference_there_is_still_a_picture():
    same = pd.DataFrame({"IC": [0.5, 0.5], "CC": [0.5, 0.5]})
    low, high = edge_gains_figure(same, EDGES, "Accuracy").layout.yaxis.range
    assert low < 0 < high
