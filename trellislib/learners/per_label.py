"""Any scikit-learn classifier as base learner: one clone per label."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from scipy import sparse
from sklearn.base import BaseEstimator, ClassifierMixin, clone
from sklearn.calibration import CalibratedClassifierCV
from sklearn.frozen import FrozenEstimator
from sklearn.linear_model import LogisticRegression
from sklearn.utils.validation import has_fit_parameter

from trellislib.labels.coding import LabelCoding
from trellislib.labels.graph import AnyLabelGraph
from trellislib.labels.matrices import with_narrow_indices
from trellislib.learners.base import Conditionals, Given, Learner, Training
from trellislib.learners.linear import CERTAIN, LinearConditionals
from trellislib.learners.training_set import TrainingSet
from trellislib.running.parallel import Shared, finished
from trellislib.running.progress import Cancelled, Progress
from trellislib.running.threads import one_blas_thread
from trellislib.typing import Labels, Matrix


class PerLabel(Learner):
    """One clone of a classifier per label, fitted on the features joined with the columns of the label's inputs.

    A label that is constant in training is predicted as that constant.

    Parameters
    ----------
    estimator : classifier
        Any scikit-learn classifier. A list as its `class_weight` has the weights of each label.
    n_jobs : int, optional
        Labels fitted at a time, as joblib counts; by default one, or as ``joblib.parallel_config`` sets. Threads
        are used where it names no backend. Each label is fitted on one BLAS thread.
    calibrate : bool, default=False
        Whether to fit, for each label, a logistic model on the classifier's own scores of its training rows
        (Platt 1999; the paper's "SVMs, fitted with logistic models"), so that a classifier without probabilities
        has some. The decisions are then made by them.

    Examples
    --------
    >>> from sklearn.linear_model import LogisticRegression
    >>> from trellislib import ClassifierChain, PerLabel
    >>> X = [[0.0], [0.2], [0.8], [1.0]]
    >>> Y = [[0, 0], [0, 1], [1, 1], [1, 1]]
    >>> ClassifierChain(PerLabel(LogisticRegression(C=100))).fit(X, Y).predict([[0.0], [0.9]])
    array([[0, 0],
           [1, 1]])
    """

    def __init__(self, estimator: ClassifierMixin, n_jobs: int | None = None, *, calibrate: bool = False) -> None:
        self.estimator = estimator
        self.n_jobs = n_jobs
        self.calibrate = calibrate

    @property
    def gives_probabilities(self) -> bool:  # type: ignore[override]
        """Whether the fitted classifiers have ``predict_proba``."""
        return self.calibrate or hasattr(self.estimator, "predict_proba")

    def prepare(self, training_set: TrainingSet) -> PerLabelTraining:
        """Return this learner with its data; see `Learner.prepare`."""
        if training_set.weight is not None and not has_fit_parameter(self.estimator, "sample_weight"):
            raise TypeError(f"Got sample_weight, but {self.estimator!r} takes no weights of instances.")
        weights = _class_weight(self.estimator)
        if isinstance(weights, list) and len(weights) != training_set.n_labels:
            raise ValueError(
                f"Got {len(weights)} class weights in a list, but expected those of each of {training_set.n_labels} "
                "labels."
            )
        return PerLabelTraining(self, training_set)


class PerLabelTraining(Training):
    """A classifier to clone, and its data. What was fitted is kept, so that graphs share what they have in common."""

    learner: PerLabel

    @cached_property
    def _problem(self) -> _Problem:
        data, Z = self.training_set, self.training_set.columns
        Z = sparse.csc_array(Z) if sparse.issparse(Z) else Z  # columns are taken from it, label by label
        return _Problem(self.learner.estimator, self.learner.calibrate, data.X, Z, data.coding, data.weight)

    def fit(
        self, graph: AnyLabelGraph, *, progress: Progress | None = None, cancelled: Cancelled | None = None
    ) -> PerLabelConditionals:
        """Fit all labels of `graph`, one by one; see `Training.fit`."""
        wanted = list(enumerate(graph.inputs))  # in the order of the columns, on which a tree may depend
        missing = [key for key in wanted if key not in self._fitted]
        n_done, n_labels = graph.n_labels - len(missing), graph.n_labels
        shared = Shared(self._problem)
        with one_blas_thread():
            if progress is not None and n_done:
                progress(n_done, n_labels, "labels")
            results = finished(
                _fitted_label, shared, missing, self.learner.n_jobs, prefer="threads", cancelled=cancelled
            )
            for number, estimator in results:
                self._fitted[missing[number]] = estimator
                n_done += 1
                if progress is not None:
                    progress(n_done, n_labels, "labels")
        estimators = [self._fitted[key] for key in wanted]
        return PerLabelConditionals(estimators, graph, self.training_set.coding, self.training_set.X.shape[1])


@dataclass(frozen=True)
class _Problem:
    """What the fits of all labels have in common: a classifier to clone, the features and all label columns."""

    estimator: ClassifierMixin
    calibrate: bool
    X: Matrix
    Z: Matrix
    coding: LabelCoding
    weight: np.ndarray | None


def _fitted_label(problem: _Problem, label: int, inputs: tuple[int, ...]) -> BaseEstimator:
    of_label = problem.coding.columns([label])
    target = (problem.Z[:, of_label] @ np.arange(1, len(of_label) + 1)).astype(np.intp)
    if (target == target[0]).all():
        return _Constant(int(target[0]))
    X = _join(problem.X, problem.Z[:, problem.coding.columns(inputs)])
    weights = {} if problem.weight is None else {"sample_weight": problem.weight}
    fitted = clone(problem.estimator)
    if isinstance(of_labels := _class_weight(fitted), list):
        fitted.set_params(class_weight=of_labels[label])
    fitted.fit(X, target, **weights)
    if not problem.calibrate:
        return fitted
    every_row = np.arange(len(target))
    calibrated = CalibratedClassifierCV(_Fitted(fitted), cv=[(every_row, every_row)], ensemble=False)
    return calibrated.fit(X, target, **weights)


def _class_weight(estimator: BaseEstimator) -> object:
    """Return the weights of a classifier's classes; None where it has no such parameter."""
    return estimator.get_params(deep=False).get("class_weight")


class PerLabelConditionals(Conditionals):
    """The fitted classifiers, one per label.

    Attributes
    ----------
    estimators : list of classifier
        For each label, the classifier fitted on the features and the columns of its inputs.
    """

    def __init__(self, estimators: list, graph: AnyLabelGraph, coding: LabelCoding, n_features: int) -> None:
        self.estimators = estimators
        self.graph = graph
        self.coding = coding
        self.n_features = n_features

    @cached_property
    def linear(self) -> LinearConditionals | None:
        """The same as linear scores, which sampling need not compute label by label.

        None unless all labels are binary, and each is constant or has scikit-learn's logistic regression.
        """
        if not self.coding.is_binary:
            return None
        on_features, intercept = np.zeros((self.n_features, len(self.estimators))), np.empty(len(self.estimators))
        of_inputs = []
        for label, estimator in enumerate(self.estimators):
            if len(estimator.classes_) == 1:
                intercept[label] = CERTAIN if estimator.classes_[0] == 1 else -CERTAIN
                of_inputs.append(np.zeros(len(self.graph.inputs[label])))
            elif type(estimator) is LogisticRegression:
                on_features[:, label] = estimator.coef_[0, : self.n_features]
                of_inputs.append(estimator.coef_[0, self.n_features :])
                intercept[label] = estimator.intercept_[0]
            else:
                return None
        return LinearConditionals.of_margins(on_features, of_inputs, self.graph.inputs, intercept, self.coding)

    def given(self, X: Matrix) -> PerLabelGiven:
        """Return the conditionals of `X`."""
        return PerLabelGiven(self, X)


@dataclass(frozen=True)
class PerLabelGiven(Given):
    """The classifiers of all labels, and some instances."""

    fitted: PerLabelConditionals
    X: Matrix

    @cached_property
    def _linear(self) -> Given | None:
        return None if self.fitted.linear is None else self.fitted.linear.given(self.X)

    def tiled(self, times: int) -> Given:
        """Return the same instances, all of them `times` times over."""
        if self._linear is not None:
            return self._linear.tiled(times)
        if sparse.issparse(self.X):
            return PerLabelGiven(self.fitted, sparse.vstack([self.X] * times, format="csr"))
        return PerLabelGiven(self.fitted, np.tile(self.X, (times, 1)))

    def decide(self, labels: Labels, Z: np.ndarray) -> np.ndarray:
        """Return what the classifiers predict: their own rule decides, as a tuned threshold does."""
        if self._linear is not None:
            return self._linear.decide(labels, Z)
        return np.array([self.fitted.estimators[label].predict(self._inputs(label, Z)) for label in labels])

    def probabilities(self, labels: Labels, Z: np.ndarray) -> np.ndarray:
        """Return the classifiers' own probabilities; 0 for a value that did not occur in training."""
        if self._linear is not None:
            return self._linear.probabilities(labels, Z)
        return np.vstack([np.empty((0, self.X.shape[0])), *(self._of_label(label, Z) for label in labels)])

    def _of_label(self, label: int, Z: np.ndarray) -> np.ndarray:
        estimator = self.fitted.estimators[label]
        n_values = np.diff(self.fitted.coding.starts)[label] + 1
        probabilities = np.zeros((n_values, self.X.shape[0]))
        probabilities[estimator.classes_] = estimator.predict_proba(self._inputs(label, Z)).T
        if not np.isfinite(probabilities).all():
            raise ValueError(f"{type(estimator).__name__} gives probabilities that are infinite or no number.")
        return probabilities[1:]

    def _inputs(self, label: int, Z: np.ndarray) -> Matrix:
        return _join(self.X, Z[self.fitted.coding.columns(self.fitted.graph.inputs[label])].T)


class _Fitted(FrozenEstimator):
    """A fitted classifier that may be given weights again, as its ``fit`` shows."""

    def fit(self, X: Matrix, y: np.ndarray, sample_weight: np.ndarray | None = None) -> _Fitted:
        return self


class _Constant:
    """Predicts the one code that a label had in training."""

    def __init__(self, code: int) -> None:
        self.classes_ = np.array([code])

    def predict(self, X: Matrix) -> np.ndarray:
        return np.full(X.shape[0], self.classes_[0])

    def predict_proba(self, X: Matrix) -> np.ndarray:
        return np.ones((X.shape[0], 1))


def _join(X: Matrix, others: Matrix) -> Matrix:
    """Put the columns of other labels after the features, sparse where the features are."""
    if others.shape[1] == 0:
        return with_narrow_indices(X)
    if sparse.issparse(X):
        return with_narrow_indices(sparse.hstack([X, sparse.csr_array(others)], format="csr"))
    return np.hstack([X, others.toarray() if sparse.issparse(others) else others])
