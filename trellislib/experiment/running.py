"""Methods x data sets x folds x seeds: every fit on the same rows, within a budget, kept as it ends."""

from __future__ import annotations

import json
import platform
from collections.abc import Callable, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass
from functools import cache
from importlib.metadata import version
from typing import Any

import numpy as np
import pandas as pd
from sklearn.base import BaseEstimator, clone

from trellislib.data.dataset import DataError, Dataset
from trellislib.experiment import fits as of_fits
from trellislib.experiment.budget import Budget
from trellislib.experiment.fits import Fit
from trellislib.experiment.grid import outcomes
from trellislib.experiment.identity import parameters_of
from trellislib.experiment.protocols import EvaluationProtocol, KFold, require_dataset
from trellislib.experiment.results import FIT, Results
from trellislib.experiment.store import Store, now
from trellislib.parallel import jobs_at_once
from trellislib.progress import Cancelled, CancelledError, Progress, part_of, stop_if

Methods = Mapping[str, BaseEstimator]


def run(
    datasets: Sequence[Dataset | Callable[[], Dataset]],
    methods: Methods | Callable[[Dataset], Methods],
    protocol: EvaluationProtocol | Callable[[Dataset], EvaluationProtocol] = KFold(5),  # noqa: B008, it is frozen
    *,
    seeds: Sequence[int] = (0,),
    store: Store | None = None,
    title: str = "",
    code: str = "",
    budget: Budget | None = None,
    n_jobs: int | None = None,
    reuse: bool = True,
    progress: Progress | None = None,
    cancelled: Cancelled | None = None,
) -> Results:
    """Train and score methods on data sets; every method sees the same folds.

    Parameters
    ----------
    datasets : sequence of Dataset or callable
        The data, or functions that load them, called when their turn comes, so that one is held at a time.
    methods : mapping of str to estimator, or callable
        What to compare, by name, as in `evaluate`; or a function of the data set that returns it. A parameter
        ``random_state`` that is None, at any depth, is set for each fit from seed, repeat and fold, so that a run can
        be repeated.
    protocol : protocol or callable, default=KFold(5)
        How each data set is divided: `Split`, `KFold`, `Given`; or a function of the data set that returns it.
    seeds : sequence of int, default=(0,)
        Everything is done once with each: other folds, other chance.
    store : Store, optional
        Where each fit is kept as it ends. Without one, results are only returned.
    title, code : str, optional
        What the store calls this run, and the Python that makes it.
    budget : Budget, optional
        What a fit may take; see there. One that takes more does not finish, and the others go on.
    n_jobs : int, optional
        Fits at a time, as in `evaluate`.
    reuse : bool, default=True
        Take a fit that the store has rather than make it again: one that is done, or that did not finish within a
        budget that allowed no less. What failed is tried again.
    progress, cancelled : callable, optional
        See `trellislib.progress`.

    Returns
    -------
    Results
        A fit that fails or takes more than its budget is a row with its reason. A data set that cannot be loaded or
        divided is named in `Results.notes`. When cancelled, what was finished.

    Examples
    --------
    >>> from trellislib import ClassifierTrellis, IndependentClassifiers
    >>> from trellislib.data import simulate_label_dag
    >>> data = [simulate_label_dag(n_instances=100, n_labels=4, random_state=seed) for seed in (0, 1)]
    >>> results = run(data, {"IC": IndependentClassifiers(), "CT": ClassifierTrellis()}, KFold(3))
    >>> results.table("hamming_score").shape
    (2, 2)
    """
    kept = _Kept(store, store.begin(title, code) if store else 0)
    state = "failed"
    try:
        for number, source in enumerate(datasets):
            stop_if(cancelled)
            tell = part_of(progress, number, len(datasets))
            if tell is not None:
                tell(0, 1, "Loading the data")
            try:
                dataset = source() if callable(source) else source
                require_dataset(dataset)
                chosen = methods(dataset) if callable(methods) else methods
                how = protocol(dataset) if callable(protocol) else protocol
                tasks, remarks = _tasks(dataset, chosen, how, seeds)
            except (DataError, ValueError) as error:
                kept.remark([of_fits.sentence(error)])
                continue
            kept.remark(remarks)
            known = kept.known(tasks, budget or Budget()) if reuse else {}
            for place, row in known.items():
                kept.take(row, tasks[place].identity)
            left = [task for place, task in enumerate(tasks) if place not in known]
            _fit(dataset, left, kept, budget, n_jobs, tell, cancelled)
        state = "done"
    except CancelledError:
        state = "cancelled"
    finally:
        if store:
            store.end(kept.run, state)
    return kept.results()


@dataclass(frozen=True)
class _Task:
    """A fit, and the columns that tell it apart."""

    identity: dict[str, Any]
    fit: Fit


