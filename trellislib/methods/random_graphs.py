"""The random graph ensemble."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from sklearn.base import BaseEstimator

from trellislib.graphs import random_pairs, random_tree
from trellislib.inference import Inference
from trellislib.labels.graph import UndirectedLabelGraph
from trellislib.learners import Training
from trellislib.methods.base import MultiOutputMethod
from trellislib.methods.dependency_network import ConditionalDependencyNetwork
from trellislib.methods.ensemble import Ensemble
from trellislib.running.progress import Cancelled

RANDOM_GRAPHS = {"tree": random_tree, "pairs": random_pairs}


class RandomGraphEnsemble(Ensemble):
    """Random graph ensemble (RGE): dependency networks over random undirected graphs that average their marginals.

    Training costs M times L fits on D plus a few inputs, whatever the number of labels; prediction M times T sweeps.

    Parameters
    ----------
    estimator : learner or classifier, optional
        Base learner: one of `trellislib.learners` or any scikit-learn classifier; least squares by default. Give
        it, as in ``estimator=LeastSquares()``, to tune its parameters: ``estimator__alpha``.
    graph : {"tree", "pairs"}, default="tree"
        Whether each member has a random spanning tree, or each label in a random pair.
    n_estimators : int, default=10
        Number of members, M.
    max_samples : float, default=1.0
        Share of the training rows that each member sees, drawn without replacement; the authors' code uses 0.67.
    voting : {"hard", "soft"}, default="soft"
        Whether members vote for values, or their probabilities are averaged.
    threshold : float or {"cardinality", "per-label"}, default=0.5
        Share of votes above which a binary label is relevant, or how it is chosen by cross-validation on the
        training rows; see `trellislib.ThresholdedClassifier`.
    inference : Inference, optional
        How each member decides; `trellislib.GibbsSampling` by default.
    n_jobs : int, optional
        Members fitted at a time, as joblib counts; by default one, or what ``joblib.parallel_config`` says. Threads
        are used where it names no backend.
    random_state : int, RandomState or None
        Seed of the graphs, the rows and sampling. Every member gets a seed of its own.

    Attributes
    ----------
    estimators_ : list
        The fitted members.
    threshold_ : float or ndarray of shape (n_labels,)
        Above which votes a label is relevant.
    coding_ : LabelCoding
        The values of the labels, and the columns that stand for them.
    classes_ : list of ndarray, or ndarray where `y` had one dimension
        The values of each label.
    n_features_in_ : int
        Number of features seen in `fit`.
    feature_names_in_, label_names_in_ : ndarray
        Names of features and labels, where `X` and `y` were data frames with names.

    References
    ----------
    Section 3.5 of the paper. Su and Rousu, "Multilabel classification through random graph ensembles", Machine
    Learning 99 (2015), whose members are max-margin Markov networks; here they are dependency networks.

    Examples
    --------
    >>> from trellislib import RandomGraphEnsemble
    >>> X, Y = [[0.0], [0.2], [0.8], [1.0]], [[0, 1], [0, 1], [1, 0], [1, 0]]
    >>> RandomGraphEnsemble(random_state=0).fit(X, Y).predict([[0.1], [0.9]])
    array([[0, 1],
           [1, 0]])
    """

    def __init__(
        self,
        estimator: BaseEstimator | None = None,
        *,
        graph: str = "tree",
        n_estimators: int = 10,
        max_samples: float = 1.0,
        voting: str = "soft",
        threshold: float | str = 0.5,
        inference: Inference | None = None,
        n_jobs: int | None = None,
        random_state: int | np.random.RandomState | None = None,
    ) -> None:
        super().__init__(
            estimator,
            n_estimators=n_estimators,
            max_samples=max_samples,
            voting=voting,
            threshold=threshold,
            n_jobs=n_jobs,
            random_state=random_state,
        )
        self.graph = graph
        self.inference = inference

    def _members(
        self, training: Training, seeds: Sequence[int], cancelled: Cancelled | None
    ) -> list[MultiOutputMethod]:
        if self.graph not in RANDOM_GRAPHS:
            raise ValueError(f"Got graph={self.graph!r}, but expected one of {tuple(RANDOM_GRAPHS)}.")
        draw, n_labels = RANDOM_GRAPHS[self.graph], training.training_set.n_labels
        return [
            _OverGraph(self.estimator, draw(n_labels, random_state=seed), self.inference, random_state=seed)
            for seed in seeds
        ]


class _OverGraph(ConditionalDependencyNetwork):
    """A dependency network over a given graph."""

    def __init__(
        self,
        estimator: BaseEstimator | None,
        graph: UndirectedLabelGraph,
        inference: Inference | None,
        random_state: int,
    ) -> None:
        super().__init__(estimator, inference=inference, random_state=random_state)
        self.graph = graph

    def _label_graph(
        self, training: Training, rng: np.random.RandomState, cancelled: Cancelled | None
    ) -> UndirectedLabelGraph:
        return self.graph
