"""What an inference is: from fitted conditionals and a graph to a decision on every label."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from sklearn.base import BaseEstimator

from trellislib.inference.draws import Draws
from trellislib.labels.coding import LabelCoding
from trellislib.learners import Given


@dataclass(frozen=True)
class Inferred:
    """What was inferred of some instances.

    Attributes
    ----------
    codes : ndarray of shape (n_labels, n_instances)
        The code of each label.
    coding : LabelCoding
        The values of the labels.
    marginals : ndarray of shape (n_columns, n_instances), optional
        Marginal probability of each column given the features; None where the inference does not find them.
    walked : Given, optional
        The conditionals as one pass over the labels left them, where the inference was one; see `Given.walk`.
    """

    codes: np.ndarray
    coding: LabelCoding
    marginals: np.ndarray | None = None
    walked: Given | None = None

    @classmethod
    def of_marginals(cls, marginals: np.ndarray, coding: LabelCoding) -> Inferred:
        """Return the most probable value of each label by itself."""
        return cls(coding.decide(marginals, range(coding.n_labels)), coding, marginals)

    @cached_property
    def columns(self) -> np.ndarray:
        """The codes as indicator columns, of shape (n_columns, n_instances)."""
        return self.coding.indicators(self.codes, range(self.coding.n_labels))


class Inference(BaseEstimator, ABC):
    """Decides all labels of some instances, whose conditionals on each other are known.

    Attributes
    ----------
    needs_probabilities : bool
        Whether the learner must give probabilities; greedy inference alone needs only decisions.
    needs_order : bool
        Whether the graph must be directed; Gibbs sampling alone works on undirected graphs, and only there.
    """

    needs_probabilities = True
    needs_order = True

    @abstractmethod
    def infer(
        self, given: Given, graph: Any, coding: LabelCoding, n_instances: int, draws: Draws | None = None
    ) -> Inferred:
        """Decide all labels.

        Parameters
        ----------
        given : Given
            The conditionals of the instances, fitted for `graph` and `coding`.
        graph : LabelGraph or UndirectedLabelGraph
            The structure between the labels, directed where `needs_order`, else undirected.
        coding : LabelCoding
            The values of the labels.
        n_instances : int
            How many instances there are.
        draws : Draws, optional
            The random numbers of each instance's own, so that what is inferred of an instance does not depend on the
            others; by default an instance has those of its place.
        """

    def cells(self, coding: LabelCoding, n_features: int) -> int:
        """Return about how many numbers are held per instance, so that instances come in blocks that fit."""
        return coding.n_columns

    def refuse(self, coding: LabelCoding) -> None:
        """Raise a ValueError, before anything is fitted, for a wrong parameter or too much to compute."""


def joint_or_marginals(maximize: str) -> bool:
    """Return whether `maximize` asks for the joint probability.

    Raises
    ------
    ValueError
        If it is neither "joint" nor "marginals".
    """
    if maximize not in ("joint", "marginals"):
        raise ValueError(f"Got maximize={maximize!r}, but expected 'joint' or 'marginals'.")
    return maximize == "joint"


def drawn_codes(probabilities: np.ndarray, coding: LabelCoding, labels: Sequence[int], u: np.ndarray) -> np.ndarray:
    """Draw a code of each of `labels` by inverting its distribution at a uniform number.

    Takes the probability of each value after the first, of shape (columns of the labels, n_instances), and numbers `u`
    of shape (len(labels), 1) or (len(labels), n_instances). Returns codes of shape (len(labels), n_instances), the
    highest one where `u` is lowest.
    """
    if coding.is_binary:
        return (u < probabilities).astype(np.intp)
    codes = np.empty((len(labels), probabilities.shape[1]), dtype=np.intp)
    for row, of_label in enumerate(coding.split(probabilities, labels)):
        at_least = of_label[::-1].cumsum(axis=0)  # probability of a code of K - 1, K - 2, ..., 1 or more
        codes[row] = (u[row] < at_least).sum(axis=0)
    return codes
