"""Methods of one label graph: a method is a label graph, a base learner and an inference."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cached_property

import numpy as np
from scipy.special import log_softmax
from sklearn.base import clone
from sklearn.utils import check_random_state
from sklearn.utils.validation import check_is_fitted

from trellislib.decisions import Distribution
from trellislib.inference import Greedy, Inference, Inferred
from trellislib.inference.draws import Draws
from trellislib.inference.joint import log_joint
from trellislib.labels.coding import LabelCoding
from trellislib.labels.graph import AnyLabelGraph, LabelGraph
from trellislib.learners import Conditionals, Given, Training, probabilistic
from trellislib.learners.training_set import TrainingSet
from trellislib.methods.base import MultiOutputMethod, weighted_rows
from trellislib.methods.parameters import with_parameters
from trellislib.methods.target import label_names, refuse_missing
from trellislib.running.progress import Cancelled, Progress
from trellislib.typing import Labels, Matrix


@dataclass(frozen=True, eq=False)
class Trace(Distribution):
    """What decides the labels of some instances: graph, conditionals and inference.

    `LabelGraphClassifier.traces` yields it. A copy with other conditionals, by `dataclasses.replace`, answers what the
    method would decide by these.

    Attributes
    ----------
    graph : LabelGraph or UndirectedLabelGraph
        The structure between the labels.
    coding : LabelCoding
        The values of the labels, and the columns that stand for them.
    given : Given
        The fitted p(y_l | x, y_inputs) of the instances.
    inference : Inference
        How labels are decided.
    n_instances : int
        Number of instances.
    draws : Draws
        The random numbers of the inference, for each instance its own.
    """

    graph: AnyLabelGraph
    coding: LabelCoding
    given: Given
    inference: Inference
    n_instances: int
    draws: Draws

    def infer(self) -> Inferred:
        """Decide all labels of the instances."""
        return self.inference.infer(self.given, self.graph, self.coding, self.n_instances, self.draws)

    @cached_property
    def _inferred(self) -> Inferred:
        return self.infer()

    @property
    def codes(self) -> np.ndarray:  # type: ignore[override]
        """What the inference decides, of shape (n_labels, n_instances)."""
        return self._inferred.codes

    @cached_property
    def marginals(self) -> np.ndarray:  # type: ignore[override]
        """The probability of each column, or where the inference finds none that of the greedy path."""
        return self.marginals_of(range(self.coding.n_labels))

    def marginals_of(self, labels: Labels) -> np.ndarray:
        """Return the same of the columns of some labels; see `Distribution.marginals_of`."""
        inferred = self._inferred
        if inferred.marginals is not None:
            return inferred.marginals[self.coding.columns(labels)]
        return (inferred.walked or self.given).probabilities(labels, inferred.columns)

    def log_probabilities(self, vectors: np.ndarray) -> np.ndarray:
        """Return the log-probability of label vectors along the graph; see `trellislib.inference.joint.log_joint`.

        An undirected graph's pseudo-likelihoods are divided by their sum over these vectors.
        """
        found = log_joint(self.given, self.graph, self.coding, vectors, self.n_instances)
        return found if isinstance(self.graph, LabelGraph) else log_softmax(found, axis=0)


@with_parameters
class LabelGraphClassifier(MultiOutputMethod):
    """Predicts every label from the features and its inputs in a label graph: parents, or neighbours.

    Parameters
    ----------
    inference : Inference, optional
        How labels are decided; `trellislib.Greedy` by default.
    random_state : int, RandomState or None
        Seed of what is random in finding the structure, and of sampling.

    Attributes
    ----------
    graph_ : LabelGraph or UndirectedLabelGraph
        The structure between the labels.
    conditionals_ : Conditionals
        The fitted p(y_l | x, y_inputs), the inputs of a label being its parents or neighbours in the graph.
    inference_ : Inference
        How labels are decided.
    """

    inference: Inference | None = None
    random_state: int | np.random.RandomState | None = None
    graph_: AnyLabelGraph = field(init=False)
    conditionals_: Conditionals = field(init=False)

    def _reads_rows(self) -> str | None:
        return None

    def _default_inference(self) -> Inference:
        return Greedy()

    def _inference(self) -> Inference:
        if self.inference is None:
            return self._default_inference()
        if not isinstance(self.inference, Inference):
            raise TypeError(f"Got inference={self.inference!r}, but expected one of trellislib.inference, as Greedy().")
        if self.inference.needs_order != self._default_inference().needs_order:
            wanted = "a directed" if self.inference.needs_order else "an undirected"
            raise ValueError(f"{self.inference!r} works on {wanted} graph, which {type(self).__name__} has not.")
        return self.inference

    def _gives_probabilities(self) -> bool:
        return self._inference().needs_probabilities or self._learner().gives_probabilities

    def _cells(self) -> int:
        return self.inference_.cells(self.coding_, self.n_features_in_)

    def _fit(self, training: Training, progress: Progress | None, cancelled: Cancelled | None) -> None:
        self.inference_ = clone(self._inference())
        self.inference_.refuse(self.coding_)
        if self.inference_.needs_probabilities:
            training = probabilistic(training)
        rng = check_random_state(self.random_state)
        self._fit_structure(training, rng, progress, cancelled)
        self._seed = int(rng.randint(2**31))

    @abstractmethod
    def _fit_structure(
        self,
        training: Training,
        rng: np.random.RandomState,
        progress: Progress | None,
        cancelled: Cancelled | None,
    ) -> None:
        """Find `graph_` and fit `conditionals_`."""

    def traces(self, X: Matrix, conditionals: Conditionals | None = None) -> Iterator[Trace]:
        """Yield the graph, the conditionals and the inference of instances, from which `predict` has its decisions.

        Parameters
        ----------
        X : {array-like, CSR} of shape (n_instances, n_features)
            Features.
        conditionals : Conditionals, optional
            Those that decide in place of `conditionals_`, such as `prepared` fits to another graph.

        Yields
        ------
        Trace
            For one block of instances after the other.

        Examples
        --------
        The features do not separate the rows, and the second label always equals the first.

        >>> from sklearn.tree import DecisionTreeClassifier
        >>> from trellislib import ClassifierChain
        >>> X, Y = [[0.0]] * 5, [[0, 0], [0, 0], [0, 0], [1, 1], [1, 1]]
        >>> (trace,) = ClassifierChain(DecisionTreeClassifier(), order=[0, 1]).fit(X, Y).traces([[0.0]])
        >>> trace.graph.parents
        ((), (0,))
        >>> trace.infer().codes.tolist()
        [[0], [0]]
        >>> trace.given.probabilities([1], np.array([[1.0], [0.0]]))  # of the second label where the first is 1
        array([[1.]])
        """
        check_is_fitted(self)
        for block in self._blocks(self._validated(X)):
            yield self._trace(block, conditionals)

    def prepared(
        self,
        X: Matrix,
        y: Matrix,
        sample_weight: np.ndarray | None = None,
        groups: np.ndarray | None = None,
    ) -> Training:
        """Return the base learner with training data, to be fitted to other graphs than `graph_`.

        Parameters
        ----------
        X : {array-like, CSR} of shape (n_instances, n_features)
            Features.
        y : {array-like, CSR} of shape (n_instances, n_labels) or (n_instances,)
            Labels, of values that `fit` saw.
        sample_weight : array-like of shape (n_instances,), optional
            Weights of the instances, as of `fit`.
        groups : array-like of shape (n_instances,), optional
            What each instance is about, as of `fit`.

        Returns
        -------
        Training
            Its ``fit(graph)`` gives conditionals, with probabilities where the inference needs them.

        Raises
        ------
        ValueError
            If features, labels or weights have not the shapes of the fit, a label value is missing or was not seen in
            `fit`, or weights are negative or all of zero.
        """
        check_is_fitted(self)
        X = self._validated(X)
        refuse_missing(y, label_names(y))
        X, Y, weight, codes = weighted_rows(X, self.coding_.shaped(y, X.shape[0]), sample_weight, groups)
        if not self.coding_.can_encode(Y):
            raise ValueError("Got training labels with values that the method was not fitted to, but expected its own.")
        training = self._learner().prepare(TrainingSet(X, Y, self.coding_, weight, codes))
        return probabilistic(training) if self.inference_.needs_probabilities else training

    def _trace(self, X: Matrix, conditionals: Conditionals | None = None) -> Trace:
        given = (conditionals or self.conditionals_).given(X)
        return Trace(self.graph_, self.coding_, given, self.inference_, X.shape[0], Draws(X, self._seed))

    def _infer(self, X: Matrix) -> Inferred:
        return self._trace(X).infer()

    def _probabilities(self, X: Matrix) -> np.ndarray:
        return self._trace(X).marginals

    def _distribution(self, X: Matrix) -> Distribution:
        return self._trace(X)

    def _held_out(
        self, training: Training, rows: np.ndarray, progress: Progress | None, cancelled: Cancelled | None
    ) -> Iterator[tuple[np.ndarray, Distribution]]:
        """Yield the graph with held-out conditionals, the graph being that of all rows; see `MultiOutputMethod`."""
        for which, given in training.held_out(self.graph_, rows, progress=progress, cancelled=cancelled):
            draws = Draws(training.training_set.X[which], self._seed)
            yield which, Trace(self.graph_, self.coding_, given, self.inference_, len(which), draws)


class KnownGraphClassifier(LabelGraphClassifier):
    """A method whose graph is known before its conditionals are fitted; a subclass finds it."""

    @abstractmethod
    def _label_graph(
        self, training: Training, rng: np.random.RandomState, cancelled: Cancelled | None
    ) -> AnyLabelGraph:
        """Return the structure between the labels."""

    def _fit_structure(
        self,
        training: Training,
        rng: np.random.RandomState,
        progress: Progress | None,
        cancelled: Cancelled | None,
    ) -> None:
        self.graph_ = self._label_graph(training, rng, cancelled)
        self.conditionals_ = training.fit(self.graph_, progress=progress, cancelled=cancelled)
