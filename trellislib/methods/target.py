"""Labels as a user gives them: their names, and the values that are missing."""

from __future__ import annotations

import numpy as np
import pandas as pd
from scipy import sparse


def label_names(y: object) -> np.ndarray | None:
    """Return the names of the labels, where `y` has some."""
    if isinstance(y, pd.DataFrame):
        return np.asarray(y.columns, dtype=object)
    if isinstance(y, pd.Series) and y.name is not None:
        return np.array([y.name], dtype=object)
    return None


def refuse_missing(y: object, names: np.ndarray | None) -> None:
    """Raise a ValueError that names the first missing label value, if there is one."""
    if sparse.issparse(y):
        found = sparse.coo_array(y)
        missing = pd.isna(found.data)
        cells = np.column_stack([found.row, found.col])[missing]
    else:
        try:
            values = np.asarray(y)
        except ValueError:
            return  # rows of unlike lengths, which the validation names
        cells = np.argwhere(pd.isna(values))
    if len(cells):
        instance, label = cells[0][0], cells[0][1] if cells.shape[1] > 1 else 0
        name = label if names is None else repr(names[label])
        others = f" and {len(cells) - 1} more missing label values" if len(cells) > 1 else ""
        raise ValueError(
            f"Got NaN as the value of label {name} in instance {instance}{others}: leave such instances out, or give "
            "the values."
        )
