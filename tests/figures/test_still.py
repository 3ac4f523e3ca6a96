"""Figures as drawings and as files, without a browser."""

import base64
import functools
import io
import re
import xml.etree.ElementTree as ET

import numpy as np
import pandas as pd
import plotly.graph_objects as go
import pytest
from numpy.testing import assert_allclose
from plotly.colors import sample_colorscale

import trellislib.figures as figures
from trellislib import ClassifierChain, ConditionalDependencyNetwork
from trellislib.data import Dataset, simulate_shapes
from trellislib.data.label_dag import LabelDag, observed_given_parent
from trellislib.data.room import Room
from trellislib.dependence import label_tree, pooled
from trellislib.figures import FORMATS, export, still
from trellislib.figures.drawing import Area, Dot, Image, Line, Rectangle
from trellislib.figures.stills import ticks
from trellislib.figures.stills.symbols import symbol
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
from trellislib.metrics import MEASURES
from trellislib.studies.structure_comparison import structure_comparison

HOSTILE = ("<b>bold</b>", "$x$ & y", "größe → λ", "two\nlines", "&amp;", "<br>")
READ = ("<b>bold</b>", "$x$ & y", "größe → λ", "two lines", "&amp;", "<br>")
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


def growth():
    rows = [
        {"method": method, "base": base, "variable": "L", "size": size, "train s": 1e-4 * size, "predict s": 1e-3}
        for method, base in (("IC", "least squares"), ("CT", "logistic"))
        for size in (100, 1000, 10_000)
    ]
    return pd.DataFrame(rows).assign(**{"peak GiB": 0.25})


def leads():
    return pd.DataFrame({"CT": [0.5, 0.4, 0.3, np.nan, 0.2, 0.2], "IC": [0.4, 0.45, 0.3, 0.2, 0.1, 0.3]}, HOSTILE)


def placed():
    return placement_steps(I6, 3, random_state=0)


def width_scores():
    folds = pd.DataFrame({"accuracy": [0.5, 0.6]}, index=pd.Index([0, 1], name="fold"))
    return {1: {"IC": folds, "CT": folds + 0.1, "CC": folds}, 3: {"IC": folds, "CT": folds + 0.2, "CC": folds}}


