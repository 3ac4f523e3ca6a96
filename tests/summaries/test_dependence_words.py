import numpy as np
import pytest

from trellislib.dependence import BeyondFeatures, overview, pair_counts, whole_or_rows
from trellislib.summaries import (
    about_clusters,
    about_extremes,
    about_residual,
    about_shown,
    about_strongest,
    remaining_share,
)

NAMES = ("a", "b", "c", "d")


def extremes(Y, unit="nats"):
    counts = pair_counts(np.asarray(Y))
    return about_extremes(NAMES, overview(counts, whole_or_rows(counts)), unit)


def test_both_senses_the_stronger_first():
    """b is the opposite of a (ln 2 = 0.693 nats = 1 bit); c follows a but for one row of forty."""
    a = np.repeat([1, 0], 20)
    Y = np.column_stack([a, 1 - a, np.where(np.arange(40) == 0, 1 - a, a)])
    share = np.array([[19, 1], [0, 20]]) / 40
    with np.errstate(divide="ignore", invalid="ignore"):
        terms = share * np.log(share / np.outer(share.sum(axis=1), share.sum(axis=0)))
    followed = np.nansum(terms)

    assert extremes(Y) == f"a and b exclude each other most (0.69 nats); a and c co-occur most ({followed:.2g})."
    in_bits = followed / np.log(2)
    assert extremes(Y, "bits") == f"a and b exclude each other most (1 bits); a and c co-occur most ({in_bits:.2g})."


def test_one_sense_alone():
    a = np.repeat([1, 0], 20)

    assert extremes(np.column_stack([a, a])) == "a and b co-occur most (0.69 nats)."
    assert extremes(np.column_stack([a, 1 - a])) == "a and b exclude each other most (0.69 nats)."


def test_more_values_have_no_sense():
    a = np.repeat([0, 1, 2], 20)

    assert extremes(np.column_stack([a, a])) == "a and b depend on each other most (1.1 nats)."


def test_chance_alone():
    assert (
        extremes([[0, 0], [0, 1], [1, 0], [1, 1]]) == "No two labels are found to depend on each other beyond chance."
    )


@pytest.mark.parametrize(
    ("strongest", "unit", "said"),
    [
        ((2, 0, 0.1234), "nats", "The strongest pair shown is c and a (0.12 nats)."),
        ((0, 1, np.log(2)), "bits", "The strongest pair shown is a and b (1 bits)."),
        ((0, 1, 0.5), "co-occurrence", "The strongest pair shown is a and b (0.5 co-occurrence)."),
        ((0, 1, 0.0), "nats", "No two labels shown depend on each other."),
        (None, "nats", "There is no pair shown."),
    ],
)
def test_part_of_a_map(strongest, unit, said):
    assert about_shown(NAMES, strongest, "shown", unit) == said


WAS = "; taken as jointly normal)."


@pytest.mark.parametrize(
    ("beyond", "p", "said"),
    [
        ((0.1, 0.0, 0.4), 0.0, "25% of the dependence remains (0.1 nats, where it was 0.4" + WAS),
        ((0.4, 0.0, 0.4), 0.0, "100% of the dependence remains (0.4 nats, where it was 0.4" + WAS),
        ((0.07, 0.0, 0.026), 0.0, "their dependence grows (0.07 nats, where it was 0.026" + WAS),
        ((0.1, 0.0, 0.01), 0.5, "they do depend on each other (0.1 nats, where it was 0.01" + WAS),
        (
            (0.0, 0.9, 0.4),
            0.0,
            "no dependence beyond chance is found (p = 0.9, 0 nats, where it was 0.4" + WAS,
        ),
        ((0.0, 0.9, 0.0), 0.5, "they show no dependence either."),
    ],
)
def test_what_the_features_leave(beyond, p, said):
    assert about_residual(BeyondFeatures(*beyond), p) == f"When the features are known, {said}"


@pytest.mark.parametrize(
    ("beyond", "said"),
    [
        ((0.1, 0.0, 0.3), "33%"),
        ((0.07, 0.0, 0.026), "269%"),
        ((0.3, 0.0, 0.01), "over 10 times"),
        ((0.3, 0.0, 0.0), "over 10 times"),
        ((0.001, 0.4, 0.2), "none found"),
    ],
)
def test_the_share_that_remains(beyond, said):
    assert remaining_share(BeyondFeatures(*beyond)) == said


@pytest.mark.parametrize(
    ("strongest", "kind", "unit", "said"),
    [
        (
            (2, 0, np.log(2) / 2),
            "residual",
            "bits",
            "Beyond the features, c and a depend on each other most of 6 pairs (0.5 bits, taken as jointly normal).",
        ),
        (
            (0, 1, 0.95),
            "co-occurrence",
            "nats",
            "The co-occurrence of a and b is the largest of 6 pairs (0.95, a measure that grows with the frequency of "
            "both labels, too).",
        ),
        ((0, 1, 0.0), "residual", "nats", "In this sense the 4 labels have nothing to do with each other."),
    ],
)
def test_the_strongest_in_another_sense(strongest, kind, unit, said):
    assert about_strongest(NAMES, strongest, kind, unit) == said


def test_clusters_by_the_share_of_entropy():
    found = about_clusters(NAMES, [np.array([0, 2]), np.array([1, 3])], SHARED, "share of entropy")

    assert found.endswith("the closest is a and c (30% of the entropy shared on average).")


SHARED = np.array([[0.7, 0.1, 0.3, 0.0], [0.1, 0.7, 0.2, 0.0], [0.3, 0.2, 0.7, 0.0], [0.0, 0.0, 0.0, 0.7]])


@pytest.mark.parametrize(
    ("clusters", "said"),
    [
        (
            [[0, 1, 2], [3]],
            "2 clusters, 1 of them of a single label; the closest is a, b and c (0.2 nats on average).",
        ),
        ([[0, 2], [1, 3]], "2 clusters; the closest is a and c (0.3 nats on average)."),
        ([[0], [1], [2], [3]], "4 clusters: each label is one of its own."),
        ([[0, 1, 2, 3]], "1 cluster; the closest is a, b and 2 more (0.1 nats on average)."),
    ],
)
def test_clusters(clusters, said):
    found = about_clusters(NAMES, [np.array(labels) for labels in clusters], SHARED)
    assert found == f"The 4 labels fall into {said}"
