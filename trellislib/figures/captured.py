"""How good a placement is: its captured dependence against random placements and what is possible."""

from __future__ import annotations

import numpy as np
import plotly.graph_objects as go

from trellislib.figures.style import ACCENT, FAINT, NEITHER, finish
from trellislib.wording import three_digits


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
    top = max(bound, captured, float(random.max(initial=0.0)), 1e-9)
    near = "right" if captured > top / 2 else "left"
    marks = (
        (captured, "this trellis", {"color": ACCENT, "width": 3, "dash": "solid"}, 1.0, near),
        (bound, "at most", {"color": NEITHER, "width": 2, "dash": "dot"}, 0.72, "left"),  # right of its line
    )
    upright = {"type": "line", "xref": "x", "yref": "y domain", "y0": 0, "y1": 1}
    text = {"yref": "paper", "showarrow": False, "yanchor": "top"}
    return finish(
        figure,
        260,
        shapes=[upright | {"x0": value, "x1": value, "line": line} for value, _, line, _, _ in marks],
        annotations=[
            text | {"x": value, "y": height, "text": f" {name} <br> {three_digits(value)} ", "xanchor": side}
            for value, name, _, height, side in marks
        ],
        xaxis={"title": {"text": f"captured dependence ({unit})"}, "range": [0, 1.3 * top]},
        yaxis={"title": {"text": f"of {len(random)} random placements"}, "showgrid": False},
        bargap=0.05,
    )
