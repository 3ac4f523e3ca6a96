r"""Least squares for every label of any graph, from one Gram matrix or one eigendecomposition of it.

Ridge regression of all label columns on the features alone, U, and the residual Gram matrix R come from
`trellislib.dependence`. By the Schur complement, the weights of the input columns p of a column j solve the small
system

.. math:: (R_{pp} + \alpha I)\, v_j = R_{pj},

and the feature weights follow as ``w_j = U_j - U_p v_j``; see `trellislib.learners.input_weights`. With
``M = I - X (X'X + alpha I)^-1 X'`` the hat matrix of the features joined with the inputs is

.. math:: H + M Z_p (R_{pp} + \alpha I)^{-1} Z_p' M,

so that leverages, and with them what is fitted to a row without the row, are as cheap.

Each fit equals scikit-learn's ``Ridge(alpha)`` on the features joined with the inputs' columns.

References
----------
Hastie, Tibshirani and Friedman, "The Elements of Statistical Learning", 2nd ed., sections 4.2 (regression of an
indicator matrix) and 7.10.1 (leaving one out).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property
from numbers import Real
from typing import Any, TypeAlias

import numpy as np

from trellislib.dependence.gram import Regression, row_blocks, singular_explained
from trellislib.dependence.residual import ResidualGram
from trellislib.labels.graph import AnyLabelGraph
from trellislib.labels.matrices import dense
from trellislib.learners.base import Given, Learner, Training
from trellislib.learners.calibration import Scale, n_calibrated, n_scaled, slopes_of
from trellislib.learners.input_weights import InputRegressions, NoInputs, input_regressions, joined, scaled_weights
from trellislib.learners.linear import CERTAIN, LinearConditionals, LinearGiven
from trellislib.learners.ridge import FixedRidge, Ridges, TunedRidges, left_to_others
from trellislib.learners.training_set import TrainingSet, evenly_spread
from trellislib.running.memory import FLOAT, Need, Size
from trellislib.running.progress import Cancelled, Progress, stop_if

LEAVE_ONE_OUT = "loo"
Rescaling: TypeAlias = Callable[[np.ndarray], np.ndarray]
HELD_OUT_CELLS = 2**25  # of rows and label columns that are held out at a time


class LeastSquares(Learner):
    """Ridge regression of the label indicators, for all labels of a graph at once.

    The label's value is the one whose indicator is predicted highest. Probabilities are those scores (of more than
    two values their logarithms) through a softmax with one slope per label (temperature scaling); they never change
    which value is highest. Slopes are fitted at the first probability, on the leave-one-out scores of at most 1,000
    training rows spread evenly over the data: what the fit without a row gives the row, which follows from the fit
    with it.

    With ``alpha="loo"`` each label has a penalty of its own, the one of the least squared leave-one-out error on the
    features alone. A binary label's score is then brought to the scale of log-odds by a slope and an intercept
    that are fitted on its leave-one-out scores (Platt scaling), so that decisions and probabilities agree.

    Parameters
    ----------
    alpha : float or "loo", default=1.0
        Penalty on the squared weights of features and other labels; the intercept is free. With "loo", for each label
        the best of 17 that are 1e-4 to 1e4 times the mean eigenvalue of the centred X'X (the mean sum of
        squares of a feature, but for those that others determine): features of any scale have the same grid. Inputs
        have the penalty of their label, too.

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

    def __init__(self, alpha: float | str = 1.0) -> None:
        self.alpha = alpha

    def memory_needed(self, size: Size) -> Need:
        """Return about how much memory the sums of the data take; see `Learner.memory_needed`."""
        side = min(size.n_instances, size.n_features)
        sums = FLOAT * (side**2 + 3 * size.n_features * size.n_columns)
        weights = Need(sums, f"the weights of {size.n_features} features", "give fewer features")
        needed = super().memory_needed(size) + weights
        if self.alpha == LEAVE_ONE_OUT:
            needed += Need(3 * FLOAT * side**2, f"eigenvectors of {side} rows", "give fewer features, or alpha=1.0")
        return needed

    def prepare(self, training_set: TrainingSet) -> LinearTraining:
        """Return this learner with its data; see `Learner.prepare`."""
        if self.alpha == LEAVE_ONE_OUT:
            return TunedTraining(self, training_set)
        if not isinstance(self.alpha, Real) or not self.alpha > 0:
            raise ValueError(f"Got alpha={self.alpha!r}, but expected a number above 0 or {LEAVE_ONE_OUT!r}.")
        return LinearTraining(self, training_set)


