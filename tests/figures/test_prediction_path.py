"""Figures of the path of a prediction, on paths made by hand."""

from dataclasses import dataclass
from types import SimpleNamespace

import numpy as np
import pytest
from numpy.testing import assert_allclose

from trellislib.figures import log_odds_figure, prediction_path_figure, ring_positions
from trellislib.figures.graph import RING
from trellislib.figures.prediction_path import AGAINST, FOR, OUTCOME_STYLES, TOTAL
from trellislib.graphs import LabelGraph
from trellislib.labels.graph import UndirectedLabelGraph

NAMES = ("a<b>", "b", "c", "d")
CLASSES = (("0", "1"), ("0", "1"), ("low", "mid", "high"), ("0", "1"))
PLACES = ring_positions(4)


@dataclass
class MadeStep:
    """What the figures read of a step."""

    label: int
    place: int
    inputs: tuple
    code: int
    outcome: str
    true: int | None = 1
    input_codes: tuple = ()
    from_features: float = 0.5
    from_inputs: np.ndarray = None
    of_code: int = 1
    probabilities: np.ndarray = None

    def __post_init__(self):
        if self.probabilities is None:
            n = len(CLASSES[self.label])
            self.probabilities = np.full(n, 0.25 / (n - 1))
            self.probabilities[self.code] = 0.75
        if self.from_inputs is None:
            self.from_inputs = np.zeros(len(self.inputs))


def made_path(graph=None):
    steps = (
        MadeStep(2, 0, (), 0, "own error"),
        MadeStep(0, 1, (2,), 1, "inherited error", input_codes=(0,)),
        MadeStep(1, 2, (2, 0), 1, "right", input_codes=(0, 1)),
        MadeStep(3, 3, (0,), 0, "lucky", true=None, input_codes=(1,)),
    )
    return SimpleNamespace(steps=steps, graph=graph or LabelGraph([(2,), (2, 0), (), (0,)], order=(2, 0, 1, 3)))


def labels_by_name(figure):
    return {trace.name: list(trace.customdata) for trace in figure.data if trace.customdata is not None}


def test_labels_are_grouped_by_outcome_and_later_ones_are_still_to_come():
    assert labels_by_name(prediction_path_figure(made_path(), NAMES, CLASSES, PLACES)) == {
        "own error": [2],
        "inherited error": [0],
        "right": [1],
        "lucky": [3],
    }
    assert labels_by_name(prediction_path_figure(made_path(), NAMES, CLASSES, PLACES, 1)) == {
        "own error": [2],
        "inherited error": [0],
        "still to come": [1, 3],
    }


def test_the_text_of_a_label_has_its_decision_and_probability():
    figure = prediction_path_figure(made_path(), NAMES, CLASSES, PLACES, 1)
    by_name = {trace.name: trace for trace in figure.data if trace.customdata is not None}
    assert list(by_name["own error"].text) == ["c<br>low (p 0.75)<br>true mid"]
    assert list(by_name["inherited error"].text) == ["a&lt;b&gt;<br>1 (p 0.75)"]
    assert list(by_name["still to come"].text) == ["b", "d"]
    assert "true mid" in by_name["own error"].hovertext[0]
    assert "decided" not in by_name["still to come"].hovertext[0]


def test_labels_without_a_position_are_not_drawn():
    places = PLACES.copy()
    places[0] = np.nan
    figure = prediction_path_figure(made_path(), NAMES, CLASSES, places)
    assert sorted(label for labels in labels_by_name(figure).values() for label in labels) == [1, 2, 3]
    edges = [trace for trace in figure.data if trace.customdata is None]
    assert sum(x is None for trace in edges for x in trace.x) == 1  # of four edges, the only one without label 0


def test_the_label_of_the_step_and_those_that_change_have_a_ring():
    figure = prediction_path_figure(made_path(), NAMES, CLASSES, PLACES, 1, changed=[2])
    rings = {
        label: (color == RING, width)
        for trace in figure.data
        if trace.customdata is not None
        for label, color, width in zip(trace.customdata, trace.marker.line.color, trace.marker.line.width, strict=True)
    }
    assert rings == {2: (True, 3), 0: (True, 4), 1: (False, 1), 3: (False, 1)}


