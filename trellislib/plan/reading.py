"""From the text of an experiment file to what `trellislib.experiment.run` takes."""

from __future__ import annotations

import json
import os
import tomllib
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from sklearn.base import BaseEstimator

from trellislib.data import Dataset
from trellislib.experiment import Budget, EvaluationProtocol, KFold, Results, Split, Store, run
from trellislib.methods import ThresholdedClassifier
from trellislib.methods.base import MultiOutputMethod
from trellislib.methods.preprocessing import FILLS, SCALINGS, with_preprocessing
from trellislib.methods.thresholds import RULES
from trellislib.plan.estimators import method_of
from trellislib.plan.section import (
    COUNT,
    FOLDS,
    POSITIVE,
    SEEDS,
    SHARE,
    TEXT,
    Kind,
    PlanError,
    Section,
    is_number,
    one_of,
)
from trellislib.plan.sources import PlannedData, source_of
from trellislib.running.progress import Cancelled, Progress
from trellislib.wording import without_controls

KEYS = ("title", "seeds", "protocol", "budget", "data", "methods")
ENTRY = ("method", "name", "scale", "fill", "threshold")  # what is not given to a method as it stands
THRESHOLD = Kind(
    f"one of {', '.join(map(repr, RULES))} or a number between 0 and 1",
    lambda value: value in RULES if isinstance(value, str) else is_number(value) and 0 <= value <= 1,
)


@dataclass(frozen=True)
class PlannedMethod:
    """A method, and what becomes of the features before it.

    Attributes
    ----------
    name : str
        Its name in results.
    estimator : estimator
        The method.
    scale : str
        One of `trellislib.methods.preprocessing.SCALINGS`.
    fill : str
        One of `trellislib.methods.preprocessing.FILLS`.
    """

    name: str
    estimator: BaseEstimator
    scale: str = SCALINGS[0]
    fill: str = FILLS[0]


@dataclass(frozen=True)
class Plan:
    """An experiment as a file describes it; see `trellislib.plan`.

    Attributes
    ----------
    path : Path
        The file.
    text : str
        What is in it.
    title : str
        Its title; by default the name of the file, without its ending.
    data : tuple of PlannedData
        The data sets.
    methods : tuple of PlannedMethod
        What is compared.
    protocol : protocol
        How data sets are divided whose files do not set that.
    seeds : tuple of int
        Everything is done once with each.
    budget : Budget or None
        What a fit may take.
    """

    path: Path
    text: str
    title: str
    data: tuple[PlannedData, ...]
    methods: tuple[PlannedMethod, ...]
    protocol: EvaluationProtocol = field(default_factory=KFold)
    seeds: tuple[int, ...] = (0,)
    budget: Budget | None = None

    @property
    def suffix(self) -> str:
        """The ending of an experiment file with this text."""
        return ".json" if self.text.lstrip().startswith("{") else ".toml"

    @property
    def code(self) -> str:
        """What makes a run of it: the command, and the text of the file."""
        return f"# python -m trellislib run {without_controls(str(self.path))}\n\n{self.text}"

    def methods_for(self, dataset: Dataset) -> dict[str, BaseEstimator]:
        """Return the methods by name, each with what the data set needs before it."""
        return {
            method.name: with_preprocessing(method.estimator, method.scale, dataset, method.fill)
            for method in self.methods
        }

    def run(
        self,
        store: Store | None = None,
        *,
        number: int | None = None,
        n_jobs: int | None = None,
        reuse: bool = True,
        progress: Progress | None = None,
        cancelled: Cancelled | None = None,
    ) -> Results:
        """Run it; parameters and results are those of `trellislib.experiment.run`."""
        own: EvaluationProtocol | None = None  # of the data set that was loaded last, which is the one that is divided

        def loader(data: PlannedData) -> Callable[[], Dataset]:
            def load() -> Dataset:
                nonlocal own
                dataset, own = data.load()
                return dataset

            return load

        return run(
            [loader(data) for data in self.data],
            self.methods_for,
            lambda dataset: own or self.protocol,
            seeds=self.seeds,
            store=store,
            title=self.title,
            code=self.code,
            number=number,
            budget=self.budget,
            n_jobs=n_jobs,
            reuse=reuse,
            progress=progress,
            cancelled=cancelled,
        )


