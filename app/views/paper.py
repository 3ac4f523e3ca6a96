"""Paper: each table and figure of the paper, published beside what runs here."""

import paper_experiments
import paper_figures
import streamlit as st
from parts import head, plain

from trellislib.data import DataError
from trellislib.data.library import FOLDER_VARIABLE, data_folder
from trellislib.paper import EXPERIMENTS

TITLES = {key: f"{experiment.title} ({experiment.source})" for key, experiment in EXPERIMENTS.items()} | {
    key: title for key, (title, _) in paper_figures.SHOWN.items()
}
FIRST = "results"

takeaway = st.container()
with st.container(horizontal=True, vertical_alignment="bottom"):
    order = [FIRST, *(key for key in TITLES if key != FIRST)]
    item = st.selectbox(
        "Table or figure", order, format_func=TITLES.get, key="paper item", bind="query-params", width=520
    )
    given = st.text_input(
        "Folder of data sets",
        key="data folder",
        persist_state="session",
        placeholder="as downloaded from Mulan",
        width=260,
        help="Where the data sets of the paper are, each an ARFF with its XML, in folders of their names or not. The "
        f"variable {FOLDER_VARIABLE} names one for all visits.",
    )

try:
    data_folder(given or None)
    folder = given or None
except DataError as error:
    st.error(plain(str(error)), icon=":material/folder_off:")
    folder = None

if item in EXPERIMENTS:
    sentence = paper_experiments.show(EXPERIMENTS[item], folder)
else:
    sentence = paper_figures.SHOWN[item][1](folder)
with takeaway:
    head("The paper, beside what runs here", sentence)
