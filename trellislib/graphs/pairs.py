"""Every pair of labels that depends, without a choice among them: what structure learning has to choose from."""

from __future__ import annotations

from collections.abc import Sequence

import networkx as nx
import numpy as np

from trellislib.dependence.residual import ResidualGram
from trellislib.graphs.recovery import edge_roles
from trellislib.labels.graph import LabelGraph
from trellislib.running.checks import require_integer


def dependent_pairs(residuals: ResidualGram, order: Sequence[int] | None = None, level: float = 0.01) -> LabelGraph:
    """Join every two labels that depend significantly beyond the features.

    Each pair is tested by itself, whatever the other labels: a label that depends on another by way of a third is
    joined with it, too.

    Parameters
    ----------
    residuals : ResidualGram
        As from `trellislib.dependence.residual_gram`; of no features at all, for marginal dependence.
    order : sequence of int, optional
        The labels, earlier ones first: a pair has no direction by itself, and each edge points along this order; by
        default that of the data.
    level : float, default=0.01
        Significance level of each test, not corrected for their number.

    Raises
    ------
    ValueError
        If `level` is not between 0 and 1, or `order` is no order of the labels.

    Notes
    -----
    The test is Bartlett's of canonical correlations, which are those of two labels' residual indicator columns. It
    compares 2 n I with a chi-squared distribution, as a G-test does, but I is their information as jointly normal
    columns and not of counts, and n is not the number of instances N but what the regression leaves of it, less his
    correction: for two binary labels, N - 1 - D - 3/2, with D for the degrees of freedom of the features.

    References
    ----------
    Bartlett, "Further aspects of the theory of multiple regression", Mathematical Proceedings of the Cambridge
    Philosophical Society 34, 1938.

    Examples
    --------
    >>> import numpy as np
    >>> from trellislib.data import simulate_label_dag
    >>> from trellislib.dependence import residual_gram
    >>> data = simulate_label_dag(n_labels=4, n_features=3, random_state=2)
    >>> data.true_parents
    ((), (0,), (), (1,))
    >>> none = np.empty((data.n_instances, 0))
    >>> len(dependent_pairs(residual_gram(none, data.Y)).edges)
    6
    >>> dependent_pairs(residual_gram(data.X, data.Y)).parents  # 1 to 3 are dependent by way of 2
    ((), (0,), (), (0, 1))
    """
    if not 0 < level < 1:
        raise ValueError(f"Got level={level}, but expected a number between 0 and 1, both excluded.")
    n_labels = len(residuals.counts.starts) - 1
    order = list(range(n_labels)) if order is None else list(order)
    if sorted(order) != list(range(n_labels)):
        raise ValueError(f"Got order={order}, but expected an order of the labels 0 to {n_labels - 1}.")
    parents: list[tuple[int, ...]] = [()] * n_labels
    for place, child in enumerate(order):
        parents[child] = tuple(sorted(one for one in order[:place] if residuals.pair(one, child).p_value <= level))
    return LabelGraph(parents, order)


def joined_otherwise(found: LabelGraph, truth: LabelGraph) -> tuple[tuple[int, int], ...]:
    """Return the wrong edges of a graph whose labels depend by way of others: along true edges, or by a common cause.

    Two labels that only have an effect in common are independent, and an edge between them is none of these.

    Parameters
    ----------
    found, truth : LabelGraph

    Returns
    -------
    tuple of (int, int)
        Each as (parent, child).

    Raises
    ------
    ValueError
        If the two have not as many labels.

    Examples
    --------
    >>> truth = LabelGraph([(), (0,), (1,), ()])
    >>> joined_otherwise(LabelGraph([(), (0,), (0,), (0,)]), truth)
    ((0, 2),)
    """
    graph = truth.to_networkx()
    causes = {label: {label} | nx.ancestors(graph, label) for label in graph}
    return tuple(edge for edge in edge_roles(found, truth).wrong if causes[edge[0]] & causes[edge[1]])


def strongest_pairs(
    dependence: np.ndarray, truth: LabelGraph, n_pairs: int = 2
) -> tuple[tuple[tuple[int, int], ...], tuple[tuple[int, int], ...]]:
    """Return the pairs of labels that depend most: those with an edge in the true graph, and those without.

    Parameters
    ----------
    dependence : ndarray of shape (n_labels, n_labels)
        Of every pair, symmetric.
    truth : LabelGraph
    n_pairs : int, default=2
        Of either kind, at most; the strongest first, and of equal ones that of the lower labels.

    Returns
    -------
    with_edge, without : tuple of (int, int)
        Pairs, each with the lower label first.

    Raises
    ------
    ValueError
        If `dependence` is not of as many labels as the graph, or `n_pairs` is no integer of at least 1.

    Examples
    --------
    >>> truth = LabelGraph([(), (0,), (1,)])
    >>> strongest_pairs(np.array([[0, 0.5, 0.3], [0.5, 0, 0.6], [0.3, 0.6, 0]]), truth)
    (((1, 2), (0, 1)), ((0, 2),))
    """
    if np.shape(dependence) != (truth.n_labels,) * 2:
        raise ValueError(
            f"Got dependence of shape {np.shape(dependence)}, but expected ({truth.n_labels}, {truth.n_labels})."
        )
    require_integer("n_pairs", n_pairs)
    one, other = np.triu_indices(truth.n_labels, 1)
    by_strength = np.argsort(-dependence[one, other], kind="stable")
    pairs = list(zip(one[by_strength].tolist(), other[by_strength].tolist(), strict=True))
    true = set(truth.undirected().edges)
    with_edge, without = ([pair for pair in pairs if (pair in true) is is_true] for is_true in (True, False))
    return tuple(with_edge[:n_pairs]), tuple(without[:n_pairs])
