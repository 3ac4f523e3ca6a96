"""What charts of a data set's labels show, in one sentence each."""

from __future__ import annotations

from trellislib.data.statistics import Statistics
from trellislib.wording import agreed, counted, percent


def about_frequencies(statistics: Statistics, *, is_multilabel: bool = True) -> str:
    """Return in what share of the instances the most and the least frequent label are relevant.

    Parameters
    ----------
    statistics : Statistics
        Of the data set.
    is_multilabel : bool, default=True
        False where labels have more than two values: what counts then is to differ from the first.

    Examples
    --------
    >>> import numpy as np
    >>> from trellislib.data import Dataset
    >>> Y = np.array([[1, 0], [1, 0], [1, 1], [0, 0]])
    >>> data = Dataset(np.zeros((4, 1)), Y, ("x",), ("sky", "sea"), (("0", "1"),) * 2, name="made")
    >>> about_frequencies(data.statistics())
    'sky is relevant in 75% of the instances, sea in 25%.'
    """
    ordered = statistics.frequencies.sort_values(ascending=False, kind="stable")
    most, least = ordered.index[0], ordered.index[-1]
    is_so = "is relevant" if is_multilabel else "differs from its first value"
    reached = f"{most} {is_so} in {_percent(ordered[most])} of the instances"
    if len(ordered) == 1:
        return f"{reached}."
    if ordered[most] == ordered[least]:
        return f"Each label {is_so} in {_percent(ordered[most])} of the instances."
    return f"{reached}, {least} in {_percent(ordered[least])}."


def about_labels_per_instance(statistics: Statistics, *, is_multilabel: bool = True) -> str:
    """Return how many labels most instances have, and between which numbers all of them lie.

    Parameters
    ----------
    statistics : Statistics
        Of the data set.
    is_multilabel : bool, default=True
        False where labels have more than two values: an instance has those that differ from their first then.

    Examples
    --------
    >>> import numpy as np
    >>> from trellislib.data import Dataset
    >>> Y = np.array([[1, 0], [1, 0], [1, 1], [0, 0]])
    >>> data = Dataset(np.zeros((4, 1)), Y, ("x",), ("sky", "sea"), (("0", "1"),) * 2, name="made")
    >>> about_labels_per_instance(data.statistics())
    'An instance most often has 1 label (50%). The range is from 0 to 2, and 1 instance has none.'
    """
    counts = statistics.labels_per_instance[lambda instances: instances > 0]
    mode = int(counts.idxmax())
    of_these = counted(mode, "label")
    if not is_multilabel:
        of_these += f" not of {agreed(mode, 'its', 'their')} first value"
    if len(counts) == 1:
        return f"Every instance has {of_these}."
    often = f"An instance most often has {of_these} ({_percent(counts[mode] / counts.sum())})"
    none = statistics.n_unlabelled
    without = f", and {counted(none, 'instance')} {agreed(none, 'has', 'have')} none" if none else ""
    return f"{often}. The range is from {counts.index.min()} to {counts.index.max()}{without}."


def _percent(share: float) -> str:
    """Return a share as a percentage of two digits, but never rounded to none or all."""
    return percent(share, 0 if share >= 0.0995 or share == 0 else 1)
