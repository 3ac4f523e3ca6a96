"""What a comparison has found: the answer, the differences, the methods, and where the scores deceive."""

from __future__ import annotations

import pandas as pd
import streamlit as st
from components.parts import figure, plain, running
from components.saving import save, table_files
from state.inquiry import Inquiry
from state.jobs import Job
from streamlit.delta_generator import DeltaGenerator

from trellislib import Advice
from trellislib.advice import LEARNERS, STRUCTURES
from trellislib.figures import contrasts_figure
from trellislib.methods import METHODS
from trellislib.metrics import MEASURES
from trellislib.running.progress import duration
from trellislib.wording import listed

INDEPENDENT = "independent classifiers"


def what_it_does() -> None:
    """Say what is compared, before it is."""
    structures = listed([f"{METHODS[key].name} ({key})" for key in STRUCTURES])
    learners = listed([learner.name for learner in LEARNERS.values()])
    st.markdown(
        f"""
- **No structure**: {INDEPENDENT} (IC), and a baseline that predicts the same labels for every row.
- **Structure**: {structures}.
- **Depth alone**: stacked {INDEPENDENT}, where a structure leads: as deep as a chain, without label dependence.
- **Base learners**: {learners}. Structures use the best one for {INDEPENDENT}.
- **Test**: the corrected resampled t-test at 5 %, on the same folds for all.
"""
    )
    st.page_link("views/data/page.py", label="Take other data", icon=":material/table:")
    st.page_link("views/train/page.py", label="Choose methods and folds yourself", icon=":material/tune:")


def so_far(job: Job, inquiry: Inquiry, answer: DeltaGenerator) -> None:
    """Show the progress, and what is known by now."""

    @st.fragment(run_every=1.0)
    def looking() -> None:
        running(job, "verdict")
        if inquiry.advice is not None and not inquiry.advice.contrasts.empty:
            st.markdown(f"**So far:** {plain(inquiry.advice.sentences[0])}")
            results(inquiry.advice)

    answer.markdown("The comparison is running. A first answer comes early and becomes more certain.")
    looking()


def show(advice: Advice, answer: DeltaGenerator) -> None:
    """Show the answer of a comparison that has ended."""
    first, *others = advice.sentences
    answer.markdown(f"**{plain(first)}**")
    for sentence in others:
        st.markdown(plain(sentence))
    for caution in advice.cautions:
        st.caption(f":material/warning: {plain(caution)}")
    if advice.model is not None:
        st.page_link("views/predict/page.py", label="Predict new rows with it", icon=":material/online_prediction:")
    results(advice)


def results(advice: Advice) -> None:
    """Show the differences from independent classifiers, and all methods."""
    left, right = st.columns([5, 4], gap="medium")
    score = MEASURES[advice.score].in_words
    with left:
        if advice.contrasts.empty:
            st.caption("No structure has ended yet.")
        else:
            figure(
                contrasts_figure(advice.contrasts, score, INDEPENDENT),
                key="verdict-differences",
                alt=advice.sentences[0],
                caption=f"A structure is better right of 0. Lines: simultaneous 95 % intervals, {advice.protocol}.",
                stem=f"{advice.dataset}-verdict",
            )
    with right:
        finished = advice.table[advice.table["folds"] > 0].sort_values("mean", ascending=False, kind="stable")
        st.dataframe(_shown(finished, score, advice.recommended), hide_index=True, column_config=_columns(score))
        drawn = f" of {advice.n_rows_given:,}" * (advice.n_rows < advice.n_rows_given)
        st.caption(
            f"{advice.n_rows:,}{drawn} rows in {advice.protocol}, {duration(advice.elapsed)} in total. Times are of "
            "one fit."
        )
        if advice.recommended is not None:
            named = [f"{key}: {METHODS[key].name.lower()}" for key in METHODS if key in {*finished["structure"]}]
            st.caption(plain(f"★: recommended. {', '.join(named)}."))
        left_out = advice.table.loc[advice.table["status"] != "", "status"]
        if len(left_out):
            st.caption(plain(f"Left out: {'; '.join(f'{name} {why}' for name, why in left_out.items())}."))
        table = advice.table.join(advice.contrasts.drop(columns="n")).reset_index()
        save(f"{advice.dataset}-methods", table=table_files(table))


def _shown(table: pd.DataFrame, score: str, recommended: str | None) -> pd.DataFrame:
    learner = [LEARNERS[key].name if key else "" for key in table["learner"]]
    return pd.DataFrame(
        {
            "Method": [f"{'★ ' * (name == recommended)}{row}" for name, row in table["structure"].items()],
            "Base learner": learner,
            score: table["mean"].to_numpy(),
            "Training": table["train_seconds"].to_numpy(),
        }
    )


def _columns(score: str) -> dict:
    return {
        score: st.column_config.NumberColumn(f"{score[0].upper()}{score[1:]} ↑", format="%.3f", width=90),
        "Training": st.column_config.NumberColumn("Training (s)", format="%.2g", width=90),
    }