@pytest.mark.parametrize("directed", [True, False])
def test_edges_of_the_step_stand_out_and_have_heads_if_directed(directed):
    graph = None if directed else UndirectedLabelGraph([(1, 2, 3), (0, 2), (0, 1), (0,)])
    figure = prediction_path_figure(made_path(graph), NAMES, CLASSES, PLACES, 2)
    strong = [trace for trace in figure.data if trace.customdata is None and trace.opacity == 1]
    assert sum(x is None for trace in strong for x in trace.x) == 2  # those of label 1
    assert any(size > 0 for trace in strong for size in trace.marker.size) == directed


def test_of_very_many_edges_only_those_of_the_step_are_drawn():
    n = 25
    steps = tuple(MadeStep(0, place, tuple(range(place)), 0, "right", input_codes=(0,) * place) for place in range(n))
    for step in steps:
        step.label = step.place
    path = SimpleNamespace(steps=steps, graph=LabelGraph.chain(range(n)))
    figure = prediction_path_figure(path, [f"y{n}" for n in range(n)], [("0", "1")] * n, ring_positions(n), 6)
    edges = [trace for trace in figure.data if trace.customdata is None]
    assert sum(x is None for trace in edges for x in trace.x) == 6


def test_outcomes_differ_in_more_than_colour():
    seen = {(color, symbol) for color, symbol, _ in OUTCOME_STYLES.values()}
    assert len(seen) == len(OUTCOME_STYLES)
    assert len({symbol for _, symbol, _ in OUTCOME_STYLES.values()}) >= len(OUTCOME_STYLES) - 1


def bars(step, **more):
    (bar,) = log_odds_figure(step, NAMES, CLASSES, **more).data
    return bar


def test_each_bar_begins_where_the_one_before_it_ends_and_the_total_at_zero():
    step = MadeStep(1, 2, (2, 0), 1, "right", input_codes=(0, 1), from_inputs=np.array([-2.0, 0.75]))
    bar = bars(step)
    assert_allclose(bar.x, [0.5, -2.0, 0.75, -0.75])
    assert_allclose(bar.base, [0.0, 0.5, -1.5, 0.0])
    assert list(bar.marker.color) == [FOR, AGAINST, FOR, TOTAL]
    assert [text.split(":")[0] for text in bar.hovertext] == ["features", "c = low", "a&lt;b&gt; = 1", "total"]


def test_a_label_without_inputs_has_the_features_and_the_total():
    assert_allclose(bars(MadeStep(2, 0, (), 0, "right")).x, [0.5, 0.5])


def test_weaker_inputs_share_a_bar():
    step = MadeStep(1, 2, (2, 0, 3), 1, "right", input_codes=(0, 1, 1), from_inputs=np.array([0.25, -3.0, 0.5]))
    bar = bars(step, most=1)
    assert_allclose(bar.x, [0.5, -3.0, 0.75, -1.75])
    assert bar.hovertext[2].startswith("2 other inputs")


def test_of_many_inputs_those_that_add_nothing_have_no_bar():
    step = MadeStep(1, 2, (2, 0, 3), 1, "right", input_codes=(0, 1, 1), from_inputs=np.array([0.0, -3.0, 0.0]))
    assert_allclose(bars(step, most=2).x, [0.5, -3.0, 0.0, -2.5])
    assert bars(step, most=2).hovertext[2].startswith("2 other inputs")
    assert_allclose(bars(step, most=3).x, [0.5, 0.0, -3.0, 0.0, -2.5])


def test_names_on_a_large_ring_stand_outside_of_it():
    n_labels = 40
    steps = tuple(
        MadeStep(label, label, (), 0, "right", probabilities=np.array([0.75, 0.25])) for label in range(n_labels)
    )
    ring = SimpleNamespace(steps=steps, graph=UndirectedLabelGraph.complete(n_labels))
    places = ring_positions(n_labels)
    figure = prediction_path_figure(ring, [f"l{n}" for n in range(n_labels)], [("0", "1")] * n_labels, places)
    seen = 0
    for trace in figure.data:
        for label, side in zip(trace.customdata or (), np.ravel(trace.textposition), strict=False):
            x, y = places[label] - 0.5
            seen += 1
            if abs(x) > 0.08:
                assert side == ("middle right" if x > 0 else "middle left")
            else:
                assert side == ("top center" if y > 0 else "bottom center")
    assert seen == n_labels
