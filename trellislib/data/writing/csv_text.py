"""Tables as CSV that no spreadsheet takes for formulas: every table that the library or the dashboard saves."""

from __future__ import annotations

import re

import pandas as pd

from trellislib.data.spreadsheet import neutralised

_CARRIAGE_RETURN = re.compile("\r\n?")


def csv_text(table: pd.DataFrame, *, index: bool = True, header: bool = True) -> str:
    """Return a table as CSV in which texts and names that look like formulas have an apostrophe before them.

    Numbers, and whatever else is no text, are as `DataFrame.to_csv` writes them. Lines within a text end in a newline.

    Parameters
    ----------
    table : DataFrame
        The table, which is not changed.
    index : bool, default=True
        Whether the names of the rows are the first columns.
    header : bool, default=True
        Whether the names of the columns are the first line.

    Examples
    --------
    >>> table = pd.DataFrame({"score": [-0.5], "note": ["=1+1"]}, index=pd.Index(["@method"], name="of"))
    >>> print(csv_text(table), end="")
    of,score,note
    '@method,-0.5,'=1+1
    """
    return without_formulas(table).to_csv(index=index, header=header)


def without_formulas(table: pd.DataFrame) -> pd.DataFrame:
    """Return a table in which texts and names that look like formulas have an apostrophe before them."""
    safe = table.copy(deep=False)
    for j, dtype in enumerate(table.dtypes):
        if not isinstance(dtype, pd.CategoricalDtype) and pd.api.types.is_numeric_dtype(dtype):
            continue
        safe.isetitem(j, table.iloc[:, j].astype(object).map(_cell))
    safe.index, safe.columns = _labels(table.index), _labels(table.columns)
    return safe


def _labels(labels: pd.Index) -> pd.Index:
    """Return the names of rows or columns, and what these are called, as they are written."""
    names = [_cell(name) for name in labels.names]
    if not isinstance(labels, pd.MultiIndex):
        return labels.map(_cell).rename(names[0])
    levels = [labels.get_level_values(i).map(_cell) for i in range(labels.nlevels)]
    return pd.MultiIndex.from_arrays(levels, names=names)


def _cell(cell: object) -> object:
    if not isinstance(cell, str):
        return cell
    return neutralised(_CARRIAGE_RETURN.sub("\n", cell))  # which is not put in quotes, and would start a row of its own
