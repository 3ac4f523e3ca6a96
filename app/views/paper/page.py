"""Paper: each table and figure of the paper, next to what runs here."""

import streamlit as st
from components.parts import head, plain

from trellislib.data import DataError
from trellislib.data.sets.library import FOLDER_VARIABLE, data_folder
from trellislib.paper import EXPERIMENTS
from views.paper import experiments, field, figures

TITLES = {
    "results": "Results and times (Tables 7 and 8, Figure 6)",
    "structure": "Searched structure (Table 2)",
    "placement": "Hill climbing (Table 6)",
    "room": "MAP against CT in the room (Tables 9 and 10)",
    "field": f"{field.TITLE} (2022)",
} | {key: title for key, (title, _) in figures.SHOWN.items()}
KEYS = {title: key for key, title in TITLES.items()}
OF_DATA_SETS = {*EXPERIMENTS, "music", "datasets"}
OF_MUSIC = {"music", "datasets"} | {key for key, experiment in EXPERIMENTS.items() if "emotions" in experiment.datasets}

takeaway = st.container()
controls = st.container(horizontal=True, vertical_alignment="bottom")
item = KEYS[controls.selectbox("Table or figure", KEYS, key="item", bind="query-params", width=400)]
place_of_learner = controls.container(width="content")
folder = None
if item in OF_DATA_SETS:
    more = controls.popover("More", icon=":material/tune:")
    given = more.text_input(
        "Folder of data sets",
        key="data folder",
        persist_state="session",
        placeholder="as downloaded from Mulan",
        width=320,
        help="Folder of the paper's data sets, each an ARFF file with its XML, with or without subfolders. The "
        f"variable {FOLDER_VARIABLE} sets it for all visits.",
    )
    try:
        data_folder(given or None)
        folder = given or None
    except DataError as error:
        st.error(plain(str(error)), icon=":material/folder_off:")

title = "The paper, next to what runs here"
if item == "field":
    title, sentence = field.TITLE, field.show()
    st.set_page_config(page_title=title)
elif item in EXPERIMENTS:
    sentence = experiments.show(EXPERIMENTS[item], folder, place_of_learner, more)
else:
    sentence = figures.SHOWN[item][1](folder)
if item != "field":
    music = " Its Music is the data set emotions of Mulan." if item in OF_MUSIC else ""
    st.caption(
        "The paper: J. Read, L. Martino, P. M. Olmos and D. Luengo, Scalable multi-output label prediction: from "
        f"classifier chains to classifier trellises, Pattern Recognition 48 (2015).{music}"
    )
with takeaway:
    head(title, sentence)
