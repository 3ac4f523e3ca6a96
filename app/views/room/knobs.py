"""The controls of the Room page, and what its board and buttons change."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import streamlit as st
from components.parts import asking, button, choice, plain
from state.tuning import DECISIONS, MOST_SEED
from streamlit.delta_generator import DeltaGenerator

from trellislib.data.room_files import read_room, written_room
from views.room.board import Action
from views.room.setting import (
    DEFAULT,
    FEWEST_SENSORS,
    LEARNERS,
    MOST_MEASUREMENTS,
    MOST_NOISE,
    MOST_PLACED,
    PLACEMENTS,
    SCENES,
    SIZES,
    SWEEPS,
    WIDTHS,
    Asked,
    Knobs,
    scenes_of,
)
from views.room.state import (
    MOST_BODIES,
    Body,
    StateError,
    bodies_of,
    read_layout,
    read_people,
    toggled,
    with_moved,
    with_sensor,
    without_sensor,
    written_layout,
    written_people,
)

UNDONE = ("room_w", "room_d", "room_fn", "room_fp", "room_people", "room_layout")  # what Undo brings back
SHOWN, BEFORE = "room shown", "room before"  # these on the last page run, and before people or sensors were lost

ask = asking(
    room_people="Row-column of each one's lower left tile, from 1, such as 3-4,10-2; or nobody.",
    room_layout="Points x,y from 0 to 10: the two ends of the light, then the sensors.",
    room_scenes="**1 to 3 people**: blocks of W / 10 by W / 10 tiles, anywhere. **As in the paper**: a rectangle "
    "anywhere, and a square in the corner furthest from it.",
    room_n="Simulated scenes. More rows find more people.",
    room_decide="Which tiles a method marks. **accuracy**: the set of highest expected accuracy, as if tiles were "
    "independent given the readings. **As the paper does**: each tile above a probability of 1/2. Few people on many "
    "tiles seldom reach 1/2.",
    room_learner="Of each tile in IC, CT and CDT. **Automatic** is least squares with features and penalties chosen by "
    "leave-one-out. It is the most accurate for IC and CT. It takes longer, and CDT can fail with it.",
    room_reading="Number of the reading. Resample readings adds 1.",
    room_fn="Probability that a sensor misses a single occupied tile.",
    room_fp="Probability that a sensor reports an empty zone.",
    room_m="Measurements of each sensor. A reading is their mean.",
    room_noise="Share of tiles that flip in each training scene after the sensors have measured. The paper has 1%.",
    room_d="Number of sensors in the default layout.",
    room_placement="Each tile next to its neighbours on the floor, or placed by mutual information (Algorithm 1).",
    room_sweeps="Sweeps of CDT. The first tenth is discarded. The paper has 100. The tiles of a person change "
    "together, so few sweeps give a rough result.",
    room_seed="Draws the training rows.",
)


def controls(row: DeltaGenerator) -> tuple[Asked, DeltaGenerator]:
    """Show the controls in a row; return their setting, and the place at their end; warn of texts that are wrong."""
    with row:
        usual = str(DEFAULT.width)
        width = int(choice("Tiles per side W", WIDTHS, key="room_w", default=usual, on_change=_clear_people))
        decide_for = ask(st.selectbox, "Decide for", "room_decide", sorted(DECISIONS), width=170)
        more = st.popover("More", icon=":material/tune:")
        pin = st.container(width="content")
    with more:
        left, middle, right = st.container(width=660).columns(3, gap="medium")  # all of it is seen on a low screen
        knobs = _more(Knobs(width=width, decide_for=decide_for), left, middle, right)
        with right:
            reading = ask(st.number_input, "Reading", "room_reading", 0, MOST_SEED)
            people, layout = _texts()
    knobs = _with_layout(knobs, layout)
    asked = Asked(knobs, _bodies(knobs, people), reading)
    st.session_state[SHOWN] = {key: st.session_state[key] for key in UNDONE if key in st.session_state}
    return asked, pin


def _more(knobs: Knobs, left: DeltaGenerator, middle: DeltaGenerator, right: DeltaGenerator) -> Knobs:
    return replace(
        knobs,
        scenes=ask(left.selectbox, "Scenes to learn from", "room_scenes", list(SCENES), format_func=SCENES.__getitem__),
        false_negative=ask(left.slider, "False negative rate", "room_fn", 0.0, 1.0, DEFAULT.false_negative, 0.01),
        false_positive=ask(left.slider, "False positive rate", "room_fp", 0.0, 1.0, DEFAULT.false_positive, 0.01),
        n_measurements=ask(left.slider, "Measurements M", "room_m", 1, MOST_MEASUREMENTS),
        noise=ask(left.slider, "Noise: % of tiles", "room_noise", 0.0, MOST_NOISE, DEFAULT.noise, 0.5),
        n_training=ask(middle.select_slider, "Training rows N", "room_n", SIZES, DEFAULT.n_training),
        n_sensors=ask(
            middle.slider,
            "Sensors D",
            "room_d",
            FEWEST_SENSORS,
            MOST_PLACED,
            DEFAULT.n_sensors,
            on_change=_clear_layout,
        ),
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
        _remember()
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
        button(
            "Undo",
            "undo room",
            "undo",
            _undo,
            disabled=BEFORE not in st.session_state,
            help="Brings back the people and the layout before they were last cleared or replaced.",
        )
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
    _remember()
    if str(room.width) != st.session_state.get("room_w"):
        st.session_state["room_people"] = ""
    st.session_state["room_w"] = str(room.width)
    st.session_state["room_layout"] = layout
    st.session_state["room_fn"], st.session_state["room_fp"] = float(room.false_negative), float(room.false_positive)


def _resample() -> None:
    st.session_state["room_reading"] = (st.session_state.get("room_reading", 0) + 1) % (MOST_SEED + 1)


def _draw() -> None:
    _remember()
    width = int(st.session_state["room_w"] or DEFAULT.width)
    drawn = scenes_of(width, st.session_state["room_scenes"]).drawn(1, np.random.default_rng())
    st.session_state["room_people"] = written_people(bodies_of(drawn.toarray()[0], width), width)


def _nobody() -> None:
    _remember()
    st.session_state["room_people"] = written_people((), 1)


def _clear_people() -> None:
    _remember()
    st.session_state["room_people"] = ""


def _clear_layout() -> None:
    _remember()
    st.session_state["room_layout"] = ""


def _remember() -> None:
    """Keep the room as it is on screen, before people or sensors are lost: a knob that does it has moved already."""
    st.session_state[BEFORE] = st.session_state.get(SHOWN, {})


def _undo() -> None:
    st.session_state.update(st.session_state.pop(BEFORE))
