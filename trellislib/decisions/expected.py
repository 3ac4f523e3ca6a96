r"""The label vectors of highest expected score, under labels that are independent or under weighted label sets.

References
----------
Dembczynski, Waegeman, Cheng and Huellermeier, "An exact algorithm for F-measure maximization", NIPS 2011. Waegeman et
al., "On the Bayes-optimality of F-measure maximizers", Journal of Machine Learning Research 15 (2014).
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from trellislib.metrics.decisions import ratio

MOST_PREDICTED = 128  # labels of an instance that may be predicted; of those beyond, the expected number counts
CELLS = 2**24  # instances are compared in blocks of about this many cells


def most_expected_accuracy(marginals: np.ndarray) -> np.ndarray:
    """Return the label sets of highest expected accuracy (Jaccard index), for independent labels.

    The best set of k labels is that of the k most probable ones. Its expected accuracy is the expected number of hits
    times the expectation of ``1 / (k + r)``, r being how many of the other labels are relevant; exactly so of up to 128
    labels, beyond which those least probable are counted by their expected number.

    Parameters
    ----------
    marginals : ndarray of shape (n_labels, n_instances)
        Probability of each label.

    Returns
    -------
    ndarray of bool of shape (n_labels, n_instances)

    Examples
    --------
    Of the first instance, one label has an expected accuracy of .9 x (.6 + .4 / 2) = .72, both have 1.3 / 2 = .65.

    >>> most_expected_accuracy(np.array([[0.9, 0.1], [0.4, 0.05]])).T
    array([[ True, False],
           [False, False]])
    """
    return _most_expected(marginals, lambda p, share: share[-1] * p.sum(axis=0))


def most_expected_f1(marginals: np.ndarray) -> np.ndarray:
    """Return the label sets of highest expected F1, for independent labels.

    The best set of k labels is that of the k most probable ones (Ye et al., "Optimizing F-measure", ICML 2012, also
    for the recursion). Exact of up to 128 labels, as `most_expected_accuracy`.

    Parameters
    ----------
    marginals : ndarray of shape (n_labels, n_instances)
        Probability of each label.

    Returns
    -------
    ndarray of bool of shape (n_labels, n_instances)

    Examples
    --------
    Both labels have an expected F1 of .48 x 2/3 + .16 x 1 = .48, one of them .24 x 1 + .16 x 2/3 = .35, and none .36.

    >>> most_expected_f1(np.array([[0.4], [0.4]])).T
    array([[ True,  True]])
    """
    return _most_expected(marginals, _expected_f1, longest=2)


def _expected_f1(p: np.ndarray, share: np.ndarray) -> np.ndarray:
    """Return the expected F1 of labels of probabilities `p`, all predicted."""
    n_hits = np.ones((1, p.shape[1]))  # probability of 0, 1, ... relevant labels
    for of_label in p:
        longer = np.pad(n_hits, ((0, 1), (0, 0)))
        n_hits = longer * (1 - of_label) + np.roll(longer, 1, axis=0) * of_label
    k = len(p)
    return (2 * np.arange(1, k + 1)[:, None] * n_hits[1:] * share[k : 2 * k]).sum(axis=0)


def _most_expected(
    marginals: np.ndarray, expectation: Callable[[np.ndarray, np.ndarray], np.ndarray], longest: int = 1
) -> np.ndarray:
    """Return the labels of highest expectation, or none where the probability that there is none is higher.

    The expectation is asked for of the k most probable labels, for every k, from their probabilities and from the
    expectation of ``1 / (a + r)`` for a = 1, 2, ..., `longest` times k, r being how many other labels are relevant.
    """
    n_most = min(len(marginals), MOST_PREDICTED)
    chosen = np.zeros(marginals.shape, dtype=bool)
    at_once = max(CELLS // (longest * n_most), 1)
    for low in range(0, marginals.shape[1], at_once):
        block = slice(low, low + at_once)
        order = np.argsort(-marginals[:, block], axis=0, kind="stable")
        p = np.take_along_axis(marginals[:, block], order, axis=0)
        share = 1.0 / (np.arange(1, longest * n_most + 1)[:, None] + p[n_most:].sum(axis=0))
        best, n_best = np.prod(1 - p, axis=0), np.zeros(p.shape[1], dtype=np.intp)
        for k in range(n_most, 0, -1):
            expected = expectation(p[:k], share[: longest * k])
            better = expected >= best if k < n_most else expected > best
            best, n_best = np.where(better, expected, best), np.where(better, k, n_best)
            share = p[k - 1] * share[1:] + (1 - p[k - 1]) * share[:-1]
        chosen[:, block] = _first(order, n_best)
    return chosen


def most_expected_f1_of_sets(weights: np.ndarray, sets: np.ndarray) -> np.ndarray:
    """Return the label set of highest expected F1 of all that there are, under weighted label sets.

    Parameters
    ----------
    weights : ndarray of shape (n_sets, n_instances)
        Probability of each set.
    sets : ndarray of shape (n_labels, n_sets)
        Whether each label is in each set, as 0 and 1.

    Returns
    -------
    ndarray of bool of shape (n_labels, n_instances)

    Examples
    --------
    >>> most_expected_f1_of_sets(np.array([[0.5], [0.3], [0.2]]), np.array([[1, 0, 1], [0, 1, 1]])).T
    array([[ True,  True]])
    """
    at_once = max(CELLS // sets.size, 1)
    blocks = range(0, weights.shape[1], at_once)
    parts = [_most_expected_f1_of_sets(weights[:, low : low + at_once], sets) for low in blocks]
    return np.hstack(parts) if parts else np.zeros((len(sets), 0), dtype=bool)


def _most_expected_f1_of_sets(weights: np.ndarray, sets: np.ndarray) -> np.ndarray:
    sizes, of_size = np.unique(sets.sum(axis=0), return_inverse=True)
    has = np.array([sets[:, of_size == which] @ weights[of_size == which] for which in range(len(sizes))])
    none = weights[sets.sum(axis=0) == 0].sum(axis=0)
    best, chosen = none, np.zeros(has.shape[1:], dtype=bool)
    largest = int(sizes.max(initial=0))
    for k in range(1, len(sets) + 1):
        if k > largest and (2 * largest / (k + largest) <= best).all():
            break  # not even with all labels of the largest set among them would so many be better
        gain = np.tensordot(2.0 / (sizes + k), has, axes=1)
        first = highest(gain, k)
        expected = np.where(first, gain, 0.0).sum(axis=0)
        chosen = np.where(expected > best, first, chosen)
        best = np.maximum(expected, best)
    return chosen


def accuracy_between(sets: np.ndarray) -> np.ndarray:
    """Return the accuracy (Jaccard index) of label sets for each other, 1 for two empty ones.

    Parameters
    ----------
    sets : ndarray of shape (..., n_sets, n_labels)
        Whether each label is in each set, as 0 and 1.

    Returns
    -------
    ndarray of shape (..., n_sets, n_sets)

    Examples
    --------
    >>> accuracy_between(np.array([[1, 0], [1, 1], [0, 0]]))
    array([[1. , 0.5, 0. ],
           [0.5, 1. , 0. ],
           [0. , 0. , 1. ]])
    """
    both = sets @ sets.swapaxes(-1, -2)
    size = sets.sum(axis=-1)
    return ratio(both, size[..., :, None] + size[..., None, :] - both, empty=1.0)


def highest(values: np.ndarray, k: int) -> np.ndarray:
    """Return the k highest values of each instance as a mask; of equal ones those of lower index.

    Parameters
    ----------
    values : ndarray of shape (n_labels, n_instances)
        Probabilities or scores.
    k : int
        How many.

    Returns
    -------
    ndarray of bool of shape (n_labels, n_instances)

    Examples
    --------
    >>> highest(np.array([[0.2, 0.3], [0.5, 0.3], [0.1, 0.6]]), 1).T
    array([[False,  True, False],
           [False, False,  True]])
    """
    return _first(np.argsort(-values, axis=0, kind="stable"), np.full(values.shape[1], k))


def _first(order: np.ndarray, n_chosen: np.ndarray) -> np.ndarray:
    """Return the first labels of each instance's order, so many, as a mask of shape (n_labels, n_instances)."""
    chosen = np.zeros(order.shape, dtype=bool)
    np.put_along_axis(chosen, order, np.arange(len(order))[:, None] < n_chosen, axis=0)
    return chosen
