"""The probabilities of the labels of one row, and which of them are predicted."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import plotly.graph_objects as go

from trellislib.figures.style import ACCENT, FAINT, LEGEND_ABOVE, NEITHER, finish, literal, rows_axis

ROW = 26  # pixels for a label


def probabilities_figure(
    names: Sequence[str], probabilities: np.ndarray, codes: np.ndarray, most: int = 30
) -> go.Figure:
    """Draw the probability of each label as a bar, the predicted ones in another colour.

    Parameters
    ----------
    names : sequence of str of length n_labels
        The labels.
    probabilities : ndarray of shape (n_labels,)
        Of each.
    codes : ndarray of shape (n_labels,)
        Their predicted codes.
    most : int, default=30
        How many are drawn: of more, the most probable ones.

    Returns
    -------
    plotly.graph_objects.Figure

    Examples
    --------
    >>> figure = probabilities_figure(["sea", "sky"], np.array([0.2, 0.8]), np.array([0, 1]))
    >>> [(trace.name, trace.x) for trace in figure.data]
    [('predicted', (0.8,)), ('not predicted', (0.2,))]
    """
    shown = list(range(len(names)))
    if len(names) > most:
        shown = sorted(np.argsort(-np.asarray(probabilities), kind="stable")[:most].tolist())
    figure = go.Figure()
    for name, is_on, color in (("predicted", True, ACCENT), ("not predicted", False, NEITHER)):
        among = [place for place, label in enumerate(shown) if bool(codes[label]) == is_on]
        figure.add_trace(
            go.Bar(
                x=[float(probabilities[shown[place]]) for place in among],
                y=among,
                orientation="h",
                name=name,
                marker={"color": color},
                width=0.6,
                hovertext=[f"{literal(names[shown[p]])}: {probabilities[shown[p]]:.3f}, {name}" for p in among],
                hoverinfo="text",
            )
        )
    return finish(
        figure,
        ROW * len(shown) + 100,
        legend=LEGEND_ABOVE,
        barmode="overlay",
        xaxis={"title": {"text": "probability"}, "range": [0, 1], "gridcolor": FAINT},
        yaxis=rows_axis([names[label] for label in shown]),
    )