@dataclass(frozen=True)
class _Part:
    """The regressions of the labels of one penalty.

    Attributes
    ----------
    by_features : Regression
        Of all columns on the features alone.
    by_inputs : InputRegressions
        Of the labels on their inputs, beyond the features.
    columns : ndarray of int
        The labels' columns.
    """

    by_features: Regression
    by_inputs: InputRegressions
    columns: np.ndarray


class LinearTraining(Training):
    """Least squares and its data, summed up once for all graphs."""

    learner: LeastSquares

    @cached_property
    def _ridges(self) -> Ridges:
        return FixedRidge(self.training_set, float(self.learner.alpha))

    def fit(
        self, graph: AnyLabelGraph, *, progress: Progress | None = None, cancelled: Cancelled | None = None
    ) -> LinearConditionals:
        """Fit all labels of `graph`; see `Training.fit`."""
        fitted, _ = self._fit(graph, cancelled)
        if progress is not None:
            progress(graph.n_labels, graph.n_labels, "labels")
        return fitted

    def held_out(
        self,
        graph: AnyLabelGraph,
        rows: np.ndarray | None = None,
        *,
        progress: Progress | None = None,
        cancelled: Cancelled | None = None,
    ) -> Iterator[tuple[np.ndarray, Given]]:
        """Yield the conditionals of training rows, each fitted without the row; see `Training.held_out`.

        They follow from the fit with all rows. Given the true values of its inputs, a label's score is exactly the one
        of a fit without the row; for other values, the weights of the inputs are those of all rows. (Penalties chosen
        and scales fitted by leave-one-out are those of all rows, too.) A row of a weight above 1 counts as so many
        copies, of which one is left out. Rows come together unless they are very many.
        """
        data = self.training_set
        rows = np.arange(data.n_instances) if rows is None else rows
        fitted, rescaled = self._fit(graph, cancelled)
        for block in row_blocks(len(rows), data.coding.n_columns, HELD_OUT_CELLS):
            some = rows[block]
            scores = np.empty((data.coding.n_columns, len(some)))
            for part in self._parts(graph, cancelled):
                scores[part.columns] = self._scores_without(part, some)
            truth = dense(data.columns[some]).T
            yield some, LinearGiven(fitted, rescaled(scores) - fitted.on_inputs @ truth)
            if progress is not None:
                progress(block.stop, len(rows), "rows")

    def _fit(self, graph: AnyLabelGraph, cancelled: Cancelled | None) -> tuple[LinearConditionals, Rescaling]:
        """Return the fitted conditionals, and what brings scores of the regressions to their scale."""
        parts = list(self._parts(graph, cancelled))
        weights = self._weights(parts)
        return LinearConditionals(*weights, lambda _: self._slopes(parts), self.training_set.coding), lambda s: s

    def _parts(self, graph: AnyLabelGraph, cancelled: Cancelled | None) -> Iterator[_Part]:
        """Yield the regressions of the labels of each penalty."""
        coding = self.training_set.coding
        has_inputs = graph.n_labels > 1 and (graph.is_complete or any(graph.inputs))
        stop_if(cancelled)
        for alpha, labels in self._ridges.penalties:
            by_inputs: InputRegressions = NoInputs(coding, labels)
            with singular_explained(alpha):
                by_features = self._ridges.regression(alpha)
                stop_if(cancelled)
                if has_inputs:
                    residuals = ResidualGram(by_features, self.training_set.counts)
                    by_inputs = input_regressions(residuals, alpha, coding, graph, labels)
            yield _Part(by_features, by_inputs, coding.columns(labels))

    def _weights(self, parts: Iterable[_Part]) -> tuple[np.ndarray, Any, np.ndarray]:
        """Return the weights of features and of inputs, and the intercepts."""
        n_columns = self.training_set.coding.n_columns
        on_rotated, intercept = np.empty((self._ridges.n_features, n_columns)), np.empty(n_columns)
        pieces = []
        for part in parts:
            columns, rows = part.columns, part.by_inputs.rows(part.columns)
            on_rotated[:, columns] = part.by_features.U[:, columns] - (rows @ part.by_features.U.T).T
            z_mean = part.by_features.z_mean
            intercept[columns] = z_mean[columns] - (rows @ z_mean[:, None])[:, 0]
            pieces.append((part.by_inputs, columns))
        on_features = self._ridges.on_features(on_rotated)
        intercept -= self._ridges.x_mean @ on_features
        return on_features, joined(pieces, n_columns), intercept

    def _scores_without(self, part: _Part, rows: np.ndarray) -> np.ndarray:
        """Return what fits without a row each give it for true inputs, of shape (columns of the part, rows)."""
        data, ridges, by_inputs = self.training_set.with_rows, self._ridges, part.by_inputs
        columns, alpha = part.columns, part.by_features.alpha
        label_of = np.searchsorted(data.coding.starts, columns, side="right") - 1
        scores = np.empty((len(columns), len(rows)))
        for block in row_blocks(len(rows), max(data.coding.n_columns, data.n_features)):
            some = rows[block]
            truth = dense(data.columns[some]).T
            by_features = np.zeros_like(truth)  # what is left of the columns that matter
            read = by_inputs.reads
            by_features[read] = truth[read] - ridges.fitted(part.by_features, some, read)
            left = by_features - by_inputs.weights @ by_features
            leverages = ridges.leverages(alpha, some) + by_inputs.leverages(by_features, left)
            others = left_to_others(leverages, data.weights(some))
            scores[:, block] = truth[columns] - left[columns] / others[label_of]
        return scores

    def _slopes(self, parts: Iterable[_Part]) -> np.ndarray:
        """Return the slope of each label's logits, fitted on leave-one-out scores; see `.calibration`."""
        data = self.training_set.with_rows
        rows = evenly_spread(data.n_instances, n_calibrated(data.coding.n_columns))
        scores = np.empty((data.coding.n_columns, len(rows)))
        for part in parts:
            scores[part.columns] = self._scores_without(part, rows)
        slopes = slopes_of(scores, dense(data.columns[rows]).T, data.weights(rows), data.coding)
        slopes[self.training_set.constant] = CERTAIN
        return slopes


class TunedTraining(LinearTraining):
    """Least squares with penalties chosen by leave-one-out, and its data, decomposed once for all graphs."""

    @cached_property
    def _ridges(self) -> Ridges:
        return TunedRidges(self.training_set)

    def _fit(self, graph: AnyLabelGraph, cancelled: Cancelled | None) -> tuple[LinearConditionals, Rescaling]:
        """Fit slopes and intercepts on the leave-one-out scores of what is fitted; see `LinearTraining._fit`."""
        data, coding = self.training_set, self.training_set.coding
        rows = evenly_spread(data.n_instances, n_scaled(coding.n_columns))
        scores = np.empty((coding.n_columns, len(rows)))

        def seen() -> Iterator[_Part]:
            for part in self._parts(graph, cancelled):
                scores[part.columns] = self._scores_without(part, rows)
                yield part

        on_features, on_inputs, intercept = self._weights(seen())
        scale = Scale.of(scores, dense(data.columns[rows]).T, data.weights(rows), coding, data.constant)
        fitted = LinearConditionals(
            on_features * scale.factor,
            scaled_weights(on_inputs, scale.factor),
            scale(intercept),
            scale.slopes,
            coding,
        )
        return fitted, scale
