"""The weights of a full chain: each label given all labels before it.

In the order of the chain they are a triangle. It is kept as panels of rows, so that the half that is empty takes no
memory, and so that inference is a few products of matrices instead of a product of a matrix and a vector per label: of
the scores of a panel, what the labels before it add is one product; what labels of the panel itself add follows label
by label.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property

import numpy as np
from scipy import linalg

from trellislib.dependence.residual import ResidualGram
from trellislib.labels.coding import LabelCoding

PANEL = 64  # columns of a panel, or a few more where it ends within a label
SINGLE_PRECISION = 4096  # columns above which weights are kept (not computed) in single precision


class ChainWeights:
    """Weights of the columns before each column, in the order of a chain.

    Parameters
    ----------
    columns : ndarray of shape (n_columns,)
        The columns, in the order of the chain.
    panels : sequence of ndarray of shape (n_rows, n_before)
        The rows of the triangle from top to bottom, a few at a time, each with the columns up to its last row.
    pivots : sequence of ndarray of shape (n_rows, n_rows), optional
        For each panel, the diagonal blocks D of its rows; see `of_residuals`.
    """

    def __init__(
        self, columns: np.ndarray, panels: Sequence[np.ndarray], pivots: Sequence[np.ndarray] | None = None
    ) -> None:
        self.columns = columns
        self.panels = list(panels)
        self.pivots = None if pivots is None else list(pivots)

    @classmethod
    def joined(cls, pieces: Sequence[tuple[ChainWeights, np.ndarray]]) -> ChainWeights:
        """Return the weights of one chain of which each piece gives some columns theirs."""
        (first, _), *_ = pieces
        panels = [np.empty_like(panel) for panel in first.panels]
        for weights, columns in pieces:
            wanted = np.isin(first.columns, columns)
            start = 0
            for panel, found in zip(panels, weights.panels, strict=True):
                rows = wanted[start : panel.shape[1]]
                panel[rows] = found[rows]
                start = panel.shape[1]
        return cls(first.columns, panels)

    @classmethod
    def of_residuals(
        cls, residuals: ResidualGram, coding: LabelCoding, order: Sequence[int], alpha: float
    ) -> ChainWeights:
        """Return the ridge regressions of each label on the features and all labels before it in `order`.

        With ``L L' = R + alpha I`` in the order of the chain and D the diagonal blocks of L (one block a label),
        ``D L^-1`` is unit lower triangular by blocks, and minus its rows are the weights.

        Raises
        ------
        numpy.linalg.LinAlgError
            If the system is singular in floating point.
        """
        columns = coding.columns(order)
        n_columns = len(columns)
        widths = np.diff(coding.starts)[list(order)]
        label_of = np.repeat(np.arange(coding.n_labels), widths)
        panels = _panels(widths)
        system = np.empty((n_columns, n_columns))
        for rows in panels:
            system[rows] = residuals.rows(columns[rows])[:, columns]
        system.flat[:: n_columns + 1] += alpha
        # The matrix is symmetric: its transpose is the same, in the order of memory that is factorised in place.
        factor = linalg.cholesky(system.T, lower=True, overwrite_a=True, check_finite=False)
        same_label = [label_of[rows, None] == label_of[rows] for rows in panels]
        diagonals = [np.where(same, factor[rows, rows], 0.0) for rows, same in zip(panels, same_label, strict=True)]
        inverse, _ = linalg.lapack.dtrtri(factor, lower=1, overwrite_c=1)
        dtype = np.float64 if n_columns <= SINGLE_PRECISION else np.float32
        found = []
        for rows, same, diagonal in zip(panels, same_label, diagonals, strict=True):
            panel = -(diagonal @ inverse[rows, : rows.stop])
            panel[:, rows.start :][same] = 0.0
            found.append(panel.astype(dtype, order="F", copy=False))
        return cls(columns, found, diagonals)

    def scaled(self, factor: np.ndarray) -> ChainWeights:
        """Return the same with the weights for each column times its factor, an array of shape (n_columns,)."""
        ordered = factor[self.columns]
        stops = [panel.shape[1] for panel in self.panels]
        starts = [0, *stops[:-1]]
        panels = zip(self.panels, starts, stops, strict=True)
        return ChainWeights(
            self.columns,
            [panel * ordered[start:stop, None].astype(panel.dtype) for panel, start, stop in panels],
        )

    def whitened(self, left: np.ndarray) -> np.ndarray:
        """Return ``L^-1 E`` of what the weights leave of E, of shape (n_columns, n), rows in the order of the columns.

        As ``D L^-1 E`` is what is left, it is that divided by D.
        """
        ordered = left[self.columns]
        start = 0
        for diagonal in self.pivots or []:
            rows = slice(start, start + len(diagonal))
            ordered[rows] = linalg.solve_triangular(diagonal, ordered[rows], lower=True, check_finite=False)
            start = rows.stop
        return ordered[self.places]

    @property
    def shape(self) -> tuple[int, int]:
        """(n_columns, n_columns)."""
        return (len(self.columns), len(self.columns))

    @cached_property
    def places(self) -> np.ndarray:
        """Where each column is in the chain."""
        return np.argsort(self.columns)

    def __matmul__(self, other: np.ndarray) -> np.ndarray:
        """Return the product with an array of shape (n_columns, n), rows in the order of the columns."""
        ordered = np.ascontiguousarray(other[self.columns], dtype=self.panels[0].dtype)
        product = np.vstack([panel @ ordered[: panel.shape[1]] for panel in self.panels])
        return product[self.places]

    def __getitem__(self, columns: Sequence[int] | np.ndarray) -> np.ndarray:
        """Return the weights for some columns, (len(columns), n_columns)."""
        rows = np.zeros((len(columns), len(self.columns)))
        stops = np.array([panel.shape[1] for panel in self.panels])
        for row, place in enumerate(self.places[columns]):
            panel = self.panels[int(np.searchsorted(stops, place, side="right"))]
            rows[row, self.columns[: panel.shape[1]]] = panel[place - panel.shape[1]]
        return rows

    def toarray(self) -> np.ndarray:
        """Return all weights: those of the columns before (second axis) for each column (first axis)."""
        return self[np.arange(len(self.columns))]


def _panels(widths: np.ndarray) -> list[slice]:
    """Cut the columns of labels, so many each, into panels that do not cut a label."""
    panels, start = [], 0
    stops = np.cumsum(widths)
    for stop in stops.tolist():
        if stop - start >= PANEL or stop == stops[-1]:
            panels.append(slice(start, stop))
            start = stop
    return panels
