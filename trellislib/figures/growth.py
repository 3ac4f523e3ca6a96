"""How the cost of methods grows with the size of the data, on two logarithmic axes: a power is a straight line."""

from __future__ import annotations

import numpy as np
import pandas as pd
import plotly.graph_objects as go

from trellislib.figures.style import LEGEND_ABOVE, finish, literal, log_axis, method_style
from trellislib.studies.growth import MAIN_BASE, growth_exponent

VARIABLES = {"L": "labels L", "N": "instances N", "D": "features D"}
STAGES = {"train": "training", "predict": "prediction"}


def growth_figure(frame: pd.DataFrame, variable: str = "L", stage: str = "train") -> go.Figure:
    """Draw the seconds of each method against one size of the data, with its exponent in the legend.

    Parameters
    ----------
    frame : DataFrame
        One row per measurement, with columns "method", "base" (the base learner), "variable" (which size was varied),
        "size", "train s", "predict s" and "peak GiB", as tests/benchmarks/growth.py writes it.
    variable : {"L", "N", "D"}, default="L"
        Number of labels, instances or features.
    stage : {"train", "predict"}, default="train"
        Whose seconds are drawn.

    Returns
    -------
    plotly.graph_objects.Figure
        Colour and marker tell methods apart; lines are solid for least squares and dashed for other base learners.

    Raises
    ------
    ValueError
        If `variable` or `stage` is none of those.
    """
    if variable not in VARIABLES:
        raise ValueError(f"Got variable={variable!r}, but expected one of {list(VARIABLES)}.")
    if stage not in STAGES:
        raise ValueError(f"Got stage={stage!r}, but expected one of {list(STAGES)}.")
    column = f"{stage} s"
    measured = frame[(frame["variable"] == variable) & frame[column].notna()].sort_values("size", kind="stable")
    figure = go.Figure()
    for (method, base), rows in measured.groupby(["method", "base"], sort=False):
        style = method_style(str(method), measured["method"])
        name = literal(str(method) if base == MAIN_BASE else f"{method}, {base}")
        exponent = growth_exponent(rows["size"], rows[column])
        figure.add_trace(
            go.Scatter(
                x=rows["size"],
                y=rows[column],
                name=f"{name}: {variable}<sup>{exponent:.2f}</sup>" if np.isfinite(exponent) else name,
                mode="lines+markers",
                line={"color": style.color, "width": 2, "dash": "solid" if base == MAIN_BASE else "dash"},
                marker=style.marker(8),
                hovertext=[
                    f"{literal(f'{method}, {base}')}<br>{variable} = {row['size']:,}<br>"
                    f"training {row['train s']:.3g} s<br>prediction {row['predict s']:.3g} s<br>"
                    f"peak {row['peak GiB']:.3g} GiB"
                    for _, row in rows.iterrows()
                ],
                hoverinfo="text",
            )
        )
    return finish(
        figure,
        460,
        legend=LEGEND_ABOVE,
        xaxis={"title": {"text": VARIABLES[variable]}} | log_axis(measured["size"]),
        yaxis={"title": {"text": f"time of {STAGES[stage]} (s)"}} | log_axis(measured[column]),
    )
