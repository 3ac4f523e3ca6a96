"""Candidates compared on the same folds until the time is over, the most telling and the cheapest first."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import groupby
from math import log2
from time import monotonic

import numpy as np
import pandas as pd

from trellislib.advice.candidates import (
    BASELINE,
    INDEPENDENT,
    LEARNERS,
    STACKED,
    STRUCTURES,
    TIMES_INDEPENDENT,
    Candidate,
    about_seconds,
    candidate,
    name_of,
)
from trellislib.data.dataset import Dataset
from trellislib.experiment.fits import Fit
from trellislib.experiment.grid import outcomes
from trellislib.experiment.protocols import Fold, KFold
from trellislib.running.progress import Cancelled, CancelledError, Progress, about, stop_if
from trellislib.running.threads import one_blas_thread

N_FOLDS = 5
N_REPEATS = 4  # of the folds, where there is time: the answer gets surer, by far less than by as many more rows
FIRST_ANSWER = 1 / 5  # of the time is for the first answer; with more rows than that allows, some are drawn
ANOTHER_LEARNER = 1 / 4  # of the time that is left is what independent classifiers with another learner may take
LEAST_ROWS = 1000  # that are drawn at least
WARMING_UP = 100  # of which are fitted to first, since a first fit imports and compiles
LEAD = 0.01  # of a structure, from which on it is asked what depth alone gains
MOST_SLOWER = 10  # times than where the costs were measured, if fits come near to the time, is asked of the machine


class BudgetedComparison:
    """The candidates on one data set, a batch of folds at a time.

    First independent classifiers and a trellis with the first base learner, and the baseline; then independent
    classifiers with the other learners; then the structures with the learner that is best for independent classifiers;
    where one of them is ahead, stacked independent classifiers; then more repeats of the structures. A batch that is
    not expected to end in time is left out.

    Parameters
    ----------
    dataset : Dataset
        The data; of more rows than there is time for, some are drawn.
    score : str
        What all decide for.
    seconds : float
        Time for all of it.
    seed : int
        Of folds, rows and methods.
    learners : sequence of str
        Keys of `LEARNERS`, the first one first.
    n_repeats : int
        How often the folds are drawn at most.
    n_jobs : int, optional
        Fits at a time.
    progress, cancelled : callable, optional
        See `trellislib.running.progress`.

    Attributes
    ----------
    data : Dataset
        The rows that are compared.
    fits : list of dict
        A row for each fit that ended: candidate, repeat, fold, status, reason, times and scores.
    of_labels : dict of str to list of DataFrame
        By candidate, the scores of each label in each fit.
    left_out : dict of str to str
        Candidates that did not run or end, and why.
    out_of_time : set of str
        Those of them for which there was no time.
    refused : list of str
        Base learners that take dense features only, where these are sparse.
    """

    def __init__(
        self,
        dataset: Dataset,
        score: str,
        *,
        seconds: float,
        seed: int,
        learners: Sequence[str],
        n_repeats: int = N_REPEATS,
        n_jobs: int | None = None,
        progress: Progress | None = None,
        cancelled: Cancelled | None = None,
    ) -> None:
        self.began = monotonic()
        self.seconds, self.score, self.seed, self.n_jobs = seconds, score, seed, n_jobs
        self.learners = [key for key in learners if dataset.is_dense or not LEARNERS[key].dense_only]
        self.refused = [key for key in learners if key not in self.learners]
        self._progress, self._cancelled = progress, cancelled
        self.data = self._affordable(dataset, seconds * FIRST_ANSWER)
        if self.data.n_apart < 2:
            raise ValueError(
                f"{dataset.name} has fewer than two {dataset.parts}, but methods are compared on rows that they did "
                "not see: give more."
            )
        self.n_given = dataset.n_instances
        self.n_folds = min(N_FOLDS, self.data.n_apart)
        self.fits: list[dict] = []
        self.of_labels: dict[str, list[pd.DataFrame]] = {}
        self.left_out: dict[str, str] = {}
        self.out_of_time: set[str] = set()
        self.candidates: dict[str, Candidate] = {}
        divided = KFold(self.n_folds, n_repeats).divide(self.data, seed)
        self.divisions: list[list[Fold]] = [
            [(train, test) for *_, train, test in of_one]
            for _, of_one in groupby(divided, lambda division: division[0])
        ]

    def _affordable(self, dataset: Dataset, seconds: float) -> Dataset:
        """Return the data, or so many rows that independent classifiers and a trellis take so long at most."""

        def needed(n: int) -> float:
            both = (INDEPENDENT, STRUCTURES[0])
            return N_FOLDS * sum(about_seconds(structure, self.learners[0], dataset, n) for structure in both)

        n, order = dataset.n_instances, np.random.default_rng(self.seed).permutation(dataset.n_instances)
        if n > LEAST_ROWS and needed(n) * MOST_SLOWER > seconds:
            seconds /= self._times_slower(dataset.select(np.sort(order[:LEAST_ROWS])))
        while n > LEAST_ROWS and needed(n) > seconds:
            n = max(LEAST_ROWS, n * 4 // 5)
        return dataset if n == dataset.n_instances else dataset.select(np.sort(order[:n]))

    def _times_slower(self, some: Dataset) -> float:
        """Return how many times longer a fit takes here than where the costs were measured, 1 at least."""
        method = candidate(some, INDEPENDENT, self.learners[0], self.score, self.seed).method
        try:
            with one_blas_thread():
                method.fit(*some.select(slice(WARMING_UP)).arrays())
                began = monotonic()
                method.fit(*some.arrays())
        except Exception:  # which the comparison meets again, and reports
            return 1.0
        measured = (monotonic() - began) / about_seconds(INDEPENDENT, self.learners[0], some)
        return max(2.0 ** round(log2(measured)), 1.0)  # so that mostly the same rows are drawn

    @property
    def elapsed(self) -> float:
        """Seconds since it began."""
        return monotonic() - self.began

    @property
    def left(self) -> float:
        """Seconds that are left, less about what fitting the chosen method on all rows takes."""
        spent = [row["train_seconds"] for row in self.fits if row["status"] == "done"]
        all_rows = self.n_given / self.data.n_instances * self.n_folds / max(self.n_folds - 1, 1)
        return self.seconds - self.elapsed - all_rows * max(spent, default=0.0)

    def scores(self, key: str | None = None) -> pd.DataFrame:
        """Return a row for each repeat and fold, a column for each candidate that finished its first repeat."""
        table = pd.DataFrame(self.fits, columns=["candidate", "repeat", "fold", "status", key or self.score])
        done = table[table["status"] == "done"]
        wide = done.pivot(index=["repeat", "fold"], columns="candidate", values=key or self.score)
        if wide.empty:
            return wide
        names = [name for name in self.candidates if name in wide and wide[name].count() >= self.n_folds]
        return wide[names]

    @property
    def compared_learner(self) -> str:
        """The best of the base learners that a structure was compared with, or `learner` before there is any."""
        with_structure = {
            self.candidates[name].learner for name in self.scores() if self.candidates[name].has_structure
        }
        return self.learner if self.learner in with_structure or not with_structure else self.learners[0]

    @property
    def learner(self) -> str:
        """The base learner that is best for independent classifiers, the earlier one of equals."""
        names = {name_of(INDEPENDENT, learner): learner for learner in self.learners}
        first = self.scores().head(self.n_folds)
        means = first[[name for name in names if name in first]].mean()
        return names[means.idxmax()] if len(means) else self.learners[0]

    def batches(self) -> Iterator[None]:
        """Compare; yield after each batch of folds.

        Raises
        ------
        CancelledError
            When `cancelled` answers true.
        """
        for structure, learner in self._first_repeat():
            made = candidate(self.data, structure, learner, self.score, self.seed)
            self.candidates[made.name] = made
            if self._is_run([made], 1):
                yield
        for repeat in range(2, len(self.divisions) + 1):
            family = [self.candidates[name] for name in self.scores() if self._is_compared(name)]
            if len(family) < 2 or not self._is_run(family, repeat):
                return
            yield

    def _first_repeat(self) -> Iterator[tuple[str, str]]:
        first, *others = self.learners
        yield from ((INDEPENDENT, first), (STRUCTURES[0], first), (BASELINE, ""))
        yield from ((INDEPENDENT, learner) for learner in others)
        learner = self.learner
        yield from (
            (structure, learner) for structure in STRUCTURES if name_of(structure, learner) not in self.candidates
        )
        if self._is_ahead() and self.data.weights is None:  # which stacking does not take
            yield STACKED, learner

    def _is_ahead(self) -> bool:
        """Return whether a structure leads independent classifiers of the same learner by more than `LEAD`."""
        means = self.scores().mean()
        names = [name for name in means.index if self.candidates[name].has_structure and self._is_compared(name)]
        return bool(names) and means[names].max() > means[name_of(INDEPENDENT, self.learner)] + LEAD

    def _is_compared(self, name: str) -> bool:
        """Return whether a candidate has the chosen learner, and so is compared with its independent classifiers."""
        made = self.candidates[name]
        return made.learner == self.learner and made.structure != STACKED

    def _is_run(self, batch: Sequence[Candidate], repeat: int) -> bool:
        """Fit a batch on the folds of a repeat, and return whether it ended; all of its fits count, or none."""
        stop_if(self._cancelled)
        expected = sum(map(self._expected, batch)) if self.fits else 0.0  # the first tells what an estimate is worth
        is_another = batch[0].structure == INDEPENDENT and batch[0].learner != self.learners[0] and repeat == 1
        if expected > self.left * (ANOTHER_LEARNER if is_another else 1):
            if repeat == 1:
                needs = f"needs about {about(expected)}" if self.left > 0 else "came after the time was up"
                self.left_out[batch[0].name] = needs
                self.out_of_time.add(batch[0].name)
            return False
        chosen = self.divisions[repeat - 1]
        grid = [
            Fit(made.name, made.method, f"{made.in_words}, fold {fold} of {len(chosen)}", fold, train, test)
            for fold, (train, test) in enumerate(chosen, 1)  # whose words of texts are learned once for all
            for made in batch
        ]
        rows, of_labels = [], []
        try:
            for number, (row, details) in outcomes(self.data, grid, self.n_jobs, cancelled=self._is_over):
                fit = grid[number]
                rows.append({"candidate": fit.name, "repeat": repeat, "fold": fit.fold, **row})
                of_labels.append((fit.name, details.get("labels")))
                self._report(fit.what)
        except CancelledError:
            stop_if(self._cancelled)
            if repeat == 1:
                self.left_out[batch[0].name] = "took longer than the time that was left"
                self.out_of_time.add(batch[0].name)
            return False
        self.fits += rows
        for name, labels in of_labels:
            if labels is not None:
                self.of_labels.setdefault(name, []).append(labels)
        failed = {row["candidate"]: row["reason"] for row in rows if row["status"] != "done"}
        self.left_out |= failed
        return not failed

    def _expected(self, made: Candidate) -> float:
        """Return about how many seconds the folds of one repeat take."""
        fits = pd.DataFrame(self.fits, columns=["candidate", "train_seconds", "test_seconds"]).set_index("candidate")
        spent = fits.sum(axis=1).groupby(level=0).mean()
        if made.name in spent:
            return self.n_folds * spent[made.name]
        independent = spent.get(name_of(INDEPENDENT, made.learner or self.learners[0]))
        if independent is not None:
            return self.n_folds * independent * TIMES_INDEPENDENT[made.structure]
        first = self.learners[0]
        measured = spent.get(name_of(INDEPENDENT, first), 0.0)
        slower = measured / about_seconds(INDEPENDENT, first, self.data)  # than where the costs were measured
        return self.n_folds * about_seconds(made.structure, made.learner, self.data) * max(slower, 1.0)

    def _is_over(self) -> bool:
        return self.elapsed > self.seconds or (self._cancelled is not None and self._cancelled())

    def _report(self, what: str) -> None:
        if self._progress is not None:
            self._progress(round(10 * min(self.elapsed, self.seconds)), round(10 * self.seconds), what)
