"""CSV and its relatives: a header, then one row a line, between commas, semicolons, tabs or bars."""

from __future__ import annotations

import csv
import re
from collections.abc import Iterable, Iterator
from itertools import islice

import numpy as np

from trellislib.data.source import FileLike, Source
from trellislib.data.table import Table, unique_names

_BLOCK = 2048  # rows that are held as text at a time
_DELIMITERS = ",;\t|"  # the earlier one wins where two fit equally well
_MISSING = frozenset(["", "?", "na", "n/a", "nan", "null"])
_SVMLIGHT = re.compile(r"(?:\S+\s+|\s*)\d+:[-+.\deE]+(?:\s+\d+:[-+.\deE]+)*\s*")
_DECIMAL_COMMA = re.compile(r"[-+]?\d*,\d+(?:[eE][-+]?\d+)?")
_MANY = 20

Row = tuple[int, list[str]]


def read_csv(source: FileLike | Source, name: str | None = None) -> Table:
    r"""Read a CSV file (or one with semicolons, tabs or bars) as a table.

    Parameters
    ----------
    source : str, path, bytes or binary file
        The file, which may be gzipped. Its first line names the columns.
    name : str, optional
        What to call it; by default the file's own name.

    Returns
    -------
    Table
        A column is numeric if all its cells are numbers (with a decimal comma too, where commas do not separate)
        or missing (empty, ``?``, ``NA``, ``nan`` in any case); else it is nominal, with its values sorted. A nominal
        column that has a value of its own in more than half of the rows, and more than 20, is free text.

    Raises
    ------
    DataError
        If it cannot be read, has no header or no rows, or a row has more or fewer cells than the header.

    Examples
    --------
    >>> table = read_csv(b"x;sunny\n1,5;yes\n;no\n")
    >>> table.columns, table.categories, table.cells.tolist()
    (('x', 'sunny'), (None, ('no', 'yes')), [[1.5, 1.0], [nan, 0.0]])
    """
    source = Source(source, name)
    delimiter = delimiter_of(source)
    columns = _Columns(source, delimiter, nominal=frozenset())
    late = columns.read()
    if late:  # text turned up in a column whose first blocks were numbers: read those as text too
        columns = _Columns(source, delimiter, nominal=frozenset(late))
        columns.read()
    return columns.table()


def delimiter_of(source: Source) -> str:
    r"""Return the delimiter with which most of the first lines have as many cells as the header.

    Raises
    ------
    DataError
        If there is none: the file is blank, names one column only, or is an svmlight file.

    Examples
    --------
    >>> delimiter_of(Source(b"x;sunny\n1,5;yes\n"))
    ';'
    """
    with source.text() as text:
        lines = list(islice((line for line in text if line.strip()), 50))
    if not lines:
        raise source.error("the file has nothing but blank lines")
    if any(_SVMLIGHT.fullmatch(line) for line in lines[:3]):
        raise source.error("this looks like an svmlight file (position:value), not a table with a header")

    def fit(delimiter: str) -> tuple[float, int]:
        try:
            widths = [len(row) for row in csv.reader(lines, delimiter=delimiter, skipinitialspace=True)]
        except csv.Error:
            return 0.0, 1
        return sum(width == widths[0] for width in widths) / len(widths), widths[0]

    fits = {delimiter: fit(delimiter) for delimiter in _DELIMITERS}
    split = [delimiter for delimiter in _DELIMITERS if fits[delimiter][1] > 1]
    if not split:
        raise source.error("the first line does not name columns; expected names between commas, semicolons or tabs")
    return max(split, key=fits.__getitem__)


def split_rows(source: Source, text: Iterable[str], delimiter: str) -> Iterator[Row]:
    r"""Yield the rows of a text that are not blank, each with its first line's number.

    Raises
    ------
    DataError
        If a quote is not closed or stands where none may; the message names `source` and the line.

    Examples
    --------
    >>> list(split_rows(Source(b""), ['x, "a, b"\n', "\n", "1,2\n"], ","))
    [(1, ['x', 'a, b']), (3, ['1', '2'])]
    """
    reader = csv.reader(text, delimiter=delimiter, skipinitialspace=True, strict=True)
    start = 1
    try:
        for row in reader:
            if row and (len(row) > 1 or row[0].strip()):
                yield start, row
            start = reader.line_num + 1
    except csv.Error as error:
        raise source.error(f"the quotes of the row that starts here do not fit ({error})", start) from error


