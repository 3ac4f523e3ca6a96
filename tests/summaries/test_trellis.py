"""Sentences on a trellis: what it captures, how it scores, and what its edges mean."""

import numpy as np
import pandas as pd
import pytest
from sentences import holds

from trellislib.graphs import Trellis
from trellislib.labels.graph import LabelGraph
from trellislib.metrics import MEASURES
from trellislib.summaries import (
    about_blanket,
    about_change,
    about_drawn,
    about_starts,
    about_swaps,
    about_trellis,
    about_trellis_score,
    best_seeds,
)

ACCURACY = MEASURES["accuracy"]
IC, CC = [0.5, 0.4], [0.3, 0.5]


@pytest.mark.parametrize(
    ("captured", "bound", "random", "n_edges", "parts"),
    [
        (3.0, 4.0, [1, 2, 3, 4], 20, ("3 nats on 20 edges", "75% of", "more than 2 of 4 random placements")),
        (3.0, 4.0, [1.0], 20, ("more than the random placement",)),
        (3.0, 4.0, [1.0, 2.0], 20, ("more than all 2 random placements",)),
        (0.5, 0.5, [0.5] * 200, 1, ("1 edge", "100% of", "no more than random placements")),
        (12345.0, 12346.0, [1.0], 1200, ("12,345 nats", "1,200 edges", "more than 99% of")),
        (0.0, 0.0, [0.0], 3, ("captures nothing", "3 edges")),
        (0.0, 0.0, [0.0], 1, ("captures nothing", "1 edge")),
        (0.0, 0.0, [0.0], 0, ("no edges", "no label has a parent")),  # not the labels' fault
    ],
)
def test_what_a_trellis_captures(captured, bound, random, n_edges, parts):
    holds(about_trellis(captured, bound, np.array(random), n_edges), *parts)


def test_without_random_placements_there_is_no_comparison():
    assert "random" not in about_trellis(3.0, 4.0, np.array([]), 20)


def test_captures_are_in_the_unit_of_the_placement_criterion():
    random, unit = np.array([1.0, 2.0]), "units of co-occurrence"
    holds(about_trellis(3.0, 4.0, random, 4, unit), f"3 {unit} on 4 edges")
    holds(about_starts(random, random, unit), f"1 to 2 {unit}")


@pytest.mark.parametrize(
    ("folds", "parts"),
    [
        (
            {"CT": [0.6, 0.5], "IC": IC, "CC": CC},
            (
                "Accuracy is 0.550",
                "ahead of independent classifiers (0.450)",
                "not significantly different from a chain (0.400)",
            ),
        ),
        (
            {"CT": [0.4, 0.3], "IC": IC, "CC": CC},
            ("Accuracy is 0.350", "behind independent classifiers (0.450)", "a chain (0.400)"),
        ),
        (
            {"CT": [0.2, 0.6], "IC": IC, "CC": CC},
            ("not significantly different from independent classifiers (0.450)", "(0.400)"),
        ),
        ({"CT": [0.4, 0.604], "IC": IC, "CC": CC}, ("ahead of a chain (0.400)",)),
        (  # gains of .1 and .4 have an error of .21 sqrt(1/2 + 1) = .26
            {"CT": [0.6, 0.8], "IC": IC},
            ("not significantly different from independent classifiers (0.450)",),
        ),
        ({"CT": CC, "IC": IC, "CC": CC}, ("the same as a chain in every fold",)),
        ({"CT": IC, "IC": IC}, ("Accuracy is 0.450", "the same as independent classifiers in every fold")),
    ],
)
def test_how_a_trellis_scores(folds, parts):
    frames = {method: pd.DataFrame({"accuracy": scores}) for method, scores in folds.items()}
    holds(about_trellis_score(frames, ACCURACY), *parts)


def test_the_score_of_labels_with_more_values():
    folds = pd.DataFrame({"hamming_score": [0.5, 0.7]})
    found = about_trellis_score({"CT": folds + 0.1, "IC": folds}, MEASURES["hamming_score"])
    holds(found, "Hamming score is 0.700", "ahead of independent classifiers (0.600)")


