"""What the labels of a data set are like: how frequent, and how many an instance has."""

from __future__ import annotations

import numpy as np
import pandas as pd
import plotly.graph_objects as go

from trellislib.data.statistics import Statistics
from trellislib.figures.style import NEUTRAL, finish, literal, rows_axis

SHOWN_LABELS = 40


def frequency_figure(statistics: Statistics) -> go.Figure:
    """Draw how often each label is relevant, the most frequent first; at most 40 labels are shown.

    Parameters
    ----------
    statistics : Statistics
        Of the data set.

    Returns
    -------
    plotly.graph_objects.Figure
    """
    shown = statistics.frequencies.sort_values(ascending=False, kind="stable").head(SHOWN_LABELS)
    counts = np.rint(shown * statistics.n_instances).astype(int)
    figure = go.Figure(
        go.Bar(
            x=shown.to_numpy(),
            y=list(range(len(shown))),
            orientation="h",
            marker={"color": NEUTRAL},
            hovertext=[
                f"{literal(str(name))}<br>{count:,} instances, {share:.1%}<br>IRLbl {statistics.imbalance[name]:.3g}"
                for name, count, share in zip(shown.index, counts, shown, strict=True)
            ],
            hoverinfo="text",
        )
    )
    return finish(
        figure,
        max(200, 18 * len(shown) + 60),
        xaxis={"title": {"text": "share of instances"}, "tickformat": ".0%"},
        yaxis=rows_axis(shown.index),
        bargap=0.25,
    )


def labels_per_instance_figure(counts: pd.Series) -> go.Figure:
    """Draw how many instances have how many labels.

    Parameters
    ----------
    counts : Series
        Number of instances by number of labels, as in `Statistics.labels_per_instance`.

    Returns
    -------
    plotly.graph_objects.Figure
    """
    figure = go.Figure(
        go.Bar(
            x=counts.index.to_numpy(),
            y=counts.to_numpy(),
            width=0.8,
            marker={"color": NEUTRAL},
            hovertemplate="%{y:,} instances have %{x} labels<extra></extra>",
        )
    )
    return finish(
        figure,
        260,
        xaxis={"title": {"text": "labels of an instance"}, "dtick": 1 if len(counts) <= 20 else None},
        yaxis={"title": {"text": "instances"}},
    )
