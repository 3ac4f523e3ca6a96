"""Ridge regressions of the label columns on the features: one penalty for all labels, or one chosen for each.

The penalty of a label is the one of the least sum of squared leave-one-out errors: what the regression without a row
leaves of the row's columns is what the regression with it leaves, divided by 1 less the row's leverage.
"""

from __future__ import annotations

from abc import ABC, abstractmethod

import numpy as np

from trellislib.dependence.gram import Regression, row_blocks
from trellislib.labels.matrices import dense
from trellislib.learners.calibration import n_scaled
from trellislib.learners.training_set import TrainingSet, evenly_spread

LEAVE_ONE_OUT = "loo"
PENALTIES = np.logspace(4, -4, 17)  # in multiples of the mean eigenvalue of X'X; ties go to the largest
LEAST_LEFT = 1e-12  # of 1 less a leverage, so that a row that determines its own fit divides by no 0


class Ridges(ABC):
    """Ridge regressions of the label columns on the features.

    Attributes
    ----------
    penalties : list of (float, ndarray)
        Penalties, and the labels that have them.
    n_features : int
        Number of features of the regressions, which may be other than those of the data.
    """

    penalties: list[tuple[float, np.ndarray]]
    n_features: int

    @property
    @abstractmethod
    def x_mean(self) -> np.ndarray:
        """Means of the features of the data."""

    @abstractmethod
    def regression(self, alpha: float) -> Regression:
        """Return the regression of all label columns."""

    @abstractmethod
    def fitted(self, regression: Regression, rows: np.ndarray, columns: np.ndarray) -> np.ndarray:
        """Return what is fitted to some rows of some columns, of shape (n_columns, n_rows)."""

    @abstractmethod
    def leverages(self, alpha: float, rows: np.ndarray) -> np.ndarray:
        """Return the leverages of some rows of weight 1, of shape (n_rows,)."""

    @abstractmethod
    def on_features(self, weights: np.ndarray) -> np.ndarray:
        """Return weights of the regressions' features as those of the features of the data."""


class FixedRidge(Ridges):
    """One penalty for all labels.

    Parameters
    ----------
    training_set : TrainingSet
        The data; of a stream, rows are those that are kept.
    alpha : float
        The penalty.
    """

    def __init__(self, training_set: TrainingSet, alpha: float) -> None:
        self._data = training_set
        self._alpha = alpha
        self._leverages = np.full(training_set.with_rows.n_instances, np.nan)  # those that are not known yet
        self.penalties = [(alpha, np.arange(training_set.n_labels))]
        self.n_features = training_set.n_features

    @property
    def x_mean(self) -> np.ndarray:
        """Means of the features."""
        return self.regression(self._alpha).x_mean

    def regression(self, alpha: float) -> Regression:
        """Return the regression of all label columns."""
        return self._data.regression(alpha)

    def fitted(self, regression: Regression, rows: np.ndarray, columns: np.ndarray) -> np.ndarray:
        """Return what is fitted to some rows of some columns; see `Ridges.fitted`."""
        U = regression.U if len(columns) == len(regression.z_mean) else regression.U[:, columns]
        intercept = regression.z_mean[columns] - regression.x_mean @ U
        return (self._data.with_rows.X[rows] @ U + intercept).T

    def leverages(self, alpha: float, rows: np.ndarray) -> np.ndarray:
        """Return the leverages of some rows, each found once for all graphs; see `Ridges.leverages`."""
        new = rows[np.isnan(self._leverages[rows])]
        if len(new):
            self._leverages[new] = self._data.leverages(alpha, new)
        return self._leverages[rows]

    def on_features(self, weights: np.ndarray) -> np.ndarray:
        """Return the weights as they are."""
        return weights


class TunedRidges(Ridges):
    """A penalty for each label, chosen by leave-one-out from one eigendecomposition.

    Parameters
    ----------
    training_set : TrainingSet
        The data.
    """

    def __init__(self, training_set: TrainingSet) -> None:
        self._data = training_set
        self._spectrum = training_set.spectrum
        self.n_features = len(self._spectrum.values)
        alphas, errors, leverages = leave_one_out_errors(training_set, LEAVE_ONE_OUT)
        self._leverages = dict(zip(alphas.tolist(), leverages, strict=True))
        chosen = errors.argmin(axis=0)
        self.penalties = [(float(alphas[place]), np.flatnonzero(chosen == place)) for place in np.unique(chosen)]

    @property
    def x_mean(self) -> np.ndarray:
        """Means of the features of the data."""
        return self._spectrum.x_mean

    def regression(self, alpha: float) -> Regression:
        """Return the regression of all label columns on the rotated features."""
        return self._spectrum.regression(alpha)

    def fitted(self, regression: Regression, rows: np.ndarray, columns: np.ndarray) -> np.ndarray:
        """Return what is fitted to some rows of some columns; see `Ridges.fitted`."""
        return regression.U[:, columns].T @ self._spectrum.rotated(rows).T + regression.z_mean[columns, None]

    def leverages(self, alpha: float, rows: np.ndarray) -> np.ndarray:
        """Return the leverages of some rows; see `Ridges.leverages`."""
        return self._leverages[alpha][rows]

    def on_features(self, weights: np.ndarray) -> np.ndarray:
        """Return weights of the rotated features as those of the features."""
        return self._spectrum.on_features(weights)


