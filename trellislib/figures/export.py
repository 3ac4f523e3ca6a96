"""A figure as a file for a paper, without a browser; and a `Drawing` as an interactive figure.

SVG, PDF and PNG are matplotlib's, in its DejaVu Sans, which has letters of Latin, Greek, Cyrillic and many more, but
not of Chinese, Japanese or Korean. TikZ is written here, of drawings alone; `trellislib.graphs.written_graph` writes
label graphs and trellises as TikZ. The same figure gives the same bytes each time.
"""

from __future__ import annotations

import io
import textwrap
import threading
from typing import Any, Literal

import plotly.graph_objects as go

from trellislib.figures.drawing import MIDDLE, Dot, Drawing, Line, Rectangle, Text
from trellislib.figures.static import static
from trellislib.figures.style import NO_MARGIN, finish, literal
from trellislib.running.extras import require
from trellislib.wording.latex import tikz_escaped

Format = Literal["svg", "pdf", "png", "tikz"]
FORMATS: tuple[Format, ...] = ("svg", "pdf", "png", "tikz")
DPI = 144.0  # of a PNG: two pixels for a point
_VECTOR_DPI = 288.0  # of images in SVG and PDF; all else in them has no pixels
_PAPER_INK, _SCREEN_INK = "#000000", "#8A8A8A"  # of lines; the latter is seen on light and dark pages
_SIDES = {"start": "left", "middle": "center", "end": "right"}
_TIKZ_ANCHORS = {"start": "base west", "middle": "base", "end": "base east"}
_SETTINGS: dict[Any, Any] = {
    "font.family": "DejaVu Sans",
    "text.usetex": False,
    "text.parse_math": False,
    "svg.fonttype": "none",  # text stays text
    "svg.hashsalt": "trellislib",
    "pdf.fonttype": 42,  # publishers refuse the fonts that matplotlib makes by itself
}
_NOBODY = {
    "svg": {"Date": None, "Creator": None},
    "pdf": {"CreationDate": None, "Creator": None, "Producer": None},
    "png": {"Software": None},
}
_LOCK = threading.Lock()  # matplotlib's settings are the whole process's


def drawing_figure(drawing: Drawing) -> go.Figure:
    """Return a drawing as a figure of as many pixels as it has points, for a light or a dark page.

    Show it in its own size: a page that stretches or shrinks it moves texts apart or together.

    Parameters
    ----------
    drawing : Drawing

    Returns
    -------
    plotly.graph_objects.Figure

    Examples
    --------
    >>> drawing_figure(Drawing(40, 20, (Text(5, 15, "CT"),))).layout.width
    40
    """
    return _figure(drawing, _SCREEN_INK)


def export(figure: go.Figure | Drawing, kind: Format, *, dpi: float = DPI) -> bytes:
    r"""Return a figure or a drawing as the content of a file.

    Parameters
    ----------
    figure : plotly.graph_objects.Figure or Drawing
        A figure of this package. Without a width of its own it is 640 points wide.
    kind : {"svg", "pdf", "png", "tikz"}
        SVG, PDF and PNG are black on white. TikZ, of a drawing alone, is a ``tikzpicture`` to be read by ``\input``,
        in UTF-8.
    dpi : float, default=144
        Pixels to an inch of 72 points, for a PNG.

    Returns
    -------
    bytes

    Raises
    ------
    ValueError
        If `kind` is none of those or not for such a figure, or `dpi` is not above 0.
    ImportError
        If anything but TikZ is asked for and matplotlib is not installed.

    Examples
    --------
    >>> drawing = Drawing(40, 20, (Text(5, 15, "a_b"),))
    >>> print(export(drawing, "tikz").decode().splitlines()[-2])
    \node[anchor=base west, font=\sffamily\fontsize{13bp}{15.6bp}\selectfont] at (5,15) {a\_b};
    """
    if kind not in FORMATS:
        raise ValueError(f"Got kind={kind!r}, but expected one of {list(FORMATS)}.")
    if not dpi > 0:
        raise ValueError(f"Got dpi={dpi}, but expected a number above 0.")
    if kind != "tikz":
        return _painted(figure, kind, dpi)
    if not isinstance(figure, Drawing):
        raise ValueError(
            "Charts are not written as TikZ: take SVG or PDF, or trellislib.graphs.written_graph for a label graph."
        )
    return _tikz(figure).encode()


def _painted(figure: go.Figure | Drawing, kind: Format, dpi: float) -> bytes:
    require("matplotlib", f"A {kind.upper()}, unlike TikZ,")
    import matplotlib
    from matplotlib.backends.backend_agg import FigureCanvasAgg

    content = io.BytesIO()
    with _LOCK, matplotlib.rc_context():
        matplotlib.rcdefaults()
        matplotlib.rcParams.update(_SETTINGS)
        picture = static(_figure(figure, _PAPER_INK) if isinstance(figure, Drawing) else figure)
        FigureCanvasAgg(picture).print_figure(
            content,
            format=kind,
            dpi=dpi if kind == "png" else _VECTOR_DPI,
            metadata=_NOBODY[kind],
            bbox_inches=None if isinstance(figure, Drawing) else "tight",  # a drawing has its size
            pad_inches=4 / 72,
        )
    return content.getvalue()


