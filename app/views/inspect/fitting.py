"""The method that is inspected: fitted to a part of the data, at once or by a job, and the rows it did not see."""

from __future__ import annotations

import time
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import cached_property, partial
from typing import Any

import numpy as np
import streamlit as st
from components import catalogue
from components.catalogue import BASE_LEARNERS, SCALINGS, BaseLearner
from components.options import Settings
from components.parts import plain, working
from sklearn.base import BaseEstimator
from sklearn.pipeline import Pipeline
from state import derived
from state.call import Call, Script, known
from state.jobs import Work, about_wait
from state.sources import Source
from state.tuning import Shape
from state.workspace import Workspace

from trellislib import Greedy
from trellislib.data import Dataset
from trellislib.experiment import Given, Split
from trellislib.inspection import features_for, graph_members, instances_by_outcome
from trellislib.learners import as_learner, with_probabilities
from trellislib.methods import METHODS, LabelGraphClassifier
from trellislib.metrics import MEASURES
from trellislib.running.progress import Cancelled, CancelledError, Progress

TEST = 0.33  # share of the rows that are predicted
PROBED, PATIENCE = 300, 0.5  # training rows by which the time of a fit is estimated, and seconds for that
WITHOUT_GRAPH = ("LP", "PS", "EPS", "RAkEL", "MOF")
OFFERED = tuple(key for key in METHODS if key not in WITHOUT_GRAPH)
BY_NAME = {learner.name: learner for learner in BASE_LEARNERS}


@dataclass(frozen=True, eq=False)
class Fitted:
    """A fitted method, the member of it that is inspected, and its training and test rows.

    The features are as the member takes them, after what comes before it in a pipeline.
    """

    key: str
    of: tuple[Any, ...]  # identifies this fit and member
    method: BaseEstimator
    member: LabelGraphClassifier
    members: tuple[LabelGraphClassifier, ...]
    names: tuple[str, ...]
    values: tuple[tuple[str, ...], ...]  # for each label, how its values are written, by code
    X_train: Any
    Y_train: Any
    X_test: Any
    Y_test: Any
    rows: np.ndarray  # of the data, that are tested
    dataset: Dataset
    number: int = 0  # of the member

    def of_member(self, number: int) -> Fitted:
        """Return the same with another member of an ensemble."""
        if number == 0:
            return self
        return replace(self, of=(self.of, number), member=self.members[number], number=number)

    def script(self, source: Source) -> Script:
        """Return Python that loads the data, and fits; a view adds what it shows."""
        script = Script().use(source.call)
        protocol, method = script.text(_protocol(self.dataset)), script.text(self.method)
        words = "" if self.dataset.columns is None else "data = data.fit_features(train)\n"
        return script.add(
            f"""((_, _, train, test),) = {protocol}.divide(data, 0)
{words}method = {method}.fit(data.X[train], data.Y[train])
member = graph_members(method)[{self.number}]
X, Y = features_for(method, data.X[test]), data.Y[test]""",
            features_for,
            graph_members,
        )

    @property
    def decider(self) -> Any:
        """The method itself, without what comes before it in a pipeline."""
        return self.method[-1] if isinstance(self.method, Pipeline) else self.method

    @property
    def decides_for(self) -> str | None:
        """The score that the method decides for, in words, or None."""
        return MEASURES[self.decider.decision_.measure].in_words if self.decider.decide else None

    @property
    def data(self) -> Call:
        """The data in the script."""
        return known("data", self.dataset)

    @property
    def fit(self) -> Call:
        """The member in the script."""
        return known("member", self.member)

    @property
    def tested(self) -> tuple[Call, Call]:
        """The features and labels of the test rows in the script."""
        return known("X", self.X_test), known("Y", self.Y_test)

    @property
    def outcome_note(self) -> str:
        """A caution where a method does not decide one label after the other; else nothing."""
        if isinstance(self.member.inference_, Greedy):
            return ""
        return (
            f"{self.key} decides labels together or draws them. Inherited and lucky depend on a label's inputs alone."
        )

    @property
    def wrong(self) -> np.ndarray:
        """The indices of the test rows of which at least one label is predicted wrong."""
        return self._by_outcome["wrong"]

    @property
    def inherited(self) -> np.ndarray:
        """The indices of the test rows of which at least one label is an inherited error."""
        return self._by_outcome["inherited error"]

    @cached_property
    def _by_outcome(self) -> Mapping[str, np.ndarray]:
        return instances_by_outcome(self.member, self.X_test, self.Y_test)


@dataclass(frozen=True)
class Trial:
    """Some work that was tried for a while: its result, None where it was not done, its share, and the seconds."""

    result: Any
    share: float
    seconds: float


def tried(work: Work, patience: float) -> Trial:
    """Try work for so many seconds."""
    started, share, result = time.perf_counter(), 0.0, None

    def progress(done: int, total: int, what: str) -> None:
        nonlocal share
        share = done / total

    with suppress(CancelledError):
        result = work(progress, lambda: time.perf_counter() - started > patience)
        share = 1.0
    return Trial(result, share, time.perf_counter() - started)


