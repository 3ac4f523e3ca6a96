"""The rows of an ARFF file, dense or sparse.

A cell is stored once: rows are appended to arrays that grow in place and become the table's cells.
"""

from __future__ import annotations

import math
import re
from array import array
from collections.abc import Iterable, Iterator, Sequence
from itertools import islice
from typing import Any, NoReturn

import numpy as np
from scipy import sparse

from trellislib.data.reading.arff_header import (
    BARE,
    MISSING,
    QUOTED,
    WEIGHT,
    Attribute,
    Line,
    clipped,
    cut,
    has_quotes,
    split_values,
    value_of,
)
from trellislib.data.reading.notation import MOST_EXACT, loses_digits
from trellislib.data.reading.source import Source
from trellislib.wording import agreed, counted

_BLOCK = 512  # rows of a dense file that are held as text at a time, if they have no more cells than this:
_BLOCK_CELLS = 2**18
_PAIR = re.compile(rf"\s*+([^\s,]++)\s++(?:{QUOTED}|{BARE})\s*+(,|$)")
_KEYWORD = re.compile(r"@(?:relation|attribute|data)\b", re.IGNORECASE)


class _Seen(dict[str | None, float]):
    """Numbers the values of a text attribute as they come."""

    def __missing__(self, value: str | None) -> float:
        self[value] = number = float(len(self) - 3)  # the three ways to be missing are in it from the start
        return number


