"""The graphs that the paper draws, for the figures of the library to draw again; and its complexities next to ours."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import pandas as pd

from trellislib.data.dataset import Dataset
from trellislib.data.label_dag import DIFFICULTIES, simulate_label_dag
from trellislib.data.room import Room
from trellislib.graphs import PATTERNS, Trellis, fs, lead
from trellislib.labels.graph import AnyLabelGraph, LabelGraph, UndirectedLabelGraph
from trellislib.paper.published import published
from trellislib.studies.growth import MAIN_BASE, growth_exponent

ROOM_TARGETS = ((1, 10), (6, 9), (7, 8), (8, 3))  # rows from the light's edge and columns, from 1


def graphical_models() -> dict[str, AnyLabelGraph]:
    """Return the graphical models of IC, CC, BCC and CDN over four labels, Figure 3 of the paper.

    Returns
    -------
    dict of str to LabelGraph or UndirectedLabelGraph
        That of BCC is one of many that it might find.

    Examples
    --------
    >>> {name: len(graph.edges) for name, graph in graphical_models().items()}
    {'IC': 0, 'CC': 6, 'BCC': 3, 'CDN': 6}
    """
    return {
        "IC": LabelGraph.independent(4),
        "CC": LabelGraph.chain(range(4)),
        "BCC": LabelGraph([(), (0,), (0,), (2,)]),
        "CDN": UndirectedLabelGraph.complete(4),
    }


def trellises() -> dict[str, Trellis]:
    """Return the three trellises of nine labels, Figure 5 of the paper.

    Returns
    -------
    dict of str to Trellis
        By the names of their parent patterns: left and up, the one of its experiments; with the diagonal, so that
        pa(5) = {1, 2, 4}, counted from 1; and with both diagonals, four parents.

    Examples
    --------
    >>> {name: [label + 1 for label in sorted(placed.parents[4])] for name, placed in trellises().items()}
    {'left-up': [2, 4], 'left-up-diagonal': [1, 2, 4], 'left-up-diagonals': [1, 2, 3, 4]}
    """
    drawn = ("left-up", "left-up-diagonal", "left-up-diagonals")
    return {name: Trellis(range(9), 3, PATTERNS[name]) for name in drawn}


@dataclass(frozen=True)
class RoomExample:
    """A room, what is in it, and what its sensors report.

    Attributes
    ----------
    room : Room
        The floor, its sensors and its light.
    tiles : ndarray of shape (n_labels,)
        1 where something is, in the order of `Room.tiles`.
    observed : ndarray of shape (n_sensors,)
        1 where a sensor detects something.
    """

    room: Room
    tiles: np.ndarray
    observed: np.ndarray


def room_example() -> RoomExample:
    """Return a room like that of Figure 7 of the paper: 10 x 10 tiles, 12 sensors, four targets, one of them unseen.

    Returns
    -------
    RoomExample
        Sensors that make no errors detect something in three zones. The target in the corner next to the light is
        between no sensor and the light.

    Examples
    --------
    >>> example = room_example()
    >>> int(example.tiles.sum()), int(example.observed.sum())
    (4, 3)
    """
    room = Room.default(width=10, n_sensors=12)
    tiles = np.zeros(room.n_labels, dtype=int)
    for row, column in ROOM_TARGETS:
        tiles[(row - 1) * room.width + column - 1] = 1
    seen = room.zones().astype(int) @ tiles > 0
    return RoomExample(room, tiles, seen.astype(int))


def music_graphs(music: Dataset, random_state: int | None = 0) -> dict[str, LabelGraph]:
    """Return the graphs of labels that FS and LEAD find, as Figure 4 of the paper shows for Music.

    Parameters
    ----------
    music : Dataset
        The data; the paper's Music is `trellislib.data.sets.library.obtain` of "emotions".
    random_state : int or None, default=0
        Seed of the root, from which edges are directed away.

    Returns
    -------
    dict of str to LabelGraph
        FS from the labels; LEAD from the errors of independent classifiers, as the paper has it.

    Examples
    --------
    >>> data = simulate_label_dag(n_labels=5, random_state=0)
    >>> list(music_graphs(data))
    ['FS', 'LEAD']
    """
    return {
        "FS": fs(music.Y, random_state=random_state),
        "LEAD": lead(music.X, music.Y, residuals="error", random_state=random_state),
    }


def recovered_graphs(difficulty: str, random_state: int | None = 0, n_labels: int = 20) -> dict[str, LabelGraph]:
    """Return a known graph and what FS and LEAD find of it, as Figure 8 of the paper shows for three difficulties.

    Parameters
    ----------
    difficulty : {"easy", "medium", "hard"}
        One of `trellislib.data.DIFFICULTIES`.
    random_state : int or None, default=0
        Seed of the graph, the data and the root.
    n_labels : int, default=20
        Number of labels, which the paper does not give.

    Returns
    -------
    dict of str to LabelGraph
        "Truth", "FS" and "LEAD".

    Raises
    ------
    ValueError
        If there is no such difficulty.

    Examples
    --------
    >>> graphs = recovered_graphs("easy", n_labels=8)
    >>> [graph.n_labels for graph in graphs.values()]
    [8, 8, 8]
    """
    if difficulty not in DIFFICULTIES:
        raise ValueError(f"Got the difficulty {difficulty!r}, but expected one of {list(DIFFICULTIES)}.")
    data = simulate_label_dag(n_labels=n_labels, **DIFFICULTIES[difficulty], random_state=random_state)
    return {"Truth": LabelGraph(data.true_parents or ()), **music_graphs(data, random_state)}


def measured_exponents(growth: pd.DataFrame) -> pd.DataFrame:
    """Return the paper's table of complexities, with the exponents that were measured.

    Parameters
    ----------
    growth : DataFrame
        Measured times, as ``assets/growth.csv`` has them and `trellislib.figures.growth_figure` draws them; those of
        least squares are taken.

    Returns
    -------
    DataFrame
        By method, the paper's ``train`` and ``test``, and the powers of L, N and D with which each of the two grows:
        ``train L``, ``train N``, ``train D``, ``test L`` and so on; NaN for what was not measured.

    Notes
    -----
    O(LDN) stands for classifiers that are fitted one by one. Least squares sums up the data once for all labels, so
    that its powers of D and L are others. One fit at one size costs what does not grow, too, which makes powers lower.

    References
    ----------
    The paper's table *Complexity per algorithm*.

    Examples
    --------
    >>> rows = [("CT", "least squares", "L", size, 1e-3 * size, 1e-4 * size**2) for size in (10, 100, 1000)]
    >>> growth = pd.DataFrame(rows, columns=["method", "base", "variable", "size", "train s", "predict s"])
    >>> measured_exponents(growth).loc["CT", ["train L", "test L"]].astype(float).tolist()
    [1.0, 2.0]
    """
    table = published("complexity").set_index("method")
    measured = growth[growth["base"] == MAIN_BASE]
    for stage, column in {"train": "train s", "test": "predict s"}.items():
        for variable in ("L", "N", "D"):
            powers = {}
            for method, rows in measured[measured["variable"] == variable].groupby("method"):
                known = rows[rows[column].notna()].sort_values("size", kind="stable")
                powers[method] = round(growth_exponent(known["size"], known[column]), 2)
            table[f"{stage} {variable}"] = pd.Series(powers, dtype=float)
    return table
