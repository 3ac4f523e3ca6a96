"""What is compared: structures with base learners, each deciding for the same score."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from math import log2

import numpy as np
from scipy import sparse
from sklearn.base import BaseEstimator
from sklearn.dummy import DummyClassifier
from sklearn.ensemble import RandomForestClassifier
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import FunctionTransformer

from trellislib.data.dataset import Dataset
from trellislib.experiment.costs import Costs
from trellislib.learners import LeastSquares, Logistic
from trellislib.methods import METHODS, IndependentClassifiers, StackedIndependentClassifiers
from trellislib.methods.preprocessing import FILLS, SCALINGS, with_preprocessing
from trellislib.typing import Matrix

BASELINE = "baseline"
INDEPENDENT = "IC"
STACKED = "Stacked"
"""As deep as a chain and without label dependence: how much of a structure's lead is from depth alone."""
STRUCTURES = ("CT", "ECT", "CC", "ECC")
"""Methods with a label graph that are compared with independent classifiers, by their keys in `METHODS`."""

TIMES_INDEPENDENT = {
    BASELINE: 1.0,
    INDEPENDENT: 1.0,
    "CT": 1.5,
    "CC": 1.5,
    "ECT": 4.0,
    "ECC": 4.0,
    STACKED: 7.0,
}  # about what their fits take
N_TREES = 30


@dataclass(frozen=True)
class Learner:
    """A base learner that is compared.

    Attributes
    ----------
    name : str
        As in "with logistic regression".
    make : callable
        ``make(seed)`` returns it.
    scaling : str
        One of `trellislib.methods.preprocessing.SCALINGS`.
    seconds : callable
        Of `trellislib.experiment.costs.Costs`, about what independent classifiers take that decide for a score.
    dense_only : bool
        Whether sparse features make it too slow.
    """

    name: str
    make: Callable[[int], BaseEstimator]
    scaling: str
    seconds: Callable[[Costs], float]
    dense_only: bool = False


def _tree_seconds(costs: Costs) -> float:
    of_one = 2e-8 * costs.n_instances * log2(costs.n_instances + 1) * costs.n_features**0.5
    return costs.n_labels * (0.2 + 2 * N_TREES * of_one)


LEARNERS: dict[str, Learner] = {
    "auto": Learner(
        "least squares on automatic features",
        lambda seed: LeastSquares("loo", features="auto"),
        SCALINGS[0],
        lambda c: 1.5 * c.automatic,
    ),
    "logistic": Learner(
        "logistic regression",
        lambda seed: Logistic(),
        SCALINGS[2],
        lambda c: 0.05 + 1e-7 * c.n_instances * c.n_features * c.n_labels,
    ),
    "forest": Learner(
        "a random forest",
        lambda seed: RandomForestClassifier(N_TREES, min_samples_leaf=2, random_state=seed),
        SCALINGS[0],
        _tree_seconds,
        dense_only=True,
    ),
}
"""Base learners by their keys: the first one first, the others if there is time."""


@dataclass(frozen=True)
class Candidate:
    """A method that is compared.

    Attributes
    ----------
    structure : str
        Its key in `trellislib.methods.METHODS`, ``"Stacked"``, or ``"baseline"``: the same labels for every row.
    learner : str
        Its base learner's key in `LEARNERS`; empty of the baseline.
    method : estimator
        Not fitted.
    """

    structure: str
    learner: str
    method: BaseEstimator

    @property
    def name(self) -> str:
        """As in a table: "CT, auto"."""
        return name_of(self.structure, self.learner)

    @property
    def in_words(self) -> str:
        """As in a sentence: "CT with logistic regression"."""
        return f"{self.structure} with {LEARNERS[self.learner].name}" if self.learner else self.structure

    @property
    def has_structure(self) -> bool:
        """Whether it has a label graph with edges."""
        return self.structure in STRUCTURES


def candidate(dataset: Dataset, structure: str, learner: str, score: str, seed: int) -> Candidate:
    """Return a structure with a base learner as it is compared on a data set, deciding for a score."""
    if structure == BASELINE:
        guess = IndependentClassifiers(DummyClassifier(strategy="prior"), decide=score)
        return Candidate(BASELINE, "", make_pipeline(FunctionTransformer(_none, accept_sparse=True), guess))
    method = method_of(structure, learner, score, seed)
    return Candidate(structure, learner, with_preprocessing(method, LEARNERS[learner].scaling, dataset, FILLS[0]))


def _none(X: Matrix) -> np.ndarray:
    """Return features that tell no row from another."""
    return np.zeros((X.shape[0], 1))


def method_of(structure: str, learner: str, score: str, seed: int) -> BaseEstimator:
    """Return a structure with a base learner, deciding for a score, without what comes before it."""
    made = StackedIndependentClassifiers if structure == STACKED else METHODS[structure].method
    seeded = {"random_state": seed} if "random_state" in made().get_params(deep=False) else {}
    return made(LEARNERS[learner].make(seed), decide=score, **seeded)


def name_of(structure: str, learner: str) -> str:
    """Return the name of a structure with a base learner, as in a table: "CT, auto"."""
    return f"{structure}, {learner}" if learner else structure


def about_seconds(structure: str, learner: str, dataset: Dataset, n_rows: int | None = None) -> float:
    """Return about how long a fit that decides for a score takes, on all rows of a data set or on some.

    Of sparse features the cells that are not 0 count.
    """
    n_cells = dataset.X.nnz // dataset.n_instances + 1 if sparse.issparse(dataset.X) else dataset.n_features
    costs = Costs(n_rows or dataset.n_instances, n_cells, dataset.n_labels)
    return LEARNERS[learner].seconds(costs) * TIMES_INDEPENDENT[structure]
