"""Clusters of labels as a tree: who joins whom, and at which dependence."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import plotly.graph_objects as go

from trellislib.dependence import UNITS, LabelTree
from trellislib.figures.style import ACCENT, NEUTRAL, finish, literal, rows_axis, shortened

LEAVES = 60  # labels that are drawn one by one; of more, each cluster is a leaf
NAMED = 2  # labels by which a cluster is named


def dendrogram_figure(
    tree: LabelTree,
    names: Sequence[str],
    n_clusters: int,
    *,
    unit: str = "share of entropy",
    selected: int | None = None,
) -> go.Figure:
    """Draw the tree of labels, the leaves from top to bottom as in the map that is ordered by it.

    Merges within a cluster are drawn with solid lines, those that the cut undoes with dotted ones. Each cluster has a
    point that a click selects; its ``customdata`` is the number of the cluster, from 0. Of more than 60 labels only the
    clusters are drawn, each as a leaf.

    Parameters
    ----------
    tree : LabelTree
        From `trellislib.dependence.label_tree`.
    names : sequence of str
        Names of the labels.
    n_clusters : int
        Number of clusters into which it is cut.
    unit : str
        What the similarity of labels is measured in; "nats" and "bits" are converted.
    selected : int, optional
        The number of a cluster to stress.

    Returns
    -------
    plotly.graph_objects.Figure
    """
    scale = UNITS.get(unit, 1.0)
    n_labels, clusters = tree.n_labels, tree.cut(n_clusters)
    whole = n_labels <= LEAVES
    leaves = [np.array([label]) for label in tree.order] if whole else list(clusters)
    place = np.empty(n_labels)
    for position, labels in enumerate(leaves):
        place[labels] = position
    top, levels = tree.top / scale, tree.levels / scale
    nodes = [(place[label], top) for label in range(n_labels)]  # where each node is joined: from its place and level
    inside: list[tuple[float | None, float | None]] = []
    above: list[tuple[float | None, float | None]] = []
    for merge, (one, other) in enumerate(tree.merges[:, :2].astype(int)):
        (y_one, x_one), (y_other, x_other) = nodes[one], nodes[other]
        nodes.append(((y_one + y_other) / 2, levels[merge]))
        is_inside = merge < n_labels - n_clusters
        if whole or not is_inside:
            corners = [(x_one, y_one), (levels[merge], y_one), (levels[merge], y_other), (x_other, y_other)]
            (inside if is_inside else above).extend([*corners, (None, None)])
    roots = [nodes[node] for node in tree.nodes(n_clusters)]
    figure = go.Figure([_lines(above, "dot"), _lines(inside, "solid"), _points(clusters, roots, names, selected)])
    return finish(
        figure,
        int(np.clip(20 * len(leaves) + 90, 200, 900)),
        xaxis={
            "title": {"text": f"mean {unit}"},
            "range": [top * 1.04 or 1.0, -top * 0.02],
            "zeroline": False,
        },
        yaxis=rows_axis(leaves) | {"ticktext": [_named(labels, names) for labels in leaves]},
        clickmode="event+select",
    )


def _named(labels: np.ndarray, names: Sequence[str]) -> str:
    first = ", ".join(literal(shortened(names[label])) for label in labels[:NAMED])
    return first + (f" + {len(labels) - NAMED}" if len(labels) > NAMED else "")


def _lines(corners: list[tuple[float | None, float | None]], dash: str) -> go.Scatter:
    return go.Scatter(
        x=[x for x, _ in corners],
        y=[y for _, y in corners],
        mode="lines",
        line={"color": NEUTRAL, "dash": dash, "width": 1.5},
        hoverinfo="skip",
    )


def _points(
    clusters: Sequence[np.ndarray], places: Sequence[tuple[float, float]], names: Sequence[str], selected: int | None
) -> go.Scatter:
    """Return one point for each cluster, where the last merge within it is."""
    chosen = [number == selected for number in range(len(clusters))]
    return go.Scatter(
        x=[x for _, x in places],
        y=[y for y, _ in places],
        mode="markers",
        marker={
            "color": [ACCENT if stressed else NEUTRAL for stressed in chosen],
            "symbol": ["diamond" if stressed else "circle" for stressed in chosen],
            "size": 11,
        },
        unselected={"marker": {"opacity": 1}},
        customdata=[[number] for number in range(len(clusters))],
        hovertext=[
            f"cluster {number + 1}: {len(labels)} label{'s' * (len(labels) != 1)}<br>"
            + "<br>".join(literal(names[label]) for label in labels[:10])
            + ("<br>…" if len(labels) > 10 else "")
            for number, labels in enumerate(clusters)
        ],
        hoverinfo="text",
    )
