"""How the cells of a label column become codes ``0 .. K-1``.

The rules, in this order:

- ``0`` and ``1`` are codes 0 and 1, also where only one of them occurs;
- ``-1`` and ``1`` are codes 0 and 1, also where only -1 occurs;
- the words true/false, yes/no, t/f and y/n are codes 1 and 0, in any case, also where only one occurs;
- values that are all numbers are coded in ascending order, others in the order in which they were declared;
- numbers that look continuous are refused, since a label is a choice among a few values.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from trellislib.data.dataset import DataError

MAX_NUMERIC_VALUES = 20
MAX_NAMED_VALUES = 50
_ABSENT = -1.0  # the cell of a value that does not occur; categories are counted from 0
_WORDS = (("false", "true"), ("no", "yes"), ("f", "t"), ("n", "y"))


@dataclass(frozen=True)
class Coding:
    """The code of each value of a label column.

    Attributes
    ----------
    values : tuple of str
        What each code stands for.
    cells : tuple of float
        The cell (number or index of a category) that each code stands for.
    note : str
        What a reader should know of the coding, to be read after "label x"; empty where it goes without saying.
    """

    values: tuple[str, ...]
    cells: tuple[float, ...]
    note: str = ""

    def codes(self, cells: np.ndarray) -> np.ndarray:
        """Return the codes of `cells`, each of which must be one of `self.cells`."""
        order = np.argsort(self.cells)
        return order[np.searchsorted(np.asarray(self.cells)[order], cells)].astype(np.int64)


def numeric_coding(present: np.ndarray, n_known: int, column: str) -> Coding:
    """Code a numeric column.

    Parameters
    ----------
    present : ndarray of shape (n_distinct,)
        Its distinct values, ascending.
    n_known : int
        Its number of cells that are not missing.
    column : str
        How messages start: file and column.

    Raises
    ------
    DataError
        If it has no value at all, or looks continuous.

    Examples
    --------
    >>> numeric_coding(np.array([-1.0, 1.0]), 9, "birds.csv: column 'Owl'")
    Coding(values=('-1', '1'), cells=(-1.0, 1.0), note='is coded -1/1, and 1 was read as relevant')
    """
    n_distinct = present.size
    if n_distinct == 0:
        raise DataError(f"{column} has no value at all and cannot be a label.")
    if set(present) <= {0.0, 1.0}:
        return Coding(("0", "1"), (0.0, 1.0))
    if set(present) <= {-1.0, 1.0}:
        present = np.array([-1.0, 1.0])
    whole = bool(np.all(present == np.round(present)))
    if n_distinct > MAX_NUMERIC_VALUES or (not whole and n_distinct > 2 and n_distinct > min(10, n_known / 2)):
        raise DataError(
            f"{column} holds continuous targets ({n_distinct} different numbers from {_text(present[0])} to "
            f"{_text(present[-1])}), but a label has at most {MAX_NUMERIC_VALUES} values; bin it into a few "
            "classes first, or choose other labels."
        )
    values = tuple(_text(value) for value in present)
    return Coding(values, tuple(present.tolist()), _note(values))


def nominal_coding(categories: Sequence[str], column: str) -> Coding:
    """Code a column of named values, whether or not all of them occur.

    Parameters
    ----------
    categories : sequence of str
        The values in the order in which they were declared; a cell is an index into them.
    column : str
        How messages start: file and column.

    Raises
    ------
    DataError
        If there are no values, or too many for a label.

    Examples
    --------
    >>> nominal_coding(["TRUE", "FALSE"], "birds.csv: column 'Owl'")
    Coding(values=('FALSE', 'TRUE'), cells=(1.0, 0.0), note='')
    """
    if not categories:
        raise DataError(f"{column} has no value at all and cannot be a label.")
    if len(categories) > MAX_NAMED_VALUES:
        raise DataError(
            f"{column} has {len(categories)} different values, but a label has at most {MAX_NAMED_VALUES}; where a "
            "cell lists several labels, give each label a column of its own."
        )
    order = ascending(categories)
    values, cells = tuple(categories[i] for i in order), tuple(float(i) for i in order)
    if len(values) == 1 and (pair := _pair_of(values[0])):
        values, code = pair
        cells = (*cells, _ABSENT) if code == 0 else (_ABSENT, *cells)
    if _numbers(values) == [0.0, 1.0]:
        values = ("0", "1")
    plain = values == ("0", "1") or _are_words(values)
    return Coding(values, cells, "" if plain else _note(values))


def ascending(categories: Sequence[str]) -> list[int]:
    """Return the order in which values are coded: negative word first, numbers ascending, else as declared.

    Examples
    --------
    >>> ascending(["10", "9"]), ascending(["Yes", "No"]), ascending(["red", "blue"])
    ([1, 0], [1, 0], [0, 1])
    """
    if _are_words(categories[::-1]):
        return [1, 0]
    numbers = _numbers(categories)
    if numbers is None:
        return list(range(len(categories)))
    return sorted(range(len(categories)), key=numbers.__getitem__)


def _are_words(values: Sequence[str]) -> bool:
    return tuple(value.strip().lower() for value in values) in _WORDS


def _numbers(values: Sequence[str]) -> list[float] | None:
    """Return the values as numbers, or None if one is no number or two are the same."""
    try:
        numbers = [float(value) for value in values]
    except ValueError:
        return None
    return numbers if np.all(np.isfinite(numbers)) and len(set(numbers)) == len(numbers) else None


def _pair_of(value: str) -> tuple[tuple[str, str], int] | None:
    """Return the two values of a label of which only `value` occurs, and its code; None where they are not known."""
    number = _numbers([value])
    if number in ([0.0], [1.0]):
        return ("0", "1"), int(number[0])
    if number == [-1.0]:
        return (value, "1"), 0
    word = value.strip()
    for words in _WORDS:
        if word.lower() in words:
            code = words.index(word.lower())
            partner = words[1 - code]
            partner = partner.upper() if word.isupper() else partner.capitalize() if word[0].isupper() else partner
            return ((value, partner) if code == 0 else (partner, value)), code
    return None


def _note(values: Sequence[str]) -> str:
    if len(values) == 1:
        return f"has the single value {values[0]}"
    return f"is coded {values[0]}/{values[1]}, and {values[1]} was read as relevant" if len(values) == 2 else ""


def _text(number: float) -> str:
    """Return a number as people write it: 3, not 3.0."""
    return str(int(number)) if number == int(number) and abs(number) < 1e15 else repr(float(number))
