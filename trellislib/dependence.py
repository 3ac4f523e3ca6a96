"""How much labels tell about each other: pairwise counts, mutual information, and one pair in detail.

All of it comes from one pass of counting. With the table ``T[k] = k ln k`` for k = 0..N, the mutual
information of a pair needs no logarithm of its own (and no care for empty cells, as ``T[0] = 0``)::

    N I(i, j) = sum over cells T[n_ab]  -  sum_a T[n_a]  -  sum_b T[n_b]  +  T[N]

Counts add up over chunks, workers and folds, so nothing that can be computed from them reads the data twice.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import combinations

import numpy as np
import pandas as pd
from scipy import sparse
from scipy.special import chdtrc, entr, xlogy

from trellislib.coding import LabelCoding
from trellislib.gram import moments, singular_explained
from trellislib.matrices import dense, scaled_rows
from trellislib.typing import Matrix

UNITS = {"nats": 1.0, "bits": float(np.log(2))}
"""Units of information, in nats."""

ROUNDING = 1e-12  # share of all weights below which a sum of weights is what rounding left of nothing
BLOCK = 256  # labels per block of rows: bounds the memory of intermediate tables at BLOCK x n_columns


@dataclass(frozen=True)
class PairCounts:
    """How often label values occur, alone and together.

    Parameters
    ----------
    n_instances : int or float
        Number of rows counted, N, or the sum of their weights.
    single : ndarray of shape (n_columns,)
        Occurrences of each value after the first (see `trellislib.coding`).
    together : {ndarray, sparse array} of shape (n_columns, n_columns)
        Joint occurrences of each pair of those values.
    starts : ndarray of shape (n_labels + 1,)
        Where each label's columns start.
    """

    n_instances: float
    single: np.ndarray
    together: Matrix
    starts: np.ndarray

    @classmethod
    def of(cls, Z: Matrix, starts: np.ndarray, weight: np.ndarray | None = None) -> PairCounts:
        """Count the indicator columns `Z`, of shape (n_instances, n_columns), each instance `weight` times."""
        if weight is None:
            together = Z.T @ Z
            return cls(Z.shape[0], np.rint(together.diagonal()).astype(np.int64), together, starts)
        together = Z.T @ scaled_rows(Z, weight)
        total, single = float(weight.sum()), together.diagonal()
        always = single > (1 - ROUNDING) * total  # in whatever order the weights were summed
        return cls(total, np.where(always, total, single), together, starts)

    @property
    def is_weighted(self) -> bool:
        """Whether instances were counted by weights, so that counts may be fractions."""
        return self.single.dtype.kind == "f"

    def rows(self, first: int, last: int) -> np.ndarray:
        """Return the joint counts of the columns ``first .. last - 1`` with all columns, dense."""
        block = dense(self.together[first:last])
        return block if self.is_weighted else np.rint(block).astype(np.int64)

    def degrees_of_freedom(self) -> np.ndarray:
        """Return those of the test of independence of each pair, (K_i - 1)(K_j - 1) over values that occur."""
        firsts = self.starts[:-1]
        values = np.add.reduceat(self.single > 0, firsts, dtype=int)
        values += np.add.reduceat(self.single, firsts) < (1 - ROUNDING) * self.n_instances
        return np.outer(values - 1, values - 1)

    def table(self, i: int, j: int) -> np.ndarray:
        """Return the contingency table of labels `i` and `j`, of shape (K_i, K_j)."""
        (a, b), (c, d) = self.starts[i : i + 2], self.starts[j : j + 2]
        inner = self.rows(a, b)[:, c:d]
        right = np.column_stack([self.single[a:b] - inner.sum(axis=1), inner])
        top = np.concatenate([[self.n_instances], self.single[c:d]])
        top[0] -= self.single[c:d].sum()
        table = np.vstack([top - right.sum(axis=0), right])
        return np.where(table > ROUNDING * self.n_instances, table, 0)


def pair_counts(Y: Matrix) -> PairCounts:
    """Count all pairs of labels in one pass.

    Parameters
    ----------
    Y : {array-like, CSR} of shape (n_instances, n_labels)
        Label values; a CSR array holds codes, its implicit cells being 0.

    Returns
    -------
    PairCounts
    """
    Y = Y if sparse.issparse(Y) else np.asarray(Y)
    coding = LabelCoding.of(Y)
    return PairCounts.of(coding.encode(Y), coding.starts)


def mutual_information(Y: Matrix) -> np.ndarray:
    """Mutual information of every pair of labels, in nats.

    Parameters
    ----------
    Y : {array-like, CSR} of shape (n_instances, n_labels)
        Label values, of any number of values per label; a CSR array holds codes.

    Returns
    -------
    ndarray of shape (n_labels, n_labels)
        Symmetric, never negative, never nan; 0 for a constant label. The diagonal holds the entropies.

    References
    ----------
    Section 4 of the paper (the sum that guides Algorithm 1).

    Examples
    --------
    >>> import numpy as np
    >>> Y = np.array([[0, 0, 0], [0, 0, 1], [1, 1, 0], [1, 1, 1]])
    >>> mutual_information(Y).round(3)
    array([[0.693, 0.693, 0.   ],
           [0.693, 0.693, 0.   ],
           [0.   , 0.   , 0.693]])
    """
    return information_of_counts(pair_counts(Y))


def information_of_counts(counts: PairCounts) -> np.ndarray:
    """Mutual information in nats from counts; see `mutual_information`."""
    n, starts, single = counts.n_instances, counts.starts, counts.single
    n_labels = len(starts) - 1
    xlogx = _xlogx(counts)
    firsts = starts[:-1]
    rest = n - np.add.reduceat(single, firsts)  # occurrences of each label's first value
    margin = np.add.reduceat(xlogx(single), firsts) + xlogx(rest)
    information = np.empty((n_labels, n_labels))
    for low in range(0, n_labels, BLOCK):
        high = min(low + BLOCK, n_labels)
        together = counts.rows(starts[low], starts[high])
        here = starts[low:high] - starts[low]
        mine = single[starts[low] : starts[high], None]
        by_label = np.add.reduceat(together, firsts, axis=1)  # value of mine with any counted value of the other
        by_mine = np.add.reduceat(together, here, axis=0)
        both = np.add.reduceat(by_label, here, axis=0)
        cells = np.add.reduceat(np.add.reduceat(xlogx(together), firsts, axis=1), here, axis=0)
        cells += np.add.reduceat(xlogx(mine - by_label), here, axis=0)
        cells += np.add.reduceat(xlogx(single - by_mine), firsts, axis=1)
        cells += xlogx(rest[None, :] - np.add.reduceat(mine, here, axis=0) + both)
        information[low:high] = (cells - margin[low:high, None] - margin) / n
    information = np.maximum(information, information.T)  # symmetric to the last bit
    np.fill_diagonal(information, -margin / n)
    information[information < 1e-14] = 0.0  # what is left of independence after rounding
    return information


def _xlogx(counts: PairCounts) -> Callable[[np.ndarray], np.ndarray]:
    """Return the function n p ln p of a count, p being its share of n: T up to a multiple of k that cancels."""
    n = counts.n_instances
    if counts.is_weighted:
        return lambda count: -n * entr(np.clip(count / n, 0.0, 1.0))
    table = -n * entr(np.arange(n + 1) / n)
    return table.__getitem__


def co_occurrence(counts: PairCounts) -> np.ndarray:
    """Co-occurrence of every pair of binary labels, which grows with their frequency as well as their dependence.

    With p the share of instances in which both are relevant and q the share expected of independent labels, it is
    ``p ln(p / q_1) + (1 - p) ln((1 - p) / q_0)``, where ``q_1 = p_j p_k`` and ``q_0 = (1 - p_j)(1 - p_k)``. As q_1
    and q_0 do not sum to 1, this is no divergence: it is above 0 for independent labels, too. As a guide of
    placement it prefers frequent labels.

    Parameters
    ----------
    counts : PairCounts
        Counts of binary labels.

    Returns
    -------
    ndarray of shape (n_labels, n_labels)
        Symmetric, never negative; 0 for a constant label, and the entropies on the diagonal.

    Raises
    ------
    ValueError
        If a label has more than two values.

    Examples
    --------
    >>> import numpy as np
    >>> counts = pair_counts(np.array([[1, 1, 0], [1, 1, 1], [0, 0, 0], [0, 0, 1]]))
    >>> co_occurrence(counts).round(3)
    array([[0.693, 0.693, 0.824],
           [0.693, 0.693, 0.824],
           [0.824, 0.824, 0.693]])
    """
    if len(counts.single) != len(counts.starts) - 1:
        raise ValueError("Co-occurrence is defined for binary labels, but these have more than two values.")
    n = counts.n_instances
    share = counts.single / n
    together = counts.rows(0, len(share)) / n
    varies = (share > 0) & (share < 1)
    both, neither = np.outer(share, share), np.outer(1 - share, 1 - share)
    with np.errstate(divide="ignore", invalid="ignore"):
        found = xlogy(together, together / both) + xlogy(1 - together, (1 - together) / neither)
    return np.where(np.outer(varies, varies), found, 0.0)


def residual_information(X: Matrix, Y: Matrix, alpha: float = 1.0, weight: np.ndarray | None = None) -> np.ndarray:
    """Information that every pair of labels has about each other beyond the features, in nats.

    The labels' indicator columns are regressed on the features (ridge), and what is left is taken as jointly normal:
    for two binary labels that correlate by r in the residual Gram matrix this is ``-ln(1 - r^2) / 2``, and for labels
    of more values the same summed over their canonical correlations. (That matrix comes from `trellislib.gram`; as
    the penalty goes to 0 it is that of the residuals themselves.)

    Parameters
    ----------
    X : {ndarray, CSR} of shape (n_instances, n_features)
        Features.
    Y : {ndarray, CSR} of shape (n_instances, n_labels)
        Label values.
    alpha : float, default=1.0
        Penalty of the regression.
    weight : ndarray of shape (n_instances,), optional
        Weights of the instances.

    Returns
    -------
    ndarray of shape (n_labels, n_labels)
        Symmetric, never negative, 0 for a constant label; its diagonal is 0, for residuals have no entropy in nats.

    Raises
    ------
    ValueError
        If features are missing, infinite, or too large or too much alike for `alpha`.

    Examples
    --------
    >>> import numpy as np
    >>> X = np.array([[0.0], [0.0], [1.0], [1.0], [0.0], [1.0], [0.0], [1.0]])
    >>> Y = np.array([[0, 0, 0], [1, 1, 0], [0, 0, 1], [1, 1, 1], [0, 0, 0], [1, 0, 1], [0, 1, 0], [1, 1, 1]])
    >>> residual_information(X, Y, alpha=1e-9).round(3)  # the third label is the feature
    array([[0.   , 0.203, 0.   ],
           [0.203, 0.   , 0.   ],
           [0.   , 0.   , 0.   ]])
    """
    X = X if sparse.issparse(X) else np.asarray(X, dtype=float)
    Y = Y if sparse.issparse(Y) else np.asarray(Y)
    coding = LabelCoding.of(Y)
    if not np.isfinite(X.data if sparse.issparse(X) else X).all():
        raise ValueError("Got features with missing or infinite cells, but residuals need all of them: fill them in.")
    with singular_explained(alpha):
        summed = moments(X, coding.encode(Y), alpha, weight)
    R = summed.residual_matrix
    spread = R.diagonal()
    left = spread > 1e-9 * summed.total  # what is less is rounding: constant, or a function of the features
    scale = np.where(left, 1 / np.sqrt(np.where(left, spread, 1.0)), 0.0)
    correlation = R * np.outer(scale, scale)
    information = _of_correlation(correlation) if coding.is_binary else _between_blocks(correlation, coding)
    np.fill_diagonal(information, 0.0)
    return np.maximum(information, information.T)


def _of_correlation(r: np.ndarray) -> np.ndarray:
    """Return the information of jointly normal variables whose correlation is `r`, finite even for equal ones."""
    return -0.5 * np.log1p(-np.clip(r**2, 0.0, 1 - 1e-12))


def _between_blocks(correlation: np.ndarray, coding: LabelCoding) -> np.ndarray:
    """Return the information of every two labels, summed over the canonical correlations of their columns."""
    columns = [coding.columns([label]) for label in range(coding.n_labels)]
    bases = [_whitening(correlation[np.ix_(of, of)]) for of in columns]
    information = np.zeros((coding.n_labels, coding.n_labels))
    for i, j in combinations(range(coding.n_labels), 2):
        between = bases[i].T @ correlation[np.ix_(columns[i], columns[j])] @ bases[j]
        information[i, j] = _of_correlation(np.linalg.svd(between, compute_uv=False)).sum()
    return information


def _whitening(correlation: np.ndarray) -> np.ndarray:
    """Return a basis, one column a vector, of what varies, in which nothing correlates and all varies by 1."""
    spread, directions = np.linalg.eigh(correlation)
    varies = spread > 1e-9
    return directions[:, varies] / np.sqrt(spread[varies])


@dataclass(frozen=True)
class Association:
    """What the data say of one pair of labels.

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
    """Return what `counts` say of the labels `i` and `j`.

    Examples
    --------
    >>> import numpy as np
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
    if len(counts.single) != len(counts.starts) - 1:
        raise ValueError("Phi is defined for binary labels, but these have more than two values.")
    share = counts.single / counts.n_instances
    together = counts.rows(0, len(share)) / counts.n_instances
    spread = np.sqrt(share * (1 - share))
    with np.errstate(divide="ignore", invalid="ignore"):
        phi = (together - np.outer(share, share)) / np.outer(spread, spread)
    return np.clip(np.nan_to_num(phi, nan=0.0, posinf=0.0, neginf=0.0), -1.0, 1.0)


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
    half = np.triu_indices(len(information))
    p = np.ones_like(information)
    p[half] = g_test(information[half], counts.degrees_of_freedom()[half], counts.n_instances)
    return np.minimum(p, p.T)


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
    names: Sequence[str], counts: PairCounts, information: np.ndarray, most: int | None = None
) -> pd.DataFrame:
    """List the pairs of labels, the most dependent first.

    Parameters
    ----------
    names : sequence of str
        Names of the labels.
    counts : PairCounts
        Their counts.
    information : ndarray of shape (n_labels, n_labels)
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
    >>> counts = pair_counts(np.array([[1, 0, 1], [0, 1, 1], [1, 0, 0], [0, 1, 0]]))
    >>> pairs_table("abc", counts, information_of_counts(counts)).iloc[0, :3].to_list()
    ['a', 'b', np.float64(0.693...)]
    """
    first, second = np.triu_indices(len(names), k=1)
    strongest = np.argsort(-information[first, second], kind="stable")[:most]
    first, second = first[strongest], second[strongest]
    name = np.array(list(names), dtype=object)
    pairs = information[first, second]
    table = pd.DataFrame({"label": name[first], "other label": name[second], "MI (nats)": pairs})
    if len(counts.single) == len(names):
        table["phi"] = phi_coefficients(counts)[first, second]
        table["together"] = counts.rows(0, len(names))[first, second]
    freedom = counts.degrees_of_freedom()[first, second]
    table["p-value"] = g_test(pairs, freedom, counts.n_instances)
    return table
