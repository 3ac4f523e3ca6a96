"""Room: people, sensors, and the estimate of each method from the same reading."""

from functools import partial

import numpy as np
import streamlit as st
from components.parts import button, choice, figure, foot, legend_on_stage, opening, plain, working
from components.pinning import changes, pinning, sides
from components.saving import save, table_files
from state import session
from state.call import Script
from state.tuning import AS_INFERRED

from trellislib.figures import room_estimates_figure
from trellislib.running.progress import about
from trellislib.summaries import (
    about_room_difference,
    about_room_estimates,
    about_room_posterior,
    about_stuck_samples,
)
from views.room import code, estimates, knobs, setting, tables
from views.room.board import room_board
from views.room.estimates import Found
from views.room.setting import Asked

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


def maps(asked: Asked, found: Found, sentence: str, *, which: str = "", caption: str = "") -> None:
    """Show the truth and the estimate of each method under its name and scores; `which` of two settings it is."""
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
        key=f"estimates{which}",
        stem=f"{STEM}-estimates{which}",
        caption=caption,
        height="stretch",
    )


def details(asked: Asked, observed: np.ndarray, found: Found) -> None:
    """Show how to read the estimates, their scores as a table, and the reading of each sensor."""
    foreseen = setting.is_foreseen(asked)
    scenes = setting.scenes_of(asked.knobs.width, asked.knobs.scenes)
    size = None if scenes.is_complete else found.effective_size
    with st.expander("About this figure"):
        for text in (
            "A sensor is filled where more than half of its measurements are positive. Something then stands between "
            "it and the light, or it is a false alarm.",
            "MAP is Algorithm 3 of the paper, which knows the sensors. It marks the tiles that only filled sensors "
            "see. Hatched tiles stay at 1/2.",
            f"Scores are of this one scene. {_DECIDED[asked.knobs.decide_for]}{asked.knobs.noise_note} "
            + about_stuck_samples(found.scores),
            "The optimum is computed for each score. It is the best on average (for accuracy nearly so). "
            + about_room_posterior(len(scenes.prior), size, is_foreseen=foreseen),
            "A person counts as found where half of its tiles are marked. The opacity of a pale tile is the square "
            "root of its probability.",
        ):
            st.markdown(plain(text))
    with st.expander("Scores as a table"):
        shown = found.scores.assign(kind=estimates.KINDS).rename(
            columns={
                "accuracy": "Accuracy ↑",
                "hamming_score": "Hamming ↑",
                "n_found": "People found ↑",
                "n_guessed": "Found on hatched tiles",
                "n_false": "Empty tiles marked ↓",
                "n_missed": "Occupied tiles missed ↓",
                "kind": "What it is",
            }
        )
        st.dataframe(shown, key="room scores", column_config={"Accuracy ↑": _THREE, "Hamming ↑": _THREE})
        save(f"{STEM}-scores", table=table_files(shown, index=True))
    with st.expander("Readings of the sensors"):
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
                    help="Probability of a positive measurement by the sensor model, p(x = 1 | c), in the true scene.",
                ),
                "occupied": st.column_config.NumberColumn("Occupied", help="Occupied tiles in its zone, c."),
                "zone": st.column_config.NumberColumn("Zone", help="Tiles in its triangle."),
            },
        )
        save(f"{STEM}-readings", table=table_files(table))


_DECIDED = {
    "accuracy": "IC, CT and CDT decide for accuracy, MAP at 1/2.",
    AS_INFERRED: "As in the paper, each tile is marked where its probability is above 1/2.",
}
_LEGEND = (
    "Solid tiles are marked as occupied. The stronger a pale tile, the more probable. Green frames show the truth. "
    "No sensor sees hatched tiles."
)
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
                    f"Links cannot store this room's data, because {asked.knobs.differs}. Save them on Data "
                    "(MEKA ARFF) to load them elsewhere."
                ),
                width="stretch",
            )


def found_in(asked: Asked) -> tuple[np.ndarray, Found, str]:
    """Return the reading in a setting, what methods make of it, and a sentence about that."""
    observed = asked.observed()
    found = estimates.of_reading(asked, observed, estimates.trained(session.workspace(), asked.knobs))
    scenes = setting.scenes_of(asked.knobs.width, asked.knobs.scenes)
    sentence = about_room_estimates(
        found.scores,
        len(asked.bodies),
        asked.n_hidden,
        asked.n_partial,
        effective_size=None if scenes.is_complete else found.effective_size,
        is_foreseen=setting.is_foreseen(asked),
    )
    return observed, found, sentence


def both(pinned: Asked, asked: Asked, found: Found, sentence: str) -> None:
    """Show the pinned setting A next to the present one, B, and their difference in one sentence."""
    _, before, sentence_before = found_in(pinned)
    change = changes(setting.in_words(pinned), setting.in_words(asked))
    n_people = len(pinned.bodies), len(asked.bodies)
    answer.markdown(plain(about_room_difference(before.scores, found.scores, n_people, change)))
    first, second = sides()
    with first:
        maps(pinned, before, sentence_before, which="-a")
    with second:
        maps(asked, found, sentence, which="-b")


def scene() -> Script:
    """Show one scene; return its Python."""
    asked, end = knobs.controls(controls)
    with end:
        pinned = pinning("room", setting.written(asked), setting.read)
    observed, found, sentence = found_in(asked)
    answer.markdown(plain(sentence))
    left, right = st.columns([5, 6] if pinned is None else [3, 8], gap="medium")
    with left:
        room_board(
            asked.knobs.room,
            asked.bodies,
            observed,
            asked.expected,
            key="room board",
            on_action=lambda action: knobs.act(asked, action),
        )
    is_trained = estimates.trained(session.workspace(), asked.knobs) is not None
    with right:
        if pinned is None:
            maps(asked, found, sentence, caption=_LEGEND)
            legend_on_stage(_LEGEND)
        else:
            both(pinned, asked, found, sentence)
        if not is_trained:
            train(asked)
    knobs.scene_buttons(asked)
    details(asked, observed, found)
    use(asked)
    return code.of_scene(asked, is_trained)


# The sentence has room at its longest, so that the board does not move under the pointer. The maps fill what is left of
# the screen, as the board does.
st.html(
    "<style>.st-key-room-head [data-testid='stMarkdown'] {min-height: 4.8rem} "
    ".st-key-estimates [data-testid='stPlotlyChart'] {height: clamp(390px, calc(100vh - 21rem), 34vw) !important} "
    "[class*='st-key-estimates-'] [data-testid='stPlotlyChart'] {height: clamp(340px, calc(100vh - 24rem), 28vw) "
    "!important} @media (max-width: 640px) {.st-key-room-head [data-testid='stMarkdown'] {min-height: 9.6rem}}</style>"
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
