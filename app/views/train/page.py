"""Train: methods side by side on the same folds, off the page's own thread."""

from collections.abc import Mapping

import pandas as pd
import streamlit as st
from components import catalogue
from components.catalogue import AS_DECIDED, BASE_LEARNERS, FILLS, FIRST, SCALINGS, THRESHOLDS
from components.options import OPTIONS, controls
from components.parts import figure, foot, head, plain, running
from components.ranking_tables import slug
from components.saving import save, table_files
from sklearn.base import BaseEstimator
from state import derived, results_store, session
from state.recipe import comparison
from state.session import Loaded
from state.sources import Source, load
from state.tuning import MOST_SEED, Shape

from trellislib.data import PACKAGED, Dataset
from trellislib.experiment import Budget, Given, KFold, Split
from trellislib.figures import growth_figure
from trellislib.graphs import default_width
from trellislib.methods import METHODS
from trellislib.summaries import about_growth
from trellislib.wording import agreed, counted

MOST_ACTIVE = 3
FOLDS, SPLIT, PUBLISHED = "Cross-validation", "Split", "As published"
GROWTH_VARIABLES = {"L": "labels", "N": "instances", "D": "features"}
GROWTH_STAGES = {"train": "training", "predict": "prediction"}

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

picked = st.pills(
    "Methods",
    list(METHODS),
    selection_mode="multi",
    default=FIRST,
    key="methods",
    bind="query-params",
    help="  \n".join(f"**{key}**: {entry.name}" for key, entry in METHODS.items()),
)
names = [key for key in METHODS if key in picked]  # in the library's order, however they were picked
with st.expander("What the methods are, and what they cost", icon=":material/info:"):
    st.table(
        [
            {
                "Method": f"**{plain(key)}** {'✓ ' * (key in names)}{plain(entry.name)} ({plain(entry.section)})",
                "What it does": plain(entry.what),
                "Cost": f"Training: {plain(entry.training)}. Prediction: {plain(entry.prediction)}.",
                "When": plain(entry.when),
            }
            for key, entry in METHODS.items()
        ],
        border="horizontal",
        hide_index=True,
    )
    st.caption(
        "In brackets, the section of the paper. L labels, D features, W width of the trellis, k labels in a set, M "
        "members, T sweeps; a fit is one of a base learner, prediction is per instance. A method joins a structure "
        "between labels, a base learner for each label, and a way to decide."
    )
    save("methods", table=table_files(pd.DataFrame(METHODS.values(), index=METHODS).drop(columns="method"), index=True))
with st.expander("How their cost grows", icon=":material/trending_up:"):
    with st.container(horizontal=True):
        variable = st.segmented_control(
            "With the number of",
            GROWTH_VARIABLES,
            format_func=GROWTH_VARIABLES.get,
            default="L",
            required=True,
            key="growth_with",
            bind="query-params",
        )
        stage = st.segmented_control(
            "Of",
            GROWTH_STAGES,
            format_func=GROWTH_STAGES.get,
            default="train",
            required=True,
            key="growth_of",
            bind="query-params",
        )
    variable, stage = variable or "L", stage or "train"
    says = about_growth(derived.growth(), variable, stage)
    figure(
        growth_figure(derived.growth(), variable, stage),
        alt=says,
        key="growth",
        says=says,
        more={"table": table_files(derived.growth())},
    )
    st.caption(
        "Measured once on two processor cores, in seconds of one of them, on the simulated room of light sensors: a "
        "straight line is a power, and its exponent, in the legend, is that of the larger half of the sizes. In the "
        "paper's count of operations CT grows as IC does; here least squares makes both so cheap that counting the "
        "pairs of labels shows."
    )
with st.container(horizontal=True, vertical_alignment="bottom"):
    learner = st.selectbox(
        "Base learner",
        BASE_LEARNERS,
        format_func=lambda choice: choice.name,
        key="learner",
        bind="query-params",
        width=230,
        help="Fitted once for each label, on the features and the label's parents.",
    )
    parameter = st.selectbox(
        learner.parameter,
        learner.choices,
        index=learner.choices.index(learner.default),
        format_func="{:g}".format,
        key=f"parameter-{slug(learner.name)}",
        bind="query-params",
        width=130,
        help=learner.help,
    )
    protocols = [FOLDS, SPLIT] if data.n_train is None else [FOLDS, SPLIT, PUBLISHED]
    if st.session_state.get("protocol", FOLDS) not in protocols:  # of the data that were loaded before
        st.session_state["protocol"] = FOLDS
    protocol = st.segmented_control(
        "Evaluation",
        protocols,
        default=FOLDS,
        required=True,
        key="protocol",
        bind="query-params",
        help="Cross-validation tests every row once; a split is faster and says less."
        + " As published, the rows of the training file train and those of the test file test." * len(protocols[2:]),
    )
    protocol = protocol or FOLDS
    if protocol == FOLDS:
        most = min(10, data.n_instances)
        n_folds = st.number_input("Folds", 2, most, min(5, most), key="folds", bind="query-params", width=120)
    elif protocol == SPLIT:
        percent = st.number_input("Test share (%)", 10, 90, 33, key="share", bind="query-params", width=140)
