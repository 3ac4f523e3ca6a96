"""Methods that learn the room from data: IC, CT and CDT, trained on simulated scenes."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from time import perf_counter
from typing import Literal

import numpy as np
from sklearn.base import BaseEstimator

from trellislib.data.dataset import Dataset
from trellislib.data.room import Room
from trellislib.decisions import Rule
from trellislib.inference import GibbsSampling
from trellislib.labels.matrices import dense
from trellislib.methods import (
    ClassifierDependencyTrellis,
    ClassifierTrellis,
    IndependentClassifiers,
)
from trellislib.methods.label_graph import LabelGraphClassifier
from trellislib.methods.prediction import OPEN_INTERVAL
from trellislib.room.estimate import map_estimate
from trellislib.running.progress import Cancelled, Progress, part_of

PLACEMENTS = ("tiles", "hill-climbing")


@dataclass(frozen=True, eq=False)
class Inferences:
    """What methods make of one reading.

    Parameters
    ----------
    probabilities : dict of str to ndarray of shape (n_labels,)
        For each method how probable each tile is to be occupied.
    decided : dict of str to ndarray of int, of shape (n_labels,)
        For each method 1 where it decides that a tile is occupied, else 0.
    """

    probabilities: dict[str, np.ndarray]
    decided: dict[str, np.ndarray]


@dataclass(frozen=True, eq=False)
class RoomMethods:
    """Methods fitted to simulated data of a room.

    Parameters
    ----------
    room : Room
        The floor, its sensors and its light.
    methods : mapping of str to fitted method
        IC, CT and CDT; where there is none, MAP alone estimates and decides.
    train_seconds : mapping of str to float
        How long each took to fit.
    """

    room: Room
    methods: Mapping[str, LabelGraphClassifier]
    train_seconds: Mapping[str, float]

    def infer(self, reading: np.ndarray) -> Inferences:
        """Return how probable each tile is to be occupied by each method, and what it decides: of one inference.

        Parameters
        ----------
        reading : array-like of shape (n_sensors,)
            Of each sensor the share of positive measurements.

        Returns
        -------
        Inferences
            Of IC, CT (probabilities along its greedy path), CDT (marginals by Gibbs sampling) and MAP (0, 1/2 or 1,
            deciding 0 where it leaves 1/2). IC, CT and CDT decide as their `predict` does. Those of the optimum are
            `trellislib.room.posterior.room_posterior` and `trellislib.room.decisions.BestDecisions`, which need the
            scenes.

        Examples
        --------
        >>> from trellislib.data.room_scenes import people_scenes, simulate_scenes
        >>> room = Room.default(width=4, n_sensors=9)
        >>> data = simulate_scenes(room, people_scenes(room, most=2), 200, random_state=0)
        >>> methods = fit_room_methods(room, data, decide="accuracy", random_state=0)
        >>> found = methods.infer(data.X[0])
        >>> found.probabilities["CT"].shape
        (16,)
        >>> {name: int(tiles.sum()) for name, tiles in found.decided.items()}
        {'IC': 2, 'CT': 2, 'CDT': 2, 'MAP': 5}
        """
        X = np.atleast_2d(np.asarray(reading, dtype=float))
        found = Inferences({}, {})
        for name, method in self.methods.items():
            found.probabilities[name], found.decided[name] = _inferred(method, X)
        found.probabilities["MAP"] = map_estimate(self.room, X)[0]
        found.decided["MAP"] = (found.probabilities["MAP"] > 0.5).astype(int)
        return found


def _inferred(method: LabelGraphClassifier, X: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return what `predict_proba` and `predict` give to the only row, from one inference, which may sample for long."""
    (trace,) = method.traces(X)
    codes = trace.codes if method.decide is None else method.decision_.decide(trace, X)
    return np.clip(trace.marginals[:, 0], *OPEN_INTERVAL), dense(method.coding_.decode(codes))[0]


def fit_room_methods(
    room: Room,
    dataset: Dataset,
    *,
    estimator: BaseEstimator | Literal["auto"] | None = None,
    decide: str | Rule | None = None,
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
    estimator : learner, classifier or "auto", optional
        Base learner of all three; least squares by default.
    decide : str or Rule, optional
        The score that predictions are to be best for, or the rule that decides, as of
        `trellislib.methods.MultiOutputMethod`. By default a tile is occupied where that is more probable than not, as
        in the paper: of few people on many tiles, hardly any is.
    placement : {"tiles", "hill-climbing"}, default="tiles"
        The trellis is the floor itself, each tile next to its neighbours; or labels are placed by Algorithm 1.
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
        If the data are of another room, `placement` is neither, or `decide` is no score of decisions.
    """
    if placement not in PLACEMENTS:
        raise ValueError(f"Got placement={placement!r}, but expected one of {', '.join(PLACEMENTS)}.")
    if (dataset.n_features, dataset.n_labels) != (room.n_sensors, room.n_labels):
        raise ValueError(
            f"Got data of {dataset.n_features} features and {dataset.n_labels} labels, but expected one for each of "
            f"{room.n_sensors} sensors and {room.n_labels} tiles."
        )
    placed = list(range(room.n_labels)) if placement == "tiles" else placement
    unfitted: dict[str, LabelGraphClassifier] = {
        "IC": IndependentClassifiers(estimator, decide=decide),
        "CT": ClassifierTrellis(
            estimator, width=room.width, placement=placed, decide=decide, random_state=random_state
        ),
        "CDT": ClassifierDependencyTrellis(
            estimator,
            decide=decide,
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
