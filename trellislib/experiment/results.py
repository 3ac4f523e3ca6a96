"""What came of methods on data sets: tables of scores in which nothing is missing without a reason."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace

import pandas as pd

from trellislib.experiment.evaluation import Evaluation, fits_table, label_table
from trellislib.experiment.fits import COSTS
from trellislib.experiment.identity import differing
from trellislib.metrics import MEASURES

PAIR = ["dataset", "method"]
FIT = ["seed", "repeat", "fold"]
IDENTITY = ["dataset", "digest", "method", "parameters", "protocol", "n_fits", *FIT]
PROVENANCE = ["budget_seconds", "budget_gib", "at_once", "versions", "ended"]
LONGEST = 60  # characters that tell two methods of one name apart, before they are numbered instead


def _no_labels(fit: int) -> pd.DataFrame | None:
    return None


@dataclass(frozen=True)
class Results:
    """Fits of methods on data sets, and what they say together.

    A method has a mean on a data set only where it finished every fit that the protocol and the seeds of that data set
    ask for, and each has that score. `status` says what was not finished, and why.

    Attributes
    ----------
    fits : DataFrame
        A row per fit. What tells it apart: ``dataset``, ``method``, ``protocol``, ``n_fits`` (of a method, for one
        seed), ``seed``, ``repeat``, ``fold``, with the data's ``digest`` and the method's ``parameters``; how it ended:
        ``status`` ("done", "failed", "over time", "over memory"), ``reason``, ``train_seconds``, ``test_seconds``,
        ``memory_mib``, one column per measure; how it was made: ``budget_seconds``, ``budget_gib``, ``at_once``,
        ``versions``, ``ended``.
    labels_of : callable
        ``labels_of(index of a fit)`` gives the scores of each label, or None.
    remarks : tuple of str
        What a reader should know of the data and folds.
    """

    fits: pd.DataFrame
    labels_of: Callable[[int], pd.DataFrame | None] = _no_labels
    remarks: tuple[str, ...] = ()

    @classmethod
    def of(
        cls,
        rows: Iterable[dict],
        labels_of: Callable[[int], pd.DataFrame | None] = _no_labels,
        remarks: Iterable[str] = (),
    ) -> Results:
        """Put fits together: names made unique, and of equal fits the newest kept, the one of the highest ``"id"``.

        A data set that occurs under several protocols, or with several contents, is as many data sets, and a method
        with several parameters on the same folds as many methods; their names then say so.

        Parameters
        ----------
        rows : iterable of dict
            The columns of `fits`, and as ``"id"`` what `labels_of` takes. Data sets and methods come in their order.
        labels_of : callable
            See `Results`.
        remarks : iterable of str
            See `Results`.
        """
        given = list(rows)
        fits = fits_table(given, IDENTITY).join(pd.DataFrame(given, columns=PROVENANCE))
        fits = fits.astype(dict.fromkeys(("budget_seconds", "budget_gib"), float))
        fits.index = pd.Index([row.get("id", number) for number, row in enumerate(given)], name="fit")
        fits["dataset"] = _dataset_names(fits)
        fits["method"] = _method_names(fits)
        by_age = fits.reset_index().sort_values("fit", kind="stable")
        older = by_age.duplicated([*PAIR, *FIT], keep="last").sort_index()
        return cls(fits[~older.to_numpy()], labels_of, tuple(dict.fromkeys(remarks)))

    @property
    def datasets(self) -> tuple[str, ...]:
        """Names of the data sets, in the order in which they came."""
        return tuple(self.fits["dataset"].unique())

    @property
    def methods(self) -> tuple[str, ...]:
        """Names of the methods, in the order in which they came."""
        return tuple(self.fits["method"].unique())

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
            told = differing({str(number): text for number, text in enumerate(versions)})
            found.append(f"The fits were made with different versions: {' or '.join(told.values())}.")
        return tuple(found)

    def select(self, datasets: Iterable[str] | None = None, methods: Iterable[str] | None = None) -> Results:
        """Return the fits of some data sets and methods only, in the order in which these are given."""
        fits = self.fits
        for column, chosen in (("dataset", datasets), ("method", methods)):
            if chosen is not None:
                place = {name: number for number, name in enumerate(chosen)}
                fits = fits[fits[column].isin(list(place))].sort_values(
                    column, key=lambda names, place=place: names.map(place), kind="stable"
                )
        return replace(self, fits=fits)

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

    @property
    def _expected(self) -> pd.Series:
        """How many fits of each data set a method must finish: those of its protocol, for each seed."""
        of_each = self.fits.groupby("dataset", sort=False)
        return of_each["n_fits"].first() * of_each["seed"].nunique()

    def status(self) -> pd.DataFrame:
        """Return why methods did not finish data sets, as text, "" where they did; laid out as `table`."""
        done = self.fits["status"] == "done"
        n_done = done.groupby([self.fits[name] for name in PAIR]).sum().to_dict()
        bad = self.fits[~done].drop_duplicates(PAIR).set_index(PAIR)
        why = (bad["status"] + ": " + bad["reason"]).to_dict()
        expected = self._expected
        told = {
            method: [
                _said(n_done.get((name, method), 0), expected[name], why.get((name, method))) for name in self.datasets
            ]
            for method in self.methods
        }
        return pd.DataFrame(
            told, index=pd.Index(self.datasets, name="dataset"), columns=list(self.methods), dtype=object
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
        numbered = self._numbered(name)
        of_labels = [
            (row.method, row.fold, table)
            for row in numbered[["method", "fold"]].itertuples()
            if (table := self.labels_of(row.Index)) is not None
        ]
        return replace(self._without_labels(name), per_label=label_table(of_labels))

    def _without_labels(self, name: str) -> Evaluation:
        fits = self._numbered(name)
        methods = tuple(fits["method"].unique())
        expected = int(self._expected[name])
        columns = ["method", "fold", "status", "reason", *COSTS, *MEASURES]
        complete = len(fits) == expected * len(methods)
        return Evaluation(
            fits[columns].reset_index(drop=True), label_table([]), methods, expected, self.notes, complete
        )

    def _numbered(self, name: str) -> pd.DataFrame:
        fits = self.fits[self.fits["dataset"] == name]
        keys = list(fits[FIT].itertuples(index=False, name=None))
        number = {key: place for place, key in enumerate(sorted(set(keys)), 1)}
        return fits.assign(fold=[number[key] for key in keys])


def _said(n_done: int, expected: int, reason: str | None) -> str:
    """Return why a method did not finish a data set."""
    if n_done == expected:
        return ""
    return f"{reason or ('not all run' if n_done else 'not run')} ({n_done} of {expected} fits done)"


def _dataset_names(fits: pd.DataFrame) -> pd.Series:
    """Return names of data sets that tell apart what should not be averaged together."""
    names = fits["dataset"].copy()
    for name, group in fits.groupby("dataset", sort=False):
        if group["protocol"].nunique() > 1:
            names.loc[group.index] = name + " (" + group["protocol"] + ")"
    for name, group in fits.groupby(names, sort=False):
        if group["digest"].nunique() > 1:
            names.loc[group.index] = f"{name} #" + group["digest"].str[:6]
    return names


def _method_names(fits: pd.DataFrame) -> pd.Series:
    """Return names of methods that tell apart those with different parameters on the same fold of the same data."""
    names = fits["method"].copy()
    for name, group in fits.groupby("method", sort=False):
        if group.groupby(["dataset", *FIT])["parameters"].nunique().max() == 1:
            continue
        variants = list(group["parameters"].unique())
        said = differing({text: text for text in variants})
        if len(set(said.values())) < len(said) or any(not words or len(words) > LONGEST for words in said.values()):
            said = {text: str(number) for number, text in enumerate(variants, 1)}
        names.loc[group.index] = [f"{name} ({said[text]})" for text in group["parameters"]]
    return names
