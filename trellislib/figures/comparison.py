"""Methods against each other: score against time, and label by label."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import pandas as pd
import plotly.graph_objects as go

from trellislib.figures.style import FAINT, TRANSPARENT, finish, literal, method_style, shortened
from trellislib.metrics import Measure

SHOWN_LABELS = 60
WIDTHS = (260.0, 420.0)  # pixels that the plot may be wide, on a phone and beside a table, to keep names apart
FEW_METHODS = 6  # up to this many, a low figure has room for their names
_REACHES = (16.0, 30.0, 46.0, 64.0, 84.0)  # how far a name may stand from its point, in pixels
_ANGLES = np.deg2rad([0, 180, 90, 270, 45, 315, 135, 225])


def score_against_time_figure(summary: pd.DataFrame, measure: Measure) -> go.Figure:
    """Draw each method's mean score, with its standard deviation over folds, against its mean time of a fold.

    Parameters
    ----------
    summary : DataFrame
        As `trellislib.experiment.Evaluation.summary` returns it.
    measure : Measure
        The score of the vertical axis.

    Returns
    -------
    plotly.graph_objects.Figure
    """
    figure = go.Figure()
    drawn: dict[str, tuple[float, float]] = {}
    ends: list[float] = []
    is_long = summary[measure.key, "mean"].notna().sum() > FEW_METHODS
    for position, (name, row) in enumerate(summary.iterrows()):
        score, spread = row[measure.key, "mean"], row[measure.key, "std"]
        seconds = row["train_seconds", "mean"] + row["test_seconds", "mean"]
        if not np.isfinite(score):
            continue
        drawn[str(name)] = (seconds, score)
        ends += [score - np.nan_to_num(spread), score + np.nan_to_num(spread)]
        style = method_style(str(name), position)
        figure.add_trace(
            go.Scatter(
                x=[seconds],
                y=[score],
                error_y={"array": [np.nan_to_num(spread)], "thickness": 1, "width": 3, "color": style.color},
                name=literal(str(name)),
                mode="markers",
                marker={"color": style.color, "symbol": style.symbol, "size": 11 if is_long else 14},
                hovertext=f"{literal(str(name))}<br>{measure.name} {score:.3f}<br>{seconds:.3g} s a fold",
                hoverinfo="text",
                cliponaxis=False,
            )
        )
    arrow = "higher is better" if measure.higher_is_better else "lower is better"
    height = 620 if is_long else 360
    times = _time_ticks([seconds for seconds, _ in drawn.values()])
    scores = _score_range(ends)
    return finish(
        figure,
        height,
        xaxis={"title": {"text": "training and test time of a fold (s)"}, "type": "log"} | times,
        yaxis={"title": {"text": f"{measure.name}, {arrow}"}} | scores,
        annotations=_names(drawn, times, scores, height - 70.0),
        margin={"l": 8, "r": 16, "t": 16, "b": 8},
    )


def _names(
    drawn: Mapping[str, tuple[float, float]], times: Mapping[str, Any], scores: Mapping[str, Any], height: float
) -> list[dict[str, Any]]:
    """Return the names of the points, each where it covers least, at a line's end where that is not beside its point.

    Names are placed one after the other, on a phone's width and a wide one at a time.
    """
    if not drawn:
        return []
    (left, right), (low, high) = times["range"], scores["range"]
    points = np.array([(np.log10(seconds), score) for seconds, score in drawn.values()])
    shares = (points - [left, low]) / [right - left, high - low]
    at = [shares * [width, height] for width in WIDTHS]
    boxes: list[list[np.ndarray]] = [[], []]
    annotations = []
    order = np.argsort(-points[:, 1], kind="stable")
    names = list(drawn)
    for point in order:
        half = np.array([3.6 * len(names[point]) + 3, 8.0])
        places = [
            np.array([np.cos(angle) * (reach + half[0] * abs(np.cos(angle))), np.sin(angle) * reach])
            for reach in _REACHES
            for angle in _ANGLES
        ]
        costs = [
            0.02 * rank + sum(_covered(at[i], boxes[i], point, place, half, WIDTHS[i], height) for i in (0, 1))
            for rank, place in enumerate(places)
        ]
        place = places[int(np.argmin(costs))]
        for i in (0, 1):
            boxes[i].append(np.concatenate([at[i][point] + place - half, at[i][point] + place + half]))
        annotations.append(
            {
                "x": float(points[point, 0]),
                "y": float(points[point, 1]),
                "ax": float(place[0]),
                "ay": float(-place[1]),
                "text": literal(names[point]),
                "showarrow": True,
                "arrowhead": 0,
                "arrowwidth": 1,
                "arrowcolor": FAINT if np.hypot(*place / [1 + half[0] / 16, 1]) > _REACHES[0] + 4 else TRANSPARENT,
                "standoff": 7,
                "font": {"size": 12},
            }
        )
    return annotations


def _covered(
    points: np.ndarray,
    boxes: Sequence[np.ndarray],
    point: int,
    place: np.ndarray,
    half: np.ndarray,
    width: float,
    height: float,
) -> float:
    """Return how much a name at `place` from its point would cover: points, names and the outside."""
    low, high = points[point] + place - half, points[point] + place + half
    covered = float(((points > low - 6) & (points < high + 6)).all(axis=1).sum())
    covered += 2 * sum(bool((low < box[2:]).all() and (high > box[:2]).all()) for box in boxes)
    return covered + 3 * float((low < 0).any() or (high > [width, height]).any())


def _score_range(scores: Sequence[float]) -> dict[str, Any]:
    """Return the range of an axis around `scores`, with room for names."""
    if not scores:
        return {}
    low, high = min(scores), max(scores)
    room = 0.08 * (high - low) or 0.05
    return {"range": [low - room, high + room]}


def label_scores_figure(scores: pd.DataFrame, column: str, title: str) -> go.Figure:
    """Draw one score of every label for each method, the most frequent labels first; at most 60 labels.

    Parameters
    ----------
    scores : DataFrame
        As `trellislib.experiment.Evaluation.label_scores` returns it.
    column : str
        The score, a column of `scores`.
    title : str
        What the axis calls it.

    Returns
    -------
    plotly.graph_objects.Figure
    """
    wide = scores[column].unstack("method", sort=False)
    frequency = scores["frequency"].groupby("label", sort=False).first()
    labels = frequency.sort_values(ascending=False, kind="stable").index[:SHOWN_LABELS]
    figure = go.Figure()
    for position, name in enumerate(wide.columns):
        style = method_style(str(name), position)
        figure.add_trace(
            go.Scatter(
                x=wide.loc[labels, name],
                y=list(range(len(labels))),
                name=literal(str(name)),
                mode="markers",
                marker={"color": style.color, "symbol": style.symbol, "size": 10, "opacity": 0.85},
                hovertext=[
                    f"{literal(str(name))} on {literal(str(label))}<br>{title} {value:.3f}<br>"
                    f"relevant in {frequency[label]:.1%}"
                    for label, value in wide.loc[labels, name].items()
                ],
                hoverinfo="text",
            )
        )
    return finish(
        figure,
        max(280, 20 * len(labels) + 110),
        showlegend=True,
        legend={"orientation": "h", "y": 1.0, "yanchor": "bottom"},
        xaxis={"title": {"text": title}},
        yaxis={
            "tickvals": list(range(len(labels))),
            "ticktext": [literal(shortened(str(label))) for label in labels],
            "range": [len(labels) - 0.5, -0.5],
        },
        margin={"l": 8, "r": 8, "t": 40, "b": 8},
    )


def _time_ticks(seconds: Sequence[float]) -> dict[str, Any]:
    """Return the range of a logarithmic time axis around `seconds`, with ticks at 1, 2 and 5 of each decade."""
    if not seconds:
        return {}
    low, high = np.log10(min(seconds)) - 0.25, np.log10(max(seconds)) + 0.35
    decades = range(int(np.floor(low)), int(np.ceil(high)) + 1)
    ticks = [step * 10.0**decade for decade in decades for step in (1, 2, 5)]
    return {"range": [low, high], "tickvals": ticks, "ticktext": [f"{tick:g}" for tick in ticks]}
