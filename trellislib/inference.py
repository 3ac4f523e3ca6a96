"""From fitted conditionals to predictions, over any graph and any learner."""

from __future__ import annotations

import numpy as np

from trellislib.coding import LabelCoding
from trellislib.graphs import LabelGraph
from trellislib.learners import Conditionals
from trellislib.typing import Matrix


def greedy(
    conditionals: Conditionals, graph: LabelGraph, coding: LabelCoding, X: Matrix
) -> tuple[np.ndarray, np.ndarray]:
    """Decide label by label in the order of the graph, each given the decisions on its parents.

    Labels of one level (wavefront) do not depend on each other and are decided together.

    Parameters
    ----------
    conditionals : Conditionals
        Fitted for `graph` and `coding`.
    graph : LabelGraph
        The structure between the labels.
    coding : LabelCoding
        The values of the labels.
    X : {ndarray, CSR} of shape (n_instances, n_features)
        Features.

    Returns
    -------
    codes : ndarray of shape (n_labels, n_instances)
        The decided code of each label.
    scores : ndarray of shape (n_columns, n_instances)
        The scores behind them: those of p(y_l | x, decided parents).

    References
    ----------
    Equation for greedy inference in section 3.2 of the paper, and Algorithm 2.
    """
    score = conditionals.given(X)
    n_instances = X.shape[0]
    Z = np.zeros((coding.n_columns, n_instances))
    scores = np.empty_like(Z)
    codes = np.empty((coding.n_labels, n_instances), dtype=np.intp)
    for level in graph.levels:
        columns = coding.columns(level)
        scores[columns] = score(level, Z)
        codes[list(level)], Z[columns] = coding.decide(scores[columns], level)
    return codes, scores
