"""The evidence of data for dependence between labels: the information between two labels, given others.

Structure learning needs two things from the data: the information of every pair, and what further labels would add to
the information that a label's parents have on it. Both come with degrees of freedom, so that ``2 N gain`` is tested as
a G statistic. Labels (or the errors of classifiers) give them by counting, residuals of a regression by their
covariance.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple, Protocol

import numpy as np
from scipy import sparse
from scipy.special import xlogy

from trellislib.dependence.counts import PairCounts
from trellislib.dependence.information import InformationRows, whole_or_rows
from trellislib.labels.coding import LabelCoding
from trellislib.running.threads import blas_threads_for
from trellislib.typing import Labels, Matrix

BLOCK = 256  # labels whose pairs are looked at together
CELLS = 2**22  # cells of the contingency tables that are held at a time
MANY_STRATA = 64  # above this, those that do not occur are left out
NOISE = 1e-12  # information below this is what rounding leaves of independence
SINGULAR = 1e-8  # share of a column's variance below which nothing of it is left
LARGEST_R2 = 1 - 1e-12  # so that the information of a column that repeats another is finite


class Gains(NamedTuple):
    """What each of some labels adds to what is known of one label.

    Attributes
    ----------
    information : ndarray of shape (n_others,)
        Conditional mutual information, in nats.
    freedom : ndarray of shape (n_others,)
        Degrees of freedom of the G-test of each; 0 where there is nothing to test.
    """

    information: np.ndarray
    freedom: np.ndarray


class FreedomRows:
    """The degrees of freedom of all pairs of very many labels, found row by row on demand.

    Parameters
    ----------
    of_labels : ndarray of shape (n_labels,)
        Those of each label, the number of its values that occur less 1.
    """

    def __init__(self, of_labels: np.ndarray) -> None:
        self._of_labels = of_labels

    def __getitem__(self, label: int) -> np.ndarray:
        """Return those of the tests of `label` with all labels."""
        return self._of_labels[label] * self._of_labels


class Pairs(NamedTuple):
    """The information between labels, two at a time.

    Attributes
    ----------
    information : ndarray or InformationRows of shape (n_labels, n_labels)
        Mutual information, in nats.
    freedom : ndarray or FreedomRows of shape (n_labels, n_labels)
        Degrees of freedom of the G-test of each pair.
    """

    information: np.ndarray | InformationRows
    freedom: np.ndarray | FreedomRows


class Evidence(Protocol):
    """The evidence of data for dependence between labels."""

    @property
    def n_labels(self) -> int:
        """Number of labels."""

    @property
    def total(self) -> float:
        """Number of instances N, or the sum of their weights."""

    @property
    def pairs(self) -> tuple[np.ndarray | InformationRows, np.ndarray | FreedomRows]:
        """Mutual information and degrees of freedom of every pair: matrices, or what gives the row of a label."""

    def gains(self, label: int, others: Labels, given: Sequence[int] = ()) -> Gains:
        """Return the information between `label` and each of `others`, given the labels `given`."""

    def gains_given_each(self, label: int, others: Labels, given: Sequence[int] = ()) -> Gains:
        """Return the information between `label` and each of `others`, given `given` and another of `others`.

        Returns
        -------
        Gains
            Of shape (n_others, n_others): a row for what is given, a column for what is added to it.
        """

    def frequent(self, least: float) -> sparse.csr_array:
        """Return the pairs of labels that stand together, both off their first value, in so many of the instances.

        Parameters
        ----------
        least : float
            Share of the instances, above 0.

        Returns
        -------
        csr_array of shape (n_labels, n_labels)
            The share of each of those pairs, symmetric; labels are not paired with themselves. Empty for evidence
            that cannot see what two labels do together.
        """


@dataclass(frozen=True)
class LabelEvidence:
    """Evidence from labels, or from errors, by counting.

    Parameters
    ----------
    columns : csc_array of shape (n_instances, n_columns)
        Indicator columns of the labels, as of `trellislib.labels.coding`. Only those that are needed are read.
    coding : LabelCoding
        The values of the labels.
    weight : ndarray of shape (n_instances,), optional
        Weights of the instances; each counts once by default.
    """

    columns: Matrix
    coding: LabelCoding
    weight: np.ndarray | None = None

    @classmethod
    def of(cls, Y: Matrix, weight: np.ndarray | None = None) -> LabelEvidence:
        """Return the evidence of `Y`, an array or CSR array of codes of shape (n_instances, n_labels)."""
        Y = Y if sparse.issparse(Y) else np.asarray(Y)
        coding = LabelCoding.of(Y)
        return cls(sparse.csc_array(coding.encode(Y)), coding, instance_weights(weight, Y.shape[0]))

    @property
    def n_labels(self) -> int:
        """Number of labels."""
        return self.coding.n_labels

    @cached_property
    def total(self) -> float:
        """Number of instances N, or the sum of their weights."""
        return float(self.columns.shape[0] if self.weight is None else self.weight.sum())

    @cached_property
    def pairs(self) -> Pairs:
        """Mutual information and degrees of freedom of every pair, each of shape (n_labels, n_labels).

        Those of more than 4,096 labels are found row by row on demand.
        """
        if self.total == 0:
            return Pairs(*np.zeros((2, self.n_labels, self.n_labels)))
        information = whole_or_rows(self._counts)
        if isinstance(information, InformationRows):
            return Pairs(information, FreedomRows(self._counts.freedom_of_labels()))
        return Pairs(information, self._counts.degrees_of_freedom())

    @cached_property
    def _counts(self) -> PairCounts:
        return PairCounts.of(self.columns, self.coding.starts, self.weight)

    def codes(self, label: int) -> np.ndarray:
        """Return the codes of one label, of shape (n_instances,)."""
        codes = np.zeros(self.columns.shape[0], dtype=np.intp)
        for value, column in enumerate(range(*self.coding.starts[label : label + 2]), start=1):
            codes[self._rows(column)] = value
        return codes

    def gains(self, label: int, others: Labels, given: Sequence[int] = ()) -> Gains:
        """Return the information between `label` and each of `others`, given the labels `given`.

        Degrees of freedom are counted over the strata of `given` and over the values that occur in each.
        """
        asked = np.asarray(others, dtype=np.intp)
        strata = self._strata(given)
        n_strata, n_values = int(strata.max(initial=-1)) + 1, self._n_values(label)
        mine = strata * n_values + self.codes(label)
        shape = (n_strata, n_values)
        once = self._count(mine, shape)
        information, freedom = np.zeros(len(asked)), np.zeros(len(asked), dtype=int)
        widths = np.diff(self.coding.starts)[asked]
        for width in np.unique(widths):  # labels of as many values share an array of tables
            alike = np.flatnonzero(widths == width)
            at_a_time = max(CELLS // max(once.size * (int(width) + 1), 1), 1)
            for some in np.split(alike, range(at_a_time, len(alike), at_a_time)):
                columns = self.coding.starts[asked[some]][:, None] + np.arange(width)
                information[some], freedom[some] = _of_tables(self._tables(mine, once, columns), self.total)
        return Gains(information, freedom)

    def gains_given_each(self, label: int, others: Labels, given: Sequence[int] = ()) -> Gains:
        """Return what `gains` returns given each of `others`, too, from one product of matrices for all of these."""
        codes = np.array([self.codes(other) for other in others], dtype=np.int32)
        n_values, n_of_others = self._n_values(label), int(codes.max(initial=0)) + 1
        mine = self._strata(given) * n_values + self.codes(label)
        n_strata = int(mine.max(initial=-1)) // n_values + 1
        once = self._count(mine, (n_strata, n_values))
        at_a_time = max(CELLS // max(once.size * len(codes) * n_of_others**2, 1), 1)
        rows = np.split(np.argsort(mine, kind="stable"), np.bincount(mine, minlength=once.size).cumsum()[:-1])
        found = []
        for low in range(0, len(codes), at_a_time):
            some = slice(low, min(low + at_a_time, len(codes)))
            with blas_threads_for(codes.size * n_of_others**2 * (some.stop - low)):
                together = np.array([self._together(codes, n_of_others, some, of_cell) for of_cell in rows])
            tables = together.reshape(n_strata, n_values, -1, n_of_others, len(codes), n_of_others)
            tables = tables.transpose(2, 4, 0, 3, 1, 5)
            shape = (-1, len(codes), n_strata * n_of_others, n_values, n_of_others)
            found.append(_of_tables(tables.reshape(shape), self.total))
        return Gains(*map(np.concatenate, zip(*found, strict=True)))

    def frequent(self, least: float) -> sparse.csr_array:
        """Return the pairs of labels that stand together, both off their first value, in so many of the instances."""
        starts, blocks = self.coding.starts, []
        for low in range(0, self.n_labels, BLOCK):
            labels = np.arange(low, min(low + BLOCK, self.n_labels))
            counts = self._counts.rows(np.arange(starts[low], starts[labels[-1] + 1]))
            counts = np.add.reduceat(counts, starts[labels] - starts[low], axis=0)
            share = np.add.reduceat(counts, starts[:-1], axis=1) / max(self.total, NOISE)
            share[labels - low, labels] = 0.0
            share[share < least] = 0.0
            blocks.append(sparse.csr_array(share))
        return sparse.csr_array(sparse.vstack(blocks))

    def _n_values(self, label: int) -> int:
        return int(self.coding.starts[label + 1] - self.coding.starts[label]) + 1

    def _rows(self, column: int) -> np.ndarray:
        """Return the instances that have the value of a column."""
        return self.columns.indices[self.columns.indptr[column] : self.columns.indptr[column + 1]]

    def _strata(self, given: Sequence[int]) -> np.ndarray:
        """Return the number of the combination of values of `given`, for every instance."""
        strata, n_strata = np.zeros(self.columns.shape[0], dtype=np.intp), 1
        for label in given:
            strata = strata * self._n_values(label) + self.codes(label)
            n_strata *= self._n_values(label)
            if n_strata > MANY_STRATA:  # number only those that occur
                seen, strata = np.unique(strata, return_inverse=True)
                n_strata = len(seen)
        return strata

    def _count(self, where: np.ndarray, shape: tuple[int, ...], rows: np.ndarray | None = None) -> np.ndarray:
        weight = self.weight if rows is None or self.weight is None else self.weight[rows]
        return np.bincount(where, weight, minlength=int(np.prod(shape))).astype(float).reshape(shape)

    def _together(self, codes: np.ndarray, n_values: int, some: slice, rows: np.ndarray) -> np.ndarray:
        """Count the values of labels in some rows, those of `some` of them (first axis) with those of all (second)."""
        some = slice(some.start * n_values, some.stop * n_values)
        counts = np.zeros((some.stop - some.start, len(codes) * n_values))
        for low in range(0, len(rows), step := max(CELLS // counts.shape[1], 1)):
            here = rows[low : low + step]
            is_value = (codes[:, None, here] == np.arange(n_values)[:, None]).reshape(-1, len(here)).astype(float)
            counts += (is_value[some] if self.weight is None else is_value[some] * self.weight[here]) @ is_value.T
        return counts

    def _tables(self, mine: np.ndarray, once: np.ndarray, columns: np.ndarray) -> np.ndarray:
        """Count the values of other labels, whose `columns` are of shape (n_others, K_j - 1), with those of `mine`.

        `mine` is the stratum and value of every instance as one number, and `once` how often each occurs, of shape
        (n_strata, K_i). Returns tables of shape (n_others, n_strata, K_i, K_j).
        """
        by_column = [self._rows(column) for column in columns.ravel()]
        which = np.repeat(np.arange(columns.size) * once.size, [len(rows) for rows in by_column])
        rows = np.concatenate(by_column) if by_column else np.zeros(0, dtype=np.intp)
        counts = self._count(which + mine[rows], (*columns.shape, *once.shape), rows)
        tables = np.empty((len(columns), *once.shape, columns.shape[1] + 1))
        tables[..., 1:] = np.moveaxis(counts, 1, -1)
        tables[..., 0] = once - tables[..., 1:].sum(axis=-1)  # the rest has the first value
        if self.weight is not None:
            tables[tables < NOISE * self.total] = 0.0  # what rounding leaves of sums of weights
        return tables


@dataclass(frozen=True)
class ResidualEvidence:
    """Evidence from residuals, by their covariance: exact where they are Gaussian.

    The gain of a label is -1/2 ln of a ratio of determinants of partial covariances; for labels with one column,
    ``-1/2 ln(1 - r**2)`` with their partial correlation r. For a pair of labels the G-test that it gives has
    (K_i - 1)(K_j - 1) degrees of freedom.

    Parameters
    ----------
    covariance : ndarray of shape (n_columns, n_columns)
        Covariance of the residuals of the indicator columns.
    starts : ndarray of shape (n_labels + 1,)
        Where each label's columns start.
    total : float
        Number of instances N, or the sum of their weights.

    Examples
    --------
    >>> import numpy as np
    >>> evidence = ResidualEvidence(np.array([[1.0, 0.6, 0.3], [0.6, 1.0, 0.5], [0.3, 0.5, 1.0]]), np.arange(4), 100)
    >>> evidence.gains(0, [1, 2]).information.round(4), evidence.gains(0, [2], given=[1]).information.round(4)
    (array([0.2231, 0.0472]), array([0.]))
    """

    covariance: np.ndarray
    starts: np.ndarray
    total: float

    @classmethod
    def of(cls, residuals: np.ndarray, starts: np.ndarray, weight: np.ndarray | None = None) -> ResidualEvidence:
        """Return the evidence of `residuals` of shape (n_instances, n_columns)."""
        weight = instance_weights(weight, len(residuals))
        total = float(len(residuals) if weight is None else weight.sum())
        share = np.full(len(residuals), 1.0 / max(total, 1e-300)) if weight is None else weight / max(total, 1e-300)
        centred = residuals - share @ residuals
        return cls((centred * share[:, None]).T @ centred, starts, total)

    @property
    def n_labels(self) -> int:
        """Number of labels."""
        return len(self.starts) - 1

    @cached_property
    def pairs(self) -> Gains:
        """Mutual information and degrees of freedom of every pair, each of shape (n_labels, n_labels)."""
        if len(self.covariance) > self.n_labels:
            return _of_all_pairs(self)
        varies = self._correlation.diagonal() > 0
        information = _of_correlations(self._correlation)
        return Gains(np.maximum(information, information.T), np.outer(varies, varies).astype(int))

    @cached_property
    def _correlation(self) -> np.ndarray:
        scale = np.sqrt(np.diag(self.covariance))
        inverse = np.divide(1.0, scale, out=np.zeros_like(scale), where=scale > NOISE)
        return self.covariance * np.outer(inverse, inverse)

    def gains(self, label: int, others: Labels, given: Sequence[int] = ()) -> Gains:
        """Return the information between `label` and each of `others`, given the labels `given`.

        Degrees of freedom count the columns of each that are no linear combination of those of `given`.
        """
        asked = np.asarray(others, dtype=np.intp)
        R = self._correlation
        known = np.array([column for one in given for column in range(*self.starts[one : one + 2])], dtype=np.intp)
        known_inverse = np.linalg.pinv(R[np.ix_(known, known)], rcond=SINGULAR, hermitian=True)

        def partial(a: np.ndarray, b: np.ndarray) -> np.ndarray:
            """Return the covariances of the columns `a` with `b`, both (..., width), given the known ones."""
            direct = R[a[..., :, None], b[..., None, :]]
            return direct - R[a[..., :, None], known] @ known_inverse @ R[known[:, None], b[..., None, :]]

        mine = np.arange(*self.starts[label : label + 2])
        my_scale, my_rank = _whitening(partial(mine, mine))
        information, freedom = np.zeros(len(asked)), np.zeros(len(asked), dtype=int)
        widths = np.diff(self.starts)[asked]
        for width in np.unique(widths):
            alike = np.flatnonzero(widths == width)
            theirs = self.starts[asked[alike]][:, None] + np.arange(width)
            scale, rank = _whitening(partial(theirs, theirs))
            crossed = my_scale @ partial(np.broadcast_to(mine, (len(alike), len(mine))), theirs) @ scale
            canonical = np.linalg.svd(crossed, compute_uv=False)
            information[alike] = _of_correlations(canonical).sum(axis=-1)
            freedom[alike] = my_rank * rank
        return Gains(information, freedom)

    def gains_given_each(self, label: int, others: Labels, given: Sequence[int] = ()) -> Gains:
        """Return what `gains` returns given each of `others`, too; see `Evidence.gains_given_each`."""
        return Gains(*map(np.array, zip(*(self.gains(label, others, (*given, one)) for one in others), strict=True)))

    def frequent(self, least: float) -> sparse.csr_array:
        """Return no pairs: a covariance is of pairs, and does not see three labels at once."""
        return sparse.csr_array((self.n_labels, self.n_labels))


def _of_correlations(r: np.ndarray) -> np.ndarray:
    """Return the information of jointly normal variables that correlate by `r`."""
    information = -0.5 * np.log1p(-np.minimum(r**2, LARGEST_R2))
    return np.where(information < NOISE, 0.0, information)


def _of_all_pairs(evidence: Evidence) -> Gains:
    """Return the gains of all pairs from those of each label with all."""
    everyone = range(evidence.n_labels)
    rows = [evidence.gains(label, everyone) for label in everyone]
    information = np.array([row.information for row in rows]).reshape(len(rows), len(rows))
    freedom = np.array([row.freedom for row in rows], dtype=int).reshape(information.shape)
    return Gains(np.maximum(information, information.T), freedom)


def _of_tables(tables: np.ndarray, total: float) -> tuple[np.ndarray, np.ndarray]:
    """Return information and degrees of freedom of tables of shape (..., n_strata, K_i, K_j)."""
    by_mine, by_theirs = tables.sum(axis=-1), tables.sum(axis=-2)
    by_stratum = by_mine.sum(axis=-1)
    sums = xlogy(tables, tables).sum(axis=(-3, -2, -1)) + xlogy(by_stratum, by_stratum).sum(axis=-1)
    sums -= xlogy(by_mine, by_mine).sum(axis=(-2, -1)) + xlogy(by_theirs, by_theirs).sum(axis=(-2, -1))
    mine, theirs = (by_mine > 0).sum(axis=-1), (by_theirs > 0).sum(axis=-1)
    freedom = (np.maximum(mine - 1, 0) * np.maximum(theirs - 1, 0)).sum(axis=-1)
    information = sums / total if total > 0 else np.zeros_like(sums)
    return np.where(information < NOISE, 0.0, information), freedom


def _whitening(covariance: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return symmetric inverse square roots and ranks of covariances of shape (..., width, width)."""
    values, vectors = np.linalg.eigh(covariance)
    left = values > SINGULAR  # the columns have unit variance before anything is known
    inverse = np.where(left, 1.0 / np.sqrt(np.where(left, values, 1.0)), 0.0)
    return (vectors * inverse[..., None, :]) @ np.swapaxes(vectors, -1, -2), left.sum(axis=-1)


def instance_weights(weight: np.ndarray | None, n_instances: int) -> np.ndarray | None:
    """Return the weights as floats after a look at them."""
    if weight is None:
        return None
    weight = np.asarray(weight, dtype=float)
    if weight.shape != (n_instances,) or not (np.isfinite(weight).all() and (weight >= 0).all()):
        raise ValueError(
            f"Got sample_weight of shape {weight.shape}, but expected {n_instances} finite weights, none negative."
        )
    return weight
