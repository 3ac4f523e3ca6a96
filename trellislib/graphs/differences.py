"""Where graphs over the same labels differ, edge by edge; and what is left of a graph without its weak edges."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from trellislib.labels.graph import AnyLabelGraph, LabelGraph


@dataclass(frozen=True)
class PairOfLabels:
    """A pair of labels that is an edge of at least one of several graphs.

    Attributes
    ----------
    labels : (int, int)
        The pair, its lower label first.
    directions : mapping of str to (int, int) or None
        For each graph that has the edge, by name: the edge as (parent, child), None where it has no direction.
    n_graphs : int
        How many graphs were compared.
    """

    labels: tuple[int, int]
    directions: Mapping[str, tuple[int, int] | None]
    n_graphs: int

    @property
    def is_in_all(self) -> bool:
        """Whether it is an edge of every graph, in whatever direction."""
        return len(self.directions) == self.n_graphs

    @property
    def is_reversed(self) -> bool:
        """Whether two of the graphs give it opposite directions."""
        return len(set(self.directions.values()) - {None}) > 1

    @property
    def is_alike(self) -> bool:
        """Whether all graphs have it, and none of them against another."""
        return self.is_in_all and not self.is_reversed

    @property
    def in_words(self) -> str:
        """Which graphs have it, for people: ``all``, ``X only``, ``X, Y``; and whether it is reversed between them."""
        names = list(self.directions)
        if self.is_in_all and self.n_graphs > 1:
            where = "both" if self.n_graphs == 2 else "all"
        else:
            where = ", ".join(names) if len(names) > 1 or self.n_graphs == 1 else f"{names[0]} only"
        return f"{where}, reversed" if self.is_reversed else where

    def arrow(self, name: str) -> str:
        """Return how a graph has it, from its lower label to the other: ``→``, ``←``, ``—``; nothing if it has not."""
        if name not in self.directions:
            return ""
        edge = self.directions[name]
        return "—" if edge is None else "→" if edge == self.labels else "←"


def edge_differences(
    graphs: Mapping[str, AnyLabelGraph], dependence: np.ndarray | None = None
) -> tuple[PairOfLabels, ...]:
    """Return each pair of labels that is an edge of any graph, with the graphs that have it and its directions.

    Parameters
    ----------
    graphs : mapping of str to LabelGraph or UndirectedLabelGraph
        The graphs, by name, over the same labels. An undirected edge agrees with either direction.
    dependence : ndarray of shape (n_labels, n_labels), optional
        Symmetric pairwise dependence: the strongest pairs come first; those of equal dependence, and without it all,
        in the order of their labels.

    Raises
    ------
    ValueError
        If there is no graph, or they have not as many labels.

    Examples
    --------
    >>> graphs = {"FS": LabelGraph([(), (0,), (1,)]), "LEAD": LabelGraph([(1,), (), ()])}
    >>> [(pair.labels, pair.in_words) for pair in edge_differences(graphs)]
    [((0, 1), 'both, reversed'), ((1, 2), 'FS only')]
    >>> [pair.arrow("LEAD") for pair in edge_differences(graphs)]
    ['←', '']
    """
    sizes = {name: graph.n_labels for name, graph in graphs.items()}
    if len(set(sizes.values())) != 1:
        raise ValueError(
            f"Got graphs of so many labels: {sizes}; expected at least one graph, all over the same labels."
        )
    found: dict[tuple[int, int], dict[str, tuple[int, int] | None]] = {}
    for name, graph in graphs.items():
        for one, other in graph.edges:
            pair = (min(one, other), max(one, other))
            found.setdefault(pair, {})[name] = (one, other) if isinstance(graph, LabelGraph) else None
    pairs = sorted(found, key=lambda pair: (0.0 if dependence is None else -dependence[pair], pair))
    return tuple(PairOfLabels(pair, found[pair], len(graphs)) for pair in pairs)


def without_weak_edges(graph: LabelGraph, dependence: np.ndarray, least: float) -> LabelGraph:
    """Return a graph without the edges between labels that depend less than `least`.

    Nothing is learned again: the other edges, their directions and the order of the labels stay.

    Parameters
    ----------
    graph : LabelGraph
        The graph. A trellis that loses edges is a plain graph then.
    dependence : ndarray of shape (n_labels, n_labels)
        Symmetric pairwise dependence, for instance mutual information in nats.
    least : float
        What an edge must have to stay, in the same unit.

    Returns
    -------
    LabelGraph
        The graph itself where no edge is taken out.

    Examples
    --------
    >>> import numpy as np
    >>> without_weak_edges(LabelGraph([(), (0,), (0, 1)]), np.array([[0, 3, 1], [3, 0, 2], [1, 2, 0]]), 2).parents
    ((), (0,), (1,))
    """
    parents = [
        tuple(parent for parent in of if dependence[parent, label] >= least) for label, of in enumerate(graph.parents)
    ]
    if sum(map(len, parents)) == len(graph.edges):
        return graph
    return LabelGraph(parents, graph.order)
