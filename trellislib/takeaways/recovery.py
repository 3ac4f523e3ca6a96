"""What was found of a known graph, in one sentence each."""

from __future__ import annotations

from collections.abc import Mapping

import pandas as pd

from trellislib.graphs.recovery import Recovery, edge_roles, recovery
from trellislib.label_graph import LabelGraph
from trellislib.takeaways.words import number_of


def about_recovery(found: Mapping[str, LabelGraph], truth: LabelGraph, n_instances: int) -> str:
    """Say how many of the true pairs each structure finds, the best first, and what else it finds.

    Examples
    --------
    >>> truth = LabelGraph([(), (0,), (1,)])
    >>> about_recovery({"FS": LabelGraph([(1,), (), (0, 1)]), "LEAD": truth}, truth, 500)
    'From 500 instances, LEAD finds both true pairs, in their directions; FS both, 1 of them reversed, and 1 wrong.'
    """
    n_true = len(truth.edges)
    start = f"From {number_of(n_instances, 'instance')}, "
    if n_true == 0:
        told = [f"{name} finds {number_of(len(graph.edges), 'edge')}" for name, graph in found.items()]
        return f"{start}{' and '.join(told)}, and no label has a parent: there is nothing to find."
    best_first = sorted(found, key=lambda name: -recovery(found[name], truth).skeleton_f)
    clauses = []
    for place, name in enumerate(best_first):
        roles = edge_roles(found[name], truth)
        n_found = len(roles.right) + len(roles.reversed)
        counted = _share_of(n_found, n_true, "true pair" if place == 0 else "")
        clause = f"{name} {'finds ' if place == 0 else ''}{counted}"
        if roles.reversed:
            clause += f", {len(roles.reversed) if len(roles.reversed) < n_found else 'all'} of them reversed"
        elif n_found and place == 0:
            clause += ", in their directions" if n_found > 1 else ", in its direction"
        if roles.wrong:
            clause += f", and {len(roles.wrong)} wrong"
        clauses.append(clause)
    return f"{start}{'; '.join(clauses)}."


def _share_of(part: int, whole: int, what: str) -> str:
    """Return 3 of the 18 true pairs; all 18 true pairs; both true pairs; the one true pair; or none."""
    kind = f" {what}{'s' * (whole > 1)}" if what else ""
    if part == 0:
        return f"none of the {whole}{kind}" if whole > 1 else "nothing"
    if part == whole:
        return {1: f"the one{kind}", 2: f"both{kind}"}.get(whole, f"all {whole}{kind}")
    return f"{part} of the {whole}{kind}" if what else f"{part}"


def about_curve(curve: pd.DataFrame, score: str, in_words: str) -> str:
    """Say which structure does best where the data sets are smallest or easiest, and where largest or hardest.

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
    mean = curve.groupby([varied, "structure"], sort=False)[score].mean().unstack().sort_index()
    n_datasets = curve["data set"].nunique()
    said = []
    for value in dict.fromkeys((mean.index[0], mean.index[-1])):
        of_value = mean.loc[value].dropna().sort_values(ascending=score == "shd", kind="stable")
        where = f"With {value:,} instances" if varied == "n_instances" else f"At difficulty {value:g}"
        ranked = ", ".join(f"{name} {of_value[name]:.2f}" for name in of_value.index[1:])
        said.append(f"{where}, {of_value.index[0]} is best in {in_words} with {of_value.iloc[0]:.2f}")
        said[-1] += f" ({ranked})" if ranked else ""
    return f"{'; '.join([said[0], *(clause[0].lower() + clause[1:] for clause in said[1:])])}: means over " + (
        f"{number_of(n_datasets, 'data set')}."
    )


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
        where = "where a label shares features with its ancestors"
        clauses.append(f"{where}, {_within(within[~exact])}, off by {off:.3f} on average")
    told = "; ".join(clauses) or "No label was seen with a parent of either value"
    return f"{told[0].upper()}{told[1:]}."


def _within(within: pd.Series) -> str:
    of = "1 observed share is" if len(within) == 1 else f"of {len(within)} observed shares"
    if len(within) == 1:
        return of if within.all() else "1 observed share is not"
    return f"{within.sum()} {of} are"


def about_agreement(agreement: Recovery) -> str:
    """Return the scores of one structure as a short line.

    Examples
    --------
    >>> about_agreement(recovery([(), (0,), (3,), ()], [(), (0,), (), (2,)]))
    'pairs F 1.00, directed F 0.50, SHD 1'
    """
    return f"pairs F {agreement.skeleton_f:.2f}, directed F {agreement.f:.2f}, SHD {agreement.shd}"
