"""The scores of each label by itself."""

from __future__ import annotations

import numpy as np
import pandas as pd

from trellislib.metrics.checks import as_ranking, same_shape
from trellislib.metrics.decisions import overlap, ratio
from trellislib.metrics.probabilities import squared_errors, surprises
from trellislib.metrics.rankings import label_auc
from trellislib.running.checks import checked_weight
from trellislib.typing import Matrix


def per_label_scores(
    Y_true: Matrix,
    Y_pred: Matrix,
    scores: Matrix | None = None,
    *,
    known: np.ndarray | None = None,
    sample_weight: np.ndarray | None = None,
) -> pd.DataFrame:
    """Return the scores of each label by itself.

    Parameters
    ----------
    Y_true, Y_pred : {ndarray, csr_array} of shape (n_instances, n_labels)
        True and predicted codes.
    scores : {ndarray, csr_array} of shape (n_instances, n_labels), optional
        Scores or probabilities, for the AUC; probabilities for the log loss, too.
    known : ndarray of bool, of shape (n_instances, n_labels), optional
        Which true labels are known, all by default; see `trellislib.metrics`.
    sample_weight : array-like of shape (n_instances,), optional
        How much each instance counts, 0 or more, in shares and in numbers of instances.

    Returns
    -------
    DataFrame
        By label position, as shares between 0 and 1: ``frequency`` (instances in which the label's code is not 0)
        and ``hamming`` (cells that are right). Where all labels are binary also the numbers of instances in which the
        label is relevant (``support``) and in which it is ``predicted``, ``precision`` (0 where it is never
        predicted), ``recall`` (0 where it is never true), ``f1`` (0 where it is neither), ``auc`` (``nan`` where
        undefined, or without `scores`), the ``brier_score`` and, in nats, the ``log_loss`` (``nan`` where `scores` are
        no probabilities).

    Raises
    ------
    ValueError
        If the matrices are not of the same shape, have no cell, or hold a score that is not finite.

    Examples
    --------
    >>> scores = per_label_scores([[1, 0], [0, 0], [1, 0]], [[1, 0], [1, 1], [1, 0]])
    >>> scores[["support", "predicted", "precision", "recall", "f1"]].round(2)
           support  predicted  precision  recall   f1
    label
    0            2          3       0.67     1.0  0.8
    1            0          1       0.00     0.0  0.0
    """
    true, pred = same_shape(Y_true, Y_pred, known)
    weight = np.ones(true.shape[0]) if sample_weight is None else checked_weight(sample_weight, true.shape[0])
    total = weight.sum() if known is None else weight @ known
    wrong, relevant = (np.asarray(cells.astype(bool).T @ weight) for cells in (true != pred, true))
    table = pd.DataFrame(
        {"frequency": relevant / total, "hamming": (total - wrong) / total},
        index=pd.RangeIndex(true.shape[1], name="label"),
    )
    if max(true.max(), pred.max()) > 1:
        return table
    both, positive, predicted = overlap(true, pred, None, axis=0, sample_weight=sample_weight)
    table["support"], table["predicted"] = positive, predicted
    table["precision"] = ratio(both, predicted, 0.0)
    table["recall"] = ratio(both, positive, 0.0)
    table["f1"] = ratio(2 * both, positive + predicted, 0.0)
    table["auc"] = table["brier_score"] = table["log_loss"] = np.nan
    if scores is not None:
        ranking = as_ranking(Y_true, scores, known)
        table["auc"] = label_auc(*ranking, sample_weight)
        if np.nanmin(ranking[1]) >= 0 and np.nanmax(ranking[1]) <= 1:
            table["brier_score"] = _means(squared_errors(Y_true, scores, known), weight)
            table["log_loss"] = _means(surprises(Y_true, scores, known), weight)
    return table


def _means(of_cells: np.ndarray, weight: np.ndarray) -> np.ndarray:
    """Return the mean of each label over the cells that are known."""
    return (weight @ np.nan_to_num(of_cells)) / (weight @ ~np.isnan(of_cells))
