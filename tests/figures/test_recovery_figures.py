"""What was found of known graphs, as it is drawn."""

import numpy as np
import pandas as pd
import pytest
from sentences import has_line

from trellislib.data.label_dag import LabelDag, observed_given_parent
from trellislib.figures import (
    given_parent_figure,
    graph_positions,
    recovery_curve_figure,
    recovery_figures,
    truth_positions,
)
from trellislib.graphs import LabelGraph, recovery_curve

TRUTH = LabelGraph([(), (0,), (1,), (2,), ()])
FOUND = LabelGraph([(1,), (), (), (2,), (3,)])  # 0-1 reversed, 2-3 right, 3-4 wrong, 1-2 missing
NAMES = ("a", "b", "c", "d", "<e>")


def traces(figure):
    """Return the drawn traces by name."""
    return {trace.name: trace for trace in figure.data if trace.name}


def test_every_kind_of_edge_is_drawn_in_its_own_way():
    figure = recovery_figures(TRUTH, {"FS": FOUND}, NAMES)[1]["FS"]
    drawn = traces(figure)
    assert set(drawn) == {"right: 1", "reversed: 1", "wrong: 1", "missing: 1"}
    assert len({trace.line.color for trace in drawn.values()}) == 4
    dashes = {name.split(":")[0]: trace.line.dash for name, trace in drawn.items()}
    assert dashes["right"] == dashes["missing"] == "solid"  # which differ in thickness
    assert drawn["right: 1"].line.width > 3 * drawn["missing: 1"].line.width
    assert len({dashes["right"], dashes["reversed"], dashes["wrong"]}) == 3


def test_edges_run_as_they_were_found_between_the_places_of_the_truth():
    positions = truth_positions(TRUTH)
    drawn = traces(recovery_figures(TRUTH, {"FS": FOUND}, NAMES)[1]["FS"])
    for name, (parent, child) in {"right: 1": (2, 3), "reversed: 1": (1, 0), "missing: 1": (1, 2)}.items():
        ends = np.column_stack([drawn[name].x[:2], drawn[name].y[:2]]).astype(float)
        np.testing.assert_allclose(ends, positions[[parent, child]])


def test_all_graphs_stand_alike():
    known, found = recovery_figures(TRUTH, {"FS": FOUND, "LEAD": TRUTH}, NAMES)
    assert list(found) == ["FS", "LEAD"]
    figures = [known, *found.values()]
    labels = [next(figure.select_traces({"mode": "markers+text"})) for figure in figures]
    for of_graph in labels[1:]:
        np.testing.assert_array_equal(of_graph.x, labels[0].x)
        np.testing.assert_array_equal(of_graph.y, labels[0].y)
        assert of_graph.textposition == labels[0].textposition
    assert len({figure.layout.yaxis.range for figure in figures}) == 1
    assert labels[0].text[4] == "&lt;e&gt;"
    assert all(part in labels[1].hovertext[0] for part in ("found: b", "true parents: none"))


def test_positions_can_be_given():
    positions = graph_positions(np.eye(5)[::-1])
    figure = recovery_figures(TRUTH, {}, NAMES, positions=positions)[0]
    np.testing.assert_array_equal(next(figure.select_traces({"mode": "markers+text"})).x, positions[:, 0])


def test_nothing_found_and_nothing_to_find():
    empty = LabelGraph.independent(5)
    assert set(traces(recovery_figures(TRUTH, {"FS": empty}, NAMES)[1]["FS"])) == {"missing: 3"}
    assert set(traces(recovery_figures(empty, {"FS": FOUND}, NAMES)[1]["FS"])) == {"wrong: 3"}
    assert not traces(recovery_figures(empty, {"FS": empty}, NAMES)[1]["FS"])
    assert set(recovery_figures(LabelGraph([()]), {"FS": LabelGraph([()])}, ["only"])[1]) == {"FS"}


def test_a_graph_called_truth_is_one_of_those_found():
    known, found = recovery_figures(TRUTH, {"Truth": FOUND}, NAMES)
    assert set(traces(found["Truth"])) == {"right: 1", "reversed: 1", "wrong: 1", "missing: 1"}
    assert not traces(known)


def test_a_graph_of_other_labels():
    with pytest.raises(ValueError, match="expected 5"):
        recovery_figures(TRUTH, {"FS": LabelGraph([()])}, NAMES)


def curve(vary="n_instances"):
    """Return a curve of two structures, two values and three data sets, with scores by hand."""
    values = {"n_instances": (100, 1000), "difficulty": (0.0, 1.0)}[vary]
    rows = [
        {vary: value, "data set": number, "structure": name, "f": f, "shd": int(10 * f)}
        for value, by_structure in zip(values, ({"FS": (0.2, 0.4, 0.6), "LEAD (error)": (1, 1, 0.7)},) * 2, strict=True)
        for name, of_sets in by_structure.items()
        for number, f in enumerate(of_sets, start=1)
    ]
    return pd.DataFrame(rows)


