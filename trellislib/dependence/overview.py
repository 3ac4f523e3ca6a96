"""The dependence of very many labels at a glance: one pass over the rows of the matrix, which is never held.

A map of 10,000 labels has 100 million cells, 800 MB, and a screen shows far fewer. What a person wants of it is less:
where the strong dependences lie, which pairs are the strongest, whom each label depends on most, and how many pairs
depend at all. All of it is found row by row, and is the same as from the whole matrix.

So many pairs are tested that some would pass by chance: of 5,000 independent ones 50 have a p-value below 0.01. A pair
is therefore called dependent where its p-value is below the level divided by the number of pairs (Bonferroni), so that
with independent labels *any* pair is found with no more than that probability, whatever the tests are to each other.
(Holm and Benjamini-Hochberg find some more, but sort the p-values of all pairs, which are never held.)
"""

from __future__ import annotations

from dataclasses import dataclass, fields

import numpy as np
from scipy.special import chdtri

from trellislib.dependence.counts import PairCounts
from trellislib.dependence.information import InformationRows
from trellislib.dependence.pairs import StrongestPairs, row_blocks
from trellislib.labels.matrices import pooled_blocks, read_only

LEVEL = 0.01  # of the G-tests by which pairs are called dependent: of one pair, and of all pairs together
MOST_BLOCKS = 200  # blocks of labels along the side of a pooled map
MOST_PAIRS = 10_000  # pairs that are listed
NO_PAIR = -1.0  # stands for a label with itself: less than any dependence


@dataclass(frozen=True)
class Sense:
    """The pairs that depend on each other in one sense.

    Attributes
    ----------
    n_pairs : int
        How many there are.
    pair : (int, int) or None
        The strongest of them, the lower label first; None if there is none.
    information : float
        Its mutual information, in nats.
    """

    n_pairs: int
    pair: tuple[int, int] | None
    information: float


@dataclass(frozen=True, eq=False)
class Overview:
    """What there is to know of the dependence between labels without all its pairs; its arrays are read-only.

    Attributes
    ----------
    pooled : ndarray of shape (n_blocks, n_blocks)
        The strongest pair of each block of labels with each other, in nats; labels are not paired with themselves.
    block : int
        Labels in a block; the last one may be smaller.
    order : ndarray of shape (n_labels,)
        The labels as they stand along the sides of the map.
    first, second : ndarray of shape (n_pairs,)
        The strongest pairs of labels, the lower label first, as by `strongest_pairs`.
    information : ndarray of shape (n_pairs,)
        Their mutual information, in nats.
    partners : ndarray of shape (n_labels,)
        The label that each depends on most, the lowest of those; of a single label, itself.
    partner_information : ndarray of shape (n_labels,)
        How much, in nats.
    n_dependent : int
        Number of pairs that depend on each other by the G-test at 0.01, corrected for the number of pairs.
    co_occurrence, exclusion : Sense or None
        Those of them that co-occur, and those that exclude each other; None where labels have more than two values.
    """

    pooled: np.ndarray
    block: int
    order: np.ndarray
    first: np.ndarray
    second: np.ndarray
    information: np.ndarray
    partners: np.ndarray
    partner_information: np.ndarray
    n_dependent: int
    co_occurrence: Sense | None
    exclusion: Sense | None

    def __post_init__(self) -> None:
        for field in fields(self):
            value = getattr(self, field.name)
            if isinstance(value, np.ndarray):
                object.__setattr__(self, field.name, read_only(value))

    @property
    def n_labels(self) -> int:
        """Number of labels."""
        return len(self.order)

    @property
    def n_pairs(self) -> int:
        """Number of pairs of labels."""
        return self.n_labels * (self.n_labels - 1) // 2


