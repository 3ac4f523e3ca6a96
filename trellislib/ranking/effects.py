"""By how much each pair of methods differs over data sets: median difference, rank-biserial correlation, ties.

One rule holds wherever signed ranks are taken, Demsar's ("zsplit" of SciPy): a difference of 0 is ranked with the
others, and its rank is shared between both methods. Equal sizes of differences share the mean of their ranks.

References
----------
Demsar, "Statistical comparisons of classifiers over multiple data sets", Journal of Machine Learning Research 7, 2006,
section 3.1.3. Kerby, "The simple difference formula: an approach to teaching nonparametric correlation", Comprehensive
Psychology 3, 2014 (the rank-biserial correlation of matched pairs).
"""

from __future__ import annotations

from itertools import combinations

import numpy as np
import pandas as pd
from scipy import stats

from trellislib.ranking.ranks import DIGITS

ZEROS = "Their ranks are shared between both methods (the rule zsplit)."
LEVEL = 0.95  # of intervals


def median_interval(differences: np.ndarray, level: float = LEVEL) -> tuple[float, float]:
    """Return the distribution-free confidence interval of a median, between two of the sorted values.

    Parameters
    ----------
    differences : ndarray of shape (n,)
    level : float, default=0.95
        The least confidence; the interval is the shortest of its kind that has it.

    Returns
    -------
    tuple of float
        NaN twice where there are too few values for any interval, as for 5 of them at 95 %.

    Examples
    --------
    >>> median_interval(np.array([0.3, 0.1, 0.2, 0.5, 0.4, 0.6]))
    (0.1, 0.6)
    """
    n = len(differences)
    place = int(stats.binom.ppf((1 - level) / 2, n, 0.5))  # so many of the lowest and of the highest are outside
    if stats.binom.cdf(place, n, 0.5) > (1 - level) / 2:
        place -= 1
    if place < 0:
        return float("nan"), float("nan")
    ordered = np.sort(differences)
    return float(ordered[place]), float(ordered[-1 - place])


def signed_ranks(one: np.ndarray, other: np.ndarray) -> np.ndarray:
    """Rank the differences by size, ties sharing the mean, with the sign of each; 0 where there is none.

    Examples
    --------
    >>> signed_ranks(np.array([0.5, 0.7, 0.4]), np.array([0.5, 0.5, 0.5])).tolist()
    [0.0, 3.0, -2.0]
    """
    both = np.concatenate([one, other])
    largest = np.abs(both[np.isfinite(both)]).max(initial=0) or 1
    with np.errstate(invalid="ignore"):  # where neither finished
        differences = np.round((one - other) / largest, DIGITS)
    differences[np.isnan(differences)] = 0
    return np.sign(differences) * stats.rankdata(np.abs(differences))


def pair_effects(scores: pd.DataFrame) -> pd.DataFrame:
    """Return by how much each pair of methods differs, the better one first.

    Parameters
    ----------
    scores : DataFrame of shape (n_datasets, n_methods)
        Higher is better; minus infinity where a method did not finish.

    Returns
    -------
    DataFrame
        ``method`` and ``other``; on how many data sets the method ``wins``, ``loses`` and has ``zeros`` (no
        difference); how many differences are ``tied`` in size with another; the ``median`` difference on data sets that
        both finished, with its interval from ``low`` to ``high`` (at least 95 %, of this pair alone; NaN below 6 data
        sets); and the ``rank_biserial`` correlation, zeros counted.

    Examples
    --------
    >>> pair_effects(pd.DataFrame({"IC": [0.5, 0.5, 0.5], "CT": [0.75, 0.75, 0.5]})).T
                          0
    method               CT
    other                IC
    wins                  2
    loses                 0
    zeros                 1
    tied                  2
    median             0.25
    low                 NaN
    high                NaN
    rank_biserial  0.833333
    """
    rows = []
    for one, other in combinations(scores.columns, 2):
        signed = signed_ranks(scores[one].to_numpy(), scores[other].to_numpy())
        if signed.sum() < 0:
            one, other, signed = other, one, -signed
        both = scores[[one, other]].replace([np.inf, -np.inf], np.nan).dropna()  # data sets that both finished
        gains = (both[one] - both[other]).to_numpy()
        _, counts = np.unique(np.abs(signed[signed != 0]), return_counts=True)
        rows.append(
            {
                "method": one,
                "other": other,
                "wins": int((signed > 0).sum()),
                "loses": int((signed < 0).sum()),
                "zeros": int((signed == 0).sum()),
                "tied": int(counts[counts > 1].sum()),
                "median": float(np.median(gains)) if len(gains) else np.nan,
                **dict(zip(("low", "high"), median_interval(gains), strict=True)),
                "rank_biserial": rank_biserial(signed),
            }
        )
    return pd.DataFrame(rows)


def rank_biserial(signed: np.ndarray) -> float:
    """Return the rank-biserial correlation of signed ranks: 1 where all are positive, -1 where all are negative.

    Examples
    --------
    >>> rank_biserial(np.array([0.0, 3.0, -2.0]))
    0.166...
    """
    return float(2 * signed.sum() / (len(signed) * (len(signed) + 1)))
