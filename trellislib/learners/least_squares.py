r"""Least squares for every label of any graph, from one Gram matrix.

Ridge regression of all label columns on the features alone, U, and the residual Gram matrix R come from
`trellislib.gram`. By the Schur complement, the weights of the input columns p of a column j solve the small system

.. math:: (R_{pp} + \alpha I)\, v_j = R_{pj},

and the feature weights follow as ``w_j = U_j - U_p v_j``. Two kinds of graphs need one factorisation instead of a
system per label. In a full chain every column has all columns before it as inputs: with ``L L' = R + alpha I`` in
chain order and D the diagonal blocks of L (one block a label), ``D L^-1`` is unit lower triangular by blocks, and
minus its rows are the weights of each label on the labels before it. In a complete undirected graph every column
has all columns of other labels as inputs: with ``P = (R + alpha I)^-1`` and D its diagonal blocks, minus the rows of
``D^-1 P`` are the weights.

Each fit equals scikit-learn's ``Ridge(alpha)`` on the features joined with the inputs' columns.

References
----------
Hastie, Tibshirani and Friedman, "The Elements of Statistical Learning", 2nd ed., section 4.2 (regression of an
indicator matrix). Guo et al., "On calibration of modern neural networks", ICML 2017 (temperature scaling).
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property

import numpy as np
from scipy import linalg, sparse
from scipy.special import softmax

from trellislib.coding import LabelCoding, with_first_value
from trellislib.gram import Moments, moments, singular_explained
from trellislib.label_graph import AnyLabelGraph, LabelGraph
from trellislib.learners.base import Learner, Training
from trellislib.learners.linear import CERTAIN, LinearConditionals, by_width, logits
from trellislib.matrices import dense
from trellislib.progress import Cancelled, Progress, stop_if
from trellislib.training_set import TrainingSet
from trellislib.typing import Matrix

N_CALIBRATION = 1000  # rows that one number per label is fitted on
EPSILON = 1e-12
BLOCK = 256  # labels whose slopes are fitted at a time


class LeastSquares(Learner):
    """Ridge regression of the label indicators, for all labels of a graph at once.

    The label's value is the one whose indicator is predicted highest. Probabilities are those scores (of
    more than two values their logarithms) through a softmax with one slope per label (temperature scaling), fitted on
    at most 1,000 training rows spread evenly over the data; they never change which value is highest.

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

    def prepare(self, training_set: TrainingSet) -> LinearTraining:
        """Return this learner with its data; see `Learner.prepare`."""
        if not self.alpha > 0:
            raise ValueError(f"Got alpha={self.alpha}, but expected a number above 0.")
        return LinearTraining(self, training_set)


class LinearTraining(Training):
    """Least squares and its data, summed up once for all graphs."""

    learner: LeastSquares

    @cached_property
    def _features(self) -> Matrix:
        return self.training_set.X.astype(np.float64, copy=False)

    @cached_property
    def _moments(self) -> Moments:
        data = self.training_set
        return moments(self._features, data.columns, self.learner.alpha, data.weight, data.counts.together)

    def fit(
        self, graph: AnyLabelGraph, *, progress: Progress | None = None, cancelled: Cancelled | None = None
    ) -> LinearConditionals:
        """Fit all labels of `graph`; see `Training.fit`."""
        coding = self.training_set.coding
        stop_if(cancelled)
        with singular_explained(self.learner.alpha):
            summed = self._moments
            stop_if(cancelled)
            on_inputs = _input_weights(summed, coding, graph)
        on_features = summed.U - (on_inputs @ summed.U.T).T
        intercept = summed.z_mean - summed.x_mean @ on_features - on_inputs @ summed.z_mean
        fitted = LinearConditionals(on_features, on_inputs, intercept, np.ones(coding.n_labels), coding)
        fitted = self._calibrated(fitted, cancelled)
        if progress is not None:
            progress(coding.n_labels, coding.n_labels, "labels")
        return fitted

    def _calibrated(self, fitted: LinearConditionals, cancelled: Cancelled | None) -> LinearConditionals:
        """Return the same with slopes fitted on some rows; a label that is constant in training is so for certain."""
        rows = np.unique(np.linspace(0, self._features.shape[0] - 1, N_CALIBRATION).astype(int))
        weight = np.ones(len(rows)) if self.training_set.weight is None else self.training_set.weight[rows]
        indicators = np.ascontiguousarray(dense(self.training_set.columns[rows]).T)
        n_labels = fitted.coding.n_labels
        scores = fitted.given(self._features[rows]).scores(range(n_labels), indicators)
        slopes = np.empty(n_labels)
        for labels, columns in by_width(np.diff(fitted.coding.starts)):
            for first in range(0, len(labels), BLOCK):
                stop_if(cancelled)
                block = slice(first, first + BLOCK)
                slopes[labels[block]] = _slopes(scores[columns[block]], indicators[columns[block]], weight)
        occurs = np.asarray(self.training_set.columns.sum(axis=0)).ravel()
        constant = np.isin(occurs, (0, self.training_set.columns.shape[0]))
        slopes[np.logical_and.reduceat(constant, fitted.coding.starts[:-1])] = CERTAIN
        return LinearConditionals(fitted.on_features, fitted.on_inputs, fitted.intercept, slopes, fitted.coding)


