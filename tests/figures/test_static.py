"""Files of figures: every figure is written without a browser, with all of its texts and data."""

import functools
import struct
import xml.etree.ElementTree as ET

import numpy as np
import pandas as pd
import plotly.graph_objects as go
import pytest
from numpy.testing import assert_allclose

import trellislib.figures as figures
from trellislib import ClassifierChain, ConditionalDependencyNetwork
from trellislib.data import Dataset, simulate_lamps, simulate_shapes
from trellislib.data.label_dag import LabelDag, observed_given_parent
from trellislib.data.room import Room
from trellislib.dependence import label_tree, pooled
from trellislib.figures import export
from trellislib.figures.static import static
from trellislib.figures.static_style import formatter, symbol_of, words
from trellislib.figures.style import CO_OCCURRENCE, EXCLUSION, METHOD_STYLES, literal
from trellislib.graphs import (
    LabelGraph,
    capture_curve,
    placement_stability,
    placement_steps,
    recovery_curve,
    trellis,
)
from trellislib.inspection import gibbs_runs, prediction_path
from trellislib.metrics import MEASURES, reliability
from trellislib.studies.deciding import SCORES, Answers
from trellislib.studies.structure_comparison import structure_comparison

HOSTILE = ("<b>bold</b>", "$x$ & y", "größe → λ", "two\nlines", "&amp;", "<br>")
READ = {"<b>bold</b>", "$x$ & y", "größe → λ", "two lines", "&amp;", "<br>"}
N = len(HOSTILE)
SVG = "{http://www.w3.org/2000/svg}"


def dependence(n=N, seed=0):
    upper = np.triu(np.random.default_rng(seed).uniform(0.05, 1, (n, n)), k=1)
    return upper + upper.T


I6 = dependence()
SIGNS = np.sign(dependence(seed=1) - 0.5)
TREE = LabelGraph([(), (0,), (0,), (1,), (1, 2), (4,)])
PLACES = np.array([(0, 1), (1, 1), (0, 0.5), (1, 0.5), (0.5, 0), (0.9, 0)])
NAMES_OF_METHODS = list(METHOD_STYLES)


def statistics():
    Y = np.triu(np.ones((N + 1, N), dtype=int))
    return Dataset(np.zeros((len(Y), 1)), Y, ("x",), HOSTILE, (("0", "1"),) * N).statistics()


def contrasts():
    spread = np.linspace(0.01, 0.03, N)
    table = {"difference": spread - 0.02, "low": -spread, "high": 2 * spread, "p": spread}
    return pd.DataFrame(table, index=list(HOSTILE))


def reliability_bins():
    rng = np.random.default_rng(0)
    P = rng.random((200, 3))
    return reliability((rng.random((200, 3)) < P).astype(int), P)


def scores_and_times():
    n = len(NAMES_OF_METHODS)
    scores = pd.Series(np.linspace(0.4, 0.6, n), NAMES_OF_METHODS)
    return scores, pd.Series(np.geomspace(0.1, 1000, n)[::-1], NAMES_OF_METHODS)


def summary():
    scores, seconds = scores_and_times()
    columns = {("accuracy", "mean"): scores, ("accuracy", "std"): scores / 50, ("train_seconds", "mean"): seconds}
    return pd.DataFrame(columns | {("test_seconds", "mean"): seconds / 10})


def label_scores():
    index = pd.MultiIndex.from_product([["CT", "IC"], HOSTILE], names=["method", "label"])
    values = np.linspace(0.2, 0.8, len(index))
    return pd.DataFrame({"f1": values, "frequency": np.tile(np.linspace(0.5, 0.1, N), 2)}, index)


def orders():
    columns = {"exact_match": [0.4, 0.6], "n_own": [10, 20], "n_inherited": [0, 5]}
    return pd.DataFrame(columns, pd.Index([(0, 1, 2), (2, 0, 1)], tupleize_cols=False))


