"""What the drawing of one graph shows, in a sentence or two."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from trellislib.labels.graph import AnyLabelGraph
from trellislib.wording import agreed, counted, percent, three_digits


def about_edges(
    graph: AnyLabelGraph, names: Sequence[str], dependence: np.ndarray, signs: np.ndarray | None = None
) -> str:
    """Return how many edges a graph has, which of them is the strongest, and what share of all dependence they hold.

    Parameters
    ----------
    graph : LabelGraph or UndirectedLabelGraph
        What is drawn.
    names : sequence of str
        The names of its labels.
    dependence : ndarray of shape (n_labels, n_labels)
        Mutual information of every pair, in nats.
    signs : ndarray of shape (n_labels, n_labels), optional
        Phi of each pair.

    Examples
    --------
    >>> from trellislib.labels.graph import LabelGraph
    >>> information = np.array([[0.0, 0.3, 0.1], [0.3, 0.0, 0.0], [0.1, 0.0, 0.0]])
    >>> about_edges(LabelGraph([[], [0], []], [0, 1, 2]), ["sky", "sea", "fog"], information, np.ones((3, 3)))
    '1 edge carries 75% of the dependence of all label pairs. It joins sky and sea, which co-occur (0.300 nats).'
    """
    if not graph.edges:
        return "No edges."
    pairs = sorted({(min(edge), max(edge)) for edge in graph.edges})
    edges = counted(len(graph.edges), "edge")
    weights = [float(dependence[pair]) for pair in pairs]
    total = float(np.triu(dependence, k=1).sum())
    if total <= 0 or max(weights) <= 0:
        return f"{edges} {agreed(len(graph.edges), 'joins', 'join')} labels that do not depend on each other."
    one, other = pairs[int(np.argmax(weights))]
    sign = 0.0 if signs is None else signs[one, other]
    how = ", which co-occur" if sign > 0 else ", which exclude each other" if sign < 0 else ""
    which = "It" if len(pairs) == 1 else "The strongest"
    return (
        f"{edges} {agreed(len(graph.edges), 'carries', 'carry')} {percent(sum(weights) / total)} of the dependence of "
        f"all label pairs. "
        f"{which} joins {names[one]} and {names[other]}{how} ({three_digits(max(weights))} nats)."
    )


def about_found(graph: AnyLabelGraph, truth: AnyLabelGraph) -> str:
    """Return how many of the true edges a graph has, whatever their directions, and how many that are not there.

    Examples
    --------
    >>> from trellislib.labels.graph import LabelGraph
    >>> truth = LabelGraph([[], [0], [1]], [0, 1, 2])
    >>> about_found(LabelGraph([[1], [], [0]], [1, 0, 2]), truth)
    '1 of 2 true edges is found, in either direction. 1 found edge is wrong.'
    """
    found, true = ({frozenset(edge) for edge in one.edges} for one in (graph, truth))
    right, wrong = len(found & true), len(found - true)
    beyond = f"{counted(wrong, 'found edge')} {agreed(wrong, 'is', 'are')} wrong."
    if not right:
        missed = f"None of {len(true):,} true edges" if len(true) > 1 else "The one true edge"
        start = f"{missed} is {'not ' * (len(true) == 1)}found" if true else "There is no true edge to find"
        return f"{start}. {beyond}" if wrong else f"{start}."
    hits = f"{right:,} of {counted(len(true), 'true edge')} {agreed(right, 'is', 'are')} found"
    return f"{hits}, in either direction. {beyond if wrong else 'No found edge is wrong.'}"
