"""How the cells of a label column become codes ``0 .. K-1``.

The rules, in this order:

- ``0`` and ``1`` are codes 0 and 1, also where only one of them occurs;
- ``-1`` and ``1`` are codes 0 and 1, also where only -1 occurs;
- the words true/false, yes/no, t/f, y/n, on/off, present/absent, the signs +/-, and yes/no in the languages of
  `_WORDS` are codes 1 and 0, in any case, also where only one occurs;
- a value of these that is spelt in several ways (``Yes`` and ``yes``, ``1`` and ``1.0``) is one value;
- values that are all numbers are coded in ascending order, others in the order in which they were declared;
- numbers that look continuous are refused, since a label is a choice among a few values.

Of two other values, the second is taken to be the relevant one. That is a guess, which people may correct.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from trellislib.data.dataset import DataError
from trellislib.wording import counted, quoted, quoted_names

MAX_NUMERIC_VALUES = 20
MAX_NAMED_VALUES = 50
_ABSENT = -1.0  # the cell of a value that does not occur; categories are counted from 0
_ONES = ("0", "1")
_SIGNS = ("-1", "1")
_WORDS = """
    false/true no/yes f/t n/y off/on -/+ absent/present
    falsch/wahr nein/ja faux/vrai non/oui falso/verdadero no/sí no/si falso/vero no/sì falso/verdadeiro não/sim nao/sim
    onwaar/waar nee/ja nej/ja nei/ja ei/kyllä fałsz/prawda nie/tak ne/ano nem/igen nu/da ne/da нет/да ложь/истина ні/так
    όχι/ναι hayır/evet لا/نعم לא/כן 否/是 いいえ/はい 아니요/예 아니오/예 नहीं/हाँ tidak/ya không/có
