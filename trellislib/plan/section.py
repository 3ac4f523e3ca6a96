"""A table of an experiment file, and the errors for a key or a value that is not as expected."""

from __future__ import annotations

import difflib
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from trellislib.wording.arguments import given


class PlanError(ValueError):
    """An experiment file that cannot be followed; one sentence with the file, the key, the value and what to do."""


@dataclass(frozen=True)
class Kind:
    """What a value must be; `expected` follows "expected" in errors."""

    expected: str
    accepts: Callable[[Any], bool]


def is_whole(value: object) -> bool:
    """Return whether a value is a whole number; true and false are none."""
    return isinstance(value, int) and not isinstance(value, bool)


def is_number(value: object) -> bool:
    """Return whether a value is a number; true and false are none."""
    return isinstance(value, (int, float)) and not isinstance(value, bool)


def one_of(choices: Iterable[str]) -> Kind:
    """Return the kind of a text that is one of some."""
    known = tuple(choices)
    return Kind(f"one of {', '.join(map(repr, known))}", lambda value: isinstance(value, str) and value in known)


TEXT = Kind("a text", lambda value: isinstance(value, str) and bool(value.strip()))
TABLE = Kind("a table of keys and values", lambda value: isinstance(value, Mapping))
TABLES = Kind(
    "one or more tables",
    lambda value: isinstance(value, list) and bool(value) and all(isinstance(part, Mapping) for part in value),
)
POSITIVE = Kind("a number above 0", lambda value: is_number(value) and value > 0)
SHARE = Kind("a number between 0 and 1", lambda value: is_number(value) and 0 < value < 1)
FOLDS = Kind("a whole number of 2 or more", lambda value: is_whole(value) and value >= 2)
COUNT = Kind("a whole number of 1 or more", lambda value: is_whole(value) and value >= 1)
SEEDS = Kind(
    "a list of different whole numbers from 0 on",
    lambda value: (
        isinstance(value, list)
        and bool(value)
        and all(is_whole(seed) and seed >= 0 for seed in value)
        and len(set(value)) == len(value)
    ),
)


@dataclass(frozen=True)
class Section:
    """A table of the file.

    Parameters
    ----------
    where : str
        Its name in errors: the file, and the table in it.
    values : mapping
        What it holds.
    """

    where: str
    values: Mapping[str, Any]

    def error(self, cause: str) -> PlanError:
        """Return the error of a cause here."""
        return PlanError(f"{self.where}: {cause}{'' if cause.endswith('.') else '.'}")

    def only(self, known: Iterable[str], what: str = "there is no key") -> None:
        """Raise a PlanError for a key that is not known, with the nearest that is."""
        names = tuple(known)
        for key in self.values:
            if key not in names:
                raise self.error(f"{what} {key!r}{nearest(key, names)}")

    def get(self, key: str, kind: Kind, default: Any = None) -> Any:
        """Return the value of a key, or `default` where it is not there; raise a PlanError if it is of another kind."""
        if key not in self.values:
            return default
        value = self.values[key]
        if not kind.accepts(value):
            raise self.error(f"got {given(key, value, f'{key} = {value!r}')}, but expected {kind.expected}")
        return value

    def need(self, key: str, kind: Kind) -> Any:
        """Return the value of a key; raise a PlanError if it is not there, or is of another kind."""
        if key not in self.values:
            raise self.error(f"there is no {key!r}; give it {kind.expected}")
        return self.get(key, kind)

    def inner(self, key: str) -> Section:
        """Return a table in this one, empty where it is not there; raise a PlanError if it is no table."""
        return Section(f"{self.where}, {key}", self.get(key, TABLE, {}))

    def each(self, key: str) -> list[Section]:
        """Return the tables of a list, as in ``[[data]]``; raise a PlanError if it is not there, or is no such list."""
        tables = self.need(key, TABLES)
        return [Section(f"{self.where}, {key} {number}", table) for number, table in enumerate(tables, 1)]

    def without(self, *keys: str) -> dict[str, Any]:
        """Return the values of all other keys."""
        return {key: value for key, value in self.values.items() if key not in keys}


def nearest(name: str, known: Iterable[str]) -> str:
    """Return what to add to a message about an unknown name: the known one that is nearest, or all of a few.

    Examples
    --------
    >>> nearest("widht", ["width", "parents"]), nearest("?", ["width", "parents"])
    ("; the nearest is 'width'", '; there are parents, width')
    """
    lowered = {other.lower(): other for other in known}
    near = difflib.get_close_matches(name.lower(), lowered, n=1)
    if near:
        return f"; the nearest is {lowered[near[0]]!r}"
    return f"; there are {', '.join(sorted(lowered.values()))}" if lowered else ""
