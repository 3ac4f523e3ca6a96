"""What a comparison costs and what it gives: run ``python tests/benchmarks/methods.py [FOLDER]``.

FOLDER holds Mulan's ``emotions``, ``scene`` and ``yeast``, each in a folder of its name; without it, only the packaged
yeast is used. Prints, for each data set and base learner, accuracy / Hamming score / exact match by 5-fold
cross-validation (features scaled to [0, 1] on the training rows) and the seconds of the whole comparison; then how
many times faster least squares fits all labels than scikit-learn fits them one by one, the two interleaved.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Callable
from pathlib import Path
from statistics import median

from common import read
from sklearn.linear_model import LogisticRegression, RidgeClassifier
from sklearn.multioutput import ClassifierChain as PeerChain
from sklearn.multioutput import MultiOutputClassifier
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import MinMaxScaler
from threadpoolctl import threadpool_limits

from trellislib import ClassifierChain, ClassifierTrellis, IndependentClassifiers, LeastSquares
from trellislib.data import Dataset, packaged
from trellislib.experiment import evaluate

SCORES = ("accuracy", "hamming_score", "exact_match")


def data_sets(folder: Path | None) -> list[Dataset]:
    """Return the sets of the folder, or the packaged yeast."""
    if folder is None:
        return [packaged("yeast")]
    return [read(folder, name) for name in ("emotions", "scene", "yeast")]


def compare(data: Dataset) -> None:
    """Print the scores and the time of IC, CC and CT."""
    for name, base in (("least squares", LeastSquares()), ("logistic", LogisticRegression(max_iter=1000))):
        methods = {
            "IC": make_pipeline(MinMaxScaler(), IndependentClassifiers(base)),
            "CC": make_pipeline(MinMaxScaler(), ClassifierChain(base)),
            "CT": make_pipeline(MinMaxScaler(), ClassifierTrellis(base, random_state=0)),
        }
        start = time.perf_counter()
        result = evaluate(data, methods, cv=5, seed=0)
        seconds = time.perf_counter() - start
        summary = result.summary()
        cells = []
        for method, row in summary.iterrows():
            scores = "/".join(f"{row[score, 'mean']:.3f}" for score in SCORES)
            cells.append(f"{method} {scores} ({row['train_seconds', 'mean']:.3f} s a fit)")
        print(f"{data.name:10} {name:14} {'   '.join(cells)}   all in {seconds:.2f} s")


def against_peers(data: Dataset, rounds: int = 7) -> None:
    """Print medians and ratios of training times, ours and scikit-learn's in turn."""
    X, Y = data.arrays()
    fits: dict[str, Callable[[], object]] = {
        "IC, least squares": lambda: IndependentClassifiers().fit(X, Y),
        "CT, least squares": lambda: ClassifierTrellis(random_state=0).fit(X, Y),
        "CC, least squares": lambda: ClassifierChain().fit(X, Y),
        "scikit-learn MultiOutputClassifier(RidgeClassifier)": lambda: MultiOutputClassifier(RidgeClassifier()).fit(
            X, Y
        ),
        "scikit-learn ClassifierChain(RidgeClassifier)": lambda: PeerChain(RidgeClassifier()).fit(X, Y),
        "scikit-learn MultiOutputClassifier(LogisticRegression)": lambda: MultiOutputClassifier(
            LogisticRegression(max_iter=1000)
        ).fit(X, Y),
    }
    times: dict[str, list[float]] = {name: [] for name in fits}
    for _ in range(rounds):
        for name, fit in fits.items():
            start = time.perf_counter()
            fit()
            times[name].append(time.perf_counter() - start)
    ours = median(times["IC, least squares"])
    print(f"\ntraining on all of {data.name}, medians of {rounds} interleaved rounds, one BLAS thread")
    for name, seconds in times.items():
        print(f"  {median(seconds):8.4f} s  {median(seconds) / ours:6.1f} x IC  {name}")


if __name__ == "__main__":
    with threadpool_limits(limits=1, user_api="blas"):
        for chosen in data_sets(Path(sys.argv[1]) if len(sys.argv) > 1 else None):
            compare(chosen)
        against_peers(packaged("yeast"))
