"""Data: choose, simulate or load a data set, and see what its labels are like."""

import derived
import loading
import session
import streamlit as st
from parts import figure, foot, head, plain

from trellislib.figures import frequency_figure, labels_per_instance_figure
from trellislib.takeaways import about_data

SHOWN_SETS, SHOWN_ROWS = 10, 50
SHARE = st.column_config.NumberColumn(format="percent")
WAYS = {
    "Packaged": loading.packaged_form,
    "Known sets": loading.known_form,
    "Light-sensor room": loading.room_form,
    "Label DAG": loading.label_dag_form,
    "Your file": loading.file_form,
}

workspace = session.workspace()
takeaway = st.container()

way = st.segmented_control("Source", list(WAYS), default="Packaged", required=True, key="way", persist_state="session")
WAYS[way](workspace)

data = workspace.dataset
statistics = derived.statistics(data)
with takeaway:
    head("What are your labels like?", about_data(data, statistics))

st.header(plain(f"Loaded: {data.name}"), anchor=False)
with st.container(horizontal=True):
    for name, value, help_text in (
        ("Instances N", f"{statistics.n_instances:,}", "Rows of the data."),
        ("Features D", f"{statistics.n_features:,}", "Columns that labels are predicted from."),
        ("Labels L", f"{statistics.n_labels:,}", "Columns that are predicted."),
        ("Cardinality", f"{statistics.label_cardinality:.3g}", "Relevant labels of an instance, on average."),
        ("Density", f"{statistics.label_density:.3g}", "Cardinality divided by the number of labels."),
        ("Label sets", f"{statistics.n_label_sets:,}", "Distinct combinations of labels that occur."),
        ("Mean IR", f"{statistics.mean_imbalance:.3g}", "How many times rarer a label is than the most frequent one."),
        ("Unlabelled", f"{statistics.n_unlabelled:,}", "Instances with no relevant label."),
    ):
        st.metric(name, value, help=help_text, width="content")
for note in data.notes:
    st.caption(plain(note))

left, right = st.columns([3, 2], gap="medium")
with left:
    st.header("How frequent the labels are", anchor=False)
    figure(frequency_figure(statistics), alt=about_data(data, statistics), key="frequencies")
    st.dataframe(
        statistics.label_table(),
        key="label-table",
        height=250,
        column_config={"frequency": SHARE, "IRLbl": st.column_config.NumberColumn(format="%.2f")},
    )
with right:
    st.header("How many labels an instance has", anchor=False)
    figure(
        labels_per_instance_figure(statistics.labels_per_instance),
        alt=f"Instances by their number of labels; {statistics.label_cardinality:.3g} on average",
        key="labels-per-instance",
    )
    st.header("Most frequent label sets", anchor=False)
    st.dataframe(
        statistics.named_label_sets(data, SHOWN_SETS), hide_index=True, key="label-sets", column_config={"share": SHARE}
    )

st.header("First instances", anchor=False)
st.dataframe(data.frame(SHOWN_ROWS), key="first-rows", height=280, hide_index=True)
st.download_button(
    "Download the label statistics (CSV)",
    statistics.label_table().to_csv(),
    file_name=f"{data.name}-labels.csv",
    mime="text/csv",
    on_click="ignore",
    icon=":material/download:",
)
foot(
    f"from trellislib.data import {workspace.source.function}\n\n"
    f"data = {workspace.source.code}\n"
    "print(data.statistics())"
)
