"""Peers on the same rows: run ``python tests/benchmarks/peers.py [FOLDER [CSV]]``.

scikit-learn, scikit-multilearn (``skmultilearn``, either fork) and river beside the same methods here: yeast (packaged)
and, where FOLDER holds them, Mulan's scene, emotions and enron, each in a folder of its name. Two rows of three are
for training; labels that are constant there are left out, for scikit-learn refuses them, and features are scaled to
[0, 1]. Seconds are medians of interleaved rounds in one process with one BLAS thread. Where a peer is not installed,
its rows are left out.

Predictions are compared before times are: "equal cells" is the share of labels of test rows that both predict alike,
and where it is not all of them there is no ratio of times. A line is printed as soon as a pair has been compared.

Two settings make predictions equal. scikit-learn's RidgeClassifier regresses -1 and +1 where `LeastSquares` regresses
0 and 1: with ``z = 2 y - 1`` the solution is twice as large at the *same* alpha (penalty and errors both grow by four,
the intercept is free), and a score above 0 there is one above 1/2 here. And a chain is `order=None`, the labels in
their order, with 0 and 1 as inputs, in all of them. `Logistic` solves to a small error, so that its peer is
scikit-learn's Newton solver; the default, L-BFGS, stops while scores are still off by more than some are from 1/2.
River learns instance by instance (a few of them, for the time that takes) and so fits another model; its seconds
include putting rows in its form.
"""

from __future__ import annotations

import importlib
import sys
from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np
from common import interleaved, read, show
from scipy import sparse
from sklearn.linear_model import LogisticRegression, RidgeClassifier
from sklearn.multioutput import ClassifierChain as PeerChain
from sklearn.multioutput import MultiOutputClassifier
from sklearn.preprocessing import minmax_scale
from threadpoolctl import threadpool_limits

from trellislib import ClassifierChain, IndependentClassifiers, LeastSquares, Logistic, PerLabel

MULAN = ("emotions", "scene", "enron")
ROUNDS = 3
FEW_ROWS = 200  # that river learns and predicts
NEWTON = {"solver": "newton-cholesky", "tol": 1e-6, "max_iter": 1000}


