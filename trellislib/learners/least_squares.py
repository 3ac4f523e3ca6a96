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
from operator import itemgetter
from typing import Any, TypeAlias

import numpy as np
from sklearn.base import TransformerMixin

from trellislib.dependence.gram import Regression, row_blocks, singular_explained
from trellislib.dependence.residual import ResidualGram
from trellislib.labels.graph import AnyLabelGraph
from trellislib.labels.matrices import dense
from trellislib.learners.base import N_FOLDS, Given, Learner, Training
from trellislib.learners.calibration import Scale, n_calibrated, n_scaled, slopes_of
from trellislib.learners.feature_maps import (
    AND_NEIGHBOURS,
    AUTO,
    NYSTROEM,
    SCALED,
    Features,
    MappedConditionals,
    check_features,
    mapped,
    whole_repr,
)
from trellislib.learners.input_weights import InputRegressions, NoInputs, input_regressions, joined, scaled_weights
from trellislib.learners.linear import CERTAIN, LinearConditionals, LinearGiven
from trellislib.learners.ridge import (
    LEAVE_ONE_OUT,
    FixedRidge,
    Ridges,
    TunedRidges,
    leave_one_out_errors,
    left_to_others,
)
from trellislib.learners.training_set import TrainingSet, evenly_spread
from trellislib.running.memory import FLOAT, Need, Size
from trellislib.running.progress import Cancelled, Progress, stop_if
from trellislib.running.threads import blas_threads_for

N_LANDMARKS = 500
MOST_LINEAR = 2000  # features, or instances if fewer, that are decomposed to compare them with those of a kernel
WITH_NEIGHBOURS = range(1000, 2**14 + 1)  # instances: of fewer, neighbours are far; of more, they take long to find
MOST_OF_NEIGHBOURS = 1000  # label columns up to which those of the neighbours are tried as features,
LEAST_GAIN = 0.01  # and the share of the error by which they must lower it
Rescaling: TypeAlias = Callable[[np.ndarray], np.ndarray]
HELD_OUT_CELLS = 2**25  # of rows and label columns that are held out at a time


