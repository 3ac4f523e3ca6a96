"""The sentence about the room: who is best, whom it finds, and who stands where no sensor looks."""

import pandas as pd
import pytest

from trellislib.summaries import about_published_room, about_room_estimates, about_room_gap, about_room_posterior

FLOOR = {"Nobody": (0.0, 0.98, 0, 0)}
NOBODY_HAS = " To say nobody is there has accuracy 0, but a Hamming score of 0.980."


def scores(**values):
    """Rows of accuracy, Hamming score, people found, empty tiles called occupied, and people found where none looks."""
    columns = ["accuracy", "hamming_score", "n_found", "n_false", "n_guessed"]
    rows = {name: (*row, 0)[:5] for name, row in (values | FLOOR).items()}
    return pd.DataFrame.from_dict(rows, orient="index", columns=columns)


@pytest.mark.parametrize(
    ("values", "n_people", "sentence"),
    [
        (
            {"CT": (0.6, 0.99, 2, 1), "IC": (0.5, 0.99, 1, 0), "Optimum": (0.7, 0.99, 2, 0)},
            3,
            "CT is best by accuracy, 0.600: it finds 2 of 3 people, and calls 1 empty tile occupied. The optimum has "
            "0.700.",
        ),
        (
            {"CT": (0.6, 0.99, 1, 0), "IC": (0.6, 0.99, 1, 0), "Optimum": (0.6, 0.99, 1, 0)},
            1,
            "CT and IC are best by accuracy, 0.600: they find the one person, and call no empty tile occupied. The "
            "optimum has the same.",
        ),
        (
            {"CT": (0.6, 0.99, 1, 0), "IC": (0.6, 0.99, 0, 0), "Optimum": (0.7, 0.99, 1, 0)},
            1,
            "CT and IC are best by accuracy, 0.600. The optimum has 0.700.",
        ),
        (
            {"MAP": (0.2, 0.98, 0, 1), "IC": (0, 0.98, 0, 0), "CT": (0, 0.97, 0, 4), "Optimum": (0.25, 0.98, 0, 0)},
            2,
            "MAP is best by accuracy, 0.200: it finds nobody, and calls 1 empty tile occupied. The optimum has 0.250. "
            "IC and CT have accuracy 0: they find nobody.",
        ),
        (
            {"CT": (0.5, 0.99, 1, 0, 1), "IC": (0, 0.98, 0, 0), "Optimum": (0.7, 0.99, 1, 0)},
            2,
            "CT is best by accuracy, 0.500: it finds 1 of 2 people, where no sensor looks, and calls no empty tile "
            "occupied. The optimum has 0.700. IC has accuracy 0: it finds nobody.",
        ),
        (
            {"CT": (0.5, 0.99, 2, 0, 1), "Optimum": (0.7, 0.99, 1, 0)},
            2,
            "CT is best by accuracy, 0.500: it finds 2 of 2 people, and calls no empty tile occupied. The optimum has "
            "0.700.",
        ),
        (
            {"CT": (0.0, 0.98, 0, 0), "MAP": (0.0, 0.6, 0, 5), "Optimum": (0.4, 0.99, 1, 0)},
            2,
            "CT and MAP have accuracy 0. The optimum has 0.400: it finds 1 of 2 people.",
        ),
        ({"MAP": (0.0, 0.6, 0, 5), "Optimum": (0.0, 0.98, 0, 0)}, 1, "MAP and the optimum have accuracy 0."),
    ],
)
def test_who_is_best_and_whom_it_finds(values, n_people, sentence):
    assert about_room_estimates(scores(**values), n_people) == f"In this scene {sentence}{NOBODY_HAS}"


@pytest.mark.parametrize(
    ("more", "why"),
    [
        ({}, "is best on average only"),
        ({"effective_size": 25.0}, "is best on average only"),
        ({"effective_size": 24.0}, "weighs too few scenes here"),
        ({"effective_size": 24.0, "is_foreseen": False}, "does not expect such a scene"),
    ],
)
def test_why_a_method_surpasses_the_optimum(more, why):
    found = scores(CT=(0.6, 0.99, 1, 0), Optimum=(0.5, 0.99, 1, 0))
    told = about_room_estimates(found, 1, **more)
    assert f"occupied. The optimum has 0.500; it {why}. To say" in told


@pytest.mark.parametrize(
    ("best", "optimum", "first", "second"),
    [
        (0.2503, 0.2502, "0.250", "is less than 0.001 below; it is best on average only."),
        (0.2496, 0.2504, "0.250", "is less than 0.001 above."),
        (0.0003, 0.0004, "less than 0.001", "is less than 0.001 above."),
        (0.0003, 0.0, "less than 0.001", "has 0; it is best on average only."),
        (0.2494, 0.2496, "0.249", "has 0.250."),
    ],
)
def test_scores_that_round_to_the_same_are_not_told_apart_by_it(best, optimum, first, second):
    told = about_room_estimates(scores(CT=(best, 0.9, 0, 9), Optimum=(optimum, 0.9, 0, 9)), 2)
    assert told.startswith(f"In this scene CT is best by accuracy, {first}: it finds nobody")
    assert f" The optimum {second} To say" in told


