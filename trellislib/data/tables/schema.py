"""What a data set remembers of the table it was made of, so that new rows get the same features and label codes."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
import pandas as pd
from scipy import sparse

from trellislib.data.dataset import DataError
from trellislib.data.tables.columns import IDENTIFIERS, Columns, composed, with_columns
from trellislib.data.tables.dates import DateColumn
from trellislib.data.tables.features import FeatureColumns, Words
from trellislib.data.tables.hierarchy import with_ancestor_columns
from trellislib.data.tables.label_columns import MissingCells, label_codes
from trellislib.data.tables.label_lists import ANCESTORS, indicators, placeholder, read_lists, with_ancestors
from trellislib.data.tables.label_values import Coding, place_among
from trellislib.data.tables.marks import with_marks
from trellislib.data.tables.matching import as_fitted, by_name, never_named, with_zeros
from trellislib.labels.matrices import dense
from trellislib.typing import Matrix
from trellislib.wording import agreed, quoted, quoted_names, without_controls

if TYPE_CHECKING:
    from trellislib.data.dataset import Dataset
    from trellislib.data.tables.table import Table


class TrueLabels(NamedTuple):
    """The labels of a table.

    Attributes
    ----------
    Y : {ndarray, csr_array} of shape (n_rows, n_labels)
        Their codes, as in a data set; 0 where a label is not known.
    known : ndarray of bool, of shape (n_rows, n_labels), or None
        Which labels are known; None for all.
    notes : list of str
        What was done, one sentence each.
    """

    Y: Matrix
    known: np.ndarray | None
    notes: list[str]


@dataclass(frozen=True, eq=False)
class Schema:
    """The columns of a data set and what became of them: new rows in, features and label codes as in training out.

    Every data set that was made of a table carries one (`Dataset.schema`).

    Attributes
    ----------
    name : str
        The name of the file.
    columns : FeatureColumns
        The columns that are features, their categories and words.
    label_names : tuple of str
        The labels in their order.
    label_values : tuple of tuple of str
        For each label, what its codes stand for.
    listed : tuple of str, optional
        As that of the table.
    left_out : tuple of str
        Columns that are neither features nor labels.
    label_columns : tuple of str
        Where a column listed labels, the other labels: they are columns of their own.

    Examples
    --------
    >>> from trellislib.data import Table
    >>> def sky(name, columns, cells):
    ...     return Table(name, columns, (("blue", "grey", "red"), None, None)[: len(columns)], np.array(cells))
    >>> data = sky("old.csv", ("sky", "wind", "rain"), [[0, 0.5, 1], [1, 0.1, 0], [2, 0.3, 0]]).to_dataset(["rain"])
    >>> X, notes = data.schema.features(sky("new.csv", ("sky", "wind"), [[2, 0.7]]))
    >>> data.schema.feature_names, X.tolist()
    (('sky=blue', 'sky=grey', 'sky=red', 'wind'), [[0.0, 0.0, 1.0, 0.7]])
    """

    name: str
    columns: FeatureColumns
    label_names: tuple[str, ...]
    label_values: tuple[tuple[str, ...], ...]
    listed: tuple[str, ...] | None = None
    left_out: tuple[str, ...] = ()
    label_columns: tuple[str, ...] = ()

    @classmethod
    def of(cls, data: Dataset) -> Schema:
        """Return the schema of a data set; if it was made of no table, every feature is a column of numbers."""
        if data.schema is not None:
            return data.schema
        columns = FeatureColumns(data.feature_names, (None,) * data.n_features, {}, is_sparse=not data.is_dense)
        return cls(data.name, columns, data.label_names, data.label_values)

    @property
    def feature_names(self) -> tuple[str, ...]:
        """Names of the features that `features` gives."""
        return self.columns.names

    def features(self, table: Columns) -> tuple[Matrix, list[str]]:
        """Return the features of a table as they were made in training.

        Columns are matched by name, whatever their order. Of a sparse table as svmlight has it, columns that it never
        names are 0. Numbers, categories and words are those of training: a category that is new there is none of them
        (or missing, where the feature is a single column of 0 and 1), a text has the words that training knew.

        Parameters
        ----------
        table : Table
            New rows.

        Returns
        -------
        X : {ndarray, csr_array} of shape (n_rows, n_features)
            Features; ``nan`` where a cell is missing.
        notes : list of str
            What was left out, not known or done otherwise, one sentence each.

        Raises
        ------
        DataError
            If a column is not there, or has a text where there were numbers.
        """
        notes = []
        wanted = self.columns.columns
        if absent := never_named(table, wanted):
            table, note = with_zeros(table, absent, self.name)
            notes.append(note)
        expected, ids = [*self.label_names, *self.left_out, *(self.listed or ())[:1]], self.id_column(table)
        if ids is not None and ids not in expected:
            notes.append(f"Column {quoted(ids)} of {table.name} is not in {self.name}; it names the rows.")
            expected.append(ids)
        notes += by_name(table, wanted, self.name, expected)[1]
        table, unknown = as_fitted(table, self.columns, self.name)
        return self.columns.transform(table), notes + unknown

    def labels(self, table: Table) -> TrueLabels | None:
        """Return the labels of a table, so that predictions can be scored; None where it lacks a label column.

        Parameters
        ----------
        table : Table
            New rows, with a column for each label or, if that is how labels were given, the column that lists them.

        Returns
        -------
        TrueLabels or None
            The codes, which of them are known, and notes.

        Raises
        ------
        DataError
            If a label has a value that it did not have in training.
        """
        if self.listed is None or self.listed[0] not in table.columns:
            return self._column_labels(table, self.label_names)
        Y, notes = self._listed_labels(table)
        if not self.label_columns:
            return TrueLabels(Y, None, notes)
        others = self._column_labels(table, self.label_columns)
        if others is None:
            return None
        place = [self.label_names.index(label) for label in self.label_columns]
        codes = dense(others.Y)
        known = None if others.known is None else np.ones(Y.shape, dtype=bool)
        if known is not None:
            known[:, place] = others.known
        Y = with_columns(Y, {label: codes[:, k] for k, label in enumerate(place)})
        return TrueLabels(Y, known, [*notes, *others.notes])

    def _column_labels(self, table: Table, labels: tuple[str, ...]) -> TrueLabels | None:
        """Return labels that have a column each; None where a table lacks one. See `labels`."""
        notes: list[str] = []
        absent = never_named(table, labels)
        if 0 < len(absent) < len(labels):
            table, note = with_zeros(table, absent, self.name)
            notes.append(note)
        present = [label for label in labels if label in table.columns]
        if len(present) < len(labels) and set(labels) <= set(with_ancestors([present])[0]):
            notes.append(f"Labels of {table.name} that stand above others follow from these.")
            table = with_ancestor_columns(table, present)
        if not set(table.columns).issuperset(labels):
            return None
        values_of = dict(zip(self.label_names, self.label_values, strict=True))
        chosen = list(map(table.find, labels))
        if all(values_of[label] == ("0", "1") for label in labels):
            table, marks = with_marks(table, chosen)
            notes += marks
        codings = [self._coding(table, j, values_of[label]) for j, label in zip(chosen, labels, strict=True)]
        missing = MissingCells.of(table, chosen)
        known = missing.known(np.ones(table.n_rows, dtype=bool)) if missing.rows.size else None
        return TrueLabels(label_codes(table, chosen, codings), known, notes)

    def id_column(self, table: Columns) -> str | None:
        """Return the column that names the rows of a table, or None.

        It is neither a feature nor a label, and has a number or a word of its own in each row; the first of several,
        those before others that were left out in training.
        """
        used = {*self.columns.columns, *self.label_names, *(self.listed or ())[:1]}
        others = [name for name in table.columns if name not in used]
        others.sort(key=lambda name: name not in self.left_out)
        return next((name for name in others if _is_own_value(table, table.find(name))), None)

    def ids(self, table: Columns, column: str | None = None) -> pd.DataFrame:
        """Return the column that names the rows of a table as a frame of one column, or of none where there is none.

        - `column`: Its name, or an empty one for none; by default that of `id_column`.
        """
        column = self.id_column(table) if column is None else column
        if not column:
            return pd.DataFrame(index=range(table.n_rows))
        names, index = table.named(table.find(column, "that names the rows"))
        cells = table.column(table.find(column))
        if table.categories[table.find(column)] is None and np.all(cells == np.round(cells)):
            return pd.DataFrame({column: cells.astype(np.int64)})
        return pd.DataFrame({column: [None if np.isnan(i) else names[int(i)] for i in index]})

    def learned(self, table: Columns) -> Schema:
        """Return the schema with the words that the texts of `table` have; see `FeatureColumns.learned`."""
        return replace(self, columns=self.columns.learned(table))

    def as_json(self) -> dict[str, Any]:
        """Return all of it as texts, numbers and lists."""
        columns = self.columns
        return {
            "name": self.name,
            "columns": columns.columns,
            "categories": columns.categories,
            "words": {name: [words.words, words.rarities] for name, words in columns.words.items()},
            "dates": {name: [dates.parts, dates.day_first] for name, dates in columns.dates.items()},
            "sparse": columns.is_sparse,
            "kept": columns.kept,
            "label names": self.label_names,
            "label values": self.label_values,
            "listed": self.listed,
            "label columns": self.label_columns,
            "left out": self.left_out,
        }

    @classmethod
    def from_json(cls, given: Mapping[str, Any]) -> Schema:
        """Return the schema that `as_json` gave.

        Examples
        --------
        >>> columns = FeatureColumns(("x", "hue"), (None, ("blue", "red")), {}, is_sparse=False)
        >>> schema = Schema("sky.csv", columns, ("sunny",), (("0", "1"),))
        >>> Schema.from_json(schema.as_json()).columns.categories
        (None, ('blue', 'red'))
        """
        return cls(
            without_controls(given["name"]),
            FeatureColumns(
                tuple(map(composed, given["columns"])),
                tuple(None if values is None else tuple(values) for values in given["categories"]),
                {name: Words(*map(tuple, words)) for name, words in given["words"].items()},
                bool(given["sparse"]),
                None if given["kept"] is None else tuple(given["kept"]),
                {name: DateColumn(tuple(parts), first) for name, (parts, first) in given.get("dates", {}).items()},
            ),
            tuple(map(composed, given["label names"])),
            tuple(map(tuple, given["label values"])),
            None if given["listed"] is None else tuple(given["listed"]),
            tuple(map(composed, given["left out"])),
            tuple(map(composed, given.get("label columns", ()))),
        )

    def _coding(self, table: Columns, j: int, values: tuple[str, ...]) -> Coding:
        """Return the code of each cell of a label column."""
        categories, place = table.categories[j], place_among(values)
        cells = table.present(j).tolist()
        names = [f"{cell:.15g}" for cell in cells] if categories is None else [categories[int(cell)] for cell in cells]
        codes = {cell: place(name) for cell, name in zip(cells, names, strict=True)}
        new = [name for name, code in zip(names, codes.values(), strict=True) if code is None]
        if new:
            raise DataError(
                f"{table.name}: label {quoted(table.columns[j])} has the value {quoted(new[0])}, but in {self.name} it "
                f"is {quoted_names(values)}; correct it, or empty the cell."
            )
        return Coding(values, {cell: code for cell, code in codes.items() if code is not None} or {0.0: 0})

    def _listed_labels(self, table: Table) -> tuple[Matrix, list[str]]:
        """Return the labels that a column lists, and what to say of those that are new."""
        column, separator, *rest = self.listed or ("", "")
        names, index = table.named(table.find(column))
        lists = [*read_lists(names, separator), []]  # the last one, -1, is of a missing cell
        none = placeholder(lists)
        none = "" if none in self.label_names else none
        lists = [[label for label in labels if label != none] for labels in lists]
        found, of_text = indicators(with_ancestors(lists) if ANCESTORS in rest else lists)
        place = {name: label for label, name in enumerate(self.label_names)}
        new = [name for name in found if name not in place]
        known = [j for j, name in enumerate(found) if name in place]
        moved = sparse.csr_array(
            (np.ones(len(known), dtype=int), (known, [place[found[j]] for j in known])),
            shape=(len(found), len(self.label_names)),
        )
        Y = sparse.csr_array(of_text[np.nan_to_num(index, nan=-1).astype(np.intp)] @ moved, dtype=int)
        notes = []
        if new:
            labels, are = agreed(len(new), ("label", "is"), ("labels", "are"))
            notes.append(
                f"Column {quoted(column)} names {len(new):,} {labels} that {are} not in {self.name} "
                f"({quoted_names(new)}); {agreed(len(new), 'it is', 'they are')} not scored."
            )
        return Y, notes


def _is_own_value(table: Columns, j: int) -> bool:
    """Return whether a column has a whole number or a word of its own in each row."""
    cells = table.column(j)
    if np.isnan(cells).any() or np.unique(cells).size < cells.size:
        return False
    if table.categories[j] is None:
        return bool(np.all(cells == np.round(cells)))
    return table.unusable.get(table.columns[j], IDENTIFIERS) == IDENTIFIERS
