"""The methods of the paper, with its parameters and its base learners, ready for a data set.

Features are put into [0, 1] before every base learner, on training rows only, as Weka does before it trains its SVM.
That also serves least squares and logistic regression: to unit variance would be no better on the dense sets, and on
texts it lifts rare words so much that IC on Medical has an accuracy of .59 instead of .76 (5-fold, least squares).

As the paper's base learners:

- Below `MANY_LABELS` labels a linear SVM with Weka's default C = 1. Its loss is the hinge, as in Weka's SMO; with the
  squared hinge, scikit-learn's default, CT on Music has .553 instead of .565 and on Scene .624 instead of .636.
- Above, stochastic gradient descent with at most 100 epochs. The paper does not name its loss; Weka's default is the
  hinge, which makes it the same classifier, fitted another way.

Neither gives probabilities. Where an inference needs them (CDT), a logistic model is fitted on each label's scores, as
in the paper. The seeds are left open, so that `trellislib.experiment.run` sets them for each fit.
"""

from __future__ import annotations

import warnings
from collections.abc import Callable, Mapping
from functools import partial
from typing import Self

import numpy as np
from sklearn.base import BaseEstimator
from sklearn.exceptions import ConvergenceWarning
from sklearn.linear_model import SGDClassifier
from sklearn.svm import LinearSVC

from trellislib.data.dataset import Dataset
from trellislib.data.room import Room
from trellislib.inference import GibbsSampling
from trellislib.learners import LeastSquares, Logistic
from trellislib.methods import (
    ClassifierDependencyTrellis,
    ClassifierTrellis,
    EnsembleBayesianClassifierChains,
    EnsembleClassifierChains,
    EnsembleClassifierTrellises,
    IndependentClassifiers,
    MonteCarloClassifierChain,
    OptimalClassifierChain,
)
from trellislib.methods.preprocessing import with_preprocessing
from trellislib.room.estimate import MapEstimator
from trellislib.typing import Matrix

MANY_LABELS = 100  # above them, the paper trains by stochastic gradient descent
MEMBERS = 10  # of ensembles, and random orders of MCC
EPOCHS = 100
SWEEPS, BURN_IN = 100, 10  # T and T_c

LEARNERS = {
    "fast": "Least squares, fitted for all labels at once",
    "logistic": "Logistic regression, fitted for all labels at once",
    "paper": "As in the paper: a linear SVM for each label, above 100 labels gradient descent of at most 100 epochs",
}
"""The base learners of `base_learner`, and what they are."""


class LinearSVM(LinearSVC):
    """A linear SVM that may stop before it has converged.

    Where the solver would go on for many thousands of passes over the data, as on Yeast and Enron, accuracy, Hamming
    score and exact match after 1,000 are within .002 of those after 10,000. So no warning is given.
    """

    def fit(self, X: Matrix, y: np.ndarray, sample_weight: np.ndarray | None = None) -> Self:
        """Fit as `sklearn.svm.LinearSVC` does."""
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", ConvergenceWarning)
            return super().fit(X, y, sample_weight)


def base_learner(key: str, n_labels: int) -> BaseEstimator:
    """Return a base learner for data of so many labels.

    Parameters
    ----------
    key : {"fast", "logistic", "paper"}
        One of `LEARNERS`.
    n_labels : int
        Number of labels, by which the paper chooses.

    Returns
    -------
    learner or classifier
        What the methods of the library take as ``estimator``.

    Raises
    ------
    ValueError
        If there is no such base learner.

    Examples
    --------
    >>> base_learner("paper", n_labels=6)
    LinearSVM(loss='hinge', tol=0.01)
    >>> base_learner("paper", n_labels=983).loss
    'hinge'
    """
    if key == "fast":
        return LeastSquares()
    if key == "logistic":
        return Logistic()
    if key == "paper":
        if n_labels <= MANY_LABELS:
            return LinearSVM(C=1.0, loss="hinge", tol=0.01, max_iter=1000)
        return SGDClassifier(loss="hinge", max_iter=EPOCHS)
    raise ValueError(f"Got the base learner {key!r}, but expected one of {list(LEARNERS)}.")


