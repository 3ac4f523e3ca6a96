"""Sentences about the people that methods find in the room, and about the optimum."""

from __future__ import annotations

import pandas as pd

from trellislib.room.posterior import OPTIMUM
from trellislib.wording import counted, listed, thousandths

NOBODY = "Nobody"  # the row of scores of calling each tile empty
MANY_FALSE = 10  # empty tiles that CDT marks and IC does not, from which its samples are called stuck
ENOUGH = 25
"""Effective size from which a sample of scenes is near the posterior: probabilities are then within about 0.1."""


def about_room_estimates(
    scores: pd.DataFrame,
    n_people: int,
    n_hidden: int = 0,
    n_partial: int = 0,
    *,
    effective_size: float | None = None,
    is_foreseen: bool = True,
) -> str:
    """Return whom each method finds in one scene, which is best by accuracy, and the scores of reporting nobody.

    Parameters
    ----------
    scores : DataFrame
        A row for each method, one of them "Optimum" and one `NOBODY`, which calls each tile empty, and columns
        ``accuracy``, ``hamming_score``, ``n_found`` (people), ``n_guessed`` (those of them who are on hatched tiles
        alone) and ``n_false`` (empty tiles called occupied).
    n_people : int
        How many people there are.
    n_hidden, n_partial : int, default=0
        Of how many of them no sensor watches a tile, and of how many it watches some tiles, but not all.
    effective_size, is_foreseen
        As of `about_room_posterior`: why a method may surpass the optimum.

    Raises
    ------
    ValueError
        If `scores` lacks the optimum or `NOBODY`, or has no other row.

    Examples
    --------
    >>> scores = pd.DataFrame(
    ...     {
    ...         "accuracy": [0.0, 0.25, 0.5, 0.0],
    ...         "hamming_score": [0.98, 0.95, 0.99, 0.98],
    ...         "n_found": [0, 1, 1, 0],
    ...         "n_guessed": [0, 0, 0, 0],
    ...         "n_false": [0, 12, 1, 0],
    ...     },
    ...     index=["IC", "MAP", "Optimum", "Nobody"],
    ... )
    >>> print(about_room_estimates(scores, n_people=2, n_hidden=1))
    The room has 2 people: IC finds none; MAP and the optimum find 1. MAP has the best accuracy of all methods, 0.250,
    and marks 12 empty tiles. The optimum has 0.500. Predicting nobody has accuracy 0 and a Hamming score of 0.980. 1 of
    2 people is on hatched tiles.
    """
    methods = scores.drop([OPTIMUM, NOBODY], errors="ignore")
    if len(scores) - len(methods) != 2 or methods.empty:
        named_rows = listed([str(name) for name in scores.index])
        raise ValueError(f"Got scores of {named_rows}, but expected methods, {OPTIMUM} and {NOBODY}.")
    unforeseen = "does not expect such a scene"
    if not n_people:
        text = _of_an_empty_room(scores.drop(NOBODY))
        is_wrong = scores.at[OPTIMUM, "n_false"] > 0
        return f"{text} The optimum {unforeseen}." if is_wrong and not is_foreseen else text
    why = "is best on average only"
    if not is_foreseen:
        why = unforeseen
    elif effective_size is not None and effective_size < ENOUGH:
        why = "is a rough estimate here"
    optimum = scores.loc[OPTIMUM]
    highest = float(methods["accuracy"].max())
    text = _who_finds(pd.concat([methods, scores.loc[[OPTIMUM]].rename({OPTIMUM: "the optimum"})]), n_people)
    if highest > 0:
        text += f" {_best(methods, float(optimum['accuracy']), why)}"
    elif optimum["accuracy"] > 0:
        text += f" Only the optimum has an accuracy above 0, {thousandths(optimum['accuracy'])}."
    else:
        text += " All have accuracy 0."
    floor = scores.at[NOBODY, "hamming_score"]
    text += f" Predicting nobody has accuracy 0 and a Hamming score of {floor:.3f}."
    return text + _where(n_people, n_hidden, n_partial)


def _who_finds(scores: pd.DataFrame, n_people: int) -> str:
    """Return how many of the people each method finds, and whether it is only those where no sensor looks."""
    found, guessed = scores["n_found"].astype(int), scores["n_guessed"].astype(int)
    if not found.any():
        return f"No method finds {'the one person' if n_people == 1 else f'any of {n_people:,} people'}."
    if n_people == 1:
        missed = list(found.index[found == 0])
        but = f"; {listed(missed)} {'misses' if len(missed) == 1 else 'miss'} it" if missed else ""
        finders = list(found.index[found > 0])
        return _capital(f"{listed(finders)} {'finds' if len(finders) == 1 else 'find'} the one person{but}.")
    alike: dict[str, list[str]] = {}
    for name, n in found.items():
        where = " where no sensor looks" if n and n == guessed[name] else ""
        alike.setdefault(f"{n:,}{where}" if n else "none", []).append(str(name))
    parts = [f"{listed(names)} {'finds' if len(names) == 1 else 'find'} {n}" for n, names in alike.items()]
    return f"The room has {n_people:,} people: {'; '.join(parts)}."


