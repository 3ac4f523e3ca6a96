"""How good predictions are: ``python tests/benchmarks/quality.py FOLDER [NAME ...] [--methods KEY ...] [--csv FILE]``.

FOLDER holds Mulan's sets, each in a folder of its name; without names, those of `SETS`. Each method is fitted with
``estimator="auto"``, once for each score (``--scores KEY ...``), in five shuffled folds (seed 0), and where the set
came in a training and a test file also on these. Prints the means next to the best published scores, seconds of
processor of a training and a prediction, and for each method the difference from the first, with the p-value of the
corrected resampled t-test (Nadeau and Bengio 2003). With ``--inferred`` nothing is decided for a score, with ``--first
1`` only the first fold is run.
"""

from __future__ import annotations

import argparse
import time
import warnings
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pandas as pd
from common import read, show
from sklearn.model_selection import KFold
from threadpoolctl import threadpool_limits

from trellislib.data import Dataset
from trellislib.methods import METHODS
from trellislib.metrics import MEASURES
from trellislib.paper import FIELD_SCORES, field
from trellislib.ranking.paired import resampled_p

SETS = ("emotions", "scene", "yeast", "medical", "enron", "birds", "flags", "bibtex", "tmc2007", "delicious")
N_FOLDS = 5


def splits(data: Dataset, n_run: int) -> dict[str, list[tuple[np.ndarray, np.ndarray]]]:
    """Return the training and test rows of the first folds, and of the files where there are two."""
    rows = np.arange(data.n_instances)
    found = {f"{N_FOLDS} folds": list(KFold(N_FOLDS, shuffle=True, random_state=0).split(rows))[:n_run]}
    if data.n_train is not None:
        found["as published"] = [(rows[: data.n_train], rows[data.n_train :])]
    return found


def fitted_scores(
    data: Dataset, key: str, measure: str, decide: str | None, rows: list[tuple[np.ndarray, np.ndarray]]
) -> Iterator[tuple[float, float, float]]:
    """Yield the measured score of a method, and its seconds of training and of prediction."""
    X, Y = data.arrays()
    method = METHODS[key].method
    seed = {"random_state": 0} if "random_state" in method().get_params() else {}
    for train, test in rows:
        start = time.process_time()
        fitted = method("auto", decide=decide, **seed).fit(X[train], Y[train])
        done = time.process_time()
        predicted = fitted.predict(X[test])
        yield MEASURES[measure].function(Y[test], predicted), done - start, time.process_time() - done


def compare(
    data: Dataset, methods: list[str], measures: list[str], inferred: bool, n_run: int
) -> Iterator[dict[str, object]]:
    """Yield a row for each method and measure."""
    for protocol, rows in splits(data, n_run).items():
        for measure in measures:
            of_ic = None
            for key in methods:
                found = np.array(list(fitted_scores(data, key, measure, None if inferred else measure, rows)))
                scores, of_ic = found[:, 0], found[:, 0] if of_ic is None else of_ic
                line = {"data": data.name, "protocol": protocol, "score": measure, "method": key}
                line |= {"mean": scores.mean(), "published": field(measure)["best"].get(data.name, np.nan)}
                line |= {"train s": found[:, 1].mean(), "predict s": found[:, 2].mean()}
                if key != methods[0] and len(rows) > 1:
                    line[f"- {methods[0]}"] = (scores - of_ic).mean()
                    line["p"] = resampled_p(pd.Series(scores), pd.Series(of_ic), N_FOLDS)
                yield line


def main() -> None:
    """Measure and print, a data set at a time."""
    parser = argparse.ArgumentParser(description=__doc__.partition(":")[0])
    parser.add_argument("folder", type=Path)
    parser.add_argument("names", nargs="*", default=list(SETS))
    parser.add_argument("--methods", nargs="+", default=["IC", "CC", "CT", "ECT"])
    parser.add_argument("--scores", nargs="+", default=["accuracy", "exact_match"], choices=FIELD_SCORES)
    parser.add_argument("--inferred", action="store_true")
    parser.add_argument("--first", type=int, default=N_FOLDS, help="how many of the folds are run")
    parser.add_argument("--csv", type=Path)
    given = parser.parse_args()
    warnings.simplefilter("ignore")
    found: list[dict[str, object]] = []
    with threadpool_limits(limits=1, user_api="blas"):
        for name in given.names:
            rows = list(compare(read(given.folder, name), given.methods, given.scores, given.inferred, given.first))
            show(rows)
            found += rows
    if given.csv is not None:
        show(found, given.csv)


if __name__ == "__main__":
    main()
