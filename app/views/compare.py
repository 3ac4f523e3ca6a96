"""Compare: scores, ranks and times of the methods that were trained."""

import catalogue
import session
import streamlit as st
from parts import NAMED_METHODS, figure, head, named, plain, python_box, running
from tables import methods_table, scores_table

from trellislib.figures import label_scores_figure, score_against_time_figure
from trellislib.metrics import MEASURES
from trellislib.takeaways import about_comparison

SHOWN_METHODS = 4  # of many, label by label
LABEL_SCORES = {"f1": "F1", "precision": "Precision", "recall": "Recall", "hamming": "Share right", "auc": "AUC"}

workspace = session.workspace()
data = workspace.dataset
usable = {run.title: run for run in workspace.runs if run.job.result is not None and not run.job.result.fits.empty}
active = [run for run in workspace.runs if run.job.is_active]

takeaway = st.container()
for run in active:
    with st.container(border=True):
        st.markdown(plain(run.title))
        running(run.job, run.number)

if not usable and active:
    with takeaway:
        head("Which method is better?", "The scores appear here when this run has ended.")
    st.stop()

if not usable:
    with takeaway:
        head("Which method is better?", f"Nothing has been trained on {data.name} yet, so there is nothing to compare.")
    methods = catalogue.default_methods(data)
    st.button(
        f"Train {', '.join(methods)} with least squares, 5-fold",
        type="primary",
        icon=":material/play_arrow:",
        on_click=workspace.train,
        args=(workspace.loaded, methods, 5, 0, "Least squares, 5-fold"),
        key="train-default",
    )
    st.page_link("views/train.py", label="Choose what to train", icon=":material/tune:")
    st.stop()

with st.container(horizontal=True, vertical_alignment="bottom"):
    finished = [run.job.result.complete and bool(run.job.result.measures) for run in usable.values()]
    first = finished.index(True) if any(finished) else 0
    run = usable[st.selectbox("Run", list(usable), index=first, key="run", width=620)]
    result = run.job.result
    if result.measures:
        key = st.selectbox(
            "Score",
            result.measures,
            format_func=lambda key: MEASURES[key].name,
            key="score",
            persist_state="session",
            width=220,
            help="  \n".join(f"**{MEASURES[key].name}**: {MEASURES[key].description}" for key in result.measures),
        )
    st.button("Remove this run", on_click=workspace.remove_run, args=(run,), icon=":material/delete:")

failed = result.fits[result.fits["status"] == "failed"]
for (method, reason), fits in failed.groupby(["method", "reason"], sort=False):
    st.warning(plain(f"{method} failed in {len(fits)} of {result.n_folds} folds: {reason}"))
if not result.complete:
    st.info("This run was cancelled; methods that did not finish all folds are shown as DNF.", icon=":material/info:")
if not result.measures:
    with takeaway:
        head("Which method is better?", "No fit of this run succeeded, so there is nothing to compare.")
    python_box(run.code)
    st.stop()

summary = result.summary()
measure = MEASURES[key]
sentence = about_comparison(summary, measure)
with takeaway:
    head("Which method is better?", sentence)

spread = f"Mean ± standard deviation over {result.n_folds} folds" if result.n_folds > 1 else "One split, so no spread"
is_long = len(result.methods) > NAMED_METHODS
left, right = (st.container(), st.container()) if is_long else st.columns([3, 2], gap="medium")
with left:
    if is_long:
        st.dataframe(
            methods_table(result, key),
            height=35 * (len(result.methods) + 1) + 3,
            row_height=35,
            key="scores",
            column_config={
                name: st.column_config.NumberColumn(format="%.3g") for name in ("Training time (s)", "Test time (s)")
            },
        )
        told = f"{spread}; ★ marks the best. The best in {measure.name} come first; click a column to sort by it."
    else:
        st.table(scores_table(result), border="horizontal")
        told = f"{spread}, then the rank; ★ marks the best."
    st.caption(f"{told} ↑ higher is better, ↓ lower is better. Times are by the clock: a busy server adds to them.")
with right:
    st.header(f"{measure.name} against time", anchor=False)
    if result.label_scores().empty:
        st.caption("No method finished all folds, so there is nothing to draw.")
    else:
        figure(score_against_time_figure(summary, measure), alt=sentence, key="score-time")

for note in result.notes:
    st.caption(plain(note))

per_label = result.label_scores()
if not per_label.empty:
    with st.container(horizontal=True, vertical_alignment="bottom"):
        st.header("Label by label", anchor=False)
        offered = [column for column in LABEL_SCORES if column in per_label and per_label[column].notna().any()]
        column = st.segmented_control(
            "Score of each label",
            offered,
            default=offered[0],
            required=True,
            format_func=LABEL_SCORES.__getitem__,
            key="label score",
        )
        if is_long:
            finished = per_label.index.unique("method")
            best = summary[key, "rank"].reindex(finished).sort_values(kind="stable").index[:SHOWN_METHODS]
            shown = st.multiselect("Methods", finished, default=best, key=f"label methods {run.number}", width=420)
            per_label = per_label[per_label.index.get_level_values("method").isin(shown)]
    figure(
        label_scores_figure(per_label, column, LABEL_SCORES[column]),
        alt=f"{LABEL_SCORES[column]} of each label for {named(result.methods)}",
        key="label-scores",
    )

with st.container(horizontal=True):
    for label, table, file in (
        ("Scores (CSV)", summary, "scores"),
        ("Every fit (CSV)", result.fits.set_index("method"), "fits"),
        ("Label by label (CSV)", result.label_scores(), "labels"),
    ):
        st.download_button(
            label,
            table.to_csv(),
            file_name=f"{run.data_name}-{file}.csv",
            mime="text/csv",
            on_click="ignore",
            icon=":material/download:",
        )
python_box(run.code)
