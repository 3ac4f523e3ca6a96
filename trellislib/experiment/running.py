"""Methods x data sets x folds x seeds: every fit on the same rows, within a budget, stored as it ends."""

from __future__ import annotations

import json
import platform
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass
from functools import cache
from importlib.metadata import version
from numbers import Integral
from operator import itemgetter
from typing import Any

import numpy as np
from sklearn.base import BaseEstimator, clone

import trellislib
from trellislib.data.dataset import Dataset
from trellislib.experiment import fits as of_fits
from trellislib.experiment.budget import Budget
from trellislib.experiment.fits import Details, Fit
from trellislib.experiment.grid import outcomes
from trellislib.experiment.identity import differing, parameters_of
from trellislib.experiment.protocols import EvaluationProtocol, KFold, require_dataset, require_protocol
from trellislib.experiment.results import FIT, Results
from trellislib.experiment.store import Store, now
from trellislib.running.memory import GIB
from trellislib.running.parallel import jobs_at_once
from trellislib.running.progress import Cancelled, CancelledError, Progress, stop_if
from trellislib.wording import agreed, counted, sentence, without_controls

Methods = Mapping[str, BaseEstimator]

STEPS = 10_000  # of progress


def run(
    datasets: Sequence[Dataset | Callable[[], Dataset]],
    methods: Methods | Callable[[Dataset], Methods],
    protocol: EvaluationProtocol | Callable[[Dataset], EvaluationProtocol] = KFold(5),  # noqa: B008, it is frozen
    *,
    seeds: Sequence[int] = (0,),
    store: Store | None = None,
    title: str = "",
    code: str = "",
    number: int | None = None,
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
        Where each fit is stored as it ends. Without one, results are only returned.
    title, code : str, optional
        The title of this run in the store, and the Python that makes it.
    number : int, optional
        The store's number of this run, where `Store.begin` was called already.
    budget : Budget, optional
        What a fit may take; see there. One that takes more does not finish, and the others go on.
    n_jobs : int, optional
        Fits at a time, as in `evaluate`.
    reuse : bool, default=True
        Take a fit that the store has instead of making it again, under whatever name: one of the same data, protocol,
        seed, fold and parameters, made with this version of the library. It must be done with training, test and (where
        the budget has one) a measured memory within the budget, or have gone over a budget that allowed no less, over
        time only with no more fits at a time than now. What failed is tried again. Classes and functions that can be
        imported are known by name only: after a change to their code, say false.
    progress, cancelled : callable, optional
        See `trellislib.running.progress`. Within a budget `cancelled` may be asked by several threads.

    Returns
    -------
    Results
        A fit that fails or takes more than its budget is a row with its reason. A data set that cannot be loaded or
        divided is named in `Results.notes`, as are fits that other versions of what the library needs have made. When
        cancelled, what was finished.

    Raises
    ------
    TypeError
        If `datasets` is no sequence of data sets, `methods` has no names or has what is no estimator, or `protocol`
        does not divide.
    ValueError
        If `seeds` are not distinct whole numbers from 0, or there are no methods.
    StoreError
        If the store can no longer be written, or the run has been removed from it.

    Examples
    --------
    >>> from trellislib import ClassifierTrellis, IndependentClassifiers
    >>> from trellislib.data import simulate_label_dag
    >>> data = [simulate_label_dag(n_instances=100, n_labels=4, random_state=seed) for seed in (0, 1)]
    >>> results = run(data, {"IC": IndependentClassifiers(), "CT": ClassifierTrellis()}, KFold(3))
    >>> results.table("hamming_score").shape
    (2, 2)
    """
    state = "failed"
    n_done = 0
    try:
        _check(datasets, methods, protocol, seeds)
        if number is None:
            number = store.begin(title, code) if store else 0
        fits = _Fits(store, number, seeds)
        shares = _shares(datasets)
        for place, source in enumerate(datasets):
            stop_if(cancelled)
            report = _part(progress, sum(shares[:place]), shares[place])
            if report is not None:
                report(0, 1, "Loading the data")
            try:
                dataset = source() if callable(source) else source
                require_dataset(dataset)
                chosen = methods(dataset) if callable(methods) else methods
                how = protocol(dataset) if callable(protocol) else protocol
                tasks, remarks = _tasks(dataset, chosen, how, seeds, first=fits.n_tasks)
            except CancelledError:
                raise
            except Exception as error:  # a file, the network, memory: the other data sets go on
                which = source.name if isinstance(source, Dataset) else f"Data set {place + 1} of {len(datasets)}"
                fits.remark([f"{which} was left out: {sentence(error)}"])
                continue
            fits.n_tasks += len(tasks)
            fits.remark(remarks)
            at_once = jobs_at_once(n_jobs, len(tasks))
            left = fits.take_known(tasks, budget or Budget(), at_once) if reuse else tasks
            if report is not None and not left:
                report(1, 1, f"{dataset.name}: every fit is in the store")
            _fit(dataset, left, fits, budget, n_jobs, report, cancelled)
            n_done += 1
        state = "done"
    except CancelledError:
        state = "cancelled"
        fits.remark([f"The run was cancelled when {n_done} of {len(datasets)} data sets were done."])
    except KeyboardInterrupt:
        state = "cancelled"
        raise
    finally:
        if store and number is not None:
            store.end(number, state)
    return fits.results()


def _check(datasets: object, methods: object, protocol: object, seeds: Sequence[int]) -> None:
    """Raise what is wrong before anything is begun."""
    if not isinstance(datasets, Sequence) or isinstance(datasets, str):
        raise TypeError(f"Got a {type(datasets).__name__}, but expected a sequence of data sets, as [data].")
    for source in datasets:
        if not callable(source):
            require_dataset(source)
    if not callable(methods):
        of_fits.require_methods(methods)
        if not methods:
            raise ValueError("Got no methods, but expected one or more by name, as {'IC': method}.")
    if isinstance(protocol, type) or not callable(protocol):
        require_protocol(protocol)
    if not seeds or any(not isinstance(seed, Integral) or seed < 0 for seed in seeds) or len(set(seeds)) < len(seeds):
        raise ValueError(f"Got the seeds {list(seeds)}, but expected one or more distinct whole numbers from 0.")


@dataclass(frozen=True)
class _Task:
    """A fit, and the columns of its identity."""

    identity: dict[str, Any]
    fit: Fit


def _tasks(
    dataset: Dataset, methods: Methods, protocol: EvaluationProtocol, seeds: Sequence[int], first: int
) -> tuple[list[_Task], list[str]]:
    """Return the fits on a data set, numbered on from `first`, and what a reader should know of its folds."""
    of_fits.require_methods(methods)
    methods = {without_controls(name): method for name, method in methods.items()}
    require_protocol(protocol)
    parameters = {name: parameters_of(method) for name, method in methods.items()}
    tasks: list[_Task] = []
    remarks = list(dataset.notes)
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
                    "n_fits": int(protocol.n_fits),
                    "seed": int(seed),
                    "repeat": int(repeat),
                    "fold": int(fold),
                    "place": first + len(tasks),
                }
                what = f"{name} on {dataset.name}, fit {place} of {len(divided)}"
                what += f", seed {seed}" * (len(seeds) > 1)
                seeded = _seeded(method, int(seed), repeat, fold)
                tasks.append(_Task(identity, Fit(name, seeded, what, place, train, test)))
        remarks += of_fits.notes(dataset, [(train, test) for _, _, train, test in divided])
    return tasks, [f"{dataset.name}: {remark}" for remark in remarks]


def _shares(datasets: Sequence[Dataset | Callable[[], Dataset]]) -> list[float]:
    """Return about which share of the time each data set will take; of those not yet loaded, that of an average one."""
    sizes = [
        float(data.n_instances * data.n_labels * (data.n_features + data.n_labels))
        if isinstance(data, Dataset)
        else 0.0
        for data in datasets
    ]
    known = [size for size in sizes if size]
    typical = sum(known) / len(known) if known else 1.0
    sizes = [size or typical for size in sizes]
    return [size / sum(sizes) for size in sizes]


def _part(progress: Progress | None, before: float, share: float) -> Progress | None:
    """Return the progress on one data set, which reports it as that of the whole."""
    if progress is None:
        return None
    report = progress
    return lambda done, of, what: report(round(STEPS * (before + share * done / of)), STEPS, what)


def _seeded(method: BaseEstimator, *entropy: int) -> BaseEstimator:
    """Return a copy of a method in which what would be left to chance is set by numbers.

    One that cannot be copied comes back as it is, and fails when its fit begins.
    """
    seed = int(np.random.SeedSequence(entropy).generate_state(1)[0])
    given = method.get_params(deep=True)
    unset = [name for name, value in given.items() if name.rpartition("__")[2] == "random_state" and value is None]
    try:
        return clone(method).set_params(**dict.fromkeys(unset, seed))
    except Exception:
        return method


def _fit(
    dataset: Dataset,
    tasks: Sequence[_Task],
    fits: _Fits,
    budget: Budget | None,
    n_jobs: int | None,
    progress: Progress | None,
    cancelled: Cancelled | None,
) -> None:
    """Fit, and store each fit as it ends."""
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
        for number, (row, details) in ending:
            fits.add(tasks[number].identity | row | made | {"ended": now()}, details)


class _Fits:
    """The fits of a run, in the store or where there is none in memory."""

    def __init__(self, store: Store | None, run: int, seeds: Sequence[int]) -> None:
        self.store, self.run, self.seeds = store, run, seeds
        if store is not None:
            store.ask(run, seeds)
        self.n_tasks = 0
        self._rows: list[dict[str, Any]] = []
        self._details: dict[int, Details] = {}
        self._remarks: list[str] = []
        self._taken: Counter[str] = Counter()  # fits that were made with other versions, by these

    def take_known(self, tasks: list[_Task], budget: Budget, at_once: int) -> list[_Task]:
        """Take what the store has as far as it need not be made again, and return the other tasks."""
        if self.store is None or not tasks:
            return tasks
        first = tasks[0].identity
        known = {
            (row["parameters"], *(row[name] for name in FIT)): row
            for row in self.store.fits_of(first["digest"], first["protocol"])
            if _is_of_this_version(row) and _would_end_alike(row, budget, at_once)
        }
        rows = [known.get((task.identity["parameters"], *(task.identity[name] for name in FIT))) for task in tasks]
        wanted = [task.identity | {"id": row["id"]} for task, row in zip(tasks, rows, strict=True) if row is not None]
        taken = self.store.link(self.run, wanted)
        self._taken.update(row["versions"] for row in rows if row is not None and row["id"] in taken)
        if self._taken:
            self.remark([])
        return [task for task, row in zip(tasks, rows, strict=True) if row is None or row["id"] not in taken]

    def add(self, row: dict[str, Any], details: Details) -> None:
        """Keep a fit that has ended."""
        if self.store is not None:
            self.store.save(self.run, row, details)
            return
        self._rows.append(row | {"id": row["place"]})
        self._details[row["place"]] = details

    def remark(self, remarks: Sequence[str]) -> None:
        """Keep what a reader should know, and what there is to say of the fits that were taken."""
        self._remarks += remarks
        if self.store is not None:
            self.store.remark(self.run, [*self._remarks, *_about_taken(self._taken)])

    def results(self) -> Results:
        """Return all fits of the run."""
        if self.store is not None:
            return self.store.results([self.run])
        rows = sorted(self._rows, key=itemgetter("place"))
        asked = [(row["dataset"], row["digest"], row["protocol"], self.seeds) for row in rows]
        return Results.of(rows, self._details.__getitem__, self._remarks, asked)


def _is_of_this_version(row: Mapping[str, Any]) -> bool:
    """Return whether a fit was made with this version of the library, and does what it would do now."""
    return bool(json.loads(row["versions"] or "{}").get("trellislib") == json.loads(_versions())["trellislib"])


def _would_end_alike(row: Mapping[str, Any], budget: Budget, at_once: int) -> bool:
    """Return whether a fit that ended so need not be made again within a budget and with so many others at a time.

    What the library itself refused without a budget went by the memory of the machine, which may be another.
    """
    if row["status"] == "done":
        seconds, held = row["train_seconds"] + row["test_seconds"], row["memory_mib"]
        is_in_time = budget.seconds is None or seconds <= budget.seconds
        return is_in_time and (budget.gib is None or (held is not None and held * 2**20 <= budget.gib * GIB))
    limit = {"over time": row["budget_seconds"], "over memory": row["budget_gib"]}.get(row["status"])
    is_alone_enough = row["status"] != "over time" or row["at_once"] <= at_once
    given = Budget(row["budget_seconds"], row["budget_gib"])
    return limit is not None and is_alone_enough and given.covers(budget.seconds, budget.gib)


def _about_taken(n_taken: Mapping[str, int]) -> list[str]:
    """Return how many fits were made by versions that differ from those here, and by which."""
    differ = {versions: differing({"then": versions, "now": _versions()})["then"] for versions in n_taken}
    return [
        f"{counted(n, 'fit')} {agreed(n, 'was', 'were')} taken from the results file, made with {differ[versions]}."
        for versions, n in n_taken.items()
        if differ[versions]
    ]


@cache
def _versions() -> str:
    """Return the versions of what a fit depends on, as JSON."""
    known = {"python": platform.python_version(), "trellislib": trellislib.__version__}
    packages = ("numpy", "scipy", "scikit-learn")
    return json.dumps(known | {name: version(name) for name in packages})
