"""The text layouts of extreme classification, whose first line announces sizes.

In one file: ``N D L``, then a row ``label,label position:value ...`` for each instance, which is blank at the start
where it has no label. In two files: ``N D`` and rows ``position:value ...`` of features, and ``N L`` and rows
``label:1 ...``. Positions and labels count from 0.
"""

from __future__ import annotations

import re

from scipy import sparse

from trellislib.data.reading.proportion import check_columns, check_shape
from trellislib.data.reading.source import FileLike, Source
from trellislib.data.reading.sparse_rows import LabelLists, SparseRows, first_lines, look_like_rows
from trellislib.data.tables.table import Table
from trellislib.wording import counted

_HEADER = re.compile(r"\s*(\d{1,18})\s+(\d{1,18})(?:\s+(\d{1,18}))?\s*")
_INDEX = re.compile(r"[0-9]{1,9}")


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
    labels = tuple(f"label {j}" for j in range(n_labels))
    return Table(
        name=source.name,
        columns=(*(f"feature {j}" for j in range(n_features)), *labels),
        categories=(None,) * (n_features + n_labels),
        cells=sparse.hstack([features, lists.columns(order, n_labels)], format="csr"),
        labels=labels,
        labels_source="the first field of each row",
        provenance=(
            f"A file of extreme classification, {source.as_read}.",
            f"Its header announces {counted(n_rows, 'row')}, {counted(n_features, 'feature')} and "
            f"{counted(n_labels, 'label')}; positions count from 0.",
        ),
    )


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
