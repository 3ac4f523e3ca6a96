"""The dashboard's frame: pages, logo, and what is loaded. Run it with ``streamlit run app/main.py``."""

from pathlib import Path

import streamlit as st
from components import loaded, menu, names, stage
from components.parts import plain
from state import address, session
from state.assets import ASSETS
from state.polls import polls
from views.lessons import frame
from views.trellis import knobs

from trellislib.wording import counted

session.prepare_server()
st.set_page_config(page_title="trellislib", page_icon=str(ASSETS / "icon.svg"), layout="wide")
st.html(Path(__file__).with_suffix(".css"))
if address.POLL in st.query_params:
    st.navigation([st.Page("views/poll/vote.py", title="Poll")], position="hidden").run()
    st.stop()
if address.without_infinite():
    st.rerun()
if address.is_presented():
    st.html(Path(__file__).with_name("present.css"))
st.logo(str(ASSETS / "logo.svg"), icon_image=str(ASSETS / "icon.svg"))

PAGES = {  # by group and folder: the title of each, its icon, and what it is for
    "": {
        "start": ("Start", "home", "See the label structure of the loaded data set, and the next steps."),
    },
    "Explore": {
        "data": ("Data", "table", "Choose, simulate or load a data set, and see what its labels are like."),
        "dependence": (
            "Dependence",
            "grid_on",
            "See how much each pair of labels depends on each other, with and without the features.",
        ),
        "graphs": (
            "Graphs",
            "hub",
            "Compare structures: which labels depend on each other directly.",
        ),
        "trellis": (
            "Trellis",
            "account_tree",
            "Place the labels in a lattice, and see how much of the dependence it captures.",
        ),
    },
    "Train and compare": {
        "verdict": (
            "Verdict",
            "gavel",
            "Test whether label structure is worth it on these data, and which method to use.",
        ),
        "train": ("Train", "play_circle", "Train methods side by side on the same folds."),
        "compare": (
            "Compare",
            "leaderboard",
            "Compare scores, ranks and times of trained methods, and test their differences.",
        ),
        "scores": (
            "Your scores",
            "upload_file",
            "Upload or paste a table of scores to rank and test methods.",
        ),
        "inspect": (
            "Inspect",
            "troubleshoot",
            "See why a method predicts what it does, on one row or on a whole test set.",
        ),
    },
    "Use": {
        "predict": (
            "Predict",
            "online_prediction",
            "Predict the labels of new rows, from a file or typed by hand, and save the model.",
        ),
        "label_errors": (
            "Label errors",
            "rule",
            "Find labels that look wrong, and take them out.",
        ),
    },
    "Learn": {
        "lessons": (
            "Lessons",
            "school",
            "Learn about many labels, chains, the trellis, its cost, decisions and depth in eight lessons.",
        ),
        "paper": ("Paper", "article", "Compare each table and figure of the paper with results from here."),
    },
    "Lab": {
        "room": (
            "Room",
            "sensors",
            "Put people among light sensors, and compare what each method finds with the optimum.",
        ),
        "label_dag": (
            "Label DAG lab",
            "science",
            "Simulate labels from a known graph, and see which structure finds it.",
        ),
    },
}

groups = {
    group: [
        st.Page(
            f"views/{folder}/page.py",
            title=title,
            url_path=folder,
            icon=f":material/{icon}:",
            help=what,
            default=folder == "start",
        )
        for folder, (title, icon, what) in members.items()
    ]
    for group, members in PAGES.items()
}
groups["Learn"][1:1] = map(frame.view, frame.NUMBERS)  # hidden, between their list and the paper
poll = st.Page("views/poll/page.py", title="Poll", url_path="poll", visibility="hidden")
page = st.navigation(
    groups | {"Lab": [*groups["Lab"], poll]},
    position="hidden" if st.context.is_embedded else "sidebar",
    expanded=True,
)

workspace = session.workspace()
if page.url_path != "trellis":
    knobs.keep_last_choice(workspace)


def write_address() -> None:
    """Let the address name the data that are loaded, and the workspace if the server keeps it."""
    written = {
        address.WORKSPACE: workspace.token if workspace.is_held else None,
        address.DATA: workspace.address,
        address.PRESENT: "1" if address.is_presented() else None,
    }
    for name, value in written.items():
        if value is None:
            st.query_params.pop(name, None)
        elif st.query_params.get(name) != value:
            st.query_params[name] = value


write_address()
if workspace.notice:
    with st.container(horizontal=True, vertical_alignment="center"):
        st.info(plain(workspace.notice), icon=":material/link:")
        if page.title != "Data":
            st.page_link("views/data/page.py", label="Go to Data", icon=":material/table:")


@st.fragment(run_every=30)
def keep_alive() -> None:
    """Keep runs from being ended as forgotten, and show how many go on."""
    for job in workspace.active:
        job.watch()
    if asked := polls().get(workspace.poll):
        asked.watch()
    if training := workspace.active_runs:
        st.caption(f"Training: {counted(len(training), 'run')}, {training[0].job.share:.0%} of the newest")


# A lesson in another page has the controls that it needs and nothing else.
if not (st.context.is_embedded and page.url_path.startswith("lesson-")):
    with st.sidebar:
        data = workspace.dataset
        st.caption("Loaded")
        loaded.switcher(workspace)
        incomplete = f" + {data.n_incomplete:,} incomplete" if data.n_incomplete else ""
        st.caption(f"N = {data.n_instances:,}{incomplete}  ·  D = {data.n_features:,}  ·  L = {data.n_labels:,}")
        keep_alive()

if not st.context.is_embedded:
    stage.show([page for members in groups.values() for page in members], page, poll)
page.run()
names.keep_apart()
menu.close_when_chosen()
write_address()  # the page may have given it something to keep
