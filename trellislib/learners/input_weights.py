r"""Least squares' weights of the inputs of labels at one penalty, and the leverage that inputs add to that of features.

With R the residual Gram matrix (`trellislib.dependence.residual`) the weights of the input columns p of a column j are
``v_j = (R_pp + alpha I)^-1 R_pj``. With E what the regressions on the features leave of the label columns of a row, the
inputs add ``E_p' (R_pp + alpha I)^-1 E_p`` to its leverage. Two kinds of graphs need one factorisation instead of a
system per label. A full chain, in which every column has all columns before it as inputs, is in
`trellislib.learners.chain_weights`. In a complete undirected graph every column has all columns of other labels as
inputs: with ``P = (R + alpha I)^-1`` and D its diagonal blocks, minus the rows of ``D^-1 P`` are the weights.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from typing import Any

import numpy as np
from scipy import linalg, sparse

from trellislib.dependence.residual import ResidualGram
from trellislib.labels.coding import LabelCoding
from trellislib.labels.graph import AnyLabelGraph, LabelGraph
from trellislib.labels.matrices import scaled_rows
from trellislib.learners.chain_weights import ChainWeights

BATCH_CELLS = 2**22  # of inputs and instances, whose leverages are found at a time


class InputRegressions(ABC):
    """Regressions of label columns on their inputs, beyond the features.

    Attributes
    ----------
    weights : {ndarray, csr_array, ChainWeights} of shape (n_columns, n_columns)
        Weights of the columns of inputs (second axis) for each column (first axis).
    reads : ndarray of int
        The labels' columns and those of their inputs, in ascending order.
    """

    weights: Any
    reads: np.ndarray

    def rows(self, columns: np.ndarray) -> Any:
        """Return the weights for some columns in ascending order, or where these are all, the weights."""
        return self.weights if len(columns) == self.weights.shape[0] else self.weights[columns]

    @abstractmethod
    def leverages(self, E: np.ndarray, left: np.ndarray) -> np.ndarray:
        """Return what inputs add to the leverages of rows of weight 1.

        Parameters
        ----------
        E : ndarray of shape (n_columns, n_rows)
            What the regressions on the features leave of the columns.
        left : ndarray of shape (n_columns, n_rows)
            What is left of that by the inputs.

        Returns
        -------
        ndarray of shape (n_labels, n_rows)
        """


def input_regressions(
    residuals: ResidualGram, alpha: float, coding: LabelCoding, graph: AnyLabelGraph, labels: np.ndarray
) -> InputRegressions:
    """Return the regressions of (at least) some labels on their inputs in `graph`.

    Raises
    ------
    numpy.linalg.LinAlgError
        If a system is singular in floating point.
    """
    if not graph.is_complete:
        return _OfFew(residuals, alpha, coding, graph, labels)
    if isinstance(graph, LabelGraph):
        return _OfAllBefore(residuals, alpha, coding, graph.order)
    return _OfAllOthers(residuals, alpha, coding)


def joined(pieces: Sequence[tuple[InputRegressions, np.ndarray]], n_columns: int) -> Any:
    """Return the weights of all columns, from regressions that each give some columns theirs."""
    (first, _), *others = pieces
    if not others:
        return first.weights
    if isinstance(first.weights, ChainWeights):
        return ChainWeights.joined([(piece.weights, columns) for piece, columns in pieces])
    if sparse.issparse(first.weights):
        where = np.argsort(np.concatenate([columns for _, columns in pieces]))
        stacked = sparse.vstack([piece.weights[columns] for piece, columns in pieces], format="csr")
        return sparse.csr_array(stacked[where])
    weights = np.empty((n_columns, n_columns))
    for piece, columns in pieces:
        weights[columns] = piece.weights[columns]
    return weights


class NoInputs(InputRegressions):
    """Of labels that have no inputs."""

    def __init__(self, coding: LabelCoding, labels: np.ndarray) -> None:
        self.weights = sparse.csr_array((coding.n_columns, coding.n_columns))
        self.reads = coding.columns(labels)
        self._n_labels = coding.n_labels

    def leverages(self, E: np.ndarray, left: np.ndarray) -> np.ndarray:
        """Return 0; see `InputRegressions.leverages`."""
        return np.zeros((self._n_labels, E.shape[1]))


class _OfFew(InputRegressions):
    """Of a sparse graph; all systems of one size are solved as one batch."""

    def __init__(
        self, residuals: ResidualGram, alpha: float, coding: LabelCoding, graph: AnyLabelGraph, labels: np.ndarray
    ) -> None:
        self._n_labels = coding.n_labels
        self._systems: list[tuple[np.ndarray, np.ndarray, np.ndarray]] = []  # labels, their inputs' columns, systems
        by_size: dict[int, list[tuple[int, np.ndarray]]] = {}
        for label in labels:
            if graph.inputs[label]:
                of_inputs = coding.columns(graph.inputs[label])
                by_size.setdefault(len(of_inputs), []).append((label, of_inputs))
        self.reads = np.unique(
            np.concatenate([coding.columns(labels), *(source for of_size in by_size.values() for _, source in of_size)])
        )
        widths = np.diff(coding.starts)
        weights = sparse.csr_array((coding.n_columns, coding.n_columns))
        for size, inputs in by_size.items():
            of_size = np.array([label for label, _ in inputs])
            source = np.array([of_inputs for _, of_inputs in inputs])
            systems = residuals.pairs(source[:, :, None], source[:, None, :]) + alpha * np.eye(size)
            self._systems.append((of_size, source, systems))
            child, place = coding.columns(of_size), np.repeat(np.arange(len(of_size)), widths[of_size])
            target = residuals.pairs(source[place], child[:, None])
            found = np.linalg.solve(systems[place], target[:, :, None])
            where = (np.repeat(child, size), source[place].ravel())
            weights = weights + sparse.csr_array((found.ravel(), where), shape=weights.shape)
        self.weights = weights

    def leverages(self, E: np.ndarray, left: np.ndarray) -> np.ndarray:
        """Solve the system of each label for the rows; see `InputRegressions.leverages`."""
        added = np.zeros((self._n_labels, E.shape[1]))
        for labels, source, systems in self._systems:
            size = max(BATCH_CELLS // (source.shape[1] * E.shape[1]), 1)
            for first in range(0, len(labels), size):
                batch = slice(first, first + size)
                of_inputs = E[source[batch]]
                solved = np.linalg.solve(systems[batch], of_inputs)
                added[labels[batch]] = np.einsum("lpn,lpn->ln", of_inputs, solved)
        return added


class _OfAllBefore(InputRegressions):
    """Of a full chain."""

    weights: ChainWeights

    def __init__(self, residuals: ResidualGram, alpha: float, coding: LabelCoding, order: Sequence[int]) -> None:
        self.weights = ChainWeights.of_residuals(residuals, coding, order, alpha)
        self.reads = np.arange(coding.n_columns)
        self._starts = coding.starts
        self._order = np.array(order)

    def leverages(self, E: np.ndarray, left: np.ndarray) -> np.ndarray:
        """Add up the squares of ``L^-1 E`` along the chain; see `InputRegressions.leverages`."""
        of_label = np.add.reduceat(self.weights.whitened(left) ** 2, self._starts[:-1])[self._order]
        added = np.empty_like(of_label)
        added[self._order[:1]] = 0.0
        added[self._order[1:]] = of_label[:-1].cumsum(axis=0)
        return added


class _OfAllOthers(InputRegressions):
    """Of a complete undirected graph, from one inverse."""

    def __init__(self, residuals: ResidualGram, alpha: float, coding: LabelCoding) -> None:
        R = residuals.matrix
        precision = linalg.cho_solve(linalg.cho_factor(R + alpha * np.eye(len(R))), np.eye(len(R)))
        label_of = np.repeat(np.arange(coding.n_labels), np.diff(coding.starts))
        self._blocks = sparse.csr_array(np.where(label_of[:, None] == label_of, precision, 0.0))
        self.reads = np.arange(coding.n_columns)
        self._starts = coding.starts
        weights = -linalg.cho_solve(linalg.cho_factor(self._blocks.toarray()), precision)
        self.weights = np.where(label_of[:, None] != label_of, weights, 0.0)

    def leverages(self, E: np.ndarray, left: np.ndarray) -> np.ndarray:
        """Take a label's own part away from ``E' P E``, as ``P E`` is D times what is left; see `InputRegressions`."""
        along = self._blocks @ left
        of_label = np.add.reduceat(along * left, self._starts[:-1])
        return np.einsum("cn,cn->n", E, along) - of_label


def scaled_weights(weights: Any, factor: np.ndarray) -> Any:
    """Return the weights of inputs with those for each column times its factor."""
    return weights.scaled(factor) if isinstance(weights, ChainWeights) else scaled_rows(weights, factor)
