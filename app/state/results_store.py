"""The results that pages show: those of one file for all, or on a shared server of a file for each visit."""

from __future__ import annotations

import hashlib
import os
import threading
import time
from collections.abc import Collection
from contextlib import suppress
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from zoneinfo import ZoneInfo

import streamlit as st

from trellislib.command_line.app import SHARED_VARIABLE
from trellislib.experiment import Results, Store, StoreError
from trellislib.experiment.store import VARIABLE, default_path

HOW_ENDED = {
    "running": "is still running elsewhere",
    "cancelled": "was cancelled",
    "failed": "ended with an error",
    "broken off": "was interrupted",
}


PATIENCE = 2.0  # seconds for which a page waits for another writer
KEPT = 30 * 86_400  # seconds for which the results of a visit are kept after they changed last
_making = threading.Lock()  # the file of a visit


def is_shared() -> bool:
    """Return whether each visit has its own results."""
    return bool(os.environ.get(SHARED_VARIABLE))


def who_sees() -> str:
    """Return in a sentence who sees the results of a visit."""
    if is_shared():
        return f"Only who has the address of this visit sees its runs, for {KEPT // 86_400} days."
    return "All visitors of this server see all runs."


def path_of(token: str) -> Path:
    """Return where the results of a visit are."""
    path = default_path()
    if not is_shared():
        return path
    name = hashlib.sha256(token.encode()).hexdigest()[:32]  # the token itself would open the visit
    return path.with_name(f"{path.stem}-visits") / f"{name}.sqlite"


def opened(token: str) -> tuple[Store | None, str]:
    """Return the store that a visit sees, None where there is none or it cannot be used, and then in one sentence why.

    On a shared server that is the file that the server was started with, until the visit has its own. The sentence
    does not say where the file lies: other visitors may read it.
    """
    path = path_of(token)
    if is_shared() and not path.exists():
        path = _offered()
        if not path.exists():
            return None, ""
    return _opened(path)


def own(token: str) -> tuple[Store | None, str]:
    """Return the store that a visit may change, or None and why; on a shared server it begins as a copy of `opened`."""
    path = path_of(token)
    try:
        with _making:
            if is_shared() and not path.exists():
                _copy(_offered(), path)
    except (StoreError, OSError) as error:
        return None, str(without_folder(error, path))
    return _opened(path)


def _opened(path: Path) -> tuple[Store | None, str]:
    try:
        return Store(path, PATIENCE), ""
    except StoreError as error:
        return None, str(without_folder(error, path))


def _offered() -> Path:
    """Return the file that a shared server offers to all: the one that it was given, never one that it finds."""
    return default_path() if VARIABLE in os.environ else Path(os.devnull, "none")


def copy(token: str, to: str) -> None:
    """Let a visit begin with a copy of the results of another, where they are apart."""
    if is_shared() and path_of(token).exists():
        with suppress(StoreError, OSError):  # the copy then begins without them
            _copy(path_of(token), path_of(to))


def _copy(path: Path, to: Path) -> None:
    if path.exists():
        to.parent.mkdir(exist_ok=True)
        Store(path, PATIENCE).back_up(to)


def forget_old() -> None:
    """Remove the results of visits in which nothing changed for long."""
    if is_shared():
        for path in path_of("").parent.glob("*.sqlite"):
            with suppress(OSError):
                family = list(path.parent.glob(f"{path.name}*"))  # with what SQLite writes next to it
                if time.time() - max(one.stat().st_mtime for one in family) > KEPT:
                    for one in family:
                        one.unlink()


def without_folder(error: Exception, path: Path) -> StoreError:
    """Return an error that does not say where the file lies."""
    return StoreError(str(error).replace(str(path), path.name).replace(str(default_path()), default_path().name))


@dataclass(frozen=True)
class Entry:
    """A run whose results can be looked at: its name, its state, the Python that makes it, and when it began."""

    title: str
    state: str
    code: str
    when: str = ""

    @property
    def option(self) -> str:
        """What distinguishes it from others where one is chosen."""
        return f"{self.title} ({self.when})" if self.when else self.title


def entries(store: Store, leave_out: Collection[int] = ()) -> dict[int, Entry]:
    """Return the runs of the store that have results, by number, the newest first."""
    return {
        int(run.Index): Entry(f"{run.Index}: {run.title}", run.state, run.code, moment(run.started))
        for run in store.runs().itertuples()
        if run.n_fits and run.Index not in leave_out
    }


def moment(started: str, zone: str | None = None) -> str:
    """Return a time of the results file as the visitor's clock shows it, in UTC where that is not known."""
    try:
        known = ZoneInfo(zone or st.context.timezone or "")
    except (ValueError, OSError, LookupError):  # a browser names some that only it knows, or a folder of zones
        known = None
    local = datetime.fromisoformat(started).astimezone(known or UTC)
    return f"{local.day} {local:%b %Y, %H:%M}" + ("" if known else " UTC")


def results(store: Store, runs: tuple[int, ...]) -> Results:
    """Return the fits of some runs, read again where one of them has changed."""
    states = store.runs().reindex(runs)[["n_fits", "state", "started"]]
    return _results(store, runs, tuple(states.itertuples(index=False, name=None)))


@st.cache_resource(max_entries=8, show_spinner=False, hash_funcs={Store: lambda store: str(store.path)})
def _results(store: Store, runs: tuple[int, ...], states: tuple[tuple, ...]) -> Results:
    return store.results(runs)
