"""Rules that decide label vectors: from a distribution over them, one for each instance."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from scipy.special import softmax

from trellislib.decisions.distribution import Distribution
from trellislib.decisions.expected import (
    most_expected_accuracy,
    most_expected_accuracy_of_sets,
    most_expected_f1,
    most_expected_f1_of_sets,
)
from trellislib.labels.coding import LabelCoding

MOST_COMPARED = 64  # most probable label sets of an instance whose expected accuracy is compared


class Rule(ABC):
    """Decides the label vectors of some instances.

    Attributes
    ----------
    name : str
        What it does, in a few words.
    """

    name: str

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

    @property
    def name(self) -> str:  # type: ignore[override]
        """What the rule does."""
        return "one threshold" if np.ndim(self.threshold) == 0 else "a threshold for each label"

    def decide(self, distribution: Distribution) -> np.ndarray:
        """Return which labels are above; see `Rule.decide`."""
        return (distribution.marginals > np.reshape(self.threshold, (-1, 1))).astype(np.intp)


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

    def decide(self, distribution: Distribution) -> np.ndarray:
        """Return the sets of highest expectation under the marginals; see `Rule.decide`."""
        most = most_expected_accuracy if self.measure == "accuracy" else most_expected_f1
        return most(distribution.marginals).astype(np.intp)


@dataclass(frozen=True, eq=False)
class AmongLabelSets(Rule):
    """Takes the label set of highest expected score under the distribution of some label sets.

    The weight of a set is ``exp(temper * log p + power * log n)``, p being the method's probability of the set and n
    how often the set occurs in training. A temper below 1 is that of a method too sure of itself.

    Parameters
    ----------
    vectors : ndarray of int of shape (n_labels, n_sets)
        Codes of the labels.
    counts : ndarray of shape (n_sets,)
        How often each occurs.
    measure : str
        The score: exact match, accuracy, F1 of examples or Hamming score.
    temper, power : float
        Exponents of the probability and of the frequency.
    name : str
        Which sets these are.
    """

    vectors: np.ndarray
    counts: np.ndarray
    measure: str
    temper: float = 1.0
    power: float = 0.0
    name: str = "highest expected score over the label sets seen in training"

    def decide(self, distribution: Distribution) -> np.ndarray:
        """Return the sets of highest expectation; see `Rule.decide`."""
        return self.of_weights(self.log_weights(distribution), distribution.coding)

    def log_weights(self, distribution: Distribution) -> np.ndarray:
        """Return the logarithm of the weight of each set, of shape (n_sets, n_instances)."""
        log_p = distribution.log_probabilities(self.vectors)
        return self.temper * log_p + self.power * np.log(self.counts)[:, None]

    def probabilities(self, distribution: Distribution) -> np.ndarray:
        """Return the probability of each set, of shape (n_sets, n_instances)."""
        return softmax(self.log_weights(distribution), axis=0)

    def of_weights(self, log_weights: np.ndarray, coding: LabelCoding) -> np.ndarray:
        """Return the codes that are decided by the weights of the sets, of shape (n_labels, n_instances)."""
        decide: dict[str, Callable[[np.ndarray, LabelCoding], np.ndarray]] = {
            "exact_match": lambda weights, _: self.vectors[:, weights.argmax(axis=0)],
            "hamming_score": self._most_probable_values,
            "accuracy": self._most_accurate,
            "example_f1": lambda weights, _: most_expected_f1_of_sets(softmax(weights, axis=0), self._relevant),
        }
        return decide[self.measure](log_weights, coding).astype(np.intp)

    @cached_property
    def _relevant(self) -> np.ndarray:
        return (self.vectors > 0).astype(float)

    def _most_probable_values(self, log_weights: np.ndarray, coding: LabelCoding) -> np.ndarray:
        labels = range(coding.n_labels)
        return coding.decide(coding.indicators(self.vectors, labels) @ softmax(log_weights, axis=0), labels)

    def _most_accurate(self, log_weights: np.ndarray, coding: LabelCoding) -> np.ndarray:
        n_compared = min(MOST_COMPARED, len(log_weights))
        compared = np.sort(np.argpartition(-log_weights, n_compared - 1, axis=0)[:n_compared], axis=0)
        weights = softmax(np.take_along_axis(log_weights, compared, axis=0), axis=0)
        best = most_expected_accuracy_of_sets(weights, self.vectors[:, compared])
        return self.vectors[:, np.take_along_axis(compared, best[None], axis=0)[0]]
