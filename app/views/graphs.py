"""Graphs: structures between the labels that were found in several ways, two of them side by side."""

import derived
import session
import streamlit as st
import structures
from parts import SIGNS, figure, head, plain, python_box
from tables import RECOVERY_NAMES, edges_table, recovery_table
from tuning import MOST_SEED

from trellislib.figures import DRAWN_LABELS, graph_figure
from trellislib.graphs import LabelGraph
from trellislib.takeaways import about_graphs

TITLE = "Which labels depend on each other directly?"
LEVELS = (0.0001, 0.001, 0.01, 0.05, 0.1)

workspace = session.workspace()
data = workspace.dataset
shape = workspace.shown
names = data.label_names
information = derived.information(data)

takeaway = st.container()
if data.n_labels == 1:
    with takeaway:
        head(
            "Which labels depend on each other directly?",
            f"{names[0]} is the only label, so there is nothing to depend on.",
        )
    st.info("Load a data set with at least two labels to see graphs.", icon=":material/info:")
    st.stop()

offered = list(structures.calls(1, 0.01, 0))
if data.n_labels > structures.MOST_PC and structures.HAS_PC:
    offered.remove("PC")
if data.true_parents is not None:
    offered.append(structures.TRUE)
offered.append(structures.TRELLIS)


def keep(key: str, default: str) -> str:
    """Return what was chosen, if these data have it."""
    if st.session_state.get(key) not in offered:
        st.session_state[key] = default
    return key


with st.container(horizontal=True, vertical_alignment="bottom"):
    explained = "  \n".join(f"**{name}**: {structures.MEANINGS[name]}" for name in offered)
    first = structures.TRUE if structures.TRUE in offered else "FS"
    left_name = st.selectbox("Left", offered, key=keep("left graph", first), width=160, help=explained)
    right_name = st.selectbox("Right", offered, key=keep("right graph", "LEAD (signed)"), width=160, help=explained)
    max_parents = st.slider("Parents at most", 1, 6, 3, key="most parents", persist_state="session", width=140)
    level = st.select_slider(
        "Level of the tests",
        LEVELS,
        0.01,
        format_func="{:g}".format,
        key="level",
        persist_state="session",
        width=165,
        help="How easily an edge is due to chance: lower finds fewer edges.",
    )
    seed = st.number_input(
        "Seed",
        0,
        MOST_SEED,
        key="graph seed",
        persist_state="session",
        width=100,
        help="Chooses the label from which edges lead away, and the folds of LEAD.",
    )

calls = structures.calls(max_parents, level, seed)


def graph_of(name: str) -> LabelGraph:
    if name == structures.TRUE:
        return LabelGraph(data.true_parents or ())
    if name == structures.TRELLIS:
        return workspace.placed(shape)
    return derived.discovered(data, calls[name])


shown = {name: graph_of(name) for name in (left_name, right_name)}
sentence = about_graphs((left_name, right_name), (shown[left_name], shown[right_name]), names, information)
with takeaway:
    head(TITLE, sentence)

positions, signs = derived.positions(data), derived.signs(data)
for column, name, other, key in zip(
    st.columns(2, gap="medium"), (left_name, right_name), (right_name, left_name), ("left", "right"), strict=True
):
    with column:
        graph = shown[name]
        st.markdown(f"**{plain(name)}**, {len(graph.edges):,} edge{'s' * (len(graph.edges) != 1)}")
        chart = graph_figure(
            graph, names, positions, information, signs=signs, other=shown[other] if other != name else None
        )
        figure(chart, alt=f"{name}: {sentence}", key=f"graph {key}")
        st.caption(f"{structures.MEANINGS[name].capitalize()}.")
st.caption(
    "Arrows run from parent to child; the thicker, the more mutual information (of the labels themselves, also under "
    "LEAD, and on the same scale left and right). Directions lead away from the label that the seed chooses, as far as "
    "the data leave them open. Pale edges are on one side only. " + (SIGNS if data.is_multilabel else "")
)
if data.n_labels > DRAWN_LABELS:
    st.caption(
        f"Drawn are the {DRAWN_LABELS} of {data.n_labels:,} labels that depend most on any other, and the edges among "
        "them; the sentence and the tables count all."
    )
if not structures.HAS_PC:
    st.caption("The PC algorithm is an optional extra: pip install 'trellislib[pc]'.")
elif "PC" not in offered:
    st.caption(f"PC is offered for up to {structures.MOST_PC} labels: for more it takes minutes.")

if data.true_parents is not None:
    st.header("What each finds of the true graph", anchor=False)
    truth = LabelGraph(data.true_parents)
    known = [name for name in offered if name != structures.TRUE and (name != "PC" or name in shown)]
    table = recovery_table({name: graph_of(name) for name in known}, truth)
    st.dataframe(
        table,
        key="recovery",
        column_config={name: st.column_config.NumberColumn(format="%.2f") for name in RECOVERY_NAMES.values()}
        | {RECOVERY_NAMES["shd"]: st.column_config.NumberColumn()},
    )
    st.caption(
        f"The true graph has {len(truth.edges):,} edges. Pairs: whatever the direction. SHD counts missing, extra and "
        "reversed edges."
        + (" Choose PC to see it here, too: it takes longer." if "PC" in offered and "PC" not in shown else "")
    )

st.header("Edges", anchor=False)
edges = edges_table(shown, names, information, signs)
st.dataframe(
    edges,
    hide_index=True,
    key="edges",
    column_config={name: st.column_config.NumberColumn(format="%.4f") for name in ("MI (nats)", "phi")},
)
st.download_button(
    "Download these edges (CSV)",
    edges.to_csv(index=False),
    file_name=f"{data.name}-graphs.csv",
    mime="text/csv",
    on_click="ignore",
    icon=":material/download:",
)
simple = {structures.TRUE: "LabelGraph(data.true_parents)", structures.TRELLIS: structures.trellis_code(shape)}
python_box(structures.script(workspace.source, data, {name: simple.get(name) or calls[name].code for name in shown}))
