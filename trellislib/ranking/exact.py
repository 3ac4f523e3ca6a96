"""The exact distribution of Friedman's statistic, for small tables.

Under the hypothesis that no method differs, every order of the ranks within a data set is equally probable, ties as
they are. The sums of ranks are built up one data set at a time; since what follows treats all methods alike, sums
that are the same but for their order are one state. `LIMITS` are the sizes up to which this took less than about a
second.
"""

from __future__ import annotations

from itertools import permutations

import numpy as np

LIMITS = {3: 50, 4: 20, 5: 8, 6: 4}  # methods: the most data sets


def exact_p(ranks: np.ndarray) -> float | None:
    """Compute the probability of a Friedman statistic at least as large if no method differs from the others.

    Parameters
    ----------
    ranks : ndarray of shape (n_datasets, n_methods)
        Average ranks of each data set, ties included.

    Returns
    -------
    float or None
        None for more than 50 data sets with 3 methods, 20 with 4, 8 with 5, 4 with 6, and for more methods.

    References
    ----------
    van de Wiel, "Exact null distributions of quadratic distribution-free statistics for two-way classification",
    Journal of Statistical Planning and Inference 120, 2004.

    Examples
    --------
    All data sets agree, which of 6 * 6 pairs of orders only 6 do.

    >>> round(exact_p(np.array([[1, 2, 3], [1, 2, 3]])), 4)
    0.1667
    """
    n, k = ranks.shape
    if n > LIMITS.get(k, 0):
        return None
    deviations = np.rint(2 * ranks - (k + 1)).astype(np.int64)  # integers, so that equal statistics are equal
    observed = (deviations.sum(axis=0) ** 2).sum()
    digits = (2 * n * k) ** np.arange(k)  # that make one number of the sums of a state
    sums: np.ndarray
    probability: np.ndarray
    sums, probability = np.zeros((1, k), dtype=np.int64), np.ones(1)
    for row in deviations[:-1]:
        orders = _orders(row)
        following = (sums[:, None] + orders).reshape(-1, k)
        following.sort(axis=1)
        _, first, state = np.unique(following @ digits, return_index=True, return_inverse=True)
        each = np.repeat(probability / len(orders), len(orders))
        sums, probability = following[first], np.bincount(state, each)
    last = _orders(deviations[-1])
    missing = observed - (sums**2).sum(axis=1) - (last[0] ** 2).sum()  # but for twice the product of both
    is_reached = 2.0 * sums @ last.T >= missing[:, None]
    return min(float(probability @ is_reached.mean(axis=1)), 1.0)


def _orders(row: np.ndarray) -> np.ndarray:
    """Return every order of a row, once each."""
    return np.array(list(set(permutations(row.tolist()))))
