"""The runs of a visit on several pages: how far they are, which of them Compare shows, and which were removed."""

from __future__ import annotations

from collections.abc import Collection, Sequence

import streamlit as st
from state.removed_runs import bring_back
from state.results_store import own, path_of, without_folder
from state.workspace import Workspace

from components.parts import button, plain, running
from trellislib.experiment import Store, StoreError
from trellislib.wording import counted

CHOSEN, SEEN = "runs", "newest run"  # keys: the numbers that are chosen, and the run that was last chosen by itself


def progress(workspace: Workspace) -> None:
    for run in workspace.active_runs:
        with st.container(border=True):
            st.markdown(plain(run.title))
            running(run.job, run.number)


def removed(workspace: Workspace, store: Store | None) -> None:
    """Show what was removed last, and the button that brings it back."""
    if not workspace.removed:
        return
    last = workspace.removed[-1]
    what = counted(len(last.titles), "run") if len(last.titles) > 1 else next(iter(last.titles.values()))
    with st.container(horizontal=True, vertical_alignment="center", gap="small"):
        st.markdown(plain(f"Removed {what}."), width="content")
        is_out_of_reach = bool(last.of_file) and store is None
        button("Undo", "undo removed runs", "undo", _bring_back, workspace, store, disabled=is_out_of_reach)


def _bring_back(workspace: Workspace, store: Store | None) -> None:
    try:
        store, trouble = own(workspace.token) if store else (None, "")
        if trouble:
            raise StoreError(trouble)
        if numbers := bring_back(workspace, store):
            choose(numbers, workspace)
    except StoreError as error:
        report(error, workspace)


def report(error: StoreError, workspace: Workspace) -> None:
    """Say why the results file could not be changed."""
    st.toast(plain(str(without_folder(error, path_of(workspace.token)))), icon=":material/warning:", duration="long")


def choose(numbers: Sequence[int], workspace: Workspace) -> None:
    """Let Compare show runs, though a newer one of this visit may have ended since."""
    st.session_state[CHOSEN] = list(numbers)
    if newest := _newest(workspace):
        st.session_state[SEEN] = newest


def preselect(runs: Collection[int], asked: Sequence[int] | None, workspace: Workspace) -> None:
    """Choose the newest run of this visit when it has just ended, and some run at first: the one asked for, if any."""
    before = st.session_state.get(CHOSEN, asked)
    chosen = [number for number in before or () if number in runs]
    newest = _newest(workspace, runs)
    if newest is not None and newest != st.session_state.get(SEEN):
        chosen = [newest]
        st.session_state[SEEN] = newest
    elif before is None or (before and not chosen):  # none may be chosen, but not because it has been removed
        chosen = [next(iter(runs))]
    st.session_state[CHOSEN] = chosen


def _newest(workspace: Workspace, among: Collection[int] | None = None) -> int | None:
    """Return the newest run of this visit that is done."""
    done = (run.number for run in workspace.runs if run.job.state == "done")
    return next((number for number in done if among is None or number in among), None)
