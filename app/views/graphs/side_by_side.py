"""Structures side by side on the same places, where they differ, and one label in all of them."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial

import numpy as np
import pandas as pd
import streamlit as st
from components.parts import about_figure, asking, figure, legend_on_stage, plain, signs_of
from components.saving import graph_files, save, table_files
from components.tables import RECOVERY_NAMES, edges_table, recovery_table
from state import address, derived, structures
from state.call import Call, Script
from state.tuning import MOST_SEED
from state.workspace import Workspace
from streamlit.delta_generator import DeltaGenerator

from trellislib.figures import CROWDED, DRAWN_EDGES, DRAWN_LABELS, GROUP_STYLES, drawn_edges, graph_figure
from trellislib.graphs import LabelGraph
from trellislib.summaries import about_apart, about_graphs, about_hubs, about_links
from trellislib.wording import counted, listed
from views.graphs import found, label_profile
from views.graphs.found import Knobs

PALE = "Pale edges are in one graph only."
MOST = 4  # structures side by side
LEVELS = (0.0001, 0.001, 0.01, 0.05, 0.1)
LEAST = (0.0, 0.0001, 0.0005, 0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2)  # nats
OVERVIEW, NEIGHBOURHOOD, COMMUNITIES = "Overview", "Neighbourhood", "Communities"
HEIGHTS = {1: 400, 2: 400, 3: 360, 4: 320}  # of each chart, by how many there are
MARKS = ("■", "◆", "▲", "✚", "★", "⬢")  # of `GROUP_STYLES`
LISTED_LABELS = 6  # of a community

ask = asking(
    graph_mi="Edges with less mutual information, in nats, are removed from every structure. They are not drawn, "
    "counted, compared or saved. Nothing is learned again.",
    graph_show=f"**Overview**: all labels, or the {DRAWN_LABELS} most dependent of many.  \n"
    "**Neighbourhood**: the chosen label and its neighbours alone.  \n"
    "**Communities**: the overview with a colour and a shape for each of the six largest groups of dependent labels.",
    graph_edges="The strongest edges are drawn, and those of the chosen label.",
    graph_label="All graphs emphasise its edges and neighbours. A click on a label also chooses it.",
    graph_level="Significance level of an edge. A lower level finds fewer edges.",
    graph_seed="Chooses the root, from which edges lead away, and the folds of LEAD.",
)


def show(workspace: Workspace, row: DeltaGenerator) -> tuple[str, Script]:
    """Show the view, its first knob in a row; return the page's sentence and the Python of its figures."""
    data, names = workspace.dataset, workspace.dataset.label_names
    information, signs = derived.information(data), derived.signs(data)
    chosen, knobs, way, label, most = _controls(workspace, row)
    everything = {name: found.graph_of(workspace, name, knobs) for name in chosen}
    calls = {name: of for name, of in everything.items() if isinstance(of, Call)}
    graphs = {name: call.value for name, call in calls.items()}
    if graphs:
        agreement = about_graphs(graphs, names, information)
        sentence = f"{agreement} {about_links(list(graphs.values()), names, information, signs)}".strip()
    else:
        sentence = f"Finding the edges of {listed(chosen)} between {data.n_labels:,} labels takes a moment."
    drawing = _Drawing(workspace, calls, way, label, most)
    script = Script()
    pale = PALE if label is None and len(graphs) > 1 else ""
    legend_on_stage(f"{signs_of(data)} {pale}".strip())
    a_row = len(chosen) if len(chosen) < MOST else MOST // 2
    columns = [column for _ in range(0, len(chosen), a_row) for column in st.columns(a_row, gap="medium")]
    for name, column in zip(chosen, columns, strict=True):
        of = everything[name]
        with column:
            if isinstance(of, Call):
                script.show(drawing.show(name, len(chosen)))
            else:
                found.waiting(workspace, knobs.of(name), of)
    _legend(drawing)
    if label is not None:
        label_profile.show(data, label, "graph profile", graphs)
    else:
        st.caption("Click a label, or choose it, to see its neighbours and its profile.")
    _recovery(workspace, knobs, graphs)
    if graphs:
        _edges(data.name, graphs, names, information, signs)
    return sentence, script


