"""The dashboard's frame: pages, logo, and what is loaded. Run it with ``streamlit run app/main.py``."""

import streamlit as st
from components import loaded
from components.parts import plain
from state import address, session
from state.assets import ASSETS
from views.lessons.frame import numbers as lesson_numbers
from views.lessons.frame import view as lesson_view

st.set_page_config(page_title="trellislib", page_icon=str(ASSETS / "icon.svg"), layout="wide")
# White on the dark theme's primary colour cannot be read, and no setting gives buttons and choices another text.
st.html(
    "<style>[data-testid='stBaseButton-primary'], [data-testid='stMultiSelect'] [data-tag] "
    "{background: #1F7AB8; border-color: #1F7AB8}</style>"
)
# A drawing keeps its width, for its texts would collide in less; where it is too wide, it scrolls in its own box.
st.html("<style>[class*='st-key-scrolled'] {overflow-x: auto} [class*='st-key-scrolled'] > * {max-width: none}</style>")
# What is under it stays in sight.
st.html(
    "<style>[class*='st-key-scrolled'] {container-type: inline-size} "
    "[class*='st-key-scrolled'] [class*='st-key-under'] {position: sticky; left: 0; max-width: 100cqw}</style>"
)
# What is under a figure stays on one row with the way to save it.
st.html("<style>[class*='st-key-under'] {flex-wrap: nowrap} [class*='st-key-under'] > * {min-width: 0}</style>")
# A link says all that it says, on two lines where one is too short.
st.html("<style>[data-testid='stPageLink'] p {white-space: normal}</style>")
# A button that has only its icon keeps its text for those who do not see it.
st.html(
    "<style>[class*='st-key-icon-of'] button p "
    "{position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%)}</style>"
)
st.logo(str(ASSETS / "logo.svg"), icon_image=str(ASSETS / "icon.svg"))

page = st.navigation(
    [
        st.Page(
            "views/start/page.py",
            title="Start",
            url_path="start",
            icon=":material/home:",
            default=True,
            help="The label structure of the data set that is loaded, and where to go from here.",
        ),
        st.Page(
            "views/data/page.py",
            title="Data",
            url_path="data",
            icon=":material/table:",
            help="Choose, simulate or load a data set, and see what its labels are like.",
        ),
        st.Page(
            "views/dependence/page.py",
            title="Dependence",
            url_path="dependence",
            icon=":material/grid_on:",
            help="How much every pair of labels tells about each other.",
        ),
        st.Page(
            "views/graphs/page.py",
            title="Graphs",
            url_path="graphs",
            icon=":material/hub:",
            help="Which labels depend on each other directly: structures found in several ways, side by side.",
        ),
        st.Page(
            "views/trellis/page.py",
            title="Trellis",
            url_path="trellis",
            icon=":material/account_tree:",
            help="Place the labels in a lattice, and see how much of the dependence it captures.",
        ),
        st.Page(
            "views/train/page.py",
            title="Train",
            url_path="train",
            icon=":material/play_circle:",
            help="Train methods side by side on the same folds.",
        ),
        st.Page(
            "views/compare/page.py",
            title="Compare",
            url_path="compare",
            icon=":material/leaderboard:",
            help="Scores, ranks and times of the methods that were trained, and whether differences are real.",
        ),
        st.Page(
            "views/scores/page.py",
            title="Your scores",
            url_path="scores",
            icon=":material/upload_file:",
            help="Rank and test methods by scores from elsewhere: upload or paste a table.",
        ),
        st.Page(
            "views/inspect/page.py",
            title="Inspect",
            url_path="inspect",
            icon=":material/troubleshoot:",
            help="Why a method predicts what it does: label by label, sweep by sweep, and over a whole test set.",
        ),
        st.Page(
            "views/room/page.py",
            title="Room",
            url_path="room",
            icon=":material/sensors:",
            help="People in a room of light sensors: what each method, and the best there can be, makes of a reading.",
        ),
        st.Page(
            "views/label_dag/page.py",
            title="Label DAG lab",
            url_path="label_dag",
            icon=":material/science:",
            help="Labels simulated from a known graph: which structure finds it, and how many instances that takes.",
        ),
        st.Page(
            "views/lessons/page.py",
            title="Lessons",
            url_path="lessons",
            icon=":material/school:",
            help="Six guided pages, five minutes each: from many labels over chains to the trellis and its price.",
        ),
        *(
            st.Page(lesson_view(number), title=f"Lesson {number}", url_path=f"lesson-{number}", visibility="hidden")
            for number in lesson_numbers()
        ),
        st.Page(
            "views/paper/page.py",
            title="Paper",
            url_path="paper",
            icon=":material/article:",
            help="Each table and figure of the paper, published beside what runs here.",
        ),
    ],
    position="hidden" if st.context.is_embedded else "sidebar",
    expanded=True,
)

workspace = session.workspace()


def tell_address() -> None:
    """Let the address say which data are loaded, and lead back to the workspace if the server keeps it."""
    said = {address.WORKSPACE: workspace.token if workspace.is_kept else None, address.DATA: workspace.address}
    for name, value in said.items():
        if value is None:
            st.query_params.pop(name, None)
        elif st.query_params.get(name) != value:
            st.query_params[name] = value


tell_address()
if workspace.notice:
    with st.container(horizontal=True, vertical_alignment="center"):
        st.info(plain(workspace.notice), icon=":material/link:")
        if page.title != "Data":
            st.page_link("views/data/page.py", label="Go to Data", icon=":material/table:")


@st.fragment(run_every=30)
def keep_alive() -> None:
    """Say that somebody is here, so that no run is ended as forgotten, and how many go on."""
    active = workspace.active
    for job in active:
        job.watch()
    training = [run.job for run in workspace.runs if run.job.is_active]
    if training:
        st.caption(f"Training: {len(training)} run{'s' * (len(training) > 1)}, {training[0].share:.0%} of the newest")


# A lesson in another page has the controls that it needs and nothing else.
if not (st.context.is_embedded and page.url_path.startswith("lesson-")):
    with st.sidebar:
        data = workspace.dataset
        st.caption("Loaded")
        loaded.switcher(workspace)
        incomplete = f" + {data.n_incomplete:,} incomplete" if data.n_incomplete else ""
        st.caption(f"N = {data.n_instances:,}{incomplete}  ·  D = {data.n_features:,}  ·  L = {data.n_labels:,}")
        keep_alive()

page.run()
tell_address()  # the page may have made it worth keeping
