"""Files of the user's own: a box to drop them in, and what became of them."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import partial
from pathlib import Path

import streamlit as st
from components.parts import plain
from components.reading import reading
from state.sources import folder_sets
from state.uploaded import Dropped, Problem, Upload
from state.workspace import Workspace

from trellislib.data import DataError, Dataset
from trellislib.data.reading.source import Source
from trellislib.wording import agreed, counted
from views.data.choosing import choose
from views.data.using import accept, few, note, show_problem

SHOWN_PROBLEMS = 20
FORMS = "ARFF, CSV, TSV, Excel, Parquet, JSON, svmlight, NPZ, MAT, R or Orange, also compressed"


def file_form(workspace: Workspace) -> None:
    """Read the files that are dropped; ask what they do not say."""
    dropped = workspace.dropped
    files = st.file_uploader(
        f"Drop all files that belong together here: {FORMS}",
        accept_multiple_files=True,
        key="files",
        on_change=dropped.change,
        help="Labels can be columns of a table, one column of lists, or named in Mulan's XML. Features and labels may "
        "be in two files, and so may training and test rows. Names show which files belong together. Files go to this "
        "server only, and nobody else sees them. Scores of methods trained on them are kept for all users of this "
        "server, with the names of files and labels.",
    )
    if dropped.is_changed:
        _read(workspace, files)
        st.rerun()
    dropped.rest(files)
    _say_what_became(workspace, dropped)
    show_problem()
    pending_form(workspace)


def pending_form(workspace: Workspace) -> None:
    """Ask about a data set among the files that waits for choices: one at a time, whichever is wanted."""
    pending = {upload.number: upload for upload in workspace.dropped.pending}
    if not pending:
        return
    number = next(iter(pending))
    if len(pending) > 1:
        number = st.selectbox(
            f"{len(pending)} data sets need choices. This is the first.",
            list(pending),
            format_func=lambda number: pending[number].title if number in pending else "",
            key="pending",
        )
    upload = pending[number]
    with st.container(border=True, key="choosing"):
        sheet = _sheet(upload)
        choices = choose(upload, upload.proposed, f"{number} {sheet}" if sheet else str(number))
        choices = choices and replace(choices, sheet=sheet)
        with st.container(horizontal=True):
            use = st.button("Use this data", type="primary", disabled=choices is None, key="accept")
            st.button("Do not use it", on_click=_leave_out, args=(workspace, upload), key="leave out")
        if use and choices is not None:
            try:
                with st.spinner("Making the data set…", show_time=True):
                    accept(workspace, upload, choices)
            except DataError as error:
                st.session_state["problem"] = str(error)
            st.rerun()


def _sheet(upload: Upload) -> str | None:
    """Ask which sheet of a workbook is meant, and read it; return its title where it is not the first."""
    if len(upload.table.sheets) < 2 or len(upload.files) > 1 or (content := _content(upload)) is None:
        return None
    titles = sorted(upload.table.sheets)
    key = f"first sheet {upload.number}"
    first = st.session_state.setdefault(key, upload.table.sheets[0])
    title = st.selectbox("Sheet", titles, index=titles.index(first), width=260, key=f"sheet {upload.number}")
    if title != upload.table.sheets[0]:
        try:
            upload.take_sheet(content(), title, partial(reading, stop=partial(_keep_sheet, upload)))
        except DataError as error:
            st.warning(plain(str(error)), icon=":material/block:")
    return None if upload.table.sheets[0] == first else upload.table.sheets[0]


def _content(upload: Upload) -> Callable[[], bytes] | None:
    """Return what gives the content of the only file of a data set, or None where that is not there any more."""
    if upload.folder:
        files = folder_sets().get(upload.folder, ())
        return partial(_bytes_of, files[0]) if len(files) == 1 else None
    received = {file.name: file for file in st.session_state.get("files") or ()}
    return received[upload.files[0]].getvalue if upload.files[0] in received else None


def _bytes_of(path: Path) -> bytes:
    with Source(path).binary() as file:
        return file.read()


def _keep_sheet(upload: Upload) -> None:
    """Stay with the sheet that was read before."""
    st.session_state[f"sheet {upload.number}"] = upload.table.sheets[0]


def _leave_out(workspace: Workspace, upload: Upload) -> None:
    workspace.dropped.leave_out(upload)
    again = "load it from the folder again" if upload.folder else "drop it again"
    note(f"{upload.title} was left out. To use it, {again}.")


def _read(workspace: Workspace, files: list) -> None:
    """Read what is new in the box, and use at once what leaves no question; of several, the first is shown."""
    dropped = workspace.dropped
    clear = dropped.receive(files, partial(reading, stop=partial(dropped.stop, files)))
    with st.spinner("Making the data set…", show_time=True):
        loaded = [digest for upload in clear if (digest := _loaded(workspace, upload))]
    if len(loaded) > 1:
        workspace.switch(loaded[0])


def _loaded(workspace: Workspace, upload: Upload) -> str | None:
    """Make a data set of files that leave no question; return its digest, or None where it cannot be."""
    try:
        accept(workspace, upload, upload.proposed)
    except DataError as error:
        workspace.dropped.problems.append(Problem(str(error), frozenset(upload.files)))
        workspace.dropped.leave_out(upload)
        return None
    return workspace.dataset.digest


def _say_what_became(workspace: Workspace, dropped: Dropped) -> None:
    loaded = [kept.dataset for digest in dropped.loaded if (kept := workspace.sets.get(digest))]
    if loaded:
        st.success(plain(_loaded_sentence(loaded, workspace.dataset.name)), icon=":material/check:")
        st.page_link("views/verdict/page.py", label="Next: is label structure worth it?", icon=":material/gavel:")
        if workspace.link:
            st.link_button("Open what the link showed", workspace.link, icon=":material/link:")
    problems = [plain(problem.text) for problem in dropped.problems]
    if problems and not loaded:
        problems[-1] += " The previous data are still loaded."
    if len(problems) == 1:
        st.error(problems[0], icon=":material/error:")
    elif problems:
        shown, more = problems[:SHOWN_PROBLEMS], problems[SHOWN_PROBLEMS:]
        shown += [f"And {len(more):,} more."] if more else []
        st.error("\n".join(f"- {problem}" for problem in shown), icon=":material/error:")
    others = [what for what, are in (("were loaded", loaded), ("wait for choices", dropped.pending)) if are]
    if problems and others:
        st.caption(f"The other files {' or '.join(others)}.")


def _loaded_sentence(loaded: list[Dataset], shown: str) -> str:
    if [data.name for data in loaded] == [shown]:
        (data,) = loaded
        return f"{data.name} is loaded, with {counted(data.n_labels, 'label')}: {few(data.label_names)}."
    sizes = [f"{data.name} ({counted(data.n_labels, 'label')})" for data in loaded]
    return f"{few(sizes)} {agreed(len(sizes), 'is', 'are')} loaded. {shown} is shown."
