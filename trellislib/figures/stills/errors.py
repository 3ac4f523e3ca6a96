"""Error bars."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from trellislib.figures.drawing import Mark
from trellislib.figures.stills.axes import Axis, numeric
from trellislib.figures.stills.colors import paint
from trellislib.figures.stills.plots import Plot, each, stroke


def error_ends(bars: Any, values: np.ndarray, axis: Axis) -> tuple[np.ndarray, np.ndarray]:
    """Return the ends of error bars on the axis' line, NaN where there are none."""
    n = len(values)
    missing = np.full(n, np.nan)
    if bars.visible is False or (bars.array is None and bars.value is None):
        return missing, missing
    numbers = 10.0**values if axis.kind == "log" else values
    given = numeric(each(bars.array if bars.array is not None else bars.value, n))
    above = given * numbers / 100 if bars.type == "percent" else given
    below = above
    if bars.symmetric is False or bars.arrayminus is not None:
        below = numeric(each(bars.arrayminus, n)) if bars.arrayminus is not None else np.zeros(n)
    return axis.straight(numbers - below), axis.straight(numbers + above)


def error_marks(trace: Any, across: np.ndarray, down: np.ndarray, plot: Plot, color: str | None) -> Iterator[Mark]:
    """Yield the error bars of a trace, in both directions."""
    for bars, axis, along, beside in (
        (trace.error_x, plot.x, across, plot.y.at(down)),
        (trace.error_y, plot.y, down, plot.x.at(across)),
    ):
        low, high = error_ends(bars, along, axis)
        thickness = 2.0 if bars.thickness is None else float(bars.thickness)
        cap = 4.0 if bars.width is None else float(bars.width)
        ink = paint(bars.color or color, trace.opacity)
        shown = np.isfinite(low) & np.isfinite(high) & np.isfinite(beside) & (low != high)
        for a, b, c in zip(axis.at(low[shown]), axis.at(high[shown]), beside[shown], strict=True):
            for ends in (((a, c), (b, c)), ((a, c - cap), (a, c + cap)), ((b, c - cap), (b, c + cap))):
                points = ends if axis.is_across else [(y, x) for x, y in ends]
                yield from stroke(points, thickness, ink, (), plot.box)
