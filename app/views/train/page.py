"""Train: methods side by side on the same folds, off the page's own thread."""

import streamlit as st
from components import run_choice
from components.parts import button, foot, head, plain
from state import results_store, session
from state.recipe import comparison

from views.train import form, methods
from views.train.plan import Plan

MOST_ACTIVE = 3


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


def finished_runs() -> None:
    finished = [run for run in workspace.runs if not run.job.is_active]
    if not finished:
        return
    st.header("Finished", anchor=False)
    for run in finished:
        with st.container(horizontal=True, vertical_alignment="center", border=True):
            st.markdown(plain(f"{run.title}: {run.outcome}"), width="stretch")
            st.button("Clear", key=f"clear {run.number}", on_click=workspace.forget, args=(run.number,))
    st.page_link("views/compare/page.py", label="Compare their scores", icon=":material/leaderboard:")


workspace = session.workspace()
head(
    "Train methods side by side",
    f"All methods train and test on the same folds of {workspace.dataset.name}.",
)
if workspace.dataset.n_instances < 2:
    st.info("Training needs at least two instances, one to learn from and one to test on.", icon=":material/info:")
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
_, trouble = results_store.opened()
if trouble:
    st.warning(plain(f"{trouble} Results of this visit are not saved."), icon=":material/warning:")
run_choice.progress(workspace)
finished_runs()

sources = [loaded.source for loaded in plan.data_sets]
script = comparison(sources, plan.methods, plan.choices.protocol, plan.choices.seed, plan.choices.budget)
foot(script.show(growth))
