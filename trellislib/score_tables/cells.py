"""The cells of a score table as people print them, as numbers: with spreads, ranks, percent signs and bold marks."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from trellislib.data.dataset import DataError
from trellislib.data.reading.notation import is_missing, with_point
from trellislib.data.reading.source import Source
from trellislib.score_tables.markup import latex_plain
from trellislib.wording import quoted

_NUMBER = r"[-+]?(?:[0-9]+(?:\.[0-9]*|,[0-9]+)?|[.,][0-9]+)(?:[eE][-+]?[0-9]+)?"
_PRINTED = re.compile(
    rf"({_NUMBER})\s*%?"
    rf"(?:\s*(?:±|\+/?-)\s*{_NUMBER}\s*%?)?"  # a spread
    r"(?:\s*[_^]?\([#=±0-9.,\s]+\))?"  # a rank, or a spread again
    r"\s*[_^]?[*†‡•◦]*"  # marks of significance
)
_IN_BRACKETS = re.compile(r"\s*\([^()]*\)$")
_BOLD = re.compile(r"\*\*|__|`")
_THOUSANDS = re.compile(r"[-+]?[1-9][0-9]{0,2},[0-9]{3}")
_DASHES = ("-", "--", "---", "\N{EN DASH}", "\N{EM DASH}")
_UNFINISHED = frozenset(
    ["dnf", "did not finish", "timeout", "time out", "oot", "oom", "failed", "none", "n.a.", "#n/a", *_DASHES]
)


@dataclass(frozen=True)
class Entry:
    """A score as it stands in a file.

    Attributes
    ----------
    line : int
        Where.
    dataset, method : str
        Of what.
    fold : tuple of str
        Of which of several repetitions; empty where there is one score only.
    column : str
        The name of the column that it stands in.
    cell : str
        What is written there.
    """

    line: int
    dataset: str
    method: str
    fold: tuple[str, ...]
    column: str
    cell: str


def as_printed(cell: str) -> str | None:
    r"""Return the number in a cell as it is printed there, ``""`` where nothing finished, None if it is no score.

    Examples
    --------
    >>> [as_printed(cell) for cell in ("0,517 ± 0,03 (2)", r"\textbf{48.3}\%", "**.5**", "DNF", "Music")]
    ['0,517', '48.3', '.5', '', None]
    """
    bare = _bare(cell)
    if is_missing(bare) or bare.lower() in _UNFINISHED or _IN_BRACKETS.sub("", bare).lower() in _UNFINISHED:
        return ""
    printed = _PRINTED.fullmatch(bare)
    return printed[1] if printed else None


def score_values(source: Source, entries: Sequence[Entry]) -> tuple[list[float], list[str]]:
    """Return the scores of entries, NaN where nothing finished, and what a reader should know of them.

    A comma is a decimal comma if no number has a decimal point, unless every one may as well set thousands apart.
    A percentage is the share that it means; either all numbers have a percent sign, or none has.

    Raises
    ------
    DataError
        If a cell holds no score, if a comma in it may mean one thing or the other, or if it has no percent sign where
        others have one.

    Examples
    --------
    >>> score_values(Source(b""), [Entry(2, "Music", "CT", (), "CT", cell) for cell in ("50,5%", "25%", "DNF")])
    ([0.505, 0.25, nan], ['Numbers were read with a decimal comma.', 'Percentages were read as shares: 50% is 0.5.'])
    """
    printed = []
    for entry in entries:
        number = as_printed(entry.cell)
        if number is None:
            raise _error(source, entry, "is no number; write a number, or DNF where the method did not finish")
        printed.append(number)
    commas = [i for i, number in enumerate(printed) if "," in number]
    if commas:
        first = entries[commas[0]]
        if any("." in number for number in printed):
            raise _error(source, first, "has a comma where other cells have a decimal point; write all of them alike")
        if all(_THOUSANDS.fullmatch(printed[i]) for i in commas):
            raise _error(
                source, first, "may have a decimal comma or thousands set apart; write it with a point, or whole"
            )
    numbers = [entry for entry, number in zip(entries, printed, strict=True) if number]
    without_sign = [entry for entry in numbers if "%" not in _bare(entry.cell)]
    is_percent = len(without_sign) < len(numbers)
    if is_percent and without_sign:
        raise _error(source, without_sign[0], "has no percent sign, which other cells have; write all of them alike")
    values = [_value(number, is_percent) for number in printed]
    for entry, value in zip(entries, values, strict=True):
        if np.isinf(value):
            raise _error(source, entry, "is too large a number; write it in a larger unit")
    notes = ["Numbers were read with a decimal comma."] if commas else []
    notes += ["Percentages were read as shares: 50% is 0.5."] if is_percent else []
    return values, notes


def _bare(cell: str) -> str:
    cell = latex_plain(cell) if "\\" in cell or "$" in cell else cell.strip()
    return _BOLD.sub("", cell.replace("\N{MINUS SIGN}", "-")).strip()


def _value(number: str, of_hundred: bool) -> float:
    if not number:
        return np.nan
    number = with_point(number)
    if not of_hundred:
        return float(number)
    return float(number) / 100 if "e" in number.lower() else float(f"{number}e-2")  # 48.3% is 0.483 to the last digit


def _error(source: Source, entry: Entry, cause: str) -> DataError:
    of = " and ".join(quoted(name) for name in (entry.dataset, entry.method) if name != entry.column)
    return source.error(f"{quoted(entry.cell)} in column {quoted(entry.column)} for {of} {cause}", entry.line)
