"""How fast labels are predicted, and FS: ``python tests/benchmarks/predicting.py [--baseline FOLDER] [--csv FILE]``.

FOLDER is another working copy (``git worktree add FOLDER COMMIT``), which is measured in turn with this one, each round
in a process of its own. Without it, what is there is only compared with the arithmetic: the product of features and
weights, and whether it is above one half. Times are processor seconds, which count those of all threads.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path
from statistics import median

import numpy as np
from common import read, show
from threadpoolctl import threadpool_limits

from trellislib import ClassifierChain, ClassifierTrellis, EnsembleClassifierChains, IndependentClassifiers, fit_model
from trellislib.data import Dataset, simulate_label_dag
from trellislib.graphs import fs

ROUNDS = 3
REPEATS = 9


def simulated(n_rows: int, n_features: int, n_labels: int) -> tuple[np.ndarray, np.ndarray]:
    """Return features, and labels of which about one in 50 is 1 and which a linear score predicts."""
    rng = np.random.default_rng(0)
    X = rng.random((n_rows, n_features))
    scores = (X - 0.5) @ rng.standard_normal((n_features, n_labels)) + rng.standard_normal((n_rows, n_labels))
    return X, (scores > 2 * np.sqrt(n_features / 12)).astype(int)


def dataset_of(X: np.ndarray, Y: np.ndarray) -> Dataset:
    """Return a data set of features and labels of 0 and 1."""
    features, labels = (tuple(f"{letter}{j}" for j in range(part.shape[1])) for letter, part in (("x", X), ("y", Y)))
    return Dataset(X, Y, features, labels, (("0", "1"),) * len(labels))


def seconds(work: Callable[[], object], repeats: int = REPEATS) -> float:
    """Return the median processor time of work that was done once before; short work is done ten times at a time."""
    times = []
    for _ in range(repeats + 1):
        start = time.process_time()
        work()
        once = time.process_time() - start
        if once < 0.01:
            for _ in range(9):
                work()
            once = (time.process_time() - start) / 10
        times.append(once)
    return median(times[1:])


def measured() -> dict[str, float]:
    """Return the seconds of each piece of work by its name."""
    found: dict[str, float] = {}
    X, Y = simulated(10_000, 50, 400)
    for name, method in {"IC": IndependentClassifiers(), "CT": ClassifierTrellis(random_state=0)}.items():
        fitted = method.fit(X, Y)
        found[f"{name}, N = 10,000, L = 400"] = seconds(partial(fitted.predict, X))
    weights = np.random.default_rng(0).standard_normal((50, 400))
    found["X @ W > 0.5, N = 10,000, L = 400"] = seconds(lambda: X @ weights > 0.5)
    X, Y = read(None, "Local10k").arrays()
    placed = ClassifierTrellis(placement="random", random_state=0)
    for name, method in {"IC": IndependentClassifiers(), "CT": placed}.items():
        fitted = method.fit(X[:10_000], Y[:10_000])
        found[f"{name}, Local10k, 5,000 rows"] = seconds(partial(fitted.predict, X[:5_000]), 3)
    for n_labels in (14, 100, 1000):
        X, Y = simulated(2_000, 100, n_labels)
        methods = {
            "IC": IndependentClassifiers(),
            "CT": ClassifierTrellis(random_state=0),
            "CC": ClassifierChain(),
            "ECC": EnsembleClassifierChains(random_state=0),
        }
        for name, method in methods.items():
            fitted = method.fit(X, Y)
            found[f"{name}, one row, L = {n_labels:,}"] = seconds(partial(fitted.predict, X[:1]))
            if n_labels == 1000:
                found[f"{name} is fitted, N = 2,000, L = 1,000"] = seconds(partial(method.fit, X, Y), 3)
                found[f"{name}, 2,000 rows, L = 1,000"] = seconds(partial(fitted.predict, X), 3)
            if n_labels == 100:
                found[f"{name}, probabilities of one row, L = 100"] = seconds(partial(fitted.predict_proba, X[:1]))
        if n_labels == 100:
            model = fit_model(dataset_of(X, Y))
            found["Default of fit, probabilities of one row, L = 100"] = seconds(partial(model.predict_proba, X[:1]))
    for n_labels in (100, 400):
        Y = simulate_label_dag(n_instances=5_000, n_labels=n_labels, random_state=0).Y
        found[f"FS, N = 5,000, L = {n_labels}"] = seconds(partial(fs, Y, root=0), 1)
    return found


def of_copy(folder: Path, threads: int) -> dict[str, float]:
    """Return what a process finds that imports the library of a working copy."""
    command = [sys.executable, __file__, "--once", "--threads", str(threads)]
    environment = os.environ | {"PYTHONPATH": str(folder)}
    return json.loads(subprocess.run(command, capture_output=True, text=True, check=True, env=environment).stdout)


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__.partition(":")[0])
    parser.add_argument("--baseline", type=Path)
    parser.add_argument("--threads", type=int, default=1, help="BLAS threads that there are")
    parser.add_argument("--csv", type=Path)
    parser.add_argument("--once", action="store_true", help="measure in this process, and print JSON")
    given = parser.parse_args()
    if given.once:
        with threadpool_limits(limits=given.threads, user_api="blas"):
            print(json.dumps(measured()))
        return
    copies = {"now s": Path(__file__).parents[2]} | ({"before s": given.baseline} if given.baseline else {})
    rounds: dict[str, list[dict[str, float]]] = {name: [] for name in copies}
    for _ in range(ROUNDS):
        for name, folder in copies.items():
            rounds[name].append(of_copy(folder, given.threads))
    rows = []
    for work in rounds["now s"][0]:
        row: dict[str, object] = {"work": work}
        row |= {name: median(one[work] for one in of_name) for name, of_name in rounds.items()}
        if given.baseline:
            row["times faster"] = row["before s"] / row["now s"]
        rows.append(row)
    show(rows, given.csv)


if __name__ == "__main__":
    main()