def estimator_of(learner: BaseLearner) -> BaseEstimator:
    """Return a base learner as it is by default, with a model of its probabilities where it has none."""
    estimator = learner.make(learner.default, 0)
    made = as_learner(estimator)
    return estimator if made.gives_probabilities else with_probabilities(made)


def made(data: Dataset, key: str, learner: BaseLearner, shape: Shape, decide: str | None) -> BaseEstimator:
    """Return the method, not fitted, as training makes it."""
    method = catalogue.method(key, estimator_of(learner), _settings(decide), shape, 0)
    return catalogue.with_preprocessing(method, SCALINGS[0], data)


def _settings(decide: str | None) -> Settings:
    return {} if decide is None else {"decide": decide}


def offer(workspace: Workspace, key: str, learner: BaseLearner, decide: str | None) -> Fitted | None:
    """Return the method fitted to two thirds of the data; show the button that does it where that takes long.

    Where a method cannot be fitted, a warning says why. `decide` is the key of the score to decide for, if any.
    """
    data, shape = workspace.dataset, workspace.trained
    settings = _settings(decide)
    method = catalogue.method(key, estimator_of(learner), settings, shape, 0)
    problem = catalogue.unfit(learner, learner.make(learner.default, 0), SCALINGS[0], data)
    problem = problem or catalogue.refusal(key, method, settings, data)
    if problem:
        st.warning(plain(problem), icon=":material/block:")
        return None
    has_trellis = "width" in method.get_params()
    if not has_trellis:
        shape = Shape.default(data.n_labels)
    is_quick = catalogue.fits_at_once(method.estimator) and derived.has_residuals(data)
    decides_as_ensemble = decide is not None and "n_estimators" in method.get_params()
    if is_quick and not (has_trellis and shape.is_searched) and not decides_as_ensemble:
        return at_once(data, key, learner.name, shape, decide)
    of = ("inspect", data.digest, key, learner.name, shape, decide)
    label = f"Fit {key} with {learner.name[0].lower()}{learner.name[1:]}"
    job = workspace.job(of)
    if not (job and job.is_active):  # which needs both cores
        label += _cost(data, key, learner.name, shape, decide)
    fitted = working(workspace, of, label, "model_training", partial(_fit, data, key, learner.name, shape, decide))
    if fitted is None:
        st.caption(plain(f"Training: {METHODS[key].training}. L = {data.n_labels:,}, D = {data.n_features:,}."))
    return fitted


@st.cache_resource(max_entries=8, ttl="6h", show_spinner="Fitting…", hash_funcs={Dataset: lambda data: data.digest})
def at_once(data: Dataset, key: str, learner: str, shape: Shape, decide: str | None = None) -> Fitted:
    """Return a method fitted, where that is quick; it must never be changed."""
    return _fit(data, key, learner, shape, decide)


@st.cache_resource(max_entries=64, ttl="6h", show_spinner=False, hash_funcs={Dataset: lambda data: data.digest})
def _cost(data: Dataset, key: str, learner: str, shape: Shape, decide: str | None) -> str:
    """Return about how long a fit takes, in proportion to the start of one to a few of the rows."""
    ((_, _, train, _),) = _protocol(data).divide(data, 0)
    few = train[:PROBED]
    try:
        trial = tried(partial(_train, made(data, key, BY_NAME[learner], shape, decide), data, few), PATIENCE)
    except ValueError:  # so few rows cannot be fitted
        return ""
    return f", {about_wait(trial.seconds / trial.share * len(train) / len(few))}" if trial.share else ""


def _train(
    method: BaseEstimator, data: Dataset, rows: np.ndarray, progress: Progress | None, cancelled: Cancelled | None
) -> None:
    asked = {"progress": progress, "cancelled": cancelled}
    if isinstance(method, Pipeline):
        asked = {f"{method.steps[-1][0]}__{name}": value for name, value in asked.items()}
    method.fit(data.X[rows], data.Y[rows], **asked)


def _fit(
    data: Dataset,
    key: str,
    learner: str,
    shape: Shape,
    decide: str | None,
    progress: Progress | None = None,
    cancelled: Cancelled | None = None,
) -> Fitted:
    ((_, _, train, test),) = _protocol(data).divide(data, 0)
    method = made(data, key, BY_NAME[learner], shape, decide)
    identity = (data.digest, key, learner, shape, decide)
    data = data.fit_features(train)
    _train(method, data, train, progress, cancelled)
    members = graph_members(method)
    values = [
        tuple(data.label_values[label][int(value)] for value in classes)
        for label, classes in enumerate(members[0].coding_.classes)
    ]
    return Fitted(
        key,
        identity,
        method,
        members[0],
        members,
        tuple(data.label_names),
        tuple(values),
        features_for(method, data.X[train]),
        data.Y[train],
        features_for(method, data.X[test]),
        data.Y[test],
        test,
        data,
    )


def _protocol(data: Dataset) -> Split | Given:
    return Split(TEST) if data.n_train is None else Given(data.n_train)
