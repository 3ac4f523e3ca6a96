"""How structures agree, what they are about, and what one label and the features have to do with it, in sentences."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from trellislib.data.profile import LabelProfile
from trellislib.graphs.differences import edge_differences
from trellislib.label_graph import AnyLabelGraph
from trellislib.takeaways.words import number_of

HARDLY = 0.1  # share of the strongest dependence up to which a pair is hardly linked
TELLING = 0.5  # share of the greatest entropy that labels have of which a missing link is worth a word


def about_graphs(
    names: Sequence[str], graphs: Sequence[AnyLabelGraph], labels: Sequence[str], information: np.ndarray
) -> str:
    """Say how many edges structures have, how many of the pairs are in all, and which of these is strongest."""
    if graphs[0].n_labels < 2:
        return "With a single label there is nothing to depend on directly."
    first, *others = dict(zip(names, graphs, strict=True)).items()
    if not others:
        return f"{first[0]} finds {number_of(len(first[1].edges), 'edge')} between {len(labels)} labels."
    pairs = edge_differences(dict([first, *others]), information)
    shared = [pair for pair in pairs if pair.is_in_all]
    each = [f"{name} {len(graph.edges):,}" for name, graph in others]
    listed = f", {', '.join(each[:-1])}" if len(each) > 1 else ""
    counted = f"{first[0]} has {number_of(len(first[1].edges), 'edge')}{listed} and {each[-1]}"
    they = "they agree" if len(others) == 1 else f"all {len(names)} agree"
    if not shared:
        return f"{counted}; they agree on no pair of labels."
    one, other = shared[0].labels
    strongest = f"the strongest being {labels[one]} and {labels[other]}"
    turned = sum(pair.is_reversed for pair in shared)
    but = f" ({turned} of them in opposite directions)" if turned else ""
    if len(shared) == len(pairs):
        return f"{counted}: the same pairs of labels{but}, {strongest}."
    by, those = ("either", "both") if len(others) == 1 else ("any", "all")
    return (
        f"{counted}; {they} on {len(shared):,} of {len(pairs):,} pairs that depend directly by {by}{but}, {strongest} "
        f"of those in {those}."
    )


def about_links(
    graphs: Sequence[AnyLabelGraph], labels: Sequence[str], information: np.ndarray, signs: np.ndarray | None
) -> str:
    """Say which labels the edges join as friends, which as enemies of these, and which labels they leave apart.

    Of the pairs that are an edge of any graph: the one that co-occurs most, and the one that most excludes either
    label of it (or where nothing co-occurs, that excludes most), if it is more than hardly linked. Of the pairs of
    labels that have an edge and vary at least half as much as the one that varies most: the one that depends least, if
    that is hardly at all. Without signs, or without edges, nothing.

    Parameters
    ----------
    graphs : sequence of LabelGraph or UndirectedLabelGraph
        Graphs over the labels.
    labels : sequence of str
        The names of the labels.
    information : ndarray of shape (n_labels, n_labels)
        Mutual information in nats, the entropies of the labels on its diagonal.
    signs : ndarray of shape (n_labels, n_labels) or None
        Phi of each pair.
    """
    pairs = sorted({(min(edge), max(edge)) for graph in graphs for edge in graph.edges})
    if signs is None or not pairs:
        return ""

    def strongest(of: list[tuple[int, int]]) -> tuple[int, int] | None:
        return max(of, key=lambda pair: information[pair], default=None)

    def told(pair: tuple[int, int], what: str) -> str:
        nats = f"{information[pair]:.3f}" if information[pair] >= 0.0005 else "less than 0.001"
        return f"{labels[pair[0]]} and {labels[pair[1]]} {what} ({nats} nats)"

    friends = strongest([pair for pair in pairs if signs[pair] > 0])
    enemies = strongest([pair for pair in pairs if signs[pair] < 0 and (not friends or set(pair) & set(friends))])
    said = [told(friends, "co-occur most")] if friends else []
    top = max(information[pair] for pair in pairs)
    if enemies and information[enemies] > HARDLY * top:
        most = ", the most at either of these two" if friends else ", the most of all"
        said.append(told(enemies, "exclude each other") + most)
    entropy = information.diagonal()
    joined = np.unique(pairs)
    telling = [int(label) for label in joined if entropy[label] >= TELLING * entropy[joined].max()]
    apart = [(one, other) for place, one in enumerate(telling) for other in telling[place + 1 :]]
    weakest = min(apart, key=lambda pair: information[pair], default=None)
    if weakest and information[weakest] <= HARDLY * top:
        said.append(told(weakest, "are hardly linked"))
    return "; ".join(said) + "." if said else ""


def about_label(profile: LabelProfile) -> str:
    """Say how frequent a label is, how unequal that makes it, and what it depends on most."""
    if profile.n_relevant == 0:
        return f"{profile.name} is never relevant."
    rare = "the most frequent label" if profile.imbalance == 1 else f"{profile.imbalance:.3g} times rarer than the "
    rare += "" if profile.imbalance == 1 else "most frequent label (IRLbl)"
    said = f"{number_of(profile.n_relevant, 'instance')} ({profile.frequency:.1%}), {rare}"
    if profile.partners.empty or profile.partners["MI (nats)"].iloc[0] <= 0:
        return f"{said}; it depends on no other label."
    partner = profile.partners.iloc[0]
    sign = np.sign(partner.get("phi", 0.0))
    how = "they co-occur, " if sign > 0 else "they exclude each other, " if sign < 0 else ""
    return f"{said}; it depends most on {partner['label']} ({how}{partner['MI (nats)']:.3f} nats)."


def about_conditional(labels: Sequence[str], marginal: np.ndarray, conditional: np.ndarray) -> str:
    """Say of which pair the features explain most of the dependence away, and of which most remains.

    Parameters
    ----------
    labels : sequence of str
        The names of the labels.
    marginal, conditional : ndarray of shape (n_labels, n_labels)
        Dependence of every pair, and what of it is beyond the features, both in nats.
    """
    if len(labels) < 2:
        return f"{labels[0]} is the only label, so there is no dependence to explain."
    first, second = np.triu_indices(len(labels), k=1)
    before, after = marginal[first, second], conditional[first, second]
    if not before.any() and not after.any():
        return "No pair of labels depends on each other, with or without the features."

    def told(pair: int) -> str:
        return f"{labels[first[pair]]} and {labels[second[pair]]}, from {before[pair]:.3f} to {after[pair]:.3f} nats"

    lost, left = int((before - after).argmax()), int(after.argmax())
    remains = f"most remains between {told(left)}"
    if before[lost] <= after[lost]:
        return f"The features explain no dependence away; {remains}."
    if lost == left:
        return f"The features explain most away between {told(lost)}, and between them most remains, too."
    return f"The features explain most away between {told(lost)}; {remains}."
