"""Label columns that hold a mark or nothing, as ticked boxes do: nothing means that the label does not apply."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TypeVar

import numpy as np

from trellislib.data.tables.columns import Columns, with_columns
from trellislib.data.tables.label_values import known_pair
from trellislib.wording import agreed, quoted_names

T = TypeVar("T", bound=Columns)

_MARKS = frozenset(
    ["x", "xx", "*", "+", "true", "yes", "y", "t", "ja", "oui", "si", "sí", "sì", "sim", "da", "да", "是"]
)
_TICKS = frozenset(["x", "xx", "*", *"\u2713\u2714\u2611\u2705\u25cf\u2022\u221a\u2612\u2717\u2718\u00d7"])


def is_marked(table: Columns, j: int) -> bool:
    """Whether a column holds 1, a tick, a word for yes or its own name in some rows, and nothing in all others.

    Examples
    --------
    >>> table = Columns("sky.csv", ("sun", "rain"), (("x",), None), np.array([[0, np.nan], [np.nan, 1], [0, 0]]))
    >>> is_marked(table, 0), is_marked(table, 1)
    (True, False)
    """
    if table.is_sparse or not 0 < table.n_missing(j) < table.n_rows:
        return False
    values = table.categories[j]
    if values is None:
        return table.present(j).tolist() == [1.0]
    return len(values) == 1 and _means_yes(values[0], table.columns[j])


def _means_yes(value: str, column: str) -> bool:
    value, pair = value.strip().lower(), known_pair([value])
    return value in _TICKS or value == column.strip().lower() or (pair is not None and value == pair[1])


def with_marks(table: T, chosen: Sequence[int]) -> tuple[T, list[str]]:
    """Return a table in which labels that are marks or nothing are 1 and 0, and what to say of it.

    - `chosen`: The positions of the labels. Where nothing but marks and blanks is in one of them, but other labels say
      0 or no, a blank stays a missing cell.

    Examples
    --------
    >>> table = Columns("sky.csv", ("sun", "x"), (("x",), None), np.array([[0, 5], [np.nan, 6]]))
    >>> marked, notes = with_marks(table, [0])
    >>> marked.cells.tolist(), notes
    ([[1.0, 5.0], [0.0, 6.0]], ["Label 'sun' is a mark or nothing, and nothing was read as 0."])
    """
    marked = [j for j in chosen if is_marked(table, j)]
    if not marked or any(j not in marked and len(table.categories[j] or table.present(j)) > 1 for j in chosen):
        return table, []
    changed = {j: (~np.isnan(table.column(j))).astype(float) for j in marked}
    categories = tuple(None if j in changed else values for j, values in enumerate(table.categories))
    label, are = agreed(len(marked), ("Label", "is"), ("Labels", "are"))
    names = quoted_names([table.columns[j] for j in marked])
    note = f"{label} {names} {are} a mark or nothing, and nothing was read as 0."
    return replace(table, cells=with_columns(table.cells, changed), categories=categories), [note]
