"""pandas frames as tables."""

from __future__ import annotations

import datetime
import json
from collections.abc import Sequence
from dataclasses import replace
from decimal import Decimal
from numbers import Real
from typing import Any, NamedTuple

import numpy as np
import pandas as pd
from scipy import sparse

from trellislib.data.dataset import DataError, Dataset
from trellislib.data.reading.cells import Cells, as_text, read_cells
from trellislib.data.reading.choice import choose_labels
from trellislib.data.reading.header import column_names
from trellislib.data.reading.kinds import identifying
from trellislib.data.reading.notation import MOST_EXACT
from trellislib.data.tables.columns import DATES
from trellislib.data.tables.table import Table
from trellislib.typing import Matrix
from trellislib.wording import agreed, counted, quoted, quoted_names

_SHOWN = 60  # characters of a list
_LISTS = (list, tuple, set, frozenset, np.ndarray)
_SCALARS = (str, bool, np.bool_, Real, Decimal, datetime.date, datetime.time, datetime.timedelta, pd.Interval)

Categories = tuple[str, ...] | None


def from_frame(
    frame: pd.DataFrame, labels: str | int | Sequence[str] | None = None, name: str = "data", **choices: Any
) -> Dataset:
    """Return the data set in a pandas frame.

    Parameters
    ----------
    frame : DataFrame
        A row for each instance; columns of numbers, booleans, texts or categories.
    labels : str, int or sequence of str
        Which columns are labels: their names; or a number, for the first so many columns or, if negative, the last.
    name : str
        What to call the data set.
    **choices
        How the table becomes a data set, as `trellislib.data.Table.to_dataset` takes it: `relevant`, `missing_labels`,
        `text`, `leave_out`, `kinds`, `groups`, `weights`,
        `drop_constant`.

    Returns
    -------
    Dataset
        Sparse where all columns of the frame are.

    Raises
    ------
    DataError
        If a column cannot be used, or nothing says which columns are labels.

    Examples
    --------
    >>> frame = pd.DataFrame({"x": [0.5, 0.1], "hue": ["red", "blue"], "sunny": [True, False]})
    >>> data = from_frame(frame, labels="sunny")
    >>> data.feature_names, data.X.tolist(), data.Y.tolist()
    (('x', 'hue'), [[0.5, 1.0], [0.1, 0.0]], [[1], [0]])
    """
    table = frame_table(frame, name)
    return table.to_dataset(choose_labels(table, [labels] if isinstance(labels, str) else labels), **choices)


def frame_table(frame: pd.DataFrame, name: str = "data") -> Table:
    """Return a pandas frame as a table.

    Numbers stay numbers; booleans and categories are categories, the latter in their declared order. Texts are read by
    the rules of CSV files. Lists become one text each, as JSON writes it, which `Table.split` takes apart. Dates and
    times are columns that cannot be used. Sparse where all columns are, with 0 left out. Raises `DataError` if a column
    holds something else; the message names it.

    - `frame`: Its index is not read.

    Examples
    --------
    >>> table = frame_table(pd.DataFrame({"x": ["1.5", None], "tags": [["sea", "sky"], ["sky"]]}))
    >>> table.cells.tolist(), table.categories
    ([[1.5, 0.0], [nan, 1.0]], (None, ('["sea", "sky"]', '["sky"]')))
    """
    if 0 in frame.shape:
        raise DataError(f"{name}: there are no {'rows' if len(frame.columns) else 'columns'}.")
    columns, notes = column_names([_title(label) for label in frame.columns])
    if not isinstance(frame.index, pd.RangeIndex):
        notes = (*notes, "The index of the frame, which is no column, was left out.")
    if _leaves_zeros_out(frame):
        csr = sparse.csr_array(frame.sparse.to_coo(), dtype=float)
        read = Cells(csr, (None,) * len(columns), {}, decimal_comma=False, notes=())
    else:
        read = _read(frame, columns, name)
    refuse_infinite(read.cells, columns, name)
    size = f"{counted(len(frame), 'row')} of {counted(len(columns), 'column')}"
    return Table(
        name=name,
        columns=columns,
        categories=read.categories,
        cells=read.cells,
        provenance=(f"Read from a pandas frame{read.numbers_note}: {size}.",),
        notes=(*notes, *read.notes),
        unusable=read.unusable,
    )


def _read(frame: pd.DataFrame, columns: Sequence[str], name: str) -> Cells:
    """Read the columns, those of texts together: how one writes its numbers tells how the others may."""
    cells = np.empty(frame.shape)
    categories: list[Categories] = [None] * len(columns)
    unusable: dict[str, str] = {}
    texts: dict[int, _Texts] = {}
    for j, column in enumerate(columns):
        series = frame.iloc[:, j]
        typed = _typed(series)
        if typed is None:
            texts[j] = _texts(series, f"{name}: column {quoted(column)}")
            continue
        cells[:, j], categories[j] = typed
        if _is_of_time(series.dtype):
            unusable[column] = DATES
    unusable |= identifying(columns, [() if j in texts else categories[j] for j in range(len(columns))], cells)
    if not texts:
        return Cells(cells, tuple(categories), unusable, decimal_comma=False, notes=())
    read = _read_texts(list(texts.values()), [columns[j] for j in texts], name)
    cells[:, list(texts)] = read.cells
    for j, of_column in zip(texts, read.categories, strict=True):
        categories[j] = of_column
    return replace(read, cells=cells, categories=tuple(categories), unusable=unusable | read.unusable)


