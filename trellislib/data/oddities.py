"""What looks odd in a data set: each finding one sentence, found in time proportional to the size of the data."""

from __future__ import annotations

import hashlib
import re
from collections import defaultdict
from collections.abc import Iterator, Sequence
from itertools import islice

import numpy as np
import pandas as pd
from scipy import sparse

from trellislib.data.cells import column_range, constant_columns, missing_of_columns
from trellislib.data.dataset import Dataset
from trellislib.typing import Matrix
from trellislib.wording import agreed, counted, listed, quoted, quoted_names

_FEW_VALUES = 50
_LEAST_ROWS = 3  # columns of fewer ones (or zeros) are alike by chance
_MANY_ROWS = 20
_ALMOST = 0.9
_SHOWN = 3
_BLOCK_CELLS = 2**22
_RARELY = 10  # of so many rows at most one has a value other than the two usual ones
_MOST_LABELS = 1_000  # of which rare values are looked for
_ID = re.compile(r"(.*[^a-z])?(ids?|idx|index|uu?id|udi|key|row|no|nr)|unnamed.*", re.IGNORECASE)


def oddities(data: Dataset) -> Iterator[str]:
    """Yield what looks odd in a data set, one sentence each.

    Labels that have one value in all rows, or are relevant in one row; rows without a label; rows that occur more than
    once; labels that say the same; features that are constant, count the rows, say the same as a label, or say whether
    a row has any label; columns with missing cells.

    Examples
    --------
    >>> data = Dataset(np.eye(4), np.array([[1], [0], [1], [1]]), tuple("abcd"), ("sunny",), (("0", "1"),))
    >>> list(oddities(data))
    ['1 row has all labels 0.']
    """
    X = data.X if data.is_dense else sparse.csc_array(data.X, copy=True)
    Y = sparse.csc_array(data.Y, copy=True)
    for matrix in filter(sparse.issparse, (X, Y)):
        matrix.eliminate_zeros()
        matrix.sort_indices()
    constant = constant_columns(X)
    yield from _label_counts(data, Y)
    yield from _repeated_rows(data)
    yield from _about_features(data, np.flatnonzero(constant), "is constant", "are constant")
    numbering = [j for j, name in enumerate(data.feature_names) if _numbers_rows(X, j, name)]
    yield from _about_features(data, numbering, "looks like a number of the row", "look like numbers of the rows")
    yield from _alike(data, X, Y)
    yield from _any_label(data, X, Y)
    yield from _missing(data)


def repeated_features(data: Dataset) -> np.ndarray:
    """Return a number for each row, the same for rows of equal features.

    Examples
    --------
    >>> data = Dataset(np.array([[0.5], [1], [0.5]]), np.eye(3, dtype=int), ("x",), tuple("abc"), (("0", "1"),) * 3)
    >>> repeated_features(data).tolist()
    [0, 1, 0]
    """
    digests = [hashlib.blake2b(row, digest_size=16).digest() for row in _rows(data.X)]
    return pd.factorize(np.array(digests, dtype=object))[0]


def _stored(matrix: Matrix, j: int) -> tuple[np.ndarray, np.ndarray]:
    """Return the rows in which a column is not 0, and its cells there."""
    if sparse.issparse(matrix):
        part = slice(matrix.indptr[j], matrix.indptr[j + 1])
        return matrix.indices[part], matrix.data[part]
    rows = np.flatnonzero(matrix[:, j])
    return rows, matrix[rows, j]


def _label_counts(data: Dataset, Y: sparse.csc_array) -> Iterator[str]:
    """Say which labels have (almost) nothing to learn from, and how many rows have no label."""
    n_relevant = np.diff(Y.indptr)
    binary = np.array([len(values) <= 2 for values in data.label_values])
    low, high = column_range(data.Y)

    for which, what in (
        (binary & (n_relevant == 0), "relevant in no row"),
        (binary & (n_relevant == data.n_instances), "relevant in every row"),
        (binary & (n_relevant == 1) & (data.n_instances > 1), "relevant in one row only, and so in one fold only"),
        (~binary & (low == high), "the same in every row"),
    ):
        names = [data.label_names[k] for k in np.flatnonzero(which)]
        if names:
            yield f"{counted(len(names), 'label')} {agreed(len(names), 'is', 'are')} {what}: {quoted_names(names)}."
    yield from _rare_values(data, np.flatnonzero(~binary))
    n_bare = data.n_instances - np.unique(Y.indices).size
    if n_bare and data.is_multilabel:
        yield f"{counted(n_bare, 'row')} {agreed(n_bare, 'has', 'have')} all labels 0."


