"""A label graph drawn at positions that all graphs over the same labels share, so that eyes can compare."""

from __future__ import annotations

from collections.abc import Sequence

import networkx as nx
import numpy as np
import plotly.graph_objects as go

from trellislib.dependence import InformationRows, PhiRows
from trellislib.dependence.pairs import row_blocks
from trellislib.figures.arrows import PALE, SIGNS, arrow_traces, edge_between, middles, pointed_at, sign_of
from trellislib.figures.names import NARROW, sides_of_names
from trellislib.figures.style import ACCENT, FAINT, NEUTRAL, NO_MARGIN, TEXT, distinct, finish, literal
from trellislib.graphs import label_communities, mutual_information_tree
from trellislib.labels.graph import AnyLabelGraph, LabelGraph

DRAWN_LABELS = 150  # above this, a graph is a cloud
DRAWN_EDGES = 200  # the same; of more, the strongest are drawn, and those of a label that is selected
NAMED_NODES = 60  # above this, only the most connected labels are named
NAMED_OF_MANY = 20
CROWDED = 40  # above this, communities lie apart
BETWEEN = 2.5  # how many times as long as within a community edges between two are then
APART, ROUNDS = 0.75, 300  # distance between labels, of that on a square grid, and rounds in which it is sought
FAR, FAR_LABELS = 0.15, 0.7  # opacities of the edges and labels away from one that is selected
ACROSS = (-0.16, 1.16)  # what the figure shows, so that names fit next to labels at its border
RING = "#E0A100"  # around a selected label, seen on light and dark
# Groups of labels, told apart by colour and shape; neither of the colours of the edges is among them.
GROUP_STYLES = (
    ("#009E73", "square"),
    ("#CC79A7", "diamond"),
    ("#56B4E9", "triangle-up"),
    ("#D55E00", "cross"),
    ("#BFAF00", "star"),
    ("#9A6B4F", "hexagon"),
)


