"""Parquet files; those that we wrote name their labels and the values of these in the metadata of their schema."""

from __future__ import annotations

import io
import json
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from trellislib.data.dataset import DataError
from trellislib.data.reading.frames import frame_table
from trellislib.data.reading.source import FileLike, Source
from trellislib.data.tables.table import Table
from trellislib.running.extras import require
from trellislib.running.memory import FLOAT, MemoryBudgetError, Need
from trellislib.wording import counted, quoted

if TYPE_CHECKING:
    import pyarrow.parquet

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
    declared = _declared(metadata or {})
    if not declared or not set(declared) <= set(columns) or len(set(columns)) < len(columns):
        return table
    cells, categories = table.cells.copy(), list(table.categories)
    for j, values in ((columns.index(label), values) for label, values in declared.items()):
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
        labels=tuple(declared),
        labels_source="the metadata of the file",
        unusable={
            name: what
            for name, what in zip(columns, map(table.unusable.get, table.columns), strict=True)
            if what and name not in declared
        },
    )


def _declared(metadata: Mapping[bytes, bytes]) -> dict[str, tuple[str, ...]]:
    """Return the values of each label; none if it is not said right."""
    try:
        declared = json.loads(metadata.get(KEY, b"[]"))
        labels = {name: tuple(values) for name, values in declared}
    except (ValueError, TypeError, RecursionError):
        return {}
    texts = [*labels, *(value for values in labels.values() for value in values)]
    return labels if len(labels) == len(declared) and all(isinstance(text, str) for text in texts) else {}


_COPIES = 3  # of the cells: as Parquet stores them, as a frame, and as a table


def read_parquet(source: FileLike | Source, name: str | None = None) -> Table:
    """Read a Parquet file as a table.

    Parameters
    ----------
    source : str, path, bytes or binary file
        The file.
    name : str, optional
        What to call it; by default the file's own name.

    Returns
    -------
    Table
        Its columns by the rules of `trellislib.data.reading.frames.frame_table`: of a column of lists of texts, such as
        tags, each becomes one text, which `Table.split` takes apart.

    Raises
    ------
    DataError
        If pyarrow is not installed, the file is damaged or too large for the memory, or a column holds what is neither
        numbers nor texts; the message names it.

    Examples
    --------
    >>> import io, pandas as pd
    >>> file = io.BytesIO()
    >>> pd.DataFrame({"x": [0.5, 0.1], "sunny": [1, 0]}).to_parquet(file)
    >>> read_parquet(file, "sky.parquet").cells.tolist()
    [[0.5, 1.0], [0.1, 0.0]]
    """
    source = Source(source, name)
    require("pyarrow", f"{source.name}: reading Parquet", DataError)
    import pyarrow as pa
    import pyarrow.parquet as pq

    with source.binary() as file:
        content = file.read()
    try:
        parquet = pq.ParquetFile(io.BytesIO(content))
        _refuse_oversize(source, parquet.metadata)
        _refuse_nested(source, parquet.schema_arrow)
        read = parquet.read()
        read.validate(full=True)  # texts that are no UTF-8 would raise only where they are looked at
        frame = read.to_pandas(ignore_metadata=False, split_blocks=True, self_destruct=True)
    except DataError:
        raise
    except (pa.ArrowException, OSError, ValueError, TypeError, KeyError, OverflowError, MemoryError) as error:
        raise source.error(f"the Parquet file is damaged or cut short ({_first_line(error)})") from error
    table = frame_table(frame, source.name)
    size = f"{counted(table.n_rows, 'row')} of {counted(len(table.columns), 'column')}"
    table = replace(table, provenance=(f"Read as Parquet{source.unpacked_from}: {size}.",))
    return with_declared_labels(table, parquet.schema_arrow.names, parquet.schema_arrow.metadata)


def _refuse_oversize(source: Source, metadata: pyarrow.parquet.FileMetaData) -> None:
    """Refuse what its own figures say to be too large, before it takes memory."""
    groups = [metadata.row_group(i) for i in range(metadata.num_row_groups)]
    rows = max(metadata.num_rows, sum(group.num_rows for group in groups))
    n_bytes = max(rows * metadata.num_columns * FLOAT, sum(group.total_byte_size for group in groups))
    shape = f"{counted(rows, 'row')} of {counted(metadata.num_columns, 'column')}"
    try:
        Need(_COPIES * n_bytes, shape, "keep fewer rows or columns").refuse(f"{source.name}: reading it")
    except MemoryBudgetError as error:
        raise DataError(str(error)) from error


def _refuse_nested(source: Source, schema: pyarrow.Schema) -> None:
    """Refuse columns of records, maps, bytes, or lists of anything but texts and numbers."""
    import pyarrow.types as types

    unfit = (types.is_nested, types.is_binary, types.is_large_binary, types.is_fixed_size_binary)
    for field in schema:
        kind = field.type
        if types.is_list(kind) or types.is_large_list(kind) or types.is_fixed_size_list(kind):
            kind = kind.value_type
        if types.is_dictionary(kind):
            kind = kind.value_type
        if any(is_so(kind) for is_so in unfit):
            raise source.error(
                f"column {quoted(field.name)} holds {field.type}, neither numbers nor texts; leave it out of the file"
            )


def _first_line(error: BaseException) -> str:
    return str(error).strip().split("\n", 1)[0].rstrip(".") or type(error).__name__
