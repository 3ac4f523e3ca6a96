"""How well known graphs were recovered, in a few sentences each."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
import pandas as pd

from trellislib.graphs.recovery import Recovery, edge_roles, recovery
from trellislib.labels.graph import LabelGraph
from trellislib.ranking.paired import CLEAR, paired_p
from trellislib.wording import ROUNDING, counted, listed


def about_recovery(found: Mapping[str, LabelGraph], truth: LabelGraph, n_instances: int) -> str:
    """Return how many of the true pairs each structure finds, the best first, and what else it finds.

    Examples
    --------
    >>> truth = LabelGraph([(), (0,), (1,)])
    >>> about_recovery({"FS": LabelGraph([(1,), (), (0, 1)]), "LEAD": truth}, truth, 500)
    'LEAD finds both true pairs from 500 instances, in their directions. FS finds both, 1 of them reversed, and 1 \
wrong.'

    Raises
    ------
    ValueError
        If nothing was looked for, or a graph has not as many labels as the true one.
    """
    if not found:
        raise ValueError("Got no graph, but expected at least one to compare with the true one.")
    n_true = len(truth.edges)
    source = f"from {counted(n_instances, 'instance')}"
    if n_true == 0:
        first, *others = ((name, len(graph.edges)) for name, graph in found.items())
        each = [
            f"{first[0]} finds {counted(first[1], 'edge')} {source}",
            *(f"{name} {edges:,}" for name, edges in others),
        ]
        return f"{listed(each, len(each))}. No label has a parent, so there is nothing to find."
    best_first = sorted(found, key=lambda name: -recovery(found[name], truth).skeleton_f)
    clauses = []
    for place, name in enumerate(best_first):
        roles = edge_roles(found[name], truth)
        n_found = len(roles.right) + len(roles.reversed)
        clause = _found(name, n_found, n_true, is_first=place == 0)
        clause += "" if place else f" {source}"
        if n_found == 1 and roles.reversed:
            clause += ", reversed"
        elif roles.reversed:
            clause += f", {f'{len(roles.reversed):,}' if len(roles.reversed) < n_found else 'all'} of them reversed"
        elif n_found and place == 0:
            clause += ", in their directions" if n_found > 1 else ", in its direction"
        if roles.wrong:
            joined = ", and" if n_found else " and finds" if n_true == 1 else ", but"
            clause += f"{joined} {len(roles.wrong):,} wrong"
        clauses.append(clause)
    return f"{'. '.join(clauses)}."


def _found(name: str, part: int, whole: int, *, is_first: bool) -> str:
    """Return that a structure finds 3 of the 18 true pairs, all or none; and of later ones shortly how many."""
    if whole == 1:
        return f"{name} {'finds' if part else 'misses'} {'the one true pair' if is_first else 'it'}"
    every = "both" if whole == 2 else f"all {whole:,}"
    if not is_first:
        return f"{name} finds {'none' if part == 0 else every if part == whole else f'{part:,}'}"
    of = every if part == whole else f"{f'{part:,}' if part else 'none'} of the {whole:,}"
    return f"{name} finds {of} true pairs"


def about_curve(curve: pd.DataFrame, score: str, in_words: str) -> str:
    """Return which structure does best where data sets are smallest or easiest and where largest or hardest.

    Only data sets that every structure has finished count, so that all means are over the same. Structures that a
    paired t-test over the data sets does not find different from the best one are not called worse. If another is best
    at the end, the text has from where on.

    Parameters
    ----------
    curve : DataFrame
        As from `trellislib.graphs.recovery_curve`.
    score : str
        One of the scores of `trellislib.graphs.Recovery`.
    in_words : str
        What it is called.
    """
    varied = str(curve.columns[0])
    if curve.empty:
        return "Nothing was finished."
    each = curve.set_index([varied, "data set", "structure"])[score].unstack()[list(curve["structure"].unique())]
    finished = each.dropna()
    if finished.empty:
        return "No data set was finished by every structure."
    n_datasets = finished.groupby(level=0).size()
    values = list(n_datasets.index)
    ends = list(dict.fromkeys((values[0], values[-1])))
    lower_is_better = score == "shd"
    best = [
        f"{_at(varied, value).capitalize()}, {_best(finished.loc[value], in_words, lower_is_better)}." for value in ends
    ]
    over = [counted(n_datasets[ends[0]], "data set"), *(f"{n_datasets[value]:,}" for value in ends[1:])]
    of_each = over[0] if n_datasets[ends[0]] == n_datasets[ends[-1]] else f"{over[0]} and {over[1]}"
    means = "These are means over " if n_datasets[ends].max() > 1 else "These are scores of "
    return f"{' '.join(best)} {means}{of_each}.{_crossing(-finished if lower_is_better else finished, varied)}"


def _at(varied: str, value: float) -> str:
    return f"with {counted(int(value), 'instance')}" if varied == "n_instances" else f"at difficulty {value:g}"


def is_clear(ahead: pd.Series, behind: pd.Series) -> bool:
    """Return whether two series over the same data sets differ by more than chance; one pair alone: no."""
    return paired_p(ahead, behind) <= CLEAR


def _best(of_sets: pd.DataFrame, in_words: str, lower_is_better: bool) -> str:
    """Return which structures are best and with what, and what the others have."""
    ranked = of_sets.mean().sort_values(ascending=lower_is_better, kind="stable")
    top = ranked.iloc[0]
    is_top = np.isclose(ranked, top, rtol=ROUNDING, atol=0)
    first, *others = ranked.index
    if not others:
        return f"{first} has {top:.2f} in {in_words}"
    if is_top.all():
        return f"{listed(list(ranked.index))} are equally good in {in_words} with {top:.2f}"
    alike = [name for name in others if not is_clear(of_sets[first], of_sets[name])]
    best, behind = [first, *alike], [name for name in others if name not in alike]

    def scored(names: list[str]) -> str:
        return f" ({', '.join(f'{name} {ranked[name]:.2f}' for name in names)})" if names else ""

    if len(best) == 1:
        return f"{first} is best in {in_words} with {top:.2f}{scored(behind)}"
    if is_top.sum() == len(best):
        return f"{listed(best)} are best in {in_words} with {top:.2f}{scored(behind)}"
    if not behind:
        return f"no structure is clearly best in {in_words}{scored(best)}"
    numbers = listed([f"{ranked[name]:.2f}" for name in best])
    return f"{listed(best)} are not significantly different in {in_words} with {numbers}{scored(behind)}"


def _crossing(higher_is_better: pd.DataFrame, varied: str) -> str:
    """Return from where on the best at the end is ahead of the best at the start, where they are not the same."""
    mean = higher_is_better.groupby(level=0).mean()
    first, last = mean.iloc[0].idxmax(), mean.iloc[-1].idxmax()
    is_ahead = mean[last] > mean[first] + ROUNDING
    if not is_ahead.iloc[-1] or np.isclose(mean[last].iloc[0], mean[first].iloc[0], rtol=ROUNDING, atol=0):
        return ""
    start = _since(is_ahead)
    clearly = [is_clear(higher_is_better.loc[at, last], higher_is_better.loc[at, first]) for at in mean.index]
    sure = is_ahead & np.array(clearly)

    def since(value: float) -> str:
        return f"from {f'{value:,g} instances' if varied == 'n_instances' else f'difficulty {value:,g}'} on"

    only_at_last = start == mean.index[-1]
    ahead = f" {last} is ahead of {first} {f'only {_at(varied, start)}' if only_at_last else since(start)}"
    if not sure.iloc[-1]:
        return f"{ahead}, but not significantly{'' if only_at_last else ' at the end'}."
    return f"{ahead}{'' if _since(sure) == start else f', clearly {since(_since(sure))}'}."


def _since(holds: pd.Series) -> float:
    """Return the first value from which on something holds to the end, where it does."""
    fails = np.flatnonzero(~holds.to_numpy())
    return float(holds.index[fails[-1] + 1 if len(fails) else 0])


def about_given_parent(observed: pd.DataFrame) -> str:
    """Return whether labels follow their parents as the formula has it, where it is exact and where it is not."""
    seen = observed[observed["n"] > 0]
    within = (seen["observed"] >= seen["low"]) & (seen["observed"] <= seen["high"])
    exact = seen["exact"]
    clauses = []
    if exact.any():
        clauses.append(f"{_within(within[exact])} within chance of the formula where it is exact.")
    if (~exact).any():
        off = (seen["observed"] - seen["theory"])[~exact].abs().mean()
        where = "where a label shares features with its ancestors"
        average = "" if (~exact).sum() == 1 else " on average"
        clauses.append(f"{_within(within[~exact])} within chance of the formula {where}, off by {off:.3f}{average}.")
    return " ".join(clauses) or "No label was seen with a parent of either value."


def _within(within: pd.Series) -> str:
    inside = int(within.sum())
    if len(within) == 1:
        return f"1 observed share is{'' if inside else ' not'}"
    return f"{f'{inside:,}' if inside else 'None'} of {len(within):,} observed shares {'is' if inside < 2 else 'are'}"


def about_agreement(agreement: Recovery) -> str:
    """Return how well one structure agrees as a short line.

    Examples
    --------
    >>> about_agreement(recovery([(), (0,), (3,), ()], [(), (0,), (), (2,)]))
    'F of pairs 1.00, of directed edges 0.50'
    """
    return f"F of pairs {agreement.skeleton_f:.2f}, of directed edges {agreement.f:.2f}"
