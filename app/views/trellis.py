"""Trellis: place the labels in a lattice, and see how much of the dependence it captures."""

import derived
import session
import streamlit as st
import structures
from parts import figure, head, lattice_figure, python_box
from tuning import MUTUAL_INFORMATION, controls

from trellislib.figures import captured_figure, trellis_figure
from trellislib.graphs import captured_dependence
from trellislib.takeaways import about_starts, about_trellis

MOST_COMPARED = 200  # labels up to which placing them from many seeds takes no time

workspace = session.workspace()
data = workspace.dataset
names = data.label_names

takeaway = st.container()
shape = controls(workspace.shape, data.n_labels, binary=data.is_multilabel)
workspace.tune(shape)
width, offsets, guide = shape.width, shape.offsets, shape.guide
information, dependence = derived.information(data), derived.dependence(data, guide)
placed = derived.placed(data, width, offsets, shape.placement, shape.seed, guide)
captured = captured_dependence(placed, dependence)
bound = derived.bound(data, width, offsets, guide)
random = derived.captured_at_random(data, width, offsets, guide)
sentence = about_trellis(captured, bound, random, len(placed.edges), shape.unit)
with takeaway:
    head("What does a trellis capture?", sentence)

left, right = st.columns([5, 3], gap="medium")
with left:
    chart = trellis_figure(placed, names, dependence, signs=derived.signs(data), unit=shape.unit)
    lattice_figure(chart, alt=sentence, key="lattice", signed=data.is_multilabel, unit=shape.unit)
with right:
    with st.container(horizontal=True):
        if guide == MUTUAL_INFORMATION:
            st.metric("Captured", f"{captured:.3g} nats", help="Sum of the mutual information on the edges.")
        else:
            st.metric("Captured", f"{captured:.3g}", help=f"Sum over the edges, in {shape.unit}.")
            told = captured_dependence(placed, information)
            st.metric(
                "Mutual information",
                f"{told:.3g} nats",
                help="What the same edges capture of the mutual information, to compare guides by.",
            )
        st.metric(
            "Of the possible",
            f"{captured / bound:.0%}" if bound > 0 else "none",
            help="No placement into this lattice can capture more than the bound; it may not be reachable.",
        )
        st.metric("Edges", f"{len(placed.edges):,}")
    figure(captured_figure(captured, random, bound, unit=shape.unit), alt=sentence, key="captured")
    if 1 < data.n_labels <= MOST_COMPARED and placed.edges:
        st.caption(about_starts(derived.captured_by_climbing(data, width, offsets, guide), random, shape.unit))
    st.page_link("views/train.py", label="Train with this trellis", icon=":material/play_circle:")

python_box(structures.placing_script(workspace.source, data, shape))
