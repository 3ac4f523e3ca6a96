"""The results that pages show: those of the store, which scripts and other visitors fill too."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from zoneinfo import ZoneInfo

import streamlit as st

from trellislib.experiment import Results, Store, StoreError
from trellislib.experiment.store import default_path

HOW_ENDED = {
    "running": "is still running elsewhere",
    "cancelled": "was cancelled",
    "failed": "ended with an error",
    "broken off": "was interrupted",
}


PATIENCE = 2.0  # seconds for which a page waits for another writer


def opened() -> tuple[Store | None, str]:
    """Return the store, or None where its file cannot be used, and then in one sentence why.

    The sentence does not say where the file lies: other visitors may read it.
    """
    path = default_path()
    try:
        return Store(path, PATIENCE), ""
    except StoreError as error:
        return None, str(without_folder(error, path))


def without_folder(error: StoreError, path: Path) -> StoreError:
    """Return an error that does not say where the file lies."""
    return StoreError(str(error).replace(str(path), path.name))


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
