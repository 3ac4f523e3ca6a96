"""Sentences on what was found of known graphs."""

import pandas as pd
import pytest

from trellislib.graphs import LabelGraph
from trellislib.summaries import about_curve, about_given_parent, about_recovery

TRUTH = LabelGraph([(), (0,), (1,), (2,), ()])


@pytest.mark.parametrize(
    ("found", "said"),
    [
        ({"FS": TRUTH}, "FS finds all 3 true pairs, in their directions"),
        ({"FS": LabelGraph([(), (0,), (), (), ()])}, "FS finds 1 of the 3 true pairs, in its direction"),
        (
            {"FS": LabelGraph([(1,), (2,), (), (2,), (3,)])},
            "FS finds all 3 true pairs, 2 of them reversed, and 1 wrong",
        ),
        ({"FS": LabelGraph([(1,), (), (), (), ()])}, "FS finds 1 of the 3 true pairs, reversed"),
        ({"FS": LabelGraph.independent(5)}, "FS finds none of the 3 true pairs"),
        (
            {"FS": LabelGraph([(), (), (), (2,), (0,)]), "LEAD": TRUTH},
            "LEAD finds all 3 true pairs, in their directions; FS 1, and 1 wrong",
        ),
        ({"FS": LabelGraph([(), (), (), (), (0,)])}, "FS finds none of the 3 true pairs, but 1 wrong"),
        (
            {"FS": LabelGraph([(), (), (), (), (0, 1)]), "LEAD": TRUTH},
            "LEAD finds all 3 true pairs, in their directions; FS none, but 2 wrong",
        ),
    ],
)
def test_what_was_found(found, said):
    assert about_recovery(found, TRUTH, 1000) == f"From 1,000 instances, {said}."


def test_one_pair_and_none():
    one, none, turned = LabelGraph([(), (0,)]), LabelGraph([(), ()]), LabelGraph([(1,), ()])
    assert about_recovery({"FS": one}, one, 1) == "From 1 instance, FS finds the one true pair, in its direction."
    assert about_recovery({"FS": none}, one, 1) == "From 1 instance, FS misses the one true pair."
    assert about_recovery({"FS": none, "PC": turned, "LEAD": one}, one, 1) == (
        "From 1 instance, PC finds the one true pair, reversed; LEAD finds it; FS misses it."
    )
    said = about_recovery({"FS": one, "LEAD": none, "PC": none}, none, 50)
    assert said == (
        "From 50 instances, FS finds 1 edge, LEAD 0 and PC 0, and no label has a parent: there is nothing to find."
    )
    with pytest.raises(ValueError, match="Got no graph"):
        about_recovery({}, one, 1)


def test_the_one_pair_missed_and_another_found():
    truth, other = LabelGraph([(), (0,), ()]), LabelGraph([(), (), (0,)])
    assert about_recovery({"FS": other}, truth, 500) == (
        "From 500 instances, FS misses the one true pair and finds 1 wrong."
    )
    assert about_recovery({"FS": other, "LEAD": LabelGraph([(), (0,), (0,)])}, truth, 500) == (
        "From 500 instances, LEAD finds the one true pair, in its direction, and 1 wrong; FS misses it and finds 1 "
        "wrong."
    )


def curve(**f):
    """Return a curve over two sizes; `f` has the scores of each structure at both."""
    rows = [
        {"n_instances": size, "data set": number, "structure": name, "f": score + 0.1 * number, "shd": int(score * 10)}
        for name, scores in f.items()
        for size, score in zip((100, 2000), scores, strict=True)
        for number in (-1, 1)
    ]
    return pd.DataFrame(rows)


def test_a_curve_is_told_by_its_ends():
    assert about_curve(curve(FS=(0.3, 0.5), LEAD=(0.2, 0.8)), "f", "F") == (
        "With 100 instances, FS is best in F with 0.30 (LEAD 0.20); with 2,000 instances, LEAD is best in F with 0.80 "
        "(FS 0.50): means over 2 data sets. LEAD is ahead of FS only with 2,000 instances."
    )


def over_sizes(**f):
    """Return a curve over three sizes and three data sets; `f` has the scores of each structure at every one."""
    rows = [
        {"n_instances": size, "data set": number, "structure": name, "f": score}
        for name, of_sizes in f.items()
        for size, of_sets in zip((100, 500, 2000), of_sizes, strict=True)
        for number, score in enumerate(of_sets)
    ]
    return pd.DataFrame(rows)


APART = (0.1, 0.2, 0.3)


