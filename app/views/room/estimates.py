"""Estimates of the room by each method from one reading, and their scores."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
import pandas as pd
import streamlit as st
from state.workspace import Workspace

from trellislib.data import Dataset
from trellislib.data.room_scenes import simulate_scenes
from trellislib.experiment.costs import room_training_seconds
from trellislib.metrics import accuracy, hamming_score
from trellislib.room.decisions import BestDecisions
from trellislib.room.methods import RoomMethods, fit_room_methods
from trellislib.room.posterior import OPTIMUM, room_posterior
from trellislib.running.progress import Cancelled, Progress
from trellislib.summaries.room import NOBODY
from views.room.setting import Asked, Knobs, scenes_of
from views.room.state import tiles_of

TRUTH = "Truth"
AT_ONCE = 2.0  # seconds up to which methods are trained without a button
KINDS = {
    "IC": "independent classifiers",
    "CT": "classifier trellis",
    "CDT": "dependency trellis, by Gibbs sampling",
    "MAP": "Algorithm 3 of the paper; knows the sensors",
    OPTIMUM: "knows the sensors and the scenes; computed for each score",
    NOBODY: "baseline: marks no tile",
}
ORDER = (OPTIMUM, "MAP", "IC", "CT", "CDT")  # those that know the sensors in the first row, those that learn below


@dataclass(frozen=True)
class Found:
    """Estimates and decisions by method from one reading, scores, and the effective size of the optimum's sample."""

    estimates: Mapping[str, np.ndarray]
    decided: Mapping[str, np.ndarray]
    scores: pd.DataFrame
    effective_size: float


def seconds(knobs: Knobs) -> float:
    """Return about how long training takes."""
    is_climbed = knobs.placement == "hill-climbing"
    return room_training_seconds(knobs.width**2, knobs.n_training, is_climbed=is_climbed, learner=knobs.learner)


def simulated(knobs: Knobs) -> Dataset:
    """Simulate the training rows."""
    return simulate_scenes(
        knobs.room,
        scenes_of(knobs.width, knobs.scenes),
        knobs.n_training,
        n_measurements=knobs.n_measurements,
        n_flips=knobs.n_flips,
        random_state=knobs.seed,
    )


def fitted(knobs: Knobs, progress: Progress | None = None, cancelled: Cancelled | None = None) -> RoomMethods:
    """Simulate training rows and fit the methods to them."""
    return fit_room_methods(
        knobs.room,
        simulated(knobs),
        estimator=knobs.estimator,
        decide=knobs.decide,
        placement=knobs.placement,
        n_sweeps=knobs.n_sweeps,
        random_state=knobs.seed,
        progress=progress,
        cancelled=cancelled,
    )


@st.cache_resource(max_entries=16, show_spinner="Training on simulated scenes…")
def _fitted_at_once(knobs: Knobs) -> RoomMethods:
    return fitted(knobs)


def trained(workspace: Workspace, knobs: Knobs) -> RoomMethods | None:
    """Return the methods, where training is quick or a job has trained them."""
    job = workspace.job(("room", knobs))
    if job is not None and job.state == "done":
        return job.result
    return _fitted_at_once(knobs) if seconds(knobs) <= AT_ONCE else None


@st.cache_resource(max_entries=4, show_spinner=False)
def _decisions(seen: Knobs) -> BestDecisions:
    """Return the best decisions on a scene without the noise of the training rows."""
    return BestDecisions(seen.room, scenes_of(seen.width, seen.scenes), seen.n_measurements)


def of_reading(asked: Asked, observed: np.ndarray, methods: RoomMethods | None) -> Found:
    """Return the estimates and scores of all methods that are trained, and of those that need no training."""
    knobs = asked.knobs
    decisions = _decisions(knobs.seen)
    posterior = room_posterior(
        knobs.room,
        scenes_of(knobs.width, knobs.scenes),
        observed[None],
        n_measurements=knobs.n_measurements,
        n_flips=knobs.n_flips,
        counts=decisions.counts,
    )
    (best,) = decisions.of(observed[None], ("accuracy", "hamming_score"))
    sensed = RoomMethods(knobs.room, {}, {}) if methods is None else methods
    inferred = sensed.infer(observed)
    found = inferred.probabilities | {OPTIMUM: posterior.marginals[0]}
    decided = inferred.decided | {OPTIMUM: best["accuracy"][0]}
    shown = [name for name in ORDER if name in found]
    found, decided = ({name: of[name] for name in shown} for of in (found, decided))
    return Found(found, decided, scores(decided, best, asked), float(posterior.effective_sizes[0]))


def scores(decided: Mapping[str, np.ndarray], best: Mapping[str, np.ndarray], asked: Asked) -> pd.DataFrame:
    """Return the scores of each method on this one scene, and of calling every tile empty.

    The optimum decides for each score on its own, as in `best`, and for people and tiles as for accuracy. A person is
    found where half of its tiles are called occupied.
    """
    truth = asked.tiles[None]
    people = [tiles_of([body], asked.knobs.width) == 1 for body in asked.bodies]
    watched = asked.zones.any(axis=0)
    rows = {}
    for name, of_method in {**decided, NOBODY: np.zeros_like(asked.tiles)}.items():
        tiles = of_method[None]
        found = [person for person in people if tiles[0, person].mean() >= 0.5]
        rows[name] = {
            "accuracy": accuracy(truth, tiles),
            "hamming_score": hamming_score(truth, best["hamming_score"] if name == OPTIMUM else tiles),
            "n_found": len(found),
            "n_guessed": sum(not np.asarray(watched)[person].any() for person in found),
            "n_false": int((tiles > truth).sum()),
            "n_missed": int((tiles < truth).sum()),
        }
    return pd.DataFrame.from_dict(rows, orient="index")


def readings(asked: Asked, observed: np.ndarray) -> pd.DataFrame:
    """Return the reading of each sensor and the probability of a positive measurement."""
    return pd.DataFrame(
        {
            "sensor": np.arange(1, asked.knobs.room.n_sensors + 1),
            "reading": observed,
            "expected": asked.expected,
            "occupied": asked.in_zones,
            "zone": asked.zones.sum(axis=1),
        }
    )
