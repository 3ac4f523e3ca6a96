"""Rows of text that name the cells that are not 0, as ``1,0 2:2.5 10:-5.2 # comment``, and headers that announce sizes.

Extreme classification has one file: ``N D L``, then a row ``label,label position:value ...`` for each instance, which
is blank at the start where it has no label. Or two: ``N D`` and rows ``position:value ...`` of features, and ``N L``
and rows ``label:1 ...``. Positions and labels count from 0.
"""

from __future__ import annotations

import re
from array import array
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import islice
from reprlib import repr as clipped
from typing import NoReturn

import numpy as np
from scipy import sparse

from trellislib.data.reading.proportion import MAX_COLUMNS, check_columns, check_shape
from trellislib.data.reading.source import FileLike, Source
from trellislib.data.tables.columns import unique_names
from trellislib.data.tables.table import Table
from trellislib.wording import counted

FIRST_FIELD = "the first field of each row"
"""What declares labels in rows."""

_FIELD = re.compile(r"\S+")
_HEAD = 2**16  # characters that are enough to tell what a file is
_FIRST = 50  # lines, too
_ROW = re.compile(
    r"\s*(?:[^\s:#,]+(?:,[^\s:#,]+)*)?(?:\s+qid:\d+)?(?P<cells>(?:(?:^|\s+)\d+:(?:[-+.\deE]+|nan))*)\s*(?:#.*)?",
    re.IGNORECASE,
)


@dataclass(frozen=True)
class LabelLists:
    """The labels of each row."""

    texts: tuple[str, ...]  # each label as it is first written, in the order in which they come
    of_row: sparse.csr_array  # (n_rows, n_labels): 1 where a row has a label
    n_twice: int  # how often a row names a label again

    def columns(self, order: Sequence[int], width: int) -> sparse.csr_array:
        """Return 0/1 columns as floats; label i is column ``order[i]``, which others may be too."""
        labels = np.asarray(order, dtype=np.int32)[self.of_row.indices]
        parts = (np.ones(labels.size), labels, self.of_row.indptr)
        columns = sparse.csr_array(parts, shape=(self.of_row.shape[0], width))
        columns.sum_duplicates()
        columns.data[:] = 1
        return columns


