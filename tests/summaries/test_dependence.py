"""Sentences on pairs of labels and their clusters."""

import numpy as np
import pytest
from sentences import holds

from trellislib.dependence import BeyondFeatures, overview, pair_counts, whole_or_rows
from trellislib.summaries import (
    about_clusters,
    about_dependence,
    about_extremes,
    about_pair,
    about_residual,
    about_shown,
    about_strongest,
    remaining_share,
)

NAMES = ("a", "b", "c", "d")
HALF = np.repeat([1, 0], 20)
THIRD = np.arange(60) % 3
EXCLUSIVE = np.column_stack([HALF, 1 - HALF, HALF])  # a and b exclude each other, a and c co-occur
EVERY = np.array(np.meshgrid([0, 1], [0, 1], [0, 1])).reshape(3, -1).T


def seen(Y):
    counts = pair_counts(np.asarray(Y))
    return overview(counts, whole_or_rows(counts))


def extremes(Y, unit="nats"):
    return about_extremes(NAMES, seen(Y), unit)


@pytest.mark.parametrize(
    ("Y", "parts"),
    [
        (EXCLUSIVE, ("3 of 3 label pairs are clearly dependent", "strongest", "a and b (0.693 nats)")),
        (EXCLUSIVE, ("1 co-occur", "2 exclude each other")),
        (EVERY, ("No dependence found", "3 labels")),
        (np.column_stack([np.zeros(8, dtype=int), np.ones(8, dtype=int)]), ("No dependence found", "2 labels")),
        (np.column_stack([EXCLUSIVE, np.zeros(40, dtype=int)]), ("3 of 6 label pairs",)),  # d is constant
        (EXCLUSIVE[:, :2], ("1 of 1 label pair is clearly dependent", "0 co-occur", "1 exclude each other")),
        ([[0, 0], [0, 1], [1, 0], [1, 1], [1, 1]], ("None of 1 label pair", "clearly dependent")),
        ([[0], [1]], ("a is the only label", "no dependence")),
        (np.column_stack([THIRD, THIRD, np.arange(60) % 2]), ("1 of 3 label pairs", "a and b (1.10 nats)")),
    ],
)
def test_dependence(Y, parts):
    holds(about_dependence("abcd"[: np.shape(Y)[1]], seen(Y)), *parts)


def test_labels_of_more_than_two_values_neither_co_occur_nor_exclude():
    assert "co-occur" not in about_dependence("ab", seen(np.column_stack([THIRD, THIRD])))


def test_independent_labels_are_not_beyond_chance_however_many_there_are():
    Y = (np.random.default_rng(0).random((500, 100)) < 0.3).astype(int)
    found = about_dependence([f"l{label}" for label in range(100)], seen(Y))
    holds(found, "None of 4,950 label pairs", "clearly dependent")


@pytest.mark.parametrize(
    ("strength", "sign", "p", "part"),
    [
        (0.512, 1, 1e-9, "a and b co-occur (phi = 0.51)"),
        (-0.3, -1, 0.0, "a and b exclude each other (phi = -0.30)"),
        (0.25, 0, 0.001, "a and b depend on each other (Cramer's V = 0.25)"),
        (0.05, 1, 0.3, "not significantly dependent (p = 0.3)"),
        (0.0, 0, 1.0, "not significantly dependent (p = 1)"),
        (0.05, 1, 0.01, "not significantly dependent (p = 0.01)"),
    ],
)
def test_pair(strength, sign, p, part):
    holds(about_pair(("a", "b"), strength, sign, p), part)


def test_both_senses_the_stronger_first():
    """b is the opposite of a (ln 2 = 0.693 nats = 1 bit); c follows a but for one row of forty."""
    Y = np.column_stack([HALF, 1 - HALF, np.where(np.arange(40) == 0, 1 - HALF, HALF)])
    share = np.array([[19, 1], [0, 20]]) / 40
    with np.errstate(divide="ignore", invalid="ignore"):
        terms = share * np.log(share / np.outer(share.sum(axis=1), share.sum(axis=0)))
    followed = np.nansum(terms)

    found = extremes(Y)
    holds(found, "a and b exclude each other most (0.693 nats)", f"a and c co-occur most ({followed:.3f} nats)")
    assert found.index("exclude") < found.index("co-occur")
    holds(extremes(Y, "bits"), "(1 bits)", f"({followed / np.log(2):.3f} bits)")


