"""F1 by groups of label frequency: means over all labels hide what becomes of the rare ones."""

from __future__ import annotations

import numpy as np
import pandas as pd

from trellislib.metrics.decisions import ratio

GROUPS = ("head", "middle", "tail")


def frequency_groups(support: pd.Series) -> pd.Series:
    """Return the group of each label: the most frequent third of the labels, the middle one, and the rarest.

    Parameters
    ----------
    support : Series of shape (n_labels,)
        How often each label is relevant. Ties go to the earlier label; of labels that thirds leave over, the first
        groups have one more.

    Returns
    -------
    Series of shape (n_labels,)
        "head", "middle" or "tail", as an ordered categorical.

    Examples
    --------
    >>> frequency_groups(pd.Series({"sky": 9, "sea": 5, "sun": 5, "snow": 1})).to_dict()
    {'sky': 'head', 'sea': 'head', 'sun': 'middle', 'snow': 'tail'}
    """
    order = np.argsort(-support.to_numpy(), kind="stable")
    groups = np.empty(len(support), dtype=int)
    for number, part in enumerate(np.array_split(order, len(GROUPS))):
        groups[part] = number
    return pd.Series(pd.Categorical.from_codes(groups, GROUPS, ordered=True), support.index)


def group_scores(labels: pd.DataFrame) -> pd.DataFrame:
    """Return micro and macro F1 of each group of label frequency.

    Parameters
    ----------
    labels : DataFrame
        A row for each label, with ``support``, ``predicted``, ``recall`` and ``f1`` as by `per_label_scores`.

    Returns
    -------
    DataFrame
        By group: the number of ``labels``, their ``support``, ``micro_f1`` and ``macro_f1``. F1 of labels that are
        neither relevant nor predicted anywhere counts 0.

    Examples
    --------
    >>> names = pd.Index(["sky", "sea", "snow"], name="label")
    >>> counts = {"support": [8, 4, 2], "predicted": [8, 4, 0], "recall": [1.0, 0.5, 0.0], "f1": [1.0, 0.5, 0.0]}
    >>> group_scores(pd.DataFrame(counts, names))
            labels  support  micro_f1  macro_f1
    group
    head         1        8       1.0       1.0
    middle       1        4       0.5       0.5
    tail         1        2       0.0       0.0
    """
    grouped = labels.assign(right=labels["support"] * labels["recall"]).groupby(
        frequency_groups(labels["support"]).rename("group"), observed=True
    )
    sums = grouped[["support", "predicted", "right"]].sum()
    return pd.DataFrame(
        {
            "labels": grouped.size(),
            "support": sums["support"],
            "micro_f1": ratio(2 * sums["right"], sums["support"] + sums["predicted"], 0.0),
            "macro_f1": grouped["f1"].mean(),
        }
    )