def _best(methods: pd.DataFrame, optimum: float, why: str) -> str:
    """Return which methods are best by accuracy, how many empty tiles they mark, where it is as many, and the optimum.

    Why the optimum has a lower accuracy is given as a verb and what follows.
    """
    highest = float(methods["accuracy"].max())
    best = methods[methods["accuracy"] == highest]
    names = listed([str(name) for name in best.index])
    of_learned = " of all methods" if optimum > highest else ""
    text = f"{names} {'has' if len(best) == 1 else 'have'} the best accuracy{of_learned}, {thousandths(highest)}"
    if best["n_false"].nunique() == 1:
        n_false = int(best["n_false"].iloc[0])
        false = counted(n_false, "empty tile") if n_false else "no empty tile"
        text += f", and {'marks' if len(best) == 1 else 'mark'} {false}"
    if optimum == highest:
        return f"{text}. The optimum has the same accuracy."
    has = f"has {thousandths(optimum)}"
    if thousandths(optimum) == thousandths(highest):
        has = f"is less than 0.001 {'above' if optimum > highest else 'below'}"
    return f"{text}. The optimum {has}." if optimum > highest else f"{text}. The optimum {has}; it {why}."


def _where(n_people: int, n_hidden: int, n_partial: int) -> str:
    """Return a sentence on the people on hatched tiles, empty without them."""
    if not n_hidden and not n_partial:
        return ""
    if n_people == 1:
        return f" The one person is {'' if n_hidden else 'partly '}on hatched tiles."
    of = f"of {n_people:,} people {'is' if (n_hidden or n_partial) == 1 else 'are'}"
    if not n_hidden:
        return f" {n_partial:,} {of} partly on hatched tiles."
    return f" {n_hidden:,} {of} on hatched tiles{f', {n_partial:,} partly' if n_partial else ''}."


def _of_an_empty_room(scores: pd.DataFrame) -> str:
    n_false = scores["n_false"].astype(int).rename({OPTIMUM: "the optimum"})
    right = list(n_false.index[n_false == 0])
    wrong = [f"{name} marks {counted(n, 'tile')}" for name, n in n_false[n_false > 0].items()]
    so = f"{listed(right)} {'finds' if len(right) == 1 else 'find'} nobody" if right else ""
    said = [f" {_capital(text)}." for text in (so, listed(wrong)) if text]
    return f"Nobody is in the room.{''.join(said)}"


def _capital(text: str) -> str:
    return text[0].upper() + text[1:]


def about_room_gap(width: int, n_test: int, scores: pd.DataFrame) -> str:
    """Return the scores of the optimum, of methods that learn, and of Algorithm 3 (MAP), which knows the sensors.

    Parameters
    ----------
    width : int
        Tiles along each side of the room.
    n_test : int
        Rows that were scored.
    scores : DataFrame
        As of `trellislib.room.comparison.compare_room`.

    Examples
    --------
    >>> scores = pd.DataFrame(
    ...     {"accuracy": [0.25, 0.25, 0.125, 0.5], "hamming_score": [0.974, 0.974, 0.868, 0.9857]},
    ...     index=["IC", "CT", "MAP", "Optimum"],
    ... )
    >>> print(about_room_gap(20, 2_000, scores))
    For W = 20, on 2,000 rows, the accuracy of the optimum is 0.500, of IC 0.250, of CT 0.250 and of MAP 0.125. Their
    Hamming scores are 0.986, 0.974, 0.974 and 0.868. CT gains nothing over IC.
    """
    shown = scores.loc[[OPTIMUM, "IC", "CT", "MAP"]]
    has = [f"of {name} {value:.3f}" for name, value in shown["accuracy"].drop(OPTIMUM).items()]
    hamming = listed([f"{value:.3f}" for value in shown["hamming_score"]])
    gains = (scores.loc["CT", _BOTH] > scores.loc["IC", _BOTH]).any()
    return (
        f"For W = {width}, on {counted(n_test, 'row')}, the accuracy of the optimum is "
        f"{shown.at[OPTIMUM, 'accuracy']:.3f}, {listed(has)}. Their Hamming scores are {hamming}."
        + ("" if gains else " CT gains nothing over IC.")
    )


_BOTH = ["accuracy", "hamming_score"]


