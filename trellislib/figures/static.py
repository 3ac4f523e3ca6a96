"""A figure of this package as matplotlib draws it, for files that are made without a browser.

Ticks, legends, colour bars and margins are matplotlib's, so a file differs from a browser's picture in such details.
It shows the same data, names and colours, on white.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
import plotly.graph_objects as go
from plotly.colors import qualitative

from trellislib.figures.drawing import widest
from trellislib.figures.static_style import HATCHES, Color, dashes, each, formatter, known, rgba, symbol_of, words
from trellislib.figures.style import FAINT, NEUTRAL

if TYPE_CHECKING:
    from matplotlib.artist import Artist
    from matplotlib.figure import Figure
    from matplotlib.transforms import Transform

INK = "#1A1A1A"
SIZE = 12.0  # of letters without a size of their own
LEAST_SEEN = 0.01  # opacity; what is paler is there only to be pointed at
LEGEND_KEY = 48.0  # points of an entry of a legend without its name
COLORS = 4096  # of a heat map, for scales by square roots change fast near 0
BELOW, BARS, ABOVE, TEXTS = 0.3, 1.0, 2.0, 9.0  # orders of drawing; the grid has 0.5
STARS = 1.4  # how much larger stars are drawn, to look as large as others

_ACROSS = {"left": ("right", -1), "center": ("center", 0), "right": ("left", 1)}  # of a text: anchor and direction
_UP = {"top": ("bottom", 1), "middle": ("center", 0), "bottom": ("top", -1)}


def static(figure: go.Figure, width: float = 640) -> Figure:
    """Return a figure of this package as a figure of matplotlib, a point for a pixel.

    Call it where matplotlib's settings are those of `trellislib.figures.export`.

    Parameters
    ----------
    figure : plotly.graph_objects.Figure
        With traces of points and lines, bars, histograms and heat maps.
    width : float, default=640
        In points, unless the figure has a width of its own. The height is the figure's, or 450.

    Returns
    -------
    matplotlib.figure.Figure

    Raises
    ------
    ValueError
        If the figure has a trace or a marker that is not drawn.
    """
    from matplotlib.figure import Figure

    layout = figure.layout
    width, height = float(layout.width or width), float(layout.height or 450)
    picture: Any = Figure(figsize=(width / 72, height / 72), facecolor="white")
    is_whole = not layout.showlegend and all(layout.margin[side] == 0 for side in "lrtb")
    if not is_whole:
        picture.set_layout_engine("constrained", w_pad=4 / 72, h_pad=4 / 72)
    if unknown := {trace.type for trace in figure.data} - {"scatter", "bar", "histogram", "heatmap"}:
        raise ValueError(f"Files show points, lines, bars, histograms and heat maps, but no {min(unknown)!r}.")
    pairs = list(dict.fromkeys(map(_axes_of, figure.data))) or [("x", "y")]
    paper = picture.transFigure if is_whole else None
    keys: list[tuple[Any, tuple[Artist, ...]]] = []
    drawn: dict[tuple[str, str], Any] = {}
    for pair in pairs:
        (left, right), (low, high) = (_settings(layout, name).domain or (0, 1) for name in pair)
        axes = picture.add_axes((left, low, right - left, high - low)) if is_whole else picture.add_subplot()
        drawn[pair] = axes
        shapes = [shape for shape in layout.shapes if _referred(shape, pairs) == pair]
        keys += _Plot(axes, figure, pair).draw(shapes, paper)
    for note in layout.annotations:
        _annotate(drawn[_referred(note, pairs)], note, layout, paper or "axes fraction")
    if layout.showlegend:
        _add_legend(picture, keys, layout.legend, width)
    return picture


class _Plot:
    """One pair of axes with what is drawn in it."""

    def __init__(self, axes: Any, figure: go.Figure, pair: tuple[str, str]) -> None:
        self.axes, self.layout = axes, figure.layout
        self.settings = {letter: _settings(figure.layout, name) for letter, name in zip("xy", pair, strict=True)}
        self.traces = [one for one in figure.data if _axes_of(one) == pair and one.visible in (None, True)]
        self.colors = [qualitative.Plotly[place % 10] for place in range(len(self.traces))]
        self.categories = {letter: self._categories(letter) for letter in "xy"}
        self.stacked: dict[tuple[float, bool], float] = {}

    def _categories(self, letter: str) -> dict[object, int]:
        """Return the places of the categories of an axis, none where it has numbers."""
        values = [value for trace in self.traces if trace[letter] is not None for value in trace[letter]]
        if self.settings[letter].type != "category" and not any(isinstance(value, str) for value in values):
            return {}
        return {value: place for place, value in enumerate(dict.fromkeys(values))}

    def _numbers(self, trace: Any, letter: str, n: int = 0) -> np.ndarray:
        """Return the places of a trace along an axis, by default 0 to n - 1."""
        values = range(n) if trace[letter] is None else trace[letter]
        if self.categories[letter]:
            values = [self.categories[letter].get(value, np.nan) for value in values]
        return np.asarray(values, dtype=float)

    def draw(self, shapes: Sequence[Any], paper: Transform | None) -> list[tuple[Any, tuple[Artist, ...]]]:
        """Draw traces, shapes and axes; return each trace with what its entry in a legend shows."""
        for letter in "xy":
            if self.settings[letter].type == "log":
                getattr(self.axes, f"set_{letter}scale")("log")
            self.axes.autoscale(self.settings[letter].range is None, axis=letter)
        drawn = {"scatter": self._scatter, "bar": self._bar, "histogram": self._histogram, "heatmap": self._heatmap}
        keys = []
        for place, (trace, color) in enumerate(zip(self.traces, self.colors, strict=True)):
            keys.append((trace, tuple(drawn[trace.type](trace, color, 0.001 * place))))
        for shape in shapes:
            self._shape(shape, paper)
        for letter in "xy":
            self._axis(letter)
        self.axes.set_axisbelow(True)
        self.axes.spines[:].set_visible(False)
        down = self.settings["y"]
        if down.scaleanchor:
            adjustable = "box" if down.constrain == "domain" else "datalim"
            self.axes.set_aspect("equal", adjustable, "N" if down.constraintoward == "top" else "C")
        return keys

    def _scatter(self, trace: Any, color: str, order: float) -> Iterator[Artist]:
        n = max((len(values) for values in (trace.x, trace.y) if values is not None), default=0)
        x, y = self._numbers(trace, "x", n), self._numbers(trace, "y", n)
        mode, marker, opacity = trace.mode or "lines+markers", trace.marker, known(trace.opacity, 1.0)
        style = {"zorder": ABOVE + order, "clip_on": trace.cliponaxis is not False}
        color = trace.line.color or each(marker.color, 1, color)[0]
        if trace.fill == "toself":
            yield self._fill(trace, np.column_stack([x, y]), rgba(trace.fillcolor or color, opacity), ABOVE + order)
        width = known(trace.line.width, 2.0)
        if "lines" in mode and width > 0:
            line = {"color": rgba(color, opacity), "linewidth": width, "linestyle": dashes(trace.line.dash, width)}
            yield from self.axes.plot(x, y, **line, **style)
        if marker.symbol == "arrow":
            self._heads(trace, x, y, rgba(color, opacity), ABOVE + order)
        elif "markers" in mode:
            yield from self._markers(marker, x, y, color, opacity, style)
        self._errors(trace, x, y, opacity, ABOVE + order)
        if "text" in mode:
            reach = max(each(marker.size, 1, 6.0)) / 2 + 1 if "markers" in mode else 0.0
            texts, places = each(trace.text, n), each(trace.textposition, n, "middle center")
            for left, up, text, place in zip(x, y, texts, places, strict=True):
                self._text(text, (left, up), place, reach, trace.textfont)

    def _text(self, text: object, at: tuple[float, float], place: str, reach: float, font: Any) -> None:
        """Write a text beside a point; on white where it has a shadow on a screen."""
        if not (shown := words(text)) or not np.isfinite(at).all():
            return
        up, across = place.split()
        moved = reach * _ACROSS[across][1], reach * _UP[up][1]
        shadow = {"facecolor": "white", "alpha": 0.6, "linewidth": 0, "pad": 0.5} if font.shadow else None
        sides = {"ha": _ACROSS[across][0], "va": _UP[up][0], "bbox": shadow}
        _write(self.axes, shown, at, font, xytext=moved, textcoords="offset points", **sides)

    def _fill(self, trace: Any, points: np.ndarray, color: Color, order: float) -> Artist:
        """Fill each run of points between gaps."""
        from matplotlib.collections import PolyCollection

        runs = np.split(points, np.flatnonzero(np.isnan(points[:, 0])))
        rings = [ring for run in runs if len(ring := run[~np.isnan(run[:, 0])])]
        edge, hatch = rgba(trace.fillpattern.fgcolor or FAINT), HATCHES.get(trace.fillpattern.shape)
        filled = PolyCollection(rings, facecolors=[color], edgecolors=[edge], linewidths=0, hatch=hatch, zorder=order)
        self.axes.add_collection(filled)
        self.axes.autoscale_view()
        return filled

    def _markers(
        self, marker: Any, x: np.ndarray, y: np.ndarray, color: str, opacity: float, style: dict[str, Any]
    ) -> Iterator[Artist]:
        """Draw markers, those of a symbol at once, without those that are there only to be pointed at."""
        n, opacity = len(x), opacity * known(marker.opacity, 1.0)
        colors = np.array([rgba(one, opacity) for one in each(marker.color, n, color)]).reshape(n, 4)
        edges = np.array([rgba(one, opacity) for one in each(marker.line.color, n, NEUTRAL)]).reshape(n, 4)
        sizes, symbols = np.array(each(marker.size, n, 6.0), dtype=float), each(marker.symbol, n, "circle")
        for symbol in dict.fromkeys(symbols):
            shape, inner, is_open = symbol_of(symbol)
            at = (np.array(symbols) == symbol) & (colors[:, 3] >= LEAST_SEEN)
            has_place = at & np.isfinite(x) & np.isfinite(y)
            at = has_place if has_place.any() else at  # an entry of the legend alone has no place
            widths = np.array(each(marker.line.width, n, 1.5 if is_open else 0.0), dtype=float)[at]
            face, edge = ("none", colors[at]) if is_open else (colors[at], edges[at])
            sides = sizes[at] * (STARS if shape == "*" or isinstance(shape, tuple) else 1.0)
            line = {"facecolors": face, "edgecolors": edge, "linewidths": widths}
            yield self.axes.scatter(x[has_place], y[has_place], s=sides**2, marker=shape, **line, **style)
            if inner:
                yield self.axes.scatter(
                    x[has_place], y[has_place], s=sides**2 / 2, marker=inner, color="white", linewidths=1, **style
                )

    def _heads(self, trace: Any, x: np.ndarray, y: np.ndarray, color: Color, order: float) -> None:
        """Draw the heads of arrows, each in the direction of its last stretch."""
        standoffs = each(trace.marker.standoff, len(x), 0.0)
        for place, size in enumerate(each(trace.marker.size, len(x), 6.0)):
            if size:
                style = {"arrowstyle": "-|>,head_length=0.8,head_width=0.4", "mutation_scale": size}
                style |= {"color": color, "linewidth": 0, "shrinkA": 0, "shrinkB": standoffs[place]}
                ends = (x[place], y[place]), (x[place - 1], y[place - 1])
                self.axes.annotate("", *ends, arrowprops=style, zorder=order, annotation_clip=False)

    def _errors(self, trace: Any, x: np.ndarray, y: np.ndarray, opacity: float, order: float) -> None:
        for letter in "xy":
            error = trace[f"error_{letter}"]
            if error.array is not None and error.visible is not False:
                reach = np.array([known(error.arrayminus, error.array), error.array], dtype=float)
                style = {"elinewidth": error.thickness, "capsize": error.width, "zorder": order}
                paint = rgba(error.color or NEUTRAL, opacity)
                self.axes.errorbar(x, y, **{f"{letter}err": reach}, fmt="none", ecolor=paint, **style)

    def _bar(self, trace: Any, color: str, order: float) -> Iterator[Artist]:
        is_across = trace.orientation == "h"
        along, across = "yx" if is_across else "xy"
        values = self._numbers(trace, across)
        at = self._numbers(trace, along, len(values))
        base = np.array(each(trace.base, len(values), 0.0), dtype=float)
        width = known(trace.width, 1 - known(self.layout.bargap, 0.2))
        bars = [one for one in self.traces if one.type == "bar"]
        if self.layout.barmode in ("stack", "relative"):
            for place, value in enumerate(values):
                base[place] = self.stacked.get((at[place], value < 0), 0.0)
                self.stacked[at[place], value < 0] = base[place] + value
        elif self.layout.barmode == "group":
            width /= len(bars)
            at = at + width * (bars.index(trace) - (len(bars) - 1) / 2)
        opacity, order = known(trace.opacity, 1.0), BARS + order
        paints = [rgba(one, opacity) for one in each(trace.marker.color, len(values), color)]
        hatch = HATCHES.get(trace.marker.pattern.shape)
        style = {"color": paints, "hatch": hatch, "edgecolor": "white", "linewidth": 0, "zorder": order}
        drawn = self.axes.barh if is_across else self.axes.bar
        yield drawn(at, values, width, base, **style)
        x, y = (base + values, at) if is_across else (at, base + values)
        self._errors(trace, x, y, opacity, order)
        if trace.textposition == "outside":
            for left, up, value, text in zip(x, y, values, each(trace.text, len(values)), strict=True):
                sides = ("middle left", "middle right") if is_across else ("bottom center", "top center")
                self._text(text, (left, up), sides[int(value >= 0)], 4.0, trace.textfont)

    def _histogram(self, trace: Any, color: str, order: float) -> Iterator[Artist]:
        style = {"color": rgba(trace.marker.color or color), "rwidth": 1 - known(self.layout.bargap, 0.0)}
        yield self.axes.hist(self._numbers(trace, "x"), trace.nbinsx or "auto", zorder=BARS + order, **style)[2]

    def _heatmap(self, trace: Any, color: str, order: float) -> Iterator[Artist]:
        from matplotlib.colors import LinearSegmentedColormap

        z = np.array(trace.z, dtype=float)
        ends = []
        for letter, n in (("x", z.shape[1]), ("y", z.shape[0])):
            places = self._numbers(trace, letter, n)
            half = (places[-1] - places[0]) / (n - 1) / 2 if n > 1 else 0.5
            ends += [places[0] - half, places[-1] + half]
        scale = [(stop, rgba(paint)) for stop, paint in trace.colorscale]
        colors = LinearSegmentedColormap.from_list("scale", scale, COLORS)
        style: dict[str, Any] = {"extent": ends, "origin": "lower", "aspect": "auto", "interpolation": "nearest"}
        style |= {"vmin": trace.zmin, "vmax": trace.zmax, "zorder": BELOW + 0.1 + order}
        image = self.axes.imshow(np.ma.masked_invalid(z), colors, **style)
        if trace.showscale is not False:
            bar, side = trace.colorbar, "top" if trace.colorbar.orientation == "h" else "right"
            size = {"aspect": 50, "fraction": 0.04, "pad": 0.02, "location": side}
            key = self.axes.figure.colorbar(image, ax=self.axes, format=formatter(bar.tickformat), **size)
            key.set_label(words(bar.title.text), size=SIZE, color=INK)
            key.outline.set_visible(False)
        return iter(())

    def _shape(self, shape: Any, paper: Transform | None) -> None:
        from matplotlib.patches import Polygon
        from matplotlib.transforms import blended_transform_factory

        width, color = known(shape.line.width, 2.0), rgba(shape.line.color or INK)
        order = BELOW if shape.layer == "below" else ABOVE
        style = {"linewidth": width, "linestyle": dashes(shape.line.dash, width), "zorder": order}
        points = [(shape.x0, shape.y0), (shape.x1, shape.y0), (shape.x1, shape.y1), (shape.x0, shape.y1)]
        if shape.type == "line":
            points = points[::2]
        elif shape.type == "path":
            numbers = re.findall(r"-?\d[\d.]*(?:e[+-]?\d+)?", shape.path)
            points = [(float(x), float(y)) for x, y in zip(numbers[::2], numbers[1::2], strict=True)]
        is_closed = shape.type == "rect" or (shape.path or "").endswith("Z")
        face = rgba(shape.fillcolor) if shape.fillcolor else "none"
        patch = Polygon(points, closed=is_closed, facecolor=face, edgecolor=color, **style)
        shares, references = self.axes.transAxes, (shape.xref, shape.yref)
        places = (
            (paper or shares) if one == "paper" else shares if _is_share(one) else self.axes.transData
            for one in references
        )
        patch.set_transform(blended_transform_factory(*places))
        patch.set_clip_on(not (paper and "paper" in references))
        self.axes.add_artist(patch)
        self.axes.update_datalim(points, *(not _is_share(one) for one in references))
        self.axes.autoscale_view()

    def _axis(self, letter: str) -> None:
        settings, axis = self.settings[letter], getattr(self.axes, f"{letter}axis")
        ends = settings.range
        if ends is None:
            low, high = axis.get_view_interval()
            ends = (0.0 if settings.rangemode == "tozero" else low), high
        elif settings.type == "log":
            ends = 10.0 ** ends[0], 10.0 ** ends[1]
        self._ticks(letter, settings, axis)
        getattr(self.axes, f"set_{letter}lim")(*ends)  # which ticks may have widened
        if settings.autorange == "reversed":
            axis.set_inverted(True)
        if settings.visible is False:
            axis.set_visible(False)
            return
        axis.set_label_text(words(settings.title.text), size=SIZE, color=INK)
        axis.set_tick_params(length=0, labelsize=settings.tickfont.size or SIZE, labelcolor=INK)
        if settings.showgrid is not False:
            axis.grid(color=rgba(FAINT), linewidth=0.8)
        if settings.zeroline:
            line = self.axes.axvline if letter == "x" else self.axes.axhline
            line(0.0, color=rgba(settings.zerolinecolor or FAINT), linewidth=1.2, zorder=ABOVE - 0.1)
        texts = axis.get_ticklabels()
        shown = [text.get_text() for text in texts if min(ends) <= text.get_position()[letter == "y"] <= max(ends)]
        is_crowded = letter == "x" and widest(shown, SIZE) * len(shown) > 72 * self.axes.figure.get_figwidth() - 80
        if angle := -(settings.tickangle or 0) or 45 * is_crowded:
            for text in texts:
                text.set(rotation=angle, rotation_mode="anchor", ha="right", va="center" if angle == 90 else "top")

    def _ticks(self, letter: str, settings: Any, axis: Any) -> None:
        from matplotlib.ticker import LogLocator, MaxNLocator, MultipleLocator, NullLocator

        if settings.tickvals is not None:
            axis.set_ticks(settings.tickvals, labels=list(map(words, known(settings.ticktext, settings.tickvals))))
        elif self.categories[letter]:
            axis.set_ticks(list(self.categories[letter].values()), labels=list(map(words, self.categories[letter])))
        else:
            locator = MultipleLocator(settings.dtick) if settings.dtick else MaxNLocator("auto", steps=[1, 2, 5, 10])
            axis.set_major_locator(LogLocator() if settings.type == "log" else locator)
            axis.set_major_formatter(formatter(settings.tickformat))
        axis.set_minor_locator(NullLocator())


def _annotate(axes: Any, note: Any, layout: Any, paper: str | Transform) -> None:
    """Write a text of the layout, in its box or at the end of its line."""
    references = {letter: note[f"{letter}ref"] or letter for letter in "xy"}
    at, places = [], []
    for letter, reference in references.items():
        is_log = not _is_share(reference) and _settings(layout, reference).type == "log"
        at.append(10.0 ** note[letter] if is_log else note[letter])
        share = paper if reference == "paper" else "axes fraction"
        places.append(share if _is_share(reference) else "data")
    more: dict[str, Any] = {"ha": known(note.xanchor, "center"), "va": known(note.yanchor, "center")}
    if note.showarrow is not False:
        line = {"color": rgba(note.arrowcolor or NEUTRAL), "linewidth": note.arrowwidth, "shrinkB": note.standoff or 0}
        end = known(note.ax, -10), -known(note.ay, -30)  # Plotly's own where the figure has none
        more |= {"xytext": end, "textcoords": "offset points", "arrowprops": {"arrowstyle": "-"} | line}
    size = note.font.size or SIZE
    if note.bgcolor or note.bordercolor:
        face, edge = (rgba(color) if color else "none" for color in (note.bgcolor, note.bordercolor))
        pad = 2 + known(note.borderpad, 1)  # and what a browser leaves above and below letters
        more["bbox"] = {"boxstyle": f"square,pad={pad / size}", "facecolor": face, "edgecolor": edge}
        more["bbox"]["linewidth"] = known(note.borderwidth, 1)
    more["va"] = more["va"].replace("middle", "center")
    _write(axes, words(note.text), tuple(at), note.font, xycoords=tuple(places), **more)


def _write(axes: Any, text: str, at: tuple[float, ...], font: Any, **more: Any) -> None:
    style = {"size": font.size or SIZE, "color": font.color or INK, "zorder": TEXTS, "annotation_clip": False}
    axes.annotate(text, at, **style, **more)


def _add_legend(picture: Any, keys: Sequence[tuple[Any, tuple[Artist, ...]]], legend: Any, width: float) -> None:
    """Add the legend: above the plot, or below it where the figure has it there."""
    named = [(trace, key) for trace, key in keys if trace.name and key and trace.showlegend is not False]
    named.sort(key=lambda entry: known(entry[0].legendrank, 1000))
    if legend.traceorder == "reversed":
        named.reverse()
    if named:
        names = [words(trace.name) for trace, _ in named]
        n_columns = int(np.clip(width // (LEGEND_KEY + widest(names, SIZE)), 1, len(names)))
        where = "outside lower center" if legend.y == 0 else "outside upper left"
        style = {"frameon": False, "fontsize": SIZE, "labelcolor": INK}
        picture.legend([key for _, key in named], names, loc=where, ncols=n_columns, **style)


def _axes_of(trace: Any) -> tuple[str, str]:
    return trace.xaxis or "x", trace.yaxis or "y"


def _referred(item: Any, pairs: Sequence[tuple[str, str]]) -> tuple[str, str]:
    """Return the axes that a shape or a text of the layout refers to; of several, the last."""
    names = [(item[f"{letter}ref"] or letter).removesuffix(" domain") for letter in "xy"]
    fitting = [pair for pair in pairs if all(name in ("paper", one) for name, one in zip(names, pair, strict=True))]
    return (fitting or pairs)[-1]


def _settings(layout: Any, name: str) -> Any:
    return layout[f"{name[0]}axis{name[1:]}"]


def _is_share(reference: str | None) -> bool:
    """Return whether a coordinate is a share of the plot, rather than a value of its axis."""
    return reference == "paper" or (reference or "").endswith("domain")
