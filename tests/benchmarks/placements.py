"""Which placement of a trellis serves best: run ``python tests/benchmarks/placements.py FOLDER [CSV [NAME ...]]``.

FOLDER holds ``mulan/`` and ``other/`` (sets in Mulan's form, each in a folder of its name) and ``multi-output/`` (ARFF
files whose last columns are the targets). Every placement of the classifier trellis, with its default width and
parents, and IC and CC beside them, are scored on all data sets, or on those named, by 5-fold cross-validation (but
delicious and the simulated Local400: one split, with a fifth held out) with five seeds, of the folds and of the
placement: first with least squares, then with logistic regression, features scaled to a range of 1 on the training
rows. Where labels have more than two values, accuracy is not defined and the Hamming score stands in.

Prints for each data set what each placement scores (mean and standard deviation over the seeds), which wins, and by how
much it leads the paper's placement (MI) and the random one: paired differences over the seeds and their standard error,
with a star where 0 lies outside of their 95 % interval (Student's t). The seeds share one data set, so a star says that
the lead is more than the luck of folds and starts, not that it would be found on other data of the kind; and of twenty
comparisons of equals, one gets a star. At the end, wins are counted, and Wilcoxon's signed-rank test over the data sets
says whether a placement is better or worse in general.

CSV gets these numbers as soon as a data set is done, and beside it ``...-seeds.csv`` gets those of each seed; what that
file has is not run again. One process, one BLAS thread.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pandas as pd
from common import read, show
from scipy import stats
from sklearn.base import BaseEstimator
from threadpoolctl import threadpool_limits

from trellislib import ClassifierChain, ClassifierTrellis, IndependentClassifiers, LeastSquares, Logistic
from trellislib.data import Dataset, load
from trellislib.experiment.rescoring import CrossValidation
from trellislib.methods.base import MultiOutputMethod

MULTI_OUTPUT = {"sf1": 3, "sf2": 3, "edm": 2, "wq": 14}  # numbers of targets
MULAN = ("emotions", "flags", "scene", "birds", "yeast", "cal500", "medical", "enron", "bibtex", "tmc2007", "delicious")
NAMES = (*MULTI_OUTPUT, *MULAN[:8], "mediamill-sample", *MULAN[8:10], "Local400", *MULAN[10:])
LEARNERS: dict[str, BaseEstimator] = {"least squares": LeastSquares(), "logistic": Logistic(max_iter=1000)}
PLACEMENTS: dict[str, dict[str, object]] = {
    "MI": {},
    "co-occurrence": {"dependence": "co-occurrence"},
    "residual": {"dependence": "residual"},
    "explained": {"placement": "explained"},
    "search": {"placement": "search", "n_swaps": 100},
    "random": {"placement": "random"},
}
N_SEEDS = 5
FOLDS = {"Local400": 0.2, "delicious": 0.2}  # one split, for a search there takes minutes; otherwise 5 folds
KEY = ["data", "learner"]


def data_set(folder: Path, name: str) -> Dataset:
    """Return a data set by its name."""
    if name in MULTI_OUTPUT:
        return load(folder / "multi-output" / f"{name}.arff", labels=-MULTI_OUTPUT[name])
    return read(folder / ("mulan" if name in MULAN else "other"), name)


def methods(seed: int, *, binary: bool) -> dict[str, MultiOutputMethod]:
    """Return what is compared; IC first, as it pays for what all of them share."""
    compared: dict[str, MultiOutputMethod] = {"IC": IndependentClassifiers(), "CC": ClassifierChain()}
    for name, parameters in PLACEMENTS.items():
        if binary or name != "co-occurrence":
            compared[name] = ClassifierTrellis(**parameters, random_state=seed)
    return compared


def scored(data: Dataset, name: str, learner: str, seed: int) -> list[dict[str, object]]:
    """Return the scores of every method with one seed, means over the folds."""
    binary = data.is_multilabel
    main = "accuracy" if binary else "hamming_score"
    cv = FOLDS.get(name, 5)
    folds = CrossValidation(data, LEARNERS[learner], cv=cv, seed=seed, scale=True)
    rows: list[dict[str, object]] = []
    for method, estimator in methods(seed, binary=binary).items():
        start = time.perf_counter()
        means = folds.scores(estimator, (main, "exact_match")).mean()
        rows.append(
            {
                "data": name,
                "learner": learner,
                "cv": cv,
                "measure": main,
                "method": method,
                "seed": seed,
                "score": means[main],
                "exact": means["exact_match"],
                "s": time.perf_counter() - start,
            }
        )
    return rows


def difference(of: pd.Series, over: pd.Series) -> tuple[float, float, bool]:
    """Return the mean of paired differences over the seeds, its standard error, and whether 0 is far from it."""
    paired = (of - over).dropna()
    n, mean = len(paired), float(paired.mean())
    if n < 2:
        return mean, np.nan, False
    error = float(paired.std(ddof=1)) / np.sqrt(n)
    return mean, error, bool(abs(mean) > max(stats.t.ppf(0.975, n - 1) * error, 1e-9))


def summary(seeds: pd.DataFrame) -> pd.DataFrame:
    """Return a row per data set, base learner and method: scores, and differences to MI and to random."""
    rows = []
    for (name, learner), some in seeds.groupby(KEY, sort=False):
        by_seed = {of: some.pivot(index="seed", columns="method", values=of) for of in ("score", "exact")}
        for method in some["method"].unique():
            row = {"data": name, "learner": learner, "cv": some["cv"].iloc[0], "measure": some["measure"].iloc[0]}
            row |= {"method": method, "seeds": len(by_seed["score"])}
            for of, table in by_seed.items():
                row[of], row[f"{of} sd"] = table[method].mean(), table[method].std(ddof=1)
                for other in ("MI", "random"):
                    lead = difference(table[method], table[other])
                    row |= dict(zip((f"{of} - {other}", f"{of} - {other} se", f"{of} - {other} *"), lead, strict=True))
            rows.append(row)
    return pd.DataFrame(rows)


def winners(values: pd.Series) -> list[str]:
    """Return the placements that score highest; none where all of them are alike."""
    placed = values[[name for name in PLACEMENTS if name in values.index]].dropna()
    best = placed.index[placed >= placed.max() - 1e-9]
    return [] if len(best) == len(placed) else list(best)


def compact(table: pd.DataFrame, of: str) -> list[dict[str, object]]:
    """Return a row per data set and base learner: all scores, what wins, and its leads."""
    rows = []
    for (name, learner), some in table.groupby(KEY, sort=False):
        some = some.set_index("method")
        row: dict[str, object] = {"data": name, "learner": learner} | some.iloc[0][["cv", "seeds"]].to_dict()
        for method in ("IC", "CC", *PLACEMENTS):
            row[method] = _score(some.loc[method], of) if method in some.index else ""
        won = winners(some[of])
        row["wins"] = "=".join(won) or "(all alike)"
        for other in ("MI", "random"):
            row[f"over {other}"] = _lead(some.loc[won[0]], of, other) if won and other not in won else ""
        rows.append(row)
    return rows


def leads(table: pd.DataFrame, of: str, other: str) -> list[dict[str, object]]:
    """Return a row per data set and base learner: by how much each method leads `other`."""
    rows = []
    for (name, learner), some in table.groupby(KEY, sort=False):
        some = some.set_index("method")
        compared = [method for method in ("IC", "CC", *PLACEMENTS) if method != other]
        of_method = {method: _lead(some.loc[method], of, other) for method in compared if method in some.index}
        rows.append({"data": name, "learner": learner, **dict.fromkeys(compared, ""), **of_method})
    return rows


def counts(table: pd.DataFrame, of: str) -> list[dict[str, object]]:
    """Return how often each placement wins, and is better or worse than MI and random.

    Of how many sets that is beyond the spread stands under the star; p is of Wilcoxon's test over the data sets.
    """
    rows = []
    for learner, some in table.groupby("learner", sort=False):
        won = [winners(one.set_index("method")[of]) for _, one in some.groupby("data")]
        for method in PLACEMENTS:
            row: dict[str, object] = {"learner": learner, "score": of, "placement": method}
            mine = some[some["method"] == method]
            row["data sets"] = len(mine)
            row["wins"] = sum(method in names for names in won)
            for other in ("MI", "random"):
                lead, beyond = mine[f"{of} - {other}"], mine[f"{of} - {other} *"]
                row[f"> {other}"], row[f"> {other} *"] = int((lead > 1e-9).sum()), int((beyond & (lead > 0)).sum())
                row[f"< {other}"], row[f"< {other} *"] = int((lead < -1e-9).sum()), int((beyond & (lead < 0)).sum())
                differs = lead[lead.abs() > 1e-9]
                row[f"p {other}"] = float(stats.wilcoxon(differs).pvalue) if len(differs) else np.nan
            rows.append(row)
    return rows


def _score(row: pd.Series, of: str) -> str:
    """Return a mean and its standard deviation over the seeds."""
    return "±".join(f"{value:.4f}".removeprefix("0") for value in (row[of], row[f"{of} sd"]))


def _lead(row: pd.Series, of: str, other: str) -> str:
    """Return a difference in thousandths with its standard error, starred where 0 is far from it."""
    lead, error, far = (row[f"{of} - {other}{end}"] for end in ("", " se", " *"))
    return f"{1000 * lead:+.1f}±{1000 * error:.1f}{'*' if far else ''}"


def report(seeds: pd.DataFrame) -> None:
    """Print everything."""
    table = summary(seeds)
    for of, title in (("score", "accuracy (Hamming score where labels have more values)"), ("exact", "exact match")):
        print(f"\n{title}: mean±standard deviation over the seeds; leads in thousandths")
        show(compact(table, of))
        for other in ("MI", "random"):
            print(f"\n{title}, less that of {other}, in thousandths ± standard error")
            show(leads(table, of, other))
        print(f"\n{title}: wins, and on how many sets one is better or worse than another (*: beyond the spread)")
        show(counts(table, of))


def main(folder: str, csv: str | None = None, *names: str) -> None:
    """Compare on all data sets, and print the tables."""
    seeds_csv = None if csv is None else Path(csv).with_name(f"{Path(csv).stem}-seeds.csv")
    rows: list[dict[str, object]] = []
    if seeds_csv is not None and seeds_csv.exists():
        rows = pd.read_csv(seeds_csv).to_dict("records")
    known = {(row["data"], row["learner"], row["seed"]) for row in rows}
    with threadpool_limits(limits=1, user_api="blas"):
        for learner in LEARNERS:
            for name in names or NAMES:
                missing = _missing(known, name, learner)
                data = data_set(Path(folder), name) if missing else None
                start = time.perf_counter()
                for seed in missing:
                    rows += scored(data, name, learner, seed)
                    if csv is not None:
                        pd.DataFrame(rows).to_csv(seeds_csv, index=False)
                        summary(pd.DataFrame(rows)).to_csv(csv, index=False)
                print(f"{name}, {learner}: {time.perf_counter() - start:.0f} s", flush=True)
    report(pd.DataFrame(rows))


def _missing(known: set[tuple[str, str, int]], name: str, learner: str) -> Sequence[int]:
    return [seed for seed in range(N_SEEDS) if (name, learner, seed) not in known]


if __name__ == "__main__":
    main(*sys.argv[1:])