def leave_one_out_errors(training_set: TrainingSet, alpha: float | str) -> tuple[np.ndarray, ...]:
    """Return penalties, and for each the squared leave-one-out errors of the labels from the features alone.

    Parameters
    ----------
    training_set : TrainingSet
        The data, of which errors are found once. The error of a row counts as often as it weighs; see `left_to_others`.
    alpha : float or "loo"
        The only penalty, or all that may be chosen: `PENALTIES` times the mean eigenvalue of X'X, so that features
        times any number have the same regressions.

    Returns
    -------
    alphas : ndarray of shape (n_alphas,)
        The penalties.
    errors : ndarray of shape (n_alphas, n_labels)
        Summed up over the columns of a label and over the rows, of very many labels over some that are spread evenly.
        Where there are groups, each row is left out with all rows of its group.
    leverages : ndarray of shape (n_alphas, n_rows)
        Of rows of weight 1.
    """
    values = training_set.spectrum.values
    alphas = np.array([alpha]) if alpha != LEAVE_ONE_OUT else PENALTIES * (values.mean() if len(values) else 1.0)
    found = training_set.once(f"leave-one-out errors, alpha={alpha}", lambda: _left_out(training_set, alphas))
    return alphas, *found


def _left_out(training_set: TrainingSet, alphas: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Find errors and leverages; see `leave_one_out_errors`."""
    spectrum, columns, n_instances = training_set.spectrum, training_set.columns, training_set.n_instances
    errors, leverages = np.zeros((len(alphas), columns.shape[1])), np.empty((len(alphas), n_instances))
    for block in row_blocks(n_instances, training_set.n_features):
        leverages[:, block] = spectrum.leverages(spectrum.rotated(np.arange(block.start, block.stop)), alphas)
    judged = evenly_spread(n_instances, n_scaled(columns.shape[1]))
    if training_set.units is not None:
        for unit in np.unique(training_set.units[judged]):
            errors += _left_out_of_group(training_set, np.flatnonzero(training_set.units == unit), alphas)
        judged = judged[:0]
    for block in row_blocks(len(judged), max(training_set.n_features, columns.shape[1])):
        rows = judged[block]
        rotated, weight = spectrum.rotated(rows), training_set.weights(rows)
        truth = dense(columns[rows]) - spectrum.z_mean
        others = left_to_others(leverages[:, rows], weight)
        for place, alpha in enumerate(alphas):
            left = truth - rotated @ spectrum.regression(alpha).U
            errors[place] += (weight / others[place] ** 2) @ left**2
    return np.add.reduceat(errors, training_set.coding.starts[:-1], axis=1), leverages


def _left_out_of_group(training_set: TrainingSet, rows: np.ndarray, alphas: np.ndarray) -> np.ndarray:
    """Return the squared errors of the columns in a group of rows by regressions without it, (n_alphas, n_columns).

    With P such that the group's block of the hat matrix is PP', what is left of the rows is multiplied by
    ``(I - PP')^-1``, or, which is the same and has the smaller system where rows are many, ``I + P (I - P'P)^-1 P'``.
    """
    spectrum, root = training_set.spectrum, np.sqrt(training_set.weights(rows))[:, None]
    rotated, truth = root * spectrum.rotated(rows), root * (dense(training_set.columns[rows]) - spectrum.z_mean)
    errors = []
    side = min(len(rows), rotated.shape[1] + 1)
    for block in row_blocks(len(alphas), max(side**2, rotated.size, truth.size)):
        scale = 1 / (spectrum.values + alphas[block, None])
        left = truth - (rotated * scale[:, None]) @ spectrum.XZ
        P = np.empty((len(scale), len(rows), rotated.shape[1] + 1))
        P[:, :, 0] = root[:, 0] / np.sqrt(spectrum.total)
        P[:, :, 1:] = rotated * np.sqrt(scale)[:, None]
        by_rows = len(rows) == side
        system = (1 + LEAST_LEFT) * np.eye(side) - (P @ P.mT if by_rows else P.mT @ P)
        without = np.linalg.solve(system, left) if by_rows else left + P @ np.linalg.solve(system, P.mT @ left)
        errors.append((without**2).sum(axis=1))
    return np.concatenate(errors)


def left_to_others(leverages: np.ndarray, weight: np.ndarray) -> np.ndarray:
    """Return 1 less the leverages, by which what is left of a row is divided for what is left of it without it.

    A row of a weight above 1 counts as so many copies, of which one is left out; one of a weight below 1 is left out
    whole.

    Parameters
    ----------
    leverages : ndarray of shape (..., n_rows)
        Of one copy of each row.
    weight : ndarray of shape (n_rows,)
        Weights of the rows.

    Returns
    -------
    ndarray of the shape of `leverages`
    """
    return np.maximum(1 - np.minimum(weight, 1) * leverages, LEAST_LEFT)
