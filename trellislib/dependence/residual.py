"""What labels tell about each other beyond the features, from one Gram matrix."""

from __future__ import annotations

import numpy as np
from scipy import sparse

from trellislib.coding import LabelCoding
from trellislib.dependence.evidence import ResidualEvidence
from trellislib.gram import moments, singular_explained
from trellislib.typing import Matrix


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
    covariance = summed.residual_matrix / summed.total
    left = covariance.diagonal() > 1e-9  # what is less is rounding: constant, or a function of the features
    information = ResidualEvidence(covariance * np.outer(left, left), coding.starts, summed.total).pairs.information
    np.fill_diagonal(information, 0.0)
    return information
