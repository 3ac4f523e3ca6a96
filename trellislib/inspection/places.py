"""Where labels stand in a prediction: their order, and what is decided together."""

from __future__ import annotations

from collections.abc import Sequence

from trellislib.labels.graph import AnyLabelGraph, LabelGraph


def places(graph: AnyLabelGraph) -> tuple[Sequence[int], dict[int, int]]:
    """Return the labels in the order of prediction, and the level of each: its wavefront, or its colour.

    An undirected graph has no order, so that its labels come in their own; labels of one colour are sampled together.

    Examples
    --------
    >>> places(LabelGraph(parents=[(), (0,), (0, 1), ()]))
    ((0, 3, 1, 2), {0: 0, 3: 0, 1: 1, 2: 2})
    """
    order: Sequence[int] = range(graph.n_labels)
    if isinstance(graph, LabelGraph):
        order, groups = graph.order, graph.levels
    else:
        groups = graph.colours
    return order, {label: number for number, group in enumerate(groups) for label in group}


def level_name(graph: AnyLabelGraph) -> str:
    """Return what a level of a graph is called.

    Examples
    --------
    >>> level_name(LabelGraph.chain([1, 0])), level_name(LabelGraph.chain([1, 0]).undirected())
    ('place in the chain', 'colour')
    >>> level_name(LabelGraph.chain([0]))
    'wavefront'
    """
    if not isinstance(graph, LabelGraph):
        return "colour"
    return "place in the chain" if graph.edges and graph.is_complete else "wavefront"
