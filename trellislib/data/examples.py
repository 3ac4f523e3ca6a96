"""Instances of labels: in which two of them meet or one is without the other, and which other labels they have."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pandas as pd

from trellislib.data.dataset import Dataset
from trellislib.labels.matrices import dense

PER_CELL = 2  # instances that are shown of each pair of values
CELLS = 6  # pairs of values that are shown


def pair_examples(
    data: Dataset, one: int, other: int, *, n_cells: int = CELLS, per_cell: int = PER_CELL
) -> pd.DataFrame:
    """Return the first instances of each pair of values of two labels, but for that of both first values.

    Parameters
    ----------
    data : Dataset
        The data.
    one, other : int
        The numbers of two labels.
    n_cells : int, default=6
        How many pairs of values at most, those of the highest codes first: of binary labels both, only `one`, only
        `other`.
    per_cell : int, default=2
        How many instances of each.

    Returns
    -------
    DataFrame of shape (n_rows, 3)
        By the number of the instance, from 0: the values of both labels, and ``also``, the other labels that are off
        their first value, as by `other_labels`.

    Raises
    ------
    ValueError
        If one of them is no label of these data.

    Examples
    --------
    >>> Y = np.array([[0, 0, 1], [1, 1, 1], [1, 0, 0], [1, 1, 0], [1, 1, 1]])
    >>> data = Dataset(np.zeros((5, 1)), Y, ("x",), ("sun", "warm", "dry"), (("no", "yes"),) * 3)
    >>> pair_examples(data, 0, 1).reset_index().to_numpy().tolist()
    [[1, 'yes', 'yes', 'dry'], [3, 'yes', 'yes', '(no other)'], [2, 'yes', 'no', '(no other)']]
    """
    require_label(data, one)
    require_label(data, other)
    codes = np.asarray(dense(data.Y[:, [one, other]]))
    cells = np.unique(codes[codes.any(axis=1)], axis=0)[::-1][:n_cells]
    rows = np.concatenate(
        [np.flatnonzero((codes == cell).all(axis=1))[:per_cell] for cell in cells] or [np.zeros(0, dtype=int)]
    )
    values = [
        [data.label_values[label][code] for code in codes[rows, place]] for place, label in enumerate((one, other))
    ]
    also = other_labels(data, rows, (one, other))
    columns = [data.label_names[one], data.label_names[other], "also"]
    table = pd.DataFrame(dict(enumerate([*values, also])), index=pd.Index(rows, name="row"))
    return table.set_axis(columns, axis=1)


def other_labels(data: Dataset, rows: np.ndarray, but: Sequence[int] = ()) -> list[str]:
    """Name the labels of some instances, with the value of those that have more than two; but for some labels.

    Parameters
    ----------
    data : Dataset
        The data.
    rows : ndarray of shape (n_rows,)
        The numbers of the instances.
    but : sequence of int, optional
        Labels that are not named.

    Returns
    -------
    list of str
        The labels of each that are off their first value; "(no other)" where there is none.

    Examples
    --------
    >>> values = (("no", "yes"), ("low", "mid", "high"), ("no", "yes"))
    >>> data = Dataset(np.zeros((2, 1)), np.array([[1, 2, 1], [1, 0, 0]]), ("x",), ("sun", "wind", "dry"), values)
    >>> other_labels(data, np.arange(2), but=[0])
    ['wind = high, dry', '(no other)']
    """

    def named(label: int, code: int) -> str:
        name, values = data.label_names[label], data.label_values[label]
        return name if len(values) <= 2 else f"{name} = {values[code]}"

    return [
        ", ".join(named(int(label), int(codes[label])) for label in np.flatnonzero(codes) if label not in but)
        or "(no other)"
        for codes in np.asarray(dense(data.Y[rows]))
    ]


def require_label(data: Dataset, label: int) -> None:
    """Raise a ValueError if it is no label of these data."""
    if not 0 <= label < data.n_labels:
        raise ValueError(f"{data.name}: got the label {label}, but expected one of 0 to {data.n_labels - 1}.")
