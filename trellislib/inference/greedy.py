"""Greedy inference."""

from __future__ import annotations

import numpy as np

from trellislib.inference.base import Inference, Inferred
from trellislib.inference.draws import Draws
from trellislib.labels.coding import LabelCoding
from trellislib.labels.graph import LabelGraph
from trellislib.learners import Given
from trellislib.running.threads import blas_threads_for

PASSED = 8  # numbers, one after the other, for each column: so little is done with each that memory would be slower


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

    def cells(self, coding: LabelCoding, n_features: int) -> int:
        """Return so many numbers per instance that a block stays in the processor's cache; see `Inference.cells`."""
        return PASSED * coding.n_columns

    def infer(
        self, given: Given, graph: LabelGraph, coding: LabelCoding, n_instances: int, draws: Draws | None = None
    ) -> Inferred:
        """Decide all labels; see `Inference.infer`."""
        walk = given.walk()
        steps = walk.steps(graph)
        Z = np.zeros((coding.n_columns, n_instances))
        codes = np.empty((coding.n_labels, n_instances), dtype=coding.code_type)
        with blas_threads_for(PASSED * Z.size):  # as the product of each step is small
            for labels in steps[:-1]:
                codes[labels] = decided = walk.decide(labels, Z)
                Z[coding.columns(labels)] = coding.indicators(decided, labels)
        for labels in steps[-1:]:  # which no label depends on
            codes[labels] = walk.decide(labels, Z)
        return Inferred(codes, coding, walked=walk)
