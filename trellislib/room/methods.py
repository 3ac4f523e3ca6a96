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
    MultiOutputMethod,
)
from trellislib.room.estimate import map_estimate
from trellislib.running.progress import Cancelled, Progress, part_of

PLACEMENTS = ("tiles", "hill-climbing")


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
    methods: Mapping[str, MultiOutputMethod]
    train_seconds: Mapping[str, float]

    def estimates(self, reading: np.ndarray) -> dict[str, np.ndarray]:
        """Return how probable each tile is to be occupied, by method.

        What a method decides from it is `decisions`.

        Parameters
        ----------
        reading : array-like of shape (n_sensors,)
            Of each sensor the share of positive measurements.

        Returns
        -------
        dict of str to ndarray of shape (n_labels,)
            IC, CT (along its greedy path), CDT (marginals by Gibbs sampling) and MAP (0, 1/2 or 1). That of the optimum
            is `trellislib.room.posterior.room_posterior`, which needs the scenes.

        Examples
        --------
        >>> from trellislib.data.room_scenes import paper_scenes, simulate_scenes
        >>> room = Room.default(width=4, n_sensors=5)
        >>> data = simulate_scenes(room, paper_scenes(room), 100, random_state=0)
        >>> found = fit_room_methods(room, data, random_state=0).estimates(data.X[0])
        >>> list(found), found["CT"].shape
        (['IC', 'CT', 'CDT', 'MAP'], (16,))
        """
        X = np.atleast_2d(np.asarray(reading, dtype=float))
        learnt = {name: np.asarray(method.predict_proba(X))[0] for name, method in self.methods.items()}
        return learnt | {"MAP": map_estimate(self.room, X)[0]}

    def decisions(self, reading: np.ndarray) -> dict[str, np.ndarray]:
        """Return which tiles each method decides are occupied.

        Parameters
        ----------
        reading : array-like of shape (n_sensors,)
            As of `estimates`.

        Returns
        -------
        dict of str to ndarray of int, of shape (n_labels,)
            For each tile 0 or 1, by IC, CT and CDT as their `predict` gives it, and by MAP, which decides 0 where it
            leaves 1/2.

        Examples
        --------
        >>> from trellislib.data.room_scenes import people_scenes, simulate_scenes
        >>> room = Room.default(width=4, n_sensors=9)
        >>> data = simulate_scenes(room, people_scenes(room, most=2), 200, random_state=0)
        >>> methods = fit_room_methods(room, data, decide="accuracy", random_state=0)
        >>> {name: int(tiles.sum()) for name, tiles in methods.decisions(data.X[0]).items()}
        {'IC': 2, 'CT': 2, 'CDT': 2, 'MAP': 5}
        """
        X = np.atleast_2d(np.asarray(reading, dtype=float))
        learnt = {name: dense(method.predict(X))[0] for name, method in self.methods.items()}
        return learnt | {"MAP": (map_estimate(self.room, X)[0] > 0.5).astype(int)}


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
    unfitted: dict[str, MultiOutputMethod] = {
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
