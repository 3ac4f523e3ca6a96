"""Data as a user gives them: names of labels, values that are missing, and texts where numbers are expected."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

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
        missing = pd.isna(values)
        cells = np.argwhere(missing) if np.any(missing) else ()  # of many labels, looking for the cells takes longer
    if len(cells):
        instance, label = cells[0][0], cells[0][1] if cells.shape[1] > 1 else 0
        name = label if names is None else repr(names[label])
        others = f" and {len(cells) - 1} more missing label values" if len(cells) > 1 else ""
        raise ValueError(
            f"Got NaN as the value of label {name} in instance {instance}{others}: leave such instances out, or give "
            "the values."
        )


@contextmanager
def texts_named(X: object, method: object) -> Iterator[None]:
    """Have the error of a frame that holds texts name the first of them, and that of gaps say what to do."""
    try:
        yield
    except ValueError as error:
        for name, column in X.items() if isinstance(X, pd.DataFrame) else ():
            if pd.api.types.is_numeric_dtype(column):
                continue
            is_text = pd.to_numeric(column, errors="coerce").isna() & column.notna()
            if is_text.any():
                row = int(is_text.to_numpy().argmax())
                raise ValueError(
                    f"Got {column.iloc[row]!r} in column {name!r} (row {row}), but expected numbers: put what makes "
                    f"numbers of columns before the method, as in make_pipeline(ColumnTransformer(...), "
                    f"{type(method).__name__}()), or give the frame to trellislib.data.from_frame."
                ) from error
        if "contains NaN" in str(error):
            raise ValueError(
                "Got an X that contains NaN (missing cells), which the base learner does not take: fill them, as in "
                f"make_pipeline(SimpleImputer(), {type(method).__name__}()), or choose a base learner that takes them."
            ) from error
        raise
