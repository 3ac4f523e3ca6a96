"""Sentences about steps, widths and seeds, by hand."""

import tracemalloc

import numpy as np
import pandas as pd
import pytest
from scipy.stats import ttest_ind
from sentences import holds

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


def step(steps, number, unit="nats"):
    return about_step(steps, number - 1, NAMES, unit)


def test_the_steps_of_four_labels():
    steps = steps_from(0, FOUR, 2)
    holds(step(steps, 1), "Step 1 of 4", "row 1, column 1", "A", "the seed draws")
    second = step(steps, 2)
    holds(second, "Step 2 of 4", "row 1, column 2", "parent A", "B depends most on it: 0.9 nats", "ahead of C with 0.4")
    holds(second, "0.900 of 2.10 nats")
    third = step(steps, 3, "bits")
    holds(third, "row 2, column 1", "parent A", "C depends most on it: 0.4 bits", "ahead of D with 0.1", "1.30 of 2.10")
    holds(
        step(steps, 4),
        "parents C and B",
        "D is the last label",
        "0.5 + 0.3 = 0.8 nats",
        "All edges now capture 2.10 nats",
    )


def test_two_parents_and_a_rival():
    dependence = np.zeros((5, 5))
    for one, other, share in ((0, 1, 0.9), (0, 2, 0.8), (1, 3, 0.12), (2, 3, 0.08), (1, 4, 0.18)):
        dependence[one, other] = dependence[other, one] = share
    found = step(steps_from(0, dependence, 2), 4)
    holds(found, "parents C and B", "D depends most on them: 0.08 + 0.12 = 0.2 nats", "ahead of E with 0.18")
    holds(found, "1.90 of 1.90 nats")


def test_a_tiny_amount_is_less_than_a_bound_where_others_are_not_tiny():
    tiny = FOUR.copy()
    tiny[0, 3] = tiny[3, 0] = 2e-5
    tiny[0, 2] = tiny[2, 0] = 3e-5
    holds(step(steps_from(0, tiny, 2), 3), "C depends most on it: less than 0.0001 nats", "ahead of D with less")
    holds(step(steps_from(0, tiny / 1e4, 2), 3), "C depends most on it: 3e-09 nats", "ahead of D with 2e-09")


def test_ties_go_to_the_lower_label():
    steps = steps_from(0, np.ones((6, 6)) - np.eye(6), 6)
    holds(step(steps, 5), "parent D", "E gains 1 nats", "as much as F", "first of equal labels", "4 of 5 nats")
    holds(step(steps, 2), "B gains 1 nats", "as much as C, D and 2 more", "first of equal labels", "1 of 5 nats")


def test_a_cell_without_parents():
    steps = steps_from(1, FOUR, 1, [(0, -1)])
    holds(step(steps, 2), "row 2, column 1 has no parent", "No label gains anything", "A takes it", "first of the rest")
    holds(step(steps, 4), "row 4, column 1 has no parent", "D is the last label")


NEARLY = np.ones((3, 3)) - np.eye(3)
NEARLY[0, 1] = NEARLY[1, 0] = 1 - 1e-15  # which is rounding, and decides nothing
FALLING = 6.0 - np.abs(np.subtract.outer(np.arange(6), np.arange(6)))


@pytest.mark.parametrize(
    ("dependence", "width", "pattern", "parts"),
    [
        (FOUR, 2, "left-up", ("starts with A", "4 cells", "2.10 bits", "Step 2", "B adds 0.9", "C ahead of D by 0.3")),
        (np.ones((4, 4)), 4, "left-up", ("3 bits", "B adds 1", "as much as 2 other", "2 steps were decided")),
        (NEARLY, 3, "left-up", ("1 step was decided between equal candidates",)),
        (np.zeros((3, 3)), 2, "left-up", ("3 cells", "captures nothing", "no label depends")),
        (FOUR[:2, :2], 2, "left-up", ("2 cells", "0.900 bits", "Step 2", "B adds 0.9")),
        (FALLING, 6, "left-up", ("25 bits", "as much as 4 other", "B ahead of C by 1", "as close as 3 other")),
        (FOUR, 1, [(0, -1)], ("4 cells", "captures nothing", "no cell has a parent")),
    ],
)
def test_all_steps_in_a_sentence(dependence, width, pattern, parts):
    holds(about_steps(steps_from(0, dependence - np.diag(np.diag(dependence)), width, pattern), NAMES, "bits"), *parts)


def test_the_only_step():
    holds(about_steps(placement_steps(np.zeros((1, 1))), NAMES), "A is the only label")


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


TIES = curve_of(("far", 1, 3, 2.0, 4.0), ("near", 1, 2, 2.0, 2.0), ("near", 2, 3, 2.0, 2.001), ("near", 3, 1, 1.0, 4.0))
SHARES = curve_of(("near", 1, 0, 0.0, 0.0), ("near", 2, 3, 1.8, 2.0), ("near", 3, 4, 2.0, 4.0), ("far", 3, 4, 3.0, 4.0))
OWN = CURVE.replace("near", "custom")


