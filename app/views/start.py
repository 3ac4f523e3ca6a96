"""Start: the label structure of what is loaded, at one glance."""

import derived
import session
import streamlit as st
import structures
from parts import SIGNS, figure, foot, head
from saving import graph_files, matrix_files
from tuning import Shape

from trellislib.figures import dependence_heatmap, overview_heatmap, trellis_figure
from trellislib.takeaways import about_edges, about_extremes

MOST_SAVED = 2000  # labels of which a matrix is offered as a file

workspace = session.workspace()
data = workspace.dataset
names = data.label_names
information, signs = derived.information(data), derived.signs(data)

head("How do your labels depend on each other?", derived.about_dependence(data))
st.markdown("**Try next:** change the width of the trellis and watch how much of the dependence it captures.")
with st.container(horizontal=True):
    st.page_link("views/trellis.py", label="Tune the trellis", icon=":material/account_tree:")
    st.page_link("views/train.py", label="Train three methods", icon=":material/play_circle:")
    st.page_link("views/data.py", label="Load your own data", icon=":material/table:")

order = derived.order(data, "clustered")
if derived.is_whole(data):
    chart = dependence_heatmap(information, names, order)
    map_code = [
        "order = label_tree(shared_entropy(dependence)).order",
        "dependence_heatmap(dependence, names, order).show()",
    ]
else:
    chart = overview_heatmap(derived.overview_map(data, "clustered"), names, order)
    map_code = [
        "order = np.arange(len(names))",
        "overview_heatmap(pooled(dependence, order), names, order).show()",
    ]

left, right = st.columns(2, gap="medium")
with left:
    st.header("Who depends on whom", anchor=False)
    says = about_extremes(names, derived.seen(data))
    figure(
        chart,
        alt=says,
        key="start-dependence",
        says=says,
        stem=f"{data.name}-dependence",
        more={"matrix": matrix_files(information, names)} if data.n_labels <= MOST_SAVED else {},
    )
with right:
    st.header("The same labels in a trellis", anchor=False)
    shape = Shape.default(data.n_labels)
    placed = derived.placed(data, shape)
    says = about_edges(placed, names, information, signs)
    figure(
        trellis_figure(placed, names, information, signs=signs),
        alt=says,
        key="start-trellis",
        says=f"{says} {SIGNS if data.is_multilabel else ''}".strip(),
        stem=f"{data.name}-trellis",
        more={"graph": graph_files(placed, names, dependence=information, signs=signs)},
    )
trellis_code = "trellis_figure(placed, names, dependence, signs=signs).show()"
foot(structures.placing_script(workspace.source, data, shape, then=[*map_code, trellis_code]))
