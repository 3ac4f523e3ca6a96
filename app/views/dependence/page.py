"""Dependence: how much every pair of labels depends, clusters of labels, and one pair in detail."""

from contextlib import nullcontext
from functools import partial

import numpy as np
import pandas as pd
import streamlit as st
from components.parts import LARGER, chosen_row, figure, foot, opening, plain, scrolled
from components.saving import Files, matrix_files, save, table_files
from state import address, derived, session
from state.call import Call, Script
from state.tuning import MUTUAL_INFORMATION

from trellislib.data.writing.csv_text import csv_text
from trellislib.dependence import UNITS, association, clusters_table, strongest_between
from trellislib.dependence.overview import MOST_PAIRS
from trellislib.figures import CLICKABLE_LABELS, dendrogram_figure, dependence_heatmap, overview_heatmap
from trellislib.figures.matrix import LEANING_NAMES
from trellislib.summaries import about_clusters, about_extremes, about_shown
from trellislib.wording import p_value
from views.dependence import label_map, pair_details

SHOWN_PAIRS = 200
MOST_LISTED = 1_000_000  # pairs that are written to a file
MOST_SAVED = 2000  # labels of which a matrix is offered as a file

workspace = session.workspace()
data = workspace.dataset
names = data.label_names

sentence = opening("Which labels depend on each other?")
if data.n_labels == 1:
    sentence.markdown(plain(derived.about_dependence(data)))
    st.info("Load a data set with at least two labels to see dependence.", icon=":material/info:")
    st.stop()

shown = label_map.controls(workspace.call)
sentence.markdown(plain(derived.about_dependence(data, shown.kind, shown.information_unit)))

# A chart has a key of its own for each thing that is chosen in it: else a second click on the same point does nothing.


def choose_cell(cell: list) -> None:
    if cell[0] != cell[1]:
        pair_details.choose(*map(int, cell))


def choose_tile(tile: list) -> None:
    st.session_state[label_map.ZOOM] = label_map.ALL
    st.session_state[label_map.ROWS], st.session_state[label_map.COLUMNS] = map(int, tile)


def choose_branch(cluster: list) -> None:
    """Show a cluster alone, if it has more than one label; if it is shown, all."""
    if len(shown.clusters[int(cluster[0])]) > 1:
        number = int(cluster[0]) + 1
        st.session_state[label_map.ZOOM] = label_map.ALL if number == shown.zoom else number


def choose_row(key: str, numbers: list[int]) -> None:
    row = chosen_row(key)
    number = label_map.ALL if row is None else numbers[row]
    if number == label_map.ALL or len(shown.clusters[number - 1]) > 1:
        st.session_state[label_map.ZOOM] = number


def choose_listed(key: str) -> None:
    row = chosen_row(key)
    if row is not None:
        first, second, _ = derived.ranked_pairs(data, SHOWN_PAIRS, shown.kind)
        pair_details.choose(int(first[row]), int(second[row]))


def files_of(rows: np.ndarray, columns: np.ndarray) -> Files:
    """Return the dependence of some labels with others, to be saved."""
    along, across = ([names[label] for label in labels] for labels in (rows, columns))

    def cells() -> np.ndarray:
        return shown.dependence[rows][:, columns]

    if along == across:
        return matrix_files(cells(), along)
    return {"csv": lambda: csv_text(pd.DataFrame(cells(), along, across))}


def caption_of(what: str, rows: np.ndarray | None = None, columns: np.ndarray | None = None) -> str:
    """Return the sentence on a map: of all labels, or of some rows and columns."""
    if rows is not None and columns is not None:
        return about_shown(names, strongest_between(shown.dependence, rows, columns), what, shown.unit)
    if shown.kind == MUTUAL_INFORMATION:
        return about_extremes(names, derived.seen(data), shown.unit)
    return about_shown(names, derived.strongest(data, shown.kind), what, shown.unit)


def show_map(pair: tuple[int, int], tile: tuple[int, int] | None) -> Call:
    """Show the cells of all labels, of a cluster, or of a tile; return the call that draws them."""
    along = across = shown.zoomed or shown.ordered
    if tile is not None:
        along, across = shown.runs[tile[0]], shown.runs[tile[1]]
    rows, columns = along.value, across.value
    whole = tile is None and shown.zoomed is None
    chart = Call(
        dependence_heatmap,
        shown.matrix,
        shown.call.label_names,
        along,
        unit=shown.unit,
        **({} if tile is None else {"columns": across}),
        **({"signs": derived.signs(shown.call)} if data.is_multilabel and derived.is_whole(data) else {}),
        diagonal=shown.diagonal,
        selected=pair,
        **(shown.framed if whole else {}),
        height=label_map.SIDE_BY_SIDE if shown.is_large else label_map.ALONE,
    )
    is_full = max(len(rows), len(columns)) > LEANING_NAMES
    is_scrolled = is_full and not address.is_presented()
    with scrolled("map", label_map.WIDE) if is_scrolled else nullcontext():
        figure(
            chart,
            key=f"dependence-map {pair[0]} {pair[1]}",
            caption=caption_of("shown") if whole else caption_of("of these labels", rows, columns),
            stem=f"{data.name}-dependence",
            more={"matrix": files_of(rows, columns)},
            on_click=choose_cell,
            larger=1.0 if is_full else LARGER,  # every name has little room
            width=label_map.WIDE,
        )
    if max(len(rows), len(columns)) > CLICKABLE_LABELS:
        st.caption(f"With more than {CLICKABLE_LABELS} labels, choose a pair by name.")
    else:
        minus = " A minus: the pair excludes each other." * data.is_multilabel
        st.caption(f"Click a cell to see its pair, or choose two labels.{minus}")
    if shown.kind == "co-occurrence":
        st.caption(plain(label_map.CO_OCCURRENCE))
    return chart