def _controls(workspace: Workspace, row: DeltaGenerator) -> tuple[list[str], Knobs, str, int | None, int]:
    """Show the knobs; return what they are set to."""
    data, names = workspace.dataset, workspace.dataset.label_names
    offered = found.offered(data)
    _keep_chosen(workspace, offered)
    if st.session_state.get("graph_label") not in names:
        st.session_state["graph_label"] = None
    explained = "  \n".join(f"**{name}**: {structures.MEANINGS[name]}" for name in offered)
    chosen = ask(
        row.multiselect,
        "Structures",
        "graphs",
        offered,
        max_selections=MOST,
        help=f"At most four structures.  \n{explained}",
    )
    on_stage = address.is_presented()  # which has room for one row
    with row if on_stage else st.container(horizontal=True, vertical_alignment="bottom", gap="xsmall"):
        way = ask(st.selectbox, "Show", "graph_show", (OVERVIEW, NEIGHBOURHOOD, COMMUNITIES), width=160)
        label = ask(st.selectbox, "Label", "graph_label", names, None, placeholder="none", width=150)
        numbers = None if on_stage else st.container(horizontal=True, width="content", gap="xsmall")
        more = st.popover("More", icon=":material/tune:")
    most = DRAWN_EDGES
    with numbers or more:
        least = ask(st.select_slider, "Least MI", "graph_mi", LEAST, LEAST[0], format_func="{:g}".format, width=130)
        max_parents = ask(st.slider, "Parents at most", "graph_parents", 1, 6, 3, width=130)
        if data.n_labels > CROWDED:
            at_first = min(data.n_labels, DRAWN_EDGES)
            most = ask(st.slider, "Edges at most", "graph_edges", 10, DRAWN_EDGES, at_first, width=130)
    with more:
        level = ask(st.select_slider, "Level of the tests", "graph_level", LEVELS, 0.01, format_func="{:g}".format)
        seed = ask(st.number_input, "Seed", "graph_seed", 0, MOST_SEED)
    knobs = Knobs(max_parents, level, seed, least)
    return chosen or found.first_shown(data), knobs, way, None if label is None else names.index(label), most


def _keep_chosen(workspace: Workspace, offered: list[str]) -> None:
    """Keep what was chosen as far as these data have it; the first choice follows the data."""
    data = workspace.dataset
    first = found.first_shown(data)
    before = st.session_state.get("graphs shown first", first)
    chosen = [name for name in st.session_state.get("graphs", []) if name in offered]
    if not chosen or (before != first and st.session_state.get("graphs") == before):
        chosen = first
    st.session_state["graphs"], st.session_state["graphs shown first"] = chosen, first


class _Drawing:
    """What is drawn of the graphs: on which places, with what emphasised."""

    def __init__(self, workspace: Workspace, calls: Mapping[str, Call], way: str, label: int | None, most: int) -> None:
        self.call, self.data, self.calls, self.label, self.most = workspace.call, workspace.dataset, calls, label, most
        self.graphs = {name: call.value for name, call in calls.items()}
        self.information, self.signs = derived.information(self.data), derived.signs(self.data)
        self.around: list[int] | None = None
        self.centre = label
        self.drawn_at = derived.positions(self.call)
        if way == NEIGHBOURHOOD and calls:
            self.centre = found.most_connected(list(self.graphs.values())) if label is None else label
            self.around = found.neighbourhood(self.graphs, self.centre, self.information)
            self.drawn_at = found.positions_of(self.call, self.around)
        self.positions = self.drawn_at.value
        self.groups = found.communities(self.data) if way == COMMUNITIES else None

    def show(self, name: str, n_charts: int) -> Call:
        """Show one of the graphs; return the call that draws it."""
        graph, names = self.graphs[name], self.data.label_names
        n_edges = len(graph.edges)
        n_drawn = len(drawn_edges(graph, self.positions, self.information, selected=self.label, most=self.most))
        of_them = f", {n_drawn:,} drawn" if n_drawn < n_edges else ""
        st.markdown(f"**{plain(name)}**, {n_edges:,} edge{'s' * (n_edges != 1)}{of_them}")
        chosen = {} if self.label is None else {"selected": self.label}
        grouped = {} if self.groups is None else {"groups": found.communities(self.call)}
        chart = Call(
            graph_figure,
            self.calls[name],
            self.call.label_names,
            self.drawn_at,
            derived.information(self.call),
            signs=derived.signs(self.call),
            others=[other for of, other in self.calls.items() if of != name],
            height=HEIGHTS[n_charts],
            **({} if self.most == DRAWN_EDGES else {"most_edges": self.most}),
            **chosen,
            **grouped,
        )
        places = self.positions if np.isfinite(self.positions).all() else None  # of all labels or of none
        more = graph_files(graph, names, positions=places, dependence=self.information, signs=self.signs)
        figure(
            chart,
            alt=f"{name}: {about_graphs({name: graph}, names, self.information)}",
            key=f"graph {name} {self.label}",  # a new chart for each label: a second click on one does something
            caption=f"{structures.MEANINGS[name][0].upper()}{structures.MEANINGS[name][1:]}.",
            stem=f"{self.data.name}-{name}",
            more={"graph": more},
            on_click=partial(_click, names),
        )
        return chart


def _click(names: tuple[str, ...], point: list) -> None:
    """Choose the label that was clicked; a second click on it lets it go."""
    label = names[point[0]]
    st.session_state["graph_label"] = None if st.session_state.get("graph_label") == label else label


