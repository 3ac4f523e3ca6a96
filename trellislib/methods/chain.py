"""Classifier chains: one, the same with probabilistic inference, and an ensemble."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from sklearn.base import BaseEstimator

from trellislib.graphs import frequency_order, information_order
from trellislib.inference import Exhaustive, Inference
from trellislib.labels.graph import LabelGraph
from trellislib.learners import Training
from trellislib.learners.chain_weights import SINGLE_PRECISION
from trellislib.methods.base import MultiOutputMethod
from trellislib.methods.ensemble import Ensemble
from trellislib.methods.label_graph import KnownGraphClassifier
from trellislib.running.memory import FLOAT, Need, Size
from trellislib.running.parallel import jobs_at_once
from trellislib.running.progress import Cancelled

ORDERS = ("random", "frequency", "information")


class ClassifierChain(KnownGraphClassifier):
    """Classifier chain (CC): each label is predicted from the features and all labels before it.

    Models every pair of labels, but errors are handed down the chain and the order matters. Training costs L fits
    on up to D + L inputs, prediction L steps one after the other.

    Parameters
    ----------
    estimator : learner or classifier, optional
        Base learner: one of `trellislib.learners` or any scikit-learn classifier; least squares by default. Give
        it, as in ``estimator=LeastSquares()``, to tune its parameters: ``estimator__alpha``.
    order : sequence of int or {"random", "frequency", "information"}, optional
        The labels in the order of the chain; by default in the order of their columns. By frequency the most
        frequent come first; by information each next label is the one with the highest sum of mutual information
        with those before it.
    inference : Inference, optional
        How labels are decided; `trellislib.Greedy` by default.
    random_state : int, RandomState or None
        Seed of a random order and of sampling.

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
        inference: Inference | None = None,
        random_state: int | np.random.RandomState | None = None,
    ) -> None:
        super().__init__(estimator)
        self.order = order
        self.inference = inference
        self.random_state = random_state

    def memory_needed(self, size: Size) -> Need:
        """Return about how much memory `fit` takes; see `MultiOutputMethod.memory_needed`."""
        return super().memory_needed(size) + chain_memory(size.n_columns)

    def _label_graph(self, training: Training, rng: np.random.RandomState, cancelled: Cancelled | None) -> LabelGraph:
        training_set = training.training_set
        n_labels = training_set.n_labels
        if self.order is None:
            return LabelGraph.chain(range(n_labels))
        if isinstance(self.order, str):
            if self.order == "random":
                return LabelGraph.chain(rng.permutation(n_labels).tolist())
            if self.order == "frequency":
                return LabelGraph.chain(frequency_order(training_set.counts))
            if self.order == "information":
                return LabelGraph.chain(information_order(training_set.information))
            raise ValueError(f"Got order={self.order!r}, but expected one of {ORDERS}, None or the labels in order.")
        if np.ndim(self.order) != 1:
            raise ValueError(f"Got order={self.order!r}, but expected one of {ORDERS}, None or the labels in order.")
        if len(self.order) != n_labels:
            raise ValueError(f"Got an order of {len(self.order)} labels, but expected each of {n_labels} once.")
        return LabelGraph.chain(self.order)


def chain_memory(n_columns: int, n_members: int = 1, at_once: int = 1) -> Need:
    """Return what some full chains take, so many being fitted at a time."""
    kept = 8 if n_columns <= SINGLE_PRECISION else 4
    return Need(
        n_columns**2 * (FLOAT * at_once + kept * n_members / 2),
        f"a matrix of all pairs of {n_columns} label columns" + (f" and {n_members} chains" if n_members > 1 else ""),
        f"use {'Ensemble' if n_members > 1 else ''}ClassifierTrellis{'es' if n_members > 1 else ''}, whose labels have "
        "a few parents each",
    )


