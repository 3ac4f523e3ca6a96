"""What can be taken away: each figure, graph, matrix and table of a page, in the formats of its kind."""

from __future__ import annotations

import io
from collections.abc import Callable, Mapping, Sequence
from functools import partial

import numpy as np
import pandas as pd
import plotly.graph_objects as go
import streamlit as st

from trellislib.figures import FORMATS, Drawing, export, still
from trellislib.graphs import GRAPH_FORMATS, AnyLabelGraph, written_graph

Content = Callable[[], str | bytes]
Files = Mapping[str, Content]
"""What makes the content of each file, by format; nothing is made before it is asked for."""

TITLES = {"tikz": "TikZ", "graphml": "GraphML", "md": "Markdown", "tex": "LaTeX"}
ENDINGS = {"tikz": "tex"}
MIMES = {
    "svg": "image/svg+xml",
    "pdf": "application/pdf",
    "png": "image/png",
    "csv": "text/csv",
    "json": "application/json",
}


def figure_files(chart: go.Figure | Drawing) -> Files:
    """Return a figure as files: SVG, PDF, PNG, TikZ."""
    return {kind: partial(_exported, chart, kind) for kind in FORMATS}


def _exported(chart: go.Figure | Drawing, kind: str) -> bytes:
    return export(chart if isinstance(chart, Drawing) else still(chart), kind)


def graph_files(graph: AnyLabelGraph, names: Sequence[str], **more: np.ndarray | None) -> Files:
    """Return a label graph as files for other programs; `more` is as for `trellislib.graphs.written_graph`."""
    return {kind: partial(written_graph, graph, names, kind, **more) for kind in GRAPH_FORMATS}


def matrix_files(matrix: np.ndarray, names: Sequence[str]) -> Files:
    """Return a matrix between labels as files: CSV with its names, and NPZ with `matrix` and `names`."""

    def npz() -> bytes:
        buffer = io.BytesIO()
        np.savez_compressed(buffer, matrix=matrix, names=np.array(names, dtype=str))
        return buffer.getvalue()

    return {"csv": lambda: pd.DataFrame(matrix, index=names, columns=names).to_csv(), "npz": npz}


def table_files(table: pd.DataFrame, *, index: bool = False) -> Files:
    """Return a table as a CSV file."""
    return {"csv": lambda: table.to_csv(index=index)}


def save(stem: str, **things: Files) -> None:
    """Offer things to be saved, one row for each: `figure`, `graph`, `matrix`, `table`, or what else they are called.

    `stem` begins the name of each file, and tells this offer from the others of a page.
    """
    with st.popover("Save", icon=":material/download:", type="tertiary", key=f"save {stem}"):
        for what, files in things.items():
            st.caption(what.replace("_", " ").capitalize())
            buttons(stem if what == "figure" else f"{stem}-{what}", files)


def buttons(stem: str, files: Files) -> None:
    """Show a button for each format of one thing."""
    with st.container(horizontal=True, gap="small"):
        for kind, content in files.items():
            st.download_button(
                TITLES.get(kind, kind.upper()),
                content,
                file_name=f"{stem}.{ENDINGS.get(kind, kind)}".replace(" ", "-").replace("/", "-"),
                mime=MIMES.get(kind),
                on_click="ignore",
                icon=":material/download:",
                key=f"{stem} {kind}",
            )
