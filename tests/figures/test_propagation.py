"""Figures of error propagation and of the gains of edges, on tables made by hand."""

import numpy as np
import pandas as pd
import pytest
from numpy.testing import assert_allclose

from trellislib.figures import edge_effects_figure, propagation_figure
from trellislib.figures.prediction_path import AGAINST, FOR
from trellislib.figures.propagation import FEW_LEVELS, TICKS, UNCLEAR

NAMES = ("a<b>", "b", "c", "d", "e", "f")


def levels(n=3):
    table = pd.DataFrame({"level": range(n), "n_labels": [1] + [2] * (n - 1), "given_predicted": 0.7, "lost": 0.1})
    table["given_true"] = table["given_predicted"] + np.arange(n) / (10 * n)
    return table.assign(most_frequent=0.6, n_own=1200, n_inherited=5, n_overruled=0, n_lucky=1)


def effects(gains=(0.1, 0.05, 0.0, -0.02, -0.1), p=(0.01, 0.5, 1.0, 0.5, 0.01)):
    n, gains = len(gains), np.array(gains)
    table = pd.DataFrame({"parent": range(n), "child": range(1, n + 1), "gain": gains, "p": p, "gain_error": 0.01})
    return table.assign(score_with=0.5, score_without=0.5 - gains, child_with=0.7, child_without=0.6)


def traces(figure):
    return {trace.name: trace for trace in figure.data if trace.name}


def test_lines_have_a_point_for_each_level_and_the_gap_is_between_them():
    figure = propagation_figure(levels())
    drawn = traces(figure)
    assert list(drawn) == ["given true inputs", "given predicted inputs", "most frequent value"]
    assert list(drawn["given true inputs"].x) == [1, 2, 3]
    assert_allclose(drawn["given true inputs"].y, levels()["given_true"])
    assert_allclose(drawn["given predicted inputs"].y, 0.7)
    gap = figure.data[0]
    assert gap.fill == "toself"
    assert_allclose(gap.y, [*drawn["given true inputs"].y, *drawn["given predicted inputs"].y])
    assert list(gap.x) == [1, 2, 3, 3, 2, 1]


def test_lines_differ_in_more_than_colour():
    drawn = traces(propagation_figure(levels()))
    looks = {(trace.mode, trace.marker.symbol, trace.line.dash) for trace in drawn.values()}
    assert len(looks) == 3


def test_the_hover_text_of_a_level_has_its_counts():
    hover = traces(propagation_figure(levels(), "place in the chain"))["given true inputs"].hovertext
    assert hover[0].startswith("place in the chain 1: 1 label<br>")
    assert "2 labels" in hover[1]
    for count in ("1,200 own errors", "5 inherited", "0 overruled", "1 lucky"):
        assert count in hover[1]


def test_of_many_levels_some_have_ticks_and_markers_are_small():
    few, many = (propagation_figure(levels(n)) for n in (FEW_LEVELS, 60))
    assert len(many.layout.xaxis.tickvals) <= 2 * TICKS
    sizes = [traces(figure)["given true inputs"].marker.size for figure in (few, many)]
    assert sizes[0] > sizes[1]


def test_levels_that_could_not_be_judged_are_not_drawn():
    table = levels()
    table.loc[1, ["given_true", "given_predicted"]] = np.nan
    assert list(traces(propagation_figure(table))["given true inputs"].x) == [1, 3]
    none = levels().assign(given_true=np.nan)
    assert not traces(propagation_figure(none))["given true inputs"].x


def test_bars_go_right_for_help_and_left_for_hurt_and_what_may_be_chance_is_pale():
    drawn = traces(edge_effects_figure(effects(), NAMES))
    assert list(drawn) == ["helps (1)", "hurts (1)", "may help (1)", "may hurt (1)", "no effect (1)"]
    assert [bar.x[0] for bar in drawn.values()] == [0.1, -0.1, 0.05, -0.02, 0.0]
    assert [bar.y[0] for bar in drawn.values()] == [0, 4, 1, 3, 2]
    assert [bar.marker.color for bar in drawn.values()][:4] == [FOR, AGAINST, FOR, AGAINST]
    assert [bar.opacity for bar in drawn.values()] == [1, 1, UNCLEAR, UNCLEAR, 1]
    assert_allclose(drawn["helps (1)"].error_x.array, [0.0196])


def test_edges_are_named_by_their_direction():
    figure = edge_effects_figure(effects(), NAMES)
    assert figure.layout.yaxis.ticktext[:2] == ("a&lt;b&gt; → b", "b → c")
    assert "with it 0.5000, without 0.4000" in figure.data[0].hovertext[0]
    assert figure.data[0].hovertext[0].startswith("a&lt;b&gt; → b<br>")
    undirected = edge_effects_figure(effects(), NAMES, is_directed=False)
    assert undirected.layout.yaxis.ticktext[0] == "a&lt;b&gt; ↔ b"


def test_of_many_edges_those_of_the_largest_effects_are_drawn_in_the_order_of_the_table():
    figure = edge_effects_figure(effects(), NAMES, most=3)
    assert figure.layout.yaxis.ticktext == ("a&lt;b&gt; → b", "b → c", "e → f")
    assert sum(len(bar.x) for bar in figure.data) == 3


def test_zero_is_in_the_middle_and_all_of_the_intervals_is_inside():
    low, high = edge_effects_figure(effects(), NAMES).layout.xaxis.range
    assert low == -high
    assert high > 0.1196


@pytest.mark.parametrize("error", [0.01, np.nan])
def test_a_single_edge_and_none(error):
    one = edge_effects_figure(effects((0.0,), (1.0,)).assign(gain_error=error), NAMES)
    assert list(traces(one)) == ["no effect (1)"]
    assert not edge_effects_figure(effects((), ()), NAMES).data
