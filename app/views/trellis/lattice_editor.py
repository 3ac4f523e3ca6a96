"""A trellis whose labels change places by hand: by drag, by touch or by keyboard. It runs in the browser."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence

import numpy as np
import streamlit as st
from components.scripts import browser_component

from trellislib.figures.arrows import SIGNS, THICKNESS, sign_of
from trellislib.graphs import Trellis

NAMED_CELLS = 400  # above this, cells bear no names; screen readers still have them
MOST_CELLS = 2000  # above this, labels change places by name only
DRAWN_EDGES = 1000  # above this, only the strongest are drawn

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
            "edges": _edges(placed, dependence, signs),
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


def _edges(placed: Trellis, dependence: np.ndarray, signs: np.ndarray | None) -> list[list[object]]:
    """Return the edges, the strongest where they are many: cells of parent and child, colour, dash, thickness."""
    place = np.argsort(placed.order)
    edges = sorted(placed.edges, key=lambda edge: -dependence[edge])[:DRAWN_EDGES]
    strongest = max((dependence[edge] for edge in edges), default=0.0)
    drawn = []
    for parent, child in reversed(edges):
        share = max(dependence[parent, child], 0.0) / strongest if strongest > 0 else 0.0
        color, dash, _ = SIGNS[sign_of(signs, (parent, child))]
        thickness = THICKNESS[min(int(share * len(THICKNESS)), len(THICKNESS) - 1)]
        drawn.append([int(place[parent]), int(place[child]), color, dash, thickness])
    return drawn
