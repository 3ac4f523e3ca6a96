"""Excel workbooks."""

from __future__ import annotations

import io
import re
import warnings
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from itertools import islice
from typing import Any
from zipfile import ZipFile

import numpy as np

from trellislib.data.dataset import DataError
from trellislib.data.reading.cells import Row, as_text, read_cells
from trellislib.data.reading.combining import joined
from trellislib.data.reading.header import NAMED_BY_POSITION, by_position, column_names, doubts_on_names, names_nothing
from trellislib.data.reading.packing import UNSUSPICIOUS, damage_refused, data_files
from trellislib.data.reading.source import FileLike, Source
from trellislib.data.reading.text_tables import text_table
from trellislib.data.tables.table import Table
from trellislib.running.extras import require
from trellislib.wording import agreed, counted, quoted, quoted_names

MAX_ROWS = 2**20
"""Rows that a sheet may have, as in Excel."""

MAX_CELLS = 50_000_000
"""Cells that a sheet may have, empty ones between others counted."""

MAX_SHEETS = 512 * 2**20
"""Bytes that the parts of a workbook may unpack to: about 16 million cells, which take minutes to read."""

MAX_SHEETS_RATIO = 100
"""How many bytes may come out of one that is packed, past `UNSUSPICIOUS`: sheets of zeros have about 15."""

UNSAVED = "formulas whose results were not saved (open the file in a spreadsheet and save it there)"
_SAMPLE_ROWS = 50
_ERRORS = re.compile(r"#(?:DIV/0!|VALUE!|REF!|NAME\?|NUM!|NULL!|N/A|SPILL!|CALC!|GETTING_DATA|FIELD!|BLOCKED!)")
_FEATURES = re.compile(r"x|features?|inputs?|attributes?", re.IGNORECASE)
_LABELS = re.compile(r"y|labels?|targets?|outputs?|classes", re.IGNORECASE)


def read_excel(source: FileLike | Source, name: str | None = None, sheet: str | None = None) -> Table:
    """Read a sheet of an Excel workbook (.xlsx, .xlsm) as a table.

    Parameters
    ----------
    source : str, path, bytes or binary file
        The workbook.
    name : str, optional
        What to call it; by default the file's own name.
    sheet : str, optional
        The name of the sheet. By default the only one that holds anything; two sheets of equally many rows that are
        called "X" and "Y", "features" and "labels" or so; or else the first, and `provenance` names the others.

    Returns
    -------
    Table
        The first row with more than one cell names the columns; cells follow the rules of CSV files
        (`trellislib.data.reading.cells.read_cells`), and a formula counts by the value that was last computed. A cell
        with an error, such as ``#DIV/0!``, is missing.

    Raises
    ------
    DataError
        If openpyxl is not installed, the workbook is damaged or too large, or there is no such sheet or no table in it.

    Examples
    --------
    >>> import io, openpyxl
    >>> book, file = openpyxl.Workbook(), io.BytesIO()
    >>> for row in (("x", "sunny"), (0.5, True), (0.1, False)):
    ...     book.active.append(row)
    >>> book.save(file)
    >>> table = read_excel(file, "sky.xlsx")
    >>> table.columns, table.categories, table.cells.tolist()
    (('x', 'sunny'), (None, ('False', 'True')), [[0.5, 1.0], [0.1, 0.0]])
    """
    source = Source(source, name)
    sheet = source.sheet if sheet is None else sheet
    with _opened(source) as book, _damage_refused(source):
        sheets = {title: _Sheet(source, book[title]) for title in book.sheetnames if hasattr(book[title], "iter_rows")}
        if sheet is not None:
            if sheet not in sheets:
                raise source.error(
                    f"there is no sheet {quoted(sheet)}; its sheets are {quoted_names(list(sheets), 10)}"
                )
            rest = [title for title in sheets if title != sheet]
            return replace(_read(source, sheet, sheets[sheet], ""), sheets=(sheet, *rest))
        filled = {title: content for title, content in sheets.items() if next(content.rows(), None) is not None}
        if not filled:
            raise source.error("no sheet of the workbook has a cell with anything in it")
        if len(filled) == 2 and (pair := _features_and_labels(list(filled))):
            X, Y = (_read(source, title, filled[title], "") for title in pair)
            if X.n_rows == Y.n_rows:
                return _beside(X, Y, pair)
        first, *others = filled
        sheets_were = agreed(len(others), ("Its other sheet", "was"), ("Its other sheets", "were"))
        unread = f"{sheets_were[0]}, {quoted_names(others)}, {sheets_were[1]} not read." if others else ""
        return replace(_read(source, first, filled[first], unread), sheets=(first, *others))


