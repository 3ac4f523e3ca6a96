"""Structures compared on simulated data: how near each is to the truth, and how well a chain predicts with it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import Any

import networkx as nx
import numpy as np
import pandas as pd

from trellislib.data import Dataset, LabelDag
from trellislib.dependence import residual_gram
from trellislib.graphs import LabelGraph, dependent_pairs, fs, lead, recovery
from trellislib.methods import BayesianClassifierChain
from trellislib.metrics import exact_match
from trellislib.ranking.paired import CLEAR, paired_p
from trellislib.ranking.wilcoxon import holm
from trellislib.running.checks import require_integer
from trellislib.running.threads import one_blas_thread

TRUTH, TURNED = "truth", "turned truth"
MARGINAL, CONDITIONAL = "marginal pairs", "conditional pairs"


def compared_structures(data: Dataset, *, level: float = 0.01, seed: int = 0) -> dict[str, LabelGraph]:
    """Return the true graph of a simulated data set, and what is found of it from simple to careful.

    Parameters
    ----------
    data : Dataset
        With `true_parents`.
    level : float, default=0.01
        Of the tests of pairs; FS and LEAD have their own.
    seed : int, default=0
        Of the labels that come first in FS and LEAD, and of LEAD's folds.

    Returns
    -------
    dict of str to LabelGraph
        "truth"; "turned truth", its edges pointing away from the label where FS and LEAD begin, or in each part of a
        forest from the label that comes first in FS's order, which may be how they point in the truth; "marginal
        pairs" and "conditional pairs", all that depend without the features and beyond them, which point along the
        order of the truth; "FS", "LEAD (signed)" and "LEAD (error)".

    Raises
    ------
    ValueError
        If the true parents are not known.

    Examples
    --------
    >>> from trellislib.data import simulate_label_dag
    >>> found = compared_structures(simulate_label_dag(n_labels=8, n_features=5, random_state=0))
    >>> [len(graph.edges) for graph in found.values()]
    [7, 7, 28, 21, 7, 7, 7]
    """
    if data.true_parents is None:
        raise ValueError(f"Got {data.name} without true parents, but expected a data set whose graph is known.")
    truth = LabelGraph(data.true_parents)
    X, Y = data.arrays()
    nothing = np.empty((data.n_instances, 0))
    by_labels = fs(Y, random_state=seed)
    return {
        TRUTH: truth,
        TURNED: _turned(truth, by_labels.order),
        MARGINAL: dependent_pairs(residual_gram(nothing, Y), truth.order, level),
        CONDITIONAL: dependent_pairs(residual_gram(X, Y), truth.order, level),
        "FS": by_labels,
        "LEAD (signed)": lead(X, Y, residuals="signed", random_state=seed),
        "LEAD (error)": lead(X, Y, residuals="error", random_state=seed),
    }


def structure_comparison(
    n_datasets: int = 10,
    n_test: int = 1000,
    *,
    n_instances: int = 500,
    n_labels: int = 20,
    n_features: int = 10,
    n_ones: int = 3,
    alpha: float = 1.0,
    sigma2: float = 1.0,
    delta: float = 0.0,
    level: float = 0.01,
    seed: int = 0,
) -> pd.DataFrame:
    """Find structures on simulated data sets, and let a Bayesian classifier chain predict new instances with each.

    Parameters
    ----------
    n_datasets : int, default=10
        How many; data set i is simulated from the seed ``seed + i``, from which FS and LEAD start, too.
    n_test : int, default=1000
        New instances of each to predict.
    n_instances : int, default=500
        Instances of each to learn from.
    n_labels, n_features, n_ones : int, default=20, 10, 3
    alpha, sigma2, delta : float, default=1.0, 1.0, 0.0
        As for `trellislib.data.simulate_label_dag`.
    level : float, default=0.01
        As for `compared_structures`.
    seed : int, default=0
        Of the first data set.

    Returns
    -------
    DataFrame of shape (n_datasets * 7, 7)
        "data set" and "structure"; "precision", "recall" and "f" of the pairs, whatever their directions; the
        "exact_match" of the chain, least squares being its base learner; and "gain", what that is above a chain
        without any edges.

    Raises
    ------
    ValueError
        If a number is below 1, or by `simulate_label_dag` and `compared_structures`.

    Examples
    --------
    >>> table = structure_comparison(2, 200, n_instances=200, n_labels=6)
    >>> table.groupby("structure", sort=False)["f"].mean().round(2).tail(5).to_list()
    [0.62, 0.72, 1.0, 1.0, 0.79]
    """
    require_integer("n_datasets", n_datasets)
    require_integer("n_test", n_test)
    rows: list[dict[str, Any]] = []
    with one_blas_thread():
        for number in range(seed, seed + n_datasets):
            rng = np.random.default_rng(number)
            dag = LabelDag.drawn(n_labels, n_features, n_ones, alpha, sigma2, delta, random_state=rng)
            data, new = dag.simulate(n_instances, rng), dag.simulate(n_test, rng)
            found = compared_structures(data, level=level, seed=number)
            without = _predicting(LabelGraph.independent(data.n_labels), data, new)
            for name, graph in found.items():
                near = asdict(recovery(graph, found[TRUTH]))
                reached = _predicting(graph, data, new)
                rows.append(
                    {"data set": number, "structure": name}
                    | {score: near[f"skeleton_{score}"] for score in ("precision", "recall", "f")}
                    | {"exact_match": reached, "gain": reached - without}
                )
    return pd.DataFrame(rows)


@dataclass(frozen=True, eq=False)
class NearestLead:
    """The exact match of the structure nearest to the truth, compared with each of the others that were found.

    Attributes
    ----------
    nearest : str
        The structure of the highest mean F; of equal ones the first.
    over : DataFrame of shape (n_others, 3)
        For each of the others, the best first: "gain", what the nearest gains above it in exact match, as a share and
        a mean over the data sets; "error", its standard error, NaN of a single data set; and "p", of a paired t-test
        over the data sets, corrected by Holm for the number of others.
    """

    nearest: str
    over: pd.DataFrame

    @property
    def is_ahead(self) -> bool:
        """Whether the nearest clearly predicts better than all others."""
        return len(self.ahead_of) == len(self.over)

    @property
    def is_behind(self) -> bool:
        """Whether the nearest clearly predicts worse than one of the others at least."""
        return bool(self.behind)

    @property
    def ahead_of(self) -> list[str]:
        """The others than which the nearest clearly predicts better."""
        return list(self.over.index[(self.over["p"] <= CLEAR) & (self.over["gain"] > 0)])

    @property
    def behind(self) -> list[str]:
        """The others than which the nearest clearly predicts worse."""
        return list(self.over.index[(self.over["p"] <= CLEAR) & (self.over["gain"] < 0)])


def nearest_lead(table: pd.DataFrame) -> NearestLead:
    """Compare the structure that is nearest to the truth with each of the others that were found.

    Parameters
    ----------
    table : DataFrame
        As from `structure_comparison`.

    Returns
    -------
    NearestLead

    Raises
    ------
    ValueError
        If fewer than two structures other than the truth were found.

    Examples
    --------
    >>> rows = [(0, "truth", 1, 0.5), (0, "FS", 0.9, 0.1), (0, "LEAD", 0.8, 0.2), (0, "pairs", 0.5, 0.1)]
    >>> rows += [(1, "truth", 1, 0.5), (1, "FS", 0.8, 0.1), (1, "LEAD", 0.8, 0.1), (1, "pairs", 0.4, 0.0)]
    >>> lead = nearest_lead(pd.DataFrame(rows, columns=["data set", "structure", "f", "gain"]))
    >>> lead.nearest, lead.is_ahead, lead.is_behind
    ('FS', False, False)
    >>> lead.over.round(3)
           gain  error    p
    LEAD  -0.05   0.05  1.0
    pairs  0.05   0.05  1.0
    """
    found = table[~table["structure"].isin([TRUTH, TURNED])]
    nearness = found.groupby("structure", sort=False)["f"].mean().round(12)
    if len(nearness) < 2:
        found_alone = ", ".join(nearness.index) or "nothing"
        raise ValueError(f"Got {found_alone} next to the truth, but expected at least two structures that were found.")
    nearest, gains = str(nearness.idxmax()), gains_of(table)
    others = gains[nearness.index.drop(nearest)]
    others = others[others.mean().round(12).sort_values(ascending=False, kind="stable").index]
    leads = others.rsub(gains[nearest], axis=0)
    over = pd.DataFrame({"gain": leads.mean(), "error": leads.sem()})
    over["p"] = holm(np.array([paired_p(gains[nearest], others[name]) for name in others]))
    return NearestLead(nearest, over.rename_axis(None))


def gains_of(table: pd.DataFrame) -> pd.DataFrame:
    """Return the gains of structures with a row for each data set and a column for each structure.

    Parameters
    ----------
    table : DataFrame
        As from `structure_comparison`.

    Returns
    -------
    DataFrame of shape (n_datasets, n_structures)

    Examples
    --------
    >>> rows = [(0, "FS", 0.1), (0, "LEAD", 0.2), (1, "FS", 0.1), (1, "LEAD", 0.1)]
    >>> gains_of(pd.DataFrame(rows, columns=["data set", "structure", "gain"]))["LEAD"].to_list()
    [0.2, 0.1]
    """
    return table.pivot(index="data set", columns="structure", values="gain")


def _turned(truth: LabelGraph, order: Sequence[int]) -> LabelGraph:
    """Return the edges of a graph, pointing away from the first label of each of its parts in an order.

    The labels alone do not determine from which label of a tree its edges lead away, but this decides which label a
    chain predicts first: only graphs that agree in it show what their edges gain.
    """
    pairs = truth.undirected().to_networkx()
    outwards: list[int] = []
    for label in order:
        if label not in outwards:
            outwards += [label, *(child for _, child in nx.bfs_edges(pairs, label))]
    place = {label: number for number, label in enumerate(outwards)}
    return LabelGraph([[one for one in pairs[label] if place[one] < place[label]] for label in pairs], outwards)


def _predicting(graph: LabelGraph, data: Dataset, new: Dataset) -> float:
    """Return the exact match of a chain along a graph on new instances."""
    chain = BayesianClassifierChain(structure=graph).fit(*data.arrays())
    return exact_match(new.Y, chain.predict(new.X))
