"""What ours say beside the published numbers: tables, names and one sentence."""

from __future__ import annotations

import pandas as pd

from trellislib.metrics import MEASURES
from trellislib.ranking import average_ranks

NAMES = {
    "train_seconds": "training time",
    "test_seconds": "test time",
    "total_seconds": "training and test time",
    "memory_mib": "memory",
}


def measure_name(key: str) -> str:
    """Return what a sentence calls a measure."""
    return NAMES.get(key) or MEASURES[key].key.replace("_", " ").replace("hamming", "Hamming")


def wide(table: pd.DataFrame, column: str) -> pd.DataFrame:
    """Return a column of what `beside` gives as a table, data sets in rows and methods in columns, in their order."""
    cells = table.pivot(index="dataset", columns="method", values=column)
    return cells.reindex(index=table["dataset"].unique(), columns=table["method"].unique()).rename_axis(columns=None)


def about_agreement(beside: pd.DataFrame, measure_name: str, higher_is_better: bool | None = True) -> str:
    """Say how near ours are to what the paper prints, and whether they put the methods in the same order.

    Parameters
    ----------
    beside : DataFrame
        As by `trellislib.paper.experiments.beside`.
    measure_name : str
        What was measured.
    higher_is_better : bool or None, default=True
        The direction of the measure; None for times, which are compared by their ratio.

    Examples
    --------
    >>> table = pd.DataFrame({"dataset": ["Music", "Music", "Scene"], "method": ["IC", "CT", "CT"],
    ...                       "published": [0.48, 0.58, 0.60], "ours": [0.47, 0.55, None]})
    >>> about_agreement(table.assign(difference=table["ours"] - table["published"]), "accuracy")
    'Of 3 published numbers in accuracy 2 were run here: half of them are within 0.020 of the paper, and CT on Music \
is furthest, 0.030 below.'
    """
    printed = beside[beside["published"].notna()]
    both = printed[printed["ours"].notna()]
    count = f"Of {len(printed)} published numbers in {measure_name} {len(both)} were run here"
    if both.empty:
        return f"None of the {len(printed)} published numbers in {measure_name} was run here yet."
    if higher_is_better is None:
        positive = both[both["published"] > 0]
        if positive.empty:
            return f"{count}; the paper's are all 0 to the second."
        ratio = (positive["published"] / positive["ours"]).median()
        told = f"{ratio:,.0f} times less" if ratio >= 2 else f"{1 / ratio:,.0f} times more" if ratio <= 0.5 else "alike"
        return f"{count}: in the median they take {told}{'' if told == 'alike' else ' time'} here."
    furthest = both.loc[both["difference"].abs().idxmax()]
    where = "above" if furthest["difference"] > 0 else "below"
    return (
        f"{count}: half of them are within {both['difference'].abs().median():.3f} of the paper, and "
        f"{furthest['method']} on {furthest['dataset']} is furthest, {abs(furthest['difference']):.3f} {where}"
        f"{_order(both, higher_is_better)}."
    )


def _order(both: pd.DataFrame, higher_is_better: bool) -> str:
    """Say how far the methods are in the same order, by the rank correlation of their average ranks."""
    tables = [both.pivot(index="dataset", columns="method", values=column) for column in ("published", "ours")]
    complete = tables[0].notna().all(axis=1)
    if tables[0].shape[1] < 3 or not complete.any():
        return ""
    printed, ours = (average_ranks(table[complete], higher_is_better) for table in tables)
    return f"; the methods' average ranks correlate by {printed.corr(ours, method='spearman'):.2f}"
