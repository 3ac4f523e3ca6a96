"""New rows from a file: their labels, how sure they are, and their scores where the file has the truth."""

from __future__ import annotations

import io
from dataclasses import dataclass, replace
from functools import partial
from typing import NamedTuple

import numpy as np
import pandas as pd
import streamlit as st
from components.parts import plain
from components.reading import reading
from components.saving import Files, buttons
from state.models import KeptModel
from state.workspace import Workspace
from streamlit.delta_generator import DeltaGenerator
from streamlit.runtime.uploaded_file_manager import UploadedFile

from trellislib.data import DataError, Table, read_table
from trellislib.data.filenames import stem
from trellislib.data.writing.frames import WRITERS
from trellislib.metrics import MEASURES
from trellislib.models import Model, ModelError, Predictions
from trellislib.wording import agreed, counted
from views.predict import prediction_sets

UNSURE = 0.1  # from one half
SHOWN_ROWS = 1000
SHOWN_LABELS = 12  # whose probabilities have columns
SCORES = ("accuracy", "exact_match", "hamming_score", "macro_f1")


class Asked(NamedTuple):
    """The name of a file of new rows, and the certainty of the prediction sets that are shown with it."""

    name: str
    certainty: float | None = None


def show(workspace: Workspace, kept: KeptModel, answer: DeltaGenerator) -> Asked | None:
    """Let a file be given, and show what is predicted of it; return what was asked, None where there is no file."""
    file = st.file_uploader(
        "New rows: a table with the columns of the training data, in any order", key="new rows", type=None
    )
    if file is None:
        return None
    if st.session_state.get("stopped rows") == file.file_id:
        st.info(plain(f"{file.name}: reading was stopped. Drop it again to read it."), icon=":material/stop_circle:")
        return Asked(file.name)
    try:
        with st.spinner("Predicting…", show_time=True):
            new = _predicted(kept, file)
    except (DataError, ModelError) as error:
        answer.markdown("These rows cannot be predicted as they are.")
        st.error(plain(str(error)), icon=":material/error:")
        return Asked(file.name)
    found = new.found
    answer.markdown(plain(_sentence(file.name, found)))
    for note in found.notes:
        st.caption(f":material/info: {plain(note)}")
    if new.scores:
        st.markdown(new.scores)
    withhold = by_sureness = False
    if isinstance(found.probabilities, np.ndarray):
        with st.container(horizontal=True, gap="medium"):
            by_sureness = st.toggle(
                "Least sure first",
                key="least_sure",
                help="The table starts with the rows that have a probability nearest to 50 %. Files keep their order.",
            )
            withhold = st.toggle(
                "Withhold labels near 50 %",
                key="withhold",
                help="Labels with a probability between 40 and 60 % are empty cells in the files.",
            )
    sets = prediction_sets.sets(workspace, kept, new.table, found)
    found = replace(found, conformal=sets)
    if reason := about_decision(kept.model):
        st.caption(reason)
    st.markdown("Download ids, labels and probabilities in the order of the file:")
    buttons(f"{stem(file.name)}-predictions", _files(found, withhold=withhold))
    rows = (least_sure_first(found) if by_sureness else np.arange(len(found.ids)))[:SHOWN_ROWS]
    st.dataframe(_shown(found, rows, withhold=withhold), hide_index=True, column_config=_columns(found))
    n_rows = len(found.ids)
    if n_rows > SHOWN_ROWS:
        st.caption(f"The first {SHOWN_ROWS:,} of {n_rows:,} rows. Files have all.")
    return Asked(file.name, sets.confidence if sets else None)


@dataclass(frozen=True, eq=False)
class New:
    """The rows of a file, and what a model predicts of them."""

    of: tuple[int, str]  # what was kept and the file
    table: Table
    found: Predictions
    scores: str


def _predicted(kept: KeptModel, file: UploadedFile) -> New:
    """Return the rows of a file with their predictions, found once for each model and file."""
    of = (id(kept), file.file_id)
    new: New | None = st.session_state.get("new")
    if new is None or new.of != of:
        if new is not None and new.of[1] == file.file_id:
            table = new.table
        else:
            table = reading(lambda found: read_table(found[0]), [(file.name, file.getvalue())], partial(_stop, file))
        found = kept.model.predict(table, probabilities=kept.model.gives_probabilities)
        new = st.session_state["new"] = New(of, table, found, _scores(kept, table))
    return new


