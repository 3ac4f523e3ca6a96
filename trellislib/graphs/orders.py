"""Orders of the labels for a chain."""

from __future__ import annotations

import numpy as np

from trellislib.dependence import PairCounts


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


def information_order(information: np.ndarray) -> list[int]:
    """Return the labels, each next one having the highest sum of information with those before it.

    The first is the label with the highest sum over all others.

    Parameters
    ----------
    information : ndarray of shape (n_labels, n_labels)
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
    between = np.array(information, dtype=float)
    np.fill_diagonal(between, 0.0)
    gain = between.sum(axis=0)
    placed = np.zeros(len(gain), dtype=bool)
    order: list[int] = []
    for _ in range(len(gain)):
        order.append(int(np.where(placed, -np.inf, gain).argmax()))
        placed[order[-1]] = True
        gain = between[order[-1]] if len(order) == 1 else gain + between[order[-1]]
    return order
