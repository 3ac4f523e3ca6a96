"""Columns that may be no features: groups of rows, weights of rows, and codes for missing cells among numbers."""

from __future__ import annotations

import re
from collections.abc import Iterator

import numpy as np
import pandas as pd
from scipy import sparse

from trellislib.data.dataset import Dataset
from trellislib.data.tables.aside import FEWEST_GROUPS, GROUP, is_repeated, repeats
from trellislib.wording import agreed, counted, listed, quoted, quoted_names

_WEIGHT = re.compile(r"(?:(?:sample|instance|case|survey|row)[_ .-]?)?(?:weights?|wts?|wgt|pweights?)", re.IGNORECASE)
_CODES = frozenset([-9, -99, -999, -9999, -99999, -1, 99, 999, 9999, 99999])
_MOST_LOOKED_AT = 2_000  # columns of numbers of which the codes are looked for
_FEWEST_CELLS = 2


def roles(data: Dataset) -> Iterator[str]:
    """Yield what columns may be instead of features, one sentence each.

    Columns of which each value decides all labels, though it stands in several rows, as that of a patient does; columns
    that are called as what groups rows, and whose values repeat; columns that are called a weight; numbers such as
    -999, far from all others, that may say that a cell is missing.

    Examples
    --------
    >>> X = np.array([[3, 0.1], [3, 0.2], [5, 0.3], [5, 0.4], [8, 0.5], [8, 0.6]])
    >>> Y = np.array([[1], [1], [0], [0], [1], [1]])
    >>> for sentence in roles(Dataset(X, Y, ("patient", "x"), ("ill",), (("0", "1"),))):
    ...     print(sentence)
    Column 'patient' decides all labels, with 3 values in 6 rows: if it groups rows, choose it as groups, or scores \
tell nothing of new groups.
    """
    label_sets: np.ndarray | None = None
    for column, groups in _groups(data):
        n_groups = int(groups.max()) + 1
        if FEWEST_GROUPS <= n_groups <= data.n_instances / 2:
            label_sets = _label_sets(data) if label_sets is None else label_sets
            if label_sets.any() and pd.Series(label_sets).groupby(groups).nunique().max() == 1:
                yield (
                    f"Column {quoted(column)} decides all labels, with {counted(n_groups, 'value')} in "
                    f"{counted(data.n_instances, 'row')}: if it groups rows, choose it as groups, or scores tell "
                    "nothing of new groups."
                )
                continue
        if data.groups is None and is_repeated(column, n_groups, data.n_instances):
            yield repeats(column, n_groups, data.n_instances)
    called = [j for j, name in enumerate(data.feature_names) if _WEIGHT.fullmatch(name.strip())]
    weights = [data.feature_names[j] for j in called if data.is_dense and _may_weigh(data.X[:, j])]
    if weights:
        feature, is_, it = agreed(len(weights), ("Feature", "is", "it says"), ("Features", "are", "they say"))
        yield (
            f"{feature} {quoted_names(weights)} {is_} called a weight: if {it} how much a row counts, choose it as "
            "weights."
        )
    yield from _codes(data)


def _may_weigh(cells: np.ndarray) -> bool:
    """Whether numbers may be weights: never negative, and not only 0 and 1, as those of a word that is called so."""
    return bool(np.all(cells >= 0)) and not np.isin(cells, (0, 1)).all()


def _label_sets(data: Dataset) -> np.ndarray:
    """Return a number for each row, the same for rows of equal labels, from 0 on."""
    rows = sparse.csr_array(data.Y, copy=True)
    rows.eliminate_zeros()
    rows.sort_indices()
    bounds = zip(rows.indptr[:-1], rows.indptr[1:], strict=True)
    content = [rows.indices[a:b].tobytes() + b"|" + rows.data[a:b].tobytes() for a, b in bounds]
    return pd.factorize(np.array(content, dtype=object))[0]


def _groups(data: Dataset) -> Iterator[tuple[str, np.ndarray]]:
    """Yield the columns that may group rows, and a number for each row's value."""
    if not data.is_dense:
        return
    columns = data.feature_names if data.schema is None else data.schema.columns.origins
    if len(columns) != data.n_features:
        columns = data.feature_names
    where: dict[str, list[int]] = {}
    for j, name in enumerate(columns):
        where.setdefault(name, []).append(j)
    for name, features in where.items():
        if len(features) >= FEWEST_GROUPS or (len(features) == 1 and GROUP.fullmatch(name.strip())):
            cells = np.asarray(data.X[:, features])
            if len(features) == 1 and not np.all(cells == np.round(cells)):
                continue
            if not np.isnan(cells).any():
                yield name, pd.factorize(cells.argmax(axis=1) if len(features) > 1 else cells[:, 0])[0]


def _codes(data: Dataset) -> Iterator[str]:
    """Yield a sentence on numbers that stand far from all others and are written for what is missing."""
    if not data.is_dense or data.n_features > _MOST_LOOKED_AT:
        return
    found = {}
    for j, name in enumerate(data.feature_names):
        cells = data.X[:, j][~np.isnan(data.X[:, j])]
        if cells.size and {float(cells.min()), float(cells.max())} & _CODES:
            for code in (float(cells.min()), float(cells.max())):
                rest = cells[cells != code]
                if code in _CODES and cells.size - rest.size >= _FEWEST_CELLS and rest.size and _is_far(code, rest):
                    found[name] = f"{code:g} in {counted(cells.size - rest.size, 'row')} of {quoted(name)}"
    if found:
        where = listed(list(found.values()), 4)
        yield f"Numbers that may say that a cell is missing: {where}; empty these cells if they do."


def _is_far(code: float, rest: np.ndarray) -> bool:
    """Whether a code lies farther from all other cells than these from each other, and is negative alone or large."""
    low, high = float(rest.min()), float(rest.max())
    gap = low - code if code < low else code - high
    return gap > max(high - low, 1) and (code > 0 or low >= 0) and abs(code) > 2 * max(abs(low), abs(high))
