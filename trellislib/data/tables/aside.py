"""Columns that are neither features nor labels but say something of each row: what it is about, how much it counts."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence

import numpy as np
import pandas as pd

from trellislib.data.dataset import DataError
from trellislib.data.tables.columns import Columns
from trellislib.wording import agreed, counted, quoted

GROUP = re.compile(
    r"(?:.*[\W_])?(?:id|group|subject|patient|person|user|author|specimen|site|film|movie|session|batch|family)(?:[\W_]?id)?",
    re.IGNORECASE,
)
"""What columns are called that may group rows."""

FEWEST_GROUPS = 3
_MOST_GROUPS = 0.9  # of the rows: others hardly repeat
_PURPOSES = {"groups": "to group rows by", "weights": "to weigh rows by"}


def positions_aside(table: Columns, labels: Sequence[str], groups: str | None, weights: str | None) -> dict[str, int]:
    """Return where the columns of groups and of weights stand, those that are asked for.

    Raises `DataError` if there is no such column, it is a label, or it is both.
    """
    asked = {role: name for role, name in (("groups", groups), ("weights", weights)) if name}
    found = {role: table.find(name, _PURPOSES[role]) for role, name in asked.items()}
    for role, j in found.items():
        if table.columns[j] in labels:
            raise DataError(f"{table.name}: {quoted(table.columns[j])} cannot be both a label and a column of {role}.")
    if len(set(found.values())) < len(found):
        raise DataError(f"{table.name}: {quoted(asked['groups'])} cannot both group and weigh rows.")
    return found


def groups_of(table: Columns, j: int | None) -> pd.Series | None:
    """Return what each row is about; a row of which nothing says that is a group of its own.

    Examples
    --------
    >>> groups_of(Columns("sky.csv", ("who",), (("ann", "bob"),), np.array([[1], [np.nan], [1]])), 0).tolist()
    ['bob', '(row 2)', 'bob']
    """
    if j is None:
        return None
    texts = table.texts(j)
    named = [f"(row {table.n_before + i})" if text is None else text for i, text in enumerate(texts, 1)]
    return pd.Series(named, name=table.columns[j], dtype=object)


def weights_of(table: Columns, j: int | None, kept: np.ndarray, complete: np.ndarray) -> pd.Series | None:
    """Return how much each row counts, 0 for those that are not kept.

    Raises `DataError` if a cell is no number from 0 on, or all are 0 of the rows that know every label.
    """
    if j is None:
        return None
    column = f"{table.name}: column {quoted(table.columns[j])}"
    if table.categories[j] is not None:
        raise DataError(f"{column} holds no numbers and cannot weigh rows; choose a column of numbers.")
    cells = np.where(kept, table.column(j), 0.0)
    for row in np.flatnonzero(~(cells >= 0))[:1]:
        cell = "no weight" if np.isnan(cells[row]) else f"the weight {cells[row]:g}"
        raise DataError(f"{column} has {cell} in row {table.n_before + row + 1:,}; give a number from 0 on.")
    if not cells[complete].any():
        which = "every row" if complete.all() else "every row that knows every label"
        raise DataError(f"{column} is 0 in {which}, so that no row counts.")
    return pd.Series(cells, name=table.columns[j], dtype=float)


def notes_aside(groups: pd.Series | None, weights: pd.Series | None, n_without: int) -> Iterator[str]:
    """Say what groups and weighs the rows, and how many of weight 0 were left out."""
    if groups is not None:
        low, high = (int(size) for size in groups.value_counts().agg(["min", "max"]))
        of = f"{counted(low, 'row')} each" if low == high else f"{low:,} to {counted(high, 'row')}"
        yield f"Column {quoted(str(groups.name))} groups the rows: {counted(groups.nunique(), 'group')} of {of}."
    if weights is not None:
        yield f"Column {quoted(str(weights.name))} weighs the rows, from {weights.min():g} to {weights.max():g}."
        if n_without:
            yield f"{counted(n_without, 'row')} of weight 0 {agreed(n_without, 'was', 'were')} left out."


def proposed_groups(table: Columns, names: Iterable[str]) -> Iterator[str]:
    """Yield a sentence on each of some columns that is called as what groups rows, and whose values repeat."""
    for name in names:
        j = table.find(name)
        n_groups = len(np.unique(cells := table.stored(j)[~np.isnan(table.stored(j))]))
        if is_repeated(name, n_groups, cells.size):
            yield repeats(name, n_groups, table.n_rows)


def is_repeated(name: str, n_groups: int, n_rows: int) -> bool:
    """Whether a column is called as what groups rows, and its values repeat."""
    return GROUP.fullmatch(name.strip()) is not None and FEWEST_GROUPS <= n_groups <= _MOST_GROUPS * n_rows


def repeats(name: str, n_groups: int, n_rows: int) -> str:
    """Return the sentence that proposes to group rows by a column.

    Examples
    --------
    >>> repeats("patient", 40, 200)
    "Column 'patient' repeats, with 40 values in 200 rows: if rows of one value belong together, choose it as groups, \
which folds never divide."
    """
    return (
        f"Column {quoted(name)} repeats, with {counted(n_groups, 'value')} in {counted(n_rows, 'row')}: if rows of one "
        "value belong together, choose it as groups, which folds never divide."
    )
