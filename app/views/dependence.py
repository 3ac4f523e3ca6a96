"""Dependence: how much every pair of labels tells about each other, clusters of labels, and one pair in detail."""

import derived
import label_map
import numpy as np
import pair_details
import pandas as pd
import session
import streamlit as st
from parts import figure, foot, head, p_value
from saving import Files, matrix_files, save, table_files
from tuning import MUTUAL_INFORMATION

from trellislib.dependence import UNITS, clusters_table, pairs_table, strongest_between
from trellislib.dependence.overview import MOST_PAIRS
from trellislib.figures import CLICKABLE_LABELS, dendrogram_figure, dependence_heatmap, overview_heatmap
from trellislib.takeaways import about_clusters, about_extremes, about_shown

SHOWN_PAIRS = 200
MOST_LISTED = 1_000_000  # pairs that are written to a file
MOST_SAVED = 2000  # labels of which a matrix is offered as a file

workspace = session.workspace()
data = workspace.dataset
names = data.label_names

head("Which labels depend on each other?", derived.about_dependence(data))
if data.n_labels == 1:
    st.info("Load a data set with at least two labels to see dependence.", icon=":material/info:")
    st.stop()

shown = label_map.controls(data)


def clicked(chart: str) -> list[int] | None:
    """Return what the point that was clicked stands for."""
    points = st.session_state[chart]["selection"]["points"]
    return [int(value) for value in points[0]["customdata"]] if points and "customdata" in points[0] else None


def choose_cell() -> None:
    cell = clicked("dependence-map")
    if cell and cell[0] != cell[1]:
        pair_details.choose(*cell)


def choose_tile() -> None:
    tile = clicked("overview")
    if tile:
        st.session_state[label_map.ZOOM] = label_map.ALL
        st.session_state[label_map.ROWS], st.session_state[label_map.COLUMNS] = tile


def zoom(number: int) -> None:
    """Zoom into a cluster, if it has more than one label, or out of it."""
    if len(shown.clusters[number - 1]) > 1:
        st.session_state[label_map.ZOOM] = label_map.ALL if number == shown.zoom else number


def choose_branch() -> None:
    cluster = clicked("dendrogram")
    if cluster:
        zoom(cluster[0] + 1)


def choose_row() -> None:
    rows = st.session_state["cluster-table"]["selection"]["rows"]
    if rows:
        zoom(rows[0] + 1)


def choose_listed() -> None:
    rows = st.session_state["pairs"]["selection"]["rows"]
    if rows:
        seen = derived.seen(data)
        pair_details.choose(int(seen.first[rows[0]]), int(seen.second[rows[0]]))


def files_of(rows: np.ndarray, columns: np.ndarray) -> Files:
    """Return the dependence of some labels with others, to be saved."""
    along, across = ([names[label] for label in labels] for labels in (rows, columns))

    def cells() -> np.ndarray:
        return shown.dependence[rows][:, columns]

    if along == across:
        return matrix_files(cells(), along)
    return {"csv": lambda: pd.DataFrame(cells(), along, across).to_csv()}


def says_of(what: str, rows: np.ndarray | None = None, columns: np.ndarray | None = None) -> str:
    """Return what a map says: of all labels, or of some rows and columns."""
    if rows is None and shown.kind == MUTUAL_INFORMATION:
        return about_extremes(names, derived.seen(data), shown.unit)
    of_all = rows is None
    strongest = derived.strongest(data, shown.kind) if of_all else strongest_between(shown.dependence, rows, columns)
    return about_shown(names, strongest, what, shown.unit)


def show_map(pair: tuple[int, int], tile: tuple[int, int] | None) -> None:
    """Show the cells of all labels, of a cluster, or of a tile."""
    rows = columns = shown.order if shown.zoomed is None else shown.zoomed
    if tile is not None:
        rows, columns = shown.runs[tile[0]], shown.runs[tile[1]]
    whole = tile is None and shown.zoomed is None
    says = says_of("shown") if whole else says_of("of these labels", rows, columns)
    figure(
        dependence_heatmap(
            shown.dependence,
            names,
            rows,
            columns=None if tile is None else columns,
            unit=shown.unit,
            diagonal=shown.diagonal,
            selected=pair,
            clusters=shown.framed if whole else (),
            height=label_map.SIDE_BY_SIDE if shown.is_large else None,
        ),
        alt=says,
        key="dependence-map",
        says=says,
        stem=f"{data.name}-dependence",
        more={"matrix": files_of(rows, columns)},
        on_select=choose_cell,
        selection_mode="points",
    )
    if max(len(rows), len(columns)) > CLICKABLE_LABELS:
        st.caption(f"With more than {CLICKABLE_LABELS} labels, choose a pair by name.")
    else:
        st.caption("Click a cell to open its pair, or choose the labels by name.")


