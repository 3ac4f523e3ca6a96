"""How often advice is right: ``python tests/benchmarks/advice_level.py [--sets N] [--repeats N] [--kinds KIND ...]``.

Simulates sets of labels of a kind, asks `trellislib.advise` of each, and counts what it says:

- independent: of labels that are independent given the features, structure may be said to help in one of twenty sets,
  as the level is 5 %;
- copied: four of five labels repeat the first one but for noise, so that they depend strongly;
- gates: each label is the one before it, joined by OR or AND in turn with a bit of the features. A linear classifier
  tells a label from the one before, and not from the features alone: structure helps.
"""

from __future__ import annotations

import argparse
import warnings
from collections.abc import Callable
from functools import partial
from pathlib import Path

import numpy as np
from common import show

from trellislib import advise
from trellislib.data import Dataset

N_ROWS, N_FEATURES, N_LABELS, N_GATES = 300, 8, 6, 12


def simulated(seed: int, share_copied: float) -> Dataset:
    """Return labels of logistic models on the features; a share of the later ones repeat the first, but for noise."""
    rng = np.random.default_rng(seed)
    X = rng.standard_normal((N_ROWS, N_FEATURES))
    scores = X @ rng.standard_normal((N_FEATURES, N_LABELS)) + rng.logistic(size=(N_ROWS, N_LABELS))
    Y = (scores > 0).astype(int)
    n_copied = round(share_copied * (N_LABELS - 1))
    flipped = rng.random((N_ROWS, n_copied)) < 0.05
    Y[:, 1 : 1 + n_copied] = Y[:, :1] ^ flipped
    return made(X, Y, seed)


def gates(seed: int) -> Dataset:
    """Return labels of which each is made by a gate of the one before it and a noisy bit of the features."""
    rng = np.random.default_rng(seed)
    X = rng.standard_normal((2 * N_ROWS, N_FEATURES))
    scores = X @ rng.standard_normal((N_FEATURES, N_GATES)) + 0.1 * rng.logistic(size=(2 * N_ROWS, N_GATES))
    Y = scores > 0
    for k in range(1, N_GATES):
        Y[:, k] = Y[:, k - 1] | Y[:, k] if k % 2 else Y[:, k - 1] & Y[:, k]
    return made(X, Y.astype(int), seed)


def made(X: np.ndarray, Y: np.ndarray, seed: int) -> Dataset:
    """Return the data set of some features and labels."""
    names = tuple(f"label {k}" for k in range(Y.shape[1]))
    return Dataset(X, Y, tuple(f"x{j}" for j in range(N_FEATURES)), names, (("0", "1"),) * Y.shape[1], f"set {seed}")


KINDS: dict[str, Callable[[int], Dataset]] = {
    "independent": partial(simulated, share_copied=0.0),
    "copied": partial(simulated, share_copied=0.8),
    "gates": gates,
}


def main() -> None:
    """Simulate, ask and count."""
    parser = argparse.ArgumentParser(description=__doc__.partition(":")[0])
    parser.add_argument("--sets", type=int, default=200)
    parser.add_argument("--repeats", type=int, default=1)
    parser.add_argument("--kinds", choices=KINDS, nargs="+", default=[*KINDS])
    parser.add_argument("--scores", nargs="+", default=["accuracy", "exact_match"])
    parser.add_argument("--csv", type=Path)
    given = parser.parse_args()
    warnings.simplefilter("ignore")
    rows = []
    for score in given.scores:
        for kind in given.kinds:
            verdicts = [
                advise(KINDS[kind](seed), score, 1e5, learners=["logistic"], n_repeats=given.repeats, seed=seed).verdict
                for seed in range(given.sets)
            ]
            counts = {verdict: verdicts.count(verdict) / len(verdicts) for verdict in ("helps", "none", "hurts")}
            rows.append({"score": score, "kind": kind, "sets": given.sets, **counts})
            show(rows[-1:])
    if given.csv is not None:
        show(rows, given.csv)


if __name__ == "__main__":
    main()
