"""How pairs of labels depend on each other, in a sentence or two."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from trellislib.dependence import UNITS, BeyondFeatures, Overview, clusters_table
from trellislib.dependence.overview import LEVEL
from trellislib.wording import agreed, counted, listed, percent, three_digits

NAMED = 3  # labels of a cluster that are named
GROWN = 1.005  # times what it was: what more is than 100% when rounded


def about_dependence(names: Sequence[str], seen: Overview) -> str:
    """Return how many pairs are clearly dependent, in which sense, and which pair depends most.

    A pair is clearly dependent where a G-test rejects independence at a level that is divided by the number of pairs;
    see `trellislib.dependence.overview`.
    """
    if seen.n_labels == 1:
        return f"{names[0]} is the only label, so there is no dependence to see."
    if not seen.information[0]:
        return f"No dependence found: the {seen.n_labels:,} labels share no information."
    of_all = f"{f'{seen.n_dependent:,}' if seen.n_dependent else 'None'} of {counted(seen.n_pairs, 'label pair')}"
    text = f"{of_all} {agreed(seen.n_dependent, 'is', 'are')}"
    strongest = f"{names[seen.first[0]]} and {names[seen.second[0]]} ({three_digits(seen.information[0])} nats)"
    senses = ""
    if seen.n_dependent and seen.co_occurrence is not None and seen.exclusion is not None:
        senses = f": {seen.co_occurrence.n_pairs:,} co-occur, {seen.exclusion.n_pairs:,} exclude each other"
    return f"{text} clearly dependent{senses}. The strongest pair is {strongest}."


def about_extremes(names: Sequence[str], seen: Overview, unit: str = "nats") -> str:
    """Return which two labels exclude each other most and which co-occur most; or, of more values, which depend most.

    Nothing is named where no pair depends beyond chance, as `about_dependence` counts, and of two senses only pairs
    that do; the stronger statement comes first.
    """
    if not seen.n_dependent:
        return "No two labels are clearly dependent."
    if seen.co_occurrence is None or seen.exclusion is None:
        shared = seen.information[0] / UNITS[unit]
        pair = f"{names[seen.first[0]]} and {names[seen.second[0]]}"
        return f"{pair} depend on each other most ({three_digits(shared)} {unit})."
    senses = ((seen.exclusion, "exclude each other most"), (seen.co_occurrence, "co-occur most"))
    found = sorted(((sense, verb) for sense, verb in senses if sense.pair), key=lambda of: -of[0].information)
    return " ".join(
        f"{names[sense.pair[0]]} and {names[sense.pair[1]]} {verb} "
        f"({three_digits(sense.information / UNITS[unit])} {unit})."
        for sense, verb in found
        if sense.pair
    )


def about_strongest(names: Sequence[str], strongest: tuple[int, int, float], kind: str, unit: str = "nats") -> str:
    """Return which pair is the strongest in a sense that is not the marginal one.

    Parameters
    ----------
    names : sequence of str
        Names of the labels.
    strongest : (int, int, float)
        That pair and how strong it is, in nats or as it is.
    kind : {"residual", "co-occurrence"}
        Whether it is what remains beyond the features, or co-occurrence.
    unit : {"nats", "bits"}
        Unit of what remains.
    """
    one, other, strength = names[strongest[0]], names[strongest[1]], strongest[2]
    if strength <= 0:
        return f"The {len(names):,} labels are independent in this sense."
    of_pairs = f"of {counted(len(names) * (len(names) - 1) // 2, 'pair')}"
    if kind == "co-occurrence":
        grows = "This measure also grows with the frequency of both labels."
        return f"The co-occurrence of {one} and {other} is the largest {of_pairs} ({three_digits(strength)}). {grows}"
    measured = f"{three_digits(strength / UNITS[unit])} {unit}, taken as jointly normal"
    return f"{one} and {other} are the most dependent {of_pairs} beyond the features ({measured})."


def remaining_share(beyond: BeyondFeatures) -> str:
    """Return in a word or two how much of a pair's dependence remains when the features are known."""
    if beyond.p_value >= LEVEL:
        return "none found"
    share = beyond.information / max(beyond.ignoring, 1e-12)
    return f"{share:.0%}" if share <= 10 else "over 10 times"


