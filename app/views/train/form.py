"""The form of Train: what is trained, on what, and how; each control is bound to the address."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import streamlit as st
from components import catalogue
from components.catalogue import (
    AS_DECIDED,
    BASE_LEARNERS,
    DECISIONS,
    FILLS,
    FIRST,
    SCALINGS,
    THRESHOLDS,
    BaseLearner,
)
from components.options import OPTIONS, Settings, controls
from components.parts import asking, choice
from components.ranking_tables import slug
from state.sources import Source, load
from state.tuning import MOST_SEED
from state.visit_sets import Loaded
from state.workspace import Workspace

from trellislib.data import PACKAGED, Dataset
from trellislib.experiment import Budget, Given, KFold, Split
from trellislib.methods import BASELINES, METHODS
from trellislib.metrics import MEASURES
from trellislib.summaries.depth import STACKED

FOLDS, SPLIT, PUBLISHED = "Cross-validation", "Split", "As published"
HELP = {
    "methods": "The box below says what each method does, what it costs and when to use it.",
    "learner": "It is fitted for each label on the features and the label's parents.",
    "decide": "The score that predictions optimise. Held-out training rows choose the decision rule for it. The "
    "paper's methods take each label's more probable value.",
    "fill": "Automatic: trees take missing values as they are. Other base learners get the mean of the training rows.",
    "train_thresholds": "The score above which a label is relevant. It can be the method's own, match the training "
    "frequency (PCut), or maximise F1 (SCut). Cross-validation on the training rows finds it with five more fits of "
    "each method. A label must be above its threshold. As many labels in every row (RCut): the label cardinality, "
    "rounded, and of equally probable labels the first ones.",
    "train_seed": "Seed of the folds and of all randomness in a method.",
    "repeats": "Number of times that new folds are drawn. 10 x 10-fold is common on small data.",
    "train_also": "Other data sets of this visit and packaged ones, trained with the same methods. Only several data "
    "sets show which method is better in general.",
    "fit_seconds": "A longer fit is stopped, and its method does not finish (DNF).",
    "fit_memory": "Memory of the fit's process. A fit that needs more is stopped, and its method does not finish.",
    "baselines": "They ignore the features and predict the same for every row: each label's most frequent value, the "
    "most frequent label set, or no label. A method should beat them. "
    "Stacked is independent classifiers on two levels, as deep as a chain and without label dependence.",
    "again": "Fit everything again. Otherwise saved results of the same method on the same rows are used.",
}
ask = asking(**HELP)


@dataclass(frozen=True)
class Choices:
    """What is asked for: methods by their keys, how each is made, and on which rows."""

    methods: tuple[str, ...]
    learner: BaseLearner
    parameter: float | str
    protocol: KFold | Split | Given
    settings: Mapping[str, Settings]  # of each method
    changed: tuple[str, ...] = ()  # the options of methods that are not as they are by default, in words
    scaling: str = SCALINGS[0]
    fill: str = FILLS[0]
    thresholds: str = AS_DECIDED
    seed: int = 0
    others: tuple[Loaded, ...] = ()  # further data sets
    budget: Budget | None = None
    baselines: tuple[str, ...] = ()
    reuse: bool = True  # whether fits are taken from the results file


def methods() -> tuple[str, ...]:
    """Ask for methods by key and name; return their keys in the library's order. In an address, keys alone do."""
    default: dict[str, Any] = {"default": FIRST}
    if "methods" not in st.session_state and (keys := METHODS.keys() & st.query_params.get_all("methods")):
        st.session_state["methods"], default = list(keys), {}
    picked = ask(st.multiselect, "Methods", "methods", list(METHODS), format_func=_in_words, wrap=True, **default)
    return tuple(key for key in METHODS if key in picked)


def _in_words(key: str) -> str:
    return f"{key} · {METHODS[key].name}"


