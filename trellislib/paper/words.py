"""Our numbers compared with the published ones: tables, names and one sentence."""

from __future__ import annotations

import pandas as pd

from trellislib.experiment import Results, in_words
from trellislib.metrics import MEASURES
from trellislib.paper.experiments import TOTAL_SECONDS, PaperExperiment, published_and_ours
from trellislib.paper.published import SCORES, rank_table
from trellislib.ranking import average_ranks
from trellislib.wording import agreed

ALIKE = 1.5  # ratio below which two times are about the same


def measure_name(key: str) -> str:
    """Return the name of a measure in a sentence."""
    return "training and test time" if key == TOTAL_SECONDS else in_words(key)


def number(value: float, is_time: bool, sign: str = "") -> str:
    """Return a score with three decimals, or seconds with three digits, in full from a hundred on.

    With the sign "+", as for differences, it has its sign in any case.

    Examples
    --------
    >>> number(0.5, False), number(31985.2, True), number(0.01234, True), number(-0.02, False, "+")
    ('0.500', '31,985', '0.0123', '-0.020')
    """
    if not is_time:
        return f"{value:{sign}.3f}"
    return f"{value:{sign},.0f}" if abs(value) >= 100 else f"{value:{sign}.3g}"


def compared(experiment: PaperExperiment, results: Results | None, measure: str) -> pd.DataFrame:
    """Return `trellislib.paper.published_and_ours` of a measure; without results that have it, ours are NaN.

    Examples
    --------
    >>> from trellislib.paper import EXPERIMENTS
    >>> compared(EXPERIMENTS["placement"], None, "accuracy")["ours"].notna().any()
    np.False_
    """
    needed = {"train_seconds", "test_seconds"} if measure == TOTAL_SECONDS else {measure}
    ours = pd.DataFrame()
    if results is not None and needed <= set(results.measures):
        ours = experiment.measured(results, measure)
    return published_and_ours(experiment.published(measure), ours)


def wide(table: pd.DataFrame, column: str) -> pd.DataFrame:
    """Return a column of `published_and_ours` as a table, data sets in rows and methods in columns, in their order."""
    cells = table.pivot(index="dataset", columns="method", values=column)
    return cells.reindex(index=table["dataset"].unique(), columns=table["method"].unique()).rename_axis(columns=None)


def ranked_by(table: pd.DataFrame, column: str, measure: str) -> pd.DataFrame:
    """Return the scores to rank the methods by: a column of `compared`, but of published times the printed ranks.

    The paper ranked its times before it rounded them to seconds, so that the printed ones have ties that it did not.

    Examples
    --------
    >>> from trellislib.paper.experiments import EXPERIMENTS
    >>> table = compared(EXPERIMENTS["results"], None, "train_seconds")
    >>> ranked_by(table, "published", "train_seconds").loc["Music", ["IC", "CT"]].tolist()
    [3.0, 1.0]
    """
    if column == "published" and measure in SCORES and measure not in MEASURES:
        return rank_table(measure)[0]
    return wide(table, column).dropna(how="all")


def about_agreement(table: pd.DataFrame, measure_name: str, higher_is_better: bool | None = True) -> str:
    """Return how near ours are to what the paper prints, and whether they put the methods in the same order.

    Parameters
    ----------
    table : DataFrame
        As by `trellislib.paper.experiments.published_and_ours`.
    measure_name : str
        What was measured.
    higher_is_better : bool or None, default=True
        The direction of the measure; None for times, which are compared by their ratio.

    Examples
    --------
    >>> table = pd.DataFrame({"dataset": ["Music", "Music", "Scene"], "method": ["IC", "CT", "CT"],
    ...                       "published": [0.48, 0.58, 0.60], "ours": [0.47, 0.55, None]})
    >>> about_agreement(table.assign(difference=table["ours"] - table["published"]), "accuracy")
    "Of the paper's 3 numbers in accuracy 2 were measured here: half of them are within 0.020 of the paper, and CT on \
Music is furthest, 0.030 below."
    """
    printed = table[table["published"].notna()]
    both = printed[printed["ours"].notna()]
    if both.empty:
        return f"None of the paper's {len(printed)} numbers in {measure_name} has been measured here yet."
    were = agreed(len(both), "was", "were")
    count = f"Of the paper's {len(printed)} numbers in {measure_name} {len(both)} {were} measured here"
    if higher_is_better is None:
        return f"{count}{_times(both)}."
    furthest = both.loc[both["difference"].abs().idxmax()]
    where = f"{furthest['method']} on {furthest['dataset']}"
    by = f"{abs(furthest['difference']):.3f} {'above' if furthest['difference'] > 0 else 'below'}"
    if float(f"{furthest['difference']:.3f}") == 0:
        return f"{count}, and what the paper prints came out{_order(both, higher_is_better)}."
    if len(both) == 1:
        return f"{count}: {where} is {by} the paper."
    return (
        f"{count}: half of them are within {both['difference'].abs().median():.3f} of the paper, and "
        f"{where} is furthest, {by}{_order(both, higher_is_better)}."
    )


def _times(both: pd.DataFrame) -> str:
    """Return how much less time ours take; a published 0 is less than half a second and gives no ratio."""
    timed = both[(both["published"] > 0) & (both["ours"] > 0)]
    if timed.empty:
        return "; to the second, the paper's are all 0"
    ratio = (timed["published"] / timed["ours"]).median()
    if 1 / ALIKE < ratio < ALIKE:
        return ": in the median they take as long here"
    factor = max(ratio, 1 / ratio)
    times = f"{factor:,.0f}" if factor >= 10 else f"{factor:.1f}"
    return f": in the median they take {times} times {'less' if ratio > 1 else 'more'} time here"


def _order(both: pd.DataFrame, higher_is_better: bool) -> str:
    """Return how far the methods are in the same order, by the rank correlation of their average ranks."""
    tables = [both.pivot(index="dataset", columns="method", values=column) for column in ("published", "ours")]
    complete = tables[0].notna().all(axis=1)
    if tables[0].shape[1] < 3 or not complete.any():
        return ""
    printed, ours = (average_ranks(table[complete], higher_is_better) for table in tables)
    if min(printed.nunique(), ours.nunique()) == 1:  # all alike in one of them: there is no order to compare
        return ""
    correlation = printed.corr(ours, method="spearman")
    return f"; the average ranks of the methods correlate with the paper's by {correlation:.2f} (Spearman)"
