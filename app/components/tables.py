"""Scores as people read them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
import pandas as pd
import streamlit as st

from components.parts import plain
from trellislib.experiment import COST_NAMES, COSTS, TIMES, Evaluation, higher_is_better
from trellislib.graphs import LabelGraph, edge_differences, recovery
from trellislib.metrics import MEASURES
from trellislib.ranking import ranks
from trellislib.running.progress import duration

TIME_COLUMNS = {
    f"{COST_NAMES[key].capitalize()} (s)": st.column_config.NumberColumn(format="%.3g") for key in TIMES
}  # of `methods_table`
COST_UNITS = dict(zip(COSTS, ("s", "s", "MiB"), strict=True))

RECOVERY_NAMES = {
    "skeleton_precision": "Precision of pairs ↑",
    "skeleton_recall": "Recall of pairs ↑",
    "skeleton_f": "F of pairs ↑",
    "precision": "Precision, directed ↑",
    "recall": "Recall, directed ↑",
    "f": "F, directed ↑",
    "shd": "SHD ↓",
}


def name_of(key: str) -> str:
    """Return what a table or a choice calls a measure or cost."""
    return MEASURES[key].name if key in MEASURES else COST_NAMES[key].capitalize()


def scores_table(result: Evaluation) -> pd.DataFrame:
    """Return scores in rows and methods in columns, as Markdown: mean ± standard deviation, and the rank.

    Every one of the best of a row is bold and starred. Where a score is missing, its reason stands there.
    """
    summary, rows = result.summary(), {}
    for key in [*result.measures, *TIMES]:
        missing, lowest = result.why_missing(key), summary[key, "rank"].min()
        name = name_of(key)
        arrow = "↑" if higher_is_better(key) else "↓"
        rows[f"{name} {arrow}"] = {
            plain(method): missing.get(method)
            or _cell(row[key, "mean"], row[key, "std"], row[key, "rank"], lowest, key in TIMES)
            for method, row in summary.iterrows()
        }
    return pd.DataFrame.from_dict(rows, orient="index").rename_axis("Score")


def scores_by_method(scores: Mapping[str, pd.DataFrame]) -> pd.DataFrame:
    """Return methods in rows and scores in columns, as Markdown: mean ± standard deviation.

    Every one of the best of a column is bold and starred.
    """
    means = pd.DataFrame({name: folds.mean() for name, folds in scores.items()}).T
    spreads = pd.DataFrame({name: folds.std() for name, folds in scores.items()}).T
    best = {key: is_best(means[key]) for key in means}
    columns = {
        f"{MEASURES[key].name.partition(' (')[0]} ↑": [
            f"**{mean:.3f} ± {spread:.3f}** ★" if is_best else f"{mean:.3f} ± {spread:.3f}"
            for mean, spread, is_best in zip(means[key], spreads[key], best[key], strict=True)
        ]
        for key in means
    }
    return pd.DataFrame(columns, index=means.index.rename("Method"))


def is_best(means: pd.Series) -> pd.Series:
    """Return which of several means are the highest, by the ranks of the statistics; no one alone."""
    rank = ranks(means.to_frame().T).iloc[0]
    return (rank == rank.min()) & (len(means) > 1)


def recovery_table(graphs: Mapping[str, LabelGraph], truth: LabelGraph) -> pd.DataFrame:
    """Return how well each graph agrees with the true one, graphs in rows."""
    rows = [
        {"Edges": len(graph.edges)}
        | {title: getattr(recovery(graph, truth), score) for score, title in RECOVERY_NAMES.items()}
        for graph in graphs.values()
    ]
    return pd.DataFrame(rows, index=pd.Index(graphs, name="Structure"))


def edges_table(
    graphs: Mapping[str, LabelGraph], names: Sequence[str], information: np.ndarray, signs: np.ndarray | None
) -> pd.DataFrame:
    """Return the pairs that are an edge of any graph, the strongest first, where they are, and which way they run.

    An arrow runs from the label to the other label, or back. Whether all graphs have a pair, and have it alike, is in
    ``attrs["shared"]`` and ``attrs["alike"]``.
    """
    pairs = edge_differences(graphs, information)
    columns: dict[str, list[object]] = {
        "label": [names[pair.labels[0]] for pair in pairs],
        "other label": [names[pair.labels[1]] for pair in pairs],
        "MI (nats)": [information[pair.labels] for pair in pairs],
    }
    if signs is not None:
        columns["phi"] = [signs[pair.labels] for pair in pairs]
    columns["edge"] = [pair.in_words for pair in pairs]
    for name in graphs:
        columns[name] = [pair.arrow(name) for pair in pairs]
    table = pd.DataFrame(columns)
    table.attrs["shared"] = [pair.is_in_all for pair in pairs]
    table.attrs["alike"] = [pair.is_alike for pair in pairs]
    return table


def methods_table(result: Evaluation, key: str, others: Sequence[str] | None = None) -> pd.DataFrame:
    """Return methods in rows, the best in the score `key` first, and scores in columns: that score, times, and others.

    For many methods, and to be sorted: times are in seconds, scores as mean ± standard deviation; ★ marks the best.
    `others` are by default all other scores.
    """
    summary = result.summary()
    order = summary[key, "rank"].sort_values(kind="stable", na_position="last").index
    columns: dict[str, list[object]] = {}
    others = [other for other in result.measures if other != key] if others is None else others
    for of in [key, *TIMES, *others]:
        if of in TIMES:
            columns[f"{name_of(of)} (s)"] = [summary.loc[method, (of, "mean")] for method in order]
            continue
        missing, lowest = result.why_missing(of), summary[of, "rank"].min()
        columns[f"{MEASURES[of].name} {'↑' if higher_is_better(of) else '↓'}"] = [
            missing.get(method) or _short(summary.loc[method, of], lowest) for method in order
        ]
    return pd.DataFrame(columns, index=pd.Index(order, name="Method"))


def _short(of: pd.Series, lowest: float) -> str:
    spread = f" ± {of['std']:.3f}" if pd.notna(of["std"]) else ""
    return f"{of['mean']:.3f}{spread}{' ★' if of['rank'] == lowest else ''}"


def _cell(mean: float, spread: float, rank: float, lowest: float, is_time: bool) -> str:
    number = duration(mean) if is_time else f"{mean:.3f}"
    if pd.notna(spread):
        number += f" ± {duration(spread) if is_time else f'{spread:.3f}'}"
    return f"**{number}** ★ {rank:g}" if rank == lowest else f"{number} · {rank:g}"
