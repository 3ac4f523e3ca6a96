"""What label graphs share, which pairs they join, and what the features explain of it, in sentences."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import combinations

import numpy as np

from trellislib.data.profile import LabelProfile
from trellislib.dependence.pairs import StrongestPairs, row_blocks
from trellislib.graphs.differences import edge_differences
from trellislib.labels.graph import AnyLabelGraph
from trellislib.wording import agreed, amount, counted, in_nats, listed, percent, thousandths

HARDLY = 0.1  # share of the strongest dependence up to which a pair is hardly linked
VARIED = 0.5  # share of the greatest entropy from which on a missing link of a label is mentioned


def about_graphs(graphs: Mapping[str, AnyLabelGraph], labels: Sequence[str], information: np.ndarray) -> str:
    """Return how many edges structures have, how many of the pairs are in all, and which of these is strongest.

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
    >>> from trellislib.labels.graph import LabelGraph
    >>> graphs = {"FS": LabelGraph([(), (0,), (1,)]), "LEAD": LabelGraph([(1,), (), ()])}
    >>> about_graphs(graphs, ["sky", "sea", "fog"], np.ones((3, 3)))
    'FS has 2 edges and LEAD 1. Both join 1 of the 2 pairs that either joins: sky and sea.'
    """
    pairs = edge_differences(graphs, information)
    if len(labels) < 2:
        return "With a single label there is nothing to depend on directly."
    names = list(graphs)
    edges = [len(graph.edges) for graph in graphs.values()]
    first = counted(edges[0], "edge")
    if len(graphs) == 1:
        return f"{names[0]} finds {first} between {len(labels):,} labels."
    if not pairs:
        return f"{listed(names)} have no edges."
    each = [f"{name} {number:,}" for name, number in zip(names[1:], edges[1:], strict=True)]
    found = listed([f"{names[0]} has {first}", *each], len(names))
    shared = [pair for pair in pairs if pair.is_in_all]
    those = "both" if len(graphs) == 2 else f"all {len(graphs)}"
    if not shared:
        return f"{found}. No pair of labels is in {those}."
    strength = [information[pair.labels] for pair in shared]
    strongest = f": {' and '.join(labels[label] for label in shared[0].labels)}"
    if len(shared) > 1:
        which = "the strongest" if strength[0] > strength[1] else "one of the strongest"
        strongest = f", and {which} is{strongest[1:]}"
    if len(shared) == len(pairs):
        return f"{found}. They join the same {agreed(len(pairs), 'pair', 'pairs')}{strongest}."
    of_any = f"the {counted(len(pairs), 'pair')} that {'either' if len(graphs) == 2 else 'any'} joins"
    return f"{found}. {those.capitalize()} join {len(shared):,} of {of_any}{strongest}."


def about_links(
    graphs: Sequence[AnyLabelGraph], labels: Sequence[str], information: np.ndarray, signs: np.ndarray | None
) -> str:
    """Return which of the pairs that are an edge of any graph co-occurs most, and which excludes each other most.

    Without signs, or without edges, nothing.

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
    pairs = _joined(graphs)
    if signs is None or not pairs:
        return ""
    most, among = (" most", "among joined pairs ") if len(pairs) > 1 else ("", "")
    co_occurring = _strongest([pair for pair in pairs if signs[pair] > 0], information)
    excluding = _strongest([pair for pair in pairs if signs[pair] < 0], information)
    clauses = [_link(co_occurring, f"co-occur{most} {among}", labels, information)] if co_occurring else []
    among = "" if clauses else among
    clauses += [_link(excluding, f"exclude each other{most} {among}", labels, information)] if excluding else []
    return f"{', and '.join(clauses)}." if clauses else ""


def about_apart(
    graphs: Sequence[AnyLabelGraph], labels: Sequence[str], information: np.ndarray, signs: np.ndarray | None
) -> str:
    """Return what excludes the labels that co-occur most, and which labels the edges leave apart.

    Of the pairs that are an edge of any graph, those that exclude each other: the strongest at either label of the pair
    that co-occurs most, if it is more than hardly linked. Of the pairs of labels that have an edge and vary at least
    half as much as the one that varies most: the one that depends least, if that is hardly at all. Parameters are
    those of `about_links`; without signs, or without edges, the text is empty.
    """
    pairs = _joined(graphs)
    if signs is None or not pairs:
        return ""
    co_occurring = _strongest([pair for pair in pairs if signs[pair] > 0], information)
    near = [pair for pair in pairs if co_occurring and signs[pair] < 0 and set(pair) & set(co_occurring)]
    excluding = _strongest(near, information)
    top = max(information[pair] for pair in pairs)
    found = []
    if co_occurring and excluding and information[excluding] > HARDLY * top:
        of = f"{labels[co_occurring[0]]} or {labels[co_occurring[1]]}"
        found.append(f"The strongest exclusion of {of} is {_link(excluding, '', labels, information)}.")
    entropy = information.diagonal()
    joined = np.unique(pairs)
    varied = [int(label) for label in joined if entropy[label] >= VARIED * entropy[joined].max()]
    weakest = min(combinations(varied, 2), key=lambda pair: information[pair], default=None)
    if weakest and weakest not in (co_occurring, excluding) and information[weakest] <= HARDLY * top:
        found.append(f"{_link(weakest, 'are hardly dependent ', labels, information)}.")
    return " ".join(found)


