"""What a trellis captures and is worth, in one sentence."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
import pandas as pd

from trellislib.label_graph import LabelGraph
from trellislib.metrics import Measure
from trellislib.takeaways.words import ROUNDING, amount, listed, number_of, percent


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
    beaten = int((random < captured * (1 - ROUNDING)).sum())
    others = "the random placement" if len(random) == 1 else f"all {len(random):,} random placements"
    if beaten < len(random):
        others = f"{beaten:,} of {number_of(len(random), 'random placement')}" if beaten else "random placements"
    against = f", {'more' if beaten else 'no more'} than {others}" if len(random) else ""
    return (
        f"This trellis captures {amount(captured)} {unit} on {number_of(n_edges, 'edge')}: "
        f"{percent(captured / bound)} of what any placement could at most have{against}"
        f"{f'; {worth}' if worth else ''}."
    )


def about_worth(folds: Mapping[str, pd.DataFrame], measures: Sequence[Measure]) -> str:
    """Say, as a clause, what a trellis reaches in the first measure, in which it beats IC in every fold, and a chain.

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
        f"{side} independent" + f" in {listed(found)}" * (len(found) < len(measures))
        for side, found in (("ahead of", better), ("behind", worse))
        if found
    ]
    if not sides:
        is_ahead, is_behind = (gains > 0).any(axis=None), (gains < 0).any(axis=None)
        mixed = f"now ahead, now behind, by fold{' and measure' if len(measures) > 1 else ''}"
        if not (is_ahead and is_behind):
            mixed = "ahead in some folds" if is_ahead else "behind in some folds" if is_behind else ""
        reached += f", {mixed or 'the same as independent'}"
    else:
        reached += f", {' and '.join(sides)} in every fold"
    return reached + (against_chain(folds["CT"][first.key], folds["CC"][first.key], first) if "CC" in mean else "")


def against_chain(trellis: pd.Series, chain: pd.Series, measure: Measure) -> str:
    """Say, as the end of a clause, in how many of the same folds a trellis is ahead of a chain in one measure."""
    ahead, behind, n_folds = int((trellis > chain).sum()), int((trellis < chain).sum()), len(chain)
    if not (ahead or behind):
        return f", the same as a chain in {measure.in_words}"
    if ahead == behind:
        return f", ahead of a chain in {measure.in_words} in {ahead} and behind in {behind} of {n_folds} folds"
    side, times = ("ahead of", ahead) if ahead > behind else ("behind", behind)
    often = "every fold" if times == n_folds else f"{times} of {n_folds} folds"
    return f", {side} a chain in {measure.in_words} in {often}"


def about_starts(climbed: np.ndarray, random: np.ndarray, unit: str = "nats") -> str:
    """Say how hill climbing fares over several first labels, against random placements."""
    median = float(np.median(random))
    better = int((climbed > median * (1 + ROUNDING)).sum())
    least, most = amount(climbed.min()), amount(climbed.max())
    beat = f"{better if better else 'none'} of them {'beats' if better < 2 else 'beat'}"
    if len(climbed) == 1:
        beat = f"it {'beats' if better else 'does not beat'}"
    captured = most if least == most else f"{least} to {most}"
    best = f" (best with seed {climbed.argmax()})" if least != most else ""
    return (
        f"Hill climbing from {number_of(len(climbed), 'seed')} captures {captured} {unit}{best}; {beat} the median "
        f"random placement, {amount(median)}."
    )


def about_drawn(n_edges: int, most: int) -> str:
    """Say how many edges of a large lattice are drawn; nothing where all are."""
    return f"The {most:,} strongest of {n_edges:,} edges are drawn." if n_edges > most else ""


def about_blanket(name: str, graph: LabelGraph, label: int) -> str:
    """Say what a label is predicted from in a directed trellis (CT) and in the same one undirected (CDT)."""
    parents, blanket = graph.parents[label], graph.markov_blanket(label)
    neighbours = graph.undirected().neighbours[label]
    directed = f"from {number_of(len(parents), 'parent')}" if parents else "from the features alone"
    undirected = f"from its {number_of(len(neighbours), 'neighbour')}" if neighbours else "from the features alone"
    return (
        f"In CT, {name} is predicted {directed}; its Markov blanket has {number_of(len(blanket), 'label')}; in CDT it "
        f"is predicted {undirected}."
    )


def about_swaps(n_swaps: int, captured: tuple[float, float], unit: str = "nats", score: str = "") -> str:
    """Say what swaps by hand have made of the captured dependence, from `captured` before to after.

    What they have made of a score is a clause, as by `about_change`.
    """
    if n_swaps == 0:
        return ""
    before, after = captured
    change = f"from {amount(before)} to {amount(after)} {unit}"
    how = "raised" if after > before else "lowered"
    if np.isclose(before, after, rtol=ROUNDING, atol=0):
        change, how = f"at {amount(after)} {unit}", "left"
    elif amount(before) == amount(after):
        change, how = f"a little, still {amount(after)} {unit}", how
    verb = "has" if n_swaps == 1 else "have"
    said = f"{number_of(n_swaps, 'swap')} by hand {verb} {how} the captured dependence {change}"
    return f"{said}{f' and {score}' if score else ''}."


def about_change(before: pd.Series, after: pd.Series, measure: Measure) -> str:
    """Say, as the end of a clause, how a score over the same folds has changed."""
    higher, lower = int((after > before).sum()), int((after < before).sum())
    if not (higher or lower):
        return f"kept {measure.in_words} as it was in every fold, {after.mean():.3f} on average"
    sides = [f"{word} in {n}" for word, n in (("higher", higher), ("lower", lower)) if n]
    often = " and ".join(sides) + f" of {len(after)} folds"
    if max(higher, lower) == len(after):
        often = f"{'higher' if higher else 'lower'} in every fold"
    return f"taken {measure.in_words} from {before.mean():.3f} to {after.mean():.3f}, {often}"
