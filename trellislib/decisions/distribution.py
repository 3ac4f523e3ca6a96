"""What a method gives to some instances before it decides: a distribution over label vectors."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence

import numpy as np

from trellislib.inference.joint import log_product
from trellislib.labels.coding import LabelCoding
from trellislib.typing import Labels


class Distribution(ABC):
    """A distribution over the label vectors of some instances.

    Attributes
    ----------
    marginals : ndarray of shape (n_columns, n_instances)
        The probability of each column, as `predict_proba` gives it.
    codes : ndarray of int of shape (n_labels, n_instances)
        What the method decides by itself.
    coding : LabelCoding
        The values of the labels, and the columns that stand for them.
    """

    marginals: np.ndarray
    codes: np.ndarray
    coding: LabelCoding

    def marginals_of(self, labels: Labels) -> np.ndarray:
        """Return the probability of the columns of some labels, (columns of the labels, n_instances)."""
        return self.marginals[self.coding.columns(labels)]

    @abstractmethod
    def log_probabilities(self, vectors: np.ndarray) -> np.ndarray:
        """Return the log-probability of each label vector for each instance, perhaps without its normalising constant.

        Parameters
        ----------
        vectors : ndarray of int of shape (n_labels, n_vectors)
            Codes of the labels.

        Returns
        -------
        ndarray of shape (n_vectors, n_instances)
        """


class IndependentLabels(Distribution):
    """The distribution of labels that are independent given the features.

    Parameters
    ----------
    marginals : ndarray of shape (n_columns, n_instances)
        The probability of each column.
    codes : ndarray of int of shape (n_labels, n_instances)
        What the method decides by itself.
    coding : LabelCoding
        The values of the labels.

    Examples
    --------
    >>> coding = LabelCoding([np.arange(2)] * 2)
    >>> of_one = IndependentLabels(np.array([[0.5], [0.2]]), np.array([[0], [0]]), coding)
    >>> np.exp(of_one.log_probabilities(np.array([[0, 1], [0, 1]]))).round(3)
    array([[0.4],
           [0.1]])
    """

    def __init__(self, marginals: np.ndarray, codes: np.ndarray, coding: LabelCoding) -> None:
        self.marginals = marginals
        self.codes = codes
        self.coding = coding

    def log_probabilities(self, vectors: np.ndarray) -> np.ndarray:
        """Return the sum over labels; see `Distribution.log_probabilities`."""
        return log_product(self.marginals, vectors, self.coding, range(self.coding.n_labels))


class SetProbabilities(IndependentLabels):
    """The distribution over some label sets, all others having none.

    Parameters
    ----------
    vectors : ndarray of int of shape (n_labels, n_sets)
        Codes of the labels.
    of_sets : ndarray of shape (n_sets, n_instances)
        Probability of each.
    marginals, codes, coding
        As of `IndependentLabels`.

    Examples
    --------
    >>> coding = LabelCoding([np.arange(2)] * 2)
    >>> of_sets = np.array([[0.7], [0.3]])
    >>> found = SetProbabilities(np.array([[0, 1], [0, 1]]), of_sets, of_sets[[1, 1]], np.array([[0], [0]]), coding)
    >>> np.exp(found.log_probabilities(np.array([[1, 1], [1, 0]]))).round(3)
    array([[0.3],
           [0. ]])
    """

    def __init__(
        self, vectors: np.ndarray, of_sets: np.ndarray, marginals: np.ndarray, codes: np.ndarray, coding: LabelCoding
    ) -> None:
        super().__init__(marginals, codes, coding)
        self._place = {vector.tobytes(): place for place, vector in enumerate(vectors.T.astype(np.intp))}
        self._of_sets = of_sets

    def log_probabilities(self, vectors: np.ndarray) -> np.ndarray:
        """Look them up; see `Distribution.log_probabilities`."""
        found = np.full((vectors.shape[1], self._of_sets.shape[1]), np.finfo(float).tiny)
        for row, vector in enumerate(vectors.T.astype(np.intp)):
            place = self._place.get(vector.tobytes())
            if place is not None:
                found[row] = np.maximum(self._of_sets[place], found[row])
        return np.log(found)


class Mixture(Distribution):
    """The mean of several distributions of the same instances, each of the same weight.

    Parameters
    ----------
    members : sequence of Distribution
        The distributions.
    """

    def __init__(self, members: Sequence[Distribution]) -> None:
        self.members = members
        self.coding = members[0].coding
        self.marginals = np.mean([member.marginals for member in members], axis=0)
        self.codes = self.coding.decide(self.marginals, range(self.coding.n_labels))

    def log_probabilities(self, vectors: np.ndarray) -> np.ndarray:
        """Return the logarithm of the mean probability; see `Distribution.log_probabilities`."""
        total = self.members[0].log_probabilities(vectors)
        for member in self.members[1:]:
            total = np.logaddexp(total, member.log_probabilities(vectors))
        return total - np.log(len(self.members))


class Joined(Distribution):
    """Distributions of some instances after the other.

    Parameters
    ----------
    parts : sequence of Distribution
        Those of some instances each.
    """

    def __init__(self, parts: Sequence[Distribution]) -> None:
        self.parts = parts
        self.coding = parts[0].coding
        self.marginals = np.hstack([part.marginals for part in parts])
        self.codes = np.hstack([part.codes for part in parts])

    def log_probabilities(self, vectors: np.ndarray) -> np.ndarray:
        """Return those of each part; see `Distribution.log_probabilities`."""
        return np.hstack([part.log_probabilities(vectors) for part in self.parts])