@pytest.mark.parametrize(
    ("climbed", "random", "parts"),
    [
        ([0.5, 0.2, 0.9], [0.1, 0.3, 0.4], ("3 seeds", "0.200 to 0.900 nats", "seed 2", "2 of them beat", "0.300")),
        ([0.9, 0.2, 0.9 + 1e-15], [0.1], ("seed 0 and 1 other",)),
        ([0.5], [0.5, 0.5], ("1 seed", "0.500 nats", "does not beat", "0.500")),
        ([0.1 + 0.2, 0.3], [0.3], ("2 seeds", "0.300 nats", "None of them beats")),
    ],
)
def test_climbing_from_several_seeds(climbed, random, parts):
    holds(about_starts(np.array(climbed), np.array(random)), *parts)


def test_the_best_seeds_are_equal_but_for_rounding():
    assert best_seeds(np.array([0.5, 0.3, 0.1 + 0.2 + 0.2, 0.7 - 0.2])) == (0, 2, 3)
    assert best_seeds(np.array([0.5, 0.6, 0.6 + 1e-15])) == (1, 2)
    assert best_seeds(np.zeros(2)) == (0, 1)


def test_what_a_label_is_predicted_from():
    placed = about_blanket("abcdefghi", Trellis(range(9), 3, [(0, -1), (-1, 0)]), 4)
    holds(
        placed, "2 parents, b and d", "Markov blanket has 6 labels, b, c, d, f, g and h", "4 neighbours, b, d, f and h"
    )
    assert placed.index("CT") < placed.index("2 parents") < placed.index("CDT") < placed.index("4 neighbours")
    first = about_blanket("abcdefghi", Trellis(range(9), 3, [(0, -1), (-1, 0)]), 0)
    holds(first, "CT predicts a from the features alone")
    holds(about_blanket("xy", LabelGraph([(), (0,)]), 1), "1 neighbour, x", "which is its Markov blanket")
    alone = about_blanket("xy", LabelGraph.independent(2), 0)
    holds(alone, "Markov blanket is empty")
    assert alone.count("from the features alone") == 2


@pytest.mark.parametrize(
    ("after", "parts"),
    [
        ([0.5, 0.6], ("from 0.450 to 0.550", "higher in every fold")),
        ([0.3, 0.4], ("from 0.450 to 0.350", "lower in every fold")),
        ([0.5, 0.4], ("from 0.450 to 0.450", "higher in 1 and lower in 1 of 2 folds")),
        ([0.4, 0.6], ("from 0.450 to 0.500", "higher in 1 of 2 folds")),
        ([0.4, 0.5], ("the same in every fold", "in every fold", "0.450")),
    ],
)
def test_how_a_score_has_changed(after, parts):
    holds(about_change(pd.Series([0.4, 0.5]), pd.Series(after), ACCURACY), "Accuracy", *parts)


@pytest.mark.parametrize(
    ("n_swaps", "after", "parts"),
    [
        (1, 1.25, ("1 swap", "raises", "from 1 to 1.25 bits")),
        (2, 0.5, ("2 swaps", "lower", "from 1 to 0.500 bits")),
        (1, 1.0001, ("1 swap", "raises", "a little", "1 bits")),
        (2, 1.0 + 1e-15, ("2 swaps", "leave", "at 1 bits")),
    ],
)
def test_what_swaps_have_changed(n_swaps, after, parts):
    holds(about_swaps(n_swaps, (1.0, after), "bits"), *parts)
    assert about_swaps(n_swaps, (1.0, after), "bits", "Accuracy is the same.").endswith(". Accuracy is the same.")


def test_swaps_of_nothing():
    assert about_swaps(0, (1.0, 1.0)) == ""
    holds(about_swaps(1, (0.0, 0.0)), "leaves", "at 0 nats")


def test_how_much_is_drawn():
    assert about_drawn(1000, 1000) == ""
    holds(about_drawn(1903, 1000), "1,000 strongest of 1,903 edges")
