"""Scores of probabilities: how much the truth surprises them, and whether they are as frequent as they say."""

from __future__ import annotations

import numpy as np
import pandas as pd

from trellislib.metrics.checks import as_ranking
from trellislib.metrics.documented import PROBABILITIES, documented
from trellislib.running.checks import checked_weight
from trellislib.typing import Matrix

SMALLEST = np.finfo(float).eps  # no cell counts as less probable, as in scikit-learn: 36 nats at most


@documented(PROBABILITIES, returns="In nats per label cell, 0 or more; lower is better.")
def log_loss(
    Y_true: Matrix, probabilities: Matrix, *, known: np.ndarray | None = None, sample_weight: np.ndarray | None = None
) -> float:
    """Return the mean over label cells of the negative logarithm of the probability of the true value.

    A probability of 0 counts as 2.2e-16, as in scikit-learn.

    Examples
    --------
    >>> log_loss([[1, 0], [0, 0]], [[0.5, 0.5], [0.0, 0.5]])
    0.519...
    """
    return _mean_over_cells(surprises(Y_true, probabilities, known), sample_weight)


@documented(PROBABILITIES, returns="Between 0 and 1; lower is better.")
def brier_score(
    Y_true: Matrix, probabilities: Matrix, *, known: np.ndarray | None = None, sample_weight: np.ndarray | None = None
) -> float:
    """Return the mean over label cells of the squared difference between the probability and what is true, 0 or 1.

    References
    ----------
    Brier, "Verification of forecasts expressed in terms of probability", Monthly Weather Review 78, 1950.

    Examples
    --------
    >>> brier_score([[1, 0], [0, 0]], [[0.5, 0.5], [0.0, 0.5]])
    0.1875
    """
    return _mean_over_cells(squared_errors(Y_true, probabilities, known), sample_weight)


@documented(PROBABILITIES, returns="Between 0 and 1; lower is better.")
def calibration_error(
    Y_true: Matrix,
    probabilities: Matrix,
    *,
    n_bins: int = 10,
    known: np.ndarray | None = None,
    sample_weight: np.ndarray | None = None,
) -> float:
    """Return how far, on average, label cells are relevant more or less often than their probability says.

    The label cells are put into bins of equal width by their probability. The error is the mean difference between the
    probability and the share of relevant cells in a bin, each bin weighing as much as it has cells.

    References
    ----------
    Naeini, Cooper and Hauskrecht, "Obtaining well calibrated probabilities using Bayesian binning", AAAI 2015: there
    the expected calibration error.

    Examples
    --------
    >>> round(calibration_error([[1, 0], [0, 0]], [[0.85, 0.35], [0.35, 0.35]]), 3)
    0.3
    """
    return mean_gap(reliability(Y_true, probabilities, n_bins=n_bins, known=known, sample_weight=sample_weight))


def mean_gap(bins: pd.DataFrame) -> float:
    """Return the calibration error of bins as `reliability` returns them."""
    return float(np.average((bins["probability"] - bins["relevant"]).abs(), weights=bins["cells"]))


def reliability(
    Y_true: Matrix,
    probabilities: Matrix,
    *,
    n_bins: int = 10,
    known: np.ndarray | None = None,
    sample_weight: np.ndarray | None = None,
) -> pd.DataFrame:
    """Return how often label cells are relevant, by the probability that was given to them.

    Parameters
    ----------
    Y_true : {ndarray, csr_array} of shape (n_instances, n_labels)
        True codes of binary labels.
    probabilities : {ndarray, csr_array} of shape (n_instances, n_labels)
        Probabilities that the labels are relevant.
    n_bins : int, default=10
        Bins of equal width between 0 and 1.
    known : ndarray of bool, of shape (n_instances, n_labels), optional
        Which true labels are known, all by default; see `trellislib.metrics`.
    sample_weight : array-like of shape (n_instances,), optional
        How much each instance counts, 0 or more.

    Returns
    -------
    DataFrame
        By bin number, of the bins that have cells: their ``probability`` and the share that is ``relevant`` (means over
        the cells), and the number of ``cells``, or the sum of their weights.

    Raises
    ------
    ValueError
        If the two are not matrices of the same shape, have no cell, or hold a code other than 0 and 1 or a number
        that is no probability.

    Examples
    --------
    >>> reliability([[1, 0], [0, 0]], [[0.85, 0.35], [0.35, 0.35]])
         probability  relevant  cells
    bin
    3           0.35       0.0      3
    8           0.85       1.0      1
    """
    relevant, p = _cells(Y_true, probabilities, known)
    counted = ~np.isnan(p)
    if sample_weight is not None:
        weight = np.broadcast_to(checked_weight(sample_weight, len(p))[:, np.newaxis], p.shape)
        counted &= weight > 0
    cells = pd.DataFrame({"probability": p[counted], "relevant": relevant[counted]})
    number = np.minimum((cells["probability"] * n_bins).astype(int), n_bins - 1).rename("bin")
    if sample_weight is None:
        groups = cells.groupby(number)
        return groups.mean().assign(cells=groups.size())
    sums = cells.mul(weight[counted], axis=0).assign(cells=weight[counted]).groupby(number).sum()
    return sums[["probability", "relevant"]].div(sums["cells"], axis=0).assign(cells=sums["cells"])


def _mean_over_cells(values: np.ndarray, sample_weight: np.ndarray | None) -> float:
    """Return the mean over the cells that are known."""
    if sample_weight is None:
        return float(np.nanmean(values))
    weight = checked_weight(sample_weight, len(values)) @ np.where(np.isnan(values), 0.0, 1.0)
    return float((np.asarray(sample_weight, dtype=float) @ np.nan_to_num(values)).sum() / weight.sum())


def squared_errors(Y_true: Matrix, probabilities: Matrix, known: np.ndarray | None = None) -> np.ndarray:
    """Return the squared error of each cell's probability, with ``nan`` for labels not known."""
    relevant, p = _cells(Y_true, probabilities, known)
    return (relevant - p) ** 2


def surprises(Y_true: Matrix, probabilities: Matrix, known: np.ndarray | None = None) -> np.ndarray:
    """Return the negative logarithm of the probability of each cell's true value, with ``nan`` for labels not known."""
    relevant, p = _cells(Y_true, probabilities, known)
    return -np.log(np.maximum(np.where(relevant, p, 1 - p), SMALLEST))


def _cells(Y_true: Matrix, probabilities: Matrix, known: np.ndarray | None) -> tuple[np.ndarray, np.ndarray]:
    """Return what is relevant, as 0 and 1, and the probabilities, with ``nan`` for labels not known."""
    true, p = as_ranking(Y_true, probabilities, known)
    wrong = (p < 0) | (p > 1)
    if wrong.any():
        row, label = np.unravel_index(wrong.argmax(), p.shape)
        raise ValueError(f"Got {p[row, label]} (instance {row}, label {label}), but expected a probability, 0 to 1.")
    return true.toarray().astype(float), p
