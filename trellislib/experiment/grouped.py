"""Folds that keep the rows of a group together and have about as many rows of each label.

Iterative stratification (Sechidis, Tsoumakas and Vlahavas 2011) over groups instead of rows: the label with the fewest
rows left is dealt out first, its largest groups first, each to the fold that still lacks most rows of that label; ties
go to the fold that lacks most rows, and then to chance. Where each group has one row, the folds are those of iterative
stratification of rows, by the same random numbers.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
from scipy import sparse
from sklearn.model_selection import BaseCrossValidator
from sklearn.utils import check_random_state

from trellislib.typing import Matrix


class LabelStratifiedGroupKFold(BaseCrossValidator):
    """Cross-validation over labels that never divides a group, as scikit-learn takes it.

    scikit-learn's `StratifiedGroupKFold` knows single labels only.

    Parameters
    ----------
    n_splits : int, default=5
        Number of folds.
    random_state : int, RandomState or None
        Seed of the order of groups, and of ties.

    References
    ----------
    K. Sechidis, G. Tsoumakas and I. Vlahavas. On the stratification of multi-label data. ECML PKDD 2011.

    Examples
    --------
    >>> Y = np.array([[1, 0], [1, 0], [0, 1], [0, 1], [1, 1], [0, 0]])
    >>> patients = ["ann", "ann", "bob", "bob", "cyd", "dan"]
    >>> for train, test in LabelStratifiedGroupKFold(2, random_state=0).split(Y, Y, patients):
    ...     print(test.tolist(), Y[test].sum(axis=0).tolist())
    [4, 5] [1, 1]
    [0, 1, 2, 3] [2, 2]
    """

    def __init__(self, n_splits: int = 5, *, random_state: int | np.random.RandomState | None = None) -> None:
        self.n_splits = n_splits
        self.random_state = random_state

    def get_n_splits(self, X: Any = None, y: Any = None, groups: Any = None) -> int:
        """Return the number of folds."""
        return self.n_splits

    def _iter_test_masks(self, X: Any = None, y: Any = None, groups: Any = None) -> Iterator[np.ndarray]:
        if groups is None:
            raise ValueError("Got no groups, but expected what each row is about, as split(X, y, groups).")
        names, codes = np.unique(np.asarray(groups), return_inverse=True)
        if not 2 <= self.n_splits <= len(names):
            raise ValueError(f"Got {self.n_splits} folds, but expected between 2 and the {len(names)} groups.")
        shares = np.full(self.n_splits, 1 / self.n_splits)
        fold = grouped_folds(y if sparse.issparse(y) else np.asarray(y), codes, shares, self.random_state)
        for i in range(self.n_splits):
            yield fold == i


def grouped_folds(
    Y: Matrix, groups: np.ndarray, shares: np.ndarray, random_state: int | np.random.RandomState | None
) -> np.ndarray:
    """Return the fold of each row, of shape (n_rows,); rows of a group have the same.

    - `Y`: Labels, of which those that are not 0 count, (n_rows, n_labels).
    - `groups`: A number from 0 on for the group of each row.
    - `shares`: The share of the rows that each fold is to have.

    Where labels leave a fold without a group, folds are of about the wanted size only. A fold that is empty even then
    gets the smallest group of the fullest fold.
    """
    n_groups = int(groups.max()) + 1
    of_group = sparse.csr_array((np.ones(len(groups), dtype=int), (groups, np.arange(len(groups)))))
    relevant = sparse.csr_array(Y, dtype=bool).astype(int) if sparse.issparse(Y) else (np.asarray(Y) != 0).astype(int)
    counts = of_group @ relevant.reshape(len(groups), -1)
    counts = counts.toarray() if sparse.issparse(counts) else np.asarray(counts)
    sizes = np.bincount(groups)
    rng = check_random_state(random_state)
    order = np.arange(n_groups)
    rng.shuffle(order)
    fold = _dealt(counts[order], sizes[order], shares, rng)
    if len(np.unique(fold)) < len(shares) <= n_groups:
        fold = _dealt(counts[order][:, :0], sizes[order], shares, rng)
    for empty in np.setdiff1d(np.arange(len(shares)), fold)[: n_groups - len(np.unique(fold))]:
        n_rows = np.bincount(fold, sizes[order]) * (np.bincount(fold) > 1)
        fullest = np.flatnonzero(fold == n_rows.argmax())
        fold[fullest[sizes[order][fullest].argmin()]] = empty
    return fold[np.argsort(order)][groups]


def _dealt(counts: np.ndarray, sizes: np.ndarray, shares: np.ndarray, rng: np.random.RandomState) -> np.ndarray:
    """Return the fold of each group; `counts` are its rows of each label, `sizes` all its rows."""
    fold = np.zeros(len(sizes), dtype=int)
    lacking = shares * sizes.sum()  # rows that each fold still lacks, and those of each label
    lacking_label = np.outer(shares, counts.sum(axis=0))
    left, left_of_label = np.ones(len(sizes), dtype=bool), counts.sum(axis=0)

    def deal(which: np.ndarray, wanted: np.ndarray) -> None:
        """Deal out some groups to the folds that lack most by `wanted`."""
        for group in which:
            best = np.flatnonzero(wanted == wanted.max())
            best = best[lacking[best] == lacking[best].max()] if len(best) > 1 else best
            to = best[rng.choice(len(best))] if len(best) > 1 else best[0]
            fold[group] = to
            left[group] = False
            lacking_label[to] -= counts[group]
            lacking[to] -= sizes[group]

    while left_of_label.any():
        rarest = np.flatnonzero(left_of_label == left_of_label[left_of_label > 0].min())
        label = rarest[rng.choice(len(rarest))] if len(rarest) > 1 else rarest[0]
        having = np.flatnonzero((counts[:, label] > 0) & left)
        deal(having[np.argsort(-counts[having, label], kind="stable")], lacking_label[:, label])
        left_of_label = counts[left].sum(axis=0)
    rest = np.flatnonzero(left)
    deal(rest[np.argsort(-sizes[rest], kind="stable")], lacking)
    return fold
