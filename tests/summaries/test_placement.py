"""Sentences about steps, widths and seeds, by hand."""

import tracemalloc

import numpy as np
import pandas as pd
import pytest
from scipy.stats import ttest_ind

from trellislib.graphs import capture_curve, placement_stability, placement_steps
from trellislib.metrics import MEASURES
from trellislib.summaries import (
    about_capture_curve,
    about_seed_scores,
    about_stability,
    about_step,
    about_steps,
    about_width_scores,
)

ACCURACY = MEASURES["accuracy"]
NAMES = ["A", "B", "C", "D", "E", "F"]
# From label A in a lattice of width 2: B is right of it (0.9), C under it (0.4), D left over between C and B.
FOUR = np.array([[0, 0.9, 0.4, 0.1], [0.9, 0, 0.2, 0.3], [0.4, 0.2, 0, 0.5], [0.1, 0.3, 0.5, 0]])


def steps_from(first, dependence, width, pattern="left-up"):
    found = (placement_steps(dependence, width, pattern, random_state=seed) for seed in range(1000))
    return next(steps for steps in found if steps[0].chosen == first)


def told(steps, number, unit="nats"):
    return about_step(steps, number - 1, NAMES, unit)


def test_the_steps_of_four_labels():
    steps = steps_from(0, FOUR, 2)
    assert told(steps, 1) == "Step 1 of 4: cell row 1, column 1 takes A, drawn at random by the seed."
    assert told(steps, 2) == (
        "Step 2 of 4: cell row 1, column 2 has the parent A; B depends most on it: 0.9 nats, ahead of C with 0.4. "
        "The edges so far hold 0.9 of the 2.1 nats that all will hold in the end."
    )
    assert told(steps, 3, "bits") == (
        "Step 3 of 4: cell row 2, column 1 has the parent A; C depends most on it: 0.4 bits, ahead of D with 0.1. "
        "The edges so far hold 1.3 of the 2.1 bits that all will hold in the end."
    )
    assert told(steps, 4) == (
        "Step 4 of 4: cell row 2, column 2 has the parents C and B; D is the last label that is left and adds "
        "0.5 + 0.3 = 0.8 nats. With this, all edges hold 2.1 nats."
    )


def test_two_parents_and_a_rival():
    dependence = np.zeros((5, 5))
    for one, other, share in ((0, 1, 0.9), (0, 2, 0.8), (1, 3, 0.12), (2, 3, 0.08), (1, 4, 0.18)):
        dependence[one, other] = dependence[other, one] = share
    assert told(steps_from(0, dependence, 2), 4) == (
        "Step 4 of 5: cell row 2, column 2 has the parents C and B; D depends most on them: 0.08 + 0.12 = 0.2 nats, "
        "ahead of E with 0.18. The edges so far hold 1.9 of the 1.9 nats that all will hold in the end."
    )


def test_what_is_tiny_is_only_said_to_be_so():
    tiny = FOUR.copy()
    tiny[0, 3] = tiny[3, 0] = 2e-5
    tiny[0, 2] = tiny[2, 0] = 3e-5
    assert "C depends most on it: less than 0.0001 nats, ahead of D with less." in told(steps_from(0, tiny, 2), 3)
    assert "C depends most on it: 3e-09 nats, ahead of D with 2e-09." in told(steps_from(0, tiny / 1e4, 2), 3)


def test_ties_go_to_the_lower_label():
    steps = steps_from(0, np.ones((6, 6)) - np.eye(6), 6)
    assert told(steps, 5) == (
        "Step 5 of 6: cell row 1, column 5 has the parent D; E gains 1 nats, as much as F, and is taken before the "
        "later one. The edges so far hold 4 of the 5 nats that all will hold in the end."
    )
    assert told(steps, 2) == (
        "Step 2 of 6: cell row 1, column 2 has the parent A; B gains 1 nats, as much as C, D and 2 more, and is taken "
        "before the later ones. The edges so far hold 1 of the 5 nats that all will hold in the end."
    )


def test_a_cell_without_parents():
    steps = steps_from(1, FOUR, 1, [(0, -1)])
    assert told(steps, 2) == (
        "Step 2 of 4: cell row 2, column 1 has no parent in the lattice; so all labels gain nothing and A takes it, "
        "the first of those left."
    )
    assert told(steps, 4) == (
        "Step 4 of 4: cell row 4, column 1 has no parent in the lattice; D is the last label that is left."
    )


