"""The trellis as it is tuned: kept in the workspace, drawn by the Trellis page, trained with by the Train page."""

from __future__ import annotations

from dataclasses import dataclass, replace

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from trellislib.graphs import PATTERNS, Offset, default_width

CUSTOM = "custom"
MUTUAL_INFORMATION = "mutual-information"
# What may guide the placement, as `ClassifierTrellis` names it: in words, and the unit of what is captured.
GUIDES = {
    MUTUAL_INFORMATION: ("mutual information", "nats"),
    "co-occurrence": ("co-occurrence", "units of co-occurrence"),
    "residual": ("residual information", "nats beyond the features"),
}
CLIMBING, SEARCH = "hill-climbing", "search"
# How labels are placed, as `ClassifierTrellis` names it: what each way does.
PLACEMENTS = {
    CLIMBING: "Algorithm 1: each cell takes the label that depends most on its parents. Never far behind, and cheap.",
    "random": "whatever the seed draws; the paper's baseline. Often as good in accuracy, worse in exact match.",
    "explained": "each cell takes the label that its parents together explain best, beyond the features. Mostly as if "
    "guided by residual information.",
    SEARCH: "from hill climbing on, two labels change places where that raises the cross-validated accuracy (Hamming "
    "score for more than two values). Best in accuracy on 10 of 17 data sets, for seconds instead of milliseconds.",
}
UNGUIDED = ("random", "explained")
MOST_SWAPS = 10_000
MOST_SEED = 2**31 - 1
REACH = 2  # rows above, and columns to either side, that the grid of a custom pattern offers


@dataclass(frozen=True)
class Shape:
    """The arguments of a trellis."""

    width: int
    pattern: str = "left-up"
    custom: tuple[Offset, ...] = PATTERNS["left-up"]
    placement: str = CLIMBING
    seed: int = 0
    guide: str = MUTUAL_INFORMATION
    n_swaps: int = 100

    @classmethod
    def default(cls, n_labels: int) -> Shape:
        return cls(default_width(n_labels))

    @property
    def offsets(self) -> tuple[Offset, ...]:
        return PATTERNS.get(self.pattern, self.custom)

    @property
    def parents(self) -> str | list[Offset]:
        """The pattern as Python names it."""
        return self.pattern if self.pattern in PATTERNS else list(self.custom)

    @property
    def unit(self) -> str:
        """What captured dependence is measured in."""
        return GUIDES[self.guide][1]

    @property
    def is_searched(self) -> bool:
        return self.placement == SEARCH

    @property
    def start(self) -> Shape:
        """The hill-climbed shape from which a search starts."""
        return replace(self, placement=CLIMBING)

    @property
    def placing(self) -> dict[str, object]:
        """What places labels like this by `trellislib.graphs.trellis`, given a matrix of dependence."""
        return {
            "width": self.width,
            "parents": self.parents,
            "placement": self.placement,
            "random_state": self.seed,
        }

    @property
    def arguments(self) -> dict[str, object]:
        """What makes a `ClassifierTrellis` of this shape."""
        searched = {"n_swaps": self.n_swaps} if self.is_searched else {}
        guided = {} if self.guide == MUTUAL_INFORMATION else {"dependence": self.guide}
        return self.placing | searched | guided

    @property
    def words(self) -> str:
        guided = "" if self.guide == MUTUAL_INFORMATION else f", guided by {GUIDES[self.guide][0]}"
        tried = f" of {self.n_swaps:,} swaps" if self.is_searched else ""
        return f"width {self.width}, parents {self.pattern}, {self.placement}{tried}, seed {self.seed}{guided}"


