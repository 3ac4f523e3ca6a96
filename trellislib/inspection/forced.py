"""Labels set by hand: an intervention, with which every inference works as with any other conditionals."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from trellislib.inspection.replaced import Replaced
from trellislib.labels.coding import LabelCoding
from trellislib.learners import Given


@dataclass(frozen=True)
class Fixed(Given):
    """Labels that take a code for certain, whatever their inputs are (Pearl's do).

    Attributes
    ----------
    set_to : mapping of int to int
        The code of each of these labels.
    coding : LabelCoding
        The values of the labels.
    """

    set_to: Mapping[int, int]
    coding: LabelCoding

    def tiled(self, times: int) -> Given:
        """Return the same: what is certain is so of any number of instances."""
        return self

    def decide(self, labels: Sequence[int], Z: np.ndarray) -> np.ndarray:
        """Return the codes that are set."""
        return np.repeat([[self.set_to[label]] for label in labels], Z.shape[1], axis=1)

    def probabilities(self, labels: Sequence[int], Z: np.ndarray) -> np.ndarray:
        """Return 1 for the codes that are set, 0 for others."""
        return self.coding.indicators(self.decide(labels, Z), labels)


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
    return Replaced(given, Fixed(set_to, coding), set_to, coding)
