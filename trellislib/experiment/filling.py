"""How predictions change while the cells of a lattice are filled, one label after the other."""

from __future__ import annotations

import numpy as np
import pandas as pd

from trellislib.experiment.rescoring import CrossValidation
from trellislib.graphs import Trellis
from trellislib.labels.label_sets import unseen_sets
from trellislib.labels.matrices import dense
from trellislib.methods import ClassifierTrellis, IndependentClassifiers
from trellislib.metrics import accuracy, exact_match


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
        A trellis that decides one label after the other, as by default.

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
    found = [
        _of_fold(dense(Y), trellis.graph_, dense(independent.predict(X)), dense(trellis.predict(X)), dense(known))
        for (trellis, X, Y), (independent, _, _), known in zip(
            cv.fits(method), cv.fits(IndependentClassifiers()), cv.training_labels, strict=True
        )
    ]
    return pd.DataFrame(np.mean(found, axis=0), columns=["accuracy", "exact_match", "unseen"])


def _of_fold(
    truth: np.ndarray, trellis: Trellis, independent: np.ndarray, whole: np.ndarray, known: np.ndarray
) -> list[tuple[float, float, float]]:
    """Return the scores of a fold after each number of filled cells."""
    predicted, scores = independent.copy(), []
    for label in (None, *trellis.order):
        if label is not None:
            predicted[:, label] = whole[:, label]
        unseen = float(unseen_sets(known, predicted).mean())
        scores.append((accuracy(truth, predicted), exact_match(truth, predicted), unseen))
    return scores