def read_plan(path: str | os.PathLike[str]) -> Plan:
    """Read an experiment file.

    Parameters
    ----------
    path : str or path
        A file in .toml or .json, as `trellislib.plan` describes it.

    Returns
    -------
    Plan
        All of it is checked; no data set is read yet.

    Raises
    ------
    PlanError
        If the file cannot be read, or something in it is not as expected.
    """
    file = Path(path)
    return plan_of_text(_text(file), file, file.suffix)


def plan_of_text(text: str, file: Path, form: str) -> Plan:
    """Return the plan of a text in the form ".toml" or ".json", which stands in a file; errors are of `read_plan`."""
    try:
        top = Section(str(file), _parsed(file, text, form))
        top.only(KEYS)
        return Plan(
            path=file,
            text=text,
            title=without_controls(top.get("title", TEXT, file.stem)),
            data=tuple(source_of(section, file.parent) for section in top.each("data")),
            methods=_methods(top.each("methods")),
            protocol=_protocol(top.inner("protocol")),
            seeds=tuple(top.get("seeds", SEEDS, [0])),
            budget=_budget(top.inner("budget")),
        )
    except RecursionError as error:
        raise PlanError(f"{file}: its lists and tables are nested too deeply.") from error


def _text(file: Path) -> str:
    if file.suffix not in (".toml", ".json"):
        raise PlanError(f"{file}: expected the name of an experiment file in .toml or .json.")
    try:
        return file.read_text(encoding="utf-8-sig")
    except OSError as error:
        raise PlanError(f"{file}: it cannot be read ({error.strerror or error}).") from error
    except UnicodeDecodeError as error:
        raise PlanError(f"{file}: it is not in UTF-8; save it so.") from error


def _parsed(file: Path, text: str, form: str) -> dict[str, Any]:
    try:
        found = tomllib.loads(text) if form == ".toml" else json.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise PlanError(f"{file}: it is not valid TOML: {error}.") from error
    except json.JSONDecodeError as error:
        raise PlanError(
            f"{file}: it is not valid JSON: {error.msg} (at line {error.lineno}, column {error.colno})."
        ) from error
    if not isinstance(found, dict):
        raise PlanError(f"{file}: expected an object with the keys {', '.join(KEYS)}.")
    return found


def _protocol(section: Section) -> EvaluationProtocol:
    section.only(("folds", "repeats", "test"))
    if "test" in section.values:
        if len(section.values) > 1:
            raise section.error("got a test share and folds; give either of them")
        return Split(section.get("test", SHARE))
    return KFold(section.get("folds", FOLDS, 5), section.get("repeats", COUNT, 1))


def _budget(section: Section) -> Budget | None:
    section.only(("seconds", "gib"))
    limits = {key: section.get(key, POSITIVE) for key in section.values}
    return Budget(**limits) if limits else None


def _methods(sections: Sequence[Section]) -> tuple[PlannedMethod, ...]:
    found: dict[str, PlannedMethod] = {}
    for section in sections:
        method = planned_method(section)
        if method.name in found:
            raise section.error(f"the name {method.name!r} is taken by a method above; give this one another name")
        found[method.name] = method
    return tuple(found.values())


def planned_method(section: Section) -> PlannedMethod:
    """Return the method that a table describes, as `trellislib.plan` says; raise a PlanError if there is none."""
    key = section.need("method", TEXT)
    estimator = method_of(section, key, section.without(*ENTRY))
    rule = section.get("threshold", THRESHOLD)
    if rule is not None:
        estimator = _thresholded(section, key, estimator, rule)
    name = without_controls(section.get("name", TEXT, key.rpartition(".")[2]))
    scale = section.get("scale", one_of(SCALINGS), SCALINGS[0])
    return PlannedMethod(name, estimator, scale, section.get("fill", one_of(FILLS), FILLS[0]))


def _thresholded(section: Section, key: str, estimator: BaseEstimator, rule: float | str) -> BaseEstimator:
    """Have labels decided by thresholds: by the method itself, where it has them, as ensembles do of their votes."""
    if "threshold" in estimator.get_params(deep=False):
        return estimator.set_params(threshold=rule)
    if not isinstance(estimator, MultiOutputMethod):
        raise section.error(f"{key} is no method of trellislib, for which a threshold can be chosen; leave it out")
    return ThresholdedClassifier(estimator, threshold=rule)
