"""Structures compared on simulated data sets: how near each is to the truth, and how well a chain predicts with it."""

from __future__ import annotations

from dataclasses import asdict
from typing import Any

import numpy as np
import pandas as pd

from trellislib.checks import require_integer
from trellislib.data import Dataset, LabelDag
from trellislib.dependence import residual_gram
from trellislib.graphs import LabelGraph, dependent_pairs, fs, lead, recovery
from trellislib.methods import BayesianClassifierChain
from trellislib.metrics import exact_match
from trellislib.threads import one_blas_thread

TRUTH = "truth"


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
        "truth"; "marginal pairs" and "conditional pairs", all that depend without the features and beyond them, which
        point along the order of the truth; "FS", "LEAD (signed)" and "LEAD (error)".

    Raises
    ------
    ValueError
        If the true parents are not known.

    Examples
    --------
    >>> from trellislib.data import simulate_label_dag
    >>> found = compared_structures(simulate_label_dag(n_labels=8, n_features=5, random_state=0))
    >>> {name: len(graph.edges) for name, graph in found.items()}
    {'truth': 7, 'marginal pairs': 28, 'conditional pairs': 21, 'FS': 7, 'LEAD (signed)': 7, 'LEAD (error)': 7}
    """
    if data.true_parents is None:
        raise ValueError(f"Got {data.name} without true parents, but expected a data set whose graph is known.")
    truth = LabelGraph(data.true_parents)
    X, Y = data.arrays()
    nothing = np.empty((data.n_instances, 0))
    return {
        TRUTH: truth,
        "marginal pairs": dependent_pairs(residual_gram(nothing, Y), truth.order, level),
        "conditional pairs": dependent_pairs(residual_gram(X, Y), truth.order, level),
        "FS": fs(Y, random_state=seed),
        "LEAD (signed)": lead(X, Y, residuals="signed", random_state=seed),
        "LEAD (error)": lead(X, Y, residuals="error", random_state=seed),
    }


def structure_comparison(
    n_datasets: int = 10,
    n_test: int = 1000,
    *,
    n_instances: int = 500,
    level: float = 0.01,
    seed: int = 0,
    **setting: Any,
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
    level : float, default=0.01
        As for `compared_structures`.
    seed : int, default=0
    **setting
        What else `trellislib.data.LabelDag.drawn` takes but for a random state.

    Returns
    -------
    DataFrame of shape (n_datasets * 6, 7)
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
    >>> table.groupby("structure", sort=False)["f"].mean().round(2).head(4).to_dict()
    {'truth': 1.0, 'marginal pairs': 0.62, 'conditional pairs': 0.72, 'FS': 1.0}
    """
    require_integer("n_datasets", n_datasets)
    require_integer("n_test", n_test)
    rows: list[dict[str, Any]] = []
    with one_blas_thread():
        for number in range(seed, seed + n_datasets):
            rng = np.random.default_rng(number)
            dag = LabelDag.drawn(**setting, random_state=rng)
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


def _predicting(graph: LabelGraph, data: Dataset, new: Dataset) -> float:
    """Return the exact match of a chain along a graph on new instances."""
    chain = BayesianClassifierChain(structure=graph).fit(*data.arrays())
    return exact_match(new.Y, chain.predict(new.X))
