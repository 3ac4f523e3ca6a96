"""Sentences on what was found of known graphs."""

import pandas as pd
import pytest
from sentences import holds

from trellislib.graphs import LabelGraph
from trellislib.summaries import about_curve, about_given_parent, about_recovery

TRUTH = LabelGraph([(), (0,), (1,), (2,), ()])
ONE, NONE, TURNED = LabelGraph([(), (0,)]), LabelGraph([(), ()]), LabelGraph([(1,), ()])
OF_THREE, OTHER = LabelGraph([(), (0,), ()]), LabelGraph([(), (), (0,)])


@pytest.mark.parametrize(
    ("found", "truth", "parts"),
    [
        ({"FS": TRUTH}, TRUTH, ("from 1,000 instances", "FS finds all 3 true pairs", "in their directions")),
        ({"FS": LabelGraph([(), (0,), (), (), ()])}, TRUTH, ("FS finds 1 of the 3 true pairs", "in its direction")),
        (
            {"FS": LabelGraph([(1,), (2,), (), (2,), (3,)])},
            TRUTH,
            ("FS finds all 3 true pairs", "2 of them reversed", "and 1 wrong"),
        ),
        ({"FS": LabelGraph([(1,), (), (), (), ()])}, TRUTH, ("FS finds 1 of the 3 true pairs", "reversed")),
        ({"FS": LabelGraph.independent(5)}, TRUTH, ("FS finds none of the 3 true pairs",)),
        (
            {"FS": LabelGraph([(), (), (), (2,), (0,)]), "LEAD": TRUTH},
            TRUTH,
            ("LEAD finds all 3 true pairs", "FS finds 1, and 1 wrong"),
        ),
        ({"FS": LabelGraph([(), (), (), (), (0,)])}, TRUTH, ("FS finds none of the 3 true pairs", "but 1 wrong")),
        (
            {"FS": LabelGraph([(), (), (), (), (0, 1)]), "LEAD": TRUTH},
            TRUTH,
            ("LEAD finds all 3", "FS finds none, but 2 wrong"),
        ),
        ({"FS": ONE}, ONE, ("FS finds the one true pair", "in its direction")),
        ({"FS": NONE}, ONE, ("FS misses the one true pair",)),
        (
            {"FS": NONE, "PC": TURNED, "LEAD": ONE},
            ONE,
            ("PC finds the one true pair", "reversed", "LEAD finds it", "FS misses it"),
        ),
        ({"FS": ONE, "LEAD": NONE, "PC": NONE}, NONE, ("FS finds 1 edge", "LEAD 0", "PC 0", "nothing to find")),
        ({"FS": OTHER}, OF_THREE, ("FS misses the one true pair", "finds 1 wrong")),
        (
            {"FS": OTHER, "LEAD": LabelGraph([(), (0,), (0,)])},
            OF_THREE,
            ("LEAD finds the one true pair", "FS misses it and finds 1 wrong"),
        ),
    ],
)
def test_what_was_found(found, truth, parts):
    holds(about_recovery(found, truth, 1000), *parts)


def test_the_number_of_instances_is_said():
    holds(about_recovery({"FS": ONE}, ONE, 1), "FS finds the one true pair from 1 instance")
    with pytest.raises(ValueError, match="Got no graph"):
        about_recovery({}, ONE, 1)


def curve(**f):
    """Return a curve over two sizes; `f` has the scores of each structure at both."""
    rows = [
        {"n_instances": size, "data set": number, "structure": name, "f": score + 0.1 * number, "shd": int(score * 10)}
        for name, scores in f.items()
        for size, score in zip((100, 2000), scores, strict=True)
        for number in (-1, 1)
    ]
    return pd.DataFrame(rows)


def over_sizes(**f):
    """Return a curve over three sizes and three data sets; `f` has the scores of each structure at every one."""
    rows = [
        {"n_instances": size, "data set": number, "structure": name, "f": score}
        for name, of_sizes in f.items()
        for size, of_sets in zip((100, 500, 2000), of_sizes, strict=True)
        for number, score in enumerate(of_sets)
    ]
    return pd.DataFrame(rows)


def test_a_curve_is_summarised_at_its_ends():
    found = about_curve(curve(FS=(0.3, 0.5), LEAD=(0.2, 0.8)), "f", "F")
    holds(found, "100 instances, FS is best in F with 0.30 (LEAD 0.20)", "means over 2 data sets")
    holds(found, "2,000 instances, LEAD is best in F with 0.80 (FS 0.50)", "LEAD is ahead of FS only with 2,000")


APART, BEHIND = (0.1, 0.2, 0.3), (0.0, 0.1, 0.2)
MIXED, AHEAD = (0.4, 0.1, 0.4), (0.5, 0.6, 0.7)  # MIXED is ahead of APART by 0.3, -0.1 and 0.1: p = 0.5


