"""A forest of trees, each of which predicts all labels."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from sklearn.base import clone
from sklearn.ensemble import ExtraTreesClassifier
from sklearn.utils import Tags

from trellislib.decisions import Rule
from trellislib.labels.coding import LabelCoding
from trellislib.labels.graph import AnyLabelGraph, LabelGraph
from trellislib.labels.matrices import with_narrow_indices
from trellislib.learners import Conditionals, Given, Learner, Training
from trellislib.learners.training_set import TrainingSet
from trellislib.methods.label_graph import KnownGraphClassifier
from trellislib.methods.parameters import with_parameters
from trellislib.running.memory import FLOAT, Need, Size
from trellislib.running.progress import Cancelled, Progress, stop_if
from trellislib.typing import Labels, Matrix


@with_parameters
class MultiOutputForest(KnownGraphClassifier):
    """Multi-output forest (MOF): extremely randomised trees, each of which predicts all labels.

    A tree's splits serve all labels at once, so that labels that depend on each other share them; its price hardly
    grows with the number of labels. Probabilities are averages over the trees, one marginal per label. The trees are
    scikit-learn's, grown on all rows, so that a row's weight means exactly what its repetition does. They take
    labels as a dense array only, and so this method makes all of sparse labels dense, where memory allows it.

    Parameters
    ----------
    n_estimators : int, default=100
        Number of trees.
    max_depth : int, optional
        Most splits between the root and a leaf; by default no limit.
    min_samples_leaf : int, default=1
        Fewest training rows in a leaf.
    n_jobs : int, optional
        Trees grown at a time, as joblib counts; by default one.
    random_state : int, RandomState or None
        Seed of the trees.

    Attributes
    ----------
    graph_ : LabelGraph
        No edges: the labels meet in the trees.
    conditionals_ : Conditionals
        The fitted forest, as ``conditionals_.forest``.

    References
    ----------
    Section 3.5 of the paper. Kocev et al., "Tree ensembles for predicting structured outputs", Pattern Recognition
    46 (2013). Geurts, Ernst and Wehenkel, "Extremely randomized trees", Machine Learning 63 (2006).

    Examples
    --------
    >>> from trellislib import MultiOutputForest
    >>> X, Y = [[0.0], [0.2], [0.8], [1.0]], [[0, 1], [0, 1], [1, 0], [1, 0]]
    >>> MultiOutputForest(random_state=0).fit(X, Y).predict([[0.1], [0.9]])
    array([[0, 1],
           [1, 0]])
    """

    def __init__(
        self,
        n_estimators: int = 100,
        *,
        decide: str | Rule | None = None,
        max_depth: int | None = None,
        min_samples_leaf: int = 1,
        n_jobs: int | None = None,
        random_state: int | np.random.RandomState | None = None,
    ) -> None:
        self.n_estimators = n_estimators
        self.decide = decide
        self.max_depth = max_depth
        self.min_samples_leaf = min_samples_leaf
        self.n_jobs = n_jobs
        self.random_state = random_state

    def memory_needed(self, size: Size) -> Need:
        """Return about how much memory `fit` takes without the trees; see `MultiOutputMethod.memory_needed`."""
        return Need(
            3 * FLOAT * size.n_instances * size.n_columns,  # codes, and two copies that scikit-learn makes
            f"{size.n_columns} label columns of {size.n_instances} instances as a dense array",
            "use IndependentClassifiers or ClassifierTrellis, which take labels block by block",
        )

    def _learner(self) -> Learner:
        forest = ExtraTreesClassifier(
            self.n_estimators,
            max_depth=self.max_depth,
            min_samples_leaf=self.min_samples_leaf,
            n_jobs=self.n_jobs,
        )
        return _Joint(forest)

    def _label_graph(self, training: Training, rng: np.random.RandomState, cancelled: Cancelled | None) -> LabelGraph:
        training.learner.set_params(forest__random_state=int(rng.randint(2**31)))
        return LabelGraph.independent(training.training_set.n_labels)

    def __sklearn_tags__(self) -> Tags:
        tags = super().__sklearn_tags__()
        tags.input_tags.allow_nan = True
        return tags


class _Joint(Learner):
    """A forest as a learner that fits all labels at once, none of them from others."""

    gives_probabilities = True

    def __init__(self, forest: ExtraTreesClassifier) -> None:
        self.forest = forest

    def prepare(self, training_set: TrainingSet) -> Training:
        return _JointTraining(self, training_set)


class _JointTraining(Training):
    learner: _Joint

    def fit(
        self, graph: AnyLabelGraph, *, progress: Progress | None = None, cancelled: Cancelled | None = None
    ) -> Conditionals:
        stop_if(cancelled)
        codes = self.training_set.codes
        target = codes if codes.shape[1] > 1 else codes.ravel()
        X = with_narrow_indices(self.training_set.X)
        forest = clone(self.learner.forest).fit(X, target, self.training_set.weight)
        if progress is not None:
            progress(graph.n_labels, graph.n_labels, "labels")
        return _JointConditionals(forest, self.training_set.coding)


class _JointConditionals(Conditionals):
    def __init__(self, forest: ExtraTreesClassifier, coding: LabelCoding) -> None:
        self.forest = forest
        self.coding = coding

    def given(self, X: Matrix) -> Given:
        X = with_narrow_indices(X)
        one_label = self.coding.n_labels == 1
        of_labels = [self.forest.predict_proba(X)] if one_label else self.forest.predict_proba(X)
        seen = [self.forest.classes_] if one_label else self.forest.classes_
        columns = np.zeros((self.coding.n_columns, X.shape[0]))
        for label, (p, codes) in enumerate(zip(of_labels, seen, strict=True)):
            after_first = codes > 0
            columns[self.coding.starts[label] + codes[after_first] - 1] = p[:, after_first].T
        return _JointGiven(columns, self.coding)


@dataclass(frozen=True)
class _JointGiven(Given):
    columns: np.ndarray
    coding: LabelCoding

    def tiled(self, times: int) -> Given:
        return _JointGiven(np.tile(self.columns, times), self.coding)

    def decide(self, labels: Labels, Z: np.ndarray) -> np.ndarray:
        return self.coding.decide(self.probabilities(labels, Z), labels)

    def probabilities(self, labels: Labels, Z: np.ndarray) -> np.ndarray:
        return self.columns[self.coding.columns(labels)]
