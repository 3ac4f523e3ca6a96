"""Classifier chains: one, the same with probabilistic inference, and an ensemble."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from trellislib.graphs import frequency_order, information_order
from trellislib.inference import Exhaustive, Inference
from trellislib.labels.graph import LabelGraph
from trellislib.learners import Training
from trellislib.learners.chain_weights import SINGLE_PRECISION
from trellislib.methods.base import MultiOutputMethod
from trellislib.methods.ensemble import Ensemble
from trellislib.methods.label_graph import KnownGraphClassifier
from trellislib.methods.parameters import with_parameters
from trellislib.running.memory import FLOAT, Need, Size
from trellislib.running.parallel import jobs_at_once
from trellislib.running.progress import Cancelled

ORDERS = ("random", "frequency", "information")


@with_parameters
class ClassifierChain(KnownGraphClassifier):
    """Classifier chain (CC): each label is predicted from the features and all labels before it.

    Models every pair of labels, but errors are handed down the chain and the order matters. Training costs L fits
    on up to D + L inputs, prediction L steps one after the other.

    Parameters
    ----------
    order : sequence of int or {"random", "frequency", "information"}, optional
        The labels in the order of the chain; by default in the order of their columns. By frequency the most
        frequent come first; by information each next label is the one with the highest sum of mutual information
        with those before it.
    random_state : int, RandomState or None
        Seed of a random order and of sampling.

    Attributes
    ----------
    graph_ : LabelGraph
        Every label has all labels before it as parents.

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

    order: Sequence[int] | str | None = None

    def memory_needed(self, size: Size) -> Need:
        """Return about how much memory `fit` takes; see `MultiOutputMethod.memory_needed`."""
        return super().memory_needed(size) + chain_memory(size.n_columns)

    def _label_graph(self, training: Training, rng: np.random.RandomState, cancelled: Cancelled | None) -> LabelGraph:
        data, n_labels = training.training_set, training.training_set.n_labels
        if self.order is None:
            return LabelGraph.chain(range(n_labels))
        if isinstance(self.order, str) and self.order == "random":
            return LabelGraph.chain(rng.permutation(n_labels).tolist())
        if isinstance(self.order, str) and self.order == "frequency":
            return LabelGraph.chain(frequency_order(data.counts))
        if isinstance(self.order, str) and self.order == "information":
            return LabelGraph.chain(information_order(data.information))
        if isinstance(self.order, str) or np.ndim(self.order) != 1:
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


@with_parameters
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
    order : sequence of int or {"random", "frequency", "information"}, optional
        As for `ClassifierChain`.
    inference : Inference, optional
        How labels are decided; `trellislib.Exhaustive` by default.
    random_state : int, RandomState or None
        Seed of a random order and of sampling.

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


@with_parameters
class EnsembleClassifierChains(Ensemble):
    """Ensemble of classifier chains (ECC): chains in random orders that vote, label by label.

    Ten random chains average out a bad order and errors handed down; training and prediction cost M times a chain's.
    The paper's text says ten members and a majority vote, which is the default; its numbers fit the authors' code
    better, which is ``max_samples=0.67, voting="soft", threshold="cardinality"`` (the threshold being chosen here on
    training rows only).

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
        return [self._member(ClassifierChain, order="random", random_state=seed) for seed in seeds]
