"""Independent classifiers."""

from __future__ import annotations

from typing import Literal

import numpy as np
from sklearn.base import BaseEstimator

from trellislib.decisions import Rule
from trellislib.labels.graph import LabelGraph
from trellislib.learners import Training
from trellislib.methods.label_graph import KnownGraphClassifier
from trellislib.methods.parameters import with_parameters
from trellislib.running.progress import Cancelled


@with_parameters
class IndependentClassifiers(KnownGraphClassifier):
    """Independent classifiers (IC, also called binary relevance): one per label, no structure.

    The baseline that neglects every dependence between labels, and the cheapest method: L fits on D features.

    Attributes
    ----------
    graph_ : LabelGraph
        No edges.

    References
    ----------
    Section 3.1 of the paper.

    Examples
    --------
    >>> from trellislib import IndependentClassifiers
    >>> X = [[0.0], [0.2], [0.8], [1.0]]
    >>> Y = [[0, 1], [0, 1], [1, 0], [1, 0]]
    >>> IndependentClassifiers().fit(X, Y).predict([[0.1], [0.9]])
    array([[0, 1],
           [1, 0]])
    """

    def __init__(
        self, estimator: BaseEstimator | Literal["auto"] | None = None, *, decide: str | Rule | None = None
    ) -> None:
        self.estimator = estimator  # and nothing is inferred, nothing is random
        self.decide = decide

    def _label_graph(self, training: Training, rng: np.random.RandomState, cancelled: Cancelled | None) -> LabelGraph:
        return LabelGraph.independent(training.training_set.n_labels)
