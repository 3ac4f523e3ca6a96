"""What was found of a known graph, in one sentence each."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
import pandas as pd

from trellislib.graphs.recovery import Recovery, edge_roles, recovery
from trellislib.label_graph import LabelGraph
from trellislib.takeaways.words import ROUNDING, listed, number_of


def about_recovery(found: Mapping[str, LabelGraph], truth: LabelGraph, n_instances: int) -> str:
    """Say how many of the true pairs each structure finds, the best first, and what else it finds.

    Examples
    --------
    >>> truth = LabelGraph([(), (0,), (1,)])
    >>> about_recovery({"FS": LabelGraph([(1,), (), (0, 1)]), "LEAD": truth}, truth, 500)
    'From 500 instances, LEAD finds both true pairs, in their directions; FS both, 1 of them reversed, and 1 wrong.'

    Raises
    ------
    ValueError
        If nothing was looked for, or a graph has not as many labels as the true one.
    """
    if not found:
        raise ValueError("Got no graph, but expected at least one beside the true one.")
    n_true = len(truth.edges)
    start = f"From {number_of(n_instances, 'instance')}, "
    if n_true == 0:
        first, *others = ((name, len(graph.edges)) for name, graph in found.items())
        told = [f"{first[0]} finds {number_of(first[1], 'edge')}", *(f"{name} {edges:,}" for name, edges in others)]
        return f"{start}{listed(told, len(told))}, and no label has a parent: there is nothing to find."
    best_first = sorted(found, key=lambda name: -recovery(found[name], truth).skeleton_f)
    clauses = []
    for place, name in enumerate(best_first):
        roles = edge_roles(found[name], truth)
        n_found = len(roles.right) + len(roles.reversed)
        clause = _found(name, n_found, n_true, is_first=place == 0)
        if n_found == 1 and roles.reversed:
            clause += ", reversed"
        elif roles.reversed:
            clause += f", {f'{len(roles.reversed):,}' if len(roles.reversed) < n_found else 'all'} of them reversed"
        elif n_found and place == 0:
            clause += ", in their directions" if n_found > 1 else ", in its direction"
        if roles.wrong:
            beside = "and" if n_found else "and finds" if n_true == 1 else "but"
            clause += f"{',' * (beside != 'and finds')} {beside} {len(roles.wrong):,} wrong"
        clauses.append(clause)
    return f"{start}{'; '.join(clauses)}."


def _found(name: str, part: int, whole: int, *, is_first: bool) -> str:
    """Return that a structure finds 3 of the 18 true pairs, all or none; and of later ones shortly how many."""
    if whole == 1:
        return f"{name} {'finds' if part else 'misses'} {'the one true pair' if is_first else 'it'}"
    every = "both" if whole == 2 else f"all {whole:,}"
    if not is_first:
        return f"{name} {'none' if part == 0 else every if part == whole else f'{part:,}'}"
    of = every if part == whole else f"{f'{part:,}' if part else 'none'} of the {whole:,}"
    return f"{name} finds {of} true pairs"


def about_curve(curve: pd.DataFrame, score: str, in_words: str) -> str:
    """Say which structure does best where the data sets are smallest or easiest, and where largest or hardest.

    Only data sets that every structure has finished count, so that all means are over the same.

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
    finished = each.dropna().groupby(level=0)
    mean, n_datasets = finished.mean(), finished.size()
    if mean.empty:
        return "No data set was finished by every structure."
    ends = list(dict.fromkeys((mean.index[0], mean.index[-1])))
    said = []
    for value in ends:
        where = f"ith {number_of(value, 'instance')}" if varied == "n_instances" else f"t difficulty {value:g}"
        said.append(f"{where}, {_best(mean.loc[value], in_words, score == 'shd')}")
    initial = "w" if varied == "n_instances" else "a"
    over = [number_of(n_datasets[ends[0]], "data set"), *(f"{n_datasets[value]:,}" for value in ends[1:])]
    of_each = over[0] if n_datasets[ends[0]] == n_datasets[ends[-1]] else f"{over[0]} and {over[1]}"
    means = "means over " if n_datasets[ends].max() > 1 else "of "
    return f"{initial.upper()}{f'; {initial}'.join(said)}: {means}{of_each}."


def _best(of_value: pd.Series, in_words: str, lower_is_better: bool) -> str:
    """Return which structures are best and with what, and what the others have."""
    ranked = of_value.sort_values(ascending=lower_is_better, kind="stable")
    top = ranked.iloc[0]
    is_top = np.isclose(ranked, top, rtol=ROUNDING, atol=0)
    best, others = list(ranked.index[is_top]), ranked[~is_top]
    if len(ranked) == 1:
        return f"{best[0]} has {top:.2f} in {in_words}"
    if others.empty:
        return f"{listed(best)} are equally good in {in_words} with {top:.2f}"
    behind = ", ".join(f"{name} {value:.2f}" for name, value in others.items())
    return f"{listed(best)} {'is' if len(best) == 1 else 'are'} best in {in_words} with {top:.2f} ({behind})"


def about_given_parent(observed: pd.DataFrame) -> str:
    """Say whether labels follow their parents as the formula has it, where it is exact and where it is not."""
    seen = observed[observed["n"] > 0]
    within = (seen["observed"] >= seen["low"]) & (seen["observed"] <= seen["high"])
    exact = seen["exact"]
    clauses = []
    if exact.any():
        clauses.append(
            f"Where the formula is exact, {_within(within[exact])} within the spread that chance gives "
            f"{'it' if exact.sum() == 1 else 'them'}"
        )
    if (~exact).any():
        off = (seen["observed"] - seen["theory"])[~exact].abs().mean()
        where = f"{'where' if clauses else 'Where'} a label shares features with its ancestors"
        spread = "" if clauses else f" within the spread that chance gives {'it' if len(seen) == 1 else 'them'}"
        average = "" if (~exact).sum() == 1 else " on average"
        clauses.append(f"{where}, {_within(within[~exact])}{spread}, off by {off:.3f}{average}")
    told = "; ".join(clauses) or "No label was seen with a parent of either value"
    return f"{told}."


def _within(within: pd.Series) -> str:
    inside = int(within.sum())
    if len(within) == 1:
        return f"1 observed share is{'' if inside else ' not'}"
    return f"{f'{inside:,}' if inside else 'none'} of {len(within):,} observed shares {'is' if inside < 2 else 'are'}"


def about_agreement(agreement: Recovery) -> str:
    """Return the scores of one structure as a short line.

    Examples
    --------
    >>> about_agreement(recovery([(), (0,), (3,), ()], [(), (0,), (), (2,)]))
    'pairs F 1.00, directed F 0.50, SHD 1'
    """
    return f"pairs F {agreement.skeleton_f:.2f}, directed F {agreement.f:.2f}, SHD {agreement.shd}"
