"""Columns of a table as labels: which rows know them, and their codes."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Literal

import numpy as np
from scipy import sparse

from trellislib.data.dataset import DataError
from trellislib.data.tables.columns import IDENTIFIERS, Columns
from trellislib.data.tables.label_values import MAX_NUMERIC_VALUES, Coding, nominal_coding, numeric_coding
from trellislib.typing import Matrix
from trellislib.wording import agreed, counted, grouped, quoted, quoted_names

MissingLabels = Literal["set aside", "masked"]
MAX_MASKED_CELLS = 50_000_000
_FEW = range(1, MAX_NUMERIC_VALUES + 1)  # values that a label may have, though each occurs once

CHOSEN = "the names that were given"
"""What `Table.labels_source` is where a person named the labels."""


def label_positions(table: Columns, labels: Sequence[str]) -> list[int]:
    """Return the positions of the columns that are to be labels.

    Raises `DataError` if there are none, one is unknown, named twice or of no use as a label.
    """
    if not labels:
        raise DataError(f"{table.name}: no column was chosen to be a label; choose at least one.")
    twice = [label for label, count in Counter(labels).items() if count > 1]
    if twice:
        raise DataError(f"{table.name}: the label {quoted(twice[0])} is named twice.")
    positions = [table.find(label) for label in labels]
    for label in labels:
        few_codes = table.unusable.get(label) == IDENTIFIERS and len(table.categories[table.find(label)] or ()) in _FEW
        if label in table.unusable and not few_codes:
            raise DataError(
                f"{table.name}: column {quoted(label)} holds {table.unusable[label]} and cannot be a label."
            )
    return positions


def ones_of(table: Columns, j: int) -> np.ndarray | None:
    """Return where a column says 1, yes or true, as 0 and 1, and 0 where it is missing; None where it says neither."""
    try:
        coding = _coding(table, j)
    except DataError:
        return None
    return coding.codes(table.column(j)).astype(float) if len(coding.values) < 3 and not coding.is_guess else None


def label_codings(table: Columns, chosen: Sequence[int], relevant: Mapping[str, object]) -> list[Coding]:
    """Return how the cells of each label become codes; `relevant` says of some labels which value is code 1.

    Raises `DataError` if a column cannot be a label, or `relevant` names no label, a label that does not have two
    values, or none of its two values.
    """
    codings = {table.columns[j]: _coding(table, j) for j in chosen}
    for label, value in relevant.items():
        if label not in codings:
            near = "" if label in table.columns else table.nearest(label)
            raise DataError(f"{table.name}: {quoted(label)} is no label, so it has no relevant value{near}.")
        codings[label] = codings[label].with_relevant(value, _named(table, label))
    return list(codings.values())


def label_codes(table: Columns, chosen: Sequence[int], codings: Sequence[Coding]) -> Matrix:
    """Return the label codes of all rows, CSR where the table is; a missing cell has code 0."""
    by_column = table.by_column
    if isinstance(by_column, np.ndarray):
        return np.column_stack([c.codes(by_column[:, j]) for j, c in zip(chosen, codings, strict=True)])
    data, rows = [], []
    for j, coding in zip(chosen, codings, strict=True):
        codes = coding.codes(table.stored(j))
        where = by_column.indices[by_column.indptr[j] : by_column.indptr[j + 1]]
        if codes.size < table.n_rows and (left_out := coding.codes(np.zeros(1))[0]) > 0:
            column = np.full(table.n_rows, left_out)
            column[where] = codes
            codes, where = column, np.arange(table.n_rows)
        data.append(codes[codes > 0])
        rows.append(where[codes > 0])
    indptr = np.concatenate([[0], np.cumsum([codes.size for codes in data])])
    shape = (table.n_rows, len(chosen))
    return sparse.csr_array(sparse.csc_array((np.concatenate(data), np.concatenate(rows), indptr), shape=shape))


def coding_notes(table: Columns, chosen: Sequence[int], codings: Sequence[Coding]) -> list[str]:
    """Return what a reader should know of the codings, one sentence for all labels that are coded alike."""
    notes = {j: coding.note for j, coding in zip(chosen, codings, strict=True) if coding.note}
    return [
        f"{agreed(len(run), 'Label', 'Each of the labels')} {quoted_names([table.columns[j] for j in run])} {note}."
        for note, run in grouped(notes)
    ]


@dataclass(frozen=True, eq=False)
class MissingCells:
    """The label cells of which nobody knows the value."""

    labels: tuple[str, ...]  # the names of the labels
    shape: tuple[int, int]  # number of rows and of labels
    rows: np.ndarray  # row and label of each missing cell
    columns: np.ndarray

    @classmethod
    def of(cls, table: Columns, chosen: Sequence[int]) -> MissingCells:
        """Find the missing cells of some columns."""
        cells = table.by_column[:, list(chosen)]
        if isinstance(cells, np.ndarray):
            rows, columns = np.nonzero(np.isnan(cells))
        else:
            missing = np.isnan(cells.data)
            rows = cells.indices[missing]
            columns = np.repeat(np.arange(len(chosen)), np.diff(cells.indptr))[missing]
        return cls(tuple(table.columns[j] for j in chosen), cells.shape, rows, columns)

    @cached_property
    def of_row(self) -> np.ndarray:
        """Number of missing cells of each row."""
        return np.bincount(self.rows, minlength=self.shape[0])

    @property
    def complete(self) -> np.ndarray:
        """Which rows know every label."""
        return self.of_row == 0

    @property
    def incomplete(self) -> np.ndarray:
        """Which rows know some labels and lack others."""
        return (self.of_row > 0) & (self.of_row < self.shape[1])

    def known(self, rows: np.ndarray) -> np.ndarray:
        """Return which labels are known in some of the rows, given as booleans."""
        known = np.ones((int(rows.sum()), self.shape[1]), dtype=bool)
        place = np.cumsum(rows) - 1
        among = rows[self.rows]
        known[place[self.rows[among]], self.columns[among]] = False
        return known

    def check(self, name: str, policy: MissingLabels) -> None:
        """Refuse what `policy` can make no data set of.

        Raises `DataError` if no row knows every label, or the rows to mask take memory out of proportion.
        """
        n_rows, n_labels = self.shape
        if not self.complete.any():
            if n_labels > 1 and self.rows.size == n_rows * n_labels:
                raise DataError(
                    f"{name}: no label of any row is known; train on other rows, and give these to Predict (in a "
                    "command: trellislib predict)."
                )
            of_label = np.bincount(self.columns, minlength=n_labels)
            worst = int(of_label.argmax())
            raise DataError(
                f"{name}: every row lacks a label, {quoted(self.labels[worst])} in {of_label[worst]:,} of {n_rows:,} "
                f"rows; choose {'fewer' if n_labels > 1 else 'other'} labels."
            )
        n_masked = int(self.incomplete.sum())
        if policy == "masked" and n_masked * n_labels > MAX_MASKED_CELLS:
            raise DataError(
                f"{name}: masking {n_masked:,} rows of {n_labels:,} labels takes too much memory; set the rows with "
                "missing labels aside, or choose fewer labels."
            )

    def notes(self, policy: MissingLabels) -> list[str]:
        """Return what was done with the rows that lack labels, with counts."""
        if not self.rows.size:
            return []
        cells = counted(self.rows.size, "missing label cell")
        if policy == "set aside":
            n = int((~self.complete).sum())
            were = agreed(n, "has a missing label and was", "have a missing label and were")
            return [f"{counted(n, 'row')} {were} left out ({cells})."]
        n_incomplete = int(self.incomplete.sum())
        n_unknown = int((self.of_row == self.shape[1]).sum())
        cells_incomplete = counted(int(self.of_row[self.incomplete].sum()), "missing label cell")
        were_kept = agreed(n_incomplete, "lacks some labels and was", "lack some labels and were")
        were_left_out = agreed(n_unknown, "has no known label and was", "have no known label and were")
        kept = f"{counted(n_incomplete, 'row')} {were_kept} kept apart, what is missing masked ({cells_incomplete})."
        left_out = f"{counted(n_unknown, 'row')} {were_left_out} left out."
        return [note for n, note in ((n_incomplete, kept), (n_unknown, left_out)) if n]


def _coding(table: Columns, j: int) -> Coding:
    column = _named(table, table.columns[j])
    categories = table.categories[j]
    if categories is not None:
        return nominal_coding(categories, column)
    return numeric_coding(table.present(j), table.n_rows - table.n_missing(j), column)


def _named(table: Columns, column: str) -> str:
    return f"{table.name}: column {quoted(column)}"
