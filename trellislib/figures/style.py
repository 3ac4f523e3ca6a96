"""What all figures share: colours that mean the same everywhere, and names shown as they are written.

Colours are Okabe and Ito's, readable with every common form of colour blindness, and never stand alone: methods
differ in marker too, signs in dash. Backgrounds are transparent and text takes the page's colour, so a
figure fits a light and a dark page.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import plotly.graph_objects as go

INFORMATION_SCALE = "Cividis"
CO_OCCURRENCE, EXCLUSION, NEITHER = "#E69F00", "#0072B2", "#8A8A8A"
FAINT = "rgba(128, 128, 128, 0.35)"
TRANSPARENT = "rgba(0, 0, 0, 0)"
ACCENT = "#C04F00"
NEUTRAL = "#566373"
LEGEND_ABOVE = {"orientation": "h", "x": 0, "y": 1.02, "yanchor": "bottom"}
FIXED = {"itemclick": False, "itemdoubleclick": False}  # of a legend in which nothing is switched off
NO_MARGIN = {"l": 0, "r": 0, "t": 0, "b": 0}
MANY_DECADES = 2.5  # from here on, an axis has ticks at powers of ten alone


@dataclass(frozen=True)
class MethodStyle:
    """How a method is drawn, the same in every figure."""

    color: str
    symbol: str

    def marker(self, size: float, **more: object) -> dict[str, object]:
        """Return it as plotly takes it; what is drawn inside a circle or diamond is the marker's line."""
        line = {"line": {"color": "white", "width": 1}} if self.symbol.endswith(("-cross", "-x")) else {}
        return {"color": self.color, "symbol": self.symbol, "size": size} | line | more


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
)


def method_style(name: str, position: int) -> MethodStyle:
    """Return the style of a method by its short key, or by its position where it has none of its own."""
    return METHOD_STYLES.get(name, _MORE_STYLES[position % len(_MORE_STYLES)])


def literal(text: str) -> str:
    """Return `text` so that plotly shows it as it is written, not as markup."""
    for character, entity in (("&", "&amp;"), ("<", "&lt;"), (">", "&gt;"), ("$", "&#36;")):
        text = text.replace(character, entity)
    return text


def shortened(text: str, most: int = 18) -> str:
    """Cut a long name for an axis; the full name belongs in the hover text."""
    return text if len(text) <= most else text[: most - 1] + "…"


def band(x: Sequence[float], low: Sequence[float], high: Sequence[float], **more: object) -> go.Scatter:
    """Return the shaded area between two lines."""
    ends = {"x": [*x, *x[::-1]], "y": [*high, *low[::-1]]}
    return go.Scatter(**ends, mode="lines", fill="toself", fillcolor=FAINT, line={"width": 0}, hoverinfo="skip", **more)


def rows_axis(names: Sequence[object], most: int = 18) -> dict[str, Any]:
    """Return the axis of rows that have names, the first at the top."""
    return {
        "tickvals": list(range(len(names))),
        "ticktext": [literal(shortened(str(name), most)) for name in names],
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
    return figure


def _joined(parts: Mapping[str, Any], more: Mapping[str, Any]) -> dict[str, Any]:
    """Return `parts` with those of `more`, in which mappings are joined in turn."""
    joined = dict(parts)
    for name, value in more.items():
        before = joined.get(name)
        if isinstance(before, Mapping) and isinstance(value, Mapping):
            value = _joined(before, value)
        joined[name] = value
    return joined
