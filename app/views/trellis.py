"""Trellis: place the labels in a lattice, and see how much of the dependence it captures."""

import derived
import session
import streamlit as st
from parts import figure, head, lattice_figure, python_box
from tuning import CUSTOM, MOST_SEED, pattern, pattern_code

from trellislib.figures import captured_figure, trellis_figure
from trellislib.graphs import PATTERNS, PLACEMENTS, captured_dependence, default_width
from trellislib.takeaways import about_trellis

workspace = session.workspace()
data = workspace.dataset
names = data.label_names

takeaway = st.empty()
with st.container(horizontal=True, vertical_alignment="bottom"):
    if data.n_labels > 1:
        st.session_state.setdefault("width", default_width(data.n_labels))
        st.session_state["width"] = min(st.session_state["width"], data.n_labels)
        width = st.slider(
            "Width",
            1,
            data.n_labels,
            key="width",
            bind="query-params",
            width=260,
            help="Columns of the lattice. Width 1 is a single file of labels; the paper takes the square root of L.",
        )
    else:
        width = 1
    st.selectbox(
        "Parents",
        [*PATTERNS, CUSTOM],
        format_func=lambda name: f"{name} ({len(PATTERNS[name])})" if name in PATTERNS else name,
        key="pattern",
        bind="query-params",
        width=220,
        help="Which earlier cells each label is predicted from; the paper's experiments use left and up.",
    )
    placement = st.segmented_control(
        "Placement",
        PLACEMENTS,
        default=PLACEMENTS[0],
        required=True,
        format_func=str.capitalize,
        key="placement",
        bind="query-params",
        help="Hill climbing is Algorithm 1: each cell takes the label that depends most on its parents.",
    )
    seed = st.number_input(
        "Seed", 0, MOST_SEED, key="seed", bind="query-params", width=130, help="Chooses the first label, at random."
    )

offsets = pattern()
information = derived.information(data)
placed = derived.placed(data, width, offsets, placement, seed)
captured = captured_dependence(placed, information)
bound = derived.bound(data, width, offsets)
random = derived.captured_at_random(data, width, offsets)
sentence = about_trellis(captured, bound, random, len(placed.edges))
with takeaway.container():
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
    st.page_link("views/train.py", label="Train with this trellis", icon=":material/play_circle:")

python_box(
    f"from trellislib.data import {workspace.source.function}\n"
    "from trellislib.dependence import mutual_information\n"
    "from trellislib.graphs import captured_dependence, trellis\n\n"
    f"data = {workspace.source.code}\n"
    "information = mutual_information(data.Y)\n"
    f"placed = trellis(information, width={width}, parents={pattern_code()!r}, placement={placement!r}, "
    f"random_state={seed})\n"
    "print(placed.order, captured_dependence(placed, information))"
)
