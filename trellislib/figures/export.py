"""A `Drawing` as an interactive figure, and as a file for a paper, without a browser.

SVG and TikZ are written here, so that they hold plain lines and text that stays text; PDF and PNG are matplotlib's,
in its DejaVu Sans, which has letters of Latin, Greek, Cyrillic and many more, but not of Chinese, Japanese or Korean.
The same drawing gives the same bytes each time.
"""

from __future__ import annotations

import io
import textwrap
import threading
from itertools import pairwise
from typing import TYPE_CHECKING, Literal
from xml.sax.saxutils import escape

import numpy as np
import plotly.graph_objects as go

from trellislib.figures.drawing import (
    MIDDLE,
    RAISED,
    Area,
    Dot,
    Drawing,
    Image,
    Line,
    Mark,
    Point,
    Rectangle,
    Text,
)
from trellislib.figures.png import png_address
from trellislib.figures.style import finish, literal
from trellislib.labels.matrices import pooled_blocks
from trellislib.wording.latex import tikz_escaped

if TYPE_CHECKING:
    from matplotlib.artist import Artist
    from matplotlib.figure import Figure

Format = Literal["svg", "pdf", "png", "tikz"]
FORMATS: tuple[Format, ...] = ("svg", "pdf", "png", "tikz")
DPI = 144.0  # of a PNG: two pixels for a point
_PDF_DPI = 288.0  # of images in a PDF; all else in it has no pixels