def answers():
    decided = {score: np.eye(N, dtype=int)[[number % N]] for number, score in enumerate(SCORES)}
    return Answers(np.eye(N, dtype=int), np.full((1, N), 1 / N), decided, np.eye(N, dtype=int)[:1])


def growth():
    rows = [
        {"method": method, "base": base, "variable": "L", "size": size, "train s": 1e-4 * size, "predict s": 1e-3}
        for method, base in (("IC", "least squares"), ("CT", "logistic"))
        for size in (100, 1000, 10_000)
    ]
    return pd.DataFrame(rows).assign(**{"peak GiB": 0.25})


def leads():
    return pd.DataFrame({"CT": [0.5, 0.4, 0.3, np.nan, 0.2, 0.2], "IC": [0.4, 0.45, 0.3, 0.2, 0.1, 0.3]}, HOSTILE)


def depths():
    rows = [(at, draw, name, 0.5 + 0.1 * draw) for at in (0.0, 0.5) for draw in (0, 1) for name in ("IC", "CC")]
    return pd.DataFrame(rows, columns=["dependence", "draw", "method", "hamming_score"])


def placed():
    return placement_steps(I6, 3, random_state=0)


def width_scores():
    folds = pd.DataFrame({"accuracy": [0.5, 0.6]}, index=pd.Index([0, 1], name="fold"))
    return {1: {"IC": folds, "CT": folds + 0.1, "CC": folds}, 3: {"IC": folds, "CT": folds + 0.2, "CC": folds}}


