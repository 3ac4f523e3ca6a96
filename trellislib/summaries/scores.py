"""What charts of methods' scores show, in a sentence or two each."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
import pandas as pd

from trellislib.metrics import MEASURES
from trellislib.metrics.probabilities import mean_gap
from trellislib.ranking.front import pareto_front
from trellislib.ranking.ranks import ranks
from trellislib.wording import agreed, counted, listed, roughly


def about_front(
    scores: pd.Series, seconds: pd.Series, spreads: pd.Series | None = None, *, higher_is_better: bool = True
) -> str:
    """Return which methods no other beats in score and time together, and how far apart the fastest and slowest are.

    Nothing is said of how far apart they are where the spread of either time is as large.

    Parameters
    ----------
    scores, seconds : Series of shape (n_methods,)
        By method; NaN leaves a method out.
    spreads : Series of shape (n_methods,), optional
        Standard deviation of the seconds, NaN where there is none.
    higher_is_better : bool, default=True
        False for losses and average ranks.

    Examples
    --------
    >>> about_front(pd.Series({"IC": 0.5, "CC": 0.5, "CT": 0.6}), pd.Series({"IC": 1.0, "CC": 2.0, "CT": 8.0}))
    'The dotted line joins the best trade-offs of score and time: IC and CT. CT takes about 8 times as long as IC.'
    >>> about_front(pd.Series({"IC": 0.5, "CT": 0.6}), pd.Series({"IC": 2.0, "CT": 1.0}))
    'CT beats every other method in score and time.'
    """
    front = pareto_front(scores, seconds, higher_is_better)
    if not front:
        return "No method has both a score and a time."
    drawn = int((scores.notna() & seconds.reindex(scores.index).notna()).sum())
    if drawn == 1:
        return f"{front[0]} is the only method with a score and a time."
    fast, slow = seconds[front[0]], seconds[front[-1]]
    if fast == slow:  # then they are as good, too
        others = scores.index.difference(front)
        level = (scores[others] == scores[front[0]]) | (seconds.reindex(others) == fast)
        if len(front) == drawn:
            return f"{listed(front)} are equal in score and time."
        if level.any():
            return f"No other method is better than {listed(front)} in score or time."
        return f"{listed(front)} {agreed(len(front), 'beats', 'beat')} every other method in score and time."
    joined = f"The dotted line joins the best trade-offs of score and time: {listed(front)}"
    spread = 0.0 if spreads is None else spreads[[front[0], front[-1]]].max(skipna=True)
    if fast == 0 or slow - fast <= np.nan_to_num(spread):
        return f"{joined}."
    return f"{joined}. {front[-1]} takes {roughly(slow / fast)} as long as {front[0]}."


def about_label_scores(scores: pd.DataFrame, column: str, title: str) -> str:
    """Return which method is best on most labels in one score, and on which label methods differ most.

    Parameters
    ----------
    scores : DataFrame
        As `trellislib.experiment.Evaluation.label_scores` returns it.
    column : str
        The score, a column of `scores`; higher is better, unless it is a loss of `trellislib.metrics.MEASURES`.
    title : str
        What the sentence calls it.

    Examples
    --------
    >>> index = pd.MultiIndex.from_product([["IC", "CT"], ["sky", "sea"]], names=["method", "label"])
    >>> about_label_scores(pd.DataFrame({"f1": [0.5, 0.2, 0.6, 0.6]}, index), "f1", "F1")
    'CT is best in F1 on 2 of 2 labels. Methods differ most on sea, from 0.200 (IC) to 0.600 (CT).'
    """
    wide = scores[column].unstack("method").loc[scores.index.unique("label"), scores.index.unique("method")].dropna()
    if wide.empty:
        return f"No label has {title} of all methods."
    if len(wide.columns) == 1:
        (method,) = wide.columns
        low, high = wide[method].idxmin(), wide[method].idxmax()
        if low == high:
            where = f"on {low}" if len(wide) == 1 else "on every label"
            return f"{title} of {method} is {wide.loc[low, method]:.3f} {where}."
        return (
            f"{title} of {method} is from {wide.loc[low, method]:.3f} ({low}) to {wide.loc[high, method]:.3f} ({high})."
        )
    is_loss = column in MEASURES and not MEASURES[column].higher_is_better
    ranked = ranks(wide, not is_loss)
    is_best = ranked.eq(ranked.min(axis=1), axis=0)
    level = is_best.all(axis=1)  # labels on which all are equal are no one's
    wins = is_best[~level].sum()
    best = list(wins.index[wins == wins.max()])
    has_ties = (is_best[best].any(axis=1) & (is_best.sum(axis=1) > 1))[~level].any()
    apart = wide.max(axis=1) - wide.min(axis=1)
    if level.all():
        return f"All methods have the same {title} on {'every label' if len(wide) > 1 else wide.index[0]}."
    label = apart.idxmax()
    low, high = wide.loc[label].idxmin(), wide.loc[label].idxmax()
    reach = f"from {wide.loc[label, low]:.3f} ({low}) to {wide.loc[label, high]:.3f} ({high})"
    if len(wide) == 1:
        return f"On {label}, methods have {title} {reach}."
    ahead = f"{listed(best)} {agreed(len(best), 'is', 'are each')} best in {title}"
    of = f"{wins.max():,} of {counted(len(wide), 'label')}{', with ties' if has_ties else ''}"
    equal = f" All are equal on {level.sum():,}." if level.any() else ""
    return f"{ahead} on {of}.{equal} Methods differ most on {label}, {reach}."


def about_reliability(name: str, bins: pd.DataFrame) -> str:
    """Return where a method's probabilities are furthest from how often labels are relevant, and how far on average.

    Parameters
    ----------
    name : str
        The method.
    bins : DataFrame
        As `trellislib.metrics.reliability` returns it. The bin is named in which the gap, times its cells, is largest.

    Examples
    --------
    >>> bins = pd.DataFrame({"probability": [0.1, 0.8], "relevant": [0.1, 0.6], "cells": [90, 10]})
    >>> about_reliability("CT", bins)
    '60% of the cells that CT calls 80% probable are relevant. The calibration error over all 100 cells is 0.020.'
    """
    n_cells = int(bins["cells"].sum())
    p, relevant, _ = bins.loc[((bins["probability"] - bins["relevant"]).abs() * bins["cells"]).idxmax()]
    return (
        f"{relevant:.0%} of the cells that {name} calls {p:.0%} probable are relevant. The calibration error over "
        f"all {n_cells:,} cells is {mean_gap(bins):.3f}."
    )


def about_calibration(bins: Mapping[str, pd.DataFrame]) -> str:
    """Return which method's probabilities are closest to how often labels are relevant, and whose are furthest.

    Parameters
    ----------
    bins : mapping of str to DataFrame
        For each method, as `trellislib.metrics.reliability` returns it.

    Examples
    --------
    >>> bins = pd.DataFrame({"probability": [0.1, 0.8], "relevant": [0.1, 0.6], "cells": [90, 10]})
    >>> about_calibration({"IC": bins, "CT": bins.assign(probability=bins["relevant"])})
    'The calibration error is lowest for CT (0.000) and highest for IC (0.020).'
    """
    errors = pd.Series({name: mean_gap(of_method) for name, of_method in bins.items()})
    first, last = errors.idxmin(), errors.idxmax()
    if len(errors) == 1:
        return f"The calibration error of {first} is {errors[first]:.3f}."
    lowest, highest = (f"{name} ({errors[name]:.3f})" for name in (first, last))
    return f"The calibration error is lowest for {lowest} and highest for {highest}."


def about_average_ranks(average: pd.Series, n_groups: int) -> str:
    """Return between which average ranks methods lie, and how many bars join those that do not differ by a test.

    Examples
    --------
    >>> about_average_ranks(pd.Series({"IC": 2.9, "CT": 1.1, "CC": 2.0}), 2)
    'Average ranks range from 1.10 (CT, best) to 2.90 (IC). Each of 2 bars joins methods that do not differ \
significantly.'
    """
    first, last = average.idxmin(), average.idxmax()
    if len(average) == 1:
        return f"{first} is the only method, so there is nothing to rank."
    reach = f"Average ranks range from {average[first]:.2f} ({first}, best) to {average[last]:.2f} ({last})"
    if average[first] == average[last]:
        reach = f"All average ranks are {average[first]:.2f}"
    if not n_groups:
        return f"{reach}. Every two methods differ significantly, so there is no bar."
    bars = "The bar" if n_groups == 1 else f"Each of {n_groups} bars"
    return f"{reach}. {bars} joins methods that do not differ significantly."
