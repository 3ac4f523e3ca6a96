"""The one form in which data travel through the library.

A label is stored by integer codes ``0 .. K-1``; what each code stands for is in
``label_values``. Binary labels are the case ``K = 2``, where code 1 is *relevant*.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np
import pandas as pd
from scipy import sparse

from trellislib.data.cells import missing_of_columns
from trellislib.data.consistency import problems
from trellislib.data.statistics import Statistics
from trellislib.typing import Matrix
from trellislib.wording import without_controls

if TYPE_CHECKING:
    from trellislib.data.tables.columns import Columns
    from trellislib.data.tables.schema import Schema


NO_FEATURE = "(no feature)"
"""What the only feature is called, which is 1 in every row, where no column is a feature."""


class DataError(ValueError):
    """Data that cannot be used; the message is one sentence that names the file, the place and the cause.

    Attributes
    ----------
    files : tuple of str
        The names of the files that the problem is about, as far as the reader knew them.
    """

    def __init__(self, message: str, files: Iterable[str] = ()):
        super().__init__(message)
        self.files = tuple(files)


@dataclass(frozen=True, eq=False)
class PartiallyLabelled:
    """Instances of which some labels are known and others are not.

    Parameters
    ----------
    X : {ndarray, csr_array} of shape (n_instances, n_features)
        Features, as those of the data set.
    Y : ndarray of shape (n_instances, n_labels)
        Label codes as integers; where `known` is false, a code means nothing.
    known : ndarray of bool, of shape (n_instances, n_labels)
        Which labels are known; in every row at least one is and one is not.
    n_train : int, optional
        How many of the rows, the first ones, were published to train on, if the data set says so of its own.
    groups, weights : Series, optional
        As those of the data set.
    """

    X: Matrix
    Y: np.ndarray
    known: np.ndarray
    n_train: int | None = None
    groups: pd.Series | None = None
    weights: pd.Series | None = None


@dataclass(frozen=True, eq=False, repr=False)
class Dataset:
    """Instances, their labels, and the names of both.

    Parameters
    ----------
    X : {ndarray, csr_array} of shape (n_instances, n_features)
        Features as floats; ``nan`` is a missing cell.
    Y : {ndarray, csr_array} of shape (n_instances, n_labels)
        Label codes as integers; a CSR array's implicit cells are code 0.
    feature_names, label_names : tuple of str
        Names of the columns of `X` and `Y`.
    label_values : tuple of tuple of str
        For each label, what its codes stand for, in code order.
    name : str
        What people call the set.
    notes : tuple of str
        What was done or noticed when it was loaded, one sentence each.
    true_parents : tuple of tuple of int, optional
        The parents of each label, where the data are simulated from a known graph.
    provenance : tuple of str
        How it was read (form, encoding, what says which columns are labels), one sentence each.
    n_train : int, optional
        How many of the rows, the first ones, were published to train on; None where nobody divided them.
    incomplete : PartiallyLabelled, optional
        Instances of which only some labels are known; they are none of the rows of `X` and `Y`.
    schema : Schema, optional
        The columns that the features and labels were made of, so that new rows get the same.
    columns : Columns, optional
        Where features are words of texts, the columns themselves: a row for each instance and, after them, each
        incomplete one.
    ids : Series, optional
        What names each row: its value in a column with a different value in each row, or its number where rows of the
        table were left out. The name of the series is that of the column, or "row".
    groups : Series, optional
        What each row is about: a patient, a film. Folds never divide the rows of one value. The series has the name of
        the column.
    weights : Series, optional
        Weight of each row in fits, counts and scores, 0 or more. The series has the name of the column.

    Raises
    ------
    DataError
        If shapes and names do not fit together, or a label code lies outside its values.

    Examples
    --------
    >>> import numpy as np
    >>> data = Dataset(
    ...     X=np.array([[0.5], [1.5], [2.5]]),
    ...     Y=np.array([[0, 1], [1, 1], [0, 0]]),
    ...     feature_names=("x",),
    ...     label_names=("sunny", "warm"),
    ...     label_values=(("0", "1"), ("0", "1")),
    ...     name="weather",
    ... )
    >>> data.n_instances, data.n_features, data.n_labels
    (3, 1, 2)
    >>> data.statistics().label_cardinality
    1.0
    """

    X: Matrix
    Y: Matrix
    feature_names: tuple[str, ...]
    label_names: tuple[str, ...]
    label_values: tuple[tuple[str, ...], ...]
    name: str = "data"
    notes: tuple[str, ...] = ()
    true_parents: tuple[tuple[int, ...], ...] | None = field(default=None)
    provenance: tuple[str, ...] = ()
    n_train: int | None = None
    incomplete: PartiallyLabelled | None = None
    schema: Schema | None = None
    columns: Columns | None = None
    ids: pd.Series | None = None
    groups: pd.Series | None = None
    weights: pd.Series | None = None

    def __post_init__(self) -> None:
        for names in ("feature_names", "label_names", "notes"):
            object.__setattr__(self, names, tuple(map(without_controls, getattr(self, names))))
        object.__setattr__(self, "name", without_controls(self.name))
        object.__setattr__(self, "label_values", tuple(tuple(map(without_controls, of)) for of in self.label_values))
        problem = next(problems(self), None)
        if problem:
            raise DataError(f"{self.name}: {problem}")

    def __repr__(self) -> str:
        incomplete = f" and {self.n_incomplete} partially labelled" if self.n_incomplete else ""
        shape = f"{self.n_instances} instances{incomplete}, {self.n_features} features, {self.n_labels} labels"
        return f"<Dataset {self.name!r}: {shape}>"

    @property
    def n_instances(self) -> int:
        """Number of rows, N in the paper."""
        return self.X.shape[0]

    @property
    def row_names(self) -> pd.Series:
        """What names each row: `ids`, or its number from 1 on."""
        return pd.Series(range(1, self.n_instances + 1), name="row") if self.ids is None else self.ids

    @property
    def sample_weight(self) -> np.ndarray | None:
        """The weights of the rows as an array; None where every row counts once."""
        return None if self.weights is None else self.weights.to_numpy(dtype=float)

    @cached_property
    def group_codes(self) -> np.ndarray | None:
        """A number for the group of each row, from 0 on in the order of the rows; None where nothing groups them."""
        return None if self.groups is None else pd.factorize(self.groups)[0]

    @property
    def n_apart(self) -> int:
        """Number of parts that folds may set apart: groups, or rows where nothing groups them."""
        return self.n_instances if self.group_codes is None else int(self.group_codes.max()) + 1

    @property
    def parts(self) -> str:
        """What folds may set apart, in words."""
        return "instances" if self.groups is None else f"groups ({self.groups.name})"

    @property
    def n_incomplete(self) -> int:
        """Number of instances of which only some labels are known, which are none of the rows."""
        return 0 if self.incomplete is None else self.incomplete.X.shape[0]

    @property
    def partly(self) -> PartiallyLabelled | None:
        """The earlier name of `incomplete`."""
        return self.incomplete

    @property
    def n_features(self) -> int:
        """Number of features, D in the paper."""
        return self.X.shape[1]

    @property
    def has_features(self) -> bool:
        """Whether there is anything to tell rows apart by."""
        return self.feature_names != (NO_FEATURE,)

    @property
    def n_labels(self) -> int:
        """Number of labels, L in the paper."""
        return self.Y.shape[1]

    @property
    def is_dense(self) -> bool:
        """Whether the features are an array, not CSR."""
        return not sparse.issparse(self.X)

    @property
    def is_multilabel(self) -> bool:
        """Whether every label is binary, so that code 1 means relevant."""
        return all(len(values) <= 2 for values in self.label_values)

    @property
    def n_missing(self) -> int:
        """Number of missing feature cells of the rows, each counted once where a column became several features."""
        return sum(self.missing.values())

    @cached_property
    def missing(self) -> dict[str, int]:
        """Number of missing cells of each column (or feature, where it is of no table) that lacks any in the rows."""
        columns = self.feature_names if self.schema is None else self.schema.columns.origins
        if len(columns) != self.n_features:  # features that were changed since
            columns = self.feature_names
        first = dict(zip(columns[::-1], range(self.n_features)[::-1], strict=True))  # all features of one lack the same
        n_missing = missing_of_columns(self.X)
        return {column: int(n_missing[j]) for column, j in sorted(first.items(), key=lambda of: of[1]) if n_missing[j]}

    @cached_property
    def digest(self) -> str:
        """SHA-256 of the content (features, labels and names; not the name of the set).

        With partially labelled instances also of how many rows are to train on, which says where those instances go;
        and of groups and weights.
        """
        sha = hashlib.sha256(repr((self.feature_names, self.label_names, self.label_values)).encode())
        for matrix in self._matrices:
            sha.update(repr((matrix.shape, matrix.dtype.str, sparse.issparse(matrix))).encode())
            parts = (matrix.data, matrix.indices, matrix.indptr) if sparse.issparse(matrix) else (matrix,)
            for part in parts:
                sha.update(np.ascontiguousarray(part).data)
        if self.incomplete is not None:
            sha.update(repr((self.n_train, self.incomplete.n_train)).encode())
        if self.columns is not None:  # of which each fold may learn other words than all rows have
            sha.update(repr(self.columns.categories).encode())
        for about_rows in (self, self.incomplete):
            if about_rows is not None and about_rows.groups is not None:
                sha.update(b"groups" + repr(about_rows.groups.tolist()).encode())
            if about_rows is not None and about_rows.weights is not None:
                sha.update(b"weights" + about_rows.weights.to_numpy(dtype=float).tobytes())
        return sha.hexdigest()

    @property
    def _matrices(self) -> Iterator[Matrix]:
        """All matrices of the content."""
        yield from (self.X, self.Y)
        if self.incomplete is not None:
            yield from (self.incomplete.X, np.where(self.incomplete.known, self.incomplete.Y, 0), self.incomplete.known)

    def arrays(self) -> tuple[Matrix, Matrix]:
        """Return ``(X, Y)``, as a scikit-learn estimator takes them."""
        return self.X, self.Y

    def fit_features(self, rows: np.ndarray) -> Dataset:
        """Return the data set with features that are fitted to some of its rows: words of texts, and their weights.

        Whatever else makes features looks at one row at a time, so that a data set without texts is returned as it is.

        Parameters
        ----------
        rows : array-like of int
            The rows to train on.

        Returns
        -------
        Dataset
            All rows, with features whose words and weights are those of `rows`.

        Raises
        ------
        DataError
            If no feature remains.

        Examples
        --------
        >>> from trellislib.data import Table
        >>> texts = ("calm sea", "rough sea", "calm sky")
        >>> cells = np.array([[0, 1], [1, 0], [2, 1], [0, 0], [1, 1]])
        >>> table = Table("toy.csv", ("text", "sail"), (texts, None), cells, unusable={"text": "free text"})
        >>> data = table.to_dataset(["sail"], text="tf-idf")
        >>> data.feature_names, data.fit_features([0, 1, 3]).feature_names
        (('text: calm', 'text: rough', 'text: sea'), ('text: calm', 'text: sea'))
        """
        if self.columns is None or self.schema is None:
            return self
        rows = np.asarray(rows)
        key = rows.tobytes()
        if key not in self._fitted:  # several methods are fitted to the same rows, one after the other
            self._fitted.clear()
            return self._fitted.setdefault(key, self._with_features_of(self.schema, self.columns, rows))
        return self._fitted[key]

    @cached_property
    def _fitted(self) -> dict[bytes, Dataset]:
        """The data set with the features that were fitted last."""
        return {}

    def _with_features_of(self, schema: Schema, columns: Columns, rows: np.ndarray) -> Dataset:
        schema = schema.learned(columns.by_row(rows))
        X = schema.columns.transform(columns)
        incomplete = self.incomplete and replace(self.incomplete, X=X[self.n_instances :])
        return replace(
            self, X=X[: self.n_instances], feature_names=schema.feature_names, schema=schema, incomplete=incomplete
        )

    def select(self, rows: np.ndarray | slice) -> Dataset:
        """Return the data set of some of its rows, without incomplete ones; nothing says which are to train on."""
        columns = self.columns and self.columns.by_row(np.arange(self.n_instances)[rows])
        ids, groups, weights = (
            of_rows if of_rows is None else of_rows.iloc[rows].reset_index(drop=True)
            for of_rows in (self.row_names, self.groups, self.weights)
        )
        return replace(
            self,
            X=self.X[rows],
            Y=self.Y[rows],
            n_train=None,
            incomplete=None,
            columns=columns,
            ids=ids,
            groups=groups,
            weights=weights,
        )

    def frame(self, n_rows: int | None = None) -> pd.DataFrame:
        """Return the first rows (all by default) as a table for people: labels by their values, then features."""
        rows = slice(n_rows)
        X, Y = (part.toarray() if sparse.issparse(part) else part for part in (self.X[rows], self.Y[rows]))
        values = [
            np.array(of_label, dtype=object)[codes] for of_label, codes in zip(self.label_values, Y.T, strict=True)
        ]
        labels = pd.DataFrame(dict(enumerate(values)))
        features = pd.DataFrame(X)
        labels.columns, features.columns = self.label_names, self.feature_names
        return pd.concat([labels, features], axis=1)

    def value_name(self, label: int, code: int) -> str:
        """Return the name of a relevant label, with its value where it has more than two."""
        name, values = self.label_names[label], self.label_values[label]
        return name if len(values) <= 2 else f"{name} = {values[code]}"

    def statistics(self) -> Statistics:
        """Return the usual figures of a multi-label data set."""
        return Statistics.of(self)
