"""The trellis as it is tuned: kept in the workspace, drawn by the Trellis page, trained with by the Train page."""

from __future__ import annotations

from dataclasses import dataclass

import streamlit as st

from trellislib.graphs import PATTERNS, PLACEMENTS, Offset, default_width

CUSTOM = "custom"
MUTUAL_INFORMATION = "mutual-information"
# What may guide the placement, as `ClassifierTrellis` names it: in words, and the unit of what is captured.
GUIDES = {
    MUTUAL_INFORMATION: ("mutual information", "nats"),
    "co-occurrence": ("co-occurrence", "units of co-occurrence"),
    "residual": ("residual information", "nats beyond the features"),
}
MOST_SEED = 2**31 - 1
REACH = 2  # rows above, and columns to either side, that the grid of a custom pattern offers


@dataclass(frozen=True)
class Shape:
    """The arguments of a trellis."""

    width: int
    pattern: str = "left-up"
    custom: tuple[Offset, ...] = PATTERNS["left-up"]
    placement: str = PLACEMENTS[0]
    seed: int = 0
    guide: str = MUTUAL_INFORMATION

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
        return self.placing | ({} if self.guide == MUTUAL_INFORMATION else {"dependence": self.guide})

    @property
    def words(self) -> str:
        guided = "" if self.guide == MUTUAL_INFORMATION else f", guided by {GUIDES[self.guide][0]}"
        return f"width {self.width}, parents {self.pattern}, {self.placement}, seed {self.seed}{guided}"


def controls(shape: Shape, n_labels: int, *, binary: bool) -> Shape:
    """Show the knobs, set to `shape` when they are new, and return the shape that they say."""
    for knob in ("width", "pattern", "placement", "guide", "seed"):
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
        placement = st.segmented_control(
            "Placement",
            PLACEMENTS,
            required=True,
            format_func=str.capitalize,
            key="placement",
            bind="query-params",
            help="Hill climbing is Algorithm 1: each cell takes the label that depends most on its parents.",
        )
        guide = st.selectbox(
            "Guided by",
            [guide for guide in GUIDES if binary or guide != "co-occurrence"],  # which is of binary labels only
            format_func=lambda guide: GUIDES[guide][0],
            key="guide",
            bind="query-params",
            width=175,
            help="Mutual information is the paper's. Co-occurrence grows with frequency and may serve better. Residual "
            "information is what labels share beyond the features.",
        )
        seed = st.number_input(
            "Seed", 0, MOST_SEED, key="seed", bind="query-params", width=90, help="Chooses the first label, at random."
        )
    custom = shape.custom if pattern in PATTERNS else _grid(shape.custom)
    return Shape(width, pattern, custom, placement, seed, guide)


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
