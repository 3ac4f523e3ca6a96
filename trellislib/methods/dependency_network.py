"""The conditional dependency network."""

from __future__ import annotations

import numpy as np

from trellislib.inference import GibbsSampling, Inference
from trellislib.labels.graph import UndirectedLabelGraph
from trellislib.learners import Training
from trellislib.methods.label_graph import KnownGraphClassifier
from trellislib.methods.parameters import with_parameters
from trellislib.running.memory import FLOAT, Need, Size
from trellislib.running.progress import Cancelled


@with_parameters
class ConditionalDependencyNetwork(KnownGraphClassifier):
    """Conditional dependency network (CDN): each label is predicted from the features and all other labels.

    The undirected counterpart of a chain: no order to choose, but labels must be sampled, T sweeps over all of them.
    Training costs L fits on D + L - 1 inputs. Probabilities are marginals by sampling.

    Parameters
    ----------
    inference : Inference, optional
        `trellislib.GibbsSampling`, by default with 100 sweeps of which 10 are discarded.
    random_state : int, RandomState or None
        Seed of sampling.

    Attributes
    ----------
    graph_ : UndirectedLabelGraph
        Every label has all others as neighbours.
    conditionals_ : Conditionals
        The fitted p(y_l | x, y_neighbours).

    References
    ----------
    Section 3.4 of the paper. Guo and Gu, "Multi-label classification using conditional dependency networks",
    IJCAI 2011.

    Examples
    --------
    >>> from trellislib import ConditionalDependencyNetwork
    >>> X, Y = [[0.0], [0.2], [0.8], [1.0]], [[0, 1], [0, 1], [1, 0], [1, 0]]
    >>> ConditionalDependencyNetwork(random_state=0).fit(X, Y).predict([[0.1], [0.9]])
    array([[0, 1],
           [1, 0]])
    """

    def _default_inference(self) -> Inference:
        return GibbsSampling()

    def memory_needed(self, size: Size) -> Need:
        """Return about how much memory `fit` takes; see `MultiOutputMethod.memory_needed`."""
        return super().memory_needed(size) + Need(
            5 * FLOAT * size.n_columns**2,
            f"a matrix of all pairs of {size.n_columns} label columns",
            "use ClassifierDependencyTrellis, whose labels have a few neighbours each",
        )

    def _label_graph(
        self, training: Training, rng: np.random.RandomState, cancelled: Cancelled | None
    ) -> UndirectedLabelGraph:
        return UndirectedLabelGraph.complete(training.training_set.n_labels)
