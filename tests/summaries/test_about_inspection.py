import re
from dataclasses import replace

import numpy as np

from trellislib.inspection import GibbsRuns, PredictionPath, Step
from trellislib.labels.coding import LabelCoding
from trellislib.labels.graph import LabelGraph
from trellislib.summaries.inspection import about_gibbs, about_prediction_path, about_step

NAMES, VALUES = ["a", "b"], [["no", "yes"], ["no", "yes"]]


def has_in_order(text, *parts):
    """Return whether a text contains all parts, one after the other."""
    return re.search(".*".join(map(re.escape, parts)), text) is not None


def made(label, code, true, given_true, inputs=()):
    shares = np.full(len(inputs), 1.5)
    p = np.array([0.25, 0.75])
    return Step(
        label, label, label, inputs, (1,) * len(inputs), p, 1, -0.4, shares, shares, code, true, given_true, False
    )


def test_own_and_inherited_errors_are_named():
    steps = (made(0, 1, 0, 1), made(1, 1, 0, 0, inputs=(0,)))
    seen = PredictionPath(steps, LabelGraph([(), (0,)]), LabelCoding([np.arange(2)] * 2), np.array([1, 1]), None)
    text = about_prediction_path(seen, NAMES, VALUES)
    assert has_in_order(text, "0 of 2 labels are right", "a is wrong by itself", "b inherits", "of a")
    step = about_step(steps[1], NAMES, VALUES)
    assert has_in_order(step, "b = yes", "-0.4", "a adds +1.5", "75.0%", "decided yes", "the truth is no", "decided no")


def test_the_label_that_mixes_worst_is_named():
    codes = np.stack([np.tile([0, 1], (2, 4)), np.repeat([[0], [1]], 8, axis=1)], axis=2)
    runs = GibbsRuns(codes, codes.astype(float), 0, LabelCoding([np.arange(2)] * 2))
    assert has_in_order(about_gibbs(runs, NAMES), "do not mix", "b")


def path_of(*steps):
    graph = LabelGraph([step.inputs for step in steps])
    return PredictionPath(
        steps, graph, LabelCoding([np.arange(2)] * len(steps)), np.array([step.code for step in steps]), None
    )


def test_right_and_lucky_labels_are_counted_as_right():
    assert about_prediction_path(path_of(made(0, 1, 1, 1)), NAMES, VALUES) == "1 of 1 label is right."
    lucky = path_of(made(0, 1, 0, 1), made(1, 1, 1, 0, inputs=(0,)))
    text = about_prediction_path(lucky, NAMES, VALUES)
    assert has_in_order(text, "1 of 2 labels is right", "a is wrong by itself", "b is right", "wrong input")
    assert has_in_order(about_step(lucky.steps[1], NAMES, VALUES), "right", "true inputs", "decided no")


def test_labels_that_the_inference_overruled_are_named():
    overruled = replace(made(0, 1, 0, 0), inputs_right=True)
    assert has_in_order(
        about_prediction_path(path_of(overruled), NAMES, VALUES), "0 of 1 label are right", "a is overruled"
    )


def test_labels_set_by_hand_and_unknown_ones_are_not_judged():
    by_hand = replace(made(0, 1, 0, 1), is_set=True)
    unknown = made(1, 0, None, None, inputs=(0,))
    for steps, parts in (
        ((by_hand, made(1, 1, 1, 1, inputs=(0,))), ("1 of 1 label is right", "1 label is set by hand")),
        ((by_hand, unknown), ("a is yes", "b is no", "not known")),
        ((by_hand,), ("a is yes", "set by hand")),
    ):
        assert has_in_order(about_prediction_path(path_of(*steps), NAMES, VALUES), *parts)
    assert has_in_order(about_step(by_hand, NAMES, VALUES), "set by hand to yes", "the truth is no")
    assert "truth" not in about_step(unknown, NAMES, VALUES)


def test_inputs_are_listed_by_what_they_add():
    step = replace(made(2, 1, 1, 1, inputs=(0, 1)), from_inputs=np.array([0.5, -2.0]))
    names, values = [*NAMES, "c"], [*VALUES, ["no", "yes"]]
    assert has_in_order(about_step(step, names, values), "c = yes", "-0.4", "b adds -2", "a adds +0.5", "75.0%", "yes")
    nothing = replace(step, from_inputs=np.zeros(2))
    assert has_in_order(about_step(nothing, names, values), "-0.4", "inputs", "add nothing", "75.0%")
    without = replace(step, inputs=(), input_codes=(), from_inputs=np.zeros(0))
    assert "inputs" not in about_step(without, names, values)


def test_chains_that_agree_and_chains_that_do_not_yet():
    rng = np.random.default_rng(0)
    coding = LabelCoding([np.arange(2)] * 2)
    free = rng.integers(2, size=(4, 200, 2))
    assert "chains agree" in about_gibbs(GibbsRuns(free, free.astype(float), 0, coding), NAMES)
    free[..., 1] = np.repeat(rng.integers(2, size=(4, 4)), 50, axis=1)
    runs = GibbsRuns(free, free.astype(float), 0, coding)
    sizes = f"{runs.r_hat()[1]:.3g}", f"{runs.effective_sizes()[1]:.3g}", "800"
    assert has_in_order(about_gibbs(runs, NAMES), "do not agree", "b", *sizes)
