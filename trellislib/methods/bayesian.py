"""Bayesian classifier chains, along a directed graph that is discovered: one, and an ensemble."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from sklearn.base import BaseEstimator

from trellislib.dependence import Evidence, LabelEvidence
from trellislib.dependence.information import WHOLE_LABELS
from trellislib.graphs import lead_evidence, mutual_information_tree, pc
from trellislib.graphs.fs import grown_from_roots
from trellislib.inference import Inference
from trellislib.labels.graph import LabelGraph
from trellislib.learners import Training, with_probabilities
from trellislib.methods.base import MultiOutputMethod
from trellislib.methods.ensemble import Ensemble
from trellislib.methods.label_graph import KnownGraphClassifier
from trellislib.running.memory import FLOAT, Need, Size
from trellislib.running.progress import Cancelled

STRUCTURES = ("fs", "lead", "tree", "pc")


class BayesianClassifierChain(KnownGraphClassifier):
    """Bayesian classifier chain (BCC): each label is predicted from the features and its parents in a discovered graph.

    Fewer inputs than in a full chain, at the price of finding the graph. The seed gives the label from which edges
    lead away.

    Parameters
    ----------
    estimator : learner or classifier, optional
        Base learner: one of `trellislib.learners` or any scikit-learn classifier; least squares by default. Give
        it, as in ``estimator=LeastSquares()``, to tune its parameters: ``estimator__alpha``.
    structure : {"fs", "lead", "tree", "pc"} or LabelGraph, default="fs"
        How the graph is found: by marginal dependence (`trellislib.graphs.fs`), by what independent classifiers of
        the base learner leave unexplained (`trellislib.graphs.lead`), as the maximum spanning tree of the mutual
        information (`trellislib.graphs.mutual_information_tree`), by the PC algorithm (`trellislib.graphs.pc`, an
        optional extra); or the graph.
    max_parents : int, default=3
        Parents of a label at most, for FS, LEAD and PC.
    level : float, default=0.01
        Level of the tests, for FS, LEAD and PC.
    residuals : {"signed", "error"}, default="signed"
        What LEAD looks at; "error" is the paper's.
    inference : Inference, optional
        How labels are decided; `trellislib.Greedy` by default.
    random_state : int, RandomState or None
        Seed of the root and of sampling.

    Attributes
    ----------
    graph_ : LabelGraph
        The structure between the labels.
    conditionals_ : Conditionals
        The fitted p(y_l | x, y_parents).
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
    Section 3.3 of the paper. Zaragoza et al., "Bayesian chain classifiers for multidimensional classification",
    IJCAI 2011.

    Examples
    --------
    >>> from trellislib import BayesianClassifierChain
    >>> X, Y = [[0.0], [0.2], [0.8], [1.0]], [[0, 1], [0, 1], [1, 0], [1, 0]]
    >>> BayesianClassifierChain(random_state=0).fit(X, Y).predict([[0.1], [0.9]])
    array([[0, 1],
           [1, 0]])
    """

    def __init__(
        self,
        estimator: BaseEstimator | None = None,
        *,
        structure: str | LabelGraph = "fs",
        max_parents: int = 3,
        level: float = 0.01,
        residuals: str = "signed",
        inference: Inference | None = None,
        random_state: int | np.random.RandomState | None = None,
    ) -> None:
        super().__init__(estimator)
        self.structure = structure
        self.max_parents = max_parents
        self.level = level
        self.residuals = residuals
        self.inference = inference
        self.random_state = random_state

    def memory_needed(self, size: Size) -> Need:
        """Return about how much memory `fit` takes; see `MultiOutputMethod.memory_needed`."""
        return super().memory_needed(size) + structure_memory(self.structure, size.n_columns)

    def _reads_rows(self) -> str | None:
        counted = isinstance(self.structure, LabelGraph) or self.structure == "tree"
        return None if counted else f"{type(self).__name__}(structure={self.structure!r})"

    def _label_graph(self, training: Training, rng: np.random.RandomState, cancelled: Cancelled | None) -> LabelGraph:
        if isinstance(self.structure, LabelGraph):
            if self.structure.n_labels != training.training_set.n_labels:
                raise ValueError(
                    f"Got a structure of {self.structure.n_labels} labels, but expected "
                    f"{training.training_set.n_labels}."
                )
            return self.structure
        root = int(rng.randint(training.training_set.n_labels))
        found = discovered_graphs(
            self.structure,
            training,
            [root],
            rng,
            cancelled,
            max_parents=self.max_parents,
            level=self.level,
            residuals=self.residuals,
        )
        return found[0]


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
    n_jobs : int, optional
        Members fitted at a time, as joblib counts; by default one, or what ``joblib.parallel_config`` says. Threads
        are used where it names no backend.
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
        self.structure = structure
        self.max_parents = max_parents
        self.level = level
        self.residuals = residuals
        self.inference = inference

    def memory_needed(self, size: Size) -> Need:
        """Return about how much memory `fit` takes; see `MultiOutputMethod.memory_needed`."""
        return super().memory_needed(size) + structure_memory(self.structure, size.n_columns)

    def _reads_rows(self) -> str | None:
        if self.structure != "tree":
            return f"{type(self).__name__}(structure={self.structure!r})"
        return super()._reads_rows()

    def _members(
        self, training: Training, seeds: Sequence[int], cancelled: Cancelled | None
    ) -> list[MultiOutputMethod]:
        n_labels = training.training_set.n_labels
        rng = np.random.RandomState(seeds[0])
        graphs = discovered_graphs(
            self.structure,
            training,
            rng.permutation(n_labels)[: self.n_estimators].tolist(),
            rng,
            cancelled,
            max_parents=self.max_parents,
            level=self.level,
            residuals=self.residuals,
        )
        return [
            BayesianClassifierChain(self.estimator, structure=graph, inference=self.inference, random_state=seed)
            for graph, seed in zip(graphs, seeds, strict=False)
        ]


def structure_memory(structure: str | LabelGraph, n_columns: int) -> Need:
    """Return what finding a structure takes: that of residuals holds several matrices of all pairs."""
    held = 6 * n_columns**2 if structure == "lead" else 3 * min(n_columns, WHOLE_LABELS) ** 2
    return Need(FLOAT * held, f"a matrix of all pairs of {n_columns} label columns", "use structure='fs' or 'tree'")


def discovered_graphs(
    structure: str,
    training: Training,
    roots: Sequence[int],
    rng: np.random.RandomState,
    cancelled: Cancelled | None,
    *,
    max_parents: int,
    level: float,
    residuals: str,
) -> list[LabelGraph]:
    """Return the graph of each root; what they have in common is computed once."""
    if structure not in STRUCTURES:
        raise ValueError(f"Got structure={structure!r}, but expected one of {STRUCTURES}.")
    data = training.training_set
    if structure == "tree":
        return [mutual_information_tree(data.information, root) for root in roots]
    if structure == "pc":
        if data.weight is not None:
            raise ValueError("Got sample_weight, but structure='pc' counts every instance once: use 'fs', for example.")
        return [pc(data.Y, level=level, max_parents=max_parents, root=root) for root in roots]
    if structure == "fs":
        evidence: Evidence = LabelEvidence.of(data.Y, data.weight)
    else:
        learner = with_probabilities(training.learner) if residuals == "signed" else training.learner
        evidence = lead_evidence(
            data.X,
            data.Y,
            estimator=learner,
            residuals=residuals,
            random_state=rng,
            sample_weight=data.weight,
            cancelled=cancelled,
        )
    return grown_from_roots(evidence, roots, max_parents=max_parents, level=level, cancelled=cancelled)