@pytest.mark.parametrize(
    ("curve", "pattern", "width", "parts"),
    [
        (
            CURVE,
            "near",
            1,
            ("Width 2 captures most with near parents: 2 nats (50% of", "Width 1 captures 1.50 nats (50% of"),
        ),
        (CURVE, "near", 1, ("Far captures 2.50 at width 1, on 6 edges instead of 3",)),
        (
            CURVE,
            "near",
            2,
            ("2 nats (50% of", "most with near parents", "No other pattern captures more"),
        ),
        (CURVE[CURVE["pattern"] == "near"], "near", 2, ("2 nats (50% of", "captures most with near parents")),
        (CURVE[CURVE["width"] == 2][:1], "near", 2, ("Width 2 captures 2 nats (50% of",)),
        (
            CURVE[CURVE["width"] == 1],
            "near",
            1,
            ("1.50 nats (50% of", "Far captures 2.50 at width 1, on 6 edges instead of 3"),
        ),
        (curve_of(("near", 1, 0, 0, 0), ("near", 2, 1, 0, 0)), "near", 1, ("No width captures any dependence",)),
        (TIES, "near", 1, ("2 nats (100% of", "as much as other widths")),
        (TIES, "near", 2, ("2 nats (more than 99% of",)),
        (TIES, "near", 3, ("as much as other widths", "2 nats (100% of", "Width 3 captures 1 nats (25% of")),
        (SHARES, "near", 2, ("Width 3 captures most with near parents: 2 nats (50% of",)),
        (OWN, "custom", 1, ("Width 2 captures most with your own parents: 2 nats",)),
        (
            OWN.assign(captured=[1.5, 2.0, 0.5, 1.0]),
            "far",
            1,
            ("Your own pattern captures 1.50 at width 1, on 3 edges instead of 6",),
        ),
        (capture_curve(np.zeros((1, 1))), "left-up", 1, ("Width 1 captures nothing", "No other pattern captures more")),
    ],
)
def test_the_curve_and_what_is_set(curve, pattern, width, parts):
    holds(about_capture_curve(curve, pattern, width), *parts)


@pytest.mark.parametrize(
    ("curve", "width", "parts"),
    [
        (
            SHARES,
            3,
            (
                "Width 2 captures the largest share with near parents: 90% of",
                "1.80 bits",
                "Width 3 captures 50% of",
                "2 bits",
            ),
        ),
        (SHARES, 3, ("Far captures 75% at width 3, on 4 edges",)),
        (SHARES, 2, ("90% of", "1.80 bits", "largest share with near parents")),
        (SHARES, 1, ("Width 2 captures the largest share with near parents: 90% of", "Width 1 captures 0 bits")),
        (CURVE, 2, ("50% of", "2 bits", "as much as other widths")),
        (CURVE, 2, ("No other pattern captures a larger share",)),
    ],
)
def test_widths_and_patterns_may_be_compared_by_share(curve, width, parts):
    holds(about_capture_curve(curve, "near", width, "bits", share=True), *parts)


@pytest.mark.parametrize(("pattern", "width", "has"), [("near", 7, r"widths \[1, 2\]"), ("odd", 1, "patterns")])
def test_what_a_curve_has_not_is_named(pattern, width, has):
    with pytest.raises(ValueError, match=rf"Got .*parents {pattern} .*width {width}, .*{has}"):
        about_capture_curve(CURVE, pattern, width)


def scores_of(**widths):
    folds = {"IC": pd.DataFrame({"accuracy": [0.4, 0.4]})}
    return {int(width[1:]): {"CT": pd.DataFrame({"accuracy": values}), **folds} for width, values in widths.items()}


PAYS = {"w1": [0.5, 0.3], "w2": [0.6, 0.5], "w3": [0.7, 0.2]}
EQUAL = {"w1": [0.5, 0.3], "w2": [0.6, 0.5], "w3": [0.5, 0.6]}
MISSING = {"w1": [np.nan, np.nan], "w2": [0.6, 0.5]}


@pytest.mark.parametrize(
    ("scores", "width", "parts"),
    [
        (
            PAYS,
            1,
            ("Width 2 is best in accuracy with 0.550", "Width 1 has 0.400 (IC 0.400)", "behind in every fold"),
        ),
        (PAYS, 1, ("best of 3", "too high")),
        (PAYS, 3, ("behind in 1 of 2 folds",)),
        (PAYS, 2, ("No width is better than 2", "CT has 0.550 (IC 0.400)")),
        (EQUAL, 3, ("No width is better than 3",)),
        (EQUAL, 1, ("Width 2 is the first of the best in accuracy with 0.550", "Width 1 has 0.400")),
        ({"w1": [0.5, 0.3]}, 1, ("at width 1 (IC 0.400)",)),
        (MISSING, 1, ("CT has no score at width 1",)),
        (MISSING, 2, ("No width is better than 2",)),
    ],
)
def test_whether_another_width_pays(scores, width, parts):
    holds(about_width_scores(scores_of(**scores), ACCURACY, width), "in accuracy", *parts)


