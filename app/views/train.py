"""Train: methods side by side on the same folds, off the page's own thread."""

import catalogue
import session
import streamlit as st
from catalogue import BASE_LEARNERS, METHODS, ORDERS, SCALINGS
from parts import head, plain, python_box, running
from recipe import comparison_code
from tuning import MOST_SEED, Shape

MOST_ACTIVE = 3

workspace = session.workspace()
data = workspace.dataset
active = [run for run in workspace.runs if run.job.is_active]

head(
    "Train methods side by side",
    f"Every method sees the same folds of {data.name}, so that their scores can be paired.",
)

if data.n_instances < 2:
    st.info("Training needs at least two instances: some to learn from, some to test on.", icon=":material/info:")
    st.stop()

names = st.pills(
    "Methods",
    list(METHODS),
    selection_mode="multi",
    default=list(METHODS),
    key="methods",
    persist_state="session",
    help="  \n".join(f"**{key}**: {text}" for key, text in METHODS.items()),
)
with st.container(horizontal=True, vertical_alignment="bottom"):
    learner = st.selectbox(
        "Base learner",
        BASE_LEARNERS,
        format_func=lambda choice: choice.name,
        key="learner",
        persist_state="session",
        width=230,
        help="Fitted once for each label, on the features and the label's parents.",
    )
    parameter = st.selectbox(
        learner.parameter,
        learner.choices,
        index=learner.choices.index(learner.default),
        format_func="{:g}".format,
        key=f"parameter of {learner.name}",
        persist_state="session",
        width=130,
        help=learner.help,
    )
    protocol = st.segmented_control(
        "Evaluation",
        ("Cross-validation", "Split"),
        default="Cross-validation",
        required=True,
        key="protocol",
        persist_state="session",
        help="Cross-validation tests every row once; a split is faster and says less.",
    )
    if protocol == "Cross-validation":
        most = min(10, data.n_instances)
        cv = st.number_input("Folds", 2, most, min(5, most), key="folds", persist_state="session", width=120)
        setting = f"{cv}-fold"
    else:
        percent = st.number_input("Test share (%)", 10, 90, 33, key="share", persist_state="session", width=140)
        cv, setting = percent / 100, f"{percent}% test"
with st.expander("More"), st.container(horizontal=True, vertical_alignment="bottom"):
    scaling = st.selectbox("Features", SCALINGS, key="scaling", persist_state="session", width=200)
    seed = st.number_input("Seed of the folds", 0, MOST_SEED, key="fold seed", persist_state="session", width=150)
    order = st.selectbox("Order of the chain", ORDERS, key="chain order", persist_state="session", width=200)

estimator = learner.make(parameter, seed)
methods = {
    name: catalogue.prepared(catalogue.method(name, estimator, ORDERS[order], workspace.shape, seed), scaling, data)
    for name in METHODS
    if name in names
}
if "CT" in methods:
    st.caption(f"CT uses the trellis of the Trellis page: {workspace.shape.words}.")
if data.n_missing:
    st.caption(f"{data.n_missing:,} missing feature cells are filled with the mean of the training rows.")

said = [learner.name]  # what tells this run from others: whatever is not as it was offered
if parameter != learner.default:
    said.append(f"{learner.parameter} = {parameter:g}")
if scaling != SCALINGS[0]:
    said.append(f"features {scaling}")
if "CT" in methods and workspace.shape != Shape.default(data.n_labels):
    said.append(f"CT: {workspace.shape.words}")
said.append(setting)

n_fits = len(methods) * (cv if isinstance(cv, int) else 1)
st.button(
    f"Train {len(methods)} method{'s' * (len(methods) != 1)}: {n_fits} fits on {plain(data.name)}",
    type="primary",
    icon=":material/play_arrow:",
    on_click=workspace.train,
    args=(workspace.loaded, methods, cv, seed, ", ".join(said)),
    disabled=not methods or len(active) >= MOST_ACTIVE,
    help=f"At most {MOST_ACTIVE} runs go on at a time." if len(active) >= MOST_ACTIVE else None,
    key="train",
)

for run in active:
    with st.container(border=True):
        st.markdown(plain(run.title))
        running(run.job, run.number)

finished = [run for run in workspace.runs if not run.job.is_active]
if finished:
    st.header("Finished", anchor=False)
    for run in finished:
        with st.container(horizontal=True, vertical_alignment="center", border=True):
            st.markdown(plain(f"{run.title}: {run.outcome}"), width="stretch")
            st.button("Remove", key=f"remove {run.number}", on_click=workspace.remove_run, args=(run,))
    st.page_link("views/compare.py", label="Compare their scores", icon=":material/leaderboard:")

python_box(comparison_code(workspace.loaded.source, methods, cv, seed))
