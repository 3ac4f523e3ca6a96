"""Labels set by hand: an intervention, with which every inference works as with any other conditionals."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from trellislib.coding import LabelCoding
from trellislib.learners import Given


@dataclass(frozen=True)
class Forced(Given):
    """Conditionals of which some labels take a code for certain, whatever their inputs are (Pearl's do).

    Attributes
    ----------
    given : Given
        The conditionals.
    coding : LabelCoding
        The values of the labels.
    set_to : mapping of int to int
        The code of each label that is set.
    """

    given: Given
    coding: LabelCoding
    set_to: Mapping[int, int]

    def tiled(self, times: int) -> Given:
        """Return the same instances, all of them `times` times over."""
        return Forced(self.given.tiled(times), self.coding, self.set_to)

    def walk(self) -> Given:
        """Return the same conditionals for one pass; see `Given.walk`."""
        return Forced(self.given.walk(), self.coding, self.set_to)

    def decide(self, labels: Sequence[int], Z: np.ndarray) -> np.ndarray:
        """Return the codes that are set, and the most probable ones of the other labels."""
        codes = self.given.decide(labels, Z).copy()
        for row, label in enumerate(labels):
            if label in self.set_to:
                codes[row] = self.set_to[label]
        return codes

    def probabilities(self, labels: Sequence[int], Z: np.ndarray) -> np.ndarray:
        """Return 1 for the codes that are set, and the probabilities of the other labels."""
        p = self.given.probabilities(labels, Z).copy()
        starts = np.concatenate([[0], np.cumsum(np.diff(self.coding.starts)[list(labels)])])
        for row, label in enumerate(labels):
            if label in self.set_to:
                of_label = p[starts[row] : starts[row + 1]]
                of_label[:] = (np.arange(1, len(of_label) + 1) == self.set_to[label])[:, None]
        return p


def forced(given: Given, coding: LabelCoding, set_to: Mapping[int, int] | None) -> Given:
    """Return `given` with some labels set.

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
    return Forced(given, coding, set_to)
