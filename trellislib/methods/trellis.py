"""The classifier trellis."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from sklearn.base import BaseEstimator

from trellislib.dependence import mutual_information
from trellislib.graphs import Trellis, random_trellis, trellis
from trellislib.methods.base import LabelGraphClassifier
from trellislib.typing import Matrix


class ClassifierTrellis(LabelGraphClassifier):
    """Classifier trellis (CT): each label is predicted from the features and its parents in a trellis.

    The labels are placed in a lattice so that neighbours depend on each other (Algorithm 1); every label then has
    a few parents, whatever their number. It models the main dependences at nearly the price of independent
    classifiers: L fits on D plus a few inputs, prediction in about two wavefronts per row of the lattice.

    Parameters
    ----------
    estimator : learner or classifier, optional
        Base learner: one of `trellislib.learners` or any scikit-learn classifier; least squares by default. Give
        it, as in ``estimator=LeastSquares()``, to tune its parameters: ``estimator__alpha``.
    width : int, optional
        Number of columns of the lattice; by default the square root of the number of labels, rounded down.
    parents : str or sequence of (int, int), default="left-up"
        Parent pattern: a name of `trellislib.graphs.PATTERNS`, or offsets (rows, columns) to the parents.
    placement : {"hill-climbing", "random"}, default="hill-climbing"
        How labels are placed: by mutual information (Algorithm 1), or at random (the paper's baseline).
    random_state : int, RandomState or None
        Seed of the first label, or of the random placement.

    Attributes
    ----------
    graph_ : Trellis
        The labels in their lattice.
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
    Section 4 of the paper, Algorithms 1 and 2.

    Examples
    --------
    >>> from trellislib import ClassifierTrellis
    >>> X = [[0.0], [0.2], [0.8], [1.0]]
    >>> Y = [[0, 1, 0, 1], [0, 1, 1, 1], [1, 0, 0, 1], [1, 0, 1, 1]]
    >>> method = ClassifierTrellis(width=2, random_state=0).fit(X, Y)
    >>> method.graph_.order
    (2, 0, 1, 3)
    """

    def __init__(
        self,
        estimator: BaseEstimator | None = None,
        *,
        width: int | None = None,
        parents: str | Sequence[tuple[int, int]] = "left-up",
        placement: str = "hill-climbing",
        random_state: int | np.random.RandomState | None = None,
    ) -> None:
        super().__init__(estimator)
        self.width = width
        self.parents = parents
        self.placement = placement
        self.random_state = random_state

    def _label_graph(self, Y: Matrix) -> Trellis:
        if self.placement == "random":
            return random_trellis(Y.shape[1], self.width, self.parents, random_state=self.random_state)
        return trellis(
            mutual_information(Y), self.width, self.parents, placement=self.placement, random_state=self.random_state
        )
