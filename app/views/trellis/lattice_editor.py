"""A trellis whose labels change places by hand: by drag, by touch or by keyboard. It runs in the browser."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence

import numpy as np
import streamlit as st
from components.lattice_edges import drawn_edges
from components.scripts import browser_component

from trellislib.graphs import Trellis

NAMED_CELLS = 400  # above this, cells bear no names; screen readers still have them
MOST_CELLS = 2000  # above this, labels change places by name only

_editor = browser_component("trellis_lattice_editor", __file__)


def lattice_editor(
    placed: Trellis,
    names: Sequence[str],
    dependence: np.ndarray,
    *,
    signs: np.ndarray | None,
    moved: Collection[int],
    help_text: str,
    key: str,
    on_swap: Callable[[int, int], None],
) -> None:
    """Show a trellis whose labels change places by hand; `on_swap` is called with the two that did."""

    def swapped() -> None:
        pair = st.session_state[key].swapped
        if is_pair(pair, placed.n_labels):
            on_swap(*pair)

    _editor(
        data={
            "order": list(placed.order),
            "width": min(placed.width, placed.n_labels),
            "names": list(names),
            "named": placed.n_labels <= NAMED_CELLS,
            "moved": sorted(moved),
            "edges": drawn_edges(placed, dependence, signs),
            "help": help_text,
        },
        key=key,
        on_swapped_change=swapped,
    )


def is_pair(pair: object, n_labels: int) -> bool:
    """Return whether what a browser sent names two of the labels."""
    return (
        isinstance(pair, list)
        and len(pair) == 2
        and all(type(label) is int and 0 <= label < n_labels for label in pair)
        and pair[0] != pair[1]
    )
