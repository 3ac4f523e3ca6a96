"""The paper's pictures and descriptive tables on a page, drawn or counted anew."""

from __future__ import annotations

import derived
import numpy as np
import pandas as pd
import streamlit as st
from paper_experiments import ORIGINS
from parts import figure, plain

from trellislib.data import KNOWN, Dataset, obtain, origin
from trellislib.dependence import pair_counts, phi_coefficients
from trellislib.figures import graph_figure, graph_positions, lattice_positions, ring_positions, room_figure
from trellislib.graphs import recovery
from trellislib.label_graph import AnyLabelGraph
from trellislib.paper import (
    graphical_models,
    measured_exponents,
    music_graphs,
    published,
    recovered_graphs,
    room_example,
    trellises,
)
from trellislib.paper.appendix import DIFFERENCES, PROTOCOL, SOURCE, batch, measured_f, published_f
from trellislib.paper.experiments import STAND_INS

MODELS = {
    "IC": "Independent classifiers: no edges.",
    "CC": "A chain: every label has all before it as parents.",
    "BCC": "A Bayesian chain: a directed graph that was found.",
    "CDN": "A dependency network: all labels, undirected.",
}


def models(folder: str | None) -> str:
    """Show the graphical models of four methods, Figure 3."""
    names = [f"y{number}" for number in range(1, 5)]
    for (key, graph), place in zip(graphical_models().items(), st.columns(4), strict=True):
        with place:
            st.markdown(f"**{key}**")
            chart = graph_figure(graph, names, ring_positions(4), height=230)
            figure(chart, alt=MODELS[key], key=f"model {key}")
            st.caption(MODELS[key])
    return "What methods assume of four labels: nothing, a full order, a graph that was found, or all pairs at once."


def lattices(folder: str | None) -> str:
    """Show the three trellises of nine labels, Figure 5."""
    names = [str(number) for number in range(1, 10)]
    for (pattern, placed), place in zip(trellises().items(), st.columns(3), strict=True):
        with place:
            parents = ", ".join(names[parent] for parent in sorted(placed.parents[4]))
            st.markdown(f"**{pattern}**: pa(5) = {{{parents}}}")
            chart = graph_figure(placed, names, lattice_positions(placed), height=300)
            figure(chart, alt=f"Pattern {pattern}.", key=f"lattice {pattern}")
    return "A trellis is one pattern of parents, the same for every label: two, three or four of those placed before."


@st.cache_data(ttl="6h", show_spinner="Loading Music…", max_entries=4)
def _music(folder: str | None) -> Dataset | None:
    return obtain("emotions", folder)


def music(folder: str | None) -> str:
    """Show what FS and LEAD find in Music, Figure 4."""
    if origin("emotions", folder) is None:
        st.info(
            "Music is not on this machine: download it with the experiment “structure”, or name its folder.",
            icon=":material/info:",
        )
        return "These graphs need the data set Music (emotions)."
    data = _music(folder)
    assert data is not None
    graphs = music_graphs(data)
    signs = phi_coefficients(pair_counts(data.Y))
    information = derived.information(data)
    _graphs(graphs, data.label_names, ring_positions(data.n_labels), information, signs, key="music")
    shared = {frozenset(edge) for edge in graphs["FS"].edges} & {frozenset(edge) for edge in graphs["LEAD"].edges}
    st.caption(
        "Links by mutual information of the labels (FS) and of the errors of independent classifiers (LEAD). Orange: "
        "they co-occur. Blue, dashed: they exclude each other. Directions run from a root drawn at random."
    )
    return (
        f"FS finds {len(graphs['FS'].edges)} links between the {data.n_labels} emotions, LEAD "
        f"{len(graphs['LEAD'].edges)}; they agree on {len(shared)}."
    )


def _graphs(
    graphs: dict[str, AnyLabelGraph],
    names: tuple[str, ...],
    positions: np.ndarray,
    information: np.ndarray | None,
    signs: np.ndarray | None,
    key: str,
) -> None:
    for (name, graph), place in zip(graphs.items(), st.columns(len(graphs)), strict=True):
        with place:
            st.markdown(f"**{name}**")
            chart = graph_figure(graph, names, positions, information, signs=signs, height=380)
            figure(chart, alt=f"{name}: {len(graph.edges)} edges.", key=f"{key} {name}")


def room(folder: str | None) -> str:
    """Show the room of light sensors, Figure 7."""
    example = room_example()
    chart = room_figure(example.room, example.tiles, example.observed)
    figure(chart, alt="A room of 10 x 10 tiles with 12 sensors.", key="room")
    st.caption("The light shines from the bottom edge; a sensor detects what stands in its triangle.")
    return (
        f"{example.room.n_labels} tiles, {example.room.n_sensors} sensors and {int(example.tiles.sum())} targets: "
        f"{int(example.observed.sum())} sensors detect something, and the target in the corner is seen by none."
    )


@st.cache_data(ttl="6h", show_spinner="Simulating and searching…", max_entries=32)
def _recovered(difficulty: str, seed: int) -> dict[str, AnyLabelGraph]:
    return recovered_graphs(difficulty, seed)


