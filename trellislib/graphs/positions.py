"""Where labels are drawn by a rule: on a circle, or in their lattice. Both lie between 0 and 1."""

from __future__ import annotations

import numpy as np

from trellislib.graphs.placement import Trellis


def ring_positions(n_labels: int) -> np.ndarray:
    """Return places on a circle, clockwise from the top.

    Returns
    -------
    ndarray of shape (n_labels, 2)
        Horizontal and vertical position, between 0 and 1.

    Examples
    --------
    >>> ring_positions(4).round(2).tolist()
    [[0.5, 1.0], [1.0, 0.5], [0.5, 0.0], [0.0, 0.5]]
    """
    angles = 2 * np.pi * np.arange(n_labels) / max(n_labels, 1)
    return 0.5 + 0.5 * np.column_stack([np.sin(angles), np.cos(angles)])


def lattice_positions(placed: Trellis) -> np.ndarray:
    """Return the places of labels in their lattice, the first row at the top.

    Returns
    -------
    ndarray of shape (n_labels, 2)
        Horizontal and vertical position, between 0 and 1.

    Examples
    --------
    >>> lattice_positions(Trellis(range(4), 2, [(0, -1), (-1, 0)])).tolist()
    [[0.0, 1.0], [1.0, 1.0], [0.0, 0.0], [1.0, 0.0]]
    """
    rows, columns = np.array(placed.positions, dtype=float).T
    return np.column_stack([columns / max(columns.max(), 1), 1 - rows / max(rows.max(), 1)])