def graph_positions(
    information: np.ndarray, most: int = DRAWN_LABELS, labels: Sequence[int] | None = None
) -> np.ndarray:
    """Return where labels are drawn: those that depend on each other near to each other.

    The layout is that of the maximum spanning tree and of half as many of the strongest other pairs (Kamada and
    Kawai 1989), labels that crowd moved apart; of more than 40 labels, communities lie apart. Nothing in it is random.

    Parameters
    ----------
    information : ndarray of shape (n_labels, n_labels)
        Symmetric pairwise dependence.
    most : int
        How many labels are drawn: of more, those that depend most on any other.
    labels : sequence of int, optional
        The only labels to draw, for instance a neighbourhood, which gets all the room; by default any.

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
    offered = np.arange(n_labels) if labels is None else np.unique(np.asarray(labels, dtype=np.intp))
    if len(offered) == 0:
        return positions
    drawn = np.sort(offered[np.argsort(-others[np.ix_(offered, offered)].max(axis=1), kind="stable")[:most]])
    if len(drawn) == 1:
        positions[drawn] = 0.5
        return positions
    among = others[np.ix_(drawn, drawn)]
    center = int(np.where(np.isfinite(among), among, 0.0).sum(axis=1).argmax())
    graph = mutual_information_tree(np.where(np.isfinite(among), among, 0.0), center).to_networkx().to_undirected()
    first, second = np.triu_indices(len(drawn), k=1)
    strongest = np.argsort(-among[first, second], kind="stable")
    dependent = [(int(first[pair]), int(second[pair])) for pair in strongest if among[first[pair], second[pair]] > 0]
    further = [pair for pair in dependent[: 2 * len(drawn)] if not graph.has_edge(*pair)]
    graph.add_edges_from(further[: len(drawn) // 2])
    if len(drawn) > CROWDED:
        group = label_communities(among)
        lengths = {edge: 1.0 if group[edge[0]] == group[edge[1]] else BETWEEN for edge in graph.edges}
        nx.set_edge_attributes(graph, lengths, "weight")
    found = nx.kamada_kawai_layout(graph)
    layout = np.array([found[label] for label in range(len(drawn))])
    positions[drawn] = _spread(_to_square(layout))
    return positions


def _to_square(layout: np.ndarray) -> np.ndarray:
    """Return places as they fill the unit square."""
    found = layout - layout.min(axis=0)
    return found / np.maximum(found.max(axis=0), 1e-9)


def _spread(places: np.ndarray) -> np.ndarray:
    """Return places moved apart where they crowd, so that labels keep a distance; those with room hardly move."""
    n = len(places)
    least = APART / np.sqrt(n)
    for _ in range(ROUNDS):
        between = places[:, None] - places
        distance = np.linalg.norm(between, axis=2)
        np.fill_diagonal(distance, np.inf)
        close = np.clip(least - distance, 0, None)
        if not close.any():
            break
        places = _to_square(places + (between * (close / np.maximum(distance, 1e-9))[:, :, None]).sum(axis=1) / 2)
    return places


def graph_figure(
    graph: AnyLabelGraph,
    names: Sequence[str],
    positions: np.ndarray,
    dependence: np.ndarray | InformationRows | None = None,
    *,
    signs: np.ndarray | PhiRows | None = None,
    others: Sequence[AnyLabelGraph] = (),
    selected: int | None = None,
    groups: Sequence[int] | None = None,
    height: int = 460,
    most_edges: int = DRAWN_EDGES,
    unit: str = "nats",
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
    others : sequence of LabelGraph or UndirectedLabelGraph
        Other graphs over the same labels, as they stand beside it: edges that none of them has, in either direction,
        stand back; and the name of a label is on the same side in all.
    selected : int, optional
        A label that is marked: all but its edges and its neighbours stand back, whatever the other graphs have.
    groups : sequence of int, optional
        For each label its group, from 0, which gives it a colour and a shape; -1, and what is beyond
        `GROUP_STYLES`, is drawn as without groups.
    height : int
        In pixels.
    most_edges : int
        Of more edges, the strongest are drawn, and those of the label that is selected.
    unit : str, default="nats"
        What follows the number of an edge when it is pointed at.

    Returns
    -------
    plotly.graph_objects.Figure
        The traces of labels have their numbers as ``customdata``, and a click on one lets no other fade.
    """
    drawn = np.flatnonzero(np.isfinite(positions[:, 0]))
    edges = drawn_edges(graph, positions, dependence, selected=selected, most=most_edges)
    strongest = 0.0 if dependence is None else _strongest(dependence)  # of all pairs: one scale for graphs
    size, finest = (12, 1.0) if len(drawn) <= NAMED_NODES else (8, 0.5)  # thinner edges where there are many
    shared = [{frozenset(edge) for edge in other.edges} for other in others]
    n_others = [sum(frozenset(edge) in of_other for of_other in shared) for edge in edges]
    arrows = [
        edge_between(
            positions,
            (parent, child),
            sign=sign_of(signs, (parent, child)),
            share=finest * _share(dependence, (parent, child), strongest),
            standoff=size / 2 + 1,
            headed=isinstance(graph, LabelGraph),
            pale=bool(shared) and n == 0 if selected is None else selected not in (parent, child),
        )
        for (parent, child), n in zip(edges, n_others, strict=True)
    ]
    figure = go.Figure(arrow_traces(arrows, PALE if selected is None else FAR))
    figure.add_trace(
        _middles(graph, edges, names, positions, dependence, signs, n_others if shared else None, len(shared), unit)
    )
    labels = _Labels(graph, others, names, positions, drawn, size, selected, groups)
    if selected is not None:
        near = np.isin(drawn, [selected, *graph.neighbours[selected]])
        figure.add_trace(labels.trace(drawn[~near], opacity=FAR_LABELS))
        drawn = drawn[near]
    figure.add_trace(labels.trace(drawn))
    figure.update_traces(unselected={"marker": {"opacity": 1}})  # whoever is clicked, nothing else fades
    return finish(
        figure,
        height,
        xaxis={"visible": False, "range": list(ACROSS)},
        yaxis={"visible": False, "range": list(_upwards(height))},
        margin=NO_MARGIN,
    )


def _upwards(height: int) -> tuple[float, float]:
    return -max(0.06, 30 / height), 1 + max(0.1, 30 / height)


def _shares(positions: np.ndarray, height: int) -> np.ndarray:
    """Return positions as shares of a figure of a height in pixels."""
    low, high = np.array([ACROSS, _upwards(height)]).T
    return (positions - low) / (high - low)


def drawn_edges(
    graph: AnyLabelGraph,
    positions: np.ndarray,
    dependence: np.ndarray | InformationRows | None = None,
    *,
    selected: int | None = None,
    most: int = DRAWN_EDGES,
) -> list[tuple[int, int]]:
    """Return the edges that `graph_figure` draws: between labels with a place, of more than `most` the strongest.

    Those of a label that is selected are all among them. Parameters are those of `graph_figure`.
    """
    edges = [edge for edge in graph.edges if np.isfinite(positions[list(edge)]).all()]
    if dependence is None or len(edges) <= most:
        return edges
    strongest = set(sorted(edges, key=lambda edge: -dependence[edge])[:most])
    return [edge for edge in edges if edge in strongest or selected in edge]


def _strongest(dependence: np.ndarray | InformationRows) -> float:
    """Return the dependence of the pair that depends most, 0 where there is none."""
    others = np.arange(len(dependence))
    found = (dependence[labels].max(where=others < labels[:, None], initial=0.0) for labels in row_blocks(len(others)))
    return float(max(found, default=0.0))