def _rare_values(data: Dataset, labels: np.ndarray) -> Iterator[str]:
    """Say which labels have two values in almost all rows, and what others they have in how many rows."""
    found = []
    for k in labels[:_MOST_LABELS]:
        codes = data.Y[:, [k]]
        codes = codes.toarray().ravel() if sparse.issparse(codes) else codes.ravel()
        counts = np.bincount(codes, minlength=len(data.label_values[k]))
        rare = np.argsort(-counts, kind="stable")[2:]
        rare = rare[counts[rare] > 0]
        if rare.size and counts[rare].sum() * _RARELY <= data.n_instances:
            values = listed(
                [f"{quoted(data.label_values[k][code])} in {counted(counts[code], 'row')}" for code in rare], 4
            )
            found.append(f"{quoted(data.label_names[k])} has {values}")
    if found:
        label = agreed(len(found), "1 label has", f"{len(found):,} labels have")
        yield (
            f"{label} two values in almost all rows, and rare others: {'; '.join(_clipped(found))}. Empty these cells "
            "if they mean that nobody knows."
        )


def _repeated_rows(data: Dataset) -> Iterator[str]:
    seen = {hashlib.blake2b(x + y, digest_size=16).digest() for x, y in zip(_rows(data.X), _rows(data.Y), strict=True)}
    n = data.n_instances - len(seen)
    if n:
        yield f"{counted(n, 'row')} {agreed(n, 'repeats', 'repeat')} an earlier row with the same features and labels."


def _rows(matrix: Matrix) -> Iterator[bytes]:
    """Yield the content of each row; rows that are equal yield the same."""
    if not sparse.issparse(matrix):
        for row in matrix:
            yield (row + 0).tobytes()  # which turns -0.0 into 0.0
        return
    rows = sparse.csr_array(matrix, copy=True)
    rows.sort_indices()
    rows.eliminate_zeros()
    for start, end in zip(rows.indptr[:-1], rows.indptr[1:], strict=True):
        size = int(end - start).to_bytes(8, "little")
        yield size + rows.indices[start:end].tobytes() + rows.data[start:end].tobytes()


def _about_features(data: Dataset, which: Sequence[int] | np.ndarray, of_one: str, of_many: str) -> Iterator[str]:
    if len(which):
        names = [data.feature_names[j] for j in which]
        yield f"{counted(len(names), 'feature')} {agreed(len(names), of_one, of_many)}: {quoted_names(names)}."


def _numbers_rows(X: Matrix, j: int, name: str) -> bool:
    """Whether a feature has whole numbers that all differ, and counts up without gaps or is called an id."""
    n = X.shape[0]
    cells = _stored(X, j)[1]
    if n <= _MANY_ROWS or cells.size < n - 1 or not _is_whole(cells[:_MANY_ROWS]) or not _is_whole(cells):
        return False
    distinct = np.unique(cells)
    return distinct.size == cells.size and bool(distinct[-1] - distinct[0] <= n or _ID.fullmatch(name.strip()))


def _is_whole(cells: np.ndarray) -> bool:
    return bool(np.all(cells == np.floor(cells)))


def _alike(data: Dataset, X: Matrix, Y: sparse.csc_array) -> Iterator[str]:
    """Say which labels, and which features and labels, divide the rows alike, so that one tells the other."""
    labels_of = defaultdict(list)
    for k, label in enumerate(data.label_names):
        if pattern := _pattern(Y, k):
            labels_of[pattern].append(quoted(label))
    same = [listed(labels, 4) for labels in labels_of.values() if len(labels) > 1]
    if same:
        yield f"These labels are equal or opposite in every row: {'; '.join(_clipped(same))}."
    leaks = []
    may_be_alike = _may_be_alike(X)
    for j, feature in enumerate(data.feature_names):
        if may_be_alike[j] and (pattern := _pattern(X, j)) and pattern in labels_of:
            leaks.append(f"{quoted(feature)} gives away {labels_of[pattern][0]}")
    yield from _leaks(leaks, "in every row")
    by_row = sparse.csr_array(Y)
    gappy = np.flatnonzero(missing_of_columns(X))
    leaked = {data.feature_names[j]: _leaked_where_known(X, by_row, j) for j in gappy.tolist()}
    gives = "{} gives away {}".format
    leaks = [gives(quoted(feature), quoted(data.label_names[k])) for feature, k in leaked.items() if k is not None]
    yield from _leaks(leaks, "in every row without a missing cell")


