"""Prediction sets: calibrated when asked for, and checked where the file has the labels."""

from __future__ import annotations

import numpy as np
import pandas as pd
import streamlit as st
from components.parts import plain, working
from state.jobs import about_wait
from state.models import KeptModel
from state.workspace import Workspace

from trellislib.data import DataError, Table
from trellislib.decisions import ConformalSets
from trellislib.labels.matrices import dense
from trellislib.models import Predictions, conformal_sets
from trellislib.running.progress import Cancelled, Progress
from trellislib.wording import percent

CERTAINTIES = (0.8, 0.9, 0.95)


def sets(workspace: Workspace, kept: KeptModel, table: Table, found: Predictions) -> pd.Series | None:
    """Offer prediction sets; return those of the rows as texts, None where they are not asked for."""
    loaded, P = workspace.sets.get(kept.digest), found.probabilities
    if (
        loaded is None
        or not isinstance(P, np.ndarray)
        or not st.toggle(
            "Prediction sets",
            key="prediction_sets",
            help="A set for each row that holds at least 90 % of its true labels with the chosen certainty (conformal "
            "prediction). It is calibrated on training rows, each predicted by a fit without it.",
        )
    ):
        return None
    data = loaded.dataset
    with st.container(horizontal=True, vertical_alignment="bottom"):
        certainty = st.selectbox(
            "Certainty", CERTAINTIES, index=1, format_func=lambda share: f"{share:.0%}", key="certainty", width=110
        )

        def work(progress: Progress, cancelled: Cancelled) -> ConformalSets:
            return conformal_sets(kept.model, data, certainty, progress=progress, cancelled=cancelled)

        calibrated = working(
            workspace,
            ("prediction sets", id(kept.model), certainty),
            f"Calibrate in 5 folds, {about_wait(5 * kept.model.origin.seconds)}",
            "verified",
            work,
        )
    if calibrated is None:
        return None
    codes = calibrated.sets(P)
    st.markdown(
        plain(
            f"A set holds at least {calibrated.share:.0%} of a row's true labels with nearly {certainty:.0%} "
            f"certainty. Sets have {codes.sum(axis=1).mean():.2g} labels on average"
            f"{_checked(kept, table, calibrated, P)}."
        )
    )
    texts = [", ".join(found.label_names[label] for label in np.flatnonzero(row)) or "none" for row in codes]
    return pd.Series(texts, name=f"Set ({certainty:.0%} sure)")


def _checked(kept: KeptModel, table: Table, calibrated: ConformalSets, P: np.ndarray) -> str:
    """Return in how many rows of the file the set holds enough, where all of their labels are known."""
    try:
        true = kept.model.schema.labels(table)
    except DataError:
        return ""
    if true is None or true.known is not None:
        return ""
    return f". {percent(calibrated.held(P, dense(true.Y)))} of the sets of this file do"