def controls(shape: Shape, n_labels: int, *, binary: bool) -> tuple[Shape, DeltaGenerator]:
    """Show the knobs, set to `shape` when they are new; return the shape that they say, and a row for what it takes."""
    for knob in ("width", "pattern", "placement", "guide", "seed", "n_swaps"):
        st.session_state.setdefault(knob, getattr(shape, knob))
    width = 1
    with st.container(horizontal=True, vertical_alignment="bottom"):
        if n_labels > 1:
            st.session_state["width"] = min(st.session_state["width"], n_labels)
            width = st.slider(
                "Width",
                1,
                n_labels,
                key="width",
                bind="query-params",
                width=140,
                help="Columns of the lattice; 1 is a single file of labels. The paper takes the square root of L.",
            )
        pattern = st.selectbox(
            "Parents",
            [*PATTERNS, CUSTOM],
            format_func=lambda name: f"{name} ({len(PATTERNS[name])})" if name in PATTERNS else name,
            key="pattern",
            bind="query-params",
            width=185,
            help="Which earlier cells each label is predicted from; the paper's experiments use left and up.",
        )
        placement = st.selectbox(
            "Placement",
            PLACEMENTS,
            format_func=lambda placement: placement.replace("-", " ").capitalize(),
            key="placement",
            bind="query-params",
            width=150,
            help="  \n".join(f"**{name.replace('-', ' ').capitalize()}**: {what}" for name, what in PLACEMENTS.items()),
        )
        guide = _guide(binary) if placement not in UNGUIDED else _no_guide()
        seed = st.number_input(
            "Seed", 0, MOST_SEED, key="seed", bind="query-params", width=90, help="Chooses the first label, at random."
        )
    n_swaps = st.session_state["n_swaps"] = st.session_state["n_swaps"]  # kept while its widget is away
    row = st.container(horizontal=True, vertical_alignment="bottom")
    if placement == SEARCH:
        with row:
            n_swaps = _swaps()
    custom = shape.custom if pattern in PATTERNS else _grid(shape.custom)
    tuned = Shape(width, pattern, custom, placement, seed, guide)
    return replace(tuned, n_swaps=n_swaps) if placement == SEARCH else tuned, row


def _guide(binary: bool) -> str:
    return st.selectbox(
        "Guided by",
        [guide for guide in GUIDES if binary or guide != "co-occurrence"],  # which is of binary labels only
        format_func=lambda guide: GUIDES[guide][0],
        key="guide",
        bind="query-params",
        width=175,
        help="Mutual information is the paper's. Co-occurrence grows with frequency and may serve better. Residual "
        "information is what labels share beyond the features.",
    )


def _no_guide() -> str:
    """Show, where nothing guides a placement, that it is so; what was chosen comes back with what it guides."""
    st.session_state["guide"] = st.session_state["guide"]  # kept though its widget is away
    st.selectbox(
        "Guided by", ["not used"], key="no guide", disabled=True, width=175, help="This placement takes no guide."
    )
    return MUTUAL_INFORMATION


def _swaps() -> int:
    return st.number_input(
        "Swaps",
        1,
        MOST_SWAPS,
        key="n_swaps",
        bind="query-params",
        width=110,
        help="How many swaps of two labels a search tries.",
    )


def _grid(ticked: tuple[Offset, ...]) -> tuple[Offset, ...]:
    """Show the cells before a label as a grid of boxes to tick; return the ticked offsets, the nearest first."""
    st.caption("Tick the cells that are parents of the cell marked ●.")
    chosen: list[Offset] = []
    for row in range(-REACH, 1):
        with st.container(horizontal=True, gap="xxsmall", wrap=False, vertical_alignment="center"):
            for column in range(-REACH, REACH + 1):
                with st.container(width=44):
                    if (row, column) == (0, 0):
                        st.markdown("●")
                    elif (row, column) < (0, 0) and st.checkbox(
                        _where(row, column),
                        value=(row, column) in ticked,
                        key=f"parent{row}{column:+d}",
                        label_visibility="collapsed",
                        persist_state="session",
                    ):
                        chosen.append((row, column))
    return tuple(sorted(chosen, key=lambda offset: (abs(offset[0]) + abs(offset[1]), -offset[0])))


def _where(row: int, column: int) -> str:
    """Say where a cell lies from the label's own."""
    up = f"{-row} up" if row else ""
    side = f"{abs(column)} {'left' if column < 0 else 'right'}" if column else ""
    return ", ".join(part for part in (up, side) if part)
