"""Methods against each other: score against time, and label by label."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pandas as pd
import plotly.graph_objects as go

from trellislib.figures.style import finish, literal, method_style, shortened
from trellislib.metrics import Measure

SHOWN_LABELS = 60


def score_against_time_figure(summary: pd.DataFrame, measure: Measure) -> go.Figure:
    """Draw each method's mean score, with its standard deviation over folds, against its mean time of a fold.

    Parameters
    ----------
    summary : DataFrame
        As `trellislib.experiment.Evaluation.summary` returns it.
    measure : Measure
        The score of the vertical axis.

    Returns
    -------
    plotly.graph_objects.Figure
    """
    figure = go.Figure()
    drawn: list[float] = []
    for position, (name, row) in enumerate(summary.iterrows()):
        score, spread = row[measure.key, "mean"], row[measure.key, "std"]
        seconds = row["train_seconds", "mean"] + row["test_seconds", "mean"]
        if not np.isfinite(score):
            continue
        drawn.append(seconds)
        style = method_style(str(name), position)
        figure.add_trace(
            go.Scatter(
                x=[seconds],
                y=[score],
                error_y={"array": [np.nan_to_num(spread)], "thickness": 1.5, "color": style.color},
                mode="markers+text",
                marker={"color": style.color, "symbol": style.symbol, "size": 15},
                text=[f" {literal(str(name))}"],
                textposition="middle right",
                hovertext=f"{literal(str(name))}<br>{measure.name} {score:.3f}<br>{seconds:.3g} s a fold",
                hoverinfo="text",
                cliponaxis=False,
            )
        )
    arrow = "higher is better" if measure.higher_is_better else "lower is better"
    return finish(
        figure,
        360,
        xaxis={"title": {"text": "training and test time of a fold (s)"}, "type": "log"} | _time_ticks(drawn),
        yaxis={"title": {"text": f"{measure.name}, {arrow}"}},
        margin={"l": 8, "r": 40, "t": 16, "b": 8},
    )


def label_scores_figure(scores: pd.DataFrame, column: str, title: str) -> go.Figure:
    """Draw one score of every label for each method, the most frequent labels first; at most 60 labels.

    Parameters
    ----------
    scores : DataFrame
        As `trellislib.experiment.Evaluation.label_scores` returns it.
    column : str
        The score, a column of `scores`.
    title : str
        What the axis calls it.

    Returns
    -------
    plotly.graph_objects.Figure
    """
    wide = scores[column].unstack("method", sort=False)
    frequency = scores["frequency"].groupby("label", sort=False).first()
    labels = frequency.sort_values(ascending=False, kind="stable").index[:SHOWN_LABELS]
    figure = go.Figure()
    for position, name in enumerate(wide.columns):
        style = method_style(str(name), position)
        figure.add_trace(
            go.Scatter(
                x=wide.loc[labels, name],
                y=list(range(len(labels))),
                name=literal(str(name)),
                mode="markers",
                marker={"color": style.color, "symbol": style.symbol, "size": 10},
                hovertext=[
                    f"{literal(str(name))} on {literal(str(label))}<br>{title} {value:.3f}<br>"
                    f"relevant in {frequency[label]:.1%}"
                    for label, value in wide.loc[labels, name].items()
                ],
                hoverinfo="text",
            )
        )
    return finish(
        figure,
        max(280, 20 * len(labels) + 110),
        showlegend=True,
        legend={"orientation": "h", "y": 1.0, "yanchor": "bottom"},
        xaxis={"title": {"text": title}},
        yaxis={
            "tickvals": list(range(len(labels))),
            "ticktext": [literal(shortened(str(label))) for label in labels],
            "range": [len(labels) - 0.5, -0.5],
        },
        margin={"l": 8, "r": 8, "t": 40, "b": 8},
    )


def _time_ticks(seconds: Sequence[float]) -> dict[str, object]:
    """Return the range of a logarithmic time axis around `seconds`, with ticks at 1, 2 and 5 of each decade."""
    if not seconds:
        return {}
    low, high = np.log10(min(seconds)) - 0.25, np.log10(max(seconds)) + 0.35
    decades = range(int(np.floor(low)), int(np.ceil(high)) + 1)
    ticks = [step * 10.0**decade for decade in decades for step in (1, 2, 5)]
    return {"range": [low, high], "tickvals": ticks, "ticktext": [f"{tick:g}" for tick in ticks]}