def test_where_another_structure_gets_ahead_is_told():
    fs = (APART, APART, APART)
    lead = ((0.0, 0.1, 0.2), (0.4, 0.1, 0.4), (0.5, 0.6, 0.7))  # at 500 by 0.3, -0.1 and 0.1: p = 0.5
    said = about_curve(over_sizes(FS=fs, LEAD=lead), "f", "F")
    assert said.endswith(" LEAD is ahead of FS from 500 instances on, clearly from 2,000 instances on.")
    hard = over_sizes(FS=fs, LEAD=(lead[0], lead[2], lead[2])).rename(columns={"n_instances": "difficulty"})
    hard["difficulty"] = hard["difficulty"].map({100: 0.0, 500: 0.5, 2000: 1.0})
    assert about_curve(hard, "f", "F").endswith(" LEAD is ahead of FS from difficulty 0.5 on.")
    at_the_end = about_curve(over_sizes(FS=fs, LEAD=(lead[0], lead[1], lead[1])), "f", "F")
    assert at_the_end.endswith(" LEAD is ahead of FS from 500 instances on, and at the end not clearly.")
    at_last = about_curve(over_sizes(FS=fs, LEAD=(lead[0], lead[0], lead[1])), "f", "F")
    assert at_last.endswith(" LEAD is ahead of FS only with 2,000 instances, and not clearly.")
    throughout = about_curve(over_sizes(FS=fs, LEAD=(lead[0],) * 3), "f", "F")
    assert throughout.endswith("means over 3 data sets.")


def test_what_chance_may_have_done_is_not_called_better():
    close, behind = (0.4, 0.1, 0.4), (0.0, 0.1, 0.2)
    said = about_curve(over_sizes(FS=(APART,) * 3, LEAD=(close,) * 3), "f", "F")
    assert said.startswith("With 100 instances, none is clearly ahead in F (LEAD 0.30, FS 0.20); ")
    said = about_curve(over_sizes(FS=((0.5, 0.6, 0.7),) * 3, LEAD=((0.8, 0.5, 0.8),) * 3, PC=(behind,) * 3), "f", "F")
    assert said.startswith("With 100 instances, LEAD and FS are not clearly apart in F with 0.70 and 0.60 (PC 0.10); ")


def test_fewer_errors_are_better():
    assert "LEAD is best in SHD with 2.00 (FS 3.00)" in about_curve(curve(FS=(0.3, 0.5), LEAD=(0.2, 0.8)), "shd", "SHD")


def test_a_curve_of_one_point_or_none():
    whole = curve(FS=(0.3, 0.5))
    assert about_curve(whole[:2], "f", "F") == "With 100 instances, FS has 0.30 in F: means over 2 data sets."
    assert about_curve(whole[:1], "f", "F") == "With 100 instances, FS has 0.20 in F: of 1 data set."
    assert about_curve(whole[:0], "f", "F") == "Nothing was finished."
    hard = whole[:2].rename(columns={"n_instances": "difficulty"}).assign(difficulty=0.25)
    assert about_curve(hard, "f", "F").startswith("At difficulty 0.25, FS")


def test_structures_that_do_as_well_are_best_together():
    ties = curve(FS=(0.3, 0.5), LEAD=(0.3, 0.5), PC=(0.2, 0.5))
    assert about_curve(ties, "f", "F") == (
        "With 100 instances, FS and LEAD are best in F with 0.30 (PC 0.20); with 2,000 instances, FS, LEAD and PC are "
        "equally good in F with 0.50: means over 2 data sets."
    )


def test_after_a_cancel_only_what_all_structures_finished_counts():
    whole = curve(FS=(0.3, 0.5), LEAD=(0.2, 0.8))
    is_last = (whole["n_instances"] == 2000) & (whole["data set"] == 1)
    without_one = whole[~(is_last & (whole["structure"] == "LEAD"))]
    assert about_curve(without_one, "f", "F") == (
        "With 100 instances, FS is best in F with 0.30 (LEAD 0.20); with 2,000 instances, none is clearly ahead in "
        "F (LEAD 0.70, FS 0.40): means over 2 data sets and 1. LEAD is ahead of FS only with 2,000 instances, and not "
        "clearly."
    )
    unlike = whole[(whole["structure"] == "FS") == (whole["data set"] == 1)]
    assert about_curve(unlike, "f", "F") == "No data set was finished by every structure."


def observed(*rows):
    """Return a table with rows of (observed, exact); the formula says 0.5, between 0.4 and 0.6."""
    return pd.DataFrame(
        [{"n": 10, "observed": share, "theory": 0.5, "low": 0.4, "high": 0.6, "exact": exact} for share, exact in rows],
        columns=["n", "observed", "theory", "low", "high", "exact"],
    )


def test_how_labels_follow_their_parents():
    assert about_given_parent(observed((0.4, True), (0.61, True), (0.3, False), (0.6, False))) == (
        "Where the formula is exact, 1 of 2 observed shares is within the spread that chance gives them; where a "
        "label shares features with its ancestors, 1 of 2 observed shares is, off by 0.150 on average."
    )
    assert about_given_parent(observed((0.5, True))) == (
        "Where the formula is exact, 1 observed share is within the spread that chance gives it."
    )
    assert about_given_parent(observed((0.9, False), (0.9, False))) == (
        "Where a label shares features with its ancestors, none of 2 observed shares is within the spread that chance "
        "gives them, off by 0.400 on average."
    )
    assert about_given_parent(observed((0.9, False))) == (
        "Where a label shares features with its ancestors, 1 observed share is not within the spread that chance gives "
        "it, off by 0.400."
    )


def test_nothing_seen():
    nothing = observed((0.5, True)).assign(n=0)
    assert about_given_parent(nothing) == "No label was seen with a parent of either value."