FIGURES = {
    "candidates_figure": lambda: figures.candidates_figure(placed()[4], HOSTILE),
    "capture_curve_figure": lambda: figures.capture_curve_figure(capture_curve(I6, n_placements=9), "left-up", 2),
    "captured_figure": lambda: figures.captured_figure(2.5, np.linspace(1, 2, 50), 4.0),
    "conditional_figure": lambda: figures.conditional_figure(I6, I6 / 2, HOSTILE, signs=SIGNS, selected=(0, 1)),
    "dendrogram_figure": lambda: figures.dendrogram_figure(label_tree(I6), HOSTILE, 3, selected=0),
    "dependence_heatmap": lambda: figures.dependence_heatmap(I6, HOSTILE, np.arange(N), selected=(1, 2)),
    "dependence_matrices": lambda: figures.dependence_matrices(I6, I6 / 2, HOSTILE, np.arange(N))[1],
    "combinations_figure": lambda: figures.combinations_figure(
        pd.DataFrame({"truth": [5, 3, 2, 9], "IC": [2, 6, 5, 6], "CC": [4, 4, 2, 9]}), HOSTILE[0], HOSTILE[1]
    ),
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


def texts(drawing):
    return [text.text for text in drawing.texts]


def points_of(mark):
    match mark:
        case Line():
            return mark.points
        case Area():
            return [point for ring in mark.rings for point in ring]
        case Dot():
            return [(mark.x - mark.radius, mark.y - mark.radius), (mark.x + mark.radius, mark.y + mark.radius)]
        case Rectangle() | Image():
            return [(mark.x, mark.y), (mark.x + mark.width, mark.y + mark.height)]
    left, top, right, bottom = mark.box
    return [(left, top), (right, bottom)]


# Every figure


def test_every_figure_is_tried():
    public = {name for name in figures.__all__ if name.endswith(("_figure", "_figures", "_heatmap", "_matrices"))}

    assert public - {"drawing_figure"} == set(FIGURES)


@pytest.mark.parametrize("name", FIGURES)
def test_every_figure_is_written_in_every_format(name):
    drawing = still(made(name))
    content = {kind: export(drawing, kind) for kind in FORMATS}
    root = ET.fromstring(content["svg"])

    assert content["pdf"].startswith(b"%PDF")
    assert content["png"].startswith(b"\x89PNG")
    assert content["tikz"].decode().endswith("\\end{tikzpicture}\n")
    shown = ["".join(element.itertext()) for element in root.iter(f"{SVG}text")]
    assert shown == [text.text + text.raised for text in drawing.texts]
    ours = [functools.reduce(lambda text, name: text.replace(name, ""), READ, text) for text in shown]
    assert not any(re.search(r"&(lt|gt|amp|#36);|</?sup>", text) for text in ours)
    if name in NAMED:
        assert set(READ) <= {text.removeprefix("★ ") for text in shown}


@pytest.mark.parametrize("name", FIGURES)
def test_nothing_lies_outside(name):
    drawing = still(made(name))
    found = np.array([point for mark in drawing.marks for point in points_of(mark)])

    assert (found >= -1e-6).all()
    assert (found <= np.array([drawing.width, drawing.height]) + 1e-6).all()
    assert drawing.height < 1.2 * made(name).layout.height


@pytest.mark.parametrize("name", FIGURES)
def test_colours_are_those_of_the_figure(name):
    written = str(made(name).to_plotly_json()).upper()
    for mark in still(made(name)).marks:
        if isinstance(mark, Line) and mark.color and mark.dash:
            red, green, blue = bytes.fromhex(mark.color[1:])
            assert mark.color in written or f"({red}, {green}, {blue}" in written


# Places, by hand


def plain(**layout):
    """Return a layout without margins or axes: places are shares of 100 points."""
    axis = {"visible": False, "range": [0, 10]}
    given = {"width": 100, "height": 100, "margin": dict.fromkeys("lrtb", 0), "xaxis": axis, "yaxis": axis}
    return given | layout


def test_points_are_where_their_values_are():
    trace = go.Scatter(x=[0, 5, 10], y=[0, 5, 20], mode="markers", marker={"size": 8, "color": "#D55E00"})
    drawing = still(go.Figure(trace, plain()))

    # The third is outside of the range; the drawing has room for the half of the first that is outside of the plot.
    first, second = drawing.marks
    assert (second.x - first.x, second.y - first.y) == (50, -50)
    assert (second.radius, second.color) == (4, "#D55E00")
    assert (drawing.width, drawing.height) == (104, 104)


def test_lines_break_at_gaps_and_end_at_the_plot():
    trace = go.Scatter(x=[1, 2, None, 5, 15], y=[1, 2, None, 5, 15], mode="lines", line={"color": "#000000"})
    one, other = still(go.Figure(trace, plain())).marks

    assert_allclose(one.points, [(10, 90), (20, 80)])
    assert_allclose(other.points, [(50, 50), (100, 0)])


def test_a_logarithmic_axis_places_powers_evenly_and_says_them():
    axis = {"type": "log", "range": [0, 2], "tickvals": [1, 10, 100], "ticktext": ["one", "ten", "hundred"]}
    trace = go.Scatter(x=[1, 10, 100, -5], y=[5, 5, 5, 5], mode="markers")
    drawing = still(go.Figure(trace, plain(xaxis=axis, width=400)))
    dots = [mark for mark in drawing.marks if isinstance(mark, Dot)]
    placed_texts = {text.text: text.x for text in drawing.texts}

    assert len(dots) == 3
    assert dots[1].x - dots[0].x == pytest.approx(dots[2].x - dots[1].x)
    assert [placed_texts[name] for name in ("one", "ten", "hundred")] == pytest.approx([dot.x for dot in dots])


def test_bars_begin_at_zero_and_are_as_wide_as_the_gap_leaves():
    axis = {"visible": False, "range": [-0.5, 3.5]}
    figure = go.Figure(go.Bar(x=[0, 1, 2, 3], y=[1, 2, 3, 4]), plain(xaxis=axis, bargap=0.2))
    bars = still(figure).marks

    assert [bar.x for bar in bars] == pytest.approx([2.5, 27.5, 52.5, 77.5])
    assert [bar.width for bar in bars] == pytest.approx([20] * 4)
    assert [bar.height for bar in bars] == pytest.approx([10, 20, 30, 40])


def test_bars_stand_on_each_other():
    axis = {"visible": False, "range": [-0.5, 0.5]}
    traces = [go.Bar(x=[0], y=[height], name=str(height)) for height in (3, 4, -2)]
    layout = plain(xaxis=axis, barmode="relative", showlegend=False) | {"yaxis": {"visible": False, "range": [-10, 10]}}
    bars = still(go.Figure(traces, layout)).marks

    assert [(bar.y, bar.height) for bar in bars] == [(35, 15), (15, 20), (50, 10)]


def test_bins_of_a_histogram_are_plotly_s():
    values = [0.05, 0.12, 0.13, 0.38]
    figure = go.Figure(go.Histogram(x=values, nbinsx=5), plain(bargap=0, xaxis={"visible": False, "range": [0, 0.4]}))
    bars = still(figure).marks  # of width 0.1, for 0.33 / 5 = 0.066

    assert [bar.x for bar in bars] == pytest.approx([0, 25, 75])
    assert [bar.height for bar in bars] == pytest.approx([10, 20, 10])


def test_quartiles_and_whiskers():
    values = [1, 2, 3, 4, 5, 6, 7, 100]
    layout = plain(height=110, yaxis={"visible": False, "range": [0, 110]}, xaxis={"visible": False})
    marks = still(go.Figure(go.Box(y=values, name="CT", line={"color": "#0072B2"}), layout)).marks
    ring = np.array(marks[0].rings[0])

    # Quartiles 2.5, 4.5 and 6.5 (plotly's "linear"); 100 is further than 1.5 * 4 above the third.
    assert (110 - ring[:, 1].max(), 110 - ring[:, 1].min()) == pytest.approx((2.5, 6.5))
    assert [110 - mark.points[0][1] for mark in marks[2:5]] == pytest.approx([4.5, 2.5, 6.5])
    assert [dot.y for dot in marks if isinstance(dot, Dot)] == [10]


def test_heads_of_arrows_are_at_the_child():
    graph = LabelGraph([(), (0,)])
    places = np.array([(0.0, 0.5), (1.0, 0.5)])
    drawing = still(figures.graph_figure(graph, ("parent", "child"), places, dependence(2), signs=np.ones((2, 2))))
    parent, child = [mark for mark in drawing.marks if isinstance(mark, Dot)]
    (head,) = [mark for mark in drawing.marks if isinstance(mark, Area)]
    (edge,) = [
        mark for mark in drawing.marks if isinstance(mark, Line) and mark.color == CO_OCCURRENCE and mark.width > 1
    ]
    tip, *base = head.rings[0]

    assert tip == pytest.approx((child.x - 7, child.y))  # half of its size, and one
    assert all(x < tip[0] for x, _ in base)
    assert edge.points[0] == pytest.approx((parent.x, parent.y))
    assert base[0][0] < edge.points[1][0] < tip[0]


def test_exclusion_is_dashed_and_co_occurrence_is_not():
    drawing = still(made("graph_figure"))
    lines = [mark for mark in drawing.marks if isinstance(mark, Line) and len(mark.points) == 2]
    dashes = {color: {line.dash for line in lines if line.color == color} for color in (CO_OCCURRENCE, EXCLUSION)}

    assert dashes == {CO_OCCURRENCE: {()}, EXCLUSION: {(6.0, 4.0)}}
    assert 'stroke-dasharray="6,4"' in export(drawing, "svg").decode()
    assert "dash pattern=on 6bp off 4bp" in export(drawing, "tikz").decode()


# Heat maps


def test_cells_have_the_colours_of_the_scale_and_the_diagonal_is_blank():
    n = 3
    information = np.array([[0, 0.2, 0.4], [0.2, 0, 0.1], [0.4, 0.1, 0]])
    drawing = still(figures.dependence_heatmap(information, ("a", "b", "c"), np.arange(n)))
    cells = [mark for mark in drawing.marks if isinstance(mark, Rectangle)][: n * (n - 1)]
    wanted = sample_colorscale("Cividis", np.sqrt([0.5, 1.0, 0.5, 0.25, 1.0, 0.25]), colortype="tuple")

    assert_allclose([list(bytes.fromhex(cell.color[1:])) for cell in cells], 255 * np.array(wanted), atol=0.6)
    assert cells[0].y == cells[1].y < cells[2].y < cells[4].y  # the first row is at the top
    side = cells[4].height
    assert cells[1].x - cells[0].x == pytest.approx(side)  # cells are square


def test_a_large_map_is_an_image_of_its_cells():
    values = np.arange(10_000.0).reshape(100, 100)
    values[0, 0] = np.nan
    layout = plain(xaxis={"visible": False}, yaxis={"visible": False, "autorange": "reversed"})
    figure = go.Figure(go.Heatmap(z=values, colorscale=["#000000", "#FFFFFF"], showscale=False), layout)
    (image,) = still(figure).marks

    assert (image.x, image.y, image.width, image.height) == (0, 0, 100, 100)
    assert image.pixels.shape == (100, 100, 4)
    assert image.pixels[0, 0, 3] == 0
    assert image.pixels[-1, -1].tolist() == [255] * 4
    assert image.pixels[50, 0].tolist() == [round(255 * 4999 / 9998)] * 3 + [255]


def test_an_image_is_the_same_in_every_format():
    from matplotlib.image import imread

    pixels = np.zeros((2, 3, 4), dtype=np.uint8)
    pixels[0, 0] = 255, 0, 0, 255
    pixels[1, 2] = 0, 0, 255, 255
    drawing = figures.Drawing(30, 20, (Image(0, 0, 30, 20, pixels),))
    painted = imread(io.BytesIO(export(drawing, "png", dpi=72)))[..., :3]
    element = ET.fromstring(export(drawing, "svg")).find(f"{SVG}image")
    tikz = export(drawing, "tikz").decode()

    assert (painted[5, 5] == [1, 0, 0]).all()
    assert (painted[15, 25] == [0, 0, 1]).all()
    assert (painted[15, 5] == 1).all()
    embedded = imread(io.BytesIO(base64.b64decode(element.get("href").partition(",")[2])))
    assert_allclose(embedded, pixels / 255)
    assert r"\fill[fill=trellislibFF0000] (0,0) -- (10,0) -- (10,10) -- (0,10) -- cycle;" in tikz
    assert r"\fill[fill=trellislib0000FF] (20,10) -- (30,10) -- (30,20) -- (20,20) -- cycle;" in tikz
    assert tikz.count(r"\fill") == 2


def test_a_map_of_many_labels_is_small():
    n = 500
    drawing = still(figures.dependence_heatmap(dependence(n), [f"label {j}" for j in range(n)], np.arange(n)))

    assert sum(isinstance(mark, Image) for mark in drawing.marks) == 1
    assert all(len(export(drawing, kind)) < 3e6 for kind in FORMATS)


# Axes


@pytest.mark.parametrize(
    ("value", "form", "told"),
    [(0.25, ".0%", "25%"), (0.125, ".1%", "12.5%"), (1234.5, ",.1f", "1,234.5"), (-2, ".2f", "\u22122.00")],
)
def test_formats_of_numbers(value, form, told):
    assert ticks.formatted(value, form) == told


def test_unknown_formats_are_refused():
    with pytest.raises(ValueError, match="cannot write numbers in the format '%Y'"):
        ticks.formatted(1, "%Y")


def test_ticks_are_plotly_s():
    assert ticks.step_for(0.7, 600, 80) == 0.1
    assert ticks.plain(ticks.multiples(-0.1, 0.1, 0.05), 0.05) == ["\u22120.1", "\u22120.05", "0", "0.05", "0.1"]
    assert ticks.plain(np.array([0.0, 20_000.0]), 20_000.0) == ["0", "20k"]
    assert_allclose(10 ** ticks.logarithmic(0, 2, 400, 80), [1, 2, 5, 10, 20, 50, 100])
    assert_allclose(10 ** ticks.logarithmic(-3, 3, 300, 80), [1e-2, 1, 1e2])


def test_names_of_categories_are_on_the_axis():
    drawing = still(go.Figure(go.Bar(x=["CT", literal("<i>")], y=[1, 2]), {"height": 200}))

    assert texts(drawing)[:2] == ["CT", "<i>"]


def test_subplots_keep_to_their_domains():
    left, right = go.Scatter(x=[0, 1], y=[0, 1], mode="lines"), go.Scatter(x=[0, 1], y=[0, 1], mode="lines", xaxis="x2")
    axis = {"visible": False, "range": [0, 1]}
    layout = plain(showlegend=False, yaxis=axis, xaxis=axis | {"domain": [0, 0.4]}, xaxis2=axis | {"domain": [0.6, 1]})
    one, other = still(go.Figure([left, right], layout)).marks

    assert_allclose([one.points, other.points], [[(0, 100), (40, 0)], [(60, 100), (100, 0)]])


def test_a_legend_tells_the_names_with_exponents():
    legend = [text for text in still(made("growth_figure")).texts if text.raised]

    assert [(text.text, text.raised) for text in legend] == [("IC: L", "1.00"), ("CT, logistic: L", "1.00")]


# Markers


@pytest.mark.parametrize("name", sorted({style.symbol for style in METHOD_STYLES.values()}))
def test_every_marker_of_a_method_has_an_outline(name):
    outline = symbol(name).outline

    assert 0.8 <= np.abs(outline).max() <= 1.6
    assert np.abs(outline.min(axis=0) + outline.max(axis=0)).max() < 0.6  # around its place


def test_markers_of_methods_differ():
    drawn = {style.symbol: symbol(style.symbol) for style in METHOD_STYLES.values()}
    shapes = {(np.round(np.vstack([shape.outline, *shape.strokes]), 3).tobytes()) for shape in drawn.values()}

    assert len(shapes) == len(drawn)


# What is refused


@pytest.mark.parametrize(
    ("trace", "layout", "said"),
    [
        (go.Pie(values=[1]), {}, "no traces of type 'pie'"),
        (go.Scatter(x=[1], y=[1], mode="markers", marker={"symbol": "y-up"}), {}, "no marker 'y-up'"),
        (go.Scatter(x=[1], y=[1]), {"xaxis": {"type": "date"}}, "no axis of type 'date'"),
        (go.Scatter(x=[1], y=[1], mode="markers", marker={"color": "salmon"}), {}, "the colour 'salmon'"),
    ],
)
def test_what_a_still_cannot_draw_is_named(trace, layout, said):
    with pytest.raises(ValueError, match=said):
        still(go.Figure(trace, layout))


def test_an_empty_figure_is_drawn():
    assert still(go.Figure(layout={"height": 100})).height == 100