def test_all_steps_in_a_sentence():
    assert about_steps(steps_from(0, FOUR, 2), NAMES) == (
        "From A, drawn by the seed, hill climbing (Algorithm 1 of the paper) fills 4 cells and captures 2.1 nats, the "
        "largest part in step 2, "
        "where B adds 0.9; the closest was step 3, C ahead of D by 0.3."
    )
    assert about_steps(steps_from(0, np.ones((4, 4)) - np.eye(4), 4), NAMES, "bits") == (
        "From A, drawn by the seed, hill climbing (Algorithm 1 of the paper) fills 4 cells and captures 3 bits, the "
        "largest part in step 2, where "
        "B adds 1, as much as in 2 others; 2 steps were decided between equal candidates."
    )
    assert about_steps(steps_from(0, np.zeros((3, 3)), 2), NAMES) == (
        "From A, drawn by the seed, hill climbing (Algorithm 1 of the paper) fills 3 cells and captures nothing: no "
        "label depends on those in its "
        "parent cells."
    )
    assert about_steps(placement_steps(np.zeros((1, 1))), NAMES) == "A is the only label and takes the only cell."
    assert about_steps(steps_from(0, FOUR[:2, :2], 2), NAMES) == (
        "From A, drawn by the seed, hill climbing (Algorithm 1 of the paper) fills 2 cells and captures 0.9 nats, the "
        "largest part in step 2, "
        "where B adds 0.9."
    )


def test_the_closest_steps_may_be_several():
    distances = np.abs(np.subtract.outer(np.arange(6), np.arange(6)))
    said = about_steps(steps_from(0, np.where(distances, 6.0 - distances, 0), 6), NAMES)
    assert said == (
        "From A, drawn by the seed, hill climbing (Algorithm 1 of the paper) fills 6 cells and captures 25 nats, the "
        "largest part in step 2, "
        "where B adds 5, as much as in 4 others; the closest was step 2, B ahead of C by 1, as close as 3 others."
    )


def test_rounding_decides_nothing():
    nearly = np.ones((3, 3)) - np.eye(3)
    nearly[0, 1] = nearly[1, 0] = 1 - 1e-15
    assert about_steps(steps_from(0, nearly, 3), NAMES).endswith("; 1 step was decided between equal candidates.")


def test_a_lattice_without_edges_captures_nothing():
    assert about_steps(steps_from(0, FOUR, 1, [(0, -1)]), NAMES) == (
        "From A, drawn by the seed, hill climbing (Algorithm 1 of the paper) fills 4 cells and captures nothing: no "
        "cell has a parent in this "
        "lattice."
    )


def test_the_sentence_of_all_steps_holds_one_step_at_a_time():
    """The steps of 400 labels have 80,000 candidates in all, each of 32 bytes with its shares and its gain."""
    steps = placement_steps(np.ones((400, 400)), 20, random_state=0)
    tracemalloc.start()
    about_steps(steps, range(400))
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert peak < 80_000 * 32 / 4


def curve_of(*rows):
    return pd.DataFrame(rows, columns=["pattern", "width", "edges", "captured", "bound"])


CURVE = curve_of(("near", 1, 3, 1.5, 3.0), ("near", 2, 4, 2.0, 4.0), ("far", 1, 6, 2.5, 5.0), ("far", 2, 7, 1.0, 5.0))


def test_the_curve_and_what_is_set():
    assert about_capture_curve(CURVE, "near", 1) == (
        "With the parents near, width 2 captures most, 2 nats (50% of the possible); width 1 has 1.5 nats (50% of the "
        "possible); at this width far captures 2.5, on 6 edges instead of 3."
    )
    assert about_capture_curve(CURVE, "near", 2, "bits") == (
        "With the parents near, width 2 captures 2 bits (50% of the possible), the most of all widths that are drawn; "
        "no other pattern captures more at this width."
    )
    assert about_capture_curve(CURVE[CURVE["pattern"] == "near"], "near", 2) == (
        "With the parents near, width 2 captures 2 nats (50% of the possible), the most of all widths that are drawn."
    )


def test_curves_with_nothing_to_capture():
    empty = curve_of(("near", 1, 0, 0.0, 0.0), ("near", 2, 1, 0.0, 0.0))
    assert about_capture_curve(empty, "near", 1) == "With the parents near no width captures any dependence."
    assert about_capture_curve(capture_curve(np.zeros((1, 1))), "left-up", 1) == (
        "With the parents left-up, width 1 captures nothing; no other pattern captures more at this width."
    )


def test_a_curve_of_one_width():
    one = CURVE[CURVE["width"] == 2]
    assert about_capture_curve(one[:1], "near", 2) == (
        "With the parents near, width 2 captures 2 nats (50% of the possible)."
    )
    assert about_capture_curve(CURVE[CURVE["width"] == 1], "near", 1).endswith(
        "width 1 captures 1.5 nats (50% of the possible); at this width far captures 2.5, on 6 edges instead of 3."
    )


