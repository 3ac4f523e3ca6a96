"""The setting of the Room page: a room, the scenes that methods learn from, and one reading of the sensors."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import asdict, dataclass
from functools import cached_property
from typing import Any, Literal, TypeAlias

import numpy as np
import streamlit as st
from sklearn.base import BaseEstimator
from state.sources import Source
from state.tuning import DECISIONS, MOST_SEED

from trellislib.data.room import Room
from trellislib.data.room_scenes import Scenes, paper_scenes, people_scenes, person_side
from trellislib.decisions import Rule
from trellislib.learners import LeastSquares, Logistic
from trellislib.wording import counted, listed
from views.room.state import Body, StateError, read_layout, read_people, tiles_of, written_people

WIDTHS = ("10", "20", "100")
SIZES = (100, 200, 500, 1000, 2000, 5000, 10_000, 20_000, 50_000)
SWEEPS = (100, 200, 500, 1000)
MOST_MEASUREMENTS, MOST_NOISE = 20, 5.0
FEWEST_SENSORS, MOST_PLACED = 3, 60  # by the slider
MOST_PEOPLE = 3
SCENES = {"people": "1 to 3 people", "paper": "as in the paper"}
LEARNERS = {"logistic": "logistic regression", "auto": "automatic", "least squares": "least squares"}
Estimator: TypeAlias = BaseEstimator | Literal["auto"]
ESTIMATORS: dict[str, Estimator] = {"logistic": Logistic(), "auto": "auto", "least squares": LeastSquares()}
PLACEMENTS = {"tiles": "as on the floor", "hill-climbing": "by hill climbing"}


@dataclass(frozen=True)
class Knobs:
    """The setting that methods learn: a room, the scenes in it, and how it is measured."""

    width: int = 10
    n_sensors: int = 30
    layout: str = ""  # where it is not the default one
    false_negative: float = 0.15
    false_positive: float = 0.01
    scenes: str = "people"
    n_training: int = 2000
    n_measurements: int = 1
    noise: float = 1.0  # percent of the tiles that flip
    placement: str = "tiles"
    n_sweeps: int = 100
    seed: int = 0
    decide_for: str = "accuracy"
    learner: str = "logistic"

    @cached_property
    def room(self) -> Room:
        default = Room.default(self.width, self.n_sensors, self.false_negative, self.false_positive)
        return read_layout(self.layout, default) if self.layout else default

    @property
    def decide(self) -> Rule | None:
        """The rule that methods decide by; None where each tile is decided at one half."""
        return DECISIONS[self.decide_for]

    @property
    def estimator(self) -> Estimator:
        """The base learner."""
        return ESTIMATORS[self.learner]

    @property
    def n_flips(self) -> int:
        return int(self.width**2 * self.noise / 100)

    @property
    def seen(self) -> Knobs:
        """The same sensors and scenes with defaults for all that concerns training."""
        sensors = self.n_sensors, self.layout, self.false_negative, self.false_positive
        return Knobs(self.width, *sensors, self.scenes, n_measurements=self.n_measurements)

    @property
    def source(self) -> Source:
        """The source of this room's data on other pages: the paper's simulation, or a file that can be saved."""
        if self.differs:
            return Source.of("load", source=f"Room-{self.width}-x-{self.width}-data.arff")
        return Source.of(
            "simulate_room",
            n_instances=self.n_training,
            width=self.width,
            n_sensors=self.n_sensors,
            n_measurements=self.n_measurements,
            random_state=self.seed,
        )

    @property
    def differs(self) -> str:
        """How it differs from the paper's room, which other pages can simulate; empty where it does not."""
        are = {
            "layout": self.layout != "",
            "scenes": self.scenes != "paper",
            "error rates": (self.false_negative, self.false_positive)
            != (DEFAULT.false_negative, DEFAULT.false_positive),
            "noise": self.noise != DEFAULT.noise,
        }
        named = [what for what, is_so in are.items() if is_so]
        verb = "differs" if named in (["layout"], ["noise"]) else "differ"
        return f"its {listed(named)} {verb} from the paper's" if named else ""

    @property
    def noise_note(self) -> str:
        """A sentence about the noise of the training rows; empty without noise."""
        if not self.n_flips:
            return ""
        return (
            f" Noise flips {counted(self.n_flips, 'random tile')} of each training row. No sensor sees it. "
            "The scene here has no noise."
        )


DEFAULT = Knobs()


