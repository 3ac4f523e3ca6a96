"""The paper's pictures and descriptive tables on a page, drawn or counted here."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pandas as pd
import streamlit as st
from components.known_sets import ORIGINS, downloading, fetch_button, where_from
from components.parts import SIGNS, choice, figure, foot, plain
from components.saving import graph_files, save, table_files
from state import derived
from state.call import Call, Script, known, value_of

from trellislib.data import DIFFICULTIES, KNOWN, Dataset, fetch, obtain, origin
from trellislib.figures import (
    graph_figure,
    lattice_positions,
    ring_positions,
    room_figure,
    trellis_figure,
    truth_positions,
)
from trellislib.graphs import LabelGraph, recovery
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
from trellislib.summaries import about_edges, about_found

GRAPH_HEIGHT = 380
MODELS = {
    "IC": "Independent classifiers: no edges.",
    "CC": "A chain: all earlier labels are parents.",
    "BCC": "A Bayesian chain: a learned directed graph.",
    "CDN": "A dependency network: all labels, undirected.",
}


def models(folder: str | None) -> str:
    """Show the graphical models of four methods, Figure 3."""
    names = [f"y{number}" for number in range(1, 5)]
    graphs, script = Call(graphical_models).named("graphs"), Script()
    for (key, graph), place in zip(graphs.value.items(), st.columns(4), strict=True):
        with place:
            st.markdown(f"**{key}**")
            chart = Call(graph_figure, graphs[key], names, Call(ring_positions, 4), height=230)
            script.show(chart)
            files = graph_files(graph, names, positions=ring_positions(4))
            figure(chart, key=f"model {key}", caption=MODELS[key], stem=f"{key}-of-four", more={"graph": files})
    foot(script)
    return "Methods assume no edges, a full order, a learned graph, or all pairs of four labels."


def lattices(folder: str | None) -> str:
    """Show the three trellises of nine labels, Figure 5."""
    names = [str(number) for number in range(1, 10)]
    made, script = Call(trellises).named("placed"), Script()
    for (pattern, placed), place in zip(made.value.items(), st.columns(3), strict=True):
        with place:
            parents = ", ".join(names[parent] for parent in sorted(placed.parents[4]))
            st.markdown(f"**{pattern}**")
            chart = Call(trellis_figure, made[pattern], names, Call(np.zeros, (9, 9)))
            chart = chart.update_traces(mode="markers", selector={"mode": "markers+text"})  # there are no weights
            chart = chart.update_traces(hoverinfo="skip")
            script.print(pattern, made[pattern].parents).show(chart)
            caption = f"pa(5) = {{{parents}}}, {len(placed.edges)} edges."
            files = graph_files(placed, names, positions=lattice_positions(placed))
            figure(chart, key=f"lattice {pattern}", caption=caption, stem=f"trellis-{pattern}", more={"graph": files})
    foot(script)
    return "A trellis has one pattern of parents for every label: two, three or four earlier labels."


@st.cache_data(ttl="6h", show_spinner="Loading Music…", max_entries=4)
def _music(folder: str | None) -> Dataset | None:
    return obtain("emotions", folder)


def music(folder: str | None) -> str:
    """Show what FS and LEAD find in Music, Figure 4."""
    script, key, where = Script(), "emotions", {"folder": folder} if folder else {}
    script.add(f"music = {script.text(Call(obtain, key, **where))} or {script.text(Call(fetch, key))}")
    data = _music(folder) if where_from("emotions", folder) else None
    if data is None:
        fetch_button("emotions")
        downloading("emotions")
        foot(script)
        return "Music is not on this machine: download it, or name its folder under More."
    known_data = known("music", data)
    found = Call(music_graphs, known_data).named("graphs")
    graphs, information, signs = found.value, derived.information(known_data), derived.signs(known_data)
    for structure in graphs:
        script.print(structure, found[structure].edges)
    _graphs(
        found,
        known_data.label_names,
        Call(ring_positions, data.n_labels),
        information,
        signs,
        "music",
        [about_edges(graph, data.label_names, information.value, signs.value) for graph in graphs.values()],
        script,
    )
    shared = {frozenset(edge) for edge in graphs["FS"].edges} & {frozenset(edge) for edge in graphs["LEAD"].edges}
    st.caption(
        "FS uses mutual information of labels, and LEAD of the errors of independent classifiers. "
        f"{SIGNS} Edges lead away from a random root."
    )
    foot(script)
    return (
        f"FS finds {len(graphs['FS'].edges)} links between the {data.n_labels} emotions, LEAD "
        f"{len(graphs['LEAD'].edges)}. They agree on {len(shared)}."
    )


def _graphs(
    graphs: Call,
    names: Call | Sequence[str],
    positions: Call,
    information: Call | None,
    signs: Call | None,
    key: str,
    captions: Sequence[str],
    script: Script,
) -> None:
    weighed = {} if information is None else {"dependence": information, "signs": signs}
    files = {"positions": positions, "dependence": information, "signs": signs}
    for (name, graph), of_graph, place in zip(graphs.value.items(), captions, st.columns(len(captions)), strict=True):
        with place:
            st.markdown(f"**{name}**")
            chart = Call(graph_figure, graphs[name], names, positions, **weighed, height=GRAPH_HEIGHT)
            script.show(chart)
            more = {"graph": graph_files(graph, value_of(names), **value_of(files))}
            figure(chart, key=f"{key} {name}", caption=of_graph, stem=f"{key}-{name}", more=more)


def room(folder: str | None) -> str:
    made = Call(room_example).named("example")
    example, chart = made.value, Call(room_figure, made.room, made.tiles, made.observed)
    caption = "The light shines from the bottom edge. A sensor detects people in its triangle."
    figure(chart, alt=f"A room of tiles with sensors. {caption}", key="room", caption=caption)
    foot(Script().show(chart))
    return (
        f"The room has {example.room.n_labels} tiles, {example.room.n_sensors} sensors and {int(example.tiles.sum())} "
        f"targets. {int(example.observed.sum())} sensors detect something. No sensor sees the target in the corner."
    )


def _recovered(difficulty: str, seed: int) -> Call:
    call = Call(recovered_graphs, difficulty, random_state=seed).named(difficulty)
    return call.found_by(lambda: _found(difficulty, seed))


@st.cache_data(ttl="6h", show_spinner="Simulating and searching…", max_entries=32)
def _found(difficulty: str, seed: int) -> dict[str, LabelGraph]:
    return recovered_graphs(difficulty, seed)


def appendix_graphs(folder: str | None) -> str:
    """Show known graphs and what FS and LEAD find of them, Figure 8."""
    with st.container(horizontal=True, vertical_alignment="bottom"):
        chosen = choice("Graph", DIFFICULTIES, key="paper_difficulty", default="easy", format_func=str.capitalize)
        seed = int(st.number_input("Seed", 0, 10_000, key="paper_seed", bind="query-params", width=140))
    calls = {difficulty: _recovered(difficulty, seed) for difficulty in DIFFICULTIES}
    found, script = value_of(calls), Script()
    graphs = found[chosen]
    n_labels = graphs["Truth"].n_labels
    names = [str(number) for number in range(1, n_labels + 1)]
    positions = Call(truth_positions, calls[chosen]["Truth"])
    captions = [f"The graph itself: {len(graphs['Truth'].edges)} edges."]
    captions += [about_found(graphs[name], graphs["Truth"]) for name in ("FS", "LEAD")]
    for difficulty, of in calls.items():
        f_measures = (Call(recovery, of[name], of["Truth"]).skeleton_f for name in ("FS", "LEAD"))
        script.print(difficulty, *f_measures)
    _graphs(calls[chosen], names, positions, None, None, f"recovered-{chosen}", captions, script)
    st.caption("FS and LEAD use 500 instances simulated from the graph on the left.")
    foot(script)
    texts = [
        f"{difficulty} "
        + " and ".join(f"{recovery(of[name], of['Truth']).skeleton_f:.2f} ({name})" for name in ("FS", "LEAD"))
        for difficulty, of in found.items()
    ]
    return f"The F-measure of found edges without directions is {', '.join(texts)}."


@st.cache_data(ttl="6h", show_spinner="Recovering ten graphs, about 5 s…", max_entries=8)
def _batch(seed: int, n_datasets: int) -> pd.DataFrame:
    return batch(seed, n_datasets)


def appendix(folder: str | None) -> str:
    """Show the F-measures of FS and LEAD over simulated sets of random difficulty, Appendix A."""
    with st.container(horizontal=True, vertical_alignment="bottom"):
        seed = st.number_input("Seed", 0, 10_000, key="paper_batch_seed", bind="query-params", width=140)
        n_datasets = st.number_input("Data sets", 2, 200, 10, key="paper_batch_size", bind="query-params", width=140)
    call = Call(batch, random_state=int(seed), n_datasets=int(n_datasets)).named("found")
    found = call.found_by(lambda: _batch(int(seed), int(n_datasets))).value
    calls = {
        "Published": Call(published_f),
        "Ours, directed": Call(measured_f, call),
        "Ours, without directions": Call(measured_f, call, "skeleton_f"),
    }
    rows = {name: of.value.iloc[0] for name, of in calls.items()}
    table = pd.DataFrame(rows).T
    st.table(table.map("{:.3f}".format), border="horizontal")
    save("paper-appendix", table=table_files(table, index=True), data_sets=table_files(found))
    st.caption(plain(f"{SOURCE}. {PROTOCOL}"))
    with st.expander("Where ours may differ"):
        st.caption(plain(DIFFERENCES))
    foot(Script().print(*calls.values()))
    ours, printed = rows["Ours, directed"], rows["Published"]
    same = "as" if ours.idxmax() == printed.idxmax() else "unlike"
    return (
        f"{ours.idxmax()} finds more of the graph on {n_datasets} simulated sets, {same} in the paper. The F-measure "
        f"is {ours['FS']:.3f} for FS and {ours['LEAD']:.3f} for LEAD."
    )


def complexity(folder: str | None) -> str:
    """Show the paper's complexities next to measured exponents, Table 4."""
    call = Call(measured_exponents, derived.growth())
    table = call.value
    columns = {"train": "Training, paper", "test": "Prediction, paper"}
    shown = table[list(columns)].rename(columns=columns).rename_axis("Method")
    for stage, name in {"train": "Training", "test": "Prediction"}.items():
        for variable in "LND":
            powers = table[f"{stage} {variable}"]
            shown[f"{name}, {variable}"] = ["-" if pd.isna(power) else f"{power:.2f}" for power in powers]
    st.table(shown, border="horizontal")
    save("paper-complexity", table=table_files(table, index=True))
    st.caption(
        "Right: the power of L labels, N instances and D features with which time grows for least squares, measured by "
        "tests/benchmarks/growth.py. Least squares fits all labels from one sum of the data, so its powers of D and L "
        "are lower."
    )
    foot(Script().print(call.to_string()))
    power = table.loc["CT", "train L"]
    return (
        "The paper counts O(LDN) for CT and for IC. The measured training time of CT grows with L to the power "
        f"{power:.2f}."
    )