def tries_neighbours(n_instances: int, n_columns: int) -> bool:
    """Return whether automatic features are compared with those that have the labels of neighbours, too."""
    return n_instances in WITH_NEIGHBOURS and n_columns <= MOST_OF_NEIGHBOURS


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

    Where training rows have groups, no row is judged by a fit that has seen its group: penalties are chosen with each
    group left out, slopes and intercepts are fitted on the scores of fits without a fifth of the groups.

    Parameters
    ----------
    alpha : float or "loo", default=1.0
        Penalty on the squared weights of features and other labels; the intercept is free. With "loo", for each label
        the best of 17 that are 1e-4 to 1e4 times the mean eigenvalue of the centred X'X (the mean sum of
        squares of a feature, but for those that others determine): features of any scale have the same grid. Inputs
        have the penalty of their label, too.
    features : {"scaled", "nystroem", "scaled+neighbours", "nystroem+neighbours", "auto"} or transformer, optional
        What the features are mapped to; by default they are taken as they are. "scaled" brings dense features to
        [0, 1], and sparse rows to unit length. "nystroem" takes the features of a Gaussian kernel of these, whose width
        is the mean squared distance of two rows, and so makes a kernel method of every structure. "+neighbours" adds
        the mean labels of the ten nearest other training rows. "auto" is the map of the smallest squared leave-one-out
        error of independent labels on the training rows. Only maps by "nystroem" are tried where there are more than
        2,000 features and instances, and those with neighbours where there are 1,000 to 16,384 instances and at most
        1,000 label columns. A transformer of scikit-learn is cloned. The map is fitted to the training rows, and time
        then grows as their number times the square of its features; finding neighbours takes time as the square of
        their number.
    n_components : int, default=500
        Training rows that are drawn as landmarks of "nystroem", or all where there are no more. A seed of 0 draws them.

    Examples
    --------
    >>> from trellislib import ClassifierTrellis, LeastSquares
    >>> X = [[0.0], [0.2], [0.8], [1.0]]
    >>> Y = [[0, 0], [0, 1], [1, 1], [1, 1]]
    >>> ClassifierTrellis(LeastSquares(alpha=0.1), random_state=0).fit(X, Y).predict([[0.1], [0.9]])
    array([[0, 0],
           [1, 1]])

    A ring around its middle, which no linear score separates:

    >>> from trellislib import IndependentClassifiers
    >>> X = [[1, 0], [0, 1], [-1, 0], [0, -1], [0.1, 0], [0, 0.1], [-0.1, 0], [0, -0.1]]
    >>> Y = [[1]] * 4 + [[0]] * 4
    >>> IndependentClassifiers(LeastSquares("loo", features="auto")).fit(X, Y).predict([[0.7, 0.7], [0.1, 0.1]])
    array([[1],
           [0]])
    """

    gives_probabilities = True

    def __init__(self, alpha: float | str = 1.0, features: Features = None, n_components: int = N_LANDMARKS) -> None:
        self.alpha = alpha
        self.features = features
        self.n_components = n_components

    def memory_needed(self, size: Size) -> Need:
        """Return about how much memory the sums of the data, and maps of them, take; see `Learner.memory_needed`."""
        needed = super().memory_needed(size)
        if self.features == AUTO or str(self.features).startswith(NYSTROEM):
            n_components = min(self.n_components, size.n_instances)
            of_map = FLOAT * (2 * size.n_instances + 2 * n_components) * n_components
            needed += Need(of_map, f"the features of {n_components} landmarks", "give fewer landmarks as n_components")
            if self.features != AUTO or min(size.n_instances, size.n_features) > MOST_LINEAR:
                size = size._replace(n_features=n_components)
        is_tried = self.features == AUTO and tries_neighbours(size.n_instances, size.n_columns)
        if is_tried or str(self.features).endswith(AND_NEIGHBOURS):
            size = size._replace(n_features=size.n_features + size.n_columns)
        side = min(size.n_instances, size.n_features)
        sums = FLOAT * (side**2 + 3 * size.n_features * size.n_columns)
        needed += Need(sums, f"the weights of {size.n_features} features", "give fewer features")
        if self.alpha == LEAVE_ONE_OUT or self.features == AUTO:
            needed += Need(3 * FLOAT * side**2, f"{side} eigenvectors", "give fewer features, or a number as alpha")
        return needed

    def prepare(self, training_set: TrainingSet) -> Training:
        """Return this learner with its data; see `Learner.prepare`."""
        check_features(self.features, self.n_components)
        if self.alpha != LEAVE_ONE_OUT and not (isinstance(self.alpha, Real) and self.alpha > 0):
            raise ValueError(f"Got alpha={self.alpha!r}, but expected a number above 0 or {LEAVE_ONE_OUT!r}.")
        if self.features is not None:
            return MappedTraining(self, training_set)
        return (TunedTraining if self.alpha == LEAVE_ONE_OUT else LinearTraining)(self, training_set)


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
        copies, of which one is left out. Where there are groups, a label's score is the one of a fit without a fifth of
        the groups. Rows come together unless they are very many. Where a label has more than half as many inputs as
        there are rows, each row has a say in the weights of the inputs, and five folds are held out instead.
        """
        data = self.training_set
        n_inputs = data.coding.n_columns if graph.is_complete else max(map(len, graph.inputs), default=0)
        if graph.n_labels > 1 and n_inputs > data.n_instances / 2:
            yield from super().held_out(graph, rows, progress=progress, cancelled=cancelled)
            return
        rows = np.arange(data.n_instances) if rows is None else rows
        fitted, rescaled = self._fit(graph, cancelled)
        for block in row_blocks(len(rows), data.coding.n_columns, HELD_OUT_CELLS):
            some = rows[block]
            scores = self._scores_held_out(graph, self._parts(graph, cancelled), some, cancelled)
            truth = dense(data.columns[some]).T
            yield some, LinearGiven(fitted, rescaled(scores) - fitted.on_inputs @ truth)
            if progress is not None:
                progress(block.stop, len(rows), "rows")

    def _fit(self, graph: AnyLabelGraph, cancelled: Cancelled | None) -> tuple[LinearConditionals, Rescaling]:
        """Return the fitted conditionals, and what brings scores of the regressions to their scale."""
        parts = list(self._parts(graph, cancelled))
        with blas_threads_for(self.training_set.coding.n_columns**2 * self.training_set.n_features):
            weights = self._weights(parts)
        coding = self.training_set.coding
        return LinearConditionals(*weights, lambda _: self._slopes(graph, parts), coding), lambda s: s

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
                    with blas_threads_for(coding.n_columns**3):
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

    def _scores_held_out(
        self, graph: AnyLabelGraph, parts: Iterable[_Part], rows: np.ndarray, cancelled: Cancelled | None = None
    ) -> np.ndarray:
        """Return what fits without each of some rows, or its group, give it for true inputs, (n_columns, n_rows)."""
        if self.training_set.with_rows.units is not None:
            return self._scores_without_groups(graph, rows, cancelled)
        scores = np.empty((self.training_set.coding.n_columns, len(rows)))
        for part in parts:
            scores[part.columns] = self._scores_without(part, rows)
        return scores

    def _scores_without_groups(self, graph: AnyLabelGraph, rows: np.ndarray, cancelled: Cancelled | None) -> np.ndarray:
        """Return what fits without a fifth of the groups give to some rows of these, see `_scores_held_out`."""
        data = self.training_set
        scores = np.empty((data.coding.n_columns, len(rows)))
        for training, which in self._folds:
            asked = np.isin(rows, which)
            on_features, on_inputs, intercept = training._weights(training._parts(graph, cancelled))
            truth = dense(data.columns[rows[asked]]).T
            scores[:, asked] = (data.X[rows[asked]] @ on_features + intercept).T + on_inputs @ truth
        return scores

    @cached_property
    def _folds(self) -> list[tuple[LinearTraining, np.ndarray]]:
        """For each fold, this learner with the other rows, and which rows are held out."""
        folds = self.training_set.folds(N_FOLDS)
        return [(type(self)(self.learner, rest), which) for rest, _, which in folds]

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

    def _slopes(self, graph: AnyLabelGraph, parts: Iterable[_Part]) -> np.ndarray:
        """Return the slope of each label's logits, fitted on scores of rows held out; see `.calibration`."""
        data = self.training_set.with_rows
        rows = evenly_spread(data.n_instances, n_calibrated(data.coding.n_columns))
        scores = self._scores_held_out(graph, parts, rows)
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
        if data.units is not None:
            scores = self._scores_without_groups(graph, rows, cancelled)

        def seen() -> Iterator[_Part]:
            for part in self._parts(graph, cancelled):
                if data.units is None:
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