class SparseRows:
    """Rows as they are read, one after the other.

    A row is a list of labels between commas, which may be missing, then ``position:value`` for each cell that is not
    0, with blanks between them. ``qid:`` before the cells and a comment after ``#`` say nothing here.

    Parameters
    ----------
    source : Source
        The file, which messages name.

    Examples
    --------
    >>> rows = SparseRows(Source(b""))
    >>> rows.add(1, "1,0 2:2.5 4:-1")
    >>> rows.add(2, " 1:3")
    >>> rows.cells(5).toarray().tolist()
    [[0.0, 0.0, 2.5, 0.0, -1.0], [0.0, 3.0, 0.0, 0.0, 0.0]]
    >>> rows.labels().texts, rows.labels().of_row.toarray().tolist()
    (('1', '0'), [[1, 1], [0, 0]])
    """

    def __init__(self, source: Source):
        self.source = source
        self.n_queries = 0
        self.n_unsorted = 0
        self._lines = array("q")
        self._positions, self._values, self._ends = array("i"), array("d"), array("q", [0])
        self._ids: dict[str, int] = {}
        self._labels, self._label_ends = array("i"), array("q", [0])

    def add(self, number: int, line: str) -> None:
        """Read a row, which is on the line of this number.

        Raises `DataError` if it cannot be read; the message gives line and column.
        """
        fields = line.partition("#")[0].split()
        n_fields = len(fields)
        if fields and ":" not in fields[0]:
            self._add_labels(number, fields.pop(0))
        if fields and fields[0].startswith("qid:"):
            del fields[0]
            self.n_queries += 1
        parts = [field.partition(":") for field in fields]
        try:
            positions = [int(position) for position, _, _ in parts]
            values = [float(value) for _, _, value in parts]
        except ValueError:
            self._refuse_cells(number, line, n_fields - len(fields))
        if positions and (min(positions) < 0 or max(positions) >= MAX_COLUMNS or any("_" in field for field in fields)):
            self._refuse_cells(number, line, n_fields - len(fields))
        self._positions.extend(positions)
        self._values.extend(values)
        self._lines.append(number)
        self._ends.append(len(self._positions))
        self._label_ends.append(len(self._labels))

    def __len__(self) -> int:
        return len(self._lines)

    @property
    def positions(self) -> np.ndarray:
        """The positions of all cells, row by row."""
        return np.array(self._positions)

    @property
    def n_labels_of_row(self) -> np.ndarray:
        """The number of labels of each row."""
        return np.diff(self._label_ends)

    def line_of_cell(self, cell: int) -> int:
        """Return the line of a cell, which is counted over all rows."""
        return self._lines[int(np.searchsorted(np.array(self._ends), cell, side="right")) - 1]

    def line_of_label(self, label: int) -> int:
        """Return the line on which a label comes first."""
        first = int(np.argmax(np.array(self._labels) == label))
        return self._lines[int(np.searchsorted(np.array(self._label_ends), first, side="right")) - 1]

    def cells(self, width: int, first: int = 0, line: int | None = None) -> sparse.csr_array:
        """Return the cells as a matrix.

        Raises `DataError` if a position lies outside or is given twice in a row, a value is not finite (``nan`` is a
        missing cell), or the matrix would be absurdly wide for what it holds.

        - `width`: Its number of columns.
        - `first`: The position that is its first column.
        - `line`: Where its width shows.
        """
        check_shape(self.source, (len(self), width), len(self._values), line)
        positions, values, ends = self.positions - first, np.array(self._values), np.array(self._ends)
        for wrong, cause in (
            ((positions < 0) | (positions >= width), f"lies outside of {first} to {first + width - 1}"),
            (np.isinf(values), "has a value that is not finite"),
        ):
            if wrong.any():
                cell = int(np.argmax(wrong))
                raise self.source.error(f"position {positions[cell] + first} {cause}", self.line_of_cell(cell))
        matrix = sparse.csr_array((values, positions, ends), shape=(len(self), width))
        self._sort(matrix)
        matrix.eliminate_zeros()
        return matrix

    def labels(self) -> LabelLists:
        """Return the labels of each row."""
        parts = (np.ones(len(self._labels), dtype=np.int64), np.array(self._labels), np.array(self._label_ends))
        of_row = sparse.csr_array(parts, shape=(len(self), len(self._ids)))
        of_row.sum_duplicates()
        n_twice = int(of_row.data.sum()) - of_row.nnz
        of_row.data[:] = 1
        return LabelLists(tuple(self._ids), of_row, n_twice)

    def _add_labels(self, number: int, field: str) -> None:
        for text in field.split(","):
            if text in ("", "?") or text.lower() == "nan":
                raise self.source.error(
                    f"{clipped(field)} names no label in one place; a row without labels starts with a blank", number
                )
            self._labels.append(self._ids.setdefault(text, len(self._ids)))

    def _sort(self, matrix: sparse.csr_array) -> None:
        """Put the cells of each row in order."""
        inside = np.ones(matrix.nnz, dtype=bool)  # whether a cell has one before it in its row
        inside[matrix.indptr[:-1][np.diff(matrix.indptr) > 0]] = False
        falls = inside[1:] & (np.diff(matrix.indices) < 0)
        if falls.any():
            rows = np.searchsorted(matrix.indptr, np.flatnonzero(falls), side="right")
            self.n_unsorted = np.unique(rows).size
            matrix.sort_indices()
        again = inside[1:] & (np.diff(matrix.indices) == 0)
        if again.any():
            cell = int(np.argmax(again))
            line = self.line_of_cell(cell)
            raise self.source.error("a position is given twice in this row", line)

    def _refuse_cells(self, number: int, line: str, n_before: int) -> NoReturn:
        """Say which field of a row is wrong, after those before its cells."""
        cells = islice(_FIELD.finditer(line.partition("#")[0]), n_before, None)
        field, cause = next((field, cause) for field in cells if (cause := _wrong(field[0])))
        raise self.source.error(f"column {field.start() + 1}: {clipped(field[0])} {cause}", number)


