"""The sentence about the room: who is closest to the optimum, and who stands in the shadow."""

import pandas as pd
import pytest

from trellislib.takeaways import about_room_estimates


def scores(**values):
    return pd.DataFrame({"accuracy": pd.Series(values)})


@pytest.mark.parametrize(
    ("values", "people", "sentence"),
    [
        (
            {"IC": 0.5, "CT": 0.6, "Optimum": 0.7},
            (0, 0),
            "By accuracy, CT is closest to the optimum, 0.100 below its 0.700.",
        ),
        (
            {"IC": 0.6, "CT": 0.6, "Optimum": 0.6},
            (3, 0),
            "By accuracy, IC and CT are as good as the optimum, 0.600; some sensor watches each of 3 people.",
        ),
        (
            {"IC": 0.8, "Optimum": 0.6},
            (3, 2),
            "By accuracy, IC is 0.200 above the optimum's 0.600, which is best only on average; 2 of 3 people stand in "
            "the shadow.",
        ),
        (
            {"IC": 0.5999, "Optimum": 0.6},
            (1, 1),
            "By accuracy, IC is closest to the optimum, less than 0.001 below its 0.600; the one person stands in the "
            "shadow.",
        ),
        (
            {"IC": 0.5, "Optimum": 0.6},
            (1, 0),
            "By accuracy, IC is closest to the optimum, 0.100 below its 0.600; some sensor watches the one person.",
        ),
    ],
)
def test_sentences(values, people, sentence):
    assert about_room_estimates(scores(**values), "accuracy", *people) == sentence


def test_errors():
    with pytest.raises(ValueError, match="Got scores of IC and CT, but expected methods and Optimum"):
        about_room_estimates(scores(IC=0.5, CT=0.6), "accuracy")
