"""The workspace of a page: found again by its session or its address, or opened by the address."""

from __future__ import annotations

import gc
import secrets
import time
from collections import OrderedDict
from dataclasses import replace
from functools import cache

import streamlit as st
from streamlit.runtime.scriptrunner import get_script_run_ctx

from state import address, results_store
from state.registry import workspaces
from state.sources import load
from state.tuning import Shape
from state.uploaded import Dropped
from state.visit_sets import Loaded, VisitSets
from state.workspace import Workspace
from trellislib.running import apart


@cache
def prepare_server() -> None:
    """Start what other processes begin from, and let no search for garbage look through what is imported here."""
    apart.prepare()
    gc.collect()
    gc.freeze()


@cache
def _tidy(day: int) -> None:
    """Remove once a day what nobody has used for long."""
    results_store.forget_old()


def workspace() -> Workspace:
    """Return the workspace of this page: the session's, else the one in the address, else a new one by the address.

    A session holds its own workspace, so that nothing is lost under an open page, and no two hold the same: who opens
    a link that somebody has open gets a copy.
    """
    held: Workspace | None = st.session_state.get(address.WORKSPACE)
    if held is not None:
        workspaces().get(held.token)  # it was used just now
        return held
    asked, token = st.query_params.get(address.DATA), st.query_params.get(address.WORKSPACE)
    found = workspaces().get(token)
    if found is not None and asked not in (None, found.address):
        found = None  # it has gone on to other data than those of the link
    if found is None:
        found = _opened(asked, token)
        if token and asked is None:
            st.toast("The data of this link are no longer stored. This is a new start.", icon=":material/info:")
    if not workspaces().claim(found, _session_id()):
        found = _copied(found)
    st.session_state[address.WORKSPACE] = found
    return found


def _new_token() -> str:
    return secrets.token_urlsafe(16)


def _opened(asked: str | None, token: str | None) -> Workspace:
    """Return a new workspace with the data that an address asks for, or with what is first and why.

    It has the token of the address where only the results of that visit are left, as after a restart of the server.
    """
    _tidy(int(time.time() // 86_400))
    is_left = token and results_store.is_shared() and results_store.path_of(token).exists()
    opened = Workspace(token if token and is_left and not workspaces().get(token) else _new_token())
    if opened.token == token:
        workspaces().keep(opened)  # so that addresses name it again
    if asked is None:
        return opened
    try:
        source = address.read(asked)
        opened.sets = VisitSets(Loaded(source, load(source)))
        opened.shape = Shape.default(opened.dataset.n_labels)
    except ValueError as error:
        opened.asked, opened.notice = asked, f"{error} Showing {opened.dataset.name} instead."
        opened.link = address.link(opened.token)
        opened.dropped.linked = address.linked(asked)
    return opened


def _copied(workspace: Workspace) -> Workspace:
    """Return a workspace of the same data that goes its own way from here, with what has ended in the other one."""
    copied = replace(
        workspace,
        token=_new_token(),
        holder=_session_id(),
        sets=workspace.sets.copy(),
        poll="",
        dropped=Dropped(linked=workspace.dropped.linked),
        runs=[run for run in list(workspace.runs) if not run.job.is_active],
        removed=list(workspace.removed),
        trials={key: trial for key, trial in list(workspace.trials.items()) if not trial.job.is_active},
        downloads={},
        pieces=OrderedDict((key, job) for key, job in list(workspace.pieces.items()) if not job.is_active),
    )
    results_store.copy(workspace.token, copied.token)
    workspaces().keep(copied)
    return copied


def _session_id() -> str:
    context = get_script_run_ctx()
    return context.session_id if context else ""
