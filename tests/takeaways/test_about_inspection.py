import numpy as np

from trellislib.coding import LabelCoding
from trellislib.inspection import GibbsRuns, Life, Step
from trellislib.label_graph import LabelGraph
from trellislib.takeaways.inspection import about_gibbs, about_life, about_step

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
        "It is decided yes, but the truth is no."
    )


def test_the_label_that_mixes_worst_is_named():
    codes = np.stack([np.tile([0, 1], (2, 4)), np.repeat([[0], [1]], 8, axis=1)], axis=2)
    runs = GibbsRuns(codes, codes.astype(float), 0, LabelCoding([np.arange(2)] * 2))
    assert about_gibbs(runs, NAMES) == "The chains do not mix: each stays at a value of its own for b."
