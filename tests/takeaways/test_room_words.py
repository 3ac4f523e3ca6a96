"""The sentence about the room: who is closest to the optimum, and who stands in the shadow."""

import pandas as pd
import pytest

from trellislib.takeaways import about_published_room, about_room_estimates, about_room_gap, about_room_posterior


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


@pytest.mark.parametrize(
    ("occupied", "n_people", "ends"),
    [
        ({"IC": 0, "CT": 0, "Optimum": 4}, 1, "and find nobody; some sensor watches the one person."),
        ({"IC": 0, "CT": 1, "Optimum": 4}, 1, "below its 0.700; some sensor watches the one person."),
        ({"IC": 0, "CT": 0, "Optimum": 0}, 0, "below its 0.700."),
    ],
)
def test_who_is_close_by_finding_nobody(occupied, n_people, ends):
    found = scores(IC=0.6, CT=0.6, Optimum=0.7).assign(n_occupied=pd.Series(occupied))
    assert about_room_estimates(found, "accuracy", n_people).endswith(ends)


def test_gap_to_the_optimum():
    found = pd.DataFrame({"hamming_score": {"CT": 0.9, "MAP": 0.8, "Optimum": 0.95}})
    assert about_room_gap(100, 1_500, found) == (
        "On these 1,500 rows of W = 100 the optimum has a Hamming score of 0.950: CT is 0.050 below it, and MAP is "
        "0.150 below it."
    )


def test_on_few_rows_a_method_may_be_above_the_optimum_or_as_good():
    found = pd.DataFrame({"hamming_score": {"CT": 0.951, "MAP": 0.95, "Optimum": 0.95}})
    assert about_room_gap(20, 1, found) == (
        "On this 1 row of W = 20 the optimum has a Hamming score of 0.950: CT is 0.001 above it, and MAP is as good."
    )


def test_published_scores():
    published = pd.DataFrame({"W": [20, 20], "method": ["CT", "MAP"], "hamming_score": [0.9, 0.5]})
    assert "a Hamming score of 0.900 at W = 20, and Algorithm 3, which knows them all, one of 0.500." in (
        about_published_room(published)
    )


def test_how_exact_the_optimum_is():
    assert about_room_posterior(1) == "The optimum weighs all 1 scene."
    sampled = about_room_posterior(2_000, 71.26)
    assert sampled == (
        "The optimum weighs a sample of 2,000 scenes, worth 71.3 drawn from its posterior, so that it is near the best."
    )
    assert about_room_posterior(2_000, 71.26, is_foreseen=False).startswith(f"{sampled} What stands here is none of")


@pytest.mark.parametrize(("size", "said"), [(1, "may be far from"), (24.9, "may be far from"), (25, "is near")])
def test_a_sample_worth_few_scenes_need_not_be_near_the_best(size, said):
    assert about_room_posterior(2_000, size).endswith(f"drawn from its posterior, so that it {said} the best.")


def test_an_optimum_that_is_not_known():
    found = pd.DataFrame({"exact_match": {"IC": 0.25, "CT": 0.125, "Optimum": float("nan")}})
    assert about_room_estimates(found, "exact_match") == (
        "By exact match, IC is best, 0.250; the optimum is not known."
    )


def test_errors():
    with pytest.raises(ValueError, match="Got scores of IC and CT, but expected methods and Optimum"):
        about_room_estimates(scores(IC=0.5, CT=0.6), "accuracy")
