"""Sentences about the room: the best method, the people it finds, and people where no sensor looks."""

import re

import pandas as pd
import pytest
from sentences import has_line

from trellislib.summaries import (
    about_published_room,
    about_room_difference,
    about_room_estimates,
    about_room_gap,
    about_room_posterior,
    about_stuck_samples,
)

FLOOR = {"Nobody": (0.0, 0.98, 0, 0)}


def sentences(*arguments, **more):
    """Return a text without the figures of who reports nobody, which every text has."""
    text = about_room_estimates(*arguments, **more)
    before, found, after = text.partition(" has accuracy 0 and a Hamming score of 0.980.")
    assert found
    return before.rpartition(". ")[0] + "." + after


def has_in_order(text, *parts):
    """Return whether a text contains all parts, one after the other."""
    return re.search(".*".join(map(re.escape, parts)), text) is not None


def scores(**values):
    """Rows of accuracy, Hamming score, people found, empty tiles called occupied, and people found where none looks."""
    columns = ["accuracy", "hamming_score", "n_found", "n_false", "n_guessed"]
    rows = {name: (*row, 0)[:5] for name, row in (values | FLOOR).items()}
    return pd.DataFrame.from_dict(rows, orient="index", columns=columns)


@pytest.mark.parametrize(
    ("values", "n_people", "parts"),
    [
        (
            {"CT": (0.6, 0.99, 2, 1), "IC": (0.5, 0.99, 1, 0), "Optimum": (0.7, 0.99, 2, 0)},
            3,
            (
                "3 people: CT and the optimum find 2",
                "IC finds 1",
                "CT",
                "best",
                "0.600",
                "1 empty tile",
                "optimum",
                "0.700",
            ),
        ),
        (
            {"CT": (0.6, 0.99, 1, 0), "IC": (0.6, 0.99, 1, 0), "Optimum": (0.6, 0.99, 1, 0)},
            1,
            (
                "CT, IC and the optimum",
                "one person. CT and IC",
                "best",
                "0.600",
                "no empty tile",
                "optimum",
                "the same",
            ),
        ),
        (
            {"CT": (0.6, 0.99, 1, 0), "IC": (0.6, 0.99, 0, 3), "Optimum": (0.7, 0.99, 1, 0)},
            1,
            ("CT and the optimum", "one person; IC misses", "CT and IC", "best", "0.600. The optimum has 0.700"),
        ),
        (
            {"MAP": (0.2, 0.98, 0, 1), "IC": (0, 0.98, 0, 0), "CT": (0, 0.97, 0, 4), "Optimum": (0.25, 0.98, 0, 0)},
            2,
            ("No method", "2 people", "MAP", "best", "0.200", "1 empty tile", "0.250"),
        ),
        (
            {"IC": (0, 0.98, 0, 0), "CT": (0.5, 0.99, 1, 0, 1), "Optimum": (0.7, 0.99, 1, 0)},
            2,
            (
                "2 people: IC",
                "none",
                "CT",
                "1 where no sensor looks",
                "the optimum",
                "1",
                "CT",
                "best",
                "0.500",
                "0.700",
            ),
        ),
        (
            {"CT": (0.5, 0.99, 2, 0, 1), "Optimum": (0.7, 0.99, 1, 0)},
            2,
            ("CT finds 2", "the optimum finds 1", "CT", "0.500", "no empty tile", "0.700"),
        ),
        (
            {"CT": (0.0, 0.98, 0, 0), "MAP": (0.0, 0.6, 0, 5), "Optimum": (0.4, 0.99, 1, 0)},
            2,
            ("CT and MAP find none", "the optimum finds 1", "Only the optimum", "above 0, 0.400"),
        ),
        ({"MAP": (0.0, 0.6, 0, 5), "Optimum": (0.0, 0.98, 0, 0)}, 1, ("No method", "the one person", "accuracy 0")),
    ],
)
def test_the_best_method_and_the_people_it_finds_are_named(values, n_people, parts):
    assert has_in_order(sentences(scores(**values), n_people), *parts)


@pytest.mark.parametrize(
    ("more", "why"),
    [
        ({}, "is best on average only"),
        ({"effective_size": 25.0}, "is best on average only"),
        ({"effective_size": 24.0}, "is a rough estimate here"),
        ({"effective_size": 24.0, "is_foreseen": False}, "does not expect such a scene"),
    ],
)
def test_why_a_method_surpasses_the_optimum(more, why):
    found = scores(CT=(0.6, 0.99, 1, 0), Optimum=(0.5, 0.99, 1, 0))
    assert has_in_order(sentences(found, 1, **more), "optimum", "0.500", why)


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
def test_scores_that_round_to_the_same_differ_by_less_than_a_thousandth(best, optimum, first, second):
    text = sentences(scores(CT=(best, 0.9, 0, 9), Optimum=(optimum, 0.9, 0, 9)), 2)
    assert has_in_order(text, "No method", "CT", f"{first}, and", f"The optimum {second}")


@pytest.mark.parametrize(
    ("people", "where"),
    [
        ((1, 1, 0), ("The one person", "on hatched tiles")),
        ((1, 0, 1), ("The one person", "partly", "hatched tiles")),
        ((3, 1, 0), ("1 of 3 people is", "hatched tiles")),
        ((3, 0, 2), ("2 of 3 people are partly", "hatched tiles")),
        ((3, 2, 1), ("2 of 3 people are", "hatched tiles", "1 partly")),
    ],
)
def test_people_on_hatched_tiles_are_counted(people, where):
    found = scores(CT=(0.6, 0.99, 1, 0), Optimum=(0.7, 0.99, 1, 0))
    assert has_in_order(sentences(found, *people), *where)
    assert "hatched" not in sentences(found, 3)


