"""What a Parquet file that we wrote says of its labels: their names and values, in the metadata of its schema."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import replace

import numpy as np

from trellislib.data.tables.table import Table

KEY = b"trellislib.labels"
"""Under it stands a list, as JSON, of the name and the values in code order of each label."""


def label_metadata(labels: Sequence[str], values: Sequence[Sequence[str]]) -> dict[bytes, str]:
    """Return the metadata that say what the labels are and what their codes stand for."""
    return {KEY: json.dumps([list(label) for label in zip(labels, values, strict=True)])}


def with_declared_labels(table: Table, columns: Sequence[str], metadata: Mapping[bytes, bytes] | None) -> Table:
    """Return a table with the labels, and their values, that metadata declare; as it is if they do not fit.

    - `columns`: The names of the columns as they stand in the file.
    - `metadata`: The metadata of the file's schema.

    Examples
    --------
    >>> table = Table("sky.parquet", ("x", "sunny"), (None, ("yes",)), np.array([[0.5, 0], [0.1, 0]]))
    >>> declared = with_declared_labels(table, table.columns, label_metadata(["sunny"], [("no", "yes")]))
    >>> declared.labels, declared.categories, declared.cells.tolist()
    (('sunny',), (None, ('no', 'yes')), [[0.5, 1.0], [0.1, 1.0]])
    """
    said = _said(metadata or {})
    if not said or not set(said) <= set(columns) or len(set(columns)) < len(columns):
        return table
    cells, categories = table.cells.copy(), list(table.categories)
    for j, values in ((columns.index(label), values) for label, values in said.items()):
        code = {value: float(i) for i, value in enumerate(values)}
        of_column = categories[j]
        for cell in table.present(j):
            text = np.format_float_positional(cell, trim="-") if of_column is None else of_column[int(cell)]
            if text not in code:
                return table
            cells[table.cells[:, j] == cell, j] = code[text]
        categories[j] = values
    return replace(
        table,
        columns=tuple(columns),
        categories=tuple(categories),
        cells=cells,
        labels=tuple(said),
        labels_source="the metadata of the file",
        unusable={
            name: what
            for name, what in zip(columns, map(table.unusable.get, table.columns), strict=True)
            if what and name not in said
        },
    )


def _said(metadata: Mapping[bytes, bytes]) -> dict[str, tuple[str, ...]]:
    """Return the values of each label; none if it is not said right."""
    try:
        said = json.loads(metadata.get(KEY, b"[]"))
        labels = {name: tuple(values) for name, values in said}
    except (ValueError, TypeError, RecursionError):
        return {}
    texts = [*labels, *(value for values in labels.values() for value in values)]
    return labels if len(labels) == len(said) and all(isinstance(text, str) for text in texts) else {}
