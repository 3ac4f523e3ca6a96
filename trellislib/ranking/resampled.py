"""The corrected resampled t-test of each pair of methods over folds of one data set, adjusted for their number by Holm.

Folds share most of their training rows, so that their scores are no independent observations. The correction widens the
standard error accordingly. The Bayesian correlated t-test has the same t distribution as its posterior.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import combinations

import numpy as np
import pandas as pd
from scipy import stats

from trellislib.ranking.comparison import Comparison, require_level
from trellislib.ranking.paired import ALIKE, resampled_error, resampled_p
from trellislib.ranking.ranks import average_ranks
from trellislib.ranking.wilcoxon import holm

ROPE = 0.01  # differences up to which two methods are practically equal


@dataclass(frozen=True, eq=False)
class FoldTests(Comparison):
    """Which methods differ on one data set, by a test of each pair over its folds.

    Attributes
    ----------
    average_ranks, alpha, left_out, notes
        As of `Comparison`, over folds; `left_out` has methods that did not finish all folds.
    p_values : DataFrame of shape (n_methods, n_methods)
        Adjusted by Holm; 1 of a method with itself.
    n_datasets : int
        1.
    raw_p_values : DataFrame of shape (n_methods, n_methods)
        As each pair alone gives it.
    means : Series of shape (n_methods,)
        The mean score of each method.
    differences, errors : DataFrame of shape (n_methods, n_methods)
        How much better the method of the row is than that of the column, and its corrected standard error.
    n_splits : int
        Folds of all repeats.
    """

    raw_p_values: pd.DataFrame
    means: pd.Series
    differences: pd.DataFrame
    errors: pd.DataFrame
    n_splits: int

    def lead(self, one: str, other: str) -> float:
        """Return by how much one method is better than another on average; negative where it is worse."""
        return float(self.differences.loc[one, other])

    def interval(self, one: str, other: str, level: float = 0.95) -> tuple[float, float]:
        """Return the confidence interval of a lead, of this pair alone."""
        half = float(stats.t.isf((1 - level) / 2, self.n_splits - 1)) * float(self.errors.loc[one, other])
        return self.lead(one, other) - half, self.lead(one, other) + half

    def probabilities(self, one: str, other: str, rope: float = ROPE) -> tuple[float, float, float]:
        """Return the posterior probability that one method is better, practically equal and worse.

        Parameters
        ----------
        one, other : str
            The methods.
        rope : float, default=0.01
            Leads up to which they are practically equal.

        Returns
        -------
        tuple of float
            By the Bayesian correlated t-test.
        """
        lead, error = self.lead(one, other), float(self.errors.loc[one, other])
        if error <= ALIKE:
            return float(lead > rope), float(abs(lead) <= rope), float(lead < -rope)
        better, worse = (float(stats.t.sf((rope - sign * lead) / error, self.n_splits - 1)) for sign in (1, -1))
        return better, max(0.0, 1 - better - worse), worse

    @property
    def best(self) -> str:
        """The method with the best mean."""
        return str(self.differences.mean(axis=1).idxmax())

    @property
    def pairs(self) -> pd.DataFrame:
        """All pairs, the better method first: its lead with its interval, p-value and posterior probabilities."""
        ordered = self.means.index[np.argsort(-self.differences.mean(axis=1).to_numpy(), kind="stable")]
        rows = [
            (
                one,
                other,
                self.lead(one, other),
                *self.interval(one, other),
                self.p_values.loc[one, other],
                *self.probabilities(one, other)[:2],
            )
            for one, other in combinations(ordered, 2)
        ]
        return pd.DataFrame(rows, columns=["method", "other", "lead", "low", "high", "p", "better", "equal"])


def resampled_holm(
    folds: pd.DataFrame, higher_is_better: bool = True, *, n_folds: float | None = None, alpha: float = 0.05
) -> FoldTests:
    """Test each pair of methods over folds of one data set.

    Parameters
    ----------
    folds : DataFrame of shape (n_splits, n_methods)
        Scores of about 1: a row for each fold of each repeat, a column for each method; NaN where a method did not
        finish. Methods that did not finish all folds are left out.
    higher_is_better : bool, default=True
        False for losses.
    n_folds : float, optional
        Folds of one cross-validation, or one over the share of test rows of a random split; by default all rows are of
        one cross-validation.
    alpha : float, default=0.05
        The level, which holds for all pairs together.

    Returns
    -------
    FoldTests

    Raises
    ------
    ValueError
        If fewer than two methods finished, if there is one fold, or if the level is out of range.

    References
    ----------
    Nadeau and Bengio, "Inference for the generalization error", Machine Learning 52, 2003. Bouckaert and Frank,
    "Evaluating the replicability of significance tests for comparing learning algorithms", PAKDD 2004. Corani and
    Benavoli, "A Bayesian approach for comparing cross-validated algorithms on multiple data sets", Machine Learning
    100, 2015.

    Examples
    --------
    >>> scores = {"IC": [0.50, 0.52, 0.51, 0.49], "CT": [0.56, 0.57, 0.58, 0.55], "CC": [0.5, 0.6, 0.4, 0.6]}
    >>> folds = pd.DataFrame(scores)
    >>> tests = resampled_holm(folds)
    >>> tests.better_pairs
    (('CT', 'IC'),)
    >>> tests.pairs.round(3)
      method other  lead    low   high      p  better  equal
    0     CT    CC  0.04 -0.215  0.295  1.000   0.634  0.078
    1     CT    IC  0.06  0.040  0.080  0.007   0.998  0.001
    2     CC    IC  0.02 -0.219  0.259  1.000   0.549  0.093
    """
    require_level(alpha)
    table = folds.dropna(axis=1)
    left_out = tuple(str(method) for method in folds.columns if method not in table.columns)
    if table.shape[1] < 2:
        raise ValueError("Fewer than two methods have this score in all folds, so there is nothing to test.")
    if len(table) < 2:
        raise ValueError("One split gives no spread, so there is no p-value: use folds, or repeat the split.")
    methods, n = table.columns, table.shape[1]
    raw, leads, errors = np.ones((n, n)), np.zeros((n, n)), np.zeros((n, n))
    pairs = list(combinations(range(n), 2))
    for one, other in pairs:
        gains = (table.iloc[:, one] - table.iloc[:, other]) * (1 if higher_is_better else -1)
        raw[one, other] = raw[other, one] = resampled_p(table.iloc[:, one], table.iloc[:, other], n_folds)
        leads[one, other], leads[other, one] = gains.mean(), -gains.mean()
        errors[one, other] = errors[other, one] = resampled_error(gains, n_folds)
    adjusted = np.ones_like(raw)
    rows, columns = np.transpose(pairs)
    adjusted[rows, columns] = adjusted[columns, rows] = holm(raw[rows, columns])
    of_pairs, of_raw, of_leads, of_errors = (
        pd.DataFrame(values, index=methods, columns=methods) for values in (adjusted, raw, leads, errors)
    )
    return FoldTests(
        average_ranks=average_ranks(table, higher_is_better),
        p_values=of_pairs,
        alpha=alpha,
        n_datasets=1,
        left_out=left_out,
        notes=(),
        raw_p_values=of_raw,
        means=table.mean(),
        differences=of_leads,
        errors=of_errors,
        n_splits=len(table),
    )
