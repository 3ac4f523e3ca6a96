"""What a trellis is worth: its scores on held-out rows, beside those of no structure and of a whole chain."""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

import pandas as pd

from state.jobs import Job
from state.tuning import Shape
from trellislib import ClassifierChain, ClassifierTrellis, IndependentClassifiers
from trellislib.data import Dataset
from trellislib.experiment.rescoring import CrossValidation
from trellislib.graphs import Trellis
from trellislib.methods import MultiOutputMethod
from trellislib.running.memory import MemoryBudgetError, Need
from trellislib.running.progress import Cancelled, CancelledError, Progress, about, stop_if
from trellislib.running.threads import one_blas_thread

FOLDS = 5
OF_MORE_VALUES = ("hamming_score", "exact_match")  # what can be scored where labels have more than two values
BESIDE: dict[str, MultiOutputMethod] = {"IC": IndependentClassifiers(), "CC": ClassifierChain()}
MOST_PLACEMENTS = 256  # whose scores are remembered: undo and redo cost nothing
MOVE = 0.5  # seconds that a turn of a knob may take on the page's own thread
FIRST_MOVE = 1.5  # the same with all that is prepared once for a data set
PLACING = 2.0  # the same for placing the labels
CLICK = 1.5  # seconds of a click beside its work: the page is drawn twice, and looks once a second whether it is done

Scores = Mapping[str, pd.DataFrame]
"""For each method, CT first, a row per fold and a column per score."""


def by_the_clock(seconds: float) -> str:
    """Say about how long it takes until work that a click asks for is on the page."""
    return f"about {about(CLICK + seconds)}"


class Bench:
    """The folds of a data set, prepared once, on which a trellis is scored as often as its knobs are turned.

    Each fold places the labels by its own training rows, as training does, so that its scores are honest.

    Parameters
    ----------
    data : Dataset
        Without missing cells.
    """

    def __init__(self, data: Dataset) -> None:
        self.data = data
        self.price = Price(*data.X.shape, data.n_labels)
        self.measures = ("accuracy", "exact_match", "hamming_score") if data.is_multilabel else OF_MORE_VALUES
        self.n_folds = min(FOLDS, data.n_instances)
        self._folds: CrossValidation | None = None
        self._beside: dict[str, pd.DataFrame] = {}
        self._of_placements: OrderedDict[Trellis, pd.DataFrame] = OrderedDict()
        self._lock = threading.Lock()
        self.is_ready = False  # whether all that the shapes share is there

    def seconds(self, shape: Shape) -> float:
        """Return about how long scoring this shape takes."""
        return (0 if self.is_ready else self.price.once) + self.n_folds / FOLDS * self.price.move(shape)

    def is_quick(self, shape: Shape) -> bool:
        """Return whether a page may score this shape while somebody waits for it."""
        return self.price.move(shape) <= MOVE and self.seconds(shape) <= (MOVE if self.is_ready else FIRST_MOVE)

    def sampling_seconds(self, shape: Shape) -> float:
        """Return about how long scoring an undirected trellis in place takes, by 100 sweeps of Gibbs sampling."""
        return self.seconds(shape.in_place) + self.price.sampling

    def placing_seconds(self, shape: Shape) -> float:
        """Return about how long placing all labels takes."""
        return self.price.placing(shape)

    def is_placed_at_once(self, shape: Shape) -> bool:
        """Return whether a page may place the labels while somebody waits for it."""
        return not shape.is_searched and self.placing_seconds(shape) <= PLACING

    def placed(self, shape: Shape, progress: Progress | None = None, cancelled: Cancelled | None = None) -> Trellis:
        """Place the labels by all rows, as `ClassifierTrellis` does."""
        with one_blas_thread():
            method = ClassifierTrellis(**shape.arguments)
            return method.fit(*self.data.arrays(), progress=progress, cancelled=cancelled).graph_

    def scores(self, shape: Shape, progress: Progress | None = None, cancelled: Cancelled | None = None) -> Scores:
        """Score a shape, and what it is compared with.

        Raises
        ------
        MemoryBudgetError
            If folds or trellis would take more memory than there may be; a chain that would is left out.
        """
        once, move = (0 if self.is_ready else self.price.once), self.price.move(shape)

        def told(share: float, what: str) -> None:
            if progress is not None:
                progress(round(1000 * share), 1000, what)

        beside = self._prepared(lambda share, what: told(share * once / (once + move), what), cancelled)
        asked = Asked(lambda share: told((once + move * share) / (once + move), "CT, cross-validated"), cancelled)
        asked.expected = self.n_folds * (shape.n_swaps if shape.is_searched else 1)
        with one_blas_thread():
            scores = self._folds.scores(ClassifierTrellis(**shape.arguments), self.measures, cancelled=asked)
        return {"CT": scores, **beside}

    def _prepared(
        self, told: Callable[[float, str], None] = lambda share, what: None, cancelled: Cancelled | None = None
    ) -> Scores:
        """Prepare the folds if they are not, and return what a trellis is compared with."""
        with one_blas_thread(), self._lock:
            if self._folds is None:
                told(0, "Preparing the folds")
                self._folds = self._split()
            for name, method in BESIDE.items():
                if name not in self._beside and not self.is_ready:
                    told(0.8, f"{name}, cross-validated")
                    try:
                        self._beside[name] = self._folds.scores(method, self.measures, cancelled=cancelled)
                    except MemoryBudgetError:
                        continue
            self.is_ready = True
        return self._beside

    def known(self, placed: Trellis) -> pd.DataFrame | None:
        """Return the scores of labels that keep their places in every fold, if they were scored."""
        return self._of_placements.get(placed)

    def scores_in_place(self, placed: Trellis, cancelled: Cancelled | None = None) -> Scores:
        """Score labels that keep their places in every fold, beside what they are compared with.

        Raises
        ------
        MemoryBudgetError
            As of `scores`.
        """
        beside = self._prepared(cancelled=cancelled)
        scores = self._of_placements.get(placed)
        if scores is None:
            method = ClassifierTrellis(width=placed.width, parents=placed.offsets, placement=placed.order)
            with one_blas_thread():
                scores = self._folds.scores(method, self.measures, cancelled=cancelled)
            self._of_placements[placed] = scores
            while len(self._of_placements) > MOST_PLACEMENTS:
                self._of_placements.popitem(last=False)
        return {"CT": scores, **beside}

    def sampled_scores(self, method: MultiOutputMethod, cancelled: Cancelled | None = None) -> pd.DataFrame:
        """Score any method on the same folds.

        Raises
        ------
        MemoryBudgetError
            As of `scores`.
        """
        self._prepared()
        with one_blas_thread():
            return self._folds.scores(method, self.measures, cancelled=cancelled)

    def _split(self) -> CrossValidation:
        X, _ = self.data.arrays()
        cells = X.nnz if hasattr(X, "nnz") else X.size
        what = f"{self.n_folds} folds of {self.data.n_instances:,} instances"
        Need(8 * (self.n_folds + 1) * cells, what, "train with one split instead").refuse("Scoring the trellis")
        return CrossValidation(self.data, cv=self.n_folds, scale=True)


