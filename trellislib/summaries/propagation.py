"""Sentences about what inherited errors cost, and which edges help."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pandas as pd

from trellislib.inspection.edges import CLEAR, edge_name
from trellislib.wording import counted, percent


def about_propagation(table: pd.DataFrame, names: Sequence[str]) -> str:
    """Return how often labels are right given predicted and true inputs, and which label loses most.

    Parameters
    ----------
    table : DataFrame
        As `trellislib.inspection.propagation` returns it.
    names : sequence of str
        Of the labels.

    Examples
    --------
    >>> table = pd.DataFrame({"label": [1, 0], "n_inputs": [0, 1], "n_rows": [100, 100],
    ...                       "given_predicted": [0.9, 0.7], "given_true": [0.9, 0.8], "lost": [0.0, 0.1],
    ...                       "n_own": [10, 20], "n_inherited": [0, 12], "n_overruled": 0, "n_lucky": [0, 2]})
    >>> print(about_propagation(table, ["sky", "sea"]))
    80.0% of label values are right, and 85.0% would be with true inputs. 12 of 42 errors are inherited, and wrong
    inputs make 2 values right. sky loses most (10 points).
    """
    judged = table[table["n_rows"] > 0]
    if judged.empty:
        return "No label can be judged: its true values, or its inputs', did not occur in training."
    right = percent(_share(judged, "given_predicted"), 1)
    if not judged["n_inputs"].any():
        return f"{right} of label values are right. No label is predicted from others, so no error is inherited."
    would_be = percent(_share(judged, "given_true"), 1)
    n_inherited = int(judged["n_inherited"].sum())
    n_wrong, n_lucky = int(judged[["n_own", "n_inherited", "n_overruled"]].sum().sum()), int(judged["n_lucky"].sum())
    text = f"{right} of label values are right, and {would_be} would be with true inputs. {n_inherited:,} of "
    text += f"{counted(n_wrong, 'error')} {'is' if n_inherited == 1 else 'are'} inherited"
    if n_lucky:
        text += f", and wrong inputs make {counted(n_lucky, 'value')} right"
    worst = judged.loc[judged["lost"].idxmax()]
    if worst["lost"] <= 0:
        return f"{text}. No label loses by it."
    return f"{text}. {names[int(worst['label'])]} loses most ({100 * worst['lost']:.3g} points)."


def about_independent(table: pd.DataFrame) -> str:
    """Return how often independent classifiers are right, for comparison with a method with edges.

    Parameters
    ----------
    table : DataFrame
        As `trellislib.inspection.propagation` returns it of them.

    Examples
    --------
    >>> about_independent(pd.DataFrame({"given_predicted": [0.9, 0.7], "n_rows": [100, 300]}))
    'Independent classifiers (IC) are right in 75.0% of label values.'
    """
    judged = table[table["n_rows"] > 0]
    if judged.empty:
        return "No label of independent classifiers (IC) can be judged."
    right = percent(_share(judged, "given_predicted"), 1)
    return f"Independent classifiers (IC) are right in {right} of label values."


def about_edge_effects(
    table: pd.DataFrame, names: Sequence[str], measure_name: str = "accuracy", *, is_directed: bool = True
) -> str:
    """Return how many edges clearly help or hurt, and which does most.

    Parameters
    ----------
    table : DataFrame
        As `trellislib.inspection.edge_effects` returns it.
    names : sequence of str
        Of the labels.
    measure_name : str, default="accuracy"
        Name of the score.
    is_directed : bool, default=True
        Whether edges have a parent and a child.

    Examples
    --------
    >>> table = pd.DataFrame({"parent": [0, 1], "child": [1, 2], "gain": [0.02, -0.001], "p": [0.001, 0.9]})
    >>> about_edge_effects(table, ["sky", "sea", "fog"])
    '1 of 2 edges clearly helps accuracy, and none clearly hurts it. sky → sea helps most (0.02).'
    """
    if table.empty:
        return "There are no edges."
    clear = table[table["p"] <= CLEAR]
    n_help, n_hurt = int((clear["gain"] > 0).sum()), int((clear["gain"] < 0).sum())
    if not n_help and not n_hurt:
        alone = "The one edge makes" if len(table) == 1 else f"None of {len(table):,} edges by itself makes"
        none = "no clear difference" if len(table) == 1 else "a clear difference"
        return f"{alone} {none} in {measure_name}."
    helpers = f"{f'{n_help:,}' if n_help else 'None'} of {counted(len(table), 'edge')}"
    helps = f"{helpers} clearly {'help' if n_help > 1 else 'helps'}"
    hurts = f"{f'{n_hurt:,}' if n_hurt else 'none'} clearly {'hurt' if n_hurt > 1 else 'hurts'} it"
    strongest = clear.loc[np.abs(clear["gain"]).idxmax()]
    edge = edge_name(*(names[int(strongest[end])] for end in ("parent", "child")), is_directed=is_directed)
    does = "helps" if strongest["gain"] > 0 else "hurts"
    return f"{helps} {measure_name}, and {hurts}. {edge} {does} most ({abs(strongest['gain']):.2g})."


def _share(judged: pd.DataFrame, column: str) -> float:
    """Return a share of all values that are judged: a label counts as often as it is."""
    return float(np.average(judged[column], weights=judged["n_rows"]))
