"""What a learner is: something that fits p(y_l | x, y_parents) for all labels of a graph."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence

import numpy as np
from sklearn.base import BaseEstimator

from trellislib.coding import LabelCoding
from trellislib.graphs import LabelGraph
from trellislib.progress import Cancelled, Progress
from trellislib.typing import Matrix

ScoreFunction = Callable[[Sequence[int], np.ndarray], np.ndarray]
"""``score(labels, Z)``: the scores, of shape (columns of the labels, n_instances), that some labels have given
the indicator columns `Z`, of shape (n_columns, n_instances), of which only their parents' are read. One row
per column, so that the labels of a wavefront are a contiguous block."""


class Conditionals(ABC):
    """Fitted p(y_l | x, y_parents) for every label of a graph."""

    gives_probabilities: bool

    @abstractmethod
    def given(self, X: Matrix) -> ScoreFunction:
        """Do once what depends on `X` alone, and return the function that scores labels given their parents."""

    def probabilities(self, scores: np.ndarray) -> np.ndarray:
        """Turn scores of all columns, of shape (n_columns, n_instances), into probabilities."""
        return scores


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
