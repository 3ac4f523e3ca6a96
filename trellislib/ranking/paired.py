"""The paired t-test of two series over the same data sets, and the corrected one over folds of the same rows.

Folds share most of their training rows, so that differences over folds are correlated. The plain test takes them as
independent and calls far too many clear: of 5 x 5 folds, more than one null difference in four.

References
----------
Nadeau and Bengio, "Inference for the generalization error", Machine Learning 52 (2003), the corrected resampled t-test.
Bouckaert and Frank, "Evaluating the replicability of significance tests for comparing learning algorithms", PAKDD 2004
(its form for repeated cross-validation).
"""

from __future__ import annotations

import pandas as pd
from scipy import stats

ALIKE = 1e-9  # standard deviation of differences that are rounding alone
CLEAR = 0.05  # p-value up to which a difference is called clear


def paired_p(one: pd.Series, other: pd.Series) -> float:
    """Compute the two-sided p-value of a paired t-test over independent data sets, for shares or scores of about 1.

    Over folds of one data set, take `resampled_p`.

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
    return _p_of(difference, difference.sem())


def resampled_p(one: pd.Series, other: pd.Series, n_folds: float | None = None) -> float:
    """Compute the two-sided p-value of the corrected resampled t-test over folds of the same rows.

    Parameters
    ----------
    one, other : Series of shape (n,)
        Scores of about 1 on the same folds, with the same index.
    n_folds : float, optional
        See `resampled_error`.

    Returns
    -------
    float
        1 and 0 as by `paired_p`.

    Examples
    --------
    >>> one, other = pd.Series([0.6, 0.7, 0.9]), pd.Series([0.5, 0.5, 0.6])
    >>> round(resampled_p(one, other), 3)
    0.16
    """
    difference = one - other
    return _p_of(difference, resampled_error(difference, n_folds))


def resampled_error(differences: pd.Series, n_folds: float | None = None) -> float:
    """Compute the standard error of a mean over folds that share training rows.

    The variance is that of one fold times ``1 / n + n_test / n_train``. The plain standard error, without the second
    term, would have more folds of the same rows make a mean as sure as one likes.

    Parameters
    ----------
    differences : Series of shape (n,)
        Paired differences, a row per fold.
    n_folds : float, optional
        The folds of one cross-validation, of which there may have been several, so that ``n_test / n_train`` is
        ``1 / (n_folds - 1)``; by default there was one, of `n` folds.

    Returns
    -------
    float
        NaN of a single fold.

    Examples
    --------
    >>> round(resampled_error(pd.Series([0.1, 0.2, 0.3])), 4)  # the square root of .01 (1/3 + 1/2)
    0.0913
    """
    n = len(differences)
    if n == 1:
        return float("nan")
    return float(differences.std()) * (1 / n + 1 / ((n_folds or n) - 1)) ** 0.5


def _p_of(difference: pd.Series, error: float) -> float:
    """Return the two-sided p-value of Student's t, of the mean of some differences and its standard error."""
    if len(difference) == 1:
        return 1.0
    if difference.std() <= ALIKE:
        return 0.0 if abs(difference.mean()) > ALIKE else 1.0
    return float(2 * stats.t.sf(abs(difference.mean()) / error, len(difference) - 1))
