"""Files that were received: the tables that they are, and which of these wait for a person's choices."""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import chain
from typing import Any

import pandas as pd
from streamlit.runtime.uploaded_file_manager import UploadedFile

from state.choices import Choices, Questions, is_clear
from state.linked import Linked
from state.sources import Source as MadeBy
from trellislib.data import DataError, Gathered, Table, gather, read_excel
from trellislib.data.reading.source import Source
from trellislib.data.tables.recast import Kind, recast
from trellislib.running.parallel import Shared
from trellislib.wording import agreed, listed

Reading = Callable[[Callable[[list[Source]], Any], Sequence[tuple[str, bytes]]], Any]
"""Reads files as `components.reading.reading` does."""

MOST_WAITING_BYTES = 2**29  # of the tables that wait for choices


def size_of(thing: object) -> int:
    """Return how much memory the arrays of a thing take."""
    return sys.getsizeof(Shared(thing))


def ends(n_columns: int, most: int) -> list[int]:
    """Return which columns are shown of a table: all, or of too many the first and the last."""
    if n_columns <= most:
        return list(range(n_columns))
    return [*range(most // 2), *range(n_columns - most // 2, n_columns)]


@dataclass(eq=False)
class Upload:
    """A data set among files: what was read of which files, and its name in the folder of data sets if it has one."""

    number: int  # which tells it from the others of a workspace
    table: Table
    files: tuple[str, ...]
    folder: str = ""
    archive: str = ""  # the one that it came in
    linked: Choices | None = None  # those of the link by which somebody came for it
    _last: dict[str, tuple[object, Any]] = field(default_factory=dict, repr=False)

    @property
    def title(self) -> str:
        """What to call it before it is a data set."""
        return " + ".join(self.files) if len(self.files) < 4 else f"{self.files[0]} and {len(self.files) - 1} more"

    @cached_property
    def n_bytes(self) -> int:
        """About how much memory its table takes."""
        return size_of(self.table) + sum(map(sys.getsizeof, chain(*(names or () for names in self.table.categories))))

    @property
    def proposed(self) -> Choices:
        """The choices to begin with."""
        return self.linked or self._once("proposed", None, lambda: Choices.proposed(self.table))

    @property
    def likely_labels(self) -> tuple[str, ...]:
        """The columns that look like labels, each by itself."""
        return self._once("likely", None, self.table.propose_labels)

    def preview(self, n_rows: int, n_columns: int) -> pd.DataFrame:
        """Return the first rows, and of too many columns the first and the last."""
        table, shown = self.table, ends(len(self.table.columns), n_columns)
        first = replace(table, cells=table.cells[:n_rows])
        return (first if len(shown) == len(table.columns) else first.selected(shown)).preview(n_rows)

    def take_sheet(self, content: bytes, title: str, reading: Reading) -> None:
        """Read another sheet of the workbook that it is; a DataError says why that cannot be."""
        self.table = reading(lambda found: read_excel(found[0], sheet=title), [(self.files[0], content)])
        self._last.clear()
        vars(self).pop("n_bytes", None)

    def source(self, choices: Choices) -> MadeBy:
        """Return where a data set comes from that it becomes by these choices."""
        return MadeBy.of_files(self.files, choices, self.folder, Linked.of(choices, self.table).text)

    def divided(self, choices: Choices) -> Table:
        """Return the table with a column for each label."""
        return self._once(
            "divided", (choices.split, choices.long, choices.ancestors), lambda: choices.divided(self.table)
        )

    def questions(self, choices: Choices, labels: tuple[str, ...]) -> Questions:
        """Return what nothing in the files says."""
        asked = (choices.split, choices.long, choices.ancestors, labels)
        return self._once("questions", asked, lambda: Questions.of(self.divided(choices), labels))

    def as_read(self, choices: Choices, kinds: Mapping[str, Kind]) -> Table:
        """Return the divided table in which columns hold what was said; a DataError says why one cannot."""
        divided = self.divided(choices)
        asked = (choices.split, choices.long, choices.ancestors, dict(kinds))
        return self._once("as read", asked, lambda: recast(divided, kinds) if kinds else divided)

    def forget(self) -> None:
        """Forget what was asked of it, which takes memory."""
        self._last.clear()

    def _once(self, what: str, of: object, make: Callable[[], Any]) -> Any:
        """Return what was made last, if it was made of the same: a page asks at every click.

        The copy of a workspace shares it, so that another thread may ask of something else, or forget, meanwhile.
        """
        last = self._last.get(what)
        if last is None or last[0] != of:
            last = self._last[what] = (of, make())
        return last[1]


@dataclass(frozen=True)
class Problem:
    """Why files cannot be used: a sentence, and their names."""

    text: str
    files: frozenset[str]

    @classmethod
    def of(cls, error: DataError) -> Problem:
        return cls(str(error), frozenset(error.files))


@dataclass
class Dropped:
    """What became of the files that were dropped in a box."""

    pending: list[Upload] = field(default_factory=list)  # they wait for choices
    problems: list[Problem] = field(default_factory=list)  # why others cannot be used
    loaded: list[str] = field(default_factory=list)  # digests of what others became
    linked: tuple[str, Linked] | None = None  # the data set that a link asked for, and how that was made
    is_changed: bool = False  # the box has other files than were read
    _count: int = 0
    _seen: dict[str, str] = field(default_factory=dict)  # names of the files in the box, by their ids

    def change(self) -> None:
        """Note that the box has other files now."""
        self.is_changed = True

    def new_among(self, files: Sequence[UploadedFile]) -> list[UploadedFile]:
        """Return the files that are to be read: those that are new, and those that they may belong to.

        What has become a data set is done with; what waits, or could not be used, is read again with what comes, or
        without what was taken away from it. Of files of one name the latest counts.
        """
        new = [file for file in files if file.file_id not in self._seen]
        gone = self._gone(files)
        sets = [*(upload.files for upload in self.pending), *(problem.files for problem in self.problems)]
        touched = {name for names in sets if new or not gone.isdisjoint(names) for name in names}
        again = [file for file in files if file.file_id in self._seen and file.name in touched]
        return list({file.name: file for file in [*again, *new]}.values())

    def _gone(self, files: Sequence[UploadedFile]) -> set[str]:
        """Return the names of the files that were in the box when it was last read, and are no more."""
        return set(self._seen.values()) - {file.name for file in files}

    def receive(self, files: Sequence[UploadedFile], reading: Reading) -> list[Upload]:
        """Read the files that are in the box now, and let what they are wait; return what leaves no question."""
        read, gone = self.new_among(files), self._gone(files)
        found: list[Gathered] = []
        try:
            found, errors = reading(gather, [(file.name, file.getvalue()) for file in read])
        except DataError as error:
            errors = [error]
        has_new = not files or any(file.file_id not in self._seen for file in read)  # no earlier problem holds
        done = {file.name for file in read} | gone
        self.pending = [upload for upload in self.pending if not done & {*upload.files, upload.archive}]
        self.problems = [problem for problem in self.problems if not has_new and done.isdisjoint(problem.files)]
        self.loaded = []
        self.problems += map(Problem.of, errors)
        self._seen = {file.file_id: file.name for file in files}
        self.is_changed = False
        return self.take(found, sent=[file.name for file in read] if not errors else ())

    def stop(self, files: Sequence[UploadedFile]) -> None:
        """Leave the files in the box that are being read as they are, since somebody has stopped that."""
        names = [file.name for file in self.new_among(files)]
        text = f"{listed(names)}: reading was stopped. Drop {agreed(len(names), 'it', 'them')} again."
        self.problems.append(Problem(text, frozenset(names)))
        self._seen = {file.file_id: file.name for file in files}
        self.is_changed = False

    def take(self, found: Sequence[Gathered], sent: Sequence[str] = (), folder: str = "") -> list[Upload]:
        """Let data sets wait; return those that leave no question, to be used at once.

        What is not among the files that were `sent` was in the archive that was, if it is the only one; and the archive
        stands for its files where they are one data set.
        """
        packed = set(sent) - {name for one in found for name in one.files}
        archive = packed.pop() if len(packed) == 1 else ""
        n_packed = sum(not set(one.files) & set(sent) for one in found)
        taken = []
        for one in found:
            self._count += 1
            came_in = "" if set(one.files) & set(sent) else archive
            files = (came_in,) if came_in and n_packed == 1 else one.files
            taken.append(self._as_linked(Upload(self._count, one.table, files, folder, came_in)))
        clear = [upload for upload in taken if upload.linked is None and is_clear(upload.table)]
        self.pending += taken
        self._make_room(clear)
        return clear

    def _as_linked(self, upload: Upload) -> Upload:
        """Return a data set with the choices of the link that asked for it, or note why it cannot have these."""
        name, linked = self.linked or ("", Linked({}))
        if not linked.parts or not linked.is_whole or name not in (upload.folder, *upload.files, upload.archive):
            return upload
        try:
            return replace(upload, linked=linked.choices(upload.table))
        except DataError as error:
            text = f"{error} The link was made with another {name}, so its choices are ignored."
            self.problems.append(Problem(text, frozenset(upload.files)))
            return upload

    @property
    def n_bytes(self) -> int:
        """About how much memory the tables take that wait."""
        return sum(upload.n_bytes for upload in self.pending)

    def _make_room(self, clear: Sequence[Upload]) -> None:
        """Let go what has waited longest, if it is too much; not what is `clear`, and used at once, nor the latest."""
        for upload in [upload for upload in self.pending if upload not in clear][:-1]:
            if self.n_bytes <= MOST_WAITING_BYTES:
                break
            self.leave_out(upload)
            text = f"{upload.title}: too many files wait for choices. Make them, and drop this file again."
            self.problems.append(Problem(text, frozenset(upload.files)))

    def leave_out(self, upload: Upload) -> None:
        """Let a data set that waits go."""
        self.pending = [other for other in self.pending if other is not upload]

    def rest(self, files: Sequence[UploadedFile]) -> None:
        """Forget the problems of files that are in the box no more, since another page was looked at."""
        if not files and self._seen:
            self._seen, self.problems, self.loaded = {}, [], []
