"""Beam search."""

from __future__ import annotations

import numpy as np
from scipy.special import softmax

from trellislib.inference.base import Inference, Inferred, joint_or_marginals
from trellislib.inference.draws import Draws
from trellislib.labels.coding import LabelCoding, with_first_value
from trellislib.labels.graph import LabelGraph
from trellislib.learners import Given
from trellislib.running.checks import require_integer


class BeamSearch(Inference):
    """Follow the most probable beginnings of the label vector along a directed graph.

    After every label, the `width` most probable vectors of the labels so far are kept; ties go to the one found
    first, lower codes first. A width of 1 is greedy inference by probabilities, and as wide as there are label
    vectors it is exhaustive.

    Parameters
    ----------
    width : int, default=10
        How many beginnings are kept.
    maximize : {"joint", "marginals"}, default="joint"
        Whether the labels take the values of the most probable vector found, or each its most probable value by
        the vectors kept at the end.

    Notes
    -----
    The marginals are those of the vectors kept at the end, their probabilities divided by their sum: approximate
    unless these have most of the probability.

    References
    ----------
    Kumar et al., "Beam search algorithms for multilabel learning", Machine Learning 92 (2013).

    Examples
    --------
    >>> from trellislib import BeamSearch, ProbabilisticClassifierChain
    >>> X, Y = [[0.0], [0.2], [0.8], [1.0]], [[0, 0], [0, 1], [1, 1], [1, 1]]
    >>> ProbabilisticClassifierChain(inference=BeamSearch(width=3)).fit(X, Y).predict([[0.9]])
    array([[1, 1]])
    """

    def __init__(self, width: int = 10, *, maximize: str = "joint") -> None:
        self.width = width
        self.maximize = maximize

    def infer(
        self, given: Given, graph: LabelGraph, coding: LabelCoding, n_instances: int, draws: Draws | None = None
    ) -> Inferred:
        """Decide all labels; see `Inference.infer`."""
        self.refuse(coding)
        joint = joint_or_marginals(self.maximize)
        codes = np.zeros((coding.n_labels, 1, n_instances), dtype=np.intp)
        Z = np.zeros((coding.n_columns, 1, n_instances))
        log_joint = np.zeros((1, n_instances))
        tiled = given
        for label in graph.order:
            n_kept = log_joint.shape[0]
            p = tiled.probabilities((label,), Z.reshape(coding.n_columns, -1))
            p = with_first_value(p).reshape(-1, n_kept, n_instances).swapaxes(0, 1)
            n_values = p.shape[1]
            extended = log_joint[:, None] + np.log(np.maximum(p, np.finfo(float).tiny))
            extended = extended.reshape(n_kept * n_values, n_instances)
            best = np.argsort(-extended, axis=0, kind="stable")[: self.width]
            log_joint = np.take_along_axis(extended, best, axis=0)
            beginning, value = np.divmod(best, n_values)
            codes = np.take_along_axis(codes, beginning[None], axis=1)
            Z = np.take_along_axis(Z, beginning[None], axis=1)
            codes[label] = value
            Z[coding.columns([label])] = coding.indicators(value.reshape(1, -1), [label]).reshape(-1, *value.shape)
            if len(best) != n_kept:
                tiled = given.tiled(len(best))
        weight = softmax(log_joint, axis=0)
        marginals = np.einsum("cbn,bn->cn", Z, weight)
        if joint:
            return Inferred(codes[:, 0], coding, marginals)
        return Inferred.of_marginals(marginals, coding)

    def refuse(self, coding: LabelCoding) -> None:
        """Raise a ValueError for a wrong parameter; see `Inference.refuse`."""
        require_integer("width", self.width)
        joint_or_marginals(self.maximize)

    def cells(self, coding: LabelCoding, n_features: int) -> int:
        """Return how many numbers are held per instance; see `Inference.cells`."""
        return max(coding.n_columns, n_features) * self.width  # the features may stand there once for each beginning