FIGURES = {
    "answer_figure": lambda: figures.answer_figure(answers(), 0, "accuracy", HOSTILE),
    "reached_figure": lambda: figures.reached_figure(answers()),
    "candidates_figure": lambda: figures.candidates_figure(placed()[4], HOSTILE),
    "capture_curve_figure": lambda: figures.capture_curve_figure(capture_curve(I6, n_placements=9), "left-up", 2),
    "captured_figure": lambda: figures.captured_figure(2.5, np.linspace(1, 2, 50), 4.0),
    "conditional_figure": lambda: figures.conditional_figure(I6, I6 / 2, HOSTILE, signs=SIGNS, selected=(0, 1)),
    "dendrogram_figure": lambda: figures.dendrogram_figure(label_tree(I6), HOSTILE, 3, selected=0),
    "dependence_heatmap": lambda: figures.dependence_heatmap(I6, HOSTILE, np.arange(N), selected=(1, 2)),
    "depth_figure": lambda: figures.depth_figure(depths(), "hamming_score", 0.5),
    "label_in_plane_figure": lambda: figures.label_in_plane_figure(simulate_lamps(60, random_state=0), 2, np.zeros(60)),
    "dependence_matrices": lambda: figures.dependence_matrices(I6, I6 / 2, HOSTILE, np.arange(N))[1],
    "combinations_figure": lambda: figures.combinations_figure(
        pd.DataFrame({"truth": [5, 3, 2, 9], "IC": [2, 6, 5, 6], "CC": [4, 4, 2, 9]}), HOSTILE[0], HOSTILE[1]
    ),
    "contrasts_figure": lambda: figures.contrasts_figure(contrasts(), HOSTILE[0], HOSTILE[2]),
    "critical_distance_figure": lambda: figures.critical_distance_figure(5, 0.8, HOSTILE[0], 8, 60),
    "order_errors_figure": lambda: figures.order_errors_figure(orders(), HOSTILE),
    "orders_figure": lambda: figures.orders_figure(orders(), HOSTILE, "exact_match", HOSTILE[0], [orders()]),
    "shapes_figure": lambda: figures.shapes_figure(simulate_shapes(60, n_values=3, random_state=0)),
    "differences_figure": lambda: figures.differences_figure(
        leads(), "CT", "IC", "Accuracy", spread=pd.Series(0.02, HOSTILE)
    ),
    "edge_effects_figure": lambda: figures.edge_effects_figure(_edge_effects(), HOSTILE),
    "edge_gains_figure": lambda: figures.edge_gains_figure(
        pd.DataFrame({"IC": [0.5, 0.6], HOSTILE[0]: [0.54, 0.66], "CC": [0.6, 0.7]}),
        {"IC": 0, HOSTILE[0]: 4, "CC": 6},
        HOSTILE[1],
        HOSTILE[0],
    ),
    "probabilities_figure": lambda: figures.probabilities_figure(HOSTILE, np.linspace(0.1, 0.9, N), np.arange(N) % 2),
    "propagation_figure": lambda: figures.propagation_figure(_levels()),
    "frequency_figure": lambda: figures.frequency_figure(statistics()),
    "given_parent_figure": lambda: figures.given_parent_figure(_observed()),
    "graph_figure": lambda: figures.graph_figure(TREE, HOSTILE, PLACES, I6, signs=SIGNS),
    "growth_figure": lambda: figures.growth_figure(growth()),
    "label_scores_figure": lambda: figures.label_scores_figure(label_scores(), "f1", "F1 score"),
    "labels_per_instance_figure": lambda: figures.labels_per_instance_figure(statistics().labels_per_instance),
    "overview_heatmap": lambda: figures.overview_heatmap(pooled(I6, np.arange(N)), HOSTILE, np.arange(N)),
    "prediction_path_figure": lambda: figures.prediction_path_figure(
        _prediction_path(), HOSTILE, [("0", "1")] * N, PLACES, 4
    ),
    "log_odds_figure": lambda: figures.log_odds_figure(_prediction_path().steps[4], HOSTILE, [("0", "1")] * N),
    "recovery_curve_figure": lambda: figures.recovery_curve_figure(
        recovery_curve("n_instances", [50, 100], ["FS", "MI tree"], n_datasets=2, random_state=0)
    ),
    "structure_gains_figure": lambda: figures.structure_gains_figure(
        structure_comparison(2, 100, n_instances=100, n_labels=4, n_features=4)
    ),
    "recovery_figures": lambda: figures.recovery_figures(TREE, {"FS": LabelGraph([()] * N)}, HOSTILE)[1]["FS"],
    "reliability_figure": lambda: figures.reliability_figure({name: reliability_bins() for name in HOSTILE[:2]}),
    "room_estimates_figure": lambda: figures.room_estimates_figure(
        Room.default(4, 8), {HOSTILE[1]: np.linspace(0, 1, 16)}, np.eye(4).ravel(), captions={HOSTILE[1]: [HOSTILE[1]]}
    ),
    "room_figure": lambda: figures.room_figure(Room.default(4, 8), np.eye(4).ravel(), np.arange(8) % 2),
    "running_marginals_figure": lambda: figures.running_marginals_figure(_gibbs_runs(), 1, f"{HOSTILE[1]} = 1"),
    "score_against_time_figure": lambda: figures.score_against_time_figure(summary(), MEASURES["accuracy"]),
    "score_time_figure": lambda: figures.score_time_figure(*scores_and_times(), "Accuracy"),
    "seeds_figure": lambda: figures.seeds_figure({"hill climbing": np.linspace(1, 2, 8)}, "captured", bound=3, seed=1),
    "stability_figure": lambda: figures.stability_figure(placement_stability(I6, 3, n_seeds=3).together, HOSTILE),
    "step_figure": lambda: figures.step_figure(placed(), 4, HOSTILE, I6, signs=SIGNS),
    "sweeps_figure": lambda: figures.sweeps_figure(_gibbs_runs(), HOSTILE),
    "trellis_figure": lambda: figures.trellis_figure(trellis(I6, 3, random_state=0), HOSTILE, I6, signs=SIGNS),
    "width_scores_figure": lambda: figures.width_scores_figure(width_scores(), "accuracy", "Accuracy", "left-up", 3),
}
NAMED = {  # those that show the names of labels or data sets in full
    "dendrogram_figure",
    "dependence_heatmap",
    "dependence_matrices",
    "differences_figure",
    "frequency_figure",
    "graph_figure",
    "label_scores_figure",
    "recovery_figures",
    "stability_figure",
    "trellis_figure",
}


