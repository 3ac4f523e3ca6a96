"""The scores of a trellis on held-out rows, compared with those of no structure and of a whole chain."""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import pandas as pd

from state.jobs import Job
from state.tuning import SWAPS, Shape
from trellislib import ClassifierChain, ClassifierTrellis, IndependentClassifiers
from trellislib.data import Dataset
from trellislib.decisions import Rule
from trellislib.experiment.costs import FOLDS, Costs
from trellislib.experiment.filling import filling_scores
from trellislib.experiment.rescoring import CrossValidation
from trellislib.graphs import Trellis
from trellislib.methods import MultiOutputMethod
from trellislib.running.memory import MemoryBudgetError, Need
from trellislib.running.progress import Cancelled, CancelledError, Progress, stop_if
from trellislib.running.threads import one_blas_thread

OF_MORE_VALUES = ("hamming_score", "exact_match")  # what can be scored where labels have more than two values
MOST_PLACEMENTS = 256  # whose scores are remembered: undo and redo cost nothing
MOVE = 0.5  # seconds that a turn of a knob may take on the page's own thread
FIRST_MOVE = 1.5  # the same with all that is prepared once for a data set
PLACING = 2.0  # the same for placing the labels

Scores = Mapping[str, pd.DataFrame]
"""For each method, CT first, a row per fold and a column per score."""


def baselines(shape: Shape) -> dict[str, MultiOutputMethod]:
    """Return what a trellis is compared with, deciding as it does."""
    return {"IC": IndependentClassifiers(**shape.deciding), "CC": ClassifierChain(**shape.deciding)}


class Bench:
    """The folds of a data set, prepared once, on which a trellis is scored as often as its knobs are turned.

    Each fold places the labels by its own training rows, as training does, so that its scores are honest. The data
    must be without missing cells.
    """

    def __init__(self, data: Dataset) -> None:
        self.data = data
        self.costs = Costs.of(data)
        self.measures = ("accuracy", "exact_match", "hamming_score") if data.is_multilabel else OF_MORE_VALUES
        self.n_folds = min(FOLDS, data.n_apart)
        self._folds: CrossValidation | None = None
        self._others: dict[Rule | None, Scores] = {}
        self.filled: dict[Shape, pd.DataFrame] = {}  # what `filling` has found
        self._of_placements: OrderedDict[tuple[Trellis, Rule | None], pd.DataFrame] = OrderedDict()
        self._lock = threading.Lock()

    def is_ready(self, shape: Shape) -> bool:
        """Return whether all that this shape shares with others that decide alike is there."""
        return shape.decide in self._others

    def _preparation(self, shape: Shape) -> float:
        """About how many seconds are still to be spent on what such shapes share."""
        if self.is_ready(shape):
            return 0.0
        of_rule = 0.0 if shape.decide is None else self.costs.leverages + len(baselines(shape)) * self._deciding(shape)
        return of_rule + (self.costs.preparation if self._folds is None else 0.0)

    def _deciding(self, shape: Shape) -> float:
        return 0.0 if shape.decide is None else self.costs.deciding * self.n_folds / FOLDS

    def _scoring(self, shape: Shape) -> float:
        fitting = self.costs.cross_validation(*shape.placed_by) * self.n_folds / FOLDS
        return fitting + self._deciding(shape)

    def seconds(self, *shapes: Shape) -> float:
        """Return about how long scoring these shapes takes, which decide alike."""
        return self._preparation(shapes[0]) + sum(map(self._scoring, shapes))

    def is_quick(self, shape: Shape) -> bool:
        """Return whether a page may score this shape while somebody waits for it."""
        return self._scoring(shape) <= MOVE and self.seconds(shape) <= (MOVE if self.is_ready(shape) else FIRST_MOVE)

    def sampling_seconds(self, shape: Shape) -> float:
        """Return about how long scoring an undirected trellis in place takes, by 100 sweeps of Gibbs sampling."""
        return self.seconds(shape.in_place) + self.costs.gibbs_sampling

    def placing_seconds(self, shape: Shape) -> float:
        """Return about how long placing all labels takes."""
        return self.costs.placement(*shape.placed_by)

    def is_placed_at_once(self, shape: Shape) -> bool:
        """Return whether a page may place the labels while somebody waits for it."""
        return not shape.is_searched and self.placing_seconds(shape) <= PLACING

    def placed(self, shape: Shape, progress: Progress | None = None, cancelled: Cancelled | None = None) -> Trellis:
        """Place the labels by all rows, as `ClassifierTrellis` does."""
        with one_blas_thread():
            method = ClassifierTrellis(**shape.arguments)
            about_rows = self.data.sample_weight, self.data.group_codes
            graph = method.fit(*self.data.arrays(), *about_rows, progress=progress, cancelled=cancelled).graph_
        assert isinstance(graph, Trellis)
        return graph

    def scores(self, shape: Shape, progress: Progress | None = None, cancelled: Cancelled | None = None) -> Scores:
        """Score a shape, and what it is compared with.

        A MemoryBudgetError where folds or trellis would take too much memory; a chain that would is left out.
        """
        start = self._preparation(shape) / self.seconds(shape)
        folds, others = self._prepared(shape, _part(progress, 0, start), cancelled)
        report, n_asked, most = _part(progress, start, 1), 0, self.n_folds * (shape.placed_by[1] or 1)

        def asked() -> bool:
            """Report by how often it is asked whether to stop, which is at least once a fold or swap."""
            nonlocal n_asked
            report(min(n_asked, most), most, "CT, cross-validated")
            n_asked += 1
            return cancelled is not None and cancelled()

        with one_blas_thread():
            method = ClassifierTrellis(**shape.arguments, **shape.deciding)
            scores = folds.scores(method, self.measures, cancelled=asked)
        return {"CT": scores, **others}

    def _prepared(
        self, shape: Shape, report: Progress, cancelled: Cancelled | None = None
    ) -> tuple[CrossValidation, Scores]:
        """Return the folds and the scores of what a trellis is compared with; prepare them if that is not done."""
        with one_blas_thread(), self._lock:
            if self._folds is None:
                report(0, 10, "Preparing the folds")
                self._folds = self._split()
            if not self.is_ready(shape):
                others = {}
                for name, method in baselines(shape).items():
                    report(8, 10, f"{name}, cross-validated")
                    try:
                        others[name] = self._folds.scores(method, self.measures, cancelled=cancelled)
                    except MemoryBudgetError:
                        continue
                self._others[shape.decide] = others
        return self._folds, self._others[shape.decide]

    def known(self, placed: Trellis, shape: Shape) -> pd.DataFrame | None:
        """Return the scores of labels that keep their places in every fold, if they were scored."""
        return self._of_placements.get((placed, shape.decide))

    def scores_in_place(self, placed: Trellis, shape: Shape, cancelled: Cancelled | None = None) -> Scores:
        """Score labels that keep their places in every fold, and what they are compared with.

        They decide as `shape` does; errors are as of `scores`.
        """
        folds, others = self._prepared(shape, _part(None), cancelled)
        scores = self.known(placed, shape)
        if scores is None:
            lattice: dict[str, Any] = {"width": placed.width, "parents": placed.offsets, "placement": placed.order}
            with one_blas_thread():
                method = ClassifierTrellis(**lattice, **shape.deciding)
                scores = folds.scores(method, self.measures, cancelled=cancelled)
            self._of_placements[placed, shape.decide] = scores
            while len(self._of_placements) > MOST_PLACEMENTS:
                self._of_placements.popitem(last=False)
        return {"CT": scores, **others}

    def sampled_scores(
        self, method: MultiOutputMethod, shape: Shape, cancelled: Cancelled | None = None
    ) -> pd.DataFrame:
        """Score any method on the same folds, those of `shape`; errors as of `scores`."""
        folds, _ = self._prepared(shape, _part(None))
        with one_blas_thread():
            return folds.scores(method, self.measures, cancelled=cancelled)

    def filling(self, shape: Shape) -> pd.DataFrame:
        """Return the scores while Algorithm 1 fills the lattice, and last those after swaps if the shape has them.

        They are remembered, by what is decided for.
        """
        found = self.filled.get(shape)
        if found is None:
            folds, _ = self._prepared(shape, _part(None))
            with one_blas_thread():
                found = filling_scores(folds, ClassifierTrellis(**shape.start.arguments, **shape.deciding))
                if shape.placement == SWAPS:
                    swapped = filling_scores(folds, ClassifierTrellis(**shape.arguments, **shape.deciding)).tail(1)
                    found = pd.concat([found, swapped], ignore_index=True)
            self.filled[shape] = found
        return found

    def _split(self) -> CrossValidation:
        X, _ = self.data.arrays()
        cells = X.nnz if hasattr(X, "nnz") else X.size
        what = f"{self.n_folds} folds of {self.data.n_instances:,} instances"
        Need(8 * (self.n_folds + 1) * cells, what, "train with one split instead").refuse("Scoring the trellis")
        return CrossValidation(self.data, cv=self.n_folds)


