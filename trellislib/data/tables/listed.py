"""Tables in which a column lists labels, which become a column of 0 and 1 each."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np
from scipy import sparse

from trellislib.data.dataset import DataError
from trellislib.data.tables.columns import unique_names
from trellislib.data.tables.label_columns import ones_of
from trellislib.data.tables.label_lists import (
    ANCESTORS,
    indicators,
    paths_note,
    placeholder,
    read_lists,
    with_ancestors,
)
from trellislib.data.tables.proposals import proposed_separator
from trellislib.typing import Matrix
from trellislib.wording import agreed, counted, quoted, quoted_names
from trellislib.wording.arguments import given

if TYPE_CHECKING:
    from trellislib.data.tables.table import Table

_MANY_LABELS = 100
_PREFIX = re.compile(r"^(?:labels?|tags?|genres?|topics?|classes|class|is|has|y)[_ .:=-]+")


def divided(
    table: Table, column: str, separator: str | None, no_label: str | None = None, *, ancestors: bool = False
) -> Table:
    """Return a table in which a column that lists labels is one of 0 and 1 for each, as `Table.split` says."""
    j = table.find(column, "that lists labels")
    if table.categories[j] is None:
        return divided(table.nominal([column]), column, separator, no_label, ancestors=ancestors)
    separator = proposed_separator(table, j) if separator is None else separator
    if not separator:
        raise DataError(
            f"{table.name}: nothing says what separates the labels in column {quoted(column)}: give it, as in "
            f"{given('split', (column, ';'))}."
        )
    lists = [*read_lists(table.categories[j] or (), separator), []]  # the last one, -1, is that of a missing cell
    none = placeholder(lists, no_label)
    text = np.nan_to_num(table.column(j), nan=-1).astype(np.intp)
    n_none = sum(none in lists[k] for k in text) if none else 0
    lists = [[label for label in labels if label != none] for labels in lists]
    written = {label for labels in lists for label in labels}
    lists = with_ancestors(lists) if ancestors else lists
    labels, of_text = indicators(lists)
    if not labels:
        raise DataError(f"{table.name}: no cell of column {quoted(column)} names a label.")
    others = [i for i in range(len(table.columns)) if i != j]
    twins = _twins(table, others, labels, of_text[text])
    others = [i for i in others if i not in twins]
    columns, notes = unique_names((*(table.columns[i] for i in others), *labels))
    return replace(
        table,
        columns=columns,
        categories=(*(table.categories[i] for i in others), *[None] * len(labels)),
        cells=_with_labels(table.cells, others, of_text[text]),
        labels=columns[len(others) :],
        labels_note="",
        labels_source=f"the lists in column {quoted(column)}, separated by {_shown(separator)}",
        notes=(
            *table.notes,
            *notes,
            *_none_note(column, separator, none, n_none),
            *_twins_note(table, twins, column),
            *_list_notes(column, [lists[k] for k in text]),
            *paths_note(sorted(written), len(labels) - len(written) if ancestors else None),
        ),
        unusable={name: what for name, what in table.unusable.items() if name != column},
        from_lists=columns[len(others) :],
        listed=(column, separator, ANCESTORS) if ancestors else (column, separator),
    )


def _twins(table: Table, others: Sequence[int], labels: Sequence[str], Y: sparse.csr_array) -> list[int]:
    """Return the columns of 0 and 1 that are called as a label of the lists and say the same as these."""
    by_label, found = {label.strip().lower(): k for k, label in enumerate(labels)}, []
    Y = sparse.csc_array(Y)
    for i in others:
        name = table.columns[i].strip().lower()
        k = by_label.get(name, by_label.get(_PREFIX.sub("", name)))
        if k is not None and (ones := ones_of(table, i)) is not None and np.all(ones == Y[:, [k]].toarray().ravel()):
            found.append(i)
    return found


def _twins_note(table: Table, twins: Sequence[int], column: str) -> Iterator[str]:
    if twins:
        title, say, were = agreed(len(twins), ("Column", "says", "was"), ("Columns", "say", "were"))
        names = quoted_names([table.columns[i] for i in twins])
        yield f"{title} {names} {say} the same as the lists in {quoted(column)} and {were} left out."


def _with_labels(cells: Matrix, others: list[int], labels: sparse.csr_array) -> Matrix:
    """Return some columns of `cells` and after them labels, CSR where `cells` is or where that pays for many labels."""
    if sparse.issparse(cells):
        return sparse.hstack([sparse.csc_array(cells)[:, others], labels], format="csr")
    features = cells[:, others]
    n_rows, n_labels = labels.shape
    stored = 12 * (np.count_nonzero(features) + labels.nnz)  # a stored cell has a number and a position
    if n_labels > _MANY_LABELS and stored < 8 * n_rows * (len(others) + n_labels):
        return sparse.hstack([sparse.csr_array(features), labels], format="csr")
    return np.hstack([features, labels.toarray()])


def _none_note(column: str, separator: str, none: str, n: int) -> Iterator[str]:
    if none:
        in_python = f"split=({column!r}, {separator!r}, '')"
        yield (
            f"In column {quoted(column)}, {quoted(none)} was read as no label, in {counted(n, 'row')}; "
            f"{given('no_label', '', in_python)} keeps it as a label."
        )


def _shown(separator: str) -> str:
    return quoted(separator) if separator.strip() else "blanks"


def _list_notes(column: str, lists: Sequence[Sequence[str]]) -> Iterator[str]:
    """Yield what was noticed in the lists of all rows."""
    n_empty = sum(not labels for labels in lists)
    if n_empty:
        which = agreed(n_empty, "cell is empty and was", "cells are empty and were")
        yield f"In column {quoted(column)}, {n_empty:,} {which} read as no label."
    n_twice = sum(len(set(labels)) < len(labels) for labels in lists)
    if n_twice:
        which = agreed(n_twice, "cell names", "cells name")
        yield f"In column {quoted(column)}, {n_twice:,} {which} a label more than once, which counts once."