def _observed():
    dag = LabelDag.drawn(8, 6, 2, random_state=0)
    return observed_given_parent(dag, dag.simulate(300, random_state=0))


def _prediction_path():
    X, Y = np.arange(12.0)[:, None], np.arange(12 * N).reshape(12, N) % 5 % 2
    method = ClassifierChain().fit(X, Y)
    return prediction_path(method, X[:1], Y[:1])


def _gibbs_runs():
    X, Y = np.arange(12.0)[:, None], np.arange(12 * N).reshape(12, N) % 5 % 2
    return gibbs_runs(ConditionalDependencyNetwork(random_state=0).fit(X, Y), X[:1], n_sweeps=30, n_burn_in=5)


def _edge_effects():
    gains = np.array([0.1, 0.05, 0.0, -0.02, -0.1])
    table = pd.DataFrame({"parent": range(5), "child": range(1, 6), "gain": gains, "p": [0.01, 0.5, 1, 0.5, 0.01]})
    return table.assign(score_with=0.5, score_without=0.5 - gains, gain_error=0.01, child_with=0.7, child_without=0.7)


def _levels():
    given = np.array([0.9, 0.8, 0.7])
    table = pd.DataFrame({"level": range(3), "n_labels": [1, 2, 1], "given_predicted": given, "lost": 0.05})
    return table.assign(given_true=given + 0.05, most_frequent=0.5, n_own=20, n_inherited=5, n_overruled=0, n_lucky=1)


@functools.cache
def made(name):
    return FIGURES[name]()


def svg_texts(figure):
    """Return the lines of text of a figure's SVG."""
    root = ET.fromstring(export(figure, "svg"))
    return ["".join(element.itertext()).strip() for element in root.iter(f"{SVG}text")]


def lines(markups):
    return {line.strip() for markup in markups for line in words(markup).splitlines() if line.strip()}


def texts_of(figure):
    """Return all lines of text that a browser shows of a figure, but for numbers of ticks that nobody has set."""
    layout = figure.layout
    found = {note.text for note in layout.annotations}
    for axis in (layout.xaxis, layout.yaxis):
        if axis.visible is not False:
            low, high = sorted(axis.range or (-np.inf, np.inf))
            places = np.log10(axis.tickvals) if axis.type == "log" and axis.tickvals else axis.tickvals or ()
            ticks = zip(places, axis.ticktext or (), strict=False)
            found |= {axis.title.text, *(text for place, text in ticks if low <= place <= high)}
    for trace in figure.data:
        is_named = layout.showlegend and trace.showlegend is not False and trace.type != "heatmap"
        found |= {trace.name} if is_named else set()
        if "text" in str(
            trace["mode"] if trace.type == "scatter" else trace.textposition if trace.type == "bar" else ""
        ):
            found |= set(trace.text)
        if trace.type == "heatmap" and trace.showscale is not False:
            found.add(trace.colorbar.title.text)
    return lines(found)


# Every figure


def test_every_figure_is_tried():
    public = {name for name in figures.__all__ if name.endswith(("_figure", "_figures", "_heatmap", "_matrices"))}

    assert public - {"drawing_figure"} == set(FIGURES)


@pytest.mark.parametrize("name", FIGURES)
def test_every_figure_is_written_with_all_its_texts(name):
    figure = made(name)
    shown = svg_texts(figure)

    assert texts_of(figure) <= set(shown)
    if name in NAMED:
        assert {text.removeprefix("★ ") for text in shown} >= READ


@pytest.mark.parametrize(
    ("name", "kind"), [("dependence_heatmap", "pdf"), ("graph_figure", "svg"), ("room_estimates_figure", "png")]
)
def test_the_same_bytes_twice(name, kind):
    content = export(made(name), kind)

    assert content.startswith({"svg": b"<?xml", "pdf": b"%PDF", "png": b"\x89PNG"}[kind])
    assert export(made(name), kind) == content


