"""What the Dependence page shows of a data set: which dependence, in which order, cut and zoomed how."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
import streamlit as st
from components.parts import choice, plain
from state import derived
from state.sources import Source
from state.tuning import MUTUAL_INFORMATION

from trellislib.data import Dataset
from trellislib.dependence import InformationRows, LabelTree, default_clusters
from trellislib.figures import CLICKABLE_LABELS, tile_size
from views.dependence import other_data

MOST_CLUSTERS = 60
ALONE, SIDE_BY_SIDE = 560, 480  # pixels: the height of one map, and of two beside each other
WIDE = 470  # pixels: at most, so that the colour bar over a map is hardly wider than it
KINDS = {
    MUTUAL_INFORMATION: "Marginal",
    "residual": "Beyond the features",
    "co-occurrence": "Co-occurrence",
}
ZOOM, ROWS, COLUMNS, CLUSTERS = "zoom", "rows", "columns", "clusters"  # widgets, and their names in the address
CO_OCCURRENCE = (
    "Co-occurrence: p ln(p / q) + (1 - p) ln((1 - p) / r), with p the share of instances that have both labels, q the "
    "share that would have both and r the share that would have neither if the labels were independent; it grows with "
    "the frequency of both, too."
)
ALL = 0  # the zoom on all labels; clusters count from 1


@dataclass(frozen=True)
class LabelMap:
    """What is chosen of the map: the knobs of the Dependence page."""

    data: Dataset
    kind: str
    order_by: str
    information_unit: str
    diagonal: bool
    n_clusters: int
    zoom: int

    @property
    def unit(self) -> str:
        """What the values of the map are in; co-occurrence is no information."""
        return "co-occurrence" if self.kind == "co-occurrence" else self.information_unit

    @property
    def tree_unit(self) -> str:
        """What the tree of labels is measured in."""
        return "share of entropy" if self.kind == MUTUAL_INFORMATION else self.unit

    @property
    def dependence(self) -> np.ndarray | InformationRows:
        return derived.dependence(self.data, self.kind)

    @cached_property
    def order(self) -> np.ndarray:
        return derived.order(self.data, self.order_by, self.kind)

    @property
    def tree(self) -> LabelTree | None:
        """The labels in clusters, or None where they are too many."""
        return derived.tree(self.data, self.kind) if derived.is_whole(self.data) else None

    @cached_property
    def clusters(self) -> Sequence[np.ndarray]:
        return self.tree.cut(self.n_clusters) if self.tree else ()

    @property
    def framed(self) -> Sequence[np.ndarray]:
        """The clusters that stand side by side, where they do."""
        return self.clusters if self.order_by == "clustered" and self.n_clusters > 1 else ()

    @property
    def is_large(self) -> bool:
        """Whether cells are too many to be clicked one by one, so that there is an overview to drill into."""
        return self.data.n_labels > CLICKABLE_LABELS

    @property
    def zoomed(self) -> np.ndarray | None:
        """The labels of the cluster that is zoomed into."""
        return None if self.zoom == ALL else self.clusters[self.zoom - 1]

    @property
    def zoomed_number(self) -> int | None:
        """The number of that cluster from 0, as `LabelTree.cut` counts."""
        return None if self.zoom == ALL else self.zoom - 1

    @property
    def runs(self) -> list[np.ndarray]:
        """The labels of each row of tiles."""
        tile = tile_size(self.data.n_labels)
        return [self.order[low : low + tile] for low in range(0, self.data.n_labels, tile)]

    def tile_of(self, one: int, other: int) -> tuple[int, int]:
        """Return the row and column of the tile in which a pair lies."""
        place, tile = np.argsort(self.order), tile_size(self.data.n_labels)
        return int(place[one] // tile), int(place[other] // tile)


def controls(data: Dataset) -> LabelMap:
    """Show the knobs of the map; return what they say. Clusters and zoom begin anew with other data."""
    whole = derived.is_whole(data)
    if other_data.came(data, "map"):
        for key in (ZOOM, ROWS, COLUMNS, CLUSTERS):
            st.session_state.pop(key, None)
    kinds = [MUTUAL_INFORMATION]
    if whole:
        kinds += ["residual"] * (derived.residuals(data) is not None) + ["co-occurrence"] * data.is_multilabel
    with st.container(horizontal=True, vertical_alignment="bottom"):
        kind = st.selectbox(
            "Dependence",
            kinds,
            format_func=KINDS.__getitem__,
            key="dependence",
            bind="query-params",
            width=160,
            help="Marginal: mutual information. Beyond the features: what two labels still share when the features are "
            f"known, taken as jointly normal. {CO_OCCURRENCE}",
        )
        order = choice(
            "Order of labels",
            derived.orders(data),
            default=derived.orders(data)[0] if whole else "file",
            format_func=str.capitalize,
            key="order",
            help="Clustered puts dependent labels side by side; frequency starts with the most frequent label.",
        )
        n_clusters, zoom = _clusters(data, kind) if whole else (1, ALL)
        with st.popover("More", icon=":material/tune:"):
            unit = choice("Unit", ("nats", "bits"), default="nats", key="unit", help="One bit is 0.693 nats.")
            diagonal = st.toggle(
                "Entropy on the diagonal",
                key="diagonal",
                bind="query-params",
                help="A label's entropy is the most that another label could tell about it.",
            )
    if whole and zoom is None:
        st.caption("The cluster that was shown alone has one label now, or none: all labels are shown.")
    shows_entropy = diagonal and kind != "residual"  # of what is left there is none in nats
    return LabelMap(data, kind, order, unit, shows_entropy, n_clusters, zoom or ALL)


def _clusters(data: Dataset, kind: str) -> tuple[int, int | None]:
    """Let a person cut the tree of labels and look into one cluster, None if the one chosen is none any more."""
    most = min(data.n_labels, MOST_CLUSTERS)
    n_clusters = 1
    if most > 1:
        n_clusters = st.slider(
            "Clusters",
            1,
            most,
            min(default_clusters(data.n_labels), most),
            key=CLUSTERS,
            bind="query-params",
            width=120,
            help="Labels that share most on average are joined; the fewer clusters, the weaker the joins. The lines in "
            "the map frame them.",
        )
    clusters = derived.tree(data, kind).cut(n_clusters)
    offered = [ALL, *(number for number, labels in enumerate(clusters, start=1) if len(labels) > 1)]
    is_gone = st.session_state.get(ZOOM, ALL) not in offered
    if is_gone:
        st.session_state[ZOOM] = ALL
    zoom = st.selectbox(
        "Cluster shown",
        offered,
        format_func=lambda number: str(number) if number else "All",
        key=ZOOM,
        bind="query-params",
        width=160,
        help="Show the labels of one cluster only, as a click on its point in the tree or on its row below does.",
    )
    return n_clusters, None if is_gone else zoom


def tiles(shown: LabelMap, default: tuple[int, int]) -> tuple[int, int]:
    """Let a person choose a tile of the overview by the runs of labels along its sides; return its row and column."""
    names, runs, low = shown.data.label_names, shown.runs, 0
    said = []  # places alone: whatever stands at them, the address and the box stay right
    for labels in runs:
        said.append(f"{low + 1:,} to {low + len(labels):,}")
        low += len(labels)
    with st.container(horizontal=True):
        row, column = (
            st.selectbox(
                label, range(len(runs)), index=index, format_func=said.__getitem__, key=key, bind="query-params"
            )
            for label, key, index in zip(("Rows", "Columns"), (ROWS, COLUMNS), default, strict=True)
        )
    along, across = (f"{names[runs[place][0]]} to {names[runs[place][-1]]}" for place in (row, column))
    st.caption(plain(f"Rows: {along}. Columns: {across}."))
    return row, column


def code(shown: LabelMap, source: Source, tile: tuple[int, int] | None, pair: tuple[int, int]) -> str:
    """Return Python that draws the figures of the page."""
    data, one, other = shown.data, *pair
    used = {"association", "pair_counts", "whole_or_rows"}
    lines = ["counts = pair_counts(data.Y)", "information = whole_or_rows(counts)  # nats"]
    of = "information"
    if shown.kind != MUTUAL_INFORMATION:
        of = "dependence"
        used.add("co_occurrence" if shown.kind == "co-occurrence" else "residual_information")
        filled = "SimpleImputer(keep_empty_features=True).fit_transform(data.X)" if data.n_missing else "data.X"
        lines.append(
            "dependence = co_occurrence(counts)"
            if shown.kind == "co-occurrence"
            else f"dependence = residual_information({filled}, data.Y)"
        )
    if shown.tree is not None:
        used |= {"label_tree", "shared_entropy"} if of == "information" else {"label_tree"}
        similarity = "shared_entropy(information)" if of == "information" else of
        lines += [f"tree = label_tree({similarity})", f"clusters = tree.cut({shown.n_clusters})"]
    if shown.order_by == "clustered":
        lines.append("order = tree.order")
    else:
        lines.append(f"order = label_order({of}, data.statistics().frequencies.to_numpy(), {shown.order_by!r})")
    figures = {"dendrogram_figure"} if shown.tree is not None else set()
    figures |= {"label_order"} if shown.order_by != "clustered" else set()
    names, given = "data.label_names", f"unit={shown.unit!r}"
    framed = ", clusters=clusters" if len(shown.framed) else ""
    if shown.is_large:
        figures |= {"overview_heatmap"} if tile is None else {"overview_heatmap", "tile_size"}
        used.add("pooled")
        height = f"height={SIDE_BY_SIDE}"
        chosen = f", selected={tile}" if tile is not None else ""
        lines.append(f"overview_heatmap(pooled({of}, order), {names}, order, {given}{chosen}{framed}, {height}).show()")
        if tile is not None:
            lines += [
                "tile = tile_size(data.n_labels)",
                *(
                    f"{side} = order[{place} * tile : {place + 1} * tile]"
                    for side, place in zip(("rows", "columns"), tile, strict=True)
                ),
            ]
    figures.add("dependence_heatmap")
    detail = "rows" if tile is not None else "order" if shown.zoomed is None else f"clusters[{shown.zoomed_number}]"
    given += ", columns=columns" if tile is not None else ""
    given += f", diagonal={shown.diagonal}, selected={pair}"
    given += framed if detail == "order" else ""
    given += f", height={SIDE_BY_SIDE if shown.is_large else ALONE}"
    lines.append(f"dependence_heatmap({of}, {names}, {detail}, {given}).show()")
    if shown.tree is not None:
        chosen = f", selected={shown.zoomed_number}" if shown.zoom else ""
        lines.append(f"dendrogram_figure(tree, {names}, {shown.n_clusters}, unit={shown.tree_unit!r}{chosen}).show()")
    lines += [f"pair = association(counts, {one}, {other})", "print(pair)"]
    imports = [
        f"from trellislib.data import {source.function}",
        f"from trellislib.dependence import {', '.join(sorted(used))}",
        f"from trellislib.figures import {', '.join(sorted(figures))}",
    ]
    if "SimpleImputer" in "".join(lines):
        imports.insert(0, "from sklearn.impute import SimpleImputer\n")
    return "\n".join([*imports, "", f"data = {source.code}", *lines]) + "\n"
