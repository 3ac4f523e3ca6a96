"""How fast knobs answer: run ``python tests/benchmarks/speed.py [FOLDER [CSV]]``.

FOLDER holds Mulan's emotions, scene and delicious, each in a folder of its name; without it, what needs them is left
out. Times are medians of interleaved rounds in this one process with one BLAS thread, but for the rows whose peak of
memory counts: those run in a process of their own, with two. Where a peer would take hours, it does a part of the same
work and the row says which.
"""

from __future__ import annotations

import sys
import time
from pathlib import Path

import numpy as np
from common import in_a_process, interleaved, read, show
from scipy.special import expit
from sklearn.linear_model import LogisticRegression
from sklearn.multioutput import MultiOutputClassifier
from threadpoolctl import threadpool_limits

from trellislib import (
    ClassifierChain,
    ClassifierDependencyTrellis,
    ClassifierTrellis,
    EnsembleClassifierChains,
    IndependentClassifiers,
    LeastSquares,
    OptimalClassifierChain,
)
from trellislib.data import Dataset, packaged, simulate_label_dag
from trellislib.decisions import MostExpected
from trellislib.experiment import evaluate
from trellislib.experiment.rescoring import CrossValidation

Row = dict[str, object]


def row(work: str, seconds: float, wanted: str = "", against: str = "", ratio: float | None = None) -> Row:
    """Return a line of the table."""
    return {"work": work, "s": seconds, "against": against, "ratio": ratio, "wanted": wanted}


def training_at_400() -> list[Row]:
    """Return what IC and CT cost at L = 400, beside scikit-learn's logistic regressions."""
    X, Y = read(None, "Local400").arrays()
    some = np.linspace(0, Y.shape[1] - 1, 20).astype(int)
    peer = MultiOutputClassifier(LogisticRegression())
    dense = Y[:, some].toarray()
    seconds = interleaved(
        {
            "IC": lambda: IndependentClassifiers().fit(X, Y),
            "CT": lambda: ClassifierTrellis(random_state=0).fit(X, Y),
            "20 labels": lambda: peer.fit(X, dense),
        },
        rounds=9,
    )
    peers = seconds["20 labels"] * Y.shape[1] / len(some)
    against = "scikit-learn's logistic regressions, 20 labels x 20"
    return [
        row("Local400: train IC", seconds["IC"], ">= 200", against, peers / seconds["IC"]),
        row("Local400: train CT", seconds["CT"], ">= 200", against, peers / seconds["CT"]),
        row("Local400: train CT", seconds["CT"], "<= 1.2", "IC", seconds["CT"] / seconds["IC"]),
    ]


def all_at_10_000() -> list[Row]:
    """Return what CT, CC and ECC cost at L = 10,000 and N = 50,000, everything included."""
    rows: list[Row] = []
    for key, wanted in {"CT": "60 s, 2 GiB", "CC": "180 s, 4 GiB", "ECC": "1800 s, 4 GiB"}.items():
        found = in_a_process("one_fit.py", key, "Local10k")
        whole = float(found["train s"]) + float(found["predict s"])
        parts = f"train {found['train s']:.3g} s, predict {found['predict s']:.3g} s"
        line = row(f"Local10k: {key}, train and predict 50,000 rows", whole, wanted, parts)
        rows.append(line | {"peak GiB": found["peak GiB"]})
    X, Y = read(None, "Local10k").arrays()
    placed = ClassifierTrellis(placement="random", random_state=0)
    seconds = interleaved({"training": lambda: placed.fit(X, Y)}, rounds=3)["training"]
    return [*rows, row("Local10k: train CT in a known trellis", seconds, "3 s")]


def chains_on_delicious(data: Dataset) -> list[Row]:
    """Return what chains cost beside independent classifiers, training and prediction."""
    X, Y = data.arrays()
    rows = np.random.default_rng(0).permutation(data.n_instances)
    train, test = rows[:12_920], rows[12_920:]
    methods = {
        "IC": IndependentClassifiers(),
        "CC": ClassifierChain(),
        "CT": ClassifierTrellis(random_state=0),
        "ECC": EnsembleClassifierChains(random_state=0),
    }
    work = {key: lambda m=method: m.fit(X[train], Y[train]).predict(X[test]) for key, method in methods.items()}
    seconds = interleaved(work, rounds=3)
    wanted = {"CC": "<= 3", "CT": "", "ECC": "<= 30"}
    return [
        row(f"Delicious: {key}, train and predict", seconds[key], limit, "IC", seconds[key] / seconds["IC"])
        for key, limit in wanted.items()
    ]


