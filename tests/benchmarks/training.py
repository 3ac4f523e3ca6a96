"""How long training takes compared with peers: ``python tests/benchmarks/training.py FOLDER [NAME ...] [--csv FILE]``.

FOLDER holds Mulan's sets, each in a folder of its name; without names, those of `NAMES`. Independent classifiers and a
trellis, by least squares as it is, with scaled features and tuned penalties, and by ``estimator="auto"``, all deciding
for accuracy. Beside them scikit-learn's `LinearSVC` one-vs-rest, xgboost (one output per tree) and BOOMER
(``mlrl-boomer``), as these are by default; where one is not installed, its rows are left out. One row of three is
tested. Seconds are medians of interleaved rounds, which ``OMP_NUM_THREADS=1`` keeps to one thread, BOOMER's in
processes of their own; scores are of the same test rows.
"""

from __future__ import annotations

import argparse
import time
import warnings
from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from pathlib import Path
from statistics import median
from typing import Any

import numpy as np
from common import read, show
from peers import decisions, imported
from scipy import sparse
from sklearn.multiclass import OneVsRestClassifier
from sklearn.preprocessing import minmax_scale
from sklearn.svm import LinearSVC
from threadpoolctl import threadpool_limits

from trellislib import ClassifierTrellis, IndependentClassifiers, LeastSquares
from trellislib.decisions import MostExpected
from trellislib.labels.matrices import with_narrow_indices
from trellislib.metrics import MEASURES
from trellislib.typing import Matrix

NAMES = ("emotions", "scene", "yeast", "medical", "enron")
SCORES = ("accuracy", "exact_match", "example_f1", "hamming_score")
SVM, BOOMER = "LinearSVC, one-vs-rest", "BOOMER"
ROUNDS = 3
TUNED = LeastSquares("loo", features="scaled")  # a penalty for each label
FOR_ACCURACY = MostExpected("accuracy")

OURS: dict[str, Callable[[], Any]] = {
    "IC, least squares": lambda: IndependentClassifiers(decide=FOR_ACCURACY),
    "CT, least squares": lambda: ClassifierTrellis(decide=FOR_ACCURACY, random_state=0),
    "IC, scaled, tuned": lambda: IndependentClassifiers(TUNED, decide=FOR_ACCURACY),
    "CT, scaled, tuned": lambda: ClassifierTrellis(TUNED, decide=FOR_ACCURACY, random_state=0),
    "IC, auto": lambda: IndependentClassifiers("auto", decide="accuracy"),
    "CT, auto": lambda: ClassifierTrellis("auto", decide="accuracy", random_state=0),
}


def peers() -> dict[str, Callable[[], Any]]:
    """Return what makes each peer that is installed."""
    found: dict[str, Callable[[], Any]] = {SVM: lambda: OneVsRestClassifier(LinearSVC(random_state=0))}
    xgboost, boomer = imported("xgboost"), imported("mlrl.boosting")
    if xgboost is not None:
        found["xgboost"] = lambda: xgboost.XGBClassifier(multi_strategy="one_output_per_tree", n_jobs=1)
    if boomer is not None:
        found[BOOMER] = boomer.BoomerClassifier
    return found


def trained(make: Callable[[], Any], X: Matrix, Y: np.ndarray, X_test: Matrix) -> tuple[float, np.ndarray]:
    """Return the seconds of training, and predictions."""
    start = time.perf_counter()
    fitted = make().fit(X, Y)
    return time.perf_counter() - start, decisions(fitted, X_test)


def apart(*of: Any) -> tuple[float, np.ndarray]:
    """Train in a process that ends with it: BOOMER 0.12.3 now and then damages the memory of its process."""
    with ProcessPoolExecutor(1, get_context("spawn")) as pool:
        return pool.submit(trained, *of).result()


def measured(folder: Path, name: str, methods: dict[str, Callable[[], Any]]) -> list[dict[str, object]]:
    """Return a row for each method: its seconds, their ratio to those of the SVM, and its scores."""
    X, Y = read(folder, name).arrays()
    X, Y = (X if sparse.issparse(X) else minmax_scale(X)), np.asarray(Y.toarray() if sparse.issparse(Y) else Y)
    rows = np.random.default_rng(0).permutation(len(Y))
    test, train = rows[: len(rows) // 3], rows[len(rows) // 3 :]
    X_train, X_test = with_narrow_indices(X[train]), with_narrow_indices(X[test])
    seconds: dict[str, list[float]] = {key: [] for key in methods}
    predicted = {}
    for _ in range(ROUNDS):
        for key, make in methods.items():
            took, predicted[key] = (apart if key == BOOMER else trained)(make, X_train, Y[train], X_test)
            seconds[key].append(took)
    found = []
    for key in methods:
        scores = {MEASURES[of].in_words: MEASURES[of].function(Y[test], predicted[key]) for of in SCORES}
        times = {"train s": median(seconds[key]), "of the SVM's": median(seconds[key]) / median(seconds[SVM])}
        found.append({"data": name, "method": key, **times, **scores})
    return found


def main() -> None:
    """Measure and print, a data set at a time."""
    parser = argparse.ArgumentParser(description=__doc__.partition(":")[0])
    parser.add_argument("folder", type=Path)
    parser.add_argument("names", nargs="*", default=list(NAMES))
    parser.add_argument("--csv", type=Path)
    given = parser.parse_args()
    warnings.simplefilter("ignore")
    methods, found = OURS | peers(), []
    with threadpool_limits(limits=1, user_api="blas"):
        for name in given.names:
            rows = measured(given.folder, name, methods)
            show(rows)
            found += rows
    if given.csv is not None:
        show(found, given.csv)


if __name__ == "__main__":
    main()
