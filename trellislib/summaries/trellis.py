"""What a trellis captures and how it scores, in a few sentences."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence

import numpy as np
import pandas as pd

from trellislib.labels.graph import LabelGraph
from trellislib.metrics import Measure
from trellislib.ranking.paired import CLEAR, resampled_p
from trellislib.wording import ROUNDING, agreed, counted, listed, percent, three_digits

RIVALS = {"IC": "independent classifiers", "CC": "a chain"}


def about_trellis(captured: float, bound: float, random: np.ndarray, n_edges: int, unit: str = "nats") -> str:
    """Return how much of the upper bound a placement captures, next to random placements."""
    if n_edges == 0:
        return "This lattice has no edges, so it captures nothing: no label has a parent in this width and pattern."
    if bound <= 0:
        return f"This lattice captures nothing on {counted(n_edges, 'edge')}: its labels are independent."
    beaten = int((random < captured * (1 - ROUNDING)).sum())
    others = "the random placement" if len(random) == 1 else f"all {len(random):,} random placements"
    if beaten < len(random):
        others = f"{beaten:,} of {counted(len(random), 'random placement')}" if beaten else "random placements"
    against = f", {'more' if beaten else 'no more'} than {others}" if len(random) else ""
    return (
        f"This trellis captures {three_digits(captured)} {unit} on {counted(n_edges, 'edge')}: "
        f"{percent(captured / bound)} of the upper bound{against}."
    )


def about_trellis_score(folds: Mapping[str, pd.DataFrame], measure: Measure) -> str:
    """Return the score of a trellis, and how it compares with independent classifiers and a chain.

    It is ahead or behind where the corrected resampled t-test over the folds (`trellislib.ranking.paired`) rejects at
    5%; else the difference is not clear.

    Parameters
    ----------
    folds : mapping of str to DataFrame
        The scores of CT, of IC, and perhaps of CC: a row for each of the same folds, a column per measure.
    measure : Measure
        Which of them to compare; higher is better.
    """
    trellis = folds["CT"][measure.key]
    rivals = {name: folds[key][measure.key] for key, name in RIVALS.items() if key in folds}
    compared = " and ".join(_against(trellis, rival, name) for name, rival in rivals.items())
    return f"{_capital(measure)} is {trellis.mean():.3f}, {compared}."


def _against(trellis: pd.Series, rival: pd.Series, name: str) -> str:
    """Return how a trellis compares with a rival in the same folds."""
    if (trellis == rival).all():
        return f"the same as {name} in every fold"
    how = "not significantly different from"
    if resampled_p(trellis, rival) <= CLEAR:
        how = "ahead of" if trellis.mean() > rival.mean() else "behind"
    return f"{how} {name} ({rival.mean():.3f})"


def about_pinned(
    change: str,
    before: tuple[float, str],
    after: tuple[float, str],
    folds_before: Mapping[str, pd.DataFrame] | None,
    folds_after: Mapping[str, pd.DataFrame] | None,
    measures: Sequence[Measure],
) -> str:
    """Return what another setting of a trellis, B, captures and how it scores next to the pinned one, A.

    Parameters
    ----------
    change : str
        The knobs that differ, in words; empty for none.
    before, after : (float, str)
        The captured dependence of A and of B, and its unit.
    folds_before, folds_after : mapping of str to DataFrame, optional
        As for `about_trellis_score`, on the same folds.
    measures : sequence of Measure
        Which scores to compare.
    """
    if not change:
        return "A and B are the same setting: turn a knob to see what changes."
    with_change = f"With {change}, B captures {three_digits(after[0])} {after[1]}"
    sentences = [f"{with_change}, and A {three_digits(before[0])} {before[1]}."]
    if folds_before and folds_after:
        for measure in measures:
            first, second = folds_before["CT"][measure.key], folds_after["CT"][measure.key]
            name = f"{measure.in_words[0].upper()}{measure.in_words[1:]}"
            sentences.append(f"{name} of B is {second.mean():.3f}, {_against(second, first, 'A')}.")
    return " ".join(sentences)


def best_seeds(captured: np.ndarray) -> tuple[int, ...]:
    """Return the seeds, from 0 on, that capture most but for rounding."""
    return tuple(np.flatnonzero(captured >= captured.max() * (1 - ROUNDING)).tolist())


def about_starts(climbed: np.ndarray, random: np.ndarray, unit: str = "nats") -> str:
    """Return how hill climbing fares over several first labels, against random placements."""
    median = float(np.median(random))
    better = int((climbed > median * (1 + ROUNDING)).sum())
    least, most = three_digits(climbed.min()), three_digits(climbed.max())
    beat = f"{better or 'None'} of them {'beats' if better < 2 else 'beat'}"
    if len(climbed) == 1:
        beat = f"It {'beats' if better else 'does not beat'}"
    first, *others = best_seeds(climbed)
    as_good = f" and {counted(len(others), 'other')}" if others else ""
    captured = f"{most} {unit}" if least == most else f"{least} to {most} {unit} (most with seed {first}{as_good})"
    start = f"Algorithm 1 (hill climbing) from {counted(len(climbed), 'seed')} captures"
    return f"{start} {captured}. {beat} the median random placement ({three_digits(median)})."


def about_drawn(n_edges: int, most: int) -> str:
    """Return how many edges of a large lattice are drawn; nothing where all are."""
    return f"The {most:,} strongest of {n_edges:,} edges are drawn." if n_edges > most else ""


def about_blanket(names: Sequence[str], graph: LabelGraph, label: int) -> str:
    """Return what a label is predicted from in a directed trellis (CT) and in the same one undirected (CDT)."""
    parents, neighbours = graph.parents[label], graph.undirected().neighbours[label]
    blanket = graph.markov_blanket(label)
    of_parents = f"its {_counted(parents, 'parent', names)}" if parents else "the features alone"
    shield = f"has {_counted(blanket, 'label', names)}" if blanket else "is empty"
    of_neighbours = f"its {_counted(neighbours, 'neighbour', names)}" if neighbours else "the features alone"
    shielded = f", which {agreed(len(neighbours), 'is', 'are')} its Markov blanket" if neighbours else ""
    return (
        f"CT predicts {names[label]} from {of_parents}. Its Markov blanket {shield}. "
        f"CDT, which has no directions, predicts it from {of_neighbours}{shielded}."
    )


def _counted(labels: Collection[int], what: str, names: Sequence[str]) -> str:
    """Return how many labels there are, and which."""
    return f"{counted(len(labels), what)}, {listed([names[one] for one in sorted(labels)])}"


def about_swaps(n_swaps: int, captured: tuple[float, float], unit: str = "nats", score: str = "") -> str:
    """Return what swaps by hand have made of the captured dependence, from `captured` before to after.

    What they have made of a score is a sentence, as by `about_change`.
    """
    if n_swaps == 0:
        return ""
    before, after = captured
    change = f"from {three_digits(before)} to {three_digits(after)} {unit}"
    how = agreed(n_swaps, *(("raises", "raise") if after > before else ("lowers", "lower")))
    if np.isclose(before, after, rtol=ROUNDING, atol=0):
        change, how = f"at {three_digits(after)} {unit}", agreed(n_swaps, "leaves", "leave")
    elif three_digits(before) == three_digits(after):
        change = f"a little, still {three_digits(after)} {unit}"
    return f"{counted(n_swaps, 'swap')} by hand {how} the captured dependence {change}. {score}".rstrip()


def about_change(before: pd.Series, after: pd.Series, measure: Measure) -> str:
    """Return how a score over the same folds has changed."""
    higher, lower = int((after > before).sum()), int((after < before).sum())
    if not (higher or lower):
        return f"{_capital(measure)} is the same in every fold, {after.mean():.3f} on average."
    sides = [f"{word} in {n}" for word, n in (("higher", higher), ("lower", lower)) if n]
    often = " and ".join(sides) + f" of {len(after)} folds"
    if max(higher, lower) == len(after):
        often = f"{'higher' if higher else 'lower'} in every fold"
    return f"{_capital(measure)} changes from {before.mean():.3f} to {after.mean():.3f}, {often}."


def _capital(measure: Measure) -> str:
    """Return what a measure is called at the start of a sentence."""
    return measure.in_words[0].upper() + measure.in_words[1:]
