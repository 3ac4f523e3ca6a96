"""Which tiles of the room are occupied, by Bayes' rule: the best that can be done with what the sensors report.

Who knows the sensor model of the paper and which scenes there may be, with their probabilities, knows p(scene | x)
exactly: the prior times the likelihood of every measurement, which given the scene are independent. A sensor's M
measurements are positive theta_d M times; the number of ways this can happen is the same for all scenes, and cancels.

No method can be better on average than the decisions made from it, so the distance of a method from them is what the
method, or its training data, leave to be gained.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from scipy import sparse
from sklearn.utils import check_array

from trellislib.checks import require_integer
from trellislib.data.room import Room
from trellislib.data.room_scenes import Scenes
from trellislib.room_estimate import SensorEstimator, measurements
from trellislib.typing import Matrix

OPTIMUM = "Optimum"
"""What the decisions made from the posterior are called beside the names of methods."""

BLOCK_CELLS = 2**22  # scenes times instances that are weighed at a time
IMPOSSIBLE = -1e9  # for the logarithm of 0: finite, so that 0 measurements of probability 0 count nothing
NEGLIGIBLE = 1e-6  # of the weight of the most probable scene: what the expected accuracy leaves out
MAXIMIZED = ("hamming_score", "exact_match", "accuracy")


@dataclass(frozen=True, eq=False)
class Posterior:
    """What is known of the room after its sensors have reported.

    Parameters
    ----------
    marginals : ndarray of shape (n_instances, n_labels)
        Probability p(y = 1 | x) of each tile, after the flips.
    scenes : ndarray of int, of shape (n_instances,)
        Index of the most probable scene, before the flips.
    effective_sizes : ndarray of shape (n_instances,)
        How many equally probable scenes would be as many, 1 / sum of the squared probabilities. Where the scenes are a
        sample, the marginals are about as exact as those of so many scenes drawn from the posterior itself.
    """

    marginals: np.ndarray
    scenes: np.ndarray
    effective_sizes: np.ndarray


def scene_counts(room: Room, scenes: Scenes) -> np.ndarray:
    """Return how many occupied tiles each sensor watches in each scene, which no reading changes.

    Parameters
    ----------
    room : Room
        The floor, its sensors and its light.
    scenes : Scenes
        What may stand in it.

    Returns
    -------
    ndarray of int, of shape (n_sensors, n_scenes)
        c in the paper.

    Raises
    ------
    ValueError
        If the scenes are of another room.

    Examples
    --------
    >>> from trellislib.data.room_scenes import people_scenes
    >>> room = Room.default(width=3, n_sensors=3)
    >>> scene_counts(room, people_scenes(room, most=1)).tolist()
    [[0, 1, 1, 0, 0, 0, 0, 0, 0], [0, 1, 0, 0, 1, 0, 0, 1, 0], [1, 1, 0, 0, 0, 0, 0, 0, 0]]
    """
    if scenes.tiles.shape[1] != room.n_labels:
        raise ValueError(f"Got scenes of {scenes.tiles.shape[1]} tiles, but the room has {room.n_labels}.")
    zones = room.zones().T.astype(np.float32)  # counting in floats is several times as fast
    counts = scenes.tiles.astype(np.float32) @ zones
    return np.ascontiguousarray(counts.T.astype(np.min_scalar_type(room.n_labels)))


def room_posterior(
    room: Room,
    scenes: Scenes,
    X: Matrix,
    *,
    n_measurements: int = 1,
    n_flips: int = 0,
    counts: np.ndarray | None = None,
) -> Posterior:
    """Return which tiles are how probably occupied, given what the sensors report.

    Exact by enumeration where `scenes` are complete; else weighs the sampled ones. Where no scene can have given a
    reading (error rates of 0 or 1), the reading says nothing, and its posterior is the prior.

    Parameters
    ----------
    room : Room
        The floor, its sensors and its light.
    scenes : Scenes
        What may stand in it, and how probably.
    X : array-like of shape (n_instances, n_sensors)
        Of each sensor the share of its measurements that are positive.
    n_measurements : int, default=1
        Measurements by each sensor, M in the paper.
    n_flips : int, default=0
        Tiles that flip after the sensors have observed them, distinct and uniformly at random.
    counts : ndarray of shape (n_sensors, n_scenes), optional
        `scene_counts` of the same room and scenes; who asks of one reading after the other finds them once.

    Returns
    -------
    Posterior
        A row for each reading.

    Raises
    ------
    ValueError
        If `X` or the scenes are of another room, a share is not one of `n_measurements`, or a number is out of range.

    References
    ----------
    "Classifier trellises", section *A Structured Output Prediction Problem*, *Sensor Model*.

    Examples
    --------
    One person in a room 3 tiles wide. Only the sensor above the middle fires, which watches the middle column; its
    first tile is watched by the silent sensors too.

    >>> from trellislib.data.room_scenes import people_scenes
    >>> room = Room.default(width=3, n_sensors=3)
    >>> room_posterior(room, people_scenes(room, most=1), [[0, 1, 0]]).marginals.reshape(3, 3).round(3)
    array([[0.001, 0.011, 0.001],
           [0.006, 0.482, 0.006],
           [0.006, 0.482, 0.006]])
    """
    X = measurements(room, check_array(X))
    share = n_flips / room.n_labels
    marginals, most_probable, sizes = [], [], []
    _refuse(room, scenes, n_measurements, n_flips)
    counts = scene_counts(room, scenes) if counts is None else counts
    for weights in _weighed(room, scenes, counts, X, n_measurements):
        marginals.append(weights @ scenes.tiles)
        most_probable.append(weights.argmax(axis=1))
        sizes.append(1 / np.einsum("ns,ns->n", weights, weights))
    return Posterior(
        marginals=np.clip(np.vstack(marginals) * (1 - 2 * share) + share, 0, 1),  # rounding may pass 1
        scenes=np.concatenate(most_probable),
        effective_sizes=np.concatenate(sizes),
    )


class OptimalEstimator(SensorEstimator):
    """The best decisions for a measure by the posterior of the room, to stand beside those of methods that learn.

    For the Hamming score these are the tiles that are more probably occupied than not. For the exact match, they are
    the most probable scene; where tiles flip, as many in every instance, a match is luck whatever is decided. For
    accuracy, the Jaccard index, they are the best of the nested sets of the most probable tiles, and of the most
    probable scene, by their expected accuracy over the scenes: an approximation, for the best set of all need not be
    one of these. Scenes of less than a millionth of the weight of the most probable one are left out, and so are the
    flips, which spoil every set.

    Parameters
    ----------
    room : Room
        The floor, its sensors and its light, such that the labels are its tiles and the features its sensors.
    scenes : Scenes
        What may stand in it, and how probably.
    n_measurements : int, default=1
        Measurements by each sensor.
    n_flips : int, default=0
        Tiles that flip after the sensors have observed them.
    maximize : {"hamming_score", "exact_match", "accuracy"}, default="hamming_score"
        The score whose expectation the decisions are to maximize.

    Attributes
    ----------
    classes_ : list of ndarray
        The values 0 and 1 of each label.
    n_features_in_ : int
        Number of sensors.

    Examples
    --------
    >>> from trellislib.data.room_scenes import paper_scenes, simulate_scenes
    >>> from trellislib.metrics import hamming_score
    >>> room = Room.default(width=20)
    >>> scenes = paper_scenes(room)
    >>> X, Y = simulate_scenes(room, scenes, 1_000, random_state=0).arrays()
    >>> round(hamming_score(Y, OptimalEstimator(room, scenes).fit(X, Y).predict(X)), 3)
    0.993
    """

    def __init__(
        self, room: Room, scenes: Scenes, n_measurements: int = 1, n_flips: int = 0, maximize: str = "hamming_score"
    ):
        self.room = room
        self.scenes = scenes
        self.n_measurements = n_measurements
        self.n_flips = n_flips
        self.maximize = maximize

    def _refuse_parameters(self) -> None:
        if self.maximize not in MAXIMIZED:
            raise ValueError(f"Got maximize={self.maximize!r}, but expected one of {', '.join(MAXIMIZED)}.")
        _refuse(self.room, self.scenes, self.n_measurements, self.n_flips)

    def _decided(self, X: np.ndarray) -> Iterator[Matrix]:
        tiles = self.scenes.tiles
        share = self.n_flips / self.room.n_labels
        columns = tiles.tocsc()
        counts = scene_counts(self.room, self.scenes)
        for weights in _weighed(self.room, self.scenes, counts, X, self.n_measurements):
            if self.maximize == "exact_match":
                yield tiles[weights.argmax(axis=1)]
            elif self.maximize == "hamming_score":
                yield sparse.csr_array((weights @ tiles) * (1 - 2 * share) + share > 0.5)
            else:
                yield np.vstack([_most_accurate(row, tiles, columns) for row in weights])


def _most_accurate(weights: np.ndarray, tiles: sparse.csr_array, columns: sparse.csc_array) -> np.ndarray:
    """Return the set of tiles of the highest expected Jaccard index, among those that are looked at."""
    likely = np.flatnonzero(weights > NEGLIGIBLE * weights.max())
    weights = weights[likely]
    scenes = tiles[likely]
    if len(likely) == 1:
        return scenes.toarray()[0]
    sizes = np.diff(scenes.indptr).astype(float)
    marginals = weights @ scenes
    order = np.argsort(-marginals, kind="stable")
    common = np.zeros(len(likely))
    place = np.full(columns.shape[0], -1)
    place[likely] = np.arange(len(likely))
    best, n_best = float(weights[sizes == 0].sum()), 0
    gained = 0.0
    for n_tiles, tile in enumerate(order, start=1):
        gained += marginals[tile]
        if gained <= best * n_tiles:  # at least n_tiles lie in the union, so no larger set can be better
            break
        holding = place[columns.indices[columns.indptr[tile] : columns.indptr[tile + 1]]]
        common[holding[holding >= 0]] += 1
        expected = float(weights @ (common / (n_tiles + sizes - common)))
        if expected > best:
            best, n_best = expected, n_tiles
    top = scenes[[weights.argmax()]]
    common = (scenes @ top.T).toarray()[:, 0]
    union = sizes + top.nnz - common
    if weights @ np.divide(common, union, out=np.ones_like(sizes), where=union > 0) > best:
        return top.toarray()[0]
    decided = np.zeros(len(marginals), dtype=np.int8)
    decided[order[:n_best]] = 1
    return decided


def _refuse(room: Room, scenes: Scenes, n_measurements: int, n_flips: int) -> None:
    """Raise a ValueError unless scenes and numbers are of this room."""
    require_integer("n_measurements", n_measurements, 1)
    require_integer("n_flips", n_flips, 0)
    if n_flips > room.n_labels:
        raise ValueError(f"Got n_flips={n_flips}, but the room has only {room.n_labels} tiles.")
    if scenes.tiles.shape[1] != room.n_labels:
        raise ValueError(f"Got scenes of {scenes.tiles.shape[1]} tiles, but the room has {room.n_labels}.")


def _weighed(
    room: Room, scenes: Scenes, counts: np.ndarray, X: np.ndarray, n_measurements: int
) -> Iterator[np.ndarray]:
    """Yield p(scene | x) of some instances at a time, of shape (n_instances, n_scenes)."""
    positive = np.rint(X * n_measurements)
    uneven = X[np.abs(X * n_measurements - positive) > 1e-6 * n_measurements]
    if uneven.size:
        raise ValueError(
            f"Got the measurement {uneven[0]:.3g}, but expected shares of n_measurements={n_measurements}."
        )
    p = room.detection_probability(np.arange(int(counts.max()) + 1))
    with np.errstate(divide="ignore"):
        fires, stays_silent = (np.maximum(np.log(of), IMPOSSIBLE) for of in (p, 1 - p))
        prior = np.maximum(np.log(scenes.prior), IMPOSSIBLE)
    step = max(1, BLOCK_CELLS // len(prior))
    for first in range(0, len(X), step):
        rows = positive[first : first + step]
        joint = np.zeros((len(rows), len(prior)))
        for of_sensor, k in zip(counts, rows.T[:, :, None], strict=True):
            by_count = k * fires + (n_measurements - k) * stays_silent  # few numbers, looked up for every scene
            joint += np.take(by_count, of_sensor, axis=1)
        joint[joint.max(axis=1) < IMPOSSIBLE / 2] = 0  # no scene can have given the reading: it says nothing
        joint += prior
        joint -= joint.max(axis=1, keepdims=True)
        weights = np.exp(joint, out=joint)
        yield weights / weights.sum(axis=1, keepdims=True)
