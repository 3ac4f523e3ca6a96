"""CSV and its relatives: a header, then one row a line, between commas, semicolons, tabs or bars."""

from __future__ import annotations

import csv
import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from itertools import islice, takewhile

from trellislib.data.reading.cells import Row, plain_cells, read_cells
from trellislib.data.reading.header import NAMED_BY_POSITION, by_position, column_names, doubts_on_names, names_nothing
from trellislib.data.reading.notation import any_number, is_missing
from trellislib.data.reading.plain import plain_blocks
from trellislib.data.reading.source import MAX_LINE, FileLike, Source
from trellislib.data.reading.text_tables import text_table
from trellislib.data.tables.table import Table
from trellislib.wording import agreed, counted, listed

_DELIMITERS = {
    ",": "commas",
    ";": "semicolons",
    "\t": "tabs",
    "|": "bars",
}  # the earlier one wins if two fit equally well
_SAMPLE_LINES = 200
_SAMPLE_CHARACTERS = 2**20
_WORDS_OF_A_NAME = 3
_WIDE = 10_000  # columns
_SVMLIGHT = re.compile(r"(?:\S+\s+|\s*)\d+:[-+.\deE]+(?:\s+\d+:[-+.\deE]+)*\s*")
_NUMBER_OR_TEXT = r"""(?:[-+.\deE]+|NA|"[^"]*")"""
_BETWEEN_BLANKS = re.compile(rf"\s*{_NUMBER_OR_TEXT}(?:\s+{_NUMBER_OR_TEXT})+\s*")
_NAMED_BY_EXCEL = re.compile(r"sep=([,;|\t])\s*$", re.IGNORECASE)

csv.field_size_limit(MAX_LINE)  # of all readers of the process: texts may be long, and `Source` bounds the lines


def read_csv(source: FileLike | Source, name: str | None = None) -> Table:
    r"""Read a CSV file (or one with semicolons, tabs or bars) as a table.

    Parameters
    ----------
    source : str, path, bytes or binary file
        The file, which may be packed. Its first line names the columns, unless it is plainly a row of data.
        Lines above it that start with ``#`` are skipped.
    name : str, optional
        What to call it; by default the file's own name.

    Returns
    -------
    Table
        Its columns hold numbers or categories by the rules of `trellislib.data.reading.cells.read_cells`. There is
        none where neither a name nor a value stands, as after the last delimiter of every line.

    Raises
    ------
    DataError
        If it cannot be read, has no rows, or a row has more or fewer cells than the header.

    Examples
    --------
    >>> table = read_csv(b"x;sunny\n1,5;yes\n;no\n", "sky.csv")
    >>> table.columns, table.categories, table.cells.tolist()
    (('x', 'sunny'), (None, ('no', 'yes')), [[1.5, 1.0], [nan, 0.0]])
    >>> table.provenance
    ('Read as CSV in UTF-8, cells between semicolons, numbers with a decimal comma: 2 rows of 2 columns.',)
    """
    source = Source(source, name)
    layout = _Layout.of(source)
    columns, _ = column_names(layout.header)
    read = layout.may_be_plain and plain_cells(
        columns, layout.named, lambda named: plain_blocks(source, layout.n_above, len(columns), named)
    )
    read = read or read_cells(
        columns,
        lambda: layout.rows(source),
        lambda cause, line: source.error(cause, line),
        separated_by=layout.delimiter,
    )
    how = f"Read as CSV {source.as_read}, {layout.between}"
    return text_table(source.name, layout.header, read, how, layout.remarks, layout.notes)


def csv_blocks(source: FileLike | Source, n_rows: int) -> Iterator[Table]:
    r"""Yield the rows of a CSV file as tables of at most `n_rows`, so that it need not fit into memory.

    Each is read as `read_csv` reads a whole file, so that a column may hold numbers in one and categories in another. A
    file in which decimals may have a comma comes as one table, for that takes a look at all of it.

    Raises `DataError` as `read_csv` does.

    Examples
    --------
    >>> [table.cells.tolist() for table in csv_blocks(b"x,y\n1,2\n3,4\n5,6\n", 2)]
    [[[1.0, 2.0], [3.0, 4.0]], [[5.0, 6.0]]]
    """
    source = Source(source)
    layout = _Layout.of(source)
    if layout.delimiter != "," and any("," in cell for _, row in layout.rows(source) for cell in row):
        yield read_csv(source)
        return
    columns, _ = column_names(layout.header)
    rows, n_before = layout.rows(source), 0
    while block := list(islice(rows, n_rows)):
        read = read_cells(columns, block.__iter__, lambda cause, line: source.error(cause, line), separated_by=",")
        table = text_table(source.name, layout.header, read, f"Read as CSV {source.as_read}")
        yield replace(table, n_before=n_before)
        n_before += len(block)
    if not n_before:
        raise source.error("the file has a header but no rows")