def overview(
    counts: PairCounts,
    information: np.ndarray | InformationRows,
    *,
    order: np.ndarray | None = None,
    most_pairs: int = MOST_PAIRS,
) -> Overview:
    """See the dependence between labels in one pass over blocks of rows.

    Parameters
    ----------
    counts : PairCounts
        Counts of the labels.
    information : ndarray of shape (n_labels, n_labels), or InformationRows
        Their mutual information, in nats, as from `whole_or_rows`.
    order : ndarray of shape (n_labels,), optional
        The labels as they stand along the sides of the pooled map; by default in their own order.
    most_pairs : int, default=10_000
        How many of the strongest pairs to find.

    Examples
    --------
    >>> import numpy as np
    >>> from trellislib.dependence import pair_counts, whole_or_rows
    >>> Y = np.repeat([[1, 0, 1], [0, 1, 1], [1, 0, 0], [0, 1, 0]], 5, axis=0)
    >>> counts = pair_counts(Y)
    >>> seen = overview(counts, whole_or_rows(counts))
    >>> seen.n_dependent, seen.exclusion.pair, seen.co_occurrence.pair, seen.partners.tolist()
    (1, (0, 1), None, [1, 0, 0])
    """
    n_labels = len(information)
    strongest, pool = StrongestPairs(n_labels, most_pairs), _Pool(n_labels, order)
    partners, partner_information = np.arange(n_labels), np.zeros(n_labels)
    freedom = counts.freedom_of_labels()
    critical = _critical(freedom, LEVEL / max(n_labels * (n_labels - 1) // 2, 1))
    is_binary = len(counts.single) == n_labels
    senses = {1: Sense(0, None, 0.0), -1: Sense(0, None, 0.0)} if is_binary else {}
    n_dependent = 0
    for labels in row_blocks(n_labels):
        together = counts.rows(labels) if is_binary else np.zeros(0)
        if is_binary and isinstance(information, InformationRows):  # what is counted need not be counted again
            rows = information.of_counts(labels, together)
        else:
            rows = np.array(information[labels], dtype=float)
        strongest.see(labels, rows)
        rows[np.arange(len(labels)), labels] = NO_PAIR
        if n_labels > 1:
            partners[labels] = rows.argmax(axis=1)
            partner_information[labels] = rows.max(axis=1)
        pool.see(labels, rows)
        dependent = 2 * counts.n_instances * rows > critical[np.multiply.outer(freedom[labels], freedom)]
        dependent &= np.arange(n_labels) > labels[:, None]
        row, second = np.nonzero(dependent)
        n_dependent += len(row)
        if is_binary:
            first = labels[row]
            beyond = together[row, second] * counts.n_instances - counts.single[first] * counts.single[second]
            for sign, before in senses.items():
                here = np.flatnonzero(sign * beyond > 0)
                senses[sign] = _with(before, first[here], second[here], rows[row[here], second[here]])
    return Overview(
        pooled=pool.values,
        block=pool.block,
        order=pool.order,
        first=strongest.first,
        second=strongest.second,
        information=strongest.strength,
        partners=partners,
        partner_information=partner_information,
        n_dependent=n_dependent,
        co_occurrence=senses.get(1),
        exclusion=senses.get(-1),
    )


def pooled(dependence: np.ndarray | InformationRows, order: np.ndarray | None = None) -> np.ndarray:
    """Pool pairwise dependence: the strongest pair of each block of labels with each other.

    All blocks are of ``block_size(n_labels)`` labels, but the last may be smaller.

    Parameters
    ----------
    dependence : ndarray of shape (n_labels, n_labels), or InformationRows
        Symmetric pairwise dependence, never negative. Labels are not paired with themselves.
    order : ndarray of shape (n_labels,), optional
        The labels as they stand along the sides; by default in their own order.

    Returns
    -------
    ndarray of shape (n_blocks, n_blocks)

    Examples
    --------
    >>> import numpy as np
    >>> pooled(np.array([[9, 1, 2], [1, 9, 4], [2, 4, 9]]))  # few labels are blocks of their own
    array([[0., 1., 2.],
           [1., 0., 4.],
           [2., 4., 0.]])
    >>> pooled(np.ones((500, 500))).shape, block_size(500)
    ((167, 167), 3)
    """
    pool = _Pool(len(dependence), order)
    for labels in row_blocks(len(dependence)):
        rows = np.array(dependence[labels], dtype=float)
        rows[np.arange(len(labels)), labels] = NO_PAIR
        pool.see(labels, rows)
    return pool.values


def block_size(n_labels: int) -> int:
    """Return how many labels stand in a block of a pooled map, so that it has no more than 200 blocks along a side."""
    return max(-(-n_labels // MOST_BLOCKS), 1)


class _Pool:
    """The strongest pair of each block, of the rows seen so far."""

    def __init__(self, n_labels: int, order: np.ndarray | None) -> None:
        self.order = np.arange(n_labels) if order is None else np.asarray(order)
        self.block = block_size(n_labels)
        self._of_label = np.argsort(self.order) // self.block
        n_blocks = -(-n_labels // self.block)
        self.values = np.zeros((n_blocks, n_blocks))

    def see(self, labels: np.ndarray, rows: np.ndarray) -> None:
        by_block = pooled_blocks(rows[:, self.order], 1, self.block)
        np.maximum.at(self.values, self._of_label[labels], by_block)


def _with(before: Sense, first: np.ndarray, second: np.ndarray, information: np.ndarray) -> Sense:
    """Return the pairs of one sense and others, which come later in the order of the labels."""
    n_pairs = before.n_pairs + len(first)
    best = int(information.argmax()) if len(first) else -1
    if best < 0 or information[best] <= before.information:
        return Sense(n_pairs, before.pair, before.information)
    return Sense(n_pairs, (int(first[best]), int(second[best])), float(information[best]))


def _critical(freedom: np.ndarray, level: float) -> np.ndarray:
    """Return the value of G above which a pair depends, by its degrees of freedom."""
    occurring = np.unique(freedom)
    products = np.unique(np.multiply.outer(occurring, occurring))
    critical = np.full(products[-1] + 1, np.inf)  # where there is nothing to test, nothing depends
    critical[products[products > 0]] = chdtri(products[products > 0], level)
    return critical
