"""What can be saved: each figure, graph, matrix and table of a page, in the formats of its kind."""

from __future__ import annotations

import io
import zipfile
from collections.abc import Callable, Mapping, Sequence
from functools import partial

import numpy as np
import pandas as pd
import plotly.graph_objects as go
import streamlit as st

from trellislib.data import Dataset
from trellislib.data.writing import FORMS, blocks_of, refusal
from trellislib.data.writing.csv_text import csv_text
from trellislib.figures import FORMATS, Drawing, export
from trellislib.graphs import GRAPH_FORMATS, AnyLabelGraph, written_graph
from trellislib.report import as_pdf
from trellislib.report.pdf import NO_BROWSER, browser

Content = Callable[[], str | bytes]
Files = Mapping[str, Content]
"""What makes the content of each file, by format; nothing is made before it is asked for."""

DATASET_FORMS = dict(zip(("mulan", "meka", "csv", "svmlight", "parquet"), FORMS, strict=True))
TITLES = {"tikz": "TikZ", "graphml": "GraphML", "md": "Markdown", "tex": "LaTeX"} | DATASET_FORMS
ENDINGS = {"tikz": "tex", "mulan": "zip", "meka": "arff", "svmlight": "svm"}
MIMES = {
    "svg": "image/svg+xml",
    "pdf": "application/pdf",
    "png": "image/png",
    "csv": "text/csv",
    "json": "application/json",
    "html": "text/html",
    "mulan": "application/zip",
}
MOST_CELLS = 50_000_000
"""Cells of sparse data that are written with their zeros."""


def figure_files(chart: go.Figure | Drawing) -> Files:
    """Return a figure as files: SVG, PDF, PNG, and a drawing also as TikZ."""
    return {kind: partial(export, chart, kind) for kind in FORMATS if kind != "tikz" or isinstance(chart, Drawing)}


def graph_files(graph: AnyLabelGraph, names: Sequence[str], **more: np.ndarray | None) -> Files:
    """Return a label graph as files for other programs; `more` is as for `trellislib.graphs.written_graph`."""
    return {kind: partial(written_graph, graph, names, kind, **more) for kind in GRAPH_FORMATS}


def matrix_files(matrix: np.ndarray, names: Sequence[str]) -> Files:
    """Return a matrix between labels as files: CSV with its names, and NPZ with `matrix` and `names`."""

    def npz() -> bytes:
        buffer = io.BytesIO()
        np.savez_compressed(buffer, matrix=matrix, names=np.array(names, dtype=str))
        return buffer.getvalue()

    return {"csv": lambda: csv_text(pd.DataFrame(matrix, index=names, columns=names)), "npz": npz}


def table_files(table: pd.DataFrame, *, index: bool = False) -> Files:
    return {"csv": partial(csv_text, table, index=index)}


def dataset_files(data: Dataset) -> Files:
    """Return a data set as files, in the forms that can hold it; the several files of Mulan are in a zip archive."""
    return {kind: partial(_written, data, DATASET_FORMS[kind]) for kind in _forms_for(data)}


@st.cache_data(max_entries=64, show_spinner=False, hash_funcs={Dataset: lambda data: data.digest})
def _forms_for(data: Dataset) -> list[str]:
    """Return the kinds of files that can hold a data set, and do not write out too many zeros."""
    n_cells = data.n_instances * (data.n_features + data.n_labels)
    too_large = () if data.is_dense or n_cells <= MOST_CELLS else ("csv", "parquet")
    return [kind for kind, form in DATASET_FORMS.items() if kind not in too_large and not refusal(data, form)]


def _written(data: Dataset, form: str) -> bytes:
    files = blocks_of(data, form)
    if len(files) == 1:
        return b"".join(*files.values())
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, blocks in files.items():
            with archive.open(name, "w", force_zip64=True) as file:
                file.writelines(blocks)
    return buffer.getvalue()


def save(stem: str, **things: Files) -> None:
    """Offer things to be saved, a row for each: `figure`, `graph`, `matrix`, `table`, or what else they are called.

    `stem` begins the name of each file, and is the key of this button among the others of a page.
    """
    with st.popover("Save", icon=":material/download:", type="tertiary", key=f"save {stem}"):
        for what, files in things.items():
            st.caption(what.replace("_", " ").capitalize())
            buttons(stem if what == "figure" else f"{stem}-{what}", files)


def report(stem: str, make: Callable[[], str]) -> None:
    """Offer a report, which `make` makes as HTML."""
    with st.popover("Report", icon=":material/summarize:", type="tertiary", key=f"report {stem}"):
        st.caption("One file that opens offline. It explains the methods.")
        buttons(f"{stem}-report", {"html": make} | ({"pdf": lambda: as_pdf(make())} if browser() else {}))
        if browser() is None:
            st.caption(NO_BROWSER)


def buttons(stem: str, files: Files) -> None:
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
