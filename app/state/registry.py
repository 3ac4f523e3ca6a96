"""The workspaces that the server holds, and which session shows which of them."""

from __future__ import annotations

import threading
from collections import OrderedDict
from typing import TYPE_CHECKING

import streamlit as st
from streamlit import runtime

if TYPE_CHECKING:
    from state.workspace import Workspace

MOST_WORKSPACES = 64
MOST_BYTES = 2**32  # of what they hold


class Workspaces:
    """The workspaces in which something was loaded, tuned or trained; of too many, the least recently used go.

    Those that a browser shows go last.
    """

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._held: OrderedDict[str, Workspace] = OrderedDict()

    def get(self, token: str | None) -> Workspace | None:
        with self._lock:
            if token is None or token not in self._held:
                return None
            self._held.move_to_end(token)
            return self._held[token]

    def keep(self, workspace: Workspace) -> None:
        with self._lock:
            self._held[workspace.token] = workspace
            workspace.is_held = True
            idle = [token for token, held in self._held.items() if held is not workspace and not held.active]
            while self._are_too_much() and idle:
                oldest = min(idle, key=lambda token: bool(is_open(self._held[token].holder)))  # that no browser shows
                idle.remove(oldest)
                del self._held[oldest]

    def _are_too_much(self) -> bool:
        n_bytes = sum(workspace.sets.n_bytes + workspace.dropped.n_bytes for workspace in self._held.values())
        return len(self._held) > MOST_WORKSPACES or n_bytes > MOST_BYTES

    def claim(self, workspace: Workspace, session_id: str) -> bool:
        """Let a session hold a workspace, unless another one that a browser shows has it."""
        with self._lock:
            if workspace.holder != session_id and is_open(workspace.holder):
                return False
            workspace.holder = session_id
            return True


@st.cache_resource
def workspaces() -> Workspaces:
    return Workspaces()


def is_open(session_id: str) -> bool:
    """Return whether a browser shows a session now; after a reload it does not show the one from before."""
    return bool(session_id) and runtime.exists() and runtime.get_instance().is_active_session(session_id)
