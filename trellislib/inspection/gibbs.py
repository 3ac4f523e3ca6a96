"""Several chains of Gibbs sampling on one instance, and whether they mix."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np
from scipy import fft

from trellislib.inference import GibbsSampling
from trellislib.inference.gibbs import started, sweeps
from trellislib.inspection.interventions import forced
from trellislib.inspection.members import trace_of_one
from trellislib.labels.coding import LabelCoding
from trellislib.labels.graph import UndirectedLabelGraph
from trellislib.methods.label_graph import LabelGraphClassifier
from trellislib.running.checks import require_integer


@dataclass(frozen=True, eq=False)
class GibbsRuns:
    """Several chains of Gibbs sampling on one instance.

    Attributes
    ----------
    codes : ndarray of shape (n_chains, n_sweeps, n_labels)
        What was drawn.
    conditionals : ndarray of shape (n_chains, n_sweeps, n_columns)
        The probability of each column at the time it was drawn.
    n_burn_in : int
        Sweeps that do not count, at the start of every chain.
    coding : LabelCoding
        The values of the labels.

    References
    ----------
    Gelman et al., Bayesian Data Analysis, 3rd edition (2013), sections 11.4 and 11.5.
    """

    codes: np.ndarray
    conditionals: np.ndarray
    n_burn_in: int
    coding: LabelCoding

    @property
    def n_draws(self) -> int:
        """Draws after burn-in, of all chains together."""
        return self.codes.shape[0] * (self.codes.shape[1] - self.n_burn_in)

    def running_marginals(self) -> np.ndarray:
        """Return the mean of the conditionals so far, (n_chains, n_sweeps, n_columns); NaN during burn-in."""
        means = np.full_like(self.conditionals, np.nan)
        sums = self.conditionals[:, self.n_burn_in :].cumsum(axis=1)
        means[:, self.n_burn_in :] = sums / np.arange(1, sums.shape[1] + 1)[:, None]
        return means

    def r_hat(self) -> np.ndarray:
        """Return split R-hat of each label's codes, (n_labels,), of its worst value; 1 where all are the same."""
        return self._mixing[0]

    def effective_sizes(self) -> np.ndarray:
        """Return the effective sample size of each label's worst value, (n_labels,)."""
        return self._mixing[1]

    @cached_property
    def _mixing(self) -> tuple[np.ndarray, np.ndarray]:
        """R-hat and effective size of every label."""
        halves, starts = self._halves()
        within, total = _variances(halves)
        ratio = np.divide(total, within, out=np.where(total > 0, np.inf, 1.0), where=within > 0)
        n_draws = float(halves.shape[0] * halves.shape[1])
        sizes = np.full(len(total), n_draws)
        for column, rho in zip(np.flatnonzero(total), _autocorrelations(halves, total).T, strict=True):
            sizes[column] = n_draws / max(1 + 2 * _summed(rho), 1.0)
        return np.maximum.reduceat(np.sqrt(ratio), starts), np.minimum.reduceat(sizes, starts)

    def _halves(self) -> tuple[np.ndarray, np.ndarray]:
        """Return the kept draws as indicators of values, every chain cut in two, and where each label's begin.

        The indicators are of shape (2 n_chains, length, n_indicators). Of two values, one determines the other.
        """
        n_chains, n_sweeps, n_labels = self.codes.shape
        length = (n_sweeps - self.n_burn_in) // 2
        if length < 2:
            raise ValueError(f"Got {n_sweeps - self.n_burn_in} sweeps after burn-in, but expected at least 4.")
        kept = self.codes[:, n_sweeps - 2 * length :].reshape(-1, n_labels)
        watched = [[1] if len(of) <= 2 else range(len(of)) for of in self.coding.classes]
        indicators = [kept[:, label] == code for label, codes in enumerate(watched) for code in codes]
        starts = np.cumsum([0, *map(len, watched[:-1])])
        return np.stack(indicators, axis=1).astype(float).reshape(2 * n_chains, length, -1), starts


