"""From linear scores to probabilities: one slope per label, fitted on some of the rows (temperature scaling).

References
----------
Guo et al., "On calibration of modern neural networks", ICML 2017. Platt, "Probabilistic outputs for support vector
machines", Advances in Large Margin Classifiers, 1999 (the targets).
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from scipy.special import expit, softmax

from trellislib.labels.coding import with_first_value
from trellislib.labels.matrices import dense
from trellislib.learners.linear import CERTAIN, LinearConditionals, by_width, logits
from trellislib.learners.training_set import TrainingSet
from trellislib.typing import Matrix

ROWS = (100, 1000)  # fewest and most rows that one number per label is fitted on
CELLS = 2**22  # of labels and rows: with more labels, fewer rows
BLOCK = 64  # labels whose slopes are fitted at a time: what is computed with stays in the processor's cache
N_STEPS = 25
EPSILON = 1e-12


@dataclass(frozen=True)
class Calibration:
    """Rows on which the slopes of any scores of their labels can be fitted.

    Attributes
    ----------
    X : {ndarray, csr_array} of shape (n_rows, n_features)
        Their features.
    columns : {ndarray, csr_array} of shape (n_rows, n_columns)
        Their labels.
    weight : ndarray of shape (n_rows,)
        Their weights.
    constant : ndarray of bool, shape (n_labels,)
        Which labels are constant in all of the training set, and so for certain.
    """

    X: Matrix
    columns: Matrix
    weight: np.ndarray
    constant: np.ndarray

    @classmethod
    def of(cls, training_set: TrainingSet) -> Calibration:
        """Take rows spread evenly over the data."""
        some = training_set.spread(int(np.clip(CELLS // training_set.coding.n_columns, *ROWS)))
        weight = np.ones(some.n_instances) if some.weight is None else some.weight
        X = some.X.astype(np.float64, copy=False)
        return cls(X, some.columns, weight, training_set.constant)

    def __call__(self, fitted: LinearConditionals) -> np.ndarray:
        """Return the slope of each label's logits, (n_labels,); a constant label's makes it certain."""
        indicators = np.ascontiguousarray(dense(self.columns).T)
        scores = fitted.given(self.X).scores(range(fitted.coding.n_labels), indicators)
        slopes = np.empty(fitted.coding.n_labels)
        for labels, columns in by_width(np.diff(fitted.coding.starts)):
            fit = _slopes_of_two if columns.shape[1] == 1 else _slopes_of_more
            for first in range(0, len(labels), BLOCK):
                block = slice(first, first + BLOCK)
                slopes[labels[block]] = fit(scores[columns[block]], indicators[columns[block]], self.weight)
        slopes[self.constant] = CERTAIN
        return slopes


def _slopes_of_two(scores: np.ndarray, indicators: np.ndarray, weight: np.ndarray) -> np.ndarray:
    """Fit slopes as `_slopes_of_more` does; with two values the softmax is a logistic function of the margin."""
    margin, relevant = 2 * scores[:, 0] - 1, indicators[:, 0]
    seen = (relevant @ weight)[:, None]
    target = np.where(relevant > 0, (seen + 1) / (seen + 2), 1 / (weight.sum() - seen + 2))
    weighted = margin * weight
    squared = weighted * margin
    least = EPSILON * squared.sum(axis=1) + EPSILON
    slopes = np.ones(len(margin))
    unsettled = np.arange(len(margin))
    for _ in range(N_STEPS):
        now = slopes[unsettled]
        p = expit(now[:, None] * margin)
        gradient = np.einsum("ln,ln->l", target - p, weighted)
        curvature = np.einsum("ln,ln->l", p * (1 - p), squared)
        moved = np.clip(now + gradient / np.maximum(curvature, least), now / 10, now * 10)
        slopes[unsettled] = moved
        going = np.abs(moved - now) > 1e-6 * now
        if not going.any():
            break
        if not going.all():
            unsettled, margin, target = unsettled[going], margin[going], target[going]
            weighted, squared, least = weighted[going], squared[going], least[going]
    return slopes


def _slopes_of_more(scores: np.ndarray, indicators: np.ndarray, weight: np.ndarray) -> np.ndarray:
    """Fit the slope of each label's logits by Newton's method; the likelihood is concave in it.

    Scores and indicators have the shape (labels, columns of a label, instances). The observed value's target is
    (n + 1) / (n + K), not 1, after Platt: a label whose values are separated perfectly still gets a finite slope.
    """
    scores, indicators = logits(scores), with_first_value(indicators)
    n_values = scores.shape[1]
    seen = (indicators @ weight)[:, :, None]
    doubt = (n_values - 1) / (seen + n_values)
    missed = (doubt * indicators).sum(axis=1, keepdims=True) / (n_values - 1)
    target = np.where(indicators > 0, 1 - doubt, missed)
    least = EPSILON * (scores**2).sum(axis=1) @ weight + EPSILON  # where all instances score alike
    slopes = np.ones(len(scores))
    for _ in range(N_STEPS):
        p = softmax(slopes[:, None, None] * scores, axis=1)
        mean = (p * scores).sum(axis=1)
        gradient = ((target * scores).sum(axis=1) - mean) @ weight
        curvature = ((p * scores**2).sum(axis=1) - mean**2) @ weight
        moved = np.clip(slopes + gradient / np.maximum(curvature, least), slopes / 10, slopes * 10)
        settled = np.allclose(moved, slopes, rtol=1e-6)
        slopes = moved
        if settled:
            break
    return slopes
