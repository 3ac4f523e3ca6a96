"""The cells of a table of scores, and which of its rows and columns are what."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import PurePath

from trellislib.data.reading.delimited import Row
from trellislib.data.reading.source import Source
from trellislib.score_tables.cells import Entry, as_printed
from trellislib.score_tables.direction import likely_higher_is_better
from trellislib.wording import listed, quoted

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


class Sheet:
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
        """What the columns of repetitions are called."""
        return [self.header[j].lower() for j in self.folds]

    def entries(self) -> dict[str, list[Entry]]:
        """Return the entries of each measure."""
        if self.methods is not None and (self.datasets is not None or self.folds):
            return self._long(self.datasets, self.methods)
        return self._wide()

    @property
    def _stem(self) -> str:
        """The name of the file, which is that of its only data set where no column has one."""
        return PurePath(self.source.name).stem

    def _long(self, datasets: int | None, methods: int) -> dict[str, list[Entry]]:
        if datasets is not None:
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
                    line,
                    self._stem if datasets is None else self._name(line, row, datasets),
                    self._name(line, row, methods),
                    fold,
                    self.header[j],
                    row[j],
                )
                for line, row, fold in self._with_folds()
            ]
            for j in scores
        }

    def _wide(self) -> dict[str, list[Entry]]:
        by_method = self.methods == 0
        names = 0 if by_method or self.datasets is None else self.datasets
        self._leave_out_averages(names)
        are_folds = names in self.folds
        if are_folds:
            self.notes.append(f"The rows are of one data set, one for each {listed(self.fold_names)}.")
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
            name = self._stem if are_folds else self._name(line, row, names)
            for j in columns:
                dataset, method = (self.header[j], name) if by_method else (name, self.header[j])
                entries.append(Entry(line, dataset, method, fold, self.header[j], row[j]))
        if by_method:
            self.notes.append(f"The rows were read as methods, since their column is called {quoted(self.header[0])}.")
        return {self._stem if likely_higher_is_better(self._stem) is not None else "score": entries}

    def _with_folds(self) -> Iterator[tuple[int, list[str], tuple[str, ...]]]:
        for line, row in self.rows:
            yield line, row, tuple(self._name(line, row, j) for j in self.folds)

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
