"""The ways to a data set: one small form each. A data set that cannot be made leaves the loaded one in place."""

from __future__ import annotations

from dataclasses import dataclass

import streamlit as st
from known_sets import described, downloading, fetch_button, where_from
from parts import plain
from session import Workspace
from sources import BOUNDS, Source, load
from tuning import MOST_SEED

from trellislib.data import DIFFICULTIES, KNOWN, PACKAGED, DataError, Table, choose_labels, read_table

ROOM, DAG = BOUNDS["simulate_room"], BOUNDS["simulate_label_dag"]
SHOWN_NAMES = 12


def packaged_form(workspace: Workspace) -> None:
    """Choose one of the sets that come with installed packages."""

    def choose() -> None:
        _use(workspace, Source.of("packaged", name=st.session_state["packaged"]))

    current = dict(workspace.source.arguments).get("name") if workspace.source.function == "packaged" else None
    names = list(PACKAGED)
    st.session_state["packaged"] = current
    st.selectbox(
        "Data set",
        names,
        format_func=lambda name: f"{name}: {PACKAGED[name]}",
        key="packaged",
        on_change=choose,
        placeholder="Choose a packaged data set",
    )
    _show_problem()


def known_form(workspace: Workspace) -> None:
    """Choose one of the data sets that are known by name; what is not on this machine can be downloaded."""

    def choose() -> None:
        key = st.session_state["known"]
        if key and where_from(key):
            _use(workspace, Source.of("obtain", key=key))

    current = dict(workspace.source.arguments).get("key") if workspace.source.function == "obtain" else None
    st.session_state.setdefault("known", current)
    key = st.selectbox(
        "Known data set",
        KNOWN,
        format_func=described,
        key="known",
        on_change=choose,
        placeholder="Choose a data set of the field",
        help="Looked for in the folder that the variable TRELLISLIB_DATA names, among downloads, and in packages.",
    )
    _show_problem()
    if key is None or key == current:
        return
    if where_from(key):  # it has been downloaded since, or other data were loaded
        st.button(f"Use {plain(KNOWN[key].name)}", icon=":material/check:", on_click=choose, key="use known")
        return
    if not KNOWN[key].can_be_fetched:
        st.info(plain(f"{KNOWN[key].name} is not on this machine. {KNOWN[key].note}"), icon=":material/info:")
    fetch_button(key)
    downloading(key)


def room_form(workspace: Workspace) -> None:
    """Simulate the light-sensor room."""
    st.caption(
        "People in a room block the light between a window and sensors on the walls; every tile of the floor is a "
        "label (section 5.2 of the paper)."
    )
    with st.form("room", border=False), st.container(horizontal=True, vertical_alignment="bottom"):
        width = st.number_input("Tiles per side W", *ROOM["width"], 10, help="L = W x W labels.", width=140)
        n_instances = st.number_input("Instances N", *ROOM["n_instances"], 5_000, step=500, width=140)
        n_sensors = st.number_input("Sensors D", *ROOM["n_sensors"], 30, width=120)
        n_measurements = st.number_input(
            "Measurements M", *ROOM["n_measurements"], 1, width=150, help="By each sensor, of one scene."
        )
        seed = st.number_input("Seed", 0, MOST_SEED, 0, width=120, key="room-seed")
        if st.form_submit_button("Simulate the room", icon=":material/sensors:"):
            _simulate(
                workspace,
                "simulate_room",
                n_instances=n_instances,
                width=width,
                n_sensors=n_sensors,
                n_measurements=n_measurements,
                random_state=seed,
            )
    _show_problem()


def label_dag_form(workspace: Workspace) -> None:
    """Simulate labels whose true graph is known."""
    st.caption("Each label has at most one parent, and follows it as alpha and sigma² say (appendix A of the paper).")

    def set_difficulty() -> None:
        for name, value in DIFFICULTIES[st.session_state["difficulty"]].items():
            st.session_state[name] = float(value)

    st.session_state.setdefault("alpha", 1.0)
    st.session_state.setdefault("sigma2", 1.0)
    st.segmented_control(
        "Difficulty",
        list(DIFFICULTIES),
        default="easy",
        key="difficulty",
        on_change=set_difficulty,
        required=True,
        help="Sets alpha and sigma² as the paper does.",
    )
    with st.form("label-dag", border=False), st.container(horizontal=True, vertical_alignment="bottom"):
        n_labels = st.number_input("Labels L", *DAG["n_labels"], 20, width=110)
        n_instances = st.number_input("Instances N", *DAG["n_instances"], 500, step=100, width=130)
        n_features = st.number_input("Features D", *DAG["n_features"], 10, width=120)
        n_ones = st.number_input(
            "Relevant features T", *DAG["n_ones"], 3, width=160, help="Ones in each label's weights."
        )
        alpha = st.number_input("alpha", *DAG["alpha"], key="alpha", step=0.05, width=110, help="Pull of the parent.")
        sigma2 = st.number_input(
            "sigma²", *DAG["sigma2"], key="sigma2", step=0.1, width=110, help="Variance of the noise."
        )
        delta = st.number_input(
            "delta", *DAG["delta"], value=0.0, step=0.1, width=110, help="Threshold: higher makes labels rarer."
        )
        seed = st.number_input("Seed", 0, MOST_SEED, 0, width=110, key="dag-seed")
        if st.form_submit_button("Simulate the labels", icon=":material/hub:"):
            _simulate(
                workspace,
                "simulate_label_dag",
                n_instances=n_instances,
                n_labels=n_labels,
                n_features=n_features,
                n_ones=n_ones,
                alpha=alpha,
                sigma2=sigma2,
                delta=delta,
                random_state=seed,
            )
    _show_problem()