class MappedTraining(Training):
    """Least squares and its data, whose features are mapped once for all graphs.

    Rows that are held out were seen by the map; and where the map is chosen, it is the one of all rows and labels.
    """

    learner: LeastSquares

    def fit(
        self, graph: AnyLabelGraph, *, progress: Progress | None = None, cancelled: Cancelled | None = None
    ) -> MappedConditionals:
        """Fit all labels of `graph`; see `Training.fit`."""
        stop_if(cancelled)
        features, training = self._mapped
        return MappedConditionals(features, training.fit(graph, progress=progress, cancelled=cancelled))

    def held_out(
        self,
        graph: AnyLabelGraph,
        rows: np.ndarray | None = None,
        *,
        progress: Progress | None = None,
        cancelled: Cancelled | None = None,
    ) -> Iterator[tuple[np.ndarray, Given]]:
        """Yield the conditionals of training rows, each fitted without the row; see `LinearTraining.held_out`."""
        _, training = self._mapped
        yield from training.held_out(graph, rows, progress=progress, cancelled=cancelled)

    @cached_property
    def _mapped(self) -> tuple[TransformerMixin, Training]:
        """The fitted map, and the learner with the data whose features are mapped."""
        learner, data = self.learner, self.training_set
        if learner.features == AUTO:
            name = f"automatic features, alpha={learner.alpha}, n_components={learner.n_components}"
            features, changed = data.once(name, self._best)
        else:
            name = f"features={whole_repr(learner.features)}, n_components={learner.n_components}"
            features, changed = data.once(name, lambda: mapped(data, learner.features, learner.n_components))
        return features, LeastSquares(learner.alpha).prepare(changed)

    def _best(self) -> tuple[TransformerMixin, TrainingSet]:
        """Return the map with the smaller leave-one-out error, and the data mapped by it."""
        data = self.training_set
        tried = (NYSTROEM,) if min(data.X.shape) > MOST_LINEAR else (SCALED, NYSTROEM)
        least, name, best = min((self._tried(features) for features in tried), key=itemgetter(0))
        if not tries_neighbours(data.n_instances, data.coding.n_columns):
            return best
        of_neighbours, _, more = self._tried(name + AND_NEIGHBOURS)
        return more if of_neighbours < (1 - LEAST_GAIN) * least else best

    def _tried(self, features: str) -> tuple[float, str, tuple[TransformerMixin, TrainingSet]]:
        """Return the leave-one-out error of a map, its name, and the map with the data mapped by it."""
        found = mapped(self.training_set, features, self.learner.n_components)
        errors = leave_one_out_errors(found[1], self.learner.alpha)[1]
        return float(errors.min(axis=0).sum()), features, found
