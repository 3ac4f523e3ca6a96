"""Start: the label structure of what is loaded, at one glance."""

import derived
import session
import streamlit as st
from parts import figure, head, lattice_figure
from tuning import Shape

from trellislib.figures import dependence_heatmap, trellis_figure

data = session.workspace().dataset
names = data.label_names
information = derived.information(data)

head("How do your labels depend on each other?", derived.about_dependence(data))
st.markdown("**Try next:** change the width of the trellis and watch how much of the dependence it captures.")
with st.container(horizontal=True):
    st.page_link("views/trellis.py", label="Tune the trellis", icon=":material/account_tree:")
    st.page_link("views/train.py", label="Train three methods", icon=":material/play_circle:")
    st.page_link("views/data.py", label="Load your own data", icon=":material/table:")

left, right = st.columns(2, gap="medium")
with left:
    st.header("Who depends on whom", anchor=False)
    figure(
        dependence_heatmap(information, names, derived.order(data, "clustered")),
        alt=f"Mutual information of each pair of the {data.n_labels} labels of {data.name}",
        key="start-dependence",
    )
with right:
    st.header("The same labels in a trellis", anchor=False)
    placed = derived.placed(data, Shape.default(data.n_labels))
    lattice_figure(
        trellis_figure(placed, names, information, signs=derived.signs(data)),
        alt=f"The {data.n_labels} labels placed in a lattice so that neighbours depend on each other",
        key="start-trellis",
        signed=data.is_multilabel,
    )