def delimiter_of(source: Source) -> str:
    r"""Return the delimiter with which most of the first lines have as many cells as the first of them.

    Raises `DataError` if there is none: the file is blank, an svmlight file, or its lines are no rows.

    Examples
    --------
    >>> delimiter_of(Source(b"x;sunny\n1,5;yes\n"))
    ';'
    """
    return _best_delimiter(source, [line for line in _first_lines(source) if line.strip()])


def split_rows(source: Source, text: Iterable[str], delimiter: str, first_line: int = 1) -> Iterator[Row]:
    r"""Yield the rows of a text that are not blank, each with its first line's number.

    Raises `DataError` if a quote is not closed or stands where none may; the message names `source` and the line.

    - `text`: Lines.
    - `delimiter`: What stands between cells.
    - `first_line`: The number of the first of the lines.

    Examples
    --------
    >>> list(split_rows(Source(b""), ['x, "a, b"\n', "\n", "1,2\n"], ","))
    [(1, ['x', 'a, b']), (3, ['1', '2'])]
    """
    reader = csv.reader(text, delimiter=delimiter, skipinitialspace=True, strict=True)
    start = first_line
    try:
        for row in reader:
            if not _is_blank(row):
                yield start, row
            start = first_line + reader.line_num
    except csv.Error as error:
        if "end of data" in str(error):
            what = (
                "the quotes of the row that starts here are not closed before the file ends; the file may be incomplete"
            )
        else:
            what = f"the quotes of the row that starts here do not fit ({error})"
        raise source.error(what, start) from error


@dataclass(frozen=True)
class _Layout:
    """How a file is laid out."""

    delimiter: str  # what stands between cells
    header: Sequence[str]  # the names of the columns as they are written, or by position
    n_skipped: int  # number of lines above the first row
    starts_with_names: bool  # whether the first row is the header
    remarks: tuple[str, ...]  # what is unusual about it, one sentence each
    named: frozenset[int] = frozenset()  # positions of columns of which the first rows hold texts
    repeated: list[int] = field(default_factory=list)  # lines in which the header stands again, of the rows read last

    @property
    def notes(self) -> list[str]:
        """What was left out of the rows that were read, one sentence each."""
        lines = sorted(set(self.repeated))
        if not lines:
            return []
        line, repeats, was = agreed(len(lines), ("Line", "repeats", "was"), ("Lines", "repeat", "were"))
        return [f"{line} {listed([f'{number:,}' for number in lines], 4)} {repeats} the header and {was} skipped."]

    @property
    def n_above(self) -> int:
        """How many lines stand above the first row of data."""
        return self.n_skipped + int(self.starts_with_names)

    @property
    def may_be_plain(self) -> bool:
        """Whether all cells may be numbers that any parser reads alike."""
        if self.delimiter != "," or any("\n" in name for name in self.header):
            return False
        numeric = [name for j, name in enumerate(self.header) if j not in self.named]
        return not self.named or (bool(numeric) and all(map(_is_text, numeric)))  # else a header again is no error

    @property
    def between(self) -> str:
        """What separates cells, for a sentence."""
        return f"cells between {_DELIMITERS[self.delimiter]}" if len(self.header) > 1 else "one cell in a line"

    @classmethod
    def of(cls, source: Source) -> _Layout:
        """Tell it from the first lines."""
        lines = _first_lines(source)
        named = _NAMED_BY_EXCEL.match(lines[0])
        above = _comments(lines) if named is None else lines[:1]
        sample = lines[len(above) :]
        delimiter = named[1] if named else _best_delimiter(source, [line for line in sample if line.strip()])
        rows = _sample_rows(sample, delimiter)
        first, below = rows[0], rows[1:]
        last = _named_by_comment(above, first, delimiter)
        n_comments = sum(line.startswith("#") for line in above) - bool(last)
        lines_were = f"{counted(n_comments, 'line')} of comments (#) {agreed(n_comments, 'was', 'were')}"
        remarks = (f"{lines_were} skipped above the table.",) if n_comments else ()
        if last:
            return cls(
                delimiter, last, len(above), False, (*remarks, "The names of the columns stand in a line after a #.")
            )
        if below and len(first) > _WIDE and len(below[0]) != len(first):  # before a look at so many names
            next(cls(delimiter, first, len(above), True, ()).rows(source))  # refuses it
        if names_nothing(first, [row for row in below if row != first or not _has_names(row)]):
            by_positions = [by_position(j) for j in range(len(first))]
            return cls(
                delimiter, by_positions, len(above), False, (*remarks, NAMED_BY_POSITION), _named(rows, len(first))
            )
        texts = _named([row for row in below if row != first], len(first))
        return cls(delimiter, first, len(above), True, (*remarks, *doubts_on_names(first)), texts)

    def rows(self, source: Source) -> Iterator[Row]:
        """Yield the rows below the header, each as long as that."""
        with source.text() as text:
            lines = islice(text, self.n_skipped, None)
            rows = split_rows(source, lines, self.delimiter, self.n_skipped + 1)
            for i, (line, row) in enumerate(islice(rows, int(self.starts_with_names), None)):
                if self.starts_with_names and row == self.header and _has_names(row):
                    self.repeated.append(line)
                    continue
                if len(row) != len(self.header):
                    is_header_short = self.starts_with_names and i == 0 and len(row) == len(self.header) + 1
                    hint = "; name every column, also that of the names of rows, which R leaves out"
                    cause = f"expected {counted(len(self.header), 'value')} but got {len(row)}"
                    raise source.error(cause + hint * is_header_short, line)
                yield line, row


