"""Lesson 1: one label, many labels, many values; on the shapes of the paper's first example."""

from __future__ import annotations

import streamlit as st
from components.parts import figure
from state.call import Call, Script

from trellislib.data import Dataset, simulate_shapes
from trellislib.figures import shapes_figure
from trellislib.labels.label_sets import implication
from trellislib.wording import percent
from views.lessons.knobs import knob
from views.lessons.text import Answer, Content

N_INSTANCES = 400
FIRST, SECOND = 0, 1

values = knob("shape_values", 2)  # of each label
overlap = knob("shape_overlap", 0.3)  # how wide the clouds are


def shapes(n_values: int, width: float) -> Call:
    call = Call(simulate_shapes, N_INSTANCES, overlap=width, n_values=n_values, random_state=0).named("data")
    return call.found_by(lambda: _shapes(n_values, width))


@st.cache_data(max_entries=60, show_spinner=False)
def _shapes(n_values: int, width: float) -> Dataset:
    return simulate_shapes(N_INSTANCES, overlap=width, n_values=n_values, random_state=0)


def facts() -> dict[str, str]:
    data = shapes(values(), overlap()).value
    return {
        "n": f"{data.n_instances:,}",
        "d": str(data.n_features),
        "l": str(data.n_labels),
        "k": str(values()),
        "possible": f"{values() ** data.n_labels:,}",
        "seen": str(len(set(map(tuple, data.Y.tolist())))),
        "cardinality": f"{(data.Y > 0).sum(axis=1).mean():.3g}",
        "hexagons": f"{((data.Y[:, FIRST] > 0) & (data.Y[:, SECOND] > 0)).sum():,}",
        "forward": percent(implication(data.Y, FIRST, SECOND)),
        "backward": percent(implication(data.Y, SECOND, FIRST)),
    }


def plane() -> None:
    """Draw the shapes, with how many values a label has and how far they overlap."""
    with st.container(horizontal=True):
        st.slider("Values of a label, K", 2, 5, 2, key="shape_values", bind="query-params")
        st.slider("Overlap of the clouds", 0.1, 1.0, 0.3, 0.1, key="shape_overlap", bind="query-params")
    known = facts()
    figure(
        Call(shapes_figure, shapes(values(), overlap())),
        alt=f"{known['n']} shapes in the plane, {known['hexagons']} of them hexagons, which have both y1 and y2.",
        key="lesson shapes",
    )


def implies() -> Answer:
    """Return which of the first two labels has more information on the other."""
    data = shapes(values(), overlap()).value
    forward, backward = implication(data.Y, FIRST, SECOND), implication(data.Y, SECOND, FIRST)
    right = "From y1 to y2" if forward > backward else "From y2 to y1" if backward > forward else "Equally both ways"
    return Answer(
        right,
        f"y2 is present for {percent(forward)} of the shapes with y1, and y1 for {percent(backward)} of those with y2.",
    )


def code() -> Script:
    data = shapes(values(), overlap())
    implied = [Call(implication, data.Y, *pair) for pair in ((FIRST, SECOND), (SECOND, FIRST))]
    return Script().print(*implied).show(Call(shapes_figure, data))


LESSON = Content(facts, {"plane": plane}, {"implies": implies}, code)
