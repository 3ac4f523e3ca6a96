"""Communities of labels: groups that go together more than labels do in general."""

from __future__ import annotations

import networkx as nx
import numpy as np

from trellislib.dependence import InformationRows, PhiRows
from trellislib.dependence.pairs import StrongestPairs, row_blocks

PAIRS_PER_LABEL = 3  # the strongest pairs that a label has on average in the graph that is divided


def label_communities(
    information: np.ndarray | InformationRows, signs: np.ndarray | PhiRows | None = None
) -> np.ndarray:
    """Divide labels into communities, by greedy modularity over their strongest pairs.

    Hierarchical clusters by average dependence (`trellislib.dependence.label_tree`) answer another question, and on
    real data leave most labels in one cluster: 720 of 983 in Delicious, where this finds 92 in the largest community.

    Parameters
    ----------
    information : ndarray of shape (n_labels, n_labels), or InformationRows
        Symmetric pairwise dependence, which weighs the pairs; its diagonal is not used.
    signs : ndarray of shape (n_labels, n_labels), or PhiRows, optional
        Phi of every pair. Where it is given, only pairs that co-occur hold a community together.

    Returns
    -------
    ndarray of shape (n_labels,)
        The number of each label's community, 0 being the largest, of equals that with the lowest label; -1 for a
        label that is alone.

    References
    ----------
    Clauset, Newman and Moore, "Finding community structure in very large networks", Physical Review E 70, 2004.

    Examples
    --------
    >>> import numpy as np
    >>> I = np.array([[0, 0.1, 0.5, 0, 0], [0.1, 0, 0.1, 0.4, 0], [0.5, 0.1, 0, 0, 0], [0, 0.4, 0, 0, 0], [0] * 5])
    >>> label_communities(I).tolist()
    [0, 1, 0, 1, -1]
    """
    n_labels = len(information)
    strongest = StrongestPairs(n_labels, PAIRS_PER_LABEL * n_labels)
    for labels in row_blocks(n_labels):
        rows = information[labels]
        strongest.see(labels, rows if signs is None else np.where(signs[labels] > 0, rows, 0.0))
    weighs = strongest.strength > 0
    found = np.full(n_labels, -1)
    if not weighs.any():
        return found
    graph = nx.Graph()
    graph.add_nodes_from(range(n_labels))
    columns = (strongest.first, strongest.second, strongest.strength)
    pairs = (column[weighs].tolist() for column in columns)
    graph.add_weighted_edges_from(zip(*pairs, strict=True))
    divided = [sorted(labels) for labels in nx.community.greedy_modularity_communities(graph, weight="weight")]
    together = [labels for labels in divided if len(labels) > 1]
    for number, members in enumerate(sorted(together, key=lambda labels: (-len(labels), labels[0]))):
        found[members] = number
    return found
