"""Base learners: each fits p(y_l | x, y_inputs) for all labels of a graph."""

from trellislib.learners.base import Conditionals, Given, Learner, Training
from trellislib.learners.choice import as_learner, probabilistic, with_probabilities
from trellislib.learners.least_squares import LeastSquares
from trellislib.learners.linear import LinearConditionals
from trellislib.learners.logistic import Logistic
from trellislib.learners.per_label import PerLabel, PerLabelConditionals

__all__ = [
    "Conditionals",
    "Given",
    "Learner",
    "LeastSquares",
    "LinearConditionals",
    "Logistic",
    "PerLabel",
    "PerLabelConditionals",
    "Training",
    "as_learner",
    "probabilistic",
    "with_probabilities",
]
