"""ARFF, as Weka, Mulan and MEKA write it: dense and sparse, read in one pass and in blocks of rows."""

from __future__ import annotations

import re
from array import array
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import chain, islice
from typing import NoReturn

import numpy as np
from scipy import sparse

from trellislib.data.choice import LabelChoice, choose_labels
from trellislib.data.dataset import Dataset
from trellislib.data.escapes import unescape
from trellislib.data.source import FileLike, Source
from trellislib.data.table import Table, unique_names

_BLOCK = 512  # rows of a dense file that are held as text at a time
_QUOTED = r"""'((?:[^'\\]|\\.)*)'|"((?:[^"\\]|\\.)*)\""""
_VALUE = re.compile(rf"\s*(?:{_QUOTED}|([^,]*))\s*(,|$)")
_PAIR = re.compile(rf"\s*([^\s,]+)\s+(?:{_QUOTED}|([^,]*))\s*(,|$)")
_NAME = re.compile(rf"\s*(?:{_QUOTED}|(\S+))\s*(.*)")
_NUMERIC = re.compile(r"(?:numeric|real|integer)\b", re.IGNORECASE)
_OTHER = re.compile(r"(?:string|date)\b", re.IGNORECASE)
_HINT = re.compile(r"""(?:^|[\s:'"])-C\s+(-?\d+)""", re.IGNORECASE)
_MISSING = ("?", "")

Line = tuple[int, str]


def load_arff(source: FileLike | Source, labels: LabelChoice = None) -> Dataset:
    r"""Read a data set from an ARFF file.

    Parameters
    ----------
    source : str, path, bytes or binary file
        The ARFF file, which may be gzipped.
    labels : str, path, bytes, binary file, int or sequence of str, optional
        Which attributes are labels: a Mulan XML file (a path to it, its bytes, or an open file), which wins over
        whatever the ARFF says and gives the labels their order; a number, for the first so many attributes or, if
        negative, the last; or their names. By default those that MEKA's ``-C`` in the relation's name says.

    Returns
    -------
    Dataset
        Sparse where the file is.

    Raises
    ------
    DataError
        If the file cannot be read, or nothing says which attributes are labels.

    Examples
    --------
    >>> text = b"@relation 'sky: -C -1'\n@attribute x numeric\n@attribute sunny {0,1}\n@data\n0.5,1\n0.1,0\n"
    >>> data = load_arff(text)
    >>> data.label_names, data.Y.tolist()
    (('sunny',), [[1], [0]])
    """
    table = read_arff(source)
    return table.to_dataset(choose_labels(table, labels))


def read_arff(source: FileLike | Source, name: str | None = None) -> Table:
    r"""Read an ARFF file as a table.

    Parameters
    ----------
    source : str, path, bytes or binary file
        The file, which may be gzipped.
    name : str, optional
        What to call it; by default the file's own name.

    Returns
    -------
    Table
        Sparse where the file is: a cell that is left out of a row is 0, or the first value that was declared.
        `labels` are those that MEKA's ``-C`` in the relation's name says.

    Raises
    ------
    DataError
        If it is no ARFF file, or a line of it cannot be read; the message gives the line.

    Examples
    --------
    >>> table = read_arff(b"@relation sky\n@attribute colour {grey,blue}\n@data\nblue\n?\n")
    >>> table.categories, table.cells.tolist()
    ((('grey', 'blue'),), [[1.0], [nan]])
    """
    source = Source(source, name)
    with source.text() as text:
        lines = ((number, line.strip()) for number, line in enumerate(text, 1))
        lines = ((number, line) for number, line in lines if line and not line.startswith("%"))
        relation, attributes = _header(source, lines)
        rows = _Rows(source, attributes)
        first = next(lines, None)
        if first is None:
            raise source.error("there are no rows after @data")
        is_sparse = first[1].startswith("{")
        cells = (rows.sparse if is_sparse else rows.dense)(chain([first], lines))
    columns, notes = unique_names(attribute.name for attribute in attributes)
    labels, doubt = _hinted(relation, columns)
    return Table(
        name=source.name,
        columns=columns,
        categories=rows.categories(),
        cells=cells,
        labels=labels,
        labels_note=doubt if labels else "",
        notes=notes if labels or not doubt else (*notes, doubt),
        unusable={c: a.unusable for c, a in zip(columns, attributes, strict=True) if a.unusable},
    )


@dataclass(frozen=True)
class _Attribute:
    name: str
    values: tuple[str, ...] | None = None
    unusable: str = ""


