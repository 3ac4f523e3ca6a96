"""Classifier chains."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from sklearn.base import BaseEstimator
from sklearn.utils import check_random_state

from trellislib.graphs import LabelGraph
from trellislib.methods.base import LabelGraphClassifier
from trellislib.typing import Matrix


class ClassifierChain(LabelGraphClassifier):
    """Classifier chain (CC): each label is predicted from the features and all labels before it.

    Models every pair of labels, but errors are handed down the chain and the order matters. Training costs L fits
    on up to D + L inputs, prediction L steps one after the other.

    Parameters
    ----------
    estimator : learner or classifier, optional
        Base learner: one of `trellislib.learners` or any scikit-learn classifier; least squares by default. Give
        it, as in ``estimator=LeastSquares()``, to tune its parameters: ``estimator__alpha``.
    order : sequence of int or "random", optional
        The labels in the order of the chain; by default in the order of their columns.
    random_state : int, RandomState or None
        Seed of a random order.

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
    feature_names_in_ : ndarray of shape (n_features_in_,)
        Their names, where `X` was a data frame with names.

    References
    ----------
    Section 3.2 of the paper. Read et al., "Classifier chains for multi-label classification", Machine Learning
    85 (2011).

    Examples
    --------
    >>> from trellislib import ClassifierChain
    >>> X = [[0.0], [0.2], [0.8], [1.0]]
    >>> Y = [[0, 1], [0, 1], [1, 0], [1, 0]]
    >>> chain = ClassifierChain(order=[1, 0]).fit(X, Y)
    >>> chain.graph_.parents
    ((1,), ())
    """

    def __init__(
        self,
        estimator: BaseEstimator | None = None,
        *,
        order: Sequence[int] | str | None = None,
        random_state: int | np.random.RandomState | None = None,
    ) -> None:
        super().__init__(estimator)
        self.order = order
        self.random_state = random_state

    def _label_graph(self, Y: Matrix) -> LabelGraph:
        n_labels = Y.shape[1]
        order: Sequence[int]
        if self.order is None:
            order = range(n_labels)
        elif isinstance(self.order, str):
            if self.order != "random":
                raise ValueError(f"Got order={self.order!r}, but expected 'random', None or the labels in order.")
            order = check_random_state(self.random_state).permutation(n_labels)
        else:
            order = self.order
            if len(order) != n_labels:
                raise ValueError(f"Got an order of {len(order)} labels, but expected each of {n_labels} once.")
        return LabelGraph.chain(order)
