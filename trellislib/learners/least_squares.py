r"""Least squares for every label of any graph, from one Gram matrix.

Ridge regression of all label columns on the features alone, U, and the residual Gram matrix R come from
`trellislib.dependence`. By the Schur complement, the weights of the input columns p of a column j solve the small
system

.. math:: (R_{pp} + \alpha I)\, v_j = R_{pj},

and the feature weights follow as ``w_j = U_j - U_p v_j``. Two kinds of graphs need one factorisation instead of a
system per label. A full chain, in which every column has all columns before it as inputs, is in
`trellislib.learners.chain_weights`. In a complete undirected graph every column has all columns of other labels as
inputs: with ``P = (R + alpha I)^-1`` and D its diagonal blocks, minus the rows of ``D^-1 P`` are the weights.

Each fit equals scikit-learn's ``Ridge(alpha)`` on the features joined with the inputs' columns.

References
----------
Hastie, Tibshirani and Friedman, "The Elements of Statistical Learning", 2nd ed., section 4.2 (regression of an
indicator matrix).
"""

from __future__ import annotations

from functools import cached_property
from typing import Any

import numpy as np
from scipy import linalg, sparse

from trellislib.dependence.gram import Regression, singular_explained
from trellislib.dependence.residual import ResidualGram
from trellislib.labels.coding import LabelCoding
from trellislib.labels.graph import AnyLabelGraph, LabelGraph
from trellislib.learners.base import Learner, Training
from trellislib.learners.calibration import Calibration
from trellislib.learners.chain_weights import ChainWeights
from trellislib.learners.linear import LinearConditionals
from trellislib.learners.training_set import TrainingSet
from trellislib.running.memory import FLOAT, Need, Size
from trellislib.running.progress import Cancelled, Progress, stop_if


class LeastSquares(Learner):
    """Ridge regression of the label indicators, for all labels of a graph at once.

    The label's value is the one whose indicator is predicted highest. Probabilities are those scores (of
    more than two values their logarithms) through a softmax with one slope per label (temperature scaling), fitted on
    at most 1,000 training rows spread evenly over the data, at the first probability; they never
    change which value is highest.

    Parameters
    ----------
    alpha : float, default=1.0
        Penalty on the squared weights of features and other labels; the intercept is free.

    Examples
    --------
    >>> from trellislib import ClassifierTrellis, LeastSquares
    >>> X = [[0.0], [0.2], [0.8], [1.0]]
    >>> Y = [[0, 0], [0, 1], [1, 1], [1, 1]]
    >>> ClassifierTrellis(LeastSquares(alpha=0.1), random_state=0).fit(X, Y).predict([[0.1], [0.9]])
    array([[0, 0],
           [1, 1]])
    """

    gives_probabilities = True

    def __init__(self, alpha: float = 1.0) -> None:
        self.alpha = alpha

    def memory_needed(self, size: Size) -> Need:
        """Return about how much memory the sums of the data take; see `Learner.memory_needed`."""
        sums = FLOAT * (min(size.n_instances, size.n_features) ** 2 + 3 * size.n_features * size.n_columns)
        weights = Need(sums, f"the weights of {size.n_features} features", "give fewer features")
        return super().memory_needed(size) + weights

    def prepare(self, training_set: TrainingSet) -> LinearTraining:
        """Return this learner with its data; see `Learner.prepare`."""
        if not self.alpha > 0:
            raise ValueError(f"Got alpha={self.alpha}, but expected a number above 0.")
        return LinearTraining(self, training_set)


class LinearTraining(Training):
    """Least squares and its data, summed up once for all graphs."""

    learner: LeastSquares

    @cached_property
    def _regression(self) -> Regression:
        return self.training_set.regression(self.learner.alpha)

    @cached_property
    def _residuals(self) -> ResidualGram:
        return ResidualGram(self._regression, self.training_set.counts)

    @cached_property
    def _calibration(self) -> Calibration:
        return Calibration.of(self.training_set)

    def fit(
        self, graph: AnyLabelGraph, *, progress: Progress | None = None, cancelled: Cancelled | None = None
    ) -> LinearConditionals:
        """Fit all labels of `graph`; see `Training.fit`."""
        coding = self.training_set.coding
        stop_if(cancelled)
        with singular_explained(self.learner.alpha):
            by_features = self._regression
            stop_if(cancelled)
            on_inputs = self._input_weights(graph)
        on_features = by_features.U - (on_inputs @ by_features.U.T).T
        of_inputs = (on_inputs @ by_features.z_mean[:, None])[:, 0]
        intercept = by_features.z_mean - by_features.x_mean @ on_features - of_inputs
        if progress is not None:
            progress(coding.n_labels, coding.n_labels, "labels")
        return LinearConditionals(on_features, on_inputs, intercept, self._calibration, coding)

    def _input_weights(self, graph: AnyLabelGraph) -> Any:
        """Return the weights of the columns of inputs (second axis) for each column (first axis)."""
        coding, alpha = self.training_set.coding, self.learner.alpha
        if graph.n_labels == 1 or not (graph.is_complete or any(graph.inputs)):
            return sparse.csr_array((coding.n_columns, coding.n_columns))  # and no pair is counted
        if not graph.is_complete:
            return _weights_of_few(self._residuals, alpha, coding, graph)
        if isinstance(graph, LabelGraph):
            return ChainWeights.of_residuals(self._residuals, coding, graph.order, alpha)
        return _weights_of_all_others(self._residuals, alpha, coding)


def _weights_of_all_others(residuals: ResidualGram, alpha: float, coding: LabelCoding) -> np.ndarray:
    """Return the weights of a complete undirected graph, from one inverse."""
    R = residuals.matrix
    precision = linalg.cho_solve(linalg.cho_factor(R + alpha * np.eye(len(R))), np.eye(len(R)))
    label_of = np.repeat(np.arange(coding.n_labels), np.diff(coding.starts))
    blocks = _diagonal_blocks(precision, label_of).toarray()
    weights = -linalg.cho_solve(linalg.cho_factor(blocks), precision)
    return np.where(label_of[:, None] != label_of, weights, 0.0)


def _diagonal_blocks(matrix: np.ndarray, label_of: np.ndarray) -> sparse.csr_array:
    """Return the entries of `matrix` between columns of the same label."""
    return sparse.csr_array(np.where(label_of[:, None] == label_of, matrix, 0.0))


def _weights_of_few(
    residuals: ResidualGram, alpha: float, coding: LabelCoding, graph: AnyLabelGraph
) -> sparse.csr_array:
    """Return the weights of a sparse graph, solving all systems of one size as one batch."""
    by_size: dict[int, list[tuple[int, np.ndarray]]] = {}
    for label, inputs in enumerate(graph.inputs):
        if inputs:
            of_inputs = coding.columns(inputs)
            for column in range(coding.starts[label], coding.starts[label + 1]):
                by_size.setdefault(len(of_inputs), []).append((column, of_inputs))
    children, sources, values = [], [], []
    for size, systems in by_size.items():
        child = np.array([column for column, _ in systems])
        source = np.array([of_inputs for _, of_inputs in systems])
        R = residuals.pairs(source[:, :, None], source[:, None, :])
        target = residuals.pairs(source, child[:, None])
        weights = np.linalg.solve(R + alpha * np.eye(size), target[:, :, None])
        children.append(np.repeat(child, size))
        sources.append(source.ravel())
        values.append(weights.ravel())
    where = (np.concatenate(children), np.concatenate(sources))
    return sparse.csr_array((np.concatenate(values), where), shape=(coding.n_columns, coding.n_columns))
