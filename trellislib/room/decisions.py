"""The decisions on the room that maximize an expected score, from the posterior of its scenes.

No method can have a higher expected Hamming score than these decisions, nor, where they can be found, more exact
matches: the gap is what a method, or its training data, leave to be gained. For accuracy they are an approximation from
below.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cached_property

import numpy as np
from scipy import sparse

from trellislib.data.room import Room
from trellislib.data.room_scenes import Scenes
from trellislib.room.estimate import SensorEstimator, measurements
from trellislib.room.flips import FlippedScenes, JaccardAfterFlips, after_flips, can_be_listed
from trellislib.room.posterior import refuse_numbers, scene_counts, scene_probabilities
from trellislib.typing import Matrix

NEGLIGIBLE = 1e-6  # of the weight of the most probable scene: what the expected accuracy leaves out
MAXIMIZED = ("hamming_score", "exact_match", "accuracy")


class BestDecisions:
    """The best decisions for several scores from the same posterior, which is computed once.

    For the Hamming score these are the tiles that are more probably occupied than not. For the exact match, they are
    the most probable set of tiles after the flips, where all sets are few enough to list. For accuracy, the Jaccard
    index, they are the best of the nested sets of the most probable tiles, and of the most probable scene, by their
    expected accuracy over the scenes and the flips: an approximation, for the best set of all need not be one of
    these. For accuracy, scenes of less than a millionth of the weight of the most probable one are left out.

    Parameters
    ----------
    room : Room
        The floor, its sensors and its light.
    scenes : Scenes
        What may stand in it, and how probably.
    n_measurements : int, default=1
        Measurements by each sensor.
    n_flips : int, default=0
        Tiles that flip after the sensors have observed them.

    Attributes
    ----------
    counts : ndarray of int, of shape (n_sensors, n_scenes)
        `trellislib.room.posterior.scene_counts`, which the posterior of the same room and scenes can use, too.
    measures : tuple of str
        Scores whose best decisions can be found: all of ``hamming_score``, ``exact_match`` and ``accuracy``, but not
        the exact match where the sets of tiles after the flips are too many to list.

    Raises
    ------
    ValueError
        If the scenes are of another room, or a number is out of its range.

    Examples
    --------
    One person in a room 3 tiles wide. Only the sensor above the middle fires, which leaves two tiles: neither is more
    probable than not, yet one of them is more accurate than none.

    >>> from trellislib.data.room_scenes import people_scenes
    >>> room = Room.default(width=3, n_sensors=3)
    >>> decisions = BestDecisions(room, people_scenes(room, most=1))
    >>> [decided] = decisions.of(np.array([[0, 1, 0]]), ("hamming_score", "accuracy"))
    >>> {measure: np.flatnonzero(tiles).tolist() for measure, tiles in decided.items()}
    {'hamming_score': [], 'accuracy': [4]}
    """

    def __init__(self, room: Room, scenes: Scenes, n_measurements: int = 1, n_flips: int = 0):
        refuse_numbers(room, scenes, n_measurements, n_flips)
        self.room = room
        self.scenes = scenes
        self.n_measurements = n_measurements
        self.n_flips = n_flips
        self.counts = scene_counts(room, scenes)
        is_listed = n_flips == 0 or can_be_listed(scenes.tiles, n_flips)
        self.measures = MAXIMIZED if is_listed else tuple(name for name in MAXIMIZED if name != "exact_match")

    def of(self, X: Matrix, measures: Sequence[str] = MAXIMIZED) -> Iterator[dict[str, np.ndarray]]:
        """Yield the decisions for some instances at a time.

        Parameters
        ----------
        X : array-like of shape (n_instances, n_sensors)
            Of each sensor the share of its measurements that are positive.
        measures : sequence of {"hamming_score", "exact_match", "accuracy"}
            Some of `measures`.

        Yields
        ------
        dict of str to ndarray of int, of shape (n_some, n_labels)
            For each measure the tiles that are decided occupied, as 0 and 1.
        """
        best = {
            "hamming_score": self._most_right,
            "exact_match": self._most_probable,
            "accuracy": lambda weights: np.vstack([self._most_accurate(row) for row in weights]),
        }
        X = measurements(self.room, X)
        for weights in scene_probabilities(self.room, self.scenes, self.counts, X, self.n_measurements):
            yield {measure: best[measure](weights) for measure in measures}

    def _most_right(self, weights: np.ndarray) -> np.ndarray:
        return (after_flips(weights @ self.scenes.tiles, self.n_flips) > 0.5).astype(np.int8)

    def _most_probable(self, weights: np.ndarray) -> np.ndarray:
        if self.n_flips:
            return self._flipped.most_probable(weights)
        return self.scenes.tiles[weights.argmax(axis=1)].toarray()

    @cached_property
    def _flipped(self) -> FlippedScenes:
        return FlippedScenes(self.scenes.tiles, self.n_flips)

    @cached_property
    def _columns(self) -> sparse.csc_array:
        return self.scenes.tiles.tocsc()

    @cached_property
    def _jaccard(self) -> JaccardAfterFlips:
        most = int(np.diff(self.scenes.tiles.indptr).max())
        return JaccardAfterFlips(self.room.n_labels, self.n_flips, most)

    def _most_accurate(self, weights: np.ndarray) -> np.ndarray:
        """Return the set of tiles of the highest expected Jaccard index, among those that are looked at."""
        likely = np.flatnonzero(weights > NEGLIGIBLE * weights.max())
        weights = weights[likely]
        scenes = self.scenes.tiles[likely]
        if len(likely) == 1 and not self.n_flips:
            return scenes.toarray()[0]
        sizes = np.diff(scenes.indptr)
        marginals = after_flips(weights @ scenes, self.n_flips)
        order = np.argsort(-marginals, kind="stable")
        columns, common = self._columns, np.zeros(len(likely))
        place = np.full(len(self.scenes.prior), -1)
        place[likely] = np.arange(len(likely))
        best, n_best = float(weights @ self._jaccard.expected(0, common, sizes)), 0
        gained = 0.0
        for n_tiles, tile in enumerate(order, start=1):
            gained += marginals[tile]
            if gained <= best * n_tiles:  # at least n_tiles lie in the union, so no larger set can be better
                break
            holding = place[columns.indices[columns.indptr[tile] : columns.indptr[tile + 1]]]
            common[holding[holding >= 0]] += 1
            expected = float(weights @ self._jaccard.expected(n_tiles, common, sizes))
            if expected > best:
                best, n_best = expected, n_tiles
        top = scenes[[weights.argmax()]]
        common = (scenes @ top.T.astype(np.int64)).toarray()[:, 0]  # the type of the tiles counts to 127 only
        if weights @ self._jaccard.expected(top.nnz, common, sizes) > best:
            return top.toarray()[0]
        decided = np.zeros(len(marginals), dtype=np.int8)
        decided[order[:n_best]] = 1
        return decided


class OptimalEstimator(SensorEstimator):
    """The best decisions for one score, by the posterior of the room: a bound for methods that learn.

    Parameters
    ----------
    room, scenes, n_measurements, n_flips
        As of `BestDecisions`.
    maximize : {"hamming_score", "exact_match", "accuracy"}, default="hamming_score"
        The score whose expectation the decisions maximize.

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

    def _check_parameters(self) -> None:
        known = self._decisions().measures
        if self.maximize not in known:
            raise ValueError(f"Got maximize={self.maximize!r}, but expected one of {', '.join(known)}.")

    def _decisions(self) -> BestDecisions:
        return BestDecisions(self.room, self.scenes, self.n_measurements, self.n_flips)

    def _decided(self, X: np.ndarray) -> Iterator[np.ndarray]:
        return (decided[self.maximize] for decided in self._decisions().of(X, (self.maximize,)))
