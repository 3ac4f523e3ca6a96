"""Shapes and annotations of a figure's layout."""

from __future__ import annotations

import math
import re
from collections.abc import Iterator, Mapping
from typing import Any

import numpy as np

from trellislib.figures.drawing import Anchor, Area, Box, Line, Mark, Rectangle
from trellislib.figures.stills.axes import Axis
from trellislib.figures.stills.clip import clipped_line, clipped_ring
from trellislib.figures.stills.colors import paint
from trellislib.figures.stills.plots import UNSEEN, dash_of, stroke
from trellislib.figures.stills.symbols import ARROW_HALF_WIDTH, ARROW_LENGTH
from trellislib.figures.stills.words import block, is_blank, size_of

_STEP = re.compile(r"([MLHVZ])([^MLHVZ]*)")
_ANCHORS: dict[str, Anchor] = {"left": "start", "center": "middle", "right": "end"}


class Places:
    """Where the places of shapes and annotations are: on axes, on shares of an axis, or on shares of the plot.

    Parameters
    ----------
    axes : mapping of str to Axis
    plot : (float, float, float, float)
        Left, top, right and bottom of the area that all plots share.
    """

    def __init__(self, axes: Mapping[str, Axis], plot: Box) -> None:
        self._axes = axes
        self._plot = plot

    def axis(self, ref: str | None, letter: str) -> Axis | None:
        """Return the axis that a reference names, None for the paper."""
        name = (ref or letter).removesuffix(" domain")
        if name == "paper":
            return None
        if name not in self._axes:
            raise ValueError(f"A shape or annotation stands on the axis {name!r}, which the figure has not.")
        return self._axes[name]

    def at(self, value: Any, ref: str | None, letter: str, *, exponents: bool = False) -> float:
        """Return where a value is; on a logarithmic axis it is an exponent if `exponents`, as annotations have it."""
        axis = self.axis(ref, letter)
        if axis is None or str(ref).endswith(" domain"):
            left, top, right, bottom = self._plot
            start, end = (axis.start, axis.end) if axis else (left, right) if letter == "x" else (bottom, top)
            return float(start + float(value) * (end - start))
        if axis.kind == "log" and exponents:
            return float(axis.at(float(value)))
        return float(axis.at(axis.numbers([value])[0]))

    def box(self, xref: str | None, yref: str | None) -> Box:
        """Return the box in which a shape is drawn: without end along an axis that it does not stand on."""
        sides: list[tuple[float, float]] = []
        for ref, letter in ((xref, "x"), (yref, "y")):
            axis = self.axis(ref, letter)
            ends = (-1e5, 1e5) if axis is None else (axis.start, axis.end)
            sides.append((min(ends), max(ends)))
        (left, right), (top, bottom) = sides
        return left, top, right, bottom


def shape_marks(shape: Any, places: Places) -> Iterator[Mark]:
    """Yield the marks of a shape."""
    if shape.visible is False:
        return
    x, y = shape.xref or "x", shape.yref or "y"
    box = places.box(x, y)
    fill = paint(shape.fillcolor or "transparent", shape.opacity)
    width = 2.0 if shape.line.width is None else float(shape.line.width)
    line, dash = paint(shape.line.color or "#444444", shape.opacity), dash_of(shape.line.dash, width)
    if shape.type == "path":
        paths = list(_path(shape.path, x, y, places))
    else:
        (left, right), (top, bottom) = (
            (places.at(values[0], ref, letter), places.at(values[1], ref, letter))
            for values, ref, letter in (((shape.x0, shape.x1), x, "x"), ((shape.y0, shape.y1), y, "y"))
        )
        if shape.type == "line":
            paths = [([(left, top), (right, bottom)], False)]
        elif shape.type == "circle":
            turns = np.linspace(0, 2 * np.pi, 49)[:-1]
            across = (left + right) / 2 + (right - left) / 2 * np.cos(turns)
            down = (top + bottom) / 2 + (bottom - top) / 2 * np.sin(turns)
            paths = [(list(zip(across.tolist(), down.tolist(), strict=True)), True)]
        else:
            paths = [([(left, top), (right, top), (right, bottom), (left, bottom)], True)]
    for points, closed in paths:
        if fill.opacity >= UNSEEN and (inside := clipped_ring(points, box)):
            yield Area((tuple(inside),), fill.color, fill.opacity)
        yield from stroke([*points, points[0]] if closed else points, width, line, dash, box)


def _path(path: str, x: str, y: str, places: Places) -> Iterator[tuple[list[tuple[float, float]], bool]]:
    """Yield the parts of a path of SVG that has straight lines alone, and whether each is closed."""
    points: list[tuple[float, float]] = []
    if rest := _STEP.sub("", path).strip():
        raise ValueError(f"A still draws paths of M, L, H, V and Z, but a shape has {rest!r}.")
    for command, written in _STEP.findall(path):
        numbers = [float(number) for number in written.replace(",", " ").split()]
        if command == "M" and points:
            yield points, False
            points = []
        if command == "Z":
            yield points, True
            points = []
        elif command == "H":
            points += [(places.at(number, x, "x"), points[-1][1]) for number in numbers]
        elif command == "V":
            points += [(points[-1][0], places.at(number, y, "y")) for number in numbers]
        else:
            pairs = zip(numbers[::2], numbers[1::2], strict=True)
            points += [(places.at(a, x, "x"), places.at(b, y, "y")) for a, b in pairs]
    if points:
        yield points, False


