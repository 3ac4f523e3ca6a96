"""Labels that depend on each other along a known graph: a test for methods that recover structure.

After "Classifier trellises", appendix *Graphical Model Structure Learning: FS vs. LEAD*. Each label has at most
one parent. The paper draws "the dependency label graph uniformly at random" and leaves it there; here every
graph in which each label has at most one parent and no label is its own ancestor is *equally likely*: all
(L + 1)^(L - 1) of them. Such a graph is a tree once its roots hang from one more node, and the trees of L + 1
nodes are Prüfer's sequences, of which one is drawn. A graph has 2L / (L + 1) roots on average.
"""

from __future__ import annotations

from dataclasses import dataclass
from graphlib import TopologicalSorter
from typing import TypedDict

import networkx as nx
import numpy as np
import pandas as pd
from scipy.special import ndtr
from scipy.stats import binom

from trellislib.data.dataset import Dataset
from trellislib.running.checks import require_integer


class Difficulty(TypedDict):
    """How hard a label's parent is to see: the two arguments that `simulate_label_dag` takes from it."""

    alpha: float
    sigma2: float


DIFFICULTIES: dict[str, Difficulty] = {
    "easy": {"alpha": 1.0, "sigma2": 1.0},
    "medium": {"alpha": 0.5, "sigma2": 2.0},
    "hard": {"alpha": 0.25, "sigma2": 5.0},
}
"""The three settings of the paper, to be passed on: ``simulate_label_dag(**DIFFICULTIES["easy"])``."""


def simulate_label_dag(
    n_instances: int = 500,
    n_labels: int = 20,
    n_features: int = 10,
    n_ones: int = 3,
    alpha: float = 1.0,
    sigma2: float = 1.0,
    delta: float = 0.0,
    random_state: int | np.random.Generator | None = None,
) -> Dataset:
    """Simulate labels that depend on features and on one parent each.

    Features are independent and standard normal. Label l is +1 where T^(-1/2) w_l'x + e_l >= delta, and -1
    elsewhere; w_l has exactly T ones at random and zeros elsewhere, and e_l is normal with variance sigma2 and mean
    alpha times the parent's value (-1 or +1), or 0 for a label without parent.

    Parameters
    ----------
    n_instances, n_labels, n_features : int, default=500, 20, 10
        N, L and D in the paper, which gives no values.
    n_ones : int, default=3
        Features that a label depends on, T in the paper; at most `n_features`.
    alpha : float, default=1.0
        Weight of the parent; negative for labels unlike their parents.
    sigma2 : float, default=1.0
        Variance of the noise, at least 0. With `alpha`, what makes a set easy or hard: see `DIFFICULTIES`.
    delta : float, default=0.0
        Threshold; higher for rarer labels.
    random_state : int, Generator or None
        Seed or source of all that is random. With the same sizes, the same seed gives the same graph, features
        and standardised noise whatever `alpha`, `sigma2` and `delta`, so that settings can be compared.

    Returns
    -------
    Dataset
        With `true_parents`. Labels are codes 0 and 1 for the values "-1" and "1".

    Raises
    ------
    ValueError
        If an argument is out of its range.

    References
    ----------
    "Classifier trellises", appendix *Graphical Model Structure Learning: FS vs. LEAD*.

    Examples
    --------
    >>> data = simulate_label_dag(n_labels=5, **DIFFICULTIES["easy"], random_state=0)
    >>> data.Y.shape, data.label_values[0]
    ((500, 5), ('-1', '1'))
    >>> all(len(parents) <= 1 for parents in data.true_parents)
    True
    """
    rng = np.random.default_rng(random_state)
    dag = LabelDag.drawn(n_labels, n_features, n_ones, alpha, sigma2, delta, random_state=rng)
    return dag.simulate(n_instances, random_state=rng)


