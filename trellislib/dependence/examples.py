"""Instances in which two labels meet, or one of them is without the other."""

from __future__ import annotations

import numpy as np
import pandas as pd
from scipy import sparse

from trellislib.data.dataset import Dataset

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
        their first value.

    Examples
    --------
    >>> Y = np.array([[0, 0, 1], [1, 1, 1], [1, 0, 0], [1, 1, 0], [1, 1, 1]])
    >>> data = Dataset(np.zeros((5, 1)), Y, ("x",), ("sun", "warm", "dry"), (("no", "yes"),) * 3)
    >>> pair_examples(data, 0, 1).reset_index().to_numpy().tolist()
    [[1, 'yes', 'yes', 'dry'], [3, 'yes', 'yes', ''], [2, 'yes', 'no', '']]
    """
    codes = data.Y[:, [one, other]]
    codes = codes.toarray() if sparse.issparse(codes) else np.asarray(codes)
    cells = np.unique(codes[codes.any(axis=1)], axis=0)[::-1][:n_cells]
    rows = np.concatenate(
        [np.flatnonzero((codes == cell).all(axis=1))[:per_cell] for cell in cells] or [np.zeros(0, dtype=int)]
    )
    some = data.Y[rows]
    some = some.toarray() if sparse.issparse(some) else np.asarray(some)
    also = [
        ", ".join(data.label_names[label] for label in np.flatnonzero(of_row) if label not in (one, other))
        for of_row in some
    ]
    values = [[data.label_values[label][code] for code in some[:, label]] for label in (one, other)]
    columns = [data.label_names[one], data.label_names[other], "also"]
    table = pd.DataFrame(dict(enumerate([*values, also])), index=pd.Index(rows, name="row"))
    return table.set_axis(columns, axis=1)
