"""Placement by what parents explain together, not by what each of them shares with a label."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np
from sklearn.utils import check_random_state

from trellislib.dependence import ResidualGram
from trellislib.graphs.placement import Offset, Trellis, climb, lattice, parent_cells

NOTHING_LEFT = 1e-9  # share of an instance: residual sums of squares below this are rounding


def explained_trellis(
    residuals: ResidualGram,
    width: int | None = None,
    parents: str | Iterable[Offset] = "left-up",
    *,
    alpha: float = 1.0,
    random_state: int | np.random.RandomState | None = None,
) -> Trellis:
    """Place labels so that each is best explained by its parents jointly, beyond the features.

    As Algorithm 1 of the paper, but for what is compared: of the labels not yet placed, the next cell takes the one
    with the highest share of its residual sum of squares that a ridge regression on the residuals of its parents
    explains, ``R[k, pa] (R[pa, pa] + alpha I)^-1 R[pa, k] / R[k, k]``. Two parents that repeat each other thus count
    once, and frequent labels do not come first because they are frequent.

    Parameters
    ----------
    residuals : ResidualGram
        What the features leave unexplained.
    width, parents, random_state
        As for `trellislib.graphs.trellis`.
    alpha : float, default=1.0
        Penalty of the regression.

    Returns
    -------
    Trellis
        Ties go to the lower label.

    Examples
    --------
    >>> from trellislib.data import simulate_label_dag
    >>> from trellislib.learners.training_set import TrainingSet
    >>> data = TrainingSet.of(*simulate_label_dag(n_instances=200, n_labels=4, random_state=0).arrays())
    >>> explained_trellis(ResidualGram(data.regression(1.0), data.counts), width=2, random_state=0).order
    (2, 3, 1, 0)
    """
    counts = residuals.counts
    starts = counts.starts
    n_labels = len(starts) - 1
    width, offsets = lattice(n_labels, width, parents)
    own = np.add.reduceat(residuals.diagonal, starts[:-1])
    left = own > NOTHING_LEFT * counts.n_instances

    def gain(labels: list[int]) -> np.ndarray:
        if not labels:
            return np.zeros(n_labels)
        columns = np.concatenate([np.arange(starts[label], starts[label + 1]) for label in labels])
        shared = residuals.rows(columns)
        weights = np.linalg.solve(shared[:, columns] + alpha * np.eye(len(columns)), shared)
        explained = np.add.reduceat((shared * weights).sum(axis=0), starts[:-1])
        return np.divide(explained, own, out=np.zeros(n_labels), where=left)

    first = int(check_random_state(random_state).permutation(n_labels)[0])
    return Trellis(climb(gain, parent_cells(n_labels, width, offsets), first), width, offsets)
