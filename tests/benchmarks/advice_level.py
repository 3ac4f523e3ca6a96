"""How often advice claims what is not so: ``python tests/benchmarks/advice_level.py [--sets N] [--repeats N] ...``.

Simulates sets of labels that are independent given the features, asks `trellislib.advise` of each, and counts how often
it says that structure helps; at a level of 5 % that may be one in twenty. Then the same for labels of which some are
copies of others with noise, where structure may help, to see that it is found.
"""

from __future__ import annotations

import argparse
import warnings
from pathlib import Path

import numpy as np
from common import show

from trellislib import advise
from trellislib.data import Dataset

N_ROWS, N_FEATURES, N_LABELS = 300, 8, 6


def simulated(seed: int, share_copied: float) -> Dataset:
    """Return labels of logistic models on the features; a share of the later ones repeat the first, but for noise."""
    rng = np.random.default_rng(seed)
    X = rng.standard_normal((N_ROWS, N_FEATURES))
    scores = X @ rng.standard_normal((N_FEATURES, N_LABELS)) + rng.logistic(size=(N_ROWS, N_LABELS))
    Y = (scores > 0).astype(int)
    n_copied = round(share_copied * (N_LABELS - 1))
    flipped = rng.random((N_ROWS, n_copied)) < 0.05
    Y[:, 1 : 1 + n_copied] = Y[:, :1] ^ flipped
    names = tuple(f"label {k}" for k in range(N_LABELS))
    return Dataset(X, Y, tuple(f"x{j}" for j in range(N_FEATURES)), names, (("0", "1"),) * N_LABELS, f"set {seed}")


def main() -> None:
    """Simulate, ask and count."""
    parser = argparse.ArgumentParser(description=__doc__.partition(":")[0])
    parser.add_argument("--sets", type=int, default=200)
    parser.add_argument("--repeats", type=int, default=1)
    parser.add_argument("--shares", type=float, nargs="+", default=[0.0, 0.8])
    parser.add_argument("--scores", nargs="+", default=["accuracy", "exact_match"])
    parser.add_argument("--csv", type=Path)
    given = parser.parse_args()
    warnings.simplefilter("ignore")
    rows = []
    for score in given.scores:
        for share in given.shares:
            verdicts = [
                advise(
                    simulated(seed, share), score, 1e5, learners=["logistic"], n_repeats=given.repeats, seed=seed
                ).verdict
                for seed in range(given.sets)
            ]
            counts = {verdict: verdicts.count(verdict) / len(verdicts) for verdict in ("helps", "none", "hurts")}
            rows.append({"score": score, "copied": share, "sets": given.sets, **counts})
            show(rows[-1:])
    if given.csv is not None:
        show(rows, given.csv)


if __name__ == "__main__":
    main()