settings, said_options = {}, []
if any(key in option.methods for key in names for of_group in OPTIONS.values() for option in of_group):
    with st.expander("Options of the methods", icon=":material/tune:"):
        settings, said_options = controls(names)
more = st.expander("More: features, thresholds, seed, repeats, other data sets, limits")
with more, st.container(horizontal=True, vertical_alignment="bottom"):
    scaling = st.selectbox("Features", SCALINGS, key="scaling", bind="query-params", width=200)
    fill = FILLS[0]
    if catalogue.n_gaps(data):
        fill = st.selectbox(
            "Missing features",
            FILLS,
            key="fill",
            bind="query-params",
            width=170,
            help="Automatic: they stay missing where the base learner takes them so, as trees do, and take the mean of "
            "the training rows elsewhere.",
        )
    rule = AS_DECIDED
    if data.is_multilabel:
        rule = st.selectbox(
            "Thresholds",
            THRESHOLDS,
            key="train_thresholds",
            bind="query-params",
            width=240,
            help="Above which score a label is relevant: as each method decides, or as often as in training, by "
            "cross-validation on the training rows, which costs five more fits of each method.",
        )
    seed = st.number_input(
        "Seed",
        0,
        MOST_SEED,
        key="train_seed",
        bind="query-params",
        width=150,
        help="Of the folds, and of all that is random in a method.",
    )
    repeats = 1
    if protocol == FOLDS:
        repeats = st.number_input(
            "Repeats",
            1,
            100,
            key="repeats",
            bind="query-params",
            width=120,
            help="How often the folds are drawn anew; 10 x 10-fold is common on small data.",
        )
with more, st.container(horizontal=True, vertical_alignment="bottom"):
    others = {kept.dataset.name: kept for kept in workspace.sets if kept is not workspace.loaded}
    packaged = {name: Source.of("packaged", name=name) for name in PACKAGED if name not in others}
    also = []
    if protocol != PUBLISHED:  # each set was published with its own division, or with none
        also = st.multiselect(
            "Also on",
            [*others, *(name for name, source in packaged.items() if source != workspace.source)],
            key="train_also",
            bind="query-params",
            width=300,
            help="The other data sets of this visit and the packaged ones, each with the same methods: to say which "
            "method is better in general takes several.",
        )
    seconds = st.number_input(
        "Time for a fit (s)",
        1.0,
        value=None,
        placeholder="no limit",
        format="%.0f",
        key="fit_seconds",
        bind="query-params",
        width=160,
        help="A fit that takes longer is ended, and its method does not finish (DNF).",
    )
    gib = st.number_input(
        "Memory for a fit (GiB)",
        0.25,
        value=None,
        placeholder="no limit",
        key="fit_memory",
        bind="query-params",
        width=180,
        help="Of the fit's own process, all of it. A fit that takes more is ended, and its method does not finish.",
    )
    again = st.checkbox(
        "Make all fits again",
        key="again",
        help="Otherwise a fit of the same method on the same rows is taken from the results file.",
    )

budget = Budget(seconds, gib) if seconds or gib else None
if protocol == FOLDS:
    divided, setting = KFold(int(n_folds), int(repeats)), KFold(int(n_folds), int(repeats)).words
elif protocol == SPLIT:
    divided, setting = Split(percent / 100), f"{percent}% test"
else:
    divided, setting = Given(data.n_train), f"as published, {data.n_train:,} of {data.n_instances:,} rows train"
on = [workspace.loaded, *(others.get(name) or Loaded(packaged[name], load(packaged[name])) for name in also)]
estimator = learner.make(parameter, seed)


def made_for(dataset: Dataset, shape: Shape) -> dict[str, BaseEstimator]:
    return {key: catalogue.method(key, estimator, settings.get(key, {}), shape, seed) for key in names}


def complete(made: Mapping[str, BaseEstimator], dataset: Dataset) -> dict[str, BaseEstimator]:
    return {
        key: catalogue.prepared(catalogue.thresholded(method, THRESHOLDS[rule], seed), scaling, dataset, fill)
        for key, method in made.items()
        if refused[key] is None
    }