@pytest.mark.parametrize(
    ("false", "foreseen", "parts"),
    [
        ((0, 0, 0), False, ("optimum, IC and MAP find nobody",)),
        ((0, 0, 9), False, ("optimum and IC find nobody", "MAP marks 9 tiles")),
        ((4, 0, 1), False, ("IC finds nobody", "optimum marks 4 tiles", "MAP marks 1 tile", "does not expect")),
        ((4, 2, 1), True, ("optimum marks 4 tiles", "IC marks 2 tiles", "MAP marks 1 tile")),
    ],
)
def test_false_tiles_in_an_empty_room_are_counted(false, foreseen, parts):
    rows = {name: (0.0, 0.9, 0, n) for name, n in zip(["Optimum", "IC", "MAP"], false, strict=True)}
    assert has_in_order(about_room_estimates(scores(**rows), 0, is_foreseen=foreseen), "Nobody is in the room", *parts)


def compared(ct):
    values = {"IC": (0.25, 0.9), "CT": ct, "MAP": (0.125, 0.8), "Optimum": (0.5, 0.95)}
    return pd.DataFrame.from_dict(values, orient="index", columns=["accuracy", "hamming_score"])


def test_both_scores_of_a_comparison():
    text = about_room_gap(100, 1_500, compared((0.375, 0.9)))
    accuracies = "optimum", "0.500", "IC 0.250", "CT 0.375", "MAP 0.125"
    assert has_in_order(text, "W = 100", "1,500 rows", *accuracies, "Hamming", "0.950, 0.900, 0.900 and 0.800")


@pytest.mark.parametrize(("ct", "gains"), [((0.25, 0.9), False), ((0.25, 0.91), True), ((0.2, 0.8), False)])
def test_whether_a_trellis_gains_anything(ct, gains):
    text = about_room_gap(20, 1, compared(ct))
    assert has_in_order(text, "W = 20", "1 row,")
    assert ("CT gains nothing" in text) is not gains


def test_published_scores():
    published = pd.DataFrame(
        {"W": [20, 20], "method": ["CT", "MAP"], "hamming_score": [0.9, 0.5], "accuracy": [0.75, 0.25]}
    )
    assert has_in_order(about_published_room(published), "accuracy 0.750", "Hamming", "0.900", "MAP", "0.250", "0.500")


def test_how_exact_the_optimum_is():
    assert "all 1 scene." in about_room_posterior(1)
    sampled = about_room_posterior(2_000, 71.26)
    assert has_in_order(sampled, "estimate", "a sample of 2,000 scenes", "71", "good")
    unforeseen = about_room_posterior(2_000, 71.26, is_foreseen=False)
    assert unforeseen.startswith(sampled)
    has_line(unforeseen, "optimum may not", "best")
    has_line(about_room_posterior(1, is_foreseen=False), "optimum may not", "best")


@pytest.mark.parametrize(("size", "verdict"), [(1, "rough"), (24.9, "rough"), (25, "good")])
def test_a_sample_of_small_effective_size_need_not_be_near_the_best(size, verdict):
    has_line(about_room_posterior(2_000, size), str(int(size)), verdict)


@pytest.mark.parametrize(
    ("before", "after", "parts"),
    [
        ((0.25, 1), (0.5, 2), ("rises", "0.250 (CT)", "0.500 (CT)", "1 of 2", "2 of 2")),
        ((0.5, 2), (0.25, 2), ("falls", "0.500 (CT)", "0.250 (CT)", "stay 2 of 2")),
        ((0.5, 1), (0.5, 1), ("stays 0.500", "stay 1 of 2")),
    ],
)
def test_the_difference_of_two_settings_is_one_sentence(before, after, parts):
    first, second = (scores(CT=(accuracy, 0.9, n, 0), Optimum=(0.9, 0.9, 2, 0)) for accuracy, n in (before, after))
    text = about_room_difference(first, second, (2, 2), "N 5,000 instead of 1,000")
    assert has_in_order(text, "N 5,000 instead of 1,000", *parts)
    assert len(text.split()) <= 25
    assert has_in_order(about_room_difference(first, second, (2, 2), ""), "same setting")


@pytest.mark.parametrize("rows", [["IC", "CT"], ["IC", "Optimum"], ["Optimum", "Nobody"]])
def test_scores_without_methods_optimum_or_nobody_are_refused(rows):
    found = scores(IC=(0.5, 0.9, 0, 0), CT=(0.5, 0.9, 0, 0), Optimum=(0.5, 0.9, 0, 0)).loc[rows]
    with pytest.raises(ValueError, match=rf"Got scores .*{rows[0]} .*{rows[1]}, .*expected methods, Optimum"):
        about_room_estimates(found, 1)


@pytest.mark.parametrize(("false", "parts"), [((16, 25), ()), ((16, 26), ("10 more", "IC")), ((5, 120), ("115 more",))])
def test_samples_that_stay_with_too_many_tiles_are_named(false, parts):
    text = about_stuck_samples(pd.DataFrame({"n_false": false}, index=["IC", "CDT"]))
    assert has_in_order(text, *parts)
    assert bool(text) is bool(parts)


def test_no_samples_are_named_where_cdt_is_not_trained():
    assert about_stuck_samples(scores(MAP=(0.2, 0.9, 0, 80))) == ""
