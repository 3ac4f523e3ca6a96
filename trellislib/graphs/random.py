"""Random undirected graphs of labels."""

from __future__ import annotations

import networkx as nx
import numpy as np
from sklearn.utils import check_random_state

from trellislib.labels.graph import UndirectedLabelGraph


def random_tree(n_labels: int, *, random_state: int | np.random.RandomState | None = None) -> UndirectedLabelGraph:
    """Return a tree that spans all labels, every such tree being equally likely.

    Parameters
    ----------
    n_labels : int
        Number of labels.
    random_state : int, RandomState or None
        Seed.

    References
    ----------
    Prüfer, "Neuer Beweis eines Satzes über Permutationen", Archiv der Mathematik und Physik 27 (1918).

    Examples
    --------
    >>> random_tree(4, random_state=0).edges
    ((0, 1), (0, 3), (2, 3))
    """
    if n_labels < 3:
        return UndirectedLabelGraph.complete(n_labels)
    sequence = check_random_state(random_state).randint(n_labels, size=n_labels - 2)
    return UndirectedLabelGraph.of_edges(n_labels, nx.from_prufer_sequence(sequence.tolist()).edges)


def random_pairs(n_labels: int, *, random_state: int | np.random.RandomState | None = None) -> UndirectedLabelGraph:
    """Return a graph in which each label has one random neighbour; of an odd number of labels one has none.

    Parameters
    ----------
    n_labels : int
        Number of labels.
    random_state : int, RandomState or None
        Seed.

    Examples
    --------
    >>> random_pairs(5, random_state=0).edges
    ((0, 2), (1, 3))
    """
    shuffled = check_random_state(random_state).permutation(n_labels)
    pairs = shuffled[: n_labels - n_labels % 2].reshape(-1, 2).tolist()
    return UndirectedLabelGraph.of_edges(n_labels, [(one, other) for one, other in pairs])
