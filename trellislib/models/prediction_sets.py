"""Prediction sets of a model, calibrated on what it predicts out of fold."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
from sklearn.base import clone

from trellislib.data.dataset import Dataset
from trellislib.decisions.conformal import SURE, ConformalSets
from trellislib.experiment.fits import relevance, watch_arguments, weight_arguments
from trellislib.experiment.incomplete import groups_of, to_train, weights_of
from trellislib.experiment.protocols import folds
from trellislib.labels.matrices import dense
from trellislib.models.errors import ModelError
from trellislib.models.model import Model
from trellislib.running.progress import Cancelled, Progress, part_of, stop_if
from trellislib.running.threads import one_blas_thread

N_FOLDS = 5
CONFIDENCES = (0.8, 0.9, 0.95)


def conformal_sets(
    model: Model,
    dataset: Dataset,
    confidence: float = SURE,
    share: float = SURE,
    *,
    seed: int = 0,
    progress: Progress | None = None,
    cancelled: Cancelled | None = None,
) -> ConformalSets:
    """Calibrate the sets of a model on the rows that it was fitted to, each predicted by a fit without its fold.

    Parameters
    ----------
    model : Model
        With labels of two values, and probabilities.
    dataset : Dataset
        What it was fitted to.
    confidence, share : float, default=0.9
        What is guaranteed; see `trellislib.decisions.ConformalSets`. Each row counts once, whatever its weight. The
        guarantee is for rows that are drawn one by one, so it need not hold where rows of a group are alike.
    seed : int, default=0
        Seed of the five folds.
    progress, cancelled : callable, optional
        See `trellislib.running.progress`.

    Returns
    -------
    ConformalSets

    Raises
    ------
    ModelError
        If the model gives no probabilities, or its labels have more than two values.

    Examples
    --------
    >>> from trellislib import IndependentClassifiers, Logistic
    >>> from trellislib.data import simulate_label_dag
    >>> from trellislib.models import fit_model
    >>> data = simulate_label_dag(n_instances=200, n_labels=4, random_state=0)
    >>> model = fit_model(data, IndependentClassifiers(Logistic()))
    >>> sets = conformal_sets(model, data)
    >>> sets.sets(model.predict_proba(data.X[:3])).shape
    (3, 4)
    """
    (found,) = with_sets(model, dataset, [confidence], share, seed=seed, progress=progress, cancelled=cancelled).sets
    return found


def with_sets(
    model: Model,
    dataset: Dataset,
    confidences: Sequence[float] = CONFIDENCES,
    share: float = SURE,
    *,
    seed: int = 0,
    progress: Progress | None = None,
    cancelled: Cancelled | None = None,
) -> Model:
    """Return a model with prediction sets of several confidences, which its file keeps.

    Parameters
    ----------
    model, dataset, share, seed, progress, cancelled
        As `conformal_sets` takes them.
    confidences : sequence of float, default=(0.8, 0.9, 0.95)
        What is guaranteed.

    Returns
    -------
    Model
        With these as `Model.sets`, so that ``predict(new, sets=0.9)`` gives those of 0.9.

    Raises
    ------
    ModelError
        As `conformal_sets` does.

    Examples
    --------
    >>> from trellislib import IndependentClassifiers, Logistic
    >>> from trellislib.data import simulate_label_dag
    >>> from trellislib.models import fit_model
    >>> data = simulate_label_dag(n_instances=200, n_labels=3, random_state=0)
    >>> model = with_sets(fit_model(data, IndependentClassifiers(Logistic())), data)
    >>> [sets.confidence for sets in model.sets], model.predict(data.X[:2], sets=0.9).frame().columns[-1]
    ([0.8, 0.9, 0.95], 'Set (90% sure)')
    """
    P, Y = _out_of_fold(model, dataset, seed, progress, cancelled), dense(dataset.Y)
    calibrated = [ConformalSets.calibrated(P, Y, confidence, share) for confidence in sorted(confidences)]
    return replace(model, sets=tuple(calibrated))


def _out_of_fold(
    model: Model, dataset: Dataset, seed: int, progress: Progress | None, cancelled: Cancelled | None
) -> np.ndarray:
    """Return the probabilities of all rows, each by a fit without its fold."""
    if not (model.gives_probabilities and model.is_multilabel):
        raise ModelError("Prediction sets need probabilities of labels of two values, which this model has not.")
    P = np.empty(dataset.Y.shape)
    chosen = folds(dataset, min(N_FOLDS, dataset.n_apart), seed)
    with one_blas_thread():
        for number, (train, test) in enumerate(chosen):
            stop_if(cancelled)
            fold, unfitted = dataset.fit_features(train), clone(model.estimator)
            part = part_of(progress, number, len(chosen))
            watch = watch_arguments(unfitted, groups=groups_of(fold, train), progress=part, cancelled=cancelled)
            watch |= weight_arguments(unfitted, weights_of(fold, train))
            found = relevance(unfitted.fit(*to_train(fold, train), **watch), fold.X[test], dataset.n_labels)
            assert found is not None
            P[test] = found
    return P
