"""Score tables that other people made: from CSV (wide or long), LaTeX or Markdown, in a file or pasted.

The one form that they are brought to is a DataFrame with a row per data set and a column per method, NaN where a
method did not finish. What was left out, averaged or guessed on the way stands in the notes.
"""

from __future__ import annotations

import io
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace

import numpy as np
import pandas as pd

from trellislib.data.reading.delimited import Row, delimiter_of, split_rows
from trellislib.data.reading.source import FileLike, Source
from trellislib.data.spreadsheet import as_meant
from trellislib.ranking import FoldTests, resampled_holm
from trellislib.ranking.designs import fold_like, folds_in
from trellislib.score_tables.cells import Entry, score_values
from trellislib.score_tables.markup import (
    count_latex_tables,
    count_markdown_tables,
    is_latex,
    is_markdown,
    latex_rows,
    markdown_rows,
    one_line,
)
from trellislib.score_tables.sheet import Sheet
from trellislib.wording import counted, quoted

_LIKE_A_FOLD = re.compile(r"(?:f|fold|cv|run|seed|split|rep|repeat)[\s_-]*\d+", re.IGNORECASE)


@dataclass(frozen=True, eq=False)
class ScoreFile:
    """What a file of scores holds.

    Attributes
    ----------
    name : str
        The file's name.
    tables : mapping of str to DataFrame of shape (n_datasets, n_methods)
        The score table of each measure; NaN where a method did not finish. The name of the only measure of a wide
        table is the file's, if that tells whether higher is better, else "score".
    notes : tuple of str
        What was noticed on reading, one sentence each.
    folds : mapping of str to DataFrame of shape (n_splits, n_methods)
        Of folds of one data set, the scores of each measure fold by fold; empty of several data sets.
    n_per_repeat : int, optional
        Folds of one repeat, where there are several repeats of the same number of folds.
    """

    name: str
    tables: Mapping[str, pd.DataFrame]
    notes: tuple[str, ...] = ()
    folds: Mapping[str, pd.DataFrame] = field(default_factory=dict)
    n_per_repeat: int | None = None

    @property
    def measures(self) -> tuple[str, ...]:
        """The measures, in the order of their columns."""
        return tuple(self.tables)

    def table(self, measure: str | None = None) -> pd.DataFrame:
        """Return the score table of a measure, by default of the first.

        Raises
        ------
        DataError
            If there is no such measure.
        """
        measure = self.measures[0] if measure is None else measure
        if measure not in self.tables:
            there = ", ".join(map(quoted, self.measures))
            raise Source(b"", self.name).error(f"there is no measure {quoted(measure)}; there is {there}")
        return self.tables[measure].copy()

    def tests(self, measure: str, higher_is_better: bool = True, *, alpha: float = 0.05) -> FoldTests:
        """Test each pair of methods over the folds of the only data set.

        Parameters are those of `trellislib.ranking.resampled_holm`.

        Raises
        ------
        ValueError
            If it holds no folds of one data set, or by `trellislib.ranking.resampled_holm`.
        """
        if measure not in self.folds:
            raise ValueError("There are no folds of one data set here, so there is no test over folds.")
        return resampled_holm(self.folds[measure], higher_is_better, n_folds=self.n_per_repeat, alpha=alpha)

    def with_folds(self, *, sure: bool = False) -> ScoreFile:
        """Return it with the data sets whose names differ by numbers at the end averaged, as folds of one.

        Parameters
        ----------
        sure : bool, default=False
            As of `trellislib.ranking.designs.folds_in`.
        """
        named = folds_in(self.table().index, sure=sure)
        if not named:
            return self
        tables, of_folds = {}, {}
        for measure, table in self.tables.items():
            datasets = pd.Series([named.get(name, (name,))[0] for name in table.index], table.index, name="dataset")
            tables[measure] = table.groupby(datasets, sort=False).agg(lambda scores: scores.mean(skipna=False))
            if len(tables[measure]) == 1:
                of_folds[measure] = table.set_axis(
                    pd.Index([named[name][1] for name in table.index], tupleize_cols=False)
                )
        averaged = (
            f"{counted(len(named), 'row')} were averaged as folds or repeats of one data set: folds are no data sets."
        )
        return replace(
            self,
            tables=tables,
            notes=(*self.notes, averaged),
            folds=of_folds,
            n_per_repeat=_per_repeat(of_folds),
        )

    def transposed(self) -> ScoreFile:
        """Return it with data sets for methods and methods for data sets, for a file that has them the other way.

        Raises
        ------
        DataError
            If the file has one row only, so that there would be one method.
        """
        tables = {measure: table.T.rename_axis(index="dataset", columns=None) for measure, table in self.tables.items()}
        _require_two_methods(Source(b"", self.name), tables[self.measures[0]].columns)
        return replace(self, tables=tables)


