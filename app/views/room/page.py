"""Room: people, sensors, and the estimate of each method from the same reading."""

from functools import partial

import numpy as np
import streamlit as st
from components.parts import button, choice, figure, foot, opening, plain, working
from components.saving import save, table_files
from state import session
from state.call import Script
from state.tuning import AS_INFERRED

from trellislib.figures import room_estimates_figure
from trellislib.running.progress import about
from trellislib.summaries import about_room_estimates, about_room_posterior
from views.room import code, estimates, knobs, tables
from views.room.board import room_board
from views.room.estimates import Found
from views.room.knobs import Asked

SCENE, TABLES = "One scene", "The paper's tables"
STEM = "room"


def train(asked: Asked) -> None:
    """Show the button that trains the methods, or the progress of that."""
    takes = about(estimates.seconds(asked.knobs))
    working(
        session.workspace(),
        ("room", asked.knobs),
        f"Train IC, CT and CDT on {asked.knobs.n_training:,} scenes, about {takes}",
        "model_training",
        partial(estimates.fitted, asked.knobs),
        name="train room",
        is_primary=True,
    )


def side_by_side(asked: Asked, found: Found, sentence: str) -> None:
    """Show the truth and the estimate of each method under its name and scores."""
    captions = {
        name: (f"Hamming {row['hamming_score']:.3f}", f"accuracy {row['accuracy']:.3f}")
        for name, row in found.scores.iterrows()
    }
    figure(
        room_estimates_figure(
            asked.knobs.room,
            {estimates.TRUTH: asked.tiles, **found.estimates},
            asked.tiles,
            captions=captions,
            decided={estimates.TRUTH: asked.tiles, **found.decided},
        ),
        alt=sentence,
        key="estimates",
        stem=f"{STEM}-estimates",
        caption="Solid tiles are called occupied; of the pale ones fuller is more probable. Green frames are true. "
        "Hatched: no sensor's triangle covers the tile's middle.",
    )


def details(asked: Asked, observed: np.ndarray, found: Found) -> None:
    """Show how to read the estimates, their scores as a table, and the reading of each sensor."""
    foreseen = knobs.is_foreseen(asked)
    scenes = knobs.scenes_of(asked.knobs.width, asked.knobs.scenes)
    size = None if scenes.is_complete else found.effective_size
    st.caption(
        "A sensor is filled where more than half of its measurements are positive: something stands between it and the "
        "light, or it is a false alarm. MAP is Algorithm 3 of the paper, which knows the sensors: tiles in the "
        "triangle of a sensor that is not filled are empty, the others occupied, and hatched ones stay at 1/2."
    )
    st.caption(
        plain(
            f"Scores ↑ are of this one scene, without noise. {_DECIDED[asked.knobs.decide_for]} The "
            "optimum decides for each score on its own, as is best on average (for accuracy nearly so), and on people "
            "as for accuracy. A person is found where half of its tiles are called occupied. "
            "Pale tiles are as full as the square root of their probability. "
            + about_room_posterior(len(scenes.prior), size, is_foreseen=foreseen)
            + asked.knobs.noise_note
        )
    )
    with st.expander("Scores as a table"):
        shown = found.scores.assign(kind=estimates.KINDS).rename(
            columns={
                "accuracy": "Accuracy ↑",
                "hamming_score": "Hamming ↑",
                "n_found": "People found ↑",
                "n_guessed": "Of these on hatched tiles alone",
                "n_false": "Empty tiles called occupied ↓",
                "n_missed": "Occupied tiles missed ↓",
                "kind": "What it is",
            }
        )
        st.dataframe(shown, key="room scores", column_config={"Accuracy ↑": _THREE, "Hamming ↑": _THREE})
        save(f"{STEM}-scores", table=table_files(shown, index=True))
    with st.expander("The reading of each sensor, next to its probability by the model"):
        table = estimates.readings(asked, observed)
        st.dataframe(
            table,
            hide_index=True,
            key="readings",
            height=420,
            column_config={
                "sensor": st.column_config.NumberColumn("Sensor"),
                "reading": st.column_config.NumberColumn(
                    "Reading", format="%.3g", help="Share of its measurements that are positive."
                ),
                "expected": st.column_config.ProgressColumn(
                    "Expected",
                    format="%.3f",
                    min_value=0,
                    max_value=1,
                    help="Probability of a positive measurement, p(x = 1 | c), of what really stands there.",
                ),
                "occupied": st.column_config.NumberColumn("Occupied", help="Occupied tiles in its zone, c."),
                "zone": st.column_config.NumberColumn("Zone", help="Tiles in its triangle."),
            },
        )
        save(f"{STEM}-readings", table=table_files(table))