def _share(dependence: np.ndarray | InformationRows | None, edge: tuple[int, int], strongest: float) -> float:
    """Return the dependence of an edge as a share of the strongest, 0 where neither is known."""
    return float(dependence[edge]) / strongest if dependence is not None and strongest > 0 else 0.0


def _middles(
    graph: AnyLabelGraph,
    edges: Sequence[tuple[int, int]],
    names: Sequence[str],
    positions: np.ndarray,
    dependence: np.ndarray | InformationRows | None,
    signs: np.ndarray | PhiRows | None,
    in_others: Sequence[int] | None,
    n_others: int,
    unit: str,
) -> go.Scatter:
    """Return points at the middle of the edges, with what they mean on hover."""
    joint = "→" if isinstance(graph, LabelGraph) else "and"
    texts = []
    for place, (one, other) in enumerate(edges):
        meaning = SIGNS[sign_of(signs, (one, other))][2]
        texts.append(
            f"{literal(names[one])} {joint} {literal(names[other])}"
            + (f"<br>{dependence[one, other]:.3g} {unit}" if dependence is not None else "")
            + (f", they {meaning}" if meaning else "")
            + ("" if in_others is None else f"<br>{_where(in_others[place], n_others)}")
        )
    return pointed_at(middles(positions, edges), texts)


def _where(n_having: int, n_others: int) -> str:
    """Return in which graphs an edge is, of one and so many others, in words."""
    if n_having == 0:
        return "here only"
    if n_having < n_others:
        return f"in {n_having + 1} of {n_others + 1}"
    return "in both" if n_others == 1 else f"in all {n_others + 1}"


class _Labels:
    """The labels of a graph, named where there is room, on hover with what they are predicted from."""

    def __init__(
        self,
        graph: AnyLabelGraph,
        others: Sequence[AnyLabelGraph],
        names: Sequence[str],
        positions: np.ndarray,
        drawn: np.ndarray,
        size: float,
        selected: int | None,
        groups: Sequence[int] | None,
    ) -> None:
        self.graph, self.names, self.positions = graph, names, positions
        self.size, self.selected, self.groups = size, selected, groups
        self.short = distinct(names, 14)
        self.neighbours = graph.neighbours
        of_all = [self.neighbours, *(other.neighbours for other in others)]
        around = [sorted(set().union(*of_label)) for of_label in zip(*of_all, strict=True)]
        self.named = set(drawn.tolist())
        if len(drawn) > NAMED_NODES:
            degree = np.array([len(self.neighbours[label]) for label in drawn])
            self.named = set(drawn[np.argsort(-degree, kind="stable")[:NAMED_OF_MANY]].tolist())
        if selected is not None:
            near = {selected, *self.neighbours[selected][:NAMED_OF_MANY]}
            self.named = near if len(drawn) > NAMED_NODES else self.named | near
        written = {label: self.short[label] for label in sorted(self.named)}
        self.sides = sides_of_names(written, _shares(positions, NARROW[1]), around)

    def trace(self, labels: np.ndarray, opacity: float | None = None) -> go.Scatter:
        """Return some of the labels."""
        styles = [self._style(label) for label in labels]
        text = [literal(self.short[label]) if label in self.named else "" for label in labels]
        return go.Scatter(
            x=self.positions[labels, 0].tolist(),
            y=self.positions[labels, 1].tolist(),
            mode="markers+text",
            text=text,
            textposition=[self.sides.get(label, "top center") for label in labels.tolist()],
            textfont={"size": TEXT, "shadow": "auto"},  # readable across edges, too
            marker={
                "size": [self.size * (1.6 if label == self.selected else 1.0) for label in labels],
                "color": [color for color, _ in styles],
                "symbol": [symbol for _, symbol in styles],
                "line": {
                    "color": [RING if label == self.selected else FAINT for label in labels],
                    "width": [3 if label == self.selected else 1 for label in labels],
                },
            },
            opacity=opacity,
            customdata=labels.tolist(),  # packed arrays do not come back from a click
            hovertext=[self._hover(label) for label in labels],
            hoverinfo="text",
            cliponaxis=False,
        )

    def _style(self, label: int) -> tuple[str, str]:
        group = -1 if self.groups is None else self.groups[label]
        if 0 <= group < len(GROUP_STYLES):
            return GROUP_STYLES[group]
        return (ACCENT, "circle") if label == self.selected else (NEUTRAL, "circle")

    def _hover(self, label: int) -> str:
        kind = "parents" if isinstance(self.graph, LabelGraph) else "neighbours"
        inputs = self.graph.inputs[label]
        group = -1 if self.groups is None else self.groups[label]
        return (
            f"{literal(self.names[label])}<br>"
            + (f"{kind}: {', '.join(literal(self.names[one]) for one in inputs)}" if inputs else f"no {kind}")
            + (f"<br>community {group + 1}" if group >= 0 else "")
        )
