"""Captured dependence, labels, and the comparison of methods."""

import numpy as np
import pandas as pd
import pytest
from numpy.testing import assert_allclose, assert_array_equal

from trellislib.data import Dataset
from trellislib.figures import (
    METHOD_STYLES,
    captured_figure,
    frequency_figure,
    label_scores_figure,
    labels_per_instance_figure,
    method_style,
    score_against_time_figure,
)
from trellislib.figures.comparison import SHOWN_LABELS, WIDTHS
from trellislib.figures.style import literal, shortened
from trellislib.methods import METHODS
from trellislib.metrics import MEASURES


def statistics(n_labels=3, names=None):
    Y = np.triu(np.ones((n_labels + 1, n_labels), dtype=int))
    names = names or tuple(f"label {j}" for j in range(n_labels))
    return Dataset(np.zeros((len(Y), 1)), Y, ("x",), names, (("0", "1"),) * n_labels).statistics()


def summary(rows, key="accuracy"):
    """Return a summary of methods: (mean, std, seconds of training)."""
    columns = {
        (key, "mean"): [row[0] for row in rows.values()],
        (key, "std"): [row[1] for row in rows.values()],
        ("train_seconds", "mean"): [row[2] for row in rows.values()],
        ("test_seconds", "mean"): [0.5 if np.isfinite(row[2]) else np.nan for row in rows.values()],
    }
    return pd.DataFrame(columns, index=pd.Index(rows, name="method"))


# Captured


def test_captured_shows_both_lines_and_all_random_placements():
    random = np.linspace(1, 2, 50)
    figure = captured_figure(2.5, random, 4.0)

    assert_array_equal(figure.data[0].x, random)
    assert [shape.x0 for shape in figure.layout.shapes] == [2.5, 4.0]
    assert [note.text for note in figure.layout.annotations] == [" this trellis <br> 2.50 ", " at most <br> 4 "]
    assert figure.layout.xaxis.range[0] == 0
    assert figure.layout.xaxis.range[1] > 4.0
    assert "of 50 random placements" in figure.layout.yaxis.title.text


@pytest.mark.parametrize("random", [np.zeros(20), np.array([])])
def test_captured_without_dependence_is_drawn(random):
    figure = captured_figure(0.0, random, 0.0)

    assert 0 < figure.layout.xaxis.range[1] < 1


# Labels


def test_frequencies_most_frequent_first():
    shown = frequency_figure(statistics(3)).data[0]

    assert_allclose(shown.x, [0.75, 0.5, 0.25])
    assert all(part in shown.hovertext[0] for part in ("label 2", "3 instances", "75.0%", "IRLbl 1"))
    assert all(part in shown.hovertext[1] for part in ("label 1", "2 instances", "50.0%", "IRLbl 1.5"))


def test_frequency_names_are_names():
    figure = frequency_figure(statistics(3, ("1e5", "<i>", "2001-01-01")))

    assert figure.layout.yaxis.ticktext == ("2001-01-01", "&lt;i&gt;", "1e5")
    assert figure.layout.yaxis.tickvals == (0, 1, 2)


def test_at_most_40_labels_are_drawn():
    figure = frequency_figure(statistics(100))

    assert len(figure.data[0].x) == 40
    assert figure.layout.yaxis.ticktext[0] == "label 99"


def test_labels_per_instance():
    figure = labels_per_instance_figure(statistics(3).labels_per_instance)

    assert dict(zip(figure.data[0].x, figure.data[0].y, strict=True)) == {0: 1, 1: 1, 2: 1, 3: 1}


# Comparison


def test_score_against_time_skips_what_did_not_finish():
    rows = {"IC": (0.5, 0.1, 1.0), "CC": (np.nan, np.nan, np.nan), "CT": (0.6, np.nan, 2.0)}
    figure = score_against_time_figure(summary(rows), MEASURES["accuracy"])

    assert [trace.name for trace in figure.data] == ["IC", "CT"]
    assert sorted(note.text for note in figure.layout.annotations) == ["CT", "IC"]
    assert [trace.y[0] for trace in figure.data] == [0.5, 0.6]
    assert [trace.x[0] for trace in figure.data] == [1.5, 2.5]
    assert [trace.error_y.array[0] for trace in figure.data] == [0.1, 0.0]
    low, high = figure.layout.xaxis.range
    assert low < np.log10(1.5) < np.log10(2.5) < high
    assert "higher is better" in figure.layout.yaxis.title.text


def test_score_against_time_of_nothing_is_empty():
    figure = score_against_time_figure(summary({"IC": (np.nan, np.nan, np.nan)}), MEASURES["accuracy"])

    assert len(figure.data) == 0


