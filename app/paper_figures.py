"""The paper's pictures and descriptive tables on a page, drawn or counted anew."""

from __future__ import annotations

import derived
import numpy as np
import pandas as pd
import streamlit as st
from parts import figure, lattice_figure, plain

from trellislib.data import KNOWN, Dataset, obtain, origin
from trellislib.dependence import pair_counts, phi_coefficients
from trellislib.figures import graph_figure, graph_positions, room_figure, trellis_figure
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

RING = np.array([[0.0, 1.0], [1.0, 0.0], [0.0, -1.0], [-1.0, 0.0]])
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
            chart = graph_figure(graph, names, RING, np.zeros((4, 4)), height=230)
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
            lattice_figure(
                trellis_figure(placed, names, np.zeros((9, 9))), alt=pattern, key=f"lattice {pattern}", signed=False
            )
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
    _graphs(graphs, data.label_names, derived.information(data), signs, key="music")
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
    information: np.ndarray,
    signs: np.ndarray | None,
    key: str,
) -> None:
    positions = graph_positions(information)
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
        _graphs(graphs, names, truth, None, key=difficulty)
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
    known = {known.paper_name: known for known in KNOWN.values() if known.paper_name}
    printed["here"] = [origin(known[name].key, folder) or "-" if name in known else "-" for name in printed.index]
    printed["LC, known"] = [known[name].label_cardinality if name in known else None for name in printed.index]
    st.table(printed.astype(str), border="horizontal")
    return f"{int((printed['here'] != '-').sum())} of the paper's {len(printed)} data sets are on this machine."


def methods(folder: str | None) -> str:
    """Show the paper's methods, Table 3."""
    table = published("methods")
    st.table(table.map(lambda text: plain(str(text))), hide_index=True, border="horizontal")
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
