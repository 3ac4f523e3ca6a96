"""The edges of a trellis as a browser draws them."""

from __future__ import annotations

import numpy as np

from trellislib.figures.arrows import SIGNS, THICKNESS, sign_of
from trellislib.figures.lattice import DRAWN_EDGES
from trellislib.graphs import Trellis


def drawn_edges(placed: Trellis, dependence: np.ndarray, signs: np.ndarray | None) -> list[list[object]]:
    """Return the edges, the strongest last: cells of parent and child, colour, dash, thickness."""
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
