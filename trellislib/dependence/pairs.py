"""Pairs of labels in detail: one pair's table and test, the sign and the test of every pair, all pairs as a list."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
import pandas as pd
from scipy.special import chdtrc, entr

from trellislib.dependence.counts import PairCounts
from trellislib.dependence.information import InformationRows

BLOCK_CELLS = 2**20  # cells of the rows that are looked at together, 8 MB


@dataclass(frozen=True, eq=False)
class Association:
    """The association of two labels in data.

    Attributes
    ----------
    table : ndarray of shape (K_i, K_j)
        Counts of each pair of values.
    information : float
        Mutual information in nats.
    strength : float
        Phi for two binary labels (between -1 and 1), otherwise Cramer's V (between 0 and 1); 0 for a
        constant label.
    g : float
        The G statistic, ``2 N I``.
    p_value : float
        Probability of a G at least as large if the labels were independent (chi-squared with
        ``(K_i - 1)(K_j - 1)`` degrees of freedom, over the values that occur); 1 for a constant label.
    """

    table: np.ndarray
    information: float
    strength: float
    g: float
    p_value: float

    @property
    def expected(self) -> np.ndarray:
        """The counts that would be expected if the labels were independent."""
        return np.outer(self.table.sum(axis=1), self.table.sum(axis=0)) / self.table.sum()

    @property
    def sign(self) -> int:
        """1 for co-occurrence, -1 for mutual exclusion, 0 for neither or for labels of more than two values."""
        return int(np.sign(self.strength)) if self.table.shape == (2, 2) else 0


def association(counts: PairCounts, i: int, j: int) -> Association:
    """Return the association of the labels `i` and `j` in `counts`.

    Examples
    --------
    >>> import numpy as np
    >>> from trellislib.dependence import pair_counts
    >>> Y = np.array([[1, 0], [1, 0], [0, 1], [0, 1], [0, 0], [0, 0], [0, 0], [0, 0]])
    >>> pair = association(pair_counts(Y), 0, 1)
    >>> pair.table.tolist(), round(pair.strength, 3), pair.sign
    ([[4, 2], [2, 0]], -0.333, -1)
    """
    table = counts.table(i, j)
    seen = table[table.sum(axis=1) > 0][:, table.sum(axis=0) > 0]
    n = counts.n_instances
    expected = np.outer(seen.sum(axis=1), seen.sum(axis=0)) / n
    information = float(entr(expected / n).sum() - entr(seen / n).sum())
    information = max(information, 0.0)
    freedom = (seen.shape[0] - 1) * (seen.shape[1] - 1)
    if freedom == 0:
        return Association(table, 0.0, 0.0, 0.0, 1.0)
    strength = np.sqrt(((seen - expected) ** 2 / expected).sum() / n / (min(seen.shape) - 1))
    if table.shape == (2, 2):
        strength *= np.sign(table[1, 1] - expected[1, 1])
    g = 2 * n * information
    return Association(table, information, float(strength), g, float(chdtrc(freedom, g)))


def phi_coefficients(counts: PairCounts) -> np.ndarray:
    """Phi (the correlation) of every pair of binary labels; 0 for a constant label.

    Parameters
    ----------
    counts : PairCounts
        Counts of binary labels.

    Returns
    -------
    ndarray of shape (n_labels, n_labels)
        Between -1 (mutual exclusion) and 1 (co-occurrence).

    Raises
    ------
    ValueError
        If a label has more than two values.
    """
    return PhiRows(counts)[:]


class PhiRows:
    """Phi of every pair of binary labels, found on demand; see `phi_coefficients`.

    Parameters
    ----------
    counts : PairCounts
        Counts of binary labels.

    Raises
    ------
    ValueError
        If a label has more than two values.

    Examples
    --------
    >>> import numpy as np
    >>> from trellislib.dependence import pair_counts
    >>> phi = PhiRows(pair_counts(np.array([[0, 0, 1], [1, 1, 0], [0, 1, 0], [1, 0, 1]])))
    >>> phi[np.array([1])], phi[1, 2]
    (array([[ 0.,  1., -1.]]), np.float64(-1.0))
    """

    def __init__(self, counts: PairCounts) -> None:
        if len(counts.single) != len(counts.starts) - 1:
            raise ValueError("Phi is defined for binary labels, but these have more than two values.")
        self.counts = counts
        self.shape = (len(counts.single), len(counts.single))
        self._share = counts.single / counts.n_instances
        self._spread = np.sqrt(self._share * (1 - self._share))

    def __len__(self) -> int:
        return self.shape[0]

    def __getitem__(self, labels: slice | np.ndarray | tuple[np.ndarray | int, np.ndarray | int]) -> np.ndarray:
        """Return the rows of some labels, (len(labels), n_labels), or the entries of pairs (first, second)."""
        if isinstance(labels, tuple):
            first, second = np.broadcast_arrays(*labels)
            together = self.counts.pairs(first.ravel(), second.ravel()).reshape(first.shape)
            both, spread = (of[first] * of[second] for of in (self._share, self._spread))
        else:
            together = self.counts.rows(labels)
            both, spread = (np.outer(of[labels], of) for of in (self._share, self._spread))
        with np.errstate(divide="ignore", invalid="ignore"):
            phi = (together / self.counts.n_instances - both) / spread
        return np.clip(np.nan_to_num(phi, nan=0.0, posinf=0.0, neginf=0.0), -1.0, 1.0)[()]


def p_values(counts: PairCounts, information: np.ndarray) -> np.ndarray:
    """P-value of the G-test of independence of every pair of labels; 1 for a constant label.

    Parameters
    ----------
    counts : PairCounts
        Counts of the labels.
    information : ndarray of shape (n_labels, n_labels)
        Their mutual information, in nats.

    Returns
    -------
    ndarray of shape (n_labels, n_labels)
    """
    labels = np.arange(len(information))
    return PValueRows(counts, information)[labels[:, None], labels]


class PValueRows:
    """P-values of the G-test of pairs of very many labels, found on demand; see `p_values`.

    Parameters
    ----------
    counts : PairCounts
        Counts of the labels.
    information : InformationRows
        Their mutual information, in nats.
    """

    def __init__(self, counts: PairCounts, information: np.ndarray | InformationRows) -> None:
        self._information, self._total = information, counts.n_instances
        self._freedom = counts.freedom_of_labels()

    def __getitem__(self, pair: tuple[np.ndarray | int, np.ndarray | int]) -> np.ndarray:
        """Return the p-values of pairs of labels (first, second)."""
        first, second = pair
        return g_test(self._information[first, second], self._freedom[first] * self._freedom[second], self._total)[()]


def g_test(information: np.ndarray, freedom: np.ndarray, total: float) -> np.ndarray:
    """Return the p-values of G = 2 N I against chi-squared; 1 where there are no degrees of freedom.

    Examples
    --------
    >>> import numpy as np
    >>> g_test(np.array([0.01, 0.5]), np.array([1, 0]), total=200).round(4)
    array([0.0455, 1.    ])
    """
    freedom = np.asarray(freedom)
    return np.where(freedom > 0, chdtrc(np.maximum(freedom, 1), 2 * total * np.asarray(information)), 1.0)


def pairs_table(
    names: Sequence[str], counts: PairCounts, information: np.ndarray | InformationRows, most: int | None = None
) -> pd.DataFrame:
    """List the pairs of labels, the most dependent first.

    Parameters
    ----------
    names : sequence of str
        Names of the labels.
    counts : PairCounts
        Their counts.
    information : ndarray of shape (n_labels, n_labels), or InformationRows
        Their mutual information, in nats.
    most : int, optional
        How many pairs to list; all by default.

    Returns
    -------
    DataFrame of shape (n_pairs, 6 or 4)
        ``label``, ``other label``, ``MI (nats)``, ``p-value`` of the G-test; where all labels are binary also
        ``phi`` and ``together``, the number of instances in which both are relevant. Pairs that depend equally
        stand in label order.

    Examples
    --------
    >>> import numpy as np
    >>> from trellislib.dependence import information_of_counts, pair_counts
    >>> counts = pair_counts(np.array([[1, 0, 1], [0, 1, 1], [1, 0, 0], [0, 1, 0]]))
    >>> pairs_table("abc", counts, information_of_counts(counts)).iloc[0, :3].to_list()
    ['a', 'b', np.float64(0.693...)]
    """
    return described_pairs(names, counts, *strongest_pairs(information, most))


def described_pairs(
    names: Sequence[str], counts: PairCounts, first: np.ndarray, second: np.ndarray, information: np.ndarray
) -> pd.DataFrame:
    """List pairs of labels that are known already; see `pairs_table`."""
    name = np.array(list(names), dtype=object)
    table = pd.DataFrame({"label": name[first], "other label": name[second], "MI (nats)": information})
    if len(counts.single) == len(names):
        table["phi"] = PhiRows(counts)[first, second]
        table["together"] = counts.pairs(first, second)
    freedom = counts.freedom_of_labels()
    table["p-value"] = g_test(information, freedom[first] * freedom[second], counts.n_instances)
    return table


def strongest_pairs(
    dependence: np.ndarray | InformationRows, most: int | None = None
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Find the pairs of labels that depend most, in one pass over blocks of rows.

    Parameters
    ----------
    dependence : ndarray of shape (n_labels, n_labels), or InformationRows
        Symmetric pairwise dependence, of which the entries above the diagonal are read.
    most : int, optional
        How many pairs; all by default.

    Returns
    -------
    first, second : ndarray of shape (n_pairs,)
        The labels of each pair, the lower one first. Pairs that depend equally stand in label order.
    strength : ndarray of shape (n_pairs,)
        Their dependence.

    Examples
    --------
    >>> import numpy as np
    >>> strongest_pairs(np.array([[0, 3, 5], [3, 0, 5], [5, 5, 0]]), most=2)
    (array([0, 1]), array([2, 2]), array([5., 5.]))
    """
    strongest = StrongestPairs(len(dependence), most)
    for labels in row_blocks(len(dependence)):
        strongest.see(labels, dependence[labels])
    return strongest.first, strongest.second, strongest.strength