made = made_for(data, workspace.trained)
with_trellis = [key for key, method in made.items() if "width" in method.get_params()]
if with_trellis:
    verb = "uses" if len(with_trellis) == 1 else "use"
    own = " Each fold searches in its own training rows, so it finds another trellis." * workspace.trained.is_searched
    if workspace.trained.order:
        own = " The labels keep their places in every fold, though all rows had a say in them."
    st.caption(f"{', '.join(with_trellis)} {verb} the trellis of the Trellis page: {workspace.shape.words}.{own}")
if "MOF" in names:
    st.caption("MOF grows its own trees, whatever the base learner.")
if THRESHOLDS[rule]:
    without = [key for key, method in made.items() if not hasattr(method, "predict_proba")]
    if without:
        st.caption(f"{', '.join(without)} give no probabilities with this base learner, so no thresholds are chosen.")
calibrated = [key for key in names if catalogue.calibrates(key, estimator, settings.get(key, {}))]
if calibrated:
    st.caption(
        f"{learner.name} gives no probabilities, which {', '.join(calibrated)} need{'s' * (len(calibrated) == 1)}: a "
        "logistic model on its scores gives them, one for each label."
    )
problem = catalogue.unfit(learner, estimator, scaling, data) if names != ["MOF"] else None
refused = {key: catalogue.refusal(key, made[key], settings.get(key, {}), data, fill) for key in names}
for sentence in filter(None, [problem, *refused.values()]):
    st.warning(plain(sentence), icon=":material/block:")
methods = [complete(made, data)]
if catalogue.n_gaps(data) and methods[0]:
    st.caption(catalogue.about_gaps(methods[0], fill, data))
if data.partly is not None:
    n_partly = data.partly.X.shape[0]
    st.caption(
        f"{counted(n_partly, 'instance')} with some labels unknown also {agreed(n_partly, 'takes', 'take')} part: in "
        "training, unknown labels are filled by independent least squares; in testing, they are not scored."
    )
for loaded in on[1:]:
    shape = workspace.shape.elsewhere(loaded.dataset.n_labels)
    methods.append(complete(made_for(loaded.dataset, shape), loaded.dataset))
if also and with_trellis:
    widths = [f"{loaded.dataset.name} {default_width(loaded.dataset.n_labels)}" for loaded in on[1:]]
    st.caption(plain(f"Elsewhere the trellis is as wide as it is by default: on {', on '.join(widths)} labels."))

said = [learner.name]  # what tells this run from others: whatever is not as it was offered
if parameter != learner.default:
    said.append(f"{learner.parameter} = {parameter:g}")
if scaling != SCALINGS[0]:
    said.append(f"features {scaling}")
if fill != FILLS[0]:
    said.append(f"missing features {fill}")
if THRESHOLDS[rule]:
    said.append(f"thresholds {rule}")
said += said_options
if with_trellis and workspace.shape != Shape.default(data.n_labels):
    said.append(f"{', '.join(with_trellis)}: {workspace.shape.words}")
if seed:
    said.append(f"seed {seed}")
if budget:
    said.append(f"at most {budget}")
said.append(setting)

n_methods = len(methods[0])
times = f" in {divided.words.removesuffix('-fold')} folds" if protocol == FOLDS else ""
where = plain(data.name) if not also else f"{len(on)} data sets"
st.button(
    f"Train {n_methods} method{'s' * (n_methods != 1)}{times} on {where}",
    type="primary",
    icon=":material/play_arrow:",
    on_click=workspace.train,
    args=(on, methods, divided, seed, ", ".join(said), budget, not again),
    disabled=not n_methods or len(active) >= MOST_ACTIVE,
    help=f"At most {MOST_ACTIVE} runs go on at a time." if len(active) >= MOST_ACTIVE else None,
    key="train",
)

_, trouble = results_store.opened()
if trouble:
    st.warning(plain(f"{trouble} What is trained now stays with this visit only."), icon=":material/warning:")
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
            st.button("Clear", key=f"clear {run.number}", on_click=workspace.forget, args=(run.number,))
    st.page_link("views/compare/page.py", label="Compare their scores", icon=":material/leaderboard:")

script = comparison([loaded.source for loaded in on], methods, divided, seed, budget)
script.use("pandas", "read_csv")
script.use("trellislib.figures", "growth_figure")
script.add(
    "",
    "growth = read_csv('assets/growth.csv')  # of the repository, in a clone of it",
    f"growth_figure(growth, {variable!r}, {stage!r}).show()",
)
foot(str(script))
