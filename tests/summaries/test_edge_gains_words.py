"""What is said of what edges are worth."""

import pandas as pd
import pytest

from trellislib.summaries import about_edge_gains

EDGES = {"IC": 0, "few": 10, "many": 1_000, "CC": 2_000}
IC = [0.5, 0.6, 0.7, 0.8]


def told(few, many, cc, chosen="few", n_edges=EDGES):
    points = {"few": few, "many": many, "CC": cc}
    scores = {name: [score + gain / 100 for score, gain in zip(IC, of, strict=True)] for name, of in points.items()}
    scores = pd.DataFrame({"IC": IC, **scores})
    return about_edge_gains(scores, n_edges, chosen)


def test_what_is_told_apart():
    assert told([2, 3, 2, 3], [4, 5, 4, 5], [9, 9, 9, 9]) == (
        "With few parents, CT is 2.50 ± 0.29 points above IC; it is 6.50 ± 0.29 points below CC. From the fewest "
        "edges, 10 (few), to the most, 1,000 (many), CT gains 2.00 ± 0.00 points."
    )
    assert "to the most, 1,000 (many), CT loses 2.00 ± 0.00 points." in told([6, 7, 6, 7], [4, 5, 4, 5], [9] * 4)


def test_what_these_folds_do_not_tell():
    # Of few and IC: a mean of 0.5 with an error of 0.5, which is t = 1; the critical value for four folds is 3.18.
    said = told([2, 0, 0, 0], [0, 1, 0, 1], [1, 1, 1, 1])
    assert "CT cannot be told from IC by these folds (+0.50 ± 0.50 points)" in said
    assert "it cannot be told from CC by these folds (-0.50 ± 0.50 points)" in said
    assert said.endswith("these folds tell no gain and no loss: +0.00 ± 0.71 points.")


@pytest.mark.parametrize(("last", "is_told"), [(1.9, True), (4.0, False)])
def test_the_line_is_at_five_percent(last, is_told):
    # 1, 1, 1 and 1.9: t = 5.4; 1, 1, 1 and 4: t = 2.3.
    assert ("cannot be told from IC" not in told([1, 1, 1, last], [0] * 4, [9] * 4)) == is_told


def test_patterns_of_as_many_edges_are_not_compared():
    said = told([1, 2, 1, 2], [1, 2, 1, 2], [3, 3, 3, 3], "many", EDGES | {"many": 10})
    assert said.endswith("points below CC.")
    assert said.startswith("With many parents, CT is 1.50")


def test_one_fold_tells_differences_alone():
    scores = pd.DataFrame({"IC": [0.5], "few": [0.52], "many": [0.51], "CC": [0.6]})
    assert about_edge_gains(scores, EDGES, "few") == (
        "With few parents, CT differs from IC by +2.00 points on one fold; it differs from CC by -8.00 points on one "
        "fold. From the fewest edges, 10 (few), to the most, 1,000 (many), CT changes by -1.00 points on one fold."
    )


@pytest.mark.parametrize(("columns", "expected"), [(["IC", "few", "CC"], "few"), (["IC", "CC"], "none")])
def test_what_is_no_pattern_is_refused(columns, expected):
    scores = pd.DataFrame(0.5, index=range(3), columns=columns)
    for chosen in ("many", "IC"):
        with pytest.raises(
            ValueError, match=f"Got chosen='{chosen}', but expected a pattern of the scores: {expected}"
        ):
            about_edge_gains(scores, EDGES, chosen)
