"""Where the picture of a prediction has its labels."""

from __future__ import annotations

import numpy as np

from trellislib.graphs import Trellis, lattice_positions, ring_positions
from trellislib.inspection.life import Life
from trellislib.running.checks import require_integer

MOST_DRAWN = 60  # labels


def life_positions(
    life: Life,
    step: int,
    lattice: Trellis | None = None,
    elsewhere: np.ndarray | None = None,
    most: int = MOST_DRAWN,
) -> np.ndarray:
    """Place the labels of a prediction for `life_figure`, so that the way of the decisions can be seen.

    A trellis stands in its lattice, a chain on a ring in the order of prediction, and labels without edges in rows. Of
    many labels, those nearest to the label of the step along the edges are placed, those that it is predicted from
    first.

    Parameters
    ----------
    life : Life
        As `trellislib.inspection.life` finds it.
    step : int
        The step, from 0.
    lattice : Trellis, optional
        Where the labels stand, if the graph is not a trellis itself but comes from one, such as that of a classifier
        dependency trellis.
    elsewhere : ndarray of shape (n_labels, 2), optional
        Where labels stand in every other graph, such as `graph_positions` places them. By default on a ring.
    most : int
        How many labels are placed at most.

    Returns
    -------
    ndarray of shape (n_labels, 2)
        Horizontal and vertical position, between 0 and 1; nan for labels that are not to be drawn.

    Raises
    ------
    ValueError
        If `most` is less than 1.

    Examples
    --------
    >>> from trellislib import ClassifierChain
    >>> from trellislib.inspection import life
    >>> X, Y = [[0.0], [0.2], [0.8], [1.0]], [[0, 0], [0, 1], [1, 1], [1, 1]]
    >>> chain = ClassifierChain(order=[1, 0]).fit(X, Y)
    >>> life_positions(life(chain, [[0.9]]), 0).round(2).tolist()
    [[0.5, 0.0], [0.5, 1.0]]
    """
    require_integer("most", most, lowest=1)
    graph, n_labels = life.graph, life.coding.n_labels
    is_part = n_labels > most
    shown = _nearest(life, life.steps[step].label, most) if is_part else np.arange(n_labels)
    if lattice is None and isinstance(graph, Trellis):
        lattice = graph
    positions = np.full((n_labels, 2), np.nan)
    if lattice is not None:
        places = lattice_positions(lattice)[shown]
        reach = np.ptp(places, axis=0)
        positions[shown] = (places - places.min(axis=0)) / np.where(reach > 0, reach, 1.0)
    elif not graph.edges:
        side = int(np.ceil(np.sqrt(len(shown))))
        rows, columns = np.divmod(np.arange(len(shown)), side)
        last = max(side - 1, 1)
        positions[shown] = np.column_stack([columns / last, 1 - rows / last])
    elif elsewhere is None or graph.is_complete or is_part:
        in_order = sorted(shown.tolist(), key=lambda label: life.of(label).place)
        positions[in_order] = ring_positions(len(shown))
    else:
        positions = elsewhere
    return positions


def _nearest(life: Life, label: int, most: int) -> np.ndarray:
    """Return the labels nearest to one along the edges, in increasing order."""
    found, neighbours = [label], life.graph.neighbours
    known = {label}
    for one in found:
        for other in (*life.graph.inputs[one], *neighbours[one]):
            if len(found) == most:
                return np.sort(found)
            if other not in known:
                known.add(other)
                found.append(other)  # which is walked on from, in its turn
    rest = [one for one in range(len(neighbours)) if one not in known]
    return np.sort([*found, *rest[: most - len(found)]])
