"""Long tables: a line for each instance and label, which become a line for each instance."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np
import pandas as pd
from scipy import sparse

from trellislib.data.dataset import DataError
from trellislib.data.tables.columns import IDENTIFIERS, Columns, unique_names
from trellislib.data.tables.label_lists import is_called_list
from trellislib.data.tables.label_values import known_pair
from trellislib.wording import agreed, counted, listed, quoted, quoted_names

if TYPE_CHECKING:
    from trellislib.data.tables.table import Table

_LEAST_ROWS = 6
_MOST_COLUMNS = 200
_MOST_LABELS = 1000
_ID_NAMES = ("id", "key", "instance", "item", "document", "doc", "sample", "row", "image", "record", "case")


def proposed_long(table: Columns) -> tuple[str, ...]:
    """Guess whether a table has a line for each instance and label: which columns name these, and which says yes or no.

    The column of instances repeats and is called an id or the like, or stands first; that of labels is called label,
    tag or the like. No pair of the two occurs twice, and what else there is does not change within an instance, except
    for one column of yes and no, which says whether the instance has the label.

    The columns of instances and labels, and of yes and no if there is one; empty where nothing fits.

    Examples
    --------
    >>> cells = np.array([[0, 0], [0, 1], [1, 1], [2, 0], [2, 1], [3, 0]])
    >>> proposed_long(Columns("sky.csv", ("id", "label"), (None, ("sea", "sky")), cells))
    ('id', 'label')
    """
    n = len(table.columns)
    if table.is_sparse or not 2 <= n <= _MOST_COLUMNS or table.n_rows < _LEAST_ROWS:
        return ()
    labels = [j for j, name in enumerate(table.columns) if is_called_list(name)]
    for label in labels:
        for key in sorted(set(range(n)) - {label}, key=lambda j: (not _is_called_key(table.columns[j]), j)):
            if not (_is_called_key(table.columns[key]) or key == 0):
                continue
            found = _columns_of_pairs(table, key, label)
            if found is not None:
                return tuple(table.columns[j] for j in found)
    return ()


def _is_called_key(name: str) -> bool:
    words = name.strip().lower().replace("_", " ").replace("-", " ").split()
    return any(word in _ID_NAMES for word in words) or name.endswith(("Id", "ID"))


def _columns_of_pairs(table: Columns, key: int, label: int) -> list[int] | None:
    """Return the columns of instances, labels and of yes and no, if they fit; None where they do not."""
    cells = table.cells
    keys, names = cells[:, key], cells[:, label]
    if np.isnan(keys).any() or np.isnan(names).mean() > 1 / 2:
        return None
    n_keys, n_names = np.unique(keys).size, table.present(label).size
    if not 1 < n_keys <= 0.9 * table.n_rows or not 1 < n_names <= min(_MOST_LABELS, table.n_rows / 2):
        return None
    pairs = pd.DataFrame({"key": keys, "label": names})
    if pairs.duplicated().any():
        return None
    rest = [j for j in range(len(table.columns)) if j not in (key, label)]
    changing = [j for j in rest if _changes(keys, cells[:, j])]
    if not changing:
        return [key, label]
    if len(changing) == 1 and _says_yes(table, changing[0]):
        return [key, label, changing[0]]
    return None


def _changes(keys: np.ndarray, cells: np.ndarray) -> bool:
    """Whether the cells of one instance are several."""
    return bool((pd.Series(cells).groupby(keys).nunique(dropna=False) > 1).any())


def _says_yes(table: Columns, j: int) -> bool:
    values = table.categories[j]
    return known_pair(values) is not None if values is not None else set(table.present(j)) <= {0.0, 1.0, -1.0}


def per_instance(table: Table, key: str, label: str, value: str | None = None) -> Table:
    """Return a table with a row for each instance of one that has a line for each instance and label.

    - `key`: The column that says which instance a line is about.
    - `label`: The column that names a label; where it is missing, the line names none.
    - `value`: A column that says whether the instance has the label (1, true, yes); by default every line says so.

    The labels become columns of 0 and 1 at the end, and are declared. Of other columns, the first line of each
    instance counts, and a note says which differ in others.

    Examples
    --------
    >>> from trellislib.data import Table
    >>> cells = np.array([[7, 0.5, 0], [7, 0.5, 1], [9, 0.1, np.nan]])
    >>> table = per_instance(Table("sky.csv", ("id", "x", "label"), (None, None, ("sea", "sky")), cells), "id", "label")
    >>> table.columns, table.cells.tolist()
    (('id', 'x', 'sea', 'sky'), [[7.0, 0.5, 1.0, 1.0], [9.0, 0.1, 0.0, 0.0]])
    """
    chosen = [table.find(name, "of a long table") for name in (key, label, *([value] if value else []))]
    if len(set(chosen)) < len(chosen):
        raise DataError(f"{table.name}: the instances and the labels of a long table are two columns; name both.")
    cells = table.cells.toarray() if table.is_sparse else table.cells
    rows = np.flatnonzero(~np.isnan(cells[:, chosen[0]]))
    if not rows.size:
        raise DataError(f"{table.name}: column {quoted(key)} names no instance.")
    instance, _ = pd.factorize(cells[rows, chosen[0]])
    first = rows[np.unique(instance, return_index=True)[1]]
    names, index = table.named(chosen[1])
    has = ~np.isnan(index[rows])
    if value:
        has &= _yes(table, chosen[2])[rows]
    Y = sparse.csr_array(
        (np.ones(int(has.sum())), (instance[has], index[rows][has].astype(np.intp))), shape=(first.size, len(names))
    )
    Y.sum_duplicates()
    Y.data[:] = 1
    others = [j for j in range(len(table.columns)) if j not in chosen[1:]]
    columns, renamed = unique_names((*(table.columns[j] for j in others), *names))
    source = f"the lines of column {quoted(label)}"
    return replace(
        table,
        columns=columns,
        categories=(*(table.categories[j] for j in others), *[None] * len(names)),
        cells=np.hstack([cells[first][:, others], Y.toarray()]),
        labels=columns[len(others) :],
        labels_note="",
        labels_source=source,
        provenance=(
            *table.provenance,
            f"{counted(table.n_rows, 'line')}, one for each instance and label, became "
            f"{counted(first.size, 'row')}, one for each {quoted(key)}.",
        ),
        notes=(
            *table.notes,
            *renamed,
            *_long_notes(table, rows, instance, [j for j in others if j != chosen[0]]),
        ),
        unusable={key: IDENTIFIERS} | {name: what for name, what in table.unusable.items() if name != label},
        n_train=None,
    )


def _yes(table: Columns, j: int) -> np.ndarray:
    """Return which cells of a column say yes."""
    cells, values = table.column(j), table.categories[j]
    if values is None:
        return np.nan_to_num(cells) > 0
    pair = known_pair(values)
    if pair is None:
        raise DataError(
            f"{table.name}: column {quoted(table.columns[j])} has the values {quoted_names(values)}, but in a long "
            "table it must say yes or no."
        )
    yes = np.array([*(value.strip().lower() in (pair[1], "1.0") for value in values), False])
    return yes[np.nan_to_num(cells, nan=-1).astype(np.intp)]


def _long_notes(table: Columns, rows: np.ndarray, instance: np.ndarray, others: list[int]) -> Iterator[str]:
    n_without = table.n_rows - rows.size
    if n_without:
        names, were = agreed(n_without, ("names", "was"), ("name", "were"))
        yield f"{counted(n_without, 'line')} {names} no instance and {were} left out."
    differ = [quoted(table.columns[j]) for j in others if _changes(instance, table.column(j)[rows])]
    if differ:
        column, has = agreed(len(differ), ("Column", "has"), ("Columns", "have"))
        yield f"{column} {listed(differ, 4)} {has} several values for an instance, of which the first counts."
