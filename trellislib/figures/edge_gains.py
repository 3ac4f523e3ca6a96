"""The gain of edges: how much more structures score than one without edges, by their number of edges."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
import pandas as pd
import plotly.graph_objects as go

from trellislib.figures.style import FAINT, LEGEND_ABOVE, METHOD_STYLES, NEUTRAL, finish, literal, method_style
from trellislib.ranking.paired import resampled_error


def edge_gains_figure(
    scores: pd.DataFrame, n_edges: Mapping[str, int], name: str, chosen: str | None = None
) -> go.Figure:
    """Draw the gains of structures in a score over their numbers of edges.

    A gain is the mean of paired differences over the folds, in percentage points; its bar is their standard error,
    corrected for the training rows that folds share (`trellislib.ranking.paired`).

    Parameters
    ----------
    scores : DataFrame of shape (n_folds, n_structures)
        Scores between 0 and 1, a row per fold. The first column is what the others gain over. Columns that are called
        as a method is, such as "IC" and "CC", are drawn as this method; the others are patterns of a trellis, CT.
    n_edges : mapping of str to int
        The number of edges, by column.
    name : str
        What the axis calls the score.
    chosen : str, optional
        The column to mark.

    Returns
    -------
    plotly.graph_objects.Figure

    Examples
    --------
    >>> scores = pd.DataFrame({"IC": [0.5, 0.6], "left-up": [0.54, 0.66], "CC": [0.6, 0.7]})
    >>> figure = edge_gains_figure(scores, {"IC": 0, "left-up": 4, "CC": 6}, "Accuracy")
    >>> [(trace.name, round(trace.y[0], 6), round(trace.error_y.array[0], 6)) for trace in figure.data]
    [('IC', 0.0, 0.0), ('CC', 10.0, 0.0), ('CT', 5.0, 1.732051)]
    """
    baseline = scores.columns[0]
    gains = 100 * scores.sub(scores[baseline], axis=0)
    means, errors = gains.mean(), gains.apply(resampled_error).fillna(0.0)
    patterns = sorted((key for key in scores if key not in METHOD_STYLES), key=n_edges.__getitem__)
    groups = {key: [key] for key in scores if key in METHOD_STYLES} | ({"CT": patterns} if patterns else {})
    figure = go.Figure()
    for method, of_method in groups.items():
        style = method_style(method)
        figure.add_trace(
            go.Scatter(
                x=[n_edges[key] for key in of_method],
                y=means[of_method].tolist(),
                error_y={"array": errors[of_method].tolist(), "color": style.color, "thickness": 1.5, "width": 4},
                mode="lines+markers" if len(of_method) > 1 else "markers",
                line={"color": style.color, "width": 1.5},
                marker=style.marker(11),
                name=literal(method),
                hovertext=[
                    f"{literal(method if key == method else f'{method}, {key}')}: {n_edges[key]:,} edges<br>"
                    f"{means[key]:+.2f} ± {errors[key]:.2f} points"
                    for key in of_method
                ],
                hoverinfo="text",
            )
        )
    if chosen is not None:
        figure.add_trace(
            go.Scatter(
                x=[n_edges[chosen]],
                y=[means[chosen]],
                mode="markers",
                marker={"symbol": "circle-open", "size": 24, "color": NEUTRAL, "line": {"width": 2.5}},
                name=literal(chosen),
                hoverinfo="skip",
            )
        )
    most = max(n_edges[key] for key in scores)
    reach = np.array([means - errors, means + errors])
    slack = 0.12 * max(float(reach.max() - reach.min()), 1e-3)
    return finish(
        figure,
        380,
        legend=LEGEND_ABOVE,
        xaxis={"title": {"text": "edges"}, "range": [-0.06 * most, 1.06 * most], "showgrid": False, "zeroline": False},
        yaxis={
            "title": {"text": f"{name}: gain over {literal(str(baseline))} (points)"},
            "range": [float(reach.min()) - slack, float(reach.max()) + slack],
            "zerolinecolor": FAINT,
            "exponentformat": "none",
        },
    )
