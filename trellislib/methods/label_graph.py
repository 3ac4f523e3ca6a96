"""Methods of one label graph: a method is a label graph, a base learner and an inference."""

from __future__ import annotations

from abc import abstractmethod
from dataclasses import field

import numpy as np
from sklearn.base import clone
from sklearn.utils import check_random_state

from trellislib.inference import Greedy, Inference, Inferred
from trellislib.labels.graph import AnyLabelGraph
from trellislib.learners import Conditionals, Training, with_probabilities
from trellislib.methods.base import MultiOutputMethod
from trellislib.methods.parameters import with_parameters
from trellislib.running.progress import Cancelled, Progress
from trellislib.typing import Matrix


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

    def _infer(self, X: Matrix) -> Inferred:
        given = self.conditionals_.given(X)
        return self.inference_.infer(given, self.graph_, self.coding_, X.shape[0], self._seed)

    def _probabilities(self, X: Matrix) -> np.ndarray:
        given = self.conditionals_.given(X)
        inferred = self.inference_.infer(given, self.graph_, self.coding_, X.shape[0], self._seed)
        if inferred.marginals is not None:
            return inferred.marginals
        return given.probabilities(range(self.coding_.n_labels), inferred.columns)


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


def probabilistic(training: Training) -> Training:
    """Return `training` if its learner gives probabilities, else the same data with a calibrated learner."""
    learner = with_probabilities(training.learner)
    return training if learner is training.learner else learner.prepare(training.training_set)