def show_overview(tile: tuple[int, int] | None) -> None:
    """Show all labels, pooled into blocks, with tiles to be clicked."""
    says = says_of(f"of all {data.n_labels:,} labels")
    figure(
        overview_heatmap(
            derived.overview_map(data, shown.order_by, shown.kind),
            names,
            shown.order,
            unit=shown.unit,
            selected=tile,
            clusters=shown.framed,
            height=label_map.SIDE_BY_SIDE,
        ),
        alt=says,
        key="overview",
        says=says,
        stem=f"{data.name}-overview",
        more={"matrix": files_of(shown.order, shown.order)} if data.n_labels <= MOST_SAVED else {},
        on_select=choose_tile,
        selection_mode="points",
    )
    st.caption("Each cell is the strongest pair of its block. Click a place to look into it, or choose the labels.")


def show_clusters() -> None:
    """Show the tree of labels, cut, and what is in each cluster."""
    st.header("Clusters", anchor=False)
    left, right = st.columns(2, gap="medium")
    table = clusters_table(shown.clusters, shown.dependence, names)
    table[["mean dependence", "dependence"]] /= UNITS.get(shown.unit, 1.0)
    table = table.rename(columns={"mean dependence": f"mean ({shown.unit})", "dependence": f"strongest ({shown.unit})"})
    says = about_clusters(names, shown.clusters, shown.dependence, shown.unit)
    with left:
        figure(
            dendrogram_figure(shown.tree, names, shown.n_clusters, unit=shown.tree_unit, selected=shown.zoomed_number),
            alt=says,
            key="dendrogram",
            says=says,
            stem=f"{data.name}-clusters",
            on_select=choose_branch,
            selection_mode="points",
        )
    with right:
        st.dataframe(
            table,
            key="cluster-table",
            on_select=choose_row,
            selection_mode="single-row",
            column_config={
                name: st.column_config.NumberColumn(format="%.3g") for name in table.select_dtypes("float").columns
            },
        )
        save(f"{data.name}-clusters-listed", table=table_files(table, index=True))
        st.caption("Choose a row, or a point of the tree, to see its cluster alone in the map; once more for all.")


def show_pairs() -> None:
    """List the strongest pairs."""
    st.header("Strongest pairs", anchor=False)
    pairs = derived.strongest_pairs(data, SHOWN_PAIRS)
    scaled = pairs.assign(
        **{"MI (nats)": pairs["MI (nats)"] / UNITS[unit], "p-value": pairs["p-value"].map(p_value)}
    ).rename(columns={"MI (nats)": f"MI ({unit})"})
    st.dataframe(
        scaled,
        hide_index=True,
        key="pairs",
        on_select=choose_listed,
        selection_mode="single-row",
        column_config={name: st.column_config.NumberColumn(format="%.4f") for name in (f"MI ({unit})", "phi")},
    )
    n_pairs = data.n_labels * (data.n_labels - 1) // 2
    listed = n_pairs if n_pairs <= MOST_LISTED else MOST_PAIRS

    def csv() -> str:
        if listed == n_pairs:
            return pairs_table(names, derived.counts(data), derived.information(data)).to_csv(index=False)
        return derived.strongest_pairs(data, listed).to_csv(index=False)

    st.download_button(
        f"Download {'all' if listed == n_pairs else 'the strongest'} {listed:,} pairs (CSV)",
        csv,
        file_name=f"{data.name}-pairs.csv",
        mime="text/csv",
        on_click="ignore",
        icon=":material/download:",
    )


unit, tile = shown.information_unit, None
if shown.is_large:
    left, right = st.columns(2, gap="medium")
    with right:
        of_strongest = shown.tile_of(*pair_details.strongest_pair(data))
        tile = label_map.tiles(shown, of_strongest) if shown.zoomed is None else None
    with left:
        show_overview(tile)
    pair = pair_details.boxes(data)
    with right:
        show_map(pair, tile)
    pair_details.show(data, *pair, unit)
else:
    left, right = st.columns([3, 2], gap="medium")
    with right:
        pair = pair_details.boxes(data)
        pair_details.show(data, *pair, unit)
    with left:
        show_map(pair, None)
if shown.tree is not None:
    show_clusters()
show_pairs()
foot(label_map.code(shown, workspace.source, tile, pair))
