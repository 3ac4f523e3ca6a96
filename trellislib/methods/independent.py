"""Independent classifiers."""

from __future__ import annotations

import numpy as np

from trellislib.labels.graph import LabelGraph
from trellislib.learners import Training
from trellislib.methods.label_graph import KnownGraphClassifier
from trellislib.running.progress import Cancelled


class IndependentClassifiers(KnownGraphClassifier):
    """Independent classifiers (IC, also called binary relevance): one per label, no structure.

    The baseline that neglects every dependence between labels, and the cheapest method: L fits on D features.

    Parameters
    ----------
    estimator : learner or classifier, optional
        Base learner: one of `trellislib.learners` or any scikit-learn classifier; least squares by default. Give
        it, as in ``estimator=LeastSquares()``, to tune its parameters: ``estimator__alpha``.

    Attributes
    ----------
    graph_ : LabelGraph
        The structure between the labels.
    conditionals_ : Conditionals
        The fitted p(y_l | x, y_parents).
    coding_ : LabelCoding
        The values of the labels, and the columns that stand for them.
    classes_ : list of ndarray, or ndarray where `y` had one dimension
        The values of each label.
    n_features_in_ : int
        Number of features seen in `fit`.
    feature_names_in_, label_names_in_ : ndarray
        Names of features and labels, where `X` and `y` were data frames with names.

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

    def _label_graph(self, training: Training, rng: np.random.RandomState, cancelled: Cancelled | None) -> LabelGraph:
        return LabelGraph.independent(training.training_set.n_labels)
