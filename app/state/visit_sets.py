"""The data sets that a workspace keeps: named, one of them shown, and not more of them than there is room for."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import count

from state.choices import Choices
from state.sources import Source
from state.uploaded import Upload, size_of
from trellislib.data import Dataset
from trellislib.wording import without_controls

MOST_SETS = 12
MOST_BYTES = 2**30  # of all that are not shared
MOST_TABLE_BYTES = 2**29  # of the tables that are kept to choose anew


@dataclass(frozen=True)
class Loaded:
    """A data set and where it comes from; one from files also with its table, to choose anew, while there is room."""

    source: Source
    dataset: Dataset
    upload: Upload | None = None
    choices: Choices | None = None

    @property
    def is_from_files(self) -> bool:
        return self.source.function == "load"

    def called(self, name: str) -> Loaded:
        """Return the same set by another name."""
        return self if name == self.dataset.name else replace(self, dataset=replace(self.dataset, name=name))

    def stays_for(self, same: Loaded) -> bool:
        """Return whether it stays where the same content comes again; what is chosen by name, or divided, does not."""
        return same.is_from_files and same.dataset.n_train == self.dataset.n_train

    def with_table_of(self, same: Loaded) -> Loaded:
        """Return this set; if it comes from files whose table is gone, made anew of the same ones by its old name."""
        return same.called(self.dataset.name) if self.is_from_files and not self.upload and same.upload else self

    @cached_property
    def n_bytes(self) -> int:
        """How much memory it takes, not counting its table; what all visitors share takes none."""
        return 0 if self.source.is_shared else size_of(self.dataset)


class VisitSets:
    """Data sets by their content, in the order in which they came; the same content comes once, under its first name.

    Of too many, or too much, those that nobody shares go first, and of these the least recently shown; the one that is
    shown stays. The one that was removed last can be brought back, until something else is done.
    """

    def __init__(self, shown: Loaded) -> None:
        self._sets = {shown.dataset.digest: shown}
        self._shown = [shown.dataset.digest]  # digests, the one that is shown now last
        self._before: VisitSets | None = None  # the sets before one was removed
        self.removed: Loaded | None = None

    def __iter__(self) -> Iterator[Loaded]:
        return iter(list(self._sets.values()))

    def __len__(self) -> int:
        return len(self._sets)

    @property
    def shown(self) -> Loaded:
        return self._sets[self._shown[-1]]

    def get(self, digest: str) -> Loaded | None:
        return self._sets.get(digest)

    @property
    def n_bytes(self) -> int:
        """How much memory the sets and the tables take, with the one that can be brought back."""
        kept_here = [*self, *([self.removed] if self.removed else [])]
        return sum(kept.n_bytes + (kept.upload.n_bytes if kept.upload else 0) for kept in kept_here)

    def copy(self) -> VisitSets:
        """Return the same sets, to go their own way from here."""
        copied = VisitSets(self.shown)
        copied._sets, copied._shown = dict(self._sets), list(self._shown)
        return copied

    def show(self, digest: str) -> None:
        """Show a set that is kept."""
        self._forget_removed()
        self._shown.remove(digest)
        self._shown.append(digest)

    def add(self, loaded: Loaded, instead_of: str | None = None) -> list[str]:
        """Keep a set and show it; return the names of those that had to go.

        In place of another, if one is given, it goes by the name of that one. Where the same content is kept already,
        that stays as it is, and is shown, if it `stays_for` the new one.
        """
        self._forget_removed()
        digest = loaded.dataset.digest
        before = {key: kept for key, kept in self._sets.items() if key not in (digest, instead_of)}
        same = None if digest == instead_of else self._sets.get(digest)
        if same is not None and same.stays_for(loaded):
            loaded = same.with_table_of(loaded)
        else:
            named = self._sets.get(instead_of or "", loaded)
            loaded = loaded.called(self._free(named.dataset.name, before.values()))
        place = next((at for at, key in enumerate(self._sets) if key in (digest, instead_of)), len(before))
        items = list(before.items())
        self._sets = dict([*items[:place], (digest, loaded), *items[place:]])
        self._shown = [key for key in self._shown if key in before] + [digest]
        return self._let_go()

    def rename(self, digest: str, name: str) -> str:
        """Call a set something else, and return what; a name that another set has gets a number."""
        self._forget_removed()
        name = self._free(without_controls(name), (other for key, other in self._sets.items() if key != digest))
        self._sets[digest] = self._sets[digest].called(name)
        return name

    def remove(self, digest: str) -> None:
        """Forget a set, if it is not the only one; where it was shown, the one that was shown before it is again."""
        if digest in self._sets and len(self._sets) > 1:
            self._before, self.removed = self.copy(), self._sets[digest]
            self._drop(digest)

    def bring_back(self) -> None:
        """Keep again what was removed last, as it was."""
        if self._before is not None:
            self._sets, self._shown = self._before._sets, self._before._shown
        self._forget_removed()

    def _forget_removed(self) -> None:
        self._before = self.removed = None

    def _drop(self, digest: str) -> None:
        del self._sets[digest]
        self._shown.remove(digest)

    @staticmethod
    def _free(name: str, others: Iterable[Loaded]) -> str:
        taken = {other.dataset.name for other in others}
        return next(free for n in count(1) if (free := name if n == 1 else f"{name} ({n})") not in taken)

    def _let_go(self) -> list[str]:
        """Make room: tables go, and then sets."""
        for digest in self._shown:
            if sum(kept.upload.n_bytes for kept in self if kept.upload) <= MOST_TABLE_BYTES:
                break
            self._sets[digest] = replace(self._sets[digest], upload=None)
        gone = []
        for digest in sorted(self._shown[:-1], key=lambda digest: not self._sets[digest].n_bytes):
            if len(self) <= MOST_SETS and sum(kept.n_bytes for kept in self) <= MOST_BYTES:
                break
            gone.append(self._sets[digest].dataset.name)
            self._drop(digest)
        return gone
