"""A table in the columns of another: matched by name, categories by their values, what is absent or new said."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Sequence
from dataclasses import replace
from typing import TypeVar

import numpy as np
from scipy import sparse

from trellislib.data.dataset import DataError
from trellislib.data.reading.amounts import amounts, says_nothing
from trellislib.data.reading.notation import POINT, number
from trellislib.data.tables.columns import Columns, recoded, with_columns
from trellislib.data.tables.features import UNKNOWN, FeatureColumns
from trellislib.data.tables.label_values import place_among
from trellislib.wording import agreed, counted, quoted, quoted_names

T = TypeVar("T", bound=Columns)

_NAMED_BY_POSITION = re.compile(r"(?:feature|label|column) \d+")


def by_name(
    table: Columns, columns: Sequence[str], of: str, expected: Collection[str] = ()
) -> tuple[list[int], list[str]]:
    """Return where some columns stand in a table, and what to say of their order and of columns that are not wanted.

    Raises `DataError` if one is not there.

    - `of`: The name of the file that has these columns.
    - `expected`: Columns that are no news.

    Examples
    --------
    >>> by_name(Columns("new.csv", ("b", "id", "a"), (None,) * 3, np.eye(3)), ["a", "b"], "old.csv")[0]
    [2, 0]
    """
    position = {name: j for j, name in enumerate(table.columns)}
    for name in columns:
        if name not in position:
            raise DataError(
                f"{table.name}: there is no column {quoted(name)}, which {of} has{table.nearest(name)}; "
                "add the column, its cells empty where nobody knows them.",
                [of, table.name],
            )
    notes = []
    known = {*columns, *expected}
    extra = [name for name in table.columns if name not in known]
    if extra:
        column, are, were = agreed(len(extra), ("Column", "is", "was"), ("Columns", "are", "were"))
        notes.append(f"{column} {quoted_names(extra)} of {table.name} {are} not in {of} and {were} left out.")
    order = [position[name] for name in columns]
    if order != sorted(order):
        notes.append(f"The columns of {table.name} stand in another order and were matched by name.")
    return order, notes


def with_zeros(table: T, names: Sequence[str], of: str) -> tuple[T, str]:
    """Return a table with more columns at its end, 0 in every row, and a note that says so; `of` is who has them."""
    none = sparse.csr_array((table.n_rows, len(names)))
    wider = replace(
        table,
        columns=(*table.columns, *names),
        categories=(*table.categories, *[None] * len(names)),
        cells=sparse.hstack([sparse.csr_array(table.cells), none], format="csr"),
    )
    return wider, f"{counted(len(names), 'column')} of {of} {agreed(len(names), 'is', 'are')} 0 in {table.name}."


def never_named(table: Columns, names: Iterable[str]) -> list[str]:
    """Return the columns that a sparse table lacks since it never names them, as svmlight: they are 0."""
    present = set(table.columns) if table.is_sparse else set()
    return [name for name in names if table.is_sparse and name not in present and _NAMED_BY_POSITION.fullmatch(name)]


def as_fitted(table: Columns, fitted: FeatureColumns, of: str) -> tuple[Columns, list[str]]:
    """Return a table whose columns hold what `fitted` takes, and what was done for that.

    Categories are found by their values. One that is new is 0 in all columns of its feature, or missing where a
    feature has a single column.

    Raises `DataError` if a cell is no number where numbers were.

    - `of`: The name of the file that `fitted` is of.
    """
    changed: dict[int, np.ndarray] = {}
    categories = list(table.categories)
    notes = []
    for name, wanted in zip(fitted.columns, fitted.categories, strict=True):
        j = table.find(name)
        if name in fitted.words or name in fitted.dates:
            if categories[j] is None:
                categories[j], changed[j] = table.named(j)
        elif categories[j] != wanted:
            if wanted is None:
                changed[j] = _as_numbers(table, j, of)
            else:
                changed[j], unknown = _as_categories(table, j, wanted)
                notes += [_unknown_note(table, j, unknown, of, len(wanted))] if unknown else []
            categories[j] = wanted
    if changed:
        cells = with_columns(table.cells, changed)
        table = Columns(table.name, table.columns, tuple(categories), cells, n_before=table.n_before)
    return table, notes


def _as_numbers(table: Columns, j: int, of: str) -> np.ndarray:
    """Return the cells of a categorical column as numbers."""
    names, index = table.named(j)
    read = amounts(names, POINT)
    values = [np.nan if says_nothing(name) else number(name, POINT) for name in names] if read is None else read
    wrong = [value is None for value in values]
    for row in np.flatnonzero(recoded(index, wrong) == 1)[:1]:
        cell, column = quoted(names[int(index[row])]), quoted(table.columns[j])
        raise DataError(
            f"{table.name}: row {table.n_before + row + 1:,}: column {column} holds {cell}, where {of} has numbers; "
            "write a number with a decimal point, or empty the cell."
        )
    return recoded(index, [np.nan if value is None else value for value in values])


def _as_categories(table: Columns, j: int, wanted: Sequence[str]) -> tuple[np.ndarray, dict[str, int]]:
    """Return the cells of a column as indices into `wanted`, and how many cells hold each value that is none of it."""
    names, index = table.named(j)
    places = list(map(place_among(wanted), names))
    counts = np.bincount(index[~np.isnan(index)].astype(int), minlength=len(names))
    unknown = {name: int(n) for name, place, n in zip(names, places, counts, strict=True) if place is None and n}
    absent = UNKNOWN if len(wanted) > 2 else np.nan
    return recoded(index, [absent if place is None else place for place in places]), unknown


def _unknown_note(table: Columns, j: int, unknown: dict[str, int], of: str, n_values: int) -> str:
    n = sum(unknown.values())
    cells, hold, count = agreed(n, ("cell", "holds", "counts"), ("cells", "hold", "count"))
    values = agreed(len(unknown), "a value", "values")
    counted_as = "as none of its categories" if n_values > 2 else "as missing"
    return (
        f"Column {quoted(table.columns[j])}: {n:,} {cells} {hold} {values} that {of} does not have "
        f"({quoted_names(list(unknown))}) and {count} {counted_as}."
    )
