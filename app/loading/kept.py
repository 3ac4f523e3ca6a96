"""The data sets that this visit keeps: a list to switch, rename and remove, and choosing anew how one was made."""

from __future__ import annotations

import streamlit as st
from kept_sets import MOST_BYTES, MOST_SETS, Loaded
from parts import plain
from session import Workspace

from loading.choosing import choose
from loading.using import accept, show_problem
from trellislib.data import DataError
from trellislib.takeaways.words import number_of

LONGEST_NAME = 80
SHORT_LIST = 6  # sets that are listed without being asked for


def switcher(workspace: Workspace) -> None:
    """Show in the sidebar what is loaded, and let another of the sets be chosen where there are several."""
    sets = {kept.dataset.digest: kept for kept in workspace.sets}
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


def kept_list(workspace: Workspace) -> None:
    """List the sets where there are several, and say which had to go."""
    if workspace.let_go:
        gone = ", ".join(workspace.let_go)
        st.info(
            plain(f"{gone} had to make room: {MOST_SETS} sets are kept, of {MOST_BYTES / 2**30:g} GiB in all."),
            icon=":material/inventory_2:",
        )
    sets = workspace.sets
    if len(sets) < 2:
        return
    is_short = len(sets) <= SHORT_LIST
    with (
        st.expander(f"Your {len(sets)} data sets", icon=":material/stacks:", expanded=is_short, key="kept sets"),
        st.container(gap="xsmall"),
    ):
        for number, kept in enumerate(sets):
            _row(workspace, kept, number)


def _row(workspace: Workspace, kept: Loaded, number: int) -> None:
    data, is_shown = kept.dataset, kept.dataset.digest == workspace.dataset.digest
    with st.container(horizontal=True, vertical_alignment="center", gap="small", key=f"under kept {number}"):
        st.button(
            "Loaded" if is_shown else "Load",
            icon=":material/radio_button_checked:" if is_shown else ":material/radio_button_unchecked:",
            help=plain(f"{'This is' if is_shown else 'Show'} {data.name}"),
            type="tertiary",
            disabled=is_shown,
            on_click=workspace.switch,
            args=(data.digest,),
            width=100,
            key=f"load {number}",
        )
        counts = {"instance": data.n_instances, "feature": data.n_features, "label": data.n_labels}
        size = ", ".join(number_of(number, what) for what, number in counts.items())
        name = f"**{plain(data.name)}**" if is_shown else plain(data.name)
        st.markdown(f"{name} :small[{plain(f'{size}; from {kept.source.where_from}')}]", width="stretch")
        _name_and_remove(workspace, kept, number)


def _name_and_remove(workspace: Workspace, kept: Loaded, number: int) -> None:
    digest, name = kept.dataset.digest, kept.dataset.name
    with st.popover("Edit", icon=":material/edit:", type="tertiary", key=f"edit {number}"):
        new = st.text_input("Name", name, max_chars=LONGEST_NAME, key=f"name {number} {name}").strip()
        st.button(
            "Rename",
            icon=":material/check:",
            on_click=workspace.rename,
            args=(digest, new),
            disabled=new in ("", name),
            key=f"rename {number}",
        )
        st.button("Remove", icon=":material/delete:", on_click=workspace.remove, args=(digest,), key=f"remove {number}")


def mend_button(workspace: Workspace) -> None:
    """Offer to choose anew how the files that are loaded became a data set."""
    loaded = workspace.loaded
    if loaded.upload:
        st.button("Mend the choice of labels", icon=":material/build:", on_click=_begin, args=(loaded,), key="mend")
    elif loaded.is_from_files:
        st.caption("To choose other labels, drop the files again: there was no room to keep what was read of them.")


def mend_form(workspace: Workspace) -> None:
    """Ask for the choices anew, if that was wanted of what is loaded."""
    loaded = workspace.loaded
    if loaded.upload is None or loaded.choices is None or st.session_state.get("mending") != loaded.dataset.digest:
        return
    with st.container(border=True, key="mend form"):
        choices = choose(loaded.upload, loaded.choices, f"mend {st.session_state['mended']}", "Chosen")
        with st.container(horizontal=True):
            use = st.button("Use these choices", type="primary", disabled=choices is None, key="accept mended")
            st.button("Leave it as it is", on_click=_end, key="leave mended")
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
