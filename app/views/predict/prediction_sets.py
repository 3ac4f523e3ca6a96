"""Prediction sets: those of the model, or calibrated when asked for; checked where the file has the labels."""

from __future__ import annotations

import numpy as np
import streamlit as st
from components.parts import plain, working
from state.jobs import about_wait
from state.models import KeptModel
from state.workspace import Workspace

from trellislib.data import DataError, Table
from trellislib.decisions import ConformalSets
from trellislib.labels.matrices import dense
from trellislib.models import Model, Predictions, with_sets
from trellislib.running.progress import Cancelled, Progress
from trellislib.wording import percent

USUAL = 0.9


def sets(workspace: Workspace, kept: KeptModel, table: Table, found: Predictions) -> ConformalSets | None:
    """Offer prediction sets; return how they are found, None where they are not asked for."""
    P = found.probabilities
    may_be_calibrated = workspace.sets.get(kept.digest) is not None
    if (
        not isinstance(P, np.ndarray)
        or not (kept.model.sets or may_be_calibrated)
        or not st.toggle(
            "Prediction sets",
            key="prediction_sets",
            help="A set for each row that holds at least 90 % of its true labels with the chosen certainty (conformal "
            "prediction). It is calibrated on training rows, each predicted by a fit without it.",
        )
    ):
        return None
    if not kept.model.sets:
        _calibrate(workspace, kept)
    if not kept.model.sets:
        return None
    offered = [calibrated.confidence for calibrated in kept.model.sets]
    certainty = st.selectbox(
        "Certainty",
        offered,
        index=offered.index(USUAL) if USUAL in offered else 0,
        format_func=lambda share: f"{share:.0%}",
        key="certainty",
        width=110,
    )
    calibrated = kept.model.sets_of(certainty)
    st.markdown(
        plain(
            f"A set holds at least {calibrated.share:.0%} of a row's true labels with nearly {certainty:.0%} "
            f"certainty. Sets have {calibrated.sets(P).sum(axis=1).mean():.2g} labels on average"
            f"{_checked(kept, table, calibrated, P)}."
        )
    )
    return calibrated


def _calibrate(workspace: Workspace, kept: KeptModel) -> None:
    """Offer to calibrate sets on the training data, which the model keeps from then on."""
    loaded = workspace.sets.get(kept.digest)
    assert loaded is not None
    model, data = kept.model, loaded.dataset

    def work(progress: Progress, cancelled: Cancelled) -> Model:
        return with_sets(model, data, progress=progress, cancelled=cancelled)

    calibrated = working(
        workspace,
        ("prediction sets", id(model)),
        f"Calibrate in 5 folds, {about_wait(5 * model.origin.seconds)}",
        "verified",
        work,
    )
    if calibrated is not None:
        kept.model = calibrated


def _checked(kept: KeptModel, table: Table, calibrated: ConformalSets, P: np.ndarray) -> str:
    """Return in how many rows of the file the set holds enough, where all of their labels are known."""
    try:
        true = kept.model.schema.labels(table)
    except DataError:
        return ""
    if true is None or true.known is not None:
        return ""
    return f". {percent(calibrated.held(P, dense(true.Y)))} of the sets of this file do"
