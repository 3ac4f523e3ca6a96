"""The controls of the Room page: a room, the scenes that methods learn from, and one reading of the sensors."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property
from typing import Literal, TypeAlias

import numpy as np
import streamlit as st
from components.parts import asking, button, choice, plain
from sklearn.base import BaseEstimator
from state.sources import Source
from state.tuning import DECISIONS, MOST_SEED
from streamlit.delta_generator import DeltaGenerator

from trellislib.data.room import Room
from trellislib.data.room_files import read_room, written_room
from trellislib.data.room_scenes import Scenes, paper_scenes, people_scenes, person_side
from trellislib.decisions import Rule
from trellislib.learners import LeastSquares, Logistic
from trellislib.wording import counted, listed
from views.room.board import Action
from views.room.state import (
    MOST_BODIES,
    Body,
    StateError,
    bodies_of,
    read_layout,
    read_people,
    tiles_of,
    toggled,
    with_moved,
    with_sensor,
    without_sensor,
    written_layout,
    written_people,
)

WIDTHS = ("10", "20", "100")
SIZES = (100, 200, 500, 1000, 2000, 5000, 10_000, 20_000, 50_000)
SWEEPS = (100, 200, 500, 1000)
MOST_PEOPLE = 3
SCENES = {"people": "1 to 3 people", "paper": "as in the paper"}
LEARNERS = {"logistic": "logistic regression", "auto": "automatic", "least squares": "least squares"}
Estimator: TypeAlias = BaseEstimator | Literal["auto"]
ESTIMATORS: dict[str, Estimator] = {"logistic": Logistic(), "auto": "auto", "least squares": LeastSquares()}
PLACEMENTS = {"tiles": "as on the floor", "hill-climbing": "by hill climbing"}

ask = asking(
    room_people="Row-column of each one's lower left tile, from 1, such as 3-4,10-2; or nobody.",
    room_layout="Points x,y from 0 to 10: the two ends of the light, then the sensors.",
    room_scenes="**1 to 3 people**: blocks of W / 10 tiles, anywhere. **As in the paper**: a rectangle anywhere, and "
    "a square in the corner furthest from it.",
    room_n="Simulated scenes.",
    room_decide="Which tiles each method calls occupied. **accuracy**: those of the highest expected accuracy, "
    "as if tiles were independent given the readings. **As the paper does**: each tile at one half, so those more "
    "probable than not. Of few people on many tiles hardly any is.",
    room_learner="Of each tile in IC, CT and CDT. **Automatic** is least squares on features and penalties that are "
    "chosen by leave-one-out: best for IC and CT, but it lets the samples of CDT stick.",
    room_reading="Resample readings adds 1.",
    room_fn="A sensor misses the only tile.",
    room_fp="An empty zone is reported.",
    room_m="By each sensor; a reading is their mean.",
    room_noise="Tiles of each training scene that flip after the sensors have seen it; the paper has 1%.",
    room_d="Of the default layout.",
    room_placement="Each tile next to its neighbours on the floor, or placed by mutual information (Algorithm 1).",
    room_sweeps="Of CDT, a tenth of them discarded; the paper has 100. Tiles of a person come and go together, so "
    "that few sweeps leave much to chance.",
    room_seed="Draws the training rows.",
)


@dataclass(frozen=True)
class Knobs:
    """The setting that methods learn: a room, the scenes in it, and how it is measured."""

    width: int = 20
    n_sensors: int = 30
    layout: str = ""  # where it is not the default one
    false_negative: float = 0.15
    false_positive: float = 0.01
    scenes: str = "people"
    n_training: int = 1000
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
        default = Knobs()
        are = {
            "layout": self.layout != "",
            "scenes": self.scenes != "paper",
            "error rates": (self.false_negative, self.false_positive)
            != (default.false_negative, default.false_positive),
            "noise": self.noise != default.noise,
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
            f" Noise: in each training row {counted(self.n_flips, 'tile')} {'is' if self.n_flips == 1 else 'are'} "
            "changed at random, between empty and occupied, which no sensor can see; the scene here "
            "has none of it."
        )


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


def controls(row: DeltaGenerator) -> Asked:
    """Show the controls in a row and return their setting; warn of each text that cannot be read."""
    with row:
        width = int(choice("Tiles per side W", WIDTHS, key="room_w", default="20", on_change=_clear_people))
        kind = ask(
            st.selectbox, "Scenes to learn from", "room_scenes", list(SCENES), format_func=SCENES.__getitem__, width=160
        )
        decide_for = ask(st.selectbox, "Decide for", "room_decide", sorted(DECISIONS), width=170)
        more = st.popover("More", icon=":material/tune:")
    with more:
        left, middle, right = st.container(width=660).columns(3, gap="medium")  # all of it is seen on a low screen
        knobs = _more(Knobs(width=width, scenes=kind, decide_for=decide_for), left, middle, right)
        with right:
            reading = ask(st.number_input, "Reading", "room_reading", 0, MOST_SEED)
            people, layout = _texts()
    knobs = _with_layout(knobs, layout)
    return Asked(knobs, _bodies(knobs, people), reading)


def _more(knobs: Knobs, left: DeltaGenerator, middle: DeltaGenerator, right: DeltaGenerator) -> Knobs:
    return replace(
        knobs,
        false_negative=ask(left.slider, "False negative rate", "room_fn", 0.0, 1.0, 0.15, 0.01),
        false_positive=ask(left.slider, "False positive rate", "room_fp", 0.0, 1.0, 0.01, 0.01),
        n_measurements=ask(left.slider, "Measurements M", "room_m", 1, 20),
        noise=ask(left.slider, "Noise: % of tiles", "room_noise", 0.0, 5.0, 1.0, 0.5),
        n_training=ask(middle.select_slider, "Training rows N", "room_n", SIZES, 1000),
        n_sensors=ask(middle.slider, "Sensors D", "room_d", 3, 60, 30, on_change=_clear_layout),
        placement=ask(
            middle.selectbox, "Trellis", "room_placement", list(PLACEMENTS), format_func=PLACEMENTS.__getitem__
        ),
        n_sweeps=ask(middle.select_slider, "Gibbs sweeps T", "room_sweeps", SWEEPS, 100),
        learner=ask(right.selectbox, "Base learner", "room_learner", list(LEARNERS), format_func=LEARNERS.__getitem__),
        seed=ask(right.number_input, "Seed", "room_seed", 0, MOST_SEED),
    )


def _texts() -> tuple[str, str]:
    """Show people and layout as texts, set on every run: a popover that opens later would begin empty."""
    for name in ("room_people", "room_layout"):
        st.session_state[name] = st.session_state.get(name) or ""
    people = ask(st.text_input, "People", "room_people", placeholder="drawn by the seed")
    layout = ask(st.text_input, "Light and sensors", "room_layout", placeholder="by default")
    return people or "", layout or ""


def _with_layout(knobs: Knobs, layout: str) -> Knobs:
    try:
        if layout:
            read_layout(layout, knobs.room)
    except StateError as error:
        st.warning(plain(f"{error} The default layout is shown."), icon=":material/warning:")
        return knobs
    return replace(knobs, layout=layout)


def _bodies(knobs: Knobs, people: str) -> tuple[Body, ...]:
    """Return the people in the room: those of the text, or of a scene that is drawn."""
    if people:
        try:
            return read_people(people, knobs.width)
        except StateError as error:
            st.warning(plain(f"{error} A scene that the seed draws is shown."), icon=":material/warning:")
    drawn = scenes_of(knobs.width, knobs.scenes).drawn(1, knobs.seed)
    return bodies_of(drawn.toarray()[0], knobs.width)


def act(asked: Asked, action: Action) -> None:
    room = asked.knobs.room
    if action.what == "tile":
        bodies = toggled(asked.bodies, action.row, action.column, room.width)
        if len(bodies) > MOST_BODIES:
            st.toast(f"At most {MOST_BODIES} people.", icon=":material/info:")
            return
        st.session_state["room_people"] = written_people(bodies, room.width)
        return
    if action.what == "add":
        room = with_sensor(room, action.x, action.y)
    elif action.what == "remove":
        room = without_sensor(room, action.index)
    elif action.x is not None and action.y is not None:
        room = with_moved(room, action.what, action.index, action.x, action.y)
    st.session_state["room_layout"] = written_layout(room)


def scene_buttons(asked: Asked) -> None:
    """Show the buttons that resample the readings, draw a scene, clear the room and change the layout."""
    with st.container(horizontal=True):
        button(
            "Resample readings",
            "resample",
            "casino",
            _resample,
            help="The same people stay; the sensors report again, with other errors.",
        )
        button(
            "New scene",
            "draw scene",
            "shuffle",
            _draw,
            help="Other people, drawn from the scenes to learn from; the sensors report them.",
        )
        button("Clear the room", "clear room", "person_off", _nobody)
        button("Default layout", "default layout", "restart_alt", _clear_layout, disabled=not asked.knobs.layout)
        _layout_file(asked)
    if error := st.session_state.pop("room error", ""):
        st.error(plain(error), icon=":material/error:")


def _layout_file(asked: Asked) -> None:
    with st.popover("Layout file", icon=":material/data_object:"):
        st.download_button(
            "Save this room as JSON",
            written_room(asked.knobs.room),
            file_name="room.json",
            mime="application/json",
            on_click="ignore",
            icon=":material/download:",
            key="save room",
        )
        st.file_uploader(
            "A room to show",
            type="json",
            key="room file",
            on_change=_read_file,
            max_upload_size=1,
            accept_multiple_files=False,
        )
        st.text_area("Or its JSON", key="room json", height=100)
        button("Show this room", "show room", "upload", _read_pasted)


def _read_file() -> None:
    dropped = st.session_state["room file"]
    if dropped is not None:
        _take(dropped.getvalue().decode("utf-8", errors="replace"))


def _read_pasted() -> None:
    _take(st.session_state["room json"] or "")


def _take(text: str) -> None:
    """Show the room of a file, or keep the error."""
    try:
        room = read_room(text)
        if str(room.width) not in WIDTHS:
            raise StateError(f"Got a room {room.width} tiles wide, but this page shows those of {', '.join(WIDTHS)}.")
        layout = written_layout(room)
        read_layout(layout, room)
    except ValueError as error:
        st.session_state["room error"] = str(error)
        return
    if str(room.width) != st.session_state.get("room_w"):
        _clear_people()
    st.session_state["room_w"] = str(room.width)
    st.session_state["room_layout"] = layout
    st.session_state["room_fn"], st.session_state["room_fp"] = float(room.false_negative), float(room.false_positive)


def _resample() -> None:
    st.session_state["room_reading"] = (st.session_state.get("room_reading", 0) + 1) % (MOST_SEED + 1)


def _draw() -> None:
    width = int(st.session_state["room_w"] or "20")
    drawn = scenes_of(width, st.session_state["room_scenes"]).drawn(1, np.random.default_rng())
    st.session_state["room_people"] = written_people(bodies_of(drawn.toarray()[0], width), width)


def _nobody() -> None:
    st.session_state["room_people"] = written_people((), 1)


def _clear_people() -> None:
    st.session_state["room_people"] = ""


def _clear_layout() -> None:
    st.session_state["room_layout"] = ""
