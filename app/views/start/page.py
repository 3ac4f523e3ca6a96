"""Start: the label structure of the data that are loaded, built before one's eyes, and where to go from here."""

from dataclasses import replace

import streamlit as st
from components.parts import figure, foot, head, legend_on_stage, plain, signs_of
from components.saving import figure_files, graph_files, matrix_files, save
from state import derived, results_store, session
from state.call import Call, Script
from state.tuning import AS_INFERRED, DECISIONS, MUTUAL_INFORMATION

from trellislib import ClassifierTrellis
from trellislib.experiment.filling import filling_scores
from trellislib.figures import dependence_heatmap, overview_heatmap, trellis_figure
from trellislib.summaries import about_edges, about_extremes
from views.start import pipeline, recent, ways
from views.start.building import building, can_be_built, can_be_scored
from views.start.terms import TRELLIS, about_apart, explained

MOST_SAVED = 2000  # labels of which a matrix is offered as a file

workspace = session.workspace()
data, call = workspace.dataset, workspace.call
names = data.label_names
information, signs = derived.information(data), derived.signs(data)
store, _ = results_store.opened(workspace.token)  # without it, only the runs of this visit are known
runs = recent.recent(workspace, store)

takeaway = derived.about_dependence(data)
head("How do your labels depend on each other?", f"{data.name}: {takeaway}")
st.caption(ways.WHAT, help=explained(takeaway) or None)

shape = workspace.shown
placing = workspace.placing(shape)
placed = placing.value
apart = about_apart(names, placed, derived.strongest(data, MUTUAL_INFORMATION), shape) if data.n_labels > 1 else ""
about = f"{about_edges(placed, names, information, signs)} {apart}".strip()
caption = f"{TRELLIS} {about} {signs_of(data)}".strip()
lattice = Call(trellis_figure, placing, call.label_names, derived.information(call), signs=derived.signs(call))
of_lattice = {"graph": graph_files(placed, names, dependence=information, signs=signs)}
script = Script()
words = st.session_state.get("ct_decide", AS_INFERRED) if data.is_multilabel else AS_INFERRED  # as Trellis decides
decided_for = words if words == AS_INFERRED else f"for {words}"
shape = replace(shape, decide=DECISIONS[words])
legend_on_stage(signs_of(data))
if can_be_built(workspace, shape):
    building(workspace, shape, about)
    with st.expander("About this figure"):
        st.caption(plain(f"{caption} Methods decide {decided_for}, here and on Trellis."))
        save(f"{data.name}-trellis", figure=figure_files(lattice.value), **of_lattice)
    if can_be_scored(workspace, shape):
        for method in dict.fromkeys((shape.start, shape)):  # Algorithm 1 fills the lattice, and swaps come after it
            script.print(
                Call(filling_scores, derived.folds(call), ClassifierTrellis(**method.arguments, **shape.deciding))
            )
else:
    figure(lattice, alt=about, key="start-trellis", caption=caption, stem=f"{data.name}-trellis", more=of_lattice)
    script.show(lattice)

ways.show()
st.header("From data to scores", anchor=False)
pipeline.show(pipeline.stages(workspace, runs, store))
if runs:
    st.header("Recent runs", anchor=False)
    recent.show(runs, workspace)

order = derived.order(call, "clustered")
if derived.is_whole(data):
    chart = Call(dependence_heatmap, derived.information(call), call.label_names, order)
else:
    chart = Call(overview_heatmap, derived.overview_map(call, "clustered"), call.label_names, order)
st.header("Dependence of label pairs", anchor=False)
figure(
    chart,
    key="start-dependence",
    caption=about_extremes(names, derived.seen(data)),
    stem=f"{data.name}-dependence",
    more={"matrix": matrix_files(information, names)} if data.n_labels <= MOST_SAVED else {},
)
foot(script.show(chart))
