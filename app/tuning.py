"""The trellis as it is tuned: the Trellis page draws it, the Train page trains with it."""

from __future__ import annotations

import streamlit as st

from trellislib.graphs import PATTERNS, Offset

CUSTOM = "custom"
MOST_SEED = 2**31 - 1
REACH = 2  # rows above, and columns to either side, that the grid of a custom pattern offers


def pattern() -> tuple[Offset, ...]:
    """Return the chosen parent pattern, showing the grid on which a custom one is picked."""
    name = st.session_state.get("pattern", next(iter(PATTERNS)))
    return PATTERNS[name] if name in PATTERNS else _grid()


def pattern_code() -> str | list[Offset]:
    """Return the chosen pattern as Python names it."""
    name = st.session_state.get("pattern", next(iter(PATTERNS)))
    return name if name in PATTERNS else list(_picked())


def _picked() -> tuple[Offset, ...]:
    """Return the offsets that are ticked, the nearest first."""
    ticked = [offset for offset in _offered() if st.session_state.get(_key(offset), offset in PATTERNS["left-up"])]
    return tuple(sorted(ticked, key=lambda offset: (abs(offset[0]) + abs(offset[1]), -offset[0])))


def _offered() -> list[Offset]:
    everywhere = [(row, column) for row in range(-REACH, 1) for column in range(-REACH, REACH + 1)]
    return [offset for offset in everywhere if offset < (0, 0)]


def _key(offset: Offset) -> str:
    return f"parent{offset[0]}{offset[1]:+d}"


def _grid() -> tuple[Offset, ...]:
    """Show the cells before a label as a grid of boxes to tick; return the ticked offsets."""
    st.caption("Tick the cells that are parents of the cell marked ●.")
    with st.container(width=330, key="pattern-grid"):
        for row in range(-REACH, 1):
            cells = st.columns(2 * REACH + 1, gap="xxsmall", wrap=False)
            for column in range(-REACH, REACH + 1):
                with cells[column + REACH]:
                    if (row, column) < (0, 0):
                        st.checkbox(
                            _where(row, column),
                            value=(row, column) in PATTERNS["left-up"],
                            key=_key((row, column)),
                            label_visibility="collapsed",
                            persist_state="session",
                        )
                    elif (row, column) == (0, 0):
                        st.markdown("●")
    return _picked()


def _where(row: int, column: int) -> str:
    """Say where a cell lies from the label's own."""
    up = f"{-row} up" if row else ""
    side = f"{abs(column)} {'left' if column < 0 else 'right'}" if column else ""
    return ", ".join(part for part in (up, side) if part)
