"""Methods that learn the room from data, beside those that know its sensors.

IC, CT and CDT are trained on simulated scenes, with least squares. Algorithm 3 of the paper (MAP) knows the sensors,
and the optimum knows besides which scenes there may be: what lies between a method and the optimum could be gained.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from time import perf_counter

import numpy as np
import pandas as pd
from scipy import sparse

from trellislib.checks import require_integer
from trellislib.data.dataset import Dataset
from trellislib.data.room import Room
from trellislib.data.room_scenes import Scenes, simulate_scenes
from trellislib.inference import GibbsSampling
from trellislib.methods import (
    ClassifierDependencyTrellis,
    ClassifierTrellis,
    IndependentClassifiers,
    MultiOutputMethod,
)
from trellislib.metrics import MEASURES
from trellislib.progress import Cancelled, Progress, part_of, stop_if
from trellislib.room_estimate import MapEstimator, SensorEstimator, map_estimate
from trellislib.room_posterior import MAXIMIZED, OPTIMUM, OptimalEstimator
from trellislib.typing import Matrix

PLACEMENTS = ("tiles", "hill-climbing")
BLOCK_CELLS = 2**19  # tiles of so many instances are predicted between two looks at `cancelled`


@dataclass(frozen=True, eq=False)
class RoomMethods:
    """Methods fitted to simulated data of a room.

    Parameters
    ----------
    room : Room
        The floor, its sensors and its light.
    methods : mapping of str to fitted method
        IC, CT and CDT.
    train_seconds : mapping of str to float
        How long each took to fit.
    """

    room: Room
    methods: Mapping[str, MultiOutputMethod]
    train_seconds: Mapping[str, float]

    def estimates(self, reading: np.ndarray) -> dict[str, np.ndarray]:
        """Return how probable each tile is to be occupied, by method.

        Parameters
        ----------
        reading : array-like of shape (n_sensors,)
            Of each sensor the share of positive measurements.

        Returns
        -------
        dict of str to ndarray of shape (n_labels,)
            IC, CT (along its greedy path), CDT (marginals by Gibbs sampling) and MAP (0, 1/2 or 1). That of the optimum
            is `trellislib.room_posterior.room_posterior`, which needs the scenes.

        Examples
        --------
        >>> from trellislib.data.room_scenes import paper_scenes
        >>> room = Room.default(width=4, n_sensors=5)
        >>> data = simulate_scenes(room, paper_scenes(room), 100, random_state=0)
        >>> found = fit_room_methods(room, data, random_state=0).estimates(data.X[0])
        >>> list(found), found["CT"].shape
        (['IC', 'CT', 'CDT', 'MAP'], (16,))
        """
        X = np.atleast_2d(np.asarray(reading, dtype=float))
        learnt = {name: np.asarray(method.predict_proba(X))[0] for name, method in self.methods.items()}
        return learnt | {"MAP": map_estimate(self.room, X)[0]}


def fit_room_methods(
    room: Room,
    dataset: Dataset,
    *,
    placement: str = "tiles",
    n_sweeps: int = 100,
    random_state: int | None = None,
    progress: Progress | None = None,
    cancelled: Cancelled | None = None,
) -> RoomMethods:
    """Fit independent classifiers, a trellis and a dependency trellis to data of a room.

    Parameters
    ----------
    room : Room
        The floor, its sensors and its light.
    dataset : Dataset
        Its data, as of `trellislib.data.room_scenes.simulate_scenes`.
    placement : {"tiles", "hill-climbing"}, default="tiles"
        The trellis is the floor itself, each tile beside its neighbours; or labels are placed by Algorithm 1.
    n_sweeps : int, default=100
        Gibbs sweeps of CDT, T in the paper, of which a tenth is discarded. The paper's 100 are few for this problem,
        whose occupied tiles come in blocks: a block comes or goes as a whole only after many sweeps.
    random_state : int, optional
        Seed of the placement and of sampling.
    progress, cancelled : callable, optional
        As of `trellislib.methods.MultiOutputMethod.fit`.

    Returns
    -------
    RoomMethods
        All three, fitted.

    Raises
    ------
    ValueError
        If the data are of another room, or `placement` is neither.
    """
    if placement not in PLACEMENTS:
        raise ValueError(f"Got placement={placement!r}, but expected one of {', '.join(PLACEMENTS)}.")
    if (dataset.n_features, dataset.n_labels) != (room.n_sensors, room.n_labels):
        raise ValueError(
            f"Got data of {dataset.n_features} features and {dataset.n_labels} labels, but expected one for each of "
            f"{room.n_sensors} sensors and {room.n_labels} tiles."
        )
    placed = list(range(room.n_labels)) if placement == "tiles" else placement
    unfitted: dict[str, MultiOutputMethod] = {
        "IC": IndependentClassifiers(),
        "CT": ClassifierTrellis(width=room.width, placement=placed, random_state=random_state),
        "CDT": ClassifierDependencyTrellis(
            width=room.width,
            placement=placed,
            inference=GibbsSampling(n_sweeps, n_sweeps // 10),
            random_state=random_state,
        ),
    }
    methods, seconds = {}, {}
    X, Y = dataset.arrays()
    for number, (name, method) in enumerate(unfitted.items()):
        start = perf_counter()
        methods[name] = method.fit(X, Y, progress=part_of(progress, number, len(unfitted)), cancelled=cancelled)
        seconds[name] = perf_counter() - start
    return RoomMethods(room, methods, seconds)


def paper_sizes(width: int, scale: float = 1.0) -> tuple[int, int]:
    """Return how many instances train and test in the paper's setting, or in a part of it.

    Parameters
    ----------
    width : int
        Tiles along each side. From 100 on there are 50,000 instances, of which a third tests (the paper names no
        share); below 10,000, of which one fold of five tests.
    scale : float, default=1.0
        Share of these.

    Returns
    -------
    tuple of int
        For training and for testing, each at least 1.

    Examples
    --------
    >>> paper_sizes(20), paper_sizes(100), paper_sizes(20, scale=0.1)
    ((8000, 2000), (33333, 16667), (800, 200))
    """
    sizes = (100_000 / 3, 50_000 / 3) if width >= 100 else (8_000, 2_000)
    n_training, n_test = (max(1, round(scale * size)) for size in sizes)
    return n_training, n_test


def compare_room(
    room: Room,
    scenes: Scenes,
    *,
    n_training: int = 1_000,
    n_test: int = 1_000,
    n_measurements: int = 1,
    n_flips: int = 0,
    placement: str = "tiles",
    n_sweeps: int = 100,
    random_state: int = 0,
    progress: Progress | None = None,
    cancelled: Cancelled | None = None,
) -> pd.DataFrame:
    """Score methods that learn the room beside those that know its sensors, on scenes simulated anew.

    Parameters
    ----------
    room : Room
        The floor, its sensors and its light.
    scenes : Scenes
        What may stand in it: `trellislib.data.room_scenes.paper_scenes` for the paper's setting.
    n_training, n_test : int, default=1_000
        Instances to train and to test on; the paper's are `paper_sizes`.
    n_measurements, n_flips : int
        As of `trellislib.data.room_scenes.simulate_scenes`; the paper flips L // 100 tiles.
    placement, n_sweeps
        As of `fit_room_methods`.
    random_state : int, default=0
        Seed of the data and of the methods.
    progress, cancelled : callable, optional
        As of `trellislib.methods.MultiOutputMethod.fit`; told and asked in prediction, too, a few instances at a time.

    Returns
    -------
    DataFrame
        A row for each of IC, CT, CDT, MAP and Optimum, with the scores ``accuracy``, ``hamming_score`` and
        ``exact_match`` (of the optimum each by the decisions that are best for it), ``gap accuracy`` and so on, which
        the optimum is better, and ``train_seconds`` and ``test_seconds`` (of the optimum for the Hamming score).

    Raises
    ------
    ValueError
        If an argument is out of its range.

    Examples
    --------
    >>> from trellislib.data.room_scenes import people_scenes
    >>> room = Room.default(width=4, n_sensors=9)
    >>> scores = compare_room(room, people_scenes(room, most=2), n_training=300, n_test=300)
    >>> scores["hamming_score"].idxmax()
    'Optimum'
    """
    require_integer("n_test", n_test, 1)
    seeds = [int(seed) for seed in np.random.SeedSequence(random_state).generate_state(2)]
    training, test = (
        simulate_scenes(room, scenes, n, n_measurements=n_measurements, n_flips=n_flips, random_state=seed)
        for n, seed in zip((n_training, n_test), seeds, strict=True)
    )
    X, Y = test.arrays()
    step = max(1, BLOCK_CELLS // room.n_labels)
    watch = _Watch(-(-n_test // step), n_sweeps, progress, cancelled)
    fitted = fit_room_methods(
        room,
        training,
        placement=placement,
        n_sweeps=n_sweeps,
        random_state=random_state,
        progress=watch.of_training,
        cancelled=cancelled,
    )
    rows: dict[str, dict[str, float]] = {}
    estimators: dict[str, MultiOutputMethod | SensorEstimator] = dict(fitted.methods)
    for name, estimator in (estimators | {"MAP": MapEstimator(room).fit(X, Y)}).items():
        predicted, seconds = watch.predicted(name, estimator, X, step)
        scores = {measure: MEASURES[measure].function(Y, predicted) for measure in MAXIMIZED}
        rows[name] = scores | {"train_seconds": fitted.train_seconds.get(name, 0.0), "test_seconds": seconds}
    rows[OPTIMUM] = {"train_seconds": 0.0}
    for measure in MAXIMIZED:
        optimal = OptimalEstimator(room, scenes, n_measurements, n_flips, measure).fit(X, Y)
        predicted, seconds = watch.predicted(OPTIMUM, optimal, X, step)
        rows[OPTIMUM][measure] = MEASURES[measure].function(Y, predicted)
        if measure == "hamming_score":
            rows[OPTIMUM]["test_seconds"] = seconds
    table = pd.DataFrame.from_dict(rows, orient="index").rename_axis("method")
    for measure in MAXIMIZED:
        table[f"gap {measure}"] = table.at[OPTIMUM, measure] - table[measure]
    gaps = [f"gap {measure}" for measure in MAXIMIZED]
    return table[["accuracy", "hamming_score", "exact_match", *gaps, "train_seconds", "test_seconds"]]


@dataclass
class _Watch:
    """How far a comparison is, in parts that take about as long as each other: a sweep over a block of instances."""

    n_blocks: int
    n_sweeps: int
    progress: Progress | None
    cancelled: Cancelled | None
    done: int = field(default=0, init=False)

    @property
    def _training(self) -> int:
        return 10 * self.n_blocks

    @property
    def _total(self) -> int:
        n_others = 3 + len(MAXIMIZED)
        return self._training + (n_others + self.n_sweeps) * self.n_blocks

    @property
    def of_training(self) -> Progress | None:
        """What is told the progress of fitting, as a part of the whole."""
        if self.progress is None:
            return None
        tell = self.progress
        return lambda done, total, what: tell(self._training * done // max(total, 1), self._total, what)

    def predicted(
        self, name: str, estimator: MultiOutputMethod | SensorEstimator, X: np.ndarray, step: int
    ) -> tuple[Matrix, float]:
        """Return what is predicted for all instances, some at a time, and how long it took."""
        self.done = max(self.done, self._training)
        start, parts = perf_counter(), []
        for first in range(0, len(X), step):
            stop_if(self.cancelled)
            parts.append(estimator.predict(X[first : first + step]))
            self.done += self.n_sweeps if name == "CDT" else 1
            if self.progress is not None:
                self.progress(self.done, self._total, f"instances by {name}")
        return sparse.vstack(parts, format="csr"), perf_counter() - start
