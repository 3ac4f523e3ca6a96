"""Orange's tables, whose header says in two more lines, or by letters before the names, what the columns are."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import islice

import numpy as np

from trellislib.data.dataset import DataError
from trellislib.data.reading.cells import Row, read_cells
from trellislib.data.reading.delimited import delimiter_of, split_rows
from trellislib.data.reading.header import column_names
from trellislib.data.reading.notation import POINT, number
from trellislib.data.reading.source import FileLike, Source
from trellislib.data.tables.columns import DATES, FREE_TEXT, recoded
from trellislib.data.tables.table import Table
from trellislib.wording import agreed, counted, quoted, quoted_names

_MARKED = re.compile(r"(?=[cmiwCDST])([cmiw]?)([CDST]?)#(\S.*)")
_TYPES = {"continuous": "C", "c": "C", "discrete": "D", "d": "D", "string": "S", "s": "S", "time": "T", "t": "T"}
_ROLES = {"class": "c", "c": "c", "meta": "m", "m": "m", "ignore": "i", "i": "i", "weight": "w", "w": "w"}
_LEFT_OUT = {"m": "meta", "i": "ignored"}
_MISSING = frozenset([".", "~", "*"])  # besides what is missing everywhere
_VALUE = re.compile(r"(?:\\.|\S)+")


@dataclass(frozen=True)
class _Column:
    """What a header says of a column."""

    name: str  # as it is written
    kind: str  # "C", "D", "S", "T", "": numbers, categories, texts, times, or nothing said
    role: str  # "c", "m", "i", "w", "": a class, meta, to be ignored, a weight, or a feature
    values: tuple[str, ...] = ()  # the categories in the order in which they are declared; empty where they are not


def starts_as_orange(source: Source) -> bool:
    """Whether a text starts with a header of Orange."""
    try:
        with _rows(source) as rows:
            return _header(rows) is not None
    except DataError:  # which the reader that it turns out to need will say better
        return False


def read_orange(source: FileLike | Source, name: str | None = None) -> Table:
    r"""Read an Orange file (.tab) as a table.

    Parameters
    ----------
    source : str, path, bytes or binary file
        The file, which may be packed. Its header has three lines between tabs: names; types (``continuous``,
        ``discrete`` or the values, ``string``, ``time``, or their first letters); and roles (``class``, ``meta``,
        ``ignore``, ``weight``). Or it has one, with letters before the names: ``D#sky``, ``cD#rain``, ``mS#place``.
    name : str, optional
        What to call it; by default the file's own name.

    Returns
    -------
    Table
        The class columns are its labels; a weight column weighs its rows; meta and ignored columns
        are left out.

    Raises
    ------
    DataError
        If it cannot be read or has no such header, or a cell does not fit the type of its column.

    Examples
    --------
    >>> table = read_orange(b"x\tsky\nc\tgrey clear\n\tclass\n0.5\tclear\n0.1\tgrey\n", "sky.tab")
    >>> table.labels, table.categories, table.cells.tolist()
    (('sky',), (None, ('grey', 'clear')), [[0.5, 1.0], [0.1, 0.0]])
    """
    source = Source(source, name)
    with _rows(source) as rows:
        found = _header(rows)
    if found is None:
        raise source.error("there is no header of Orange, which says in two more lines or by letters what columns hold")
    header, n_header = found
    used = [j for j, column in enumerate(header) if column.role not in _LEFT_OUT]
    if not used:
        raise source.error("its header leaves all columns out")
    declared = [header[j] for j in used]
    columns, notes = column_names([column.name for column in declared])
    read = read_cells(
        columns,
        lambda: _body(source, n_header, len(header), used),
        lambda cause, line: source.error(cause, line),
        named=[k for k, column in enumerate(declared) if column.kind in ("D", "S", "T")],
    )
    categories = list(read.categories)
    unusable = dict(read.unusable)
    for k, (title, column) in enumerate(zip(columns, declared, strict=True)):
        values = categories[k]
        if column.kind == "C" and values is not None:
            odd = [quoted(value) for value in values if number(value, POINT) is None]
            holds = odd[0] if odd else "whole numbers of more digits than a number keeps"
            raise source.error(f"column {quoted(title)} is declared to be continuous, but holds {holds}")
        if column.kind == "D" and values is not None:
            unusable.pop(title, None)
            categories[k] = _in_declared_order(read.cells[:, k], values, column.values)
        elif column.kind in ("S", "T"):
            unusable[title] = FREE_TEXT if column.kind == "S" else DATES
    classes = tuple(title for title, column in zip(columns, declared, strict=True) if column.role == "c")
    weights = next((title for title, column in zip(columns, declared, strict=True) if column.role == "w"), "")
    form = "letters before the names" if n_header == 1 else "types and roles below the names"
    size = f"{counted(len(read.cells), 'row')} of {counted(len(columns), 'column')}"
    return Table(
        name=source.name,
        columns=columns,
        categories=tuple(categories),
        cells=read.cells,
        labels=classes or None,
        labels_source="the header's class columns" if classes else "",
        provenance=(f"Read as a table of Orange {source.as_read}, {form}{read.numbers_note}: {size}.",),
        notes=(*notes, *read.notes, *_left_out_notes(header)),
        unusable=unusable,
        weights=weights,
    )


@contextmanager
def _rows(source: Source) -> Iterator[Iterator[tuple[int, list[str]]]]:
    """Open a file and split its lines."""
    with source.text() as text:
        first = text.readline()
    delimiter = "\t" if "\t" in first else delimiter_of(source)
    with source.text() as text:
        yield split_rows(source, text, delimiter)


def _header(rows: Iterator[tuple[int, list[str]]]) -> tuple[list[_Column], int] | None:
    """Return what the header says of each column, and of how many rows it is; None where it is none of Orange's."""
    start = list(islice(rows, 3))
    if not start:
        return None
    names = [name.strip() for name in start[0][1]]
    marked = [_MARKED.fullmatch(name) for name in names]
    if sum(map(bool, marked)) > len(names) / 2:
        pairs = zip(names, marked, strict=True)
        return [_Column(of[3], of[2], of[1]) if of else _Column(name, "", "") for name, of in pairs], 1
    if len(start) < 2 or len(start[1][1]) != len(names):
        return None
    types = [cell.strip() for cell in start[1][1]]
    has_roles = len(start) == 3 and start[2][0] == start[1][0] + 1  # else the third line is blank
    roles = [cell.strip() for cell in start[2][1]] if has_roles else []
    roles += [""] * (len(names) - len(roles))
    if not _are_types_and_roles(types, roles):
        return None
    return [_declared(*column) for column in zip(names, types, roles, strict=False)], 2 + has_roles


