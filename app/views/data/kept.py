"""The data sets that this visit keeps: a list to switch, rename and remove, and choosing anew how one was made."""

from __future__ import annotations

from collections.abc import Callable

import streamlit as st
from components.parts import button, plain
from state.visit_sets import MOST_BYTES, MOST_SETS, Loaded
from state.workspace import Workspace

from trellislib.data import DataError, Dataset
from trellislib.wording import counted
from views.data.choosing import choose
from views.data.using import accept, show_problem

LONGEST_NAME = 80
SHORT_LIST = 6  # sets that are listed without being asked for


def kept_list(workspace: Workspace) -> None:
    """List the sets where there are several, and say which had to go."""
    if workspace.let_go:
        gone = ", ".join(workspace.let_go)
        st.info(
            plain(
                f"{gone} was removed: at most {MOST_SETS} data sets of {MOST_BYTES / 2**30:g} GiB in total are kept."
            ),
            icon=":material/inventory_2:",
        )
    sets, removed = workspace.sets, workspace.sets.removed
    if removed:
        with st.container(horizontal=True, vertical_alignment="center", gap="small"):
            st.markdown(plain(f"Removed {removed.dataset.name}."), width="content")
            button("Undo", "undo", "undo", _bring_back, workspace)
    if len(sets) < 2:
        return
    is_short = len(sets) <= SHORT_LIST
    with (
        st.expander(f"Your {len(sets)} data sets", icon=":material/stacks:", expanded=is_short, key="kept sets"),
        st.container(gap="xsmall"),
    ):
        for kept in sets:
            _row(workspace, kept)


def _row(workspace: Workspace, kept: Loaded) -> None:
    data = kept.dataset
    is_edited = st.session_state.get("edited set") == data.digest
    with st.container(horizontal=True, vertical_alignment="center", gap="small", key=f"kept {data.digest}"):
        button(
            plain(f"Edit {data.name}"),
            f"icon of edit {data.digest}",
            "edit",
            _edit,
            None if is_edited else data.digest,
            help="Rename or remove",
            type="tertiary",
        )
        if data.digest == workspace.dataset.digest:
            st.markdown(f":material/radio_button_checked: **{plain(data.name)}**, loaded", width="content")
        else:
            button(
                plain(f"Load {data.name}"),
                f"load {data.digest}",
                "radio_button_unchecked",
                workspace.switch,
                data.digest,
                type="tertiary",
            )
        counts = {"instance": data.n_instances, "feature": data.n_features, "label": data.n_labels}
        size = ", ".join(counted(number, what) for what, number in counts.items())
        st.markdown(f":small[{plain(f'{size}; from {kept.source.where_from}')}]", width="content")
    if is_edited:
        _name_and_remove(workspace, data)


def _name_and_remove(workspace: Workspace, data: Dataset) -> None:
    key = f"name {data.digest} {data.name}"
    with st.form(f"form {data.digest}"), st.container(horizontal=True, vertical_alignment="bottom", gap="small"):
        st.text_input("Name", data.name, max_chars=LONGEST_NAME, width=300, key=key)
        for name, icon, act in (
            ("Rename", "check", lambda: _rename(workspace, data, st.session_state[key].strip())),
            ("Remove", "delete", lambda: workspace.remove(data.digest)),
            ("Close", "close", lambda: None),
        ):
            st.form_submit_button(
                name, icon=f":material/{icon}:", on_click=_done, args=(act,), key=f"{name.lower()} {data.digest}"
            )


def _rename(workspace: Workspace, data: Dataset, name: str) -> None:
    if name not in ("", data.name):
        workspace.rename(data.digest, name[:LONGEST_NAME])


def _edit(digest: str | None) -> None:
    st.session_state["edited set"] = digest


def _done(act: Callable[[], None]) -> None:
    act()
    _edit(None)


def _bring_back(workspace: Workspace) -> None:
    """Keep what was removed last again, and show it if it was shown."""
    before = workspace.loaded
    workspace.sets.bring_back()
    if workspace.loaded is not before:
        workspace.switch(workspace.dataset.digest)


def mend(workspace: Workspace) -> None:
    """Offer to choose anew how the files that are loaded became a data set, and ask for the choices in that place."""
    loaded = workspace.loaded
    if loaded.upload is None or loaded.choices is None:
        if loaded.is_from_files:
            st.caption("To change label columns, drop the files again. There was no space to keep them.")
        return
    if st.session_state.get("mending") != loaded.dataset.digest:
        what = f"Change label columns of {loaded.dataset.name}"
        button(plain(what), "mend", "build", _begin, loaded)
        return
    with st.container(border=True, key="mend form"):
        choices = choose(loaded.upload, loaded.choices, f"mend {st.session_state['mended']}", "Chosen")
        with st.container(horizontal=True):
            use = st.button("Use these choices", type="primary", disabled=choices is None, key="accept mended")
            st.button("Cancel", on_click=_end, key="leave mended")
        show_problem()
    if use and choices is not None:
        try:
            with st.spinner("Making the data set…", show_time=True):
                accept(workspace, loaded.upload, choices, loaded.dataset.digest)
            _end()
        except DataError as error:
            st.session_state["problem"] = str(error)
        st.rerun()


def _begin(loaded: Loaded) -> None:
    st.session_state["mending"] = loaded.dataset.digest
    st.session_state["mended"] = st.session_state.get("mended", 0) + 1  # answers given before are of another time


def _end() -> None:
    st.session_state.pop("mending", None)