"""  # noqa: RUF001 (the letters are those of these languages)
_PAIRS = (_ONES, _SIGNS, *((no, yes) for no, yes in (pair.split("/") for pair in _WORDS.split())))
"""What means no, and what means yes."""


@dataclass(frozen=True)
class Coding:
    """The code of each value of a label column.

    Attributes
    ----------
    values : tuple of str
        What each code stands for.
    of : mapping of float to int
        The code of each cell, which is a number or the index of a category.
    note : str
        What a reader should know of the coding, to be read after "label x"; empty where it goes without saying.
    """

    values: tuple[str, ...]
    of: Mapping[float, int]
    note: str = ""

    @property
    def is_guess(self) -> bool:
        """Whether nothing but their order says which of the two values is the relevant one."""
        return len(self.values) == 2 and known_pair(self.values) is None

    def codes(self, cells: np.ndarray) -> np.ndarray:
        """Return the codes of `cells`, each of which must be in `self.of` or missing; a missing one gets 0."""
        coded = np.array(sorted(self.of.items()))
        missing = np.isnan(cells)
        place = np.searchsorted(coded[:, 0], np.where(missing, coded[0, 0], cells))
        return np.where(missing, 0, coded[place, 1]).astype(np.int64)

    def with_relevant(self, value: object, column: str) -> Coding:
        """Return the coding in which `value`, of which somebody said that it is the relevant one, is code 1.

        Raises `DataError` if the label does not have two values, or this is none of them.

        - `value`: One of the two values; numbers may be written in any way.
        - `column`: How messages start: file and column.

        Examples
        --------
        >>> coding = numeric_coding(np.array([1.0, 2.0]), 9, "birds.csv: column 'Owl'")
        >>> coding.with_relevant("1", "birds.csv: column 'Owl'")
        Coding(values=('2', '1'), of={1.0: 1, 2.0: 0}, note='is coded 2/1, and 1 is relevant, as was said')
        """
        if len(self.values) != 2:
            n_values = counted(len(self.values), "value")
            raise DataError(f"{column} has {n_values}, and only of two can one be the relevant one.")
        folds = [fold(known) for known in self.values]
        if fold(str(value)) not in folds:
            raise DataError(f"{column} has the values {quoted_names(self.values)}, but no {quoted(str(value))}.")
        code = self.values.index(str(value)) if str(value) in self.values else folds.index(fold(str(value)))
        values = (self.values[1 - code], self.values[code])
        note = f"is coded {values[0]}/{values[1]}, and {values[1]} is relevant, as was said"
        return Coding(values, {cell: 1 - abs(of - code) for cell, of in self.of.items()}, note)


def numeric_coding(present: np.ndarray, n_known: int, column: str) -> Coding:
    """Code a numeric column.

    Raises `DataError` if it has no value at all, or looks continuous.

    - `present`: Its distinct values, ascending.
    - `n_known`: Its number of cells that are not missing.
    - `column`: How messages start: file and column.

    Examples
    --------
    >>> numeric_coding(np.array([-1.0, 1.0]), 9, "birds.csv: column 'Owl'")
    Coding(values=('-1', '1'), of={-1.0: 0, 1.0: 1}, note='is coded -1/1, and 1 was read as relevant')
    """
    n_distinct = present.size
    if n_distinct == 0:
        raise DataError(f"{column} has no value at all and cannot be a label.")
    if set(present) <= {0.0, 1.0}:
        return Coding(_ONES, {0.0: 0, 1.0: 1})
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
    return Coding(values, {cell: code for code, cell in enumerate(present.tolist())}, _note(values))


def nominal_coding(categories: Sequence[str], column: str) -> Coding:
    """Code a categorical column, whether or not all of them occur.

    Raises `DataError` if there are no values, or too many for a label.

    - `categories`: The values in the order in which they were declared; a cell is an index into them.
    - `column`: How messages start: file and column.

    Examples
    --------
    >>> nominal_coding(["TRUE", "FALSE"], "birds.csv: column 'Owl'")
    Coding(values=('FALSE', 'TRUE'), of={0.0: 1, 1.0: 0}, note='')
    """
    if not categories:
        raise DataError(f"{column} has no value at all and cannot be a label.")
    if len(categories) > MAX_NAMED_VALUES:
        raise DataError(
            f"{column} has {len(categories)} different values, but a label has at most {MAX_NAMED_VALUES}; where a "
            "cell lists several labels, give each label a column of its own."
        )
    pair = known_pair(categories)
    if pair is not None:
        return _coding_of_pair(categories, pair)
    order = ascending(categories)
    values = tuple(categories[i] for i in order)
    return Coding(values, {float(i): code for code, i in enumerate(order)}, _note(values))


def ascending(categories: Sequence[str]) -> list[int]:
    """Return the order in which values are coded: negative word first, numbers ascending, else as declared."""
    pair = known_pair(categories)
    if pair is not None and len(categories) == 2:
        return sorted(range(2), key=lambda i: pair.index(fold(categories[i])))
    numbers = _numbers(categories)
    if numbers is None:
        return list(range(len(categories)))
    return sorted(range(len(categories)), key=numbers.__getitem__)


def _numbers(values: Sequence[str]) -> list[float] | None:
    """Return the values as numbers, or None if one is no number or two are the same."""
    try:
        numbers = [float(value) for value in values]
    except ValueError:
        return None
    return numbers if np.all(np.isfinite(numbers)) and len(set(numbers)) == len(numbers) else None


def fold(value: str) -> str:
    """Return what is the same for all spellings of a value."""
    number = _numbers([value])
    return value.strip().lower() if number is None else _text(number[0])


def place_among(values: Sequence[str]) -> Callable[[str], int | None]:
    """Return what finds the place of a value among `values`, however it is spelt; None where it is none of them.

    Examples
    --------
    >>> list(map(place_among(["No", "Yes"]), ["yes", "No", "1", "maybe"]))
    [1, 0, 1, None]
    """
    exact = {value: i for i, value in enumerate(values)}
    spelt = {fold(value): i for value, i in exact.items()}
    pair = known_pair(values) if len(values) == 2 else None

    def place(value: str) -> int | None:
        if value in exact:
            return exact[value]
        folded = fold(value)
        if folded not in spelt and pair is not None and (other := known_pair([value])):
            folded = pair[other.index(folded)]
        return spelt.get(folded)

    return place


def known_pair(values: Sequence[str]) -> tuple[str, str] | None:
    """Return the well-known pair to which all of the values belong, the negative one first; None if there is none.

    Examples
    --------
    >>> known_pair(["Ja", "nein"]), known_pair(["NO"]), known_pair(["red", "blue"])
    (('nein', 'ja'), ('no', 'yes'), None)
    """
    folds = {fold(value) for value in values}
    return next((pair for pair in _PAIRS if folds <= set(pair)), None)


def _coding_of_pair(categories: Sequence[str], pair: tuple[str, str]) -> Coding:
    """Code values that all belong to a well-known pair."""
    codes = [pair.index(fold(value)) for value in categories]
    of = {float(i): code for i, code in enumerate(codes)}
    if len(set(codes)) == 1:
        of[_ABSENT] = 1 - codes[0]
    if pair == _ONES:
        values = _ONES
    else:
        spelt = [next((categories[i] for i in range(len(codes)) if codes[i] == code), None) for code in (0, 1)]
        values = (spelt[0] or _in_case_of(spelt[1], pair[0]), spelt[1] or _in_case_of(spelt[0], pair[1]))
    note = _note(values) if pair == _SIGNS else ""
    if len(categories) > 2 or (len(categories) == 2 and len(set(codes)) == 1):
        spellings = ", ".join(categories)
        note = f"spells its values in several ways ({spellings}), which were read as {values[0]}/{values[1]}"
    return Coding(values, of, note)


def _in_case_of(model: str | None, word: str) -> str:
    """Return a word in capitals, with a capital, or as it is, as the word `model` is written."""
    model = (model or "").strip()
    return word.upper() if model.isupper() else word.capitalize() if model[:1].isupper() else word


def _note(values: Sequence[str]) -> str:
    if len(values) == 1:
        return f"has the single value {values[0]}"
    return f"is coded {values[0]}/{values[1]}, and {values[1]} was read as relevant" if len(values) == 2 else ""


def _text(number: float) -> str:
    """Return a number as people write it: 3, not 3.0."""
    return str(int(number)) if number == int(number) and abs(number) < 1e15 else repr(float(number))
