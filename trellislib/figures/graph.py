"""A label graph drawn at positions that all graphs over the same labels share, so that eyes can compare."""

from __future__ import annotations

from collections.abc import Sequence

import networkx as nx
import numpy as np
import plotly.graph_objects as go

from trellislib.figures.arrows import SIGNS, Arrow, arrow_traces, sign_of
from trellislib.figures.style import FAINT, NEUTRAL, finish, literal, shortened
from trellislib.graphs import Trellis, mutual_information_tree
from trellislib.label_graph import AnyLabelGraph, LabelGraph

DRAWN_LABELS = 150  # above this, a graph is a cloud
NAMED_NODES = 60  # above this, only the most connected labels are named
NAMED_OF_MANY = 20


def graph_positions(information: np.ndarray, most: int = DRAWN_LABELS) -> np.ndarray:
    """Return where labels are drawn: those that depend on each other near to each other.

    The layout is that of the maximum spanning tree and of half as many of the strongest other pairs (Kamada and
    Kawai 1989); nothing in it is random.

    Parameters
    ----------
    information : ndarray of shape (n_labels, n_labels)
        Symmetric pairwise dependence.
    most : int
        How many labels are drawn: of more, those that depend most on any other.

    Returns
    -------
    ndarray of shape (n_labels, 2)
        Horizontal and vertical position, between 0 and 1; nan for labels that are not drawn.
    """
    n_labels = len(information)
    positions = np.full((n_labels, 2), np.nan)
    if n_labels == 0:
        return positions
    others = np.array(information, dtype=float)
    np.fill_diagonal(others, -np.inf)
    drawn = np.sort(np.argsort(-others.max(axis=1), kind="stable")[:most])
    if len(drawn) == 1:
        positions[drawn] = 0.5
        return positions
    among = others[np.ix_(drawn, drawn)]
    center = int(np.where(np.isfinite(among), among, 0.0).sum(axis=1).argmax())
    graph = mutual_information_tree(np.where(np.isfinite(among), among, 0.0), center).to_networkx().to_undirected()
    first, second = np.triu_indices(len(drawn), k=1)
    strongest = np.argsort(-among[first, second], kind="stable")
    further = [pair for pair in strongest if among[first[pair], second[pair]] > 0][: len(drawn) // 2]
    graph.add_edges_from((int(first[pair]), int(second[pair])) for pair in further)
    found = nx.kamada_kawai_layout(graph)
    layout = np.array([found[label] for label in range(len(drawn))])
    layout -= layout.min(axis=0)
    positions[drawn] = layout / np.maximum(layout.max(axis=0), 1e-9)
    return positions


def ring_positions(n_labels: int) -> np.ndarray:
    """Return places on a circle, clockwise from the top; laid out as `graph_positions`.

    Examples
    --------
    >>> ring_positions(4).round(2).tolist()
    [[0.5, 1.0], [1.0, 0.5], [0.5, 0.0], [0.0, 0.5]]
    """
    angles = 2 * np.pi * np.arange(n_labels) / max(n_labels, 1)
    return 0.5 + 0.5 * np.column_stack([np.sin(angles), np.cos(angles)])


def lattice_positions(placed: Trellis) -> np.ndarray:
    """Return the places of labels in their lattice, the first row at the top; laid out as `graph_positions`.

    Examples
    --------
    >>> lattice_positions(Trellis(range(4), 2, [(0, -1), (-1, 0)])).tolist()
    [[0.0, 1.0], [1.0, 1.0], [0.0, 0.0], [1.0, 0.0]]
    """
    rows, columns = np.array(placed.positions, dtype=float).T
    return np.column_stack([columns / max(columns.max(), 1), 1 - rows / max(rows.max(), 1)])


def graph_figure(
    graph: AnyLabelGraph,
    names: Sequence[str],
    positions: np.ndarray,
    dependence: np.ndarray | None = None,
    *,
    signs: np.ndarray | None = None,
    other: AnyLabelGraph | None = None,
    height: int = 460,
) -> go.Figure:
    """Draw a label graph.

    Parameters
    ----------
    graph : LabelGraph or UndirectedLabelGraph
        The structure; edges of the first have heads.
    names : sequence of str
        Names of the labels.
    positions : ndarray of shape (n_labels, 2)
        As from `graph_positions`; labels without a position are not drawn, nor are their edges.
    dependence : ndarray of shape (n_labels, n_labels), optional
        Mutual information in nats: the thickness of the edges, the same of a pair in every graph over these labels.
        Without it all are as thick.
    signs : ndarray of shape (n_labels, n_labels), optional
        Phi of each pair: above 0 is drawn as co-occurrence, below 0 as exclusion.
    other : LabelGraph or UndirectedLabelGraph, optional
        Another graph over the same labels: edges that it has not, in either direction, stand back.
    height : int
        In pixels.

    Returns
    -------
    plotly.graph_objects.Figure
    """
    drawn = np.flatnonzero(np.isfinite(positions[:, 0]))
    edges = [edge for edge in graph.edges if np.isfinite(positions[list(edge)]).all()]
    strongest = 0.0
    if dependence is not None:
        strongest = dependence[np.tril_indices(len(names), k=-1)].max(initial=0.0)  # of all pairs: one scale for graphs
    common = None if other is None else {frozenset(edge) for edge in other.edges}
    size, finest = (12, 1.0) if len(drawn) <= NAMED_NODES else (8, 0.5)  # thinner edges where there are many
    arrows = [
        Arrow(
            path=[tuple(positions[parent][::-1]), tuple(positions[child][::-1])],
            sign=sign_of(signs, (parent, child)),
            share=finest * dependence[parent, child] / strongest if dependence is not None and strongest > 0 else 0.0,
            standoff=size / 2 + 1,
            headed=isinstance(graph, LabelGraph),
            pale=common is not None and frozenset((parent, child)) not in common,
        )
        for parent, child in edges
    ]
    figure = go.Figure(arrow_traces(arrows))
    figure.add_trace(_middles(graph, edges, names, positions, dependence, signs, common))
    figure.add_trace(_nodes(graph, drawn, names, positions, size))
    return finish(
        figure,
        height,
        xaxis={"visible": False, "range": [-0.16, 1.16]},
        yaxis={"visible": False, "range": [-max(0.06, 30 / height), 1 + max(0.1, 30 / height)]},
        margin={"l": 0, "r": 0, "t": 0, "b": 0},
    )


def _middles(
    graph: AnyLabelGraph,
    edges: Sequence[tuple[int, int]],
    names: Sequence[str],
    positions: np.ndarray,
    dependence: np.ndarray | None,
    signs: np.ndarray | None,
    common: set[frozenset[int]] | None,
) -> go.Scatter:
    """Return points at the middle of the edges that say, on hover, what they mean."""
    joint = "→" if isinstance(graph, LabelGraph) else "and"
    texts = []
    for one, other in edges:
        meaning = SIGNS[sign_of(signs, (one, other))][2]
        shared = "" if common is None else "<br>in both" if frozenset((one, other)) in common else "<br>here only"
        texts.append(
            f"{literal(names[one])} {joint} {literal(names[other])}"
            + (f"<br>{dependence[one, other]:.3g} nats" if dependence is not None else "")
            + (f", they {meaning}" if meaning else "")
            + shared
        )
    middles = np.array([positions[list(edge)].mean(axis=0) for edge in edges]).reshape(-1, 2)
    return go.Scatter(
        x=middles[:, 0],
        y=middles[:, 1],
        mode="markers",
        marker={"size": 14, "opacity": 0},
        hovertext=texts,
        hoverinfo="text",
    )


def _nodes(
    graph: AnyLabelGraph, drawn: np.ndarray, names: Sequence[str], positions: np.ndarray, size: float
) -> go.Scatter:
    """Return the labels, named where there is room, that say on hover what they are predicted from."""
    degree = np.array([len(of_label) for of_label in graph.neighbours])[drawn]
    named = np.arange(len(drawn))
    if len(drawn) > NAMED_NODES:
        named = np.argsort(-degree, kind="stable")[:NAMED_OF_MANY]
    kind = "parents" if isinstance(graph, LabelGraph) else "neighbours"
    return go.Scatter(
        x=positions[drawn, 0],
        y=positions[drawn, 1],
        mode="markers+text",
        text=[literal(shortened(names[label], 14)) if place in set(named) else "" for place, label in enumerate(drawn)],
        textposition=_away_from_edges(graph, drawn, positions),
        textfont={"size": 12 if len(drawn) <= NAMED_NODES // 2 else 10},
        marker={"size": size, "color": NEUTRAL, "line": {"color": FAINT, "width": 1}},
        hovertext=[
            f"{literal(names[label])}<br>"
            + (
                f"{kind}: {', '.join(literal(names[one]) for one in graph.inputs[label])}"
                if graph.inputs[label]
                else f"no {kind}"
            )
            for label in drawn
        ],
        hoverinfo="text",
        cliponaxis=False,
    )


_SIDES = {"top center": 90.0, "bottom center": 270.0, "middle right": 0.0, "middle left": 180.0}


def _away_from_edges(graph: AnyLabelGraph, drawn: np.ndarray, positions: np.ndarray) -> list[str]:
    """Return on which side of each label its name is crossed by no edge, or by the one that is furthest off.

    At the left and right border, names do not go further out.
    """
    sides = []
    for label in drawn:
        around = positions[list(graph.neighbours[label])] - positions[label]
        around = around[np.isfinite(around).all(axis=1)]
        edges = np.degrees(np.arctan2(around[:, 1], around[:, 0]))
        across = positions[label, 0]
        allowed = {
            side: angle
            for side, angle in _SIDES.items()
            if not (side == "middle right" and across > 0.75) and not (side == "middle left" and across < 0.25)
        }
        room = {side: np.abs((edges - angle + 180) % 360 - 180).min(initial=180) for side, angle in allowed.items()}
        sides.append(max(room, key=room.__getitem__))
    return sides
