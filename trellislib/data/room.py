"""The room of light sensors: a simulated problem whose labels are the tiles of a floor.

Sensors around a room look at a strip of light along its bottom edge. Each sees, with known error rates,
whether something stands in the triangle between itself and the two ends of the light; from what all of them
report, the occupied tiles are to be predicted. After "Classifier trellises", section *A Structured Output
Prediction Problem*: Local400 is a room 20 tiles wide, Local10k one 100 wide. Where that text is silent, or
at odds with itself, this module decides:

- **Measure.** The room is always 10 x 10 units, with the light from [2.5, 0] to [7.5, 0], whatever the
  number of tiles: the paper gives the light once, for W = 10, where a tile's middle (i - 1/2, j - 1/2) is
  in the same units. For other W these middles are scaled by 10 / W.
- **Rows and columns.** In that middle point i runs along the light and j away from it, so i is the tile's
  column and j its row: label ``r{j}c{i}``. Labels go row by row, from the row beside the light;
  ``Y[n].reshape(W, W)`` drawn with its first row at the bottom is the paper's figure. (Its caption calls
  the bottom-right tile the last, as a printed matrix has it; the formula puts that tile elsewhere, and the
  formula is followed.)
- **Sensors.** The paper gives no coordinates. They stand evenly on the three edges that the light is not
  on: a sensor on the bottom edge would be level with the light, and its triangle empty.
- **Edges of a triangle** belong to it.
- **The rectangle** is floor(W / 8) wide (at least 1) and lies inside the room: its start is uniform over the
  places where it fits. The square may overlap it, in rooms less than 4 tiles wide.
- **The furthest corner** is measured from the rectangle's middle; a tie goes to the lower column or row.
- **The noise** flips distinct tiles. As printed, L / 100 of them, it cannot give the label cardinality
  published for W = 100, 25.78: the rectangle and the square alone have 28 tiles, and 100 flips make it
  about 127.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from scipy import sparse

from trellislib.data.dataset import Dataset
from trellislib.running.checks import require_integer

SIDE = 10.0
"""Length of the room's side, in the units of the sensors' coordinates."""

LIGHT = ((2.5, 0.0), (7.5, 0.0))
"""The two ends of the light."""


@dataclass(frozen=True, eq=False)
class Room:
    """A floor of W x W tiles, its sensors and its light.

    Parameters
    ----------
    width : int
        Tiles along each side, W in the paper, at least 2.
    sensors : ndarray of shape (n_sensors, 2)
        Positions in units of a room of 10 x 10: along the light's edge, and away from it.
    light : ndarray of shape (2, 2)
        The two ends of the light, in the same units.
    false_negative : float, default=0.15
        Probability that a sensor misses the only active tile in its zone, epsilon 1 in the paper.
    false_positive : float, default=0.01
        Probability that a sensor reports something in an empty zone, epsilon 2 in the paper.

    Raises
    ------
    ValueError
        If a width, shape or rate is not as above.

    References
    ----------
    "Classifier trellises", section *A Structured Output Prediction Problem*, *Sensor Model*.

    Examples
    --------
    >>> room = Room.default(width=4, n_sensors=3)
    >>> room.sensors.tolist()
    [[10.0, 5.0], [5.0, 10.0], [0.0, 5.0]]
    >>> room.zones().reshape(3, 4, 4)[1].astype(int)
    array([[0, 1, 1, 0],
           [0, 1, 1, 0],
           [0, 0, 0, 0],
           [0, 0, 0, 0]])
    """

    width: int
    sensors: np.ndarray
    light: np.ndarray
    false_negative: float = 0.15
    false_positive: float = 0.01

    def __post_init__(self) -> None:
        require_integer("width", self.width, 2)
        if self.sensors.ndim != 2 or self.sensors.shape[1] != 2 or len(self.sensors) == 0:
            raise ValueError(f"Got sensors of shape {self.sensors.shape}, but expected (n_sensors, 2).")
        if self.light.shape != (2, 2):
            raise ValueError(f"Got light of shape {self.light.shape}, but expected (2, 2).")
        for name in ("false_negative", "false_positive"):
            rate = getattr(self, name)
            if not 0 <= rate <= 1:
                raise ValueError(f"Got {name}={rate}, but expected a probability, from 0 to 1.")

    @classmethod
    def default(
        cls, width: int, n_sensors: int = 30, false_negative: float = 0.15, false_positive: float = 0.01
    ) -> Room:
        """Return the room with its light along the bottom and `n_sensors` evenly on the three other edges.

        They stand up the right edge, along the top and down the left one, half a step from its ends.

        Parameters
        ----------
        width : int
            Tiles along each side, at least 2.
        n_sensors : int, default=30
            Number of sensors, D in the paper, at least 1.
        false_negative, false_positive : float
            The error rates of `Room`.

        Returns
        -------
        Room
            The same one for the same arguments.

        Raises
        ------
        ValueError
            If an argument is out of its range.

        Examples
        --------
        >>> Room.default(width=20, n_sensors=6).sensors.tolist()
        [[10.0, 2.5], [10.0, 7.5], [7.5, 10.0], [2.5, 10.0], [0.0, 7.5], [0.0, 2.5]]
        """
        require_integer("n_sensors", n_sensors, 1)
        along = (np.arange(n_sensors) + 0.5) * 3 * SIDE / n_sensors
        height = np.minimum(SIDE, np.minimum(along, 3 * SIDE - along))
        sensors = np.column_stack([np.clip(2 * SIDE - along, 0, SIDE), height])
        return cls(width, sensors, np.array(LIGHT), false_negative, false_positive)

    @property
    def n_labels(self) -> int:
        """Number of tiles, L in the paper."""
        return self.width**2

    @property
    def n_sensors(self) -> int:
        """Number of sensors, D in the paper."""
        return len(self.sensors)

    def tiles(self) -> np.ndarray:
        """Return the middle of each tile, in units of the room and in the order of the labels.

        Returns
        -------
        ndarray of shape (n_labels, 2)
            Along the light's edge, and away from it.

        Examples
        --------
        >>> Room.default(width=2).tiles().tolist()
        [[2.5, 2.5], [7.5, 2.5], [2.5, 7.5], [7.5, 7.5]]
        """
        middles = (np.arange(1, self.width + 1) - 0.5) * SIDE / self.width
        return np.column_stack([np.tile(middles, self.width), np.repeat(middles, self.width)])

    def zones(self) -> np.ndarray:
        """Return which tiles each sensor watches: those whose middle lies in its triangle, z in the paper.

        Returns
        -------
        ndarray of bool, shape (n_sensors, n_labels)
            All False for a sensor in line with the light, whose triangle is flat.

        Examples
        --------
        >>> Room.default(width=20, n_sensors=30).zones().shape
        (30, 400)
        """
        first, second = self.light
        tiles = self.tiles()
        # Inside is what lies on the same side of all three edges, walked in one direction, or on one.
        sides = np.stack(
            [
                _side(self.sensors[:, None], first, tiles),
                _side(first, second, tiles) + np.zeros((self.n_sensors, 1)),
                _side(second, self.sensors[:, None], tiles),
            ]
        )
        tolerance = 1e-9 * SIDE**2  # a middle exactly on an edge must not fall out by rounding
        return np.logical_or(np.all(sides >= -tolerance, axis=0), np.all(sides <= tolerance, axis=0))

    def detection_probability(self, counts: np.ndarray) -> np.ndarray:
        """Return the probability that a sensor reports something, p(x_d = 1 | c_d) in the paper.

        Parameters
        ----------
        counts : array-like of int
            Active tiles in the sensor's zone, c_d in the paper.

        Returns
        -------
        ndarray of the shape of `counts`
            epsilon 2 for none, 1 - epsilon 1 for one, 1 - epsilon 1 exp(-0.1 (c_d - 1)) for more.

        Examples
        --------
        >>> Room.default(width=20).detection_probability([0, 1, 11]).round(4).tolist()
        [0.01, 0.85, 0.9448]
        """
        counts = np.asarray(counts)
        seen = 1 - self.false_negative * np.exp(-0.1 * (np.maximum(counts, 1) - 1))  # one tile: exp(0) = 1
        return np.where(counts == 0, self.false_positive, seen)

    def observe(
        self,
        Y: np.ndarray | sparse.csr_array,
        n_measurements: int = 1,
        random_state: int | np.random.Generator | None = None,
    ) -> np.ndarray:
        """Return what the sensors report of given tiles.

        Parameters
        ----------
        Y : {ndarray, csr_array} of shape (n_instances, n_labels)
            Active tiles, as 0 and 1.
        n_measurements : int, default=1
            Independent measurements by each sensor, M in the paper.
        random_state : int, Generator or None
            Seed or source of the measurements.

        Returns
        -------
        ndarray of shape (n_instances, n_sensors)
            Share of positive measurements of each sensor: 0 or 1 for a single one, the paper's estimate of
            theta_d for more.

        Raises
        ------
        ValueError
            If `n_measurements` is below 1 or `Y` has not one column for each tile.

        Examples
        --------
        A sensor that makes no errors, and a person in the middle of the room.

        >>> room = Room.default(width=3, n_sensors=3, false_negative=0, false_positive=0)
        >>> room.observe(np.array([[0, 0, 0, 0, 1, 0, 0, 0, 0]])).tolist()
        [[0.0, 1.0, 0.0]]
        """
        require_integer("n_measurements", n_measurements, 1)
        if Y.shape[1] != self.n_labels:
            raise ValueError(f"Got Y of {Y.shape[1]} columns, but expected one for each of {self.n_labels} tiles.")
        counts = Y @ self.zones().T.astype(np.int32)
        rng = np.random.default_rng(random_state)
        positive = rng.binomial(n_measurements, self.detection_probability(counts))
        return positive / n_measurements


def simulate_room(
    n_instances: int = 10_000,
    width: int = 20,
    n_sensors: int = 30,
    n_measurements: int = 1,
    false_negative: float = 0.15,
    false_positive: float = 0.01,
    n_flips: int | None = None,
    random_state: int | np.random.Generator | None = None,
) -> Dataset:
    """Simulate what sensors report of a room, and which of its tiles are occupied.

    In each instance a rectangle, floor(width / 8) tiles wide and 2 high, lies at random in the room, and a
    square of 2 x 2 tiles in the corner furthest from it. The sensors observe these; *then* `n_flips` tiles
    are flipped, so that the noise is in the labels and not in the features.

    Parameters
    ----------
    n_instances : int, default=10_000
        Number of instances, N in the paper (10,000 for Local400, 50,000 for Local10k).
    width : int, default=20
        Tiles along each side of the room, W in the paper (20 and 100); there are width * width labels.
    n_sensors : int, default=30
        Number of features, D in the paper.
    n_measurements : int, default=1
        Measurements by each sensor, M in the paper; a feature is the share of them that are positive.
    false_negative, false_positive : float, default=0.15, 0.01
        Error rates of a sensor, epsilon 1 and epsilon 2 in the paper.
    n_flips : int, optional
        Tiles flipped in each instance, distinct and uniformly at random; L // 100 by default, as printed in
        the paper. So printed, the label cardinality at W = 100 is about 127, and cannot be the published
        25.78: the rectangle and the square alone have 28 tiles.
    random_state : int, Generator or None
        Seed or source of all that is random. Since tiles are flipped last, the same seed gives the same
        features for any `n_flips`.

    Returns
    -------
    Dataset
        Features ``sensor 1`` ... as dense floats; labels ``r{row}c{column}``, counted from 1, row by row
        from the light's edge, as CSR int8.

    Raises
    ------
    ValueError
        If an argument is out of its range.

    References
    ----------
    "Classifier trellises", section *A Structured Output Prediction Problem*, *Generation of Artificial Data*.

    Examples
    --------
    >>> data = simulate_room(n_instances=100, width=20, random_state=0)
    >>> data.n_features, data.n_labels, data.label_names[20]
    (30, 400, 'r2c1')
    >>> simulate_room(n_instances=100, width=20, n_flips=0, random_state=0).statistics().label_cardinality
    8.0
    """
    room = Room.default(width, n_sensors, false_negative, false_positive)
    require_integer("n_instances", n_instances, 1)
    n_flips = room.n_labels // 100 if n_flips is None else n_flips
    rng = np.random.default_rng(random_state)
    return observed_room(room, _targets(rng, n_instances, width), n_measurements, n_flips, rng)


def observed_room(
    room: Room, targets: sparse.csr_array, n_measurements: int, n_flips: int, rng: np.random.Generator
) -> Dataset:
    """Return what the sensors of a room report of `targets`, with these as labels, of which then `n_flips` flip.

    As of `simulate_room`. Raises `ValueError` if `n_flips` is below 0 or above the number of tiles.

    - `room`: The floor, its sensors and its light.
    - `targets`: of shape (n_instances, n_labels); Occupied tiles of each instance, as 0 and 1.
    - `n_measurements`: Measurements by each sensor.
    - `n_flips`: Tiles flipped in each instance, distinct and uniformly at random.
    - `rng`: Source of the measurements, then of the flips.

    Examples
    --------
    >>> room = Room.default(width=3, n_sensors=3, false_negative=0, false_positive=0)
    >>> data = observed_room(room, sparse.csr_array(np.eye(9, dtype=np.int8)), 1, 0, np.random.default_rng(0))
    >>> data.X[4].tolist()
    [0.0, 1.0, 0.0]
    """
    require_integer("n_flips", n_flips, 0)
    if n_flips > room.n_labels:
        raise ValueError(f"Got n_flips={n_flips}, but the room has only {room.n_labels} tiles.")
    X = room.observe(targets, n_measurements, rng)
    flips = rows_of_tiles(distinct_labels(rng, targets.shape[0], n_flips, room.n_labels), room.n_labels)
    Y = abs(targets - flips)  # 1 where exactly one of the two is
    Y.eliminate_zeros()
    tiles = range(1, room.width + 1)
    return Dataset(
        X=X,
        Y=Y,
        feature_names=tuple(f"sensor {d}" for d in range(1, room.n_sensors + 1)),
        label_names=tuple(f"r{row}c{column}" for row in tiles for column in tiles),
        label_values=(("0", "1"),) * room.n_labels,
        name=f"Room {room.width} x {room.width}",
        notes=(
            f"Simulated; in each instance {n_flips} of {room.n_labels} tiles flip after the sensors have observed it.",
        ),
    )


def _targets(rng: np.random.Generator, n_instances: int, width: int) -> sparse.csr_array:
    """Draw the rectangle of each instance and put the square in the corner furthest from it."""
    start = rng.integers(0, width - np.array(rectangle_shape(width)) + 1, size=(n_instances, 2))
    return with_furthest_square(start, width)


def rectangle_shape(width: int) -> tuple[int, int]:
    """Return how many rows and columns of tiles the paper's rectangle has."""
    return 2, max(1, width // 8)


def with_furthest_square(start: np.ndarray, width: int) -> sparse.csr_array:
    """Return the paper's scenes: rectangles that start at some tiles, and each one's square in the furthest corner.

    Occupied tiles, as 0 and 1.

    - `start`: of shape (n_scenes, 2); Row and column, from 0, of the first tile of each rectangle.
    - `width`: Tiles along each side of the room.

    Examples
    --------
    >>> with_furthest_square(np.array([[2, 3]]), 4).toarray().reshape(4, 4)
    array([[1, 1, 0, 0],
           [1, 1, 0, 0],
           [0, 0, 0, 1],
           [0, 0, 0, 1]], dtype=int8)
    """
    shape = rectangle_shape(width)
    corner = np.where(2 * start + shape >= width, 0, width - 2)  # on a tie the lower
    return rows_of_tiles(np.hstack([block(start, shape, width), block(corner, (2, 2), width)]), width**2)


def block(start: np.ndarray, shape: tuple[int, int], width: int) -> np.ndarray:
    """Return the labels of the tiles in blocks of `shape` (rows, columns) that start at `start`."""
    rows, columns = np.indices(shape).reshape(2, -1)
    return (start[:, :1] + rows) * width + start[:, 1:] + columns


def rows_of_tiles(cells: np.ndarray, n_labels: int) -> sparse.csr_array:
    """Return the CSR array with 1 in those columns of each row that `cells` names, even if named twice."""
    index = sparse.get_index_dtype(maxval=max(cells.size, n_labels))
    indptr = np.arange(len(cells) + 1, dtype=index) * cells.shape[1]
    ones = np.ones(cells.size, dtype=np.int8)
    Y = sparse.csr_array((ones, cells.ravel().astype(index), indptr), shape=(len(cells), n_labels))
    Y.sum_duplicates()
    Y.data[:] = 1
    return Y


def distinct_labels(rng: np.random.Generator, n_rows: int, n_drawn: int, n_labels: int) -> np.ndarray:
    """Draw, for each row, `n_drawn` distinct labels uniformly at random."""
    if 2 * n_drawn > n_labels:
        return rng.permuted(np.tile(np.arange(n_labels), (n_rows, 1)), axis=1)[:, :n_drawn]
    drawn = rng.integers(n_labels, size=(n_rows, n_drawn))
    open_rows = np.arange(n_rows)
    while open_rows.size:  # draw repeats again: no label is favoured, so all sets stay equally likely
        part = np.sort(drawn[open_rows], axis=1)
        repeated = np.zeros(part.shape, dtype=bool)
        repeated[:, 1:] = part[:, 1:] == part[:, :-1]
        part[repeated] = rng.integers(n_labels, size=np.count_nonzero(repeated))
        drawn[open_rows] = part
        open_rows = open_rows[repeated.any(axis=1)]
    return drawn


def _side(start: np.ndarray, end: np.ndarray, points: np.ndarray) -> np.ndarray:
    """Return on which side of the line from `start` to `end` points lie: positive left, 0 on it."""
    along, to = end - start, points - start
    return along[..., 0] * to[..., 1] - along[..., 1] * to[..., 0]