def test_ties_of_widths_and_patterns():
    ties = curve_of(
        ("far", 1, 3, 2.0, 4.0), ("near", 1, 2, 2.0, 2.0), ("near", 2, 3, 2.0, 2.001), ("near", 3, 1, 1.0, 4.0)
    )
    assert about_capture_curve(ties, "near", 1) == (
        "With the parents near, width 1 captures 2 nats (100% of the possible), and no width that is drawn captures "
        "more; no other pattern captures more at this width."
    )
    assert about_capture_curve(ties, "near", 3) == (
        "With the parents near, width 1 is the first of those that capture most, 2 nats (100% of the possible); width "
        "3 has 1 nats (25% of the possible)."
    )
    assert "captures 2 nats (more than 99% of the possible)" in about_capture_curve(ties, "near", 2)


def test_widths_and_patterns_may_be_compared_by_share():
    curve = curve_of(
        ("near", 1, 0, 0.0, 0.0), ("near", 2, 3, 1.8, 2.0), ("near", 3, 4, 2.0, 4.0), ("far", 3, 4, 3.0, 4.0)
    )
    assert about_capture_curve(curve, "near", 3, share=True) == (
        "With the parents near, width 2 captures the largest share, 90% of the possible (1.8 nats); width 3 has 50% of "
        "the possible (2 nats); at this width far captures 75%, on 4 edges."
    )
    assert about_capture_curve(curve, "near", 2, "bits", share=True) == (
        "With the parents near, width 2 captures 90% of the possible (1.8 bits), the largest share of all widths that "
        "are drawn."
    )
    assert about_capture_curve(curve, "near", 1, share=True) == (
        "With the parents near, width 2 captures the largest share, 90% of the possible (1.8 nats); width 1 has 0 nats."
    )
    assert "width 3 captures most, 2 nats (50% of the possible)" in about_capture_curve(curve, "near", 2)
    assert about_capture_curve(CURVE, "near", 2, share=True).endswith(
        "width 2 captures 50% of the possible (2 nats), and no width that is drawn captures a larger share; no other "
        "pattern captures a larger share at this width."
    )


def test_a_pattern_of_ones_own_is_called_so():
    own = CURVE.replace("near", "custom")
    assert about_capture_curve(own, "custom", 1).startswith("With your own parents, width 2 captures most, 2 nats")
    low = own.assign(captured=[1.5, 2.0, 0.5, 1.0])
    assert about_capture_curve(low, "far", 1).endswith(
        "at this width your own pattern captures 1.5, on 3 edges instead of 6."
    )


@pytest.mark.parametrize(("pattern", "width", "has"), [("near", 7, r"widths \[1, 2\]"), ("odd", 1, "patterns")])
def test_what_a_curve_has_not_is_named(pattern, width, has):
    with pytest.raises(ValueError, match=f"Got the parents {pattern} at width {width}, .* it has the {has}"):
        about_capture_curve(CURVE, pattern, width)


def scores_of(**widths):
    folds = {"IC": pd.DataFrame({"accuracy": [0.4, 0.4]})}
    return {int(width[1:]): {"CT": pd.DataFrame({"accuracy": values}), **folds} for width, values in widths.items()}


def test_whether_another_width_pays():
    scores = scores_of(w1=[0.5, 0.3], w2=[0.6, 0.5], w3=[0.7, 0.2])
    assert about_width_scores(scores, ACCURACY, 1) == (
        "In accuracy width 2 is best with 0.550, width 1 has 0.400 (IC 0.400); width 2 is ahead of width 1 in every "
        "fold. The best of 3 is chosen by these folds, and so looks a little too good."
    )
    assert "; width 2 is ahead of width 3 in 1 of 2 folds" in about_width_scores(scores, ACCURACY, 3)
    assert about_width_scores(scores, ACCURACY, 2) == (
        "In accuracy no width is better than 2: CT has 0.550 (IC 0.400)."
    )
    ties = scores_of(w1=[0.5, 0.3], w2=[0.6, 0.5], w3=[0.5, 0.6])
    assert "no width is better than 3" in about_width_scores(ties, ACCURACY, 3)
    assert "width 2 is the first of the best, with 0.550, width 1 has 0.400" in about_width_scores(ties, ACCURACY, 1)
    assert about_width_scores(scores_of(w1=[0.5, 0.3]), ACCURACY, 1) == (
        "In accuracy CT has 0.400 at width 1 (IC 0.400)."
    )
    missing = scores_of(w1=[np.nan, np.nan], w2=[0.6, 0.5])
    assert about_width_scores(missing, ACCURACY, 1) == "In accuracy CT has no score at width 1."
    assert "no width is better than 2" in about_width_scores(missing, ACCURACY, 2)


