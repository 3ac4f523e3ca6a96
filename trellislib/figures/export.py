"""A `Drawing` as an interactive figure, and as a file for a paper, without a browser.

SVG and TikZ are written here, so that they hold plain lines and text that stays text; PDF and PNG are matplotlib's,
in its DejaVu Sans, which has letters of Latin, Greek, Cyrillic and many more, but not of Chinese, Japanese or Korean.
The same drawing gives the same bytes each time.
"""

from __future__ import annotations

import io
import textwrap
import threading
from typing import TYPE_CHECKING, Literal
from xml.sax.saxutils import escape

import plotly.graph_objects as go

from trellislib.figures.drawing import MIDDLE, Dot, Drawing, Line, Mark, Rectangle, Text
from trellislib.figures.style import finish, literal
from trellislib.ranking.markup import latex_escaped

if TYPE_CHECKING:
    from matplotlib.artist import Artist
    from matplotlib.figure import Figure

Format = Literal["svg", "pdf", "png", "tikz"]
FORMATS: tuple[Format, ...] = ("svg", "pdf", "png", "tikz")
DPI = 144.0  # of a PNG: two pixels for a point

_SCREEN_INK = "#8A8A8A"  # of lines, seen on light and dark pages alike; text has the page's own colour
_PAPER_INK = "#000000"
_FAMILY = "DejaVu Sans"
_FONTS = f"{_FAMILY}, Verdana, Helvetica, Arial, sans-serif"
_SIDES = {"start": "left", "middle": "center", "end": "right"}
_TIKZ_ANCHORS = {"start": "base west", "middle": "base", "end": "base east"}
_SETTINGS = threading.Lock()  # matplotlib's settings are the whole process's

_TIKZ_SIGNS = str.maketrans(
    {
        '"': r"{\ttfamily\char34}",
        "'": r"\textquotesingle{}",
        "`": r"\textasciigrave{}",
        "←": r"\(\leftarrow\)",
    }
)


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
    figure = go.Figure()
    annotations = []
    for mark in drawing.marks:
        match mark:
            case Text():
                annotations.append(
                    {
                        "x": mark.x,
                        "y": mark.y - MIDDLE * mark.size,
                        "text": literal(mark.text),
                        "hovertext": _hover(mark.hover),
                        "font": {"size": mark.size},
                        "xanchor": _SIDES[mark.anchor],
                        "yanchor": "middle",
                        "borderpad": 0,
                        "showarrow": False,
                    }
                )
            case _:
                figure.add_trace(_trace(mark))
    width, height = round(drawing.width), round(drawing.height)
    axis = {"visible": False, "fixedrange": True}
    return finish(
        figure,
        height,
        width=width,
        margin={"l": 0, "r": 0, "t": 0, "b": 0},
        xaxis=axis | {"range": [0, width]},
        yaxis=axis | {"range": [height, 0], "scaleanchor": "x"},
        annotations=annotations,
        hovermode="closest",
    )


def export(drawing: Drawing, kind: Format, *, dpi: float = DPI) -> bytes:
    r"""Return a drawing as the content of a file.

    Parameters
    ----------
    drawing : Drawing
    kind : {"svg", "pdf", "png", "tikz"}
        SVG has no background and takes the colour of the text around it, black by itself; PDF and PNG are white.
        TikZ is a ``tikzpicture`` to be read by ``\input``, in UTF-8.
    dpi : float, default=144
        Pixels to an inch of 72 points, for a PNG.

    Returns
    -------
    bytes

    Raises
    ------
    ValueError
        If `kind` is none of those, or `dpi` is not above 0.
    ImportError
        If PDF or PNG is asked for and matplotlib is not installed.

    Examples
    --------
    >>> drawing = Drawing(40, 20, (Text(5, 15, "a_b"),))
    >>> print(export(drawing, "svg").decode())
    <svg xmlns="http://www.w3.org/2000/svg" width="40pt" height="20pt" viewBox="0 0 40 20" fill="currentColor" ...>
    <text x="5" y="15" font-size="11" text-anchor="start">a_b</text>
    </svg>
    """
    if kind not in FORMATS:
        raise ValueError(f"Got kind={kind!r}, but expected one of {list(FORMATS)}.")
    if not dpi > 0:
        raise ValueError(f"Got dpi={dpi}, but expected a number above 0.")
    if kind == "svg":
        return _svg(drawing).encode()
    if kind == "tikz":
        return _tikz(drawing).encode()
    return _painted(drawing, kind, dpi)


# Interactive


def _trace(mark: Line | Rectangle | Dot) -> go.Scatter:
    """Return what draws a mark that is no text."""
    color = mark.color or _SCREEN_INK
    match mark:
        case Line():
            x, y = zip(*mark.points, strict=True)
            line = {"color": color, "width": mark.width}
            return go.Scatter(x=x, y=y, mode="lines", line=line, opacity=mark.opacity, hoverinfo="skip")
        case Rectangle():
            return go.Scatter(
                x=[mark.x, mark.x + mark.width, mark.x + mark.width, mark.x],
                y=[mark.y, mark.y, mark.y + mark.height, mark.y + mark.height],
                mode="lines",
                line={"width": 0},
                fill="toself",
                fillcolor=color,
                opacity=mark.opacity,
                hoveron="fills",
                **_pointed_at(mark.hover),
            )
        case Dot():
            marker = {"color": color, "size": 2 * mark.radius, "opacity": 1}
            return go.Scatter(x=[mark.x], y=[mark.y], mode="markers", marker=marker, **_pointed_at(mark.hover))


def _pointed_at(hover: str) -> dict[str, str]:
    return {"text": _hover(hover), "hoverinfo": "text"} if hover else {"hoverinfo": "skip"}


