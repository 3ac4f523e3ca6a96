"""What a learner is: something that fits p(y_l | x, y_inputs) for all labels of a graph.

The inputs of a label are its parents in a directed graph and its neighbours in an undirected one.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np
from sklearn.base import BaseEstimator
from sklearn.model_selection import KFold

from trellislib.labels.graph import AnyLabelGraph
from trellislib.learners.training_set import TrainingSet
from trellislib.running.memory import FLOAT, Need, Size
from trellislib.running.progress import Cancelled, Progress, stop_if
from trellislib.typing import Matrix

N_FOLDS = 5  # of the rows that are held out
COPIES = ("copies of the features", "give fewer features or instances, or features as a CSR array")


class Conditionals(ABC):
    """Fitted p(y_l | x, y_inputs) for every label of a graph.

    Labels are handed around as indicator columns `Z` of shape (n_columns, n_instances), one row per column, so that
    the labels of a wavefront are a contiguous block. Of `Z` only the rows of the inputs are read.
    """

    @abstractmethod
    def given(self, X: Matrix) -> Given:
        """Return the conditionals of the instances `X`; what depends on the features alone is computed once."""


class Given(ABC):
    """The conditionals of some instances, whose features are known."""

    @abstractmethod
    def tiled(self, times: int) -> Given:
        """Return the conditionals of the same instances, all of them `times` times over."""

    def walk(self) -> Given:
        """Return the same conditionals for one pass over the labels in the order of the graph.

        In a pass, labels are decided in that order, and the rows of `Z` of the labels before do not change.
        """
        return self

    @abstractmethod
    def decide(self, labels: Sequence[int], Z: np.ndarray) -> np.ndarray:
        """Return the most probable codes, of shape (len(labels), n_instances), of `labels` given their inputs."""

    @abstractmethod
    def probabilities(self, labels: Sequence[int], Z: np.ndarray) -> np.ndarray:
        """Return the probability of each column of `labels` given their inputs, (columns, n_instances)."""


class Learner(BaseEstimator, ABC):
    """Fits the conditionals of all labels of any graph; its parameters are scikit-learn's kind."""

    gives_probabilities: bool

    def memory_needed(self, size: Size) -> Need:
        """Return about how much memory fits take in addition to the data and what the structure takes."""
        return Need(FLOAT * size.n_instances * size.n_features * size.dense_features, *COPIES)

    @abstractmethod
    def prepare(self, training_set: TrainingSet) -> Training:
        """Return this learner with its data, to be fitted to one graph or to many."""


class Training(ABC):
    """A learner and its data. What graphs have in common is computed once, when the first of them asks.

    Attributes
    ----------
    learner : Learner
        The learner.
    training_set : TrainingSet
        The data.
    """

    def __init__(self, learner: Learner, training_set: TrainingSet) -> None:
        self.learner = learner
        self.training_set = training_set
        self._fitted: dict[tuple[int, tuple[int, ...]], Any] = {}  # by label and inputs, for learners that fit these

    @abstractmethod
    def fit(
        self, graph: AnyLabelGraph, *, progress: Progress | None = None, cancelled: Cancelled | None = None
    ) -> Conditionals:
        """Fit p(y_l | x, y_inputs) for every label of `graph`.

        Parameters
        ----------
        graph : LabelGraph or UndirectedLabelGraph
            Which labels each label is predicted from: its parents, or its neighbours.
        progress, cancelled : callable, optional
            See `trellislib.running.progress`.
        """

    def held_out(
        self, graph: AnyLabelGraph, *, progress: Progress | None = None, cancelled: Cancelled | None = None
    ) -> Iterator[tuple[np.ndarray, Given]]:
        """Yield the conditionals of some training rows at a time, fitted without them.

        These are five shuffled folds, the same ones at every call (of fewer than five rows, each is a fold), each given
        what is fitted to the others.

        Parameters
        ----------
        graph : LabelGraph or UndirectedLabelGraph
            Which labels each label is predicted from.
        progress, cancelled : callable, optional
            See `trellislib.running.progress`; called for each fold.

        Yields
        ------
        rows : ndarray of shape (n_rows,)
            Numbers of rows of the training set; each row comes once.
        given : Given
            Their conditionals.

        Raises
        ------
        ValueError
            If there is a single row, which cannot be held out.
        """
        n_instances = self.training_set.n_instances
        if n_instances < 2:
            raise ValueError("Got one training row, but expected at least two: one is held out.")
        n_folds = min(N_FOLDS, n_instances)
        folds = KFold(n_folds, shuffle=True, random_state=0).split(np.empty(n_instances))
        for done, (_, test) in enumerate(folds, 1):
            stop_if(cancelled)
            rest, held = self.training_set.split(test)
            yield test, self.learner.prepare(rest).fit(graph, cancelled=cancelled).given(held.X)
            if progress is not None:
                progress(done, n_folds, "folds")
