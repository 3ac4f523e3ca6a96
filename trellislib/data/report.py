"""What a person should know of a data set that was loaded: how it was read, what was changed, what looks odd."""

from __future__ import annotations

from dataclasses import dataclass

from trellislib.data.dataset import Dataset
from trellislib.data.oddities import oddities
from trellislib.data.roles import roles


@dataclass(frozen=True)
class Report:
    """Sentences about a data set.

    Attributes
    ----------
    read : tuple of str
        How it was read: form, encoding, what says which columns are labels.
    changed : tuple of str
        What was changed on the way: renamed, left out, coded, set aside.
    odd : tuple of str
        What looks odd and was left as it is.
    """

    read: tuple[str, ...]
    changed: tuple[str, ...]
    odd: tuple[str, ...]


def report(data: Dataset) -> Report:
    """Return what a person should know of a data set.

    Parameters
    ----------
    data : Dataset
        The data set, which is looked at in time proportional to its size.

    Returns
    -------
    Report
        Its provenance, its notes, and what `trellislib.data.oddities` and `trellislib.data.roles` find.

    Examples
    --------
    >>> import numpy as np
    >>> data = Dataset(
    ...     X=np.array([[0.5, 1], [0.1, 1], [0.3, 1]]),
    ...     Y=np.array([[1, 0], [0, 0], [1, 0]]),
    ...     feature_names=("wind", "planet"),
    ...     label_names=("sunny", "snow"),
    ...     label_values=(("0", "1"),) * 2,
    ...     provenance=("Read as CSV, UTF-8.",),
    ... )
    >>> for sentence in report(data).odd:
    ...     print(sentence)
    1 label is relevant in no row: 'snow'.
    1 row has all labels 0.
    1 feature is constant: 'planet'.
    """
    return Report(data.provenance, data.notes, (*oddities(data), *roles(data)))
