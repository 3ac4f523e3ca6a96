"""What is said of a trellis that is taken apart."""

import numpy as np
import pandas as pd
import pytest

from trellislib.graphs import Trellis
from trellislib.labels.graph import LabelGraph
from trellislib.metrics import MEASURES
from trellislib.summaries import about_blanket, about_change, about_drawn, about_swaps, best_seeds

ACCURACY = MEASURES["accuracy"]


def test_what_a_label_is_predicted_from():
    placed = Trellis(range(9), 3, [(0, -1), (-1, 0)])

    assert about_blanket("abcdefghi", placed, 4) == (
        "In CT (classifier trellis), e is predicted from its 2 parents, b and d; its Markov blanket has 6 labels, "
        "b, c, d, f, g and h. In CDT (classifier dependency trellis), without directions, it is predicted from its "
        "4 neighbours, b, d, f and h, which are its Markov blanket."
    )
    assert "a is predicted from the features alone; " in about_blanket("abcdefghi", placed, 0)
    assert about_blanket("xy", LabelGraph([(), (0,)]), 1).endswith(
        "from its 1 neighbour, x, which is its whole Markov blanket."
    )
    alone = about_blanket("xy", LabelGraph.independent(2), 0)
    assert "its Markov blanket is empty. " in alone
    assert alone.endswith("it is predicted from the features alone.")


def test_the_best_seeds_are_equal_but_for_rounding():
    assert best_seeds(np.array([0.5, 0.3, 0.1 + 0.2 + 0.2, 0.7 - 0.2])) == (0, 2, 3)
    assert best_seeds(np.array([0.5, 0.6, 0.6 + 1e-15])) == (1, 2)
    assert best_seeds(np.zeros(2)) == (0, 1)


@pytest.mark.parametrize(
    ("after", "said"),
    [
        ([0.5, 0.6], "taken accuracy from 0.450 to 0.550, higher in every fold"),
        ([0.3, 0.4], "taken accuracy from 0.450 to 0.350, lower in every fold"),
        ([0.5, 0.4], "taken accuracy from 0.450 to 0.450, higher in 1 and lower in 1 of 2 folds"),
        ([0.4, 0.6], "taken accuracy from 0.450 to 0.500, higher in 1 of 2 folds"),
        ([0.4, 0.5], "kept accuracy as it was in every fold, 0.450 on average"),
    ],
)
def test_what_has_become_of_a_score(after, said):
    assert about_change(pd.Series([0.4, 0.5]), pd.Series(after), ACCURACY) == said


def test_what_swaps_have_done():
    assert about_swaps(0, (1.0, 1.0)) == ""
    assert about_swaps(1, (1.0, 1.25)) == "1 swap by hand has raised the captured dependence from 1 to 1.25 nats."
    assert about_swaps(2, (1.0, 0.5), "bits", "kept it") == (
        "2 swaps by hand have lowered the captured dependence from 1 to 0.5 bits and kept it."
    )
    assert about_swaps(1, (1.0, 1.0001)) == (
        "1 swap by hand has raised the captured dependence a little, still 1 nats."
    )
    assert about_swaps(1, (0.0, 0.0)) == "1 swap by hand has left the captured dependence at 0 nats."
    assert about_swaps(2, (1.0, 1.0 + 1e-15)) == "2 swaps by hand have left the captured dependence at 1 nats."


def test_how_much_is_drawn():
    assert about_drawn(1000, 1000) == ""
    assert about_drawn(1903, 1000) == "The 1,000 strongest of 1,903 edges are drawn."
