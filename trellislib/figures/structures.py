"""Whether the structure that is nearest to the truth predicts best."""

from __future__ import annotations

import pandas as pd
import plotly.graph_objects as go

from trellislib.figures.recovery import STRUCTURE_STYLES
from trellislib.figures.style import FAINT, FIXED, LEGEND_ABOVE, NEUTRAL, finish, literal
from trellislib.studies.structure_comparison import CONDITIONAL, MARGINAL, TRUTH, TURNED

STYLES = {
    TRUTH: (NEUTRAL, "star"),
    TURNED: (NEUTRAL, "star-open"),
    MARGINAL: ("#CC79A7", "x"),
    CONDITIONAL: ("#56B4E9", "cross"),
    **{name: style[:2] for name, style in STRUCTURE_STYLES.items()},
}


def structure_gains_figure(table: pd.DataFrame, *, height: int = 400) -> go.Figure:
    """Draw what each structure gains in exact match against how near it is to the true graph.

    Parameters
    ----------
    table : DataFrame
        As from `trellislib.studies.structure_comparison.structure_comparison`.
    height : int
        In pixels.

    Returns
    -------
    plotly.graph_objects.Figure
        For each structure a faint mark per data set, and a large one for the means, with the standard error of the
        gain as its bar. At a gain of 0, the edges gain nothing.
    """
    figure = go.Figure()
    figure.add_hline(y=0.0, line={"color": NEUTRAL, "width": 1, "dash": "dash"})
    for name, rows in table.groupby("structure", sort=False):
        color, symbol = STYLES[str(name)]
        shown = literal(str(name))
        figure.add_scatter(
            x=rows["f"],
            y=100 * rows["gain"],
            mode="markers",
            marker={"symbol": symbol, "size": 7, "color": color, "opacity": 0.35},
            name=shown,
            legendgroup=shown,
            showlegend=False,
            customdata=rows["data set"],
            hovertemplate=f"{shown}, draw %{{customdata}}: F %{{x:.2f}}, %{{y:+.1f}} points<extra></extra>",
        )
        figure.add_scatter(
            x=[rows["f"].mean()],
            y=[100 * rows["gain"].mean()],
            mode="markers",
            marker={"symbol": symbol, "size": 15, "color": color},
            error_y={"array": [100 * rows["gain"].sem()], "color": color, "thickness": 1.5, "width": 5},
            name=shown,
            legendgroup=shown,
            hovertemplate=f"{shown}, mean: F %{{x:.3f}}, %{{y:+.2f}} points<extra></extra>",
        )
    return finish(
        figure,
        height,
        legend=LEGEND_ABOVE | FIXED,
        xaxis={"title": {"text": "F of pairs: how near to the truth"}, "range": [0, 1.04], "gridcolor": FAINT},
        yaxis={"title": {"text": "gain in exact match (points)"}, "gridcolor": FAINT},
    )
