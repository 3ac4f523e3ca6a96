"""Compare: scores, ranks and times of the methods that were trained, on one data set or over many."""

from functools import partial

import streamlit as st
from components import catalogue, run_choice
from components.parts import button, foot, head, plain
from components.saving import Files, report, save
from state import results_store, session

from trellislib.experiment import KFold
from trellislib.report import comparison_report
from views.compare import many, one, runs
from views.compare.comparison import Comparison
from views.compare.runs import Offered, Shown

TITLE = "Which method is better?"
MOST_NOTES = 3  # of more, all are in a box


def answer(sentence: str) -> None:
    with takeaway:
        head(TITLE, sentence)


def nothing_yet() -> None:
    """Offer a first comparison where nothing has been trained."""
    if workspace.active_runs:
        answer("The scores appear here when this run ends.")
        return
    answer(f"No method is trained on {workspace.dataset.name} yet. Train some to compare them.")
    methods, score = catalogue.default_methods(workspace.dataset)
    button(
        f"Train {', '.join(methods)} in 5 folds, decided for {score}",
        "train-default",
        "play_arrow",
        workspace.train,
        [workspace.loaded],
        [methods],
        KFold(5),
        0,
        f"{catalogue.AUTOMATIC.name}, decided for {score}, 5-fold",
        type="primary",
    )
    st.page_link("views/train/page.py", label="Choose what to train", icon=":material/tune:")
    st.page_link("views/scores/page.py", label="Rank your own scores", icon=":material/upload_file:")


def compare(shown: Shown) -> None:
    compared = Comparison.chosen(answer, shown, controls)
    runs.unfinished(shown)
    if compared.is_one or not compared.key:
        runs.failed(compared.results)
    if not compared.key:
        answer("No fit of this run succeeded, so there is nothing to compare.")
        foot(shown.code)
        return
    under(compared, (one if compared.is_one else many).show(compared))
    foot(compared.script)


def reported(compared: Comparison) -> str:
    """Return the report of what is compared, with the sizes of the data sets that the visit has."""
    trained = compared.shown.training if compared.shown.is_stored else ""
    sets = [loaded.dataset for loaded in workspace.sets]
    return comparison_report(
        compared.results, compared.key, datasets=sets, script=f"{trained}\n{compared.script}".strip()
    )


def under(compared: Comparison, files: dict[str, Files]) -> None:
    """Show notes, and what can be done with the results."""
    results, shown = compared.results, compared.shown
    notes = st.container()
    if len(results.notes) > MOST_NOTES:
        notes = st.expander(f"Notes on data and folds ({len(results.notes)})", icon=":material/info:")
    for note in results.notes:
        notes.caption(plain(note))
    with st.container(horizontal=True, vertical_alignment="center"):
        stem = results.datasets[0] if compared.is_one else "results"
        save(stem, **files, training={"py": lambda: shown.training})
        report(stem, partial(reported, compared))
        st.page_link("views/predict/page.py", label="Predict new rows", icon=":material/online_prediction:")


workspace = session.workspace()
takeaway = st.container()
store, trouble = results_store.opened(workspace.token)
if trouble:
    st.warning(plain(trouble), icon=":material/warning:")
run_choice.progress(workspace)
run_choice.removed(workspace, store)
offered = Offered.of(workspace, store)
asked = runs.asked()
runs.missing(asked, offered)
if offered.entries:
    controls = st.container(horizontal=True, vertical_alignment="bottom")
    with controls:
        chosen = runs.choose(asked, offered)
    if chosen:
        compare(Shown.of(offered, chosen))
    else:
        answer(f"Choose at least one of {len(offered.entries)} runs.")
else:
    nothing_yet()
