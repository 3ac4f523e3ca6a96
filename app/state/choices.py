"""What a person may choose when a table becomes a data set: one value, to be shown, done, and written as Python."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, fields
from typing import Any

from trellislib.data import DataError, Dataset, Table, choose_labels
from trellislib.data.tables.columns import FREE_TEXT
from trellislib.data.tables.label_columns import MissingCells
from trellislib.data.tables.marks import with_marks
from trellislib.wording import grouped


@dataclass(frozen=True)
class Choices:
    """How a table becomes a data set, as `trellislib.data.load` takes it."""

    labels: int | tuple[str, ...] | None = None  # None: those that the files declare, or that `split` makes
    split: tuple[str, str] | None = None  # the column that lists labels, and what stands between two
    long: tuple[str, ...] | None = None  # the columns of a long table: instance, label and, if it has one, yes or no
    relevant: Mapping[str, str] = field(default_factory=dict)
    missing_labels: str = "set aside"
    text: str = "leave out"
    leave_out: tuple[str, ...] = ()
    kinds: Mapping[str, str] = field(default_factory=dict)
    groups: str | None = None  # the column that says what each row is about
    weights: str | None = None  # and the one that says how much it counts
    drop_constant: bool = False
    ancestors: bool = False  # whether labels that are paths also stand for those above them
    sheet: str | None = None  # of a workbook, where it is not the first

    @classmethod
    def proposed(cls, table: Table) -> Choices:
        """Return what is proposed where a person is asked: what the files declare, or else what looks like labels."""
        text = "tf-idf" if FREE_TEXT in table.unusable.values() else "leave out"
        if table.labels:
            return cls(text=text)
        proposal = table.proposal()
        if proposal.long:
            return cls(long=proposal.long, text=text)
        if proposal.split:
            return cls(split=proposal.split, text=text)
        labels = proposal.labels
        for number in (-len(labels), len(labels)):
            if labels and choose_labels(table, number) == labels:
                return cls(labels=number, text=text)
        return cls(labels=labels, text=text)

    def divided(self, table: Table) -> Table:
        """Return the table with a row for each instance, and a column for each label that a column lists or names."""
        if self.long:
            return table.per_instance(*self.long)
        return table.split(*self.split, ancestors=self.ancestors) if self.split else table

    def made(self, table: Table) -> Dataset:
        """Return the data set that a table becomes; a DataError says why it cannot become one in this way."""
        how = {
            name: value
            for name, value in self._given()
            if name not in ("labels", "split", "long", "sheet", "ancestors")
        }
        divided = self.divided(table)
        labels = choose_labels(divided, self.labels)
        if self.ancestors:
            divided = divided.with_ancestors(labels)
            labels = divided.declared_labels()
        return divided.to_dataset(labels, **how)

    @property
    def arguments(self) -> dict[str, Any]:
        """What is not as it is by default, as `trellislib.data.load` takes it and Python is written."""
        given = dict(self._given())
        names = {name: list(given[name]) for name in ("labels", "leave_out") if isinstance(given.get(name), tuple)}
        return given | names

    def _given(self) -> list[tuple[str, Any]]:
        default = Choices()
        given = [(one.name, getattr(self, one.name)) for one in fields(self)]
        return [(name, value) for name, value in given if value != getattr(default, name)]


@dataclass(frozen=True)
class Questions:
    """What nothing in a table says, once its labels are chosen."""

    relevant: Mapping[tuple[str, str], tuple[str, ...]]  # two values, and the labels of which one of them is relevant
    n_lacking: int = 0  # rows that lack labels
    n_incomplete: int = 0  # of these, rows that know some

    @classmethod
    def of(cls, table: Table, labels: tuple[str, ...]) -> Questions:
        """Return the questions about a choice of labels; a DataError says why these cannot be labels."""
        chosen = [table.find(label) for label in labels]
        missing = MissingCells.of(with_marks(table, chosen)[0], chosen)
        return cls(by_pair(table, labels), int((~missing.complete).sum()), int(missing.incomplete.sum()))


def is_clear(table: Table) -> bool:
    """Return whether the files themselves say all that there is to say, so that nobody need be asked."""
    if not table.labels or table.labels_note:
        return False
    try:
        return Questions.of(table, table.labels) == Questions({})
    except DataError:  # they declare labels that cannot be any
        return False


def by_pair(table: Table, labels: Sequence[str]) -> dict[tuple[str, str], tuple[str, ...]]:
    """Return the labels that share two values of which nothing says which is relevant, pair by pair."""
    return {pair: tuple(alike) for pair, alike in grouped(table.guessed_relevant(labels))}
