"""The tiles of the room that are occupied by its sensor model alone: Algorithm 3 of the paper.

A sensor of which at most half of the measurements are positive reports an empty zone, and all tiles of the zone are 0.
The other tiles that a sensor watches are 1. The rest are in the shadow: no sensor watches them, so they stay 1/2. They
are the same tiles in every instance, since every sensor that watches a tile decides it one way or the other.

The paper prints accuracy .523 and Hamming score .857 for W = 20, and .141 and .795 for W = 100 (30 sensors). On
`simulate_room` as the paper's generator is printed (10,000 and 50,000 instances, seed 0, one measurement), this gives

======================== ============ ============ ============= =============
shadow tiles             W = 20       W = 20       W = 100       W = 100
                         accuracy     Hamming      accuracy      Hamming
======================== ============ ============ ============= =============
decided 0 (the default)  .090         .868         .029          .822
decided 1                .082         .750         .019          .661
left out of the scores   .116         .859         .031          .789
======================== ============ ============ ============= =============

So the published Hamming scores are those of the tiles in view, within .006; what the paper calls accuracy in that
table is not the mean Jaccard index of such data under any reading of the shadow, as of the tiles that it reports
occupied only 6 % (W = 20) and 2 % (W = 100) are.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterator
from typing import Self

import numpy as np
from scipy import sparse
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.utils import Tags, check_array
from sklearn.utils.validation import check_is_fitted, validate_data

from trellislib.data.room import Room
from trellislib.typing import Matrix

BLOCK_CELLS = 2**22  # tiles of so many instances are decided at a time


def map_estimate(room: Room, X: Matrix) -> np.ndarray:
    """Estimate which tiles are occupied, from what the sensors report.

    Parameters
    ----------
    room : Room
        The floor, its sensors and its light.
    X : array-like of shape (n_instances, n_sensors)
        Of each sensor one measurement, 0 or 1, or the mean of several, the paper's estimate of theta_d.

    Returns
    -------
    ndarray of shape (n_instances, n_labels)
        1 for a tile that is occupied, 0 for one that is not, and 0.5 for one in the shadow, which no sensor watches.

    Raises
    ------
    ValueError
        If `X` has not one column for each sensor, or a measurement is not from 0 to 1.

    References
    ----------
    "Classifier trellises", Algorithm 3, *MAP inference using the sensor model*.

    Examples
    --------
    Of three sensors the middle one fires. Occupied is what it watches and no silent sensor does.

    >>> room = Room.default(width=4, n_sensors=3)
    >>> map_estimate(room, [[0, 1, 0]]).reshape(4, 4)
    array([[0.5, 0. , 0. , 0.5],
           [0. , 1. , 1. , 0. ],
           [0.5, 0.5, 0.5, 0.5],
           [0.5, 0.5, 0.5, 0.5]])
    """
    X = measurements(room, check_array(X))
    estimate = np.empty((X.shape[0], room.n_labels))
    for rows, tiles in _blocks(room, X, 0.5):
        estimate[rows] = tiles
    return estimate


class SensorEstimator(ClassifierMixin, BaseEstimator):
    """Knows a room and learns nothing: `fit` only checks the shape and the type of the data.

    A subclass decides the tiles of measurements, some instances at a time.
    """

    room: Room

    @abstractmethod
    def _check_parameters(self) -> None:
        """Raise ValueError if a parameter is out of range."""

    @abstractmethod
    def _decided(self, X: np.ndarray) -> Iterator[np.ndarray]:
        """Yield the decisions on all tiles, some instances at a time."""

    def fit(self, X: Matrix, y: Matrix) -> Self:
        """Check that the data are of this room.

        Parameters
        ----------
        X : {array-like, CSR} of shape (n_instances, n_sensors)
            Measurements.
        y : {array-like, CSR} of shape (n_instances, n_labels)
            Tiles, in the order of `Room.tiles`.

        Returns
        -------
        self

        Raises
        ------
        ValueError
            If there is not one feature for each sensor and one label for each tile, or a parameter is out of range.
        """
        self._check_parameters()
        X, y = validate_data(self, X, y, accept_sparse="csr", multi_output=True)
        measurements(self.room, X)
        n_labels = y.shape[1] if y.ndim == 2 else 1
        if n_labels != self.room.n_labels:
            raise ValueError(f"Got {n_labels} labels, but expected one for each of {self.room.n_labels} tiles.")
        self.classes_ = [np.arange(2, dtype=y.dtype)] * n_labels
        self._sparse_labels = sparse.issparse(y)
        return self

    def predict(self, X: Matrix) -> Matrix:
        """Decide which tiles are occupied.

        Parameters
        ----------
        X : {array-like, CSR} of shape (n_instances, n_sensors)
            Of each sensor one measurement, or the mean of several.

        Returns
        -------
        {ndarray, csr_array} of shape (n_instances, n_labels)
            0 and 1, in the form that `fit` was given: CSR where it was CSR.
        """
        check_is_fitted(self)
        X = measurements(self.room, validate_data(self, X, reset=False, accept_sparse="csr"))
        dtype = self.classes_[0].dtype
        blocks = (tiles.astype(dtype) for tiles in self._decided(X))
        if self._sparse_labels:
            return sparse.vstack([sparse.csr_array(tiles) for tiles in blocks], format="csr")
        return np.vstack(list(blocks))

    def __sklearn_tags__(self) -> Tags:
        tags = super().__sklearn_tags__()
        tags.input_tags.sparse = True
        tags.target_tags.multi_output = True
        tags.classifier_tags.multi_label = True
        return tags


class MapEstimator(SensorEstimator):
    """Algorithm 3 of the paper as a classifier.

    It knows the sensors and learns nothing: `fit` only checks the shape and the type of the data. Shadow tiles,
    which Algorithm 3 leaves at 1/2, must be decided; see the module for what that does to the scores.

    Parameters
    ----------
    room : Room
        The floor, its sensors and its light, such that the labels are its tiles and the features its sensors.
    shadow : {0, 1}, default=0
        What is predicted for tiles that no sensor watches.

    Attributes
    ----------
    classes_ : list of ndarray
        The values 0 and 1 of each label.
    n_features_in_ : int
        Number of sensors.

    References
    ----------
    "Classifier trellises", section *A Structured Output Prediction Problem*, *Classifier Trellis vs MAP Estimator*.

    Examples
    --------
    >>> from trellislib.data import simulate_room
    >>> from trellislib.metrics import hamming_score
    >>> X, Y = simulate_room(1_000, width=20, random_state=0).arrays()
    >>> estimator = MapEstimator(Room.default(width=20)).fit(X, Y)
    >>> round(hamming_score(Y, estimator.predict(X)), 2)
    0.87
    """

    def __init__(self, room: Room, shadow: int = 0):
        self.room = room
        self.shadow = shadow

    def _check_parameters(self) -> None:
        if self.shadow not in (0, 1):
            raise ValueError(f"Got shadow={self.shadow!r}, but expected 0 or 1.")

    def _decided(self, X: np.ndarray) -> Iterator[np.ndarray]:
        return (tiles for _, tiles in _blocks(self.room, X, bool(self.shadow)))


def measurements(room: Room, X: Matrix) -> np.ndarray:
    """Return the share of positive measurements of each sensor, after a check."""
    X = X.toarray() if sparse.issparse(X) else X
    if X.shape[1] != room.n_sensors:
        raise ValueError(f"Got X of {X.shape[1]} columns, but expected one for each of {room.n_sensors} sensors.")
    outside = X[(X < 0) | (X > 1)]
    if outside.size:
        raise ValueError(f"Got the measurement {outside[0]}, but expected shares of positive ones, from 0 to 1.")
    return X


def _blocks(room: Room, X: np.ndarray, shadow: float | bool) -> Iterator[tuple[slice, np.ndarray]]:
    """Yield the tiles of some instances at a time: whether they are occupied, and `shadow` for unwatched ones."""
    zones = room.zones()
    watched = zones.any(axis=0)
    watches = zones.astype(np.float32)  # so that counting is a matrix product
    step = max(1, BLOCK_CELLS // room.n_labels)
    for first in range(0, len(X), step):
        rows = slice(first, first + step)
        is_silent = (X[rows] <= 0.5).astype(np.float32)
        yield rows, np.where(watched, is_silent @ watches == 0, shadow)
