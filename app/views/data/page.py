"""Data: choose, simulate or load a data set, and see what its labels are like."""

import streamlit as st
from components.parts import choice, figure, foot, head, plain
from components.saving import dataset_files, save, table_files
from state import derived, session
from state.call import Call, Script
from state.sources import has_folder
from state.uploaded import ends

from trellislib.figures import frequency_figure, labels_per_instance_figure
from trellislib.figures.labels import SHOWN_LABELS
from trellislib.summaries import about_data, about_frequencies, about_labels_per_instance
from views.data import kept, ready, reported, simulated, uploads
from views.data.using import say_hidden

SHOWN_SETS, SHOWN_ROWS, SHOWN_COLUMNS = 10, 50, 200
SHARE = st.column_config.NumberColumn(format="percent")
WAYS = {
    "Your files": uploads.file_form,
    "Packaged": ready.packaged_form,
    "Known sets": ready.known_form,
    "Folder": ready.folder_form,
    "Light-sensor room": simulated.room_form,
    "Label DAG": simulated.label_dag_form,
}

workspace = session.workspace()
takeaway = st.container()

offered = [way for way in WAYS if way != "Folder" or has_folder()]
way = choice("Source", offered, key="way", default="Your files")
WAYS[way](workspace)
if way != "Your files":
    uploads.pending_form(workspace)
kept.mend(workspace)
kept.kept_list(workspace)

data = workspace.dataset
incomplete = f" + {data.n_incomplete:,} incomplete" if data.n_incomplete else ""
about_incomplete = (
    f" {data.n_incomplete:,} more rows have missing labels and are kept separately." if incomplete else ""
)
unlabelled = (
    ("Unlabelled", "Instances with no relevant label.")
    if data.is_multilabel
    else ("First values", "Instances that have the first value of every label.")
)
counted = derived.statistics(workspace.call)
statistics = counted.value
by_label = Call(frequency_figure, counted)
by_instance = Call(labels_per_instance_figure, counted.labels_per_instance)
waiting = workspace.dropped.pending
with takeaway:
    head(
        "What are your labels like?",
        f"{waiting[0].title} is not used yet: check its labels below. Loaded is still {data.name}."
        if waiting
        else about_data(data, statistics),
    )

with st.container(horizontal=True, vertical_alignment="center", key="loaded"):
    st.header(plain(f"Loaded: {data.name}"), anchor=False, width="stretch")
    save(data.name, data=dataset_files(data))
with st.container(horizontal=True):
    for name, value, help_text in (
        ("Instances N", f"{statistics.n_instances:,}{incomplete}", f"Rows of the data.{about_incomplete}"),
        ("Features D", f"{statistics.n_features:,}", "Columns that labels are predicted from."),
        ("Labels L", f"{statistics.n_labels:,}", "Columns that are predicted."),
        ("Cardinality", f"{statistics.label_cardinality:.3g}", "Average number of relevant labels of an instance."),
        ("Density", f"{statistics.label_density:.3g}", "Cardinality divided by the number of labels."),
        ("Label sets", f"{statistics.n_label_sets:,}", "Distinct combinations of labels that occur."),
        ("Mean IR", f"{statistics.mean_imbalance:.3g}", "Average ratio of the most frequent label to each label."),
        (unlabelled[0], f"{statistics.n_unlabelled:,}", unlabelled[1]),
    ):
        st.metric(name, value, help=help_text, width="content")
if not waiting:  # of files that wait for choices, there is no report yet
    reported.show_report(data, is_open=workspace.loaded.is_from_files)

left, right = st.columns([3, 2], gap="medium")
with left:
    st.header("How frequent the labels are", anchor=False)
    caption = about_frequencies(statistics, is_multilabel=data.is_multilabel)
    figure(
        by_label,
        key="frequencies",
        caption=caption,
        stem=f"{data.name}-labels",
        more={"table": table_files(statistics.label_table(), index=True)},
    )
    if data.n_labels > SHOWN_LABELS:
        st.caption(f"The figure shows the {SHOWN_LABELS} most frequent of {data.n_labels:,} labels. The table has all.")
    st.dataframe(
        statistics.label_table(),
        key="label-table",
        height=250,
        column_config={
            "_index": st.column_config.TextColumn("label", width="medium"),
            "frequency": SHARE,
            "IRLbl": st.column_config.NumberColumn(
                format="%.2f", help="Frequency of the most frequent label divided by this one."
            ),
        },
    )
with right:
    st.header("How many labels an instance has", anchor=False)
    caption = about_labels_per_instance(statistics, is_multilabel=data.is_multilabel)
    label_sets = statistics.named_label_sets(data, SHOWN_SETS)
    if not data.is_multilabel:
        label_sets["labels"] = label_sets["labels"].replace("(none)", "(the first value of every label)")
    figure(
        by_instance,
        key="labels-per-instance",
        caption=caption,
        stem=f"{data.name}-labels-per-instance",
        more={"label_sets": table_files(label_sets)},
    )
    st.header("Most frequent label sets", anchor=False)
    st.dataframe(label_sets, hide_index=True, key="label-sets", column_config={"share": SHARE})

st.header("First instances", anchor=False)
first = data.frame(SHOWN_ROWS)
shown = first.iloc[:, ends(first.shape[1], SHOWN_COLUMNS)]
st.dataframe(shown, key="first-rows", height=280, hide_index=True)
say_hidden(first.shape[1], SHOWN_COLUMNS)
save(f"{data.name}-first-instances", table=table_files(first))
foot(Script().print(counted).show(by_label, by_instance))
