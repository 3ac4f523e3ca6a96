"""A small picture of lines, rectangles, dots and texts, from which a figure of any format is made.

Lengths are in points, x runs to the right and y runs down from the upper left corner. Colours are written
``"#RRGGBB"``; None is the colour of text, which is black on paper and the page's on a screen.

Nothing here measures a font, for the picture must be the same wherever it is shown: `text_width` is a bound from
above for DejaVu Sans and Verdana, the widest of the fonts that people read figures in, so that what it keeps apart
stays apart in Helvetica, Arial or Source Sans.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Literal

Anchor = Literal["start", "middle", "end"]
Point = tuple[float, float]
Box = tuple[float, float, float, float]
"""Left, top, right and bottom."""

SIZE = 13.0  # of letters
ASCENT, DESCENT = 0.93, 0.24  # shares of the font's size, above and below the line that letters stand on
MIDDLE = 0.36  # share of the font's size, from the middle of a row down to the line that its letters stand on

# Widths of characters as shares of the font's size.
_WIDTHS = {
    0.33: "'ijlIJ ,.",
    0.42: "/:;\\|f-()[]tr!",
    0.53: '"*_`sz?',
    0.60: "cLFkvxy",
    0.65: "PTYoaeEhnuSbdgpq$0123456789{}",
    0.80: "KAVXZBRCUNHDG&OQ",
    0.87: "w#+<=>^~M",
    1.00: "%mW@",
}
_WIDTH_OF = {character: width for width, characters in _WIDTHS.items() for character in characters}
_WIDE = 1.45  # any other character
_ACCENT = 0.2  # more, for a horn or a caron beside its letter


@dataclass(frozen=True)
class Line:
    """A line through points, with round corners."""

    points: tuple[Point, ...]
    width: float = 1.0
    color: str | None = None
    opacity: float = 1.0


@dataclass(frozen=True)
class Rectangle:
    """A filled rectangle by its upper left corner; a screen shows `hover` to who points at it."""

    x: float
    y: float
    width: float
    height: float
    color: str | None = None
    opacity: float = 1.0
    hover: str = ""


@dataclass(frozen=True)
class Dot:
    """A filled circle by its middle; a screen shows `hover` to who points at it."""

    x: float
    y: float
    radius: float
    color: str | None = None
    hover: str = ""


@dataclass(frozen=True)
class Text:
    """A line of text, which `anchor` sets before, around or after x; y is the line that its letters stand on."""

    x: float
    y: float
    text: str
    size: float = SIZE
    anchor: Anchor = "start"
    hover: str = ""

    @property
    def box(self) -> Box:
        """The box that the text stays in, in any usual font."""
        width = text_width(self.text, self.size)
        left = self.x - {"start": 0.0, "middle": 0.5, "end": 1.0}[self.anchor] * width
        return left, self.y - ASCENT * self.size, left + width, self.y + DESCENT * self.size


Mark = Line | Rectangle | Dot | Text


@dataclass(frozen=True)
class Drawing:
    """A picture of `width` times `height` points; later marks lie above earlier ones.

    Examples
    --------
    >>> drawing = Drawing(40, 20, (Line(((0, 10), (40, 10))), Text(20, 9, "CT", anchor="middle")))
    >>> [text.text for text in drawing.texts]
    ['CT']
    """

    width: float
    height: float
    marks: tuple[Mark, ...]

    @property
    def texts(self) -> tuple[Text, ...]:
        """The texts among the marks."""
        return tuple(mark for mark in self.marks if isinstance(mark, Text))


def text_width(text: str, size: float = SIZE) -> float:
    """Return a width in points that `text` does not exceed at a font size of `size` points.

    An accent adds 0.2 times the size; a character that is neither ASCII nor an ASCII letter with accents counts 1.45.

    Examples
    --------
    >>> round(text_width("CT", 10), 6)
    14.5
    """
    return size * sum(
        _ACCENT if unicodedata.combining(character) else _WIDTH_OF.get(character, _WIDE)
        for character in unicodedata.normalize("NFD", text)
    )


def widest(texts: Iterable[str], size: float = SIZE) -> float:
    """Return the width of the widest of `texts`, 0 where there are none."""
    return max((text_width(text, size) for text in texts), default=0.0)


def printable(text: str) -> str:
    """Return `text` on one line, a space for each run of blanks and of characters that no file format takes."""
    return " ".join("".join(character if character.isprintable() else " " for character in text).split())