def _header(source: Source, lines: Iterator[Line]) -> tuple[str, list[_Attribute]]:
    """Read up to and including ``@data``; return the relation's name and the attributes."""
    relation, attributes, started = "", [], False
    number = 0
    for number, line in lines:
        keyword, rest = [*line.split(None, 1), ""][:2]
        match keyword.lower():
            case "@relation":
                relation, started = rest, True
            case "@attribute":
                attributes.append(_attribute(source, number, rest))
            case "@data" if attributes:
                return relation, attributes
            case "@data":
                raise source.error("there is no @attribute before @data", number)
            case _ if started or attributes:
                raise source.error(f"expected @attribute or @data but found {_clipped(line)}", number)
            case _:
                raise source.error(
                    f"this is not an ARFF file, which starts with @relation, but found {_clipped(line)}; "
                    "if it is a CSV file, name it .csv",
                    number,
                )
    if not number:
        raise source.error("the file has nothing but blank lines and comments")
    raise source.error("the file ends before @data", number)


def _attribute(source: Source, number: int, declaration: str) -> _Attribute:
    match = _NAME.fullmatch(declaration)
    if match is None:
        raise source.error("this @attribute has no name", number)
    single, double, bare, kind = match.groups()
    if bare is not None and "{" in bare and not (kind.startswith("{") or _NUMERIC.match(kind) or _OTHER.match(kind)):
        bare, _, _ = bare.partition("{")  # no blank before the values: name{0,1}
        kind = declaration[declaration.index("{") :]
    name = unescape(next(text for text in (single, double, bare) if text is not None))
    if kind.startswith("{"):
        end = kind.rfind("}")
        if end < 0:
            raise source.error(f"the values of attribute {name!r} have no closing brace", number)
        inside = kind[1:end].strip()
        values = (value.strip() for value in _split(inside) if value is not None)
        return _Attribute(name, tuple(dict.fromkeys(value for value in values if value not in _MISSING)))
    if _NUMERIC.match(kind):
        return _Attribute(name)
    if _OTHER.match(kind):
        return _Attribute(name, (), "free text" if kind.lower().startswith("string") else "dates")
    raise source.error(
        f"attribute {name!r} has the type {_clipped(kind)}, but numeric, real, integer, string, date or a list of "
        "values in braces was expected",
        number,
    )


def _hinted(relation: str, columns: tuple[str, ...]) -> tuple[tuple[str, ...] | None, str]:
    """Return the labels that MEKA's ``-C n`` in the relation's name says, and what is doubtful about it."""
    hint = _HINT.search(relation)
    if hint is None:
        return None, ""
    n = int(hint[1])
    if not 0 < abs(n) < len(columns):
        return None, f"The relation's name says -C {n}, which does not fit its {len(columns)} attributes."
    moved = re.search(r"attribute\.(remove|reorder)", relation, re.IGNORECASE)
    doubt = f"The relation's name says -C {n}, but also that columns were moved since: check the labels."
    return (columns[:n] if n > 0 else columns[n:]), doubt if moved else ""


def _split(text: str) -> list[str | None]:
    """Split at commas outside quotes; blanks around a value may be left, and a missing one may be None."""
    values: list[str | None] = []
    if "'" not in text and '"' not in text and "\\" not in text:
        values += text.split(",")
        return values
    for match in _VALUE.finditer(text):
        values.append(_value(*match.groups()[:3]))
        if not match[4]:
            break
    return values


def _value(single: str | None, double: str | None, bare: str | None) -> str | None:
    if bare is not None:
        bare = bare.strip()
        return None if bare in _MISSING else unescape(bare)
    return unescape(single if single is not None else double or "")


class _Seen(dict[str | None, float]):
    """Numbers the values of a text attribute as they come."""

    def __missing__(self, value: str | None) -> float:
        self[value] = number = float(len(self) - 3)  # the three ways to be missing are in it from the start
        return number