@dataclass
class Upload:
    """Files that were received: what was read of them, and the labels as far as they are known."""

    table: Table
    labels: tuple[str, ...]
    file: str


def file_form(workspace: Workspace) -> None:
    """Load a file of the user's own, asking which columns are labels where the file does not say."""
    st.file_uploader(
        "A CSV, or an ARFF; a Mulan ARFF together with its XML",
        accept_multiple_files=True,
        key="files",
        on_change=_receive,
        args=(workspace,),
        help="Mulan and MEKA files, dense or sparse, and tables with one column per label. Nothing leaves this server.",
    )
    _show_problem()
    if "accepted" in st.session_state:
        st.success(plain(st.session_state["accepted"]), icon=":material/check:")
        if workspace.link:
            st.link_button("Open what the link showed", workspace.link, icon=":material/link:")
    elif "upload" in st.session_state:
        _ask_for_labels(workspace, st.session_state["upload"])


def _receive(workspace: Workspace) -> None:
    """Read what was dropped; use it at once where it says itself which columns are labels."""
    for left_over in ("upload", "accepted", "label choice", "label count", "label names"):  # answers about another file
        st.session_state.pop(left_over, None)
    received = {file.name: file for file in st.session_state["files"]}
    xmls = [name for name in received if name.lower().endswith(".xml")]
    tables = [name for name in received if name not in xmls]
    try:
        if len(tables) > 1 or len(xmls) > 1:
            raise DataError(f"Got {', '.join(received)}, but one data file, with one XML at most, is read at a time.")
        if not tables:
            if xmls:
                raise DataError(f"{xmls[0]} names labels; drop the ARFF file that it belongs to as well.")
            return
        file, xml = tables[0], xmls[0] if xmls else None
        table = read_table(received[file])
        labels = choose_labels(table, received[xml]) if xml else table.propose_labels()
        upload = Upload(table, labels, file)
        if xml or table.labels is not None:
            _accept(workspace, upload, labels, xml)
        else:
            st.session_state["upload"] = upload
    except DataError as error:
        st.session_state["problem"] = str(error)


def _accept(workspace: Workspace, upload: Upload, labels: tuple[str, ...], said: object) -> None:
    """Make the uploaded table the data set of all pages; `said` is how Python would be told the labels."""
    data = upload.table.to_dataset(labels)
    known = {} if said is None else {"labels": said}
    workspace.use(Source.of("load", source=upload.file, **known), data)
    st.session_state.pop("upload", None)  # the table is not needed any more
    st.session_state["accepted"] = f"{upload.file} is loaded, with {len(labels)} labels: {_listed(labels)}."


def _ask_for_labels(workspace: Workspace, upload: Upload) -> None:
    """Let the user say which columns are labels, with a proposal."""
    columns = upload.table.columns
    st.markdown(
        f"{plain(upload.file)} does not say which of its {len(columns)} columns are labels. "
        + ("If it is one of Mulan's, drop its XML file beside it. " if upload.file.lower().endswith(".arff") else "")
        + (f"Proposed: {plain(_listed(upload.labels))}." if upload.labels else "Nothing can be proposed.")
    )
    st.dataframe(upload.table.preview(5), hide_index=True, key="preview")
    how = st.segmented_control(
        "Labels are",
        ("the last columns", "the first columns", "chosen by name"),
        default="the last columns" if upload.labels == columns[-len(upload.labels) :] else "chosen by name",
        required=True,
        key="label choice",
    )
    if how == "chosen by name":
        chosen = tuple(st.multiselect("Label columns", columns, default=upload.labels, key="label names"))
        said: object = list(chosen)
    else:
        most = max(len(columns) - 1, 1)
        count = st.number_input(
            "How many", 1, most, min(max(len(upload.labels), 1), most), key="label count", width=140
        )
        chosen = columns[-count:] if how == "the last columns" else columns[:count]
        said = -count if how == "the last columns" else count
        st.caption(f"Labels: {plain(_listed(chosen))}")

    def accept() -> None:
        try:
            _accept(workspace, upload, chosen, said)
        except DataError as error:
            st.session_state["problem"] = str(error)

    st.button("Use this data", type="primary", on_click=accept, disabled=not chosen, key="accept")


def _simulate(workspace: Workspace, function: str, **arguments: object) -> None:
    """Make the data that a submitted form asks for, and draw the page anew."""
    _use(workspace, Source.of(function, **arguments))
    st.rerun()


def _use(workspace: Workspace, source: Source) -> None:
    """Make the data of `source` and show them, or keep what is there and say why not."""
    try:
        workspace.use(source, load(source))
    except ValueError as error:
        st.session_state["problem"] = str(error)


def _show_problem() -> None:
    """Say once what went wrong; what was loaded before is still there."""
    problem = st.session_state.pop("problem", None)
    if problem:
        st.error(plain(f"{problem} The data loaded before are still here."), icon=":material/error:")


def _listed(names: tuple[str, ...]) -> str:
    shown = ", ".join(names[:SHOWN_NAMES])
    return shown + (f" and {len(names) - SHOWN_NAMES} more" if len(names) > SHOWN_NAMES else "")
