"""Above which score a label is relevant: one number, or one for each label, chosen on training rows."""

from __future__ import annotations

from numbers import Integral, Real
from typing import Any

import numpy as np
from sklearn.base import clone
from sklearn.model_selection import check_cv
from sklearn.utils import Tags, check_random_state, get_tags
from sklearn.utils.validation import has_fit_parameter

from trellislib.decisions.choice import f1_thresholds
from trellislib.inference import Inferred
from trellislib.labels.coding import LabelCoding
from trellislib.labels.matrices import dense
from trellislib.learners import Learner, Training, probabilistic, with_probabilities
from trellislib.methods.base import MultiOutputMethod
from trellislib.methods.independent import IndependentClassifiers
from trellislib.methods.parameters import with_parameters
from trellislib.running.checks import require_integer
from trellislib.running.progress import Cancelled, Progress, part_of
from trellislib.typing import Matrix
from trellislib.wording.arguments import given

RULES = ("cardinality", "per-label", "f1")


@with_parameters
class ThresholdedClassifier(MultiOutputMethod):
    """Any method with probabilities or scores, its labels being relevant above thresholds of their own.

    A base learner that has decision functions alone, as ``LinearSVC()``, gets a logistic model on its scores for each
    label (`trellislib.PerLabel` with ``calibrate=True``), which keeps their order.

    The thresholds are chosen on probabilities of training rows that were predicted by cross-validation, never on the
    rows that are predicted later; the method is then fitted on all training rows. Where labels have more than two
    values, each takes its most probable one, and there is nothing to choose.

    Parameters
    ----------
    estimator : method of trellislib, optional
        Whose probabilities are used; independent classifiers by default.
    threshold : float or {"cardinality", "per-label", "f1"}, default="cardinality"
        A number between 0 and 1; or the one with which as many labels per instance are predicted as there are in
        training (known as PCut1); or for each label the one with which it is predicted as often as it occurs (PCut),
        or that of the highest F1 (SCut), of several the highest. (For RCut, see `trellislib.decisions.RankCut`.)
    cv : int, splitter or iterable, default=5
        Number of folds, which are shuffled; or a splitter that needs no labels, or (train, test) rows. Every row must
        be tested once.
    random_state : int, RandomState or None
        Seed of the folds.

    Attributes
    ----------
    estimator_ : method
        The method, fitted on all training rows.
    threshold_ : float or ndarray of shape (n_labels,)
        The thresholds.

    References
    ----------
    Read, "Scalable multi-label classification", PhD thesis, University of Waikato (2010), section 6.4. Yang, "A study
    of thresholding strategies for text categorization", SIGIR 2001: RCut, PCut and SCut. There, PCut ranks all test
    instances; here, those of training, so that each instance is decided by itself.

    Examples
    --------
    >>> from trellislib import ClassifierTrellis, ThresholdedClassifier
    >>> from trellislib.data import simulate_label_dag
    >>> data = simulate_label_dag(n_instances=1000, n_labels=5, delta=1.0, random_state=0)
    >>> X, Y, X_test, Y_test = data.X[:500], data.Y[:500], data.X[500:], data.Y[500:]
    >>> plain = ClassifierTrellis(random_state=0).fit(X, Y).predict(X_test)
    >>> tuned = ThresholdedClassifier(ClassifierTrellis(random_state=0), random_state=0).fit(X, Y).predict(X_test)
    >>> [float(labels.sum(axis=1).mean().round(2)) for labels in (Y_test, plain, tuned)]
    [1.03, 0.28, 1.01]
    """

    threshold: float | str = "cardinality"
    cv: Any = 5
    random_state: int | np.random.RandomState | None = None

    def _method(self) -> MultiOutputMethod:
        method = IndependentClassifiers() if self.estimator is None else self.estimator
        if not isinstance(method, MultiOutputMethod):
            raise TypeError(f"Got estimator={method!r}, but expected a method of trellislib.")
        return method

    def _learner(self) -> Learner:
        return self._method()._learner()

    def _gives_probabilities(self) -> bool:
        if self._method()._gives_probabilities():
            return True
        try:
            return with_probabilities(self._learner()).gives_probabilities
        except TypeError:
            return False

    def _cells(self) -> int:
        return self.estimator_._cells()

    def _fit(self, training: Training, progress: Progress | None, cancelled: Cancelled | None) -> None:
        method = self._method()
        if not self._gives_probabilities():
            raise TypeError(
                f"Got estimator={method!r}, which gives neither probabilities nor scores, but expected some to be "
                "compared with thresholds."
            )
        if training.training_set.weight is not None and not has_fit_parameter(method, "sample_weight"):
            raise TypeError(f"Got sample_weight, but {method!r} takes no weights of instances.")
        if not method._gives_probabilities():
            training = probabilistic(training)
        rng = check_random_state(self.random_state)
        first = part_of(progress, 0, 2)
        self.threshold_ = tuned_thresholds(self.threshold, method, training, rng, self.cv, first, cancelled)
        self.estimator_ = clone(method)._fit_training(training, part_of(progress, 1, 2), cancelled)

    def _infer(self, X: Matrix) -> Inferred:
        return decided(self._probabilities(X), self.threshold_, self.coding_)

    def _probabilities(self, X: Matrix) -> np.ndarray:
        return self.estimator_._probabilities(X)

    def __sklearn_tags__(self) -> Tags:
        tags = super().__sklearn_tags__()
        tags.input_tags = get_tags(self._method()).input_tags
        return tags