def _variances(halves: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return the variance within sequences and the estimate of the whole variance, (n_columns,) each."""
    length = halves.shape[1]
    within = halves.var(axis=1, ddof=1).mean(axis=0)
    between = halves.mean(axis=1).var(axis=0, ddof=1)
    return within, (length - 1) / length * within + between


def _autocorrelations(halves: np.ndarray, total: np.ndarray) -> np.ndarray:
    """Return autocorrelations at lags 1, 2, ... of the columns that vary, by variograms, (length - 1, n_varying)."""
    draws = halves[:, :, total > 0]
    length = draws.shape[1]
    lags = np.arange(1, length)
    spectrum = fft.rfft(draws, fft.next_fast_len(2 * length), axis=1)
    products = fft.irfft(np.abs(spectrum) ** 2, fft.next_fast_len(2 * length), axis=1)[:, lags]
    squares = np.cumsum(draws**2, axis=1)
    differences = squares[:, length - 1 - lags] + squares[:, -1:] - squares[:, lags - 1] - 2 * products
    return 1 - (differences / (length - lags)[:, None]).mean(axis=0) / (2 * total[total > 0])


def _summed(rho: np.ndarray) -> float:
    """Return the sum of autocorrelations up to where the sum of a pair is negative (Geyer), the first one kept."""
    pairs = rho[1:-1:2] + rho[2::2]
    negative = np.flatnonzero(pairs < 0)
    n_pairs = int(negative[0]) if len(negative) else len(pairs)
    return float(rho[: 1 + 2 * n_pairs].sum())


def gibbs_runs(
    method: LabelGraphClassifier,
    X: Any,
    *,
    n_chains: int = 4,
    n_sweeps: int | None = None,
    n_burn_in: int | None = None,
    set_to: Mapping[int, int] | None = None,
) -> GibbsRuns:
    """Run several chains of Gibbs sampling on one instance.

    The first begins as the first of the method's own, from decisions. The second starts at the last value of every
    label, the third at the first, the others at random values, all with seeds spawned from the method's.

    Parameters
    ----------
    method : method of an undirected label graph
        Fitted, with Gibbs sampling.
    X : {array-like, CSR} of shape (1, n_features)
        The instance.
    n_chains : int, default=4
        How many chains are run.
    n_sweeps, n_burn_in : int, optional
        Sweeps of each chain, and how many of them do not count; by default as many as of all the method's chains
        together.
    set_to : mapping of int to int, optional
        Labels that are set to a code; see `prediction_path`.

    Raises
    ------
    ValueError
        If the method does not sample so, or there is not one instance.

    Examples
    --------
    >>> from trellislib import ClassifierDependencyTrellis
    >>> X, Y = [[0.0], [0.2], [0.8], [1.0]], [[0, 0], [0, 1], [1, 1], [1, 1]]
    >>> method = ClassifierDependencyTrellis(random_state=0).fit(X, Y)
    >>> gibbs_runs(method, [[0.9]]).codes.shape
    (4, 100, 2)
    """
    trace = trace_of_one(method, X)
    inference, graph, coding = trace.inference, trace.graph, trace.coding
    if not isinstance(inference, GibbsSampling) or not isinstance(graph, UndirectedLabelGraph):
        raise ValueError(f"Got {inference!r}, but expected a method with GibbsSampling().")
    require_integer("n_chains", n_chains)
    asked = GibbsSampling(
        inference.n_iterations if n_sweeps is None else n_sweeps,
        inference.n_burn_in if n_burn_in is None else n_burn_in,
    )
    asked.refuse(coding)
    given = forced(trace.given, coding, set_to)
    labels = range(coding.n_labels)
    highest = np.array([len(of) - 1 for of in coding.classes])
    seeds = np.random.SeedSequence(trace.draws.seed).spawn(n_chains)
    codes = np.empty((n_chains, asked.n_iterations, coding.n_labels), dtype=np.intp)
    conditionals = np.empty((n_chains, asked.n_iterations, coding.n_columns))
    for chain in range(n_chains):
        if chain == 0:
            draws = trace.draws
            Z = started(given, graph, coding, draws.uniforms, n_decided=1)
        else:
            rng = np.random.default_rng(seeds[chain])
            start = (highest, 0 * highest, rng.integers(highest + 1))[min(chain, 3) - 1]
            draws = replace(trace.draws, seed=int(rng.integers(2**63)))
            Z = coding.indicators(start[:, None], labels)
        swept = sweeps(given, graph, coding, Z, asked.n_iterations, draws.uniforms, draws.seed)
        for sweep, p in enumerate(swept):
            conditionals[chain, sweep] = p[:, 0]
            codes[chain, sweep] = coding.decide(Z, labels)[:, 0]
    return GibbsRuns(codes, conditionals, asked.n_burn_in, coding)
