"""How structures agree, what they are about, and what one label and the features have to do with it, in sentences."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from trellislib.data.profile import LabelProfile
from trellislib.dependence.pairs import StrongestPairs, row_blocks
from trellislib.graphs.differences import edge_differences
from trellislib.label_graph import AnyLabelGraph
from trellislib.takeaways.words import amount, in_nats, listed, number_of, percent, thousandths

HARDLY = 0.1  # share of the strongest dependence up to which a pair is hardly linked
TELLING = 0.5  # share of the greatest entropy that labels have of which a missing link is worth a word


def about_graphs(graphs: Mapping[str, AnyLabelGraph], labels: Sequence[str], information: np.ndarray) -> str:
    """Say how many edges structures have, how many of the pairs are in all, and which of these is strongest.

    Parameters
    ----------
    graphs : mapping of str to LabelGraph or UndirectedLabelGraph
        The graphs, by name, over the same labels.
    labels : sequence of str
        The names of the labels.
    information : ndarray of shape (n_labels, n_labels)
        Mutual information of every pair.

    Raises
    ------
    ValueError
        As by `trellislib.graphs.edge_differences`.

    Examples
    --------
    >>> from trellislib.label_graph import LabelGraph
    >>> graphs = {"FS": LabelGraph([(), (0,), (1,)]), "LEAD": LabelGraph([(1,), (), ()])}
    >>> about_graphs(graphs, ["sky", "sea", "fog"], np.ones((3, 3)))
    'FS has 2 edges and LEAD 1; they agree on 1 of 2 pairs that depend directly by either (in opposite directions), \
sky and sea.'
    """
    pairs = edge_differences(graphs, information)
    if len(labels) < 2:
        return "With a single label there is nothing to depend on directly."
    names = list(graphs)
    edges = [len(graph.edges) for graph in graphs.values()]
    first = number_of(edges[0], "edge")
    if len(graphs) == 1:
        return f"{names[0]} finds {first} between {len(labels):,} labels."
    if not pairs:
        return f"{listed(names)} have no edges."
    each = [f"{name} {number:,}" for name, number in zip(names[1:], edges[1:], strict=True)]
    counted = listed([f"{names[0]} has {first}", *each], len(names))
    shared = [pair for pair in pairs if pair.is_in_all]
    those = "both" if len(graphs) == 2 else f"all {len(graphs)}"
    if not shared:
        return f"{counted}; no pair of labels is in {those}."
    turned = sum(pair.is_reversed for pair in shared)
    of_them = "" if len(shared) == 1 else "all of them " if turned == len(shared) else f"{turned:,} of them "
    but = f" ({of_them}in opposite directions)" if turned else ""
    strength = [information[pair.labels] for pair in shared]
    strongest = " and ".join(labels[label] for label in shared[0].labels)
    if len(shared) > 1:
        strongest = f"{strongest} {'the strongest' if strength[0] > strength[1] else 'as strong as any'}"
    if len(shared) == len(pairs):
        return f"{counted}: the same {'pair' if len(pairs) == 1 else 'pairs'} of labels{but}, {strongest}."
    they, by = ("they agree", "either") if len(graphs) == 2 else (f"{those} agree", "any")
    of_those = f" of those in {those}" if len(shared) > 1 else ""
    return (
        f"{counted}; {they} on {len(shared):,} of {len(pairs):,} pairs that depend directly by {by}{but}, "
        f"{strongest}{of_those}."
    )


def about_links(
    graphs: Sequence[AnyLabelGraph], labels: Sequence[str], information: np.ndarray, signs: np.ndarray | None
) -> str:
    """Say which labels the edges join as friends, which as enemies of these, and which labels they leave apart.

    Of the pairs that are an edge of any graph: the one that co-occurs most, and of those that exclude each other the
    strongest at either label of it (or where nothing co-occurs, of all), if it is more than hardly linked. Of the pairs
    of labels that have an edge and vary at least half as much as the one that varies most: the one that depends least,
    if that is hardly at all. Without signs, or without edges, nothing.

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
        return f"{labels[pair[0]]} and {labels[pair[1]]} {what} ({in_nats(information[pair])})"

    friends = strongest([pair for pair in pairs if signs[pair] > 0])
    enemies = strongest([pair for pair in pairs if signs[pair] < 0 and (not friends or set(pair) & set(friends))])
    most = " most" if len(pairs) > 1 else ""
    said = [told(friends, f"co-occur{most}")] if friends else []
    top = max(information[pair] for pair in pairs)
    if enemies and information[enemies] > HARDLY * top:
        excluded = told(enemies, f"exclude each other{'' if friends else most}")
        said.append(f"{excluded}, the most at either of these two" if friends else excluded)
    if said:
        said = [f"{'Of the pairs joined, ' if most else ''}{', and '.join(said)}"]
    entropy = information.diagonal()
    joined = np.unique(pairs)
    telling = [int(label) for label in joined if entropy[label] >= TELLING * entropy[joined].max()]
    apart = [(one, other) for place, one in enumerate(telling) for other in telling[place + 1 :]]
    weakest = min(apart, key=lambda pair: information[pair], default=None)
    if weakest and weakest not in (friends, enemies) and information[weakest] <= HARDLY * top:
        said.append(told(weakest, "are hardly linked"))
    return "; ".join(said) + "." if said else ""


def about_label(profile: LabelProfile) -> str:
    """Say how frequent a label is, how unequal that makes it, and what it depends on most."""
    if profile.n_relevant == 0:
        return f"{profile.name} is never relevant."
    times = amount(profile.imbalance)
    rare = f"{'hardly' if times == '1' else f'{times} times'} rarer than the most frequent label (IRLbl)"
    rare = "and no label is more frequent" if profile.imbalance == 1 else rare
    said = f"{number_of(profile.n_relevant, 'instance')} ({percent(profile.frequency, 1)}), {rare}"
    if profile.partners.empty or profile.partners["MI (nats)"].iloc[0] <= 0:
        return f"{said}; it depends on no other label."
    partner = profile.partners.iloc[0]
    sign = np.sign(partner.get("phi", 0.0))
    how = "they co-occur, " if sign > 0 else "they exclude each other, " if sign < 0 else ""
    return f"{said}; it depends most on {partner['label']} ({how}{in_nats(partner['MI (nats)'])})."


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
    lost, left = StrongestPairs(len(labels), 1), StrongestPairs(len(labels), 1)
    for rows in row_blocks(len(labels)):
        lost.see(rows, marginal[rows] - conditional[rows])
        left.see(rows, conditional[rows])

    def told(found: StrongestPairs) -> str:
        pair = int(found.first[0]), int(found.second[0])
        change = f"from {thousandths(marginal[pair])} to {in_nats(conditional[pair])}"
        return f"{labels[pair[0]]} and {labels[pair[1]]}, {change}"

    explains, remains = lost.strength[0] > 0, left.strength[0] > 0
    if not explains and not remains:
        return "No pair of labels depends on each other, with or without the features."
    if not explains:
        return f"The features explain no dependence away; most remains between {told(left)}."
    explained = f"The features explain most away between {told(lost)}"
    if not remains:
        return f"{explained}; nothing remains of any pair."
    if told(lost) == told(left):
        return f"{explained}, and between them most remains, too."
    return f"{explained}; most remains between {told(left)}."