def _hover(hover: str) -> str:
    """Return what is told, in lines that a screen has room for."""
    return "<br>".join(literal(line) for line in textwrap.wrap(hover, 60))


# SVG


def _svg(drawing: Drawing) -> str:
    width, height = _number(drawing.width), _number(drawing.height)
    start = (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}pt" height="{height}pt" viewBox="0 0 {width} {height}" '
        f'fill="currentColor" font-family="{_FONTS}">'
    )
    return "\n".join([start, *(_svg_mark(mark) for mark in drawing.marks), "</svg>\n"])


def _svg_mark(mark: Mark) -> str:
    match mark:
        case Line():
            points = " ".join(f"{_number(x)},{_number(y)}" for x, y in mark.points)
            return (
                f'<polyline points="{points}" fill="none" stroke="{mark.color or "currentColor"}" '
                f'stroke-width="{_number(mark.width)}" stroke-opacity="{_number(mark.opacity)}" '
                'stroke-linejoin="round"/>'
            )
        case Rectangle():
            return (
                f'<rect x="{_number(mark.x)}" y="{_number(mark.y)}" width="{_number(mark.width)}" '
                f'height="{_number(mark.height)}" fill="{mark.color or "currentColor"}" '
                f'fill-opacity="{_number(mark.opacity)}"/>'
            )
        case Dot():
            return (
                f'<circle cx="{_number(mark.x)}" cy="{_number(mark.y)}" r="{_number(mark.radius)}" '
                f'fill="{mark.color or "currentColor"}"/>'
            )
        case Text():
            return (
                f'<text x="{_number(mark.x)}" y="{_number(mark.y)}" font-size="{_number(mark.size)}" '
                f'text-anchor="{mark.anchor}">{escape(mark.text)}</text>'
            )


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


def _tikz_mark(mark: Mark) -> str:
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
            size, skip = _number(mark.size), _number(1.2 * mark.size)
            font = rf"\sffamily\fontsize{{{size}bp}}{{{skip}bp}}\selectfont"
            return (
                rf"\node[anchor={_TIKZ_ANCHORS[mark.anchor]}, font={font}] at ({_number(mark.x)},{_number(mark.y)}) "
                f"{{{latex_escaped(mark.text).translate(_TIKZ_SIGNS)}}};"
            )


def _tikz_color(color: str | None) -> str:
    return f"trellislib{color[1:].upper()}" if color else "black"


# PDF and PNG


def _painted(drawing: Drawing, kind: Format, dpi: float) -> bytes:
    try:
        import matplotlib
        from matplotlib.backends.backend_agg import FigureCanvasAgg
        from matplotlib.backends.backend_pdf import FigureCanvasPdf
    except ImportError as error:
        raise ImportError(
            f"A {kind.upper()} needs matplotlib, which trellislib[export] installs; SVG and TikZ need nothing more."
        ) from error
    content = io.BytesIO()
    with _SETTINGS, matplotlib.rc_context({"text.usetex": False, "path.simplify": False}):
        if kind == "png":
            FigureCanvasAgg(_paint(drawing, dpi)).print_png(content, metadata={"Software": None})
        else:
            # Type 42, for publishers refuse the fonts that matplotlib makes by itself.
            with matplotlib.rc_context({"pdf.fonttype": 42, "pdf.use14corefonts": False, "pdf.inheritcolor": False}):
                nobody = {"CreationDate": None, "Creator": None, "Producer": None}
                FigureCanvasPdf(_paint(drawing, 72.0)).print_pdf(content, metadata=nobody)
    return content.getvalue()


def _paint(drawing: Drawing, dpi: float) -> Figure:
    """Return the drawing as matplotlib's figure, in which a point is a point."""
    from matplotlib.figure import Figure
    from matplotlib.lines import Line2D
    from matplotlib.patches import Circle
    from matplotlib.patches import Rectangle as Patch
    from matplotlib.text import Text as Words

    figure = Figure(figsize=(drawing.width / 72, drawing.height / 72), dpi=dpi, facecolor="white")
    figure.set_layout_engine("none")
    axes = figure.add_axes((0, 0, 1, 1))
    axes.set_axis_off()
    axes.set(xlim=(0, drawing.width), ylim=(drawing.height, 0))
    artists: list[Artist] = []
    for mark in drawing.marks:
        match mark:
            case Line():
                x, y = zip(*mark.points, strict=True)
                line = Line2D(x, y, linewidth=mark.width, color=mark.color or _PAPER_INK, alpha=mark.opacity)
                line.set_solid_capstyle("butt")
                line.set_solid_joinstyle("round")
                artists.append(line)
            case Rectangle():
                patch = Patch((mark.x, mark.y), mark.width, mark.height, alpha=mark.opacity, linewidth=0)
                patch.set_facecolor(mark.color or _PAPER_INK)
                artists.append(patch)
            case Dot():
                artists.append(Circle((mark.x, mark.y), mark.radius, color=mark.color or _PAPER_INK, linewidth=0))
            case Text():
                words = Words(mark.x, mark.y, mark.text, color=_PAPER_INK, fontsize=mark.size, fontfamily=_FAMILY)
                words.set(horizontalalignment=_SIDES[mark.anchor], verticalalignment="baseline", parse_math=False)
                artists.append(words)
    for order, artist in enumerate(artists):
        artist.set_zorder(order)
        axes.add_artist(artist)
    return figure


def _number(value: float) -> str:
    """Return a length to two decimals, without needless zeros."""
    return f"{round(value, 2) + 0.0:.2f}".rstrip("0").rstrip(".")
