"""How often tests claim what is not so: ``python tests/benchmarks/null_experiments.py [--experiments N] [--csv FILE]``.

Draws experiments in which no method is better than another, and counts in how many of them a test calls any pair
different; that may be as many as its level says. Over data sets, scores of a set share its difficulty, and are printed
to three digits or to two, with many ties. Over folds of one data set, methods are least squares on features of their
own, which tell equally much of the labels; the plain t-test, which takes folds as independent, stands beside.
"""

from __future__ import annotations

import argparse
from itertools import combinations
from pathlib import Path

import numpy as np
import pandas as pd
from common import show
from scipy import stats
from sklearn.model_selection import RepeatedKFold

from trellislib.ranking import friedman, nemenyi, resampled_holm, wilcoxon_holm
from trellislib.ranking.wilcoxon import holm

LEVELS = (0.05, 0.1)
N_METHODS, N_OWN, N_LABELS, N_ROWS = 4, 3, 3, 200
SETS = ((10, 3), (10, 2), (30, 3))  # data sets, and digits of their scores
FOLDS = ((5, 1), (10, 1), (5, 10))  # folds and repeats


def over_data_sets(seed: int, n_datasets: int, digits: int) -> dict[str, float]:
    """Return the smallest p-value of each test, of methods that differ by chance alone."""
    rng = np.random.default_rng(seed)
    scores = rng.uniform(0.3, 0.9, (n_datasets, 1)) + rng.normal(0, 0.02, (n_datasets, N_METHODS))
    table = pd.DataFrame(scores.round(digits), columns=list("abcd"))
    return {
        "Friedman": friedman(table).best_p_value,
        "Nemenyi": smallest(nemenyi(table).p_values),
        "Wilcoxon, Holm": smallest(wilcoxon_holm(table).p_values),
    }


def over_folds(seed: int, n_folds: int, n_repeats: int) -> dict[str, float]:
    """Return the smallest p-value of the corrected and of the plain t-test, of methods that are equally good."""
    rng = np.random.default_rng(seed)
    X = rng.standard_normal((N_ROWS, N_METHODS * N_OWN))
    Y = (X @ np.ones((X.shape[1], N_LABELS)) + 3 * rng.standard_normal((N_ROWS, N_LABELS)) > 0).astype(int)
    own = [np.column_stack([np.ones(N_ROWS), part]) for part in np.split(X, N_METHODS, axis=1)]
    rows = []
    for train, test in RepeatedKFold(n_splits=n_folds, n_repeats=n_repeats, random_state=seed).split(X):
        weights = [np.linalg.lstsq(of_one[train], Y[train], rcond=None)[0] for of_one in own]
        predicted = [of_one[test] @ of_method > 0.5 for of_one, of_method in zip(own, weights, strict=True)]
        rows.append([(labels == Y[test]).mean() for labels in predicted])  # the Hamming score
    folds = pd.DataFrame(rows, columns=list("abcd"))
    plain = [stats.ttest_rel(folds[one], folds[other]).pvalue for one, other in combinations(folds, 2)]
    return {
        "Corrected t-test, Holm": smallest(resampled_holm(folds, n_folds=n_folds).p_values),
        "Plain t-test, Holm": float(holm(np.array(plain)).min()),
    }


def smallest(p_values: pd.DataFrame) -> float:
    return float(p_values.to_numpy().min())


def main() -> None:
    """Draw, test and count."""
    parser = argparse.ArgumentParser(description=__doc__.partition(":")[0])
    parser.add_argument("--experiments", type=int, default=1000)
    parser.add_argument("--csv", type=Path)
    given = parser.parse_args()
    settings = {
        f"{n} data sets, {digits} digits": lambda seed, n=n, digits=digits: over_data_sets(seed, n, digits)
        for n, digits in SETS
    } | {
        f"{repeats} x {folds}-fold": lambda seed, of=(folds, repeats): over_folds(seed, *of) for folds, repeats in FOLDS
    }
    rows = []
    for setting, draw in settings.items():
        found = pd.DataFrame([draw(seed) for seed in range(given.experiments)])
        for test in found:
            claims = {f"at {level:g}": (found[test] <= level).mean() for level in LEVELS}
            rows.append({"over": setting, "test": test, **claims})
    show(rows, given.csv)


if __name__ == "__main__":
    main()
