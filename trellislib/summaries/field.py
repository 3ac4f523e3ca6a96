"""A sentence on the best published scores of the field."""

from __future__ import annotations

import pandas as pd

from trellislib.metrics import Measure
from trellislib.wording import agreed, grouped, listed


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
    'IC exceeds the best published accuracy of 28 methods on 1 of 2 data sets and CT on 1 of 1.'
    """
    how_often = {}
    for method, scores in ours.items():
        scores = scores.dropna()
        how_often[str(method)] = int((scores > published[scores.index]).sum()), len(scores)
    (first, methods), *others = ((f"{ahead} of {n}", of) for (ahead, n), of in grouped(how_often))
    exceed = agreed(len(methods), "exceeds", "exceed")
    parts = [f"the best published {measure.in_words} of 28 methods on {first} data sets"]
    parts += [f"{listed(of)} on {share}" for share, of in others]
    return f"{listed(methods)} {exceed} {listed(parts)}."