@dataclass(frozen=True)
class Split:
    """Training and test rows of a data set."""

    name: str
    X: np.ndarray
    Y: np.ndarray
    X_test: np.ndarray

    @classmethod
    def of(cls, folder: Path | None, name: str) -> Split:
        """Read a data set; draw its test rows."""
        X, Y = (part.toarray() if sparse.issparse(part) else part for part in read(folder, name).arrays())
        X, Y = minmax_scale(X.astype(float)), Y.astype(int)
        rows = np.random.default_rng(0).permutation(len(X))
        test, train = rows[: len(rows) // 3], rows[len(rows) // 3 :]
        return cls(name, X[train], Y[train], X[test]).without_constants()

    def few(self, n_rows: int) -> Split:
        """Return the first rows of both parts."""
        return Split(self.name, self.X[:n_rows], self.Y[:n_rows], self.X_test[:n_rows]).without_constants()

    def without_constants(self) -> Split:
        """Leave out labels that are constant in training."""
        varies = np.ptp(self.Y, axis=0) > 0
        if not varies.all():
            print(f"{self.name}, {len(self.Y)} rows: {np.count_nonzero(~varies)} constant labels are left out")
        return replace(self, Y=self.Y[:, varies])


@dataclass(frozen=True)
class Pair:
    """The same method twice: functions that make it, untrained."""

    method: str
    base: str
    ours: Callable[[], Any]
    peer: str
    theirs: Callable[[], Any]


def of_scikit_learn() -> list[Pair]:
    """Return the methods that scikit-learn has."""

    def logistic() -> LogisticRegression:
        return LogisticRegression(max_iter=1000)

    bases: list[tuple[str, Callable[[], Any], Callable[[], Any]]] = [
        ("ridge | LeastSquares", LeastSquares, RidgeClassifier),
        ("ridge | PerLabel", lambda: PerLabel(RidgeClassifier()), RidgeClassifier),
        ("L-BFGS | PerLabel", lambda: PerLabel(logistic()), logistic),
        ("Newton | Logistic", Logistic, lambda: LogisticRegression(**NEWTON)),
        ("L-BFGS | Logistic", Logistic, logistic),
    ]
    methods: list[tuple[str, Callable[[Any], Any], Callable[[Any], Any]]] = [
        ("IC", IndependentClassifiers, MultiOutputClassifier),
        ("CC", ClassifierChain, PeerChain),
    ]
    return [
        Pair(key, name, lambda m=ours, b=mine: m(b()), "scikit-learn", lambda m=theirs, b=base: m(b()))
        for key, ours, theirs in methods
        for name, mine, base in bases
    ]


def of_scikit_multilearn() -> list[Pair]:
    """Return the methods that scikit-multilearn has, where it is installed."""
    transform = imported("skmultilearn.problem_transform")
    if transform is None:
        return []
    bases: list[tuple[str, Callable[[], Any], Callable[[], Any]]] = [
        ("ridge | LeastSquares", LeastSquares, RidgeClassifier),
        (
            "L-BFGS | PerLabel",
            lambda: PerLabel(LogisticRegression(max_iter=1000)),
            lambda: LogisticRegression(max_iter=1000),
        ),
    ]
    methods: list[tuple[str, Callable[[Any], Any], type]] = [
        ("IC", IndependentClassifiers, transform.BinaryRelevance),
        ("CC", ClassifierChain, transform.ClassifierChain),
    ]
    return [
        Pair(
            key,
            name,
            lambda m=ours, b=mine: m(b()),
            "scikit-multilearn",
            lambda m=theirs, b=base: m(b(), require_dense=[True, True]),
        )
        for key, ours, theirs in methods
        for name, mine, base in bases
    ]


def imported(name: str) -> ModuleType | None:
    """Return a module, or None after saying why its rows are left out."""
    try:
        return importlib.import_module(name)
    except ImportError as error:
        print(f"{name}: its rows are left out, for it cannot be imported ({error})")
        return None


def compared(split: Split, pair: Pair) -> list[dict[str, object]]:
    """Return the rows of training and prediction."""
    ours, theirs = (make().fit(split.X, split.Y) for make in (pair.ours, pair.theirs))
    found, expected = (decisions(fitted, split.X_test) for fitted in (ours, theirs))
    equal = float((found == expected).mean())
    seconds = interleaved(
        {
            "ours, train": lambda: pair.ours().fit(split.X, split.Y),
            "theirs, train": lambda: pair.theirs().fit(split.X, split.Y),
            "ours, predict": lambda: ours.predict(split.X_test),
            "theirs, predict": lambda: theirs.predict(split.X_test),
        },
        ROUNDS,
    )
    rows = [
        row(split.name, pair, stage, equal, seconds[f"ours, {stage}"], seconds[f"theirs, {stage}"])
        for stage in ("train", "predict")
    ]
    print(
        f"{split.name}, {pair.method}, {pair.peer}, {pair.base}: equal {equal:.5f}, ratio {rows[0]['ratio']}",
        flush=True,
    )
    return rows


def row(data: str, pair: Pair, stage: str, equal: float, ours: float, theirs: float) -> dict[str, object]:
    """Return one row, with a ratio of times only where predictions are equal."""
    return {
        "data": data,
        "method": pair.method,
        "peer": pair.peer,
        "base: theirs | ours": pair.base,
        "stage": stage,
        "equal cells": f"{equal:.5f}",
        "ours s": ours,
        "theirs s": theirs,
        "ratio": f"{theirs / ours:.3g}" if equal == 1 else "predictions differ",
    }


def decisions(fitted: Any, X: np.ndarray) -> np.ndarray:
    """Return predictions as an array of integers."""
    predicted = fitted.predict(X)
    return np.asarray(predicted.toarray() if sparse.issparse(predicted) else predicted).astype(int)


class RiverChain:
    """River's classifier chain with logistic regressions, as a method that is fitted to rows."""

    def __init__(self, multioutput: ModuleType, linear_model: ModuleType) -> None:
        self.multioutput, self.linear_model = multioutput, linear_model

    def fit(self, X: np.ndarray, Y: np.ndarray) -> RiverChain:
        """Learn the rows one by one."""
        self.labels = list(range(Y.shape[1]))
        self.chain = self.multioutput.ClassifierChain(self.linear_model.LogisticRegression(), order=self.labels)
        for x, y in zip(X.tolist(), Y.astype(bool).tolist(), strict=True):
            self.chain.learn_one(dict(enumerate(x)), dict(enumerate(y)))
        return self

    def predict(self, X: np.ndarray) -> np.ndarray:
        """Predict the rows one by one."""
        found = [self.chain.predict_one(dict(enumerate(x))) for x in X.tolist()]
        return np.array([[bool(of_row.get(label)) for label in self.labels] for of_row in found])


def of_river() -> list[Pair]:
    """Return river's chain, where it is installed."""
    multioutput, linear_model = imported("river.multioutput"), imported("river.linear_model")
    if multioutput is None or linear_model is None:
        return []
    base = "SGD, row by row | Logistic"
    ours, theirs = (lambda: ClassifierChain(Logistic())), (lambda: RiverChain(multioutput, linear_model))
    return [Pair("CC", base, ours, f"river, {FEW_ROWS} rows", theirs)]


def main(folder: str | None = None, csv: str | None = None) -> None:
    """Compare everything and print one table."""
    pairs = [*of_scikit_learn(), *of_scikit_multilearn()]
    one_by_one = of_river()
    rows: list[dict[str, object]] = []
    places = {"yeast": None} | ({} if folder is None else dict.fromkeys(MULAN, Path(folder)))
    for name, place in places.items():
        split = Split.of(place, name)
        few = split.few(FEW_ROWS)
        for of, some in ((split, pairs), (few, one_by_one)):
            rows += [found for pair in some for found in compared(of, pair)]
    show(rows, Path(csv) if csv else None)


if __name__ == "__main__":
    with threadpool_limits(limits=1, user_api="blas"):
        main(*sys.argv[1:])
