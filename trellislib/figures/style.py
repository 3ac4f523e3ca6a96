"""What all figures share: colours that mean the same everywhere, and names shown as they are written.

Colours are Okabe and Ito's, readable with every common form of colour blindness, and never stand alone: methods
differ in marker too, their base learners in its fill, signs in dash. Backgrounds are transparent and text takes the
page's colour, so a figure fits a light and a dark page.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import plotly.graph_objects as go

INFORMATION_SCALE = "Cividis"
CO_OCCURRENCE, EXCLUSION, NEITHER = "#E69F00", "#2088D0", "#8A8A8A"
FAINT = "rgba(128, 128, 128, 0.35)"
TRANSPARENT = "rgba(0, 0, 0, 0)"
ACCENT = "#C04F00"
NEUTRAL = "#566373"
LEGEND_ABOVE = {"orientation": "h", "x": 0, "y": 1.02, "yanchor": "bottom"}
FIXED = {"itemclick": False, "itemdoubleclick": False}  # of a legend in which nothing is switched off
NO_MARGIN = {"l": 0, "r": 0, "t": 0, "b": 0}
TEXT = 13  # pixels of the letters of every figure
LETTER = 6.7  # pixels that one takes on average
MANY_DECADES = 2.5  # from here on, an axis has ticks at powers of ten alone


@dataclass(frozen=True)
class MethodStyle:
    """How a method is drawn, the same in every figure."""

    color: str
    shape: str
    fill: int = 0  # a place in `FILLS`

    @property
    def symbol(self) -> str:
        """The marker's name in plotly."""
        return self.shape + "-open" * (FILLS[self.fill] == "open")

    def marker(self, size: float, **more: object) -> dict[str, object]:
        """Return it as plotly takes it; what is drawn inside a circle or diamond is the marker's line."""
        line = {"line": {"color": "white", "width": 1}} if self.symbol.endswith(("-cross", "-x")) else {}
        if FILLS[self.fill] != "full":
            line = {"line": {"color": self.color if FILLS[self.fill] == "open" else NEUTRAL, "width": 2}}
        return {"color": self.color, "symbol": self.symbol, "size": size} | line | more


FILLS = ("full", "open", "outlined")  # of markers: one for each base learner of a figure


# One colour for each kind of structure, one marker for each method.
METHOD_STYLES = {
    "IC": MethodStyle("#8A8A8A", "circle"),
    "MOF": MethodStyle("#8A8A8A", "hexagon"),
    "CC": MethodStyle("#56B4E9", "square"),
    "PCC": MethodStyle("#56B4E9", "pentagon"),
    "ECC": MethodStyle("#0072B2", "square"),
    "MCC": MethodStyle("#009E73", "triangle-up"),
    "OCC": MethodStyle("#009E73", "triangle-down"),
    "BCC": MethodStyle("#CC79A7", "star"),
    "EBCC": MethodStyle("#CC79A7", "hexagram"),
    "CT": MethodStyle("#D55E00", "diamond"),
    "ECT": MethodStyle("#E69F00", "diamond"),
    "CDN": MethodStyle("#BFAF00", "circle-cross"),
    "CDT": MethodStyle("#BFAF00", "diamond-cross"),
    "ECDT": MethodStyle("#BFAF00", "diamond-x"),
    "RGE": MethodStyle("#BFAF00", "circle-x"),
    "LP": MethodStyle("#9A6B4F", "bowtie"),
    "PS": MethodStyle("#9A6B4F", "hourglass"),
    "EPS": MethodStyle("#9A6B4F", "star-diamond"),
    "RAkEL": MethodStyle("#9A6B4F", "star-square"),
}
_MORE_STYLES = (
    MethodStyle("#009E73", "cross"),
    MethodStyle("#CC79A7", "x"),
    MethodStyle("#0072B2", "triangle-up"),
    MethodStyle("#E69F00", "star"),
    MethodStyle("#56B4E9", "cross"),
    MethodStyle("#D55E00", "x"),
    MethodStyle("#9A6B4F", "triangle-up"),
    MethodStyle("#009E73", "star"),
    MethodStyle("#0072B2", "pentagon"),
    MethodStyle("#CC79A7", "square"),
    MethodStyle("#E69F00", "triangle-down"),
    MethodStyle("#8A8A8A", "cross"),
)  # of methods that have none, enough for 36 with their fills


