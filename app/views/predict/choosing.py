"""Which fitted method predicts: of the Verdict, of a run, fitted here, or from a model file."""

from __future__ import annotations

from functools import partial
from typing import cast

import streamlit as st
from components import catalogue
from components.parts import plain, working
from sklearn.base import BaseEstimator
from state.jobs import about_wait
from state.models import KeptModel
from state.tuning import Shape
from state.workspace import Workspace

from trellislib import Advice
from trellislib.advice import about_seconds
from trellislib.data import Dataset
from trellislib.methods import METHODS
from trellislib.metrics import MEASURES
from trellislib.models import Model, ModelError, Origin, fit_model, prediction_script
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
        name = f"{kept.model.origin.data}.model".replace(" ", "-").replace("/", "-")
        st.download_button(
            "Save the model",
            kept.written,
            file_name=name,
            on_click="ignore",
            icon=":material/download:",
            key="save model",
        )
        st.download_button(
            "predict.py",
            partial(prediction_script, kept.model, name),
            file_name="predict.py",
            on_click="ignore",
            icon=":material/code:",
            key="save script",
            help=f"A script that predicts a file of new rows. Keep it next to {plain(name)}.",
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
        "Model", range(len(kept)), format_func=lambda place: kept[place].title if place < len(kept) else "", width=270
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
    """Offer to fit a method to all rows of the data that are loaded: of a run of theirs, or one for a score."""
    data, trained = workspace.dataset, _trained(workspace)
    with st.container(horizontal=True, vertical_alignment="bottom"):
        key = st.selectbox(
            "Method",
            [*trained, *OFFERED],
            format_func=lambda key: f"{key}: {METHODS[key].name}" if key in OFFERED else key,
            key="predict_method",
            width=300,
        )
        if key in trained:
            words, (made, seconds) = "", trained[key]
        else:
            words = st.selectbox("Decide for", catalogue.decisions(data), key="predict_decide", width=190)
            made, seconds = _made(key, words, data), about_seconds(key, "auto", data)

        def work(progress: Progress, cancelled: Cancelled) -> Model:
            return fit_model(data, made, progress=progress, cancelled=cancelled)

        found = working(
            workspace,
            ("predict", data.digest, key, words),
            f"Fit {key} to all {data.n_instances:,} rows, {about_wait(seconds)}",
            "model_training",
            work,
            is_primary=is_first,
        )
    title = f"{key} on {data.name}{f', for {words}' * bool(words)}"
    if found is not None and workspace.models.keep(title, found, data.digest):
        st.rerun()


def _made(key: str, words: str, data: Dataset) -> BaseEstimator:
    """Return a method on automatic features that decides for a score."""
    learner, shape = catalogue.AUTOMATIC, Shape.default(data.n_labels)
    return catalogue.method(key, learner.make(learner.default, 0), {"decide": catalogue.DECISIONS[words]}, shape, 0)


def _trained(workspace: Workspace) -> dict[str, tuple[BaseEstimator, float]]:
    """Return the methods that runs of this visit trained on the data that are loaded, and how long a fit of each took.

    They are those of the newest run first, the best one by its first measure before the others.
    """
    found = {}
    name = workspace.dataset.name
    for run in workspace.runs:
        results, methods = run.job.result, run.methods.get(workspace.dataset.digest, {})
        result = results.of_dataset(name) if results is not None and name in results.datasets else None
        if result is None or not result.measures:
            continue
        summary = result.summary()
        ranks = summary[result.measures[0], "rank"].dropna()
        for key in ranks.sort_values(kind="stable").index:
            if key in methods:
                found[f"{key}, run {abs(run.number)}"] = methods[key], summary.loc[key, ("train_seconds", "mean")]
    return found
