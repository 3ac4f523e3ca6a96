"""Conditionals whose scores are linear in the features and in other labels."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

import numpy as np
from scipy.special import expit, softmax

from trellislib.coding import LabelCoding, with_first_value
from trellislib.learners.base import Conditionals, Given
from trellislib.typing import Matrix

LEAST_SCORE = 1e-3  # a score is taken as at least this, where logarithms of scores are
CERTAIN = 1e3  # a margin, or the slope of a score of 0 or 1, at which a probability is exactly 0 or 1


class LinearConditionals(Conditionals):
    """Scores that are linear in the features and in the indicator columns of other labels.

    Attributes
    ----------
    on_features : ndarray of shape (n_features, n_columns)
        Weights of the features.
    on_inputs : {ndarray, csr_array} of shape (n_columns, n_columns)
        Weights of the columns of inputs (second axis) for each column (first axis).
    intercept : ndarray of shape (n_columns,)
        Constant terms.
    slopes : ndarray of shape (n_labels,)
        Of the softmax that turns a label's scores into probabilities.
    """

    def __init__(
        self,
        on_features: np.ndarray,
        on_inputs: Matrix,
        intercept: np.ndarray,
        slopes: np.ndarray,
        coding: LabelCoding,
    ) -> None:
        self.on_features = on_features
        self.on_inputs = on_inputs
        self.intercept = intercept
        self.slopes = slopes
        self.coding = coding

    def given(self, X: Matrix) -> LinearGiven:
        """Return the conditionals of `X`, whose part of every score is one product for all labels."""
        return LinearGiven(self, np.ascontiguousarray((X @ self.on_features + self.intercept).T))


@dataclass(frozen=True)
class LinearGiven(Given):
    """Linear conditionals of some instances, the features' part of whose scores is known."""

    fitted: LinearConditionals
    from_features: np.ndarray
    _of_labels: dict[tuple[int, ...], tuple[np.ndarray, Matrix]] = field(default_factory=dict)

    def tiled(self, times: int) -> LinearGiven:
        """Return the same instances, all of them `times` times over."""
        return LinearGiven(self.fitted, np.tile(self.from_features, times))

    def scores(self, labels: Sequence[int], Z: np.ndarray) -> np.ndarray:
        """Return the linear scores of the columns of `labels` given their inputs, (columns, n_instances)."""
        key = tuple(labels)
        if key not in self._of_labels:  # sampling asks about the same labels in every sweep
            columns = self.fitted.coding.columns(labels)
            self._of_labels[key] = self.from_features[columns], self.fitted.on_inputs[columns]
        from_features, on_inputs = self._of_labels[key]
        return from_features + on_inputs @ Z

    def decide(self, labels: Sequence[int], Z: np.ndarray) -> np.ndarray:
        """Return the codes that score highest."""
        return self.fitted.coding.decide(self.scores(labels, Z), labels)

    def probabilities(self, labels: Sequence[int], Z: np.ndarray) -> np.ndarray:
        """Return the softmax of each label's logits times its slope."""
        scores = self.scores(labels, Z)
        slopes = self.fitted.slopes[list(labels)]
        if self.fitted.coding.is_binary:
            return expit(slopes[:, None] * (2 * scores - 1))
        widths = np.diff(self.fitted.coding.starts)[list(labels)]
        for of_width, columns in by_width(widths):
            scores[columns] = softmax(slopes[of_width, None, None] * logits(scores[columns]), axis=1)[:, 1:]
        return scores


def logits(scores: np.ndarray) -> np.ndarray:
    """Return what a label's slope multiplies before the softmax, (..., values, instances), from columns' scores.

    These are the scores themselves for two values. For more they are the logarithms, with which a slope of 1 leaves
    the scores as they are: with the scores, each of the values that hardly ever occur would get a share.
    """
    of_values = with_first_value(scores)
    return of_values if of_values.shape[-2] == 2 else np.log(np.maximum(of_values, LEAST_SCORE))


def by_width(widths: np.ndarray) -> Iterator[tuple[np.ndarray, np.ndarray]]:
    """Yield the labels of each number of columns, and where those columns are, as (labels, width)."""
    starts = np.cumsum(widths) - widths
    for width in np.unique(widths):
        labels = np.flatnonzero(widths == width)
        yield labels, starts[labels, None] + np.arange(width)
