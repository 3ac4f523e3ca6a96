"""What may stand in the room: finite sets of scenes with their probabilities, which a posterior can sum over.

The paper's generator has few scenes, 359 in a room 20 tiles wide and 8,811 in one 100 wide, so all can be listed.
People standing anywhere have many: what is too much to list is sampled.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import chain, combinations, pairwise
from math import comb

import numpy as np
from scipy import sparse

from trellislib.data.dataset import Dataset
from trellislib.data.room import (
    Room,
    block,
    distinct_labels,
    observed_room,
    rectangle_shape,
    rows_of_tiles,
    with_furthest_square,
)
from trellislib.running.checks import require_integer

MOST_SCENES = 200_000
"""Scenes of people that are listed; of more, so many are sampled."""

MOST_TILES = 6_000_000
"""Occupied tiles of all sampled scenes together, so that a reading takes less than a second in the largest rooms."""


@dataclass(frozen=True, eq=False)
class Scenes:
    """A finite set of scenes and their prior probabilities.

    Parameters
    ----------
    tiles : csr_array of shape (n_scenes, n_labels)
        Occupied tiles of each scene, as 0 and 1; no scene is there twice.
    prior : ndarray of shape (n_scenes,)
        Probability of each scene; they sum to 1.
    is_complete : bool
        Whether these are all scenes there are, rather than in part a random sample of them.

    Raises
    ------
    ValueError
        If there is not one probability for each scene, or they do not sum to 1.

    Examples
    --------
    >>> scenes = paper_scenes(Room.default(width=20))
    >>> scenes.tiles.shape, scenes.is_complete
    ((359, 400), True)
    """

    tiles: sparse.csr_array
    prior: np.ndarray
    is_complete: bool

    def __post_init__(self) -> None:
        if self.prior.shape != (self.tiles.shape[0],):
            raise ValueError(
                f"Got prior of shape {self.prior.shape}, but expected one for each of {self.tiles.shape[0]} scenes."
            )
        if (self.prior < 0).any() or not np.isclose(self.prior.sum(), 1):
            raise ValueError(f"Got a prior of sum {self.prior.sum():.3g}, but expected probabilities that sum to 1.")

    def drawn(self, n: int, random_state: int | np.random.Generator | None = None) -> sparse.csr_array:
        """Draw scenes at random by their prior probabilities.

        Parameters
        ----------
        n : int
            How many, with replacement.
        random_state : int, Generator or None
            Seed or source.

        Returns
        -------
        csr_array of shape (n, n_labels)
            Occupied tiles, as 0 and 1.

        Examples
        --------
        >>> paper_scenes(Room.default(width=20)).drawn(3, random_state=0).sum(axis=1).tolist()
        [8, 8, 8]
        """
        rng = np.random.default_rng(random_state)
        return self.tiles[rng.choice(len(self.prior), size=n, p=self.prior)]

    def includes(self, tiles: np.ndarray) -> bool:
        """Return whether tiles are those of one of these scenes.

        Parameters
        ----------
        tiles : ndarray of shape (n_labels,)
            Occupied tiles, as 0 and 1.

        Returns
        -------
        bool
            Where the scenes are a sample, False also of scenes that were not drawn.

        Examples
        --------
        >>> scenes = people_scenes(Room.default(width=3), most=2)
        >>> scenes.includes(np.array([1, 0, 0, 0, 1, 0, 0, 0, 0])), scenes.includes(np.eye(3).ravel())
        (True, False)
        """
        n_occupied = int(np.count_nonzero(tiles))
        of_size = np.diff(self.tiles.indptr) == n_occupied
        return bool((self.tiles[of_size] @ np.asarray(tiles, dtype=np.int64) == n_occupied).any())


def paper_scenes(room: Room) -> Scenes:
    """Return all scenes of the paper: each place of its rectangle, with the square in the corner furthest from it.

    Parameters
    ----------
    room : Room
        Only its width matters.

    Returns
    -------
    Scenes
        Complete, and equally probable except where two places of the rectangle give the same tiles, as they do where
        it and the square are alike and in opposite corners.

    References
    ----------
    "Classifier trellises", section *A Structured Output Prediction Problem*, *Generation of Artificial Data*.

    Examples
    --------
    >>> paper_scenes(Room.default(width=100)).tiles.shape
    (8811, 10000)
    """
    height, across = rectangle_shape(room.width)
    start = np.indices((room.width - height + 1, room.width - across + 1)).reshape(2, -1).T
    return _merged(with_furthest_square(start, room.width), np.full(len(start), 1 / len(start)), is_complete=True)


def people_scenes(room: Room, most: int = 3, random_state: int | np.random.Generator | None = 0) -> Scenes:
    """Return scenes of 1 to `most` people, each a block of tiles that may stand anywhere.

    The number of people is uniform, and so are their places, which differ but may overlap. Each number of people in
    turn, from 1 on, has its scenes listed if they are no more than its share of what is left of `MOST_SCENES` (and of
    `MOST_TILES`); otherwise as many are sampled uniformly, and share the probability of that number of people.

    Parameters
    ----------
    room : Room
        Only its width W matters: a person has max(1, W // 10) tiles along each side.
    most : int, default=3
        The largest number of people, at least 1 and at most the number of places.
    random_state : int, Generator or None
        Seed or source of the sample.

    Returns
    -------
    Scenes
        Complete where nothing had to be sampled.

    Raises
    ------
    ValueError
        If `most` is out of its range.

    Examples
    --------
    >>> scenes = people_scenes(Room.default(width=3), most=2)
    >>> scenes.tiles.shape, scenes.is_complete, scenes.prior[[0, -1]].round(4).tolist()
    ((45, 9), True, [0.0556, 0.0139])
    """
    side = person_side(room.width)
    n_places = (room.width - side + 1) ** 2
    require_integer("most", most, 1)
    if most > n_places:
        raise ValueError(f"Got most={most}, but the room has only {n_places} places to stand.")
    rng = np.random.default_rng(random_state)
    start = np.indices((room.width - side + 1,) * 2).reshape(2, -1).T
    people = block(start, (side, side), room.width)
    scenes, tiles = MOST_SCENES, MOST_TILES
    parts, priors = [], []
    is_complete = True
    for n_people in range(1, most + 1):
        n_left = most - n_people + 1
        share = max(1, min(scenes, tiles // (n_people * side**2)) // n_left)
        n_scenes = comb(n_places, n_people)
        if n_scenes <= share:
            every = chain.from_iterable(combinations(range(n_places), n_people))
            places = np.fromiter(every, dtype=np.int64, count=n_scenes * n_people).reshape(-1, n_people)
        else:
            places = distinct_labels(rng, share, n_people, n_places)
            is_complete = False
        scenes, tiles = scenes - len(places), tiles - places.size * side**2
        parts.append(rows_of_tiles(people[places].reshape(len(places), -1), room.n_labels))
        priors.append(np.full(len(places), 1 / (most * len(places))))
    return _merged(sparse.vstack(parts, format="csr"), np.concatenate(priors), is_complete)


def person_tiles(room: Room, row: int, column: int) -> np.ndarray:
    """Return the tiles of a person whose lower left tile is given, moved as far as is needed to be inside the room.

    Parameters
    ----------
    room : Room
        Only its width W matters: a person has max(1, W // 10) tiles along each side.
    row, column : int
        Of the lower left tile, from 0 and from the light's edge.

    Returns
    -------
    ndarray of int, of shape (n_tiles,)
        Labels, in order.

    Examples
    --------
    >>> room = Room.default(width=20)
    >>> person_tiles(room, 0, 3).tolist(), person_tiles(room, 25, -1).tolist()
    ([3, 4, 23, 24], [360, 361, 380, 381])
    """
    side = person_side(room.width)
    start = np.clip([[row, column]], 0, room.width - side)
    return block(start, (side, side), room.width)[0]


def simulate_scenes(
    room: Room,
    scenes: Scenes,
    n_instances: int,
    *,
    n_measurements: int = 1,
    n_flips: int = 0,
    random_state: int | np.random.Generator | None = None,
) -> Dataset:
    """Simulate what the sensors of a room report of scenes drawn at random.

    Parameters
    ----------
    room : Room
        The floor, its sensors and its light.
    scenes : Scenes
        What may stand in it.
    n_instances : int
        Number of instances, at least 1.
    n_measurements : int, default=1
        Measurements by each sensor; a feature is the share of them that are positive.
    n_flips : int, default=0
        Tiles flipped in each instance after the sensors have observed it, distinct and uniformly at random.
    random_state : int, Generator or None
        Seed or source of all that is random.

    Returns
    -------
    Dataset
        As of `simulate_room`.

    Raises
    ------
    ValueError
        If a number is out of its range, or the scenes are of another room.

    Examples
    --------
    >>> room = Room.default(width=4, n_sensors=3)
    >>> simulate_scenes(room, people_scenes(room, most=1), 100, random_state=0).statistics().label_cardinality
    1.0
    """
    require_integer("n_instances", n_instances, 1)
    rng = np.random.default_rng(random_state)
    return observed_room(room, scenes.drawn(n_instances, rng), n_measurements, n_flips, rng)


def person_side(width: int) -> int:
    """Return how many tiles a person has along each side, in a room of `width` tiles along each."""
    return max(1, width // 10)


def _merged(tiles: sparse.csr_array, prior: np.ndarray, is_complete: bool) -> Scenes:
    """Return the scenes, those of the same tiles as one."""
    ends = tiles.indptr
    first: dict[bytes, int] = {}
    same_as = np.array([first.setdefault(tiles.indices[a:b].tobytes(), n) for n, (a, b) in enumerate(pairwise(ends))])
    kept = np.fromiter(first.values(), dtype=np.int64)
    return Scenes(tiles[kept], np.bincount(same_as, weights=prior, minlength=len(prior))[kept], is_complete)