@pytest.mark.parametrize(
    ("lead", "parts"),
    [
        ((BEHIND, MIXED, AHEAD), ("LEAD is ahead of FS from 500 instances on", "clearly from 2,000 instances on")),
        ((BEHIND, MIXED, MIXED), ("LEAD is ahead of FS from 500 instances on", "not significantly at the end")),
        ((BEHIND, BEHIND, MIXED), ("LEAD is ahead of FS only with 2,000 instances", "not significantly")),
    ],
)
def test_where_another_structure_gets_ahead(lead, parts):
    holds(about_curve(over_sizes(FS=(APART,) * 3, LEAD=lead), "f", "F"), *parts)


def test_a_structure_that_stays_behind_gets_nowhere_ahead():
    assert "ahead of" not in about_curve(over_sizes(FS=(APART,) * 3, LEAD=(BEHIND,) * 3), "f", "F")


def test_where_another_structure_gets_ahead_over_difficulties():
    hard = over_sizes(FS=(APART,) * 3, LEAD=(BEHIND, AHEAD, AHEAD)).rename(columns={"n_instances": "difficulty"})
    hard["difficulty"] = hard["difficulty"].map({100: 0.0, 500: 0.5, 2000: 1.0})
    holds(about_curve(hard, "f", "F"), "LEAD is ahead of FS from difficulty 0.5 on")


def test_what_chance_may_have_done_is_not_called_better():
    found = about_curve(over_sizes(FS=(APART,) * 3, LEAD=(MIXED,) * 3), "f", "F")
    holds(found, "100 instances, no structure is clearly best in F (LEAD 0.30, FS 0.20)")
    several = over_sizes(FS=(AHEAD,) * 3, LEAD=((0.8, 0.5, 0.8),) * 3, PC=(BEHIND,) * 3)
    holds(
        about_curve(several, "f", "F"), "LEAD and FS are not significantly different in F with 0.70 and 0.60 (PC 0.10)"
    )


def test_fewer_errors_are_better():
    holds(about_curve(curve(FS=(0.3, 0.5), LEAD=(0.2, 0.8)), "shd", "SHD"), "LEAD is best in SHD with 2.00 (FS 3.00)")


def test_a_curve_of_one_point_or_none():
    whole = curve(FS=(0.3, 0.5))
    holds(about_curve(whole[:2], "f", "F"), "100 instances, FS has 0.30 in F", "over 2 data sets")
    holds(about_curve(whole[:1], "f", "F"), "FS has 0.20 in F", "1 data set")
    holds(about_curve(whole[:0], "f", "F"), "Nothing was finished")
    hard = whole[:2].rename(columns={"n_instances": "difficulty"}).assign(difficulty=0.25)
    holds(about_curve(hard, "f", "F"), "difficulty 0.25, FS")


def test_structures_that_do_as_well_are_best_together():
    found = about_curve(curve(FS=(0.3, 0.5), LEAD=(0.3, 0.5), PC=(0.2, 0.5)), "f", "F")
    holds(found, "FS and LEAD are best in F with 0.30 (PC 0.20)", "FS, LEAD and PC are equally good in F with 0.50")


def test_after_a_cancel_only_what_all_structures_finished_counts():
    whole = curve(FS=(0.3, 0.5), LEAD=(0.2, 0.8))
    is_last = (whole["n_instances"] == 2000) & (whole["data set"] == 1)
    found = about_curve(whole[~(is_last & (whole["structure"] == "LEAD"))], "f", "F")
    holds(found, "FS is best in F with 0.30 (LEAD 0.20)", "no structure is clearly best in F (LEAD 0.70, FS 0.40)")
    holds(found, "over 2 data sets and 1", "only with 2,000 instances, but not significantly")
    unlike = whole[(whole["structure"] == "FS") == (whole["data set"] == 1)]
    holds(about_curve(unlike, "f", "F"), "No data set was finished by every structure")


def observed(*rows):
    """Return a table with rows of (observed, exact); the formula gives 0.5, between 0.4 and 0.6."""
    return pd.DataFrame(
        [{"n": 10, "observed": share, "theory": 0.5, "low": 0.4, "high": 0.6, "exact": exact} for share, exact in rows],
        columns=["n", "observed", "theory", "low", "high", "exact"],
    )


@pytest.mark.parametrize(
    ("rows", "parts"),
    [
        (
            [(0.4, True), (0.61, True), (0.3, False), (0.6, False)],
            (
                "1 of 2 observed shares is within chance of the formula where it is exact",
                "1 of 2 observed shares is within chance of the formula where a label shares",
                "by 0.150",
            ),
        ),
        ([(0.5, True)], ("1 observed share is within",)),
        ([(0.9, False), (0.9, False)], ("None of 2 observed shares is within", "by 0.400 on average")),
        ([(0.9, False)], ("1 observed share is not within", "by 0.400")),
    ],
)
def test_how_labels_follow_their_parents(rows, parts):
    holds(about_given_parent(observed(*rows)), *parts)


def test_no_label_was_seen_with_its_parent():
    holds(about_given_parent(observed((0.5, True)).assign(n=0)), "No label was seen with a parent")
