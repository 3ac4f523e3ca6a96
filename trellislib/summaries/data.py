"""What a data set is like, in a few sentences."""

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
        return f"{size}. A single label has no other to depend on."
    frequent, rare = statistics.frequencies.idxmax(), statistics.imbalance.idxmax()
    cardinality = amount(statistics.label_cardinality)
    labels = f"{cardinality} {'label' if cardinality == '1' else 'labels'}"
    mean = f"An instance has {labels} on average"
    if not data.is_multilabel:
        differ = "differs" if cardinality == "1" else "differ"
        mean = f"An instance has {labels} on average that {differ} from the first value"
    if statistics.frequencies[rare] == 0:
        never = "is never relevant" if data.is_multilabel else "always has its first value"
        return f"{size}. {mean}. {rare} {never}."
    ratio = statistics.imbalance[rare]
    if amount(ratio) == "1":
        return f"{size}. {mean}. All labels are {'' if ratio == 1 else 'about '}equally frequent."
    return f"{size}. {mean}. {rare} is {amount(ratio)} times rarer than {frequent}."
