"""What lessons compare in bars: chains in every order, and how often two labels are together."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import cycle

import pandas as pd
import plotly.graph_objects as go

from trellislib.figures.prediction_path import OUTCOME_STYLES
from trellislib.figures.style import LEGEND_ABOVE, METHOD_STYLES, NEUTRAL, finish, literal


def orders_figure(
    scores: pd.DataFrame, names: Sequence[str], measure: str, title: str, others: Sequence[pd.DataFrame] = ()
) -> go.Figure:
    """Draw a score of chains in every order of the labels.

    Parameters
    ----------
    scores : DataFrame
        As by `trellislib.studies.chain_orders.chain_orders`.
    names : sequence of str
        Names of the labels.
    measure : str
        A column of the scores.
    title : str
        What the measure is called.
    others : sequence of DataFrame
        Scores of the same orders on other draws of the data; drawn small.

    Returns
    -------
    plotly.graph_objects.Figure
    """
    figure = go.Figure()
    for number, table in enumerate(others):
        figure.add_trace(
            go.Scatter(
                x=table[measure],
                y=_orders(table, names),
                mode="markers",
                name="other draws",
                legendgroup="other draws",
                showlegend=number == 0,
                marker={"color": NEUTRAL, "size": 6, "opacity": 0.55},
                hovertemplate="%{y}: %{x:.3f}<extra>another draw</extra>",
            )
        )
    figure.add_trace(
        go.Scatter(
            x=scores[measure],
            y=_orders(scores, names),
            mode="markers",
            name="this draw",
            marker=METHOD_STYLES["CC"].marker(13),
            hovertemplate="%{y}: %{x:.3f}<extra></extra>",
        )
    )
    x = {"title": {"text": literal(title)}}
    return finish(figure, 290, xaxis=x, yaxis=_down(), showlegend=bool(others), legend=LEGEND_ABOVE)


def order_errors_figure(scores: pd.DataFrame, names: Sequence[str]) -> go.Figure:
    """Draw how many labels are wrong in every order: by own errors, and by errors of labels before them.

    Parameters
    ----------
    scores : DataFrame
        As by `trellislib.studies.chain_orders.chain_orders`.
    names : sequence of str
        Names of the labels.

    Returns
    -------
    plotly.graph_objects.Figure
    """
    figure = go.Figure()
    for column, name, pattern in (("n_own", "own error", ""), ("n_inherited", "inherited error", "/")):
        figure.add_trace(
            go.Bar(
                x=scores[column],
                y=_orders(scores, names),
                orientation="h",
                name=name,
                marker={"color": OUTCOME_STYLES[name][0], "pattern": {"shape": pattern}},
                hovertemplate="%{y}: %{x} " + name + "<extra></extra>",
            )
        )
    x = {"title": {"text": "labels that are wrong"}}
    return finish(figure, 290, xaxis=x, yaxis=_down(), legend=LEGEND_ABOVE, barmode="stack")


def combinations_figure(counts: pd.DataFrame, first: str, second: str) -> go.Figure:
    """Draw how often two labels are together, alone and absent, in the truth and in predictions.

    Parameters
    ----------
    counts : DataFrame
        As by `trellislib.labels.label_sets.pair_combinations`, its columns the truth and methods.
    first, second : str
        Names of the labels.

    Returns
    -------
    plotly.graph_objects.Figure
    """
    combinations = ("both", f"{first} alone", f"{second} alone", "neither")
    figure = go.Figure()
    for name, pattern in zip(counts, cycle(("", "/", ".")), strict=False):
        color = METHOD_STYLES[name].color if name in METHOD_STYLES else NEUTRAL
        figure.add_trace(
            go.Bar(
                x=[literal(text) for text in combinations],
                y=counts[name],
                name=literal(name),
                marker={"color": color, "pattern": {"shape": pattern}},
                hovertemplate="%{x}: %{y}<extra>" + literal(name) + "</extra>",
            )
        )
    return finish(
        figure,
        340,
        xaxis={"type": "category"},
        yaxis={"title": {"text": "test instances"}},
        legend=LEGEND_ABOVE,
        barmode="group",
    )


def _orders(scores: pd.DataFrame, names: Sequence[str]) -> list[str]:
    return [literal(" → ".join(names[label] for label in order)) for order in scores.index]


def _down() -> dict[str, object]:
    return {"type": "category", "autorange": "reversed", "automargin": True}
