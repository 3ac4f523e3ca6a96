"""Scores of predicted label codes; Y stays sparse where it is."""

from __future__ import annotations

import numpy as np

from trellislib.metrics.checks import require_binary, same_shape
from trellislib.metrics.documented import ANY_CODES, CODES, documented
from trellislib.running.checks import checked_weight
from trellislib.typing import Matrix


@documented(ANY_CODES)
def hamming_score(
    Y_true: Matrix, Y_pred: Matrix, *, known: np.ndarray | None = None, sample_weight: np.ndarray | None = None
) -> float:
    """Return the share of label cells that are right (1 - Hamming loss).

    References
    ----------
    "Classifier trellises", section Experiments, *Hamming Score*.

    Examples
    --------
    >>> hamming_score([[0, 2], [1, 0]], [[0, 1], [1, 0]])
    0.75
    """
    true, pred = same_shape(Y_true, Y_pred, known)
    wrong = (true != pred).count_nonzero(axis=1)
    n_cells = np.full(true.shape[0], true.shape[1]) if known is None else np.count_nonzero(known, axis=1)
    weight = np.ones(true.shape[0]) if sample_weight is None else checked_weight(sample_weight, true.shape[0])
    return float(1.0 - (weight @ wrong) / (weight @ n_cells))


@documented(ANY_CODES)
def exact_match(
    Y_true: Matrix, Y_pred: Matrix, *, known: np.ndarray | None = None, sample_weight: np.ndarray | None = None
) -> float:
    """Return the share of instances whose every label is right (subset accuracy, 1 - 0/1 loss).

    References
    ----------
    "Classifier trellises", section Experiments, *Exact Match*.

    Examples
    --------
    >>> exact_match([[0, 2], [1, 0]], [[0, 1], [1, 0]])
    0.5
    """
    true, pred = same_shape(Y_true, Y_pred, known)
    return mean_over_instances((true != pred).count_nonzero(axis=1) == 0, sample_weight)


@documented(CODES, empty="What an instance counts that has no true and no predicted label.")
def accuracy(
    Y_true: Matrix,
    Y_pred: Matrix,
    *,
    empty: float = 1.0,
    known: np.ndarray | None = None,
    sample_weight: np.ndarray | None = None,
) -> float:
    """Return the mean over instances of true and predicted labels' intersection over union (Jaccard index).

    References
    ----------
    "Classifier trellises", section Experiments, *Accuracy*.

    Examples
    --------
    The first instance has an empty truth and an empty prediction.

    >>> accuracy([[0, 0], [1, 1]], [[0, 0], [0, 1]])
    0.75
    >>> accuracy([[0, 0], [1, 1]], [[0, 0], [0, 1]], empty=0.0)
    0.25
    """
    both, true, pred = overlap(Y_true, Y_pred, known, axis=1)
    return mean_over_instances(ratio(both, true + pred - both, empty), sample_weight)


@documented(CODES, empty="What an instance counts that has no true and no predicted label.")
def example_f1(
    Y_true: Matrix,
    Y_pred: Matrix,
    *,
    empty: float = 1.0,
    known: np.ndarray | None = None,
    sample_weight: np.ndarray | None = None,
) -> float:
    """Return the mean over instances of the F1 of their label sets.

    Examples
    --------
    >>> example_f1([[0, 0], [1, 1]], [[0, 0], [0, 1]])
    0.833...
    """
    both, true, pred = overlap(Y_true, Y_pred, known, axis=1)
    return mean_over_instances(ratio(2 * both, true + pred, empty), sample_weight)


@documented(
    CODES,
    empty="What a label counts that is true in no instance and predicted in none; 0 is scikit-learn's default.",
)
def macro_f1(
    Y_true: Matrix,
    Y_pred: Matrix,
    *,
    empty: float = 0.0,
    known: np.ndarray | None = None,
    sample_weight: np.ndarray | None = None,
) -> float:
    """Return the mean over labels of their F1.

    Examples
    --------
    >>> macro_f1([[1, 0], [1, 0]], [[1, 0], [1, 0]])
    0.5
    >>> macro_f1([[1, 0], [1, 0]], [[1, 0], [1, 0]], empty=1.0)
    1.0
    """
    both, true, pred = overlap(Y_true, Y_pred, known, axis=0, sample_weight=sample_weight)
    return float(ratio(2 * both, true + pred, empty).mean())


@documented(
    CODES, empty="The score if no label is true and none predicted in any instance; 0 is scikit-learn's default."
)
def micro_f1(
    Y_true: Matrix,
    Y_pred: Matrix,
    *,
    empty: float = 0.0,
    known: np.ndarray | None = None,
    sample_weight: np.ndarray | None = None,
) -> float:
    """Return the F1 of all label cells taken together.

    Examples
    --------
    >>> micro_f1([[1, 0], [1, 1]], [[1, 0], [1, 0]])
    0.8
    """
    both, true, pred = overlap(Y_true, Y_pred, known, axis=0, sample_weight=sample_weight)
    return float(ratio(2 * both.sum(), true.sum() + pred.sum(), empty))


def overlap(
    Y_true: Matrix, Y_pred: Matrix, known: np.ndarray | None, axis: int, sample_weight: np.ndarray | None = None
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Count, along `axis`, the cells relevant in both, in `Y_true` and in `Y_pred`; those not known are in neither.

    Over instances (axis 0), each counts as much as it weighs.
    """
    true, pred = same_shape(Y_true, Y_pred, known)
    require_binary(true, "Y_true")
    require_binary(pred, "Y_pred")
    cells = (true.multiply(pred), true, pred)
    if sample_weight is not None and axis == 0:
        weight = checked_weight(sample_weight, true.shape[0])
        both, first, second = (np.asarray(relevant.astype(bool).T @ weight) for relevant in cells)
    else:
        both, first, second = (relevant.count_nonzero(axis=axis) for relevant in cells)
    return both, first, second


def mean_over_instances(scores: np.ndarray, sample_weight: np.ndarray | None) -> float:
    """Return the mean of what each instance scores."""
    weight = None if sample_weight is None else checked_weight(sample_weight, len(scores))
    return float(np.average(scores, weights=weight))


def ratio(above: np.ndarray, below: np.ndarray, empty: float) -> np.ndarray:
    """Divide, with `empty` for 0/0."""
    return np.divide(above, below, out=np.full(np.shape(below), float(empty)), where=np.asarray(below) != 0)