def test_a_file_is_about_as_large_as_the_figure():
    width, height = struct.unpack(">II", export(made("growth_figure"), "png", dpi=72)[16:24])

    assert (width, height) == pytest.approx((640, 460), abs=12)


def test_a_map_of_many_labels_is_a_small_file():
    n = 500
    figure = figures.dependence_heatmap(dependence(n), [f"label {j}" for j in range(n)], np.arange(n))

    assert len(export(figure, "svg")) < 3e6


# Data


def plot_of(*traces, **layout):
    """Return the axes in which matplotlib draws traces."""
    (axes, *_) = static(go.Figure(traces, layout)).axes
    return axes


def test_points_are_where_their_values_are_but_for_those_only_to_be_pointed_at():
    seen = go.Scatter(x=[0, 5, 10], y=[0, 5, 20], mode="markers", marker={"size": 8, "color": "#D55E00"})
    axes = plot_of(seen, go.Scatter(x=[3], y=[3], mode="markers", marker={"opacity": 0}))
    points, nothing = axes.collections

    assert points.get_offsets().tolist() == [[0, 0], [5, 5], [10, 20]]
    assert points.get_sizes().tolist() == [64] * 3
    assert points.get_facecolors().tolist() == [pytest.approx([0xD5 / 255, 0x5E / 255, 0, 1])] * 3
    assert len(nothing.get_offsets()) == 0


def test_lines_have_gaps_colours_and_dashes():
    line = {"color": "rgba(0, 0, 255, 0.5)", "width": 2, "dash": "6px,4px"}
    (drawn,) = plot_of(go.Scatter(x=[1, None, 3], y=[1, None, 9], mode="lines", line=line)).lines

    assert np.isnan(drawn.get_xdata()).tolist() == [False, True, False]
    assert drawn.get_color() == (0, 0, 1, 0.5)
    assert drawn._unscaled_dash_pattern == (0, (3, 2))  # in widths of the line


def test_logarithmic_and_reversed_axes():
    trace = go.Scatter(x=[1, 100], y=[5, 6], mode="markers")
    axes = plot_of(trace, xaxis={"type": "log", "range": [0, 2]}, yaxis={"autorange": "reversed"})

    assert (axes.get_xscale(), axes.get_xlim()) == ("log", (1, 100))
    assert axes.yaxis_inverted()


def test_bars_are_grouped_or_stacked():
    traces = [go.Bar(x=["CT", literal("<i>")], y=[height, 1], name=str(height)) for height in (3, 4, -2)]
    grouped, stacked = (plot_of(*traces, barmode=mode) for mode in ("group", "relative"))

    assert [bar.get_x() + bar.get_width() / 2 for bar in grouped.patches[::2]] == pytest.approx([-0.8 / 3, 0, 0.8 / 3])
    assert [(bar.get_y(), bar.get_height()) for bar in stacked.patches[::2]] == [(0, 3), (3, 4), (0, -2)]
    assert [text.get_text() for text in grouped.get_xticklabels()] == ["CT", "<i>"]


def test_a_histogram_counts_all_values():
    axes = plot_of(go.Histogram(x=[0.05, 0.12, 0.13, 0.38], nbinsx=5))

    assert len(axes.patches) == 5
    assert sum(bar.get_height() for bar in axes.patches) == 4


def test_errors_are_drawn_to_both_sides():
    errors = {"array": [1, 2], "arrayminus": [0.5, 0.25], "symmetric": False}
    axes = plot_of(go.Scatter(x=[0, 1], y=[10, 20], mode="markers", error_y=errors))
    (segments,) = [drawn.get_segments() for drawn in axes.collections if hasattr(drawn, "get_segments")]

    assert [segment[:, 1].tolist() for segment in segments] == [[9.5, 11], [19.75, 22]]


