"""Scores as people read them."""

from __future__ import annotations

import pandas as pd
from parts import duration, plain

from trellislib.experiment import TIMES, Evaluation
from trellislib.metrics import MEASURES

TIME_NAMES = dict(zip(TIMES, ("Training time", "Test time"), strict=True))


def scores_table(result: Evaluation) -> pd.DataFrame:
    """Return scores in rows and methods in columns, as Markdown: mean ± standard deviation, and the rank.

    The best of a row is bold and starred; a method that did not finish all folds is DNF.
    """
    summary, done = result.summary(), result.folds_done()
    rows = {}
    for key in [*result.measures, *TIMES]:
        name = TIME_NAMES.get(key) or MEASURES[key].name
        arrow = "↑" if key in MEASURES and MEASURES[key].higher_is_better else "↓"
        rows[f"{name} {arrow}"] = {
            plain(method): _cell(row[key, "mean"], row[key, "std"], row[key, "rank"], key in TIMES)
            if done[method] == result.n_folds
            else f"DNF ({done[method]} of {result.n_folds} folds)"
            for method, row in summary.iterrows()
        }
    return pd.DataFrame.from_dict(rows, orient="index").rename_axis("Score")


def _cell(mean: float, spread: float, rank: float, is_time: bool) -> str:
    if pd.isna(mean):
        return "undefined"
    number = duration(mean) if is_time else f"{mean:.3f}"
    if pd.notna(spread):
        number += f" ± {duration(spread) if is_time else f'{spread:.3f}'}"
    return f"**{number}** ★ 1" if rank < 2 else f"{number} · {rank:g}"