def annotation_marks(note: Any, places: Places) -> Iterator[Mark]:
    """Yield the marks of an annotation: its arrow, its box and its text."""
    if note.visible is False:
        return
    xref, yref = note.xref or "x", note.yref or "y"
    x = places.at(note.x, xref, "x", exponents=True) + float(note.xshift or 0)
    y = places.at(note.y, yref, "y", exponents=True) - float(note.yshift or 0)
    for axis, ref, value in ((places.axis(xref, "x"), xref, x), (places.axis(yref, "y"), yref, y)):
        if (
            axis is not None
            and not ref.endswith("domain")
            and not axis.shows(axis.low + (value - axis.start) / axis.unit)
        ):
            return
    size = float(note.font.size or 12)
    width, height = size_of(note.text, size)
    pad = float(1 if note.borderpad is None else note.borderpad)
    pointing = note.showarrow is not False
    middle_x, middle_y = x, y
    if pointing:
        middle_x += float(-10 if note.ax is None else note.ax) if note.axref in (None, "pixel") else 0.0
        middle_y += float(-30 if note.ay is None else note.ay) if note.ayref in (None, "pixel") else 0.0
        if note.axref not in (None, "pixel"):
            middle_x = places.at(note.ax, note.axref, "x", exponents=True)
        if note.ayref not in (None, "pixel"):
            middle_y = places.at(note.ay, note.ayref, "y", exponents=True)
    across = _side(note.xanchor, note.x, xref, pointing, ("left", "center", "right"))
    down = _side(note.yanchor, note.y, yref, pointing, ("bottom", "middle", "top"))
    full_width, full_height = width + 2 * pad, height + 2 * pad
    turned = abs(float(note.textangle or 0)) % 180 == 90
    if turned:
        full_width, full_height = full_height, full_width
    middle_x += {"left": 0.5, "right": -0.5}.get(across, 0.0) * full_width
    middle_y += {"bottom": -0.5, "top": 0.5}.get(down, 0.0) * full_height
    box = (
        middle_x - full_width / 2,
        middle_y - full_height / 2,
        middle_x + full_width / 2,
        middle_y + full_height / 2,
    )
    if pointing:
        yield from _arrow(note, (x, y), (middle_x, middle_y), box)
    ground = paint(note.bgcolor or "transparent", note.opacity)
    if ground.opacity >= UNSEEN:
        yield Rectangle(box[0], box[1], full_width, full_height, ground.color, ground.opacity)
    if note.bordercolor:
        border = paint(note.bordercolor, note.opacity)
        left, top, right, bottom = box
        ring = [(left, top), (right, top), (right, bottom), (left, bottom), (left, top)]
        yield from stroke(ring, float(1 if note.borderwidth is None else note.borderwidth), border, (), None)
    if is_blank(note.text):
        return
    # A text at a side of its place is set from there, so that it stands there in a narrower font too.
    align = note.align or (across if not note.bgcolor and not note.bordercolor else "center")
    at = {"left": box[0] + pad, "right": box[2] - pad}.get(align, middle_x) if not turned else middle_x
    anchor = "middle" if turned else _ANCHORS[align]
    yield from block(note.text, at, middle_y, size, anchor, note.font.color, float(note.textangle or 0))


def _side(anchor: str | None, value: Any, ref: str, pointing: bool, sides: tuple[str, str, str]) -> str:
    """Return which side of a text is at its place; by itself the nearer one of the paper, or the middle."""
    if anchor not in (None, "auto"):
        return str(anchor)
    if pointing or ref != "paper":
        return sides[1]
    return sides[0] if value <= 1 / 3 else sides[2] if value >= 2 / 3 else sides[1]


def _arrow(note: Any, head: tuple[float, float], tail: tuple[float, float], box: Box) -> Iterator[Mark]:
    """Yield the line from the edge of a text to what it points at, and its head."""
    color = paint(note.arrowcolor or note.font.color or "#444444", note.opacity)
    width = float(note.arrowwidth or 2.0)
    length = math.hypot(head[0] - tail[0], head[1] - tail[1])
    if color.opacity < UNSEEN or length == 0:
        return
    covered = clipped_line([tail, head], box)
    start = covered[0][-1] if covered else tail
    ahead = (head[0] - tail[0]) / length, (head[1] - tail[1]) / length
    back = float(note.standoff or 0)
    end = head[0] - back * ahead[0], head[1] - back * ahead[1]
    if (end[0] - start[0]) * ahead[0] + (end[1] - start[1]) * ahead[1] <= 0:
        return
    kind = 1 if note.arrowhead is None else int(note.arrowhead)
    radius = 1.6 * width * float(note.arrowsize or 1.0)
    stop = end
    if kind:
        stop = end[0] - 0.9 * ARROW_LENGTH * radius * ahead[0], end[1] - 0.9 * ARROW_LENGTH * radius * ahead[1]
    yield Line((start, stop), width, color.color, color.opacity)
    if kind:
        base = end[0] - ARROW_LENGTH * radius * ahead[0], end[1] - ARROW_LENGTH * radius * ahead[1]
        half = ARROW_HALF_WIDTH * radius
        corners = tuple((base[0] + sign * half * -ahead[1], base[1] + sign * half * ahead[0]) for sign in (-1, 1))
        yield Area(((end, *corners),), color.color, color.opacity)