@dataclass(frozen=True, eq=False)
class LabelDag:
    """What `simulate_label_dag` draws before any instance: the parent of each label, and the features it depends on.

    Attributes
    ----------
    true_parents : tuple of tuple of int
        The parents of each label: one, or none.
    weights : ndarray of bool of shape (n_labels, n_features)
        Whether a label depends on a feature; T are true in each row.
    alpha, sigma2, delta : float
        As in `simulate_label_dag`.

    Examples
    --------
    The same seed gives the graph that a data set was simulated from.

    >>> dag = LabelDag.drawn(n_labels=5, random_state=0)
    >>> dag.true_parents == simulate_label_dag(n_labels=5, random_state=0).true_parents
    True
    """

    true_parents: tuple[tuple[int, ...], ...]
    weights: np.ndarray
    alpha: float
    sigma2: float
    delta: float

    @classmethod
    def drawn(
        cls,
        n_labels: int = 20,
        n_features: int = 10,
        n_ones: int = 3,
        alpha: float = 1.0,
        sigma2: float = 1.0,
        delta: float = 0.0,
        random_state: int | np.random.Generator | None = None,
    ) -> LabelDag:
        """Draw parents and weights at random; see `simulate_label_dag` for the arguments and errors."""
        require_integer("n_labels", n_labels)
        require_integer("n_features", n_features)
        require_integer("n_ones", n_ones)
        if n_ones > n_features:
            raise ValueError(f"Got n_ones={n_ones}, but expected at most n_features={n_features}.")
        for name, value in (("alpha", alpha), ("sigma2", sigma2), ("delta", delta)):
            if not np.isfinite(value):
                raise ValueError(f"Got {name}={value}, but expected a finite number.")
        if sigma2 < 0:
            raise ValueError(f"Got sigma2={sigma2}, but expected a variance of at least 0.")
        rng = np.random.default_rng(random_state)
        parents = _random_parents(rng, n_labels)
        weights = rng.permuted(np.tile(np.arange(n_features) < n_ones, (n_labels, 1)), axis=1)
        above = (parents[label] for label in range(n_labels))
        return cls(tuple(() if one is None else (one,) for one in above), weights, alpha, sigma2, delta)

    def simulate(self, n_instances: int = 500, random_state: int | np.random.Generator | None = None) -> Dataset:
        """Simulate instances; see `simulate_label_dag`."""
        require_integer("n_instances", n_instances)
        rng = np.random.default_rng(random_state)
        n_labels, n_features = self.weights.shape
        X = rng.standard_normal((n_instances, n_features))
        noise = np.sqrt(self.sigma2) * rng.standard_normal((n_instances, n_labels))
        own = X @ self.weights.T / np.sqrt(self.weights[0].sum()) + noise
        signs = np.zeros((n_instances, n_labels))
        for label in TopologicalSorter(dict(enumerate(self.true_parents))).static_order():  # parents come first
            pull = self.alpha * signs[:, self.true_parents[label]].sum(axis=1)
            signs[:, label] = np.where(own[:, label] + pull >= self.delta, 1.0, -1.0)
        setting = f"alpha = {self.alpha:g}, sigma2 = {self.sigma2:g}, delta = {self.delta:g}"
        return Dataset(
            X=X,
            Y=(signs > 0).astype(np.int8),
            feature_names=tuple(f"x{d}" for d in range(1, n_features + 1)),
            label_names=tuple(f"y{label}" for label in range(1, n_labels + 1)),
            label_values=(("-1", "1"),) * n_labels,
            name="Label DAG",
            notes=(f"Simulated from a known graph, with {setting}.",),
            true_parents=self.true_parents,
        )

    def ancestors(self, label: int) -> tuple[int, ...]:
        """Return the parent of a label, the parent's parent, and so on."""
        found: list[int] = []
        while parents := self.true_parents[found[-1] if found else label]:
            found.append(parents[0])
        return tuple(found)

    def n_shared(self, label: int, others: tuple[int, ...]) -> int:
        """Return how many of its features a label has in common with any of the others."""
        return int((self.weights[label] & self.weights[list(others)].any(axis=0)).sum())