def test_a_loss_is_better_low():
    figure = score_against_time_figure(summary({"IC": (0.5, 0.1, 1.0)}, "ranking_loss"), MEASURES["ranking_loss"])

    assert "lower is better" in figure.layout.yaxis.title.text


def test_methods_keep_their_style_whoever_else_is_there():
    rows = {"CT": (0.6, 0.1, 2.0), "mine <b>": (0.5, 0.1, 1.0)}
    first, second = score_against_time_figure(summary(rows), MEASURES["accuracy"]).data

    assert first.marker.color == METHOD_STYLES["CT"].color
    assert first.marker.symbol == METHOD_STYLES["CT"].symbol
    assert second.name == "mine &lt;b&gt;"
    styles = [*METHOD_STYLES.values(), method_style("x")]
    assert len({(style.color, style.symbol) for style in styles}) == len(styles)


def test_every_method_has_a_style_of_its_own():
    assert set(METHOD_STYLES) == set(METHODS)


def overlap(one, other):
    return bool((one[:2] < other[2:]).all() and (one[2:] > other[:2]).all())


@pytest.mark.parametrize("width", WIDTHS)
@pytest.mark.parametrize("spread", [1.0, 0.1])
def test_names_of_all_methods_lie_apart(width, spread):
    rng = np.random.default_rng(0)
    rows = {name: (0.5 + 0.05 * spread * rng.random(), 0.02, 10 ** (3 * spread * rng.random())) for name in METHODS}
    figure = score_against_time_figure(summary(rows), MEASURES["accuracy"])
    ranges = np.array([figure.layout.xaxis.range, figure.layout.yaxis.range])
    size = np.array([width, figure.layout.height - 70])
    boxes = []
    for note in figure.layout.annotations:
        middle = (np.array([note.x, note.y]) - ranges[:, 0]) / np.ptp(ranges, axis=1) * size + [note.ax, -note.ay]
        half = np.array([3.6 * len(note.text), 7.0])
        boxes.append(np.concatenate([middle - half, middle + half]))

    assert len(boxes) == len(METHODS)
    pairs = [(i, j) for i in range(len(boxes)) for j in range(i) if overlap(boxes[i], boxes[j])]
    assert len(pairs) <= 2


def label_scores(n_labels, methods=("IC", "CT")):
    index = pd.MultiIndex.from_product([methods, [f"label {j}" for j in range(n_labels)]], names=["method", "label"])
    position = np.arange(len(index))
    return pd.DataFrame({"frequency": (position % n_labels + 1) / 200, "f1": position / 1000}, index=index)


def test_label_scores_most_frequent_first():
    figure = label_scores_figure(label_scores(3), "f1", "F1")

    assert figure.layout.yaxis.ticktext == ("label 2", "label 1", "label 0")
    assert [trace.name for trace in figure.data] == ["IC", "CT"]
    assert_allclose(figure.data[0].x, [0.002, 0.001, 0.0])
    assert_allclose(figure.data[1].x, [0.005, 0.004, 0.003])
    assert all(part in figure.data[0].hovertext[0] for part in ("IC on label 2", "F1 0.002", "1.5%"))
    assert figure.layout.showlegend


def test_label_scores_of_many_labels_are_bounded():
    figure = label_scores_figure(label_scores(150), "f1", "F1")

    assert len(figure.data[0].x) == SHOWN_LABELS
    assert figure.layout.yaxis.ticktext[0] == "label 149"


def test_label_scores_that_are_all_zero_have_an_axis_of_scores():
    scores = label_scores(3)

    assert label_scores_figure(scores, "f1", "F1").layout.xaxis.range is None
    assert label_scores_figure(scores.assign(f1=0.0), "f1", "F1").layout.xaxis.range == (-0.02, 1.02)


def test_label_scores_of_a_method_that_failed():
    scores = label_scores(2)
    figure = label_scores_figure(scores.drop(index=("CT", "label 0")), "f1", "F1")

    assert np.isnan(figure.data[1].x[1])


# Style


@pytest.mark.parametrize(
    ("written", "shown"),
    [("a & b", "a &amp; b"), ("<b>", "&lt;b&gt;"), ("$x$", "&#36;x&#36;"), ("&lt;", "&amp;lt;"), ("1e5", "1e5")],
)
def test_literal(written, shown):
    assert literal(written) == shown


def test_shortened():
    assert shortened("x" * 18) == "x" * 18
    assert shortened("x" * 19) == "x" * 17 + "…"
    assert shortened("abcdef", 4) == "abc…"
