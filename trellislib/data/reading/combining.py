"""Tables from two files that belong together: labels next to features, rows to test on below rows to train on."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

import numpy as np
from scipy import sparse

from trellislib.data.dataset import DataError
from trellislib.data.filenames import part
from trellislib.data.tables.columns import recoded, unique_names, with_columns
from trellislib.data.tables.keys import by_key
from trellislib.data.tables.long import proposed_long
from trellislib.data.tables.matching import by_name, with_zeros
from trellislib.data.tables.table import Table
from trellislib.typing import Matrix
from trellislib.wording import agreed, counted, quoted, quoted_names

_POSITION = re.compile(r"column (\d+)")

Categories = tuple[str, ...] | None


def joined(features: Table, labels: Table) -> Table:
    """Return one table of features and, after them, labels, which are declared to be labels.

    Parameters
    ----------
    features, labels : Table
        With a row for each instance, in the same order, or with a column of both that names it: rows are matched by
        that, and a note says which have no partner. The labels may be a line for each instance and label; a single
        column that lists the labels of each row is split. A column that both have is taken once.

    Returns
    -------
    Table
        Sparse where the features are, or where the labels are and would take more room than the features otherwise.

    Raises
    ------
    DataError
        If they have not the same number of rows, or a column of both has other values in one than in the other.

    Examples
    --------
    >>> X = Table("X.csv", ("x",), (None,), np.array([[0.5], [0.1]]))
    >>> Y = Table("Y.csv", ("sunny",), (None,), np.array([[1.0], [0.0]]))
    >>> joined(X, Y).labels, joined(X, Y).cells.tolist()
    (('sunny',), [[0.5, 1.0], [0.1, 0.0]])
    """
    if long := _long(features, labels):
        labels = labels.per_instance(*long)
    features, labels, matched = by_key(features, labels)
    if features.n_rows != labels.n_rows:
        raise DataError(
            f"{labels.name}: it has {counted(labels.n_rows, 'row')} of labels, but {features.name} has "
            f"{counted(features.n_rows, 'row')} of features; give two files with a row for each instance.",
            [features.name, labels.name],
        )
    alone = len(labels.columns) == 1 or len(set(labels.columns) - set(features.columns)) == 1
    if alone and (guess := labels.propose_split()):
        labels = labels.split(*guess)
    features, labels = _called(features, "feature"), _called(labels, "label")
    labels, notes = _without_shared(features, labels)
    columns, renamed = unique_names((*features.columns, *labels.columns))
    names = dict(zip(labels.columns, columns[len(features.columns) :], strict=True))
    roomy = labels.n_rows * len(labels.columns) > max(features.cells.size, 10**6)
    thin = features.is_sparse or (labels.is_sparse and roomy)
    parts = [_as_sparse(table.cells) if thin else _as_dense(table.cells) for table in (features, labels)]
    return Table(
        name=features.name,
        columns=columns,
        categories=(*features.categories, *labels.categories),
        cells=sparse.hstack(parts, format="csr") if thin else np.hstack(parts),
        labels=tuple(map(names.__getitem__, labels.labels or labels.columns)),
        labels_source=f"the file {labels.name}",
        provenance=(
            *_provenance_of_both(features, labels),
            matched[0] if matched else f"Each row of {labels.name} has the labels of the same row of {features.name}.",
        ),
        notes=(*dict.fromkeys((*features.notes, *labels.notes)), *matched[1:], *notes, *renamed),
        unusable={**features.unusable, **{names[name]: what for name, what in labels.unusable.items()}},
        listed=labels.listed,
        from_lists=tuple(map(names.__getitem__, labels.from_lists)),
        left_out=(*features.left_out, *labels.left_out),
        weights=features.weights,
    )


def _long(features: Table, labels: Table) -> tuple[str, ...]:
    """Return the columns of a file of labels that has a line for each instance, which the features name, and label."""
    long = proposed_long(labels)
    return long if long and long[0] in features.columns and len(labels.columns) == len(long) else ()


def _called(table: Table, what: str) -> Table:
    """Return a table whose columns, if they are called by their positions, are called features or labels."""
    if not all(map(_POSITION.fullmatch, table.columns)):
        return table
    names = {name: _POSITION.sub(rf"{what} \1", name) for name in table.columns}
    return replace(
        table,
        columns=tuple(names.values()),
        labels=None if table.labels is None else tuple(map(names.__getitem__, table.labels)),
        unusable={names[name]: what for name, what in table.unusable.items()},
    )


def _without_shared(features: Table, labels: Table) -> tuple[Table, tuple[str, ...]]:
    """Return the labels without the columns that the features have too, and what was noticed."""
    of_features = set(features.columns)
    shared = [name for name in labels.columns if name in of_features]
    if not shared or len(shared) == len(labels.columns):  # the rows of labels would be left without any
        return labels, ()
    for name in shared:
        if features.texts(features.find(name)) != labels.texts(labels.find(name)):
            raise DataError(
                f"{labels.name}: column {quoted(name)} has other values than the column of this name in "
                f"{features.name}; bring the rows of both files into the same order, or rename one of the columns.",
                [features.name, labels.name],
            )
    rest = [j for j, name in enumerate(labels.columns) if name not in of_features]
    column, same, was = agreed(len(shared), ("Column", "is", "was"), ("Columns", "are", "were"))
    return labels.selected(rest), (
        f"{column} {quoted_names(shared)} {same} the same in both files and {was} taken once.",
    )


def stacked(train: Table, test: Table) -> Table:
    """Return one table of the rows of `train` and below them those of `test`, columns matched by name.

    Parameters
    ----------
    train, test : Table
        `test` may have the columns in another order, and more of them, which are left out; the notes say so. A column
        of categories has those of either file; it may hold numbers in one of them.

    Returns
    -------
    Table
        In the columns of `train`; sparse where one of them is. `n_train` is the number of rows of `train`.

    Raises
    ------
    DataError
        If `test` lacks a column; the message names it.

    Examples
    --------
    >>> train = Table("a.csv", ("x", "sunny"), (None, ("no", "yes")), np.array([[0.5, 1], [0.1, 0]]))
    >>> test = Table("b.csv", ("sunny", "x"), (("yes",), None), np.array([[0, 0.7]]))
    >>> whole = stacked(train, test)
    >>> whole.cells.tolist(), whole.n_train
    ([[0.5, 1.0], [0.1, 0.0], [0.7, 1.0]], 2)
    """
    if bool(train.weights) != bool(test.weights):  # rows of a file without weights count once
        train, test = (t if t.weights else with_weights(t, np.ones(t.n_rows)) for t in (train, test))
    order, notes = by_name(test, train.columns, train.name)
    test = test.selected(order)
    if train.labels and test.labels and set(train.labels) != set(test.labels):
        notes.append(f"{test.name} declares other labels than {train.name}; those of {train.name} were taken.")
    declaring = train if train.labels else test
    categories = tuple(_united(train, test, j) for j in range(len(train.columns)))
    thin = train.is_sparse or test.is_sparse
    parts = [_recoded(table, categories, thin=thin) for table in (train, test)]
    return Table(
        name=part(train.name).title or train.name,
        columns=train.columns,
        categories=categories,
        cells=sparse.vstack(parts, format="csr") if thin else np.vstack(parts),
        labels=declaring.labels,
        labels_note=declaring.labels_note,
        labels_source=declaring.labels_source,
        provenance=(
            *_provenance_of_both(train, test),
            f"The first {train.n_rows:,} rows are {train.name}, the other {test.n_rows:,} {test.name}.",
        ),
        n_train=train.n_rows,
        notes=(*dict.fromkeys((*train.notes, *test.notes)), *notes),
        unusable={**test.unusable, **train.unusable},
        listed=declaring.listed,
        from_lists=declaring.from_lists,
        left_out=train.left_out,
        weights=train.weights,
    )


def with_weights(table: Table, weights: np.ndarray) -> Table:
    """Return a table with a last column that weighs the rows, and is declared to.

    Examples
    --------
    >>> table = with_weights(Table("a.arff", ("x",), (None,), np.array([[2.5], [1]])), np.array([1, 0.5]))
    >>> table.columns, table.weights, table.cells.tolist()
    (('x', 'weight'), 'weight', [[2.5, 1.0], [1.0, 0.5]])
    """
    columns, _ = unique_names((*table.columns, "weight"))
    column = np.reshape(weights, (-1, 1)).astype(float)
    cells = sparse.hstack([table.cells, column], format="csr") if table.is_sparse else np.hstack([table.cells, column])
    return replace(table, columns=columns, categories=(*table.categories, None), cells=cells, weights=columns[-1])


def widened(table: Table, other: Table) -> Table:
    """Return a table with the columns that only another has, 0 in every row: what a sparse file never names is 0.

    Where a categorical column is in one of them only, the table is returned as it is: no such value is 0.

    Examples
    --------
    >>> table = Table("a.txt", ("feature 1",), (None,), sparse.csr_array([[2.5]]))
    >>> other = Table("b.txt", ("feature 1", "feature 2"), (None, None), sparse.csr_array([[0, 1.0]]))
    >>> widened(table, other).columns, widened(table, other).cells.toarray().tolist()
    (('feature 1', 'feature 2'), [[2.5, 0.0]])
    """
    known = set(table.columns)
    new = [j for j, name in enumerate(other.columns) if name not in known]
    named = {name for t in (table, other) for name, of in zip(t.columns, t.categories, strict=True) if of is not None}
    if not new or not named <= known & set(other.columns):
        return table
    names = tuple(other.columns[j] for j in new)
    labels = None if table.labels is None else (*table.labels, *(n for n in other.labels or () if n in set(names)))
    wider, note = with_zeros(table, names, other.name)
    return replace(wider, labels=labels, notes=(*table.notes, note))


def _united(train: Table, test: Table, j: int) -> Categories:
    """Return the categories of a column in either table, those of `train` first; None where both hold numbers."""
    ours, theirs = train.categories[j], test.categories[j]
    if ours == theirs:
        return ours
    return tuple(dict.fromkeys((*train.named(j)[0], *test.named(j)[0])))


def _recoded(table: Table, categories: Sequence[Categories], *, thin: bool) -> Matrix:
    """Return the cells as indices into `categories`, in the sparse form or not."""
    changed = {
        j: _codes(table, j, after)
        for j, (before, after) in enumerate(zip(table.categories, categories, strict=True))
        if after is not None and before != after
    }
    return with_columns(_as_sparse(table.cells) if thin else _as_dense(table.cells), changed)


def _codes(table: Table, j: int, values: tuple[str, ...]) -> np.ndarray:
    """Return the cells of a column as indices into `values`."""
    names, index = table.named(j)
    place = {value: i for i, value in enumerate(values)}
    return recoded(index, [place[name] for name in names])


def _as_dense(cells: Matrix) -> np.ndarray:
    return cells if isinstance(cells, np.ndarray) else cells.toarray()


def _as_sparse(cells: Matrix) -> sparse.csr_array:
    return sparse.csr_array(cells)


def _provenance_of_both(first: Table, second: Table) -> tuple[str, ...]:
    """Return how two files were read: once where it is the same, else with the name of each."""
    if first.provenance == second.provenance:
        return first.provenance
    return tuple(f"{table.name}: {sentence}" for table in (first, second) for sentence in table.provenance)
