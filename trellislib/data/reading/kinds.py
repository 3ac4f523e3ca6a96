"""What a column holds: the one place that tells numbers, codes, categories, dates, identifiers and texts apart."""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from statistics import median

import numpy as np

from trellislib.data.reading.amounts import is_dash, says_nothing
from trellislib.data.tables.columns import DATES, FREE_TEXT, IDENTIFIERS
from trellislib.data.tables.dates import all_dates
from trellislib.data.tables.label_values import known_pair

MANY = 20
"""Values of a column; more are texts or identifiers, if they are also more than half as many as rows."""
SHORTEST_CODE = 3
"""Digits of a code with zeros in front, such as 007; 01 to 12 are months."""

_FEWEST_IDENTIFIERS = 5
_CODE = re.compile(r"[^\s,;|]+")
_CODE_OF_DIGITS = re.compile(r"[A-Za-z]{0,6}[-_#./]?\d{1,30}")
_CALLED_ID = re.compile(r"(?i:(?:.*[\W_])?(?:id|index|idx|nr|no)\.?|#|unnamed: 0)|.*[a-z]I[Dd]")


def kind_of(values: Collection[str], n_known: int) -> str:
    """Return what makes a categorical column unusable as they stand; empty where nothing does.

    - `values`: The distinct values.
    - `n_known`: Number of cells that are not missing.

    Examples
    --------
    >>> kind_of(["2026-01-31", "2026-02-01 08:30"], 9), kind_of(["red", "blue"], 9)
    ('dates', '')
    >>> kind_of([f"M{i}" for i in range(30)], 30), kind_of([f"word {i}" for i in range(30)], 40)
    ('identifiers', 'free text')
    """
    if all_dates(values):
        return DATES
    if _FEWEST_IDENTIFIERS <= len(values) == n_known and all(map(_CODE_OF_DIGITS.fullmatch, values)):
        return IDENTIFIERS
    if _FEWEST_IDENTIFIERS <= len(values) == n_known and median(len(value.split()) for value in values) > 2:
        return FREE_TEXT
    if len(values) <= max(MANY, n_known / 2):
        return ""
    own = len(values) == n_known and all(map(_CODE.fullmatch, values))
    return IDENTIFIERS if own or are_codes(tuple(values)) else FREE_TEXT


def identifying(
    columns: Sequence[str], categories: Sequence[tuple[str, ...] | None], cells: np.ndarray
) -> dict[str, str]:
    """Return the columns of numbers that are called an id and have a whole number of its own in each of many rows.

    Examples
    --------
    >>> identifying(["id", "x"], [None, None], np.array([[7, 1], [9, 2], [3, 3], [4, 4], [5, 5]]))
    {'id': 'identifiers'}
    """
    called = [j for j, name in enumerate(columns) if categories[j] is None and is_called_id(name)]
    many = len(cells) >= _FEWEST_IDENTIFIERS
    return {columns[j]: IDENTIFIERS for j in called if many and _is_unique(cells[:, j])}


def are_codes(values: Sequence[str]) -> bool:
    """Whether values are whole numbers of one length, three digits or more, of which one has zeros in front."""
    length = len(values[0]) if values else 0
    return (
        length >= SHORTEST_CODE
        and all(len(value) == length and value.isdecimal() for value in values)
        and any(value[0] == "0" for value in values)
    )


def name_rows(values: Collection[str], n_known: int, column: str) -> bool:
    """Whether whole numbers are different in all rows and some have zeros in front, which then belong to the names.

    - `values`: The distinct values.
    - `n_known`: Number of cells that are not missing.
    - `column`: Its name; where it is not called an id and no number has three digits, 01 may be a month.

    Examples
    --------
    >>> name_rows(["08", "110"], 2, "ticket"), name_rows(["08", "11"], 2, "ticket"), name_rows(["08", "11"], 2, "id")
    (True, False, True)
    """
    return (
        all(map(str.isdecimal, values))
        and len({value.lstrip("0") for value in values}) == n_known
        and any(value[0] == "0" and len(value) > 1 for value in values)
        and (is_called_id(column) or max(map(len, values)) >= SHORTEST_CODE)
    )


def known_values(values: Sequence[str]) -> list[str]:
    """Return the values of a categorical column without those that say that a cell is missing.

    Dashes and points say so among three or more values; words such as ``None`` too among dates, or yes and no.

    Examples
    --------
    >>> known_values(["-", "blue", "red"]), known_values(["None", "no", "yes"]), known_values(["None", "mild", "bad"])
    (['blue', 'red'], ['no', 'yes'], ['None', 'mild', 'bad'])
    """
    rest = [value for value in values if not says_nothing(value)]
    if len(rest) < 2 or "+" in rest:
        return list(values)
    if known_pair(rest) or all_dates(rest):
        return rest
    return [value for value in values if not is_dash(value)]


def is_called_id(name: str) -> bool:
    """Whether a column's name says that its cells name or number the rows."""
    return _CALLED_ID.fullmatch(name) is not None


def counts_rows(column: np.ndarray) -> bool:
    """Whether cells are 0, 1, 2, ... or 1, 2, 3, ..."""
    return column[0] in (0, 1) and column[1] == column[0] + 1 and bool(np.all(np.diff(column) == 1))


def _is_unique(column: np.ndarray) -> bool:
    return bool(np.all(column == np.round(column))) and len(np.unique(column)) == len(column)
