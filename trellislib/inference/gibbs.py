"""Gibbs sampling."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

import numpy as np

from trellislib.inference.base import Inference, Inferred, drawn_codes
from trellislib.inference.draws import Draws
from trellislib.inference.pairs import Drawn, Group, drawn_pairs, groups_of, matchings
from trellislib.labels.coding import LabelCoding
from trellislib.labels.graph import UndirectedLabelGraph
from trellislib.learners import Given
from trellislib.running.checks import require_integer

HELD = 8  # arrays of all columns and chains that are held at a time, about

Uniforms = Callable[[int, Sequence[int]], np.ndarray]
"""Returns, for a turn and some labels, uniform numbers of shape (len(labels), n_instances)."""


class GibbsSampling(Inference):
    """Draw labels in turn given their neighbours in an undirected graph, sweep after sweep.

    Every sweep draws each label once. Neighbours are drawn two by two (`trellislib.inference.pairs`), other neighbours
    in the next sweep, so that labels that all but determine each other change together. Labels that are not neighbours
    are drawn at the same time, and groups of them come in a random order.

    A marginal is the average, over the sweeps that are kept, of the label's probability at the time it was drawn
    (Rao-Blackwell), given all others but its partner; the paper's Algorithm 3 averages the samples themselves, and its
    printed sum is one short of its divisor.

    The sweeps are shared out to several chains. The first starts from decisions, each label given the others decided
    so far, the others from draws in their place. A chain's uniform numbers are those of the first, each moved on by an
    equal part of the unit interval: every chain is as random as the first, and together they cover the interval
    evenly, which lowers the variance of their average.

    Each instance has random numbers of its own, by its features and the seed (`trellislib.inference.draws`).

    Parameters
    ----------
    n_iterations : int, default=100
        Sweeps of all chains together, T in the paper; rounded up to as many for each chain.
    n_burn_in : int, default=10
        How many of them are discarded, at the start of the chains, T_c in the paper; rounded down.
    n_chains : int, default=4
        How many chains there are; the paper has one.

    References
    ----------
    Appendix B.2 and the algorithm of the classifier dependency trellis in section 4 of the paper. Heckerman et al.,
    "Dependency networks", Journal of Machine Learning Research 1 (2000). Cranley and Patterson, SIAM Journal on
    Numerical Analysis 13 (1976) on numbers that are moved on.

    Examples
    --------
    >>> from trellislib import ClassifierDependencyTrellis, GibbsSampling
    >>> X, Y = [[0.0], [0.2], [0.8], [1.0]], [[0, 0], [0, 1], [1, 1], [1, 1]]
    >>> ClassifierDependencyTrellis(inference=GibbsSampling(200, 20), random_state=0).fit(X, Y).predict([[0.9]])
    array([[1, 1]])
    """

    needs_order = False

    def __init__(self, n_iterations: int = 100, n_burn_in: int = 10, n_chains: int = 4) -> None:
        self.n_iterations = n_iterations
        self.n_burn_in = n_burn_in
        self.n_chains = n_chains

    def infer(
        self,
        given: Given,
        graph: UndirectedLabelGraph,
        coding: LabelCoding,
        n_instances: int,
        draws: Draws | None = None,
    ) -> Inferred:
        """Decide all labels; see `Inference.infer`."""
        self.refuse(coding)
        draws = draws or Draws.of_places(n_instances)
        n_sweeps, n_burn_in = -(-self.n_iterations // self.n_chains), self.n_burn_in // self.n_chains
        given = given.tiled(self.n_chains)
        ahead = np.repeat(np.arange(self.n_chains) / self.n_chains, n_instances)

        def uniforms(turn: int, labels: Sequence[int]) -> np.ndarray:
            return (np.tile(draws.uniforms(turn, labels), self.n_chains) + ahead) % 1.0

        Z = started(given, graph, coding, uniforms, n_instances)
        sums = np.zeros_like(Z)
        for sweep, p in enumerate(sweeps(given, graph, coding, Z, n_sweeps, uniforms, draws.seed)):
            if sweep >= n_burn_in:
                sums += p
        of_chains = (coding.n_columns, self.n_chains, n_instances)
        marginals = sums.reshape(of_chains).sum(axis=1) / (self.n_chains * (n_sweeps - n_burn_in))
        return Inferred.of_marginals(marginals, coding)

    def cells(self, coding: LabelCoding, n_features: int) -> int:
        """Return about how many numbers are held per instance; see `Inference.cells`."""
        return HELD * coding.n_columns * self.n_chains

    def refuse(self, coding: LabelCoding) -> None:
        """Raise a ValueError for a wrong parameter; see `Inference.refuse`."""
        require_integer("n_iterations", self.n_iterations)
        require_integer("n_burn_in", self.n_burn_in, lowest=0)
        require_integer("n_chains", self.n_chains)
        if self.n_burn_in >= self.n_iterations:
            raise ValueError(
                f"Got n_burn_in={self.n_burn_in}, but expected fewer than the {self.n_iterations} iterations."
            )


def started(
    given: Given, graph: UndirectedLabelGraph, coding: LabelCoding, uniforms: Uniforms, n_decided: int
) -> np.ndarray:
    """Return indicator columns to start from, (n_columns, n): of the first `n_decided` decisions, of the others draws.

    At first each label has all its values in equal parts. These give way to probabilities, label by label, each given
    what stands for the others; and the probabilities give way to a decision or a draw in the same manner. No label is
    thus tied to an arbitrary value of another.
    """
    labels = range(coding.n_labels)
    widths = np.diff(coding.starts)
    n_columns = uniforms(0, labels[:1]).shape[1]
    Z = np.repeat(np.repeat(1 / (widths + 1), widths)[:, None], n_columns, axis=1)
    for group in graph.colours:
        Z[coding.columns(group)] = given.probabilities(group, Z)
    for group in graph.colours:
        p = given.probabilities(group, Z)
        codes = drawn_codes(p, coding, group, uniforms(0, group))
        codes[:, :n_decided] = coding.decide(p[:, :n_decided], group)
        Z[coding.columns(group)] = coding.indicators(codes, group)
    return Z


def sweeps(
    given: Given,
    graph: UndirectedLabelGraph,
    coding: LabelCoding,
    Z: np.ndarray,
    n_sweeps: int,
    uniforms: Uniforms,
    seed: int,
) -> Iterator[np.ndarray]:
    """Draw all labels `n_sweeps` times, in place of the indicator columns `Z` of shape (n_columns, n_instances).

    The uniform numbers of a sweep are those of the turns 1, 2, ...; turn 0 is that of the start. The seed gives the
    order in which neighbours are paired, and of the groups in every sweep, which are common to all instances.

    Yields
    ------
    ndarray of shape (n_columns, n_instances)
        After every sweep, the probability of each column at the time it was drawn; the same array every time.
    """
    rng = np.random.default_rng(seed)
    pairings = matchings(graph) or [[]]
    schedules: dict[int, list[Group]] = {}
    order = rng.permutation(len(pairings))
    probabilities = np.empty_like(Z)

    def note(labels: Sequence[int], drawn: Drawn) -> None:
        columns = coding.columns(labels)
        Z[columns] = coding.indicators(drawn.codes, labels)
        probabilities[columns] = drawn.probabilities

    for sweep in range(1, n_sweeps + 1):
        pairing = int(order[(sweep - 1) % len(order)])
        if pairing not in schedules:
            schedules[pairing] = groups_of(graph, pairings[pairing])
        groups = schedules[pairing]
        for turn in rng.permutation(len(groups)):
            group = groups[turn]
            if group.firsts:
                u = uniforms(sweep, group.firsts), uniforms(sweep, group.seconds)
                first, second = drawn_pairs(given, coding, group, Z, u)
                note(group.firsts, first)
                note(group.seconds, second)
            if group.singles:
                p = given.probabilities(group.singles, Z)
                codes = drawn_codes(p, coding, group.singles, uniforms(sweep, group.singles))
                note(group.singles, Drawn(codes, p))
        yield probabilities
