"""What a data set is like, in one sentence."""

from __future__ import annotations

from trellislib.data.dataset import Dataset
from trellislib.data.statistics import Statistics
from trellislib.wording import amount, counted


def about_data(data: Dataset, statistics: Statistics) -> str:
    """Return how large a data set is, how many labels an instance has, and how unequal the labels are."""
    incomplete = f" (and {counted(data.n_incomplete, 'instance')} partially labelled)" if data.n_incomplete else ""
    size = (
        f"{data.name} has {counted(data.n_instances, 'instance')}{incomplete}, "
        f"{counted(data.n_features, 'feature')} and {counted(data.n_labels, 'label')}"
    )
    if data.n_labels == 1:
        return size + "; with a single label there is no dependence to see."
    frequent, rare = statistics.frequencies.idxmax(), statistics.imbalance.idxmax()
    mean = f"; an instance has {amount(statistics.label_cardinality)} of them on average"
    if not data.is_multilabel:
        mean = f"; on average {amount(statistics.label_cardinality)} of them differ from their first value"
    if statistics.frequencies[rare] == 0:
        never = "is never relevant" if data.is_multilabel else "never differs from it"
        return f"{size}{mean}, and {rare} {never}."
    ratio = statistics.imbalance[rare]
    if amount(ratio) == "1":
        return f"{size}{mean}, and all are {'' if ratio == 1 else 'about '}equally frequent."
    return f"{size}{mean}, and {rare} is {amount(ratio)} times rarer than {frequent}."
