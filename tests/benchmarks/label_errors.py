"""How many flipped labels are found: ``python tests/benchmarks/label_errors.py FOLDER [NAME ...] [--csv FILE]``.

FOLDER holds Mulan's sets, each in a folder of its name. Of each label, 2 % of the cells are flipped at random. As many
as were flipped are then taken from the top of three lists, and the share of them that was flipped is printed, a mean
over seeds: of the least probable given values by the features alone, of those that confident learning is sure of by
the features alone, and of `trellislib.inspection.suspicious_labels`, which judges by the other labels, too.
"""

from __future__ import annotations

import argparse
import time
import warnings
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import numpy as np
import pandas as pd
from common import read, show

from trellislib.data import Dataset
from trellislib.inspection import suspicious_labels
from trellislib.labels.graph import LabelGraph
from trellislib.labels.matrices import dense

SHARE = 0.02
SETS = ("emotions", "scene", "yeast", "medical")


def flipped(data: Dataset, seed: int) -> tuple[Dataset, np.ndarray]:
    """Return a data set with some cells of each label flipped, and which."""
    rng = np.random.default_rng(seed)
    wrong, Y = np.zeros(data.Y.shape, dtype=bool), dense(data.Y)
    for label in range(data.n_labels):
        wrong[rng.choice(len(Y), max(round(SHARE * len(Y)), 1), replace=False), label] = True
    return replace(data, Y=np.where(wrong, 1 - Y, Y)), wrong


def precision(table: pd.DataFrame, data: Dataset, wrong: np.ndarray) -> float:
    """Return the share of the first rows of a list, as many as are wrong, that are wrong."""
    first = table.head(int(wrong.sum()))
    return wrong[first["row"], [data.label_names.index(label) for label in first["label"]]].sum() / wrong.sum()


def measured(data: Dataset, seed: int) -> dict[str, float]:
    """Return the precision of each list."""
    data, wrong = flipped(data, seed)
    by_features = suspicious_labels(data, graph=LabelGraph.independent(data.n_labels), most=wrong.size)
    start = time.process_time()
    by_labels = suspicious_labels(data, most=wrong.size)
    seconds = time.process_time() - start
    sure = by_labels[by_labels["confident"] & (by_labels["margin"] < 0)]
    return {
        "flipped": int(wrong.sum()),
        "least probable": precision(by_features, data, wrong),
        "confident first": precision(by_features.sort_values("confident", ascending=False, kind="stable"), data, wrong),
        "by other labels": precision(by_labels, data, wrong),
        "sure": len(sure),
        "of them flipped": wrong[sure["row"], [data.label_names.index(label) for label in sure["label"]]].mean(),
        "seconds": seconds,
    }


def rows(folder: Path, names: list[str], n_seeds: int) -> Iterator[dict[str, object]]:
    """Yield a row for each data set."""
    for name in names:
        data = read(folder, name)
        yield {"data": name, **pd.DataFrame([measured(data, seed) for seed in range(n_seeds)]).mean()}


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__.partition(":")[0])
    parser.add_argument("folder", type=Path)
    parser.add_argument("names", nargs="*", default=list(SETS))
    parser.add_argument("--seeds", type=int, default=5)
    parser.add_argument("--csv", type=Path)
    given = parser.parse_args()
    warnings.simplefilter("ignore")
    show(list(rows(given.folder, given.names, given.seeds)), given.csv)


if __name__ == "__main__":
    main()
