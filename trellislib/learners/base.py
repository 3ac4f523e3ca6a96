"""What a learner is: something that fits p(y_l | x, y_parents) for all labels of a graph."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence

import numpy as np
from sklearn.base import BaseEstimator

from trellislib.coding import LabelCoding
from trellislib.graphs import LabelGraph
from trellislib.progress import Cancelled, Progress
from trellislib.typing import Matrix


class Conditionals(ABC):
    """Fitted p(y_l | x, y_parents) for every label of a graph.

    Labels are handed around as indicator columns `Z` of shape (n_columns, n_instances), one row per column, so that
    the labels of a wavefront are a contiguous block. Of `Z` only the rows of the parents are read.
    """

    gives_probabilities: bool

    @abstractmethod
    def given(self, X: Matrix) -> Given:
        """Do once what depends on `X` alone, and return what depends on the parents."""


class Given(ABC):
    """The conditionals of some instances, whose features are known."""

    @abstractmethod
    def decide(self, labels: Sequence[int], Z: np.ndarray) -> np.ndarray:
        """Return the most probable codes, of shape (len(labels), n_instances), of `labels` given their parents."""

    @abstractmethod
    def probabilities(self, labels: Sequence[int], Z: np.ndarray) -> np.ndarray:
        """Return the probability of each column of `labels` given their parents, (columns, n_instances)."""


class Learner(BaseEstimator, ABC):
    """Fits the conditionals of all labels of a graph; its parameters are scikit-learn's kind."""

    @abstractmethod
    def fit_graph(
        self,
        X: Matrix,
        Y: Matrix,
        coding: LabelCoding,
        graph: LabelGraph,
        *,
        progress: Progress | None = None,
        cancelled: Cancelled | None = None,
    ) -> Conditionals:
        """Fit p(y_l | x, y_parents) for every label of `graph`.

        Parameters
        ----------
        X : {ndarray, CSR} of shape (n_instances, n_features)
            Features.
        Y : {ndarray, CSR} of shape (n_instances, n_labels)
            Label values.
        coding : LabelCoding
            The values of each label.
        graph : LabelGraph
            Which labels each label is predicted from.
        progress, cancelled : callable, optional
            See `trellislib.progress`.

        Returns
        -------
        Conditionals
        """