def about_hubs(graphs: Mapping[str, AnyLabelGraph], labels: Sequence[str]) -> str:
    """Return the label that has the most edges in each graph, the lowest of those with as many.

    Examples
    --------
    >>> from trellislib.labels.graph import LabelGraph
    >>> graphs = {"FS": LabelGraph([(), (0,), (0,)]), "LEAD": LabelGraph([(1,), (), (0,)])}
    >>> about_hubs(graphs, ["sky", "sea", "fog"])
    'The most connected label is sky (2 edges in FS and 2 in LEAD).'
    """
    hubs: dict[int, dict[str, int]] = {}
    for name, graph in graphs.items():
        degrees = [len(of) for of in graph.neighbours]
        if max(degrees, default=0):
            hub = int(np.argmax(degrees))
            hubs.setdefault(hub, {})[name] = degrees[hub]
    most = []
    for hub, of in hubs.items():
        (first, edges), *others = of.items()
        each = [f"{counted(edges, 'edge')} in {first}", *(f"{number:,} in {name}" for name, number in others)]
        most.append(f"{labels[hub]} ({listed(each)})")
    return f"The most connected {agreed(len(most), 'label is', 'labels are')} {listed(most)}." if most else ""


def _joined(graphs: Sequence[AnyLabelGraph]) -> list[tuple[int, int]]:
    """Return the pairs that are an edge of any graph."""
    return sorted({(min(edge), max(edge)) for graph in graphs for edge in graph.edges})


def _strongest(pairs: list[tuple[int, int]], information: np.ndarray) -> tuple[int, int] | None:
    return max(pairs, key=lambda pair: information[pair], default=None)


def _link(pair: tuple[int, int], what: str, labels: Sequence[str], information: np.ndarray) -> str:
    """Return a pair by its names, what it does, and its dependence."""
    return f"{labels[pair[0]]} and {labels[pair[1]]} {what}({in_nats(information[pair])})"


def about_label(profile: LabelProfile) -> str:
    """Return how frequent a label is, how unequal that makes it, and what it depends on most."""
    if profile.n_relevant == 0:
        return f"{profile.name} is never relevant."
    times = amount(profile.imbalance)
    rare = f"{'hardly' if times == '1' else f'{times} times'} rarer than the most frequent label (IRLbl)"
    rare = "and no label is more frequent" if profile.imbalance == 1 else rare
    text = f"{counted(profile.n_relevant, 'instance')} ({percent(profile.frequency, 1)}), {rare}"
    if profile.partners.empty or profile.partners["MI (nats)"].iloc[0] <= 0:
        return f"{text}. It depends on no other label."
    partner = profile.partners.iloc[0]
    sign = np.sign(partner.get("phi", 0.0))
    how = "they co-occur, " if sign > 0 else "they exclude each other, " if sign < 0 else ""
    return f"{text}. It depends most on {partner['label']} ({how}{in_nats(partner['MI (nats)'])})."


def about_conditional(labels: Sequence[str], marginal: np.ndarray, conditional: np.ndarray) -> str:
    """Return of which pair the features explain most of the dependence away, and of which most is left, or grows.

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

    def pair_of(found: StrongestPairs) -> tuple[int, int]:
        return int(found.first[0]), int(found.second[0])

    def change(pair: tuple[int, int]) -> str:
        before, after = thousandths(marginal[pair]), in_nats(conditional[pair])
        grows = conditional[pair] > marginal[pair] and not after.startswith(f"{before} ")
        return f"{labels[pair[0]]} and {labels[pair[1]]} ({'it grows ' if grows else ''}from {before} to {after})"

    explains, remains = lost.strength[0] > 0, left.strength[0] > 0
    if not explains and not remains:
        return "No pair of labels depends on each other, with or without the features."
    most_left = f"Most remains between {change(pair_of(left))}." if remains else "No pair remains dependent."
    if not explains:
        return f"The features explain no dependence away. {most_left}"
    explained = f"The features explain most dependence away between {change(pair_of(lost))}"
    if remains and pair_of(lost) == pair_of(left):
        return f"{explained}. Most remains between them, too."
    return f"{explained}. {most_left}"
