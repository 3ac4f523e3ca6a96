"""How good a placement is: its captured dependence against random placements and what is possible."""

from __future__ import annotations

import numpy as np
import plotly.graph_objects as go

from trellislib.figures.style import ACCENT, FAINT, finish


def captured_figure(captured: float, random: np.ndarray, bound: float, *, unit: str = "nats") -> go.Figure:
    """Draw the captured dependence of a placement against those of random ones.

    Parameters
    ----------
    captured : float
        Of the placement in question.
    random : ndarray of shape (n_placements,)
        Of random placements into the same lattice.
    bound : float
        What no placement can exceed.
    unit : str
        Unit of all of them.

    Returns
    -------
    plotly.graph_objects.Figure
    """
    figure = go.Figure(
        go.Histogram(
            x=random,
            nbinsx=24,
            marker={"color": FAINT},
            hovertemplate="%{y} random placements capture %{x} " + unit + "<extra></extra>",
        )
    )
    for value, name, dash, color in (
        (captured, "this trellis", "solid", ACCENT),
        (bound, "at most", "dot", "#8A8A8A"),
    ):
        figure.add_vline(
            x=value,
            line={"color": color, "width": 3 if dash == "solid" else 2, "dash": dash},
            annotation={"text": f"{name}<br>{value:.3g}", "font": {"size": 12}},
            annotation_position="top left" if value > 0.6 * bound else "top right",
        )
    top = max(bound, captured, float(random.max(initial=0.0)), 1e-9)
    return finish(
        figure,
        260,
        xaxis={"title": {"text": f"captured dependence ({unit})"}, "range": [0, 1.08 * top]},
        yaxis={"title": {"text": f"of {len(random)} random placements"}, "showgrid": False},
        bargap=0.05,
        margin={"l": 8, "r": 8, "t": 36, "b": 8},
    )
