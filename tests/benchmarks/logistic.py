"""Logistic regression of all labels at once beside scikit-learn's: ``python tests/benchmarks/logistic.py [options]``.

Prints, for the light-sensor room of 400 tiles and, where ``--delicious FOLDER`` holds it, for Mulan's delicious,
medians of interleaved rounds, for independent labels and for a trellis. scikit-learn fits a random subset of the
labels, and its seconds are scaled to all of them. Differences are the largest of a coefficient of some labels from
scikit-learn's converged ones: ours, and those of scikit-learn with its default tolerance, which is what is timed. Both
have one BLAS thread. ``--csv FILE`` writes the table as well.
"""

from __future__ import annotations

import argparse
import time
from pathlib import Path
from statistics import median

import numpy as np
import pandas as pd
from scipy import sparse
from sklearn.linear_model import LogisticRegression
from threadpoolctl import threadpool_limits

from trellislib import Logistic
from trellislib.data import load, simulate_room
from trellislib.graphs import trellis
from trellislib.labels.graph import LabelGraph
from trellislib.labels.matrices import with_narrow_indices
from trellislib.learners.training_set import TrainingSet
from trellislib.typing import Matrix


def joined(data: TrainingSet, inputs: tuple[int, ...]) -> Matrix:
    """Return the features with the columns of the inputs after them."""
    others = data.columns[:, list(inputs)]
    if sparse.issparse(data.X):
        return with_narrow_indices(sparse.csr_array(sparse.hstack([data.X, others])))
    return np.hstack([data.X, others.toarray()])


def compare(name: str, data: TrainingSet, graph: LabelGraph, rounds: int, n_sample: int, n_checked: int) -> dict:
    """Return a row of the table."""
    rng = np.random.default_rng(0)
    constant = np.isin(np.asarray(data.columns.sum(axis=0)).ravel(), (0, data.n_instances))
    sample = rng.choice(np.flatnonzero(~constant), n_sample, replace=False)
    problems = [(joined(data, graph.inputs[label]), data.codes[:, label]) for label in sample]
    ours, theirs = [], []
    for _ in range(rounds):
        start = time.perf_counter()
        fitted = Logistic().prepare(TrainingSet(data.X, data.Y, data.coding)).fit(graph)
        ours.append(time.perf_counter() - start)
        start = time.perf_counter()
        for X, y in problems:
            LogisticRegression().fit(X, y)
        theirs.append((time.perf_counter() - start) * graph.n_labels / n_sample)
    mine = default = 0.0
    for (X, y), label in list(zip(problems, sample, strict=True))[:n_checked]:
        by_newton = LogisticRegression(tol=1e-8, max_iter=1000, solver="newton-cholesky")
        exact = by_newton.fit(X.toarray() if sparse.issparse(X) else X, y).coef_[0]
        on_inputs = fitted.on_inputs[[label]].toarray()[0, list(graph.inputs[label])]
        ours_here = 2 * np.concatenate([fitted.on_features[:, label], on_inputs])  # a score is half the margin
        mine = max(mine, np.abs(ours_here - exact).max())
        default = max(default, np.abs(LogisticRegression().fit(X, y).coef_[0] - exact).max())
    return {
        "data": name,
        "N": data.n_instances,
        "L": graph.n_labels,
        "D": data.X.shape[1],
        "ours, s": median(ours),
        "scikit-learn, s": median(theirs),
        "ratio": median(theirs) / median(ours),
        "ours off by": mine,
        "scikit-learn off by": default,
    }


def main() -> None:
    """Read the options, and print and write the table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--delicious", type=Path, help="folder with delicious.arff and delicious.xml")
    parser.add_argument("--csv", type=Path)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--sample", type=int, default=40, help="labels that scikit-learn fits")
    parser.add_argument("--checked", type=int, default=20, help="labels whose coefficients are compared")
    chosen = parser.parse_args()
    sizes = chosen.rounds, chosen.sample, chosen.checked
    rows = []
    with threadpool_limits(limits=1, user_api="blas"):
        room = TrainingSet.of(*simulate_room(random_state=0).arrays())
        rows.append(compare("Local400, independent", room, LabelGraph.independent(room.n_labels), *sizes))
        rows.append(compare("Local400, trellis", room, trellis(room.information, random_state=0), *sizes))
        if chosen.delicious is not None:
            X, Y = load(chosen.delicious / "delicious.arff", labels=chosen.delicious / "delicious.xml").arrays()
            rows_of_training = slice(12_920)  # the published split
            data = TrainingSet.of(with_narrow_indices(X[rows_of_training]), Y[rows_of_training])
            rows.append(compare("Delicious, independent", data, LabelGraph.independent(data.n_labels), *sizes))
            rows.append(compare("Delicious, trellis", data, trellis(data.information, random_state=0), *sizes))
    table = pd.DataFrame(rows)
    print(table.to_string(index=False, float_format="{:.3g}".format))
    if chosen.csv is not None:
        table.to_csv(chosen.csv, index=False)


if __name__ == "__main__":
    main()