def _may_be_alike(X: Matrix) -> np.ndarray:
    """Return which columns differ from their first row in as many rows as `_pattern` asks for at least."""
    if sparse.issparse(X):
        return np.ones(X.shape[1], dtype=bool)
    n_other = (X[0] != X).sum(axis=0)
    return (n_other >= _LEAST_ROWS) & (n_other <= len(X) - _LEAST_ROWS)


def _leaks(leaks: list[str], where: str) -> Iterator[str]:
    if leaks:
        leak = agreed(len(leaks), "leaks a label", "leak labels")
        yield f"{counted(len(leaks), 'feature')} {leak} {where}: {listed(leaks, 4)}."


def _leaked_where_known(X: Matrix, Y: sparse.csr_array, j: int) -> int | None:
    """Return a label that a feature with missing cells tells in every row where it is known, at least half of all.

    Only features of two values are looked at.
    """
    n = X.shape[0]
    rows, cells = _stored(X, j)
    if not np.isnan(cells).any() or np.unique(cells[:_MANY_ROWS]).size > 3:
        return None
    whole = np.zeros(n)
    whole[rows] = cells
    values = np.unique(whole[~np.isnan(whole)])
    if values.size != 2:
        return None
    these, those = (np.flatnonzero(whole == value) for value in values)
    if min(these.size, those.size) < _LEAST_ROWS or these.size + those.size < n / 2:
        return None
    labels = np.arange(Y.shape[1])
    for most in (_MANY_ROWS, n):  # a few rows rule out almost all labels
        (low, high), (other_low, other_high) = (column_range(Y[of[:most]][:, labels]) for of in (these, those))
        labels = labels[(low == high) & (other_low == other_high) & (low != other_low)]
        if not labels.size:
            return None
    return int(labels[0])


def _clipped(parts: list[str]) -> list[str]:
    return parts if len(parts) <= _SHOWN else [*parts[:_SHOWN], f"{len(parts) - _SHOWN:,} more"]


def _pattern(matrix: Matrix, j: int) -> bytes | None:
    """Return what is the same for columns that divide the rows alike, whatever their values.

    Values are numbered as they first occur, so that 0 is that of the first row, and the other rows are hashed. None
    for columns of many values, of missing cells, or in which hardly any row differs from the first.
    """
    n = matrix.shape[0]
    if not sparse.issparse(matrix):
        column = matrix[:, j]
        rows = np.flatnonzero(column != column[0])
        others = column[rows]
        if rows.size and column[0] == column[0] and np.all(others == others[0]):  # two values, and no missing cell
            return _hashed(rows, np.ones(rows.size)) if _LEAST_ROWS <= rows.size <= n - _LEAST_ROWS else None
    rows, cells = _stored(matrix, j)
    if np.unique(cells[: 4 * _FEW_VALUES]).size > _FEW_VALUES or np.isnan(cells).any():
        return None
    if rows.size and rows[0] == 0:  # 0 is not the value of the first row and needs a number too
        whole = np.zeros(n)
        whole[rows] = cells
        numbers = pd.factorize(whole)[0]
        rows = np.flatnonzero(numbers)
        numbers = numbers[rows]
    else:
        numbers = pd.factorize(cells)[0] + 1
    if not _LEAST_ROWS <= rows.size <= n - _LEAST_ROWS:
        return None
    return _hashed(rows, numbers)


def _hashed(rows: np.ndarray, numbers: np.ndarray) -> bytes:
    return hashlib.blake2b(np.stack([rows, numbers]).astype(np.int64).tobytes(), digest_size=16).digest()


