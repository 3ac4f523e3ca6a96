"""What a link says of the choices by which files became a data set: short, and nothing that their cells hold.

Columns at an end of a table are a number; only others are named. Which of two values is relevant is the place of that
value, 0 or 1, in the order in which the page asks. What comes from a link is taken only if every part of it is as it
would be written here.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any
from urllib.parse import quote

from state.choices import Choices, by_pair
from trellislib.data import DataError, Table, choose_labels
from trellislib.data.tables.recast import KINDS
from trellislib.wording import counted, listed, quoted

MOST_CHARACTERS = 1_500  # of the choices in an address
MOST_COLUMNS = 10**7
SHOWN_NAMES = 12
TOO_LONG = "n_labels"  # what stands in place of all choices that are too long for a link


def _is_number(value: object) -> bool:
    return type(value) is int and 0 < abs(value) <= MOST_COLUMNS  # True is an int as well


def _are_names(value: object) -> bool:
    return isinstance(value, list) and bool(value) and all(isinstance(name, str) and _is_whole(name) for name in value)


def _is_whole(text: str) -> bool:
    """Return whether a text has no half of a character, which no page can show."""
    return not any("\ud800" <= character <= "\udfff" for character in text)


def _are_places(value: object) -> bool:
    return isinstance(value, list) and bool(value) and all(type(place) is int and place in (0, 1) for place in value)


def _is_name(value: Any) -> bool:
    return isinstance(value, str)


def _fit(parts: Mapping[str, Any]) -> bool:
    """Return whether labels are said in one way: by columns, by lists and perhaps columns, or by lines."""
    said = {"labels", "split", "long"} & set(parts)
    return len(said) < 2 or (said == {"labels", "split"} and isinstance(parts["labels"], list))


PARTS: Mapping[str, Callable[[Any], bool]] = {
    "labels": lambda value: _is_number(value) or _are_names(value),
    "split": lambda value: _are_names(value) and len(value) == 2,
    "long": lambda value: _are_names(value) and len(value) in (2, 3),
    "relevant": _are_places,
    "missing_labels": lambda value: value == "masked",
    "text": lambda value: value == "tf-idf",
    "leave_out": _are_names,
    "kinds": lambda value: (
        isinstance(value, dict) and _are_names([*value]) and all(kind in KINDS for kind in value.values())
    ),
    "groups": _is_name,
    "weights": _is_name,
    "drop_constant": lambda value: value is True,
    "ancestors": lambda value: value is True,
    "sheet": _is_name,
}


@dataclass(frozen=True)
class Linked:
    """The choices in a link, by the names of `PARTS`; or in place of them how many labels they gave."""

    parts: Mapping[str, Any]

    @classmethod
    def of(cls, choices: Choices, table: Table) -> Linked:
        """Return what a link says of the choices by which a table became a data set."""
        parts = choices.arguments
        if not parts:
            return cls({})
        divided = choices.divided(table)
        labels = choose_labels(divided, choices.labels)
        if isinstance(choices.labels, tuple) and not choices.split:
            runs = [number for number in (-len(labels), len(labels)) if choose_labels(divided, number) == labels]
            parts["labels"] = runs[0] if runs else list(labels)
        parts |= {name: list(parts[name]) for name in ("split", "long") if name in parts}
        if choices.relevant:
            of_pair = by_pair(divided, labels)
            parts["relevant"] = [pair.index(choices.relevant.get(alike[0], pair[1])) for pair, alike in of_pair.items()]
        linked = cls({name: parts[name] for name in PARTS if name in parts})
        return linked if len(quote(linked.text)) <= MOST_CHARACTERS else cls({TOO_LONG: len(labels)})

    @property
    def text(self) -> str:
        """The choices as JSON without any ~; nothing where all is as it is by default."""
        return json.dumps(self.parts, separators=(",", ":")).replace("~", r"\u007e") if self.parts else ""

    @classmethod
    def read(cls, text: str) -> Linked:
        """Return the choices that a text says; a ValueError where it is not as `text` writes it."""
        wrong = ValueError("the choice of labels in the link cannot be read and is ignored")
        if len(text) > MOST_CHARACTERS:
            raise wrong
        try:
            parts = json.loads(text) if text else {}
        except (ValueError, RecursionError):
            raise wrong from None
        if not isinstance(parts, dict) or not _fit(parts):
            raise wrong
        if set(parts) == {TOO_LONG} and _is_number(parts[TOO_LONG]):
            return cls(parts)
        if not all(name in PARTS and PARTS[name](value) for name, value in parts.items()):
            raise wrong
        return cls(parts)

    @property
    def is_whole(self) -> bool:
        """Whether it says all that was chosen."""
        return TOO_LONG not in self.parts

    @property
    def has_names(self) -> bool:
        """Whether it names columns."""
        naming = ("labels", "split", "long", "leave_out", "kinds", "groups", "weights")
        return any(isinstance(self.parts.get(name), (str, list, dict)) for name in naming)

    @property
    def words(self) -> str:
        """What the link was made with; nothing where the files say it all."""
        labels, lists = self.parts.get("labels"), self.parts.get("split")
        if not self.is_whole:
            return f"{counted(self.parts[TOO_LONG], 'label')}, whose names are too long for a link"
        if lists:
            return f"the labels that column {lists[0]} lists"
        if long := self.parts.get("long"):
            return f"the labels that column {long[1]} names for each {long[0]}"
        if isinstance(labels, list):
            return f"{counted(len(labels), 'label')}: {listed(labels, SHOWN_NAMES)}"
        if labels:
            return f"{counted(abs(labels), 'label')}: the {'last' if labels < 0 else 'first'} columns"
        return "choices that the form begins with" if self.parts else ""

    def choices(self, table: Table) -> Choices:
        """Return the choices for a table; a DataError where they do not say all, or cannot be made for it."""
        if not self.is_whole:
            raise DataError(f"{table.name}: the link does not name its {counted(self.parts[TOO_LONG], 'label')}.")
        if (sheet := self.parts.get("sheet")) and table.sheets[:1] != (sheet,):
            raise DataError(f"{table.name}: the link names the sheet {quoted(sheet)}, but another was read.")
        parts = dict(self.parts)
        parts |= {name: tuple(parts[name]) for name in ("split", "long", "leave_out") if name in parts}
        if isinstance(self.parts.get("labels"), list):
            parts["labels"] = tuple(self.parts["labels"])
        places = parts.pop("relevant", [])
        choices = Choices(**parts)
        divided = choices.divided(table)
        labels = choose_labels(divided, choices.labels)
        of_pair = by_pair(divided, labels)
        for name in (*choices.leave_out, *choices.kinds, *filter(None, [choices.groups, choices.weights])):
            divided.find(name, "that the link names")
        if places and len(places) != len(of_pair):
            raise DataError(f"{table.name}: the link names relevant values of other labels.")
        relevant = {
            label: pair[place]
            for (pair, alike), place in zip(of_pair.items(), places, strict=bool(places))
            for label in alike
        }
        return Choices(**parts, relevant=relevant)
