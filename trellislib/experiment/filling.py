"""How predictions change while the cells of a lattice are filled, one label after the other."""

from __future__ import annotations

from collections.abc import Iterator
from typing import cast

import numpy as np
import pandas as pd

from trellislib.decisions.distribution import IndependentLabels
from trellislib.experiment.rescoring import CrossValidation
from trellislib.graphs import Trellis
from trellislib.labels.label_sets import unseen_sets
from trellislib.labels.matrices import dense
from trellislib.methods import ClassifierTrellis, IndependentClassifiers
from trellislib.metrics import accuracy, exact_match
from trellislib.typing import Matrix


def filling_scores(cv: CrossValidation, method: ClassifierTrellis) -> pd.DataFrame:
    """Score a classifier trellis while its lattice is filled, from independent classifiers to the whole trellis.

    A label whose cell is filled is predicted from its parents, each of the others from the features alone. Each fold
    places the labels by its own training rows. Since parents are placed before their children, the predictions of a
    partly filled lattice are those of the whole trellis and of independent classifiers, column by column.

    Parameters
    ----------
    cv : CrossValidation
        Folds of a data set whose labels are 0 or 1.
    method : ClassifierTrellis
        A trellis. Where it decides for a score, its rule is applied to the probabilities of the partly filled lattice,
        as if labels were independent given the features.

    Returns
    -------
    DataFrame
        A row for each number of filled cells, from 0 to L. ``accuracy`` and ``exact_match`` are means over folds;
        ``unseen`` is the share of predicted label sets that no training row has.

    Examples
    --------
    >>> from trellislib.data import simulate_label_dag
    >>> cv = CrossValidation(simulate_label_dag(n_instances=200, n_labels=6, random_state=0))
    >>> filling_scores(cv, ClassifierTrellis(random_state=0)).round(3).iloc[[0, -1]]
       accuracy  exact_match  unseen
    0     0.536        0.280   0.095
    6     0.528        0.295   0.005
    """
    independent = cv.fits(IndependentClassifiers(decide=method.decide))
    found = [
        [_scores(dense(Y), predicted, dense(known)) for predicted in _predictions(trellis, alone, X)]
        for (trellis, X, Y), (alone, _, _), known in zip(cv.fits(method), independent, cv.training_labels, strict=True)
    ]
    return pd.DataFrame(np.mean(found, axis=0), columns=["accuracy", "exact_match", "unseen"])


def _predictions(trellis: ClassifierTrellis, independent: IndependentClassifiers, X: Matrix) -> Iterator[np.ndarray]:
    """Yield the predictions after each number of filled cells."""
    order, coding = cast(Trellis, trellis.graph_).order, trellis.coding_
    fitted = independent, trellis
    if trellis.decide is None:
        predicted, whole = (dense(one.predict(X)).copy() for one in fitted)
        yield predicted
        for label in order:
            predicted[:, label] = whole[:, label]
            yield predicted
        return
    mixed, whole = (one._distribution(X).marginals.copy() for one in fitted)
    for n_filled in range(len(order) + 1):
        columns = coding.columns(order[:n_filled])
        mixed[columns] = whole[columns]
        alone = coding.decide(mixed, range(coding.n_labels))
        yield coding.decode(trellis.decision_.decide(IndependentLabels(mixed, alone, coding), X))


def _scores(truth: np.ndarray, predicted: np.ndarray, known: np.ndarray) -> tuple[float, float, float]:
    return accuracy(truth, predicted), exact_match(truth, predicted), float(unseen_sets(known, predicted).mean())
