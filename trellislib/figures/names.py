"""On which side of its point each name stands, so that names run into neither each other nor points nor edges."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from trellislib.figures.style import LETTER, TEXT

NARROW = (360, 400)  # pixels of a figure on a phone: names that fit there fit in a larger one
HALF_POINT = 8  # pixels from the middle of a point to the border of what its name must not cover
# The angle of each side, and where the name's middle then is: in half points and half names, to the right and upwards.
SIDES = {
    "top center": (90.0, 0, 1),
    "bottom center": (270.0, 0, -1),
    "middle right": (0.0, 1, 0),
    "middle left": (180.0, -1, 0),
    "top right": (45.0, 1, 1),
    "bottom right": (315.0, 1, -1),
    "top left": (135.0, -1, 1),
    "bottom left": (225.0, -1, -1),
}
APART = (12, 5)  # pixels to the right and upwards between two names, or they would read as one
# Degrees that a collision, the border, a name close by and a corner cost.
COVERED, OUTSIDE, CLOSE, CORNER = 1000.0, 500.0, 200.0, 20.0


def sides_of_names(
    names: Mapping[int, str],
    positions: np.ndarray,
    neighbours: Sequence[Sequence[int]],
    size: tuple[int, int] = NARROW,
) -> dict[int, str]:
    """Return on which side of its point each name stands.

    Points that are close to others choose first. Each takes the side on which its name covers the fewest other names
    and points, and of these the one that is furthest from the edges of its label.

    Parameters
    ----------
    names : mapping of int to str
        The name of each label that has one.
    positions : ndarray of shape (n_labels, 2)
        Where the labels are as shares of the figure, to the right and upwards; nan for those that are not drawn.
    neighbours : sequence of sequence of int
        The labels to which each label has edges.
    size : (int, int)
        Width and height of the figure in pixels.

    Returns
    -------
    dict of int to str
        As plotly has it, for instance "top center".

    Examples
    --------
    >>> places = np.array([[0.2, 0.5], [0.5, 0.5]])
    >>> sides_of_names({0: "one", 1: "two"}, places, [[1], [0]])
    {0: 'middle left', 1: 'middle right'}
    """
    labels = [label for label in names if np.isfinite(positions[label]).all()]
    points = positions * size
    drawn = points[np.isfinite(points).all(axis=1)]
    half = {label: np.array([LETTER * len(names[label]), TEXT]) / 2 for label in labels}
    chosen: dict[int, str] = {}
    taken = np.empty((0, 2, 2))  # the middle and half the size of each name
    for label in sorted(labels, key=lambda label: np.sort(np.linalg.norm(drawn - points[label], axis=1))[1:2].tolist()):
        room = {}
        for side, (angle, *towards) in SIDES.items():
            middle = points[label] + np.array(towards) * (half[label] + HALF_POINT)
            covered = _overlaps(middle, half[label], taken[:, 0], taken[:, 1]).sum()
            covered += _overlaps(middle, half[label], drawn, np.full(2, HALF_POINT - 1.0)).sum()
            close = _overlaps(middle, half[label] + APART, taken[:, 0], taken[:, 1]).sum()
            outside = (np.abs(middle - np.array(size) / 2) + half[label] > np.array(size) / 2).any()
            room[side] = (
                _from_edges(label, angle, neighbours, positions)
                - COVERED * covered
                - OUTSIDE * outside
                - CLOSE * close
                - CORNER * all(towards)
            )
        chosen[label] = max(room, key=room.__getitem__)
        middle = points[label] + np.array(SIDES[chosen[label]][1:]) * (half[label] + HALF_POINT)
        taken = np.concatenate([taken, [[middle, half[label]]]])
    return chosen


def _overlaps(middle: np.ndarray, half: np.ndarray, others: np.ndarray, halves: np.ndarray) -> np.ndarray:
    return (np.abs(others - middle) < half + halves).all(axis=1)


def _from_edges(label: int, angle: float, neighbours: Sequence[Sequence[int]], positions: np.ndarray) -> float:
    """Return how many degrees the nearest edge of a label is away from an angle."""
    around = positions[list(neighbours[label])] - positions[label]
    around = around[np.isfinite(around).all(axis=1)]
    edges = np.degrees(np.arctan2(around[:, 1], around[:, 0]))
    return float(np.abs((edges - angle + 180) % 360 - 180).min(initial=180))