ENSEMBLES = {
    "text": "ten members that vote, as in the text",
    "code": "members on 67% of the rows, their probabilities averaged, one threshold: as the published numbers have it",
}
"""The two ways to read what the paper's ensembles are."""

_AS_IN: Mapping[str, Mapping[str, object]] = {
    "text": {},
    "code": {"max_samples": 0.67, "voting": "soft", "threshold": "cardinality"},
}

METHODS: dict[str, Callable[..., BaseEstimator]] = {
    "IC": IndependentClassifiers,
    "ECC": partial(EnsembleClassifierChains, n_estimators=MEMBERS),
    "MCC": partial(MonteCarloClassifierChain, n_orders=MEMBERS),
    "OCC": OptimalClassifierChain,
    "EBCC": partial(EnsembleBayesianClassifierChains, structure="fs", n_estimators=MEMBERS),
    "EBCC-FS": partial(EnsembleBayesianClassifierChains, structure="fs", n_estimators=MEMBERS),
    "EBCC-LEAD": partial(EnsembleBayesianClassifierChains, structure="lead", residuals="error", n_estimators=MEMBERS),
    "CT": partial(ClassifierTrellis, parents="left-up"),
    "CT-HC": partial(ClassifierTrellis, parents="left-up"),
    "CT-random": partial(ClassifierTrellis, parents="left-up", placement="random"),
    "ECT": partial(EnsembleClassifierTrellises, parents="left-up", n_estimators=MEMBERS),
    "CDT": partial(
        ClassifierDependencyTrellis, parents="left-up", inference=GibbsSampling(n_iterations=SWEEPS, n_burn_in=BURN_IN)
    ),
}
"""Every method of the paper's tables that learns, made of its base learner; "MAP" learns nothing."""


def paper_method(key: str, learner: str, dataset: Dataset, ensembles: str = "text") -> BaseEstimator:
    """Return a method as the paper sets it, ready for a data set.

    Parameters
    ----------
    key : str
        As the paper calls it: one of `METHODS`, or "MAP", Algorithm 3 for the sensors of the room.
    learner : {"fast", "logistic", "paper"}
        One of `LEARNERS`.
    dataset : Dataset
        What it is for: its number of labels decides the base learner, and whether it is sparse, the scaling.
    ensembles : {"text", "code"}, default="text"
        One of `ENSEMBLES`.

    Returns
    -------
    estimator
        Features to [0, 1], missing ones filled with their mean, and the method. Its ``random_state`` is None.

    Raises
    ------
    ValueError
        If there is no such method, base learner or way of ensembles, or "MAP" is asked for data that are not of the
        room.

    Examples
    --------
    >>> from trellislib.data import packaged
    >>> method = paper_method("CDT", "fast", packaged("yeast"))
    >>> method.named_steps["method"].inference
    GibbsSampling()
    """
    if key == "MAP":
        width = round(dataset.n_labels**0.5)
        if width < 2 or width**2 != dataset.n_labels:
            raise ValueError(
                f"{dataset.name}: MAP takes a room of W x W tiles, but here are {dataset.n_labels} labels."
            )
        return MapEstimator(Room.default(width, dataset.n_features))
    if key not in METHODS:
        raise ValueError(f"Got the method {key!r}, but expected one of {[*METHODS, 'MAP']}.")
    if ensembles not in ENSEMBLES:
        raise ValueError(f"Got the ensembles {ensembles!r}, but expected one of {list(ENSEMBLES)}.")
    members = _AS_IN[ensembles] if key.startswith("E") else {}
    return with_preprocessing(METHODS[key](base_learner(learner, dataset.n_labels), **members), "to [0, 1]", dataset)