def _figure(drawing: Drawing, ink: str) -> go.Figure:
    """Return a drawing as a figure in which marks without a colour have that of `ink`."""
    width, height = round(drawing.width), round(drawing.height)
    axis = {"visible": False, "fixedrange": True}
    return finish(
        go.Figure([_trace(mark, ink) for mark in drawing.marks if not isinstance(mark, Text)]),
        height,
        width=width,
        margin=NO_MARGIN,
        xaxis=axis | {"range": [0, width]},
        yaxis=axis | {"range": [height, 0], "scaleanchor": "x"},
        annotations=[
            {
                "x": text.x,
                "y": text.y - MIDDLE * text.size,
                "text": literal(text.text),
                "hovertext": _hover(text.hover),
                "font": {"size": text.size},
                "xanchor": _SIDES[text.anchor],
                "yanchor": "middle",
                "borderpad": 0,
                "showarrow": False,
            }
            for text in drawing.texts
        ],
        hovermode="closest",
    )


def _trace(mark: Line | Rectangle | Dot, ink: str) -> go.Scatter:
    """Return what draws a mark that is no text."""
    color = mark.color or ink
    match mark:
        case Line():
            x, y = zip(*mark.points, strict=True)
            line = {"color": color, "width": mark.width}
            return go.Scatter(x=x, y=y, mode="lines", line=line, opacity=mark.opacity, hoverinfo="skip")
        case Rectangle():
            right, bottom = mark.x + mark.width, mark.y + mark.height
            return go.Scatter(
                x=[mark.x, right, right, mark.x],
                y=[mark.y, mark.y, bottom, bottom],
                mode="lines",
                line={"width": 0},
                fill="toself",
                fillcolor=color,
                opacity=mark.opacity,
                hoveron="fills",
                **_pointed_at(mark.hover),
            )
        case Dot():
            marker = {"color": color, "size": 2 * mark.radius}
            return go.Scatter(x=[mark.x], y=[mark.y], mode="markers", marker=marker, **_pointed_at(mark.hover))


def _pointed_at(hover: str) -> dict[str, str]:
    return {"text": _hover(hover), "hoverinfo": "text"} if hover else {"hoverinfo": "skip"}


def _hover(hover: str) -> str:
    """Return a text for the hover in lines that a screen has room for."""
    return "<br>".join(literal(line) for line in textwrap.wrap(hover, 60))


# TikZ


def _tikz(drawing: Drawing) -> str:
    colors = sorted({mark.color for mark in drawing.marks if not isinstance(mark, Text) and mark.color})
    return "\n".join(
        [
            r"% Needs \usepackage{tikz}; to fit a column: \resizebox{\columnwidth}{!}{\input{...}}",
            r"\begin{tikzpicture}[x=1bp, y=-1bp, line join=round, inner sep=0pt, outer sep=0pt]",
            *(rf"\definecolor{{{_tikz_color(color)}}}{{HTML}}{{{color[1:].upper()}}}" for color in colors),
            rf"\path[use as bounding box] (0,0) rectangle ({_number(drawing.width)},{_number(drawing.height)});",
            *(_tikz_mark(mark) for mark in drawing.marks),
            "\\end{tikzpicture}\n",
        ]
    )


def _tikz_mark(mark: Line | Rectangle | Dot | Text) -> str:
    match mark:
        case Line():
            points = " -- ".join(f"({_number(x)},{_number(y)})" for x, y in mark.points)
            return (
                rf"\draw[draw={_tikz_color(mark.color)}, line width={_number(mark.width)}bp, "
                f"draw opacity={_number(mark.opacity)}] {points};"
            )
        case Rectangle():
            corners = (
                f"({_number(mark.x)},{_number(mark.y)}) rectangle "
                f"({_number(mark.x + mark.width)},{_number(mark.y + mark.height)})"
            )
            return rf"\fill[fill={_tikz_color(mark.color)}, fill opacity={_number(mark.opacity)}] {corners};"
        case Dot():
            middle = f"({_number(mark.x)},{_number(mark.y)})"
            return rf"\fill[fill={_tikz_color(mark.color)}] {middle} circle[radius={_number(mark.radius)}bp];"
        case Text():
            font = rf"\sffamily\fontsize{{{_number(mark.size)}bp}}{{{_number(1.2 * mark.size)}bp}}\selectfont"
            return (
                rf"\node[anchor={_TIKZ_ANCHORS[mark.anchor]}, font={font}] "
                f"at ({_number(mark.x)},{_number(mark.y)}) {{{tikz_escaped(mark.text)}}};"
            )


def _tikz_color(color: str | None) -> str:
    return f"trellislib{color[1:].upper()}" if color else "black"


def _number(value: float) -> str:
    """Return a length to two decimals, without needless zeros."""
    return f"{round(value, 2) + 0.0:.2f}".rstrip("0").rstrip(".")