def _stop(file: UploadedFile) -> None:
    st.session_state["stopped rows"] = file.file_id


def about_decision(model: Model) -> str:
    """Return why labels may be predicted below one half or left out above it; nothing where none is."""
    decision = getattr(model.method, "decision_", None)
    if decision is None or decision.measure is None:
        return ""
    return (
        f"Labels have the highest expected {MEASURES[decision.measure].in_words}. So a label may be "
        "predicted below 50 %, or left out above 50 %."
    )


def _sentence(name: str, found: Predictions) -> str:
    sets = found.label_sets()
    mean = np.mean([len(labels) for labels in sets])
    n_unsure = sum(map(bool, found.unsure(UNSURE)))
    about = (
        f", and {counted(n_unsure, 'row')} {agreed(n_unsure, 'has', 'have')} a label between 40 and 60 %"
        if found.probabilities is not None
        else ""
    )
    n_unlike = 0 if found.unlike is None else int(found.unlike.sum())
    strange = f" {counted(n_unlike, 'row')} {agreed(n_unlike, 'is', 'are')} unlike the training rows." * bool(n_unlike)
    return f"The {counted(len(sets), 'row')} of {name} get {mean:.2g} labels on average{about}.{strange}"


def least_sure_first(found: Predictions) -> np.ndarray:
    """Return the rows in the order of their probability that is nearest to one half."""
    return np.argsort(np.abs(np.asarray(found.probabilities) - 0.5).min(axis=1), kind="stable")


def _shown(found: Predictions, rows: np.ndarray, *, withhold: bool) -> pd.DataFrame:
    """Return the table of some rows as people read it."""
    table = found.ids.iloc[rows].reset_index(drop=True)
    if table.empty and not len(table.columns):
        table = pd.DataFrame({"Row": rows + 1})
    label_sets, unsure = found.label_sets(), found.unsure(UNSURE)
    left_open = [unsure[row] if withhold else () for row in rows]
    table["Labels"] = [
        ", ".join(label for label in label_sets[row] if label not in open_ones) or ("withheld" if open_ones else "none")
        for row, open_ones in zip(rows, left_open, strict=True)
    ]
    if found.conformal is not None:
        sets = found.prediction_sets(found.conformal)
        table[sets.name] = sets.to_numpy()[rows]
    if found.unlike is not None and found.unlike.any():
        table["Unlike"] = found.unlike[rows]
    if isinstance(found.probabilities, np.ndarray):
        table["Unsure"] = [", ".join(unsure[row]) for row in rows]
        for label in found.most_probable(SHOWN_LABELS):
            table[f"P({found.label_names[label]})"] = found.probabilities[rows, label]
    return table


def _columns(found: Predictions) -> dict:
    columns: dict = {
        "Labels": st.column_config.TextColumn(width="medium"),
        "Unlike": st.column_config.CheckboxColumn(
            help="Features are less usual than in 99 % of the training rows, so the prediction is less reliable."
        ),
        "Unsure": st.column_config.TextColumn(help=f"Labels with a probability within {UNSURE} of one half."),
    }
    if isinstance(found.probabilities, np.ndarray):
        for label in found.most_probable(SHOWN_LABELS):
            columns[f"P({found.label_names[label]})"] = st.column_config.ProgressColumn(
                format="%.2f", min_value=0, max_value=1, width=110
            )
    return columns


def _scores(kept: KeptModel, table: Table) -> str:
    """Return how good the predictions are, where the file has the labels; else nothing."""
    model = kept.model
    lists_labels = model.schema.listed is not None and model.schema.listed[0] in table.columns
    if not lists_labels and not set(model.label_names) <= {*table.columns}:
        return ""
    try:
        found = model.score(table, per_label=False)
    except (DataError, ModelError) as error:
        return plain(str(error))
    parts = [f"{MEASURES[key].in_words} **{found.measures[key]:.3f}**" for key in SCORES if key in found.measures]
    return f"The file has the true labels: {', '.join(parts)}. Rows that the model was trained on score too high."


def _files(found: Predictions, *, withhold: bool) -> Files:
    """Return the predictions as files, ids first and rows in the order of the file."""

    def written(ending: str) -> bytes:
        buffer = io.BytesIO()
        frame = found.withheld(UNSURE) if withhold else found.frame(probabilities=True)
        WRITERS[ending](buffer, [frame])
        return buffer.getvalue()

    return {ending.removeprefix("."): partial(written, ending) for ending in WRITERS}
