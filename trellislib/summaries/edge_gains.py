"""What edges are worth in a score, in a few sentences."""

from __future__ import annotations

from collections.abc import Mapping

import pandas as pd

from trellislib.summaries.recovery import is_clear
from trellislib.wording import in_points, listed


def about_edge_gains(scores: pd.DataFrame, n_edges: Mapping[str, int], chosen: str) -> str:
    """Say how a trellis stands to other methods on the same folds, and whether the pattern of most edges gains.

    Differences are means over the folds, in percentage points, with their standard error. Two that a paired t-test at
    5% does not tell apart are said not to be told apart. Folds share most of their training rows, and the tests are
    not corrected for their number, so that they are a rough guide. Of a single fold, only the differences are told.

    Parameters
    ----------
    scores : DataFrame of shape (n_folds, n_structures)
        As for `trellislib.figures.edge_gains_figure`, from "IC" over patterns of a trellis to "CC".
    n_edges : mapping of str to int
        The number of edges, by column.
    chosen : str
        The pattern.

    Raises
    ------
    ValueError
        If `chosen` is no pattern of the scores.

    Examples
    --------
    >>> scores = pd.DataFrame({"IC": [0.5, 0.6], "left": [0.52, 0.62], "left-up": [0.55, 0.6], "CC": [0.59, 0.6]})
    >>> said = about_edge_gains(scores, {"IC": 0, "left": 4, "left-up": 5, "CC": 6}, "left")
    >>> for clause in said.replace(" From", "; From").replace(", these", "; these").split("; "):
    ...     print(clause)
    With left parents, CT is 2.00 ± 0.00 points above IC
    it cannot be told from CC by these folds (-2.50 ± 4.50 points).
    From the fewest edges, 4 (left), to the most, 5 (left-up)
    these folds tell no gain and no loss: +0.50 ± 2.50 points.
    """
    patterns = sorted((key for key in scores if key not in ("IC", "CC")), key=n_edges.__getitem__)
    if chosen not in patterns:
        raise ValueError(f"Got chosen={chosen!r}, but expected a pattern of the scores: {listed(patterns) or 'none'}.")
    told = f"With {chosen} parents, CT {_beside(scores, chosen, 'IC')}; it {_beside(scores, chosen, 'CC')}."
    few, many = patterns[0], patterns[-1]
    if n_edges[few] == n_edges[many]:
        return told
    return (
        f"{told} From the fewest edges, {n_edges[few]:,} ({few}), to the most, {n_edges[many]:,} ({many}), "
        f"{_change(scores, few, many)}."
    )


def _beside(scores: pd.DataFrame, one: str, other: str) -> str:
    """Return how one structure stands to another."""
    gain = scores[one] - scores[other]
    mean, error = gain.mean(), gain.sem()
    if len(gain) == 1:
        return f"differs from {other} by {in_points(mean, error)} on one fold"
    if not is_clear(scores[one], scores[other]):
        return f"cannot be told from {other} by these folds ({in_points(mean, error)})"
    return f"is {in_points(mean, error, signed=False)} {'above' if mean > 0 else 'below'} {other}"


def _change(scores: pd.DataFrame, before: str, after: str) -> str:
    """Return what changes from one pattern to another."""
    gain = scores[after] - scores[before]
    mean, error = gain.mean(), gain.sem()
    if len(gain) == 1:
        return f"CT changes by {in_points(mean, error)} on one fold"
    if not is_clear(scores[after], scores[before]):
        return f"these folds tell no gain and no loss: {in_points(mean, error)}"
    return f"CT {'gains' if mean > 0 else 'loses'} {in_points(mean, error, signed=False)}"
