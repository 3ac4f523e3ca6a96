"""Runs of tiles, from which pictures and texts of a room are made."""

from __future__ import annotations

import numpy as np


def row_runs(floor: np.ndarray) -> list[list[int]]:
    """Return each run of marked tiles along a row: its row, its first column, and the column after its last.

    Parameters
    ----------
    floor : ndarray of shape (n_rows, n_columns)
        True, or not 0, where a tile is marked.

    Examples
    --------
    >>> row_runs(np.array([[0, 1, 1], [1, 0, 1]]))
    [[0, 1, 3], [1, 0, 1], [1, 2, 3]]
    """
    rows, ends = np.nonzero(np.diff((floor != 0).astype(np.int8), axis=1, prepend=0, append=0))
    return np.column_stack([rows[::2], ends[::2], ends[1::2]]).tolist()
