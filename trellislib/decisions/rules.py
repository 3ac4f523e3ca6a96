"""Rules that decide label vectors: from a distribution over them, one for each instance."""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np
from scipy.special import softmax

from trellislib.decisions.distribution import Distribution
from trellislib.decisions.expected import (
    accuracy_between,
    highest,
    most_expected_accuracy,
    most_expected_f1,
    most_expected_f1_of_sets,
)
from trellislib.decisions.nearby import NearbySets
from trellislib.labels.coding import LabelCoding
from trellislib.labels.matrices import dense
from trellislib.typing import Matrix

MOST_TABULATED = 512  # label sets whose accuracy for each other is one table; of more sets,
MOST_COMPARED = 32  # so many of an instance are compared, the most probable ones,
CELLS = 2**22  # of so many instances at a time that this many pairs of sets are held
_NO_FEATURES = "This rule looks at features: expected the rule for some instances, as from `rule.at(X)`."


class Rule(ABC):
    """Decides the label vectors of some instances.

    Attributes
    ----------
    name : str
        What it does, in a few words.
    binary_only : bool
        Whether it needs labels of two values.
    """

    name: str
    binary_only = False

    def refuse(self, coding: LabelCoding) -> None:
        """Raise a ValueError where the rule cannot decide such labels."""
        if self.binary_only and not coding.is_binary:
            raise ValueError(f"Got decide={self!r} and labels of more than two values, but expected labels of two.")

    def at(self, X: Matrix) -> Rule:
        """Return the rule for instances of these features; most rules look at none."""
        return self

    @abstractmethod
    def decide(self, distribution: Distribution) -> np.ndarray:
        """Return the codes of all labels, of shape (n_labels, n_instances)."""


@dataclass(frozen=True)
class AsInferred(Rule):
    """Keeps what the method's inference decides."""

    name = "the inference's own decisions"

    def decide(self, distribution: Distribution) -> np.ndarray:
        """Return the method's own decisions; see `Rule.decide`."""
        return distribution.codes


@dataclass(frozen=True)
class MostProbableValues(Rule):
    """Takes the most probable value of each label."""

    name = "each label's most probable value"

    def decide(self, distribution: Distribution) -> np.ndarray:
        """Return the most probable values, ties going to the lower one; see `Rule.decide`."""
        coding = distribution.coding
        return coding.decide(distribution.marginals, range(coding.n_labels))


@dataclass(frozen=True, eq=False)
class AboveThreshold(Rule):
    """Takes the labels whose probability is above a threshold.

    Parameters
    ----------
    threshold : float or ndarray of shape (n_labels,)
        One for all labels, or one for each.
    """

    threshold: float | np.ndarray
    binary_only = True

    @property
    def name(self) -> str:  # type: ignore[override]
        """What the rule does."""
        return "one threshold" if np.ndim(self.threshold) == 0 else "a threshold for each label"

    def decide(self, distribution: Distribution) -> np.ndarray:
        """Return which labels are above; see `Rule.decide`."""
        return (distribution.marginals > np.reshape(self.threshold, (-1, 1))).astype(np.intp)


@dataclass(frozen=True)
class RankCut(Rule):
    """Takes the most probable labels of each instance, as many of every instance (RCut).

    No other labels have a higher expected precision at k (`trellislib.metrics.precision_at_k`).

    Parameters
    ----------
    k : int
        How many labels; of equally probable ones those of lower index.

    References
    ----------
    Yang, "A study of thresholding strategies for text categorization", SIGIR 2001.

    Examples
    --------
    >>> from trellislib import IndependentClassifiers
    >>> X, Y = [[0], [1], [2], [3]], [[1, 0, 0], [1, 0, 1], [0, 1, 1], [0, 1, 1]]
    >>> IndependentClassifiers(decide=RankCut(1)).fit(X, Y).predict([[0], [3]])
    array([[1, 0, 0],
           [0, 1, 0]])
    """

    k: int
    binary_only = True

    @property
    def name(self) -> str:  # type: ignore[override]
        """What the rule does."""
        return f"the {self.k} most probable labels"

    def refuse(self, coding: LabelCoding) -> None:
        """Raise a ValueError where there are not so many labels, or they have more than two values."""
        super().refuse(coding)
        if not 1 <= self.k <= coding.n_labels:
            raise ValueError(f"Got k={self.k}, but expected 1 to {coding.n_labels}, the number of labels.")

    def decide(self, distribution: Distribution) -> np.ndarray:
        """Return the first k labels of each instance; see `Rule.decide`."""
        return highest(distribution.marginals, self.k).astype(np.intp)


@dataclass(frozen=True)
class MostExpected(Rule):
    """Takes the label set of highest expected score, as if labels were independent given the features.

    Parameters
    ----------
    measure : {"accuracy", "example_f1"}
        The score.
    """

    measure: str
    name = "highest expected score of independent labels"
    binary_only = True

    def decide(self, distribution: Distribution) -> np.ndarray:
        """Return the sets of highest expectation under the marginals; see `Rule.decide`."""
        most = most_expected_accuracy if self.measure == "accuracy" else most_expected_f1
        return most(distribution.marginals).astype(np.intp)