def decided(probabilities: np.ndarray, threshold: float | np.ndarray, coding: LabelCoding) -> Inferred:
    """Decide labels by thresholds on their columns; labels of more values take the most probable one."""
    if not coding.is_binary:
        return Inferred.of_marginals(probabilities, coding)
    above = np.reshape(threshold, (-1, 1))
    return Inferred((probabilities > above).astype(np.intp), coding, probabilities)


def check_rule(rule: float | str) -> None:
    """Raise a ValueError unless `rule` is a name of `RULES` or a number between 0 and 1."""
    if not (0 <= rule <= 1 if isinstance(rule, Real) else isinstance(rule, str) and rule in RULES):
        raise ValueError(f"Got {given('threshold', rule)}, but expected one of {RULES} or a number between 0 and 1.")


def tuned_thresholds(
    rule: float | str,
    method: MultiOutputMethod,
    training: Training,
    rng: np.random.RandomState,
    cv: Any = 5,
    progress: Progress | None = None,
    cancelled: Cancelled | None = None,
) -> float | np.ndarray:
    """Return the thresholds of `method` by `rule`, or the number that `rule` is.

    Raises
    ------
    ValueError
        If the rule is unknown or no number between 0 and 1, or if `cv` leaves rows untested.
    """
    check_rule(rule)
    if isinstance(rule, Real):
        return float(rule)
    training_set = training.training_set
    if training_set.n_instances < 2 or not training_set.coding.is_binary:
        return 0.5
    if isinstance(cv, Integral):
        require_integer("cv", cv, lowest=2)
        folds = list(training_set.divided(int(cv), rng))
    else:
        folds = list(check_cv(cv).split(training_set.X, groups=training_set.groups))
    scores = np.full((training_set.n_labels, training_set.n_instances), np.nan)
    for number, (train, test) in enumerate(folds):
        seen = training.learner.prepare(training_set.rows(train))
        fitted = clone(method)._fit_training(seen, part_of(progress, number, len(folds)), cancelled)
        scores[:, test] = fitted._all_probabilities(training_set.X[test])
    untested = np.flatnonzero(np.isnan(scores).any(axis=0))
    if len(untested):
        raise ValueError(f"Got cv={cv!r}, whose folds do not test row {untested[0]}, but expected each to be tested.")
    weight = np.ones(len(scores.T)) if training_set.weight is None else training_set.weight
    if rule == "f1":
        return f1_thresholds(scores, dense(training_set.columns).T, weight)
    relevant = training_set.columns.T @ weight
    if rule == "cardinality":
        return matching_threshold(scores.ravel(), np.tile(weight, len(scores)), float(relevant.sum()))
    return np.array(
        [matching_threshold(of, weight, float(wanted)) for of, wanted in zip(scores, relevant, strict=True)]
    )


def matching_threshold(scores: np.ndarray, weight: np.ndarray, wanted: float) -> float:
    """Return the threshold above which the `weight` of the `scores`, from 0 to 1, sums up most nearly to `wanted`.

    It is halfway between two neighbouring scores, or between the highest (lowest) and 1 (0); of equally good ones the
    nearest to 0.5.

    Examples
    --------
    >>> matching_threshold(np.array([0.1, 0.2, 0.6, 0.8]), np.ones(4), wanted=3)
    0.15000000000000002
    """
    values, place = np.unique(scores, return_inverse=True)
    mass = np.bincount(place, weights=weight)
    above = np.concatenate([[0.0], mass[::-1].cumsum()])[::-1]  # above the gap before each value, and after the last
    gaps = np.concatenate([[0.0], values, [1.0]])
    middle = (gaps[:-1] + gaps[1:]) / 2
    thresholds = np.where(middle < gaps[1:], middle, gaps[:-1])  # between neighbouring floats there is no middle
    error = np.abs(above - wanted)
    if values[0] <= 0:
        error[0] = np.inf  # no threshold lies below a score of 0
    best = np.flatnonzero(np.isclose(error, error.min()))
    return float(thresholds[best[np.abs(thresholds[best] - 0.5).argmin()]])
