"""Pairs of labels in detail: one pair's table and test, the sign and the test of every pair, all pairs as a list."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import pandas as pd
from scipy.special import chdtrc, entr

from trellislib.dependence.counts import PairCounts


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
    if len(counts.single) != len(counts.starts) - 1:
        raise ValueError("Phi is defined for binary labels, but these have more than two values.")
    share = counts.single / counts.n_instances
    together = counts.rows(slice(None)) / counts.n_instances
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
    >>> from trellislib.dependence import information_of_counts, pair_counts
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
        table["together"] = counts.rows(slice(None))[first, second]
    freedom = counts.degrees_of_freedom()[first, second]
    table["p-value"] = g_test(pairs, freedom, counts.n_instances)
    return table
