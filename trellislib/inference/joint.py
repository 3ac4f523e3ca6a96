"""The joint probability of label vectors along a graph."""

from __future__ import annotations

from math import prod

import numpy as np

from trellislib.labels.coding import LabelCoding, with_first_value
from trellislib.labels.graph import AnyLabelGraph
from trellislib.learners import Given
from trellislib.typing import Labels


def log_joint(
    given: Given, graph: AnyLabelGraph, coding: LabelCoding, vectors: np.ndarray, n_instances: int
) -> np.ndarray:
    """Return the log-probability of each of some label vectors.

    A label's conditional is evaluated once per distinct vector of its inputs' values, of which a sparse graph has far
    fewer than there are label vectors.

    Parameters
    ----------
    given : Given
        The conditionals of the instances.
    graph : LabelGraph or UndirectedLabelGraph
        The structure between the labels. Of an undirected one the result is the pseudo-likelihood, the product of
        every label's probability given all its neighbours, which is not normalised (Besag, "Statistical analysis of
        non-lattice data", The Statistician 24, 1975).
    coding : LabelCoding
        The values of the labels.
    vectors : ndarray of int of shape (n_labels, n_vectors)
        Codes of the labels.
    n_instances : int
        How many instances there are.

    Returns
    -------
    ndarray of shape (n_vectors, n_instances)
    """
    alone = tuple(label for label, inputs in enumerate(graph.inputs) if not inputs)
    p = given.probabilities(alone, np.zeros((coding.n_columns, n_instances)))
    n_values = np.diff(coding.starts) + 1
    total = log_product(p, vectors[list(alone)], coding, alone)
    for label, inputs in enumerate(graph.inputs):
        if inputs:
            distinct, which = _distinct(vectors[list(inputs)], n_values[list(inputs)])
            Z = np.zeros((coding.n_columns, distinct.shape[1]))
            Z[coding.columns(inputs)] = coding.indicators(distinct, inputs)
            p = given.table(label, Z, n_instances)
            of_values = with_first_value(p.reshape(len(p), -1)).reshape(len(p) + 1, *p.shape[1:])
            total += _log(of_values)[vectors[label], which]
    return total


def _distinct(codes: np.ndarray, n_values: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return vectors of codes, among which are all of `codes`, and which of them each of these is.

    Where there are few possible vectors these are all of them, which takes no sorting.
    """
    if prod(n_values.tolist()) <= codes.shape[1]:
        return all_vectors(n_values), np.ravel_multi_index(tuple(codes), tuple(n_values))
    distinct, which = np.unique(codes, axis=1, return_inverse=True)
    return distinct, which.ravel()


def all_vectors(n_values: np.ndarray) -> np.ndarray:
    """Return every vector of codes, one a column, in lexicographic order."""
    return np.indices(tuple(n_values)).reshape(len(n_values), -1)


def log_product(p: np.ndarray, vectors: np.ndarray, coding: LabelCoding, labels: Labels) -> np.ndarray:
    """Return the log-probability of vectors of some `labels` that are independent, (n_vectors, n_instances).

    Takes the probability of each of their columns, of shape (columns of the labels, n_instances), and their codes, of
    shape (len(labels), n_vectors).
    """
    if len(labels) == 0:
        return np.zeros((vectors.shape[1], p.shape[1]))
    widths = np.diff(coding.starts)[list(labels)]
    first = _log(1.0 - np.add.reduceat(p, np.cumsum(widths) - widths, axis=0))
    gain = _log(p) - np.repeat(first, widths, axis=0)
    return coding.indicators(vectors, labels).T @ gain + first.sum(axis=0)


def _log(probabilities: np.ndarray) -> np.ndarray:
    return np.log(np.maximum(probabilities, np.finfo(float).tiny))
