"""`Columns`: named columns of numbers or of categories, dense or sparse, and what can be asked of each."""

from __future__ import annotations

import difflib
import unicodedata
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import NamedTuple

import numpy as np
import pandas as pd
from scipy import sparse

from trellislib.data.dataset import DataError
from trellislib.typing import Matrix
from trellislib.wording import quoted, quoted_names, without_controls

FREE_TEXT = "free text"
DATES = "dates"
IDENTIFIERS = "identifiers"


_WIDE = 2_000  # columns; of more, looking at each by itself takes too long
_BLOCK_CELLS = 2**22


class _Summary(NamedTuple):
    """Of each column the numbers of missing cells and of values, the lowest and highest, and if all are whole."""

    n_missing: np.ndarray
    n_values: np.ndarray
    lowest: np.ndarray
    highest: np.ndarray
    is_whole: np.ndarray

    @classmethod
    def of(cls, cells: np.ndarray) -> _Summary:
        size = max(1, _BLOCK_CELLS // len(cells))
        parts = []
        for start in range(0, cells.shape[1], size):
            ordered = np.sort(cells[:, start : start + size], axis=0)  # missing cells are the last
            n_missing = np.isnan(ordered).sum(axis=0)
            n_known = len(ordered) - n_missing
            n_values = (np.diff(ordered, axis=0) > 0).sum(axis=0) + (n_known > 0)
            highest = np.take_along_axis(ordered, np.maximum(n_known - 1, 0)[np.newaxis], axis=0)[0]
            is_whole = ((ordered == np.round(ordered)) | np.isnan(ordered)).all(axis=0)
            parts.append((n_missing, n_values, ordered[0], highest, is_whole))
        return cls(*(np.concatenate(part) for part in zip(*parts, strict=True)))


@dataclass(frozen=True, eq=False)
class Columns:
    """Named columns of cells; parameters and errors are those of `trellislib.data.Table`."""

    name: str
    columns: tuple[str, ...]
    categories: tuple[tuple[str, ...] | None, ...]
    cells: Matrix
    unusable: Mapping[str, str] = field(default_factory=dict, kw_only=True)
    n_before: int = field(default=0, kw_only=True)

    def __post_init__(self) -> None:
        if len(self.columns) != len(self.categories) or len(self.columns) != self.cells.shape[1]:
            raise DataError(f"{self.name}: the column names do not fit the {self.cells.shape[1]} columns of cells.")
        if 0 in self.cells.shape:
            raise DataError(f"{self.name}: the file names columns but has no rows of data.")

    @property
    def n_rows(self) -> int:
        """Number of rows."""
        return self.cells.shape[0]

    @property
    def is_sparse(self) -> bool:
        """Whether the cells leave zeros out."""
        return sparse.issparse(self.cells)

    def find(self, column: str, purpose: str = "to be a label") -> int:
        """Return the position of a column.

        Raises
        ------
        DataError
            If there is none of that name; the message says which name is nearest, and what the column was for.
        """
        if column not in self._positions and composed(column) not in self._positions:
            raise DataError(f"{self.name}: there is no column {quoted(column)} {purpose}{self.nearest(column)}.")
        return self._positions.get(column, self._positions.get(composed(column), -1))

    def nearest(self, column: str) -> str:
        """Return what to add to a message about an unknown column: the existing name that is nearest to it."""
        lowered = {name.lower(): name for name in self.columns}
        near = difflib.get_close_matches(column.lower(), lowered, n=1)
        return f"; the nearest name is {quoted(lowered[near[0]])}" if near else ""

    def by_row(self, rows: np.ndarray) -> Columns:
        """Return the same columns of some rows, in the order given; labels and notes of a table are not kept."""
        return Columns(self.name, self.columns, self.categories, self.cells[rows], unusable=self.unusable)

    @cached_property
    def by_column(self) -> np.ndarray | sparse.csc_array:
        """The cells in a form of which columns can be taken quickly."""
        return sparse.csc_array(self.cells) if self.is_sparse else self.cells

    def stored(self, j: int) -> np.ndarray:
        """Return the cells of a column, without the zeros that a sparse table leaves out."""
        if isinstance(self.by_column, np.ndarray):
            return self.by_column[:, j]
        return self.by_column.data[self.by_column.indptr[j] : self.by_column.indptr[j + 1]]

    def column(self, j: int) -> np.ndarray:
        """Return all cells of a column."""
        if isinstance(self.by_column, np.ndarray):
            return self.by_column[:, j]
        return self.by_column[:, [j]].toarray().ravel()

    def present(self, j: int) -> np.ndarray:
        """Return the distinct values of a column, ascending, without missing cells."""
        if self._of_all is not None and self._of_all.n_values[j] <= 2:
            low, high = self._of_all.lowest[j], self._of_all.highest[j]
            return np.array([low] if low == high else [low, high])[: self._of_all.n_values[j]]
        stored = self.stored(j)
        left_out = [0.0] if stored.size < self.n_rows else []
        return np.unique(np.concatenate([stored[~np.isnan(stored)], left_out]))

    def named(self, j: int) -> tuple[tuple[str, ...], np.ndarray]:
        """Return the values of a column as names, and of each row the index of its own; ``nan`` where it is missing."""
        cells, categories = self.column(j), self.categories[j]
        if categories is not None:
            return categories, cells
        values = self.present(j)
        index = np.where(np.isnan(cells), np.nan, np.searchsorted(values, cells))
        return tuple(np.format_float_positional(value, trim="-") for value in values), index

    def preview(self, n_rows: int = 5) -> pd.DataFrame:
        """Return the first rows for people to look at: numbers, and names instead of their indices."""
        rows = self.cells[:n_rows]
        rows = rows.toarray() if self.is_sparse else rows
        shown = {}
        for name, names, cells in zip(self.columns, self.categories, rows.T, strict=True):
            shown[name] = cells if names is None else [None if np.isnan(cell) else names[int(cell)] for cell in cells]
        return pd.DataFrame(shown)

    def texts(self, j: int) -> list[str | None]:
        """Return the cells of a column as names, None where one is missing."""
        names, index = self.named(j)
        return [None if np.isnan(i) else names[int(i)] for i in index.tolist()]

    def n_missing(self, j: int) -> int:
        """Return the number of missing cells of a column."""
        return int(np.isnan(self.stored(j)).sum() if self._of_all is None else self._of_all.n_missing[j])

    def n_values(self, j: int) -> float:
        """Return the number of values of a column, infinite where it does not look like a label."""
        if j not in self._n_values:
            self._n_values[j] = self._count_values(j)
        return self._n_values[j]

    def _count_values(self, j: int) -> float:
        if self.columns[j] in self.unusable:
            return np.inf
        categories = self.categories[j]
        if categories is not None:
            return len(categories)
        if self._of_all is not None:
            return float(self._of_all.n_values[j]) if self._of_all.is_whole[j] else np.inf
        present = self.present(j)
        return present.size if np.all(present == np.round(present)) else np.inf

    @cached_property
    def _n_values(self) -> dict[int, float]:
        """What `n_values` found, for which a guess asks again and again."""
        return {}

    @cached_property
    def _of_all(self) -> _Summary | None:
        """What there is to know of each column of a wide table, found at once; None of others."""
        if len(self.columns) <= _WIDE or not isinstance(self.cells, np.ndarray):
            return None
        return _Summary.of(self.cells)

    @cached_property
    def _positions(self) -> dict[str, int]:
        return {name: j for j, name in enumerate(self.columns)}


def recoded(codes: np.ndarray, new: Sequence[float] | np.ndarray) -> np.ndarray:
    """Return for each code, 0 or above, what stands in its place in `new`; a missing one stays missing."""
    return np.append(np.asarray(new, dtype=float), np.nan)[np.nan_to_num(codes, nan=-1).astype(np.intp)]


def with_columns(cells: Matrix, changed: Mapping[int, np.ndarray]) -> Matrix:
    """Return cells of which some columns, by their positions, are others.

    Examples
    --------
    >>> with_columns(np.array([[1, 2], [3, 4]]), {0: np.array([5, 6])}).tolist()
    [[5, 2], [6, 4]]
    """
    if not changed:
        return cells
    if isinstance(cells, np.ndarray):
        cells = cells.copy()
        cells[:, list(changed)] = np.column_stack(list(changed.values()))
        return cells
    kept = [j for j in range(cells.shape[1]) if j not in changed]
    columns = [sparse.csc_array(column[:, None]) for column in changed.values()]
    moved = sparse.hstack([sparse.csc_array(cells)[:, kept], *columns], format="csc")
    return sparse.csr_array(moved[:, np.argsort([*kept, *changed])])


def composed(name: str) -> str:
    """Return a name on one line, letters with accents as one character, so that what looks alike is alike."""
    name = without_controls(name)
    return name if name.isascii() else unicodedata.normalize("NFC", name)


def unique_names(names: Iterable[str]) -> tuple[tuple[str, ...], tuple[str, ...]]:
    r"""Return names that are all different, also to the eye, and the notes that say which were not.

    Examples
    --------
    >>> unique_names(["caf\u00e9", "cafe\u0301"])[0]
    ('café', 'café (2)')
    """
    names = list(map(composed, names))
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
    occur = "occurs" if len(twice) == 1 else "occur"
    name_word = "name" if len(twice) == 1 else "names"
    notes = (f"The column {name_word} {quoted_names(twice)} {occur} more than once; later ones were numbered.",)
    return tuple(result), notes if twice else ()
