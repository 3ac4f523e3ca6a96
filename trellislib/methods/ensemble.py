"""Ensembles of methods of one label graph: random chains, discovered graphs, trellises, random graphs."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Sequence

import numpy as np
from sklearn.base import BaseEstimator, clone
from sklearn.utils import check_random_state

from trellislib.checks import require_integer
from trellislib.graphs import random_pairs, random_tree
from trellislib.inference import Inference, Inferred
from trellislib.label_graph import UndirectedLabelGraph
from trellislib.learners import Training
from trellislib.methods.base import MultiOutputMethod
from trellislib.methods.bayesian import BayesianClassifierChain, discovered_graphs
from trellislib.methods.chain import ClassifierChain
from trellislib.methods.dependency_network import ConditionalDependencyNetwork
from trellislib.methods.label_graph import probabilistic
from trellislib.methods.thresholds import check_rule, decided, tuned_thresholds
from trellislib.methods.trellis import ClassifierDependencyTrellis, ClassifierTrellis, dependence_matrix
from trellislib.progress import Cancelled, Progress, part_of
from trellislib.typing import Matrix

VOTINGS = ("hard", "soft")


class Ensemble(MultiOutputMethod):
    """Several methods that vote, label by label; a subclass says which.

    A label of more than two values takes the value with most votes, ties going to the lower value.

    Parameters
    ----------
    estimator : learner or classifier, optional
        Base learner: one of `trellislib.learners` or any scikit-learn classifier; least squares by default. Give
        it, as in ``estimator=LeastSquares()``, to tune its parameters: ``estimator__alpha``.
    n_estimators : int, default=10
        Number of members, M.
    max_samples : float, default=1.0
        Share of the training rows that each member sees, drawn without replacement; the authors' code uses 0.67.
    voting : {"hard", "soft"}, default="hard"
        Whether members vote for values, or their probabilities are averaged.
    threshold : float or {"cardinality", "per-label"}, default=0.5
        Share of votes above which a binary label is relevant, or how it is chosen by cross-validation on the
        training rows; see `trellislib.ThresholdedClassifier`.
    random_state : int, RandomState or None
        Seed of the members. Every member gets a seed of its own.

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
    """

    def __init__(
        self,
        estimator: BaseEstimator | None = None,
        *,
        n_estimators: int = 10,
        max_samples: float = 1.0,
        voting: str = "hard",
        threshold: float | str = 0.5,
        random_state: int | np.random.RandomState | None = None,
    ) -> None:
        self.estimator = estimator
        self.n_estimators = n_estimators
        self.max_samples = max_samples
        self.voting = voting
        self.threshold = threshold
        self.random_state = random_state

    @abstractmethod
    def _members(self, training: Training, seeds: Sequence[int]) -> list[MultiOutputMethod]:
        """Return the members, not fitted, each with one of the seeds."""

    def _fit(self, training: Training, progress: Progress | None, cancelled: Cancelled | None) -> None:
        require_integer("n_estimators", self.n_estimators)
        if self.voting not in VOTINGS:
            raise ValueError(f"Got voting={self.voting!r}, but expected one of {VOTINGS}.")
        if not 0 < self.max_samples <= 1:
            raise ValueError(f"Got max_samples={self.max_samples}, but expected a share above 0 and at most 1.")
        check_rule(self.threshold)
        if self.voting == "soft":
            training = probabilistic(training)
        rng = check_random_state(self.random_state)
        spawned = np.random.SeedSequence(int(rng.randint(2**31))).spawn(self.n_estimators)
        members = self._members(training, [int(seed.generate_state(1)[0]) for seed in spawned])
        steps = 2 if isinstance(self.threshold, str) else 1
        plain = clone(self).set_params(threshold=0.5)
        first, last = part_of(progress, 0, steps), part_of(progress, steps - 1, steps)
        self.threshold_ = tuned_thresholds(self.threshold, plain, training, rng, progress=first, cancelled=cancelled)
        n_drawn = max(round(self.max_samples * training.training_set.n_instances), 1)
        self.estimators_ = []
        for number, member in enumerate(members):
            seen = training
            if self.max_samples < 1:
                drawn = np.random.default_rng(spawned[number]).permutation(training.training_set.n_instances)[:n_drawn]
                seen = training.learner.prepare(training.training_set.rows(np.sort(drawn)))
            self.estimators_.append(member._fit_training(seen, part_of(last, number, len(members)), cancelled))

    def _cells(self) -> int:
        return max(member._cells() for member in self.estimators_)

    def _infer(self, X: Matrix) -> Inferred:
        return decided(self._probabilities(X), self.threshold_, self.coding_)

    def _probabilities(self, X: Matrix) -> np.ndarray:
        votes = np.zeros((self.coding_.n_columns, X.shape[0]))
        for member in self.estimators_:
            votes += member._probabilities(X) if self.voting == "soft" else member._infer(X).columns
        return votes / len(self.estimators_)


class EnsembleClassifierChains(Ensemble):
    """Ensemble of classifier chains (ECC): chains in random orders that vote, label by label.

    Ten random chains average out a bad order and errors handed down; training and prediction cost M times a chain's.
    The paper's text says ten members and a majority vote, which is the default; its numbers fit the authors' code
    better, which is ``max_samples=0.67, voting="soft", threshold="cardinality"`` (the threshold being chosen here on
    training rows only).

    Parameters
    ----------
    estimator : learner or classifier, optional
        Base learner: one of `trellislib.learners` or any scikit-learn classifier; least squares by default. Give
        it, as in ``estimator=LeastSquares()``, to tune its parameters: ``estimator__alpha``.
    n_estimators : int, default=10
        Number of members, M.
    max_samples : float, default=1.0
        Share of the training rows that each member sees, drawn without replacement; the authors' code uses 0.67.
    voting : {"hard", "soft"}, default="hard"
        Whether members vote for values, or their probabilities are averaged.
    threshold : float or {"cardinality", "per-label"}, default=0.5
        Share of votes above which a binary label is relevant, or how it is chosen by cross-validation on the
        training rows; see `trellislib.ThresholdedClassifier`.
    random_state : int, RandomState or None
        Seed of the orders and of the rows. Every member gets a seed of its own.

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
    Section 3.2 of the paper. Read et al., "Classifier chains for multi-label classification", Machine Learning
    85 (2011).

    Examples
    --------
    >>> from trellislib import EnsembleClassifierChains
    >>> X, Y = [[0.0], [0.2], [0.8], [1.0]], [[0, 1], [0, 1], [1, 0], [1, 0]]
    >>> EnsembleClassifierChains(random_state=0).fit(X, Y).predict([[0.1], [0.9]])
    array([[0, 1],
           [1, 0]])
    """

    def _members(self, training: Training, seeds: Sequence[int]) -> list[MultiOutputMethod]:
        return [ClassifierChain(self.estimator, order="random", random_state=seed) for seed in seeds]


class EnsembleBayesianClassifierChains(Ensemble):
    """Ensemble of Bayesian classifier chains (EBCC): discovered graphs, each directed away from another label.

    There are at most as many members as labels, min(10, L) in the paper.

    Parameters
    ----------
    estimator : learner or classifier, optional
        Base learner: one of `trellislib.learners` or any scikit-learn classifier; least squares by default. Give
        it, as in ``estimator=LeastSquares()``, to tune its parameters: ``estimator__alpha``.
    structure, max_parents, level, residuals
        As for `BayesianClassifierChain`.
    n_estimators : int, default=10
        Number of members, M.
    max_samples : float, default=1.0
        Share of the training rows that each member sees, drawn without replacement; the authors' code uses 0.67.
    voting : {"hard", "soft"}, default="hard"
        Whether members vote for values, or their probabilities are averaged.
    threshold : float or {"cardinality", "per-label"}, default=0.5
        Share of votes above which a binary label is relevant, or how it is chosen by cross-validation on the
        training rows; see `trellislib.ThresholdedClassifier`.
    inference : Inference, optional
        How each member decides; `trellislib.Greedy` by default.
    random_state : int, RandomState or None
        Seed of the roots and of the rows. Every member gets a seed of its own.

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
    Sections 3.3 and 3.6 of the paper. Zaragoza et al., "Bayesian chain classifiers for multidimensional
    classification", IJCAI 2011.

    Examples
    --------
    >>> from trellislib import EnsembleBayesianClassifierChains
    >>> X, Y = [[0.0], [0.2], [0.8], [1.0]], [[0, 1], [0, 1], [1, 0], [1, 0]]
    >>> EnsembleBayesianClassifierChains(random_state=0).fit(X, Y).predict([[0.1], [0.9]])
    array([[0, 1],
           [1, 0]])
    """

    def __init__(
        self,
        estimator: BaseEstimator | None = None,
        *,
        structure: str = "fs",
        max_parents: int = 3,
        level: float = 0.01,
        residuals: str = "signed",
        n_estimators: int = 10,
        max_samples: float = 1.0,
        voting: str = "hard",
        threshold: float | str = 0.5,
        inference: Inference | None = None,
        random_state: int | np.random.RandomState | None = None,
    ) -> None:
        super().__init__(
            estimator,
            n_estimators=n_estimators,
            max_samples=max_samples,
            voting=voting,
            threshold=threshold,
            random_state=random_state,
        )
        self.structure = structure
        self.max_parents = max_parents
        self.level = level
        self.residuals = residuals
        self.inference = inference

    def _members(self, training: Training, seeds: Sequence[int]) -> list[MultiOutputMethod]:
        n_labels = training.training_set.n_labels
        rng = np.random.RandomState(seeds[0])
        graphs = discovered_graphs(
            self.structure,
            training,
            rng.permutation(n_labels)[: self.n_estimators].tolist(),
            rng,
            max_parents=self.max_parents,
            level=self.level,
            residuals=self.residuals,
        )
        return [
            BayesianClassifierChain(self.estimator, structure=graph, inference=self.inference, random_state=seed)
            for graph, seed in zip(graphs, seeds, strict=False)
        ]


class EnsembleClassifierTrellises(Ensemble):
    """Ensemble of classifier trellises (ECT): trellises that start from random labels and vote.

    Training and prediction cost M times a trellis's. In the paper ten hardly do better than one.

    Parameters
    ----------
    estimator : learner or classifier, optional
        Base learner: one of `trellislib.learners` or any scikit-learn classifier; least squares by default. Give
        it, as in ``estimator=LeastSquares()``, to tune its parameters: ``estimator__alpha``.
    width, parents, placement, dependence
        As for `ClassifierTrellis`.
    n_estimators : int, default=10
        Number of members, M.
    max_samples : float, default=1.0
        Share of the training rows that each member sees, drawn without replacement; the authors' code uses 0.67.
    voting : {"hard", "soft"}, default="hard"
        Whether members vote for values, or their probabilities are averaged.
    threshold : float or {"cardinality", "per-label"}, default=0.5
        Share of votes above which a binary label is relevant, or how it is chosen by cross-validation on the
        training rows; see `trellislib.ThresholdedClassifier`.
    inference : Inference, optional
        How each member decides, as for `ClassifierTrellis`.
    random_state : int, RandomState or None
        Seed of the placements and of the rows. Every member gets a seed of its own.

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
    Section 4 of the paper.

    Examples
    --------
    >>> from trellislib import EnsembleClassifierTrellises
    >>> X, Y = [[0.0], [0.2], [0.8], [1.0]], [[0, 1], [0, 1], [1, 0], [1, 0]]
    >>> EnsembleClassifierTrellises(random_state=0).fit(X, Y).predict([[0.1], [0.9]])
    array([[0, 1],
           [1, 0]])
    """

    _member = ClassifierTrellis

    def __init__(
        self,
        estimator: BaseEstimator | None = None,
        *,
        width: int | None = None,
        parents: str | Sequence[tuple[int, int]] = "left-up",
        placement: str = "hill-climbing",
        dependence: str | np.ndarray = "mutual-information",
        n_estimators: int = 10,
        max_samples: float = 1.0,
        voting: str = "hard",
        threshold: float | str = 0.5,
        inference: Inference | None = None,
        random_state: int | np.random.RandomState | None = None,
    ) -> None:
        super().__init__(
            estimator,
            n_estimators=n_estimators,
            max_samples=max_samples,
            voting=voting,
            threshold=threshold,
            random_state=random_state,
        )
        self.width = width
        self.parents = parents
        self.placement = placement
        self.dependence = dependence
        self.inference = inference

    def _members(self, training: Training, seeds: Sequence[int]) -> list[MultiOutputMethod]:
        dependence = self.dependence
        if self.placement != "random":
            dependence = dependence_matrix(dependence, training.training_set)  # once for all members
        return [
            self._member(
                self.estimator,
                width=self.width,
                parents=self.parents,
                placement=self.placement,
                dependence=dependence,
                inference=self.inference,
                random_state=seed,
            )
            for seed in seeds
        ]


class EnsembleClassifierDependencyTrellises(EnsembleClassifierTrellises):
    """Ensemble of classifier dependency trellises (ECDT): undirected trellises, each sampled, that vote.

    The paper names it and leaves it out for its price in prediction, M times T sweeps over all labels.

    Parameters
    ----------
    estimator : learner or classifier, optional
        Base learner: one of `trellislib.learners` or any scikit-learn classifier; least squares by default. Give
        it, as in ``estimator=LeastSquares()``, to tune its parameters: ``estimator__alpha``.
    width, parents, placement, dependence
        As for `ClassifierTrellis`.
    n_estimators : int, default=10
        Number of members, M.
    max_samples : float, default=1.0
        Share of the training rows that each member sees, drawn without replacement; the authors' code uses 0.67.
    voting : {"hard", "soft"}, default="hard"
        Whether members vote for values, or their probabilities are averaged.
    threshold : float or {"cardinality", "per-label"}, default=0.5
        Share of votes above which a binary label is relevant, or how it is chosen by cross-validation on the
        training rows; see `trellislib.ThresholdedClassifier`.
    inference : Inference, optional
        How each member decides, as for `ClassifierDependencyTrellis`.
    random_state : int, RandomState or None
        Seed of the placements, the rows and sampling. Every member gets a seed of its own.

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
    Section 4 of the paper.

    Examples
    --------
    >>> from trellislib import EnsembleClassifierDependencyTrellises
    >>> X, Y = [[0.0], [0.2], [0.8], [1.0]], [[0, 1], [0, 1], [1, 0], [1, 0]]
    >>> EnsembleClassifierDependencyTrellises(random_state=0).fit(X, Y).predict([[0.1], [0.9]])
    array([[0, 1],
           [1, 0]])
    """

    _member = ClassifierDependencyTrellis


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
        random_state: int | np.random.RandomState | None = None,
    ) -> None:
        super().__init__(
            estimator,
            n_estimators=n_estimators,
            max_samples=max_samples,
            voting=voting,
            threshold=threshold,
            random_state=random_state,
        )
        self.graph = graph
        self.inference = inference

    def _members(self, training: Training, seeds: Sequence[int]) -> list[MultiOutputMethod]:
        if self.graph not in RANDOM_GRAPHS:
            raise ValueError(f"Got graph={self.graph!r}, but expected one of {tuple(RANDOM_GRAPHS)}.")
        draw, n_labels = RANDOM_GRAPHS[self.graph], training.training_set.n_labels
        return [
            _OverGraph(self.estimator, draw(n_labels, random_state=seed), self.inference, random_state=seed)
            for seed in seeds
        ]


RANDOM_GRAPHS = {"tree": random_tree, "pairs": random_pairs}


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

    def _label_graph(self, training: Training, rng: np.random.RandomState) -> UndirectedLabelGraph:
        return self.graph