def _any_label(data: Dataset, X: Matrix, Y: sparse.csc_array) -> Iterator[str]:
    """Say which columns of 0 and 1 tell, in almost every row or all, whether it has any of the (other) labels."""
    if not data.is_multilabel or data.n_labels < 2:
        return
    n_labels = np.bincount(Y.indices, minlength=data.n_instances)
    yield from _complements(data, Y, n_labels)
    n_any = int((n_labels > 0).sum())
    if not _LEAST_ROWS <= n_any <= data.n_instances - _LEAST_ROWS:
        return
    if data.n_labels > 2:
        for k, label in enumerate(data.label_names):
            rows, _ = _stored(Y, k)
            both = int((n_labels[rows] > 1).sum())
            yield from _tells_any(
                f"Label {quoted(label)}", "other label", rows.size, n_any - rows.size + both, both, data
            )
    found = _features_that_tell_any(data, X, n_labels, n_any)
    yield from islice(found, _SHOWN)
    n_more = sum(1 for _ in found)
    if n_more:
        yield f"{counted(n_more, 'more feature')} {agreed(n_more, 'gives', 'give')} away whether a row has any label."


def _features_that_tell_any(data: Dataset, X: Matrix, n_labels: np.ndarray, n_any: int) -> Iterator[str]:
    has_any = n_labels > 0
    size = max(1, _BLOCK_CELLS // data.n_instances)
    for start in range(0, data.n_features, size):
        block = X[:, start : start + size]
        only_ones, n_own, n_both = _ones_in(block, has_any)
        for j in np.flatnonzero(only_ones).tolist():
            feature = f"Feature {quoted(data.feature_names[start + j])}"
            yield from _tells_any(feature, "label", int(n_own[j]), n_any, int(n_both[j]), data)


def _ones_in(block: Matrix, has_any: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Return of each column whether it has 0 and 1 only, how many ones, and how many of them where `has_any`."""
    if not sparse.issparse(block):
        ones = block == 1
        return (ones | (block == 0)).all(axis=0), ones.sum(axis=0), ones[has_any].sum(axis=0)
    width, column = block.shape[1], np.repeat(np.arange(block.shape[1]), np.diff(block.indptr))
    n_other = np.bincount(column[block.data != 1], minlength=width)
    n_both = np.bincount(column[has_any[block.indices]], minlength=width)
    return n_other == 0, np.diff(block.indptr), n_both


def _complements(data: Dataset, Y: sparse.csc_array, n_labels: np.ndarray) -> Iterator[str]:
    """Say which label is relevant exactly where no other is, where labels do occur together."""
    if not n_labels.all() or n_labels.max() < 2:
        return
    for k, label in enumerate(data.label_names):
        rows = _stored(Y, k)[0]
        if rows.size >= _LEAST_ROWS and np.all(n_labels[rows] == 1):
            yield (
                f"Label {quoted(label)} is 1 exactly where all other labels are 0: if it says that a row has no label, "
                "leave it out."
            )


def _tells_any(column: str, what: str, n_own: int, n_any: int, n_both: int, data: Dataset) -> Iterator[str]:
    """Yield a sentence if the ones of a column are (almost) the rows with any label, and its zeros the others."""
    n = data.n_instances
    n_neither = n - (n_own + n_any - n_both)
    if n_both >= _ALMOST * (n - n_neither) and n_neither >= _ALMOST * (n - n_both):
        n_agree = n_both + n_neither
        where = "every row" if n_agree == n else f"{n_agree:,} of {n:,} rows"
        yield f"{column} gives away in {where} whether the row has any {what}."


def _missing(data: Dataset) -> Iterator[str]:
    n_columns = len(data.missing)
    if not n_columns:
        return
    most = sorted(data.missing.items(), key=lambda of_column: -of_column[1])[: min(n_columns, _SHOWN)]
    shown = listed([f"{quoted(name)} ({n:,})" for name, n in most])
    lack = "has missing cells" if n_columns == 1 else "have missing cells"
    mostly = ", most in" if n_columns > _SHOWN else ":"
    yield f"{counted(n_columns, 'feature')} {lack}, {data.n_missing:,} in total{mostly} {shown}."
