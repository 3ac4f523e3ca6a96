"""The data set that is loaded, as the sidebar of every page shows it."""

from __future__ import annotations

import streamlit as st
from state.workspace import Workspace


def switcher(workspace: Workspace) -> None:
    """Show in the sidebar what is loaded, and let another of the sets be chosen where there are several."""
    sets = {one.dataset.digest: one for one in workspace.sets}
    if len(sets) == 1:
        st.text(workspace.dataset.name)
        return
    st.session_state["loaded set"] = workspace.dataset.digest
    st.selectbox(
        "Loaded data set",
        list(sets),
        format_func=lambda digest: sets[digest].dataset.name if digest in sets else "",
        key="loaded set",
        on_change=lambda: workspace.switch(st.session_state["loaded set"]),
        label_visibility="collapsed",
    )
