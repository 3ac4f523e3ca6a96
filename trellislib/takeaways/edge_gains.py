"""What edges are worth in a score, in a few sentences."""

from __future__ import annotations

from collections.abc import Mapping

import pandas as pd

from trellislib.takeaways.recovery import is_clear


def about_edge_gains(scores: pd.DataFrame, n_edges: Mapping[str, int], chosen: str) -> str:
    """Say how a trellis stands to other methods on the same folds, and whether the pattern of most edges gains.

    Differences are means over the folds, in percentage points, with their standard error. Two that a paired t-test at
    5% does not tell apart are said not to be told apart. Folds share most of their training rows, so that the test is
    a rough guide.

    Parameters
    ----------
    scores : DataFrame of shape (n_folds, n_structures)
        As for `trellislib.figures.edge_gains_figure`, from "IC" over patterns of a trellis to "CC".
    n_edges : mapping of str to int
        The number of edges, by column.
    chosen : str
        The pattern.

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
    told = f"With {chosen} parents, CT {_beside(scores, chosen, 'IC')}; it {_beside(scores, chosen, 'CC')}."
    patterns = sorted((key for key in scores if key not in ("IC", "CC")), key=n_edges.__getitem__)
    few, many = patterns[0], patterns[-1]
    if n_edges[few] == n_edges[many]:
        return told
    mean, error = _gain(scores, many, few)
    if not is_clear(scores[many], scores[few]):
        changes = f"these folds tell no gain and no loss: {mean:+.2f} ± {error:.2f} points"
    else:
        changes = f"CT {'gains' if mean > 0 else 'loses'} {abs(mean):.2f} ± {error:.2f} points"
    return (
        f"{told} From the fewest edges, {n_edges[few]:,} ({few}), to the most, {n_edges[many]:,} ({many}), {changes}."
    )


def _beside(scores: pd.DataFrame, one: str, other: str) -> str:
    """Return how one structure stands to another."""
    mean, error = _gain(scores, one, other)
    if not is_clear(scores[one], scores[other]):
        return f"cannot be told from {other} by these folds ({mean:+.2f} ± {error:.2f} points)"
    return f"is {abs(mean):.2f} ± {error:.2f} points {'above' if mean > 0 else 'below'} {other}"


def _gain(scores: pd.DataFrame, one: str, other: str) -> tuple[float, float]:
    """Return the mean difference in points, without a minus before zero, and its standard error."""
    gain = 100 * (scores[one] - scores[other])
    return round(float(gain.mean()), 9) + 0.0, float(gain.sem())
