"""Where a trace is drawn, and the lines, rectangles and texts that traces are made of."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from trellislib.figures.drawing import Box, Line, Mark, Rectangle
from trellislib.figures.stills.axes import Axis
from trellislib.figures.stills.clip import clipped_line
from trellislib.figures.stills.colors import COLORWAY, Paint, paint
from trellislib.figures.stills.ticks import formatted

UNSEEN = 0.01  # what is less opaque is there to be pointed at and is left out


DASHES = {
    "solid": "",
    "dot": "1,1",
    "dash": "3,3",
    "longdash": "5,5",
    "dashdot": "3,1,1,1",
    "longdashdot": "5,2,1,2",
}


_SHORTEST_DASH = 3.0


@dataclass(frozen=True)
class Plot:
    """Where a trace is drawn: its two axes, the box between them, and the colour that it has if it names none."""

    x: Axis
    y: Axis
    color: str = COLORWAY[0]

    @property
    def box(self) -> Box:
        """Left, top, right and bottom."""
        across, down = sorted((self.x.start, self.x.end)), sorted((self.y.start, self.y.end))
        return across[0], down[0], across[1], down[1]

    def points(self, x: Any, y: Any) -> np.ndarray:
        """Return the points of the drawing at values of both axes."""
        return np.column_stack([self.x.at(x), self.y.at(y)])


def each(value: Any, n: int) -> list[Any]:
    """Return a setting of each of `n` points, where it may be one for all."""
    if isinstance(value, list | tuple | np.ndarray):
        values = list(value)[:n]
        return values + [None] * (n - len(values))
    return [value] * n


def dash_of(dash: str | None, width: float) -> tuple[float, ...]:
    """Return the strokes and gaps of a dash by its name or its lengths in pixels.

    Examples
    --------
    >>> dash_of("6px,4px", 2), dash_of("dash", 4), dash_of("solid", 1)
    ((6.0, 4.0), (12.0, 12.0), ())
    """
    if dash is None or dash == "solid":
        return ()
    if dash in DASHES:
        return tuple(max(width, _SHORTEST_DASH) * float(part) for part in DASHES[dash].split(","))
    lengths = tuple(float(part.strip().removesuffix("px")) for part in dash.replace(" ", ",").split(",") if part)
    return lengths if len(lengths) % 2 == 0 else 2 * lengths


def stroke(points: Any, width: float, color: Paint, dash: tuple[float, ...], box: Box | None) -> list[Mark]:
    """Return a line through points, where it is in the box."""
    if width <= 0 or color.opacity < UNSEEN or len(points) < 2:
        return []
    parts = clipped_line(points, box) if box else [[tuple(point) for point in points]]
    return [Line(tuple(part), width, color.color, color.opacity, dash) for part in parts if len(part) > 1]


def filled_template(template: str | None, trace: Any, place: int) -> str:
    """Return a text with the values of a point in the place of ``%{x}``, ``%{y:.2f}``, ``%{text}``."""

    def value(match: re.Match[str]) -> str:
        name, _, form = match.group(1).partition(":")
        source, _, index = name.partition("[")
        found = each(getattr(trace, {"label": "x"}.get(source, source)), place + 1)[place]
        if index:
            found = found[int(index.rstrip("]"))]
        return formatted(float(found), form) if form else str(found)

    return re.sub(r"%\{([^}]*)\}", value, template or "")


def rectangle(
    x: Sequence[float], y: Sequence[float], box: Box, fill: Paint, width: float = 0.0, line: str | None = None
) -> Iterator[Mark]:
    """Yield a rectangle between two places along x and two along y, as far as it is in the box."""
    left, right = max(min(x), box[0]), min(max(x), box[2])
    top, bottom = max(min(y), box[1]), min(max(y), box[3])
    if left >= right or top >= bottom:
        return
    if fill.opacity >= UNSEEN:
        yield Rectangle(left, top, right - left, bottom - top, fill.color, fill.opacity)
    if width > 0:
        ring = [(min(x), min(y)), (max(x), min(y)), (max(x), max(y)), (min(x), max(y)), (min(x), min(y))]
        yield from stroke(ring, width, paint(line or "#444444", fill.opacity), (), box)


def contrasting(fill: Paint) -> str:
    """Return the colour, light or dark, in which a text is read on a fill."""
    red, green, blue = bytes.fromhex((fill.color or "#FFFFFF")[1:])
    return "#FFFFFF" if 0.3 * red + 0.6 * green + 0.1 * blue < 140 else "#222222"
