"""How many data sets a gap between average ranks needs before Nemenyi's test sees it."""

from __future__ import annotations

import math

from trellislib.ranking.nemenyi import critical_distance


def datasets_needed(gap: float, n_methods: int, alpha: float = 0.1) -> int:
    """Compute on how many data sets a gap between average ranks is at least Nemenyi's critical distance.

    The distance shrinks with the square root of the number of data sets, so that half the gap needs four times as many.

    Parameters
    ----------
    gap : float
        Between the average ranks of two methods, above 0 and at most ``n_methods - 1``.
    n_methods : int
        At least 2.
    alpha : float, default=0.1
        Any level between 0 and 1.

    Returns
    -------
    int
        The least such number, if the gap stays as it is.

    Raises
    ------
    ValueError
        If the gap is out of range, or by `trellislib.ranking.critical_distance`.

    References
    ----------
    As of `trellislib.ranking.critical_distance`.

    Examples
    --------
    The gap between CT and IC in accuracy, as the paper's table has it on 8 data sets.

    >>> datasets_needed(1.875, 7)
    20
    >>> critical_distance(7, 20) <= 1.875 < critical_distance(7, 19)
    True
    """
    of_one = critical_distance(n_methods, 1, alpha)
    if not 0 < gap <= n_methods - 1:
        raise ValueError(f"Got gap={gap}, but expected a number above 0 and at most {n_methods - 1}.")
    about = max(1, math.floor((of_one / gap) ** 2))
    return about if critical_distance(n_methods, about, alpha) <= gap else about + 1
