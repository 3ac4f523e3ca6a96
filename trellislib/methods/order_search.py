"""Chains whose order is searched for: the best of some random ones (MCC), or of all (OCC)."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable, Sequence
from dataclasses import field
from itertools import permutations
from math import factorial
from typing import Any

import numpy as np
from scipy import sparse

from trellislib.inference.ancestral import log_probability
from trellislib.inference.draws import Draws
from trellislib.labels.graph import LabelGraph
from trellislib.learners import Conditionals, Training, probabilistic
from trellislib.learners.training_set import TrainingSet
from trellislib.methods.chain import chain_memory
from trellislib.methods.label_graph import LabelGraphClassifier
from trellislib.methods.parameters import with_parameters
from trellislib.metrics import MEASURES, decision_measures
from trellislib.running.checks import require_integer
from trellislib.running.memory import Need, Size
from trellislib.running.progress import Cancelled, Progress, part_of

LOG_LIKELIHOOD = "log-likelihood"
Payoff = Callable[[np.ndarray, np.ndarray], float]


@with_parameters
class OrderSearch(LabelGraphClassifier):
    """A classifier chain in the order that pays off most; a subclass chooses the orders to try.

    Parameters
    ----------
    payoff : str or callable, default="exact_match"
        What is compared: a score of `trellislib.metrics.MEASURES` that takes decisions, "log-likelihood" (of the
        true label vectors, as in the reference), or ``payoff(Y_true, Y_predicted)``, higher being better.
        Instances count once each whatever their weight, except for the log-likelihood.
    held_out : float, default=0.33
        Share of the training rows, or of their groups, on which orders are compared, after training on the others; the
        best order is then trained on all rows. With 0 they are compared on the rows they were trained on, which favours
        overfitting.

    Attributes
    ----------
    graph_ : LabelGraph
        The chain in the best order.
    payoffs_ : dict of tuple of int to float
        The payoff of every order that was tried.
    """

    payoff: str | Payoff = "exact_match"
    held_out: float = 0.33
    payoffs_: dict[tuple[int, ...], float] = field(init=False)

    def memory_needed(self, size: Size) -> Need:
        """Return about how much memory `fit` takes; see `MultiOutputMethod.memory_needed`."""
        return super().memory_needed(size) + chain_memory(size.n_columns)

    def _reads_rows(self) -> str | None:
        return type(self).__name__

    def __getstate__(self) -> dict[str, Any]:
        """Return the state with orders and their payoffs as two arrays, which files can hold."""
        state = super().__getstate__()
        if "payoffs_" in state:
            orders = np.array(list(self.payoffs_), dtype=int)
            state["payoffs_"] = (orders, np.array(list(self.payoffs_.values()), dtype=float))
        return state

    def __setstate__(self, state: dict[str, Any]) -> None:
        if isinstance(state.get("payoffs_"), tuple):  # in earlier pickles it is the dict
            orders, payoffs = state["payoffs_"]
            state = state | {"payoffs_": dict(zip(map(tuple, orders.tolist()), payoffs.tolist(), strict=True))}
        super().__setstate__(state)

    @abstractmethod
    def _orders(self, n_labels: int, rng: np.random.RandomState) -> Sequence[Sequence[int]]:
        """Return the orders to try."""

    def _fit_structure(
        self,
        training: Training,
        rng: np.random.RandomState,
        progress: Progress | None,
        cancelled: Cancelled | None,
    ) -> None:
        orders = self._orders(training.training_set.n_labels, rng)
        self._check_payoff()
        if not 0 <= self.held_out < 1:
            raise ValueError(f"Got held_out={self.held_out}, but expected a share of at least 0 and below 1.")
        if self.payoff == LOG_LIKELIHOOD:
            training = probabilistic(training)
        compared, judged = training, training.training_set
        units = np.arange(judged.n_instances) if judged.units is None else judged.units
        n_units = int(units.max()) + 1
        n_held = round(self.held_out * n_units)
        if n_held and len(orders) > 1 and n_held < n_units:
            is_held = np.isin(units, rng.permutation(n_units)[:n_held])
            compared = training.learner.prepare(training.training_set.rows(~is_held))
            judged = training.training_set.rows(is_held)
        self.payoffs_ = {}
        for number, order in enumerate(orders):
            part = part_of(progress, number, len(orders) + 1)
            graph = LabelGraph.chain_of_sets(order)
            fitted = compared.fit(graph, progress=part, cancelled=cancelled)
            self.payoffs_[graph.order] = self._pays(fitted, graph, judged)
        best = max(self.payoffs_, key=self.payoffs_.__getitem__)  # the first of them where several are
        self.graph_ = LabelGraph.chain_of_sets(best)
        last = part_of(progress, len(orders), len(orders) + 1)
        self.conditionals_ = training.fit(self.graph_, progress=last, cancelled=cancelled)

    def _pays(self, fitted: Conditionals, graph: LabelGraph, judged: TrainingSet) -> float:
        """Return the payoff of a chain on the instances `judged`."""
        if self.payoff == LOG_LIKELIHOOD:
            return self._log_likelihood(fitted, judged)
        coding, parts = self.coding_, []
        for X in self._blocks(judged.X):
            codes = self.inference_.infer(fitted.given(X), graph, coding, X.shape[0], Draws(X)).codes
            parts.append(codes.T if callable(self.payoff) and not judged.sparse_labels else sparse.csr_array(codes.T))
        if callable(self.payoff):
            if judged.sparse_labels:
                return float(self.payoff(judged.Y, sparse.vstack(parts, format="csr")))
            return float(self.payoff(judged.Y, coding.decode(np.vstack(parts).T)))
        measure = MEASURES[self.payoff]
        score = measure.function(judged.sparse_codes, sparse.vstack(parts, format="csr"))
        return score if measure.higher_is_better else -score

    def _log_likelihood(self, fitted: Conditionals, judged: TrainingSet) -> float:
        """Return the mean logarithm of the probability of the true label vectors."""
        coding, labels = self.coding_, range(self.coding_.n_labels)
        logarithms = []
        for some in judged.blocks(self._block_rows()):
            codes = some.codes.T
            p = fitted.given(some.X).probabilities(labels, coding.indicators(codes, labels))
            logarithms.append(log_probability(p, codes, coding, labels))
        return float(np.average(np.concatenate(logarithms), weights=judged.weight))

    def _check_payoff(self) -> None:
        measures = decision_measures(binary=self.coding_.is_binary)
        if not callable(self.payoff) and self.payoff not in (*measures, LOG_LIKELIHOOD):
            raise ValueError(
                f"Got payoff={self.payoff!r}, but expected one of {[*measures, LOG_LIKELIHOOD]} or a function."
            )


@with_parameters
class MonteCarloClassifierChain(OrderSearch):
    """Monte Carlo classifier chain (MCC): the best of some random orders.

    Training costs that of M chains and one more; prediction is that of one chain.
    ``inference=AncestralSampling(maximize="joint")`` also samples label vectors in prediction.

    Parameters
    ----------
    n_orders : int, default=10
        Number of random orders, M.
    random_state : int, RandomState or None
        Seed of the orders, the rows held out and sampling.

    References
    ----------
    Section 3 of the paper and its table of methods. Read, Martino and Luengo, "Efficient Monte Carlo methods for
    multi-dimensional learning with classifier chains", Pattern Recognition 47 (2014).

    Examples
    --------
    >>> from trellislib import MonteCarloClassifierChain
    >>> X, Y = [[0.0], [0.2], [0.8], [1.0]], [[0, 1], [0, 1], [1, 0], [1, 0]]
    >>> MonteCarloClassifierChain(random_state=0).fit(X, Y).predict([[0.1], [0.9]])
    array([[0, 1],
           [1, 0]])
    """

    n_orders: int = 10

    def _orders(self, n_labels: int, rng: np.random.RandomState) -> Sequence[Sequence[int]]:
        require_integer("n_orders", self.n_orders)
        drawn = (tuple(rng.permutation(n_labels).tolist()) for _ in range(self.n_orders))
        return list(dict.fromkeys(drawn))


@with_parameters
class OptimalClassifierChain(OrderSearch):
    """Optimal classifier chain (OCC): the best of all L! orders.

    Orders share their work: what is fitted depends on the label and the *set* of labels before it, so that with one
    classifier per label L 2^(L - 1) fits serve all L! chains, and least squares sums up the data once. Above 7 labels
    it is refused.

    Parameters
    ----------
    max_labels : int, default=7
        For how many labels all orders are tried; more are refused.
    random_state : int, RandomState or None
        Seed of the rows held out and of sampling.

    References
    ----------
    Section 3.6 of the paper, where it is run on two data sets of six labels.

    Examples
    --------
    >>> from trellislib import OptimalClassifierChain
    >>> X, Y = [[0.0], [0.2], [0.8], [1.0]], [[0, 1], [0, 1], [1, 0], [1, 0]]
    >>> OptimalClassifierChain(random_state=0).fit(X, Y).predict([[0.1], [0.9]])
    array([[0, 1],
           [1, 0]])
    """

    max_labels: int = 7

    def _orders(self, n_labels: int, rng: np.random.RandomState) -> Sequence[Sequence[int]]:
        require_integer("max_labels", self.max_labels)
        if n_labels > self.max_labels:
            number = f" = {factorial(n_labels):g}" if n_labels <= 170 else ""  # up to there a float holds it
            raise ValueError(
                f"{n_labels} labels have {n_labels}!{number} orders, above those of "
                f"max_labels={self.max_labels}: use MonteCarloClassifierChain(n_orders=...) instead."
            )
        return list(permutations(range(n_labels)))
