"""Data sets that have a name already: packaged, known in the field, or in the server's folder."""

from __future__ import annotations

import streamlit as st
from components.known_sets import described, downloading, fetch_button, where_from
from components.parts import button, plain
from state.choices import Choices
from state.sources import Source, folder_sets, from_folder
from state.workspace import Workspace

from trellislib.data import KNOWN, PACKAGED, DataError
from trellislib.wording import counted
from views.data.using import accept, show_problem, use


def packaged_form(workspace: Workspace) -> None:
    """Choose one of the sets that come with installed packages."""

    def choose() -> None:
        use(workspace, Source.of("packaged", name=st.session_state["packaged"]))

    current = dict(workspace.source.arguments).get("name") if workspace.source.function == "packaged" else None
    names = list(PACKAGED)
    st.session_state["packaged"] = current
    st.selectbox(
        "Data set",
        names,
        format_func=lambda name: f"{name}: {PACKAGED[name]}",
        key="packaged",
        on_change=choose,
        placeholder="Choose a packaged data set",
    )
    show_problem()


def known_form(workspace: Workspace) -> None:
    """Choose one of the data sets that are known by name; what is not on this machine can be downloaded."""

    def choose() -> None:
        key = st.session_state["known"]
        if key and where_from(key):
            use(workspace, Source.of("obtain", key=key))

    current = dict(workspace.source.arguments).get("key") if workspace.source.function == "obtain" else None
    st.session_state.setdefault("known", current)
    key = st.selectbox(
        "Known data set",
        KNOWN,
        format_func=described,
        key="known",
        on_change=choose,
        placeholder="Choose a known data set",
        help="Searched in the folder of the variable TRELLIS_DATA, in downloads and in installed packages.",
    )
    show_problem()
    if key is None or key == current:
        return
    if where_from(key):  # it has been downloaded since, or other data were loaded
        button(f"Use {plain(KNOWN[key].name)}", "use known", "check", choose)
        return
    if not KNOWN[key].can_be_fetched:
        st.info(plain(f"{KNOWN[key].name} is not on this machine. {KNOWN[key].note}"), icon=":material/info:")
    fetch_button(key)
    downloading(key)


def folder_form(workspace: Workspace) -> None:
    """Choose one of the data sets in the folder that the server was started with."""
    sets = folder_sets()
    if not sets:
        st.info(
            "The folder that this server was started with has no data set or does not exist.",
            icon=":material/folder_off:",
        )
        return
    with st.container(horizontal=True, vertical_alignment="bottom"):
        name = st.selectbox(
            f"The folder has {counted(len(sets), 'data set')}",
            list(sets),
            index=None,
            key="folder set",
            placeholder="Choose a data set of the folder",
            help="The variable TRELLIS_DATA names the folder. trellislib only reads it.",
        )
        wanted = st.button(
            f"Load {plain(name or '')}", icon=":material/folder_open:", disabled=not name, key="load folder"
        )
    if wanted and name:
        try:
            with st.spinner(f"Reading {plain(name)}…", show_time=True):
                for upload in workspace.dropped.take([from_folder(name)], folder=name):
                    accept(workspace, upload, Choices())
        except DataError as error:
            st.session_state["problem"] = str(error)
        st.rerun()
    show_problem()