def _tasks(
    dataset: Dataset, methods: Methods, protocol: EvaluationProtocol, seeds: Sequence[int]
) -> tuple[list[_Task], list[str]]:
    """Return the fits on a data set, fold after fold, and what a reader should know of these folds."""
    if not isinstance(methods, Mapping):
        raise TypeError(f"Got a {type(methods).__name__} of methods, but expected them by name, as {{'IC': method}}.")
    parameters = {name: parameters_of(method) for name, method in methods.items()}
    tasks, remarks = [], []
    for seed in seeds:
        divided = protocol.divide(dataset, int(seed))
        for place, (repeat, fold, train, test) in enumerate(divided, 1):
            for name, method in methods.items():
                identity = {
                    "dataset": dataset.name,
                    "digest": dataset.digest,
                    "method": name,
                    "parameters": parameters[name],
                    "protocol": protocol.words,
                    "n_fits": protocol.n_fits,
                    "seed": int(seed),
                    "repeat": repeat,
                    "fold": fold,
                }
                what = f"{name} on {dataset.name}, fit {place} of {len(divided)}"
                what += f", seed {seed}" * (len(seeds) > 1)
                seeded = _seeded(method, int(seed), repeat, fold)
                tasks.append(_Task(identity, Fit(name, seeded, what, place, train, test)))
        remarks += of_fits.notes(dataset, [(train, test) for _, _, train, test in divided])
    return tasks, [f"{dataset.name}: {remark}" for remark in remarks]


def _seeded(method: BaseEstimator, *entropy: int) -> BaseEstimator:
    """Return a copy of a method in which what would be left to chance is set by numbers."""
    seed = int(np.random.SeedSequence(entropy).generate_state(1)[0])
    given = method.get_params(deep=True)
    unset = [name for name, value in given.items() if name.rpartition("__")[2] == "random_state" and value is None]
    return clone(method).set_params(**dict.fromkeys(unset, seed))


def _fit(
    dataset: Dataset,
    tasks: Sequence[_Task],
    kept: _Kept,
    budget: Budget | None,
    n_jobs: int | None,
    progress: Progress | None,
    cancelled: Cancelled | None,
) -> None:
    """Fit, and keep each fit as it ends."""
    if not tasks:
        return
    made = {
        "budget_seconds": budget.seconds if budget else None,
        "budget_gib": budget.gib if budget else None,
        "at_once": jobs_at_once(n_jobs, len(tasks)),
        "versions": _versions(),
    }
    grid = [task.fit for task in tasks]
    with closing(outcomes(dataset, grid, n_jobs, budget=budget, progress=progress, cancelled=cancelled)) as ending:
        for number, (row, of_labels) in ending:
            kept.add(tasks[number].identity | row | made | {"ended": now()}, of_labels)


class _Kept:
    """The fits of a run, in memory and where there is one in the store."""

    def __init__(self, store: Store | None, run: int) -> None:
        self.store, self.run = store, run
        self._rows: list[dict[str, Any]] = []
        self._labels: list[pd.DataFrame | None] = []
        self._remarks: list[str] = []

    def known(self, tasks: Sequence[_Task], budget: Budget) -> dict[int, dict[str, Any]]:
        """Return what the store has, by the number of the task, as far as it need not be made again."""
        if self.store is None or not tasks:
            return {}
        first = tasks[0].identity
        found = {
            (row["parameters"], *(row[name] for name in FIT)): row
            for row in self.store.fits_of(first["digest"], first["protocol"])
            if row["status"] == "done"
            or (
                row["status"].startswith("over ")
                and Budget(row["budget_seconds"], row["budget_gib"]).covers(budget.seconds, budget.gib)
            )
        }
        keys = [(task.identity["parameters"], *(task.identity[name] for name in FIT)) for task in tasks]
        return {number: found[key] for number, key in enumerate(keys) if key in found}

    def take(self, row: dict[str, Any], identity: dict[str, Any]) -> None:
        """Take a fit that the store has."""
        assert self.store is not None
        self.store.link(self.run, row["id"], identity)

    def add(self, row: dict[str, Any], of_labels: pd.DataFrame | None) -> None:
        """Keep a fit that has ended."""
        if self.store is not None:
            self.store.save(self.run, row, of_labels)
            return
        self._rows.append(row)
        self._labels.append(of_labels)

    def remark(self, remarks: Sequence[str]) -> None:
        """Keep what a reader should know."""
        self._remarks += remarks
        if self.store is not None:
            self.store.remark(self.run, self._remarks)

    def results(self) -> Results:
        """Return all fits of the run."""
        if self.store is not None:
            return self.store.results([self.run])
        return Results.of(self._rows, self._labels.__getitem__, self._remarks)


@cache
def _versions() -> str:
    """Return the versions of what a fit depends on, as JSON."""
    packages = ("trellislib", "numpy", "scipy", "scikit-learn")
    return json.dumps({"python": platform.python_version()} | {name: version(name) for name in packages})
