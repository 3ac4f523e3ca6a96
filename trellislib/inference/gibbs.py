"""Gibbs sampling."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from trellislib.inference.base import Inference, Inferred, drawn_codes
from trellislib.labels.coding import LabelCoding
from trellislib.labels.graph import UndirectedLabelGraph
from trellislib.learners import Given
from trellislib.running.checks import require_integer


class GibbsSampling(Inference):
    """Draw every label in turn given its neighbours in an undirected graph, sweep after sweep.

    All labels start at their first value. Labels of one colour are not neighbours and are drawn together; the
    colours come in a random order in every sweep. A marginal is the average, over the sweeps that are kept, of the
    label's conditional probability at the time it was drawn (Rao-Blackwell); the paper's Algorithm 3 averages the
    samples themselves, and its printed sum is one short of its divisor.

    Parameters
    ----------
    n_iterations : int, default=100
        Sweeps, T in the paper.
    n_burn_in : int, default=10
        How many of them are discarded at the start, T_c in the paper.

    References
    ----------
    Appendix B.2 and the algorithm of the classifier dependency trellis in section 4 of the paper. Heckerman et al.,
    "Dependency networks", Journal of Machine Learning Research 1 (2000).

    Examples
    --------
    >>> from trellislib import ClassifierDependencyTrellis, GibbsSampling
    >>> X, Y = [[0.0], [0.2], [0.8], [1.0]], [[0, 0], [0, 1], [1, 1], [1, 1]]
    >>> ClassifierDependencyTrellis(inference=GibbsSampling(200, 20), random_state=0).fit(X, Y).predict([[0.9]])
    array([[1, 1]])
    """

    needs_order = False

    def __init__(self, n_iterations: int = 100, n_burn_in: int = 10) -> None:
        self.n_iterations = n_iterations
        self.n_burn_in = n_burn_in

    def infer(
        self, given: Given, graph: UndirectedLabelGraph, coding: LabelCoding, n_instances: int, seed: int = 0
    ) -> Inferred:
        """Decide all labels; see `Inference.infer`."""
        self.refuse(coding)
        rng = np.random.default_rng(seed)
        Z = np.zeros((coding.n_columns, n_instances))
        marginals = np.zeros_like(Z)
        for sweep, p in enumerate(sweeps(given, graph, coding, Z, self.n_iterations, rng)):
            if sweep >= self.n_burn_in:
                marginals += p
        marginals /= self.n_iterations - self.n_burn_in
        return Inferred.of_marginals(marginals, coding)

    def refuse(self, coding: LabelCoding) -> None:
        """Raise a ValueError for a wrong parameter; see `Inference.refuse`."""
        require_integer("n_iterations", self.n_iterations)
        require_integer("n_burn_in", self.n_burn_in, lowest=0)
        if self.n_burn_in >= self.n_iterations:
            raise ValueError(
                f"Got n_burn_in={self.n_burn_in}, but expected fewer than the {self.n_iterations} iterations."
            )


def sweeps(
    given: Given,
    graph: UndirectedLabelGraph,
    coding: LabelCoding,
    Z: np.ndarray,
    n_sweeps: int,
    rng: np.random.Generator,
) -> Iterator[np.ndarray]:
    """Draw all labels `n_sweeps` times, in place of the indicator columns `Z` of shape (n_columns, n_instances).

    The generator `rng` draws the order of the colours, and one uniform number for each label and sweep, common to all
    instances.

    Yields
    ------
    ndarray of shape (n_columns, n_instances)
        After every sweep, the probability of each column at the time it was drawn; the same array every time.
    """
    groups = graph.colours
    conditionals = np.empty_like(Z)
    for _ in range(n_sweeps):
        uniforms = rng.random(coding.n_labels)
        for turn in rng.permutation(len(groups)):
            group = groups[turn]
            columns = coding.columns(group)
            p = given.probabilities(group, Z)
            conditionals[columns] = p
            drawn = drawn_codes(p, coding, group, uniforms[list(group), None])
            Z[columns] = coding.indicators(drawn, group)
        yield conditionals
