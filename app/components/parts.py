"""Pieces that every page has: its head, its figures, its foot."""

from __future__ import annotations

import re
from collections.abc import Callable, Hashable, Iterable, Mapping
from typing import Any

import plotly.graph_objects as go
import streamlit as st
from state import address
from state.call import Call, Script, value_of
from state.jobs import Job, Work
from state.workspace import Workspace
from streamlit.delta_generator import DeltaGenerator

from components.saving import Files, figure_files, save
from trellislib.data import Dataset
from trellislib.figures import Drawing, drawing_figure, enlarged
from trellislib.running.progress import duration
from trellislib.wording import counted

SIGNS = "Orange: they co-occur. Blue, dashed: they exclude each other."
LARGER = 1.25  # how many times as large letters of figures are on the stage
LINK = re.compile(r"(?i)(?<=http:)(?=//)|(?<=https:)(?=//)|(?<=www)(?=\.)|(?<=[-.\w+]@)(?=[-\w])")  # where one is cut
EQUATION = re.compile(r"(?<=\w) ([=<>≤≥]) (?=[-\N{MINUS SIGN}\d])")  # its middle
LONGEST_NOTE = 40  # words that are seen without a click
QUIET = {"displayModeBar": False, "scrollZoom": False, "doubleClick": False}


def head(title: str, sentence: str) -> None:
    """Show a page's title, and under it the one sentence that answers it."""
    opening(title).markdown(plain(sentence))


def opening(title: str) -> DeltaGenerator:
    """Show a page's title, and return the place for its sentence, which takes a moment to find."""
    st.title(title, anchor=False)
    return st.container(key="answer").empty()


def figure(
    chart: go.Figure | Drawing | Call,
    *,
    key: str,
    alt: str = "",
    caption: str = "",
    stem: str | None = None,
    more: Mapping[str, Files] | None = None,
    on_click: Callable[[list], None] | None = None,
    larger: float = LARGER,
    **options: Any,
) -> None:
    """Show a chart; under it a sentence on it, and the files that it can be saved as.

    Parameters
    ----------
    alt
        What it shows, for those who do not see it; by default `caption`.
    caption
        A sentence under the chart, where the page does not have it already.
    stem
        How the names of its files begin; by default with `key`.
    more
        What else can be saved: the graph, matrix or table that is drawn.
    on_click
        Called with the `customdata` of a point that is clicked. A second click on a point calls it again only if the
        `key` of the chart has changed since.
    larger
        How many times as large its letters are on the stage.
    """
    chart = value_of(chart)
    drawn = drawing_figure(chart) if isinstance(chart, Drawing) else chart

    def selected() -> None:
        points = st.session_state[key]["selection"]["points"]
        found = next((point["customdata"] for point in points if "customdata" in point), None)
        if found is not None and on_click:
            on_click(found if isinstance(found, list) else [found])

    if address.is_presented() and not isinstance(chart, Drawing):
        drawn = enlarged(drawn, larger)
        options |= {"width": "stretch", "height": "stretch"}
    if on_click:
        options |= {"on_select": selected, "selection_mode": "points"}
    st.plotly_chart(drawn, key=key, alt=alt or caption, config=QUIET, **options)
    with st.container(horizontal=True, vertical_alignment="top", gap="small", key=f"under {key}"):
        save(stem or key, figure=figure_files(chart), **(more or {}))
        if caption:
            remark(plain(caption))


def legend_on_stage(text: str) -> None:
    """Show what colours and marks of a figure mean on the stage, where its notes are left out."""
    if text and address.is_presented():
        st.markdown(f":small[{plain(text)}]", width="content")


def signs_of(data: Dataset) -> str:
    """Return what the colours of edges mean; of labels with more than two values they have none."""
    return SIGNS if data.is_multilabel else ""


def scrolled(key: str, width: int) -> DeltaGenerator:
    """Return a place for what needs so many pixels, which scrolls sideways where the screen has fewer."""
    return st.container(key=f"scrolled {key}").container(key=f"wide {key}", width=width)


def remark(text: str, **more: Any) -> None:
    """Show a grey note of Markdown on a figure; a long one is folded."""
    if len(text.split()) > LONGEST_NOTE:
        about_figure(text)
    else:
        st.caption(text, width="stretch", **more)


