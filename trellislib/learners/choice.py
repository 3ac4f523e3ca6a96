"""What may be given as a base learner, and what must be where probabilities are needed."""

from __future__ import annotations

from collections.abc import Iterable

from sklearn.base import BaseEstimator, is_classifier
from sklearn.compose import ColumnTransformer

from trellislib.learners.base import Learner, Training
from trellislib.learners.feature_maps import AUTO
from trellislib.learners.least_squares import LeastSquares
from trellislib.learners.per_label import PerLabel
from trellislib.learners.ridge import LEAVE_ONE_OUT
from trellislib.wording.arguments import given


def as_learner(estimator: BaseEstimator | str | None) -> Learner:
    """Return `estimator` as a learner: a learner as it is, a classifier per label, None as least squares.

    "auto" is least squares that chooses its penalties and its features: ``LeastSquares("loo", features="auto")``.

    Raises
    ------
    TypeError
        If it is neither of these, or picks columns by name.
    """
    if estimator is None:
        return LeastSquares()
    if isinstance(estimator, str) and estimator == AUTO:
        return LeastSquares(LEAVE_ONE_OUT, features=AUTO)
    if isinstance(estimator, PerLabel):
        _refuse_columns_by_name(estimator.estimator)
    if isinstance(estimator, Learner):
        return estimator
    if not isinstance(estimator, BaseEstimator) or not is_classifier(estimator):
        raise TypeError(
            f"Got {given('estimator', estimator)}, but expected a learner of trellislib or a classifier, or {AUTO!r}."
        )
    _refuse_columns_by_name(estimator)
    return PerLabel(estimator)


def _refuse_columns_by_name(estimator: BaseEstimator) -> None:
    """Raise a TypeError for a base learner in which columns are picked by name: it gets arrays, and labels in them."""
    parts = [part for part in estimator.get_params().values() if isinstance(part, ColumnTransformer)]
    for _, _, columns in (chosen for part in parts for chosen in part.transformers):
        listed = [columns] if isinstance(columns, str) or callable(columns) else columns
        if isinstance(listed, Iterable) and any(isinstance(column, str) or callable(column) for column in listed):
            raise TypeError(
                f"Got a base learner that picks the columns {columns!r}, but it gets arrays without names, in which "
                "labels are columns next to the features: put the ColumnTransformer before the method, as in "
                "make_pipeline(ColumnTransformer(...), ClassifierChain(LogisticRegression()))."
            )


def probabilistic(training: Training) -> Training:
    """Return `training` if its learner gives probabilities, else the same data with a calibrated learner.

    Raises
    ------
    TypeError
        If the learner has no scores either.
    """
    learner = with_probabilities(training.learner)
    return training if learner is training.learner else learner.prepare(training.training_set)


def with_probabilities(learner: Learner) -> Learner:
    """Return `learner` if it gives probabilities, else the same with a logistic model on its scores.

    Raises
    ------
    TypeError
        If it has no scores either.
    """
    if learner.gives_probabilities:
        return learner
    if isinstance(learner, PerLabel) and hasattr(learner.estimator, "decision_function"):
        return PerLabel(learner.estimator, learner.n_jobs, calibrate=True)
    what = learner.estimator if isinstance(learner, PerLabel) else learner
    raise TypeError(
        f"Got {given('estimator', what)}, which gives neither probabilities nor scores, but this inference needs them: "
        "choose greedy inference, or a classifier with predict_proba or decision_function."
    )
