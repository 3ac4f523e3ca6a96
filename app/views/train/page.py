"""Train: methods side by side on the same folds, off the page's own thread."""

import streamlit as st
from components import run_choice
from components.parts import button, foot, head, plain
from components.tables import TIME_COLUMNS, methods_table
from state import results_store, session
from state.recipe import comparison
from state.removed_runs import remove
from state.runs import Run

from trellislib.metrics import MEASURES
from trellislib.summaries import about_result
from views.train import form, methods
from views.train.plan import Plan

MOST_ACTIVE = 3
SHOWN = ("exact_match",)  # scores of the newest run next to its first and the times


def train_button(plan: Plan) -> None:
    asked, is_full = plan.choices, len(workspace.active_runs) >= MOST_ACTIVE
    button(
        plain(plan.title),
        "train",
        "play_arrow",
        workspace.train,
        plan.data_sets,
        plan.methods,
        asked.protocol,
        asked.seed,
        plan.setting,
        asked.budget,
        asked.reuse,
        type="primary",
        disabled=not plan.methods[0] or is_full,
        help=f"At most {MOST_ACTIVE} runs are active at a time." if is_full else None,
    )


def newest_run() -> None:
    """Show what the newest run found; the pages around it lead on from there."""
    newest = next(iter(workspace.runs), None)
    if newest is None or newest.job.is_active:
        return
    with st.container(border=True):
        finished(newest)
        result = newest.job.result
        if result is None or not result.fits["status"].eq("done").any():
            return
        if len(result.datasets) == 1:
            found = result.of_dataset(*result.datasets)
            first, *others = found.measures
            st.markdown(plain(about_result(found, MEASURES[first])))
            table = methods_table(found, first, [one for one in others if one in SHOWN])
            st.dataframe(table, key="newest scores", column_config=TIME_COLUMNS)
        with st.container(horizontal=True):
            st.page_link("views/compare/page.py", label="Compare all scores", icon=":material/leaderboard:")
            st.page_link("views/predict/page.py", label="Predict new rows", icon=":material/online_prediction:")


def earlier_runs() -> None:
    earlier = [run for run in workspace.runs[1:] if not run.job.is_active]
    if earlier:
        st.header("Finished earlier", anchor=False)
        for run in earlier:
            with st.container(border=True):
                finished(run)


def finished(run: Run) -> None:
    with st.container(horizontal=True, vertical_alignment="center"):
        st.markdown(plain(f"{run.title}: {run.outcome}"), width="stretch")
        what = "Take it off this list. Its results stay on Compare." if run.is_stored else "You can undo this."
        button("Clear", f"clear {run.number}", "clear_all", remove, workspace, {run.number: run.title}, help=what)


workspace = session.workspace()
head(
    "Train methods side by side",
    f"All methods train and test on the same folds of {workspace.dataset.name}.",
)
newest = st.container()
if workspace.dataset.n_apart < 2:
    needed = f"Training needs at least two {workspace.dataset.parts}, one to learn from and one to test on."
    st.info(plain(needed), icon=":material/info:")
    st.stop()

names = form.methods()
methods.described(names)
growth = methods.growth()
plan = Plan.of(form.choose(workspace, names), workspace)
for sentence in plan.about_methods:
    st.caption(plain(sentence))
for sentence in plan.refusals:
    st.warning(plain(sentence), icon=":material/block:")
for sentence in plan.about_data:
    st.caption(plain(sentence))
train_button(plan)
store, trouble = results_store.opened(workspace.token)
if trouble:
    st.warning(plain(f"{trouble} Results of this visit are not saved."), icon=":material/warning:")
with newest:
    run_choice.progress(workspace)
    run_choice.removed(workspace, store)
    newest_run()
earlier_runs()

sources = [loaded.source for loaded in plan.data_sets]
script = comparison(sources, plan.methods, plan.choices.protocol, plan.choices.seed, plan.choices.budget)
foot(script.show(growth))
