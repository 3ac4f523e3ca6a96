"""What the Train page offers: methods by their keys in the library, and base learners with their main parameter."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy import sparse
from sklearn.base import BaseEstimator
from sklearn.ensemble import RandomForestClassifier
from sklearn.linear_model import SGDClassifier
from sklearn.naive_bayes import BernoulliNB, GaussianNB, MultinomialNB
from sklearn.svm import LinearSVC
from sklearn.tree import DecisionTreeClassifier
from sklearn.utils import get_tags
from state.tuning import AS_INFERRED, Shape

from components.options import Settings, arguments, inference_of, infers, value_of
from trellislib import GibbsSampling, IndependentClassifiers, LeastSquares, Logistic, ThresholdedClassifier
from trellislib.data import Dataset
from trellislib.decisions import RankCut
from trellislib.labels.coding import LabelCoding
from trellislib.learners import as_learner, with_probabilities
from trellislib.methods import METHODS
from trellislib.methods.preprocessing import FILLS, SCALINGS, n_gaps, takes_gaps, with_preprocessing
from trellislib.metrics import MEASURES, decision_measures
from trellislib.running.memory import MemoryBudgetError, Size
from trellislib.wording import agreed, counted


@dataclass(frozen=True)
class BaseLearner:
    """A base learner, and the one parameter that matters most."""

    name: str
    make: Callable[[Any, int], BaseEstimator]
    parameter: str
    choices: tuple[float | str, ...]
    default: float
    help: str


AUTOMATIC = BaseLearner(
    "Automatic (least squares, kernel)",
    lambda n_components, seed: LeastSquares("loo", features="auto", n_components=int(n_components)),
    "Landmarks",
    (100, 250, 500, 1000),
    500,
    "Number of training rows in the Gaussian kernel. Leave-one-out error chooses between least squares on that kernel "
    "and on scaled features, and chooses the penalty of each label. The labels of the nearest rows are added where "
    "they help.",
)
LEAST_SQUARES = BaseLearner(
    "Least squares",
    lambda alpha, seed: LeastSquares(alpha=alpha),
    "alpha",
    (0.01, 0.1, 1.0, 10.0, 100.0, "loo"),
    1.0,
    "Penalty on the weights. All labels are fitted at once, in well under a second. With “loo” each label has the "
    "penalty of its smallest leave-one-out error.",
)
BASE_LEARNERS = (
    AUTOMATIC,
    LEAST_SQUARES,
    BaseLearner(
        "Logistic regression",
        lambda C, seed: Logistic(C=C),
        "C",
        (0.01, 0.1, 1.0, 10.0, 100.0, "loo"),
        1.0,
        "Inverse of the penalty on the weights; with “loo”, one for each label by leave-one-out errors of least "
        "squares. All labels are fitted at once, several times faster than with "
        "scikit-learn's LogisticRegression and within 1e-3 of it. Labels of more than two values are fitted one by "
        "one with that.",
    ),
    BaseLearner(
        "Linear SVM",
        lambda C, seed: LinearSVC(C=C, random_state=seed),
        "C",
        (0.01, 0.1, 1.0, 10.0, 100.0),
        1.0,
        "Inverse of the penalty on the weights. It gives no probabilities, so there are no ranking scores.",
    ),
    BaseLearner(
        "SGD (logistic loss)",
        lambda alpha, seed: SGDClassifier(loss="log_loss", alpha=alpha, max_iter=100, tol=1e-3, random_state=seed),
        "alpha",
        (1e-5, 1e-4, 1e-3, 1e-2),
        1e-4,
        "Penalty on the weights. At most 100 epochs, as in the paper.",
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
        "Count added to each value. Features above 0 count as present.",
    ),
    BaseLearner(
        "Naive Bayes (multinomial)",
        lambda alpha, seed: MultinomialNB(alpha=alpha),
        "alpha",
        (0.01, 0.1, 1.0, 10.0),
        1.0,
        "Count added to each feature. Negative features are refused.",
    ),
    BaseLearner(
        "Decision tree",
        lambda depth, seed: DecisionTreeClassifier(max_depth=int(depth), random_state=seed),
        "max_depth",
        (1, 2, 3, 5, 8, 12, 20),
        5,
        "Largest number of questions from the root to a leaf.",
    ),
    BaseLearner(
        "Random forest",
        lambda trees, seed: RandomForestClassifier(n_estimators=int(trees), random_state=seed),
        "n_estimators",
        (10, 30, 100, 300),
        100,
        "Number of trees for each label. This is the slowest choice.",
    ),
)

DECISIONS = {MEASURES[key].in_words: key for key in decision_measures(binary=True)} | {AS_INFERRED: None}
RANK_CUT = "rank"
AS_DECIDED = "as each method decides"
THRESHOLDS = {
    AS_DECIDED: None,
    "one, by cardinality": "cardinality",
    "one per label": "per-label",
    "one per label, by F1": "f1",
    "as many labels in every row": RANK_CUT,
}
FILLED_WITH = {
    "automatic": "the mean of the training rows",
    "mean": "the mean of the training rows",
    "median": "the median of the training rows",
    "most frequent": "the most frequent value of the training rows",
    "zero": "0",
}
FIRST = ("IC", "CC", "CT")  # what is compared first


def in_words(parameter: float | str) -> str:
    """Return a value of a base learner's parameter as it is offered."""
    return parameter if isinstance(parameter, str) else f"{parameter:g}"


def decisions(data: Dataset) -> list[str]:
    """Return the scores that can be decided for on these data, in words, as `DECISIONS` has them."""
    allowed = decision_measures(binary=data.is_multilabel)
    return [words for words, key in DECISIONS.items() if key is None or key in allowed]