@dataclass
class Asked:
    """Tells which share is done by how often it was asked whether to stop, which is at least once a fold or swap."""

    told: Callable[[float], None]
    cancelled: Cancelled | None
    expected: int = 1
    n_asked: int = 0

    def __call__(self) -> bool:
        self.told(min(self.n_asked / self.expected, 1.0))
        self.n_asked += 1
        return self.cancelled is not None and self.cancelled()


@dataclass(frozen=True)
class Price:
    """About how many seconds steps take, by the size of the data: measured from 600 x 6 to 16,000 x 983 labels."""

    n_instances: int
    n_features: int
    n_labels: int

    @property
    def once(self) -> float:
        """What is prepared once: the folds' sums, independent classifiers and a chain."""
        cells = self.n_instances * self.n_labels
        sums = self.n_instances * self.n_features * (self.n_features + self.n_labels)
        return 0.03 + 3.3e-7 * cells + 5e-10 * sums + 2 * self._five_fits + 1e-10 * cells * self.n_labels

    def move(self, shape: Shape) -> float:
        """Five fits and predictions, with their placements."""
        placing = 5 * self.placing(shape)
        return self._five_fits + (0.85 * placing if shape.is_searched else placing)

    def placing(self, shape: Shape) -> float:
        """One placement."""
        if shape.is_searched:
            return 0.05 + 0.65 * shape.n_swaps * self._five_fits
        per_pair = {"explained": 2.6e-6, "random": 0}.get(shape.placement, 2e-8)
        return per_pair * self.n_labels**2

    @property
    def sampling(self) -> float:
        """A hundred sweeps of Gibbs sampling over all held-out rows."""
        return 0.05 + 2e-6 * self.n_instances * self.n_labels

    @property
    def _five_fits(self) -> float:
        cells = self.n_instances * self.n_labels
        return 0.02 + 1.5e-7 * cells + 5e-11 * cells * self.n_features


@dataclass
class Trial:
    """A shape whose placing or scoring takes long, worked on by a job; the worker writes, pages read."""

    shape: Shape
    job: Job = field(default_factory=Job)
    placed: Trellis | None = None
    scores: Scores | None = None

    def work(self, bench: Bench, progress: Progress, cancelled: Cancelled) -> None:
        """Place the labels if that is not quick, and score the shape; what is finished is kept when it is cancelled."""
        whole = bench.placing_seconds(self.shape) + bench.seconds(self.shape)
        place = 0.0 if self.placed or bench.is_placed_at_once(self.shape) else bench.placing_seconds(self.shape)
        share = place / whole

        def first(done: int, total: int, what: str) -> None:
            progress(round(1000 * share * done / total), 1000, f"{what} in all rows")

        def then(done: int, total: int, what: str) -> None:
            progress(round(1000 * (share + (1 - share) * done / total)), 1000, what)

        try:
            stop_if(cancelled)
            if place:
                first(0, 1, "swaps" if self.shape.is_searched else "labels")
                self.placed = bench.placed(self.shape, first, cancelled)
            if bench.n_folds > 1:
                self.scores = bench.scores(self.shape, then, cancelled)
        except CancelledError:
            pass
