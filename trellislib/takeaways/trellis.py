"""What a trellis captures and is worth, in one sentence."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
import pandas as pd

from trellislib.metrics import Measure
from trellislib.takeaways.words import number_of


def about_trellis(
    captured: float, bound: float, random: np.ndarray, n_edges: int, unit: str = "nats", worth: str = ""
) -> str:
    """Say how much of the possible dependence a placement captures, how random placements fare, and what it is worth.

    What it is worth is a clause, as by `about_worth`.
    """
    if n_edges == 0:
        return "This lattice has no edges, so it captures nothing: no label has a parent in this width and pattern."
    if bound <= 0:
        nothing = f"There is no dependence to capture: the {number_of(n_edges, 'edge')} of this lattice weigh nothing"
        return f"{nothing}{f'; {worth}' if worth else ''}."
    beaten = int((random < captured * (1 - 1e-9)).sum())  # not by rounding alone
    most = f"more than {f'all {beaten}' if beaten == len(random) else f'{beaten} of {len(random)}'} random placements"
    return (
        f"This trellis captures {captured:.3g} {unit} on {number_of(n_edges, 'edge')}: "
        f"{captured / bound:.0%} of what any placement could at most have, "
        f"{most if beaten else 'no more than random placements'}{f'; {worth}' if worth else ''}."
    )


def about_worth(folds: Mapping[str, pd.DataFrame], measures: Sequence[Measure]) -> str:
    """Say, as a clause, what a trellis reaches in the first measure, and in which it beats IC in every fold.

    Parameters
    ----------
    folds : mapping of str to DataFrame
        The scores of CT, of IC, and perhaps of CC: a row for each of the same folds, a column per measure.
    measures : sequence of Measure
        What was scored; higher is better.
    """
    first = measures[0]
    mean = {method: scores[first.key].mean() for method, scores in folds.items()}
    chain = f", a chain {mean['CC']:.3f}" if "CC" in mean else ""
    reached = f"{first.in_words} is {mean['CT']:.3f} (independent classifiers {mean['IC']:.3f}{chain})"
    gains = folds["CT"] - folds["IC"]
    better, worse = (
        [measure.in_words for measure in measures if in_all_folds[measure.key]]
        for in_all_folds in ((gains > 0).all(), (gains < 0).all())
    )
    sides = [
        f"{side} independent" + f" in {' and '.join(found)}" * (len(found) < len(measures))
        for side, found in (("ahead of", better), ("behind", worse))
        if found
    ]
    if not sides:
        return f"{reached}, {'now ahead, now behind, by fold' if gains.to_numpy().any() else 'the same as independent'}"
    return f"{reached}, {' and '.join(sides)} in every fold"


def about_starts(climbed: np.ndarray, random: np.ndarray, unit: str = "nats") -> str:
    """Say how hill climbing fares over several first labels, against random placements."""
    better = int((climbed > np.median(random)).sum())
    return (
        f"Hill climbing from {len(climbed)} seeds captures {climbed.min():.3g} to {climbed.max():.3g} {unit} (best "
        f"with seed {climbed.argmax()}); {better} of them beat the median random placement, {np.median(random):.3g}."
    )