def method(key: str, estimator: BaseEstimator, settings: Settings, shape: Shape, seed: int) -> BaseEstimator:
    """Return a method by its short key, set as `settings` say; `shape` is the trellis of those that have one."""
    made = METHODS[key].method
    offered = inspect.signature(made).parameters
    given = arguments(key, settings)
    if "estimator" in offered:
        given["estimator"] = estimator
    if "random_state" in offered:
        given["random_state"] = seed
    if "width" in offered:
        given |= shape.arguments
    return made(**given)


def thresholded(method: BaseEstimator, rule: str | None, seed: int, cardinality: float = 1.0) -> BaseEstimator:
    """Let labels be relevant above thresholds that `rule` chooses, if there is one, or as many as `cardinality`."""
    if rule == RANK_CUT:
        return method.set_params(decide=RankCut(max(1, round(cardinality))))
    return method if rule is None else ThresholdedClassifier(method, threshold=rule, random_state=seed)


def refusal(key: str, method: BaseEstimator, settings: Settings, data: Dataset, fill: str = FILLS[0]) -> str | None:
    """Return in one sentence why a method would not work on these data with its base learner, or None."""
    where = "" if data.is_dense else " where they are sparse"
    if fill == FILLS[-1] and n_gaps(data) and not takes_gaps(method, data):
        return f"{key} is left out: it takes no missing features{where}. Choose how they are filled."
    most = inspect.signature(METHODS[key].method).parameters.get("max_labels")
    if most is not None and data.n_labels > most.default:
        return (
            f"{key} is left out: it tries every order of at most {most.default} labels, but there are "
            f"{data.n_labels}. MCC tries some of the orders."
        )
    if infers(key):
        inference = inference_of(key, settings)
        if isinstance(inference, GibbsSampling) and inference.n_burn_in >= inference.n_iterations:
            return f"{key} is left out: it keeps no sweep, because burn-in T_c must be below the sweeps T."
        try:
            inference.refuse(LabelCoding.of(data.Y))
            if inference.needs_probabilities or settings.get("decide"):
                with_probabilities(as_learner(method.estimator))
        except (ValueError, TypeError) as error:
            return f"{key} is left out. {error}"
    n_columns = data.n_labels if data.is_multilabel else LabelCoding.of(data.Y).n_columns
    try:
        method.memory_needed(Size.of(data.X, data.Y, n_columns)).refuse("it")
    except MemoryBudgetError as error:
        return f"{key} is left out: {error}"
    return None


def about_gaps(completed: Mapping[str, BaseEstimator], fill: str, data: Dataset) -> str:
    """Return in a sentence or two what becomes of missing features in methods as `with_preprocessing` makes them."""
    filled = [key for key, method in completed.items() if "fill" in getattr(method, "named_steps", ())]
    unfilled = [key for key in completed if key not in filled]
    sentences = []
    if filled:
        n = n_gaps(data)
        of_some = f" for {', '.join(filled)}" * bool(unfilled)
        sentences.append(
            f"{counted(n, 'missing feature cell')} {agreed(n, 'is', 'are')} filled with {FILLED_WITH[fill]}{of_some}."
        )
    if unfilled:
        sentences.append(
            f"{', '.join(unfilled)} {agreed(len(unfilled), 'takes', 'take')} missing feature cells as they are."
        )
    return " ".join(sentences)


def calibrates(key: str, estimator: BaseEstimator, settings: Settings) -> bool:
    """Return whether a method needs probabilities that its base learner gives only by a model on its scores."""
    offered = inspect.signature(METHODS[key].method).parameters
    if "estimator" not in offered or as_learner(estimator).gives_probabilities:
        return False
    asked = {"voting": "soft", "payoff": "log-likelihood", "maximize": "marginals"}
    samples = infers(key) and inference_of(key, settings).needs_probabilities
    return (
        bool(settings.get("decide"))
        or samples
        or any(
            parameter in offered and value_of(key, parameter, settings) == value for parameter, value in asked.items()
        )
    )


def unfit(learner: BaseLearner, estimator: BaseEstimator, scaling: str, data: Dataset) -> str | None:
    """Return in one sentence why a base learner cannot take these features, or None."""
    takes_sparse = get_tags(IndependentClassifiers(estimator)).input_tags.sparse
    if not takes_sparse and not data.is_dense:
        return (
            f"{learner.name} takes dense features only, but those of {data.name} are sparse. Choose another base "
            "learner."
        )
    cells = data.X.data if sparse.issparse(data.X) else data.X
    if (
        get_tags(estimator).input_tags.positive_only
        and np.nanmin(cells, initial=0.0) < 0
        and not (data.is_dense and scaling == SCALINGS[1])
    ):
        choose = f"Choose features “{SCALINGS[1]}”" if data.is_dense else "Choose another base learner"
        return f"{learner.name} refuses negative features, and {data.name} has some. {choose}."
    return None


def fits_at_once(estimator: BaseEstimator) -> bool:
    """Return whether a base learner is least squares on the features as they are, which takes no waiting."""
    return isinstance(estimator, LeastSquares) and estimator.features is None


def default_methods(data: Dataset) -> tuple[dict[str, BaseEstimator], str]:
    """Return IC, CC and CT as Train makes them by default, and the score that they decide for."""
    shape, score = Shape.default(data.n_labels), decisions(data)[0]
    estimator, settings = AUTOMATIC.make(AUTOMATIC.default, 0), {"decide": DECISIONS[score]}
    made = {key: with_preprocessing(method(key, estimator, settings, shape, 0), SCALINGS[0], data) for key in FIRST}
    return made, score
