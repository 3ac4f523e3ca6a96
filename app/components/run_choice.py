"""The runs of a visit on several pages: how far they are, and which of them Compare shows."""

from __future__ import annotations

from collections.abc import Collection, Sequence

import streamlit as st
from state.workspace import Workspace

from components.parts import plain, running

CHOSEN, SEEN = "runs", "newest run"  # keys: the numbers that are chosen, and the run that was last chosen by itself


def progress(workspace: Workspace) -> None:
    for run in workspace.active_runs:
        with st.container(border=True):
            st.markdown(plain(run.title))
            running(run.job, run.number)


def choose(number: int, workspace: Workspace) -> None:
    """Let Compare show a run, though a newer one of this visit may have ended since."""
    st.session_state[CHOSEN] = [number]
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
