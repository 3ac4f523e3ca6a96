"""Two methods, data set by data set."""

import numpy as np
import pandas as pd
import pytest
from numpy.testing import assert_allclose
from sentences import Containing, holds

from trellislib.figures import METHOD_STYLES, difference_spread, differences_figure
from trellislib.figures.style import NEUTRAL

SCORES = pd.DataFrame(
    {"IC": [0.50, 0.70, 0.40, 0.60, np.nan], "CT": [0.53, 0.65, 0.50, 0.60, 0.2], "CC": 0.5, "PCC": 0.4},
    index=pd.Index(["Music", "<Scene>", "Yeast", "Enron", "MediaMill"], name="dataset"),
)


def shown(figure):
    """Return the data sets of each trace, by its name."""
    ticks = dict(zip(figure.layout.yaxis.tickvals, figure.layout.yaxis.ticktext, strict=True))
    return {trace.name: [ticks[row] for row in trace.y] for trace in figure.data}


def test_data_sets_are_sorted_by_who_is_ahead_and_none_is_left_out():
    figure = differences_figure(SCORES, "CT", "IC", "Accuracy")

    assert figure.layout.yaxis.ticktext == ("Yeast", "Music", "Enron", "&lt;Scene&gt;", "MediaMill")
    assert figure.layout.yaxis.range[0] > figure.layout.yaxis.range[1]
    assert shown(figure) == {
        "CT ahead (2)": ["Yeast", "Music"],
        "IC ahead (1)": ["&lt;Scene&gt;"],
        "equal (1)": ["Enron"],
        "did not finish (1)": ["MediaMill"],
    }
    assert_allclose(figure.data[0].x, [0.10, 0.03])
    assert_allclose(figure.data[1].x, [-0.05])
    assert [trace.marker.color for trace in figure.data[:2]] == [METHOD_STYLES[m].color for m in ("CT", "IC")]


def test_of_losses_the_lower_is_ahead():
    figure = differences_figure(SCORES, "CT", "IC", "Hamming loss", higher_is_better=False)

    assert shown(figure)["CT ahead (1)"] == ["&lt;Scene&gt;"]
    assert_allclose(figure.data[0].x, [0.05])


def test_pointing_at_a_bar_shows_both_scores():
    spread = pd.Series({"Yeast": 0.0123, "Music": np.nan})
    figure = differences_figure(SCORES, "CT", "IC", "Accuracy", spread=spread)

    lines = figure.data[0].hovertext[0].split("<br>")
    assert lines[:4] == ["Yeast", "CT: Accuracy 0.500", "IC: Accuracy 0.400", Containing("CT is ahead", "0.1")]
    holds(lines[4], "standard deviation", "difference", "0.0123")
    assert figure.data[1].hovertext[0].startswith("&lt;Scene&gt;<br>CT: Accuracy 0.650")
    assert figure.data[2].hovertext[0].endswith("<br>equal")
    assert all(
        part in figure.data[3].hovertext[0] for part in ("MediaMill", "CT: Accuracy 0.200", "IC: did not finish")
    )


def test_spreads_belong_to_their_data_sets_and_not_to_unfinished_ones():
    spread = pd.Series({"MediaMill": 0.5, "Music": 0.02, "Yeast": 0.01})
    figure = differences_figure(SCORES, "CT", "IC", "Accuracy", spread=spread)

    assert_allclose(figure.data[0].error_x.array, [0.01, 0.02])
    assert figure.data[0].error_x.visible
    assert not figure.data[3].error_x.visible
    assert figure.layout.xaxis.range[1] == pytest.approx(1.08 * 0.11)


def test_without_spread_there_are_no_error_bars():
    assert not any(trace.error_x.visible for trace in differences_figure(SCORES, "CT", "IC", "Accuracy").data)


@pytest.mark.parametrize("n_datasets", [1, 2, 40])
def test_each_data_set_has_a_row(n_datasets):
    rng = np.random.default_rng(0)
    scores = pd.DataFrame(rng.random((n_datasets, 2)), [f"d{i}" for i in range(n_datasets)], ["CT", "IC"])
    layout = differences_figure(scores, "CT", "IC", "Accuracy").layout

    assert len(layout.yaxis.ticktext) == n_datasets
    assert (layout.height - 120) / n_datasets >= 24
    assert layout.xaxis.range[0] == -layout.xaxis.range[1]


def test_all_equal_and_none_finished_are_drawn():
    equal = pd.DataFrame({"CT": [0.5, 0.5], "IC": [0.5, 0.5]}, ["a", "b"])

    assert shown(differences_figure(equal, "CT", "IC", "Accuracy"))["equal (2)"] == ["a", "b"]
    figure = differences_figure(equal * np.nan, "CT", "IC", "Accuracy")
    assert shown(figure)["did not finish (2)"] == ["a", "b"]
    assert tuple(figure.layout.xaxis.range) == (-1, 1)


def test_methods_of_one_colour_are_drawn_in_two():
    figure = differences_figure(SCORES, "CC", "PCC", "Accuracy")

    assert [trace.marker.color for trace in figure.data[:2]] == [METHOD_STYLES["CC"].color, NEUTRAL]


@pytest.mark.parametrize(("one", "other", "message"), [("CT", "ECC", "no scores of 'ECC'"), ("CT", "CT", "'CT' twice")])
def test_what_cannot_be_compared_is_refused(one, other, message):
    with pytest.raises(ValueError, match=message):
        differences_figure(SCORES, one, other, "Accuracy")


def test_spread_is_of_paired_folds():
    rows = [
        ("Music", method, seed, 0, fold, value + 10 * fold + seed)
        for method, values in (("CT", (0.1, 0.2, 0.4)), ("IC", (0.1, 0.1, 0.1)), ("CC", (9, 9, 9)))
        for seed in (0, 1)
        for fold, value in enumerate(values)
    ]
    rows += [("Scene", "CT", 0, 0, 0, 0.5), ("Scene", "IC", 0, 0, 0, 0.4)]
    fits = pd.DataFrame(rows, columns=["dataset", "method", "seed", "repeat", "fold", "accuracy"]).sample(
        frac=1, random_state=0
    )
    spread = difference_spread(fits, "accuracy", "CT", "IC")

    assert_allclose(spread["Music"], np.std([0, 0.1, 0.3] * 2, ddof=1))
    assert np.isnan(spread["Scene"])
