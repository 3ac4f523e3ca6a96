"""Sizes that a file only announces, held against what it really holds before memory is spent on them."""

from __future__ import annotations

import numpy as np
from scipy import sparse

from trellislib.data.reading.source import Source
from trellislib.running.memory import MemoryBudgetError, Need
from trellislib.wording import counted

MAX_COLUMNS = 4_000_000
"""Columns of a table, each of which has a name: more than the largest public sets of extreme classification have."""

UNSUSPICIOUS = 100_000
"""Rows, or columns, that a sparse file may have however little it holds."""

PER_CELL = 1_000
"""Rows, or columns, past `UNSUSPICIOUS` that a sparse file may have for each cell that it holds."""

_BYTES_OF_A_NAME = 300  # in the table, in its index of names, and once more in the data set


def check_columns(source: Source, n_columns: int, line: int | None = None) -> None:
    """Refuse more columns than are read, or than there is memory for.

    Parameters
    ----------
    source : Source
        What announces them.
    n_columns : int
        How many.
    line : int, optional
        Where it does.

    Raises
    ------
    DataError
        If they are more than `MAX_COLUMNS`, or their names would take more memory than a job may.

    Examples
    --------
    >>> check_columns(Source(b"", "xmc.txt"), 10**12, 1)
    Traceback (most recent call last):
    trellislib.data.dataset.DataError: xmc.txt: line 1: 1,000,000,000,000 columns are too many: at most 4,000,000 \
are read.
    """
    if n_columns > MAX_COLUMNS:
        raise source.error(f"{n_columns:,} columns are too many: at most {MAX_COLUMNS:,} are read", line)
    check_memory(source, n_columns * _BYTES_OF_A_NAME, f"the names of {n_columns:,} columns")


def check_memory(source: Source, n_bytes: float, what: str) -> None:
    """Refuse what would take more memory than a job may.

    Raises `DataError` if it would; the message says how much, and how to allow more.
    """
    try:
        Need(n_bytes, what, "give fewer of them").refuse("reading it")
    except MemoryBudgetError as error:
        raise source.error(str(error).removesuffix(".")) from error


def check_shape(source: Source, shape: tuple[int, int], n_cells: int, line: int | None = None) -> None:
    """Refuse the shape of a sparse matrix that is out of all proportion to the cells it holds.

    Raises `DataError` if it has more than `UNSUSPICIOUS` rows or columns, and more than `PER_CELL` for each of its
    cells.

    - `shape`: Its numbers of rows and columns.
    - `n_cells`: How many cells are given.
    - `line`: Where the shape shows.
    """
    for size, what in zip(shape, ("rows", "columns"), strict=True):
        if size > max(UNSUSPICIOUS, PER_CELL * n_cells):
            cause = f"there would be {size:,} {what} for {counted(n_cells, 'cell')}, which cannot be meant"
            raise source.error(cause, line)


def check_parts(matrix: sparse.csr_array | sparse.csc_array) -> None:
    """Refuse a sparse matrix whose parts do not fit together; compiled code would read and write outside them.

    Raises `ValueError` if an index is out of range, or a row or column ends before it starts.

    Examples
    --------
    >>> check_parts(sparse.csr_array(np.eye(2)))
    """
    if np.any(matrix.indptr[1:] < matrix.indptr[:-1]):  # scipy does not look where the last one is 0
        raise ValueError("a row or column of the sparse matrix ends before it starts")
    matrix.check_format(full_check=True)
