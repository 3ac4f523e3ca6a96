"""Conditionals of some labels in place of others', with which every inference works as with any other."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass

import numpy as np

from trellislib.labels.coding import LabelCoding
from trellislib.learners import Given


@dataclass(frozen=True)
class Replaced(Given):
    """Conditionals of which those of some labels are taken from elsewhere.

    Attributes
    ----------
    given : Given
        The conditionals.
    other : Given
        Where those of `labels` are taken from.
    labels : collection of int
        The labels.
    coding : LabelCoding
        The values of the labels.
    """

    given: Given
    other: Given
    labels: Collection[int]
    coding: LabelCoding

    def tiled(self, times: int) -> Given:
        """Return the same instances, all of them `times` times over."""
        return Replaced(self.given.tiled(times), self.other.tiled(times), self.labels, self.coding)

    def walk(self) -> Given:
        """Return the same conditionals for one pass; see `Given.walk`."""
        return Replaced(self.given.walk(), self.other, self.labels, self.coding)

    def decide(self, labels: Sequence[int], Z: np.ndarray) -> np.ndarray:
        """Return the most probable codes; see `Given.decide`."""
        codes = self.given.decide(labels, Z).copy()
        for row, label in enumerate(labels):
            if label in self.labels:
                codes[row] = self.other.decide((label,), Z)[0]
        return codes

    def probabilities(self, labels: Sequence[int], Z: np.ndarray) -> np.ndarray:
        """Return the probability of each column; see `Given.probabilities`."""
        p = self.given.probabilities(labels, Z).copy()
        starts = np.concatenate([[0], np.cumsum(np.diff(self.coding.starts)[list(labels)])])
        for row, label in enumerate(labels):
            if label in self.labels:
                p[starts[row] : starts[row + 1]] = self.other.probabilities((label,), Z)
        return p
