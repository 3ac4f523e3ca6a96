"""Score tables that other people made: from CSV (wide or long), LaTeX or Markdown, in a file or pasted.

The one form that they are brought to is a DataFrame with a row per data set and a column per method, NaN where a
method did not finish. What was left out, averaged or guessed on the way stands in the notes.
"""

from __future__ import annotations

import io
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import PurePath

import numpy as np
import pandas as pd

from trellislib.data.reading.delimited import Row, delimiter_of, split_rows
from trellislib.data.reading.source import FileLike, Source
from trellislib.data.spreadsheet import as_meant
from trellislib.ranking import FoldTests, resampled_holm
from trellislib.ranking.designs import fold_like, folds_in
from trellislib.score_tables.cells import Entry, as_printed, score_values
from trellislib.score_tables.direction import likely_higher_is_better
from trellislib.score_tables.markup import (
    count_latex_tables,
    count_markdown_tables,
    is_latex,
    is_markdown,
    latex_rows,
    markdown_rows,
    one_line,
)
from trellislib.wording import counted, quoted

_DATASET = frozenset(
    ["dataset", "datasets", "data set", "data sets", "data", "problem", "task", "task id", "domain", "corpus"]
)
_METHOD = frozenset(
    ["method", "methods", "algorithm", "algorithms", "algo", "classifier", "model", "learner", "approach"]
)
_FOLD = frozenset(
    ["fold", "folds", "cv fold", "seed", "random seed", "repeat", "repetition", "rep", "run", "iteration", "split"]
)
_FACTS = frozenset(["L", "|L|", "#L", "N", "|N|", "#N", "labels", "#labels", "instances", "#instances"])
_INDEX = frozenset(["", "unnamed: 0", "index"])
_AVERAGE = re.compile(
    r"(?:avg|ave|average|mean|overall)\.?(?:[\s_-]+(?:ranks?|ranking|scores?|values?))?|ranks?", re.IGNORECASE
)
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
    sheet = _Sheet(source, [*_rows(source)])
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


