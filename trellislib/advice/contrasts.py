"""By how much candidates are better than another one, with intervals that are right for folds of the same rows."""

from __future__ import annotations

from collections.abc import Sequence

import pandas as pd
from scipy import stats

from trellislib.ranking.paired import CLEAR, resampled_error, resampled_p


def contrasts(scores: pd.DataFrame, names: Sequence[str], against: str, n_folds: int) -> pd.DataFrame:
    """Compute the mean difference of candidates from another one, its interval, and its p-value.

    Intervals and p-values are those of the corrected resampled t-test (Nadeau and Bengio 2003). They hold for all
    candidates at once, by Bonferroni: the chance that any interval misses its difference is 5 % at most.

    Parameters
    ----------
    scores : DataFrame
        A row for each fold of each repeat, a column for each candidate; higher is better.
    names : sequence of str
        The candidates that are compared with `against`.
    against : str
        Another column.
    n_folds : int
        Folds of a repeat.

    Returns
    -------
    DataFrame
        By candidate: ``difference``, ``low``, ``high``, ``p`` and ``n`` (folds that both finished).

    Examples
    --------
    >>> scores = pd.DataFrame({"IC": [0.5, 0.5, 0.6], "CT": [0.6, 0.7, 0.9]})
    >>> contrasts(scores, ["CT"], "IC", n_folds=3).round(2)
              difference   low  high     p  n
    candidate
    CT               0.2 -0.19  0.59  0.16  3
    """
    rows = []
    for name in names:
        both = scores[[name, against]].dropna()
        difference = both[name] - both[against]
        n, mean = len(both), difference.mean()
        error = resampled_error(difference, n_folds)
        half = stats.t.isf(CLEAR / 2 / len(names), n - 1) * error if n > 1 else float("nan")
        p = min(resampled_p(both[name], both[against], n_folds) * len(names), 1.0)
        rows.append({"difference": mean, "low": mean - half, "high": mean + half, "p": p, "n": n})
    return pd.DataFrame(rows, columns=["difference", "low", "high", "p", "n"], index=pd.Index(names, name="candidate"))