class LabelSets:
    """Label sets that are compared for every instance, and how often they occur.

    Parameters
    ----------
    vectors : ndarray of int of shape (n_labels, n_sets)
        Codes of the labels.
    counts : ndarray of shape (n_sets,), optional
        How often each occurs in training; 1 by default.
    """

    def __init__(self, vectors: np.ndarray, counts: np.ndarray | None = None) -> None:
        self.vectors = vectors
        self.counts = np.ones(vectors.shape[1]) if counts is None else counts

    @property
    def n_sets(self) -> int:
        """Number of label sets."""
        return self.vectors.shape[1]

    @cached_property
    def relevant(self) -> np.ndarray:
        """Whether each label is in each set, as 0 and 1, of shape (n_labels, n_sets)."""
        return (self.vectors > 0).astype(np.float32)

    @cached_property
    def _accuracy(self) -> np.ndarray:
        return accuracy_between(self.relevant.T)

    def __getstate__(self) -> dict[str, np.ndarray]:
        """Return the state without what is found from it."""
        return {"vectors": self.vectors, "counts": self.counts}

    def most_accurate(self, log_weights: np.ndarray) -> np.ndarray:
        """Return the number of the set of highest expected accuracy for each instance.

        Of many sets, the most probable ones of an instance are compared.
        """
        if self.n_sets <= MOST_TABULATED:
            return (self._accuracy @ softmax(log_weights, axis=0).astype(np.float32)).argmax(axis=0)
        best = []
        at_once = max(CELLS // MOST_COMPARED**2, 1)
        for low in range(0, log_weights.shape[1], at_once):
            block = log_weights[:, low : low + at_once]
            compared = np.sort(np.argpartition(-block, MOST_COMPARED, axis=0)[:MOST_COMPARED], axis=0)
            weights = softmax(np.take_along_axis(block, compared, axis=0), axis=0)
            accuracy = accuracy_between(self.relevant.T[compared.T])
            place = np.einsum("nij,jn->ni", accuracy, weights).argmax(axis=1)
            best.append(np.take_along_axis(compared, place[None], axis=0)[0])
        return np.concatenate(best) if best else np.zeros(0, dtype=np.intp)


@dataclass(frozen=True, eq=False)
class AmongLabelSets(Rule):
    """Takes the label set of highest expected score under the distribution of some label sets.

    The weight of a set is ``exp(temper * log p + power * log n)``, p being the method's probability of the set and n
    how often the set occurs in training, perhaps near the instance. A temper below 1 is that of a method too sure of
    itself.

    Parameters
    ----------
    sets : LabelSets
        The sets.
    measure : {"exact_match", "hamming_score", "accuracy", "example_f1"}
        The score.
    temper, power : float
        Exponents of the probability and of the frequency.
    name : str
        Which sets these are.
    nearby : NearbySets, optional
        What finds how often sets occur near an instance.
    counts : ndarray of shape (n_sets, n_instances), optional
        How often they do, as `at` finds it; by default how often they occur in training.
    """

    sets: LabelSets
    measure: str
    temper: float = 1.0
    power: float = 0.0
    name: str = "highest expected score over the label sets seen in training"
    nearby: NearbySets | None = None
    counts: np.ndarray | None = None

    def at(self, X: Matrix) -> AmongLabelSets:
        """Return the rule with the counts near the instances; see `Rule.at`."""
        return self if self.nearby is None else replace(self, counts=self.nearby.counts(X))

    def decide(self, distribution: Distribution) -> np.ndarray:
        """Return the sets of highest expectation; see `Rule.decide`."""
        return self.of_weights(self.log_weights(distribution), distribution.coding)

    def log_weights(self, distribution: Distribution) -> np.ndarray:
        """Return the logarithm of the weight of each set, of shape (n_sets, n_instances)."""
        log_p = distribution.log_probabilities(self.sets.vectors)
        if self.nearby is not None and self.counts is None:
            raise ValueError(_NO_FEATURES)
        counts = self.sets.counts[:, None] if self.counts is None else self.counts
        return self.temper * log_p + self.power * np.log(np.maximum(counts, np.finfo(float).tiny))

    def probabilities(self, distribution: Distribution) -> np.ndarray:
        """Return the probability of each set, of shape (n_sets, n_instances)."""
        return softmax(self.log_weights(distribution), axis=0)

    def of_weights(self, log_weights: np.ndarray, coding: LabelCoding) -> np.ndarray:
        """Return the codes that are decided by the weights of the sets, of shape (n_labels, n_instances)."""
        vectors = self.sets.vectors
        if self.measure == "exact_match":
            return vectors[:, log_weights.argmax(axis=0)].astype(np.intp)
        if self.measure == "accuracy":
            return vectors[:, self.sets.most_accurate(log_weights)].astype(np.intp)
        weights = softmax(log_weights, axis=0)
        if self.measure == "example_f1":
            return most_expected_f1_of_sets(weights, self.sets.relevant).astype(np.intp)
        labels = range(coding.n_labels)
        return coding.decide(coding.indicators(vectors, labels) @ weights, labels)


@dataclass(frozen=True, eq=False)
class MostFrequentNearby(Rule):
    """Takes the label set that occurs most often among the training rows near an instance.

    Parameters
    ----------
    sets : {ndarray, csr_array} of shape (n_sets, n_labels)
        Codes of the label sets.
    nearby : NearbySets
        What finds how often they occur.
    counts : ndarray of shape (n_sets, n_instances), optional
        How often they do, as `at` finds it.
    """

    sets: Matrix
    nearby: NearbySets
    counts: np.ndarray | None = None
    name = "the label set that is most frequent among near rows"

    def at(self, X: Matrix) -> MostFrequentNearby:
        """Return the rule with the counts near the instances; see `Rule.at`."""
        return replace(self, counts=self.nearby.counts(X))

    def decide(self, distribution: Distribution) -> np.ndarray:
        """Return the most frequent sets, whatever the distribution is; see `Rule.decide`."""
        if self.counts is None:
            raise ValueError(_NO_FEATURES)
        return dense(self.sets[self.counts.argmax(axis=0)]).T.astype(np.intp)