def method_style(name: str, among: Iterable[str] = ()) -> MethodStyle:
    """Return how a method is drawn among others of a figure: its colour says the method, its fill the base learner.

    Parameters
    ----------
    name : str
        The short key of a method, alone or with what separates it from others of its key, such as "CT (logistic)".
    among : iterable of str
        All methods of the figure. A method without a style of its own has one by its place among those.

    Examples
    --------
    >>> names = ["CT", "CT (logistic)", "IC (logistic)", "my own"]
    >>> [method_style(name, names).symbol for name in names]
    ['diamond', 'diamond-open', 'circle-open', 'cross']
    """
    split = {one: re.split(r"\W+", one, maxsplit=1) for one in [*map(str, among), name]}
    own = {one: parts for one, parts in split.items() if parts[0] in METHOD_STYLES}
    if name in own:
        key, *learner = own[name]
        learners = list(dict.fromkeys(parts[1] for parts in own.values() if parts[1:]))
        style, fill = METHOD_STYLES[key], 1 + learners.index(learner[0]) if learner else 0
    else:
        fill, place = divmod([one for one in split if one not in own].index(name), len(_MORE_STYLES))
        style = _MORE_STYLES[place]
    return replace(style, fill=fill % len(FILLS))


def literal(text: str) -> str:
    """Return `text` so that plotly shows it as it is written, not as markup."""
    for character, entity in (("&", "&amp;"), ("<", "&lt;"), (">", "&gt;"), ("$", "&#36;")):
        text = text.replace(character, entity)
    return text


def shortened(text: str, most: int = 18) -> str:
    """Cut a long name for an axis; the full name belongs in the hover text."""
    return text if len(text) <= most else text[: most - 1] + "…"


