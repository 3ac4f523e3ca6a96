"""Arrays as tables, and data sets from the arrays and frames that a program has."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np
import pandas as pd
from scipy import sparse

from trellislib.data.dataset import DataError, Dataset
from trellislib.data.reading.combining import joined
from trellislib.data.reading.frames import frame_table, refuse_infinite
from trellislib.data.reading.notation import MOST_EXACT
from trellislib.data.tables.columns import recoded, unique_names
from trellislib.data.tables.table import Table
from trellislib.typing import Matrix
from trellislib.wording import counted, quoted

_NUMBERS = "biuf"


def from_arrays(
    X: Any,
    Y: Any,
    *,
    feature_names: Sequence[str] | None = None,
    label_names: Sequence[str] | None = None,
    label_values: Sequence[Sequence[str]] | None = None,
    name: str = "data",
    **choices: Any,
) -> Dataset:
    """Return features and labels that a program has as a data set.

    Parameters
    ----------
    X : array-like, sparse matrix or DataFrame of shape (n_instances, n_features)
        Features; ``nan`` is a missing cell. Columns of text are treated as those of a file.
    Y : array-like, sparse matrix, DataFrame or Series of shape (n_instances, n_labels) or (n_instances,)
        Labels as 0/1, -1/1, booleans, texts or codes of a few values; ``nan`` is one that is not known.
    feature_names, label_names : sequence of str, optional
        Names of the columns; by default those of a frame, else "feature 1" and "label 1" and so on.
    label_values : sequence of sequences of str, optional
        For each label, what its codes 0, 1, ... stand for, or in which order its texts are to be coded.
    name : str
        What to call the data set.
    **choices
        As `Table.to_dataset` takes them: `relevant`, `missing_labels`, `text`, `leave_out`, `drop_constant`.

    Returns
    -------
    Dataset
        Sparse where `X` is.

    Raises
    ------
    DataError
        If shapes or names do not fit together, a number is infinite, or a column cannot be a label.

    Examples
    --------
    >>> data = from_arrays([[0.5], [0.1], [0.7]], [[1, -1], [-1, -1], [1, 1]], label_names=["sunny", "warm"])
    >>> data.Y.tolist(), data.feature_names
    ([[1, 0], [0, 0], [1, 1]], ('feature 1',))
    """
    features = array_table(X, name, "feature", feature_names)
    labels = array_table(Y, name, "label", label_names)
    if features.n_rows != labels.n_rows:
        raise DataError(
            f"{name}: X has {counted(features.n_rows, 'row')} but Y has {labels.n_rows:,}; give a row of both for each "
            "instance."
        )
    if label_values is not None:
        labels = _with_values(labels, label_values)
    said = f"From arrays with {counted(features.n_rows, 'row')} of {counted(len(features.columns), 'feature')}."
    return labelled(features, labels, "the argument Y", said).to_dataset(**choices)


def labelled(features: Table, labels: Table, said: str, provenance: str) -> Table:
    """Return features and labels of the same origin as one table.

    - `features`, `labels`: With a row for each instance.
    - `said`: What says that the labels are the labels.
    - `provenance`: How they were read, as a sentence.
    """
    return replace(joined(features, labels), labels_source=said, provenance=(provenance,))


def array_table(array: Any, name: str = "data", what: str = "column", names: Sequence[str] | None = None) -> Table:
    """Return an array, sparse matrix or frame as a table in which no labels are declared.

    Sparse where the array is. Raises `DataError` if it is no table, a number is infinite, or there are more or fewer
    names than columns.

    - `array`: Numbers, booleans or texts.
    - `what`: What its columns are: "column", "feature" or "label".
    - `names`: Names of the columns; by default those of a frame, else `what` and their position, counted from 1.

    Examples
    --------
    >>> table = array_table(np.array([[1, 2], [3, 4]]), what="feature")
    >>> table.columns, table.cells.tolist()
    (('feature 1', 'feature 2'), [[1.0, 2.0], [3.0, 4.0]])
    """
    if isinstance(array, pd.Series):
        array = array.to_frame(what if array.name is None else array.name)
    if isinstance(array, pd.DataFrame):
        return _renamed(frame_table(array, name), what, names)
    matrix = _matrix(array, f"{name}: the {what}s")
    columns, notes = unique_names(_names(matrix.shape[1], what, names, name))
    if not sparse.issparse(matrix) and matrix.dtype.kind not in _NUMBERS:
        texts = array if isinstance(array, np.ndarray) and array.ndim == 2 else matrix
        return replace(frame_table(pd.DataFrame(texts, columns=columns).infer_objects(), name), notes=notes)
    if _loses_digits(matrix):
        notes = (*notes, f"Whole numbers beyond {MOST_EXACT:,} lost their last digits.")
    table = Table(name, columns, (None,) * len(columns), _cells(matrix), notes=notes)
    refuse_infinite(table.cells, columns, name)
    return table


def _matrix(array: Any, what: str) -> Matrix:
    """Return an array of two dimensions, numbers as they are and anything else as objects."""
    if np.ma.isMaskedArray(array):
        array = np.ma.filled(array.astype(float), np.nan)
    if not sparse.issparse(array):
        try:
            matrix = np.asarray(array)
            if matrix.dtype.kind not in (*_NUMBERS, "c"):
                matrix = np.asarray(array, dtype=object)  # in which numbers among texts stay numbers
        except (TypeError, ValueError) as error:
            raise DataError(f"{what} are no table: every row must have as many cells as the first.") from error
        array = matrix[:, None] if matrix.ndim == 1 else matrix
    if array.ndim != 2:
        raise DataError(f"{what} have {array.ndim} dimensions, but a table has two: rows and columns.")
    if array.dtype.kind == "c":
        raise DataError(f"{what} are complex numbers; give real ones.")
    return array


def _cells(matrix: Matrix) -> Matrix:
    """Return numbers as floats, in a copy where a sparse matrix is put in order."""
    with np.errstate(invalid="ignore", over="ignore"):  # a nan may signal, and a wider float become infinite
        if not sparse.issparse(matrix):
            return np.asarray(matrix, dtype=float)
        cells = sparse.csr_array(matrix, dtype=float, copy=True)
    cells.sum_duplicates()
    cells.eliminate_zeros()
    return cells


def _loses_digits(matrix: Matrix) -> bool:
    """Whether whole numbers are too large for floats."""
    if matrix.dtype.kind not in "iu":
        return False
    values = sparse.coo_array(matrix).data if sparse.issparse(matrix) else matrix
    return bool(((values < -MOST_EXACT) | (values > MOST_EXACT)).any())


def _names(n: int, what: str, names: Sequence[str] | None, of: str) -> list[str]:
    """Return as many names as there are columns."""
    if names is None:
        return [what] if n == 1 and what == "label" else [f"{what} {j}" for j in range(1, n + 1)]
    if isinstance(names, str) or len(names) != n:
        given = "one text" if isinstance(names, str) else counted(len(names), "name")
        raise DataError(f"{of}: {given} for {counted(n, what)}; give a list of a name for each.")
    return [str(name) for name in names]


def _renamed(table: Table, what: str, names: Sequence[str] | None) -> Table:
    if names is None:
        return table
    columns, notes = unique_names(_names(len(table.columns), what, names, table.name))
    new = dict(zip(table.columns, columns, strict=True))
    unusable = {new[column]: why for column, why in table.unusable.items()}
    return replace(table, columns=columns, notes=(*table.notes, *notes), unusable=unusable)


def _with_values(labels: Table, label_values: Sequence[Sequence[str]]) -> Table:
    """Return the labels with what their codes stand for."""
    if len(label_values) != len(labels.columns):
        raise DataError(
            f"{labels.name}: {counted(len(label_values), 'list')} of label values for "
            f"{counted(len(labels.columns), 'label')}; give one for each."
        )
    cells = labels.cells.copy()
    new = []
    for j, values in enumerate(tuple(map(str, of_label)) for of_label in label_values):
        old = labels.categories[j]
        codes = cells[:, [j]].data if sparse.issparse(cells) else cells[:, j]
        known = codes[~np.isnan(codes)]
        if old is not None:
            cells[:, j] = _recoded(codes, old, values, labels, j)
        elif not np.isin(known, range(len(values))).all():
            raise DataError(
                f"{labels.name}: label {quoted(labels.columns[j])} has a code that is none of 0 to {len(values) - 1}, "
                "for which label_values are given."
            )
        new.append(values)
    return replace(labels, categories=tuple(new), cells=cells)


def _recoded(codes: np.ndarray, old: tuple[str, ...], new: tuple[str, ...], labels: Table, j: int) -> np.ndarray:
    """Return indices into `new` of cells that are indices into `old`."""
    unknown = [value for value in old if value not in new]
    if unknown:
        raise DataError(
            f"{labels.name}: label {quoted(labels.columns[j])} has the value {quoted(unknown[0])}, "
            "which its label_values lack."
        )
    return recoded(codes, [new.index(value) for value in old])