@dataclass(frozen=True)
class Asked:
    """A room, the people that stand in it, and the number of the reading."""

    knobs: Knobs
    bodies: tuple[Body, ...]
    reading: int

    @cached_property
    def tiles(self) -> np.ndarray:
        return tiles_of(self.bodies, self.knobs.width)

    @cached_property
    def zones(self) -> np.ndarray:
        return self.knobs.room.zones()

    @property
    def in_zones(self) -> np.ndarray:
        """Occupied tiles in the zone of each sensor."""
        return self.zones @ self.tiles.astype(int)

    @property
    def expected(self) -> np.ndarray:
        """Probability of a positive measurement by each sensor."""
        return self.knobs.room.detection_probability(self.in_zones)

    @property
    def _shares_watched(self) -> list[float]:
        """For each person, the share of its tiles that some sensor watches; the others are hatched."""
        watched = self.zones.any(axis=0)
        return [np.asarray(watched)[tiles_of([body], self.knobs.width) == 1].mean() for body in self.bodies]

    @property
    def n_hidden(self) -> int:
        """Number of people on hatched tiles alone, which no sensor watches."""
        return sum(share == 0 for share in self._shares_watched)

    @property
    def n_partial(self) -> int:
        """Number of people on hatched tiles and on others."""
        return sum(0 < share < 1 for share in self._shares_watched)

    def observed(self) -> np.ndarray:
        """Return the share of positive measurements of each sensor; moving people keeps the random numbers."""
        rng = np.random.default_rng([self.knobs.seed, self.reading])
        return self.knobs.room.observe(self.tiles[None], self.knobs.n_measurements, rng)[0]


@st.cache_resource(max_entries=6, show_spinner="Listing the scenes…")
def scenes_of(width: int, kind: str) -> Scenes:
    """Return what may stand in a room, which does not depend on its sensors."""
    room = Room.default(width)
    return paper_scenes(room) if kind == "paper" else people_scenes(room, MOST_PEOPLE)


def is_foreseen(asked: Asked) -> bool:
    """Return whether the people in the room are one of the scenes to learn from, in their sample or not."""
    knobs = asked.knobs
    side = person_side(knobs.width)
    are_people = all((body.height, body.width) == (side, side) for body in asked.bodies)
    if knobs.scenes == "people" and are_people and 1 <= len(asked.bodies) <= MOST_PEOPLE:
        return True
    return scenes_of(knobs.width, knobs.scenes).includes(asked.tiles)


SEPARATOR = "~"
OFFERED: Mapping[str, Collection[Any]] = {
    "width": tuple(map(int, WIDTHS)),
    "scenes": SCENES,
    "n_training": SIZES,
    "placement": PLACEMENTS,
    "n_sweeps": SWEEPS,
    "decide_for": DECISIONS,
    "learner": LEARNERS,
}
BOUNDS: Mapping[str, tuple[float, float]] = {
    "n_sensors": (FEWEST_SENSORS, MOST_PLACED),
    "false_negative": (0, 1),
    "false_positive": (0, 1),
    "n_measurements": (1, MOST_MEASUREMENTS),
    "noise": (0, MOST_NOISE),
    "seed": (0, MOST_SEED),
}


def written(asked: Asked) -> str:
    """Return a setting as a text for an address: what differs from the default, the people and the reading."""
    usual = asdict(DEFAULT)
    parts = {name: value for name, value in asdict(asked.knobs).items() if value != usual[name]}
    parts |= {"people": written_people(asked.bodies, asked.knobs.width), "reading": asked.reading}
    return SEPARATOR.join(f"{name}{SEPARATOR}{value}" for name, value in parts.items())


def read(text: str) -> Asked:
    """Return the setting of a text; a StateError where it has what the controls do not offer."""
    parts = text.split(SEPARATOR)
    given = dict(zip(parts[::2], parts[1::2], strict=False))
    people, reading = given.pop("people", ""), given.pop("reading", "0")
    layout = given.pop("layout", "")
    knobs = Knobs(**{name: _value(name, value) for name, value in given.items()}, layout=layout)
    if layout:
        read_layout(layout, Room.default(knobs.width))
    return Asked(knobs, read_people(people, knobs.width), _number("reading", reading, int, (0, MOST_SEED)))


def _value(name: str, text: str) -> Any:
    if name in BOUNDS:
        return _number(name, text, type(getattr(DEFAULT, name)), BOUNDS[name])
    for offered in OFFERED.get(name, ()):
        if text == str(offered):
            return offered
    raise StateError(f"Got {name[:20]} = {text[:20]!r}, which the controls of this page do not offer.")


def _number(name: str, text: str, kind: type[int] | type[float], bounds: tuple[float, float]) -> Any:
    least, most = bounds
    try:
        number = kind(text)
    except ValueError:
        number = most + 1
    if not least <= number <= most:
        raise StateError(f"Got {name} = {text[:20]!r}, but expected a number from {least:,} to {most:,}.")
    return number


def in_words(asked: Asked) -> dict[str, object]:
    """Return the value of each knob by what it is called; no text for what is too long for a sentence."""
    knobs = asked.knobs
    return {
        "W": f"{knobs.width}",
        "N": f"{knobs.n_training:,}",
        "noise": f"{knobs.noise:g}%",
        "learner": LEARNERS[knobs.learner],
        "decisions for": knobs.decide_for,
        "learned scenes": SCENES[knobs.scenes],
        "trellis": PLACEMENTS[knobs.placement],
        "T": f"{knobs.n_sweeps:,}",
        "M": f"{knobs.n_measurements}",
        "D": f"{knobs.room.n_sensors}",
        "false negatives": f"{knobs.false_negative:g}",
        "false positives": f"{knobs.false_positive:g}",
        "seed": f"{knobs.seed}",
        "layout": (knobs.layout,),
        "scene": asked.bodies,
        "reading": (asked.reading,),
    }
