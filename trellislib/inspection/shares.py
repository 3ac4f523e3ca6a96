"""What each input adds to the log-odds of a label: Shapley's shares.

References
----------
Shapley, "A value for n-person games", 1953. Castro, Gomez and Tejada, "Polynomial calculation of the Shapley value
based on sampling", Computers & Operations Research 36 (2009).
"""

from __future__ import annotations

from collections.abc import Callable
from math import comb

import numpy as np

MOST_EXACT = 10  # inputs, up to which all subsets are evaluated
N_PERMUTATIONS = 32  # of more inputs, each with its reverse
CLIP = 1e-9  # probabilities nearer to 0 and 1 count as this

Value = Callable[[np.ndarray], np.ndarray]
"""From subsets, a bool array of shape (n_subsets, n_players), to the value of each, (n_subsets,)."""


def log_odds(probabilities: np.ndarray) -> np.ndarray:
    """Return the log-odds of probabilities, which are clipped to be finite."""
    p = np.clip(probabilities, CLIP, 1 - CLIP)
    return np.log(p) - np.log1p(-p)


def shapley_shares(value: Value, n_players: int) -> tuple[float, np.ndarray]:
    """Return the value of the empty set, and how what all players add to it is shared.

    Exact for at most `MOST_EXACT` players; beyond, the mean over permutations, drawn with a fixed seed, each with its
    reverse. The shares always add up to the value of all less the value of none.

    Parameters
    ----------
    value : callable
        The value of subsets.
    n_players : int
        How many players there are.

    Returns
    -------
    none : float
        The value of the empty set.
    shares : ndarray of shape (n_players,)

    Examples
    --------
    >>> none, shares = shapley_shares(lambda subsets: 1.0 + subsets @ [2.0, 3.0] + 4 * subsets.all(axis=1), 2)
    >>> none, shares
    (1.0, array([4., 5.]))
    """
    if n_players <= MOST_EXACT:
        return _exact(value, n_players)
    rng = np.random.default_rng(0)
    drawn = [rng.permutation(n_players) for _ in range(N_PERMUTATIONS)]
    shares, none = np.zeros(n_players), 0.0
    for order in [one for permutation in drawn for one in (permutation, permutation[::-1])]:
        subsets = np.zeros((n_players + 1, n_players), dtype=bool)
        subsets[:, order] = np.arange(n_players + 1)[:, None] > np.arange(n_players)
        values = value(subsets)
        none = float(values[0])
        shares[order] += np.diff(values)
    return none, shares / (2 * N_PERMUTATIONS)


def _exact(value: Value, n_players: int) -> tuple[float, np.ndarray]:
    numbers = np.arange(2**n_players)
    subsets = (numbers[:, None] >> np.arange(n_players) & 1).astype(bool)
    values = value(subsets)
    weight = np.array([1 / (n_players * comb(n_players - 1, k)) for k in range(n_players)])
    shares = np.empty(n_players)
    for player in range(n_players):
        without = numbers[~subsets[:, player]]
        gain = values[without | 1 << player] - values[without]
        shares[player] = weight[subsets[without].sum(axis=1)] @ gain
    return float(values[0]), shares
