"""What a comparison of methods over data sets says, in one or two sentences of plain words."""

from __future__ import annotations

from collections.abc import Sequence

import pandas as pd

from trellislib.ranking.comparison import Comparison
from trellislib.ranking.friedman import FriedmanTest

_MOST_NAMES = 4
_MOST_CLAUSES = 4
FEW = 5  # data sets, below which no test says much


def about_ranking(comparison: Comparison, measure_name: str, friedman: FriedmanTest | None = None) -> str:
    """Say which methods are better than which, and which ones nothing separates from any other.

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
        Methods that are better than the same others share a clause, best first; of more than four methods or clauses
        the first are given, and how many more there are. Of fewer than 5 data sets it says that they are too few.

    Examples
    --------
    >>> ranks = pd.Series({"ECT": 1.2, "CT": 2.1, "IC": 2.7})
    >>> p_values = pd.DataFrame([[1, 0.3, 0.04], [0.3, 1, 0.6], [0.04, 0.6, 1]], index=ranks.index, columns=ranks.index)
    >>> comparison = Comparison(ranks, p_values, alpha=0.1, n_datasets=8, left_out=(), notes=())
    >>> about_ranking(comparison, "accuracy")
    'ECT is better than IC in accuracy at 0.10; nothing separates CT from the rest.'
    """
    found = _of_pairs(comparison, measure_name)
    caution = " But these are too few data sets to rely on." * (comparison.n_datasets < FEW)
    return f"{_with_friedman(found, comparison, friedman)}{caution}"


def _with_friedman(found: str, comparison: Comparison, friedman: FriedmanTest | None) -> str:
    """Begin with what Friedman's test finds, where that is not what the pairs say."""
    if friedman is None:
        return f"{found}."
    differ = bool(comparison.better_pairs)
    if friedman.best_p_value <= comparison.alpha:
        return (
            f"{found}."
            if differ
            else f"The Friedman test sees a difference ({friedman.best_p_words}), but not where. {found}."
        )
    nothing = f"The Friedman test finds no difference ({friedman.best_p_words})"
    if not differ:
        return f"{nothing}. {found}."
    return f"{nothing}, so that no two methods should be taken to differ; the test of pairs alone would say: {found}."


def about_pair(differences: pd.Series, one: str, other: str, measure_name: str, higher_is_better: bool = True) -> str:
    """Say which of two methods is ahead on how many data sets, by how much, and where most.

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
    'CT is ahead of IC in accuracy on 3 of 4 data sets, behind on 1, in the median by 0.031; it leads most on Music (by
    0.094) and trails most on MediaMill (by 0.009). Left out: 1 data set where one of them did not finish.'
    """
    gains = differences.dropna().astype(float) * (1 if higher_is_better else -1)
    if gains.empty:
        return f"There is no data set on which both {one} and {other} finished."
    n_left = len(differences) - len(gains)
    left_out = f" Left out: {_data_sets(n_left)} where one of them did not finish." if n_left else ""
    if not gains.any():
        return f"{one} and {other} are equal in {measure_name} on {_all_of(len(gains))}.{left_out}"
    if ((gains < 0).sum(), -gains.median()) > ((gains > 0).sum(), gains.median()):
        one, other, gains = other, one, -gains
    ahead, behind, equal = ((gains > 0).sum(), (gains < 0).sum(), (gains == 0).sum())
    rest = [f"{word} on {n}" for word, n in (("behind", behind), ("equal", equal)) if n]
    where = f"{ahead} of {_data_sets(len(gains))}, {' and '.join(rest)}" if rest else _all_of(len(gains))
    middle = f"in the median by {_amount(gains.median())}" if gains.median() else "but not in the median"
    most, least = gains.idxmax(), gains.idxmin()
    extremes = [f"it leads most on {most} (by {_amount(gains.max())})"] if len(gains) > 1 else []
    extremes += [f"trails most on {least} (by {_amount(-gains.min())})"] if behind else []
    end = f"; {' and '.join(extremes)}" if extremes else ""
    return f"{one} is ahead of {other} in {measure_name} on {where}, {middle}{end}.{left_out}"


def _of_pairs(comparison: Comparison, measure_name: str) -> str:
    """Return the findings as clauses, without a full stop."""
    ranks = comparison.average_ranks.sort_values(kind="stable")
    methods = list(ranks.index)
    pairs = comparison.better_pairs
    level = f"{comparison.alpha:.2f}" if round(comparison.alpha, 2) == comparison.alpha else f"{comparison.alpha:g}"
    if not pairs:
        n_methods = "The two" if len(methods) == 2 else f"No two of the {len(methods)}"
        verb = "cannot" if len(methods) == 2 else "can"
        best = [method for method in methods if ranks[method] == ranks.iloc[0]]
        has = "has" if len(best) == 1 else "share"
        return (
            f"{n_methods} methods {verb} be told apart in {measure_name} on {_data_sets(comparison.n_datasets)} at "
            f"{level}; {_listed(best)} {has} the best average rank, {ranks.iloc[0]:.2f}"
        )
    beaten = {method: tuple(other for other in methods if (method, other) in pairs) for method in methods}
    by_wins = sorted(methods, key=lambda method: -len(beaten[method]))
    if len(methods) > 2 and [len(beaten[method]) for method in by_wins] == list(range(len(methods)))[::-1]:
        return f"All {len(methods)} methods differ in {measure_name} at {level}, from the best down: {_listed(by_wins)}"
    winners: dict[tuple[str, ...], list[str]] = {}
    for method in filter(beaten.get, methods):
        winners.setdefault(beaten[method], []).append(method)
    clauses = [
        f"{_listed(better)} {'is' if len(better) == 1 else 'are'} better than {_listed(worse)}"
        for worse, better in winners.items()
    ]
    clauses[0] += f" in {measure_name} at {level}"
    if len(clauses) > _MOST_CLAUSES:
        n_pairs = len(methods) * (len(methods) - 1) // 2
        clauses[_MOST_CLAUSES:] = [f"of all {n_pairs} pairs {len(pairs)} differ"]
    alone = [method for method in methods if not any(method in pair for pair in pairs)]
    if alone:
        clauses.append(f"nothing separates {_listed(alone)} from the rest")
    return "; ".join(clauses)


def _listed(names: Sequence[str]) -> str:
    """Return names as a sentence has them: A; A and B; A, B, C, D and 2 more."""
    shown = list(names[:_MOST_NAMES])
    if len(names) > _MOST_NAMES:
        shown.append(f"{len(names) - _MOST_NAMES} more")
    return " and ".join(filter(None, [", ".join(shown[:-1]), shown[-1]]))


def _data_sets(number: int) -> str:
    return f"{number:,} data set" + ("" if number == 1 else "s")


def _all_of(number: int) -> str:
    return "the only data set" if number == 1 else "both data sets" if number == 2 else f"all {_data_sets(number)}"


def _amount(difference: float) -> str:
    """Return a positive difference to the digits that it deserves: of scores three, of long times none."""
    if difference < 0.0005:
        return "less than 0.001"
    return (
        f"{difference:.3f}" if difference < 10 else f"{difference:,.1f}" if difference < 100 else f"{difference:,.0f}"
    )
