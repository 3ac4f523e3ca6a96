"""The random graph ensemble."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from trellislib.graphs import random_pairs, random_tree
from trellislib.inference import Inference
from trellislib.labels.graph import UndirectedLabelGraph
from trellislib.learners import Training
from trellislib.methods.base import MultiOutputMethod
from trellislib.methods.dependency_network import ConditionalDependencyNetwork
from trellislib.methods.ensemble import Ensemble
from trellislib.methods.parameters import with_parameters
from trellislib.running.progress import Cancelled

RANDOM_GRAPHS = {"tree": random_tree, "pairs": random_pairs}


@with_parameters
class RandomGraphEnsemble(Ensemble):
    """Random graph ensemble (RGE): dependency networks over random undirected graphs that average their marginals.

    Training costs M times L fits on D plus a few inputs, whatever the number of labels; prediction M times T sweeps.

    Parameters
    ----------
    graph : {"tree", "pairs"}, default="tree"
        Whether each member has a random spanning tree, or each label in a random pair.
    voting : {"hard", "soft"}, default="soft"
        Whether members vote for values, or their probabilities are averaged.
    inference : Inference, optional
        How each member decides; `trellislib.GibbsSampling` by default.

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

    graph: str = "tree"
    voting: str = "soft"
    inference: Inference | None = None

    def _members(
        self, training: Training, seeds: Sequence[int], cancelled: Cancelled | None
    ) -> list[MultiOutputMethod]:
        if self.graph not in RANDOM_GRAPHS:
            raise ValueError(f"Got graph={self.graph!r}, but expected one of {tuple(RANDOM_GRAPHS)}.")
        draw, n_labels = RANDOM_GRAPHS[self.graph], training.training_set.n_labels
        return [self._member(_OverGraph, graph=draw(n_labels, random_state=seed), random_state=seed) for seed in seeds]


@with_parameters
class _OverGraph(ConditionalDependencyNetwork):
    """A dependency network over a given graph."""

    graph: UndirectedLabelGraph

    def _label_graph(
        self, training: Training, rng: np.random.RandomState, cancelled: Cancelled | None
    ) -> UndirectedLabelGraph:
        return self.graph
