"""Small problems whose every label vector can be looked at."""

from dataclasses import dataclass
from itertools import product

import numpy as np
import pytest
from sklearn.linear_model import LogisticRegression

from trellislib.inference.draws import Draws
from trellislib.labels.coding import LabelCoding, with_first_value
from trellislib.labels.graph import LabelGraph
from trellislib.learners import Conditionals, Given, LeastSquares, PerLabel
from trellislib.learners.training_set import TrainingSet

N_INSTANCES = 7
LEARNERS = {"least-squares": LeastSquares(0.1), "logistic": PerLabel(LogisticRegression())}


@dataclass
class Problem:
    """Fitted conditionals of some instances, and what follows from their product over the labels."""

    fitted: Conditionals
    graph: LabelGraph
    coding: LabelCoding
    X: np.ndarray

    @property
    def given(self) -> Given:
        return self.fitted.given(self.X)

    def infer(self, inference, seed=0, which=slice(None)):
        X = self.X[which]
        return inference.infer(self.fitted.given(X), self.graph, self.coding, len(X), Draws(X, seed))

    def enumerate(self):
        """Return every vector of codes, one a row, and its probability, (n_vectors, n_instances)."""
        given, labels = self.given, range(self.coding.n_labels)
        vectors = np.array(list(product(*(range(width + 1) for width in np.diff(self.coding.starts)))))
        joint = np.ones((len(vectors), len(self.X)))
        for vector, codes in enumerate(vectors):
            Z = self.coding.indicators(np.repeat(codes[:, None], len(self.X), axis=1), labels)
            for label, code in enumerate(codes):
                joint[vector] *= with_first_value(given.probabilities((label,), Z))[code]
        return vectors, joint

    def marginals(self):
        """Return the probability of each column, summed over all vectors."""
        vectors, joint = self.enumerate()
        return self.coding.indicators(vectors.T, range(self.coding.n_labels)) @ joint


def make_problem(learner, n_values=(2, 3, 2, 4), chain=False, seed=0):
    """Labels that depend on one feature and on those before them in a random order; a chain or a random DAG."""
    rng = np.random.default_rng(seed)
    order = rng.permutation(len(n_values)).tolist()
    parents = [()] * len(n_values)
    for place, label in enumerate(order):
        parents[label] = tuple(other for other in order[:place] if rng.random() < 0.6)
    X = rng.standard_normal((80, 2))
    common = X[:, :1] + rng.standard_normal((80, 1))
    ranks = (common + rng.standard_normal((80, len(n_values)))).argsort(axis=0).argsort(axis=0)
    Y = ranks * np.array(n_values) // 80
    graph = LabelGraph.chain(order) if chain else LabelGraph(parents, order)
    training_set = TrainingSet.of(X, Y)
    return Problem(LEARNERS[learner].prepare(training_set).fit(graph), graph, training_set.coding, X[:N_INSTANCES])


@pytest.fixture(
    scope="module",
    params=[
        f"{learner}-{graph}-{kind}"
        for learner in LEARNERS
        for graph in ("chain", "dag")
        for kind in ("binary", "valued")
    ],
)
def problem(request):
    *learner, graph, kind = request.param.split("-")
    n_values = (2, 2, 2, 2, 2) if kind == "binary" else (2, 3, 2, 4)
    return make_problem("-".join(learner), n_values, graph == "chain")


@pytest.fixture
def problems():
    """Make a problem: of a learner's name, numbers of values, whether the graph is a chain, and a seed."""
    return make_problem