def strongest_between(
    dependence: np.ndarray | InformationRows, rows: np.ndarray, columns: np.ndarray
) -> tuple[int, int, float] | None:
    """Return the pair of a label of `rows` and another of `columns` that depends most, and how much.

    Of equal pairs it is the first in the order of rows and columns. There may be no pair at all.

    Examples
    --------
    >>> import numpy as np
    >>> strongest_between(np.array([[9, 3, 5], [3, 9, 4], [5, 4, 9]]), np.array([0, 1]), np.array([1, 2]))
    (0, 2, 5.0)
    """
    between = np.where(rows[:, None] == columns, -np.inf, dependence[rows][:, columns])
    row, column = np.unravel_index(between.argmax(), between.shape)
    if between[row, column] == -np.inf:
        return None
    return int(rows[row]), int(columns[column]), float(between[row, column])


class StrongestPairs:
    """The pairs that depend most of those seen so far; rows are seen in the order of the labels.

    Parameters
    ----------
    n_labels : int
        Number of labels.
    most : int, optional
        How many pairs are kept; all by default.
    """

    def __init__(self, n_labels: int, most: int | None = None) -> None:
        n_pairs = n_labels * (n_labels - 1) // 2
        self._most = n_pairs if most is None else min(most, n_pairs)
        self.first, self.second, self.strength = np.zeros(0, np.intp), np.zeros(0, np.intp), np.zeros(0)

    def see(self, labels: np.ndarray, rows: np.ndarray) -> None:
        """Look at the rows of some labels, of shape (len(labels), n_labels)."""
        asked = np.arange(rows.shape[1]) > labels[:, None]
        if len(self.strength) == self._most:  # of equal pairs, those seen before stay
            asked &= rows > self.strength[-1] if self._most else False
        row, second = np.nonzero(asked)
        strength = np.concatenate([self.strength, rows[row, second]])
        best = np.argsort(-strength, kind="stable")[: self._most]
        self.first = np.concatenate([self.first, labels[row]])[best]
        self.second = np.concatenate([self.second, second])[best]
        self.strength = strength[best]


def row_blocks(n_labels: int) -> Iterator[np.ndarray]:
    """Yield all labels in blocks whose rows fit into memory."""
    size = max(BLOCK_CELLS // max(n_labels, 1), 1)
    for low in range(0, n_labels, size):
        yield np.arange(low, min(low + size, n_labels))