def test_what_the_seed_changes():
    pairs = np.array([[0, 9, 1, 1], [9, 0, 1, 1], [1, 1, 0, 9], [1, 1, 9, 0]])
    climbed = placement_stability(pairs, 1, n_seeds=5)
    random = placement_stability(pairs, 1, n_seeds=5, placement="random")
    found = about_stability(climbed, random, NAMES)
    holds(found, "19 nats with each of 5 seeds", f"random placement {random.captured.mean():.3g}")
    holds(found, f"share {climbed.agreement:.0%}", f"random placements {random.agreement:.0%}", "A and B", "Every seed")
    spread = placement_stability(FOUR, 1, n_seeds=8)
    least, most = spread.captured.min(), spread.captured.max()
    (best, *others) = np.flatnonzero(np.isclose(spread.captured, 1.8))
    assert others
    found = about_stability(spread, random, NAMES, "bits")
    holds(found, "1.70 to 1.80 bits with 8 seeds", f"seed {best} ({1 + len(others)} of 8 reach it)")
    assert (least, most) == (pytest.approx(1.7), pytest.approx(1.8))  # A B D C, and D C A B
    alone = placement_stability(np.zeros((1, 1)))
    holds(about_stability(alone, alone, NAMES), "no edges", "all seeds give the same")


CLIMBED, RANDOM = [0.50, 0.52, 0.51, 0.53], [0.40, 0.44, 0.43, 0.45]


@pytest.mark.parametrize(
    ("climbed", "random", "verdict"),
    [(CLIMBED, RANDOM, "better"), (RANDOM, CLIMBED, "worse"), ([0.515, 0.5, 0.53], [0.51, 0.49, 0.53], None)],
)
def test_the_verdict_on_hill_climbing_is_that_of_welch(climbed, random, verdict):
    p_value = ttest_ind(climbed, random, equal_var=False).pvalue
    p = f"p {f'= {p_value:.2g}' if p_value >= 0.001 else '< 0.001'}"
    found = about_seed_scores(np.array(climbed), np.array(random), ACCURACY)
    holds(
        found, "in accuracy", f"{len(climbed)} seeds", f"Hill climbing has {np.mean(climbed):.3f}", "Welch's t-test", p
    )
    gap = f"Hill climbing is {verdict} by {abs(np.mean(climbed) - np.mean(random)):.3f}"
    holds(found, gap if verdict else "not significantly different")
    assert ("Hill climbing is" in found) == bool(verdict)


def test_two_seeds_with_a_gap_of_four_errors_prove_little():
    found = about_seed_scores(np.array([0.50, 0.52]), np.array([0.40, 0.44]), ACCURACY)
    holds(
        found,
        "2 seeds",
        "Hill climbing has 0.510 ± 0.014",
        "random placement 0.420 ± 0.028",
        "not significantly",
        "p = 0.092",
    )


@pytest.mark.parametrize("n_seeds", [2, 3, 20])
def test_a_verdict_is_rarely_false(n_seeds):
    """Of 2,000 pairs of samples that are of one distribution, one in twenty has a verdict, or of small ones fewer."""
    rng = np.random.default_rng(0)
    scores = rng.normal(0.5, 0.02, (2000, 2, n_seeds))
    false = sum("Hill climbing is" in about_seed_scores(*pair, ACCURACY) for pair in scores)
    assert 0 < false < 2000 * 0.065


@pytest.mark.parametrize(
    ("climbed", "random", "parts"),
    [
        ([0.5], [0.4], ("Fewer than 2 seeds",)),
        ([], [], ("Fewer than 2 seeds",)),
        ([0.5, np.nan], [0.4, 0.3], ("Fewer than 2 seeds",)),
        (
            [0.5, 0.5],
            [0.4, 0.4, 0.4],
            ("2 and 3 seeds", "0.500 ± 0.000", "random placement 0.400 ± 0.000", "0.100 apart with every seed"),
        ),
        ([0.3, 0.1 + 0.2], [0.3, 0.3], ("2 seeds", "0.300 ± 0.000", "the same with every seed")),
    ],
)
def test_seeds_that_no_test_can_judge(climbed, random, parts):
    found = about_seed_scores(np.array(climbed), np.array(random), ACCURACY)
    holds(found, "in accuracy", *parts)
    assert "p =" not in found


def test_a_placement_that_no_seed_changes_can_be_judged():
    found = about_seed_scores(np.full(5, 0.5), np.array([0.4, 0.41, 0.42, 0.4, 0.41]), ACCURACY)
    holds(found, "Hill climbing is better by 0.092", "p < 0.001")
