"""Scores of how labels are ranked by their scores or probabilities; these work on the dense matrix of scores."""

from __future__ import annotations

import numpy as np
from scipy import sparse
from scipy.stats import rankdata
from sklearn.metrics import roc_auc_score

from trellislib.metrics.checks import as_ranking, as_rankings_of_instances
from trellislib.metrics.decisions import mean_over_instances
from trellislib.metrics.documented import SCORES, documented
from trellislib.running.checks import checked_weight
from trellislib.typing import Matrix


@documented(SCORES)
def average_precision(
    Y_true: Matrix, scores: Matrix, *, known: np.ndarray | None = None, sample_weight: np.ndarray | None = None
) -> float:
    """Return the label ranking average precision: how pure the top of each instance's ranking is.

    For each relevant label, the share of relevant ones among the labels scored at least as high; then the
    mean over an instance's relevant labels, and over instances. An instance in which no or every label is
    relevant counts 1, for no ranking of it is wrong.

    Examples
    --------
    >>> average_precision([[1, 0, 0], [0, 0, 1]], [[0.75, 0.5, 1.0], [1.0, 0.2, 0.1]])
    0.416...
    """
    relevant, among_all, among_relevant = _depths(Y_true, scores, known)
    n_relevant = relevant.sum(axis=1)
    purity = np.where(relevant, among_relevant / among_all, 0.0).sum(axis=1) / np.maximum(n_relevant, 1)
    trivial = (n_relevant == 0) | (n_relevant == relevant.shape[1])
    return _mean(np.where(trivial, 1.0, purity), known, sample_weight)


@documented(SCORES, returns="Between 0 and 1; lower is better.")
def ranking_loss(
    Y_true: Matrix, scores: Matrix, *, known: np.ndarray | None = None, sample_weight: np.ndarray | None = None
) -> float:
    """Return the share of (relevant, irrelevant) pairs of labels that are ordered wrongly; ties are wrong.

    The mean over instances; one in which no or every label is relevant has no pair and counts 0.

    Examples
    --------
    >>> ranking_loss([[1, 0, 0], [0, 0, 1]], [[0.75, 0.5, 1.0], [1.0, 0.2, 0.1]])
    0.75
    """
    relevant, among_all, among_relevant = _depths(Y_true, scores, known)
    n_relevant = relevant.sum(axis=1)
    wrong = np.where(relevant, among_all - among_relevant, 0).sum(axis=1)
    pairs = n_relevant * (relevant.shape[1] - n_relevant)
    return _mean(wrong / np.maximum(pairs, 1), known, sample_weight)


@documented(
    SCORES,
    empty="What an instance counts that has no relevant label; by the letter of the definition it is an error.",
    returns="Between 0 and 1; lower is better.",
)
def one_error(
    Y_true: Matrix,
    scores: Matrix,
    *,
    empty: float = 1.0,
    known: np.ndarray | None = None,
    sample_weight: np.ndarray | None = None,
) -> float:
    """Return the share of instances whose highest-scored label is not relevant.

    Where several labels share the highest score, an instance counts the share of them that is not relevant: what a
    random choice among them is expected to give, whatever the order of the columns.

    Examples
    --------
    >>> one_error([[1, 0, 0], [0, 0, 1]], [[0.75, 0.75, 0.2], [1.0, 0.2, 0.1]])
    0.75
    """
    true, score = as_rankings_of_instances(Y_true, scores, known)
    wrong = 1.0 - _relevant_at_the_top(true, score, 1)
    return _mean(np.where(true.count_nonzero(axis=1) == 0, empty, wrong), known, sample_weight)


def precision_at_k(Y_true: Matrix, scores: Matrix, k: int, *, known: np.ndarray | None = None) -> float:
    """Return the share of relevant labels among the k highest-scored ones, averaged over instances.

    Labels that tie for the last of the k places fill them by their share of relevant ones, as a random choice is
    expected to. An instance with fewer than k relevant labels cannot reach 1.

    Parameters
    ----------
    Y_true : {ndarray, csr_array} of shape (n_instances, n_labels)
        True codes of binary labels.
    scores : {ndarray, csr_array} of shape (n_instances, n_labels)
        Scores or probabilities; higher is more relevant.
    k : int
        From 1 to the number of labels.
    known : ndarray of bool, of shape (n_instances, n_labels), optional
        Which true labels are known, all by default; see `trellislib.metrics`.

    Returns
    -------
    float
        Between 0 and 1.

    Raises
    ------
    ValueError
        If the two are not matrices of the same shape, have no cell, or hold a code other than 0 and 1 or a score that
        is not finite; or if there are fewer than k labels.

    Examples
    --------
    >>> precision_at_k([[1, 0, 1], [0, 0, 1]], [[0.75, 0.5, 0.2], [0.9, 0.1, 0.2]], k=2)
    0.5
    """
    true, score = as_rankings_of_instances(Y_true, scores, known)
    if not 1 <= k <= score.shape[1]:
        raise ValueError(f"Got k={k}, but expected 1 to {score.shape[1]}, the number of labels.")
    return float(_relevant_at_the_top(true, score, k).mean() / k)