def _read_texts(texts: Sequence[_Texts], columns: Sequence[str], name: str) -> Cells:
    """Read the columns of texts, and note what was done with lists and with texts that are numbers."""
    read = read_cells(
        columns,
        lambda: enumerate(map(list, zip(*(column.texts for column in texts), strict=True)), 1),
        lambda cause, row: DataError(f"{name}: row {row}: {cause}."),
        named=[j for j, column in enumerate(texts) if column.are_lists],
    )
    notes = [
        f"Column {quoted(title)} holds lists, as texts such as {quoted(max(column.texts, key=len)[:_SHOWN])}."
        for title, column in zip(columns, texts, strict=True)
        if column.are_lists
    ]
    numeric = [
        title
        for title, column, values in zip(columns, texts, read.categories, strict=True)
        if column.only_texts and values is None
    ]
    if numeric:
        columns_hold = agreed(len(numeric), ("Column", "holds"), ("Columns", "hold"))
        notes.append(
            f"{columns_hold[0]} {quoted_names(numeric)} {columns_hold[1]} texts that were all read as numbers."
        )
    return replace(read, notes=(*read.notes, *notes))


def _typed(series: pd.Series) -> tuple[np.ndarray, Categories] | None:
    """Return the cells and categories of a column whose type says what it holds; None where it does not."""
    dtype = series.dtype
    if isinstance(dtype, pd.CategoricalDtype):
        names = tuple(map(str, dtype.categories))
        codes = series.cat.codes.to_numpy(dtype=float)
        return (np.where(codes < 0, np.nan, codes), names) if len(set(names)) == len(names) else None
    if isinstance(dtype, pd.SparseDtype):
        series = series.sparse.to_dense()
    if pd.api.types.is_complex_dtype(series.dtype):
        return None
    if pd.api.types.is_bool_dtype(series.dtype):
        return series.to_numpy(dtype=float, na_value=np.nan), ("False", "True")
    if pd.api.types.is_numeric_dtype(series.dtype):
        if pd.api.types.is_integer_dtype(series.dtype) and not series.dropna().between(-MOST_EXACT, MOST_EXACT).all():
            return None  # as texts, they lose no digits
        return series.to_numpy(dtype=float, na_value=np.nan), None
    if pd.api.types.is_timedelta64_dtype(series.dtype):
        return series.dt.total_seconds().to_numpy(dtype=float) / 3600, None
    if _is_of_time(series.dtype):
        codes, times = pd.factorize(series, sort=True)
        return np.where(codes < 0, np.nan, codes), tuple(map(str, times))
    return None


def _is_of_time(dtype: Any) -> bool:
    return isinstance(dtype, pd.PeriodDtype) or pd.api.types.is_datetime64_any_dtype(dtype)


class _Texts(NamedTuple):
    """The cells of a column as texts.

    Attributes
    ----------
    texts : list of str
        One for each row.
    only_texts : bool
        Whether they were texts before.
    are_lists : bool
        Whether they were lists.
    """

    texts: list[str]
    only_texts: bool
    are_lists: bool = False


def _texts(series: pd.Series, column: str) -> _Texts:
    """Return the cells of a column as texts; `column` is how messages start."""
    values = series.tolist()
    if not any(isinstance(value, _LISTS) for value in values):
        texts = [_text(value, column, row) for row, value in enumerate(values, 1)]
        return _Texts(texts, only_texts=pd.api.types.infer_dtype(series) == "string")
    lists = [
        [
            text
            for item in (value if isinstance(value, _LISTS) else [value])
            if (text := _text(item, column, row).strip())
        ]
        for row, value in enumerate(values, 1)
    ]
    texts = [json.dumps(items, ensure_ascii=False) if items else "" for items in lists]
    return _Texts(texts, only_texts=False, are_lists=True)


def _text(value: Any, column: str, row: int) -> str:
    """Return a cell as a text; an empty one where it is missing."""
    if value is None or value is pd.NA or value is pd.NaT:
        return ""
    if not isinstance(value, _SCALARS):
        kind = type(value).__name__
        raise DataError(
            f"{column} holds {'an' if kind[0] in 'aeiou' else 'a'} {kind} in row {row}; leave it out, or turn it into "
            "numbers or texts."
        )
    return "" if value != value else as_text(value)  # only NaN is not itself


def _title(label: Any) -> str:
    """Return the name of a column as a text."""
    return " / ".join(map(str, label)) if isinstance(label, tuple) else str(label)


def _leaves_zeros_out(frame: pd.DataFrame) -> bool:
    """Whether all columns are sparse ones of numbers."""
    return all(
        isinstance(dtype, pd.SparseDtype) and dtype.fill_value == 0 and dtype.subtype.kind in "biuf"
        for dtype in frame.dtypes
    )


def refuse_infinite(cells: Matrix, columns: Sequence[str], name: str) -> None:
    """Refuse cells of which one is infinite."""
    if np.isinf(cells.data if sparse.issparse(cells) else cells).any():
        stored = sparse.coo_array(cells)
        row, j = (axis[np.argmax(np.isinf(stored.data))] for axis in stored.coords)
        raise DataError(
            f"{name}: row {row + 1}: column {quoted(columns[j])} holds an infinite number; leave it missing."
        )