def read_scores(source: FileLike | Source, name: str | None = None, *, folds: bool | None = None) -> ScoreFile:
    r"""Read scores of methods on data sets.

    Parameters
    ----------
    source : str, path, bytes, binary file or Source
        A file or an upload; a string of more than one line is the table itself, as pasted.
    name : str, optional
        What to call it; by default the file's own name.
    folds : bool, optional
        Whether names of data sets that differ by numbers at the end are folds of one: yeast 1, yeast 2. By default
        where they leave no doubt; see `trellislib.ranking.designs.folds_in`.

    Returns
    -------
    ScoreFile
        Its tables, with data sets and methods in their order in the file.

    Raises
    ------
    DataError
        If it cannot be read, has fewer than two methods, has two scores for the same cell, or a cell holds no score;
        one sentence with the file's name, the line and the cause.

    Notes
    -----
    Understood are a tabular of LaTeX, a table of Markdown, and text between commas, semicolons, tabs or bars:

    - *wide*: the first column names the data sets, every other column is a method; where the first column is headed
      "method", "algorithm" or the like, it is read the other way round. A further column "fold", "seed" or the like
      names the repetitions.
    - *long*: columns "dataset", "method" and one or more of scores, perhaps with "fold", "seed" or the like.

    Repetitions are averaged per data set and method, for folds are no data sets; where one is missing, the method
    counts as not finished there. Cells may have a spread ("0.517 ± 0.03"), a rank ("0.483 (7)"), a percent sign if
    all have one, a decimal comma or bold marks; "DNF", "-", "?", "n/a", "timeout" and empty cells are NaN. Averages
    at the end and a column that only counts the rows are left out.

    Examples
    --------
    >>> scores = read_scores("Dataset & IC & CT \\\\ \nMusic & 0.483 (2) & 0.577 (1)\\\\\nDelicious & DNF & 0.127\\\\")
    >>> scores.table()
                  IC     CT
    dataset
    Music      0.483  0.577
    Delicious    NaN  0.127
    >>> scores = read_scores("dataset,fold,method,accuracy\nd1,1,IC,0.4\nd1,2,IC,0.6\nd1,1,CT,0.7\nd1,2,CT,0.7\n")
    >>> scores.table("accuracy").loc["d1"].tolist(), scores.notes
    ([0.5, 0.7], ('2 folds of each data set were averaged: folds are no data sets.',))
    """
    source = _source(source, name)
    sheet = Sheet(source, [*_rows(source)])
    tables, notes = {}, sheet.notes
    of_folds: dict[str, pd.DataFrame] = {}
    for measure, entries in sheet.entries().items():
        values, noticed = score_values(source, entries)
        tables[measure], about_folds = _averaged(source, entries, values, sheet.fold_names)
        notes += noticed + about_folds
        if len(tables[measure]) == 1 and len({entry.fold for entry in entries}) > 1:
            of_folds[measure] = _fold_by_fold(entries, values, list(tables[measure].columns))
    first = next(iter(tables.values()))
    _require_two_methods(source, first.columns)
    if all(table.isna().all(axis=None) for table in tables.values()):
        raise source.error("no cell holds a score; expected numbers below the names of the methods")
    if len(first) > 1 and not fold_like(first.index) and all(map(_LIKE_A_FOLD.fullmatch, first.index)):
        notes.append(
            f"The data sets are called like folds ({first.index[0]}, {first.index[1]}): folds are no data sets, and a "
            "test would take them for such."
        )
    file = ScoreFile(source.name, tables, tuple(dict.fromkeys(notes)), of_folds, _per_repeat(of_folds))
    return file if folds is False or sheet.folds else file.with_folds(sure=folds is None)


def _fold_by_fold(entries: Sequence[Entry], values: Sequence[float], methods: list[str]) -> pd.DataFrame:
    rows = pd.DataFrame([(entry.fold, entry.method) for entry in entries], columns=["fold", "method"])
    table = rows.assign(score=values).pivot(index="fold", columns="method", values="score")
    return table[methods].rename_axis(columns=None)


