"""The first row of a table: whether it names the columns, and what they are called."""

from __future__ import annotations

from collections.abc import Sequence

from trellislib.data.reading.notation import any_number, is_missing
from trellislib.data.spreadsheet import as_meant
from trellislib.data.tables.columns import unique_names
from trellislib.wording import quoted

NAMED_BY_POSITION = "The first row holds data, so the columns are called by their position."
_UNNAMED = "Columns without a name were called by their position, such as 'column 1'."
_BINARY = {"0", "1", "-1", "0.0", "1.0"}


def column_names(header: Sequence[str]) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Return the names that a header gives, all different, and what was changed."""
    names = [as_meant(name.strip()) for name in header]
    notes = () if all(names) else (_UNNAMED,)
    columns, repeated = unique_names(name or by_position(j) for j, name in enumerate(names))
    return columns, (*notes, *repeated)


def by_position(j: int) -> str:
    """Return what to call the column at a position, counted from 0, that has no name."""
    return f"column {j + 1}"


def names_nothing(first: Sequence[str], below: Sequence[Sequence[str]]) -> bool:
    """Whether the first row is one of data: of numbers, or of values that stand in the same columns further down.

    Numbers one apart are names, as of years or of positions. So are any others over cells of nothing but 0, 1 and -1.

    - `first`: The cells of the first row.
    - `below`: Those of some rows below.

    Examples
    --------
    >>> names_nothing(["5.1", "3.5", "iris"], [["4.9", "3.0", "iris"]])
    True
    >>> names_nothing(["x", "2001", "2002"], [["4.9", "1", "0"]]), names_nothing(["2001", "2002"], [["4.9", "1"]])
    (False, False)
    """
    known = {j: cell.strip() for j, cell in enumerate(first) if not is_missing(cell)}
    numbers = {j: number for j, cell in known.items() if (number := any_number(cell)) is not None}
    if not known or not below:
        return False
    if len(numbers) < len(known):
        texts = known.keys() - numbers.keys()
        return len(known) > 1 and all(any(known[j] == row[j].strip() for row in below if j < len(row)) for j in texts)
    if _count_up(list(numbers.values())):
        return False
    return set(known.values()) <= _BINARY or not {cell.strip() for row in below for cell in row} <= _BINARY


def doubts_on_names(header: Sequence[str]) -> tuple[str, ...]:
    """Return what to say where the names of columns may be numbers of a first row of data."""
    numbers = [number for cell in header if (number := any_number(cell)) is not None]
    if len(numbers) == len(header):
        if len(header) > 1 and _count_up(numbers):
            span = f"count from {header[0].strip()} to {header[-1].strip()}"
            return (f"The first row, of numbers that {span}, was taken for the names of the columns.",)
        return ("The first row, of numbers, was taken for the names of the columns.",)
    odd = [cell.strip() for cell in header if (any_number(cell) or 0) % 1]
    if odd:
        return (
            f"Some names of columns are numbers, such as {quoted(odd[0])}; if the first row is one of data, write a "
            "row of names above it.",
        )
    return ()


def _count_up(numbers: Sequence[float]) -> bool:
    """Whether numbers are one apart, ascending."""
    return list(numbers) == [numbers[0] + step for step in range(len(numbers))]