def about_shown(names: Sequence[str], strongest: tuple[int, int, float] | None, what: str, unit: str = "nats") -> str:
    """Return which pair depends most of those that a part of the map shows.

    Parameters
    ----------
    names : sequence of str
        Names of the labels.
    strongest : (int, int, float) or None
        That pair and how much, in nats, as by `trellislib.dependence.strongest_between`.
    what : str
        What is shown, as in "of cluster 2".
    unit : {"nats", "bits"} or str
        Its unit; of what is no information, its name.
    """
    if strongest is None:
        return f"There is no pair {what}."
    one, other, shared = strongest
    if shared <= 0:
        return f"No two labels {what} depend on each other."
    much = f"{three_digits(shared / UNITS.get(unit, 1.0))} {unit}"
    return f"The strongest pair {what} is {names[one]} and {names[other]} ({much})."


def about_clusters(
    names: Sequence[str], clusters: Sequence[np.ndarray], dependence: np.ndarray, unit: str = "nats"
) -> str:
    """Return how many clusters labels fall into, and which shares most within.

    Parameters
    ----------
    names : sequence of str
        Names of the labels.
    clusters : sequence of ndarray
        The labels of each, as by `trellislib.dependence.LabelTree.cut`.
    dependence : ndarray of shape (n_labels, n_labels)
        In nats, or of what is no information as it is; best what the clusters were found from.
    unit : {"nats", "bits", "share of entropy"} or str
        Its unit; of what is no information, its name.
    """
    alone = sum(len(labels) == 1 for labels in clusters)
    fall = f"The {len(names):,} labels fall into {counted(len(clusters), 'cluster')}"
    if alone == len(clusters):
        return f"{fall} of one label each."
    single = f", {alone:,} of them with a single label" if alone else ""
    means = clusters_table(clusters, dependence, names)["mean dependence"] / UNITS.get(unit, 1.0)
    members = listed([names[label] for label in clusters[means.index[0] - 1]], most=NAMED)
    if unit == "share of entropy":
        return f"{fall}{single}. The closest is {members} ({percent(means.iloc[0])} of the entropy shared on average)."
    return f"{fall}{single}. The closest is {members} ({three_digits(means.iloc[0])} {unit} on average)."


def about_pair(names: tuple[str, str], strength: float, sign: int, p_value: float) -> str:
    """Return how two labels depend on each other."""
    one, other = names
    if p_value >= LEVEL:
        return f"{one} and {other} are not significantly dependent (p = {p_value:.2g})."
    if sign > 0:
        return f"{one} and {other} co-occur (phi = {strength:.2f})."
    if sign < 0:
        return f"{one} and {other} exclude each other (phi = {strength:.2f})."
    return f"{one} and {other} depend on each other (Cramer's V = {strength:.2f})."


def about_residual(beyond: BeyondFeatures, p_value: float, unit: str = "nats") -> str:
    """Return whether the dependence of two labels remains when the features are known.

    Parameters
    ----------
    beyond : BeyondFeatures
        From `trellislib.dependence.ResidualGram.pair`.
    p_value : float
        Of the G-test of their marginal dependence.
    unit : {"nats", "bits"}
        Unit of the sentence.
    """
    left, whole = (
        f"{three_digits(information / UNITS[unit])}" for information in (beyond.information, beyond.ignoring)
    )
    was = f"{left} {unit} instead of {whole}, taken as jointly normal"
    known = "when the features are known"
    if beyond.p_value >= LEVEL:
        if p_value >= LEVEL:
            return f"They are not significantly dependent {known} either."
        return f"No significant dependence remains {known} (p = {beyond.p_value:.2g}, {was})."
    if p_value >= LEVEL:
        return f"They are dependent {known} ({was})."
    if beyond.information > GROWN * beyond.ignoring:
        return f"Their dependence grows {known} ({was})."
    return f"{beyond.information / beyond.ignoring:.0%} of the dependence remains {known}."
