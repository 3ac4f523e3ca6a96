"""Friedman's test: whether any of several methods differs from the others over data sets.

The statistic is corrected for ties, and so is the form of Iman and Davenport: it is the F ratio of an analysis of
variance of the ranks, which without ties equals the formula on Demsar's statistic. Tools that follow his formulas
leave the correction out; what they give is in `FriedmanTest.uncorrected`.

Of its p-values one is to go by, `FriedmanTest.best_p_value`, and all sentences on the test have that.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import NamedTuple

import numpy as np
import pandas as pd
from scipy import stats

from trellislib.ranking.designs import cautions, comparable
from trellislib.ranking.exact import exact_p
from trellislib.ranking.ranks import Unfinished, ranks

ENOUGH = (10, 5)  # data sets and methods, beyond which chi-square fits (Demsar, section 3.2.2)


class RankStatistics(NamedTuple):
    """The statistic of Friedman and that of Iman and Davenport, each with its p-value."""

    statistic: float
    p_value: float
    iman_davenport: float
    iman_davenport_p: float


@dataclass(frozen=True, eq=False)
class FriedmanTest:
    """Whether any of several methods differs from the others over data sets.

    Attributes
    ----------
    statistic, p_value : float
        Friedman's statistic, corrected for ties, and its p-value by the chi-square distribution with n_methods - 1
        degrees of freedom.
    iman_davenport, iman_davenport_p : float
        The F ratio of Iman and Davenport, corrected for ties, and its p-value; infinite and 0 where all data sets
        agree on the order of the methods.
    exact_p : float or None
        The p-value by all orders of the ranks within each data set; None where they are too many (see
        `trellislib.ranking.exact`).
    uncorrected : RankStatistics
        The first four without the correction for ties, as Demsar's formulas give them.
    average_ranks : Series of shape (n_methods,)
        1 is the best.
    n_methods, n_datasets : int
    left_out : tuple of str
        The data sets that are left out, since a method did not finish there.
    notes : tuple of str
        Where the test is weak and what to do instead, a sentence each.
    """

    statistic: float
    p_value: float
    iman_davenport: float
    iman_davenport_p: float
    exact_p: float | None
    uncorrected: RankStatistics
    average_ranks: pd.Series
    n_methods: int
    n_datasets: int
    left_out: tuple[str, ...]
    notes: tuple[str, ...]

    @property
    def best_p_value(self) -> float:
        """The p-value to go by: the exact one where it is known, and else that of Iman and Davenport."""
        return self.iman_davenport_p if self.exact_p is None else self.exact_p

    @property
    def best_p_words(self) -> str:
        """The p-value to go by, and which one it is, as in "p = 0.0538, exact"."""
        return f"p = {self.best_p_value:.3g}{' by Iman and Davenport' if self.exact_p is None else ', exact'}"


def friedman(scores: pd.DataFrame, higher_is_better: bool = True, *, unfinished: Unfinished = "drop") -> FriedmanTest:
    """Test whether any of three or more methods differs from the others over data sets.

    Parameters
    ----------
    scores : DataFrame of shape (n_datasets, n_methods)
        A score for each data set (row) and method (column); NaN where a method did not finish.
    higher_is_better : bool, default=True
        False for losses and times.
    unfinished : {"drop", "last", "refuse"}, default="drop"
        As of `trellislib.ranking.ranks`.

    Returns
    -------
    FriedmanTest

    Raises
    ------
    ValueError
        If there are fewer than three methods or only one data set, or by `trellislib.ranking.ranks`.

    References
    ----------
    Friedman, "The use of ranks to avoid the assumption of normality implicit in the analysis of variance", Journal of
    the American Statistical Association 32, 1937. Iman and Davenport, "Approximations of the critical region of the
    Friedman statistic", Communications in Statistics A 9, 1980. Conover, "Practical nonparametric statistics", 3rd
    edition, 1999, section 5.8 (ties). Demsar, "Statistical comparisons of classifiers over multiple data sets",
    Journal of Machine Learning Research 7, 2006.

    Examples
    --------
    >>> scores = pd.DataFrame(
    ...     [[0.50, 0.55, 0.56, 0.58], [0.60, 0.63, 0.66, 0.65], [0.40, 0.47, 0.45, 0.49]],
    ...     index=["music", "scene", "yeast"],
    ...     columns=["IC", "CC", "CT", "ECT"],
    ... )
    >>> test = friedman(scores)
    >>> round(test.statistic, 3), round(test.p_value, 4), round(test.iman_davenport_p, 4), round(test.exact_p, 4)
    (7.0, 0.0719, 0.0219, 0.0538)
    >>> test.notes[-1]
    'With 3 data sets and 4 methods the p-value by chi-square is rough: read the exact one (0.0538).'
    """
    table, left_out = comparable(scores, unfinished, n_methods=3)
    ranked = ranks(table, higher_is_better, unfinished=unfinished)
    n_datasets, n_methods = ranked.shape
    test = FriedmanTest(
        *rank_statistics(ranked),
        exact_p=exact_p(ranked.to_numpy()),
        uncorrected=rank_statistics(ranked, ties=False),
        average_ranks=ranked.mean().rename("average rank"),
        n_methods=n_methods,
        n_datasets=n_datasets,
        left_out=left_out,
        notes=cautions(table),
    )
    if n_datasets > ENOUGH[0] and n_methods > ENOUGH[1]:
        return test
    rough = f"With {n_datasets} data sets and {n_methods} methods the p-value by chi-square is rough"
    instead = "that of Iman and Davenport" if test.exact_p is None else "the exact one"
    return replace(test, notes=(*test.notes, f"{rough}: read {instead} ({test.best_p_value:.3g})."))


def rank_statistics(ranked: pd.DataFrame, *, ties: bool = True) -> RankStatistics:
    """Compute the statistics of Friedman and of Iman and Davenport from complete ranks, corrected for `ties` or not."""
    n, k = ranked.shape
    deviations = ranked.to_numpy() - (k + 1) / 2
    # Multiples of 1/2 whose sums of squares are exact, so that perfect agreement gives exactly n * total.
    between = float((deviations.sum(axis=0) ** 2).sum())
    total = float((deviations**2).sum()) if ties else n * k * (k**2 - 1) / 12
    if total == 0:  # all methods tie everywhere
        return RankStatistics(0.0, 1.0, 0.0, 1.0)
    statistic = (k - 1) * between / total
    within = n * total - between
    ratio = (n - 1) * between / within if within > 0 else np.inf
    return RankStatistics(
        statistic,
        float(stats.chi2.sf(statistic, k - 1)),
        ratio,
        float(stats.f.sf(ratio, k - 1, (k - 1) * (n - 1))),
    )
