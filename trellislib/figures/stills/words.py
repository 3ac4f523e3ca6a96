"""Texts of figures: from the markup that a browser reads to lines of what it shows."""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Sequence
from html import unescape
from typing import Any, NamedTuple

from trellislib.figures.drawing import MIDDLE, Anchor, Text, printable, text_width
from trellislib.figures.stills.colors import paint

BLANK = 0.32  # width of a blank at a line's end, as a share of the font's size
LINE = 1.3  # from line to line, as a share of the font's size
_BREAK = re.compile(r"<br\s*/?>")
_TAG = re.compile(r"</?(?:b|i|em|strong|sub|sup|span|a)(?:\s[^<>]*)?>")
_RAISED = re.compile(r"^(.*)<sup>([^<>]*)</sup>\s*$")


class Words(NamedTuple):
    """A line of text, the exponent at its end, whether it is bold, and the blanks before and after it."""

    text: str
    raised: str = ""
    bold: bool = False
    before: int = 0
    after: int = 0


def words(markup: Any) -> list[Words]:
    """Return the lines of a text as a figure writes it.

    Examples
    --------
    >>> words("<b>CT</b><br>a &lt; &#36;b")
    [Words(text='CT', raised='', bold=True, before=0, after=0), Words(text='a < $b', ..., before=0, after=0)]
    """
    lines = []
    for line in _BREAK.split("" if markup is None else str(markup)):
        raised = ""
        if match := _RAISED.match(line):
            line, raised = match.groups()
        shown = unescape(_TAG.sub("", line))
        before, after = len(shown) - len(shown.lstrip()), len(shown) - len(shown.rstrip())
        raised = printable(unescape(_TAG.sub("", raised)))
        lines.append(Words(printable(shown), raised, "<b>" in line, before, after))
    return lines


def is_blank(markup: Any) -> bool:
    """Return whether a text shows nothing."""
    return not any(line.text for line in words(markup))


def size_of(markup: Any, size: float) -> tuple[float, float]:
    """Return a width that a text does not exceed, and the height of its lines."""
    lines = words(markup)
    width = max(
        text_width(line.text, size) * (1.1 if line.bold else 1) + text_width(line.raised, size) for line in lines
    )
    return width, LINE * size * len(lines)


def block(
    markup: Any, x: float, y: float, size: float, anchor: Anchor = "middle", color: Any = None, angle: float = 0.0
) -> list[Text]:
    """Return a text whose lines have their middle at y, turned around (x, y) by `angle` degrees clockwise."""
    sine, cosine = math.sin(math.radians(angle)), math.cos(math.radians(angle))
    lines = words(markup)
    texts = []
    for row, line in enumerate(lines):
        down = (row - (len(lines) - 1) / 2) * LINE * size + MIDDLE * size
        if line.text or line.raised:
            along = {"start": line.before, "middle": 0, "end": -line.after}[anchor] * BLANK * size
            place = (x + along * cosine - down * sine, y + along * sine + down * cosine)
            texts.append(Text(*place, line.text, size, anchor, "", paint(color).color, angle, line.raised, line.bold))
    return texts


def bounds(boxes: Iterable[Sequence[float]]) -> tuple[float, float, float, float]:
    """Return the box around boxes."""
    left, top, right, bottom = zip(*boxes, strict=True)
    return min(left), min(top), max(right), max(bottom)
