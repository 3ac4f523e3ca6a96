"""Error propagation over a test set: what true inputs would change, level by level, and what each edge gains."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pandas as pd
import plotly.graph_objects as go

from trellislib.figures.prediction_path import AGAINST, FOR, OUTCOME_STYLES
from trellislib.figures.style import FAINT, LEGEND_ABOVE, NEITHER, NEUTRAL, band, finish, literal, rows_axis, shortened
from trellislib.inspection.edges import CLEAR, edge_name

GIVEN_TRUE, GIVEN_PREDICTED = OUTCOME_STYLES["right"][0], OUTCOME_STYLES["own error"][0]
UNCLEAR = 0.35  # opacity of a bar that may be chance
FEW_LEVELS = 30  # up to which markers are large
TICKS = 12  # levels that have a tick, about
ROW = 19  # pixels for an edge
SMALL = 0.01  # end of the axis where nothing has an effect
ERRORS = 1.96  # standard errors of a gain that are drawn


def propagation_figure(levels: pd.DataFrame, level_name: str = "wavefront") -> go.Figure:
    """Draw how often labels are right given true and given predicted inputs, by how deep they are in the graph.

    Parameters
    ----------
    levels : DataFrame
        As `trellislib.inspection.by_level` returns it.
    level_name : str, default="wavefront"
        What a level is, as `trellislib.inspection.level_name` returns it.

    Returns
    -------
    plotly.graph_objects.Figure
        The gap between the two lines is shaded: it is lost by inherited errors.
    """
    levels = levels.dropna(subset=["given_true", "given_predicted"])
    x = (levels["level"] + 1).tolist()
    upper, lower, base = (levels[name].tolist() for name in ("given_true", "given_predicted", "most_frequent"))
    hover = [_level_hover(level_name, row) for row in levels.to_dict("records")]
    figure = go.Figure(band(x, lower, upper, showlegend=False))
    size = 8 if len(x) <= FEW_LEVELS else 5
    for name, y, color, more in (
        ("given true inputs", upper, GIVEN_TRUE, {"mode": "lines+markers", "marker": {"symbol": "circle"}}),
        ("given predicted inputs", lower, GIVEN_PREDICTED, {"mode": "lines+markers", "marker": {"symbol": "diamond"}}),
        ("most frequent value", base, NEITHER, {"mode": "lines", "line": {"dash": "dot"}}),
    ):
        trace = go.Scatter(x=x, y=y, name=name, hovertext=hover, hoverinfo="text", showlegend=True, **more)
        trace.update(line={"color": color, "width": 2}, marker={"color": color, "size": size})
        figure.add_trace(trace)
    values = np.array([*upper, *lower, *base] or [0.0, 1.0])
    room = 0.08 * (np.ptp(values) or 0.1)
    return finish(
        figure,
        360,
        xaxis={
            "title": {"text": literal(level_name)},
            "range": [0.5, (x or [1])[-1] + 0.5],
            "tickvals": x[:: max(len(x) // TICKS, 1)],
            "gridcolor": FAINT,
        },
        yaxis={
            "title": {"text": "share of values that are right"},
            "range": [values.min() - room, values.max() + room],
            "gridcolor": FAINT,
            "zeroline": False,
        },
        legend=LEGEND_ABOVE,
    )


def edge_effects_figure(
    table: pd.DataFrame,
    names: Sequence[str],
    measure_name: str = "accuracy",
    *,
    is_directed: bool = True,
    most: int = 20,
) -> go.Figure:
    """Draw which edges help and which hurt, the most helpful at the top.

    Parameters
    ----------
    table : DataFrame
        As `trellislib.inspection.edge_effects` returns it.
    names : sequence of str
        Names of the labels.
    measure_name : str, default="accuracy"
        Name of the score.
    is_directed : bool, default=True
        Whether edges have a parent and a child.
    most : int, default=20
        Edges that are drawn, those of the largest effects.

    Returns
    -------
    plotly.graph_objects.Figure
        Bars to the right are what is gained with an edge, to the left what is lost, with 95% intervals. Those that may
        be chance (p > 0.05, corrected for the number of edges) are pale.
    """
    strongest = table["gain"].abs().sort_values(ascending=False, kind="stable").index[:most].sort_values()
    table = table.loc[strongest]
    edges = [(names[one], names[other]) for one, other in zip(table["parent"], table["child"], strict=True)]
    titles = [edge_name(*edge, is_directed=is_directed) for edge in edges]
    short = [edge_name(*(shortened(name, 12) for name in edge), is_directed=is_directed) for edge in edges]
    child = "its child is" if is_directed else "its ends are"
    hover = [_edge_hover(title, row, child) for title, row in zip(titles, table.to_dict("records"), strict=True)]
    gains, errors = table["gain"].to_numpy(), ERRORS * table["gain_error"].fillna(0.0).to_numpy()
    is_clear, places = (table["p"] <= CLEAR).to_numpy(), np.arange(len(table))
    figure = go.Figure()
    for name, color, among in (
        ("helps", FOR, is_clear & (gains > 0)),
        ("hurts", AGAINST, is_clear & (gains < 0)),
        ("may help", FOR, ~is_clear & (gains > 0)),
        ("may hurt", AGAINST, ~is_clear & (gains < 0)),
        ("no effect", NEITHER, gains == 0),
    ):
        if among.any():
            figure.add_trace(
                go.Bar(
                    x=gains[among].tolist(),
                    y=places[among].tolist(),
                    orientation="h",
                    name=f"{name} ({among.sum()})",
                    marker={"color": color},
                    opacity=UNCLEAR if name.startswith("may") else 1.0,
                    error_x={"array": errors[among].tolist(), "thickness": 1, "width": 2, "color": NEUTRAL},
                    width=0.7,
                    hovertext=[hover[place] for place in places[among]],
                    hoverinfo="text",
                )
            )
    reach = float((np.abs(gains) + errors).max(initial=0.0)) * 1.06 or SMALL
    return finish(
        figure,
        max(180, ROW * len(table) + 110),
        barmode="overlay",
        legend=LEGEND_ABOVE,
        xaxis={
            "title": {"text": literal(f"{measure_name} with the edge less without it")},
            "range": [-reach, reach],
            "zeroline": True,
            "zerolinecolor": NEITHER,
            "gridcolor": FAINT,
        },
        yaxis=rows_axis(short, 40),
    )


def _level_hover(level_name: str, row: dict) -> str:
    n_labels = row["n_labels"]
    lines = [
        f"{level_name} {row['level'] + 1}: {n_labels} label{'s' * (n_labels != 1)}",
        f"given true inputs {row['given_true']:.3f}",
        f"given predicted inputs {row['given_predicted']:.3f}",
        f"most frequent value {row['most_frequent']:.3f}",
        f"{row['n_own']:,} own errors, {row['n_inherited']:,} inherited, {row['n_overruled']:,} overruled, "
        f"{row['n_lucky']:,} lucky",
    ]
    return "<br>".join(map(literal, lines))


def _edge_hover(edge: str, row: dict, child: str) -> str:
    lines = [
        edge,
        f"with it {row['score_with']:.4f}, without {row['score_without']:.4f}",
        f"gain {row['gain']:+.2g} ± {row['gain_error']:.2g} (standard error), p = {row['p']:.2g}",
        f"{child} right in {row['child_with']:.1%} with it, {row['child_without']:.1%} without",
    ]
    return "<br>".join(map(literal, lines))
