"""`Table`: the form between any file and a `Dataset`, in which nobody has said yet which columns are labels."""

from __future__ import annotations

import difflib
import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property, partial
from itertools import groupby, takewhile

import numpy as np
import pandas as pd
from scipy import sparse

from trellislib.data.dataset import DataError, Dataset
from trellislib.data.escapes import quoted
from trellislib.data.label_values import Coding, ascending, nominal_coding, numeric_coding
from trellislib.typing import Matrix

MAX_INDICATORS = 200
_FEW = 10
_ENDING = re.compile(r"(\.(arff|csv|tsv|txt|dat|data))?(\.gz)?$", re.IGNORECASE)


@dataclass(frozen=True, eq=False)
class Table:
    """What a file holds: named columns of numbers or of named values.

    Parameters
    ----------
    name : str
        The file's name, with which every message starts.
    columns : tuple of str
        Column names, all different.
    categories : tuple of (tuple of str or None)
        For each column its named values, or None where it holds numbers.
    cells : {ndarray, csr_array} of shape (n_rows, n_columns)
        The number, or the index of the named value; ``nan`` is a missing cell.
    labels : tuple of str, optional
        The columns that the file itself declares to be labels.
    labels_note : str
        What is doubtful about `labels`; a data set notes it when it uses them.
    notes : tuple of str
        What was noticed on reading, one sentence each.
    unusable : mapping of str to str
        Columns that can be neither feature nor label, and what they are ("free text", "a date").

    Raises
    ------
    DataError
        If the parts do not fit together, or there is no row.

    Examples
    --------
    >>> table = Table("sky.csv", ("x", "sunny"), (None, ("no", "yes")), np.array([[0.5, 1], [0.1, 0]]))
    >>> table.propose_labels()
    ('sunny',)
    >>> table.to_dataset(["sunny"]).Y.tolist()
    [[1], [0]]
    """

    name: str
    columns: tuple[str, ...]
    categories: tuple[tuple[str, ...] | None, ...]
    cells: Matrix
    labels: tuple[str, ...] | None = None
    labels_note: str = ""
    notes: tuple[str, ...] = ()
    unusable: Mapping[str, str] = field(default_factory=dict)

    def __post_init__(self) -> None:
        if len(self.columns) != len(self.categories) or len(self.columns) != self.cells.shape[1]:
            raise DataError(f"{self.name}: the column names do not fit the {self.cells.shape[1]} columns of cells.")
        if 0 in self.cells.shape:
            raise DataError(f"{self.name}: the file names columns but has no rows of data.")

    @property
    def n_rows(self) -> int:
        """Number of rows."""
        return self.cells.shape[0]

    def find(self, column: str) -> int:
        """Return the position of a column.

        Raises
        ------
        DataError
            If there is none of that name; the message says which name is nearest.
        """
        if column not in self._positions:
            raise DataError(f"{self.name}: there is no column {quoted(column)} to be a label{self.nearest(column)}.")
        return self._positions[column]

    def nearest(self, column: str) -> str:
        """Return what to add to a message about an unknown column: the existing name that is nearest to it."""
        lowered = {name.lower(): name for name in self.columns}
        near = difflib.get_close_matches(column.lower(), lowered, n=1)
        return f"; the nearest name is {quoted(lowered[near[0]])}" if near else ""

    def nominal(self, columns: Iterable[str]) -> Table:
        """Return a table in which numeric columns hold named values: codes such as 1, 2, 3 that mean no amount.

        Examples
        --------
        >>> table = Table("sky.csv", ("month", "sunny"), (None, None), np.array([[12.0, 1], [6, 0]]))
        >>> table.nominal(["month"]).categories
        (('6', '12'), None)
        """
        categories, cells = list(self.categories), self.cells.copy()
        if sparse.issparse(cells):
            raise DataError(f"{self.name}: the columns of a sparse table cannot be made nominal.")
        for j in map(self.find, columns):
            if categories[j] is None:
                values = self._present(j)
                known = ~np.isnan(cells[:, j])
                cells[known, j] = np.searchsorted(values, cells[known, j])
                categories[j] = tuple(np.format_float_positional(value, trim="-") for value in values)
        return replace(self, categories=tuple(categories), cells=cells)

    def preview(self, n_rows: int = 5) -> pd.DataFrame:
        """Return the first rows for people to look at: numbers, and names instead of their indices."""
        rows = self.cells[:n_rows]
        rows = rows.toarray() if sparse.issparse(rows) else rows
        shown = {}
        for name, names, cells in zip(self.columns, self.categories, rows.T, strict=True):
            shown[name] = cells if names is None else [None if np.isnan(cell) else names[int(cell)] for cell in cells]
        return pd.DataFrame(shown)

    def propose_labels(self) -> tuple[str, ...]:
        """Guess which columns are labels.

        The labels that the file declares, if it does. Else the longest run of last columns of at most two values
        (named values, or whole numbers). If that is shorter than two, or leaves no feature, the longest run of last
        columns of at most ten values that are all numeric or all nominal. Else the first columns, by the same rules.
        Failing all that, the last column alone, or the first, if it has at most two values and its neighbour more; and
        at last all columns of at most two values, wherever they are.

        Returns
        -------
        tuple of str
            In column order; empty where nothing fits.
        """
        if self.labels:
            return self.labels
        n = len(self.columns)
        n_usable = sum(name not in self.unusable for name in self.columns)
        for order in (range(n)[::-1], range(n)):
            for fits in (self._is_two_valued, partial(self._has_few, first=order[0])):
                run = list(takewhile(fits, order))
                if 2 <= len(run) < n_usable:
                    return tuple(self.columns[j] for j in sorted(run))
        for end, neighbour in ((n - 1, n - 2), (0, 1)):
            if 0 <= neighbour < n and self._is_two_valued(end) and not self._is_two_valued(neighbour):
                return (self.columns[end],)
        anywhere = [name for j, name in enumerate(self.columns) if self._is_two_valued(j)]
        return tuple(anywhere) if 2 <= len(anywhere) < n_usable else ()

    def to_dataset(self, labels: Sequence[str]) -> Dataset:
        """Return the data set in which `labels` are the labels and every other column is a feature.

        Labels are coded by the rules of `trellislib.data.label_values`, and a row with a missing label is left out.
        Of the features, numbers stay numbers; a column of two named values becomes one column of 0 and 1; one of
        more becomes a column ``name=value`` of 0 and 1 for each, ``nan`` in all where the cell is missing.
        Columns of text, of dates, of more than 200 named values, or of none at all are left out. The notes say what
        was done.

        Parameters
        ----------
        labels : sequence of str
            Names of columns, in the order in which the data set is to have them.

        Raises
        ------
        DataError
            If a name is unknown or named twice, a column cannot be a label, or no row or feature remains.
        """
        chosen = self._label_positions(labels)
        cells, label_notes = self._rows_with_labels(chosen)
        table = self if cells is self.cells else replace(self, cells=cells)
        codings = [table._coding(j) for j in chosen]
        X, feature_names, feature_notes = table._features(set(chosen))
        doubts = [self.labels_note] if self.labels_note and tuple(labels) == self.labels else []
        return Dataset(
            X=X,
            Y=table._codes(chosen, codings),
            feature_names=feature_names,
            label_names=tuple(self.columns[j] for j in chosen),
            label_values=tuple(coding.values for coding in codings),
            name=_ENDING.sub("", self.name, count=1) or self.name,
            notes=(*self.notes, *doubts, *label_notes, *_coding_notes(table.columns, chosen, codings), *feature_notes),
        )

    @cached_property
    def _positions(self) -> dict[str, int]:
        return {name: j for j, name in enumerate(self.columns)}

    @cached_property
    def _by_column(self) -> np.ndarray | sparse.csc_array:
        return sparse.csc_array(self.cells) if sparse.issparse(self.cells) else self.cells

    def _stored(self, j: int) -> np.ndarray:
        """Return the cells of a column, without the zeros that a sparse table leaves out."""
        by_column = self._by_column
        if isinstance(by_column, np.ndarray):
            return by_column[:, j]
        return by_column.data[by_column.indptr[j] : by_column.indptr[j + 1]]

    def _present(self, j: int) -> np.ndarray:
        """Return the distinct values of a column, ascending, without missing cells."""
        stored = self._stored(j)
        left_out = [0.0] if stored.size < self.n_rows else []
        return np.unique(np.concatenate([stored[~np.isnan(stored)], left_out]))

    def _is_two_valued(self, j: int) -> bool:
        return self._n_values(j) in (1, 2)

    def _has_few(self, j: int, first: int) -> bool:
        """Whether a column has few values, and is numeric or nominal as the `first` of the run is."""
        alike = (self.categories[j] is None) == (self.categories[first] is None)
        return alike and 1 <= self._n_values(j) <= _FEW

    def _n_values(self, j: int) -> float:
        """Return the number of values of a column, infinite where it does not look like a label."""
        if self.columns[j] in self.unusable:
            return np.inf
        categories = self.categories[j]
        if categories is not None:
            return len(categories)
        present = self._present(j)
        return present.size if np.all(present == np.round(present)) else np.inf

    def _label_positions(self, labels: Sequence[str]) -> list[int]:
        if not labels:
            raise DataError(f"{self.name}: no column was chosen to be a label; choose at least one.")
        twice = [label for label, count in Counter(labels).items() if count > 1]
        if twice:
            raise DataError(f"{self.name}: the label {quoted(twice[0])} is named twice.")
        positions = [self.find(label) for label in labels]
        for label in labels:
            if label in self.unusable:
                raise DataError(
                    f"{self.name}: column {quoted(label)} holds {self.unusable[label]} and cannot be a label."
                )
        if len(labels) == len(self.columns):
            raise DataError(f"{self.name}: the file has labels only; at least one column must be a feature.")
        return positions

    def _rows_with_labels(self, chosen: list[int]) -> tuple[Matrix, list[str]]:
        """Return the rows in which every label is known."""
        labels = self._by_column[:, chosen]
        if isinstance(labels, np.ndarray):
            missing = np.isnan(labels).any(axis=1)
        else:
            missing = np.zeros(self.n_rows, dtype=bool)
            missing[labels.indices[np.isnan(labels.data)]] = True
        if not missing.any():
            return self.cells, []
        if missing.all():
            raise DataError(f"{self.name}: every row lacks a label; choose other labels.")
        n = int(missing.sum())
        were = "has a missing label and was" if n == 1 else "have a missing label and were"
        return self.cells[~missing], [f"{_count(n, 'row')} {were} left out."]

    def _coding(self, j: int) -> Coding:
        column = f"{self.name}: column {quoted(self.columns[j])}"
        categories = self.categories[j]
        if categories is not None:
            return nominal_coding(categories, column)
        n_missing = int(np.isnan(self._stored(j)).sum())
        return numeric_coding(self._present(j), self.n_rows - n_missing, column)

    def _codes(self, chosen: list[int], codings: list[Coding]) -> Matrix:
        """Return the label codes, sparse where the table is."""
        by_column = self._by_column
        if isinstance(by_column, np.ndarray):
            return np.column_stack([c.codes(by_column[:, j]) for j, c in zip(chosen, codings, strict=True)])
        data, rows = [], []
        for j, coding in zip(chosen, codings, strict=True):
            codes = coding.codes(self._stored(j))
            where = by_column.indices[by_column.indptr[j] : by_column.indptr[j + 1]]
            if codes.size < self.n_rows and (left_out := coding.codes(np.zeros(1))[0]) > 0:
                column = np.full(self.n_rows, left_out)
                column[where] = codes
                codes, where = column, np.arange(self.n_rows)
            data.append(codes[codes > 0])
            rows.append(where[codes > 0])
        indptr = np.concatenate([[0], np.cumsum([codes.size for codes in data])])
        shape = (self.n_rows, len(chosen))
        return sparse.csr_array(sparse.csc_array((np.concatenate(data), np.concatenate(rows), indptr), shape=shape))

    def _features(self, labels: set[int]) -> tuple[Matrix, tuple[str, ...], list[str]]:
        """Return the feature matrix, the names of its columns, and what was noticed on the way."""
        left_out = {j: what for j in range(len(self.columns)) if j not in labels and (what := self._unfit(j))}
        used = [j for j in range(len(self.columns)) if j not in labels and j not in left_out]
        if not used:
            why = f" ({_listed([self.columns[j] for j in left_out])} could not be used)" if left_out else ""
            raise DataError(f"{self.name}: the file has labels only{why}; at least one column must be a feature.")
        blocks: list[Matrix] = []
        names: list[str] = []
        for as_they_are, run in groupby(used, key=self._is_ready):
            if as_they_are:
                columns = list(run)
                blocks.append(self._by_column[:, columns])
                names += [self.columns[j] for j in columns]
            else:
                for j in run:
                    indicators, indicator_names = self._indicators(j)
                    blocks.append(indicators)
                    names += indicator_names
        X = sparse.hstack(blocks, format="csr") if sparse.issparse(self.cells) else np.hstack(blocks)
        n_missing = sum(int(np.isnan(self._stored(j)).sum()) for j in used)
        notes = [_left_out_note([self.columns[j] for j in run], what) for what, run in _grouped(left_out)]
        if n_missing:
            notes.append(f"{_count(n_missing, 'feature cell')} {'is' if n_missing == 1 else 'are'} missing.")
        return X, unique_names(names)[0], notes

    def _unfit(self, j: int) -> str:
        """Return what stands against using a column as a feature; empty if nothing does."""
        categories = self.categories[j]
        if self.columns[j] in self.unusable:
            return self.unusable[self.columns[j]]
        stored = self._stored(j)
        if stored.size == self.n_rows and np.isnan(stored).all():
            return "no value at all"
        return f"more than {MAX_INDICATORS} named values" if len(categories or ()) > MAX_INDICATORS else ""

    def _is_ready(self, j: int) -> bool:
        """Whether the cells of a column can be used as they stand: numbers, or two values in the right order."""
        categories = self.categories[j]
        return categories is None or (len(categories) <= 2 and ascending(categories) == list(range(len(categories))))

    def _indicators(self, j: int) -> tuple[Matrix, list[str]]:
        """Return one column for two named values, and a column for each of more."""
        categories = self.categories[j] or ()
        cells = self._by_column[:, [j]]
        column = cells if isinstance(cells, np.ndarray) else cells.toarray()
        if len(categories) == 2:
            codes, names = 1.0 - column, [self.columns[j]]  # two values that are not ready stand the wrong way round
        else:
            codes = np.where(np.isnan(column), np.nan, column == np.arange(len(categories)))
            names = [f"{self.columns[j]}={value}" for value in categories]
        return (sparse.csr_array(codes) if sparse.issparse(self.cells) else codes), names


