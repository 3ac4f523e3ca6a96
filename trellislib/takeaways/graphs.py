"""How structures agree, in one sentence."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from trellislib.label_graph import LabelGraph
from trellislib.takeaways.words import number_of


def about_graphs(
    names: tuple[str, str], graphs: tuple[LabelGraph, LabelGraph], labels: Sequence[str], information: np.ndarray
) -> str:
    """Say how many edges two structures have, how many of the pairs are in both, and which of these is strongest."""
    if graphs[0].n_labels < 2:
        return "With a single label there is nothing to depend on directly."
    pairs = [{frozenset(edge) for edge in graph.edges} for graph in graphs]
    if names[0] == names[1]:
        return f"{names[0]} finds {number_of(len(pairs[0]), 'edge')} between {len(labels)} labels."
    both = pairs[0] & pairs[1]
    counted = f"{names[0]} has {number_of(len(pairs[0]), 'edge')} and {names[1]} {len(pairs[1]):,}"
    if not both:
        return f"{counted}; they agree on no pair of labels."
    one, other = max((tuple(sorted(pair)) for pair in sorted(both, key=sorted)), key=lambda pair: information[pair])
    strongest = f"the strongest being {labels[one]} and {labels[other]}"
    turned = len(both) - len(set(graphs[0].edges) & set(graphs[1].edges))
    but = f" ({turned} of them in opposite directions)" if turned else ""
    if pairs[0] == pairs[1]:
        return f"{counted}: the same pairs of labels{but}, {strongest}."
    n_all = len(pairs[0] | pairs[1])
    return (
        f"{counted}; they agree on {len(both)} of {n_all} pairs that depend directly by either{but}, {strongest} of "
        "those in both."
    )