def gibbs_at_400(n_sweeps: int = 100, n_rows: int = 4_000, n_naive: int = 2) -> list[Row]:
    """Return what CDT's prediction costs beside a loop over rows and labels on the same fitted conditionals."""
    X, Y = read(None, "Local400").arrays()
    method = ClassifierDependencyTrellis(random_state=0).fit(X[n_rows:], Y[n_rows:])
    fitted, neighbours = method.conditionals_, method.graph_.neighbours
    weights = fitted.on_inputs.toarray()
    slopes = fitted.slopes  # found on first use, which is no part of either

    def naive() -> None:
        rng = np.random.default_rng(0)
        for x in X[:n_naive]:
            y = np.zeros(Y.shape[1])
            for _ in range(n_sweeps):
                for label in rng.permutation(len(y)):
                    of = list(neighbours[label])
                    score = x @ fitted.on_features[:, label] + fitted.intercept[label] + weights[label, of] @ y[of]
                    y[label] = rng.random() < expit(slopes[label] * (2 * score - 1))

    seconds = interleaved({"ours": lambda: method.predict(X[:n_rows]), "naive": naive}, rounds=3)
    ratio = seconds["naive"] * n_rows / n_naive / seconds["ours"]
    work = f"Local400: CDT, T = {n_sweeps}, {n_rows:,} rows"
    against = f"a loop over rows and labels, {n_naive} rows x {n_rows // n_naive:,}"
    return [row(work, seconds["ours"], ">= 50", against, ratio)]


def knobs() -> list[Row]:
    """Return what a 5-fold comparison costs, and one move of the slider of the width."""
    yeast = packaged("yeast")

    def compared() -> None:
        folds = CrossValidation(yeast)
        for method in (IndependentClassifiers(), ClassifierChain(), ClassifierTrellis(random_state=0)):
            folds.scores(method)

    methods = {"IC": IndependentClassifiers(), "CC": ClassifierChain(), "CT": ClassifierTrellis(random_state=0)}
    known = simulate_label_dag(n_instances=5_000, n_labels=100, n_features=50, random_state=0)
    folds = CrossValidation(known)
    tuned = CrossValidation(known, LeastSquares("loo"))
    widths, to_decide = iter(range(2, 100)), {"decide": MostExpected("accuracy"), "random_state": 0}
    seconds = interleaved(
        {
            "5-fold": compared,
            "evaluate": lambda: evaluate(yeast, methods),
            "slider": lambda: folds.scores(ClassifierTrellis(width=next(widths), random_state=0)),
            "decided": lambda: folds.scores(ClassifierTrellis(width=next(widths), **to_decide)),
            "tuned": lambda: tuned.scores(ClassifierTrellis(width=next(widths), **to_decide)),
        },
        rounds=9,
    )
    slider = "width slider: place, train, score 5 folds, L 100, N 5,000, D 50"
    return [
        row("yeast: 5-fold IC, CC, CT, folds as G - G_fold", seconds["5-fold"], "0.3 s"),
        row("yeast: the same by evaluate, each fit timed, all scores", seconds["evaluate"]),
        row(slider, seconds["slider"], "0.15 s"),
        row("the same, deciding for accuracy", seconds["decided"], "0.15 s"),
        row("the same, penalties by leave-one-out, too", seconds["tuned"], "0.15 s"),
    ]


def six_labels(data: list[Dataset]) -> list[Row]:
    """Return what the paper's table of placements costs, and all 720 orders of six labels."""
    start = time.perf_counter()
    for one in data:
        for repeat in range(10):
            folds = CrossValidation(one, cv=10, seed=repeat, scale=True)
            for placement in ("hill-climbing", "random"):
                folds.scores(ClassifierTrellis(placement=placement, random_state=repeat))
    work = "Music and Scene: 10 x 10 folds, hill climbing and random"
    rows = [row(work, time.perf_counter() - start, "10 s")]
    for one in data:
        seconds = interleaved({"OCC": lambda d=one: evaluate(d, {"OCC": OptimalClassifierChain(random_state=0)})}, 3)
        rows.append(row(f"{one.name}: OCC, 720 orders x 5 folds", seconds["OCC"], "10 s"))
    return rows


def main(folder: str | None = None, csv: str | None = None) -> None:
    """Measure everything and print one table."""
    rows: list[Row] = []
    with threadpool_limits(limits=1, user_api="blas"):
        for measure in (training_at_400, gibbs_at_400, knobs):
            rows += measure()
        if folder is not None:
            rows += six_labels([read(Path(folder), name) for name in ("emotions", "scene")])
            rows += chains_on_delicious(read(Path(folder), "delicious"))
    rows += all_at_10_000()
    show(rows, Path(csv) if csv else None)


if __name__ == "__main__":
    main(*sys.argv[1:])