def test_heads_of_arrows_keep_away_from_the_child():
    graph = LabelGraph([(), (0,)])
    places = np.array([(0.0, 0.5), (1.0, 0.5)])
    (axes,) = static(
        figures.graph_figure(graph, ("parent", "child"), places, dependence(2), signs=np.ones((2, 2)))
    ).axes
    (head,) = [note for note in axes.texts if note.arrow_patch is not None]

    assert (head.xy, head.xyann) == ((1.0, 0.5), (0.0, 0.5))
    assert head.arrow_patch.shrinkB == 7  # half of the label's size, and one


def test_exclusion_is_dashed_and_co_occurrence_is_not():
    from matplotlib.colors import to_hex

    (axes,) = static(made("graph_figure")).axes
    dashed = {to_hex(line.get_color()).upper(): line.is_dashed() for line in axes.lines}

    assert dashed == {CO_OCCURRENCE: False, EXCLUSION: True}


def test_cells_have_the_colours_of_the_scale_and_the_diagonal_is_blank():
    from matplotlib import colormaps

    information = np.array([[0, 0.2, 0.4], [0.2, 0, 0.1], [0.4, 0.1, 0]])
    (image,) = plot_of(*figures.dependence_heatmap(information, ("a", "b", "c"), np.arange(3)).data[:1]).images
    cells = image.cmap(image.norm(image.get_array()))

    assert image.get_array().mask.tolist() == np.eye(3, dtype=bool).tolist()
    assert_allclose(cells[0, 1:], colormaps["cividis"](np.sqrt([0.5, 1.0])), atol=0.02)
    assert_allclose(image.get_extent(), [-0.5, 2.5, -0.5, 2.5])


def test_subplots_keep_to_their_domains():
    left, right = go.Scatter(x=[0, 1], y=[0, 1], mode="lines"), go.Scatter(x=[0, 1], y=[0, 1], mode="lines", xaxis="x2")
    axis = {"visible": False, "range": [0, 1]}
    layout = {"margin": dict.fromkeys("lrtb", 0), "showlegend": False, "yaxis": axis}
    layout |= {"xaxis": axis | {"domain": [0, 0.4]}, "xaxis2": axis | {"domain": [0.6, 1]}}
    one, other = static(go.Figure([left, right], layout)).axes

    assert_allclose([one.get_position().intervalx, other.get_position().intervalx], [[0, 0.4], [0.6, 1]])


def test_texts_are_in_the_axes_that_they_refer_to():
    left, right = (go.Scatter(x=[1, 10], y=[0, 1], mode="lines", xaxis=axis) for axis in ("x", "x2"))
    notes = [
        {"text": "left", "xref": "x", "yref": "y", "x": 2, "y": 1},
        {"text": "right", "xref": "x2", "yref": "y", "x": 1, "y": 1},
        {"text": "left end", "xref": "x domain", "yref": "y", "x": 1, "y": 0},
        {"text": "corner", "xref": "paper", "yref": "paper", "x": 1, "y": 1},
    ]
    layout = {"margin": dict.fromkeys("lrtb", 0), "showlegend": False}
    layout["annotations"] = [note | {"showarrow": False} for note in notes]
    layout |= {"xaxis": {"domain": [0, 0.4]}, "xaxis2": {"domain": [0.6, 1], "type": "log"}}
    picture = static(go.Figure([left, right], layout))
    one, other = picture.axes
    texts = {text.get_text(): text for axes in picture.axes for text in axes.texts}
    transform = picture.transFigure

    assert [text.get_text() for text in one.texts] == ["left", "left end"]
    assert [text.get_text() for text in other.texts] == ["right", "corner"]
    assert (texts["left"].xy, texts["right"].xy) == ((2, 1), (10, 1))  # a place on a logarithmic axis is an exponent
    assert (texts["left end"].xycoords, texts["corner"].xycoords) == (("axes fraction", "data"), (transform, transform))


