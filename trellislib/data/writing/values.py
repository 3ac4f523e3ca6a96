"""What the values of labels are called in a file, so that the reader takes the same one of two for the relevant one."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from trellislib.data.dataset import Dataset
from trellislib.data.tables.label_values import nominal_coding


def with_sure_values(data: Dataset, *, keeps_order: bool) -> Dataset:
    """Return a data set whose labels of one or two values read back with the same codes.

    The values of a label of which that is not sure become 0 and 1: those that stand against the usual order, such as
    yes/no with "no" relevant, and in a form that does not keep their order all that do not say which is relevant.

    - `keeps_order`: Whether the form says which value is the first.

    Examples
    --------
    >>> values = (("no", "yes"), ("yes", "no"), ("grey", "blue"))
    >>> data = Dataset(np.eye(2), np.eye(2, 3, dtype=int), ("x", "z"), ("a", "b", "c"), values)
    >>> with_sure_values(data, keeps_order=True).label_values
    (('no', 'yes'), ('0', '1'), ('grey', 'blue'))
    >>> with_sure_values(data, keeps_order=False).label_values
    (('no', 'yes'), ('0', '1'), ('0', '1'))
    """
    return replace(data, label_values=tuple(_sure(values, keeps_order) for values in data.label_values))


def _sure(values: tuple[str, ...], keeps_order: bool) -> tuple[str, ...]:
    n = len(values)
    if n > 2:
        return values
    coding = nominal_coding(values, "")
    reads_back = coding.codes(np.arange(n, dtype=float)).tolist() == list(range(n))
    return values if reads_back and (keeps_order or not coding.is_guess) else ("0", "1")[:n]