def _wrong(field: str) -> str:
    """Return what is wrong with ``position:value``; empty if nothing is."""
    position, colon, value = field.partition(":")
    if not colon:
        return "is not position:value"
    try:
        index = -1 if "_" in position else int(position)
    except ValueError:
        index = -1
    if index < 0:
        return "does not start with a position, a whole number from 0"
    if index >= MAX_COLUMNS:
        return f"has a position beyond {MAX_COLUMNS - 1:,}, the largest that is read"
    try:
        float(value.replace("_", "x"))
    except ValueError:
        return "does not end with a number"
    return ""


def first_lines(source: Source) -> list[str]:
    """Return the first lines of a file that are neither blank nor comments, the last one perhaps cut at a blank."""
    with source.text() as text:
        head = text.read(_HEAD)
    if len(head) == _HEAD:
        head = head.rpartition(" ")[0]
    return [line for line in islice(head.splitlines(), _FIRST) if line.partition("#")[0].strip()]


def look_like_rows(lines: Sequence[str]) -> bool:
    """Whether every line could be a row that names its cells, and one of them does."""
    rows = [_ROW.fullmatch(line) for line in lines]
    return all(rows) and any(row["cells"] for row in rows if row)


_HEADER = re.compile(r"\s*(\d{1,18})\s+(\d{1,18})(?:\s+(\d{1,18}))?\s*")
_INDEX = re.compile(r"[0-9]{1,9}")


def labelled_rows(
    source: Source,
    features: sparse.csr_array,
    labels: sparse.csr_array,
    names: Sequence[str],
    categories: Sequence[tuple[str, ...] | None],
    labels_source: str,
    provenance: tuple[str, ...],
    notes: Sequence[str] = (),
) -> Table:
    """Return the table of features and, after them, declared labels, which may have categories."""
    columns, renamed = unique_names(names)
    return Table(
        name=source.name,
        columns=columns,
        categories=(*[None] * features.shape[1], *categories),
        cells=sparse.hstack([features, labels], format="csr"),
        labels=columns[features.shape[1] :],
        labels_source=labels_source,
        provenance=provenance,
        notes=(*notes, *renamed),
    )


def sizes(line: str) -> tuple[int, ...]:
    """Return the two or three sizes that a first line announces, none if it is no header."""
    header = _HEADER.fullmatch(line)
    return tuple(int(size) for size in header.groups() if size) if header else ()


def read_extreme(source: FileLike | Source, name: str | None = None) -> Table:
    r"""Read features and labels from one file with the header ``N D L``.

    Sparse, with columns ``feature 0 .. D-1`` and ``label 0 .. L-1``, the latter declared to be labels. Raises
    `DataError` if the header is missing, does not fit the rows, or announces more than is read; the message gives the
    line.

    Examples
    --------
    >>> table = read_extreme(b"2 3 2\n0,1 0:1.5 2:1\n 1:2\n")
    >>> table.labels, table.cells.toarray().tolist()
    (('label 0', 'label 1'), [[1.5, 0.0, 1.0, 1.0, 1.0], [0.0, 2.0, 0.0, 0.0, 0.0]])
    """
    source = Source(source, name)
    (n_rows, n_features, n_labels), rows = _read(source, ("rows", "features", "labels"))
    features = rows.cells(n_features)
    lists = rows.labels()
    check_shape(source, (n_rows, n_features + n_labels), features.nnz + lists.of_row.nnz)
    order = [_label(source, rows, lists, i, n_labels) for i in range(len(lists.texts))]
    names = (*(f"feature {j}" for j in range(n_features)), *(f"label {j}" for j in range(n_labels)))
    provenance = (
        f"A file of extreme classification, {source.as_read}.",
        f"Its header announces {counted(n_rows, 'row')}, {counted(n_features, 'feature')} and "
        f"{counted(n_labels, 'label')}; positions count from 0.",
    )
    columns = lists.columns(order, n_labels)
    return labelled_rows(source, features, columns, names, [None] * n_labels, FIRST_FIELD, provenance)


