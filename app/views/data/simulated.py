"""Data sets that are simulated."""

from __future__ import annotations

import streamlit as st
from state.sources import BOUNDS, Source
from state.tuning import MOST_SEED
from state.workspace import Workspace

from trellislib.data import DIFFICULTIES
from views.data.using import show_problem, use

ROOM, DAG = BOUNDS["simulate_room"], BOUNDS["simulate_label_dag"]


def room_form(workspace: Workspace) -> None:
    """Simulate the light-sensor room."""
    st.caption(
        "People in a room block the light between a window and sensors on the walls. Every tile of the floor is a "
        "label (section 5.2 of the paper)."
    )
    with st.form("room", border=False), st.container(horizontal=True, vertical_alignment="bottom"):
        width = st.number_input("Tiles per side W", *ROOM["width"], 10, help="L = W x W labels.", width=140)
        n_instances = st.number_input("Instances N", *ROOM["n_instances"], 5_000, step=500, width=140)
        n_sensors = st.number_input("Sensors D", *ROOM["n_sensors"], 30, width=120)
        n_measurements = st.number_input(
            "Measurements M",
            *ROOM["n_measurements"],
            1,
            width=150,
            help="Number of measurements of each sensor in a scene.",
        )
        seed = st.number_input("Seed", 0, MOST_SEED, 0, width=120, key="room-seed")
        if st.form_submit_button("Simulate the room", icon=":material/sensors:"):
            simulate(
                workspace,
                "simulate_room",
                n_instances=n_instances,
                width=width,
                n_sensors=n_sensors,
                n_measurements=n_measurements,
                random_state=seed,
            )
    show_problem()


def label_dag_form(workspace: Workspace) -> None:
    """Simulate labels whose true graph is known."""
    st.caption(
        "Each label has at most one parent. Alpha and sigma² set how closely it follows (appendix A of the paper)."
    )

    def set_difficulty() -> None:
        for name, value in DIFFICULTIES[st.session_state["difficulty"]].items():
            st.session_state[name] = value

    st.session_state.setdefault("alpha", 1.0)
    st.session_state.setdefault("sigma2", 1.0)
    st.segmented_control(
        "Difficulty",
        list(DIFFICULTIES),
        default="easy",
        key="difficulty",
        on_change=set_difficulty,
        required=True,
        help="Sets alpha and sigma² to the paper's values.",
    )
    with st.form("label-dag", border=False), st.container(horizontal=True, vertical_alignment="bottom"):
        n_labels = st.number_input("Labels L", *DAG["n_labels"], 20, width=110)
        n_instances = st.number_input("Instances N", *DAG["n_instances"], 500, step=100, width=130)
        n_features = st.number_input("Features D", *DAG["n_features"], 10, width=120)
        n_ones = st.number_input(
            "Relevant features T", *DAG["n_ones"], 3, width=160, help="Ones in each label's weights."
        )
        alpha = st.number_input(
            "alpha", *DAG["alpha"], key="alpha", step=0.05, width=110, help="Strength of the parent's influence."
        )
        sigma2 = st.number_input(
            "sigma²", *DAG["sigma2"], key="sigma2", step=0.1, width=110, help="Variance of the noise."
        )
        delta = st.number_input(
            "delta", *DAG["delta"], value=0.0, step=0.1, width=110, help="Threshold. Higher values make labels rarer."
        )
        seed = st.number_input("Seed", 0, MOST_SEED, 0, width=110, key="dag-seed")
        if st.form_submit_button("Simulate the labels", icon=":material/hub:"):
            simulate(
                workspace,
                "simulate_label_dag",
                n_instances=n_instances,
                n_labels=n_labels,
                n_features=n_features,
                n_ones=n_ones,
                alpha=alpha,
                sigma2=sigma2,
                delta=delta,
                random_state=seed,
            )
    show_problem()


def simulate(workspace: Workspace, function: str, **arguments: float) -> None:
    """Make the data that a submitted form asks for, and draw the page anew."""
    use(workspace, Source.of(function, **arguments))
    st.rerun()
