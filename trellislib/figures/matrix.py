"""Pairwise dependence as a heat map whose cells can be pointed at and clicked."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import plotly.graph_objects as go
from scipy.cluster.hierarchy import leaves_list, linkage, optimal_leaf_ordering
from scipy.spatial.distance import squareform

from trellislib.dependence import UNITS
from trellislib.figures.style import ACCENT, INFORMATION_SCALE, finish, literal, shortened

CLICKABLE_LABELS = 150  # above this, one marker per cell makes the browser slow
NAMED_LABELS = 60  # above this, names on the axes cannot be read
POOLED_LABELS = 500  # above this, a cell shows the maximum of a block of pairs
OPTIMAL_LEAVES = 500  # above this, the best order of a clustering's leaves takes seconds

ORDERS = ("clustered", "frequency", "file")


def label_order(information: np.ndarray, frequencies: np.ndarray, order: str = "clustered") -> np.ndarray:
    """Return the labels in the order in which a matrix shows them.

    Parameters
    ----------
    information : ndarray of shape (n_labels, n_labels)
        Pairwise dependence.
    frequencies : ndarray of shape (n_labels,)
        How often each label is relevant.
    order : {"clustered", "frequency", "file"}
        Dependent labels together (average linkage), most frequent first, or as they are.

    Returns
    -------
    ndarray of shape (n_labels,)
    """
    n_labels = len(information)
    if order == "frequency":
        return np.argsort(-np.asarray(frequencies), kind="stable")
    if order == "file" or n_labels < 3:
        return np.arange(n_labels)
    if order != "clustered":
        raise ValueError(f"Got order={order!r}, but expected one of {ORDERS}.")
    pairs = squareform(information, checks=False)
    distance = pairs.max() - pairs
    tree = linkage(distance, method="average")
    if n_labels <= OPTIMAL_LEAVES:
        tree = optimal_leaf_ordering(tree, distance)
    return leaves_list(tree)


def dependence_heatmap(
    information: np.ndarray,
    names: Sequence[str],
    order: np.ndarray,
    *,
    unit: str = "nats",
    diagonal: bool = False,
    selected: tuple[int, int] | None = None,
) -> go.Figure:
    """Draw pairwise mutual information, the labels in the given order.

    Up to 150 labels every cell carries a point that a click selects; its ``customdata`` is the pair of labels.

    Parameters
    ----------
    information : ndarray of shape (n_labels, n_labels)
        In nats.
    names : sequence of str
        Names of the labels.
    order : ndarray of shape (n_labels,)
        Order of rows and columns.
    unit : {"nats", "bits"}
        Unit that is shown.
    diagonal : bool, default=False
        Show the labels' entropies on the diagonal instead of leaving it blank.
    selected : (int, int), optional
        A pair of labels to frame.

    Returns
    -------
    plotly.graph_objects.Figure
    """
    values = information[np.ix_(order, order)] / UNITS[unit]
    if not diagonal:
        values = np.array(values)
        np.fill_diagonal(values, np.nan)
    block = -(-len(order) // POOLED_LABELS)
    if block > 1:
        values = _pooled(values, block)
    ordered = [names[label] for label in order]
    figure = go.Figure(
        go.Heatmap(
            z=values.astype(np.float32),
            colorscale=INFORMATION_SCALE,
            zmin=0,
            zmax=max(float(np.nanmax(values, initial=0.0)), 1e-9),
            hoverinfo="skip",
            colorbar={"title": {"text": unit}, "thickness": 12, "outlinewidth": 0},
        )
    )
    clickable = len(order) <= CLICKABLE_LABELS
    if clickable:
        figure.add_trace(_cells(values, order, ordered, unit))
    else:
        figure.data[0].update(hoverinfo=None, hovertemplate=_hover_of_block(block, unit))
    if selected is not None and block == 1:
        place = np.argsort(order)
        _frame(figure, int(place[selected[0]]), int(place[selected[1]]))
    named = len(order) <= NAMED_LABELS
    axis: dict[str, Any] = {
        "tickvals": list(range(len(order))) if named else [],
        "ticktext": [literal(shortened(name)) for name in ordered] if named else [],
        "showgrid": False,
        "zeroline": False,
        "title": None if named else {"text": f"{len(order)} labels"},
        "constrain": "domain",
        "range": [-0.5, len(values) - 0.5],
    }
    height = int(np.clip(22 * len(order) + 120, 420, 640))
    figure = finish(figure, height, xaxis=axis, clickmode="event+select" if clickable else "event")
    figure.update_layout(yaxis={**axis, "range": axis["range"][::-1], "scaleanchor": "x"})
    crowded = len(order) * max(map(len, ordered)) > 45  # characters that fit side by side
    figure.update_xaxes(tickangle=-45 if crowded else 0)
    return figure


def _cells(values: np.ndarray, order: np.ndarray, ordered: Sequence[str], unit: str) -> go.Scatter:
    """Return one nearly transparent marker per cell: clicks on a heat map itself do not reach Python."""
    n = len(order)
    row, column = (index.ravel() for index in np.indices((n, n)))
    text = []
    for i, j in zip(row.tolist(), column.tolist(), strict=True):
        names = [literal(ordered[i])] if i == j else [literal(ordered[i]), literal(ordered[j])]
        if np.isfinite(values[i, j]):
            names.append(f"{'entropy ' if i == j else ''}{values[i, j]:.3g} {unit}")
        text.append("<br>".join(names))
    return go.Scatter(
        x=column,
        y=row,
        mode="markers",
        marker={"symbol": "square", "size": max(3, min(28, 420 // n)), "color": "rgba(0,0,0,0.004)"},
        unselected={"marker": {"opacity": 0}},
        customdata=np.column_stack([order[row], order[column]]).tolist(),  # packed arrays do not come back from a click
        hovertext=text,
        hoverinfo="text",
    )


def _hover_of_block(block: int, unit: str) -> str:
    what = "" if block == 1 else f"strongest of {block} x {block} pairs: "
    return what + "%{z:.3g} " + unit + "<extra></extra>"


def _pooled(values: np.ndarray, block: int) -> np.ndarray:
    """Return the maximum of each block of cells; the last blocks may be smaller."""
    starts = np.arange(0, len(values), block)
    filled = np.nan_to_num(values, nan=0.0)
    return np.maximum.reduceat(np.maximum.reduceat(filled, starts, axis=0), starts, axis=1)


def _frame(figure: go.Figure, row: int, column: int) -> None:
    """Frame a pair's two cells."""
    for x, y in {(column, row), (row, column)}:
        figure.add_shape(
            type="rect",
            x0=x - 0.5,
            x1=x + 0.5,
            y0=y - 0.5,
            y1=y + 0.5,
            line={"color": ACCENT, "width": 3},
        )
