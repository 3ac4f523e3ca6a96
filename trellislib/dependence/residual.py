r"""Dependence between labels beyond the features, from one Gram matrix.

With U the ridge regression of the centred indicator columns Z on the centred features X (`.gram`), what the
features leave unexplained is in the residual Gram matrix ``R = Z'Z - Z'X U``.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

import numpy as np
from scipy import sparse

from trellislib.dependence.counts import PairCounts
from trellislib.dependence.evidence import ResidualEvidence
from trellislib.dependence.gram import Regression, fitted_freedom, singular_explained
from trellislib.dependence.pairs import g_test
from trellislib.labels.coding import LabelCoding
from trellislib.labels.matrices import dense
from trellislib.typing import Matrix

NOTHING_LEFT = 1e-9  # variance below which what is left is rounding: a constant, or a function of the features
BLOCK_CELLS = 2**22  # cells of the intermediate products of pairs of columns


class BeyondFeatures(NamedTuple):
    """The dependence of two labels beyond the features.

    Attributes
    ----------
    information : float
        As by `residual_information`, in nats.
    p_value : float
        Of Bartlett's test, see `ResidualGram.pair`; 1 where the features leave no degrees of freedom.
    ignoring : float
        The same measure without the features, to compare with. (It is not their mutual information: the indicator
        columns are taken as jointly normal, and as such two labels that agree would have more than one nat.)
    """

    information: float
    p_value: float
    ignoring: float


@dataclass(frozen=True)
class ResidualGram:
    """R, the Gram matrix of what the features leave unexplained of the label columns, found on demand.

    Parameters
    ----------
    regression : Regression
        Of the columns on the features.
    counts : PairCounts
        Of the same instances; they hold Z'Z.
    fitted : float, optional
        Degrees of freedom that the regression takes, as by `fitted_freedom`; where they are not
        given, one for the mean and one for each feature, the most that it can.
    """

    regression: Regression
    counts: PairCounts
    fitted: float | None = None

    def __len__(self) -> int:
        return len(self.regression.z_mean)

    def pairs(self, first: np.ndarray, second: np.ndarray) -> np.ndarray:
        """Return the entries R[first, second], the index arrays being broadcast together."""
        by = self.regression
        first, second = np.broadcast_arrays(first, second)
        shape, first, second = first.shape, first.ravel(), second.ravel()
        R = self.counts.pairs(first, second) - by.total * by.z_mean[first] * by.z_mean[second]
        size = max(BLOCK_CELLS // max(len(by.XZ), 1), 1)
        for low in range(0, len(R), size):
            block = slice(low, low + size)
            R[block] -= np.einsum("dp,dp->p", by.XZ[:, first[block]], by.U[:, second[block]])
        return R.reshape(shape)

    def rows(self, columns: slice | np.ndarray) -> np.ndarray:
        """Return the rows R[columns]."""
        by = self.regression
        found = dense(self.counts.together[columns]) - by.total * np.outer(by.z_mean[columns], by.z_mean)
        found -= by.XZ[:, columns].T @ by.U
        return found

    @cached_property
    def diagonal(self) -> np.ndarray:
        """What is left of each column by itself, R[k, k]."""
        by = self.regression
        return self.counts.single - by.total * by.z_mean**2 - np.einsum("dk,dk->k", by.XZ, by.U)

    def pair(self, one: int, other: int) -> BeyondFeatures:
        """Return the dependence of two labels beyond the features, found without all other labels.

        Bartlett's test counts the degrees of freedom that the regression leaves, not the instances: what is left of two
        independent labels correlates the more, the more features were fitted. Half of one more than the columns of
        both is taken off as well, for where few are left (Bartlett, "Further aspects of the theory of multiple
        regression", Mathematical Proceedings of the Cambridge Philosophical Society 34, 1938).
        """
        starts, by = self.counts.starts, self.regression
        columns = np.concatenate([np.arange(*starts[label : label + 2]) for label in (one, other)])
        widths = np.array([0, starts[one + 1] - starts[one], len(columns)])
        explained = by.XZ[:, columns].T @ by.U[:, columns]
        found = []
        for gram in (self.pairs(columns[:, None], columns), self.pairs(columns[:, None], columns) + explained):
            left = gram.diagonal() > NOTHING_LEFT * by.total
            evidence = ResidualEvidence(gram / by.total * np.outer(left, left), widths, by.total).pairs
            found.append((float(evidence.information[0, 1]), evidence.freedom[0, 1]))
        (information, freedom), (ignoring, _) = found
        fitted = 1 + len(by.XZ) if self.fitted is None else self.fitted
        tested = max(by.total - fitted - (len(columns) + 1) / 2, 0.0)
        return BeyondFeatures(information, float(g_test(np.array(information), freedom, tested)), ignoring)

    @cached_property
    def matrix(self) -> np.ndarray:
        """All of R."""
        return self.rows(slice(None))


def residual_information(X: Matrix, Y: Matrix, alpha: float = 1.0, weight: np.ndarray | None = None) -> np.ndarray:
    """Information that every pair of labels has about each other beyond the features, in nats.

    The labels' indicator columns are regressed on the features (ridge), and what is left is taken as jointly normal:
    for two binary labels that correlate by r in the residual Gram matrix this is ``-ln(1 - r^2) / 2``, and for labels
    of more values the same summed over their canonical correlations. (That matrix comes from `.gram`; as
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
    return information_of_residuals(residual_gram(X, Y, alpha, weight))


def residual_gram(X: Matrix, Y: Matrix, alpha: float = 1.0, weight: np.ndarray | None = None) -> ResidualGram:
    """Regress the labels' indicator columns on the features, and return what is left; see `residual_information`.

    Its ``pair(one, other)`` is the information of one pair and its p-value, found without all others.
    """
    X = X if sparse.issparse(X) else np.asarray(X, dtype=float)
    Y = Y if sparse.issparse(Y) else np.asarray(Y)
    coding = LabelCoding.of(Y)
    if not np.isfinite(X.data if sparse.issparse(X) else X).all():
        raise ValueError("Got features with missing or infinite cells, but residuals need all of them: fill them in.")
    Z = coding.encode(Y)
    with singular_explained(alpha):
        regression, fitted = Regression.of(X, Z, alpha, weight), fitted_freedom(X, alpha, weight)
    return ResidualGram(regression, PairCounts.of(Z, coding.starts, weight), fitted)


def information_of_residuals(residuals: ResidualGram) -> np.ndarray:
    """Information of every pair beyond the features from the residual Gram matrix; see `residual_information`."""
    counts, total = residuals.counts, residuals.regression.total
    covariance = residuals.matrix / total
    left = covariance.diagonal() > NOTHING_LEFT
    information = ResidualEvidence(covariance * np.outer(left, left), counts.starts, total).pairs.information
    np.fill_diagonal(information, 0.0)
    return information
