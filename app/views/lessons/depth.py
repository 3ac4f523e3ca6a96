"""Lesson 8: what a chain gains from depth, and what from label dependence; on lamps and people in a room."""

from __future__ import annotations

import numpy as np
import pandas as pd
import streamlit as st
from components.parts import choice, figure

from trellislib.data import Dataset, simulate_lamps
from trellislib.figures import depth_figure, label_in_plane_figure
from trellislib.ranking.paired import CLEAR
from trellislib.studies.depth import DEPENDENCES, METHODS, Gain, answers_of_depth, depth_comparison, gains_of_depth
from trellislib.wording import in_points, p_value, percent
from views.lessons.knobs import knob
from views.lessons.text import Answer, Content

N_TRAIN, N_SHOWN, N_ROOMS, DRAWS = 500, 300, 10_000, 10
ONE, ANN, BOB = 2, 3, 4  # labels
UNDECIDED = "These draws do not decide"

method = knob("depth_method", "IC")  # whose predictions of one label are drawn
dependence = knob("depth_dependence", DEPENDENCES[0])  # of Ann and Bob


@st.cache_resource(max_entries=1, show_spinner="Training three methods")
def predicted() -> tuple[Dataset, dict[str, np.ndarray]]:
    """Return the rooms that are drawn, and what is predicted for them; they must never be changed."""
    data = simulate_lamps(N_TRAIN + N_SHOWN, dependence=0.0, random_state=0)
    return data.select(slice(N_TRAIN, None)), answers_of_depth(data, N_TRAIN)


@st.cache_data(max_entries=1, show_spinner="Training three methods on all draws")
def compared() -> pd.DataFrame:
    return depth_comparison(DRAWS, n_instances=N_TRAIN)


@st.cache_data(max_entries=len(DEPENDENCES), show_spinner=False)
def people(degree: float) -> dict[str, str]:
    """Return how often Ann and Bob are in a room, for the text."""
    ann, bob = (simulate_lamps(N_ROOMS, dependence=degree, random_state=0).Y[:, label] for label in (ANN, BOB))
    return {
        "ann_share": percent(ann.mean()),
        "bob_share": percent(bob.mean()),
        "nobody": percent(((ann == 0) & (bob == 0)).mean()),
        "bob_without_ann": percent(bob[ann == 0].mean()),
    }


def in_words(gain: Gain) -> str:
    """Return by how much one method is ahead of another or behind it."""
    return f"{in_points(gain.mean, gain.error, signed=False)} {'behind' if gain.mean < 0 else 'ahead of'}"


def facts() -> dict[str, str]:
    rooms, answers = predicted()
    right = {name: float((found == rooms.Y)[:, ONE].mean()) for name, found in answers.items()}
    depth, by_dependence = gains_of_depth(compared(), dependence())
    of_each, between_each = gains_of_depth(compared(), dependence(), "hamming_score")
    clear = {True: "significant", False: "not significant"}
    return {
        "n_train": f"{N_TRAIN:,}",
        "n_shown": f"{N_SHOWN:,}",
        "n_rooms": f"{N_ROOMS:,}",
        "l": str(rooms.n_labels),
        **{f"{name.lower()}_right": percent(share, 1) for name, share in right.items()},
        **{f"{name.lower()}_ahead": f"{100 * (right[name] - right['IC']):.1f}" for name in ("Stacked", "CC")},
        "draws": str(DRAWS),
        "d": f"{dependence():g}",
        "depth": in_words(depth),
        "by_dependence": in_words(by_dependence),
        "depth_clear": clear[depth.is_clear],
        "dependence_clear": clear[by_dependence.is_clear],
        "level": percent(CLEAR),
        "hamming_depth": in_words(of_each),
        "hamming_dependence": in_words(between_each),
        **people(dependence()),
    }


def plane() -> None:
    """Draw the label that no line separates, and where a method predicts it wrongly."""
    choice("Method", METHODS, key="depth_method", default="IC")
    rooms, answers = predicted()
    found = answers[method()][:, ONE]
    n_wrong = int((found != rooms.Y[:, ONE]).sum())
    figure(
        label_in_plane_figure(rooms, ONE, found),
        alt=f"Rooms by the brightness of their lamps. {method()} predicts {n_wrong} of {N_SHOWN} wrongly.",
        key="lesson plane",
    )


def scores(measure: str) -> None:
    """Ask how much Ann and Bob depend on each other, and draw what the methods score."""
    st.select_slider("Dependence", DEPENDENCES, DEPENDENCES[0], key="depth_dependence", bind="query-params", width=320)
    means = compared().groupby(["method", "dependence"])[measure].mean()
    text = [f"{name} {percent(means[name, dependence()], 1)}" for name in METHODS]
    figure(
        depth_figure(compared(), measure, dependence()),
        alt=f"At a dependence of {dependence():g}: {', '.join(text)}.",
        key=f"lesson {measure}",
        caption="Bars: one standard deviation over the draws.",
    )


def gains() -> None:
    scores("exact_match")


def alone() -> None:
    scores("hamming_score")


def share() -> Answer:
    """Return how much of the lead of a chain over independent classifiers is from depth."""
    depth, by_dependence = gains_of_depth(compared(), dependence())
    lead = depth.mean + by_dependence.mean
    part = depth.mean / lead
    right = "More than nine tenths" if part > 0.9 else "Half to nine tenths" if part >= 0.5 else "Less than half"
    return Answer(right, f"Stacked is {in_words(depth)} IC, and CC is {in_points(lead, np.nan, signed=False)} ahead.")


def hamming() -> Answer:
    """Return whether the chain or the control has the better Hamming score."""
    _, lead = gains_of_depth(compared(), dependence(), "hamming_score")
    right = UNDECIDED if not lead.is_clear else "CC" if lead.mean > 0 else "Stacked"
    return Answer(right, f"CC is {in_words(lead)} Stacked, with p = {p_value(lead.p)}.")


def code() -> str:
    return f"""from trellislib.data import simulate_lamps
from trellislib.figures import depth_figure, label_in_plane_figure
from trellislib.studies.depth import answers_of_depth, depth_comparison, gains_of_depth

data = simulate_lamps({N_TRAIN + N_SHOWN}, dependence=0.0, random_state=0)
found = answers_of_depth(data, {N_TRAIN})
rooms = data.select(slice({N_TRAIN}, None))
label_in_plane_figure(rooms, {ONE}, found[{method()!r}][:, {ONE}]).show()

table = depth_comparison({DRAWS}, n_instances={N_TRAIN})
for score in ("exact_match", "hamming_score"):
    depth_figure(table, score, {dependence()}).show()
    depth, by_dependence = gains_of_depth(table, {dependence()}, score)
    print(score, depth, by_dependence)
"""


LESSON = Content(facts, {"plane": plane, "gains": gains, "alone": alone}, {"share": share, "hamming": hamming}, code)
