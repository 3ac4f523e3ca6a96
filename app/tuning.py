"""The trellis as it is tuned: kept in the workspace, drawn by the Trellis page, trained with by the Train page."""

from __future__ import annotations

from dataclasses import dataclass

import streamlit as st

from trellislib.graphs import PATTERNS, PLACEMENTS, Offset, default_width

CUSTOM = "custom"
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
    def arguments(self) -> dict[str, object]:
        """What makes a `ClassifierTrellis` of this shape."""
        return {
            "width": self.width,
            "parents": self.parents,
            "placement": self.placement,
            "random_state": self.seed,
        }

    @property
    def words(self) -> str:
        return f"width {self.width}, parents {self.pattern}, {self.placement}, seed {self.seed}"


def controls(shape: Shape, n_labels: int) -> Shape:
    """Show the knobs, set to `shape` when they are new, and return the shape that they say."""
    for knob in ("width", "pattern", "placement", "seed"):
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
                width=260,
                help="Columns of the lattice; 1 is a single file of labels. The paper takes the square root of L.",
            )
        pattern = st.selectbox(
            "Parents",
            [*PATTERNS, CUSTOM],
            format_func=lambda name: f"{name} ({len(PATTERNS[name])})" if name in PATTERNS else name,
            key="pattern",
            bind="query-params",
            width=220,
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
        seed = st.number_input(
            "Seed", 0, MOST_SEED, key="seed", bind="query-params", width=130, help="Chooses the first label, at random."
        )
    custom = shape.custom if pattern in PATTERNS else _grid(shape.custom)
    return Shape(width, pattern, custom, placement, seed)


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
