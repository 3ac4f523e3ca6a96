"""Which fitted method predicts: of the Verdict, fitted here, or from a model file."""

from __future__ import annotations

from typing import cast

import streamlit as st
from components import catalogue
from components.parts import plain, working
from state.jobs import about_wait
from state.models import KeptModel
from state.tuning import Shape
from state.workspace import Workspace

from trellislib import Advice
from trellislib.advice import about_seconds
from trellislib.methods import METHODS
from trellislib.metrics import MEASURES
from trellislib.models import Model, ModelError, Origin, fit_model
from trellislib.running.progress import Cancelled, Progress
from trellislib.wording import counted

SHOWN = ("accuracy", "exact_match")  # scores
OFFERED = ("IC", "CT", "ECT", "CC", "ECC")


def model(workspace: Workspace) -> KeptModel | None:
    """Show which models there are, and how to get another one; return the chosen one."""
    _keep_verdicts(workspace)
    if not workspace.models.models:
        _fit(workspace, is_first=True)
        with st.container(horizontal=True, vertical_alignment="center"):
            _open(workspace)
            st.page_link("views/verdict/page.py", label="Find out first which method is best", icon=":material/gavel:")
        return None
    with st.container(horizontal=True, vertical_alignment="bottom"):
        kept = _choose(workspace)
        _open(workspace)
        with st.popover("Fit another", icon=":material/model_training:"):
            _fit(workspace, is_first=False)
        st.download_button(
            "Save the model",
            kept.written,
            file_name=f"{kept.model.origin.data}.model".replace(" ", "-").replace("/", "-"),
            on_click="ignore",
            icon=":material/download:",
            key="save model",
        )
    origin = kept.model.origin
    names = {entry.method: f"{entry.name} ({entry.key})" for entry in METHODS.values()}
    method = names.get(type(kept.model.method), type(kept.model.method).__name__)
    st.caption(
        plain(
            f"{method}, fitted to {counted(origin.n_instances, 'row')} of {origin.data} on "
            f"{origin.when[:10]}, with {counted(kept.model.n_labels, 'label')}"
            f"{_scored(origin)}."
        )
    )
    return kept


def _scored(origin: Origin) -> str:
    """Return the scores that a method had where methods were compared, and on how many rows that was."""
    shown = [f"{MEASURES[key].in_words} {origin.scores[key]:.3f}" for key in SHOWN if key in origin.scores]
    if not shown:
        return ""
    rows = f" on the {origin.n_scored:,} rows that Verdict compared" if origin.n_scored else ""
    return f". Cross-validated{rows}: {' and '.join(shown)}"


def _choose(workspace: Workspace) -> KeptModel:
    kept = workspace.models.models
    place = st.selectbox(
        "Model", range(len(kept)), format_func=lambda place: kept[place].title if place < len(kept) else "", width=320
    )
    return kept[place]


def _keep_verdicts(workspace: Workspace) -> None:
    """Keep the methods that comparisons of this visit recommended."""
    for key, job in list(workspace.pieces.items()):
        advice = job.result
        if isinstance(advice, Advice) and advice.model is not None:
            structure = advice.table.loc[advice.recommended, "structure"]
            title = f"Verdict: {structure} on {advice.dataset}, for {MEASURES[advice.score].in_words}"
            workspace.models.keep(title, advice.model, cast(tuple, key)[1])


def _open(workspace: Workspace) -> None:
    with st.popover("Open a model file", icon=":material/folder_open:"):
        file = st.file_uploader("A model file, as saved here or by trellislib.save_model", key="model file")
        if file is None or st.session_state.get("opened model") == file.file_id:
            return
        try:
            workspace.models.add(KeptModel.from_file(file.name, file.getvalue()))
        except ModelError as error:
            st.error(plain(str(error)), icon=":material/error:")
            return
        st.session_state["opened model"] = file.file_id
        st.rerun()


def _fit(workspace: Workspace, *, is_first: bool) -> None:
    """Offer to fit a method that decides for a score to all rows of the data that are loaded."""
    data = workspace.dataset
    with st.container(horizontal=True, vertical_alignment="bottom"):
        key = st.selectbox(
            "Method", OFFERED, format_func=lambda key: f"{key}: {METHODS[key].name}", key="predict_method", width=300
        )
        words = st.selectbox("Decide for", catalogue.decisions(data), key="predict_decide", width=190)
        decide = catalogue.DECISIONS[words]
        learner = catalogue.AUTOMATIC
        shape = Shape.default(data.n_labels)
        made = catalogue.method(key, learner.make(learner.default, 0), {"decide": decide}, shape, 0)

        def work(progress: Progress, cancelled: Cancelled) -> Model:
            return fit_model(data, made, progress=progress, cancelled=cancelled)

        takes = about_wait(about_seconds(key, "auto", data))
        found = working(
            workspace,
            ("predict", data.digest, key, words),
            f"Fit {key} to all {data.n_instances:,} rows, {takes}",
            "model_training",
            work,
            is_primary=is_first,
        )
    if found is not None and workspace.models.keep(f"{key} on {data.name}, for {words}", found, data.digest):
        st.rerun()