class Rows:
    """Turns the lines after ``@data`` into cells."""

    def __init__(self, source: Source, attributes: list[Attribute]):
        self.source = source
        self.attributes = attributes
        self.numbers: list[dict[str | None, float] | None] = []  # what each value of an attribute is as a cell
        for attribute in attributes:
            if attribute.values is None:
                self.numbers.append(None)
                continue
            numbers: dict[str | None, float] = _Seen() if attribute.unusable else {}
            numbers.update((value, float(code)) for code, value in enumerate(attribute.values))
            for missing in (None, *MISSING):
                numbers.setdefault(missing, np.nan)
            self.numbers.append(numbers)
        self.n_nan = 0
        self.weights = array("d")  # of the rows, 1 where none is written
        self.n_weighted = 0
        self.n_rounded = 0

    def notes(self) -> Iterator[str]:
        """Yield what was noticed, one sentence each."""
        if self.n_nan:
            were = agreed(self.n_nan, "was", "were")
            yield f"{counted(self.n_nan, 'cell')} with 'nan' instead of '?' {were} read as missing."
        if self.n_rounded:
            have = agreed(self.n_rounded, "has", "have")
            yield f"{counted(self.n_rounded, 'whole number')} {have} more digits than are kept, and lost the last ones."
        if 0 < self.n_weighted < len(self.weights):
            yield f"{counted(len(self.weights) - self.n_weighted, 'row')} without a weight count once."

    def categories(self) -> tuple[tuple[str, ...] | None, ...]:
        """Return the values of each attribute, those of a text as they were found."""
        return tuple(
            None if numbers is None else tuple(v for v in numbers if v is not None and v not in MISSING)
            for numbers in self.numbers
        )

    def dense(self, lines: Iterator[Line]) -> np.ndarray:
        """Read rows that have a value for every attribute, in order."""
        n = len(self.attributes)
        n_at_once = max(1, min(_BLOCK, _BLOCK_CELLS // n))
        cells = array("d")
        while block := list(islice(lines, n_at_once)):
            columns = zip(*(self._dense_row(*line) for line in block), strict=True)
            plain = not any("_" in line for _, line in block)  # see `_cell`
            by_row = np.empty((len(block), n))
            for j, column in enumerate(columns):
                by_row[:, j] = self._column(j, column, block, plain)
            cells.frombytes(by_row.tobytes())
        return np.frombuffer(cells).reshape(-1, n)

    def _dense_row(self, number: int, line: str) -> list[str | None]:
        if line.startswith("{"):
            raise self.source.error("this row is sparse where earlier rows are dense", number)
        if line.startswith("@") and _KEYWORD.match(line):
            raise self.source.error(f"found {clipped(line)} among the rows; give each table a file of its own", number)
        line = self._unweighted(number, line)
        n = len(self.attributes)
        quotes = has_quotes(line)
        n_commas = line.count(",")
        row: list[str | None]
        if not quotes and n_commas == 0 and n > 1:
            row = list(line.split(None, n))  # Weka also takes blanks and tabs between values
        elif quotes or n_commas == n - 1:
            row = split_values(self.source, number, line)
        else:
            raise self.source.error(f"expected {n} values but got {n_commas + 1}", number)
        if len(row) != n:
            raise self.source.error(f"expected {n} values but got {len(row) if len(row) < n else 'more'}", number)
        return row

    def _unweighted(self, number: int, line: str) -> str:
        """Return a row without the weight in braces that Weka may write after it, which is kept."""
        self.weights.append(1.0)
        if not line.endswith("}"):
            return line
        row = line[: (brace := line.rfind("{"))].rstrip()
        if not (row.endswith(",") and WEIGHT.fullmatch(line[brace:])):
            return line
        self.n_weighted += 1
        try:
            self.weights[-1] = float(line[brace + 1 : -1])
        except ValueError:
            self.weights[-1] = math.nan
        if not 0 <= self.weights[-1] < math.inf:
            raise self.source.error(f"{clipped(line[brace:])} is no weight of a row, a number from 0 on", number)
        return row[:-1].rstrip()

    def _column(self, j: int, column: tuple[str | None, ...], block: list[Line], plain: bool) -> np.ndarray:
        """Return the cells of an attribute: all at once where they are plain, else one by one to find which is not."""
        numbers = self.numbers[j]
        try:
            if numbers is None:
                cells = np.fromiter(map(float, column), float, len(column))  # type: ignore[arg-type, type-var]
                if plain and np.all(np.abs(cells) < MOST_EXACT):  # which nan is not
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
        if value is None or value in MISSING:
            return np.nan
        try:
            number = float(value if "_" not in value else "")  # Python reads 1_000 as a number; nobody else does
        except ValueError:
            self._no_number(j, value, "a number", line)
        if np.isinf(number):
            self._no_number(j, value, "a finite number", line)
        self.n_nan += np.isnan(number)
        if abs(number) >= MOST_EXACT:
            self.n_rounded += bool(loses_digits([value], np.array([number])))
        return number

    def _no_number(self, j: int, value: str, expected: str, line: int) -> NoReturn:
        name = clipped(self.attributes[j].name)
        raise self.source.error(f"{clipped(value)} is not {expected}, which attribute {name} expects", line)

    def _undeclared(self, j: int, value: str, line: int) -> NoReturn:
        attribute = self.attributes[j]
        declared = ", ".join((attribute.values or ())[:5]) + (", ..." if len(attribute.values or ()) > 5 else "")
        name = clipped(attribute.name)
        raise self.source.error(
            f"{clipped(value)} is not a declared value of attribute {name} ({{{cut(declared)}}})", line
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
        parts = (np.frombuffer(data), np.frombuffer(indices, np.int32), np.frombuffer(indptr, np.int64))
        cells = sparse.csr_array(parts, shape=(len(indptr) - 1, len(self.attributes)))
        cells.sort_indices()
        cells.eliminate_zeros()
        return cells

    def _pairs(self, number: int, line: str) -> Iterable[Sequence[Any]]:
        line = self._unweighted(number, line)
        if not (line.startswith("{") and line.endswith("}")):
            raise self.source.error(f"expected a sparse row in braces but found {clipped(line)}", number)
        inside = line[1:-1].strip().removesuffix(",")
        if inside.count(",") >= len(self.attributes) and "'" not in inside and '"' not in inside:
            raise self.source.error("an attribute is given twice in this sparse row", number)
        if has_quotes(inside):
            return self._quoted_pairs(number, inside)
        pairs = [pair.split() for pair in inside.split(",")] if inside else []
        if any(len(pair) != 2 for pair in pairs):
            raise self.source.error("a position or a value is missing in this sparse row", number)
        return pairs

    def _quoted_pairs(self, number: int, inside: str) -> Iterator[tuple[str, str | None]]:
        end = 0
        while match := _PAIR.match(inside, end):
            yield match[1], value_of(*match.groups()[1:4])
            end = match.end()
            if not match[5]:
                return
        raise self.source.error("a position or a value is missing in this sparse row", number)

    def _position(self, text: str, number: int) -> int:
        try:
            position = int(text if "_" not in text else "")  # see `_cell`
        except ValueError:
            raise self.source.error(f"{clipped(text)} is not the position of an attribute", number) from None
        if not 0 <= position < len(self.attributes):
            last = len(self.attributes) - 1
            raise self.source.error(f"there is no attribute {cut(text)}; they are counted 0 to {last}", number)
        return position