@pytest.mark.parametrize(
    ("people", "where"),
    [
        ((3, 0, 0), ""),
        ((1, 1, 0), " The one person is on hatched tiles alone."),
        ((1, 0, 1), " The one person is on hatched tiles in part."),
        ((3, 1, 0), " Of 3 people 1 is on hatched tiles alone."),
        ((3, 0, 2), " Of 3 people 2 are in part on hatched tiles."),
        ((3, 2, 1), " Of 3 people 2 are on hatched tiles alone, and 1 in part."),
    ],
)
def test_who_stands_on_hatched_tiles(people, where):
    found = scores(CT=(0.6, 0.99, 1, 0), Optimum=(0.7, 0.99, 1, 0))
    assert about_room_estimates(found, *people).endswith(NOBODY_HAS + where)


@pytest.mark.parametrize(
    ("false", "foreseen", "sentence"),
    [
        ((0, 0, 0), False, "Nobody is in the room: the optimum, IC and MAP say so."),
        ((0, 0, 9), False, "Nobody is in the room: the optimum and IC say so, but MAP calls 9 tiles occupied."),
        (
            (4, 0, 1),
            False,
            "Nobody is in the room: IC says so, but the optimum calls 4 tiles occupied and MAP calls 1 tile occupied. "
            "The optimum does not expect such a scene.",
        ),
        (
            (4, 2, 1),
            True,
            "Nobody is in the room: the optimum calls 4 tiles occupied, IC calls 2 tiles occupied and MAP calls 1 tile "
            "occupied.",
        ),
    ],
)
def test_an_empty_room(false, foreseen, sentence):
    rows = {name: (0.0, 0.9, 0, n) for name, n in zip(["Optimum", "IC", "MAP"], false, strict=True)}
    assert about_room_estimates(scores(**rows), 0, is_foreseen=foreseen) == sentence


def compared(ct):
    values = {"IC": (0.25, 0.9), "CT": ct, "MAP": (0.125, 0.8), "Optimum": (0.5, 0.95)}
    return pd.DataFrame.from_dict(values, orient="index", columns=["accuracy", "hamming_score"])


def test_both_scores_of_a_comparison():
    assert about_room_gap(100, 1_500, compared((0.375, 0.9))) == (
        "On these 1,500 rows of W = 100 the optimum has accuracy 0.500, IC 0.250, CT 0.375 and MAP 0.125; their "
        "Hamming scores are 0.950, 0.900, 0.900 and 0.800."
    )


@pytest.mark.parametrize(("ct", "gains"), [((0.25, 0.9), False), ((0.25, 0.91), True), ((0.2, 0.8), False)])
def test_whether_a_trellis_gains_anything(ct, gains):
    told = about_room_gap(20, 1, compared(ct))
    assert told.startswith("On this 1 row of W = 20 ")
    assert ("CT gains nothing over IC." in told) is not gains


def test_published_scores():
    published = pd.DataFrame(
        {"W": [20, 20], "method": ["CT", "MAP"], "hamming_score": [0.9, 0.5], "accuracy": [0.75, 0.25]}
    )
    assert about_published_room(published).endswith(
        "has accuracy 0.750 and a Hamming score of 0.900, and MAP, which knows that, 0.250 and 0.500."
    )


def test_how_exact_the_optimum_is():
    assert about_room_posterior(1) == "The optimum weighs all 1 scene."
    sampled = about_room_posterior(2_000, 71.26)
    assert sampled == (
        "The optimum is an estimate: it weighs a sample of 2,000 scenes, here worth 71.3 drawn from its posterior, "
        "enough to be near the exact one."
    )
    outside = " What stands here is none of the scenes to learn from, so that {} need not be the best."
    unforeseen = about_room_posterior(2_000, 71.26, is_foreseen=False)
    assert unforeseen == sampled + outside.format("even the exact optimum")
    assert about_room_posterior(1, is_foreseen=False).endswith(" 1 scene." + outside.format("the optimum"))


@pytest.mark.parametrize(("size", "said"), [(1, "too few"), (24.9, "too few"), (25, "enough")])
def test_a_sample_worth_few_scenes_need_not_be_near_the_best(size, said):
    assert about_room_posterior(2_000, size).endswith(f"drawn from its posterior, {said} to be near the exact one.")


@pytest.mark.parametrize("rows", [["IC", "CT"], ["IC", "Optimum"], ["Optimum", "Nobody"]])
def test_scores_lack_a_row(rows):
    found = scores(IC=(0.5, 0.9, 0, 0), CT=(0.5, 0.9, 0, 0), Optimum=(0.5, 0.9, 0, 0)).loc[rows]
    with pytest.raises(ValueError, match=f"Got scores of {rows[0]} and {rows[1]}, but expected methods, Optimum and"):
        about_room_estimates(found, 1)
