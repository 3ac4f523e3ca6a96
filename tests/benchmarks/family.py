"""What every method gives and costs: run ``python tests/benchmarks/family.py [FOLDER [NAME ...]]``.

FOLDER holds Mulan's data sets, each in a folder of its name: emotions, scene, yeast, medical and enron, or those
named. Without it, only the packaged yeast is used. Prints for each data set and method accuracy, Hamming score and
exact match by 5-fold cross-validation with logistic regression (features scaled to [0, 1] on the training rows), and
the seconds of a fit and of its predictions.

Then what training costs beside independent classifiers at L = 400 (the light-sensor room), medians of interleaved
rounds, with least squares and with logistic regression.
"""

from __future__ import annotations

import sys
import time
import warnings
from collections.abc import Callable
from pathlib import Path
from statistics import median

from common import read
from sklearn.base import BaseEstimator
from sklearn.exceptions import ConvergenceWarning
from sklearn.linear_model import LogisticRegression
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import MaxAbsScaler, MinMaxScaler
from threadpoolctl import threadpool_limits

from trellislib import (
    BeamSearch,
    ClassifierChain,
    ClassifierDependencyTrellis,
    ClassifierTrellis,
    IndependentClassifiers,
    LeastSquares,
)
from trellislib.data import Dataset, packaged, simulate_room
from trellislib.experiment import evaluate
from trellislib.methods import METHODS

SCORES = ("accuracy", "hamming_score", "exact_match")
SETS = ("emotions", "scene", "yeast", "medical", "enron")


def methods(data: Dataset) -> dict[str, BaseEstimator]:
    """Return every method that can finish, with its defaults: PCC by beam where its label vectors are too many."""
    found = {}
    for key, entry in METHODS.items():
        if key == "OCC" and data.n_labels > 7:
            continue
        parameters = entry.method().get_params(deep=False)
        chosen: dict[str, object] = {}
        if "estimator" in parameters:
            chosen["estimator"] = LogisticRegression(max_iter=1000)
        if "random_state" in parameters:
            chosen["random_state"] = 0
        if key == "PCC" and data.n_labels > 15:
            chosen["inference"] = BeamSearch(10)
        found[key] = entry.method(**chosen)
    return found


def compare(data: Dataset) -> None:
    """Print scores and times of all methods, one line as soon as each has finished."""
    print(f"\n{data.name}: N {data.n_instances}, L {data.n_labels}, D {data.n_features}; 5-fold, logistic regression")
    print(f"{'':6} {'accuracy':>9} {'Hamming':>9} {'exact':>9} {'train s':>9} {'test s':>9}")
    scaler = MinMaxScaler() if data.is_dense else MaxAbsScaler()
    for key, method in methods(data).items():
        result = evaluate(data, {key: make_pipeline(scaler, method)}, cv=5, seed=0)
        if failed := [reason for reason in result.fits["reason"] if reason]:
            print(f"{key:6} did not finish: {failed[0]}", flush=True)
            continue
        row = result.summary().loc[key]
        cells = [f"{row[score, 'mean']:9.3f}" for score in SCORES]
        cells += [f"{row[which, 'mean']:9.3g}" for which in ("train_seconds", "test_seconds")]
        print(f"{key:6} {' '.join(cells)}", flush=True)


def training_cost(rounds: int = 7) -> None:
    """Print the price of training at L = 400 beside independent classifiers with the same base learner."""
    bases = {
        "least squares": (LeastSquares(), 10_000, rounds),
        "logistic regression": (LogisticRegression(max_iter=1000), 2_000, 3),
    }
    for name, (base, n_instances, n_rounds) in bases.items():
        data = simulate_room(n_instances, width=20, random_state=0)
        X, Y = data.arrays()
        fits: dict[str, Callable[[], object]] = {
            "IC": lambda base=base, X=X, Y=Y: IndependentClassifiers(base).fit(X, Y),
            "CT": lambda base=base, X=X, Y=Y: ClassifierTrellis(base, random_state=0).fit(X, Y),
            "CDT": lambda base=base, X=X, Y=Y: ClassifierDependencyTrellis(base, random_state=0).fit(X, Y),
            "CC": lambda base=base, X=X, Y=Y: ClassifierChain(base).fit(X, Y),
        }
        times: dict[str, list[float]] = {key: [] for key in fits}
        for _ in range(n_rounds):
            for key, fit in fits.items():
                start = time.perf_counter()
                fit()
                times[key].append(time.perf_counter() - start)
        print(f"\ntraining, {name}, {data.name}: N {n_instances}, L {data.n_labels}, medians of {n_rounds} rounds")
        for key, seconds in times.items():
            print(f"  {key:4} {median(seconds):8.3f} s  {median(seconds) / median(times['IC']):6.2f} x IC")


if __name__ == "__main__":
    warnings.simplefilter("ignore", ConvergenceWarning)
    folder, *names = sys.argv[1:] or [None]
    with threadpool_limits(limits=1, user_api="blas"):
        for chosen in [packaged("yeast")] if folder is None else [read(Path(folder), name) for name in names or SETS]:
            compare(chosen)
        training_cost()