def distinct(names: Sequence[str], most: int = 18) -> list[str]:
    """Cut long names so that no two that differ become the same: in the middle, where their beginnings are the same.

    Examples
    --------
    >>> distinct(["Class1", "Class12", "Sky"], 4)
    ['C…s1', 'C…12', 'Sky']
    """
    cut = [shortened(name, most) for name in names]
    for n_last in range(most // 2, most):
        shared = Counter(dict(zip(names, cut, strict=True)).values())
        again = {name for name, short in zip(names, cut, strict=True) if shared[short] > 1}
        cut = [
            f"{name[: most - 1 - n_last]}…{name[-n_last:]}" if name in again and len(name) > most else short
            for name, short in zip(names, cut, strict=True)
        ]
    return cut


def without_collisions(
    texts: Sequence[str], places: Sequence[tuple[float, float]], sides: Sequence[str], weights: Sequence[float]
) -> list[str]:
    """Leave out each text that would run into one with more weight; `places` are in pixels, downwards.

    Examples
    --------
    >>> without_collisions(["0.1", "0.25", "0.1"], [(0, 0), (10, 2), (90, 0)], ["middle right"] * 3, [1, 2, 1])
    ['', '0.25', '0.1']
    """
    boxes: list[tuple[float, float, float, float]] = []
    kept = [""] * len(texts)
    for one in sorted(range(len(texts)), key=lambda one: (-weights[one], one)):
        (x, y), width = places[one], LETTER * len(texts[one])
        vertical, horizontal = sides[one].split()
        left = {"left": x - width, "center": x - width / 2, "right": x}[horizontal]
        top = {"top": y - TEXT, "middle": y - TEXT / 2, "bottom": y}[vertical]
        box = (left, top, left + width, top + TEXT)
        if not any(box[0] < of[2] and of[0] < box[2] and box[1] < of[3] and of[1] < box[3] for of in boxes):
            boxes.append(box)
            kept[one] = texts[one]
    return kept


def band(x: Sequence[float], low: Sequence[float], high: Sequence[float], **more: object) -> go.Scatter:
    """Return the shaded area between two lines."""
    ends = {"x": [*x, *x[::-1]], "y": [*high, *low[::-1]]}
    return go.Scatter(**ends, mode="lines", fill="toself", fillcolor=FAINT, line={"width": 0}, hoverinfo="skip", **more)


def rows_axis(names: Sequence[object], most: int = 18) -> dict[str, Any]:
    """Return the axis of rows that have names, the first at the top."""
    return {
        "tickvals": list(range(len(names))),
        "ticktext": [literal(name) for name in distinct([str(name) for name in names], most)],
        "range": [len(names) - 0.5, -0.5],
        "showgrid": False,
        "zeroline": False,
    }


def log_axis(values: Sequence[float], before: float = 0.1, after: float = 0.1) -> dict[str, Any]:
    """Return a logarithmic axis around `values`, with ticks at 1, 2 and 5 of each decade, or of many decades at 1.

    `before` and `after` are shares of a decade.
    """
    if not len(values):
        return {"type": "log"}
    low, high = np.log10(min(values)) - before, np.log10(max(values)) + after
    steps = (1,) if high - low > MANY_DECADES else (1, 2, 5)
    decades = range(int(np.floor(low)), int(np.ceil(high)) + 1)
    ticks = [step * 10.0**decade for decade in decades for step in steps]
    return {"type": "log", "range": [low, high], "tickvals": ticks, "ticktext": [f"{tick:,.10g}" for tick in ticks]}


def finish(figure: go.Figure, height: int, **layout: object) -> go.Figure:
    """Apply the common layout to `figure` and return it; it shows a legend if one is given."""
    common = {
        "height": height,
        "font": {"size": TEXT},
        "margin": {"l": 8, "r": 8, "t": 8, "b": 8},
        "paper_bgcolor": "rgba(0,0,0,0)",
        "plot_bgcolor": "rgba(0,0,0,0)",
        "showlegend": "legend" in layout,
        "dragmode": False,
        "hoverlabel": {"align": "left"},
    }
    for name, value in _joined(common, layout).items():
        # One by one: update_layout parses the path of every property, which takes ten times as long.
        figure.layout[name] = (
            _joined(figure.layout[name].to_plotly_json(), value) if isinstance(value, Mapping) else value
        )
    _enlarge(figure)
    return figure


def _enlarge(figure: go.Figure) -> None:
    """Give ticks, titles and legends letters of the size of all, where a page's theme has smaller ones."""
    font = {"size": TEXT}
    axes = {"xaxis", "yaxis"} | {name for name in figure.layout if name.startswith(("xaxis", "yaxis"))}
    for axis in axes:
        figure.layout[axis] = _joined({"tickfont": font, "title": {"font": font}}, figure.layout[axis].to_plotly_json())
    figure.layout.legend = _joined({"font": font}, figure.layout.legend.to_plotly_json())
    bars = [trace for trace in figure.data if trace.type == "heatmap" and trace.showscale is not False]
    for trace in bars:
        trace.colorbar = _joined({"tickfont": font, "title": {"font": font}}, trace.colorbar.to_plotly_json())


def enlarged(figure: go.Figure, by: float) -> dict[str, Any]:
    """Return a figure as plotly takes it, with letters that are so many times larger: for a projector.

    Its own height stays in ``layout.meta``, where a page can read it that stretches the figure.

    Examples
    --------
    >>> enlarged(finish(go.Figure(), 200), 2)["layout"]["font"]["size"]
    26
    """

    def larger(part: Any) -> Any:
        if isinstance(part, Mapping):
            return {
                key: {**value, "size": by * value["size"]}
                if key.endswith("font") and "size" in value
                else larger(value)
                for key, value in part.items()
            }
        is_list = isinstance(part, list | tuple) and part and isinstance(part[0], Mapping)
        return [larger(one) for one in part] if is_list else part

    drawn = larger(figure.to_plotly_json())
    drawn["layout"]["meta"] = {"height": figure.layout.height}
    return drawn


def _joined(parts: Mapping[str, Any], more: Mapping[str, Any]) -> dict[str, Any]:
    """Return `parts` with those of `more`, in which mappings are joined in turn."""
    joined = dict(parts)
    for name, value in more.items():
        before = joined.get(name)
        if isinstance(before, Mapping) and isinstance(value, Mapping):
            value = _joined(before, value)
        joined[name] = value
    return joined
