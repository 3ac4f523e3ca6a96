"""Curves over widths."""

import numpy as np
import pandas as pd
import pytest

from trellislib.figures import capture_curve_figure, width_scores_figure
from trellislib.graphs import PATTERNS, capture_curve


def random_dependence(n_labels, seed=0):
    upper = np.triu(np.random.default_rng(seed).random((n_labels, n_labels)), 1)
    return upper + upper.T


@pytest.fixture
def curve():
    return capture_curve(random_dependence(6), n_placements=20)


def traces(figure):
    return {trace.name: trace for trace in figure.data}


def test_amounts_are_those_of_the_curve(curve):
    figure = capture_curve_figure(curve, "left-up", 2, share=False, unit="bits")
    drawn, own = traces(figure), curve[curve["pattern"] == "left-up"]
    assert set(PATTERNS) < set(drawn)
    for pattern in PATTERNS:
        expected = curve[curve["pattern"] == pattern]["captured"]
        assert list(drawn[pattern].y) == expected.tolist()
        assert drawn[pattern].customdata == tuple([pattern, width] for width in range(1, 7))
    assert list(drawn["random, mean"].y) == own["random"].tolist()
    assert list(drawn["at most"].y) == own["bound"].tolist()
    assert list(drawn["random, 5 to 95%"].y) == [*own["random_high"], *own["random_low"][::-1]]
    assert "bits" in figure.layout.yaxis.title.text
    assert len({(trace.line.color, trace.marker.symbol) for trace in figure.data if trace.customdata}) == 4
    assert len({trace.marker.symbol for trace in figure.data if trace.customdata}) == 4


def test_shares_are_of_the_bound(curve):
    drawn = traces(capture_curve_figure(curve, "left-up"))
    assert list(drawn["at most"].y) == [1.0] * 6
    far = curve[curve["pattern"] == "left-up-second"]
    assert np.allclose(drawn["left-up-second"].y, far["captured"] / far["bound"])


def test_a_lattice_without_edges_has_no_share():
    curve = capture_curve(random_dependence(4), patterns={"left": [(0, -1)]})
    left = traces(capture_curve_figure(curve, "left"))["left"]
    assert np.isnan(left.y[0])
    assert np.isfinite(left.y[1:]).all()


def test_the_width_that_is_set_is_marked_where_it_is(curve):
    figure = capture_curve_figure(curve, "left-up", 5)
    assert figure.layout.shapes[0].x0 == 5
    assert figure.layout.annotations[0].x == 5
    many = capture_curve(random_dependence(40), [1, 6, 40], {"left-up": PATTERNS["left-up"]})
    geometric = capture_curve_figure(many, "left-up", 6)
    assert geometric.layout.xaxis.type == "log"
    assert geometric.layout.shapes[0].x0 == 6
    assert geometric.layout.annotations[0].x == pytest.approx(np.log10(6))  # as plotly places annotations


def test_scores_of_widths():
    folds = {width: pd.DataFrame({"accuracy": [0.4, 0.4 + width / 10]}) for width in (1, 2, 3)}
    beside = {"IC": pd.DataFrame({"accuracy": [0.2, 0.4]}), "CC": pd.DataFrame({"accuracy": [0.5, 0.5]})}
    scores = {width: {"CT": of_width, **beside} for width, of_width in folds.items()}
    figure = width_scores_figure(scores, "accuracy", "Accuracy", "left-up", 2)
    drawn = traces(figure)
    assert list(drawn["CT"].y) == pytest.approx([0.45, 0.5, 0.55])
    assert list(drawn["CT"].error_y.array) == pytest.approx([folds[width]["accuracy"].std() for width in (1, 2, 3)])
    assert drawn["CT"].customdata == (["left-up", 1], ["left-up", 2], ["left-up", 3])
    assert list(drawn["IC"].y) == pytest.approx([0.3, 0.3])
    assert list(drawn["CC"].y) == [0.5, 0.5]
    assert len({drawn[name].line.dash for name in ("IC", "CC", "CT")}) == 3
    assert figure.layout.shapes[0].x0 == 2


@pytest.mark.parametrize("widths", [[3, 4, 5], [10, 20, 30], [4]])
def test_even_steps_are_drawn_as_they_are(widths):
    curve = capture_curve(random_dependence(30), widths, {"left-up": PATTERNS["left-up"]}, n_placements=3)
    axis = capture_curve_figure(curve, "left-up", 4).layout.xaxis
    assert axis.type != "log"
    assert axis.title.text == "width"
    assert axis.range[0] < widths[0] <= widths[-1] < axis.range[1]


def test_other_steps_are_drawn_by_their_logarithm_with_a_note():
    curve = capture_curve(random_dependence(30), [1, 2, 7, 9], {"left-up": PATTERNS["left-up"]}, n_placements=3)
    axis = capture_curve_figure(curve, "left-up").layout.xaxis
    assert (axis.type, axis.title.text) == ("log", "width (logarithmic)")
