"""Ancestral sampling."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from trellislib.inference.base import Inference, Inferred, drawn_codes, joint_or_marginals
from trellislib.inference.draws import Draws
from trellislib.labels.coding import LabelCoding, with_first_value
from trellislib.labels.graph import LabelGraph
from trellislib.learners import Given
from trellislib.running.checks import require_integer


class AncestralSampling(Inference):
    """Draw label vectors from the joint distribution of a directed graph, every label given its drawn parents.

    Every sample is exact, a draw from the joint distribution itself. A marginal is the average, over the samples, of
    the label's conditional probability (Rao-Blackwell), which varies less than the share of samples with the value;
    the samples of a label use one uniform number from each of `n_samples` equal strata, which lowers the variance
    further. The strata come in an order that is common to all instances, moved on around the unit interval by a random
    number of the label and instance, so that each instance has numbers of its own (`trellislib.inference.draws`).

    Parameters
    ----------
    n_samples : int, default=100
        Samples per instance.
    maximize : {"marginals", "joint"}, default="marginals"
        Whether each label takes its most probable value, or the labels together those of the most probable of the
        samples.

    References
    ----------
    Appendix B.1 of the paper. McKay, Beckman and Conover, Technometrics 21 (1979) on the strata.
    Cranley and Patterson, SIAM Journal on Numerical Analysis 13 (1976) on moving them on.

    Examples
    --------
    >>> from trellislib import AncestralSampling, ClassifierTrellis
    >>> X, Y = [[0.0], [0.2], [0.8], [1.0]], [[0, 0], [0, 1], [1, 1], [1, 1]]
    >>> ClassifierTrellis(inference=AncestralSampling(), random_state=0).fit(X, Y).predict([[0.9]])
    array([[1, 1]])
    """

    def __init__(self, n_samples: int = 100, *, maximize: str = "marginals") -> None:
        self.n_samples = n_samples
        self.maximize = maximize

    def infer(
        self, given: Given, graph: LabelGraph, coding: LabelCoding, n_instances: int, draws: Draws | None = None
    ) -> Inferred:
        """Decide all labels; see `Inference.infer`."""
        self.refuse(coding)
        joint = joint_or_marginals(self.maximize)
        draws = draws or Draws.of_places(n_instances)
        strata = _strata(self.n_samples, coding.n_labels, draws.seed)
        ahead = draws.uniforms(0, range(coding.n_labels))
        Z = np.zeros((coding.n_columns, n_instances))
        marginals = np.zeros_like(Z)
        codes = np.empty((coding.n_labels, n_instances), dtype=np.intp)
        best = np.zeros_like(codes)
        highest = np.full(n_instances, -np.inf)
        for stratum in strata:
            log_joint = np.zeros(n_instances)
            walk = given.walk()
            for level in graph.levels:
                columns = coding.columns(level)
                p = walk.probabilities(level, Z)
                marginals[columns] += p
                labels = list(level)
                drawn = drawn_codes(p, coding, level, (stratum[labels, None] + ahead[labels]) % 1.0)
                codes[labels] = drawn
                Z[columns] = coding.indicators(drawn, level)
                if joint:
                    log_joint += log_probability(p, drawn, coding, level)
            if joint:
                better = log_joint > highest
                best[:, better], highest[better] = codes[:, better], log_joint[better]
        marginals /= self.n_samples
        if joint:
            return Inferred(best, coding, marginals)
        return Inferred.of_marginals(marginals, coding)

    def refuse(self, coding: LabelCoding) -> None:
        """Raise a ValueError for a wrong parameter; see `Inference.refuse`."""
        require_integer("n_samples", self.n_samples)
        joint_or_marginals(self.maximize)


def log_probability(p: np.ndarray, codes: np.ndarray, coding: LabelCoding, labels: Sequence[int]) -> np.ndarray:
    """Return the logarithm of the probability of the `codes` of `labels`, (n_instances,), for independent labels."""
    total = np.zeros(codes.shape[1])
    for of_label, code in zip(coding.split(p, labels), codes, strict=True):
        chosen = np.take_along_axis(with_first_value(of_label), code[None], axis=0)[0]
        total += np.log(np.maximum(chosen, np.finfo(float).tiny))
    return total


def _strata(n_samples: int, n_labels: int, seed: int) -> np.ndarray:
    """Return where strata begin, (n_samples, n_labels): for each label n_samples equal ones, in a random order."""
    rng = np.random.default_rng(seed)
    return rng.permuted(np.tile(np.arange(n_samples), (n_labels, 1)), axis=1).T / n_samples
