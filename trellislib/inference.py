"""From fitted conditionals to predictions, over any graph and any learner."""

from __future__ import annotations

import numpy as np

from trellislib.coding import LabelCoding
from trellislib.graphs import LabelGraph
from trellislib.learners import Given


def greedy(given: Given, graph: LabelGraph, coding: LabelCoding, n_instances: int) -> tuple[np.ndarray, np.ndarray]:
    """Decide label by label in the order of the graph, each given the decisions on its parents.

    Labels of one level (wavefront) do not depend on each other and are decided together.

    Parameters
    ----------
    given : Given
        The conditionals of the instances, fitted for `graph` and `coding`.
    graph : LabelGraph
        The structure between the labels.
    coding : LabelCoding
        The values of the labels.
    n_instances : int
        How many instances there are.

    Returns
    -------
    codes : ndarray of shape (n_labels, n_instances)
        The decided code of each label.
    Z : ndarray of shape (n_columns, n_instances)
        The same as indicator columns.

    References
    ----------
    The equation of greedy inference in section 3.2 of the paper, and Algorithm 2.
    """
    Z = np.zeros((coding.n_columns, n_instances))
    codes = np.empty((coding.n_labels, n_instances), dtype=np.intp)
    for level in graph.levels:
        decided = given.decide(level, Z)
        codes[list(level)] = decided
        Z[coding.columns(level)] = coding.indicators(decided, level)
    return codes, Z
