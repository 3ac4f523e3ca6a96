"""What Plotly writes of colours, dashes, markers and texts, as matplotlib takes it."""

from __future__ import annotations

import re
from collections.abc import Callable
from html import unescape
from typing import Any

import numpy as np

from trellislib.figures.drawing import printable

Color = tuple[float, float, float, float]

_MARKERS: dict[str, Any] = {
    "circle": "o",
    "square": "s",
    "diamond": "D",
    "cross": "P",
    "x": "X",
    "triangle-up": "^",
    "triangle-down": "v",
    "pentagon": "p",
    "hexagon": "h",
    "star": "*",
    "hexagram": (6, 1, 0),
    "star-diamond": (4, 1, 0),
    "star-square": (4, 1, 45),
    "bowtie": [(-1, 1), (1, -1), (1, 1), (-1, -1)],
    "hourglass": [(-1, 1), (1, 1), (-1, -1), (1, -1)],
}
_INNER = {"-cross": "+", "-x": "x"}
_DASHES: dict[str | None, tuple[float, ...]] = {
    "dot": (1, 2),
    "dash": (5, 3),
    "longdash": (9, 4),
    "dashdot": (6, 2.5, 1, 2.5),
}  # in widths of the line
HATCHES = {"/": "///", ".": "..."}


def words(markup: object) -> str:
    r"""Return a text of a figure as a reader sees it.

    Examples
    --------
    >>> words("<b>CT</b><br>a &lt; &#36;b, L<sup>2</sup>")
    'CT\na < $b, L^2'
    """
    lines = []
    for line in re.split(r"<br\s*/?>", str(known(markup, "")).replace("<sup>", "^")):
        text = unescape(re.sub(r"</?(?:b|i|sup)>", "", line))
        blanks = (len(text) > 1) * "\N{NO-BREAK SPACE}"  # which SVG keeps at the ends of a text
        lines.append(text[:1].isspace() * blanks + printable(text) + text[-1:].isspace() * blanks)
    return "\n".join(lines)


def known(value: Any, default: Any) -> Any:
    """Return a value, or `default` where it is None."""
    return default if value is None else value


def each(values: Any, n: int, default: Any = None) -> list[Any]:
    """Return a value for each of n points, where all have one or each its own."""
    if isinstance(values, (list, tuple, np.ndarray)):
        return list(values)
    return [known(values, default)] * n


def rgba(color: str, opacity: float = 1.0) -> Color:
    """Return red, green, blue and opacity from 0 to 1."""
    from matplotlib.colors import to_rgba

    if found := re.fullmatch(r"rgba?\((.*)\)", color):
        red, green, blue, alpha = [*map(float, found[1].split(",")), 1.0][:4]
        return red / 255, green / 255, blue / 255, alpha * opacity
    red, green, blue, alpha = to_rgba(color)
    return red, green, blue, alpha * opacity


def symbol_of(name: str) -> tuple[Any, str | None, bool]:
    """Return a marker, the one that is drawn on it, and whether it is hollow."""
    base = name.removesuffix("-open")
    inner = next((ending for ending in _INNER if base in (f"circle{ending}", f"diamond{ending}")), "")
    shape = _MARKERS.get(base.removesuffix(inner))
    if shape is None:
        raise ValueError(f"Files show no marker {name!r}, only {', '.join(_MARKERS)}.")
    return shape, _INNER.get(inner), base != name


def dashes(dash: str | None, width: float) -> Any:
    """Return the dashes of a line as matplotlib takes them: in widths of the line."""
    if dash is None or dash == "solid":
        return "-"
    return 0, _DASHES.get(dash) or tuple(float(part.removesuffix("px")) / width for part in dash.split(","))


def formatter(form: str | None) -> Callable[[float, object], str]:
    """Return what writes the numbers of ticks, by default to four digits and in full."""

    def written(value: float, _: object) -> str:
        number = np.format_float_positional(value, precision=4, fractional=False, trim="-")
        return (format(value, form) if form else number).replace("-", "\N{MINUS SIGN}")

    return written
