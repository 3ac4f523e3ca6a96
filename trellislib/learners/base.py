"""What a learner is: something that fits p(y_l | x, y_inputs) for all labels of a graph.

The inputs of a label are its parents in a directed graph and its neighbours in an undirected one.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np
from sklearn.base import BaseEstimator

from trellislib.labels.graph import AnyLabelGraph, LabelGraph
from trellislib.learners.training_set import TrainingSet
from trellislib.running.memory import FLOAT, Need, Size
from trellislib.running.progress import Cancelled, Progress, stop_if
from trellislib.typing import Labels, Matrix

N_FOLDS = 5  # of the rows that are held out
TABLE_ROWS = 2**14  # instances times vectors of inputs that a conditional is evaluated for at a time
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

    def steps(self, graph: LabelGraph) -> Sequence[Labels]:
        """Return the labels that `decide` is asked about at a time in a pass: those of a level, which are independent.

        Conditionals that find decisions that depend on each other by themselves may have fewer steps.
        """
        return graph.fronts

    @abstractmethod
    def decide(self, labels: Labels, Z: np.ndarray) -> np.ndarray:
        """Return the most probable codes, of shape (len(labels), n_instances), of `labels` given their inputs."""

    @abstractmethod
    def probabilities(self, labels: Labels, Z: np.ndarray) -> np.ndarray:
        """Return the probability of each column of `labels` given their inputs, (columns, n_instances)."""

    def table(self, label: int, Z: np.ndarray, n_instances: int) -> np.ndarray:
        """Return the probabilities of the columns of `label` of every instance, for each of some values of its inputs.

        Parameters
        ----------
        label : int
            The label.
        Z : ndarray of shape (n_columns, n_vectors)
            Vectors of indicator columns; only the rows of the label's inputs are read.
        n_instances : int
            How many instances there are.

        Returns
        -------
        ndarray of shape (columns of the label, n_vectors, n_instances)
        """
        at_once = max(TABLE_ROWS // max(n_instances, 1), 1)
        parts = []
        for low in range(0, Z.shape[1], at_once):
            part = Z[:, low : low + at_once]
            p = self.tiled(part.shape[1]).probabilities((label,), np.repeat(part, n_instances, axis=1))
            parts.append(p.reshape(len(p), part.shape[1], n_instances))
        return np.concatenate(parts, axis=1)


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
        self,
        graph: AnyLabelGraph,
        rows: np.ndarray | None = None,
        *,
        progress: Progress | None = None,
        cancelled: Cancelled | None = None,
    ) -> Iterator[tuple[np.ndarray, Given]]:
        """Yield the conditionals of training rows as they are when fitted without them, in five folds.

        Parameters
        ----------
        graph : LabelGraph or UndirectedLabelGraph
            The structure between the labels.
        rows : ndarray of int
            The training rows that are asked about; by default all.
        progress, cancelled : callable, optional
            See `trellislib.running.progress`; called for each fold.

        Yields
        ------
        ndarray of int
            Some of the rows.
        Given
            Their conditionals.
        """
        for done, (rest, held, which) in enumerate(self.training_set.folds(N_FOLDS), 1):
            asked = np.ones(len(which), dtype=bool) if rows is None else np.isin(which, rows)
            stop_if(cancelled)
            if asked.any():
                fitted = self.learner.prepare(rest).fit(graph, cancelled=cancelled)
                yield which[asked], fitted.given(held.X[asked])
            if progress is not None:
                progress(done, N_FOLDS, "folds")
