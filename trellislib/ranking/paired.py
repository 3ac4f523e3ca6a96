"""The paired t-test of two series over the same data sets or folds."""

from __future__ import annotations

import pandas as pd
from scipy import stats

ALIKE = 1e-9  # standard deviation of differences that are rounding alone


def paired_p(one: pd.Series, other: pd.Series) -> float:
    """Compute the two-sided p-value of a paired t-test, for shares or scores of about 1.

    Parameters
    ----------
    one, other : Series of shape (n,)
        With the same index.

    Returns
    -------
    float
        1 of a single pair, which shows nothing of chance, and where no pair differs; 0 where all of several differ by
        the same.

    Examples
    --------
    >>> one, other = pd.Series([0.6, 0.7, 0.9]), pd.Series([0.5, 0.5, 0.6])
    >>> round(paired_p(one, other), 3), paired_p(one, one), paired_p(one[:1], other[:1])
    (0.074, 1.0, 1.0)
    """
    difference = one - other
    if len(difference) == 1:
        return 1.0
    if difference.std() <= ALIKE:
        return 0.0 if abs(difference.mean()) > ALIKE else 1.0
    return float(stats.ttest_rel(one, other).pvalue)
