"""The form of Train: what is trained, on what, and how; each control is bound to the address."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import streamlit as st
from components import catalogue
from components.catalogue import AS_DECIDED, BASE_LEARNERS, FILLS, FIRST, SCALINGS, THRESHOLDS, BaseLearner
from components.options import OPTIONS, Settings, controls
from components.parts import choice
from components.ranking_tables import slug
from state.sources import Source, load
from state.tuning import MOST_SEED
from state.visit_sets import Loaded
from state.workspace import Workspace

from trellislib.data import PACKAGED, Dataset
from trellislib.experiment import Budget, Given, KFold, Split
from trellislib.methods import METHODS

FOLDS, SPLIT, PUBLISHED = "Cross-validation", "Split", "As published"


@dataclass(frozen=True)
class Choices:
    """What is asked for: methods by their keys, how each is made, and on which rows."""

    methods: tuple[str, ...]
    learner: BaseLearner
    parameter: float
    protocol: KFold | Split | Given
    settings: Mapping[str, Settings]  # of each method
    changed: tuple[str, ...] = ()  # the options of methods that are not as they are by default, in words
    scaling: str = SCALINGS[0]
    fill: str = FILLS[0]
    thresholds: str = AS_DECIDED
    seed: int = 0
    others: tuple[Loaded, ...] = ()  # further data sets
    budget: Budget | None = None
    reuse: bool = True  # whether fits are taken from the results file


def methods() -> tuple[str, ...]:
    """Ask for methods; return their keys in the library's order."""
    picked = st.pills(
        "Methods",
        list(METHODS),
        selection_mode="multi",
        default=FIRST,
        key="methods",
        bind="query-params",
        help="  \n".join(f"**{key}**: {entry.name}" for key, entry in METHODS.items()),
    )
    return tuple(key for key in METHODS if key in picked)


def choose(workspace: Workspace, names: tuple[str, ...]) -> Choices:
    """Ask how these methods are trained."""
    data = workspace.dataset
    with st.container(horizontal=True, vertical_alignment="bottom"):
        learner, parameter = _base_learner()
        evaluation = _evaluation(data)
        if evaluation == FOLDS:
            most = min(10, data.n_instances)
            n_folds = st.number_input("Folds", 2, most, min(5, most), key="folds", bind="query-params", width=120)
        elif evaluation == SPLIT:
            percent = st.number_input("Test share (%)", 10, 90, 33, key="share", bind="query-params", width=140)
    settings, changed = _options(names)
    more = st.expander("More: features, thresholds, seed, repeats, other data sets, limits")
    with more, st.container(horizontal=True, vertical_alignment="bottom"):
        scaling, fill = _features(data)
        thresholds = _thresholds(data)
        seed = st.number_input(
            "Seed",
            0,
            MOST_SEED,
            key="train_seed",
            bind="query-params",
            width=150,
            help="Of the folds, and of all that is random in a method.",
        )
        protocol: KFold | Split | Given
        if evaluation == FOLDS:
            protocol = KFold(int(n_folds), _repeats())
        elif evaluation == SPLIT:
            protocol = Split(percent / 100)
        else:
            assert data.n_train is not None
            protocol = Given(data.n_train)
    with more, st.container(horizontal=True, vertical_alignment="bottom"):
        others = () if evaluation == PUBLISHED else _other_data_sets(workspace)  # each was published with its own rows
        budget = _budget()
        again = st.checkbox(
            "Make all fits again",
            key="again",
            help="Otherwise a fit of the same method on the same rows is taken from the results file.",
        )
    return Choices(
        names,
        learner,
        parameter,
        protocol,
        settings,
        tuple(changed),
        scaling,
        fill,
        thresholds,
        seed,
        others,
        budget,
        reuse=not again,
    )


def _base_learner() -> tuple[BaseLearner, float]:
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
    return learner, parameter


def _evaluation(data: Dataset) -> str:
    offered = [FOLDS, SPLIT] if data.n_train is None else [FOLDS, SPLIT, PUBLISHED]
    if st.session_state.get("protocol", FOLDS) not in offered:  # of the data that were loaded before
        st.session_state["protocol"] = FOLDS
    as_published = " As published, the rows of the training file train and those of the test file test."
    return choice(
        "Evaluation",
        offered,
        key="protocol",
        default=FOLDS,
        help="Cross-validation tests every row once; a split is faster and says less."
        + as_published * (PUBLISHED in offered),
    )


def _options(names: Sequence[str]) -> tuple[Mapping[str, Settings], Sequence[str]]:
    """Ask for the options of methods that have any; return the settings of each, and in words what was changed."""
    if not any(key in option.methods for key in names for of_group in OPTIONS.values() for option in of_group):
        return {}, []
    with st.expander("Options of the methods", icon=":material/tune:"):
        return controls(names)


def _features(data: Dataset) -> tuple[str, str]:
    """Ask how features are scaled, and if any are missing how they are filled."""
    scaling = st.selectbox("Features", SCALINGS, key="scaling", bind="query-params", width=200)
    if not catalogue.n_gaps(data):
        return scaling, FILLS[0]
    fill = st.selectbox(
        "Missing features",
        FILLS,
        key="fill",
        bind="query-params",
        width=170,
        help="Automatic: they stay missing where the base learner takes them so, as trees do, and take the mean of "
        "the training rows elsewhere.",
    )
    return scaling, fill


def _thresholds(data: Dataset) -> str:
    if not data.is_multilabel:
        return AS_DECIDED
    return st.selectbox(
        "Thresholds",
        THRESHOLDS,
        key="train_thresholds",
        bind="query-params",
        width=240,
        help="Above which score a label is relevant: as each method decides, or as often as in training, by "
        "cross-validation on the training rows, which costs five more fits of each method.",
    )


def _repeats() -> int:
    return st.number_input(
        "Repeats",
        1,
        100,
        key="repeats",
        bind="query-params",
        width=120,
        help="How often the folds are drawn anew; 10 x 10-fold is common on small data.",
    )


def _other_data_sets(workspace: Workspace) -> tuple[Loaded, ...]:
    """Ask on which of the visit's and the packaged data sets the same methods are trained as well."""
    of_visit = {loaded.dataset.name: loaded for loaded in workspace.sets if loaded is not workspace.loaded}
    sources = {name: Source.of("packaged", name=name) for name in PACKAGED if name not in of_visit}
    picked = st.multiselect(
        "Also on",
        [*of_visit, *(name for name, source in sources.items() if source != workspace.source)],
        key="train_also",
        bind="query-params",
        width=300,
        help="The other data sets of this visit and the packaged ones, each with the same methods: to say which "
        "method is better in general takes several.",
    )
    return tuple(of_visit.get(name) or Loaded(sources[name], load(sources[name])) for name in picked)


def _budget() -> Budget | None:
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
    return Budget(seconds, gib) if seconds or gib else None