def _part(progress: Progress | None, start: float = 0, end: float = 1) -> Progress:
    """Return what reports the progress of a part of the work, from one share of the whole to another."""

    def report(done: int, total: int, what: str) -> None:
        if progress is not None:
            progress(round(1000 * (start + (end - start) * done / total)), 1000, what)

    return report


@dataclass
class Trial:
    """A shape whose placing or scoring takes long, worked on by a job; the worker writes, pages read."""

    shape: Shape
    job: Job = field(default_factory=Job)
    placed: Trellis | None = None
    scores: dict[Rule | None, Scores] = field(default_factory=dict)  # by the rule that decides

    def scores_of(self, shape: Shape) -> Scores | None:
        """Return the scores of this shape where it decides as `shape` does, if they are known."""
        return self.scores.get(shape.decide)

    def work(self, bench: Bench, progress: Progress, cancelled: Cancelled) -> None:
        """Place the labels if that is not quick, and score the shape; what is finished stays when it is cancelled."""
        place = 0.0 if self.placed or bench.is_placed_at_once(self.shape) else bench.placing_seconds(self.shape)
        share = place / (bench.placing_seconds(self.shape) + bench.seconds(self.shape))
        in_all_rows = _part(progress, 0, share)
        try:
            stop_if(cancelled)
            if place:
                in_all_rows(0, 1, f"{'swaps' if self.shape.is_searched else 'labels'} in all rows")
                self.placed = bench.placed(
                    self.shape, lambda done, total, what: in_all_rows(done, total, f"{what} in all rows"), cancelled
                )
            if bench.n_folds > 1:
                self.scores[self.shape.decide] = bench.scores(self.shape, _part(progress, share, 1), cancelled)
        except CancelledError:
            pass
