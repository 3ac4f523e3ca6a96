r"""Least squares for every label of any graph, from one Gram matrix.

With centred features X and centred indicator columns Z, ``S = X'X + alpha I`` and ``U = S^-1 X'Z``, ridge
regression of all labels on the features alone is U. What the features leave unexplained is in the residual Gram
matrix ``R = Z'Z - Z'X U``. By the Schur complement, the weights of the parent columns p of a column j solve the
small system

.. math:: (R_{pp} + \alpha I)\, v_j = R_{pj},

and the feature weights follow as ``w_j = U_j - U_p v_j``. In a full chain every column has all columns before it
as parents, and all those systems are one Cholesky factorisation: with ``L L' = R + alpha I`` in chain order and D
the diagonal blocks of L (one block a label), ``D L^-1`` is unit lower triangular by blocks, and minus its rows
are the weights of each label on the labels before it.

Each fit equals scikit-learn's ``Ridge(alpha)`` on the features joined with the parents' columns.

References
----------
Hastie, Tibshirani and Friedman, "The Elements of Statistical Learning", 2nd ed., section 4.2 (regression of an
indicator matrix). Guo et al., "On calibration of modern neural networks", ICML 2017 (temperature scaling).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass

import numpy as np
from scipy import linalg, sparse
from scipy.special import softmax

from trellislib.coding import LabelCoding, with_first_value
from trellislib.graphs import LabelGraph
from trellislib.learners.base import Conditionals, Given, Learner
from trellislib.progress import Cancelled, Progress, stop_if
from trellislib.typing import Matrix

N_CALIBRATION = 1000  # rows that one number per label is fitted on
EPSILON = 1e-12
BLOCK = 256  # labels whose slopes are fitted at a time
BLOCK_CELLS = 2**22  # cells of the intermediate products of pairs of columns


class LeastSquares(Learner):
    """Ridge regression of the label indicators, for all labels of a graph at once.

    The label's value is the one whose indicator is predicted highest. Probabilities are those scores through a
    softmax with one slope per label (temperature scaling), fitted on at most 1,000 training rows spread evenly
    over the data; they never change which value is highest.

    Parameters
    ----------
    alpha : float, default=1.0
        Penalty on the squared weights of features and parents; the intercept is free.

    Examples
    --------
    >>> from trellislib import ClassifierTrellis, LeastSquares
    >>> X = [[0.0], [0.2], [0.8], [1.0]]
    >>> Y = [[0, 0], [0, 1], [1, 1], [1, 1]]
    >>> ClassifierTrellis(LeastSquares(alpha=0.1), random_state=0).fit(X, Y).predict([[0.1], [0.9]])
    array([[0, 0],
           [1, 1]])
    """

    def __init__(self, alpha: float = 1.0) -> None:
        self.alpha = alpha

    def fit_graph(
        self,
        X: Matrix,
        Y: Matrix,
        coding: LabelCoding,
        graph: LabelGraph,
        *,
        progress: Progress | None = None,
        cancelled: Cancelled | None = None,
    ) -> LinearConditionals:
        """Fit all labels of `graph`; see `Learner.fit_graph`."""
        if not self.alpha > 0:
            raise ValueError(f"Got alpha={self.alpha}, but expected a number above 0.")
        with _singular_explained(self.alpha):
            stop_if(cancelled)
            X = X.astype(np.float64, copy=False)
            Z = coding.encode(Y)
            moments = _moments(X, Z, self.alpha)
            stop_if(cancelled)
            on_parents = (_chain_weights if graph.is_complete else _parent_weights)(moments, coding, graph)
            on_features = moments.U - (on_parents @ moments.U.T).T
            intercept = moments.z_mean - moments.x_mean @ on_features - on_parents @ moments.z_mean
            fitted = LinearConditionals(on_features, on_parents, intercept, np.ones(coding.n_labels), coding)
            rows = np.unique(np.linspace(0, X.shape[0] - 1, N_CALIBRATION).astype(int))
            fitted = fitted.calibrated(X[rows], Z[rows], cancelled)
        if progress is not None:
            progress(coding.n_labels, coding.n_labels, "labels")
        return fitted


class LinearConditionals(Conditionals):
    """Scores that are linear in the features and in the parents' indicator columns.

    Attributes
    ----------
    on_features : ndarray of shape (n_features, n_columns)
        Weights of the features.
    on_parents : {ndarray, csr_array} of shape (n_columns, n_columns)
        Weights of the columns of parents (second axis) for each column (first axis).
    intercept : ndarray of shape (n_columns,)
        Constant terms.
    slopes : ndarray of shape (n_labels,)
        Of the softmax that turns a label's scores into probabilities.
    """

    gives_probabilities = True

    def __init__(
        self,
        on_features: np.ndarray,
        on_parents: Matrix,
        intercept: np.ndarray,
        slopes: np.ndarray,
        coding: LabelCoding,
    ) -> None:
        self.on_features = on_features
        self.on_parents = on_parents
        self.intercept = intercept
        self.slopes = slopes
        self.coding = coding

    def given(self, X: Matrix) -> LinearGiven:
        """Return the conditionals of `X`, whose part of every score is one product for all labels."""
        return LinearGiven(self, np.ascontiguousarray((X @ self.on_features + self.intercept).T))

    def calibrated(self, X: Matrix, Z: Matrix, cancelled: Cancelled | None = None) -> LinearConditionals:
        """Return the same with slopes fitted on the rows `X` with the indicator columns `Z`."""
        indicators = np.ascontiguousarray(_dense(Z).T)
        scores = self.given(X).scores(range(self.coding.n_labels), indicators)
        slopes = np.empty(self.coding.n_labels)
        for labels, columns in _by_width(np.diff(self.coding.starts)):
            for first in range(0, len(labels), BLOCK):
                stop_if(cancelled)
                block = slice(first, first + BLOCK)
                slopes[labels[block]] = _slopes(scores[columns[block]], indicators[columns[block]])
        return LinearConditionals(self.on_features, self.on_parents, self.intercept, slopes, self.coding)


@dataclass(frozen=True)
class LinearGiven(Given):
    """Linear conditionals of some instances, the features' part of whose scores is known."""

    fitted: LinearConditionals
    from_features: np.ndarray

    def scores(self, labels: Sequence[int], Z: np.ndarray) -> np.ndarray:
        """Return the linear scores of the columns of `labels` given their parents, (columns, n_instances)."""
        columns = self.fitted.coding.columns(labels)
        return self.from_features[columns] + self.fitted.on_parents[columns] @ Z

    def decide(self, labels: Sequence[int], Z: np.ndarray) -> np.ndarray:
        """Return the codes that score highest."""
        return self.fitted.coding.decide(self.scores(labels, Z), labels)

    def probabilities(self, labels: Sequence[int], Z: np.ndarray) -> np.ndarray:
        """Return the softmax of each label's scores times its slope."""
        slopes, widths = self.fitted.slopes[list(labels)], np.diff(self.fitted.coding.starts)[list(labels)]
        scores = self.scores(labels, Z)
        for of_width, columns in _by_width(widths):
            logits = slopes[of_width, None, None] * with_first_value(scores[columns])
            scores[columns] = softmax(logits, axis=1)[:, 1:]
        return scores