def appendix_graphs(folder: str | None) -> str:
    """Show known graphs and what FS and LEAD find of them, Figure 8."""
    with st.container(horizontal=True, vertical_alignment="bottom"):
        seed = st.number_input("Seed", 0, 10_000, key="appendix seed", width=140)
    told = []
    for difficulty in ("easy", "medium", "hard"):
        graphs = _recovered(difficulty, int(seed))
        n_labels = graphs["Truth"].n_labels
        names = tuple(str(number) for number in range(1, n_labels + 1))
        truth = np.zeros((n_labels, n_labels))
        for edge in graphs["Truth"].edges:
            truth[edge] = truth[edge[::-1]] = 1.0
        st.header(difficulty.capitalize(), anchor=False)
        _graphs(graphs, names, graph_positions(truth), None, None, key=difficulty)
        scores = {name: recovery(graphs[name], graphs["Truth"]) for name in ("FS", "LEAD")}
        told.append(f"{difficulty} " + " and ".join(f"{of.skeleton_f:.2f} ({name})" for name, of in scores.items()))
    return f"F-measure of the edges that are found, without directions: {', '.join(told)}."


@st.cache_data(ttl="6h", show_spinner="Recovering ten graphs, about 5 s…", max_entries=8)
def _batch(seed: int, n_datasets: int) -> pd.DataFrame:
    return batch(seed, n_datasets)


def appendix(folder: str | None) -> str:
    """Show the F-measures of FS and LEAD over simulated sets of random difficulty, Appendix A."""
    with st.container(horizontal=True, vertical_alignment="bottom"):
        seed = st.number_input("Seed", 0, 10_000, key="batch seed", width=140)
        n_datasets = st.number_input("Data sets", 2, 200, 10, key="batch size", width=140)
    found = _batch(int(seed), int(n_datasets))
    rows = {
        "Published": published_f().iloc[0],
        "Ours, directed": measured_f(found).iloc[0],
        "Ours, without directions": measured_f(found, "skeleton_f").iloc[0],
    }
    st.table(pd.DataFrame(rows).T.map("{:.3f}".format), border="horizontal")
    st.caption(plain(f"{SOURCE}. {PROTOCOL} {DIFFERENCES}"))
    ours = rows["Ours, directed"]
    ahead = "FS" if ours["FS"] > ours["LEAD"] else "LEAD"
    return (
        f"Over {n_datasets} simulated sets {ahead} is ahead: FS {ours['FS']:.3f}, LEAD {ours['LEAD']:.3f} (paper: FS)."
    )


def complexity(folder: str | None) -> str:
    """Show the paper's complexities beside measured exponents, Table 4."""
    table = measured_exponents(derived.growth())
    powers = [column for column in table if column not in ("train", "test")]
    shown = table.assign(**{column: table[column].map("{:.2f}".format) for column in powers})
    st.table(shown.rename(columns={"train": "Training, paper", "test": "Prediction, paper"}), border="horizontal")
    st.caption(
        "The power with which time grows in L labels, N instances and D features, least squares, measured by "
        "tests/benchmarks/growth.py; nan: not measured."
    )
    power = table.loc["CT", "train L"]
    return f"The paper counts O(LDN) for CT as for IC; measured, training CT grows with L to the power {power:.2f}."


def datasets(folder: str | None) -> str:
    """Show the paper's data sets beside what is on this machine, Table 5."""
    printed = published("datasets").set_index("dataset")
    by_name = {known.paper_name: key for key, known in KNOWN.items() if key not in STAND_INS.values()}
    here = []
    for name in printed.index:
        key = by_name[name]
        sample = STAND_INS.get(key)
        found = origin(key, folder)
        in_place = origin(sample, folder) if found is None and sample else None
        here.append(ORIGINS[found] if not in_place else f"{KNOWN[sample].n_instances:,} rows {ORIGINS[in_place]}")
    printed["Here"] = here
    shown = printed.rename(columns={"type": "Type"}).rename_axis("Data set")
    shown["LC"] = shown["LC"].map("{:.2f}".format)
    st.table(shown, border="horizontal")
    st.caption("N instances, L labels, D features, LC label cardinality, as the paper prints them.")
    n_here = sum(where != ORIGINS[None] for where in here)
    return f"{n_here} of the paper's {len(printed)} data sets are on this machine."


def methods(folder: str | None) -> str:
    """Show the paper's methods, Table 3."""
    table = published("methods")
    shown = table.map(lambda text: plain(str(text))).rename(columns={"key": "Method", "description": "What it is"})
    st.table(shown, hide_index=True, border="horizontal")
    return f"{len(table)} methods, each a label graph, a base learner per label and an inference."


SHOWN = {
    "appendix": ("FS against LEAD on known graphs (Appendix A)", appendix),
    "models": ("Graphical models (Figure 3)", models),
    "music": ("Graphs of Music (Figure 4)", music),
    "lattices": ("Three trellises (Figure 5)", lattices),
    "scene": ("The room (Figure 7)", room),
    "recovered": ("Easy, medium and hard graphs (Figure 8)", appendix_graphs),
    "methods": ("Methods (Table 3)", methods),
    "complexity": ("Complexity and measured exponents (Table 4)", complexity),
    "datasets": ("Data sets (Table 5)", datasets),
}
