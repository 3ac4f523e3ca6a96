"""Independent classifiers."""

from __future__ import annotations

from trellislib.graphs import LabelGraph
from trellislib.methods.base import LabelGraphClassifier
from trellislib.typing import Matrix


class IndependentClassifiers(LabelGraphClassifier):
    """Independent classifiers (IC, also called binary relevance): one per label, no structure.

    The baseline that neglects every dependence between labels, and the cheapest method: L fits on D features.

    Parameters
    ----------
    estimator : learner or classifier, optional
        Base learner: one of `trellislib.learners` or any scikit-learn classifier; least squares by default.

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

    def _label_graph(self, Y: Matrix) -> LabelGraph:
        return LabelGraph.independent(Y.shape[1])
