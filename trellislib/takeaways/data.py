"""What a data set is like, in one sentence."""

from __future__ import annotations

import numpy as np

from trellislib.data.dataset import Dataset, Statistics
from trellislib.takeaways.words import number_of


def about_data(data: Dataset, statistics: Statistics) -> str:
    """Say how large a data set is, how many labels an instance has, and how unequal the labels are."""
    size = (
        f"{data.name} has {number_of(data.n_instances, 'instance')}, {number_of(data.n_features, 'feature')} and "
        f"{number_of(data.n_labels, 'label')}"
    )
    if data.n_labels == 1:
        return size + "; with a single label there is no dependence to see."
    frequent, rare = statistics.frequencies.idxmax(), statistics.imbalance.idxmax()
    mean = f"; an instance has {statistics.label_cardinality:.3g} of them on average"
    if not data.is_multilabel:
        mean = f"; on average {statistics.label_cardinality:.3g} of them differ from their first value"
    ratio = statistics.imbalance[rare]
    if np.isinf(ratio):
        return f"{size}{mean}, and {rare} is never relevant."
    if ratio == 1:
        return f"{size}{mean}, and all are equally frequent."
    return f"{size}{mean}, and {rare} is {ratio:.3g} times rarer than {frequent}."