def unique_names(names: Iterable[str]) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Return names that are all different, and the notes that say which were not.

    Examples
    --------
    >>> unique_names(["a", "b", "a"])
    (('a', 'b', 'a (2)'), ("The column name 'a' occurs more than once; later ones were numbered.",))
    """
    names = list(names)
    taken, counts, result = set(names), Counter[str](), []
    for name in names:
        counts[name] += 1
        unique = name
        while counts[name] > 1 and unique in taken:
            unique = f"{name} ({counts[name]})"
            counts[name] += unique in taken
        taken.add(unique)
        result.append(unique)
    twice = [name for name, count in Counter(names).items() if count > 1]
    said = "occurs" if len(twice) == 1 else "occur"
    name_word = "name" if len(twice) == 1 else "names"
    notes = (f"The column {name_word} {_listed(twice)} {said} more than once; later ones were numbered.",)
    return tuple(result), notes if twice else ()


def _coding_notes(columns: Sequence[str], chosen: list[int], codings: list[Coding]) -> list[str]:
    notes = {j: coding.note for j, coding in zip(chosen, codings, strict=True) if coding.note}
    return [
        f"Label {_listed([columns[j] for j in run])} {note}."
        if len(run) == 1
        else f"Each of the labels {_listed([columns[j] for j in run])} {note}."
        for note, run in _grouped(notes)
    ]


def _left_out_note(names: list[str], what: str) -> str:
    if len(names) == 1:
        return f"Column {_listed(names)} holds {what} and was left out of the features."
    return f"Columns {_listed(names)} hold {what} and were left out of the features."


def _grouped(said: Mapping[int, str]) -> Iterator[tuple[str, list[int]]]:
    """Yield each thing said, with what it is said of."""
    groups = defaultdict(list)
    for j, what in said.items():
        groups[what].append(j)
    yield from groups.items()


def _listed(names: Sequence[str], most: int = 3) -> str:
    """Return a few names in quotes, and how many more there are."""
    shown = [quoted(name) for name in names[:most]]
    if len(names) > most:
        shown.append(f"{len(names) - most} more")
    return " and ".join(filter(None, [", ".join(shown[:-1]), *shown[-1:]]))


def _count(n: int, what: str) -> str:
    return f"{n:,} {what}{'' if n == 1 else 's'}"
