"""The Pareto front of score and time, and its line in the figure."""

import re
from itertools import pairwise

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.testing import assert_allclose
from scipy.stats import gmean
from sentences import has_line, holds

from trellislib.figures import score_against_time_figure, score_time_figure
from trellislib.figures.comparison import WIDTHS
from trellislib.metrics import MEASURES
from trellislib.ranking.front import geometric_means, pareto_front

SCORES = pd.Series({"IC": 0.50, "ECC": 0.60, "CT": 0.58, "MCC": 0.55})
SECONDS = pd.Series({"IC": 1.0, "ECC": 9.0, "CT": 1.5, "MCC": 12.0})


def test_a_front_by_hand():
    assert pareto_front(SCORES, SECONDS) == ["IC", "CT", "ECC"]
    assert pareto_front(-SCORES, SECONDS, higher_is_better=False) == ["IC", "CT", "ECC"]
    assert pareto_front(SCORES, SECONDS, higher_is_better=False) == ["IC"]


def test_ties_are_beaten_where_the_other_number_is_worse():
    scores = pd.Series({"a": 0.5, "b": 0.5, "c": 0.6, "d": 0.6})

    assert pareto_front(scores, pd.Series({"a": 1.0, "b": 1.0, "c": 1.0, "d": 2.0})) == ["c"]
    assert pareto_front(scores, pd.Series({"a": 1.0, "b": 1.0, "c": 2.0, "d": 2.0})) == ["a", "b", "c", "d"]
    assert pareto_front(scores, pd.Series({"a": 1.0, "b": 2.0, "c": 3.0, "d": 4.0})) == ["a", "c"]


def test_what_did_not_finish_is_not_on_the_front():
    scores = pd.Series({"a": np.nan, "b": 0.5, "c": 0.9})

    assert pareto_front(scores, pd.Series({"a": 1.0, "b": 2.0, "c": np.nan})) == ["b"]
    assert pareto_front(scores * np.nan, SECONDS) == []


@given(st.lists(st.tuples(st.integers(0, 5), st.integers(0, 5)), min_size=1, max_size=12), st.booleans())
def test_the_front_is_what_nothing_beats(points, higher_is_better):
    names = [f"m{i}" for i in range(len(points))]
    scores, seconds = (pd.Series(values, names, dtype=float) for values in zip(*points, strict=True))
    sign = 1 if higher_is_better else -1

    def beats(one, other):
        better, faster = sign * (scores[one] - scores[other]), seconds[other] - seconds[one]
        return better >= 0 and faster >= 0 and (better > 0 or faster > 0)

    expected = {name for name in names if not any(beats(other, name) for other in names)}
    front = pareto_front(scores, seconds, higher_is_better)
    assert set(front) == expected
    assert len(front) == len(expected)
    assert list(seconds[front]) == sorted(seconds[front])


def test_geometric_means():
    seconds = pd.DataFrame({"IC": [1.0, 2.0, 30.0], "CT": [2.0, np.nan, 3.0]}, index=["a", "b", "c"])
    means = geometric_means(seconds)

    assert_allclose(means["IC"], gmean([1, 2, 30]))
    assert np.isnan(means["CT"])
    with pytest.raises(ValueError, match=r"IC .*b took 0\.0 s"):
        geometric_means(pd.DataFrame({"IC": [1.0, 0.0]}, index=["a", "b"]))


# In the figure


def corners(figure):
    (line,) = figure.layout.shapes
    return [tuple(map(float, point.split(","))) for point in re.findall(r"[-\d.e+]+,[-\d.e+]+", line.path)]


def test_the_line_goes_in_steps_through_the_front():
    figure = score_time_figure(SCORES, SECONDS, "Accuracy")
    low, _ = figure.layout.yaxis.range
    end = 10 ** figure.layout.xaxis.range[1]

    assert_allclose(
        corners(figure), [(1, low), (1, 0.5), (1.5, 0.5), (1.5, 0.58), (9, 0.58), (9, 0.6), (end, 0.6)], atol=1e-12
    )
    assert figure.layout.shapes[0].layer == "below"


def test_of_ranks_the_line_comes_from_above():
    figure = score_time_figure(pd.Series({"IC": 2.0, "CT": 1.0}), SECONDS, "average rank", higher_is_better=False)

    assert_allclose(corners(figure)[:3], [(1, figure.layout.yaxis.range[1]), (1, 2), (1.5, 2)])
    assert all(part in figure.layout.yaxis.title.text for part in ("average rank", "lower"))


def test_pointing_at_a_method_shows_whether_it_is_beaten():
    time_name = "geometric mean of 8 data sets"
    figure = score_time_figure(SCORES, SECONDS, "Accuracy", time_name=time_name)
    texts = {trace.name: trace.hovertext for trace in figure.data}

    holds(texts["CT"], "CT", "Accuracy 0.580", f"{time_name} 1.5 s", "On the Pareto front")
    assert texts["MCC"].endswith("<br>ECC is at least as good in both")
    assert figure.layout.xaxis.title.text == f"{time_name} (s)"


def test_a_method_without_score_or_time_is_not_drawn_and_takes_no_style():
    scores = pd.Series({"first": np.nan, "second": 0.5, "third": 0.6})
    seconds = pd.Series({"third": np.nan, "second": 2.0, "first": 1.0})
    figure = score_time_figure(scores, seconds, "Accuracy")
    alone = score_time_figure(scores, seconds.fillna(1.0), "Accuracy")

    assert [trace.name for trace in figure.data] == ["second"]
    assert figure.data[0].x == (2.0,)
    assert figure.data[0].marker == alone.data[0].marker
    assert not score_time_figure(scores * np.nan, seconds, "Accuracy").layout.shapes


def test_no_time_at_all_is_refused():
    with pytest.raises(ValueError, match=r"CT took 0 s .*less"):
        score_time_figure(SCORES, SECONDS * [1, 1, 0, 1], "Accuracy")


@pytest.mark.parametrize("width", WIDTHS)
def test_names_do_not_lie_on_the_line_where_there_is_room(width):
    figure = score_time_figure(SCORES, SECONDS, "Accuracy")
    ranges = np.array([figure.layout.xaxis.range, figure.layout.yaxis.range])
    size = np.array([width, figure.layout.height - 70])

    def on_screen(x, y):
        return (np.array([x, y]) - ranges[:, 0]) / np.ptp(ranges, axis=1) * size

    path = [on_screen(np.log10(x), y) for x, y in corners(figure)]
    for note in figure.layout.annotations:
        middle, half = on_screen(note.x, note.y) + np.array([note.ax, -note.ay]), np.array([3.6 * len(note.text), 7.0])
        for start, end in pairwise(path):
            low, high = np.minimum(start, end), np.maximum(start, end)
            assert (middle + half <= low).any() or (middle - half >= high).any()


def test_a_summary_of_folds_is_drawn_with_its_front():
    columns = {
        ("accuracy", "mean"): SCORES,
        ("accuracy", "std"): SCORES * 0 + 0.01,
        ("train_seconds", "mean"): SECONDS,
        ("test_seconds", "mean"): SECONDS,
    }
    figure = score_against_time_figure(pd.DataFrame(columns), MEASURES["accuracy"])

    assert_allclose([point[0] for point in corners(figure)][:6], [2, 2, 3, 3, 18, 18])
    assert [trace.error_y.array[0] for trace in figure.data] == [0.01] * 4
    has_line(figure.data[2].hovertext, "training", "test time", "fold 3 s")