def _input_weights(summed: Moments, coding: LabelCoding, graph: AnyLabelGraph) -> Matrix:
    """Return the weights of the columns of inputs (second axis) for each column (first axis)."""
    if not graph.is_complete or graph.n_labels == 1:
        return _weights_of_few(summed, coding, graph)
    if isinstance(graph, LabelGraph):
        return _weights_of_all_before(summed, coding, graph.order)
    return _weights_of_all_others(summed, coding)


def _weights_of_all_before(summed: Moments, coding: LabelCoding, order: Sequence[int]) -> np.ndarray:
    """Return the weights of a full chain, from one Cholesky factorisation."""
    columns = coding.columns(order)
    R = summed.residual_matrix[np.ix_(columns, columns)]
    L = linalg.cholesky(R + summed.alpha * np.eye(len(R)), lower=True)
    inverse = linalg.solve_triangular(L, np.eye(len(L)), lower=True, overwrite_b=True)
    label_of = np.repeat(np.arange(coding.n_labels), np.diff(coding.starts)[list(order)])
    ordered = -(_diagonal_blocks(L, label_of) @ inverse)
    weights = np.empty_like(ordered)
    weights[np.ix_(columns, columns)] = np.where(label_of[:, None] > label_of, ordered, 0.0)
    return weights


def _weights_of_all_others(summed: Moments, coding: LabelCoding) -> np.ndarray:
    """Return the weights of a complete undirected graph, from one inverse."""
    R = summed.residual_matrix
    precision = linalg.cho_solve(linalg.cho_factor(R + summed.alpha * np.eye(len(R))), np.eye(len(R)))
    label_of = np.repeat(np.arange(coding.n_labels), np.diff(coding.starts))
    blocks = _diagonal_blocks(precision, label_of).toarray()
    weights = -linalg.cho_solve(linalg.cho_factor(blocks), precision)
    return np.where(label_of[:, None] != label_of, weights, 0.0)


def _diagonal_blocks(matrix: np.ndarray, label_of: np.ndarray) -> sparse.csr_array:
    """Return the entries of `matrix` between columns of the same label."""
    return sparse.csr_array(np.where(label_of[:, None] == label_of, matrix, 0.0))


def _weights_of_few(summed: Moments, coding: LabelCoding, graph: AnyLabelGraph) -> sparse.csr_array:
    """Return the weights of a sparse graph, solving all systems of one size as one batch."""
    by_size: dict[int, list[tuple[int, np.ndarray]]] = {}
    for label, inputs in enumerate(graph.inputs):
        of_inputs = coding.columns(inputs)
        for column in coding.columns([label]) if inputs else ():
            by_size.setdefault(len(of_inputs), []).append((int(column), of_inputs))
    children, sources, values = [], [], []
    for size, systems in by_size.items():
        child = np.array([column for column, _ in systems])
        source = np.array([of_inputs for _, of_inputs in systems])
        R = summed.residual(source[:, :, None], source[:, None, :])
        target = summed.residual(source, child[:, None])
        weights = np.linalg.solve(R + summed.alpha * np.eye(size), target[:, :, None])
        children.append(np.repeat(child, size))
        sources.append(source.ravel())
        values.append(weights.ravel())
    shape = (coding.n_columns, coding.n_columns)
    if not values:
        return sparse.csr_array(shape)
    where = (np.concatenate(children), np.concatenate(sources))
    return sparse.csr_array((np.concatenate(values), where), shape=shape)


def _slopes(scores: np.ndarray, indicators: np.ndarray, weight: np.ndarray, n_steps: int = 25) -> np.ndarray:
    """Fit the slope of each label's logits by Newton's method; the likelihood is concave in it.

    Scores and indicators have the shape (labels, columns of a label, instances). The observed value's target is
    (n + 1) / (n + K), not 1, after Platt: a label whose values are told apart perfectly still gets a finite slope.
    """
    scores, indicators = logits(scores), with_first_value(indicators)
    n_values = scores.shape[1]
    seen = (indicators @ weight)[:, :, None]
    doubt = (n_values - 1) / (seen + n_values)
    missed = (doubt * indicators).sum(axis=1, keepdims=True) / (n_values - 1)
    target = np.where(indicators > 0, 1 - doubt, missed)
    least = EPSILON * (scores**2).sum(axis=1) @ weight + EPSILON  # where all instances score alike
    slopes = np.ones(len(scores))
    for _ in range(n_steps):
        p = softmax(slopes[:, None, None] * scores, axis=1)
        mean = (p * scores).sum(axis=1)
        gradient = ((target * scores).sum(axis=1) - mean) @ weight
        curvature = ((p * scores**2).sum(axis=1) - mean**2) @ weight
        moved = np.clip(slopes + gradient / np.maximum(curvature, least), slopes / 10, slopes * 10)
        settled = np.allclose(moved, slopes, rtol=1e-6)
        slopes = moved
        if settled:
            break
    return slopes
