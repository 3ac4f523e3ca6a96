"""What the data say, in one sentence each: computed from what is on screen, in plain words."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
import pandas as pd

from trellislib.data.dataset import Dataset, Statistics
from trellislib.label_graph import LabelGraph
from trellislib.metrics import Measure

LEVEL = 0.01  # of the G-test by which pairs are called dependent


def about_data(data: Dataset, statistics: Statistics) -> str:
    """Say how large a data set is, how many labels an instance has, and how unequal the labels are."""
    size = (
        f"{data.name} has {_count(data.n_instances, 'instance')}, {_count(data.n_features, 'feature')} and "
        f"{_count(data.n_labels, 'label')}"
    )
    if data.n_labels == 1:
        return size + "; with a single label there is no dependence to see."
    frequent, rare = statistics.frequencies.idxmax(), statistics.imbalance.idxmax()
    mean = f"; an instance has {statistics.label_cardinality:.3g} of them on average"
    if not data.is_multilabel:
        mean = f"; on average {statistics.label_cardinality:.3g} of them differ from their first value"
    ratio = statistics.imbalance[rare]
    if np.isinf(ratio):
        return f"{size}{mean}, and {rare} is never relevant."
    if ratio == 1:
        return f"{size}{mean}, and all are equally frequent."
    return f"{size}{mean}, and {rare} is {ratio:.3g} times rarer than {frequent}."


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
        f"The strongest of {_count(len(pairs), 'pair')}, {names[first[top]]} and {names[second[top]]}, "
        f"shares {pairs[top]:.2g} nats"
    )
    dependent = p[first, second] < LEVEL
    verb = "depends" if dependent.sum() == 1 else "depend"
    beyond = f"{_count(int(dependent.sum()), 'pair')} {verb} on each other beyond chance (G-test at {LEVEL})"
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


def about_trellis(
    captured: float, bound: float, random: np.ndarray, n_edges: int, unit: str = "nats", worth: str = ""
) -> str:
    """Say how much of the possible dependence a placement captures, how random placements fare, and what it is worth.

    What it is worth is a clause, as by `about_worth`.
    """
    if n_edges == 0:
        return "This lattice has no edges, so it captures nothing: no label has a parent in this width and pattern."
    if bound <= 0:
        nothing = f"There is no dependence to capture: the {_count(n_edges, 'edge')} of this lattice weigh nothing"
        return f"{nothing}{f'; {worth}' if worth else ''}."
    beaten = int((random < captured * (1 - 1e-9)).sum())  # not by rounding alone
    most = f"more than {f'all {beaten}' if beaten == len(random) else f'{beaten} of {len(random)}'} random placements"
    return (
        f"This trellis captures {captured:.3g} {unit} on {_count(n_edges, 'edge')}: "
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


def about_graphs(
    names: tuple[str, str], graphs: tuple[LabelGraph, LabelGraph], labels: Sequence[str], information: np.ndarray
) -> str:
    """Say how many edges two structures have, how many of the pairs are in both, and which of these is strongest."""
    if graphs[0].n_labels < 2:
        return "With a single label there is nothing to depend on directly."
    pairs = [{frozenset(edge) for edge in graph.edges} for graph in graphs]
    if names[0] == names[1]:
        return f"{names[0]} finds {_count(len(pairs[0]), 'edge')} between {len(labels)} labels."
    both = pairs[0] & pairs[1]
    counted = f"{names[0]} has {_count(len(pairs[0]), 'edge')} and {names[1]} {len(pairs[1]):,}"
    if not both:
        return f"{counted}; they agree on no pair of labels."
    one, other = max((tuple(sorted(pair)) for pair in sorted(both, key=sorted)), key=lambda pair: information[pair])
    strongest = f"the strongest being {labels[one]} and {labels[other]}"
    turned = len(both) - len(set(graphs[0].edges) & set(graphs[1].edges))
    but = f" ({turned} of them in opposite directions)" if turned else ""
    if pairs[0] == pairs[1]:
        return f"{counted}: the same pairs of labels{but}, {strongest}."
    n_all = len(pairs[0] | pairs[1])
    return (
        f"{counted}; they agree on {len(both)} of {n_all} pairs that depend directly by either{but}, {strongest} of "
        "those in both."
    )


def about_starts(climbed: np.ndarray, random: np.ndarray, unit: str = "nats") -> str:
    """Say how hill climbing fares over several first labels, against random placements."""
    better = int((climbed > np.median(random)).sum())
    return (
        f"Hill climbing from {len(climbed)} seeds captures {climbed.min():.3g} to {climbed.max():.3g} {unit} (best "
        f"with seed {climbed.argmax()}); {better} of them beat the median random placement, {np.median(random):.3g}."
    )


def about_comparison(summary: pd.DataFrame, measure: Measure) -> str:
    """Say which method is best in one measure, by how much, and at what price.

    Where others are within its spread over the folds, they are named with the fastest of them all; otherwise its time
    is set against that of the fastest method.
    """
    finished = summary[summary[measure.key, "mean"].notna()]
    if finished.empty:
        return f"No method finished all folds, so there is no {measure.in_words} to compare."
    mean = finished[measure.key, "mean"]
    mean = mean.sort_values(ascending=not measure.higher_is_better, kind="stable")
    best = mean.index[0]
    if len(finished) == 1:
        return f"{best} reaches {mean[best]:.3f} in {measure.in_words}."
    gaps = (mean - mean[best]).abs()
    second = mean.index[1]
    if gaps[second] == 0:
        return f"{best} and {second} are equally good in {measure.in_words}: {mean[best]:.3f}."
    seconds = finished["train_seconds", "mean"] + finished["test_seconds", "mean"]
    times = finished["train_seconds", "std"].fillna(0.0) + finished["test_seconds", "std"].fillna(0.0)
    spread = float(np.nan_to_num(finished.loc[best, (measure.key, "std")]))
    close = [name for name in mean.index if gaps[name] < spread]
    among = close if len(close) > 1 else list(mean.index)
    fastest = seconds[among].idxmin()
    alike = seconds[best] - seconds[fastest] <= times[[best, fastest]].max()
    what = "the fastest of these" if len(close) > 1 else "the fastest"
    price = (
        f"{best} is also {what}"
        if fastest == best
        else f"it takes about the time of {fastest}, {what}"
        if alike
        else f"it takes {_times(seconds[best] / seconds[fastest])} the time of {fastest}, {what}"
    )
    reached = f"{best} is best in {measure.in_words} with {mean[best]:.3f}"
    if len(close) > 1:
        return f"{reached}, but {_named(close[1:])} within its spread over folds; {price}."
    ahead = f"{gaps[second]:.3f}" if gaps[second] >= 0.0005 else "less than 0.001"
    return f"{reached}, {ahead} ahead of {second}; {price}."


def _times(ratio: float) -> str:
    """Return a ratio of times to the two digits that it deserves."""
    digits = 1 - int(np.floor(np.log10(ratio)))
    rounded = round(ratio, digits)
    return f"{rounded:,.{max(digits, 0)}f} times"


def _named(methods: Sequence[str], most: int = 3) -> str:
    """Return names with their verb: A is; A and B are; A, B, C and 2 more are."""
    if len(methods) == 1:
        return f"{methods[0]} is"
    if len(methods) > most:
        return f"{', '.join(methods[:most])} and {len(methods) - most} more are"
    return f"{', '.join(methods[:-1])} and {methods[-1]} are"


def _count(number: int, what: str) -> str:
    return f"{number:,} {what}" + ("" if number == 1 else "s")
