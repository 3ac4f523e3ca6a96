"""How close methods come to the best that can be made of the room's sensors, in one sentence."""

from __future__ import annotations

import pandas as pd

from trellislib.metrics import MEASURES
from trellislib.room_posterior import OPTIMUM
from trellislib.takeaways.words import listed, thousandths


def about_room_estimates(
    scores: pd.DataFrame, measure: str = "hamming_score", n_people: int = 0, n_hidden: int = 0
) -> str:
    """Say which method comes closest to the optimum, by how much it misses it, and who stands in the shadow.

    Parameters
    ----------
    scores : DataFrame
        A row for each method, one of them "Optimum", and a column for each score: as of
        `trellislib.room_comparison.compare_room`, or of one scene alone, where another may surpass the optimum by luck.
    measure : str, default="hamming_score"
        The score that counts.
    n_people, n_hidden : int, default=0
        Of one scene, how many people there are and how many of them no sensor can see.

    Raises
    ------
    ValueError
        If `scores` has no row of the optimum, or no other.

    Examples
    --------
    >>> scores = pd.DataFrame({"hamming_score": [0.95, 0.975, 0.99]}, index=["IC", "CT", "Optimum"])
    >>> print(about_room_estimates(scores, n_people=3, n_hidden=1))
    By Hamming score, CT is closest to the optimum, 0.015 below its 0.990; 1 of 3 people stands in the shadow.
    """
    if OPTIMUM not in scores.index or len(scores) == 1:
        named = listed([str(name) for name in scores.index])
        raise ValueError(f"Got scores of {named}, but expected methods and {OPTIMUM}.")
    optimum = float(scores.at[OPTIMUM, measure])
    others = scores[measure].drop(OPTIMUM)
    highest = float(others.max())
    closest = [str(name) for name in others.index[others == highest]]
    gap = optimum - highest
    are = "is" if len(closest) == 1 else "are"
    by = f"By {MEASURES[measure].in_words}, {listed(closest)} {are}"
    if gap == 0:
        said = f"{by} as good as the optimum, {optimum:.3f}"
    elif gap < 0:
        said = f"{by} {thousandths(-gap)} above the optimum's {optimum:.3f}, which is best only on average"
    else:
        said = f"{by} closest to the optimum, {thousandths(gap)} below its {optimum:.3f}"
    if not n_people:
        return f"{said}."
    people = "1 person" if n_people == 1 else f"{n_people:,} people"
    if not n_hidden:
        return f"{said}; some sensor watches {'the one person' if n_people == 1 else f'each of {people}'}."
    if n_people == 1:
        return f"{said}; the one person stands in the shadow."
    return f"{said}; {n_hidden:,} of {people} {'stands' if n_hidden == 1 else 'stand'} in the shadow."
