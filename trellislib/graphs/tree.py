"""The tree that captures the most mutual information (Chow and Liu), grown from a root by Prim's algorithm."""

from __future__ import annotations

from numbers import Integral

import numpy as np
from sklearn.utils import check_random_state

from trellislib.dependence import InformationRows, symmetric
from trellislib.labels.graph import LabelGraph


def mutual_information_tree(
    information: np.ndarray | InformationRows,
    root: int | None = None,
    *,
    p_values: np.ndarray | None = None,
    level: float = 0.01,
    random_state: int | np.random.RandomState | None = None,
) -> LabelGraph:
    """Return the maximum spanning tree of the mutual information, directed away from a root.

    Parameters
    ----------
    information : ndarray of shape (n_labels, n_labels), or InformationRows
        Symmetric mutual information (or any pairwise dependence); its diagonal is not used.
    root : int, optional
        The label that the tree grows from; by default a random one.
    p_values : ndarray of shape (n_labels, n_labels), optional
        P-value of each pair, as from `trellislib.dependence.p_values`. Edges above `level` are left out, and the
        tree may become a forest.
    level : float, default=0.01
        Significance level of an edge, where there are `p_values`; not corrected for the number of edges.
    random_state : int, RandomState or None
        Seed of the root.

    Returns
    -------
    LabelGraph
        Each label has at most one parent; its `order` is that in which Prim's algorithm reached the labels.

    Raises
    ------
    ValueError
        If the matrix is not square, symmetric and finite, or the root is no label.

    References
    ----------
    Chow and Liu, "Approximating discrete probability distributions with dependence trees", IEEE Transactions on
    Information Theory 14(3), 1968.

    Examples
    --------
    >>> import numpy as np
    >>> I = np.array([[0, 9, 1, 0], [9, 0, 0, 5], [1, 0, 0, 2], [0, 5, 2, 0]])
    >>> mutual_information_tree(I, root=1).parents
    ((1,), (), (3,), (1,))
    """
    information = symmetric(information, "information")
    if len(information) == 0:
        return LabelGraph(())
    order, links = prim(information, first_label(len(information), root, random_state))
    parents: list[tuple[int, ...]] = [()] * len(information)
    for label in order[1:]:
        if p_values is None or p_values[links[label], label] <= level:
            parents[label] = (links[label],)
    return LabelGraph(parents, order)


def first_label(n_labels: int, root: int | None, random_state: int | np.random.RandomState | None) -> int:
    """Return the root after a look at it, or a random label where it is None."""
    if root is None:
        return int(check_random_state(random_state).randint(n_labels))
    if not isinstance(root, Integral) or isinstance(root, bool) or not 0 <= root < n_labels:
        raise ValueError(f"Got root={root!r}, but expected one of the {n_labels} labels, counted from 0, or None.")
    return int(root)


def prim(information: np.ndarray | InformationRows, root: int) -> tuple[list[int], list[int]]:
    """Order the labels so that each next one depends most on one that is there already (Prim 1957).

    Ties go to the lower label, and for the label it is linked with, to the one reached earlier.

    Returns
    -------
    order : list of int
        All labels, from the root.
    links : list of int
        For each label, the one before it in the order on which it depends most; the root has itself.
    """
    order, links = [root], np.full(len(information), root)
    reach = np.array(information[root], dtype=float)
    reach[root] = -np.inf
    waiting = np.ones(len(information), dtype=bool)
    waiting[root] = False
    while waiting.any():
        label = int(reach.argmax())
        order.append(label)
        waiting[label] = False
        reach[label] = -np.inf
        dependence = information[label]
        closer = waiting & (dependence > reach)
        reach[closer] = dependence[closer]
        links[closer] = label
    return order, links.tolist()