class _Sheet:
    """The cells of a file, and which of its rows and columns are what."""

    def __init__(self, source: Source, rows: list[Row]):
        self.source = source
        self.notes: list[str] = []
        if len(rows) < 2:
            raise source.error(
                "there is a header but no rows; expected a table of scores" if rows else "there are no rows"
            )
        (self.header_line, self.header), *self.rows = rows
        for line, row in self.rows:
            if len(row) != len(self.header):
                advice = "write DNF for a missing one" if len(row) < len(self.header) else "quote those with commas"
                cause = f"expected {len(self.header)} values as in the first row but got {len(row)}; {advice}"
                raise source.error(cause, line)
        self._leave_out_blank_columns()
        words = [re.sub(r"[\s_-]+", " ", name).lower() for name in self.header]
        if words[0] in _INDEX and self._counts_rows() and (_DATASET & {*words} or not self._is_numeric(1)):
            self._keep(range(1, len(words)))
            self.notes.append("The first column only numbers the rows and was left out.")
            words = words[1:]
        self.folds = sorted((j for j, word in enumerate(words) if word in _FOLD), key=lambda j: "fold" in words[j])
        self.datasets = next((j for j, word in enumerate(words) if word in _DATASET), None)
        self.methods = next((j for j, word in enumerate(words) if word in _METHOD), None)

    @property
    def fold_names(self) -> list[str]:
        return [self.header[j].lower() for j in self.folds]

    def entries(self) -> dict[str, list[Entry]]:
        """Return the entries of each measure."""
        if self.datasets is not None and self.methods is not None:
            return self._long(self.datasets, self.methods)
        return self._wide()

    def _long(self, datasets: int, methods: int) -> dict[str, list[Entry]]:
        self._leave_out_averages(datasets)
        others = [j for j in range(len(self.header)) if j not in (datasets, methods, *self.folds)]
        scores = [j for j in others if self._is_numeric(j)]
        if not scores:
            raise self.source.error("only data sets and methods have columns, and none holds scores", self.header_line)
        if left := [self.header[j] for j in others if j not in scores]:
            self.notes.append(f"No scores, and left out: {', '.join(map(quoted, left))}.")
        self._require_names(scores)
        return {
            self.header[j]: [
                Entry(
                    line, self._name(line, row, datasets), self._name(line, row, methods), fold, self.header[j], row[j]
                )
                for line, row, fold in self._with_folds()
            ]
            for j in scores
        }

    def _wide(self) -> dict[str, list[Entry]]:
        by_method = self.methods == 0
        names = 0 if by_method or self.datasets is None else self.datasets
        self._leave_out_averages(names)
        if names in self.folds:
            self.folds.remove(names)
            self.notes.append(
                "The rows are folds of one data set: folds are no data sets, and a test would take them so."
            )
        columns = [j for j in range(len(self.header)) if j not in (names, *self.folds)]
        while columns and self.header[columns[0]] in _FACTS:
            fact = columns.pop(0)
            self.notes.append(f"Column {quoted(self.header[fact])} describes the data sets and was left out.")
        if len(columns) > 1 and _AVERAGE.fullmatch(self.header[columns[-1]]):
            average = columns.pop()
            self.notes.append(f"Column {quoted(self.header[average])} was left out.")
        self._require_names(columns)
        if not columns:
            raise self.source.error("there is one column only; expected one of names and one per method")
        if not by_method and all(as_printed(self.header[j]) for j in columns):
            cause = "the first row holds numbers where the names of the methods were expected"
            raise self.source.error(cause, self.header_line)
        if self._is_fractional(names):
            cause = f"column {quoted(self.header[names])} holds numbers where the names of the data sets were expected"
            raise self.source.error(cause, self.header_line)
        entries = []
        for line, row, fold in self._with_folds():
            name = self._name(line, row, names)
            for j in columns:
                dataset, method = (self.header[j], name) if by_method else (name, self.header[j])
                entries.append(Entry(line, dataset, method, fold, self.header[j], row[j]))
        if by_method:
            self.notes.append(f"The rows were read as methods, since their column is called {quoted(self.header[0])}.")
        stem = PurePath(self.source.name).stem
        return {stem if likely_higher_is_better(stem) is not None else "score": entries}

    def _with_folds(self) -> Iterator[tuple[int, list[str], tuple[str, ...]]]:
        for line, row in self.rows:
            yield line, row, tuple(row[j] for j in self.folds)

    def _name(self, line: int, row: list[str], column: int) -> str:
        if not row[column]:
            what = quoted(self.header[column]) if self.header[column] else "that names the rows"
            raise self.source.error(f"the cell of column {what} is empty; every row needs a name", line)
        return row[column]

    def _require_names(self, columns: list[int]) -> None:
        taken: dict[str, int] = {}
        for j in columns:
            name = self.header[j]
            if not name:
                raise self.source.error(
                    f"column {j + 1} has no name; every column of scores needs one", self.header_line
                )
            if name in taken:
                cause = f"columns {taken[name]} and {j + 1} are both called {quoted(name)}; rename or remove one"
                raise self.source.error(cause, self.header_line)
            taken[name] = j + 1

    def _leave_out_blank_columns(self) -> None:
        filled = [j for j, name in enumerate(self.header) if name or any(row[j] for _, row in self.rows)]
        if not filled:
            raise self.source.error("all cells are empty; expected a table of scores")
        self._keep(range(filled[-1] + 1))

    def _keep(self, columns: range) -> None:
        self.header = [self.header[j] for j in columns]
        self.rows = [(line, [row[j] for j in columns]) for line, row in self.rows]

    def _leave_out_averages(self, names: int) -> None:
        """Leave out the last rows that are averages of the others."""
        left = []
        while self.rows and _AVERAGE.fullmatch(self.rows[-1][1][names]):
            left.append(self.rows.pop()[1][names])
        if not self.rows:
            raise self.source.error("there are averages but no data sets; expected a row for each")
        self.notes += [f"Row {quoted(name)} was left out." for name in dict.fromkeys(reversed(left))]

    def _counts_rows(self) -> bool:
        column = [row[0] for _, row in self.rows]
        return len(self.header) > 2 and column in [
            [str(i) for i in range(first, first + len(column))] for first in (0, 1)
        ]

    def _is_numeric(self, j: int) -> bool:
        """Whether at least half of the cells of a column that are not empty are numbers."""
        printed = [as_printed(row[j]) for _, row in self.rows]
        finished = [number for number in printed if number != ""]
        return sum(number is not None for number in finished) * 2 >= len(finished) > 0

    def _is_fractional(self, j: int) -> bool:
        """Whether the cells of a column are all numbers, and some not whole."""
        numbers = [as_printed(row[j]) for _, row in self.rows]
        return all(numbers) and any(not number.isdigit() for number in numbers if number)


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
