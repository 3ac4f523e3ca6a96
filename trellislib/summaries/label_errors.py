"""Sentences on labels that look wrong."""

from __future__ import annotations

import pandas as pd

from trellislib.data.dataset import Dataset
from trellislib.inspection.label_errors import MOST
from trellislib.wording import agreed


def looking_wrong(suspicious: pd.DataFrame) -> pd.DataFrame:
    """Return the rows of `trellislib.inspection.suspicious_labels` that are counted as labels that look wrong.

    Another value is more probable, and at least as probable as on average in rows that have it.
    """
    return suspicious[suspicious["confident"] & (suspicious["margin"] < 0)]


def about_label_errors(suspicious: pd.DataFrame, dataset: Dataset, most: int = MOST) -> str:
    """Return how many labels look wrong, and of which label most of them are.

    Parameters
    ----------
    suspicious : DataFrame
        Of `trellislib.inspection.suspicious_labels`.
    dataset : Dataset
        The data.
    most : int, default=5000
        How many were listed at most.

    Returns
    -------
    str

    Examples
    --------
    >>> from trellislib.data import simulate_label_dag
    >>> from trellislib.inspection import suspicious_labels
    >>> data = simulate_label_dag(n_instances=150, n_labels=4, random_state=0)
    >>> about_label_errors(suspicious_labels(data), data)
    "46 of 600 labels look wrong, given the features and the row's other labels. y1 has the most (26)."
    """
    sure = looking_wrong(suspicious)
    n_cells = dataset.n_instances * dataset.n_labels
    if sure.empty:
        return f"None of {n_cells:,} labels clearly looks wrong, given the features and the row's other labels."
    at_least = "At least " * (len(suspicious) >= most)
    counts = sure["label"].value_counts(sort=False).sort_values(ascending=False, kind="stable")
    where = f" {counts.index[0]} has the most ({counts.iloc[0]:,})." if len(counts) > 1 else ""
    return (
        f"{at_least}{len(sure):,} of {n_cells:,} labels {agreed(len(sure), 'looks', 'look')} wrong, given the features "
        f"and the row's other labels.{where}"
    )


def about_suspicious(one: pd.Series) -> str:
    """Return why a label looks wrong.

    Parameters
    ----------
    one : Series
        A row of `trellislib.inspection.suspicious_labels`.

    Returns
    -------
    str

    Examples
    --------
    >>> about_suspicious(pd.Series({"name": 7, "label": "sea", "given": "1", "by_labels": 0.0123, "by_features": 0.2}))
    'The least probable label is sea = 1 in row 7. Its probability is 0.012, and 0.2 given the features alone.'
    """
    return (
        f"The least probable label is {one['label']} = {one['given']} in row {one['name']}. Its probability is "
        f"{one['by_labels']:.2g}, and {one['by_features']:.2g} given the features alone."
    )
