"""Start: what this is and the ways in, the way from data to scores, and the labels at one glance."""

import streamlit as st
from components.parts import SIGNS, figure, foot, head, plain
from components.saving import graph_files, matrix_files
from state import derived, results_store, session
from state.call import Call, Script
from state.tuning import MUTUAL_INFORMATION

from trellislib.figures import dependence_heatmap, overview_heatmap, trellis_figure
from trellislib.summaries import about_edges, about_extremes
from views.start import pipeline, recent, ways
from views.start.terms import TRELLIS, about_apart, explained

MOST_SAVED = 2000  # labels of which a matrix is offered as a file

workspace = session.workspace()
data, call = workspace.dataset, workspace.call
names = data.label_names
information, signs = derived.information(data), derived.signs(data)
store, _ = results_store.opened()  # without it, only the runs of this visit are known
runs = recent.recent(workspace, store)

head("How do your labels depend on each other?", ways.WHAT)
ways.show()
st.header(f"Loaded: {plain(data.name)}", anchor=False)
takeaway = derived.about_dependence(data)
st.markdown(plain(takeaway))
if meaning := explained(takeaway):
    st.caption(plain(meaning))
pipeline.show(pipeline.stages(workspace, runs, store))
if runs:
    st.header("Recent runs", anchor=False)
    recent.show(runs, workspace)

order = derived.order(call, "clustered")
if derived.is_whole(data):
    chart = Call(dependence_heatmap, derived.information(call), call.label_names, order)
else:
    chart = Call(overview_heatmap, derived.overview_map(call, "clustered"), call.label_names, order)

shape = workspace.shown
left, right = st.columns(2, gap="medium")
with left:
    st.header("Who depends on whom", anchor=False)
    caption = about_extremes(names, derived.seen(data))
    figure(
        chart,
        key="start-dependence",
        caption=caption,
        stem=f"{data.name}-dependence",
        more={"matrix": matrix_files(information, names)} if data.n_labels <= MOST_SAVED else {},
    )
with right:
    st.header("The same labels in a trellis", anchor=False)
    placing = workspace.placing(shape)
    placed = placing.value
    lattice = Call(trellis_figure, placing, call.label_names, derived.information(call), signs=derived.signs(call))
    apart = about_apart(names, placed, derived.strongest(data, MUTUAL_INFORMATION), shape) if data.n_labels > 1 else ""
    caption = f"{about_edges(placed, names, information, signs)} {apart}".strip()
    figure(
        lattice,
        alt=caption,
        key="start-trellis",
        caption=f"{TRELLIS} {caption} {SIGNS if data.is_multilabel else ''}".strip(),
        stem=f"{data.name}-trellis",
        more={"graph": graph_files(placed, names, dependence=information, signs=signs)},
    )
foot(Script().show(chart, lattice))
