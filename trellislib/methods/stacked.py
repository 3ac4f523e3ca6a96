"""A control for chains and trellises: as deep as they are, without any label's true value."""

from __future__ import annotations

from dataclasses import field, replace

import numpy as np
from scipy import sparse
from sklearn.base import clone

from trellislib.inference import Inferred
from trellislib.learners import Training, probabilistic
from trellislib.learners.base import N_FOLDS
from trellislib.methods.base import Unweighted
from trellislib.methods.independent import IndependentClassifiers
from trellislib.methods.parameters import with_parameters
from trellislib.running.progress import Cancelled, Progress, part_of
from trellislib.typing import Matrix


@with_parameters
class StackedIndependentClassifiers(Unweighted):
    """Stacked independent classifiers: the second level sees the features and what the first says of every label.

    What the first level says is a function of the features alone, so that the second level cannot use what labels have
    in common beyond the features. It is as deep as a chain. Its lead over independent classifiers is a gain from depth;
    the lead of a chain or trellis over it is a gain from label dependence. Training rows of the second level have what
    the first says when fitted without them, in five folds.

    Attributes
    ----------
    first_, second_ : IndependentClassifiers
        The levels.

    References
    ----------
    Read, Pfahringer, Holmes and Frank, "Classifier chains: a review and perspectives", Journal of Artificial
    Intelligence Research 70, 2021, on what chains gain without dependence. Godbole and Sarawagi, "Discriminative
    methods for multi-labeled classification", PAKDD 2004.

    Examples
    --------
    >>> X, Y = [[0.0], [0.2], [0.8], [1.0]] * 3, [[0, 1], [0, 1], [1, 0], [1, 0]] * 3
    >>> StackedIndependentClassifiers().fit(X, Y).predict([[0.1], [0.9]])
    array([[0, 1],
           [1, 0]])
    """

    first_: IndependentClassifiers = field(init=False)
    second_: IndependentClassifiers = field(init=False)

    def _gives_probabilities(self) -> bool:
        return self._learner().gives_probabilities

    def _fit(self, training: Training, progress: Progress | None, cancelled: Cancelled | None) -> None:
        training = probabilistic(training)
        data, learner, alone = training.training_set, training.learner, IndependentClassifiers()
        said = np.zeros((self.coding_.n_columns, data.n_instances))
        for rest, held, rows in data.folds(N_FOLDS):
            fitted = clone(alone)._fit_training(learner.prepare(rest), cancelled=cancelled)
            said[:, rows] = fitted._all_probabilities(held.X)
        self.first_ = clone(alone)._fit_training(training, part_of(progress, 0, 2), cancelled)
        extended = replace(data, X=_with(data.X, said))
        self.second_ = alone._fit_training(learner.prepare(extended), part_of(progress, 1, 2), cancelled)

    def _infer(self, X: Matrix) -> Inferred:
        return self.second_._infer(_with(X, self.first_._probabilities(X)))

    def _probabilities(self, X: Matrix) -> np.ndarray:
        return self.second_._probabilities(_with(X, self.first_._probabilities(X)))


def _with(X: Matrix, said: np.ndarray) -> Matrix:
    return sparse.csr_array(sparse.hstack([X, said.T])) if sparse.issparse(X) else np.hstack([X, said.T])