_DECIDED = {
    "accuracy": "IC, CT and CDT decide for accuracy, MAP at one half.",
    AS_INFERRED: "As in the paper, each tile is decided at one half: occupied where that is more probable than 1/2.",
}
_THREE = st.column_config.NumberColumn(format="%.3f")


def use(asked: Asked) -> None:
    """Show the button that uses this room's data on all pages, and which of them an address can name."""
    workspace, source = session.workspace(), asked.knobs.source
    in_use = workspace.source == source and st.session_state.get("room used", asked.knobs) == asked.knobs

    def show() -> None:
        workspace.use(source, estimates.simulated(asked.knobs))
        st.session_state["room used"] = asked.knobs

    with st.container(horizontal=True, vertical_alignment="center"):
        button(
            "In use on all pages" if in_use else "Use this room's data on the other pages",
            "use room",
            "check" if in_use else "database",
            show,
            disabled=in_use,
            width="content",
        )
        if asked.knobs.differs:
            st.caption(
                plain(
                    f"An address can only name the paper's room, and of this one {asked.knobs.differs}: save its data "
                    "on Data (MEKA ARFF) to load them elsewhere."
                ),
                width="stretch",
            )


def scene() -> Script:
    """Show one scene; return its Python."""
    asked = knobs.controls(controls)
    observed = asked.observed()
    left, right = st.columns([5, 6], gap="medium")
    with left:
        room_board(
            asked.knobs.room,
            asked.bodies,
            observed,
            asked.expected,
            key="room board",
            on_action=lambda action: knobs.act(asked, action),
        )
    methods = estimates.trained(session.workspace(), asked.knobs)
    found = estimates.of_reading(asked, observed, methods)
    scenes = knobs.scenes_of(asked.knobs.width, asked.knobs.scenes)
    sentence = about_room_estimates(
        found.scores,
        len(asked.bodies),
        asked.n_hidden,
        asked.n_partial,
        effective_size=None if scenes.is_complete else found.effective_size,
        is_foreseen=knobs.is_foreseen(asked),
    )
    answer.markdown(plain(sentence))
    with right:
        side_by_side(asked, found, sentence)
        if methods is None:
            train(asked)
    knobs.scene_buttons(asked)
    details(asked, observed, found)
    use(asked)
    return code.of_scene(asked, methods is not None)


# Room for the sentence at its longest: a shorter one must not move the board under the pointer.
st.html(
    "<style>.st-key-room-head [data-testid='stMarkdown'] {min-height: 4.8rem} @media (max-width: 640px) "
    "{.st-key-room-head [data-testid='stMarkdown'] {min-height: 12.8rem}}</style>"
)
with st.container(key="room-head"):
    answer = opening("Where are the people?")
controls = st.container(horizontal=True, vertical_alignment="bottom")
with controls:
    view = choice("View", [SCENE, TABLES], key="room_view", default=SCENE)
if view == SCENE:
    foot(scene())
else:
    sentence, scale = tables.view(controls)
    answer.markdown(plain(sentence))
    foot(code.of_tables(scale))
