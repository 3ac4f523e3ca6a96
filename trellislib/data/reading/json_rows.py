"""JSON: records, columns, or a record a line."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from itertools import islice
from typing import Any

import numpy as np
import pandas as pd

from trellislib.data.reading.frames import frame_table
from trellislib.data.reading.proportion import check_columns, check_memory
from trellislib.data.reading.source import FileLike, Source
from trellislib.data.tables.table import Table
from trellislib.running.memory import FLOAT
from trellislib.wording import counted, quoted

MAX_JSON = 2**30
"""Bytes of a file, which is read at once."""

_START = re.compile(r"\s*(?:\[\s*(?:[\[{]|\])|\{\s*[\"}])")
_NAME = re.compile(r"\.(?:json|jsonl|ndjson)(?:\.(?:gz|bz2|xz|zip))?$", re.IGNORECASE)
_BYTES_OF_A_CELL = 8 * FLOAT  # as an object, as a text, and in a frame and a table
_FIRST_LINES, _FIRST_CHARACTERS = 5, 4096
_FEW_CELLS, _PER_CELL = 2_000_000, 50  # that a table may have; past the former for each cell that is named
_EXPECTED = "expected a list of records, an object with a list for each column, or a record in each line"

Records = list[dict[str, Any]]


def starts_as_json(source: Source) -> bool:
    """Whether a file is called JSON, or starts as a list of records, an object of columns, or a line that is one."""
    with source.text() as text:
        start = "".join(islice(text, _FIRST_LINES))[:_FIRST_CHARACTERS]
    is_called_so = _NAME.search(source.name) is not None and start.lstrip()[:1] in ("[", "{")
    return is_called_so or _START.match(start) is not None


def read_json(source: FileLike | Source, name: str | None = None) -> Table:
    """Read a JSON file as a table.

    Parameters
    ----------
    source : str, path, bytes or binary file
        A list of records (``[{"x": 1, ...}, ...]``), also as the only list in an object; an object with a list for each
        column, or with an object of cells by the names of rows; an object with "columns" and "data"; or a record in
        each line, whatever the file is called. Records within records become columns, as ``place.name``.
    name : str, optional
        What to call it; by default the file's own name.

    Returns
    -------
    Table
        Its columns by the rules of `trellislib.data.reading.frames.frame_table`. A list becomes one text, which
        `Table.split` takes apart; what a record does not name is missing.

    Raises
    ------
    DataError
        If it is no JSON or none of these, or too large; the message names the line.

    Examples
    --------
    >>> table = read_json(b'[{"x": 0.5, "tags": ["sea", "sky"]}, {"x": 1, "tags": []}]', "sky.json")
    >>> table.columns, table.proposal().split
    (('x', 'tags'), ('tags', ','))
    """
    source = Source(source, name)
    with _too_deep(source):
        content, form = _parsed(source)
        frame, form = _frame(source, content, form)
        if not frame.size:
            raise source.error("the JSON holds no cell")
        table = frame_table(frame, source.name)
    size = f"{counted(table.n_rows, 'row')} of {counted(len(table.columns), 'column')}"
    return replace(table, provenance=(f"Read as JSON ({form}) {source.as_read}: {size}.",))


@contextmanager
def _too_deep(source: Source) -> Iterator[None]:
    try:
        yield
    except RecursionError as error:
        raise source.error("the JSON is nested too deep") from error


def _parsed(source: Source) -> tuple[Any, str]:
    """Return what a file says, and in which form: all of it, or a list of what its lines say."""
    parts, size = [], 0
    with source.text() as text:
        while part := text.read(2**20):  # asked for more, it would take the memory first
            parts.append(part)
            size += len(part)
            if size > MAX_JSON:
                raise source.error(f"the JSON is larger than {MAX_JSON // 2**20:,} MB; write it as CSV or Parquet")
    content = "".join(parts)
    try:
        return json.loads(content), ""
    except json.JSONDecodeError as error:
        lines = content.split("\n")
        whole = error
    except ValueError as error:  # a number of thousands of digits
        raise source.error(f"the JSON has a number that cannot be read ({error})") from error
    records = []
    for number, line in enumerate(lines, 1):
        if not line.strip():
            continue
        try:
            records.append(json.loads(line))
        except json.JSONDecodeError as error:
            number, cause = (number, error.msg) if records else (whole.lineno, whole.msg)
            raise source.error(f"this is no JSON ({cause})", number) from error
        except ValueError as error:
            raise source.error(f"the JSON has a number that cannot be read ({error})", number) from error
    return records, "a record in each line"


def _frame(source: Source, content: Any, form: str) -> tuple[pd.DataFrame, str]:
    """Return what a file says as a frame, and in which form it says it."""
    if isinstance(content, dict):
        if {"columns", "data"} <= content.keys() and _are_rows(content["columns"], content["data"]):
            return _sized(source, pd.DataFrame(content["data"], columns=content["columns"])), "columns and data"
        lists = {key: value for key, value in content.items() if isinstance(value, list)}
        if len(lists) == 1 and _are_records(*lists.values()):
            (key,) = lists
            return _of_records(source, lists[key]), f"the records in {quoted(key)}"
        if lists and len(lists) == len(content):
            lengths = {key: len(value) for key, value in lists.items()}
            if len(set(lengths.values())) > 1:
                shortest, longest = min(lengths, key=lengths.__getitem__), max(lengths, key=lengths.__getitem__)
                raise source.error(
                    f"column {quoted(shortest)} has {counted(lengths[shortest], 'cell')}, but {quoted(longest)} has "
                    f"{lengths[longest]:,}; give each a cell for every row"
                )
            return _sized(source, pd.DataFrame(lists)), "a list for each column"
        if content and all(isinstance(value, dict) for value in content.values()):
            rows = {row for value in content.values() for row in value}
            _check_cells(source, len(content) * len(rows), sum(map(len, content.values())))
            return pd.DataFrame(content).reset_index(drop=True), "an object for each column"
        content, form = [content], form or "one record"
    if isinstance(content, list) and _are_records(content):
        return _of_records(source, content), form or "a record for each row"
    raise source.error(f"this JSON is no table; {_EXPECTED}")


def _are_rows(columns: Any, rows: Any) -> bool:
    are_names = isinstance(columns, list) and all(isinstance(name, str) for name in columns)
    if not are_names or not isinstance(rows, list) or not rows:
        return False
    return all(isinstance(row, list) and len(row) == len(columns) for row in rows)


def _are_records(content: list[Any]) -> bool:
    return bool(content) and all(isinstance(record, dict) for record in content)


def _of_records(source: Source, records: Records) -> pd.DataFrame:
    """Return records as rows, those within them as columns."""
    flat = [_flat(record) for record in records]
    names = dict.fromkeys(name for record in flat for name in record)
    check_columns(source, len(names))
    _check_cells(source, len(flat) * len(names), sum(map(len, flat)))
    return pd.DataFrame({name: _column([record.get(name) for record in flat]) for name in names})


def _check_cells(source: Source, n_cells: int, n_named: int) -> None:
    """Refuse a table that would take more memory than there is, or out of all proportion to what the file names."""
    if n_cells > max(_FEW_CELLS, _PER_CELL * n_named):
        raise source.error(
            f"its records name other columns each, {n_named:,} cells of {n_cells:,} in all; write a sparse ARFF or "
            "svmlight file"
        )
    check_memory(source, _BYTES_OF_A_CELL * n_cells, f"its {n_cells:,} cells")


def _flat(record: dict[str, Any]) -> dict[str, Any]:
    if not any(isinstance(value, dict) for value in record.values()):
        return record
    flat: dict[str, Any] = {}
    for name, value in record.items():
        flat |= {f"{name}.{inner}": cell for inner, cell in value.items()} if isinstance(value, dict) else {name: value}
    return flat


def _column(cells: list[Any]) -> pd.Series:
    """Return cells as numbers where all are, so that a missing one makes none of them a text."""
    if all(cell is None or (isinstance(cell, (int, float)) and not isinstance(cell, bool)) for cell in cells):
        small = all(cell is None or isinstance(cell, float) or abs(cell) <= 2**53 for cell in cells)
        if small:
            return pd.Series([np.nan if cell is None else cell for cell in cells], dtype=float)
    return pd.Series(cells, dtype=object)


def _sized(source: Source, frame: pd.DataFrame) -> pd.DataFrame:
    check_columns(source, len(frame.columns))
    return pd.DataFrame({name: _column(frame.iloc[:, j].tolist()) for j, name in enumerate(frame.columns)})
