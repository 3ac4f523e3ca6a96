"""Differences with their intervals: one row for each method, on an axis around 0."""

import pandas as pd
import pytest

from trellislib.figures import contrasts_figure
from trellislib.figures.style import METHOD_STYLES

CONTRASTS = pd.DataFrame(
    {"difference": [0.02, -0.01], "low": [0.01, -0.05], "high": [0.03, 0.03], "p": [0.01, 0.5]},
    index=["CT, auto", "ECC, auto"],
)


def test_each_method_has_its_difference_interval_and_colour():
    figure = contrasts_figure(CONTRASTS, "accuracy", "IC")
    for trace, (name, row) in zip(figure.data, CONTRASTS.iterrows(), strict=True):
        assert trace.x[0] == row["difference"]
        assert trace.error_x.array[0] == pytest.approx(row["high"] - row["difference"])
        assert trace.marker.color == METHOD_STYLES[name.partition(",")[0]].color
    assert list(figure.layout.yaxis.ticktext) == ["CT", "ECC"]


def test_the_axis_holds_all_intervals_and_zero_in_the_middle():
    low, high = contrasts_figure(CONTRASTS, "accuracy", "IC").layout.xaxis.range
    assert low == -high
    assert high > 0.05


def test_unknown_intervals_are_left_out_of_the_range():
    one_fold = CONTRASTS.assign(low=float("nan"), high=float("nan"))
    low, high = contrasts_figure(one_fold, "accuracy", "IC").layout.xaxis.range
    assert low < 0 < high
