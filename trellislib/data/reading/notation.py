"""How cells say numbers: with a decimal point or a decimal comma, thousands set apart or not; or that there is none."""

from __future__ import annotations

import re
from collections.abc import Sequence
from decimal import Decimal
from math import nan

import numpy as np

POINT, COMMA = 1, 2
"""Bits: which sign stands before the decimals; the other may set thousands apart."""
EITHER = POINT | COMMA

MOST_EXACT = 2**53
"""From here on, floats leave out whole numbers."""

_MISSING = frozenset(["", "?", "na", "n/a", "n.a.", "nan", "-nan", "null", "(null)", "#n/a", "#na", "<na>"])
_USUAL_SPELLINGS = _MISSING | {text.upper() for text in _MISSING} | {"NaN"}  # of the missing cell; found quickly
_DECIMAL_COMMA = re.compile(r"[-+]?\d*,\d+(?:[eE][-+]?\d+)?")
_WHOLE = re.compile(r"[-+]?0{0,30}(\d{1,40})")
_THOUSANDS = {
    POINT: re.compile(r"[-+]?[1-9]\d{0,2}(?:,\d{3})+(?:\.\d*)?"),
    COMMA: re.compile(r"[-+]?[1-9]\d{0,2}(?:\.\d{3})+(?:,\d*)?"),
}


def is_missing(cell: str) -> bool:
    """Whether a cell is empty or says that there is no value: ``?``, ``NA``, ``n/a``, ``nan``, ``null`` in any case.

    Codes that may be values as well, such as ``-``, are those of `trellislib.data.reading.amounts.says_nothing`.
    """
    return cell.strip().lower() in _MISSING


def with_point(cell: str) -> str:
    """Return a cell with its decimal comma, if it is a number with one, as a point."""
    cell = cell.strip()
    return cell.replace(",", ".") if _DECIMAL_COMMA.fullmatch(cell) else cell


def sets_thousands_apart(cell: str, notation: int) -> bool:
    """Whether a cell is a number of which the thousands are set apart."""
    return _THOUSANDS[notation].fullmatch(cell.strip()) is not None


def number(cell: str, notation: int) -> float | None:
    """Return the number in a cell, None where there is none.

    - `cell`: The cell.
    - `notation`: How it is written.

    Examples
    --------
    >>> number("1.234,5", COMMA), number("1.234", COMMA), number("1.234", POINT), number("1.234,5", POINT)
    (1234.5, 1234.0, 1.234, None)
    """
    cell = cell.strip()
    apart = "," if notation == POINT else "."
    if apart in cell:
        if not sets_thousands_apart(cell, notation):
            return None
        cell = cell.replace(apart, "")
    try:
        return None if "_" in cell else float(cell.replace(",", ".") if notation == COMMA else cell)
    except ValueError:
        return None


def loses_digits(cells: Sequence[str], values: np.ndarray) -> str:
    """Return a whole number among cells that has more digits than the float it became keeps; empty if there is none."""
    for i in np.flatnonzero(np.abs(values) >= MOST_EXACT).tolist():
        whole = _WHOLE.fullmatch(cell := cells[i].strip())
        if whole:
            value = abs(float(values[i]))
            written = int(value), int(Decimal(repr(value)))  # in full, or with zeros for the last digits
            if int(whole[1]) not in written:
                return cell
    return ""


def any_number(cell: str) -> float | None:
    """Return the number in a cell with a decimal point, or else with a decimal comma; None where there is none."""
    with_decimal_point = number(cell, POINT)
    return number(cell, COMMA) if with_decimal_point is None else with_decimal_point


def numbers(cells: Sequence[str], notation: int) -> np.ndarray | None:
    """Return the numbers in cells, ``nan`` where one is missing; None if any is no number."""
    if notation == COMMA and "." not in "".join(cells):  # the usual case, quickly
        quickly = plain_numbers([cell.replace(",", ".") for cell in cells])
        if quickly is not None:
            return quickly
    result = np.full(len(cells), nan)
    for i, cell in enumerate(cells):
        if not is_missing(cell):
            read = number(cell, notation)
            if read is None:
                return None
            result[i] = read
    return result


def plain_numbers(cells: Sequence[str]) -> np.ndarray | None:
    """Return the numbers in cells, quickly where they are written with a decimal point and no more; None otherwise."""
    if "_" in "".join(cells):  # Python reads 1_000 as a number; nobody else does
        return None
    try:
        return np.fromiter(map(float, cells), float, len(cells))
    except ValueError:
        pass
    try:
        return np.array([nan if cell in _USUAL_SPELLINGS else float(cell) for cell in cells])
    except ValueError:
        return None
