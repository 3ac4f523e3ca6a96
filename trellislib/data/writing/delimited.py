"""CSV: a header, features, and labels in the last columns. What looks like a formula has an apostrophe before it."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace

from trellislib.data.dataset import DataError, Dataset
from trellislib.data.reading.delimited import read_csv
from trellislib.data.reading.notation import is_missing
from trellislib.data.reading.source import Source
from trellislib.data.spreadsheet import neutralised
from trellislib.data.writing.names import check, check_values, column_names, stem
from trellislib.data.writing.rows import LabelTexts, blocks, dense_rows

_PLAIN = re.compile(r"[\w.+-]+")
_LINE_BREAKS = re.compile(r"\s*[\r\n]\s*")
_TRIED_ROWS = 200  # as many as the layout is told from


def csv_file(data: Dataset) -> dict[str, Iterator[bytes]]:
    """Return a CSV file; a missing cell is empty.

    Raises
    ------
    DataError
        If there is what CSV cannot hold, or the names of the columns would be taken for a row of data.
    """
    check(data)
    check_values(data, _held, is_missing, "CSV")
    columns = tuple(name for names in column_names(data, _held) for name in names)
    head = replace(data, X=data.X[:_TRIED_ROWS], Y=data.Y[:_TRIED_ROWS], n_train=None, partly=None)
    try:
        read_back = read_csv(Source(b"".join(_file(head, columns)), data.name)).columns
    except DataError:
        read_back = ()
    if read_back != columns:
        raise DataError(
            f"{data.name}: a CSV file cannot tell the names of these columns from its rows; rename some, or choose "
            "another form."
        )
    return {f"{stem(data)}.csv": _file(data, columns)}


def _held(text: str) -> str:
    """Return what remains of a text: no blanks around it, and no blank lines in it."""
    return _LINE_BREAKS.sub("\n", text.strip())


def _quoted(text: str) -> str:
    doubled = neutralised(text).replace('"', '""')
    return f'"{doubled}"'


def _file(data: Dataset, columns: tuple[str, ...]) -> Iterator[bytes]:
    yield (",".join(map(_quoted, columns)) + "\n").encode()  # in quotes, so that the first is no comment or format
    held = [[_held(value) for value in values] for values in data.label_values]
    texts = LabelTexts(
        [[text if _PLAIN.fullmatch(neutralised(text)) else _quoted(text) for text in of_label] for of_label in held], ""
    )
    for block in blocks(data):
        yield "".join(f"{x},{y}\n" for x, y in dense_rows(block, texts, "")).encode()