class _Columns:
    """The columns of a file as they fill up."""

    def __init__(self, source: Source, delimiter: str, nominal: frozenset[int]):
        self.source = source
        self.delimiter = delimiter
        self.nominal = set(nominal)
        self.names: tuple[str, ...] = ()
        self.notes: list[str] = []
        self.decimal_comma = False
        self.seen: list[dict[str, float]] = []  # the named values of each column, numbered as they came
        self.blocks: list[np.ndarray] = []

    def read(self) -> set[int]:
        """Read the file; return the columns that turned nominal when numbers had already been stored."""
        late: set[int] = set()
        with self.source.text() as text:
            rows = self._rows(text)
            self._header(next(rows))
            while block := list(islice(rows, _BLOCK)):
                numbers = [number for number, _ in block]
                columns = list(zip(*(row for _, row in block), strict=True))
                cells = np.empty((len(block), len(self.names)))
                for j, column in enumerate(columns):
                    numeric = None if j in self.nominal else self._numeric(j, column, numbers)
                    if numeric is None:
                        if j not in self.nominal and self.blocks:
                            late.add(j)
                        self.nominal.add(j)
                        numeric = self._nominal(j, column)
                    cells[:, j] = numeric
                self.blocks.append(cells)
        if not self.blocks:
            raise self.source.error("the file has a header but no rows")
        return late

    def table(self) -> Table:
        """Return what was read, with the named values of each column sorted."""
        cells = np.concatenate(self.blocks)
        categories: list[tuple[str, ...] | None] = []
        unusable = {}
        for j, name in enumerate(self.names):
            if j not in self.nominal:
                categories.append(None)
                continue
            values = sorted(self.seen[j])
            rank = np.empty(len(values) + 1)
            rank[[int(self.seen[j][value]) for value in values]] = np.arange(len(values))
            rank[-1] = np.nan  # a missing cell, which is no index
            cells[:, j] = rank[np.nan_to_num(cells[:, j], nan=-1).astype(int)]
            categories.append(tuple(values))
            if len(values) > max(_MANY, np.count_nonzero(~np.isnan(cells[:, j])) / 2):
                unusable[name] = "free text or identifiers"
        if self.decimal_comma:
            self.notes.append("Numbers were read with a decimal comma.")
        return Table(
            name=self.source.name,
            columns=self.names,
            categories=tuple(categories),
            cells=cells,
            notes=(*self.notes, *self._numbering(cells)),
            unusable=unusable,
        )

    def _rows(self, text: Iterable[str]) -> Iterator[Row]:
        """Yield the rows that are not blank, each as long as the header."""
        for line, row in split_rows(self.source, text, self.delimiter):
            if self.names and len(row) != len(self.names):
                raise self.source.error(f"expected {len(self.names)} values but got {len(row)}", line)
            yield line, row

    def _header(self, header: Row) -> None:
        line, names = header
        names = [name.strip() for name in names]
        numbers = [_number(name) for name in names]
        counted = [list(map(float, range(first, first + len(names)))) for first in (0, 1)]
        if None not in numbers and numbers not in counted:
            raise self.source.error("the first line holds numbers where the names of the columns were expected", line)
        unnamed = [j for j, name in enumerate(names) if not name]
        if unnamed:
            names = [name or f"column {j}" for j, name in enumerate(names, 1)]
            self.notes.append("Columns without a name were called by their position, such as 'column 1'.")
        self.names, notes = unique_names(names)
        self.notes += notes
        self.seen = [{} for _ in self.names]

    def _numeric(self, j: int, column: tuple[str, ...], lines: list[int]) -> np.ndarray | None:
        """Return a column's cells as numbers, or None if not all are."""
        try:
            cells = np.fromiter(map(float, column), float, len(column))
        except ValueError:
            numbers = [np.nan if is_missing(cell) else _number(cell) for cell in column]
            if None in numbers and self.delimiter != "," and not any("." in cell for cell in column):
                numbers = [np.nan if is_missing(cell) else _number(with_point(cell)) for cell in column]
                self.decimal_comma |= None not in numbers
            if None in numbers:
                return None
            cells = np.array(numbers, dtype=float)
        if "_" in "".join(column):  # Python reads 1_000 as a number; nobody else does
            return None
        if np.isinf(cells).any():
            at = int(np.flatnonzero(np.isinf(cells))[0])
            cause = f"{column[at]!r} in column {self.names[j]!r} is not a finite number; leave the cell empty"
            raise self.source.error(cause, lines[at])
        return cells

    def _nominal(self, j: int, column: tuple[str, ...]) -> np.ndarray:
        seen = self.seen[j]
        values = (cell.strip() for cell in column)
        cells = (np.nan if is_missing(value) else seen.setdefault(value, float(len(seen))) for value in values)
        return np.fromiter(cells, float, len(column))

    def _numbering(self, cells: np.ndarray) -> Iterator[str]:
        """Yield a note on every column that only counts the rows."""
        for j, name in enumerate(self.names):
            column = cells[:, j]
            counts = column[0] in (0, 1) and len(column) > _MANY and np.all(np.diff(column) == 1)
            if counts and j not in self.nominal:
                yield f"Column {name!r} only numbers the rows; leave it out if it means nothing."


def is_missing(cell: str) -> bool:
    """Whether a cell is empty or says that there is no value: ``?``, ``NA``, ``n/a``, ``nan``, ``null`` in any case.

    Examples
    --------
    >>> is_missing(" NaN "), is_missing("0")
    (True, False)
    """
    return cell.strip().lower() in _MISSING


def _number(cell: str) -> float | None:
    try:
        return float(cell)
    except ValueError:
        return None


def with_point(cell: str) -> str:
    """Return a cell with its decimal comma, if it is a number with one, as a point.

    Examples
    --------
    >>> with_point(" -1,5e3"), with_point("1,234,567")
    ('-1.5e3', '1,234,567')
    """
    cell = cell.strip()
    return cell.replace(",", ".") if _DECIMAL_COMMA.fullmatch(cell) else cell
