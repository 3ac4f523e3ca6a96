"""The parts that sentences about data share: a few names, a number of things, what is said of several columns."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from typing import TypeVar

from trellislib.data.escapes import quoted

T = TypeVar("T")
Key = TypeVar("Key")
Said = TypeVar("Said")


def listed(names: Sequence[str], most: int = 3) -> str:
    """Return a few names in quotes, and how many more there are.

    Examples
    --------
    >>> print(listed(["a", "b"]), "/", listed("abcdefg"))
    'a' and 'b' / 'a', 'b', 'c' and 4 more
    """
    return joined([quoted(name) for name in names], most)


def joined(parts: Sequence[str], most: int = 3) -> str:
    """Return a few parts of a sentence in a row, and how many more there are.

    Examples
    --------
    >>> joined(["red", "blue", "green"])
    'red, blue and green'
    """
    shown = list(parts[:most])
    if len(parts) > most:
        shown.append(f"{len(parts) - most:,} more")
    return " and ".join(filter(None, [", ".join(shown[:-1]), *shown[-1:]]))


def counted(n: int, what: str) -> str:
    """Return a number and what it counts.

    Examples
    --------
    >>> counted(1, "row"), counted(1200, "row")
    ('1 row', '1,200 rows')
    """
    return f"{n:,} {what}{agreed(n, '', 's')}"


def agreed(n: int, of_one: T, of_many: T) -> T:
    """Return the words that agree with a number of things.

    Examples
    --------
    >>> agreed(1, "was", "were"), agreed(0, "was", "were")
    ('was', 'were')
    """
    return of_one if n == 1 else of_many


def grouped(said: Mapping[Key, Said]) -> Iterator[tuple[Said, list[Key]]]:
    """Yield each thing said, with what it is said of.

    Examples
    --------
    >>> list(grouped({0: "is text", 1: "is a date", 2: "is text"}))
    [('is text', [0, 2]), ('is a date', [1])]
    """
    groups = defaultdict(list)
    for j, what in said.items():
        groups[what].append(j)
    yield from groups.items()
