"""What the Dependence page shows of a data set: which dependence, in which order, cut and zoomed how."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
import streamlit as st
from components.parts import asking, choice, plain
from state import derived
from state.call import Call
from state.tuning import MUTUAL_INFORMATION

from trellislib.data import Dataset
from trellislib.dependence import InformationRows, default_clusters
from trellislib.figures import CLICKABLE_LABELS, tile_size

MOST_CLUSTERS = 60
ALONE, SIDE_BY_SIDE = 560, 480  # pixels: the height of one map, and of two next to each other
WIDE = 470  # pixels: at most, so that the colour bar over a map is hardly wider than it
KINDS = {MUTUAL_INFORMATION: "Marginal", "residual": "Beyond the features", "co-occurrence": "Co-occurrence"}
ZOOM, ROWS, COLUMNS, CLUSTERS = "zoom", "rows", "columns", "clusters"  # widgets, and their names in the address
CO_OCCURRENCE = (
    "Co-occurrence is p ln(p / q) + (1 - p) ln((1 - p) / r). p is the share of instances with both labels. q and r are "
    "the shares with both and with neither that independent labels would have. It also grows with the frequency of "
    "both labels."
)
ALL = 0  # the zoom on all labels; clusters count from 1

ask = asking(
    zoom="Show the labels of one cluster only. A click on its point in the tree or on its row does the same.",
    dependence="Marginal is mutual information. Beyond the features is the dependence that remains when the features "
    f"are known, taken as jointly normal. {CO_OCCURRENCE}",
    clusters="Clusters join the labels that share most on average. Fewer clusters have weaker joins. Lines in the map "
    "frame them.",
    diagonal="A label's entropy is the most information that another label can have about it.",
)


@dataclass(frozen=True)
class LabelMap:
    """What is chosen of the map: the knobs of the Dependence page."""

    call: Call  # which makes the data
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
        return "share of entropy" if self.kind == MUTUAL_INFORMATION else self.unit

    @property
    def data(self) -> Dataset:
        return self.call.value

    @property
    def matrix(self) -> Call:
        return derived.dependence(self.call, self.kind)

    @property
    def dependence(self) -> np.ndarray | InformationRows:
        return self.matrix.value

    @cached_property
    def ordered(self) -> Call:
        return derived.order(self.call, self.order_by, self.kind)

    @cached_property
    def order(self) -> np.ndarray:
        return self.ordered.value

    @property
    def tree(self) -> Call | None:
        """The call that gives the labels in clusters, or None where they are too many."""
        return derived.tree(self.call, self.kind) if derived.is_whole(self.data) else None

    @cached_property
    def cut(self) -> Call | None:
        """The call that gives the clusters, if there is a tree."""
        return self.tree.cut(self.n_clusters).named("clusters") if self.tree else None

    @property
    def clusters(self) -> Sequence[np.ndarray]:
        return self.cut.value if self.cut else ()

    @property
    def framed(self) -> dict[str, Call]:
        """The clusters as an argument of a map in which they are side by side."""
        return {"clusters": self.cut} if self.cut and self.order_by == "clustered" and self.n_clusters > 1 else {}

    @property
    def is_large(self) -> bool:
        """Whether cells are too many to be clicked one by one, so that there is an overview to drill into."""
        return self.data.n_labels > CLICKABLE_LABELS

    @property
    def zoomed(self) -> Call | None:
        return self.cut[self.zoom - 1] if self.cut and self.zoom != ALL else None

    @property
    def zoomed_number(self) -> int | None:
        """The number of that cluster from 0, as `LabelTree.cut` counts."""
        return None if self.zoom == ALL else self.zoom - 1

    @property
    def runs(self) -> list[Call]:
        tile = tile_size(self.data.n_labels)
        return [self.ordered[low : low + tile] for low in range(0, self.data.n_labels, tile)]

    def tile_of(self, one: int, other: int) -> tuple[int, int]:
        """Return the row and column of the tile in which a pair lies."""
        place, tile = np.argsort(self.order), tile_size(self.data.n_labels)
        return int(place[one] // tile), int(place[other] // tile)


def are_other_data(data: Dataset, chosen: str) -> bool:
    """Return whether data are others than before: what is chosen of one data set means nothing of another."""
    key = f"{chosen} of data"
    before = st.session_state.get(key, data.digest)
    st.session_state[key] = data.digest
    return before != data.digest


def controls(call: Call) -> LabelMap:
    """Show the knobs of the map; return what they are set to. With other data, clusters and zoom are as at first."""
    data = call.value
    whole = derived.is_whole(data)
    if are_other_data(data, "map"):
        for key in (ZOOM, ROWS, COLUMNS, CLUSTERS):
            st.session_state.pop(key, None)
    kinds = [MUTUAL_INFORMATION]
    if whole:
        kinds += ["residual"] * (derived.residuals(data) is not None) + ["co-occurrence"] * data.is_multilabel
    with st.container(horizontal=True, vertical_alignment="bottom"):
        kind = ask(st.selectbox, "Dependence", "dependence", kinds, format_func=KINDS.__getitem__, width=160)
        order = choice(
            "Order of labels",
            derived.orders(data),
            default=derived.orders(data)[0] if whole else "file",
            format_func=str.capitalize,
            key="order",
            help="Clustered puts dependent labels next to each other. Frequency starts with the most frequent label.",
        )
        n_clusters, zoom = _clusters(data, kind) if whole else (1, ALL)
        with st.popover("More", icon=":material/tune:"):
            unit = choice("Unit", ("nats", "bits"), default="nats", key="unit", help="One bit is 0.693 nats.")
            diagonal = ask(st.toggle, "Entropy on the diagonal", "diagonal")
    if whole and zoom is None:
        st.caption("The chosen cluster has fewer than two labels now, so all labels are shown.")
    shows_entropy = diagonal and kind != "residual"  # of what is left there is none in nats
    return LabelMap(call, kind, order, unit, shows_entropy, n_clusters, zoom or ALL)


def _clusters(data: Dataset, kind: str) -> tuple[int, int | None]:
    """Let a person cut the tree of labels and look into one cluster, None if the one chosen is none any more."""
    most = min(data.n_labels, MOST_CLUSTERS)
    n_clusters = 1
    if most > 1:
        n_clusters = ask(
            st.slider, "Clusters", CLUSTERS, 1, most, min(default_clusters(data.n_labels), most), width=120
        )
    clusters = derived.tree(data, kind).cut(n_clusters)
    offered = [ALL, *(number for number, labels in enumerate(clusters, start=1) if len(labels) > 1)]
    is_gone = st.session_state.get(ZOOM, ALL) not in offered
    if is_gone:
        st.session_state[ZOOM] = ALL
    zoom = ask(
        st.selectbox,
        "Cluster shown",
        ZOOM,
        offered,
        format_func=lambda number: str(number) if number else "All",
        width=160,
    )
    return n_clusters, None if is_gone else zoom


def tiles(shown: LabelMap, default: tuple[int, int]) -> tuple[int, int]:
    """Let a person choose a tile of the overview by the runs of labels along its sides; return its row and column."""
    names, runs, low = shown.data.label_names, [run.value for run in shown.runs], 0
    places = []  # numbers alone: they stay right for any data
    for labels in runs:
        places.append(f"{low + 1:,} to {low + len(labels):,}")
        low += len(labels)
    with st.container(horizontal=True):
        row, column = (
            ask(st.selectbox, label, key, range(len(runs)), index=index, format_func=places.__getitem__)
            for label, key, index in zip(("Rows", "Columns"), (ROWS, COLUMNS), default, strict=True)
        )
    along, across = (f"{names[runs[place][0]]} to {names[runs[place][-1]]}" for place in (row, column))
    st.caption(plain(f"Rows: {along}. Columns: {across}."))
    return row, column
