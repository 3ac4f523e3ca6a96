"""What pairs of labels are to each other, in one sentence."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from trellislib.takeaways.words import number_of

LEVEL = 0.01  # of the G-test by which pairs are called dependent


def about_dependence(
    names: Sequence[str], information: np.ndarray, p: np.ndarray, signs: np.ndarray | None = None
) -> str:
    """Say which pair depends most, and how many pairs depend on each other beyond chance, in which sense."""
    n_labels = len(names)
    if n_labels == 1:
        return f"{names[0]} is the only label, so there is no dependence to see."
    first, second = np.triu_indices(n_labels, k=1)
    pairs = information[first, second]
    if not pairs.any():
        return f"No dependence found: the {n_labels} labels tell nothing about each other."
    top = int(pairs.argmax())
    strongest = (
        f"The strongest of {number_of(len(pairs), 'pair')}, {names[first[top]]} and {names[second[top]]}, "
        f"shares {pairs[top]:.2g} nats"
    )
    dependent = p[first, second] < LEVEL
    verb = "depends" if dependent.sum() == 1 else "depend"
    beyond = f"{number_of(int(dependent.sum()), 'pair')} {verb} on each other beyond chance (G-test at {LEVEL})"
    if signs is None:
        return f"{strongest}; {beyond}."
    phi = signs[first, second][dependent]
    return f"{strongest}; {beyond}: {(phi > 0).sum():,} co-occur, {(phi < 0).sum():,} exclude each other."


def about_pair(names: tuple[str, str], strength: float, sign: int, p_value: float) -> str:
    """Say what two labels are to each other."""
    one, other = names
    if p_value >= LEVEL:
        return f"{one} and {other} look independent: chance alone explains this table (p = {p_value:.2g})."
    if sign > 0:
        return f"{one} and {other} co-occur (phi = {strength:.2f})."
    if sign < 0:
        return f"{one} and {other} exclude each other (phi = {strength:.2f})."
    return f"{one} and {other} depend on each other (Cramer's V = {strength:.2f})."