_SCREEN_INK = "#8A8A8A"  # of lines, seen on light and dark pages alike; text has the page's own colour
_PAPER_INK = "#000000"
_FAMILY = "DejaVu Sans"
_FONTS = f"{_FAMILY}, Verdana, Helvetica, Arial, sans-serif"
_SIDES = {"start": "left", "middle": "center", "end": "right"}
_TIKZ_ANCHORS = {"start": "base west", "middle": "base", "end": "base east"}
_RAISE = 0.35  # by how much of its text's size an exponent stands higher
_TIKZ_CELLS = 96  # in a row or column of an image; of more, neighbours are taken together
_TIKZ_LEVELS = 15  # steps between none and all of a colour in an image, for few fills
_SETTINGS = threading.Lock()  # matplotlib's settings are the whole process's


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
    images = []
    for mark in drawing.marks:
        match mark:
            case Image():
                images.append(
                    {
                        "source": png_address(mark.pixels),
                        "x": mark.x,
                        "y": mark.y,
                        "sizex": mark.width,
                        "sizey": mark.height,
                        "xref": "x",
                        "yref": "y",
                        "sizing": "stretch",
                        "layer": "below",
                    }
                )
            case Text():
                raised = f"<sup>{literal(mark.raised)}</sup>" if mark.raised else ""
                annotations.append(
                    {
                        "x": mark.x,
                        "y": mark.y - MIDDLE * mark.size,
                        "text": literal(mark.text) + raised,
                        "textangle": mark.angle,
                        "hovertext": _hover(mark.hover),
                        "font": {"size": mark.size, "color": mark.color, "weight": "bold" if mark.bold else None},
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
        images=images,
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


def _trace(mark: Line | Rectangle | Area | Dot) -> go.Scatter:
    """Return what draws a mark that is no text."""
    color = mark.color or _SCREEN_INK
    match mark:
        case Line():
            x, y = zip(*mark.points, strict=True)
            dash = ",".join(f"{_number(length)}px" for length in mark.dash) or None
            line = {"color": color, "width": mark.width, "dash": dash}
            return go.Scatter(x=x, y=y, mode="lines", line=line, opacity=mark.opacity, hoverinfo="skip")
        case Rectangle() | Area():
            rings = (_corners(mark),) if isinstance(mark, Rectangle) else mark.rings
            points = [point for ring in rings for point in (*ring, (None, None))][:-1]
            return go.Scatter(
                x=[x for x, _ in points],
                y=[y for _, y in points],
                mode="lines",
                line={"width": 0},
                fill="toself",
                fillcolor=color,
                opacity=mark.opacity,
                hoveron="fills",
                **_pointed_at(mark.hover),
            )
        case Dot():
            marker = {"color": color, "size": 2 * mark.radius, "opacity": mark.opacity}
            return go.Scatter(x=[mark.x], y=[mark.y], mode="markers", marker=marker, **_pointed_at(mark.hover))


def _corners(mark: Rectangle) -> tuple[Point, ...]:
    right, bottom = mark.x + mark.width, mark.y + mark.height
    return (mark.x, mark.y), (right, mark.y), (right, bottom), (mark.x, bottom)


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
                f'stroke-linejoin="round"{_svg_dash(mark.dash)}/>'
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
                f'fill="{mark.color or "currentColor"}"{_svg_opacity(mark.opacity)}/>'
            )
        case Area():
            path = "".join("M" + "L".join(f"{_number(x)},{_number(y)}" for x, y in ring) + "Z" for ring in mark.rings)
            return f'<path d="{path}" fill="{mark.color or "currentColor"}"{_svg_opacity(mark.opacity)}/>'
        case Image():
            return (
                f'<image x="{_number(mark.x)}" y="{_number(mark.y)}" width="{_number(mark.width)}" '
                f'height="{_number(mark.height)}" preserveAspectRatio="none" image-rendering="pixelated" '
                f'style="image-rendering:crisp-edges;image-rendering:pixelated" href="{png_address(mark.pixels)}"/>'
            )
        case Text():
            more = f' fill="{mark.color}"' if mark.color else ""
            more += ' font-weight="bold"' if mark.bold else ""
            if mark.angle:
                more += f' transform="rotate({_number(mark.angle)} {_number(mark.x)} {_number(mark.y)})"'
            exponent = ""
            if mark.raised:
                exponent = (
                    f'<tspan dy="{_number(-_RAISE * mark.size)}" font-size="{_number(RAISED * mark.size)}">'
                    f"{escape(mark.raised)}</tspan>"
                )
            return (
                f'<text x="{_number(mark.x)}" y="{_number(mark.y)}" font-size="{_number(mark.size)}" '
                f'text-anchor="{mark.anchor}"{more}>{escape(mark.text)}{exponent}</text>'
            )


def _svg_opacity(opacity: float) -> str:
    return "" if opacity == 1 else f' fill-opacity="{_number(opacity)}"'


def _svg_dash(dash: tuple[float, ...]) -> str:
    return f' stroke-dasharray="{",".join(map(_number, dash))}"' if dash else ""


# TikZ


def _tikz(drawing: Drawing) -> str:
    marks = [
        of_mark for mark in drawing.marks for of_mark in (_tikz_cells(mark) if isinstance(mark, Image) else [mark])
    ]
    colors = sorted({mark.color for mark in marks if mark.color})
    return "\n".join(
        [
            r"% Needs \usepackage{tikz}; to fit a column: \resizebox{\columnwidth}{!}{\input{...}}",
            r"\begin{tikzpicture}[x=1bp, y=-1bp, line join=round, inner sep=0pt, outer sep=0pt]",
            *(rf"\definecolor{{{_tikz_color(color)}}}{{HTML}}{{{color[1:].upper()}}}" for color in colors),
            rf"\path[use as bounding box] (0,0) rectangle ({_number(drawing.width)},{_number(drawing.height)});",
            *(_tikz_mark(mark) for mark in marks),
            "\\end{tikzpicture}\n",
        ]
    )


def _tikz_mark(mark: Line | Rectangle | Dot | Area | Text) -> str:
    match mark:
        case Line():
            points = " -- ".join(f"({_number(x)},{_number(y)})" for x, y in mark.points)
            return (
                rf"\draw[draw={_tikz_color(mark.color)}, line width={_number(mark.width)}bp, "
                f"draw opacity={_number(mark.opacity)}{_tikz_dash(mark.dash)}] {points};"
            )
        case Rectangle():
            corners = (
                f"({_number(mark.x)},{_number(mark.y)}) rectangle "
                f"({_number(mark.x + mark.width)},{_number(mark.y + mark.height)})"
            )
            return rf"\fill[fill={_tikz_color(mark.color)}, fill opacity={_number(mark.opacity)}] {corners};"
        case Dot():
            middle = f"({_number(mark.x)},{_number(mark.y)})"
            return rf"\fill[{_tikz_fill(mark)}] {middle} circle[radius={_number(mark.radius)}bp];"
        case Text():
            size, skip = _number(mark.size), _number(1.2 * mark.size)
            font = rf"\sffamily\fontsize{{{size}bp}}{{{skip}bp}}\selectfont"
            font += r"\bfseries" if mark.bold else ""
            more = f", text={_tikz_color(mark.color)}" if mark.color else ""
            more += f", rotate={_number(-mark.angle)}" if mark.angle else ""
            exponent = rf"\textsuperscript{{{tikz_escaped(mark.raised)}}}" if mark.raised else ""
            return (
                rf"\node[anchor={_TIKZ_ANCHORS[mark.anchor]}, font={font}{more}] "
                f"at ({_number(mark.x)},{_number(mark.y)}) {{{tikz_escaped(mark.text)}{exponent}}};"
            )
        case Area():
            rings = " ".join(
                " -- ".join(f"({_number(x)},{_number(y)})" for x, y in ring) + " -- cycle" for ring in mark.rings
            )
            return rf"\fill[{_tikz_fill(mark)}] {rings};"


def _tikz_fill(mark: Dot | Area) -> str:
    fill = f"fill={_tikz_color(mark.color)}"
    return fill if mark.opacity == 1 else f"{fill}, fill opacity={_number(mark.opacity)}"


def _tikz_dash(dash: tuple[float, ...]) -> str:
    strokes = " ".join(f"{'off' if place % 2 else 'on'} {_number(length)}bp" for place, length in enumerate(dash))
    return f", dash pattern={strokes}" if dash else ""


def _tikz_cells(image: Image) -> list[Area]:
    """Return an image as one area for each colour; large ones are coarser, in cells and in colours."""
    rows, columns, _ = image.pixels.shape
    down, across = (-(-n // _TIKZ_CELLS) for n in (rows, columns))
    levels = np.rint(_block_means(image.pixels / 255, down, across) * _TIKZ_LEVELS).astype(int)
    height, width = image.height * down / rows, image.width * across / columns
    rings: dict[tuple[int, ...], list[tuple[Point, ...]]] = {}
    for row, cells in enumerate(levels):
        starts = np.flatnonzero(np.r_[True, (cells[1:] != cells[:-1]).any(axis=1), True])
        top, bottom = image.y + height * row, min(image.y + height * (row + 1), image.y + image.height)
        for first, last in pairwise(starts):
            left, right = image.x + width * first, min(image.x + width * last, image.x + image.width)
            if cells[first][3]:
                run = ((left, top), (right, top), (right, bottom), (left, bottom))
                rings.setdefault(tuple(cells[first]), []).append(run)
    return [
        Area(
            tuple(of_color),
            "#" + "".join(f"{round(255 * level / _TIKZ_LEVELS):02X}" for level in color[:3]),
            color[3] / _TIKZ_LEVELS,
        )
        for color, of_color in rings.items()
    ]


def _block_means(pixels: np.ndarray, down: int, across: int) -> np.ndarray:
    """Return the mean of each block of pixels, of as many as there are at the border; what is seen through weighs less.

    Pixels are (rows, columns, 4), the last of red, green, blue and opacity, between 0 and 1.
    """
    opaque = pixels[:, :, 3:]
    weighted = np.concatenate([pixels[:, :, :3] * opaque, opaque, np.ones_like(opaque)], axis=2)
    sums = pooled_blocks(weighted, down, across, np.add)
    color, opacity, size = sums[:, :, :3], sums[:, :, 3:4], sums[:, :, 4:]
    return np.concatenate([color / np.where(opacity > 0, opacity, 1.0), opacity / size], axis=2)


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
                FigureCanvasPdf(_paint(drawing, _PDF_DPI)).print_pdf(content, metadata=nobody)
    return content.getvalue()


def _paint(drawing: Drawing, dpi: float) -> Figure:
    """Return the drawing as matplotlib's figure, in which a point is a point."""
    from matplotlib.figure import Figure
    from matplotlib.image import BboxImage
    from matplotlib.lines import Line2D
    from matplotlib.patches import Circle, PathPatch
    from matplotlib.patches import Rectangle as Patch
    from matplotlib.path import Path
    from matplotlib.text import Annotation
    from matplotlib.text import Text as Words
    from matplotlib.transforms import Bbox, TransformedBbox

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
                if mark.dash:
                    line.set_linestyle((0, [length / mark.width for length in mark.dash]))
                    line.set_dash_joinstyle("round")
                artists.append(line)
            case Rectangle():
                patch = Patch((mark.x, mark.y), mark.width, mark.height, alpha=mark.opacity, linewidth=0)
                patch.set_facecolor(mark.color or _PAPER_INK)
                artists.append(patch)
            case Dot():
                circle = Circle((mark.x, mark.y), mark.radius, color=mark.color or _PAPER_INK, linewidth=0)
                circle.set_alpha(None if mark.opacity == 1 else mark.opacity)
                artists.append(circle)
            case Area():
                path = Path.make_compound_path(*(Path([*ring, ring[0]], closed=True) for ring in mark.rings))
                color = mark.color or _PAPER_INK
                artists.append(PathPatch(path, facecolor=color, alpha=mark.opacity, linewidth=0))
            case Image():
                box = Bbox.from_bounds(mark.x, mark.y, mark.width, mark.height)
                image = BboxImage(TransformedBbox(box, axes.transData), interpolation="nearest", origin="upper")
                image.set_data(mark.pixels)
                artists.append(image)
            case Text():
                words = Words(mark.x, mark.y, mark.text, fontsize=mark.size)
                words.set(horizontalalignment=_SIDES[mark.anchor], verticalalignment="baseline")
                words.set(rotation=-mark.angle, rotation_mode="anchor")
                texts: list[Words] = [words]
                if mark.raised:
                    up = (0.0, _RAISE * mark.size)
                    raised = Annotation(mark.raised, (1, 0), xytext=up, xycoords=words, textcoords="offset points")
                    raised.set(fontsize=RAISED * mark.size, verticalalignment="bottom")
                    texts.append(raised)
                for text in texts:
                    text.set(color=mark.color or _PAPER_INK, fontfamily=_FAMILY, parse_math=False)
                    text.set_fontweight("bold" if mark.bold else "normal")
                artists += texts
    for order, artist in enumerate(artists):
        artist.set_zorder(order)
        axes.add_artist(artist)
    return figure


def _number(value: float) -> str:
    """Return a length to two decimals, without needless zeros."""
    return f"{round(value, 2) + 0.0:.2f}".rstrip("0").rstrip(".")
