from dataclasses import replace

import numpy as np

from trellislib.inspection import GibbsRuns, Life, Step
from trellislib.labels.coding import LabelCoding
from trellislib.labels.graph import LabelGraph
from trellislib.summaries.inspection import about_gibbs, about_life, about_step

NAMES, VALUES = ["a", "b"], [["no", "yes"], ["no", "yes"]]


def made(label, code, true, given_true, inputs=()):
    shares = np.full(len(inputs), 1.5)
    p = np.array([0.25, 0.75])
    return Step(
        label, label, label, inputs, (1,) * len(inputs), p, 1, -0.4, shares, shares, code, true, given_true, False
    )


def test_who_is_wrong_and_who_was_dragged_along():
    steps = (made(0, 1, 0, 1), made(1, 1, 0, 0, inputs=(0,)))
    seen = Life(steps, LabelGraph([(), (0,)]), LabelCoding([np.arange(2)] * 2), np.array([1, 1]), None)
    assert about_life(seen, NAMES, VALUES) == "0 of 2 labels right; a wrong by itself; b dragged along by a."
    assert about_step(steps[1], NAMES, VALUES) == (
        "For b = yes, the features say log-odds of -0.4; a adds +1.5: a probability of 75.0%. "
        "It is decided yes, but the truth is no; with the truth for its inputs, it would be decided no."
    )


def test_the_label_that_mixes_worst_is_named():
    codes = np.stack([np.tile([0, 1], (2, 4)), np.repeat([[0], [1]], 8, axis=1)], axis=2)
    runs = GibbsRuns(codes, codes.astype(float), 0, LabelCoding([np.arange(2)] * 2))
    assert about_gibbs(runs, NAMES) == "The chains do not mix: each stays at a value of its own for b."


def lived(*steps):
    graph = LabelGraph([step.inputs for step in steps])
    return Life(steps, graph, LabelCoding([np.arange(2)] * len(steps)), np.array([step.code for step in steps]), None)


def test_all_right_and_right_by_luck():
    assert about_life(lived(made(0, 1, 1, 1)), NAMES, VALUES) == "1 of 1 label right."
    saved = lived(made(0, 1, 0, 1), made(1, 1, 1, 0, inputs=(0,)))
    assert about_life(saved, NAMES, VALUES) == (
        "1 of 2 labels right; a wrong by itself; b right only because of a wrong input."
    )
    told = about_step(saved.steps[1], NAMES, VALUES)
    assert told.endswith("which is right; with the truth for its inputs, it would be decided no.")


def test_what_the_inference_overruled():
    overruled = replace(made(0, 1, 0, 0), inputs_right=True)
    assert about_life(lived(overruled), NAMES, VALUES) == "0 of 1 label right; a overruled by the inference."


def test_labels_set_by_hand_and_unknown_ones_are_not_judged():
    by_hand = replace(made(0, 1, 0, 1), is_set=True)
    unknown = made(1, 0, None, None, inputs=(0,))
    assert about_life(lived(by_hand, made(1, 1, 1, 1, inputs=(0,))), NAMES, VALUES) == (
        "1 of 1 label right; 1 set by hand."
    )
    assert about_life(lived(by_hand, unknown), NAMES, VALUES) == "a is yes and b is no; the truth is not known."
    assert about_life(lived(by_hand), NAMES, VALUES) == "a is yes, all set by hand."
    assert about_step(by_hand, NAMES, VALUES).endswith("It is set by hand to yes, but the truth is no.")
    assert about_step(unknown, NAMES, VALUES).endswith("It is decided no.")


def test_inputs_are_told_by_what_they_add():
    step = replace(made(2, 1, 1, 1, inputs=(0, 1)), from_inputs=np.array([0.5, -2.0]))
    names, values = [*NAMES, "c"], [*VALUES, ["no", "yes"]]
    assert about_step(step, names, values) == (
        "For c = yes, the features say log-odds of -0.4; b adds -2 and a adds +0.5: a probability of 75.0%. "
        "It is decided yes, which is right."
    )
    nothing = replace(step, from_inputs=np.zeros(2))
    assert "-0.4; its inputs, each decided its first value, add nothing to that: a probability" in about_step(
        nothing, names, values
    )
    without = replace(step, inputs=(), input_codes=(), from_inputs=np.zeros(0))
    assert "log-odds of -0.4: a probability" in about_step(without, names, values)


def test_chains_that_agree_and_chains_that_do_not_yet():
    rng = np.random.default_rng(0)
    coding = LabelCoding([np.arange(2)] * 2)
    free = rng.integers(2, size=(4, 200, 2))
    assert about_gibbs(GibbsRuns(free, free.astype(float), 0, coding), NAMES).startswith("The chains agree: the worst")
    free[..., 1] = np.repeat(rng.integers(2, size=(4, 4)), 50, axis=1)
    runs = GibbsRuns(free, free.astype(float), 0, coding)
    assert about_gibbs(runs, NAMES) == (
        f"The chains do not agree yet: the worst label, b, has an R-hat of {runs.r_hat()[1]:.3g}, and its 800 "
        f"draws are worth about {runs.effective_sizes()[1]:.3g} independent ones."
    )
