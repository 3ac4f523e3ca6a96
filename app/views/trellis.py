"""Trellis: place the labels in a lattice, and see how much of the dependence it captures."""

import derived
import session
import streamlit as st
from parts import figure, head, lattice_figure, python_box
from tuning import controls

from trellislib.figures import captured_figure, trellis_figure
from trellislib.graphs import captured_dependence
from trellislib.takeaways import about_starts, about_trellis

MOST_COMPARED = 200  # labels up to which placing them from many seeds takes no time

workspace = session.workspace()
data = workspace.dataset
names = data.label_names

takeaway = st.container()
shape = controls(workspace.shape, data.n_labels)
workspace.tune(shape)
width, offsets = shape.width, shape.offsets
information = derived.information(data)
placed = derived.placed(data, width, offsets, shape.placement, shape.seed)
captured = captured_dependence(placed, information)
bound = derived.bound(data, width, offsets)
random = derived.captured_at_random(data, width, offsets)
sentence = about_trellis(captured, bound, random, len(placed.edges))
with takeaway:
    head("What does a trellis capture?", sentence)

left, right = st.columns([5, 3], gap="medium")
with left:
    chart = trellis_figure(placed, names, information, signs=derived.signs(data))
    lattice_figure(chart, alt=sentence, key="lattice", signed=data.is_multilabel)
with right:
    with st.container(horizontal=True):
        st.metric("Captured", f"{captured:.3g} nats", help="Sum of the mutual information on the edges.")
        st.metric(
            "Of the possible",
            f"{captured / bound:.0%}" if bound > 0 else "none",
            help="No placement into this lattice can capture more than the bound; it may not be reachable.",
        )
        st.metric("Edges", f"{len(placed.edges):,}")
    figure(captured_figure(captured, random, bound), alt=sentence, key="captured")
    if 1 < data.n_labels <= MOST_COMPARED and placed.edges:
        st.caption(about_starts(derived.captured_by_climbing(data, width, offsets), random))
    st.page_link("views/train.py", label="Train with this trellis", icon=":material/play_circle:")

python_box(
    f"from trellislib.data import {workspace.source.function}\n"
    "from trellislib.dependence import mutual_information\n"
    "from trellislib.graphs import captured_dependence, trellis\n\n"
    f"data = {workspace.source.code}\n"
    "information = mutual_information(data.Y)\n"
    f"placed = trellis(information, {', '.join(f'{name}={value!r}' for name, value in shape.arguments.items())})\n"
    "print(placed.order, captured_dependence(placed, information))"
)