def test_what_the_seed_changes():
    pairs = np.array([[0, 9, 1, 1], [9, 0, 1, 1], [1, 1, 0, 9], [1, 1, 9, 0]])
    climbed = placement_stability(pairs, 1, n_seeds=5)
    random = placement_stability(pairs, 1, n_seeds=5, placement="random")
    assert about_stability(climbed, random, NAMES) == (
        f"By hill climbing each of 5 seeds captures 19 nats; random placements capture {random.captured.mean():.3g} on "
        f"average. Of the pairs that either of two seeds joins, both join {climbed.agreement:.0%} (at random "
        f"{random.agreement:.0%}); A and B are joined by every seed."
    )
    spread = placement_stability(FOUR, 1, n_seeds=8)
    least, most = spread.captured.min(), spread.captured.max()
    (best, *others) = np.flatnonzero(np.isclose(spread.captured, 1.8))
    assert others
    reached = f"8 seeds capture {least:.3g} to {most:.3g} bits, most with seed {best} ({1 + len(others)} of 8 reach it)"
    assert f"{reached}; random placements" in about_stability(spread, random, NAMES, "bits")
    assert (least, most) == (pytest.approx(1.7), pytest.approx(1.8))  # A B D C, and D C A B
    alone = placement_stability(np.zeros((1, 1)))
    assert about_stability(alone, alone, NAMES) == "This lattice has no edges, so all seeds give the same."


CLIMBED, RANDOM = [0.50, 0.52, 0.51, 0.53], [0.40, 0.44, 0.43, 0.45]


@pytest.mark.parametrize(
    ("climbed", "random", "verdict"),
    [(CLIMBED, RANDOM, "better"), (RANDOM, CLIMBED, "worse"), ([0.515, 0.5, 0.53], [0.51, 0.49, 0.53], None)],
)
def test_the_verdict_on_hill_climbing_is_that_of_welch(climbed, random, verdict):
    p_value = ttest_ind(climbed, random, equal_var=False).pvalue
    told = f"p {f'= {p_value:.2g}' if p_value >= 0.001 else '< 0.001'}"
    gap = abs(np.mean(climbed) - np.mean(random))
    said = about_seed_scores(np.array(climbed), np.array(random), ACCURACY)
    assert said.startswith(f"In accuracy, over {len(climbed)} seeds on the same folds, hill climbing has 0.5") == (
        np.mean(climbed) > 0.5
    )
    assert said.endswith(
        f": hill climbing is {verdict} by {gap:.3f} (Welch's t-test over the seeds, {told}). It says nothing of other "
        "folds or data."
        if verdict
        else f": no more apart than seeds are by chance (Welch's t-test over the seeds, {told})."
    )


def test_two_seeds_of_which_a_gap_of_four_errors_says_little():
    said = about_seed_scores(np.array([0.50, 0.52]), np.array([0.40, 0.44]), ACCURACY)
    assert said == (
        "In accuracy, over 2 seeds on the same folds, hill climbing has 0.510 ± 0.014, random 0.420 ± 0.028: no more "
        "apart than seeds are by chance (Welch's t-test over the seeds, p = 0.092)."
    )


@pytest.mark.parametrize("n_seeds", [2, 3, 20])
def test_a_verdict_is_rarely_false(n_seeds):
    """Of 2,000 pairs of samples that are of one distribution, one in twenty has a verdict, or of small ones fewer."""
    rng = np.random.default_rng(0)
    scores = rng.normal(0.5, 0.02, (2000, 2, n_seeds))
    false = sum("hill climbing is" in about_seed_scores(*pair, ACCURACY) for pair in scores)
    assert 0 < false < 2000 * 0.065


@pytest.mark.parametrize(
    ("climbed", "random", "said"),
    [
        ([0.5], [0.4], "In accuracy, fewer than 2 seeds cannot tell hill climbing from random placement."),
        ([], [], "In accuracy, fewer than 2 seeds cannot tell hill climbing from random placement."),
        ([0.5, np.nan], [0.4, 0.3], "In accuracy, fewer than 2 seeds cannot tell hill climbing from random placement."),
        (
            [0.5, 0.5],
            [0.4, 0.4, 0.4],
            "In accuracy, over 2 and 3 seeds on the same folds, hill climbing has 0.500 ± 0.000, random 0.400 ± 0.000: "
            "0.100 apart whatever the seed, so that there is no chance to test against.",
        ),
        (
            [0.3, 0.1 + 0.2],
            [0.3, 0.3],
            "In accuracy, over 2 seeds on the same folds, hill climbing has 0.300 ± 0.000, random 0.300 ± 0.000: "
            "the same whatever the seed, so that there is no chance to test against.",
        ),
    ],
)
def test_seeds_that_no_test_can_judge(climbed, random, said):
    assert about_seed_scores(np.array(climbed), np.array(random), ACCURACY) == said


def test_a_placement_that_no_seed_changes_can_be_judged():
    said = about_seed_scores(np.full(5, 0.5), np.array([0.4, 0.41, 0.42, 0.4, 0.41]), ACCURACY)
    assert "hill climbing is better by 0.092 (Welch's t-test over the seeds, p < 0.001)" in said