def show_overview(tile: tuple[int, int] | None) -> Call:
    """Show all labels, pooled into blocks, with tiles to be clicked; return the call that draws them."""
    chart = Call(
        overview_heatmap,
        derived.overview_map(shown.call, shown.order_by, shown.kind),
        shown.call.label_names,
        shown.ordered,
        unit=shown.unit,
        **({} if tile is None else {"selected": tile}),
        **shown.framed,
        height=label_map.SIDE_BY_SIDE,
    )
    figure(
        chart,
        key=f"overview {tile}",
        caption=caption_of(f"of all {data.n_labels:,} labels"),
        stem=f"{data.name}-overview",
        more={"matrix": files_of(shown.order, shown.order)} if data.n_labels <= MOST_SAVED else {},
        on_click=choose_tile,
    )
    st.caption("Each cell shows the strongest pair of its block. Click a cell to enlarge it, or choose two labels.")
    return chart


def show_clusters(tree: Call) -> Call:
    """Show the tree of labels, cut, and what is in each cluster; return the call that draws it."""
    chosen = {} if shown.zoomed_number is None else {"selected": shown.zoomed_number}
    chart = Call(dendrogram_figure, tree, shown.call.label_names, shown.n_clusters, unit=shown.tree_unit, **chosen)
    st.header("Clusters", anchor=False)
    left, right = st.columns([2, 3], gap="medium")
    similarity = derived.similarity(data, shown.kind)
    table = clusters_table(shown.clusters, similarity, names)
    table[["mean dependence", "dependence"]] /= UNITS.get(shown.tree_unit, 1.0)
    table = table.rename(columns={"mean dependence": "mean", "strongest pair": "closest pair", "dependence": "its"})
    table_key = f"cluster-table {shown.kind} {shown.n_clusters}"  # other rows have no selection
    with left:
        figure(
            chart,
            key=f"dendrogram {shown.zoom}",
            caption=about_clusters(names, shown.clusters, similarity, shown.tree_unit),
            stem=f"{data.name}-clusters",
            on_click=choose_branch,
        )
    with right:
        st.dataframe(
            table,
            key=table_key,
            on_select=partial(choose_row, table_key, table.index.tolist()),
            selection_mode="single-row",
            column_config={
                "cluster": st.column_config.NumberColumn("no.", width=40),
                "size": st.column_config.NumberColumn(width=40),
                "labels": st.column_config.TextColumn(width=140),
                "closest pair": st.column_config.TextColumn(width=120),
                "mean": st.column_config.NumberColumn(format="%.2g", width=60),
                "its": st.column_config.NumberColumn(format="%.2g", width=60),
            },
        )
        save(f"{data.name}-clusters-listed", table=table_files(table, index=True))
        st.caption(
            f"Mean dependence of all pairs and of the closest pair, in {shown.tree_unit}. Click a row or a point of "
            "the tree to see its cluster alone. Click again to see all."
        )
    return chart


def show_pairs() -> None:
    st.header("Strongest pairs", anchor=False)
    key = f"pairs {shown.kind}"
    pairs = derived.strongest_pairs(data, SHOWN_PAIRS, shown.kind)
    in_nats = [column for column in pairs if column.endswith("(nats)")]
    scaled = pairs.assign(
        **{column: pairs[column] / UNITS[unit] for column in in_nats}, **{"p-value": pairs["p-value"].map(p_value)}
    ).rename(columns={column: column.replace("(nats)", f"({unit})") for column in in_nats})
    st.dataframe(
        scaled,
        hide_index=True,
        key=key,
        on_select=partial(choose_listed, key),
        selection_mode="single-row",
        column_config={
            name: st.column_config.NumberColumn(format="%.4f")
            for name in scaled.select_dtypes("float").columns.drop("together", errors="ignore")
        },
    )
    if shown.kind != MUTUAL_INFORMATION:
        st.caption("Rows are in the order of the dependence in the map. MI, phi and the p-value ignore the features.")
    n_pairs = data.n_labels * (data.n_labels - 1) // 2
    listed = n_pairs if n_pairs <= MOST_LISTED else MOST_PAIRS

    st.download_button(
        f"Download {'all' if listed == n_pairs else 'the strongest'} {listed:,} pairs (CSV)",
        lambda: csv_text(derived.listed_pairs(data, listed, shown.kind), index=False),
        file_name=f"{data.name}-pairs.csv",
        mime="text/csv",
        on_click="ignore",
        icon=":material/download:",
    )


unit, script = shown.information_unit, Script()
if shown.is_large:
    left, right = st.columns(2, gap="medium")
    with right:
        of_strongest = shown.tile_of(*pair_details.strongest_pair(data))
        tile = label_map.tiles(shown, of_strongest) if shown.zoomed is None else None
    with left:
        script.show(show_overview(tile))
    pair = pair_details.boxes(data)
    with right:
        script.show(show_map(pair, tile))
    pair_details.show(data, *pair, unit)
else:
    left, right = st.columns([3, 2], gap="medium")
    with right:
        pair = pair_details.boxes(data)
        pair_details.show(data, *pair, unit)
    with left:
        script.show(show_map(pair, None))
if shown.tree is not None:
    script.show(show_clusters(shown.tree))
show_pairs()
foot(script.print(Call(association, derived.counts(shown.call), *pair).named("pair")))
