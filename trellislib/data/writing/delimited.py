"""CSV: a header, features, and labels in the last columns. What looks like a formula has an apostrophe before it.

Nothing in a cell says which of two values is the relevant one, unless they are 0/1, no/yes and the like: all others are
written as 0 and 1.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from itertools import repeat

import numpy as np
import pandas as pd

from trellislib.data.dataset import DataError, Dataset
from trellislib.data.reading.cells import read_cells
from trellislib.data.reading.delimited import read_csv
from trellislib.data.reading.notation import POINT, is_missing, number
from trellislib.data.reading.source import Source
from trellislib.data.spreadsheet import neutralised
from trellislib.data.tables.columns import DATES
from trellislib.data.writing.names import check, check_values, column_names, names_about_rows, stem, with_sure_values
from trellislib.data.writing.rows import LabelTexts, blocks, dense_rows, numbers
from trellislib.wording import quoted

_PLAIN = re.compile(r"[\w.+-]+")
_LINE_BREAKS = re.compile(r"\s*[\r\n]\s*")
_TRIED_ROWS = 200  # as many as the layout is recognised by


def csv_file(data: Dataset) -> dict[str, Iterator[bytes]]:
    """Return a CSV file; a missing cell is empty.

    Raises `DataError` if there is what CSV cannot hold, the names of the columns would be taken for a row of data, or
    the values of a label for dates.
    """
    check(data)
    data = with_sure_values(data, keeps_order=False)
    check_values(data, _held, is_missing, "CSV")
    lost = [label for label, values in zip(data.label_names, data.label_values, strict=True) if not _are_kept(values)]
    if lost:
        raise DataError(
            f"{data.name}: values of label {quoted(lost[0])} are amounts, or say in CSV that a cell is missing; call "
            "them otherwise, or choose another form."
        )
    features, labels = column_names(data, _held)
    columns = (*names_about_rows(data, (*features, *labels), _held), *features, *labels)
    head = data.select(slice(_TRIED_ROWS))
    try:
        read_back = read_csv(Source(b"".join(_file(head, columns)), data.name))
    except DataError:
        read_back = None
    if read_back is None or read_back.columns != columns:
        raise DataError(
            f"{data.name}: a CSV file cannot tell the names of these columns from its rows; rename some, or choose "
            "another form."
        )
    dates = [label for label in labels if read_back.unusable.get(label) == DATES]
    if dates:
        raise DataError(
            f"{data.name}: the values of label {quoted(dates[0])} are dates in CSV, which are no label; call them "
            "otherwise, or choose another form."
        )
    return {f"{stem(data)}.csv": _file(data, columns)}


@cache
def _are_kept(values: tuple[str, ...]) -> bool:
    """Whether the values of a label are read as what they are, not as amounts of something or as missing cells."""
    read = read_cells(["label"], lambda: enumerate([value] for value in values), lambda cause, _: DataError(cause))
    are_numbers = all(number(value, POINT) is not None for value in values)
    return not np.isnan(read.cells).any() and (read.categories[0] is not None or are_numbers)


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
        about = zip(*(_cells(one) for one in block.about), strict=True) if block.about else repeat(())
        rows = zip(about, dense_rows(block, texts, ""), strict=False)
        yield "".join(f"{','.join((*of_row, x, y))}\n" for of_row, (x, y) in rows).encode()


def _cells(column: pd.Series) -> list[str]:
    """Return the cells of a column of groups or of weights as text."""
    if pd.api.types.is_numeric_dtype(column):
        return numbers(column.to_numpy(), "").split(",")
    return [text if _PLAIN.fullmatch(neutralised(text)) else _quoted(_held(text)) for text in map(str, column)]
