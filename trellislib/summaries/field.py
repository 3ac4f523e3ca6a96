"""A sentence on the best published scores of the field."""

from __future__ import annotations

import pandas as pd

from trellislib.metrics import Measure
from trellislib.wording import counted, listed


def about_field(published: pd.Series, ours: pd.DataFrame, measure: Measure) -> str:
    """Return on how many data sets each of our methods is above the best published score.

    Parameters
    ----------
    published : Series of shape (n_datasets,)
        The best published score of each data set; higher is better.
    ours : DataFrame of shape (n_datasets, n_methods)
        Our scores of the same data sets; NaN where a method was not run.
    measure : Measure
        What was scored.

    Examples
    --------
    >>> from trellislib.metrics import MEASURES
    >>> best = pd.Series({"emotions": 0.609, "flags": 0.653})
    >>> about_field(best, pd.DataFrame({"IC": [0.616, 0.619], "CT": [0.622, None]}, best.index), MEASURES["accuracy"])
    'The best published accuracy of 28 methods is exceeded by IC on 1 of 2 data sets and CT on 1 of 1.'
    """
    parts: list[str] = []
    for method, scores in ours.items():
        scores = scores.dropna()
        ahead = int((scores > published[scores.index]).sum())
        parts.append(f"{method} on {ahead} of {len(scores) if parts else counted(len(scores), 'data set')}")
    return f"The best published {measure.in_words} of 28 methods is exceeded by {listed(parts)}."