def _has_names(row: Sequence[str]) -> bool:
    """Whether a row holds a text, as a header does."""
    return any(map(_is_text, row))


def _is_text(cell: str) -> bool:
    return any_number(cell) is None and not is_missing(cell)


def _named(rows: list[list[str]], width: int) -> frozenset[int]:
    """Return the positions of the columns that hold a text in some rows, the last of which may be cut short."""
    return frozenset(j for row in rows[:-1] for j, cell in enumerate(row[:width]) if _is_text(cell))


def _is_blank(row: list[str]) -> bool:
    """Whether a row is that of a blank line."""
    return len(row) < 2 and not "".join(row).strip()


def _first_lines(source: Source) -> list[str]:
    """Return enough of the first lines to tell how they are laid out, and of long ones few."""
    lines: list[str] = []
    n_full = n_characters = 0
    with source.text() as text:
        for line in text:
            lines.append(line)
            n_full += bool(line.strip())
            n_characters += len(line)
            if n_full >= _SAMPLE_LINES or (n_full > 1 and n_characters > _SAMPLE_CHARACTERS):
                break
    if not n_full:
        raise source.error("the file has nothing but blank lines")
    return lines


def _comments(lines: list[str]) -> list[str]:
    """Return the lines at the start that are comments or blank; none if all of them are."""
    above = list(takewhile(lambda line: line.startswith("#") or not line.strip(), lines))
    return above if len(above) < len(lines) else []


def _named_by_comment(above: list[str], first: list[str], delimiter: str) -> list[str]:
    """Return the names of the columns where the last comment gives them, above a first row that holds numbers."""
    if not above or not above[-1].startswith("#") or not any(any_number(cell) is not None for cell in first):
        return []
    names = _sample_rows([above[-1].lstrip("#")], delimiter)
    return names[0] if names and len(names[0]) == len(first) > 1 else []


def _best_delimiter(source: Source, lines: list[str]) -> str:
    if any(_SVMLIGHT.fullmatch(line) for line in lines[:3]):
        raise source.error("this looks like an svmlight file (position:value), not a table with a header")
    widths = {delimiter: [len(row) for row in _sample_rows(lines, delimiter)] for delimiter in _DELIMITERS}
    several = [delimiter for delimiter, of_rows in widths.items() if of_rows and of_rows[0] > 1]
    if several:
        return max(several, key=lambda delimiter: (_share_of_first(widths[delimiter]), widths[delimiter][0]))
    if _BETWEEN_BLANKS.fullmatch(lines[-1]):
        raise source.error("cells are separated by blanks; write commas, semicolons or tabs between them")
    single = [delimiter for delimiter, of_rows in widths.items() if len(of_rows) > 1 and set(of_rows) == {1}]
    if single and len(lines[0].split()) <= _WORDS_OF_A_NAME:
        return single[0]
    raise source.error("the first line does not name columns; expected names between commas, semicolons or tabs")


def _share_of_first(widths: list[int]) -> float:
    return sum(width == widths[0] for width in widths) / len(widths)


def _sample_rows(lines: list[str], delimiter: str) -> list[list[str]]:
    """Return rows of some lines, the last of which may be cut short; none where quotes do not fit."""
    try:
        rows = list(csv.reader(lines, delimiter=delimiter, skipinitialspace=True))
        return [row for row in rows if not _is_blank(row)]
    except csv.Error:
        return []