def read_sparse_text(source: FileLike | Source, name: str | None = None, what: str = "column") -> Table:
    r"""Read one of two files: the features with the header ``N D``, or the labels with ``N L``.

    Sparse, with no labels declared. Raises `DataError` if the header is missing, does not fit the rows, or announces
    more than is read; the message gives the line.

    - `what`: What its columns are called, with their position: "feature" or "label".

    Examples
    --------
    >>> table = read_sparse_text(b"2 3\n0:1 2:1\n\n", what="label")
    >>> table.columns, table.cells.toarray().tolist()
    (('label 0', 'label 1', 'label 2'), [[1.0, 0.0, 1.0], [0.0, 0.0, 0.0]])
    """
    source = Source(source, name)
    (n_rows, n_columns), rows = _read(source, ("rows", "columns"))
    if rows.n_labels_of_row.any():
        line = rows.line_of_label(0)
        raise source.error("this row starts with labels, but the header of two numbers announces none", line)
    return Table(
        name=source.name,
        columns=tuple(f"{what} {j}" for j in range(n_columns)),
        categories=(None,) * n_columns,
        cells=rows.cells(n_columns),
        provenance=(
            f"A sparse matrix as text, {source.as_read}.",
            f"Its header announces {counted(n_rows, 'row')} and {counted(n_columns, 'column')}; positions count from "
            "0.",
        ),
    )


def starts_as_sparse_text(source: FileLike | Source) -> bool:
    """Whether the first lines are those of one of two files: a header of two numbers, then cells without labels."""
    lines = first_lines(Source(source))
    return bool(lines) and len(sizes(lines[0])) == 2 and look_like_rows(lines[1:])


def _read(source: Source, announced: tuple[str, ...]) -> tuple[tuple[int, ...], SparseRows]:
    """Return the sizes of the header, of which there must be as many as are `announced`, and the rows."""
    rows = SparseRows(source)
    header: tuple[int, ...] = ()
    with source.text() as text:
        for number, line in enumerate(text, 1):
            if not header and line.strip():
                header = _header(source, number, line, announced)
            elif header and len(rows) < header[0]:
                rows.add(number, line)
            elif line.strip():
                raise source.error(f"the header announces {counted(header[0], 'row')}, but here is one more", number)
    if not header:
        raise source.error("the file has nothing but blank lines")
    if len(rows) < header[0]:
        raise source.error(
            f"the header announces {counted(header[0], 'row')}, but only {len(rows):,} came; is the file whole?"
        )
    return header, rows


def _header(source: Source, number: int, line: str, announced: tuple[str, ...]) -> tuple[int, ...]:
    header = sizes(line)
    if len(header) == 2 < len(announced):
        cause = "this is one of two files, since its header announces no labels; give the file of the labels with it"
        raise source.error(cause, number)
    if len(header) != len(announced):
        raise source.error(f"expected a header of {len(announced)} numbers: {', '.join(announced)}", number)
    if 0 in header:
        raise source.error(f"the header announces 0 {announced[header.index(0)]}", number)
    check_columns(source, sum(header[1:]), number)
    return header


def _label(source: Source, rows: SparseRows, lists: LabelLists, i: int, n_labels: int) -> int:
    """Return which label a text is."""
    text = lists.texts[i]
    if not _INDEX.fullmatch(text) or int(text) >= n_labels:
        cause = f"{text[:40]!r} is no label, which the header says are 0 to {n_labels - 1}"
        raise source.error(cause, rows.line_of_label(i))
    return int(text)
