"""Nemenyi's test: which methods differ, by the distance of their average ranks."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import pandas as pd
from scipy.stats import studentized_range

from trellislib.ranking.comparison import DatasetComparison, require_level
from trellislib.ranking.designs import cautions, comparable
from trellislib.ranking.friedman import friedman
from trellislib.ranking.ranks import Unfinished, ranks
from trellislib.running.checks import require_integer


@dataclass(frozen=True, eq=False)
class Nemenyi(DatasetComparison):
    """Which methods differ over data sets, by Nemenyi's test.

    Attributes
    ----------
    average_ranks, p_values, alpha, n_datasets, left_out, notes, scores
        As of `DatasetComparison`.
    critical_distance : float
        The least distance of average ranks by which two methods differ at `alpha`.
    """

    critical_distance: float

    def differs(self, one: str, other: str) -> bool:
        """Whether the average ranks of two methods are at least the critical distance apart."""
        return abs(self.lead(one, other)) >= self.critical_distance


def critical_distance(n_methods: int, n_datasets: int, alpha: float = 0.1) -> float:
    """Compute the distance of average ranks from which on Nemenyi's test calls two methods different.

    Parameters
    ----------
    n_methods : int
        At least 2.
    n_datasets : int
        At least 1.
    alpha : float, default=0.1
        Any level between 0 and 1.

    Returns
    -------
    float
        In ranks.

    Raises
    ------
    ValueError
        If a number or the level is out of range.

    References
    ----------
    Nemenyi, "Distribution-free multiple comparisons", Princeton University, 1963. Demsar, "Statistical comparisons of
    classifiers over multiple data sets", Journal of Machine Learning Research 7, 2006: the quantile of the studentized
    range with infinite degrees of freedom, divided by the square root of 2.

    Examples
    --------
    As in the paper, whose "p = 0.90" is a level of 0.1.

    >>> round(critical_distance(7, 8), 3), round(critical_distance(7, 8, 0.05), 3)
    (2.908, 3.185)
    """
    require_integer("n_methods", n_methods, 2)
    require_integer("n_datasets", n_datasets)
    require_level(alpha)
    return float(studentized_range.ppf(1 - alpha, n_methods, np.inf)) * _standard_error(n_methods, n_datasets)


def nemenyi(
    scores: pd.DataFrame, higher_is_better: bool = True, *, alpha: float = 0.1, unfinished: Unfinished = "drop"
) -> Nemenyi:
    """Find which of three or more methods differ over data sets, by the distance of their average ranks.

    Two methods whose average ranks are exactly the critical distance apart differ (Demsar: "at least the critical
    difference").

    Parameters
    ----------
    scores : DataFrame of shape (n_datasets, n_methods)
        A score for each data set (row) and method (column); NaN where a method did not finish.
    higher_is_better : bool, default=True
        False for losses and times.
    alpha : float, default=0.1
        The level, which holds for all pairs together.
    unfinished : {"drop", "last", "refuse"}, default="drop"
        As of `trellislib.ranking.ranks`.

    Returns
    -------
    Nemenyi

    Raises
    ------
    ValueError
        If there are fewer than three methods or only one data set, if the level is out of range, or by
        `trellislib.ranking.ranks`.

    Notes
    -----
    The test follows a Friedman test that finds a difference; where it finds none at `alpha` (by its `best_p_value`), a
    note has that.

    References
    ----------
    As of `critical_distance`.

    Examples
    --------
    >>> scores = pd.DataFrame(
    ...     {"IC": [0.48, 0.57, 0.50, 0.70], "CT": [0.58, 0.60, 0.53, 0.76], "ECT": [0.59, 0.67, 0.54, 0.77]},
    ...     index=["music", "scene", "yeast", "medical"],
    ... )
    >>> found = nemenyi(scores)
    >>> found.better_pairs
    (('ECT', 'IC'),)
    >>> found.groups
    (('ECT', 'CT'), ('CT', 'IC'))
    """
    table, left_out = comparable(scores, unfinished, n_methods=3)
    ranked = ranks(table, higher_is_better, unfinished=unfinished)
    n_datasets, n_methods = ranked.shape
    distance = critical_distance(n_methods, n_datasets, alpha)
    average = ranked.mean().rename("average rank")
    apart = np.abs(average.to_numpy()[:, None] - average.to_numpy())
    p = studentized_range.sf(apart / _standard_error(n_methods, n_datasets), n_methods, np.inf)
    notes = cautions(table)
    overall = friedman(table, higher_is_better, unfinished=unfinished)
    if overall.best_p_value > alpha:
        notes += (
            f"Friedman's test finds no difference among the methods at {alpha:g} ({overall.best_p_words}), so do not "
            f"read one from pairs: add data sets, or test the few pairs that matter.",
        )
    return Nemenyi(
        average_ranks=average,
        p_values=pd.DataFrame(p.clip(0, 1), index=average.index, columns=average.index),
        alpha=alpha,
        n_datasets=n_datasets,
        left_out=left_out,
        notes=notes,
        critical_distance=distance,
        scores=(table if higher_is_better else -table).fillna(-np.inf),
    )


def _standard_error(n_methods: int, n_datasets: int) -> float:
    """Return that of an average rank, in the units of the studentized range."""
    return float(np.sqrt(n_methods * (n_methods + 1) / (12 * n_datasets)))