def about_published_room(published: pd.DataFrame, width: int = 20) -> str:
    """Return the published scores of a trellis and of Algorithm 3 (MAP).

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
    In the paper (W = 20), a trellis that learns from readings alone has accuracy 0.542 and Hamming score 0.969. MAP,
    which knows the sensors, has 0.523 and 0.857.
    """
    printed = published.set_index(["W", "method"])
    trellis, algorithm = printed.loc[(width, "CT")], printed.loc[(width, "MAP")]
    return (
        f"In the paper (W = {width}), a trellis that learns from readings alone has accuracy {trellis['accuracy']:.3f} "
        f"and Hamming score {trellis['hamming_score']:.3f}. MAP, which knows the sensors, has "
        f"{algorithm['accuracy']:.3f} and {algorithm['hamming_score']:.3f}."
    )


def about_room_posterior(n_scenes: int, effective_size: float | None = None, *, is_foreseen: bool = True) -> str:
    """Return how exact the optimum is, and whether it can be the best for the people in the room.

    Parameters
    ----------
    n_scenes : int
        How many scenes were weighed.
    effective_size : float, optional
        Where they are a sample, its effective size:
        `trellislib.room.posterior.Posterior.effective_sizes`.
    is_foreseen : bool, default=True
        Whether the people in the room are one of the scenes.

    Examples
    --------
    >>> print(about_room_posterior(359))
    The optimum weighs all 359 scenes.
    >>> print(about_room_posterior(29_828, 9.28, is_foreseen=False))
    The optimum is estimated from a sample of 29,828 scenes. Effective sample size 9: rough. The methods learn from
    other scenes than this one, so the optimum may not be the best here.
    """
    text = f"The optimum weighs all {counted(n_scenes, 'scene')}."
    if effective_size is not None:
        quality = "good" if effective_size >= ENOUGH else "rough"
        text = (
            f"The optimum is estimated from a sample of {counted(n_scenes, 'scene')}. "
            f"Effective sample size {int(effective_size):,}: {quality}."
        )
    if not is_foreseen:
        text += " The methods learn from other scenes than this one, so the optimum may not be the best here."
    return text


def about_stuck_samples(scores: pd.DataFrame) -> str:
    """Return that the samples of CDT have stayed where too many tiles are occupied; empty where they have not.

    Parameters
    ----------
    scores : DataFrame
        As of `about_room_estimates`.

    Examples
    --------
    >>> print(about_stuck_samples(pd.DataFrame({"n_false": [16, 56]}, index=["IC", "CDT"])))
    CDT marks 40 more empty tiles than IC. Its Gibbs samples stay in states with too many people. More sweeps T help a
    little.
    """
    more = int(scores["n_false"].get("CDT", 0) - scores["n_false"].get("IC", 0))
    if more < MANY_FALSE:
        return ""
    return (
        f"CDT marks {more:,} more empty tiles than IC. Its Gibbs samples stay in states with too many people. "
        "More sweeps T help a little."
    )


def about_room_difference(first: pd.DataFrame, second: pd.DataFrame, n_people: tuple[int, int], change: str) -> str:
    """Return in one sentence how much better or worse the methods of one setting do than those of another.

    Parameters
    ----------
    first, second : DataFrame
        Scores in each setting, as of `about_room_estimates`. The best method by accuracy counts, without the optimum.
    n_people : tuple of int
        How many people there are in each.
    change : str
        What the second setting has instead of what the first has; empty where they are the same.

    Examples
    --------
    >>> first = pd.DataFrame({"accuracy": [0.25, 0.125], "n_found": [1, 2]}, index=["IC", "MAP"])
    >>> second = pd.DataFrame({"accuracy": [0.5, 0.125], "n_found": [2, 2]}, index=["CT", "MAP"])
    >>> print(about_room_difference(first, second, (2, 2), "N 5,000 instead of 1,000"))
    N 5,000 instead of 1,000: best accuracy rises from 0.250 (IC) to 0.500 (CT), people found from 1 of 2 to 2 of 2.
    """
    if not change:
        return "A and B are the same setting: turn a knob to change B."
    shown, accuracies = [], []
    for scores, n in zip((first, second), n_people, strict=True):
        methods = scores.drop([OPTIMUM, NOBODY], errors="ignore")
        best = methods.loc[methods["accuracy"].idxmax()]
        accuracies.append(float(best["accuracy"]))
        shown.append((f"{thousandths(best['accuracy'])} ({best.name})", f"{int(best['n_found'])} of {n}"))
    (before, found_before), (after, found_after) = shown
    verb = "rises" if accuracies[1] > accuracies[0] else "falls"
    how = f"{verb} from {before} to {after}" if accuracies[0] != accuracies[1] else f"stays {after}"
    found = f"from {found_before} to {found_after}" if found_before != found_after else f"stay {found_after}"
    return f"{change}: best accuracy {how}, people found {found}."
