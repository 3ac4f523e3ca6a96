"""What trellises capture and score at every width: lines, with the width that is set marked."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
import pandas as pd
import plotly.graph_objects as go

from trellislib.figures.style import ACCENT, LEGEND_ABOVE, NEITHER, NEUTRAL, band, finish, literal, method_style

MARKERS = ("circle", "square", "diamond", "triangle-up", "x")
COLORS = ("#0072B2", "#009E73", "#CC79A7", "#56B4E9", "#BFAF00")  # Okabe and Ito's, told apart by marker too


def capture_curve_figure(
    curve: pd.DataFrame, pattern: str, width: int | None = None, *, share: bool = True, unit: str = "nats"
) -> go.Figure:
    """Draw what is captured over the widths: each pattern a line, one of them against random placements.

    Every point of a pattern carries its (pattern, width) as ``customdata``, for clicks.

    Parameters
    ----------
    curve : DataFrame
        As by `trellislib.graphs.capture_curve`.
    pattern : str
        The pattern that is set against random placements and, in absolute terms, its bound.
    width : int, optional
        The width to mark.
    share : bool, default=True
        Whether to divide by the bound, which then is 1.
    unit : str
        Unit of what is captured.

    Returns
    -------
    plotly.graph_objects.Figure
    """
    own = curve[curve["pattern"] == pattern]
    scale = _scale(own, share)
    widths = own["width"].tolist()
    low, high = own["random_low"] / scale, own["random_high"] / scale
    figure = go.Figure(band(widths, low.tolist(), high.tolist(), name="random, 5 to 95%"))
    what = "of the upper bound" if share else unit
    number = ".0%" if share else ".3g"
    for column, dash, name in (("random", "dash", "random, mean"), ("bound", "dot", "at most")):
        figure.add_scatter(
            x=widths,
            y=own[column] / scale,
            mode="lines",
            line={"color": NEITHER, "width": 2, "dash": dash},
            name=name,
            hovertemplate=f"{name}, width %{{x}}: %{{y:{number}}} {what}<extra></extra>",
        )
    for place, (name, of_pattern) in enumerate(curve.groupby("pattern", sort=False)):
        is_own = name == pattern
        figure.add_trace(
            go.Scatter(
                x=of_pattern["width"],
                y=of_pattern["captured"] / _scale(of_pattern, share),
                mode="lines+markers",
                line={
                    "color": ACCENT if is_own else COLORS[place % len(COLORS)],
                    "width": 3 if is_own else 1.5,
                },
                marker={"symbol": MARKERS[place % len(MARKERS)], "size": 10 if is_own else 8},
                unselected={"marker": {"opacity": 1}},
                name=literal(str(name)),
                customdata=[[str(name), int(width)] for width in of_pattern["width"]],
                hovertemplate=f"{literal(str(name))}, width %{{x}}: %{{y:{number}}} {what}<extra></extra>",
            )
        )
    if width is not None:
        _mark(figure, width, widths)
    return finish(
        figure,
        420,
        legend=LEGEND_ABOVE,
        clickmode="event+select",
        xaxis=_widths_axis(widths),
        yaxis={
            "title": {"text": "captured share of the upper bound" if share else f"captured dependence ({unit})"},
            "rangemode": "tozero",
            "tickformat": ".0%" if share else None,
        },
    )


def width_scores_figure(
    scores: Mapping[int, Mapping[str, pd.DataFrame]], measure: str, name: str, pattern: str, width: int | None = None
) -> go.Figure:
    """Draw the cross-validated score of CT over the widths, and of methods that have no width.

    Parameters
    ----------
    scores : mapping of int to mapping of str to DataFrame
        For each width the scores of each method: a row per fold, a column per measure. CT is drawn as a line with its
        standard deviation over the folds, others as level lines.
    measure : str
        The column.
    name : str
        What the axis calls it.
    pattern : str
        Of the trellises; every point of CT carries (pattern, width) as ``customdata``, for clicks.
    width : int, optional
        The width to mark.

    Returns
    -------
    plotly.graph_objects.Figure
    """
    widths = sorted(scores)
    folds = [scores[width]["CT"][measure] for width in widths]
    style = method_style("CT")
    figure = go.Figure()
    for position, method in enumerate(key for key in scores[widths[0]] if key != "CT"):
        level = float(scores[widths[0]][method][measure].mean())
        figure.add_trace(
            go.Scatter(
                x=[widths[0], widths[-1]],
                y=[level, level],
                mode="lines",
                line={
                    "color": method_style(method, scores[widths[0]]).color,
                    "width": 2,
                    "dash": ("dash", "dot", "dashdot")[position % 3],
                },
                name=literal(method),
                hovertemplate=f"{literal(method)}: %{{y:.3f}}<extra></extra>",
            )
        )
    figure.add_trace(
        go.Scatter(
            x=widths,
            y=[float(of_width.mean()) for of_width in folds],
            error_y={
                "array": [float(np.nan_to_num(of_width.std())) for of_width in folds],
                "color": style.color,
                "thickness": 1,
                "width": 3,
            },
            mode="lines+markers",
            line={"color": style.color, "width": 2},
            marker={"symbol": style.symbol, "size": 9},
            unselected={"marker": {"opacity": 1}},
            name="CT",
            customdata=[[pattern, int(width)] for width in widths],
            hovertemplate="CT, width %{x}: %{y:.3f} ± %{error_y.array:.3f}<extra></extra>",
        )
    )
    if width is not None:
        _mark(figure, width, widths)
    return finish(
        figure,
        420,
        legend=LEGEND_ABOVE,
        clickmode="event+select",
        xaxis=_widths_axis(widths),
        yaxis={"title": {"text": name}},
    )


def _scale(of_pattern: pd.DataFrame, share: bool) -> pd.Series | float:
    """Return what divides the values of a pattern; a lattice without edges has no share."""
    return of_pattern["bound"].where(of_pattern["bound"] > 0) if share else 1.0


def _widths_axis(widths: list[int]) -> dict[str, object]:
    """Return the axis of the widths: even steps as they are, others by their logarithm."""
    if not _are_even(widths):
        return {"title": {"text": "width (logarithmic)"}, "type": "log", "tickvals": widths, "showgrid": False}
    margin = 0.5 * (widths[1] - widths[0] if len(widths) > 1 else 1)
    return {
        "title": {"text": "width"},
        "range": [widths[0] - margin, widths[-1] + margin],
        "tickvals": widths if len(widths) <= 20 else None,
        "showgrid": False,
    }


def _are_even(widths: list[int]) -> bool:
    return len(set(np.diff(widths).tolist())) <= 1


def _mark(figure: go.Figure, width: int, widths: list[int]) -> None:
    """Mark the width that is set."""
    figure.add_vline(x=width, line={"color": NEUTRAL, "width": 2, "dash": "longdash"})
    figure.add_annotation(
        x=width if _are_even(widths) else float(np.log10(width)),
        y=0.02,
        yref="paper",
        text=f" width {width} ",
        showarrow=False,
        xanchor="right" if widths.index(min(widths, key=lambda of: abs(of - width))) > len(widths) / 2 else "left",
        yanchor="bottom",
    )