def _features_and_labels(titles: list[str]) -> tuple[str, str] | None:
    """Return the titles of two sheets in this order, if they say so."""
    for features, labels in (titles, titles[::-1]):
        if _FEATURES.fullmatch(features.strip()) and _LABELS.fullmatch(labels.strip()):
            return features, labels
    return None


def _beside(X: Table, Y: Table, titles: tuple[str, str]) -> Table:
    """Return the tables of two sheets as one."""
    table = joined(X, replace(Y, name=f"sheet {quoted(titles[1])}"))
    return replace(
        table,
        labels_source=f"the sheet {quoted(titles[1])}",
        provenance=(*X.provenance, *Y.provenance, f"The labels are in the sheet {quoted(titles[1])}."),
    )


def _read(source: Source, title: str, sheet: _Sheet, others: str) -> Table:
    """Read a sheet; `others` says which were not read."""
    sample = list(islice(sheet.rows(), _SAMPLE_ROWS))
    if not sample:
        raise source.error(f"the sheet {quoted(title)} is empty")
    widest = max(_n_filled(cells) for _, cells in sample)
    n_above = next(i for i, (_, cells) in enumerate(sample) if _n_filled(cells) > 1 or widest == 1)
    first, below = sample[n_above][1], [cells for _, cells in sample[n_above + 1 :]]
    is_named = not names_nothing(first, below)
    header = first if is_named else [by_position(j) for j in range(len(first))]
    columns, _ = column_names(header)
    read = read_cells(
        columns,
        lambda: islice(sheet.rows(len(columns)), n_above + is_named, None),
        lambda cause, row: source.error(f"{f'row {row}: ' if row else ''}{cause}"),
    )
    above = [quoted(next(filter(None, cells))) for _, cells in sample[:n_above]]
    remarks = [
        others,
        f"Above the names of the columns stands {' and '.join(above)}, which was skipped." if above else "",
        *(doubts_on_names(first) if is_named else [NAMED_BY_POSITION]),
    ]
    how = f"Read from the sheet {quoted(title)} of an Excel workbook{source.unpacked_from}"
    empty = [j for j in range(len(columns)) if np.isnan(read.cells[:, j]).all()]
    unsaved = [columns[j] for j in _formulas(source, title, empty)] if empty else []
    table = text_table(source.name, header, read, how, filter(None, remarks), sheet.notes())
    return replace(table, unusable=dict(table.unusable) | dict.fromkeys(unsaved, UNSAVED))


def _formulas(source: Source, title: str, empty: Sequence[int]) -> list[int]:
    """Return those of some columns without a value that hold formulas."""
    with _opened(source, values=False) as book:
        rows = list(islice(book[title].iter_rows(values_only=True), _SAMPLE_ROWS))
    return [j for j in empty if any(len(row) > j and str(row[j]).startswith("=") for row in rows)]


def _n_filled(cells: Sequence[str]) -> int:
    return sum(map(bool, cells))