class _Rows:
    """Turns the lines after ``@data`` into cells."""

    def __init__(self, source: Source, attributes: list[_Attribute]):
        self.source = source
        self.attributes = attributes
        self.numbers: list[dict[str | None, float] | None] = []  # what each value of an attribute is as a cell
        for attribute in attributes:
            if attribute.values is None:
                self.numbers.append(None)
                continue
            numbers: dict[str | None, float] = _Seen() if attribute.unusable else {}
            numbers.update((value, float(code)) for code, value in enumerate(attribute.values))
            for missing in (None, *_MISSING):
                numbers.setdefault(missing, np.nan)
            self.numbers.append(numbers)

    def categories(self) -> tuple[tuple[str, ...] | None, ...]:
        """Return the values of each attribute, those of a text as they were found."""
        return tuple(
            None if numbers is None else tuple(v for v in numbers if v is not None and v not in _MISSING)
            for numbers in self.numbers
        )

    def dense(self, lines: Iterator[Line]) -> np.ndarray:
        """Read rows that have a value for every attribute, in order."""
        blocks = []
        while block := list(islice(lines, _BLOCK)):
            columns = zip(*(self._dense_row(*line) for line in block), strict=True)
            plain = not any("_" in line for _, line in block)  # Python reads 1_000 as a number; nobody else does
            blocks.append(np.array([self._column(j, column, block, plain) for j, column in enumerate(columns)]).T)
        return np.ascontiguousarray(np.concatenate(blocks))

    def _dense_row(self, number: int, line: str) -> list[str | None]:
        if line.startswith("{"):
            raise self.source.error("this row is sparse where earlier rows are dense", number)
        row: list[str | None] = _split(line)
        if len(row) != len(self.attributes) and "," not in line and "'" not in line and '"' not in line:
            row = list(line.split())  # Weka also takes blanks and tabs between values
        if len(row) != len(self.attributes):
            raise self.source.error(f"expected {len(self.attributes)} values but got {len(row)}", number)
        return row

    def _column(self, j: int, column: tuple[str | None, ...], block: list[Line], plain: bool) -> np.ndarray:
        """Return the cells of an attribute: all at once where they are plain, else one by one to find which is not."""
        numbers = self.numbers[j]
        try:
            if numbers is None:
                cells = np.fromiter(map(float, column), float, len(column))  # type: ignore[arg-type, type-var]
                if plain and not np.isinf(cells).any():
                    return cells
            elif not self.attributes[j].unusable:
                return np.fromiter(map(numbers.__getitem__, column), float, len(column))
        except (TypeError, ValueError, KeyError):
            pass  # one is missing, wrong, or has blanks around it
        return np.array([self._cell(j, value, line) for value, (line, _) in zip(column, block, strict=True)])

    def _cell(self, j: int, value: str | None, line: int) -> float:
        numbers = self.numbers[j]
        value = value and value.strip()
        if numbers is not None:
            try:
                return numbers[value]
            except KeyError:
                self._undeclared(j, str(value), line)
        if value is None or value in _MISSING:
            return np.nan
        try:
            number = float(value)
        except ValueError:
            number = np.inf
        if np.isinf(number) or "_" in value:
            name = self.attributes[j].name
            raise self.source.error(f"{_clipped(value)} is not a number, which attribute {name!r} expects", line)
        return number

    def _undeclared(self, j: int, value: str, line: int) -> NoReturn:
        attribute = self.attributes[j]
        declared = ", ".join((attribute.values or ())[:5]) + (", ..." if len(attribute.values or ()) > 5 else "")
        raise self.source.error(
            f"{_clipped(value)} is not a declared value of attribute {attribute.name!r} ({{{declared}}})", line
        )

    def sparse(self, lines: Iterator[Line]) -> sparse.csr_array:
        """Read rows ``{position value, ...}`` that leave out zeros."""
        for attribute, numbers in zip(self.attributes, self.numbers, strict=True):
            if attribute.unusable and numbers is not None:
                numbers.update({" ": 0.0})  # a text that is left out must not become the first text that is not
        data, indices, indptr = array("d"), array("i"), array("q", [0])
        for number, line in lines:
            start = len(indices)
            for position, value in self._pairs(number, line):
                j = self._position(position, number)
                indices.append(j)
                data.append(self._cell(j, value, number))
            if len(set(indices[start:])) < len(indices) - start:
                raise self.source.error("an attribute is given twice in this sparse row", number)
            indptr.append(len(indices))
        parts = (np.array(data, dtype=float), np.array(indices), np.array(indptr))
        cells = sparse.csr_array(parts, shape=(len(indptr) - 1, len(self.attributes)))
        cells.sort_indices()
        cells.eliminate_zeros()
        return cells

    def _pairs(self, number: int, line: str) -> Iterator[tuple[str, str | None]]:
        if not (line.startswith("{") and line.endswith("}")):
            raise self.source.error(f"expected a sparse row in braces but found {_clipped(line)}", number)
        inside = line[1:-1].strip()
        if "'" not in inside and '"' not in inside and "\\" not in inside:
            parts = inside.replace(",", " ").split()
            if len(parts) % 2:
                raise self.source.error("a position or a value is missing in this sparse row", number)
            return zip(parts[::2], parts[1::2], strict=True)
        return self._quoted_pairs(number, inside)

    def _quoted_pairs(self, number: int, inside: str) -> Iterator[tuple[str, str | None]]:
        end = 0
        while match := _PAIR.match(inside, end):
            yield match[1], _value(*match.groups()[1:4])
            end = match.end()
            if not match[5]:
                return
        raise self.source.error("a position or a value is missing in this sparse row", number)

    def _position(self, text: str, number: int) -> int:
        try:
            position = int(text)
        except ValueError:
            raise self.source.error(f"{_clipped(text)} is not the position of an attribute", number) from None
        if not 0 <= position < len(self.attributes):
            last = len(self.attributes) - 1
            raise self.source.error(f"there is no attribute {position}; they are counted 0 to {last}", number)
        return position


def _clipped(text: str, most: int = 40) -> str:
    return repr(text if len(text) <= most else text[: most - 3] + "...")
