"""The results of methods on data sets: tables of scores in which nothing is missing without a reason."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property

import pandas as pd

from trellislib.experiment.evaluation import Evaluation, detail_table, fits_table
from trellislib.experiment.fits import COSTS, Details, why_undefined
from trellislib.experiment.identity import differing, distinguishing_words
from trellislib.experiment.protocols import folds_in_words
from trellislib.metrics import MEASURES

PAIR = ["dataset", "method"]
DIVIDED = ["dataset", "digest", "protocol"]
FIT = ["seed", "repeat", "fold"]
IDENTITY = ["dataset", "digest", "method", "parameters", "protocol", "n_fits", *FIT]
PROVENANCE = ["budget_seconds", "budget_gib", "at_once", "versions", "ended"]


def _no_details(fit: int) -> Details:
    return {}


@dataclass(frozen=True)
class Results:
    """Fits of methods on data sets, and the tables of their scores.

    A method has a mean on a data set only where it finished every fit that the protocol and the seeds of that data set
    ask for, and each has that score. `status` has what was not finished, and why.

    Attributes
    ----------
    fits : DataFrame
        A row per fit. Its identity: ``dataset``, ``method``, ``protocol``, ``n_fits`` (of a method, for one
        seed), ``seed``, ``repeat``, ``fold``, with the data's ``digest`` and the method's ``parameters``; how it ended:
        ``status`` ("done", "failed", "over time", "over memory"), ``reason``, ``train_seconds``, ``test_seconds``,
        ``memory_mib``, one column per measure; how it was made: ``budget_seconds``, ``budget_gib``, ``at_once``,
        ``versions``, ``ended``.
    details_of : callable
        ``details_of(index of a fit)`` gives tables by their name: the scores of ``"labels"``, and the bins of
        ``"reliability"``, as far as the fit has them.
    remarks : tuple of str
        What a reader should know of the data and folds.
    seeds : mapping of str to frozenset of int
        By data set the seeds that were asked for, where that is known; those of its fits count in any case.
    order : mapping of str to tuple of str
        The order of ``"dataset"`` and of ``"method"`` where it is not that of the fits.
    """

    fits: pd.DataFrame
    details_of: Callable[[int], Details] = _no_details
    remarks: tuple[str, ...] = ()
    seeds: Mapping[str, frozenset[int]] = field(default_factory=dict)
    order: Mapping[str, tuple[str, ...]] = field(default_factory=dict)

    @classmethod
    def of(
        cls,
        rows: Iterable[dict],
        details_of: Callable[[int], Details] = _no_details,
        remarks: Iterable[str] = (),
        asked: Iterable[tuple[str, str, str, Iterable[int]]] = (),
    ) -> Results:
        """Put fits together: names made unique, and of equal fits the newest kept, the one of the highest ``"id"``.

        A data set that occurs under several protocols, or with several contents, is as many data sets, and a method
        with several parameters on the same data set as many methods; their names then say so, alike on all data sets.
        Parameters that only differ from one data set to another make no other method: they may suit the data.

        Parameters
        ----------
        rows : iterable of dict
            The columns of `fits`, and as ``"id"`` what `details_of` takes. Data sets and methods come in their order.
        details_of : callable
            See `Results`.
        remarks : iterable of str
            See `Results`.
        asked : iterable of tuple
            Dataset, digest, protocol and the seeds that a run asked for there, also where it has not come to them.
        """
        given = list(rows)
        fits = fits_table(given, IDENTITY).join(pd.DataFrame(given, columns=PROVENANCE))
        fits = fits.astype(dict.fromkeys(("budget_seconds", "budget_gib"), float))
        divided = fits[DIVIDED].itertuples(index=False, name=None)
        fits["dataset"] = _dataset_names(fits)
        name_of = dict(zip(divided, fits["dataset"], strict=True))
        seeds: dict[str, frozenset[int]] = {}
        for *of_one, of_run in asked:
            if (name := name_of.get(tuple(of_one))) is not None:
                seeds[name] = seeds.get(name, frozenset()) | frozenset(of_run)
        fits["method"] = _method_names(fits)
        fits.index = pd.Index([row.get("id", number) for number, row in enumerate(given)], name="fit")
        by_age = fits.reset_index().sort_values("fit", kind="stable")
        older = by_age.duplicated([*PAIR, *FIT], keep="last").sort_index()
        return cls(fits[~older.to_numpy()], details_of, tuple(dict.fromkeys(remarks)), seeds)

    @property
    def datasets(self) -> tuple[str, ...]:
        """Names of the data sets, in the order in which they came or were selected."""
        return self._names("dataset")

    @property
    def methods(self) -> tuple[str, ...]:
        """Names of the methods, in the order in which they came or were selected."""
        return self._names("method")

    def _names(self, column: str) -> tuple[str, ...]:
        found = dict.fromkeys(self.fits[column])
        return tuple(name for name in dict.fromkeys((*self.order.get(column, ()), *found)) if name in found)

    @property
    def measures(self) -> list[str]:
        """The measures that at least one fit has, then what fits cost."""
        return [key for key in (*MEASURES, *COSTS) if self.fits[key].notna().any()]

    @property
    def notes(self) -> tuple[str, ...]:
        """What a reader of the scores should know, one sentence each."""
        found = list(self.remarks)
        at_once = self.fits["at_once"].max()
        if at_once > 1:
            found.append(f"Up to {at_once:.0f} fits ran at a time: those that shared a machine took longer.")
        versions = self.fits["versions"].dropna().unique()
        if len(versions) > 1:
            differ = differing({str(number): text for number, text in enumerate(versions)})
            found.append(f"The fits were made with different versions: {' or '.join(differ.values())}.")
        variants = self.fits.groupby("method", sort=False)["parameters"].nunique()
        changing = [name for name in self.methods if variants[name] > 1]
        if changing:
            found.append(f"Not the same on every data set in parameters or preparation: {', '.join(changing)}.")
        return tuple(found)

    def select(self, datasets: Iterable[str] | None = None, methods: Iterable[str] | None = None) -> Results:
        """Return the fits of some data sets and methods only, in the order in which these are given."""
        if datasets is None and methods is None:
            return self
        order = {
            "dataset": self.datasets if datasets is None else tuple(dict.fromkeys(datasets)),
            "method": self.methods if methods is None else tuple(dict.fromkeys(methods)),
        }
        fits = self.fits[self.fits["dataset"].isin(order["dataset"]) & self.fits["method"].isin(order["method"])]
        fits = fits.sort_values(PAIR, key=lambda names: names.map(order[names.name].index), kind="stable")
        return replace(self, fits=fits, order=order)

    def table(self, key: str) -> pd.DataFrame:
        """Return the mean of a measure or cost: data sets in rows, methods in columns; nan where one did not finish.

        Raises
        ------
        KeyError
            If no fit has that measure.
        """
        return self._table(key, "mean")

    def spread(self, key: str) -> pd.DataFrame:
        """Return the standard deviation over the fits, as `table` does the mean."""
        return self._table(key, "std")

    def _table(self, key: str, what: str) -> pd.DataFrame:
        if key not in self.measures:
            raise KeyError(f"No fit has the measure {key!r}; there are {', '.join(self.measures) or 'none'}.")
        fits = self.fits[self.fits["status"] == "done"].groupby(PAIR, sort=False)[key].agg(["count", what])
        expected = fits.index.get_level_values("dataset").map(self._expected)
        table = fits[what].where(fits["count"] == expected).unstack("method")
        return table.reindex(index=self.datasets, columns=self.methods).rename_axis(index="dataset", columns=None)

    @cached_property
    def _expected(self) -> pd.Series:
        """How many fits of each data set a method must finish: those of its protocol, for each seed."""
        of_each = self.fits.groupby("dataset", sort=False)
        n_seeds = {
            name: len(self.seeds.get(name, frozenset()).union(seeds))
            for name, seeds in of_each["seed"].unique().items()
        }
        return of_each["n_fits"].first() * pd.Series(n_seeds, dtype=int)

    def status(self) -> pd.DataFrame:
        """Return why methods did not finish data sets, as text, "" where they did; laid out as `table`."""
        return self._status.copy()

    @cached_property
    def _status(self) -> pd.DataFrame:
        done = self.fits["status"] == "done"
        n_done = done.groupby([self.fits[name] for name in PAIR]).sum().to_dict()
        bad = self.fits[~done].drop_duplicates(PAIR).set_index(PAIR)
        why = (bad["status"] + ": " + bad["reason"]).to_dict()
        expected = self._expected
        reasons = [
            [_reason(n_done.get((name, method), 0), expected[name], why.get((name, method))) for method in self.methods]
            for name in self.datasets
        ]
        index = pd.Index(self.datasets, name="dataset")
        return pd.DataFrame(reasons, index=index, columns=list(self.methods), dtype=object)

    def unfinished(self) -> dict[str, list[tuple[str, str]]]:
        """Return what did not finish, by the reason as `status` gives it.

        Returns
        -------
        dict of str to list of (str, str)
            Data set and method of each, data set by data set.
        """
        reasons: dict[str, list[tuple[str, str]]] = {}
        for name, of_methods in self.status().to_dict("index").items():
            for method, reason in of_methods.items():
                if reason:
                    reasons.setdefault(reason, []).append((str(name), str(method)))
        return reasons

    def undefined(self, key: str) -> dict[str, dict[str, str]]:
        """Return which data sets and methods finished and have no such measure, and why.

        Parameters
        ----------
        key : str
            A measure or cost.

        Returns
        -------
        dict of str to dict of str
            For ``"datasets"`` and ``"methods"``, their names, each with why in a few words.

        Raises
        ------
        KeyError
            If no fit has that measure.
        """
        missing, finished = self.table(key).isna(), self._status == ""
        of_datasets = missing.all(axis=1) & finished.any(axis=1)
        others = ~of_datasets
        of_methods = missing[others].all() & finished[others].any()
        done = self.fits[self.fits["status"] == "done"]
        return {
            column + "s": {str(name): why_undefined(done[done[column] == name], key) for name in found.index[found]}
            for column, found in (("dataset", of_datasets), ("method", of_methods))
        }

    def defined(self, key: str) -> Results:
        """Return the results without the data sets and methods where a measure is `undefined`."""
        without = self.undefined(key)
        if not any(without.values()):
            return self
        return self.select(
            [name for name in self.datasets if name not in without["datasets"]],
            [name for name in self.methods if name not in without["methods"]],
        )

    def of_dataset(self, name: str) -> Evaluation:
        """Return what came of one data set; folds are numbered through repeats and seeds.

        Raises
        ------
        KeyError
            If there is no such data set.
        """
        if name not in self.datasets:
            raise KeyError(f"There are no results on {name!r}; there are on {', '.join(self.datasets) or 'none'}.")
        fits = self.fits[self.fits["dataset"] == name]
        keys = list(fits[FIT].itertuples(index=False, name=None))
        number = {key: place for place, key in enumerate(sorted(set(keys)), 1)}
        n_per_repeat = folds_in_words(fits["protocol"].iloc[0])
        fits = fits.assign(fold=[number[key] for key in keys])
        details = [(row.method, row.fold, self.details_of(row.Index)) for row in fits[["method", "fold"]].itertuples()]
        methods, expected = tuple(fits["method"].unique()), int(self._expected[name])
        columns = ["method", "fold", "status", "reason", *COSTS, *MEASURES]
        return Evaluation(
            fits[columns].reset_index(drop=True),
            detail_table(details, "labels"),
            methods,
            expected,
            self.notes,
            complete=len(fits) == expected * len(methods),
            n_per_repeat=n_per_repeat,
            bins=detail_table(details, "reliability"),
        )


def _reason(n_done: int, expected: int, reason: str | None) -> str:
    """Return why a method did not finish a data set."""
    if n_done == expected:
        return ""
    return f"{reason or ('not all run' if n_done else 'not run')} ({n_done} of {expected} fits done)"


def _dataset_names(fits: pd.DataFrame) -> pd.Series:
    """Return names of data sets that separate what should not be averaged together."""
    names = fits["dataset"].copy()
    for name, group in fits.groupby("dataset", sort=False):
        if group["protocol"].nunique() > 1:
            names.loc[group.index] = name + " (" + group["protocol"] + ")"
    for name, group in fits.groupby(names, sort=False):
        if group["digest"].nunique() > 1:
            names.loc[group.index] = f"{name} #" + group["digest"].str[:6]
    return names


def _method_names(fits: pd.DataFrame) -> pd.Series:
    """Return names of methods that separate those with different parameters on the same data set."""
    names = fits["method"].copy()
    for name, group in fits.groupby("method", sort=False):
        of_each = group.groupby("dataset", sort=False)["parameters"].unique()
        if of_each.map(len).max() > 1:
            words = distinguishing_words(of_each)
            name_of = {text: f"{name} ({of_one})" if of_one else name for text, of_one in words.items()}
            names.loc[group.index] = group["parameters"].map(name_of)
    return names