@contextmanager
def _singular_explained(alpha: float) -> Iterator[None]:
    """Say what to do where a system is singular in floating point."""
    try:
        yield
    except np.linalg.LinAlgError:
        raise ValueError(
            f"Features or labels are too large or too much alike for alpha={alpha}: scale them or raise alpha."
        ) from None


@dataclass(frozen=True)
class _Moments:
    """What is left of the data when all that matters has been summed: see the module's notes."""

    x_mean: np.ndarray
    z_mean: np.ndarray
    together: Matrix  # Z'Z, not centred
    n_instances: int
    XZ: np.ndarray
    U: np.ndarray
    alpha: float

    def residual(self, first: np.ndarray, second: np.ndarray) -> np.ndarray:
        """Return the entries R[first, second], the index arrays being broadcast together."""
        first, second = np.broadcast_arrays(first, second)
        shape, first, second = first.shape, first.ravel(), second.ravel()
        R = np.asarray(self.together[first, second]) - self.n_instances * self.z_mean[first] * self.z_mean[second]
        size = max(BLOCK_CELLS // len(self.XZ), 1)
        for low in range(0, len(R), size):
            block = slice(low, low + size)
            R[block] -= np.einsum("dp,dp->p", self.XZ[:, first[block]], self.U[:, second[block]])
        return R.reshape(shape)

    def residual_matrix(self) -> np.ndarray:
        """Return all of R."""
        together = self.together.toarray() if sparse.issparse(self.together) else self.together
        return together - self.n_instances * np.outer(self.z_mean, self.z_mean) - self.XZ.T @ self.U


def _moments(X: Matrix, Z: Matrix, alpha: float) -> _Moments:
    """Sum up the data; for more features than instances in the dual form, whose systems are N x N."""
    n, n_features = X.shape
    x_mean, z_mean = np.asarray(X.mean(axis=0)).ravel(), np.asarray(Z.mean(axis=0)).ravel()
    if n_features > n and sparse.issparse(X):
        targets, along = _dense(Z) - z_mean, X @ x_mean
        K = _dense(X @ X.T) - along[:, None] - along + x_mean @ x_mean
        XZ = X.T @ targets  # the targets' mean is 0, so that the features' mean has no part
        dual = _solve_ridge(K, targets, alpha)
        U = X.T @ dual - np.outer(x_mean, dual.sum(axis=0))
    elif n_features > n:
        centred, targets = _centred(X, x_mean), _dense(Z) - z_mean
        XZ = centred.T @ targets
        U = centred.T @ _solve_ridge(centred @ centred.T, targets, alpha)
    else:
        if sparse.issparse(X):
            S = _dense(X.T @ X) - n * np.outer(x_mean, x_mean)
            XZ = _dense(X.T @ Z) - n * np.outer(x_mean, z_mean)
        else:
            centred = _centred(X, x_mean)
            S, XZ = centred.T @ centred, np.asarray(Z.T @ centred).T
        U = _solve_ridge(S, XZ, alpha)
    return _Moments(x_mean, z_mean, Z.T @ Z, n, XZ, U, alpha)


def _centred(X: np.ndarray, mean: np.ndarray) -> np.ndarray:
    """Subtract the mean, and what its rounding left: features far from 0 keep their digits."""
    centred = X - mean
    centred -= centred.mean(axis=0)
    return centred


def _solve_ridge(S: np.ndarray, B: np.ndarray, alpha: float) -> np.ndarray:
    """Solve ``(S + alpha I) U = B``; scaling to a unit diagonal keeps features of unlike sizes accurate."""
    scale = 1 / np.sqrt(S.diagonal() + alpha)
    system = S * np.outer(scale, scale)
    np.fill_diagonal(system, 1.0)
    factor = linalg.cho_factor(system, lower=True, overwrite_a=True)
    return scale[:, None] * linalg.cho_solve(factor, scale[:, None] * B)


def _dense(matrix: Matrix) -> np.ndarray:
    return matrix.toarray() if sparse.issparse(matrix) else matrix


def _chain_weights(moments: _Moments, coding: LabelCoding, graph: LabelGraph) -> np.ndarray:
    """Return the parents' weights of a full chain, from one Cholesky factorisation."""
    columns = coding.columns(graph.order)
    R = moments.residual_matrix()[np.ix_(columns, columns)]
    L = linalg.cholesky(R + moments.alpha * np.eye(len(R)), lower=True)
    inverse = linalg.solve_triangular(L, np.eye(len(L)), lower=True, overwrite_b=True)
    label_of = np.repeat(np.arange(coding.n_labels), np.diff(coding.starts)[list(graph.order)])
    blocks = sparse.csr_array(np.where(label_of[:, None] == label_of, L, 0.0))
    ordered = np.eye(len(L)) - blocks @ inverse
    weights = np.empty_like(ordered)
    weights[np.ix_(columns, columns)] = np.where(label_of[:, None] > label_of, ordered, 0.0)
    return weights


def _parent_weights(moments: _Moments, coding: LabelCoding, graph: LabelGraph) -> sparse.csr_array:
    """Return the parents' weights of a sparse graph, solving all systems of one size as one batch."""
    by_size: dict[int, list[tuple[int, np.ndarray]]] = {}
    for label, parents in enumerate(graph.parents):
        of_parents = coding.columns(parents)
        for column in coding.columns([label]) if parents else ():
            by_size.setdefault(len(of_parents), []).append((int(column), of_parents))
    children, sources, values = [], [], []
    for size, systems in by_size.items():
        child = np.array([column for column, _ in systems])
        source = np.array([of_parents for _, of_parents in systems])
        R = moments.residual(source[:, :, None], source[:, None, :])
        target = moments.residual(source, child[:, None])
        weights = np.linalg.solve(R + moments.alpha * np.eye(size), target[:, :, None])
        children.append(np.repeat(child, size))
        sources.append(source.ravel())
        values.append(weights.ravel())
    shape = (coding.n_columns, coding.n_columns)
    if not values:
        return sparse.csr_array(shape)
    where = (np.concatenate(children), np.concatenate(sources))
    return sparse.csr_array((np.concatenate(values), where), shape=shape)


def _by_width(widths: np.ndarray) -> Iterator[tuple[np.ndarray, np.ndarray]]:
    """Yield the labels of each number of columns, and where those columns are, as (labels, width)."""
    starts = np.cumsum(widths) - widths
    for width in np.unique(widths):
        labels = np.flatnonzero(widths == width)
        yield labels, starts[labels, None] + np.arange(width)


def _slopes(scores: np.ndarray, indicators: np.ndarray, n_steps: int = 25) -> np.ndarray:
    """Fit the slope of each label's softmax by Newton's method; the likelihood is concave in it.

    Both arguments have the shape (labels, columns of a label, instances). The observed value's target is
    (n + 1) / (n + K), not 1, after Platt: a label whose values are told apart perfectly still gets a finite slope.
    """
    scores, indicators = with_first_value(scores), with_first_value(indicators)
    n_values = scores.shape[1]
    seen = indicators.sum(axis=2, keepdims=True)
    doubt = (n_values - 1) / (seen + n_values)
    missed = (doubt * indicators).sum(axis=1, keepdims=True) / (n_values - 1)
    target = np.where(indicators > 0, 1 - doubt, missed)
    least = EPSILON * (scores**2).sum(axis=(1, 2)) + EPSILON  # where all instances score alike
    slopes = np.ones(len(scores))
    for _ in range(n_steps):
        p = softmax(slopes[:, None, None] * scores, axis=1)
        mean = (p * scores).sum(axis=1)
        gradient = (target * scores).sum(axis=(1, 2)) - mean.sum(axis=1)
        curvature = (p * scores**2).sum(axis=(1, 2)) - (mean**2).sum(axis=1)
        moved = np.clip(slopes + gradient / np.maximum(curvature, least), slopes / 10, slopes * 10)
        settled = np.allclose(moved, slopes, rtol=1e-6)
        slopes = moved
        if settled:
            break
    return slopes
