"""Every order of a chain, scored: how much the order matters, and how errors run down the chain."""

from __future__ import annotations

from itertools import permutations

import numpy as np
import pandas as pd
from sklearn.base import BaseEstimator

from trellislib.data.dataset import Dataset
from trellislib.experiment import folds
from trellislib.inspection import propagation
from trellislib.methods import ClassifierChain
from trellislib.metrics import exact_match, hamming_score

MOST_LABELS = 5
ERROR_COUNTS = ["n_own", "n_inherited", "n_lucky"]


def chain_orders(
    dataset: Dataset, estimator: BaseEstimator | None = None, *, cv: int = 5, seed: int = 0
) -> pd.DataFrame:
    """Score a classifier chain in every order of the labels, by cross-validated predictions on the same folds.

    Parameters
    ----------
    dataset : Dataset
        The data, of 2 to 5 labels.
    estimator : learner or classifier, optional
        Base learner; least squares by default.
    cv : int, default=5
        Number of folds.
    seed : int, default=0
        Seed of the folds.

    Returns
    -------
    DataFrame
        A row per order, which is the index: a tuple of labels from 0. Columns are "exact_match" and "hamming_score";
        "right_1" to "right_L", the share of instances in which the label at that place of the chain is right;
        "after_error" and "after_right", the share of labels that are wrong where the label right before them in the
        chain is wrong, and where it is right, ``nan`` where there is no such label; and "n_own", "n_inherited" and
        "n_lucky", how many labels are own errors, inherited errors, and right only by wrong labels before
        them, where all values were seen in training; see `trellislib.inspection.propagation`.

    Raises
    ------
    ValueError
        If there are fewer than 2 or more than 5 labels.

    Examples
    --------
    >>> from trellislib.data import simulate_shapes
    >>> scores = chain_orders(simulate_shapes(200, overlap=0.2, random_state=0))
    >>> len(scores), scores.index[0]
    (6, (0, 1, 2))
    """
    if not 2 <= dataset.n_labels <= MOST_LABELS:
        raise ValueError(
            f"Got {dataset.n_labels} labels, but expected from 2 to {MOST_LABELS}, for all orders are tried."
        )
    Y = dataset.Y
    divided = [(dataset.fit_features(train).X, train, test) for train, test in folds(dataset, cv, seed)]
    rows = []
    orders = list(permutations(range(dataset.n_labels)))
    for order in orders:
        predicted = np.empty(Y.shape, dtype=int)
        counts = pd.Series(0, index=ERROR_COUNTS)
        for X, train, test in divided:
            chain = ClassifierChain(estimator, order=order).fit(X[train], Y[train])
            predicted[test] = chain.predict(X[test])
            counts += propagation(chain, X[test], Y[test])[ERROR_COUNTS].sum()
        is_wrong = (predicted != Y)[:, order]
        before, after = is_wrong[:, :-1], is_wrong[:, 1:]
        rows.append(
            {"exact_match": exact_match(Y, predicted), "hamming_score": hamming_score(Y, predicted)}
            | {f"right_{place}": share for place, share in enumerate(1 - is_wrong.mean(axis=0), 1)}
            | {
                "after_error": after[before].mean() if before.any() else np.nan,
                "after_right": after[~before].mean() if not before.all() else np.nan,
            }
            | counts.to_dict()
        )
    return pd.DataFrame(rows, index=pd.Index(orders, name="order", tupleize_cols=False))
