"""What all ways to a data set share: showing what they made, or saying why they could not."""

from __future__ import annotations

from collections.abc import Sequence

import streamlit as st
from components.parts import plain
from state.choices import Choices
from state.sources import Source, load
from state.uploaded import Upload
from state.visit_sets import Loaded
from state.workspace import Workspace

from trellislib.wording import listed, quoted

SHOWN_NAMES = 12


def use(workspace: Workspace, source: Source) -> None:
    """Make the data of `source` and show them, or keep what is there and say why not."""
    try:
        _take(workspace, Loaded(source, load(source)))
    except ValueError as error:
        st.session_state["problem"] = str(error)


def accept(workspace: Workspace, upload: Upload, choices: Choices, instead_of: str | None = None) -> None:
    """Make uploaded files the data set of all pages, in place of `instead_of`; a DataError says why they make none."""
    data = choices.made(upload.table)
    upload.forget()
    source = upload.source(choices)
    _take(workspace, Loaded(source, data, upload, choices), instead_of)
    workspace.dropped.leave_out(upload)
    if data.digest not in workspace.dropped.loaded:
        workspace.dropped.loaded.append(data.digest)


def _take(workspace: Workspace, loaded: Loaded, instead_of: str | None = None) -> None:
    """Keep a data set and show it; a notice follows if the same one is kept by another name."""
    kept, replaced = workspace.sets.get(loaded.dataset.digest), workspace.sets.get(instead_of or "")
    name = (replaced or loaded).dataset.name
    if kept and kept is not replaced and kept.stays_for(loaded) and kept.dataset.name != name:
        note(f"{name} equals {kept.dataset.name}, which stays loaded.")
    workspace.take(loaded, instead_of)


def note(sentence: str) -> None:
    """Show a notice the next time that the page shows what became of a choice."""
    st.session_state.setdefault("notices", []).append(sentence)


def show_problem() -> None:
    """Show the notices and the problem once; what was loaded before is still there."""
    notices = st.session_state.pop("notices", [])
    if notices:
        st.info(plain(" ".join(notices)), icon=":material/info:")
    problem = st.session_state.pop("problem", None)
    if problem:
        st.error(plain(f"{problem} The previous data are still loaded."), icon=":material/error:")


def say_hidden(n_columns: int, most: int) -> None:
    """Say which columns a table has that is too wide to be shown whole."""
    if n_columns > most:
        st.caption(
            f"The table shows the first and the last {most // 2} columns, and hides {n_columns - most:,} between them."
        )


def few(names: Sequence[str]) -> str:
    """Return names in a row, the first of them if there are many; in quotes where a comma is part of one."""
    return listed([quoted(name) for name in names] if any("," in name for name in names) else names, SHOWN_NAMES)
