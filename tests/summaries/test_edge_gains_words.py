"""Sentences about what edges gain."""

import pandas as pd
import pytest
from sentences import has_line

from trellislib.summaries import about_edge_gains

EDGES = {"IC": 0, "few": 10, "many": 1_000, "CC": 2_000}
IC = [0.5, 0.6, 0.7, 0.8]


def sentences(few, many, cc, chosen="few", n_edges=EDGES):
    points = {"few": few, "many": many, "CC": cc}
    scores = {name: [score + gain / 100 for score, gain in zip(IC, of, strict=True)] for name, of in points.items()}
    scores = pd.DataFrame({"IC": IC, **scores})
    return about_edge_gains(scores, n_edges, chosen)


def test_clear_differences_have_their_direction_and_error():
    text = sentences([2, 3, 2, 3], [4, 5, 4, 5], [9, 9, 9, 9])
    for part in (
        "few parents",
        "2.50 ± 0.44 points above IC",
        "6.50 ± 0.44 points below CC",
        "(few, 10)",
        "(many, 1,000)",
    ):
        assert part in text
    has_line(text, "2.00 ± 0.00 points above", "fewest")
    has_line(sentences([6, 7, 6, 7], [4, 5, 4, 5], [9] * 4), "2.00 ± 0.00 points below", "fewest")


def test_differences_within_their_error_are_not_clear():
    # Of few and IC: a mean of 0.5, a deviation of 1 and so an error of sqrt(1/4 + 1/3) = 0.76.
    text = sentences([2, 0, 0, 0], [0, 1, 0, 1], [1, 1, 1, 1])
    has_line(text, "not significantly different", "IC", "(+0.50 ± 0.76 points)")
    has_line(text, "not significantly different", "CC", "(-0.50 ± 0.76 points)")
    has_line(text, "not significantly different", "fewest")
    assert "(+0.00 ± 1.08 points)" in text


@pytest.mark.parametrize(("last", "is_clear"), [(1.8, True), (1.9, True), (2.3, False), (4.0, False)])
def test_a_difference_is_clear_at_five_percent(last, is_clear):
    # The critical value of t for four folds is 3.18. 1, 1, 1 and 1.9: a mean of 1.225 with an error of
    # 0.45 sqrt(1/4 + 1/3) = 0.344, t = 3.56; 1, 1, 1 and 2.3: t = 2.67, which without the correction would be 4.08.
    assert ("above IC" in sentences([1, 1, 1, last], [0] * 4, [9] * 4)) == is_clear


def test_patterns_of_as_many_edges_are_not_compared():
    text = sentences([1, 2, 1, 2], [1, 2, 1, 2], [3, 3, 3, 3], "many", EDGES | {"many": 10})
    assert "1.50" in text
    assert "the most" not in text


def test_a_single_fold_has_differences_without_error():
    scores = pd.DataFrame({"IC": [0.5], "few": [0.52], "many": [0.51], "CC": [0.6]})
    text = about_edge_gains(scores, EDGES, "few")
    for part in ("from IC by +2.00 points on one fold", "from CC by -8.00 points", "by -1.00 points"):
        assert part in text
    assert "±" not in text


@pytest.mark.parametrize(("columns", "expected"), [(["IC", "few", "CC"], "few"), (["IC", "CC"], "none")])
def test_a_column_that_is_no_pattern_is_refused(columns, expected):
    scores = pd.DataFrame(0.5, index=range(3), columns=columns)
    for chosen in ("many", "IC"):
        with pytest.raises(ValueError, match=rf"Got chosen='{chosen}', .*expected .*pattern .*scores: {expected}"):
            about_edge_gains(scores, EDGES, chosen)