@dataclass
class _Sheet:
    """A sheet of a workbook."""

    source: Source  # what messages name
    sheet: Any  # opened for reading only, so that it is read row by row
    n_errors: int = field(default=0, init=False)  # number of cells with an error among those read

    def rows(self, width: int = 0) -> Iterator[Row]:
        """Yield the rows that are not blank, as texts; each as wide as `width` if that is not 0.

        Raises `DataError` if there are too many cells, or a row is wider.
        """
        self.sheet.reset_dimensions()  # what the file says of its size may be wrong, or absurd
        self.n_errors = n_cells = 0
        for row, values in enumerate(self.sheet.iter_rows(values_only=True), 1):
            n_cells += max(len(values), width)
            if row > MAX_ROWS or n_cells > MAX_CELLS:
                raise self.source.error(
                    f"the sheet {quoted(self.sheet.title)} spans more than {MAX_ROWS:,} rows or {MAX_CELLS:,} cells; "
                    "delete cells far away from the table, or save it as CSV"
                )
            cells = list(map(self._text, values))
            while cells and not cells[-1]:
                del cells[-1]
            if not cells:
                continue
            if width and len(cells) > width:
                raise self.source.error(
                    f"row {row}: {quoted(cells[-1])} stands in the sheet's column {len(cells)}, which has no name; "
                    "name it, or empty the cell"
                )
            yield row, cells + [""] * (width - len(cells))

    def notes(self) -> list[str]:
        """Return what was noticed when it was read."""
        if not self.n_errors:
            return []
        cells, count = (
            counted(self.n_errors, "cell"),
            agreed(self.n_errors, "holds an error and counts", "hold errors and count"),
        )
        return [f"{cells} of the sheet {count} as missing."]

    def _text(self, value: Any) -> str:
        if value is None:
            return ""
        text = as_text(value).strip()
        if text.startswith("#") and _ERRORS.fullmatch(text):
            self.n_errors += 1
            return ""
        return text


@contextmanager
def _opened(source: Source, *, values: bool = True) -> Iterator[Any]:
    """Open a workbook to read the values of its formulas, or the formulas themselves."""
    require("openpyxl", f"{source.name}: reading Excel", DataError)
    import openpyxl

    with source.binary() as file:
        content = file.read()
    _refuse_what_is_no_workbook(source, content)
    with _damage_refused(source):
        book = openpyxl.load_workbook(io.BytesIO(content), read_only=True, data_only=values, keep_links=False)
    try:
        yield book
    finally:
        book.close()


def _refuse_what_is_no_workbook(source: Source, content: bytes) -> None:
    """Refuse a zip archive of other files, which is not looked into where it lies in another; and what is too large."""
    with damage_refused("zip", source.error), ZipFile(io.BytesIO(content)) as archive:
        is_archive = data_files(archive, source.error) is not None
        is_open_document = "mimetype" in archive.namelist()
        n_bytes = sum(member.file_size for member in archive.infolist())
    if is_archive:
        raise source.error("this zip archive is no Excel workbook; if it lies in another archive, unpack that first")
    if is_open_document:
        raise source.error("this is an OpenDocument file, not an Excel workbook; save it as .xlsx or CSV")
    if n_bytes > MAX_SHEETS or n_bytes > max(UNSUSPICIOUS, MAX_SHEETS_RATIO * len(content)):
        raise source.error(
            f"the workbook unpacks from {len(content) / 2**20:,.1f} to {n_bytes / 2**20:,.0f} MB, which takes too long "
            "to read; save the sheet as CSV"
        )


@contextmanager
def _damage_refused(source: Source) -> Iterator[None]:
    """Turn whatever openpyxl raises on a damaged workbook into the error that says so."""
    try:
        with warnings.catch_warnings(action="ignore"):  # of formats and extensions that do not matter here
            yield
    except DataError:
        raise
    except Exception as error:  # its parts raise KeyError, TypeError, ParseError and more, all for the same reason
        raise source.error(f"the Excel workbook is damaged ({type(error).__name__})") from error
