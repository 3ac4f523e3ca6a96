"""What the terms of Start's sentences mean, and why a trellis may leave its strongest pair apart."""

from __future__ import annotations

from collections.abc import Sequence

from state.tuning import CLIMBING, MUTUAL_INFORMATION, SWAPS, Shape

from trellislib.labels.graph import LabelGraph

MEANINGS = {
    "nats": "Nats are the unit of mutual information. 0 means independent, and two binary labels share at most 0.69.",
    "clearly dependent": "A pair is clearly dependent where a G-test rejects independence at 0.01, corrected for "
    "checking many pairs.",
}

TRELLIS = "A trellis predicts each label from the features and from the labels whose arrows point to it."
WHY_APART = {
    CLIMBING: "Algorithm 1 gives each cell the label that depends most on its parents, and never moves it again",
    SWAPS: "no swap of two labels captures more in total",
}


def explained(sentence: str) -> str:
    """Return what those terms mean that a sentence uses."""
    return " ".join(meaning for term, meaning in MEANINGS.items() if term in sentence)


def about_apart(names: Sequence[str], graph: LabelGraph, strongest: tuple[int, int, float], shape: Shape) -> str:
    """Say why the strongest pair is not joined; nothing where it is, or where no pair shares anything."""
    one, other, strength = strongest
    if strength <= 0 or {(one, other), (other, one)} & set(graph.edges):
        return ""
    why = "the labels are not placed by mutual information alone"
    if shape.criterion == MUTUAL_INFORMATION and not shape.swaps:
        why = WHY_APART.get(shape.placement, why)
    return f"The strongest pair, {names[one]} and {names[other]}, is not joined: {why}."
