"""How close methods come to the best that can be made of the room's sensors, and how good that best is, in words."""

from __future__ import annotations

from math import isnan

import pandas as pd

from trellislib.metrics import MEASURES
from trellislib.room_posterior import OPTIMUM
from trellislib.takeaways.words import amount, listed, number_of, thousandths

ENOUGH = 25
"""A sample worth so many scenes of the posterior is near it: probabilities are then known to within about 0.1."""


def about_room_estimates(
    scores: pd.DataFrame, measure: str = "hamming_score", n_people: int = 0, n_hidden: int = 0
) -> str:
    """Say which method comes closest to the optimum, by how much it misses it, and who stands in the shadow.

    Parameters
    ----------
    scores : DataFrame
        A row for each method, one of them "Optimum", and a column for each score: as of
        `trellislib.room_comparison.compare_room`, or of one scene alone, where another may surpass the optimum by luck.
        There it may also have ``n_occupied``, how many tiles each method says are occupied.
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
    optimum = float(scores.at[OPTIMUM, measure])  # nan where it is not known
    others = scores[measure].drop(OPTIMUM)
    highest = float(others.max())
    closest = [str(name) for name in others.index[others == highest]]
    gap = optimum - highest
    are = "is" if len(closest) == 1 else "are"
    by = f"By {MEASURES[measure].in_words}, {listed(closest)} {are}"
    if isnan(optimum):
        said = f"{by} best, {highest:.3f}; the optimum is not known"
    elif gap == 0:
        said = f"{by} as good as the optimum, {optimum:.3f}"
    elif gap < 0:
        said = f"{by} {thousandths(-gap)} above the optimum's {optimum:.3f}, which is best only on average"
    else:
        said = f"{by} closest to the optimum, {thousandths(gap)} below its {optimum:.3f}"
    if not n_people:
        return f"{said}."
    if "n_occupied" in scores and not scores.loc[closest, "n_occupied"].any():
        said = f"{said}, and {'finds' if len(closest) == 1 else 'find'} nobody"
    people = "1 person" if n_people == 1 else f"{n_people:,} people"
    if not n_hidden:
        return f"{said}; some sensor watches {'the one person' if n_people == 1 else f'each of {people}'}."
    if n_people == 1:
        return f"{said}; the one person stands in the shadow."
    return f"{said}; {n_hidden:,} of {people} {'stands' if n_hidden == 1 else 'stand'} in the shadow."


def about_room_gap(width: int, n_test: int, scores: pd.DataFrame) -> str:
    """Say how far a trellis that learns, and Algorithm 3 that knows the sensors, are from the optimum on some rows.

    Parameters
    ----------
    width : int
        Tiles along each side of the room.
    n_test : int
        Rows that were scored.
    scores : DataFrame
        As of `trellislib.room_comparison.compare_room`.

    Examples
    --------
    >>> scores = pd.DataFrame({"hamming_score": [0.974, 0.868, 0.9857]}, index=["CT", "MAP", "Optimum"])
    >>> print(about_room_gap(20, 2_000, scores))
    On these 2,000 rows of W = 20 the optimum has a Hamming score of 0.986: CT is 0.012 below it, and MAP is 0.118 \
below it.
    """
    hamming = scores["hamming_score"]
    best = float(hamming[OPTIMUM])
    ct, algorithm = (_beside(float(hamming[name]) - best) for name in ("CT", "MAP"))
    return (
        f"On {'this 1 row' if n_test == 1 else f'these {n_test:,} rows'} of W = {width} the optimum has a Hamming "
        f"score of {best:.3f}: CT is {ct}, and MAP is {algorithm}."
    )


def _beside(difference: float) -> str:
    if difference == 0:
        return "as good"
    return f"{thousandths(abs(difference))} {'above' if difference > 0 else 'below'} it"


def about_published_room(published: pd.DataFrame, width: int = 20) -> str:
    """Say what the paper has of Algorithm 3 beside a trellis.

    Parameters
    ----------
    published : DataFrame
        ``trellislib.paper.published("map_room")``.
    width : int, default=20
        Tiles along each side of the room.

    Examples
    --------
    >>> from trellislib.paper import published
    >>> print(about_published_room(published("map_room")))
    In the paper a trellis, which knows no sensors, has a Hamming score of 0.969 at W = 20, and Algorithm 3, which \
knows them all, one of 0.857.
    """
    printed = published.set_index(["W", "method"])["hamming_score"]
    return (
        f"In the paper a trellis, which knows no sensors, has a Hamming score of {printed[width, 'CT']:.3f} at "
        f"W = {width}, and Algorithm 3, which knows them all, one of {printed[width, 'MAP']:.3f}."
    )


def about_room_posterior(n_scenes: int, effective_size: float | None = None, *, is_foreseen: bool = True) -> str:
    """Say how exact the optimum is, and whether it can be the best for what stands in the room.

    Parameters
    ----------
    n_scenes : int
        How many scenes were weighed.
    effective_size : float, optional
        Where they are a sample, how many drawn from the posterior itself would be as good:
        `trellislib.room_posterior.Posterior.effective_sizes`.
    is_foreseen : bool, default=True
        Whether what stands in the room is one of the scenes that there may be.

    Examples
    --------
    >>> about_room_posterior(359)
    'The optimum weighs all 359 scenes.'
    >>> about_room_posterior(200_000, 1.0)
    'The optimum weighs a sample of 200,000 scenes, worth 1 drawn from its posterior, so that it may be far from the \
best.'
    >>> about_room_posterior(29_828, 95.4, is_foreseen=False)
    'The optimum weighs a sample of 29,828 scenes, worth 95.4 drawn from its posterior, so that it is near the best. \
What stands here is none of the scenes to learn from: the optimum looks for those, and need not be the best.'
    """
    weighs = f"all {number_of(n_scenes, 'scene')}"
    if effective_size is not None:
        how_near = "is near" if effective_size >= ENOUGH else "may be far from"
        weighs = (
            f"a sample of {number_of(n_scenes, 'scene')}, worth {amount(effective_size)} drawn from its posterior, so "
            f"that it {how_near} the best"
        )
    outside = (
        " What stands here is none of the scenes to learn from: the optimum looks for those, and need not be the best."
    )
    return f"The optimum weighs {weighs}.{outside * (not is_foreseen)}"
