"""Columns of texts, from whatever kind of file, as numbers or as categories: one set of rules for all of them."""

from __future__ import annotations

import datetime
import re
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain, compress, islice

import numpy as np

from trellislib.data.dataset import DataError
from trellislib.data.reading.amounts import amounts
from trellislib.data.reading.header import by_position
from trellislib.data.reading.kinds import (
    MANY,
    SHORTEST_CODE,
    are_codes,
    counts_rows,
    identifying,
    is_called_id,
    kind_of,
    known_values,
    name_rows,
)
from trellislib.data.reading.notation import (
    COMMA,
    EITHER,
    MOST_EXACT,
    POINT,
    any_number,
    is_missing,
    loses_digits,
    number,
    numbers,
    plain_numbers,
    sets_thousands_apart,
)
from trellislib.data.spreadsheet import as_meant
from trellislib.data.tables.columns import recoded
from trellislib.typing import Matrix
from trellislib.wording import agreed, counted, listed, quoted, quoted_names

Row = tuple[int, list[str]]
"""Where a row stands, for messages, and its cells."""

Refusal = Callable[[str, int], DataError]
"""What makes the error of a cause and a place."""

_BLOCK_CELLS = 2**20  # that are held as text at a time
_ZERO_IN_FRONT = re.compile(r"\n0\d{1,30}(?=\n)")
_PADDED = re.compile(r"0\d+")
NAMED_ALONE = 3  # columns of amounts that have a note each; the others have one together
_ODD = 1 / 6  # of the values of a column; more of them are no oddities


@dataclass(frozen=True, eq=False)
class Cells:
    """What columns turned out to hold."""

    cells: Matrix  # (n_rows, n_columns): the number, or the index of the category; ``nan`` is a missing cell
    categories: tuple[tuple[str, ...] | None, ...]  # for each column its categories, or None where it holds numbers
    unusable: dict[str, str]  # columns that are neither feature nor label as they stand, and what they hold
    decimal_comma: bool  # whether numbers were read with a decimal comma
    notes: tuple[str, ...]  # what a reader should know of some columns

    @property
    def numbers_note(self) -> str:
        """What is special about its numbers, for a sentence."""
        return ", numbers with a decimal comma" if self.decimal_comma else ""


def read_cells(
    columns: Sequence[str],
    rows: Callable[[], Iterable[Row]],
    refuse: Refusal,
    *,
    named: Collection[int] = (),
    separated_by: str = "",
) -> Cells:
    """Read columns of texts.

    A column is numeric if all its cells are numbers or missing (empty, ``?``, ``NA``, ``nan`` in any case), or amounts
    of one unit (`trellislib.data.reading.amounts`: ``$1,234.50``, ``12 %``, ``060Y``, ``10:30``); else it holds
    categories, as it does where a whole number has more digits than a float keeps, and where whole numbers of three
    or more digits, all of one length, have zeros in front, as codes have, or where they name rows and have zeros in
    front. Numbers may have a decimal comma where no column has decimal points, and their thousands may be set apart by
    the other of the two signs, where something shows which is which: ``1.234,5``, or another column. Signs and words
    such as ``-`` and ``None`` are missing cells among numbers, dates or words such as yes and no; signs also among any
    three or more values.

    Named values that are dates or times make a column unusable; so do those of which there are more than 20, and more
    than half as many as rows: identifiers if each occurs once and has no blanks, else free text. Five or more codes
    with digits, one in each row, are identifiers too, and so is a number of its own in each row of a column that is
    called an id.

    Raises `DataError` if there are no rows, or a number is infinite.

    - `columns`: Their names.
    - `rows`: Returns all rows, from the first one on; it may be called twice.
    - `refuse`: Makes the error of a cause and a row's place.
    - `named`: The positions of columns that are categorical, whatever they look like.
    - `separated_by`: What stands between cells in the file: commas show that decimals have a point; semicolons, where
      no number has a point, that a comma is a decimal comma.

    Examples
    --------
    >>> read = read_cells(["x", "sky"], lambda: [(2, ["1,5", "red"]), (3, ["?", "blue"])], DataError)
    >>> read.cells.tolist(), read.categories
    ([[1.5, 1.0], [nan, 0.0]], (None, ('blue', 'red')))
    """
    notation = np.full(len(columns), POINT if separated_by == "," else EITHER, dtype=np.int8)
    reading = _Reading(columns, refuse, notation, named)
    reading.read(rows())
    notation, doubtful = reading.decided(separated_by)
    way, texts = reading.way, doubtful | reading.codes | reading.late
    notes = list(reading.notes_on_texts(texts))
    if texts or reading.differs_from(notation):  # what a number or a text is showed only further down
        reading = _Reading(columns, refuse, notation, named, reading.named | texts)
        reading.read(rows())
    return reading.result(notes, way, doubtful)


