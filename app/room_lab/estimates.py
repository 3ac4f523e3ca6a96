"""What methods make of one reading of the room, and how right they are."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
import pandas as pd
import streamlit as st
from session import Workspace

from room_lab.knobs import Asked, Knobs, scenes_of
from trellislib.data.room_scenes import simulate_scenes
from trellislib.metrics import accuracy, hamming_score
from trellislib.progress import Cancelled, Progress
from trellislib.room_comparison import OPTIMUM, RoomMethods, fit_room_methods
from trellislib.room_estimate import map_estimate
from trellislib.room_posterior import room_posterior

AT_ONCE = 2.0  # seconds of training up to which nobody need ask for it
KINDS = {
    "IC": "independent classifiers",
    "CT": "classifier trellis",
    "CDT": "dependency trellis, by Gibbs sampling",
    "MAP": "Algorithm 3, knows the sensors",
    OPTIMUM: "knows the sensors and the scenes",
}


def seconds(knobs: Knobs) -> float:
    """Return about how long training takes, as it was measured on one core."""
    n_labels = knobs.width**2
    searched = 7e-8 * n_labels**2 if knobs.placement == "hill-climbing" else 0.0
    return 0.1 + n_labels * (3e-5 + 3.2e-8 * knobs.n_training) + searched


def fitted(knobs: Knobs, progress: Progress | None = None, cancelled: Cancelled | None = None) -> RoomMethods:
    """Simulate training rows and fit the methods to them."""
    data = simulate_scenes(
        knobs.room,
        scenes_of(knobs.width, knobs.scenes),
        knobs.n_training,
        n_measurements=knobs.n_measurements,
        n_flips=knobs.n_flips,
        random_state=knobs.seed,
    )
    return fit_room_methods(
        knobs.room, data, placement=knobs.placement, random_state=knobs.seed, progress=progress, cancelled=cancelled
    )


@st.cache_resource(max_entries=16, show_spinner="Training on simulated scenes…")
def _fitted_at_once(knobs: Knobs) -> RoomMethods:
    return fitted(knobs)


def trained(workspace: Workspace, knobs: Knobs) -> RoomMethods | None:
    """Return the methods, if they are trained in a moment or were trained by a job."""
    job = workspace.job(("room", knobs))
    if job is not None and job.state == "done":
        return job.result
    return _fitted_at_once(knobs) if seconds(knobs) <= AT_ONCE else None


def of_reading(asked: Asked, observed: np.ndarray, methods: RoomMethods | None) -> dict[str, np.ndarray]:
    """Return how probable each tile is to be occupied, by method; without those that are not trained."""
    knobs = asked.knobs
    found = methods.estimates(observed) if methods else {"MAP": map_estimate(knobs.room, observed[None])[0]}
    posterior = room_posterior(
        knobs.room,
        scenes_of(knobs.width, knobs.scenes),
        observed[None],
        n_measurements=knobs.n_measurements,
        n_flips=knobs.n_flips,
    )
    return found | {OPTIMUM: posterior.marginals[0]}


def scores(estimates: Mapping[str, np.ndarray], tiles: np.ndarray) -> pd.DataFrame:
    """Return the scores of each method on this one scene; what is more likely than not counts as occupied."""
    rows = {}
    for name, estimate in estimates.items():
        decided = (estimate > 0.5).astype(int)[None]
        rows[name] = {
            "accuracy": accuracy(tiles[None], decided),
            "hamming_score": hamming_score(tiles[None], decided),
            "n_wrong": int((decided[0] != tiles).sum()),
        }
    return pd.DataFrame.from_dict(rows, orient="index")


def readings(asked: Asked, observed: np.ndarray) -> pd.DataFrame:
    """Return what each sensor reports, beside how probable that was."""
    room = asked.knobs.room
    zones = room.zones()
    in_zone = zones @ asked.tiles.astype(int)
    return pd.DataFrame(
        {
            "sensor": np.arange(1, room.n_sensors + 1),
            "reading": observed,
            "expected": room.detection_probability(in_zone),
            "occupied": in_zone,
            "zone": zones.sum(axis=1),
        }
    )


def told(asked: Asked, observed: np.ndarray, found: pd.DataFrame) -> str:
    """Return the sentence of the page: who is closest on this reading, and what nobody can see."""
    n_tiles = int(asked.tiles.sum())
    firing, n_sensors = int((observed > 0.5).sum()), len(observed)
    hidden = int((asked.tiles.astype(bool) & ~asked.knobs.room.zones().any(axis=0)).sum())
    shadow = f"; {hidden} of them stand where no sensor looks" if hidden else ""
    if not n_tiles:
        return f"The room is empty, and {firing} of {n_sensors} sensors detect something all the same."
    best = int(found["n_wrong"].min())
    closest = found.index[found["n_wrong"] == best]
    misses = "no tile" if best == 0 else f"{best:,} tile{'s' * (best > 1)}"
    who = f"{', '.join(closest[:-1])} and {closest[-1]}" if len(closest) > 1 else closest[0]
    return (
        f"{firing} of {n_sensors} sensors detect something of {n_tiles} occupied tiles{shadow}: closest "
        f"{'are' if len(closest) > 1 else 'is'} {who}, with {misses} wrong."
    )