def _are_types_and_roles(types: Sequence[str], roles: Sequence[str]) -> bool:
    """Whether the second and third line are those of a header, and not rows of data that look alike."""
    typed = [kind.lower() in _TYPES for kind in types]
    if not any(typed) or not all(is_so or not kind or " " in kind for kind, is_so in zip(types, typed, strict=True)):
        return False
    words = [word for role in roles for word in role.split() if "=" not in word]
    in_full = any(len(word) > 1 for word in (*words, *(kind for kind in types if kind.lower() in _TYPES)))
    return in_full and all(word in _ROLES for word in words)


def _declared(name: str, kind: str, roles: str) -> _Column:
    role = next((_ROLES[word] for word in roles.split() if word in _ROLES), "")
    if not kind or kind.lower() in _TYPES:
        return _Column(name, _TYPES.get(kind.lower(), ""), role)
    return _Column(name, "D", role, tuple(re.sub(r"\\(.)", r"\1", value) for value in _VALUE.findall(kind)))


def _body(source: Source, n_header: int, width: int, used: Sequence[int]) -> Iterator[Row]:
    """Yield the cells of the rows below the header that are in the columns used."""
    with _rows(source) as rows:
        for line, row in islice(rows, n_header, None):
            if len(row) != width:
                raise source.error(f"expected {counted(width, 'value')} but got {len(row)}", line)
            yield line, ["" if row[j] in _MISSING else row[j] for j in used]


def _in_declared_order(cells: np.ndarray, values: tuple[str, ...], declared: tuple[str, ...]) -> tuple[str, ...]:
    """Return the values as they are declared, others after them, and number the cells so."""
    ordered = tuple(dict.fromkeys((*declared, *values)))
    place = {value: i for i, value in enumerate(ordered)}
    cells[:] = recoded(cells, [place[value] for value in values])
    return ordered


def _left_out_notes(header: Sequence[_Column]) -> Iterator[str]:
    """Yield a note on the columns that are neither features nor labels."""
    for role, what in _LEFT_OUT.items():
        names = [column.name for column in header if column.role == role]
        if names:
            columns, are = agreed(len(names), ("Column", "was"), ("Columns", "were"))
            yield f"{columns} {quoted_names(names)}, which the header marks as {what}, {are} left out."
