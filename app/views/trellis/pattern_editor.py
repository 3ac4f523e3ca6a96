"""The parent pattern of a trellis as a grid of cells around the cell of a label: to tick, to type, to look at."""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path

import streamlit as st
from components.parts import plain

from trellislib.graphs import Offset

REACH = 3  # rows above, and columns to either side, that the grid offers; a text may reach further
MOST_OFFSETS = 64
NO_PARENTS = "none"
CELL = 34  # pixels, as in the style
STYLE = Path(__file__).with_suffix(".css")


def written_offsets(offsets: Sequence[Offset]) -> str:
    """Return offsets as the address has them: 0,-1 -1,0."""
    return " ".join(f"{row},{column}" for row, column in offsets) or NO_PARENTS


def offsets_in(text: str) -> tuple[tuple[Offset, ...], list[str]]:
    """Return the offsets that a text names, the nearest first, and the parts of it that are no earlier cell."""
    offsets, unread = [], []
    for part in text.split():
        found = re.fullmatch(r"(-?\d{1,4}),(-?\d{1,4})", part, re.ASCII)
        offset = (int(found[1]), int(found[2])) if found else (0, 0)
        if offset < (0, 0):
            offsets.append(offset)
        elif part != NO_PARENTS:
            unread.append(part)
    return _nearest_first(offsets)[:MOST_OFFSETS], unread


def _nearest_first(offsets: Sequence[Offset]) -> tuple[Offset, ...]:
    return tuple(sorted(set(offsets), key=lambda offset: (abs(offset[0]) + abs(offset[1]), -offset[0], offset[1])))


def pattern_editor(width: int, named: Sequence[Offset] | None) -> tuple[Offset, ...]:
    """Show a named pattern as a picture, or one's own as a grid of cells to tick; return one's own."""
    chosen, unread = offsets_in(st.session_state["offsets"])
    st.html(STYLE)
    if named is None:
        _grid(chosen)
    else:
        _picture(named)
    st.text_input(  # drawn in any case: the address has what is drawn
        "Your own parent cells",
        key="offsets",
        bind="query-params",
        help="Rows,columns of each parent from the label. 0,-1 is the cell to its left, -1,0 the cell above. Cells "
        "outside the grid can be typed.",
    )
    if unread:
        st.caption(plain(f"Ignored, because it is no earlier cell: {' '.join(unread)[:80]}."))
    outside = [where(offset) for offset in chosen if abs(offset[1]) >= width]
    if named is None and outside:
        st.caption(f"No label has these parents at width {width}: {'; '.join(outside[:3])}.")
    return chosen


def _grid(chosen: Sequence[Offset]) -> None:
    """Show the cells before a label as a grid to tick."""
    st.caption("Tick the cells that are parents of the cell marked ●.")
    with st.container(key="pattern cells", gap=None, width=CELL * (2 * REACH + 1) + 2):
        for row in range(-REACH, 1):
            with st.container(horizontal=True, gap=None, wrap=False):
                for column in range(-REACH, REACH + 1):
                    _cell((row, column), chosen)


def _cell(offset: Offset, chosen: Sequence[Offset]) -> None:
    """Show one cell: a box to tick, the label itself, or one that comes later."""
    if offset >= (0, 0):
        with st.container(key=f"cell {'label' if offset == (0, 0) else f'later {offset[1]}'}", width=CELL):
            st.markdown("●" if offset == (0, 0) else " ")
        return
    key = f"parent{offset[0]}{offset[1]:+d}"
    st.session_state[key] = offset in chosen
    with st.container(key=f"cell {'parent' if offset in chosen else 'free'} {key}", width=CELL):
        st.checkbox(where(offset), key=key, label_visibility="collapsed", on_change=_tick, args=(key, offset))


def _tick(key: str, offset: Offset) -> None:
    others = [other for other in offsets_in(st.session_state["offsets"])[0] if other != offset]
    ticked = [offset] if st.session_state[key] else []
    st.session_state["offsets"] = written_offsets(_nearest_first(others + ticked))


def where(offset: Offset) -> str:
    """Return where a cell lies from the label's own, in words."""
    row, column = offset
    up = f"{-row} up" if row else ""
    side = f"{abs(column)} {'left' if column < 0 else 'right'}" if column else ""
    return ", ".join(part for part in (up, side) if part)


def _picture(offsets: Sequence[Offset]) -> None:
    """Show a pattern as a small picture of cells: the label, and its parents."""
    reach = max(max(map(abs, offset)) for offset in offsets)
    cells = []
    for row in range(-reach, 1):
        for column in range(-reach, reach + 1):
            kind = "label" if (row, column) == (0, 0) else "parent" if (row, column) in offsets else "free"
            cells.append(f'<span class="{kind}">{ {"label": "●", "parent": "P"}.get(kind, "") }</span>')
    words = "; ".join(map(where, offsets))
    st.caption("P: parents of the cell ●. Choose custom to tick others.")
    st.html(
        f'<div class="pattern" role="img" aria-label="Parents: {words}" '
        f'style="grid-template-columns: repeat({2 * reach + 1}, 26px)">{"".join(cells)}</div>'
    )
