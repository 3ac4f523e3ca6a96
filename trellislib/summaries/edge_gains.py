"""Sentences about how much edges gain in a score."""

from __future__ import annotations

from collections.abc import Mapping

import pandas as pd

from trellislib.ranking.paired import CLEAR, resampled_error, resampled_p
from trellislib.wording import in_points, listed


def about_edge_gains(scores: pd.DataFrame, n_edges: Mapping[str, int], chosen: str) -> str:
    """Compare a trellis with other methods on the same folds, and the patterns of fewest and most edges.

    Differences are means over the folds, in percentage points, with their standard error. A difference is clear where
    the corrected resampled t-test rejects at 5%: error and test count in that folds share most of their training rows
    (`trellislib.ranking.paired`). The tests are not corrected for their number. Of a single fold, the sentences have
    only the differences.

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
    >>> text = about_edge_gains(scores, {"IC": 0, "left": 4, "left-up": 5, "CC": 6}, "left")
    >>> print(text)
    CT with left parents is 2.00 ± 0.00 points above IC.
    It is not significantly different from CC (-2.50 ± 7.79 points).
    CT with the most edges (left-up, 5) is not significantly different from CT with the fewest (left, 4)
    (+0.50 ± 4.33 points).
    """
    patterns = sorted((key for key in scores if key not in ("IC", "CC")), key=n_edges.__getitem__)
    if chosen not in patterns:
        raise ValueError(f"Got chosen={chosen!r}, but expected a pattern of the scores: {listed(patterns) or 'none'}.")
    few, many = patterns[0], patterns[-1]
    text = f"CT with {chosen} parents {_compared(scores, chosen, 'IC')}. It {_compared(scores, chosen, 'CC')}."
    if n_edges[few] == n_edges[many]:
        return text
    fewest = f"CT with the fewest ({few}, {n_edges[few]:,})"
    return f"{text} CT with the most edges ({many}, {n_edges[many]:,}) {_compared(scores, many, few, fewest)}."


def _compared(scores: pd.DataFrame, one: str, other: str, name: str | None = None) -> str:
    """Return how one structure compares with another, which may be called by a `name`."""
    gain, name = scores[one] - scores[other], name or other
    mean, error = gain.mean(), resampled_error(gain)
    if len(gain) == 1:
        return f"differs from {name} by {in_points(mean, error)} on one fold"
    if resampled_p(scores[one], scores[other]) > CLEAR:
        return f"is not significantly different from {name} ({in_points(mean, error)})"
    return f"is {in_points(mean, error, signed=False)} {'above' if mean > 0 else 'below'} {name}"
