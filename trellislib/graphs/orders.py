"""Orders of the labels for a chain."""

from __future__ import annotations

import numpy as np

from trellislib.dependence import InformationRows, PairCounts


def frequency_order(counts: PairCounts) -> list[int]:
    """Return the labels, those that most often have a value other than their first one before the others.

    Parameters
    ----------
    counts : PairCounts
        Counts of the labels.

    Returns
    -------
    list of int
        Ties go to the lower label.

    Examples
    --------
    >>> from trellislib.dependence import pair_counts
    >>> frequency_order(pair_counts(np.array([[0, 1, 1], [0, 1, 0], [0, 1, 1]])))
    [1, 2, 0]
    """
    relevant = np.add.reduceat(counts.single, counts.starts[:-1])
    return np.argsort(-relevant, kind="stable").tolist()


def information_order(information: np.ndarray | InformationRows) -> list[int]:
    """Return the labels, each next one having the highest sum of information with those before it.

    The first is the label with the highest sum over all others.

    Parameters
    ----------
    information : ndarray of shape (n_labels, n_labels), or InformationRows
        Symmetric pairwise dependence; its diagonal is not used.

    Returns
    -------
    list of int
        Ties go to the lower label.

    Examples
    --------
    >>> information_order(np.array([[0, 1, 0], [1, 0, 2], [0, 2, 0]]))
    [1, 2, 0]
    """
    n_labels = len(information)
    gain = np.zeros(n_labels)
    for label in range(n_labels):
        dependence = information[label]
        gain[label] = dependence[:label].sum() + dependence[label + 1 :].sum()
    placed = np.zeros(n_labels, dtype=bool)
    order: list[int] = []
    for _ in range(n_labels):
        order.append(int(np.where(placed, -np.inf, gain).argmax()))
        placed[order[-1]] = True
        gain = information[order[-1]] + (gain if len(order) > 1 else 0.0)
    return order
