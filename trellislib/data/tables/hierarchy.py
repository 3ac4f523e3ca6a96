"""Label columns whose names are paths, such as ``a/b/c``: what stands above a label counts, too."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from itertools import chain
from typing import TYPE_CHECKING

import numpy as np
from scipy import sparse

from trellislib.data.dataset import DataError
from trellislib.data.tables.columns import with_columns
from trellislib.data.tables.label_columns import CHOSEN, label_positions, ones_of
from trellislib.data.tables.label_lists import paths_note, with_ancestors
from trellislib.wording import counted, quoted

if TYPE_CHECKING:
    from trellislib.data.tables.table import Table


def with_ancestor_columns(table: Table, labels: Sequence[str]) -> Table:
    """Return a table in which the label columns of 0 and 1 also stand for those above them, as their names say.

    An ancestor is relevant where a label below it is. It is not known where no such label is relevant and one is
    missing. Ancestors without a column get one at the end. All are declared to be labels.

    Raises `DataError` if such a label has other values than two that say yes and no.

    Examples
    --------
    >>> from trellislib.data import Table
    >>> table = Table("sky.csv", ("x", "a/b", "a/c"), (None,) * 3, np.array([[5, 0, 1], [6, 0, 0]]))
    >>> table = with_ancestor_columns(table, ["a/b", "a/c"])
    >>> table.labels, table.cells.tolist()
    (('a/b', 'a/c', 'a'), [[5.0, 0.0, 1.0, 1.0], [6.0, 0.0, 0.0, 0.0]])
    """
    positions = dict(zip(labels, label_positions(table, labels), strict=True))
    below: dict[str, list[str]] = {}
    for label, paths in zip(labels, with_ancestors([[label] for label in labels]), strict=True):
        for above in paths[:-1]:
            below.setdefault(above, []).append(label)
    new = [above for above in below if above not in positions]
    if taken := [above for above in new if above in table.columns]:
        raise DataError(
            f"{table.name}: column {quoted(taken[0])} stands above labels but is none; choose it as a label, too, or "
            "rename it."
        )
    involved = {*chain(*below.values()), *below} - {*new}
    columns = {label: _relevant(table, positions[label]) for label in involved}
    joined, n_changed = {}, 0
    for above, of in below.items():
        own = [columns[above]] if above in columns else []
        cells = np.array([*own, *(columns[label] for label in of)])
        with np.errstate(invalid="ignore"):
            joined[above] = np.where((cells == 1).any(axis=0), 1.0, np.where(np.isnan(cells).any(axis=0), np.nan, 0.0))
        n_changed += int((joined[above] != own[0])[~np.isnan(joined[above])].sum()) if own else 0
    if not new and not n_changed:
        return replace(table, labels=tuple(labels))
    kept = {positions[above]: cells for above, cells in joined.items() if above in positions}
    added = np.column_stack([joined[above] for above in new]) if new else np.empty((table.n_rows, 0))
    categories = tuple(None if j in kept else values for j, values in enumerate(table.categories))
    cells = with_columns(table.cells, kept)
    became = f"{counted(n_changed, 'cell')} of labels above others became 1, as those below say."
    return replace(
        table,
        columns=(*table.columns, *new),
        categories=(*categories, *[None] * len(new)),
        cells=sparse.hstack([cells, added], format="csr") if table.is_sparse else np.hstack([cells, added]),
        labels=(*labels, *new),
        labels_source=table.labels_source if table.labels == tuple(labels) else CHOSEN,
        notes=(*table.notes, *paths_note(labels, len(new)), *([became] if n_changed else [])),
    )


def _relevant(table: Table, j: int) -> np.ndarray:
    """Return where a label is relevant as 1, where not as 0, and where it is missing as nan."""
    ones = ones_of(table, j)
    if ones is None:
        raise DataError(
            f"{table.name}: label {quoted(table.columns[j])} is a path, but its values do not say yes and no; only of "
            "such labels are there ancestors."
        )
    return np.where(np.isnan(table.column(j)), np.nan, ones)