class ProbabilisticClassifierChain(ClassifierChain):
    """Probabilistic classifier chain (PCC): a chain whose label vectors are compared by their probability.

    By default the joint probability of every label vector is computed, 2^L of them, and the most probable one
    predicted: the best there is for the exact match, if the base learner's probabilities are right. Above 15
    binary labels that is refused; `trellislib.BeamSearch` and `trellislib.AncestralSampling` have no such bound. For
    the Hamming score let each of them ``maximize="marginals"``.

    Probabilities are the marginals of the inference, so that the most probable vector need not be made of the most
    probable values.

    Parameters
    ----------
    estimator : learner or classifier, optional
        Base learner: one of `trellislib.learners` or any scikit-learn classifier; least squares by default. Give
        it, as in ``estimator=LeastSquares()``, to tune its parameters: ``estimator__alpha``.
    order : sequence of int or {"random", "frequency", "information"}, optional
        As for `ClassifierChain`.
    inference : Inference, optional
        How labels are decided; `trellislib.Exhaustive` by default.
    random_state : int, RandomState or None
        Seed of a random order and of sampling.

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
    Section 3.2 of the paper. Dembczynski, Cheng and Huellermeier, "Bayes optimal multilabel classification via
    probabilistic classifier chains", ICML 2010.

    Examples
    --------
    >>> from trellislib import ProbabilisticClassifierChain
    >>> X, Y = [[0.0], [0.2], [0.8], [1.0]], [[0, 1], [0, 1], [1, 0], [1, 0]]
    >>> ProbabilisticClassifierChain().fit(X, Y).predict([[0.1], [0.9]])
    array([[0, 1],
           [1, 0]])
    """

    def _default_inference(self) -> Inference:
        return Exhaustive()


class EnsembleClassifierChains(Ensemble):
    """Ensemble of classifier chains (ECC): chains in random orders that vote, label by label.

    Ten random chains average out a bad order and errors handed down; training and prediction cost M times a chain's.
    The paper's text says ten members and a majority vote, which is the default; its numbers fit the authors' code
    better, which is ``max_samples=0.67, voting="soft", threshold="cardinality"`` (the threshold being chosen here on
    training rows only).

    Parameters
    ----------
    estimator : learner or classifier, optional
        Base learner: one of `trellislib.learners` or any scikit-learn classifier; least squares by default. Give
        it, as in ``estimator=LeastSquares()``, to tune its parameters: ``estimator__alpha``.
    n_estimators : int, default=10
        Number of members, M.
    max_samples : float, default=1.0
        Share of the training rows that each member sees, drawn without replacement; the authors' code uses 0.67.
    voting : {"hard", "soft"}, default="hard"
        Whether members vote for values, or their probabilities are averaged.
    threshold : float or {"cardinality", "per-label"}, default=0.5
        Share of votes above which a binary label is relevant, or how it is chosen by cross-validation on the
        training rows; see `trellislib.ThresholdedClassifier`.
    n_jobs : int, optional
        Members fitted at a time, as joblib counts; by default one, or what ``joblib.parallel_config`` says. Threads
        are used where it names no backend.
    random_state : int, RandomState or None
        Seed of the orders and of the rows. Every member gets a seed of its own.

    Attributes
    ----------
    estimators_ : list
        The fitted members.
    threshold_ : float or ndarray of shape (n_labels,)
        Above which votes a label is relevant.
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
    Section 3.2 of the paper. Read et al., "Classifier chains for multi-label classification", Machine Learning
    85 (2011).

    Examples
    --------
    >>> from trellislib import EnsembleClassifierChains
    >>> X, Y = [[0.0], [0.2], [0.8], [1.0]], [[0, 1], [0, 1], [1, 0], [1, 0]]
    >>> EnsembleClassifierChains(random_state=0).fit(X, Y).predict([[0.1], [0.9]])
    array([[0, 1],
           [1, 0]])
    """

    def memory_needed(self, size: Size) -> Need:
        """Return about how much memory `fit` takes; see `MultiOutputMethod.memory_needed`."""
        return super().memory_needed(size) + chain_memory(
            size.n_columns, self.n_estimators, jobs_at_once(self.n_jobs, self.n_estimators)
        )

    def _members(
        self, training: Training, seeds: Sequence[int], cancelled: Cancelled | None
    ) -> list[MultiOutputMethod]:
        return [ClassifierChain(self.estimator, order="random", random_state=seed) for seed in seeds]
