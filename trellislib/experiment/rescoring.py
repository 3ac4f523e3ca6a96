"""Cross-validation again and again on the same folds, for knobs that are turned by hand and for searches.

What a fold needs of the data is summed up once: with least squares, the training rows of a fold are all rows less those
held out, and so are their sums and counts (``G - G_fold``). A method with another structure then costs its structure,
small systems of equations, and predictions.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np
import pandas as pd
from scipy import sparse
from sklearn.base import BaseEstimator, clone

from trellislib.data.dataset import Dataset
from trellislib.experiment import folds, require_dataset
from trellislib.learners import Training, as_learner
from trellislib.learners.training_set import TrainingSet
from trellislib.methods.base import MultiOutputMethod
from trellislib.metrics import MEASURES, decision_measures
from trellislib.running.progress import Cancelled, stop_if
from trellislib.typing import Matrix

QUICK = ("accuracy", "exact_match", "hamming_score")


class CrossValidation:
    """The folds of a data set, ready for methods of one base learner to be scored on them as often as one likes.

    Times are not comparable between methods here, for the first one pays what all of them share; use
    `trellislib.experiment.evaluate` to compare those. Instances of which only some labels are known have no part here.

    Parameters
    ----------
    dataset : Dataset
        The data.
    estimator : learner or classifier, optional
        Base learner of all methods; least squares by default.
    cv : int, float, splitter or iterable of (train, test), default=5
        As for `trellislib.experiment.evaluate`.
    seed : int, default=0
        Seed of the folds.
    scale : bool, default=False
        Whether to scale features by their range in the training rows of each fold, as scikit-learn's
        ``MinMaxScaler`` does (but for a shift, which no linear model with an intercept can see).

    Examples
    --------
    >>> from trellislib import ClassifierTrellis
    >>> from trellislib.data import simulate_label_dag
    >>> cv = CrossValidation(simulate_label_dag(n_instances=200, n_labels=6, random_state=0))
    >>> for width in (1, 2, 3):
    ...     print(width, cv.scores(ClassifierTrellis(width=width, random_state=0))["accuracy"].mean().round(3))
    1 0.502
    2 0.528
    3 0.516
    """

    def __init__(
        self,
        dataset: Dataset,
        estimator: BaseEstimator | None = None,
        *,
        cv: Any = 5,
        seed: int = 0,
        scale: bool = False,
    ) -> None:
        require_dataset(dataset)
        self.estimator = estimator
        self.is_multilabel = dataset.is_multilabel
        whole = TrainingSet.of(*dataset.arrays(), dataset.sample_weight, dataset.group_codes)
        self._folds: list[tuple[Training, Matrix, sparse.csr_array]] = []
        self._weights: list[np.ndarray | None] = []
        learner, weight = as_learner(estimator), dataset.sample_weight
        for train, test in folds(dataset, cv, seed):
            if dataset.columns is not None:  # each fold has words of its own, and sums
                whole = whole.with_features(dataset.fit_features(train).X)
            self._weights.append(None if weight is None else weight[test])
            complete = len(train) + len(test) == len(np.union1d(train, test)) == whole.n_instances
            seen, held = whole.split(test) if complete else (whole.rows(train), whole.rows(test))
            if scale:
                factor = _one_over_range(seen.X)
                seen, held = seen.scaled(factor), held.scaled(factor)
            self._folds.append((learner.prepare(seen), held.X, sparse.csr_array(held.Y)))

    def scores(
        self, method: MultiOutputMethod, measures: Sequence[str] = QUICK, *, cancelled: Cancelled | None = None
    ) -> pd.DataFrame:
        """Fit a method on each fold and score its predictions.

        Parameters
        ----------
        method : MultiOutputMethod
            A method of `trellislib`, whatever its base learner: where it has one, it is fitted with that of these
            folds.
        measures : sequence of str, default=("accuracy", "exact_match", "hamming_score")
            Of `trellislib.metrics.MEASURES`, those that take decisions. Those for binary labels are left out where
            labels have more values.
        cancelled : callable, optional
            See `trellislib.running.progress`; asked before each fold, and by the method.

        Returns
        -------
        DataFrame
            A row per fold, a column per measure.

        Raises
        ------
        ValueError
            If a measure is unknown or takes scores of the labels, not decisions.
        """
        for measure in measures:
            if measure not in decision_measures(binary=True):
                raise ValueError(f"Got the measure {measure!r}, but expected some of {decision_measures(binary=True)}.")
        rows = []
        for (fitted, X, Y), weight in zip(self.fits(method, cancelled=cancelled), self._weights, strict=True):
            predicted = sparse.csr_array(fitted.predict(X))  # once for all measures
            rows.append(
                {
                    measure: MEASURES[measure].function(Y, predicted, sample_weight=weight)
                    for measure in measures
                    if self.is_multilabel or not MEASURES[measure].binary_only
                }
            )
        return pd.DataFrame(rows)

    def fits(
        self, method: MultiOutputMethod, *, cancelled: Cancelled | None = None
    ) -> Iterator[tuple[MultiOutputMethod, Matrix, sparse.csr_array]]:
        """Yield a method as fitted on each fold, with the features and labels that the fold holds out.

        Parameters are those of `scores`.
        """
        for training, X, Y in self._folds:
            stop_if(cancelled)
            fitted = clone(method)
            if "estimator" in fitted.get_params(deep=False):
                fitted.set_params(estimator=self.estimator)
            else:
                training = fitted._learner().prepare(training.training_set)
            yield fitted._fit_training(training, cancelled=cancelled), X, Y

    @property
    def training_labels(self) -> list[Matrix]:
        """The labels that each fold trains on, arrays of shape (n_instances, n_labels)."""
        return [training.training_set.Y for training, _, _ in self._folds]


def _one_over_range(X: Matrix) -> np.ndarray:
    """Return what scales each feature to a range of 1; a constant one stays as it is."""
    highest, lowest = X.max(axis=0), X.min(axis=0)
    extent = (highest - lowest).toarray().ravel() if sparse.issparse(X) else highest - lowest
    return 1 / np.where(extent > 0, extent, 1.0)
