"""Methods that learn the room from data, compared with those that know its sensors.

IC, CT and CDT are trained on simulated scenes. Algorithm 3 of the paper (MAP) knows the sensors, and the optimum also
knows the prior of the scenes: the gap between a method and the optimum could be gained.
"""

from __future__ import annotations

from collections.abc import Iterator
from time import perf_counter
from typing import Literal

import numpy as np
import pandas as pd
from scipy import sparse
from sklearn.base import BaseEstimator

from trellislib.data.room import Room
from trellislib.data.room_scenes import Scenes, simulate_scenes
from trellislib.decisions import Rule
from trellislib.methods import MultiOutputMethod
from trellislib.metrics import MEASURES
from trellislib.room.decisions import MAXIMIZED, BestDecisions
from trellislib.room.estimate import MapEstimator
from trellislib.room.methods import fit_room_methods
from trellislib.room.posterior import OPTIMUM
from trellislib.running.checks import require_integer
from trellislib.running.progress import Cancelled, Progress, stop_if

BLOCK_CELLS = 2**19  # tiles that are predicted between two calls of `cancelled`


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
    estimator: BaseEstimator | Literal["auto"] | None = None,
    decide: str | Rule | None = None,
    placement: str = "tiles",
    n_sweeps: int = 100,
    random_state: int = 0,
    progress: Progress | None = None,
    cancelled: Cancelled | None = None,
) -> pd.DataFrame:
    """Score methods that learn the room, and those that know its sensors, on newly simulated scenes.

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
    estimator, decide, placement, n_sweeps
        As of `trellislib.room.methods.fit_room_methods`.
    random_state : int, default=0
        Seed of the data and of the methods.
    progress, cancelled : callable, optional
        As of `trellislib.methods.MultiOutputMethod.fit`; called in prediction, too, a few instances at a time.

    Returns
    -------
    DataFrame
        A row for each of IC, CT, CDT, MAP and Optimum, with the scores ``accuracy``, ``hamming_score`` and
        ``exact_match`` (of the optimum each by the decisions that are best for it, nearly so for accuracy),
        ``gap accuracy`` and so on, how much higher the optimum scores on these instances, and ``train_seconds`` and
        ``test_seconds`` (of the optimum for all scores together). The optimum's exact match and the gaps to it are nan
        where flips can make too much of the scenes to list: its best decisions are not known then.

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
    firsts = range(0, n_test, step)
    # In parts that take about as long as each other: a sweep over a block of instances. IC, CT, MAP and the optimum
    # take one a block.
    done = 10 * len(firsts)  # by training
    total = done + (4 + n_sweeps) * len(firsts)

    def training_progress(part: int, of: int, what: str) -> None:
        if progress is not None:
            progress(10 * len(firsts) * part // max(of, 1), total, what)

    def blocks(name: str) -> Iterator[np.ndarray]:
        """Yield some instances at a time, and report the progress when the next are asked for."""
        nonlocal done
        for first in firsts:
            stop_if(cancelled)
            yield X[first : first + step]
            done += n_sweeps if name == "CDT" else 1
            if progress is not None:
                progress(done, total, f"instances by {name}")

    fitted = fit_room_methods(
        room,
        training,
        estimator=estimator,
        decide=decide,
        placement=placement,
        n_sweeps=n_sweeps,
        random_state=random_state,
        progress=training_progress,
        cancelled=cancelled,
    )
    rows: dict[str, dict[str, float]] = {}
    estimators: dict[str, MultiOutputMethod | MapEstimator] = dict(fitted.methods)
    for name, estimator in (estimators | {"MAP": MapEstimator(room).fit(X, Y)}).items():
        start = perf_counter()
        predicted = sparse.vstack([estimator.predict(some) for some in blocks(name)], format="csr")
        seconds = perf_counter() - start
        scores = {measure: MEASURES[measure].function(Y, predicted) for measure in MAXIMIZED}
        rows[name] = scores | {"train_seconds": fitted.train_seconds.get(name, 0.0), "test_seconds": seconds}
    start = perf_counter()
    decisions = BestDecisions(room, scenes, n_measurements, n_flips)
    parts = [
        {measure: sparse.csr_array(tiles) for measure, tiles in decided.items()}
        for some in blocks(OPTIMUM)
        for decided in decisions.of(some, decisions.measures)
    ]
    seconds = perf_counter() - start
    best = {measure: sparse.vstack([part[measure] for part in parts], format="csr") for measure in decisions.measures}
    rows[OPTIMUM] = dict.fromkeys(MAXIMIZED, float("nan")) | {
        measure: MEASURES[measure].function(Y, decided) for measure, decided in best.items()
    }
    rows[OPTIMUM] |= {"train_seconds": 0.0, "test_seconds": seconds}
    table = pd.DataFrame.from_dict(rows, orient="index").rename_axis("method")
    for measure in MAXIMIZED:
        table[f"gap {measure}"] = table.at[OPTIMUM, measure] - table[measure]
    gaps = [f"gap {measure}" for measure in MAXIMIZED]
    return table[["accuracy", "hamming_score", "exact_match", *gaps, "train_seconds", "test_seconds"]]
