"""Room: people, sensors, and what each method makes of the same reading."""

import numpy as np
import pandas as pd
import session
import streamlit as st
from parts import choice, figure, foot, opening, plain, running
from room_lab import code, estimates, knobs, tables
from room_lab.board import room_board
from room_lab.knobs import Asked
from saving import save, table_files
from sources import load

from trellislib.figures import room_estimate_figure
from trellislib.progress import about

SCENE, TABLES = "One scene", "The paper's tables"
STEM = "room"


def board(asked: Asked, observed: np.ndarray) -> None:
    """Show the room to be changed, and beside it what the sensors report."""
    room = asked.knobs.room
    table = estimates.readings(asked, observed)
    left, right = st.columns([3, 2], gap="medium")
    with left:
        room_board(
            room,
            asked.bodies,
            observed,
            table["expected"].to_numpy(),
            key="room board",
            on_action=lambda action: knobs.act(asked, action),
        )
        knobs.scene_buttons(asked)
    with right:
        st.markdown("**Readings**, beside the chance that the model gives them")
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
        with st.container(horizontal=True):
            save(f"{STEM}-readings", table=table_files(table))
            knobs.layout_file(asked)


def train(asked: Asked) -> None:
    """Offer to train the methods where that takes a while, or show how far it is."""
    workspace, key = session.workspace(), ("room", asked.knobs)
    job = workspace.job(key)
    if job is not None and job.is_active:
        running(job, "room")
        return
    if job is not None and job.state == "failed":
        st.error(plain(f"Training failed: {job.error}"), icon=":material/error:")
    st.button(
        f"Train IC, CT and CDT on {asked.knobs.n_training:,} scenes, about {about(estimates.seconds(asked.knobs))}",
        key="train room",
        type="primary",
        on_click=workspace.start,
        args=(key, lambda progress, cancelled: estimates.fitted(asked.knobs, progress, cancelled)),
    )


def side_by_side(asked: Asked, found: dict[str, np.ndarray], scores: pd.DataFrame) -> None:
    """Show what each method makes of the reading, each under its name and scores."""
    for (name, estimate), place in zip(found.items(), st.columns(len(found)), strict=True):
        row = scores.loc[name]
        says = f"accuracy {row['accuracy']:.3f}, Hamming {row['hamming_score']:.3f}"
        with place:
            st.markdown(f"**{name}**  \n{says}")
            figure(
                room_estimate_figure(asked.knobs.room, estimate, asked.tiles),
                alt=f"{name}: {says} on this scene.",
                key=f"estimate {name}",
                stem=f"{STEM}-{name}",
            )
            st.caption(plain(estimates.KINDS[name]))
    is_exact = knobs.scenes_of(asked.knobs.width, asked.knobs.scenes).is_complete
    optimum = "no method has a higher Hamming score on average, though one may on this scene."
    if not is_exact:
        optimum = "too many to weigh each, so that a sample stands for all and it is near the best."
    st.caption(
        "Fuller is more probable; frames are what is true; hatched tiles are watched by no sensor. Scores ↑ are of "
        "this one scene, and what is more probable than not counts as occupied. MAP leaves the shadow at 1/2. The "
        f"optimum is the posterior over the scenes to learn from: {optimum}"
    )
    shown = scores.rename(columns={"accuracy": "Accuracy ↑", "hamming_score": "Hamming ↑", "n_wrong": "Wrong tiles ↓"})
    with st.expander("As a table"):
        st.dataframe(shown, key="room scores", column_config={"Accuracy ↑": _THREE, "Hamming ↑": _THREE})
        save(f"{STEM}-scores", table=table_files(scores, index=True))


_THREE = st.column_config.NumberColumn(format="%.3f")


def use(asked: Asked) -> None:
    """Offer to show this room's data on all pages, or say why they cannot be."""
    workspace, source = session.workspace(), asked.knobs.source
    in_use = source is not None and workspace.source == source
    with st.container(horizontal=True, vertical_alignment="center"):
        st.button(
            "In use on all pages" if in_use else "Use this room's data on the other pages",
            key="use room",
            disabled=in_use or source is None,
            icon=":material/check:" if in_use else ":material/database:",
            on_click=lambda: workspace.use(source, load(source)),
            width="content",
        )
        if source is None:
            st.caption(
                plain(f"The other pages load the paper's room, and here {asked.knobs.why_not_elsewhere}."),
                width="stretch",
            )


def scene() -> str:
    """Show one scene; return the sentence, and end the page."""
    asked = knobs.controls()
    observed = asked.observed()
    board(asked, observed)
    methods = estimates.trained(session.workspace(), asked.knobs)
    found = estimates.of_reading(asked, observed, methods)
    scores = estimates.scores(found, asked.tiles)
    takeaway.markdown(plain(estimates.told(asked, observed, scores)))
    st.header("What each method makes of this reading", anchor=False)
    if methods is None:
        train(asked)
    side_by_side(asked, found, scores)
    use(asked)
    return code.of_scene(asked, methods is not None)


takeaway = opening("Where are the people?")
view = choice("View", [SCENE, TABLES], key="room_view", default=SCENE)
if view == SCENE:
    foot(scene())
else:
    sentence, scale = tables.view()
    takeaway.markdown(plain(sentence))
    foot(code.of_tables(scale))