def datasets(folder: str | None) -> str:
    """Show the paper's data sets, and what of them is on this machine, Table 5."""
    printed = published("datasets").set_index("dataset")
    by_name = {known.paper_name: key for key, known in KNOWN.items() if key not in STAND_INS.values()}
    places = {}
    for name in printed.index:
        key = by_name[name]
        sample = STAND_INS.get(key)
        if where_from(key, folder) is None and sample and (of_sample := where_from(sample, folder)):
            places[name] = f"{KNOWN[sample].n_instances:,} rows {ORIGINS[of_sample]}"
        else:
            places[name] = ORIGINS[where_from(key, folder)]
    shown = printed.rename(columns={"type": "Type"}).rename_axis("Data set")
    for column in ("N", "L", "D"):
        shown[column] = shown[column].map("{:,}".format)
    shown["LC"] = shown["LC"].map("{:.2f}".format)
    st.table(shown.assign(Here=places), border="horizontal")
    save("paper-data-sets", table=table_files(printed.assign(here=places), index=True))
    st.caption("N: instances. L: labels. D: features. LC: label cardinality. Numbers are as printed.")
    origins = {known.name: Call(origin, key, **({"folder": folder} if folder else {})) for key, known in KNOWN.items()}
    foot(Script().print(Call(published, "datasets").to_string()).print(origins))
    n_here = sum(where != ORIGINS[None] for where in places.values())
    return f"{n_here} of the paper's {len(printed)} data sets are on this machine."


def methods(folder: str | None) -> str:
    call = Call(published, "methods")
    table = call.value
    shown = table.map(lambda text: plain(str(text))).rename(columns={"key": "Method", "description": "What it is"})
    st.table(shown, hide_index=True, border="horizontal")
    save("paper-methods", table=table_files(table))
    foot(Script().print(call.to_string()))
    return f"Each of {len(table)} methods joins a label graph, a base learner per label and an inference."


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