@documented(SCORES, returns="In labels, between 0 and n_labels; lower is better.")
def coverage(
    Y_true: Matrix, scores: Matrix, *, known: np.ndarray | None = None, sample_weight: np.ndarray | None = None
) -> float:
    """Return how many of the highest-scored labels it takes, on average, to have all the relevant ones.

    Not normalised, as in scikit-learn's ``coverage_error``: the best value is the label cardinality of
    `Y_true`, and labels that tie with the lowest relevant one are taken with it. An instance with no relevant
    label counts 0.

    Examples
    --------
    >>> coverage([[1, 0, 0], [0, 0, 1]], [[0.75, 0.5, 1.0], [1.0, 0.2, 0.1]])
    2.5
    """
    true, score = as_rankings_of_instances(Y_true, scores, known)
    rows, labels = true.nonzero()
    lowest = np.full(true.shape[0], np.inf)
    np.minimum.at(lowest, rows, score[rows, labels])
    return _mean((score >= lowest[:, None]).sum(axis=1), known, sample_weight)


@documented(SCORES, returns="Between 0 and 1; ``nan`` if no label has a ROC curve.")
def macro_auc(
    Y_true: Matrix, scores: Matrix, *, known: np.ndarray | None = None, sample_weight: np.ndarray | None = None
) -> float:
    """Return the mean area under the ROC curve of the labels that have one.

    A label relevant in no instance, or in every one, has no ROC curve and is left out of the mean;
    `per_label_scores` shows which those are.

    Examples
    --------
    The second label is never relevant.

    >>> macro_auc([[1, 0], [0, 0], [1, 0]], [[0.9, 0.1], [0.4, 0.2], [0.3, 0.3]])
    0.5
    """
    areas = label_auc(*as_ranking(Y_true, scores, known), sample_weight)
    defined = areas[~np.isnan(areas)]
    return float(defined.mean()) if defined.size else float("nan")


@documented(SCORES, returns="Between 0 and 1; ``nan`` if no cell is relevant, or every one.")
def micro_auc(
    Y_true: Matrix, scores: Matrix, *, known: np.ndarray | None = None, sample_weight: np.ndarray | None = None
) -> float:
    """Return the area under the ROC curve of all label cells taken together.

    Examples
    --------
    >>> micro_auc([[1, 0], [0, 0]], [[0.5, 0.1], [0.9, 0.2]])
    0.666...
    """
    true, score = as_ranking(Y_true, scores, known)
    weight = None if sample_weight is None else np.repeat(sample_weight, score.shape[1])
    return float(label_auc(true.reshape((-1, 1)), score.reshape(-1, 1), weight)[0])


def label_auc(true: sparse.csr_array, scores: np.ndarray, sample_weight: np.ndarray | None = None) -> np.ndarray:
    """Return the area under the ROC curve of each column, ``nan`` where it has one value only.

    It is the Mann-Whitney statistic: the mean rank of the relevant instances, ties sharing the average rank. Instances
    whose score is ``nan`` have no part in it.
    """
    if sample_weight is not None:
        return _weighted_auc(true.toarray() > 0, scores, checked_weight(sample_weight, len(scores)))
    positives = true.count_nonzero(axis=0)
    negatives = np.count_nonzero(~np.isnan(scores), axis=0) - positives
    ranks = true.multiply(rankdata(scores, axis=0, nan_policy="omit")).sum(axis=0)
    above = ranks - positives * (positives + 1) / 2
    pairs = positives * negatives
    return np.divide(above, pairs, out=np.full(true.shape[1], np.nan), where=pairs > 0)


def _weighted_auc(relevant: np.ndarray, scores: np.ndarray, weight: np.ndarray) -> np.ndarray:
    """Return the same of instances that count as much as they weigh."""
    areas = np.full(scores.shape[1], np.nan)
    for label, (column, score) in enumerate(zip(relevant.T, scores.T, strict=True)):
        counted = ~np.isnan(score) & (weight > 0)
        if column[counted].any() and not column[counted].all():
            areas[label] = roc_auc_score(column[counted], score[counted], sample_weight=weight[counted])
    return areas


def _mean(of_instances: np.ndarray, known: np.ndarray | None, sample_weight: np.ndarray | None) -> float:
    """Return the mean over the instances of which all labels are known."""
    if sample_weight is None or known is None:
        return mean_over_instances(of_instances, sample_weight)
    return mean_over_instances(of_instances, np.asarray(sample_weight)[np.all(known, axis=1)])


def _relevant_at_the_top(true: sparse.csr_array, scores: np.ndarray, k: int) -> np.ndarray:
    """Return how many of each instance's `k` highest-scored labels are relevant, the expectation over ties."""
    last = np.partition(scores, -k, axis=1)[:, [-k]]
    above, tied = scores > last, scores == last
    share = (k - above.sum(axis=1)) / tied.sum(axis=1)
    return true.multiply(above).sum(axis=1) + share * true.multiply(tied).sum(axis=1)


def _depths(Y_true: Matrix, scores: Matrix, known: np.ndarray | None) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Return which cells are relevant and, for those, how many labels of the instance score at least as high.

    The two counts are among all labels and among the relevant ones; elsewhere they mean nothing.
    """
    true, score = as_rankings_of_instances(Y_true, scores, known)
    relevant = true.toarray() > 0
    among_all = rankdata(-score, method="max", axis=1)
    among_relevant = rankdata(np.where(relevant, -score, np.inf), method="max", axis=1)
    return relevant, among_all, among_relevant
