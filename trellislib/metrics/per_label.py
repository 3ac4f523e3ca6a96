"""The scores of each label by itself."""

from __future__ import annotations

import numpy as np
import pandas as pd

from trellislib.metrics.checks import as_ranking
from trellislib.metrics.decisions import overlap, ratio
from trellislib.metrics.rankings import label_auc
from trellislib.typing import Matrix


def per_label_scores(Y_true: Matrix, Y_pred: Matrix, scores: Matrix | None = None) -> pd.DataFrame:
    """Return the scores of each label by itself.

    Parameters
    ----------
    Y_true, Y_pred : {ndarray, csr_array} of shape (n_instances, n_labels)
        True and predicted codes of binary labels.
    scores : {ndarray, csr_array} of shape (n_instances, n_labels), optional
        Scores or probabilities, for the AUC.

    Returns
    -------
    DataFrame of shape (n_labels, 6)
        By label position, as shares between 0 and 1: ``frequency`` (instances in which the label is true),
        ``precision`` (0 where it is never predicted), ``recall`` (0 where it is never true), ``f1`` (0
        where it is neither), ``hamming`` (cells that are right), ``auc`` (``nan`` where undefined, or
        without `scores`).

    Raises
    ------
    ValueError
        If the matrices are not of the same shape, have no cell, or hold a code other than 0 and 1 or a score
        that is not finite.

    Examples
    --------
    >>> per_label_scores([[1, 0], [0, 0], [1, 0]], [[1, 0], [1, 1], [1, 0]]).round(2)
           frequency  precision  recall   f1  hamming  auc
    label
    0           0.67       0.67     1.0  0.8     0.67  NaN
    1           0.00       0.00     0.0  0.0     0.67  NaN
    """
    both, true, pred = overlap(Y_true, Y_pred, axis=0)
    n_instances = np.shape(Y_true)[0]
    return pd.DataFrame(
        {
            "frequency": true / n_instances,
            "precision": ratio(both, pred, 0.0),
            "recall": ratio(both, true, 0.0),
            "f1": ratio(2 * both, true + pred, 0.0),
            "hamming": 1.0 - (true + pred - 2 * both) / n_instances,
            "auc": np.nan if scores is None else label_auc(*as_ranking(Y_true, scores)),
        },
        index=pd.RangeIndex(len(true), name="label"),
    )
