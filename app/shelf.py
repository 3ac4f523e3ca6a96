"""The results that pages show: those of the store, which scripts and other visitors fill too."""

from __future__ import annotations

import pandas as pd
import streamlit as st

from trellislib.experiment import Results, Store, StoreError
from trellislib.experiment.store import default_path


def store() -> Store | None:
    """Return the store, or None where its file cannot be used; `trouble` says why."""
    try:
        return Store(default_path())
    except StoreError:
        return None


def trouble() -> str | None:
    """Say in one sentence why results are not kept, or None."""
    try:
        Store(default_path())
    except StoreError as error:
        return str(error)
    return None


def titles(runs: pd.DataFrame) -> dict[int, str]:
    """Return what runs are called, by number."""
    return {int(number): f"{number}: {title}" for number, title in runs["title"].items()}


def results(kept: Store, runs: tuple[int, ...]) -> Results:
    """Return the fits of some runs, read again where one of them has grown."""
    stand = kept.runs().reindex(runs)
    return _results(kept, runs, tuple(stand["n_fits"]), tuple(stand["state"]))


@st.cache_resource(max_entries=8, show_spinner=False, hash_funcs={Store: lambda kept: str(kept.path)})
def _results(kept: Store, runs: tuple[int, ...], n_fits: tuple[int, ...], states: tuple[str, ...]) -> Results:
    return kept.results(runs)