def plain_cells(
    columns: Sequence[str],
    named: Collection[int],
    blocks: Callable[[Mapping[int, Mapping[str, float]]], list[np.ndarray]],
) -> Cells | None:
    """Return columns of texts and of plain numbers with a decimal point, as `read_cells` does; None without any block.

    - `columns`: Their names.
    - `named`: The positions of those that hold texts.
    - `blocks`: Takes, for each of these, what numbers its texts; returns cells in blocks of rows, ``nan`` if missing.
    """
    refuse: Refusal = lambda cause, _: DataError(cause)  # noqa: E731  of rows, none of which is read here
    reading = _Reading(columns, refuse, np.full(len(columns), POINT, dtype=np.int8), (), named)
    reading.blocks = blocks({j: reading.seen[j] for j in named})
    return reading.result((), POINT, ()) if reading.blocks else None


def as_text(value: object) -> str:
    """Return the value of a cell as a text, whole numbers without a point, dates and times as ISO 8601 has them."""
    if isinstance(value, str):
        return value
    if isinstance(value, float) and value.is_integer():
        return str(int(value))
    return value.isoformat() if isinstance(value, (datetime.date, datetime.time)) else str(value)


class _Reading:
    """Columns as they fill up.

    Attributes
    ----------
    named : set of int
        The categorical columns.
    """

    def __init__(
        self,
        columns: Sequence[str],
        refuse: Refusal,
        notation: np.ndarray,
        declared: Collection[int],
        found: Collection[int] = (),
    ):
        self.named = {*declared, *found}
        self._declared = declared  # the named columns that are so whatever they look like
        self._columns = columns
        self._refuse = refuse
        self.late: set[int] = set()  # the named columns of which earlier cells were taken for numbers
        self._possible = notation.copy()  # how the numbers of each column may be written
        self._stored = np.zeros_like(notation)  # how those were read whose value depends on it
        self._apart: dict[int, str] = {}  # a cell of each column that sets thousands apart
        self._with_comma: dict[int, str] = {}  # a number of each column that has a comma
        self._too_long: dict[int, str] = {}  # a number of each column that has more digits than a float keeps
        self._padded: dict[int, str] = {}  # a number of each column that has zeros in front
        self.codes: set[int] = set()  # columns of numbers of which some may be codes, since they have zeros in front
        self.way = POINT  # how numbers are written where both ways fit
        self._amounts: dict[int, str] = {}  # what was done with a column of amounts, for a sentence
        self._nothing: dict[int, str] = {}  # what says in a column that cells are missing, for a sentence
        self.seen = [_Seen() for _ in columns]
        self.blocks: list[np.ndarray] = []  # of rows, as they are read

    def read(self, rows: Iterable[Row]) -> None:
        """Read all rows, a block at a time."""
        rows = iter(rows)
        size = max(1, _BLOCK_CELLS // len(self._columns))
        while block := list(islice(rows, size)):
            self.blocks.append(self._block([place for place, _ in block], [cells for _, cells in block]))
        if not self.blocks:
            raise self._refuse("the file has a header but no rows", 0)

    def decided(self, separated_by: str) -> tuple[np.ndarray, set[int]]:
        """Return how the numbers of each column are written, and the columns of which nothing shows how they are."""
        numeric = np.array([j not in self.named for j in range(len(self._columns))])
        with_comma = np.array([j in self._with_comma for j in range(len(self._columns))]) & numeric
        point, comma, either = ((self._possible == bits) & numeric for bits in (POINT, COMMA, EITHER))
        texts = np.zeros_like(numeric)
        self.way = COMMA if not point.any() and (comma.any() or separated_by == ";") else POINT
        if point.any():
            texts = comma
        elif comma.any():
            comma |= either
        elif separated_by == ";":
            comma = with_comma
        else:
            texts = with_comma
        return np.where(comma, COMMA, POINT).astype(np.int8), set(np.flatnonzero(texts).tolist())

    def differs_from(self, notation: np.ndarray) -> bool:
        """Whether a number was read in another way than it is written."""
        return bool(np.any(self._stored & ~notation))

    def notes_on_texts(self, columns: Iterable[int]) -> Iterator[str]:
        """Yield a note on the columns of numbers with commas, or too long, that will be read as categorical."""
        for j in sorted(set(columns) & set(self._with_comma) - self.named):
            yield (
                f"Column {quoted(self._columns[j])} holds cells such as {quoted(self._with_comma[j])}, of which "
                "nothing shows that the comma is a decimal comma, and was read as categorical."
            )

        if self._too_long:
            title, hold, were = agreed(len(self._too_long), ("Column", "holds", "was"), ("Columns", "hold", "were"))
            text = self._too_long[min(self._too_long)]
            yield (
                f"{title} {self._listed(self._too_long)} {hold} whole numbers such as {quoted(text)}, of more digits "
                f"than a number keeps, and {were} read as categorical."
            )

    def result(self, notes: Iterable[str], way: int, doubtful: Collection[int]) -> Cells:
        """Return what was read.

        - `way`: How amounts are written where both ways fit.
        - `doubtful`: The columns of which nothing shows how their numbers are written.
        """
        cells = np.empty((sum(map(len, self.blocks)), len(self._columns)))
        end = len(cells)
        while self.blocks:  # each is freed as soon as it is copied
            block = self.blocks.pop()
            cells[end - len(block) : end] = block
            end -= len(block)
        categories: list[tuple[str, ...] | None] = [None] * len(self._columns)
        unusable = {}
        for j in sorted(self.named):
            values = _sorted_values(cells[:, j], self.seen[j])
            if j not in self._declared:
                if j not in doubtful and self._are_amounts(j, values, cells[:, j], way):
                    continue
                values = self._known(j, values, cells[:, j])
            categories[j] = values
            if kind := kind_of(values, int(np.count_nonzero(~np.isnan(cells[:, j])))):
                unusable[self._columns[j]] = kind
        self.named = {j for j, values in enumerate(categories) if values is not None}
        unusable |= identifying(self._columns, categories, cells)
        return Cells(
            cells=cells,
            categories=tuple(categories),
            unusable=unusable,
            decimal_comma=bool(np.any(self._stored == COMMA)),
            notes=(
                *notes,
                *self._thousands_notes(),
                *self._notes_on_amounts(),
                *self._notes_on_zeros(),
                *self._notes_on_odd_values(categories),
                *self._numbering_notes(cells),
            ),
        )

    def _are_amounts(self, j: int, values: tuple[str, ...], cells: np.ndarray, way: int) -> bool:
        """Whether the values of a column are numbers, which then stand in its cells."""
        n_known = int(np.count_nonzero(~np.isnan(cells)))
        meant = None if are_codes(values) or name_rows(values, n_known, self._columns[j]) else amounts(values, way)
        if meant is None:
            return False
        is_known = np.flatnonzero(~np.isnan(meant))
        odd = [i for i in is_known if any_number(values[i]) is None]
        if odd:
            self._amounts[j] = f"{quoted(values[odd[0]])} as {meant[odd[0]]:.6g}"
        if padded := next(filter(_PADDED.fullmatch, values), None):
            self._padded[j] = padded
        self._note_nothing(j, [values[i] for i in np.flatnonzero(np.isnan(meant))], values, cells)
        cells[:] = recoded(cells, meant)
        return True

    def _known(self, j: int, values: tuple[str, ...], cells: np.ndarray) -> tuple[str, ...]:
        """Return the values of a column without those that say that a cell is missing, and number its cells from 0."""
        place = {value: float(i) for i, value in enumerate(known_values(values))}
        self._note_nothing(j, [value for value in values if value not in place], values, cells)
        cells[:] = recoded(cells, [place.get(value, np.nan) for value in values])
        return tuple(place)

    def _note_nothing(self, j: int, nothing: Sequence[str], values: Sequence[str], cells: np.ndarray) -> None:
        if nothing:
            n = int(np.isin(cells, [values.index(value) for value in nothing]).sum())
            self._nothing[j] = f"{quoted_names(nothing)} of {quoted(self._columns[j])} ({counted(n, 'cell')})"

    def _block(self, places: list[int], rows: list[Sequence[str]]) -> np.ndarray:
        """Return the cells of some rows."""
        cells = np.full((len(rows), len(self._columns)), np.nan)
        wanted = [j not in self.named for j in range(len(self._columns))]
        numeric = list(compress(range(len(self._columns)), wanted))
        texts = list(chain.from_iterable(compress(row, wanted) for row in rows))
        together = plain_numbers(texts)
        if together is not None and np.abs(together).max(initial=0, where=~np.isnan(together)) >= MOST_EXACT:
            together = None  # by column, to see which loses digits
        if together is not None:
            cells[:, numeric] = together.reshape(len(rows), len(numeric))
        lines = "\n".join(("", *texts, ""))
        has_points = together is None or "." in lines
        if _ZERO_IN_FRONT.search(lines):
            self._find_padded(numeric, texts)
        may_have_commas = self._possible & COMMA
        for j in numeric:
            if together is None or (has_points and may_have_commas[j]):
                self._add_numbers(j, [row[j] for row in rows], cells[:, j])
        self._refuse_infinite(places, rows, cells)
        for j in self.named:
            cells[:, j] = list(map(self.seen[j].__getitem__, [row[j] for row in rows]))
        return cells

    def _add_numbers(self, j: int, texts: list[str], cells: np.ndarray) -> None:
        """Store texts of a column as numbers, or make it categorical if not all are numbers."""
        plain = plain_numbers(texts)
        if plain is not None and (too_long := loses_digits(texts, plain)):
            self._too_long[j] = too_long
            self._name(j)
            return
        if plain is not None and not (self._possible[j] & COMMA and "." in "".join(texts)):
            cells[:] = plain
            return
        read = {n: found for n in (POINT, COMMA) if self._possible[j] & n and (found := numbers(texts, n)) is not None}
        if not read:
            self._name(j)
            return
        notation = min(read)
        self._possible[j] = sum(read)
        self._stored[j] |= notation
        cells[:] = read[notation]
        together = "".join(texts)
        if "," in together and j not in self._with_comma:
            self._with_comma[j] = next(text.strip() for text in texts if "," in text)
        if ("," if notation == POINT else ".") in together and j not in self._apart:
            apart = next((text.strip() for text in texts if sets_thousands_apart(text, notation)), None)
            if apart is not None:
                self._apart[j] = apart

    def _name(self, j: int) -> None:
        """Make a column categorical."""
        self.named.add(j)
        if self.blocks:
            self.late.add(j)

    def _find_padded(self, numeric: Sequence[int], texts: Sequence[str]) -> None:
        """Keep a whole number with zeros in front of each column that has one; the texts come row by row."""
        for start, j in enumerate(numeric):
            column = texts[start :: len(numeric)]
            if found := _ZERO_IN_FRONT.search("\n".join(("", *column, ""))):
                self._padded.setdefault(j, found[0].strip())
                if is_called_id(self._columns[j]) or any(len(text.strip()) >= SHORTEST_CODE for text in column):
                    self.codes.add(j)

    def _refuse_infinite(self, places: list[int], rows: list[Sequence[str]], cells: np.ndarray) -> None:
        for i, j in np.argwhere(np.isinf(cells)):
            text, name = rows[i][j].strip(), self._columns[j]
            cause = f"{quoted(text)} in column {quoted(name)} is not a finite number; leave the cell empty"
            raise self._refuse(cause, places[i])

    def _thousands_notes(self) -> Iterator[str]:
        """Yield a note on the columns of which some numbers set their thousands apart."""
        if self._apart:
            j, text = min(self._apart.items())
            meant = number(text, int(self._stored[j]))
            columns, sets = agreed(len(self._apart), ("Column", "sets"), ("Columns", "set"))
            names = self._listed(self._apart)
            yield f"{columns} {names} {sets} thousands apart: {quoted(text)} was read as {meant:.15g}."

    def _notes_on_amounts(self) -> Iterator[str]:
        """Yield a note on the columns that were read as numbers, and one on texts that say that a cell is missing."""
        read = sorted(self._amounts)
        for j in read[:NAMED_ALONE]:
            yield f"Column {quoted(self._columns[j])} was read as numbers: {self._amounts[j]}."
        if more := read[NAMED_ALONE:]:
            column, was = agreed(len(more), ("Column", "was"), ("Columns", "were"))
            yield f"{column} {self._listed(more)} {was} read as numbers as well."
        if self._nothing:
            yield f"Cells that count as missing: {listed(list(self._nothing.values()), 4)}."

    def _notes_on_zeros(self) -> Iterator[str]:
        """Yield a note on the columns of whole numbers that have zeros in front, as codes have."""
        padded = {j: text for j, text in self._padded.items() if j not in self.named}
        if padded:
            columns, hold, them = agreed(len(padded), ("Column", "holds", "it"), ("Columns", "hold", "them"))
            text = padded[min(padded)]
            yield (
                f"{columns} {self._listed(padded)} {hold} cells such as {quoted(text)}, which was read as "
                f"{float(text):.15g}; leave {them} out if these are codes."
            )

    def _notes_on_odd_values(self, categories: Sequence[tuple[str, ...] | None]) -> Iterator[str]:
        """Yield a note on the columns of numbers that a few odd values made categorical columns."""
        found = {}
        for j in self.named.difference(self._declared):
            values = categories[j] or ()
            odd = [value for value in values if any_number(value) is None]
            if 0 < len(odd) <= _ODD * len(values):
                found[j] = odd[0]
        if found:
            columns, hold, were = agreed(len(found), ("Column", "holds", "was"), ("Columns", "hold", "were"))
            yield (
                f"{columns} {self._listed(found)} {hold} numbers, but also cells such as {quoted(found[min(found)])}, "
                f"and {were} read as categorical; empty these cells if they are missing."
            )

    def _listed(self, columns: Iterable[int]) -> str:
        """Return the names of columns, for a sentence."""
        return quoted_names([self._columns[j] for j in sorted(columns)])

    def _numbering_notes(self, cells: np.ndarray) -> Iterator[str]:
        """Yield a note on every column of numbers that only counts or names the rows."""
        for j, name in enumerate(self._columns):
            column = cells[:, j]
            if j in self.named or len(column) < 2:
                continue
            if not is_called_id(name) and (name == by_position(0) or len(column) > MANY) and counts_rows(column):
                yield f"Column {quoted(name)} only numbers the rows; leave it out if it means nothing."


class _Seen(dict[str, float]):
    """The texts of a column, numbered as they come; ``nan`` for those that say that a cell is missing."""

    def __missing__(self, text: str) -> float:
        self[text] = np.nan if is_missing(text) else float(len(self))
        return self[text]


def _sorted_values(cells: np.ndarray, seen: Mapping[str, float]) -> tuple[str, ...]:
    """Return the categories of a column, sorted, and number its cells, which are those of `seen`, anew."""
    meant = {text: as_meant(text.strip()) for text, index in seen.items() if not np.isnan(index)}
    values = sorted(set(meant.values()))
    place = {value: i for i, value in enumerate(values)}
    rank = np.full(len(seen), np.nan)
    for text, value in meant.items():
        rank[int(seen[text])] = place[value]
    cells[:] = recoded(cells, rank)
    return tuple(values)