@pytest.mark.parametrize(
    ("Y", "part", "lacks"),
    [
        ([HALF, HALF], "a and b co-occur most (0.693 nats)", "exclude"),
        ([HALF, 1 - HALF], "a and b exclude each other most (0.693 nats)", "co-occur"),
        ([THIRD, THIRD], "a and b depend on each other most (1.10 nats)", "co-occur"),
        ([[0, 0, 1, 1], [0, 1, 0, 1]], "No two labels", "most"),
    ],
)
def test_one_sense_or_none(Y, part, lacks):
    found = extremes(np.column_stack(Y))
    holds(found, part)
    assert lacks not in found


@pytest.mark.parametrize(
    ("strongest", "unit", "part"),
    [
        ((2, 0, 0.1234), "nats", "strongest pair shown is c and a (0.123 nats)"),
        ((0, 1, np.log(2)), "bits", "strongest pair shown is a and b (1 bits)"),
        ((0, 1, 0.5), "co-occurrence", "strongest pair shown is a and b (0.500 co-occurrence)"),
        ((0, 1, 0.0), "nats", "No two labels shown"),
        (None, "nats", "no pair shown"),
    ],
)
def test_part_of_a_map(strongest, unit, part):
    holds(about_shown(NAMES, strongest, "shown", unit), part)


@pytest.mark.parametrize(
    ("beyond", "p", "parts"),
    [
        ((0.1, 0.0, 0.4), 0.0, ("25% of the dependence remains", "features")),
        ((0.4, 0.0, 0.4), 0.0, ("100% of the dependence remains",)),
        ((0.07, 0.0, 0.026), 0.0, ("dependence grows", "0.0700 nats", "instead of 0.0260")),
        ((0.1, 0.0, 0.01), 0.5, ("They are dependent", "0.100 nats", "instead of 0.0100")),
        ((0.0, 0.9, 0.4), 0.0, ("No significant dependence", "p = 0.9", "0 nats", "instead of 0.400")),
        ((0.0, 0.9, 0.0), 0.5, ("not significantly dependent",)),
    ],
)
def test_what_the_features_leave(beyond, p, parts):
    holds(about_residual(BeyondFeatures(*beyond), p), *parts)


@pytest.mark.parametrize(
    ("beyond", "share"),
    [
        ((0.1, 0.0, 0.3), "33%"),
        ((0.07, 0.0, 0.026), "269%"),
        ((0.3, 0.0, 0.01), "over 10 times"),
        ((0.3, 0.0, 0.0), "over 10 times"),
        ((0.001, 0.4, 0.2), "none found"),
    ],
)
def test_the_share_that_remains(beyond, share):
    assert remaining_share(BeyondFeatures(*beyond)) == share


@pytest.mark.parametrize(
    ("strongest", "kind", "unit", "parts"),
    [
        (
            (2, 0, np.log(2) / 2),
            "residual",
            "bits",
            ("beyond the features", "c and a are the most dependent", "of 6 pairs", "0.500 bits", "jointly normal"),
        ),
        (
            (0, 1, 0.95),
            "co-occurrence",
            "nats",
            ("co-occurrence of a and b", "largest of 6 pairs", "0.950"),
        ),
        ((0, 1, 0.0), "residual", "nats", ("4 labels are independent",)),
    ],
)
def test_the_strongest_in_another_sense(strongest, kind, unit, parts):
    holds(about_strongest(NAMES, strongest, kind, unit), *parts)


SHARED = np.array([[0.7, 0.1, 0.3, 0.0], [0.1, 0.7, 0.2, 0.0], [0.3, 0.2, 0.7, 0.0], [0.0, 0.0, 0.0, 0.7]])


@pytest.mark.parametrize(
    ("clusters", "unit", "parts"),
    [
        (
            [[0, 1, 2], [3]],
            "nats",
            ("2 clusters", "1 of them with a single label", "closest is a, b and c (0.200 nats"),
        ),
        ([[0, 2], [1, 3]], "nats", ("2 clusters", "closest is a and c (0.300 nats")),
        ([[0, 2], [1, 3]], "share of entropy", ("closest is a and c (30% of the entropy",)),
        ([[0], [1], [2], [3]], "nats", ("4 clusters", "4 clusters of one label each")),
        ([[0, 1, 2, 3]], "nats", ("1 cluster", "closest is a, b and 2 more (0.100 nats")),
    ],
)
def test_clusters(clusters, unit, parts):
    found = about_clusters(NAMES, [np.array(labels) for labels in clusters], SHARED, unit)
    holds(found, "4 labels", *parts)
