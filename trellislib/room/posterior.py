"""The posterior of the room given its sensors, by Bayes' rule.

With the sensor model of the paper and the prior probabilities of the scenes, p(scene | x) is known exactly: the prior
times the likelihood of every measurement, which given the scene are independent. A sensor's M measurements are positive
theta_d M times; the number of ways this can happen is the same for all scenes, and cancels.

The best decisions from it are in `trellislib.room.decisions`.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from sklearn.utils import check_array

from trellislib.data.room import Room
from trellislib.data.room_scenes import Scenes
from trellislib.room.estimate import measurements
from trellislib.room.flips import after_flips
from trellislib.running.checks import require_integer
from trellislib.typing import Matrix

OPTIMUM = "Optimum"
"""Name of the best decisions by the posterior, next to the names of methods."""

BLOCK_CELLS = 2**22  # scenes times instances that are weighed at a time
IMPOSSIBLE = -1e9  # for the logarithm of 0: finite, so that 0 measurements of probability 0 count nothing


@dataclass(frozen=True, eq=False)
class Posterior:
    """The posterior of the room for several readings.

    Parameters
    ----------
    marginals : ndarray of shape (n_instances, n_labels)
        Probability p(y = 1 | x) of each tile, after the flips.
    effective_sizes : ndarray of shape (n_instances,)
        How many equally probable scenes would be as many, 1 / sum of the squared probabilities. Where the scenes are a
        sample, the marginals are about as exact as those of so many scenes drawn from the posterior itself.
    """

    marginals: np.ndarray
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
    _refuse_others(room, scenes)
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
    """Return the probability of each tile to be occupied, given the readings of the sensors.

    Exact by enumeration where `scenes` are complete; else weighs the sampled ones. Where no scene can have given a
    reading (error rates of 0 or 1), its posterior is the prior.

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
        `scene_counts` of the same room and scenes, where they are known.

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
    marginals, sizes = [], []
    refuse_numbers(room, scenes, n_measurements, n_flips)
    counts = scene_counts(room, scenes) if counts is None else counts
    for weights in scene_probabilities(room, scenes, counts, X, n_measurements):
        marginals.append(weights @ scenes.tiles)
        sizes.append(1 / np.einsum("ns,ns->n", weights, weights))
    return Posterior(after_flips(np.vstack(marginals), n_flips), np.concatenate(sizes))


def refuse_numbers(room: Room, scenes: Scenes, n_measurements: int, n_flips: int) -> None:
    """Raise a ValueError unless scenes and numbers are of this room."""
    require_integer("n_measurements", n_measurements, 1)
    require_integer("n_flips", n_flips, 0)
    if n_flips > room.n_labels:
        raise ValueError(f"Got n_flips={n_flips}, but the room has only {room.n_labels} tiles.")
    _refuse_others(room, scenes)


def _refuse_others(room: Room, scenes: Scenes) -> None:
    if scenes.tiles.shape[1] != room.n_labels:
        raise ValueError(f"Got scenes of {scenes.tiles.shape[1]} tiles, but the room has {room.n_labels}.")


def scene_probabilities(
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
        prior = np.log(scenes.prior)  # minus infinity stays so: whatever is read, such a scene is not there
    step = max(1, BLOCK_CELLS // len(prior))
    for first in range(0, len(X), step):
        rows = positive[first : first + step]
        joint = np.zeros((len(rows), len(prior)))
        for of_sensor, k in zip(counts, rows.T[:, :, None], strict=True):
            by_count = k * fires + (n_measurements - k) * stays_silent  # few numbers, looked up for every scene
            joint += np.take(by_count, of_sensor, axis=1)
        joint += prior
        joint[joint.max(axis=1) < IMPOSSIBLE / 2] = prior  # no scene can have given the reading
        joint -= joint.max(axis=1, keepdims=True)
        weights = np.exp(joint, out=joint)
        yield weights / weights.sum(axis=1, keepdims=True)
