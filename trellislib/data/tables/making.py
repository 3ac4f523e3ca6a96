"""A data set of a table, once it is said which columns are labels."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np
import pandas as pd
from scipy import sparse

from trellislib.data.dataset import DataError, Dataset, PartiallyLabelled
from trellislib.data.filenames import stem
from trellislib.data.tables.aside import groups_of, notes_aside, positions_aside, proposed_groups, weights_of
from trellislib.data.tables.features import TextFeatures, fit_features
from trellislib.data.tables.label_columns import (
    CHOSEN,
    MissingCells,
    MissingLabels,
    coding_notes,
    label_codes,
    label_codings,
    label_positions,
)
from trellislib.data.tables.label_lists import paths_note
from trellislib.data.tables.marks import with_marks
from trellislib.data.tables.schema import Schema
from trellislib.wording import agreed, counted, quoted_names

if TYPE_CHECKING:
    from trellislib.data.tables.table import Table


def dataset_of(
    table: Table,
    labels: Sequence[str],
    relevant: Mapping[str, object],
    leave_out: Collection[str],
    missing_labels: MissingLabels,
    text: TextFeatures,
    groups: str | None,
    weights: str | None,
    drop_constant: bool,
) -> Dataset:
    """Return the data set; parameters and errors are those of `trellislib.data.Table.to_dataset`."""
    if both := [label for label in labels if label in set(leave_out)]:
        raise DataError(f"{table.name}: {quoted_names(both)} cannot be both a label and left out.")
    if leave_out:
        data = dataset_of(
            table.without(leave_out, "as asked"),
            labels,
            relevant,
            (),
            missing_labels,
            text,
            groups,
            weights,
            drop_constant,
        )
        complete = MissingCells.of(table, label_positions(table, labels)).complete
        if weights:
            complete &= table.column(table.find(weights)) > 0
        return replace(data, ids=_ids(table, Schema.of(data), complete))
    chosen = label_positions(table, labels)
    marked, notes = with_marks(table, chosen)
    table = replace(marked, notes=(*table.notes, *notes)) if notes else table
    missing = MissingCells.of(table, chosen)
    missing.check(table.name, missing_labels)
    complete = missing.complete
    kept = complete | missing.incomplete if missing_labels == "masked" else complete
    aside = positions_aside(table, labels, groups, weights)
    weight, n_without = weights_of(table, aside.get("weights"), kept, complete), 0
    if weight is not None:  # rows of weight 0 would fill folds in which nothing counts
        counts = weight.to_numpy() > 0
        n_without = int((kept & ~counts).sum())
        kept, complete, weight = kept & counts, complete & counts, weight[counts].reset_index(drop=True)
    rows = table if kept.all() else replace(table, cells=table.cells[kept])
    codings = label_codings(table, chosen, relevant)  # of all rows, as people were shown
    taken = {*chosen, *aside.values()}
    candidates = [j for j in range(len(table.columns)) if j not in taken]
    columns, X, feature_notes, left_out = fit_features(rows, candidates, text, drop_constant)
    Y, incomplete = label_codes(rows, chosen, codings), None
    n_train, division_notes = _division(table.n_train, complete)
    masked = ~complete[kept]
    in_order = rows.by_row(np.argsort(masked, kind="stable")) if columns.words else None
    of_rows = {"groups": groups_of(rows, aside.get("groups")), "weights": weight}
    if masked.any():
        codes = Y[masked].toarray() if sparse.issparse(Y) else Y[masked]
        among = kept & ~complete
        of_train = None if n_train is None else int(among[: table.n_train].sum())
        incomplete = PartiallyLabelled(X[masked], codes, missing.known(among), of_train, **_those(of_rows, masked))
        X, Y, of_rows = X[~masked], Y[~masked], _those(of_rows, ~masked)
    values = tuple(coding.values for coding in codings)
    not_used = (*table.left_out, *left_out, *(table.columns[j] for j in aside.values()))
    apart = tuple(label for label in labels if label not in table.from_lists) if table.listed else ()
    schema = Schema(table.name, columns, tuple(labels), values, table.listed, not_used, apart)
    doubts = [table.labels_note] if table.labels_note and table.labels in (None, tuple(labels)) else []
    data = Dataset(
        X=X,
        Y=Y,
        feature_names=columns.names,
        label_names=tuple(labels),
        label_values=values,
        name=stem(table.name),
        notes=(
            *table.notes,
            *doubts,
            *missing.notes(missing_labels),
            *division_notes,
            *(() if table.listed else paths_note(labels, None)),
            *coding_notes(rows, chosen, codings),
            *notes_aside(**of_rows, n_without=n_without),
            *feature_notes,
            *(proposed_groups(rows, left_out) if groups is None else ()),
        ),
        provenance=(*table.provenance, _labels_found(table, tuple(labels))),
        n_train=n_train,
        incomplete=incomplete,
        schema=schema,
        columns=in_order,
        ids=_ids(table, schema, complete),
        **of_rows,
    )
    if not (n_missing := data.n_missing):
        return data
    lack = f"{counted(n_missing, 'feature cell')} {agreed(n_missing, 'is', 'are')} missing."
    return replace(data, notes=(*data.notes, lack))


def _those(of_rows: Mapping[str, pd.Series | None], which: np.ndarray) -> dict[str, pd.Series | None]:
    """Return what is said of some of the rows."""
    return {name: None if said is None else said[which].reset_index(drop=True) for name, said in of_rows.items()}


def _ids(table: Table, schema: Schema, kept: np.ndarray) -> pd.Series | None:
    """Return what names the rows that are kept: the cells of a column, or their numbers where some are not."""
    for _, ids in schema.ids(table).items():
        return ids[kept].reset_index(drop=True)
    return None if kept.all() else pd.Series(np.flatnonzero(kept) + 1, name="row")


def _division(n_of_train: int | None, kept: np.ndarray) -> tuple[int | None, list[str]]:
    """Return how many of the rows that are kept are to train on, and what to say if none or all are."""
    if n_of_train is None:
        return None, []
    n_train = int(kept[:n_of_train].sum())
    if 0 < n_train < kept.sum():
        return n_train, []
    what = "test" if n_train else "train"
    return None, [f"No row to {what} on counts and knows every label, so that nothing tells which rows to train on."]


def _labels_found(table: Table, labels: tuple[str, ...]) -> str:
    """Return the sentence that says how many labels there are, and what says which they are."""
    is_chosen = labels != table.labels or table.labels_source == CHOSEN
    which = "chosen by name" if is_chosen else f"according to {table.labels_source or 'the file'}"
    return f"{counted(len(labels), 'label')}, {which}."
