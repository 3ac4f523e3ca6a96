"""Conditionals of which some are replaced, with which every inference works as with any other."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass

import numpy as np

from trellislib.labels.coding import LabelCoding
from trellislib.learners import Given
from trellislib.typing import Labels


@dataclass(frozen=True)
class Replaced(Given):
    """The conditionals `given`, but for those of `labels`, which are taken from `other`."""

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

    def decide(self, labels: Labels, Z: np.ndarray) -> np.ndarray:
        """Return the most probable codes; see `Given.decide`."""
        codes = self.given.decide(labels, Z).copy()
        for row, label in enumerate(labels):
            if label in self.labels:
                codes[row] = self.other.decide((label,), Z)[0]
        return codes

    def probabilities(self, labels: Labels, Z: np.ndarray) -> np.ndarray:
        """Return the probability of each column; see `Given.probabilities`."""
        p = self.given.probabilities(labels, Z).copy()
        starts = np.concatenate([[0], np.cumsum(np.diff(self.coding.starts)[list(labels)])])
        for row, label in enumerate(labels):
            if label in self.labels:
                p[starts[row] : starts[row + 1]] = self.other.probabilities((label,), Z)
        return p


@dataclass(frozen=True)
class _Certain(Given):
    """Labels that have one code with probability 1, whatever their inputs are."""

    codes: Mapping[int, int]
    coding: LabelCoding

    def tiled(self, times: int) -> Given:
        return self

    def decide(self, labels: Labels, Z: np.ndarray) -> np.ndarray:
        return np.repeat([[self.codes[label]] for label in labels], Z.shape[1], axis=1)

    def probabilities(self, labels: Labels, Z: np.ndarray) -> np.ndarray:
        return self.coding.indicators(self.decide(labels, Z), labels)


def forced(given: Given, coding: LabelCoding, set_to: Mapping[int, int] | None) -> Given:
    """Return `given` with some labels set to a code: an intervention, Pearl's do.

    Raises
    ------
    ValueError
        If a label, or the code of one, does not exist.
    """
    if not set_to:
        return given
    for label, code in set_to.items():
        if not 0 <= label < coding.n_labels:
            raise ValueError(f"Got label {label}, but expected one from 0 to {coding.n_labels - 1}.")
        highest = len(coding.classes[label]) - 1
        if not 0 <= code <= highest:
            raise ValueError(f"Got code {code} for label {label}, but expected one from 0 to {highest}.")
    return Replaced(given, _Certain(set_to, coding), set_to, coding)
