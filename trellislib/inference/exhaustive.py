"""Exhaustive inference."""

from __future__ import annotations

from math import log10, prod

import numpy as np
from scipy.special import softmax

from trellislib.inference.base import Inference, Inferred, joint_or_marginals
from trellislib.inference.draws import Draws
from trellislib.inference.joint import all_vectors, log_joint
from trellislib.labels.coding import LabelCoding
from trellislib.labels.graph import LabelGraph
from trellislib.learners import Given
from trellislib.running.checks import require_integer


class Exhaustive(Inference):
    """Compute the probability of every label vector along a directed graph.

    Exact, and the only inference here that is; its cost doubles with every binary label. A label's conditional is
    evaluated once per vector of its parents' values, so that a sparse graph needs far fewer than a full chain.

    Parameters
    ----------
    maximize : {"joint", "marginals"}, default="joint"
        Whether the labels take the values of the most probable vector (best for the exact match), or each its most
        probable value (best for the Hamming score).
    max_vectors : int, default=32768
        Up to how many label vectors are examined per instance; more are refused.

    References
    ----------
    Dembczynski, Cheng and Huellermeier, "Bayes optimal multilabel classification via probabilistic classifier
    chains", ICML 2010.

    Examples
    --------
    >>> from trellislib import Exhaustive, ProbabilisticClassifierChain
    >>> X, Y = [[0.0], [0.2], [0.8], [1.0]], [[0, 0], [0, 1], [1, 1], [1, 1]]
    >>> ProbabilisticClassifierChain(inference=Exhaustive(maximize="marginals")).fit(X, Y).predict([[0.9]])
    array([[1, 1]])
    """

    def __init__(self, *, maximize: str = "joint", max_vectors: int = 2**15) -> None:
        self.maximize = maximize
        self.max_vectors = max_vectors

    def refuse(self, coding: LabelCoding) -> None:
        """Raise a ValueError with the cost, where there are more than `max_vectors` label vectors."""
        require_integer("max_vectors", self.max_vectors)
        joint_or_marginals(self.maximize)
        n_vectors = prod((np.diff(coding.starts) + 1).tolist())
        if n_vectors > self.max_vectors:
            number = f"{n_vectors:.3g}" if n_vectors < 1e300 else f"10^{log10(n_vectors):.0f}"  # beyond, no float is
            raise ValueError(
                f"Exhaustive inference over {coding.n_labels} labels would examine {number} label vectors per "
                f"instance, above max_vectors={self.max_vectors}: use BeamSearch() or AncestralSampling() instead."
            )

    def infer(
        self, given: Given, graph: LabelGraph, coding: LabelCoding, n_instances: int, draws: Draws | None = None
    ) -> Inferred:
        """Decide all labels; see `Inference.infer`."""
        self.refuse(coding)
        joint = joint_or_marginals(self.maximize)
        labels = range(coding.n_labels)
        n_values = np.diff(coding.starts) + 1
        vectors = all_vectors(n_values)
        log_p = log_joint(given, graph, coding, vectors, n_instances)
        marginals = coding.indicators(vectors, labels) @ softmax(log_p, axis=0)
        if joint:
            return Inferred(vectors[:, log_p.argmax(axis=0)], coding, marginals)
        return Inferred.of_marginals(marginals, coding)

    def cells(self, coding: LabelCoding, n_features: int) -> int:
        """Return how many numbers are held per instance; see `Inference.cells`."""
        return prod((np.diff(coding.starts) + 1).tolist())
