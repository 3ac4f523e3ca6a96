"""Graphs: structures between the labels that were found in several ways, and what the features explain of them."""

import streamlit as st
from components.parts import foot, head, view_of
from state import derived, session

from views.graphs import conditional, over_samples, side_by_side

TITLE = "Which labels depend on each other directly?"
VIEWS = {"Structures": side_by_side, "Marginal and conditional": conditional, "Over samples": over_samples}

workspace = session.workspace()
data = workspace.dataset

top = st.container()
if data.n_labels == 1:
    with top:
        head(TITLE, f"{data.label_names[0]} is the only label, so it depends on no other.")
    st.info("Load a data set with at least two labels to see graphs.", icon=":material/info:")
    st.stop()
if not derived.is_whole(data):
    with top:
        head(TITLE, f"{data.n_labels:,} labels are too many to compare all pairs.")
    st.info("See the strongest pairs on Dependence, or see a trellis.", icon=":material/info:")
    st.stop()

row = st.container(horizontal=True, vertical_alignment="bottom")
with row:
    view = view_of(VIEWS, key="graph_view", width=230)
sentence, script = VIEWS[view].show(workspace, row)
with top:
    head(TITLE, sentence)
foot(script)
