"""Label graphs as files that other programs read."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from trellislib.label_graph import AnyLabelGraph

GRAPH_FORMATS = ("dot", "graphml", "gexf", "json", "tikz")


def written_graph(
    graph: AnyLabelGraph,
    names: Sequence[str],
    kind: str,
    *,
    positions: np.ndarray | None = None,
    dependence: np.ndarray | None = None,
    signs: np.ndarray | None = None,
) -> bytes:
    """Return a graph as the content of a file."""
    raise NotImplementedError