def test_shapes_are_in_the_axes_that_they_refer_to():
    left, right = (go.Scatter(x=[0, 10], y=[0, 1], mode="lines", xaxis=axis) for axis in ("x", "x2"))
    axis = {"visible": False}
    layout = {"margin": dict.fromkeys("lrtb", 0), "showlegend": False, "width": 500, "height": 200, "yaxis": axis}
    layout |= {"xaxis": axis | {"domain": [0, 0.4], "range": [0, 10]}}
    layout |= {"xaxis2": axis | {"domain": [0.6, 1], "range": [0, 10]}}
    layout["shapes"] = [
        {"type": "rect", "xref": "x2", "yref": "y domain", "x0": 0, "x1": 5, "y0": 0, "y1": 0.5},
        {"type": "line", "xref": "x", "yref": "paper", "x0": 5, "x1": 5, "y0": 0, "y1": 1},
        {"type": "rect", "xref": "paper", "yref": "paper", "x0": 0, "x1": 1, "y0": 0.9, "y1": 1},
    ]
    one, other = static(go.Figure([left, right], layout)).axes

    def corners(shape):
        places = shape.get_transform().transform(shape.get_xy()) * 72 / one.figure.dpi
        return [*places.min(axis=0), *places.max(axis=0)]

    assert_allclose([corners(shape) for shape in one.patches], [[100, 0, 100, 200]])
    assert_allclose([corners(shape) for shape in other.patches], [[300, 0, 400, 100], [0, 180, 500, 200]])


def test_a_slanting_line_widens_the_axes():
    shape = {"type": "line", "x0": 0, "x1": 4, "y0": 1, "y1": 5}
    axes = plot_of(go.Scatter(x=[0, 1], y=[0, 1], mode="lines"), shapes=[shape])

    assert axes.patches[0].get_xy().tolist() == [[0, 1], [4, 5]]
    assert axes.get_xlim()[1] >= 4
    assert axes.get_ylim()[1] >= 5


def test_an_arrow_without_an_end_has_that_of_a_browser():
    notes = [{"text": "default", "x": 0, "y": 0}, {"text": "given", "x": 0, "y": 0, "ax": 40, "ay": 0}]
    axes = plot_of(go.Scatter(x=[0, 1], y=[0, 1], mode="lines"), annotations=notes)

    assert [text.xyann for text in axes.texts] == [(-10, 30), (40, 0)]


# Texts and markers


def test_texts_are_read_without_their_markup():
    assert words(f"<b>{literal('<b>')}</b><br> {literal('$x$ & y')}: L<sup>1.5</sup>") == (
        "<b>\n\N{NO-BREAK SPACE}$x$ & y: L^1.5"
    )


@pytest.mark.parametrize(
    ("value", "form", "text"),
    [(0.25, ".0%", "25%"), (-2, None, "\N{MINUS SIGN}2"), (1e-5, None, "0.00001"), (20_000, None, "20000")],
)
def test_numbers_of_ticks(value, form, text):
    assert formatter(form)(value, None) == text


def test_markers_of_methods_differ():
    symbols = {style.symbol for style in METHOD_STYLES.values()}

    assert len({str(symbol_of(symbol)) for symbol in symbols}) == len(symbols)


# What is refused


@pytest.mark.parametrize(
    ("trace", "word"),
    [(go.Pie(values=[1]), "pie"), (go.Scatter(x=[1], y=[1], mode="markers", marker={"symbol": "y-up"}), "y-up")],
)
def test_what_files_cannot_show_is_named(trace, word):
    with pytest.raises(ValueError, match=word):
        export(go.Figure(trace), "svg")


def test_tikz_of_a_chart_is_refused():
    with pytest.raises(ValueError, match="written_graph"):
        export(made("graph_figure"), "tikz")


def test_an_empty_figure_is_written():
    assert export(go.Figure(layout={"height": 100}), "png")
