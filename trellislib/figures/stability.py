"""Many seeds at once: what each of them captures, and which pairs of labels come together in most."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
import plotly.graph_objects as go
from scipy import sparse

from trellislib.figures.style import (
    ACCENT,
    INFORMATION_SCALE,
    LEGEND_ABOVE,
    NEITHER,
    NEUTRAL,
    finish,
    literal,
    rows_axis,
)
from trellislib.labels.matrices import dense
from trellislib.typing import Matrix

MATRIX_LABELS = 24  # of more labels, those in the most stable pairs are drawn
SEED_MARKS = (
    ("diamond", ACCENT),
    ("circle-open", NEITHER),
    ("square-open", "#0072B2"),
    ("triangle-up-open", "#009E73"),
    ("cross-open", "#CC79A7"),
)


def seeds_figure(
    values: Mapping[str, np.ndarray],
    title: str,
    *,
    bound: float | None = None,
    seed: int | None = None,
    number: str = ".3g",
) -> go.Figure:
    """Draw a value of each seed, for each way to place labels, with their means as lines.

    Every point carries (way, seed) as ``customdata``, for clicks.

    Parameters
    ----------
    values : mapping of str to ndarray of shape (n_seeds,)
        By way of placement: captured dependence, or a score.
    title : str
        What they are, with the unit.
    bound : float, optional
        What no placement can exceed.
    seed : int, optional
        The seed to mark.
    number : str, default=".3g"
        How numbers are written on hover.

    Returns
    -------
    plotly.graph_objects.Figure

    Raises
    ------
    ValueError
        If there are more than five ways, for which there are no more marks.
    """
    if len(values) > len(SEED_MARKS):
        raise ValueError(f"Got {len(values)} ways to place labels, but expected at most {len(SEED_MARKS)}.")
    figure = go.Figure()
    n_seeds = max(map(len, values.values()))
    levels = [] if bound is None else [("at most", bound, {"color": NEITHER, "width": 2, "dash": "dot"}, True)]
    for (name, of_way), (symbol, color) in zip(values.items(), SEED_MARKS, strict=False):
        figure.add_trace(
            go.Scatter(
                x=list(range(len(of_way))),
                y=of_way,
                mode="markers",
                marker={"symbol": symbol, "size": 10, "color": color, "line": {"width": 2, "color": color}},
                unselected={"marker": {"opacity": 1}},
                name=literal(name),
                customdata=[[name, one] for one in range(len(of_way))],
                hovertemplate=f"{literal(name)}, seed %{{x}}: %{{y:{number}}}<extra></extra>",
            )
        )
        line = {"color": color, "width": 1.5, "dash": "solid" if color == ACCENT else "dash"}
        levels.append((f"mean of {literal(name)}", float(np.mean(of_way)), line, False))
    for name, level, line, is_named in levels:
        figure.add_scatter(
            x=[-0.5, n_seeds - 0.5],
            y=[level, level],
            mode="lines",
            line=line,
            name=name,
            showlegend=is_named,
            hovertemplate=f"{name}: %{{y:{number}}}<extra></extra>",
        )
    if seed is not None and seed < n_seeds:
        figure.add_vline(x=seed, line={"color": NEUTRAL, "width": 2, "dash": "longdash"})
    return finish(
        figure,
        340,
        legend=LEGEND_ABOVE,
        clickmode="event+select",
        xaxis={
            "title": {"text": "seed"},
            "range": [-0.5, n_seeds - 0.5],
            "showgrid": False,
            "zeroline": False,
        },
        yaxis={"title": {"text": title}},
    )


def stability_figure(tied: Matrix, names: Sequence[str], order: Sequence[int] | None = None) -> go.Figure:
    """Draw how often two labels are joined, as a heat map; of more than 24 labels, those in the most stable pairs.

    Parameters
    ----------
    tied : {ndarray, csr_array} of shape (n_labels, n_labels)
        As `trellislib.graphs.Stability.tied`.
    names : sequence of str
        Names of the labels.
    order : sequence of int, optional
        Order of rows and columns; by default as they are.

    Returns
    -------
    plotly.graph_objects.Figure
    """
    n_labels = tied.shape[0]
    ordered_labels = np.arange(n_labels) if order is None else np.asarray(order)
    many = n_labels > MATRIX_LABELS
    shown = ordered_labels[np.isin(ordered_labels, _most_stable(tied))] if many else ordered_labels
    shares = np.array(dense(tied[shown][:, shown]), dtype=float)
    np.fill_diagonal(shares, np.nan)
    ordered = [names[label] for label in shown]
    figure = go.Figure(
        go.Heatmap(
            z=shares.astype(np.float32),
            colorscale=INFORMATION_SCALE,
            zmin=0,
            zmax=1,
            hovertext=[
                [
                    "" if row == column else f"{literal(one)} and {literal(other)}<br>{share:.0%} of the seeds"
                    for column, (other, share) in enumerate(zip(ordered, of_row, strict=True))
                ]
                for row, (one, of_row) in enumerate(zip(ordered, shares, strict=True))
            ],
            hoverinfo="text",
            colorbar={
                "title": {"text": "of the seeds", "side": "top"},
                "tickformat": ".0%",
                "orientation": "h",
                "thickness": 10,
                "outlinewidth": 0,
                "x": 0.5,
                "y": 1.02,
                "yanchor": "bottom",
            },
        )
    )
    axis = rows_axis(ordered)
    return finish(
        figure,
        int(np.clip(18 * len(shown) + 200, 340, 460)),
        margin={"l": 8, "r": 8, "t": 56, "b": 8},
        xaxis=axis | {"range": axis["range"][::-1], "tickangle": -90},
        yaxis=axis,
    )


def _most_stable(tied: Matrix) -> np.ndarray:
    """Return the labels of the most stable pairs, as many as are drawn; then those that are in no pair."""
    pairs = sparse.triu(sparse.coo_array(tied), k=1, format="coo")
    first = np.lexsort((pairs.col, pairs.row, -pairs.data))
    labels = np.concatenate([np.column_stack([pairs.row, pairs.col])[first].ravel(), np.arange(tied.shape[0])])
    _, places = np.unique(labels, return_index=True)
    return labels[np.sort(places)[:MATRIX_LABELS]]
