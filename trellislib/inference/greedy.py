"""Greedy inference."""

from __future__ import annotations

import numpy as np

from trellislib.inference.base import Inference, Inferred
from trellislib.inference.draws import Draws
from trellislib.labels.coding import LabelCoding
from trellislib.labels.graph import LabelGraph
from trellislib.learners import Given


class Greedy(Inference):
    """Decide label by label in the order of the graph, each given the decisions on its parents.

    Labels of one level (wavefront) do not depend on each other and are decided together. One pass over the labels
    and no probabilities needed, but an error is handed down to all labels that depend on it.

    References
    ----------
    The equation of greedy inference in section 3.2 of the paper, and Algorithm 2.

    Examples
    --------
    >>> from trellislib import ClassifierChain, Greedy
    >>> X, Y = [[0.0], [0.2], [0.8], [1.0]], [[0, 0], [0, 1], [1, 1], [1, 1]]
    >>> ClassifierChain(inference=Greedy()).fit(X, Y).predict([[0.9]])
    array([[1, 1]])
    """

    needs_probabilities = False

    def infer(
        self, given: Given, graph: LabelGraph, coding: LabelCoding, n_instances: int, draws: Draws | None = None
    ) -> Inferred:
        """Decide all labels; see `Inference.infer`."""
        Z = np.zeros((coding.n_columns, n_instances))
        codes = np.empty((coding.n_labels, n_instances), dtype=np.intp)
        walk = given.walk()
        for level in graph.levels:
            decided = walk.decide(level, Z)
            codes[list(level)] = decided
            Z[coding.columns(level)] = coding.indicators(decided, level)
        return Inferred(codes, Z)
