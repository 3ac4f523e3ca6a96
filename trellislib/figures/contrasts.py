"""By how much methods are better than another one, each with its interval."""

from __future__ import annotations

import numpy as np
import pandas as pd
import plotly.graph_objects as go

from trellislib.figures.style import FAINT, NEUTRAL, finish, literal, method_style, rows_axis

ROW = 44  # pixels for a method


def contrasts_figure(contrasts: pd.DataFrame, score: str, against: str) -> go.Figure:
    """Draw the mean differences of methods from another one, with their intervals, one below the other.

    Parameters
    ----------
    contrasts : DataFrame
        By method its ``difference``, the interval of it (``low``, ``high``) and its ``p``; as in
        `trellislib.advice.Advice.contrasts`. Methods are drawn by what stands before a comma in their names.
    score : str
        What the axis calls the score.
    against : str
        What the axis calls the method that they are compared with.

    Returns
    -------
    plotly.graph_objects.Figure

    Examples
    --------
    >>> contrasts = pd.DataFrame({"difference": [0.02], "low": [-0.01], "high": [0.05], "p": [0.3]}, index=["CT, auto"])
    >>> figure = contrasts_figure(contrasts, "accuracy", "independent classifiers")
    >>> figure.data[0].x, figure.data[0].error_x.array.round(2)
    ((0.02,), array([0.03]))
    """
    figure = go.Figure()
    names = [literal(str(name).partition(",")[0]) for name in contrasts.index]
    for place, (name, row) in enumerate(zip(names, contrasts.itertuples(), strict=True)):
        style = method_style(name, names)
        figure.add_trace(
            go.Scatter(
                x=[row.difference],
                y=[place],
                error_x={
                    "array": np.array([row.high - row.difference]),
                    "color": style.color,
                    "thickness": 2,
                    "width": 6,
                },
                mode="markers",
                marker=style.marker(13),
                hovertext=f"{name}: {row.difference:+.3f} ({row.low:+.3f} to {row.high:+.3f}), p = {row.p:.2g}",
                hoverinfo="text",
                showlegend=False,
            )
        )
    ends = contrasts[["low", "high"]].to_numpy(float)
    reach = 1.1 * max(float(np.nanmax(np.abs(ends), initial=0.0)), 1e-3)
    figure.add_vline(x=0, line={"color": NEUTRAL, "width": 1.5})
    return finish(
        figure,
        ROW * len(names) + 90,
        xaxis={
            "title": {"text": f"difference in {literal(score)} from {literal(against)}"},
            "range": [-reach, reach],
            "gridcolor": FAINT,
            "zeroline": False,
        },
        yaxis=rows_axis(names),
    )