def about_figure(text: str) -> None:
    """Fold a note on a figure."""
    with st.expander("About this figure", icon=":material/info:"):
        st.caption(text)


def button(label: str, key: str, icon: str, act: Callable[..., Any], *args: Any, **more: Any) -> None:
    """Show a button that calls ``act(*args)`` when it is clicked."""
    st.button(label, key=key, icon=f":material/{icon}:", on_click=act, args=args, **more)


def asking(**helps: str) -> Callable[..., Any]:
    """Return what shows a control that is bound to the address, with its help among `helps` by its key."""

    def ask(control: Callable[..., Any], label: str, key: str, *given: Any, **more: Any) -> Any:
        return control(label, *given, key=key, bind="query-params", **{"help": helps.get(key)} | more)

    return ask


def choice(label: str, options: Iterable[str], *, key: str, default: str, **more: Any) -> str:
    """Let one of a few options be chosen, which the address has; an address that leaves it empty means the default."""
    chosen = st.segmented_control(label, options, default=default, required=True, key=key, bind="query-params", **more)
    return chosen or default


def view_of(views: Iterable[str], *, key: str, width: int) -> str:
    """Let the view of a page be chosen, the first by default; on the stage from a list, which takes less room."""
    if address.is_presented():
        return st.selectbox("View", list(views), key=key, bind="query-params", width=width)
    first, *_ = views
    return choice("View", views, key=key, default=first, label_visibility="collapsed", wrap=True)


def chosen_row(table: str) -> int | None:
    """Return the place of the row that is chosen in a table of this key."""
    rows = st.session_state[table]["selection"]["rows"]
    return rows[0] if rows else None


def plain(text: str) -> str:
    """Escape text that may hold names from a file, so that Markdown shows it as it is written.

    Markdown of the browser looks for addresses after it has undone escapes: signs without width keep them from links.
    A number stays on the line of its symbol, as in "p = 0.03".
    """
    text = EQUATION.sub("\N{NO-BREAK SPACE}\\1\N{NO-BREAK SPACE}", text)
    text = LINK.sub("\N{WORD JOINER}", text)
    return re.sub(r"([\\`*_{}\[\]()#+\-.!|<>$:~^=&])", r"\\\1", text)


def foot(script: Script | str) -> None:
    """End a page with the Python that gives what it shows, and with its address, to be shared."""
    with st.expander("The same in Python", icon=":material/code:"):
        st.code(str(script), language="python")
    with st.expander("Link to this view", icon=":material/link:"):
        st.code(address.link(), language=None, wrap_lines=True)
        st.caption(plain(f"This link holds {address.carried()}."))


@st.fragment(run_every=1.0)
def running(job: Job, name: object) -> None:
    """Show how far a job is, with Cancel; when it ends, run the page once more."""
    job.watch()
    if not job.is_active:
        st.rerun()
    left = f", about {duration(job.left)} left" if job.left is not None else ""
    so_far = f"{job.what}: {job.share:.0%}, {duration(job.elapsed)} so far{left}"
    what = so_far if job.what else _waits(job) if job.state == "waiting" else "Starting"
    cancelling = job.state == "cancelling"
    with st.container(horizontal=True, vertical_alignment="center"):
        st.progress(job.share, text=plain(f"Cancelling after this step: {job.what}" if cancelling else what))
        button("Cancel", f"cancel {name}", "cancel", job.cancel, disabled=cancelling)


def _waits(job: Job) -> str:
    """Return in words what a job waits for."""
    return f"Waiting for its turn: {counted(job.ahead, 'run')} before it" if job.ahead else "Starting"


def working(
    workspace: Workspace, key: Hashable, label: str, icon: str, work: Work, *, name: str = "", is_primary: bool = False
) -> Any:
    """Show a button that starts work, or its progress, or why it failed; return its result where it is done."""
    job = workspace.job(key)
    if job and job.is_active:
        running(job, name or label)
        return None
    if job and job.state == "done":
        return job.result
    if job and job.state == "failed":
        st.error(plain(job.error), icon=":material/error:")
    button(label, name or icon, icon, workspace.start, key, work, type="primary" if is_primary else "secondary")
    return None