def _per_repeat(of_folds: Mapping[str, pd.DataFrame]) -> int | None:
    """Return how many folds each repeat has, where a repeat and a fold number them alike in each."""
    for table in of_folds.values():
        repeats = pd.Series([fold[0] for fold in table.index if len(fold) == 2]).value_counts()
        if len(repeats) > 1 and repeats.nunique() == 1 and repeats.sum() == len(table):
            return int(repeats.iloc[0])
    return None


def _source(source: FileLike | Source, name: str | None) -> Source:
    if isinstance(source, str) and ("\n" in source or not source.strip()):
        return Source(source.encode(errors="replace"), name or "pasted table")
    return Source(source, name)


def _rows(source: Source) -> Iterator[Row]:
    """Yield the rows of the file, whichever way it is written, each with its line's number."""
    with source.text() as opened:
        text = opened.read()
    if not text.strip():
        raise source.error("there is nothing but blanks; expected a table of scores")
    if is_latex(text):
        _require_one_table(source, count_latex_tables(text))
        yield from latex_rows(text)
    elif is_markdown(text):
        _require_one_table(source, count_markdown_tables(text))
        yield from markdown_rows(text)
    else:
        delimiter = delimiter_of(source)
        for line, row in split_rows(source, io.StringIO(text), delimiter):
            yield line, [as_meant(one_line(cell)) for cell in row]


def _require_one_table(source: Source, n_tables: int) -> None:
    if n_tables > 1:
        raise source.error(f"there are {n_tables} tables; give one at a time")


def _require_two_methods(source: Source, methods: Sequence[str]) -> None:
    if len(methods) < 2:
        raise source.error(
            f"there is one method only, {quoted(methods[0])}; give a table with a column for each of two or more"
        )


def _averaged(
    source: Source, entries: Sequence[Entry], values: Sequence[float], fold_names: Sequence[str]
) -> tuple[pd.DataFrame, list[str]]:
    """Return the mean over the folds of each data set and method, NaN where one is missing, and what to know of it."""
    table = pd.DataFrame(
        [(entry.dataset, entry.method, entry.fold, entry.line) for entry in entries],
        columns=["dataset", "method", "fold", "line"],
    ).assign(score=values)
    keys = ["dataset", "method", "fold"]
    for _, second in table[table.duplicated(keys)].iterrows():
        first = table[(table[keys] == second[keys]).all(axis=1)]["line"].iloc[0]
        advice = "remove one, or name repetitions in a column 'fold'"
        if fold_names:
            advice = "give each fold a name of its own"
        cell = f"{quoted(second['dataset'])} and {quoted(second['method'])}"
        raise source.error(f"there is a second score for {cell} after that on line {first}; {advice}", second["line"])
    n_folds = table.groupby("dataset", sort=False)["fold"].nunique()
    of_cells = table.groupby(["dataset", "method"], sort=False)["score"]
    methods = list(table["method"].unique())
    n_done = of_cells.count().unstack().reindex(index=n_folds.index, columns=methods)  # NaN where there is no entry
    mean = of_cells.mean().unstack().reindex(index=n_folds.index, columns=methods)
    partial, absent = [], []
    for dataset, row in n_done.iterrows():
        of = f"{n_folds[dataset]} {_plural(fold_names)} of {dataset}"
        for method, n in row.items():
            if np.isnan(n):
                absent.append(f"There is no score of {method} on {dataset}, which counts as not finished.")
            elif 0 < n < n_folds[dataset]:
                partial.append(f"{method} finished only {n:.0f} of {of} and counts as not finished there.")
    scores = mean.where(n_done.eq(n_folds, axis=0)).rename_axis(columns=None)
    return scores, _about_folds(n_folds, fold_names) + _shortened(partial) + _shortened(absent)


def _about_folds(n_folds: pd.Series, names: Sequence[str]) -> list[str]:
    least, most = n_folds.min(), n_folds.max()
    if not names or most == 1:
        return []
    what = _plural(names)
    n = f"{most}" if least == most else f"{least} to {most}"
    return [f"{n} {what} of each data set were averaged: {what} are no data sets."]


def _plural(fold_names: Sequence[str]) -> str:
    """Return what the repetitions are called, by their only column."""
    if len(fold_names) != 1:
        return "repetitions"
    return fold_names[0] if fold_names[0].endswith("s") else f"{fold_names[0]}s"


def _shortened(sentences: list[str], most: int = 3) -> list[str]:
    more = len(sentences) - most
    return sentences[:most] + ([f"The same holds for {more} more."] if more > 0 else [])
