"""From a data set to a model of all its rows."""

from __future__ import annotations

from collections.abc import Mapping
from time import perf_counter

import numpy as np
from sklearn.base import BaseEstimator, clone

from trellislib.data.dataset import Dataset
from trellislib.experiment.fits import watch_arguments, weight_arguments
from trellislib.experiment.incomplete import groups_of, to_train, weights_of
from trellislib.methods import ClassifierTrellis
from trellislib.methods.preprocessing import FILLS, SCALINGS, with_preprocessing
from trellislib.models.model import Model
from trellislib.running.progress import Cancelled, Progress


def fit_model(
    dataset: Dataset,
    method: BaseEstimator | None = None,
    *,
    scale: str = SCALINGS[0],
    fill: str = FILLS[0],
    scores: Mapping[str, float] | None = None,
    n_scored: int = 0,
    progress: Progress | None = None,
    cancelled: Cancelled | None = None,
) -> Model:
    """Fit a method to all rows of a data set, so that new rows can be predicted.

    Parameters
    ----------
    dataset : Dataset
        The data. Instances of which some labels are unknown take part as `trellislib.experiment.incomplete` describes;
        rows count as they weigh.
    method : estimator, optional
        A method of `trellislib`, a pipeline that ends in one, or a scikit-learn estimator for several outputs; it is
        cloned. By default `default_method`.
    scale, fill : str
        What becomes of the features, as `trellislib.methods.preprocessing.with_preprocessing` takes it. By default
        they are as they are, and gaps are filled with means, also those of new rows, unless the base learner takes
        them.
    scores : mapping of str to float, optional
        Scores to keep with it, such as those of cross-validation.
    n_scored : int
        Number of rows that these scores are of, to be kept as well.
    progress, cancelled : callable, optional
        See `trellislib.running.progress`.

    Returns
    -------
    Model
        The fitted method, and what new rows must look like.

    Examples
    --------
    >>> from trellislib.data import simulate_label_dag
    >>> data = simulate_label_dag(n_instances=60, n_labels=3, random_state=0)
    >>> model = fit_model(data)
    >>> model.origin.n_instances, model.predict(data.X[:2]).frame().shape
    (60, (2, 3))
    """
    method = default_method(dataset) if method is None else method
    unfitted = clone(with_preprocessing(method, scale, dataset, fill, new_gaps=True))
    rows = np.arange(dataset.n_instances)
    X, Y = to_train(dataset, rows)
    given = watch_arguments(unfitted, groups=groups_of(dataset, rows), progress=progress, cancelled=cancelled)
    given |= weight_arguments(unfitted, weights_of(dataset, rows))
    start = perf_counter()
    fitted = unfitted.fit(X, Y, **given)
    seconds = perf_counter() - start
    return Model.of_fitted(fitted, dataset, n_instances=X.shape[0], seconds=seconds, scores=scores, n_scored=n_scored)


def default_method(dataset: Dataset) -> BaseEstimator:
    """Return a trellis on automatic features that decides for the accuracy.

    Where labels have more than two values, it decides for the exact match.
    """
    decide = "accuracy" if dataset.is_multilabel else "exact_match"
    return ClassifierTrellis("auto", decide=decide, random_state=0)
