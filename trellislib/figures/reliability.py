"""Whether probabilities are as frequent as they say."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
import pandas as pd
import plotly.graph_objects as go

from trellislib.figures.style import LEGEND_ABOVE, NEITHER, finish, literal, method_style
from trellislib.wording import counted

SIZES = 6.0, 16.0  # pixels of the marker of the emptiest and of the fullest bin


def reliability_figure(bins: Mapping[str, pd.DataFrame]) -> go.Figure:
    """Draw how often label cells are relevant against the probability that methods give them (a reliability diagram).

    On the diagonal, probabilities are as frequent as they say; above it, they are too low. A marker is the larger, the
    more cells its bin has.

    Parameters
    ----------
    bins : mapping of str to DataFrame
        For each method, as `trellislib.metrics.reliability` returns it.

    Returns
    -------
    plotly.graph_objects.Figure
    """
    figure = go.Figure()
    line = {"color": NEITHER, "width": 1, "dash": "dot"}
    figure.add_trace(go.Scatter(x=[0, 1], y=[0, 1], mode="lines", line=line, hoverinfo="skip", showlegend=False))
    low, high = SIZES
    for name, of_method in bins.items():
        style, share = method_style(name, bins), np.sqrt(of_method["cells"] / of_method["cells"].max())
        figure.add_trace(
            go.Scatter(
                x=of_method["probability"].tolist(),
                y=of_method["relevant"].tolist(),
                name=literal(name),
                mode="lines+markers",
                line={"color": style.color, "width": 2},
                marker=style.marker(high) | {"size": (low + (high - low) * share).tolist()},
                hovertext=[
                    f"{literal(name)}: {counted(int(cells), 'cell')} of probability {p:.3f} on average,<br>"
                    f"{relevant:.1%} are relevant"
                    for p, relevant, cells in of_method.itertuples(index=False)
                ],
                hoverinfo="text",
            )
        )
    axis = {"range": [-0.03, 1.03], "tickvals": [0, 0.25, 0.5, 0.75, 1], "constrain": "domain"}
    return finish(
        figure,
        340,
        legend=LEGEND_ABOVE,
        showlegend=True,
        xaxis=axis | {"title": {"text": "probability"}},
        yaxis=axis | {"title": {"text": "share that is relevant"}, "scaleanchor": "x"},
    )
