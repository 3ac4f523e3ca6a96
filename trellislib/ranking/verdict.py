"""Which methods a comparison over data sets finds better, in one or two sentences."""

from __future__ import annotations

import numpy as np
import pandas as pd

from trellislib.ranking.comparison import Comparison
from trellislib.ranking.designs import FEW_DATASETS
from trellislib.ranking.effects import median_interval, rank_biserial, signed_ranks
from trellislib.ranking.friedman import FriedmanTest
from trellislib.wording import agreed, counted, listed

MOST_NAMES = 5
MOST_CLAUSES = 4


def about_ranking(comparison: Comparison, measure_name: str, friedman: FriedmanTest | None = None) -> str:
    """Return which methods are better than which, and which do not differ from any other.

    Parameters
    ----------
    comparison : Comparison
        As by `trellislib.ranking.nemenyi` or `trellislib.ranking.wilcoxon_holm`.
    measure_name : str
        What the methods were ranked by.
    friedman : FriedmanTest, optional
        Where it does not reject at the same level, by its `best_p_value`, the sentences begin with that.

    Returns
    -------
    str
        Methods that are better than the same others share a clause, best first; of more than five methods or four
        clauses the first are given, and how many more there are. Fewer than 5 data sets are called too few.

    Examples
    --------
    >>> ranks = pd.Series({"ECT": 1.2, "CT": 2.1, "IC": 2.7})
    >>> p_values = pd.DataFrame([[1, 0.3, 0.04], [0.3, 1, 0.6], [0.04, 0.6, 1]], index=ranks.index, columns=ranks.index)
    >>> comparison = Comparison(ranks, p_values, alpha=0.1, n_datasets=8, left_out=(), notes=())
    >>> about_ranking(comparison, "accuracy")
    'ECT is better than IC in accuracy at 0.10. CT is not significantly different from any method.'
    """
    caution = " But these are too few data sets to rely on." * (comparison.n_datasets < FEW_DATASETS)
    return f"{_overall(comparison, friedman)}{_pairs(comparison, measure_name)}.{caution}"


def _overall(comparison: Comparison, friedman: FriedmanTest | None) -> str:
    """Return what Friedman's test finds, where that is not what the test of pairs finds."""
    if friedman is None:
        return ""
    pairs_differ = bool(comparison.better_pairs)
    if friedman.best_p_value <= comparison.alpha:
        return (
            "" if pairs_differ else f"The Friedman test finds a difference ({friedman.best_p_words}), but not where. "
        )
    nothing = f"The Friedman test finds no difference ({friedman.best_p_words})"
    if not pairs_differ:
        return f"{nothing}. "
    return f"{nothing}, so no pair differs reliably. The test of pairs alone finds this: "


def about_pair(differences: pd.Series, one: str, other: str, measure_name: str, higher_is_better: bool = True) -> str:
    """Return which of two methods is ahead on how many data sets, by how much, and where most.

    Parameters
    ----------
    differences : Series of shape (n_datasets,)
        The score of `one` minus that of `other` on each data set; NaN where either did not finish.
    one, other : str
        The methods.
    measure_name : str
        What was scored.
    higher_is_better : bool, default=True
        False for losses and times.

    Examples
    --------
    >>> differences = pd.Series({"Music": 0.094, "Scene": 0.031, "Yeast": 0.031, "MediaMill": -0.009, "Local10k": None})
    >>> about_pair(differences, "CT", "IC", "accuracy")
    'CT is ahead of IC in accuracy on 3 of 4 data sets and behind on 1. The median difference is 0.031. CT leads most on
    Music (0.094) and trails most on MediaMill (0.009). Left out: 1 data set where one of them did not finish.'
    """
    gains = differences.dropna().astype(float) * (1 if higher_is_better else -1)
    if gains.empty:
        return f"There is no data set on which both {one} and {other} finished."
    n_left = len(differences) - len(gains)
    left_out = f" Left out: {counted(n_left, 'data set')} where one of them did not finish." if n_left else ""
    if not gains.any():
        return f"{one} and {other} are equal in {measure_name} on {_all_of(len(gains))}.{left_out}"
    if ((gains < 0).sum(), -gains.median()) > ((gains > 0).sum(), gains.median()):
        one, other, gains = other, one, -gains
    ahead, behind, equal = ((gains > 0).sum(), (gains < 0).sum(), (gains == 0).sum())
    rest = [f"{word} on {n}" for word, n in (("behind", behind), ("equal", equal)) if n]
    where = listed([f"{ahead} of {counted(len(gains), 'data set')}", *rest]) if rest else _all_of(len(gains))
    middle = f"The median difference is {_amount(gains.median()) if gains.median() else 0}{_within(gains)}."
    most, least = gains.idxmax(), gains.idxmin()
    extremes = [f"leads most on {most} ({_amount(gains.max())})"] if len(gains) > 1 else []
    extremes += [f"trails most on {least} ({_amount(-gains.min())})"] if behind else []
    end = f" {one} {' and '.join(extremes)}." if extremes else ""
    return f"{one} is ahead of {other} in {measure_name} on {where}. {middle}{end}{left_out}"