def _legend(drawing: _Drawing) -> None:
    data, graphs = drawing.data, drawing.graphs
    hubs = about_hubs(graphs, data.label_names)
    apart = about_apart(list(graphs.values()), data.label_names, drawing.information, drawing.signs)
    if hubs or apart:
        st.caption(plain(f"{hubs} {apart}".strip()))
    st.caption(
        "Arrows run from parent to child. Thick edges have more mutual information. "
        + (f"{PALE} " if drawing.label is None and len(drawing.graphs) > 1 else "")
        + signs_of(data)
    )
    about_figure(
        "All graphs have one scale of thickness: the mutual information of the labels, also in LEAD. Where the data "
        "leave a direction open, edges lead away from a root that the seed chooses."
    )
    if drawing.groups is not None:
        st.caption(plain(_about_communities(drawing.groups, data.label_names)))
    if drawing.around is not None and drawing.centre is not None:
        centre = data.label_names[drawing.centre]
        which = (
            f"its {found.NEIGHBOURS} strongest neighbours"
            if len(drawing.around) > found.NEIGHBOURS
            else "all its neighbours"
        )
        st.caption(
            plain(
                f"The graphs show {len(drawing.around)} of {data.n_labels:,} labels: {centre} and {which} in any graph."
            )
        )
    elif data.n_labels > DRAWN_LABELS:
        st.caption(
            f"The graphs show the {DRAWN_LABELS} most dependent of {data.n_labels:,} labels and their {drawing.most} "
            "strongest edges. The sentence and the tables count all."
        )
    if not structures.HAS_PC:
        st.caption("The PC algorithm is an optional extra: pip install 'trellislib[pc]'.")
    elif data.weights is not None:
        st.caption("PC counts every row once, whatever it weighs.")
    elif data.n_labels > structures.MOST_PC:
        st.caption(f"PC is offered for at most {structures.MOST_PC} labels. It takes minutes for more.")


def _about_communities(groups: np.ndarray, names: tuple[str, ...]) -> str:
    texts = []
    for number, mark in enumerate(MARKS[: len(GROUP_STYLES)]):
        labels = np.flatnonzero(groups == number)
        if len(labels):
            more = f" and {len(labels) - LISTED_LABELS} more" if len(labels) > LISTED_LABELS else ""
            texts.append(f"{mark} {', '.join(names[label] for label in labels[:LISTED_LABELS])}{more}")
    if not texts:
        return "No two labels are in one community."
    n_others = int(((groups < 0) | (groups >= len(GROUP_STYLES))).sum())
    others = f" {counted(n_others, 'label')} in none of these." if n_others else ""
    return f"Communities of dependent labels: {'; '.join(texts)}.{others}"


def _recovery(workspace: Workspace, knobs: Knobs, graphs: Mapping[str, LabelGraph]) -> None:
    """Show how well each structure agrees with the true one, where that is known."""
    data = workspace.dataset
    if data.true_parents is None:
        return
    st.header("How well each finds the true graph", anchor=False)
    truth = LabelGraph(data.true_parents)
    known = [name for name in found.offered(data) if name != structures.TRUE and (name != "PC" or name in graphs)]
    of_known = {name: found.graph_of(workspace, name, knobs) for name in known}
    ready = {name: of.value for name, of in of_known.items() if isinstance(of, Call)}
    table = recovery_table(ready, truth)
    st.dataframe(
        table,
        key="recovery",
        column_config={name: st.column_config.NumberColumn(format="%.2f") for name in RECOVERY_NAMES.values()}
        | {RECOVERY_NAMES["shd"]: st.column_config.NumberColumn()},
    )
    with st.container(horizontal=True, vertical_alignment="top", gap="small"):
        save(f"{data.name}-recovery", table=table_files(table, index=True))
        pc = found.offered(data)
        st.caption(
            f"The true graph has {len(truth.edges):,} edges. Pairs ignore directions. SHD counts missing, extra and "
            "reversed edges."
            + (" Choose PC to see it here. It takes longer." if "PC" in pc and "PC" not in graphs else ""),
            width="stretch",
        )


def _edges(
    stem: str,
    graphs: Mapping[str, LabelGraph],
    names: tuple[str, ...],
    information: np.ndarray,
    signs: np.ndarray | None,
) -> None:
    st.header("Edges", anchor=False)
    edges: pd.DataFrame = edges_table(graphs, names, information, signs)
    alike, n_shared = edges.attrs["alike"], sum(edges.attrs["shared"])
    n_turned = n_shared - sum(alike)
    in_all = f"{n_shared:,} of {len(edges):,} pairs are in {'both' if len(graphs) == 2 else 'all'} graphs" + (
        f", {n_turned:,} of these in opposite directions" if n_turned else ""
    )
    if len(graphs) == 1:
        in_all = counted(len(edges), "pair")
    with st.container(horizontal=True, vertical_alignment="center"):
        only = ask(st.toggle, "Differences only", "graph_differences")
        st.caption(
            f"{in_all}. → means that the label is the parent, ← that the other label is. An empty cell means no edge."
        )
    shown = edges[[not same for same in alike]] if only else edges
    st.dataframe(
        shown,
        hide_index=True,
        key="edges",
        column_config={name: st.column_config.NumberColumn(format="%.4f", width=75) for name in ("MI (nats)", "phi")}
        | dict.fromkeys(graphs, st.column_config.TextColumn(width=90, alignment="center"))
        | dict.fromkeys(("label", "other label"), st.column_config.TextColumn(width=110))
        | {"edge": st.column_config.TextColumn(width=120)},
    )
    save(f"{stem}-graphs-edges", table=table_files(shown))
