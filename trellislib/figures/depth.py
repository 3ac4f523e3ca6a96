"""What depth gains and what label dependence gains: one label in the plane, and scores by degree of dependence."""

from __future__ import annotations

import numpy as np
import pandas as pd
import plotly.graph_objects as go

from trellislib.data.dataset import Dataset
from trellislib.figures.style import FAINT, FIXED, LEGEND_ABOVE, NEUTRAL, finish, literal, method_style
from trellislib.metrics import MEASURES

HAS, HAS_NOT, WRONG = ("#E69F00", "circle", 9), ("#0072B2", "circle-open", 9), (NEUTRAL, "x", 6)


def label_in_plane_figure(dataset: Dataset, label: int, predicted: np.ndarray) -> go.Figure:
    """Draw one label of instances in the plane, and where a prediction of it is wrong.

    Parameters
    ----------
    dataset : Dataset
        Of two features, the label having two values.
    label : int
        The label, from 0.
    predicted : ndarray of int of shape (n_instances,)
        What is predicted for it. What is wrong is crossed.

    Returns
    -------
    plotly.graph_objects.Figure
    """
    name = literal(dataset.label_names[label])
    X, truth = dataset.X, dataset.Y[:, label]
    figure = go.Figure()
    marks = {
        name: (truth == 1, *HAS),
        f"not {name}": (truth == 0, *HAS_NOT),
        "predicted wrongly": (predicted != truth, *WRONG),
    }
    for what, (rows, color, symbol, size) in marks.items():
        figure.add_scatter(
            x=X[rows, 0],
            y=X[rows, 1],
            mode="markers",
            name=f"{what} ({int(rows.sum()):,})",
            marker={"symbol": symbol, "color": color, "size": size, "line": {"color": color, "width": 1.5}},
            hovertemplate=f"{what}<extra></extra>",
        )
    x1, x2 = map(literal, dataset.feature_names)
    return finish(
        figure,
        420,
        legend=LEGEND_ABOVE | FIXED,
        xaxis={"title": {"text": x1}, "zeroline": False},
        yaxis={"title": {"text": x2}, "zeroline": False},
    )


def depth_figure(table: pd.DataFrame, score: str = "exact_match", dependence: float | None = None) -> go.Figure:
    """Draw what methods score the more labels depend on each other given the features.

    Parameters
    ----------
    table : DataFrame
        As from `trellislib.studies.depth.depth_comparison`.
    score : str, default="exact_match"
        One of its scores.
    dependence : float, optional
        The degree to mark.

    Returns
    -------
    plotly.graph_objects.Figure
        For each method a line through its means, with bars of one standard deviation over the draws.
    """
    figure = go.Figure()
    if dependence is not None:
        figure.add_vline(x=dependence, line={"color": NEUTRAL, "width": 1, "dash": "dash"})
    names = table["method"].unique().tolist()
    for name in names:
        of_method = table[table["method"] == name].groupby("dependence")[score]
        mean, spread = of_method.mean(), of_method.std()
        style = method_style(name, names)
        figure.add_scatter(
            x=mean.index,
            y=mean,
            mode="lines+markers",
            name=literal(name),
            line={"color": style.color, "width": 2},
            marker=style.marker(11),
            error_y={"array": spread, "color": style.color, "thickness": 1.5, "width": 5},
            customdata=spread,
            hovertemplate=f"{literal(name)}, dependence %{{x}}: %{{y:.1%}} ± %{{customdata:.1%}}<extra></extra>",
        )
    return finish(
        figure,
        400,
        legend=LEGEND_ABOVE | FIXED,
        xaxis={"title": {"text": "dependence"}, "tickvals": sorted(table["dependence"].unique()), "gridcolor": FAINT},
        yaxis={"title": {"text": MEASURES[score].in_words}, "tickformat": ".0%", "gridcolor": FAINT},
    )