def _pairs(comparison: Comparison, measure_name: str) -> str:
    """Return what the test of pairs finds as sentences, the last without its full stop."""
    ranks = comparison.average_ranks.sort_values(kind="stable")
    methods = list(ranks.index)
    pairs = comparison.better_pairs
    level = f"{comparison.alpha:.2f}" if round(comparison.alpha, 2) == comparison.alpha else f"{comparison.alpha:g}"
    if not pairs:
        none = "The two methods do not" if len(methods) == 2 else f"No two of the {len(methods)} methods"
        best = [method for method in methods if ranks[method] == ranks.iloc[0]]
        return (
            f"{none} differ significantly in {measure_name} on {counted(comparison.n_datasets, 'data set')} at "
            f"{level}. {listed(best, MOST_NAMES)} {agreed(len(best), 'has', 'share')} the best average rank "
            f"({ranks.iloc[0]:.2f})"
        )
    beaten = {method: tuple(other for other in methods if (method, other) in pairs) for method in methods}
    by_wins = sorted(methods, key=lambda method: -len(beaten[method]))
    if len(methods) > 2 and [len(beaten[method]) for method in by_wins] == list(range(len(methods)))[::-1]:
        ordered = listed(by_wins, MOST_NAMES)
        return f"All {len(methods)} methods differ in {measure_name} at {level}, from the best down: {ordered}"
    winners: dict[tuple[str, ...], list[str]] = {}
    for method in filter(beaten.get, methods):
        winners.setdefault(beaten[method], []).append(method)
    clauses = [
        f"{listed(better, MOST_NAMES)} {agreed(len(better), 'is', 'are')} better than {listed(worse, MOST_NAMES)}"
        for worse, better in winners.items()
    ]
    clauses[0] += f" in {measure_name} at {level}"
    if len(clauses) > MOST_CLAUSES:
        n_pairs = len(methods) * (len(methods) - 1) // 2
        clauses[MOST_CLAUSES:] = [f"{len(pairs)} of {n_pairs} pairs differ"]
    alone = [method for method in methods if not any(method in pair for pair in pairs)]
    if alone:
        is_so = agreed(len(alone), "is", "are")
        clauses.append(f"{listed(alone, MOST_NAMES)} {is_so} not significantly different from any method")
    return ". ".join(clauses)


def _all_of(number: int) -> str:
    return {1: "the only data set", 2: "both data sets"}.get(number, f"all {counted(number, 'data set')}")


def _within(gains: pd.Series) -> str:
    """Return the interval of a median, and the rank-biserial correlation, where there are enough data sets."""
    low, high = median_interval(gains.to_numpy())
    if pd.isna(low):
        return ""
    correlation = rank_biserial(signed_ranks(gains.to_numpy(), np.zeros(len(gains))))
    return f" (95 % interval {low:.3g} to {high:.3g}), the rank-biserial correlation {correlation:.2f}"


def _amount(difference: float) -> str:
    """Return a positive difference to the digits that it deserves: of scores three, of long times none."""
    if difference < 0.0005:
        return "less than 0.001"
    return f"{difference:,.{3 if difference < 10 else 1 if difference < 100 else 0}f}"
