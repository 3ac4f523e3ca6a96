"""The Wilcoxon signed-rank test of each pair of methods, adjusted for their number by Holm."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import combinations

import numpy as np
import pandas as pd
from scipy import stats

from trellislib.ranking.comparison import DatasetComparison, require_level
from trellislib.ranking.designs import cautions, comparable
from trellislib.ranking.effects import ZEROS, rank_biserial, signed_ranks
from trellislib.ranking.ranks import Unfinished, average_ranks
from trellislib.wording import agreed, counted

MOST_EXACT = 200  # data sets


@dataclass(frozen=True, eq=False)
class PairwiseTests(DatasetComparison):
    """Which methods differ over data sets, by a test of each pair.

    Attributes
    ----------
    average_ranks, alpha, n_datasets, left_out, notes, scores
        As of `DatasetComparison`.
    p_values : DataFrame of shape (n_methods, n_methods)
        Adjusted by Holm; 1 of a method with itself.
    raw_p_values : DataFrame of shape (n_methods, n_methods)
        As each pair alone gives it.
    effects : DataFrame of shape (n_methods, n_methods)
        The rank-biserial correlation of the method of the row with that of the column: 1 where it is better on every
        data set, -1 where it is worse on every one, 0 where neither leads.
    """

    raw_p_values: pd.DataFrame
    effects: pd.DataFrame

    def lead(self, one: str, other: str) -> float:
        """Return the rank-biserial correlation of one method with another: positive where it is better."""
        return float(self.effects.loc[one, other])


def wilcoxon_holm(
    scores: pd.DataFrame, higher_is_better: bool = True, *, alpha: float = 0.1, unfinished: Unfinished = "drop"
) -> PairwiseTests:
    """Test each pair of methods over data sets by the size of their differences.

    Unlike Nemenyi's test it is no matter which other methods are in the table, but for the adjustment.

    Parameters
    ----------
    scores : DataFrame of shape (n_datasets, n_methods)
        A score for each data set (row) and method (column); NaN where a method did not finish. Differences must be
        comparable between data sets.
    higher_is_better : bool, default=True
        False for losses and times.
    alpha : float, default=0.1
        The level, which holds for all pairs together.
    unfinished : {"drop", "last", "refuse"}, default="drop"
        As of `trellislib.ranking.ranks`. By "last", a method that did not finish is worse than one that did by more
        than any two scores differ, and as good as another that did not.

    Returns
    -------
    PairwiseTests

    Raises
    ------
    ValueError
        If there are fewer than two methods or data sets, if the level is out of range, or by
        `trellislib.ranking.ranks`.

    Notes
    -----
    Two-sided. The ranks of differences of 0 are shared between both methods, as Demsar has it ("zsplit" of
    `scipy.stats.wilcoxon`); a note has their number. Two methods that differ nowhere have p = 1. The p-values are
    exact, ties included, up to 200 data sets; beyond, they are by the normal distribution. Differences below 1e-12 of
    the largest score are rounding, and count as 0 or as equal.

    References
    ----------
    Wilcoxon, "Individual comparisons by ranking methods", Biometrics 1, 1945. Holm, "A simple sequentially rejective
    multiple test procedure", Scandinavian Journal of Statistics 6, 1979. Demsar, "Statistical comparisons of
    classifiers over multiple data sets", Journal of Machine Learning Research 7, 2006. Benavoli, Corani and Mangili,
    "Should we really use post-hoc tests based on mean-ranks?", Journal of Machine Learning Research 17, 2016.

    Examples
    --------
    >>> scores = pd.DataFrame({
    ...     "IC": [0.48, 0.57, 0.50, 0.70, 0.41, 0.61],
    ...     "CT": [0.58, 0.60, 0.54, 0.76, 0.43, 0.66],
    ...     "ECT": [0.57, 0.67, 0.55, 0.78, 0.46, 0.62],
    ... }, index=["music", "scene", "yeast", "medical", "enron", "tmc2007"])
    >>> tests = wilcoxon_holm(scores)
    >>> tests.p_values.round(4)
             IC      CT     ECT
    IC   1.0000  0.0938  0.0938
    CT   0.0938  1.0000  0.4688
    ECT  0.0938  0.4688  1.0000
    >>> tests.better_pairs, tests.groups
    ((('ECT', 'IC'), ('CT', 'IC')), (('ECT', 'CT'),))
    """
    require_level(alpha)
    table, left_out = comparable(scores, unfinished, n_methods=2)
    oriented = (table if higher_is_better else -table).fillna(-np.inf)
    n_datasets, n_methods = table.shape
    pairs = list(combinations(range(n_methods), 2))
    raw, effects = np.ones((n_methods, n_methods)), np.zeros((n_methods, n_methods))
    n_zeros = 0
    for one, other in pairs:
        signed = signed_ranks(oriented.iloc[:, one].to_numpy(), oriented.iloc[:, other].to_numpy())
        raw[one, other] = raw[other, one] = signed_rank_p(signed)
        n_zeros += int((signed == 0).sum())
        effects[one, other] = rank_biserial(signed)
        effects[other, one] = -effects[one, other]
    adjusted = np.ones_like(raw)
    rows, columns = np.transpose(pairs)
    adjusted[rows, columns] = adjusted[columns, rows] = holm(raw[rows, columns])
    least = len(pairs) * 0.5 ** (n_datasets - 1)
    notes = cautions(table)
    if least > alpha:
        notes += (
            f"With {n_datasets} data sets and {counted(len(pairs), 'pair')} no pair can differ significantly at "
            f"{alpha:g}, since no adjusted p-value can be below {min(least, 1):.3g}: add data sets"
            f"{', or compare fewer methods' * (n_methods > 2)}.",
        )
    if n_zeros:
        notes += (
            f"{counted(n_zeros, 'difference')} of {len(pairs) * n_datasets:,} {agreed(n_zeros, 'is', 'are')} 0. "
            f"{ZEROS}",
        )
    methods = table.columns
    frames = [pd.DataFrame(values, index=methods, columns=methods) for values in (adjusted, raw, effects)]
    return PairwiseTests(
        average_ranks=average_ranks(table, higher_is_better, unfinished=unfinished),
        p_values=frames[0],
        alpha=alpha,
        n_datasets=n_datasets,
        left_out=left_out,
        notes=notes,
        raw_p_values=frames[1],
        effects=frames[2],
        scores=oriented,
    )


def signed_rank_p(signed: np.ndarray) -> float:
    """Compute the two-sided p-value of signed ranks, exactly where they are not too many.

    Every sign is equally probable either way if the methods do not differ; the sum of the positive ranks is built up
    one rank at a time.

    Parameters
    ----------
    signed : ndarray of shape (n_datasets,)
        The rank of each difference by size, ties sharing the mean, with its sign; 0 where there is no difference.

    Returns
    -------
    float

    Examples
    --------
    Of the 8 ways to choose the signs of three ranks, two are as one-sided.

    >>> signed_rank_p(np.array([1.0, 2.0, 3.0])), signed_rank_p(np.zeros(3))
    (0.25, 1.0)
    """
    if len(signed) > MOST_EXACT:
        return float(stats.wilcoxon(signed, zero_method="zsplit", method="asymptotic").pvalue) if signed.any() else 1.0
    doubled = np.rint(2 * signed[signed != 0]).astype(int)  # integers, so that equal sums are equal
    sizes = np.abs(doubled)
    probability = np.zeros(sizes.sum() + 1)  # of each sum of the positive
    probability[0] = 1
    for size in sizes:
        probability[size:] = (probability[size:] + probability[:-size]) / 2
        probability[:size] /= 2
    excess = 2 * np.arange(len(probability)) - sizes.sum()  # of the positive over the negative
    return min(float(probability[np.abs(excess) >= abs(doubled.sum())].sum()), 1.0)


def holm(p_values: np.ndarray) -> np.ndarray:
    """Adjust p-values for their number, by Holm.

    Parameters
    ----------
    p_values : ndarray of shape (n,)

    Returns
    -------
    ndarray of shape (n,)

    Examples
    --------
    >>> holm(np.array([0.04, 0.01, 0.03])).round(3).tolist()
    [0.06, 0.03, 0.06]
    """
    order = np.argsort(p_values, kind="stable")
    remaining = np.arange(len(p_values), 0, -1)
    adjusted = np.empty(len(p_values))
    adjusted[order] = np.minimum(np.maximum.accumulate(p_values[order] * remaining), 1)
    return adjusted
