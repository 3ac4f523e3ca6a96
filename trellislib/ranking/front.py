"""What a better score costs: the methods that no other beats in score and time together."""

from __future__ import annotations

import numpy as np
import pandas as pd


def pareto_front(scores: pd.Series, seconds: pd.Series, higher_is_better: bool = True) -> list[str]:
    """Return the methods on the Pareto front of score and time, fastest first.

    A method is beaten where another is at least as good in both and better in one. So of methods that are equal in
    both, all or none are on the front.

    Parameters
    ----------
    scores : Series of shape (n_methods,)
        By method; NaN where it has none, which leaves the method out.
    seconds : Series of shape (n_methods,)
        By method, as many; less is better. NaN leaves the method out.
    higher_is_better : bool, default=True
        False for losses and average ranks.

    Returns
    -------
    list of str

    Examples
    --------
    >>> scores = pd.Series({"IC": 0.50, "CC": 0.52, "CT": 0.58, "ECC": 0.60, "MCC": 0.55})
    >>> seconds = pd.Series({"IC": 1.0, "CC": 1.0, "CT": 1.5, "ECC": 9.0, "MCC": 12.0})
    >>> pareto_front(scores, seconds)
    ['CC', 'CT', 'ECC']
    """
    losses = -scores if higher_is_better else scores
    points = pd.DataFrame({"seconds": seconds, "loss": losses}).reindex(scores.index).dropna()
    front: list[str] = []
    best, fastest_of_best = np.inf, np.inf
    for method, (taken, loss) in points.sort_values(["seconds", "loss"], kind="stable").T.items():
        if loss < best or (loss == best and taken == fastest_of_best):
            front.append(str(method))
            best, fastest_of_best = loss, taken
    return front


def geometric_means(seconds: pd.DataFrame) -> pd.Series:
    """Return the geometric mean of each method's time over data sets, in which no large data set outweighs the rest.

    Parameters
    ----------
    seconds : DataFrame of shape (n_datasets, n_methods)
        Above 0; NaN where a method did not finish.

    Returns
    -------
    Series of shape (n_methods,)
        NaN for a method that did not finish on all data sets: a mean over fewer would not compare.

    Raises
    ------
    ValueError
        If a time is 0 or less.

    Examples
    --------
    >>> seconds = pd.DataFrame({"IC": [1.0, 100.0], "CT": [2.0, None]}, index=["Music", "Scene"])
    >>> geometric_means(seconds).round(6).to_dict()
    {'IC': 10.0, 'CT': nan}
    """
    for method, column in seconds.items():
        if (column <= 0).any():
            dataset = column.index[column <= 0][0]
            raise ValueError(f"{method} on {dataset} took {column[dataset]} s, but expected a time above 0.")
    return np.exp(np.log(seconds.astype(float)).mean(skipna=False))
