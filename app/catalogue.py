"""What the Train page offers: methods and base learners, each with its main parameter."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from sklearn.base import BaseEstimator
from sklearn.ensemble import RandomForestClassifier
from sklearn.impute import SimpleImputer
from sklearn.linear_model import LogisticRegression, SGDClassifier
from sklearn.naive_bayes import BernoulliNB, GaussianNB, MultinomialNB
from sklearn.pipeline import Pipeline
from sklearn.preprocessing import MaxAbsScaler, MinMaxScaler, StandardScaler
from sklearn.svm import LinearSVC
from sklearn.tree import DecisionTreeClassifier
from tuning import Shape

from trellislib import ClassifierChain, ClassifierTrellis, IndependentClassifiers, LeastSquares
from trellislib.data import Dataset

METHODS = {
    "IC": "Independent classifiers: no structure, the cheapest baseline",
    "CC": "Classifier chain: each label from all labels before it",
    "CT": "Classifier trellis: each label from its parents in the trellis",
}
ORDERS = {"as they are": None, "random": "random"}


@dataclass(frozen=True)
class BaseLearner:
    """A base learner, and the one parameter that matters most."""

    name: str
    make: Callable[[float, int], BaseEstimator]
    parameter: str
    choices: tuple[float, ...]
    default: float
    help: str


BASE_LEARNERS = (
    BaseLearner(
        "Least squares",
        lambda alpha, seed: LeastSquares(alpha=alpha),
        "alpha",
        (0.01, 0.1, 1.0, 10.0, 100.0),
        1.0,
        "Penalty on the weights. All labels are fitted at once, in well under a second.",
    ),
    BaseLearner(
        "Logistic regression",
        lambda C, seed: LogisticRegression(C=C, max_iter=1000),
        "C",
        (0.01, 0.1, 1.0, 10.0, 100.0),
        1.0,
        "Inverse of the penalty on the weights.",
    ),
    BaseLearner(
        "Linear SVM",
        lambda C, seed: LinearSVC(C=C, random_state=seed),
        "C",
        (0.01, 0.1, 1.0, 10.0, 100.0),
        1.0,
        "Inverse of the penalty on the weights. It gives no probabilities, so no ranking scores.",
    ),
    BaseLearner(
        "SGD (logistic loss)",
        lambda alpha, seed: SGDClassifier(loss="log_loss", alpha=alpha, max_iter=100, tol=1e-3, random_state=seed),
        "alpha",
        (1e-5, 1e-4, 1e-3, 1e-2),
        1e-4,
        "Penalty on the weights; at most 100 epochs, as in the paper.",
    ),
    BaseLearner(
        "Naive Bayes (Gaussian)",
        lambda smoothing, seed: GaussianNB(var_smoothing=smoothing),
        "var_smoothing",
        (1e-9, 1e-6, 1e-3, 1e-1),
        1e-9,
        "Share of the largest variance that is added to all of them. It takes dense features only.",
    ),
    BaseLearner(
        "Naive Bayes (Bernoulli)",
        lambda alpha, seed: BernoulliNB(alpha=alpha),
        "alpha",
        (0.01, 0.1, 1.0, 10.0),
        1.0,
        "Counts that are added to each; features above 0 count as present.",
    ),
    BaseLearner(
        "Naive Bayes (multinomial)",
        lambda alpha, seed: MultinomialNB(alpha=alpha),
        "alpha",
        (0.01, 0.1, 1.0, 10.0),
        1.0,
        "Counts that are added to each; it refuses negative features.",
    ),
    BaseLearner(
        "Decision tree",
        lambda depth, seed: DecisionTreeClassifier(max_depth=int(depth), random_state=seed),
        "max_depth",
        (1, 2, 3, 5, 8, 12, 20),
        5,
        "Most questions asked on the way from the root to a leaf.",
    ),
    BaseLearner(
        "Random forest",
        lambda trees, seed: RandomForestClassifier(n_estimators=int(trees), random_state=seed),
        "n_estimators",
        (10, 30, 100, 300),
        100,
        "Number of trees for each label; the slowest choice here.",
    ),
)

SCALINGS = ("as they are", "to [0, 1]", "to unit variance")


def method(name: str, estimator: BaseEstimator, order: str | None, shape: Shape, seed: int) -> BaseEstimator:
    """Return a method by its short key; `shape` is the trellis of a CT."""
    if name == "IC":
        return IndependentClassifiers(estimator)
    if name == "CC":
        return ClassifierChain(estimator, order=order, random_state=seed if order else None)
    return ClassifierTrellis(estimator, **shape.arguments)


def default_methods(data: Dataset) -> dict[str, BaseEstimator]:
    """Return IC, CC and CT with least squares, as a first comparison."""
    shape = Shape.default(data.n_labels)
    return {name: prepared(method(name, LeastSquares(), None, shape, 0), SCALINGS[0], data) for name in METHODS}


def prepared(estimator: BaseEstimator, scaling: str, data: Dataset) -> BaseEstimator:
    """Put before a method what the data need, fitted on training rows only: filled gaps, scaled features."""
    steps: list[tuple[str, BaseEstimator]] = []
    if data.n_missing:
        steps.append(("fill", SimpleImputer()))
    if scaling == "to [0, 1]":
        steps.append(("scale", MinMaxScaler() if data.is_dense else MaxAbsScaler()))
    if scaling == "to unit variance":
        steps.append(("scale", StandardScaler(with_mean=data.is_dense)))
    return Pipeline([*steps, ("method", estimator)]) if steps else estimator