def test_means_and_spreads_of_a_curve():
    fs, lead = recovery_curve_figure(curve(), "f").data
    assert (fs.name, lead.name) == ("FS", "LEAD (error)")
    assert fs.y == pytest.approx([0.4, 0.4])
    assert fs.error_y.array == pytest.approx([0.2, 0.2])
    assert lead.y == pytest.approx([0.9, 0.9])
    assert lead.error_y.array == pytest.approx([0.1, 0.1])  # the deviation is 0.173: no F is above 1
    assert lead.error_y.arrayminus == pytest.approx([3**0.5 / 10] * 2)
    has_line(lead.hovertext[0], "0.900 ± 0.173", "3 data sets")
    assert fs.line.color != lead.line.color
    assert fs.line.dash != lead.line.dash
    assert fs.marker.symbol != lead.marker.symbol


def test_structures_do_not_hide_each_other():
    for vary, value in (("n_instances", 100), ("difficulty", 0.0)):
        fs, lead = recovery_curve_figure(curve(vary), "f").data
        assert fs.x[0] < value < lead.x[0]
        assert lead.x[0] - fs.x[0] < 0.05 * max(value, 1)


def test_published_scores_are_level_lines():
    figure = recovery_curve_figure(curve("difficulty"), "f", published={"FS": 0.278})
    line = figure.data[-1]
    assert line.name == "FS, published: 0.278"
    assert (line.x, line.y) == (pytest.approx([0, 1]), pytest.approx([0.278, 0.278]))
    assert line.line.color == figure.data[0].line.color


def test_a_single_data_set_has_no_spread():
    fs, _ = recovery_curve_figure(curve().query("`data set` == 1"), "f").data
    assert fs.error_y.array == pytest.approx([0, 0])


def test_a_count_has_no_upper_end():
    figure = recovery_curve_figure(curve(), "shd")
    assert figure.layout.yaxis.range is None
    assert figure.data[1].error_y.array[0] == pytest.approx(3**0.5)


def test_an_unknown_score():
    with pytest.raises(ValueError, match=r"Got score='accuracy', .*expected"):
        recovery_curve_figure(curve(), "accuracy")


def test_structures_of_any_name():
    found = recovery_curve(values=[20], structures={"<none>": lambda data, seed: LabelGraph([()] * 3)}, n_labels=3)
    assert recovery_curve_figure(found, "f").data[0].name == "&lt;none&gt;"


@pytest.fixture
def observed():
    dag = LabelDag.drawn(8, 6, 2, random_state=0)
    return observed_given_parent(dag, dag.simulate(300, random_state=0))


def test_every_observed_share_is_drawn_once(observed):
    markers = [trace for trace in given_parent_figure(observed).data if trace.mode == "markers"]
    drawn = np.concatenate([trace.y for trace in markers])
    assert sorted(drawn) == sorted(observed["observed"])
    for trace in markers:
        assert trace.marker.symbol.endswith("-open") == ("features shared" in trace.name)
    assert {trace.marker.symbol.removesuffix("-open") for trace in markers} == {
        "triangle-up",
        "triangle-down",
        "circle",
    }


def test_labels_for_which_the_formula_is_exact_come_first(observed):
    names = list(given_parent_figure(observed).layout.xaxis.ticktext)
    exact = observed.drop_duplicates("label").set_index("label").loc[names, ["exact", "shared"]]
    assert sorted(names) == sorted(observed["label"].unique())
    assert exact["exact"].is_monotonic_decreasing
    assert exact["shared"][~exact["exact"]].is_monotonic_increasing
    assert exact["exact"].nunique() == 2


def test_bars_reach_over_what_chance_gives(observed):
    bars, formula = given_parent_figure(observed).data[:2]
    ends = np.array(bars.y, dtype=float).reshape(-1, 3)
    assert sorted(ends[:, 0]) == sorted(observed["low"])
    assert sorted(ends[:, 1]) == sorted(observed["high"])
    assert set(np.array(formula.y, dtype=float)[0::3]) == set(observed["theory"])


def test_a_share_of_nothing_is_not_drawn(observed):
    observed.loc[0, ["observed", "low", "high"]] = np.nan
    observed.loc[0, "n"] = 0
    markers = [trace for trace in given_parent_figure(observed).data if trace.mode == "markers"]
    assert sum(len(trace.y) for trace in markers) == len(observed) - 1


def test_many_labels_are_not_named():
    dag = LabelDag.drawn(60, random_state=0)
    assert given_parent_figure(observed_given_parent(dag, dag.simulate(50, random_state=0))).layout.xaxis.ticktext == ()