def observed_given_parent(dag: LabelDag, data: Dataset) -> pd.DataFrame:
    """Put how often each label is +1, given its parent, beside `probability_given_parent`.

    Parameters
    ----------
    dag : LabelDag
        What the data were simulated from. A data set keeps the parents and not the weights; draw them again by the
        seed.
    data : Dataset
        The data.

    Returns
    -------
    DataFrame
        One row for each label and value of its parent:

        - ``label`` and ``parent``, by name; the parent is "" for a label that has none;
        - ``parent value``: -1 or 1, and 0 for no parent;
        - ``n``: instances in which the parent has this value;
        - ``observed``: the share of them in which the label is +1, nan if there are none;
        - ``theory``, ``low`` and ``high``: the probability by the formula, and the shares between which 95% or more
          of samples of n lie if it holds (binomial distribution);
        - ``shared``: how many features label and parent have in common;
        - ``exact``: whether the formula is exact, see `probability_given_parent`.

    Raises
    ------
    ValueError
        If the true parents of the data are others.

    Examples
    --------
    >>> dag = LabelDag.drawn(n_labels=2, random_state=1)
    >>> table = observed_given_parent(dag, dag.simulate(1000, random_state=0))
    >>> table[["label", "parent", "parent value", "n"]].to_numpy().tolist()
    [['y1', 'y2', -1, 469], ['y1', 'y2', 1, 531], ['y2', '', 0, 1000]]
    >>> table["observed"].round(2).tolist(), table["theory"].round(2).tolist()
    ([0.24, 0.77, 0.53], [0.24, 0.76, 0.5])
    """
    if data.true_parents != dag.true_parents:
        raise ValueError(f"{data.name} has other true parents than the graph that it is said to come from.")
    rows = []
    for label, parents in enumerate(dag.true_parents):
        exact = dag.n_shared(label, dag.ancestors(label)) == 0
        for value in (-1, 1) if parents else (0,):
            of_value = (data.Y[:, parents] == (value + 1) // 2).all(axis=1)  # all instances if there is no parent
            n, n_positive = int(of_value.sum()), int(data.Y[of_value, label].sum())
            theory = probability_given_parent(dag.alpha, dag.sigma2, dag.delta, value)
            low, high = binom.interval(0.95, n, theory)
            rows.append(
                {
                    "label": data.label_names[label],
                    "parent": data.label_names[parents[0]] if parents else "",
                    "parent value": value,
                    "n": n,
                    "observed": n_positive / n if n else np.nan,
                    "theory": theory,
                    "low": low / n if n else np.nan,
                    "high": high / n if n else np.nan,
                    "shared": dag.n_shared(label, parents),
                    "exact": exact,
                }
            )
    return pd.DataFrame(rows)


def probability_given_parent(alpha: float, sigma2: float, delta: float, parent_value: int) -> float:
    """Return the probability that a label is +1, given the value of its parent.

    It is Q((delta - alpha y_pa) / sqrt(1 + sigma2)), with Q the upper tail of the standard normal distribution,
    for T^(-1/2) w'x is standard normal. That takes the label's features as independent of its parent, and so is exact
    where the label depends on no feature that its parent, or another of its ancestors, depends on as well; otherwise
    the paper's probability is an approximation.

    Parameters
    ----------
    alpha, sigma2, delta : float
        As in `simulate_label_dag`.
    parent_value : {-1, 0, 1}
        Value of the parent, or 0 for a label that has none.

    Returns
    -------
    float
        Between 0 and 1.

    Raises
    ------
    ValueError
        If `parent_value` is none of the three or `sigma2` is negative.

    References
    ----------
    "Classifier trellises", appendix *Graphical Model Structure Learning: FS vs. LEAD*.

    Examples
    --------
    >>> round(probability_given_parent(alpha=1.0, sigma2=1.0, delta=0.0, parent_value=1), 4)
    0.7602
    >>> probability_given_parent(alpha=1.0, sigma2=1.0, delta=0.0, parent_value=0)
    0.5
    """
    if parent_value not in (-1, 0, 1):
        raise ValueError(f"Got parent_value={parent_value}, but expected -1, 1, or 0 for no parent.")
    if not sigma2 >= 0:
        raise ValueError(f"Got sigma2={sigma2}, but expected a variance of at least 0.")
    return float(ndtr((alpha * parent_value - delta) / np.sqrt(1 + sigma2)))  # Q(x) = Phi(-x)


def _random_parents(rng: np.random.Generator, n_labels: int) -> dict[int, int | None]:
    """Draw a graph uniformly: the parent of each label, or None for a root, every parent before its children."""
    sequence = rng.integers(n_labels + 1, size=n_labels - 1)
    tree = nx.from_prufer_sequence(sequence.tolist())  # of nodes 0 .. L; the last one is above the roots
    return {label: None if above == n_labels else above for above, label in nx.bfs_edges(tree, n_labels)}
