"""What of a line or an area lies inside of a box."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from trellislib.figures.drawing import Box, Point


def clipped_line(points: Sequence[Point] | np.ndarray, box: Box) -> list[list[Point]]:
    """Return the parts of a line through `points` that lie in `box` (Liang and Barsky 1984).

    Examples
    --------
    >>> clipped_line([(-1, 1), (1, 1), (1, 9)], (0, 0, 2, 2))
    [[(0.0, 1.0), (1.0, 1.0), (1.0, 2.0)]]
    """
    at = np.asarray(points, dtype=float)
    left, top, right, bottom = box
    if ((at >= [left, top]) & (at <= [right, bottom])).all():
        return [[(x, y) for x, y in at.tolist()]]
    parts: list[list[Point]] = []
    for (x0, y0), (x1, y1) in zip(at[:-1].tolist(), at[1:].tolist(), strict=True):
        enter, leave = 0.0, 1.0
        for step, room in ((x0 - x1, x0 - left), (x1 - x0, right - x0), (y0 - y1, y0 - top), (y1 - y0, bottom - y0)):
            if step == 0:
                leave = leave if room >= 0 else -1.0
            elif step < 0:
                enter = max(enter, room / step)
            else:
                leave = min(leave, room / step)
        if enter > leave:
            continue
        start, end = ((x0 + share * (x1 - x0), y0 + share * (y1 - y0)) for share in (enter, leave))
        if not parts or parts[-1][-1] != start:
            parts.append([start])
        parts[-1].append(end)
    return parts


def clipped_ring(points: Sequence[Point] | np.ndarray, box: Box) -> list[Point]:
    """Return what of a closed ring lies in `box` (Sutherland and Hodgman 1974), nothing where it is outside.

    Examples
    --------
    >>> clipped_ring([(1, 1), (3, 1), (3, 2), (1, 2)], (0, 0, 2, 2))
    [(1, 1), (2.0, 1.0), (2.0, 2.0), (1, 2)]
    """
    ring = [(x, y) for x, y in points]
    for side, limit in enumerate(box):
        axis, sign = side % 2, 1 if side < 2 else -1
        if all(sign * (point[axis] - limit) >= 0 for point in ring):
            continue
        kept: list[Point] = []
        for before, point in zip([*ring[-1:], *ring[:-1]], ring, strict=True):
            inside, was = (sign * (at[axis] - limit) >= 0 for at in (point, before))
            if inside != was:
                share = (limit - before[axis]) / (point[axis] - before[axis])
                kept.append((before[0] + share * (point[0] - before[0]), before[1] + share * (point[1] - before[1])))
            if inside:
                kept.append(point)
        ring = kept
    return ring


def hatched(rings: Sequence[Sequence[Point]], gap: float) -> list[tuple[Point, Point]]:
    """Return lines rising to the right, `gap` from each other, through what lies inside of `rings`."""
    lines = []
    for ring in rings:
        corners = np.asarray(ring, dtype=float)
        ahead = np.roll(corners, -1, axis=0)
        level, level_ahead = corners.sum(axis=1), ahead.sum(axis=1)
        step = gap * np.sqrt(2)
        for wanted in np.arange(np.ceil(level.min() / step) * step, level.max(), step):
            crosses = (level < wanted) != (level_ahead < wanted)
            share = (wanted - level[crosses]) / (level_ahead - level)[crosses]
            x = np.sort(corners[crosses, 0] + share * (ahead - corners)[crosses, 0])
            lines += [
                ((a, wanted - a), (b, wanted - b)) for a, b in zip(x[::2].tolist(), x[1::2].tolist(), strict=True)
            ]
    return lines