def choose(workspace: Workspace, names: tuple[str, ...]) -> Choices:
    data = workspace.dataset
    with st.container(horizontal=True, vertical_alignment="bottom"):
        learner = ask(
            st.selectbox, "Base learner", "learner", BASE_LEARNERS, format_func=lambda one: one.name, width=230
        )
        parameter = ask(
            st.selectbox,
            learner.parameter,
            f"parameter-{slug(learner.name)}",
            learner.choices,
            index=learner.choices.index(learner.default),
            format_func=catalogue.in_words,
            width=130,
            help=learner.help,
        )
        decide = DECISIONS[ask(st.selectbox, "Decide for", "decide", catalogue.decisions(data), width=190)]
        evaluation = _evaluation(data)
        if evaluation == FOLDS:
            most = min(10, data.n_apart)
            n_folds = ask(st.number_input, "Folds", "folds", 2, most, min(5, most), width=120)
        elif evaluation == SPLIT:
            percent = ask(st.number_input, "Test share (%)", "share", 10, 90, 33, width=140)
    settings, changed = _options(names)
    if decide is not None:
        settings = {key: {**settings.get(key, {}), "decide": decide} for key in names}
        changed = [f"decided for {MEASURES[decide].in_words}", *changed]
    more = st.expander("More: features, thresholds, seed, repeats, other data sets, limits")
    with more, st.container(horizontal=True, vertical_alignment="bottom"):
        scaling = ask(st.selectbox, "Features", "scaling", SCALINGS, width=200)
        fill, thresholds = FILLS[0], AS_DECIDED
        if catalogue.n_gaps(data):
            fill = ask(st.selectbox, "Missing features", "fill", FILLS, width=170)
        if data.is_multilabel and decide is None:
            thresholds = ask(st.selectbox, "Thresholds", "train_thresholds", THRESHOLDS, width=240)
        seed = ask(st.number_input, "Seed", "train_seed", 0, MOST_SEED, width=150)
        protocol: KFold | Split | Given
        if evaluation == FOLDS:
            protocol = KFold(int(n_folds), ask(st.number_input, "Repeats", "repeats", 1, 100, width=120))
        elif evaluation == SPLIT:
            protocol = Split(percent / 100)
        else:
            assert data.n_train is not None
            protocol = Given(data.n_train)
    with more, st.container(horizontal=True, vertical_alignment="bottom"):
        others = () if evaluation == PUBLISHED else _other_data_sets(workspace)  # each was published with its own rows
        budget = _budget()
        baselines = ask(st.pills, "Baselines and control", "baselines", [*BASELINES, STACKED], selection_mode="multi")
        again = st.checkbox("Ignore saved results", key="again", help=HELP["again"])
    made = (settings, tuple(changed), scaling, fill, thresholds, seed)
    return Choices(names, learner, parameter, protocol, *made, others, budget, tuple(baselines), reuse=not again)


def _evaluation(data: Dataset) -> str:
    offered = [FOLDS, SPLIT] if data.n_train is None else [FOLDS, SPLIT, PUBLISHED]
    if st.session_state.get("protocol", FOLDS) not in offered:  # of the data that were loaded before
        st.session_state["protocol"] = FOLDS
    as_published = " As published uses the rows of the training and the test file."
    text = "Cross-validation tests every row once. A split is faster but less certain." + as_published * (
        len(offered) > 2
    )
    return choice("Evaluation", offered, key="protocol", default=FOLDS, help=text)


def _options(names: Sequence[str]) -> tuple[Mapping[str, Settings], Sequence[str]]:
    """Ask for the options of methods that have any; return the settings of each, and in words what was changed."""
    if not any(key in option.methods for key in names for of_group in OPTIONS.values() for option in of_group):
        return {}, []
    with st.expander("Options of the methods", icon=":material/tune:"):
        return controls(names)


def _other_data_sets(workspace: Workspace) -> tuple[Loaded, ...]:
    of_visit = {loaded.dataset.name: loaded for loaded in workspace.sets if loaded is not workspace.loaded}
    sources = {name: Source.of("packaged", name=name) for name in PACKAGED if name not in of_visit}
    offered = [*of_visit, *(name for name, source in sources.items() if source != workspace.source)]
    picked = ask(st.multiselect, "More data sets", "train_also", offered, width=300)
    return tuple(of_visit.get(name) or Loaded(sources[name], load(sources[name])) for name in picked)


def _budget() -> Budget | None:
    without = {"value": None, "placeholder": "no limit"}
    seconds = ask(st.number_input, "Time for a fit (s)", "fit_seconds", 1.0, format="%.0f", width=160, **without)
    gib = ask(st.number_input, "Memory for a fit (GiB)", "fit_memory", 0.25, width=180, **without)
    return Budget(seconds, gib) if seconds or gib else None
