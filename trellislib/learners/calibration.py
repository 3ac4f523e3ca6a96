"""From linear scores to probabilities: a slope per label (temperature scaling), or a slope and an intercept (Platt).

They are fitted on scores that do not know the row, as those that leave one out: scores of rows that weights were fitted
to are too good, the more the more features there are.

References
----------
Guo et al., "On calibration of modern neural networks", ICML 2017. Platt, "Probabilistic outputs for support vector
machines", Advances in Large Margin Classifiers, 1999 (the targets).
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from scipy.special import expit, softmax

from trellislib.dependence.gram import row_blocks
from trellislib.labels.coding import LabelCoding, with_first_value
from trellislib.learners.linear import CERTAIN, by_width, logits

ROWS = (100, 1000)  # fewest and most rows that one number per label is fitted on
CELLS = 2**22  # of labels and rows: with more labels, fewer rows
CACHED = 2**16  # cells of labels that are fitted at a time: what is computed with stays in the processor's cache
N_STEPS = 25
N_PLATT_STEPS = 60
LARGEST_STEP = 4.0  # of the log-odds, for scores of unit variance
SMALL_STEP = 1e-4  # of the same: what is missed after it is about its square
FIRST_ROWS = 500  # on about so many slopes and intercepts are fitted first; all rows start from what they give
EPSILON = 1e-12


def n_calibrated(n_columns: int) -> int:
    """Return on how many rows at most the slopes of labels with so many columns are fitted."""
    return int(np.clip(CELLS // n_columns, *ROWS))


def n_scaled(n_columns: int) -> int:
    """Return on how many rows at most slopes, intercepts and penalties are chosen, on which decisions depend."""
    return max(CELLS // n_columns, ROWS[1])


def slopes_of(scores: np.ndarray, indicators: np.ndarray, weight: np.ndarray, coding: LabelCoding) -> np.ndarray:
    """Fit the slope of each label's logits.

    Parameters
    ----------
    scores, indicators : ndarray of shape (n_columns, n_rows)
        Scores of the columns of rows that they were not fitted on, and the columns themselves.
    weight : ndarray of shape (n_rows,)
        Weights of the rows.
    coding : LabelCoding
        The values of the labels.

    Returns
    -------
    ndarray of shape (n_labels,)
    """
    slopes = np.empty(coding.n_labels)
    for labels, columns in by_width(np.diff(coding.starts)):
        fit = _slopes_of_two if columns.shape[1] == 1 else _slopes_of_more
        for block in row_blocks(len(labels), columns.shape[1] * len(weight), CACHED):
            slopes[labels[block]] = fit(scores[columns[block]], indicators[columns[block]], weight)
    return slopes


@dataclass(frozen=True)
class Scale:
    """What brings scores of indicators to the scale of log-odds, where 1/2 is even odds.

    Attributes
    ----------
    factor, shift : ndarray of shape (n_columns,)
        A score s becomes ``factor s + shift``.
    slopes : ndarray of shape (n_labels,)
        Of the softmax of these.
    """

    factor: np.ndarray
    shift: np.ndarray
    slopes: np.ndarray

    @classmethod
    def of(
        cls,
        scores: np.ndarray,
        indicators: np.ndarray,
        weight: np.ndarray,
        coding: LabelCoding,
        constant: np.ndarray,
    ) -> Scale:
        """Fit slope and intercept of every binary label, and the slope of every other; see `slopes_of`.

        Those labels that are `constant`, an array of bool of shape (n_labels,), become certain.
        """
        widths = np.diff(coding.starts)
        binary = coding.starts[:-1][widths == 1]
        slope, intercept = platt_scaling(scores[binary], indicators[binary], weight)
        certain = constant[widths == 1]
        slope[certain], intercept[certain] = 0.0, np.where(indicators[binary[certain], 0] > 0, CERTAIN, -CERTAIN)
        factor, shift = np.ones(coding.n_columns), np.zeros(coding.n_columns)
        factor[binary], shift[binary] = slope / 2, (intercept + 1) / 2  # as of `LinearConditionals.of_margins`
        slopes = np.ones(coding.n_labels)
        if len(binary) < coding.n_labels:
            slopes[widths > 1] = slopes_of(scores, indicators, weight, coding)[widths > 1]
            slopes[(widths > 1) & constant] = CERTAIN
        return cls(factor, shift, slopes)

    def __call__(self, scores: np.ndarray) -> np.ndarray:
        """Return scores, of shape (n_columns,) or (n_columns, n_rows), on this scale."""
        return (scores.T * self.factor + self.shift).T


def platt_scaling(scores: np.ndarray, indicators: np.ndarray, weight: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Fit log-odds that are linear in the score of each of many labels, by Newton's method.

    The targets are Platt's, so that a label whose rows are separated has finite ones. A slope is never below 0: scores
    that tell nothing are, when a row is left out, the lower the more often its value occurs, and would be turned over.

    Parameters
    ----------
    scores, indicators : ndarray of shape (n_labels, n_rows)
        Scores of rows that they were not fitted on, and 1 or 0.
    weight : ndarray of shape (n_rows,)
        Weights of the rows.

    Returns
    -------
    slope, intercept : ndarray of shape (n_labels,)

    Examples
    --------
    >>> scores = np.array([[0.1, 0.2, 0.2, 0.6, 0.7, 0.4]])
    >>> slope, intercept = platt_scaling(scores, np.array([[0, 0, 1, 1, 1, 0]]), np.ones(6))
    >>> (slope * 0.6 + intercept).round(2)
    array([0.83])
    """
    total = weight.sum()
    seen = indicators @ weight
    target = np.where(indicators > 0, ((seen + 1) / (seen + 2))[:, None], (1 / (total - seen + 2))[:, None])
    mean = (scores @ weight) / total
    centred = scores - mean[:, None]
    spread = np.sqrt(centred**2 @ weight / total)
    z = centred / np.where(spread > EPSILON, spread, np.inf)[:, None]
    even = target @ weight / total
    start = np.column_stack([np.zeros(len(scores)), np.log(even / (1 - even))])
    found = start.copy()
    rising = np.flatnonzero(((target - even[:, None]) * z) @ weight > 0)  # elsewhere a slope of 0 is the best
    few = slice(None, None, max(len(weight) // FIRST_ROWS, 1))
    for block in row_blocks(len(rising), len(weight), CACHED):
        labels = rising[block]
        of_block, wanted = z[labels], target[labels]
        first = _most_likely(of_block[:, few].copy(), wanted[:, few].copy(), weight[few], start[labels])
        found[labels] = _most_likely(of_block, wanted, weight, first)
    slope = found[:, 0] / np.where(spread > EPSILON, spread, np.inf)
    return slope, found[:, 1] - slope * mean


def _most_likely(z: np.ndarray, target: np.ndarray, weight: np.ndarray, start: np.ndarray) -> np.ndarray:
    """Maximise the likelihood of slopes and intercepts, (n_labels, 2), halving Newton's steps where they overshoot."""
    found, loss, step = start.copy(), np.full(len(z), np.inf), np.zeros_like(start)
    going = np.arange(len(z))
    for _ in range(N_PLATT_STEPS):
        moved = found[going] + step
        odds = moved[:, :1] * z + moved[:, 1:]
        small = np.exp(-np.abs(odds))
        lost = (np.maximum(odds, 0) + np.log1p(small) - target * odds) @ weight
        better = lost < loss[going]
        found[going[better]], loss[going[better]] = moved[better], lost[better]
        p = np.where(odds > 0, 1, small) / (1 + small)
        missed, curved = (target - p) * weight, p * (1 - p) * weight
        along = curved * z
        g = np.stack([np.einsum("ln,ln->l", missed, z), missed.sum(axis=1)])
        h = np.stack([np.einsum("ln,ln->l", along, z), along.sum(axis=1), curved.sum(axis=1)])
        determinant = np.maximum(h[0] * h[2] - h[1] ** 2, EPSILON)
        newton = np.column_stack([h[2] * g[0] - h[1] * g[1], h[0] * g[1] - h[1] * g[0]]) / determinant[:, None]
        step = np.where(better[:, None], np.clip(newton, -LARGEST_STEP, LARGEST_STEP), step / 2)
        unsettled = (np.abs(step) >= SMALL_STEP).any(axis=1)
        found[going[~unsettled]] += step[~unsettled]
        if not unsettled.all():
            going, step, z, target = going[unsettled], step[unsettled], z[unsettled], target[unsettled]
            if not len(going):
                break
    return found


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
