"""Columns read as what a person says that they hold."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import TYPE_CHECKING, Literal, get_args

import numpy as np

from trellislib.data.dataset import DataError
from trellislib.data.reading.amounts import amounts
from trellislib.data.reading.notation import POINT, any_number
from trellislib.data.tables.columns import DATES, FREE_TEXT, recoded, with_columns
from trellislib.data.tables.dates import says_date
from trellislib.wording import agreed, grouped, quoted, quoted_names

if TYPE_CHECKING:
    from trellislib.data.tables.table import Table

Kind = Literal["numbers", "categories", "dates", "text"]
KINDS: tuple[Kind, ...] = get_args(Kind)
"""What a column may be said to hold."""
_HELD = {"text": FREE_TEXT, "dates": DATES}


def recast(table: Table, kinds: Mapping[str, Kind]) -> Table:
    """Return a table in which some columns hold what was said, whatever they were taken for.

    - `kinds`: For each column "numbers" (also amounts: ``$5``, ``12 kg``), "categories", "dates" or "text".

    Notes that are about one of these columns alone are gone with what they say.

    Raises `DataError` if there is no such column or kind, or a cell of a column of numbers or of dates says none.

    Examples
    --------
    >>> from trellislib.data import Table
    >>> table = Table("sky.csv", ("id", "sun"), (None, None), np.array([[3, 1], [5, 0]]))
    >>> recast(table, {"id": "categories"}).categories
    (('3', '5'), None)
    """
    unknown = sorted(set(kinds.values()) - {*KINDS})
    if unknown:
        raise DataError(f"{table.name}: no column can be read as {quoted(unknown[0])}; say {', '.join(KINDS)}.")
    named = [name for name, kind in kinds.items() if kind != "numbers"]
    for name in kinds:
        table.find(name, "to read in another way")
    table = table.nominal(named) if named else table
    categories, changed = list(table.categories), {}
    for j in (table.find(name) for name, kind in kinds.items() if kind == "numbers"):
        if table.categories[j] is not None:
            changed[j], categories[j] = _numbers(table, j), None
    for name in (name for name, kind in kinds.items() if kind == "dates"):
        _refuse_other_than_dates(table, name)
    unusable = {name: what for name, what in table.unusable.items() if name not in kinds}
    return replace(
        table,
        categories=tuple(categories),
        cells=with_columns(table.cells, changed),
        unusable=unusable | {name: _HELD[kind] for name, kind in kinds.items() if kind in _HELD},
        notes=(
            *table.notes_without(kinds),
            *(
                f"{agreed(len(names), 'Column', 'Columns')} {quoted_names(names)} {agreed(len(names), 'was', 'were')} "
                f"read as {kind}, as asked."
                for kind, names in grouped(kinds)
            ),
        ),
    )


def _numbers(table: Table, j: int) -> np.ndarray:
    """Return the cells of a categorical column as numbers."""
    names, index = table.named(j)
    read = amounts(names, POINT)
    meant = [any_number(name) for name in names] if read is None else read.tolist()
    wrong = next((name for name, value in zip(names, meant, strict=True) if value is None), None)
    if wrong is not None:
        raise DataError(
            f"{table.name}: column {quoted(table.columns[j])} holds {quoted(wrong)}, which is no number; correct it, "
            "or read the column as categories."
        )
    return recoded(index, np.array(meant, dtype=float))


def _refuse_other_than_dates(table: Table, name: str) -> None:
    wrong = next((text for text in table.categories[table.find(name)] or () if not says_date(text)), None)
    if wrong is not None:
        raise DataError(
            f"{table.name}: column {quoted(name)} holds {quoted(wrong)}, which is no date such as 2026-01-31 or "
            "31.1.2026 8:30; correct it, or read the column as categories."
        )
