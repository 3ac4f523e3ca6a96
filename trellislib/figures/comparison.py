"""Methods against each other: score against time, and label by label."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import pandas as pd
import plotly.graph_objects as go

from trellislib.figures.style import (
    FAINT,
    LEGEND_ABOVE,
    NEITHER,
    TEXT,
    TRANSPARENT,
    finish,
    literal,
    log_axis,
    method_style,
    rows_axis,
)
from trellislib.metrics import Measure
from trellislib.ranking.front import pareto_front

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
        As `score_time_figure` draws it.
    """
    return score_time_figure(
        summary[measure.key, "mean"],
        summary["train_seconds", "mean"] + summary["test_seconds", "mean"],
        measure.name,
        measure.higher_is_better,
        spread=summary[measure.key, "std"],
    )


def score_time_figure(
    scores: pd.Series,
    seconds: pd.Series,
    score_name: str,
    higher_is_better: bool = True,
    *,
    spread: pd.Series | None = None,
    time_name: str = "training and test time of a fold",
) -> go.Figure:
    """Draw scores against times, of one data set or taken together over many, with the Pareto front.

    The front is a thin line in steps: the best score to be had for a time. Every method beyond it, slower or worse, is
    beaten by one on it, which pointing at the method tells.

    Parameters
    ----------
    scores : Series of shape (n_methods,)
        Mean scores or average ranks by method. A method without a finite score or time is not drawn.
    seconds : Series of shape (n_methods,)
        Times by method, above 0; over many data sets, as `trellislib.ranking.front.geometric_means` gives them.
    score_name : str
        What the vertical axis calls the scores.
    higher_is_better : bool, default=True
        False for losses and average ranks.
    spread : Series of shape (n_methods,), optional
        Drawn around the scores.
    time_name : str
        What the horizontal axis calls the times.

    Returns
    -------
    plotly.graph_objects.Figure

    Raises
    ------
    ValueError
        If a method that has a score took 0 seconds or less.
    """
    points = pd.DataFrame({"score": scores, "seconds": seconds, "spread": 0.0 if spread is None else spread})
    points = points.reindex(scores.index).astype(float)
    finished = np.isfinite(points[["score", "seconds"]]).all(axis="columns")
    if (too_short := finished & (points["seconds"] <= 0)).any():
        raise ValueError(f"{points.index[too_short][0]} took 0 s or less, which a logarithmic axis cannot show.")
    names = points.index
    points = points[finished].fillna({"spread": 0.0})
    front = pareto_front(points["score"], points["seconds"], higher_is_better)
    is_long = len(points) > FEW_METHODS
    figure = go.Figure()
    for name, row in points.iterrows():
        style = method_style(str(name), names)
        place = "On the Pareto front: no method beats it in both"
        if str(name) not in front:
            faster = points["seconds"][front] <= row["seconds"]
            place = f"{literal(faster.index[faster][-1])} is at least as good in both"
        figure.add_trace(
            go.Scatter(
                x=[row["seconds"]],
                y=[row["score"]],
                error_y={"array": [row["spread"]], "thickness": 1, "width": 3, "color": style.color},
                name=literal(str(name)),
                mode="markers",
                marker=style.marker(11 if is_long else 14),
                hovertext=f"{literal(str(name))}<br>{literal(score_name)} {row['score']:.3f}<br>"
                f"{literal(time_name)} {row['seconds']:.3g} s<br>{place}",
                hoverinfo="text",
                cliponaxis=False,
            )
        )
    drawn = {str(name): (float(row["seconds"]), float(row["score"])) for name, row in points.iterrows()}
    height = 620 if is_long else 360
    times = log_axis([second for second, _ in drawn.values()], 0.25, 0.35)
    ends = _score_range([*(points["score"] - points["spread"]), *(points["score"] + points["spread"])])
    steps = _steps([drawn[name] for name in front], times, ends, higher_is_better)
    arrow = "higher is better" if higher_is_better else "lower is better"
    return finish(
        figure,
        height,
        xaxis={"title": {"text": f"{literal(time_name)} (s)"}} | times,
        yaxis={"title": {"text": f"{literal(score_name)}, {arrow}"}} | ends,
        annotations=_names(drawn, steps, times, ends, height - 70.0),
        shapes=[_front_line(steps)] if steps else [],
        margin={"l": 8, "r": 16, "t": 16, "b": 8},
    )


def _steps(
    front: Sequence[tuple[float, float]], times: Mapping[str, Any], scores: Mapping[str, Any], higher_is_better: bool
) -> list[tuple[float, float]]:
    """Return the corners of the best score to be had for a time, from the worst score drawn to the longest time."""
    if not front:
        return []
    corners = [(front[0][0], scores["range"][0 if higher_is_better else 1])]
    for seconds, score in front:
        corners += [(seconds, corners[-1][1]), (seconds, score)]
    return [*corners[1:], (10.0 ** times["range"][1], corners[-1][1])]


def _front_line(steps: Sequence[tuple[float, float]]) -> dict[str, Any]:
    path = "M " + " L ".join(f"{seconds},{score}" for seconds, score in steps)
    return {"type": "path", "path": path, "line": {"color": NEITHER, "width": 1.5, "dash": "dot"}, "layer": "below"}


def _names(
    drawn: Mapping[str, tuple[float, float]],
    steps: Sequence[tuple[float, float]],
    times: Mapping[str, Any],
    scores: Mapping[str, Any],
    height: float,
) -> list[dict[str, Any]]:
    """Return the names of the points, each where it covers least, at a line's end where that is not beside its point.

    Names are placed one after the other, on a phone's width and a wide one at a time.
    """
    if not drawn:
        return []
    (left, right), (low, high) = times["range"], scores["range"]
    points, corners = (
        np.array([(np.log10(seconds), score) for seconds, score in places]) for places in (drawn.values(), steps)
    )
    at, corners_at = (
        [(places - [left, low]) / [right - left, high - low] * [width, height] for width in WIDTHS]
        for places in (points, corners)
    )
    lines = [np.hstack([np.minimum(c[:-1], c[1:]), np.maximum(c[:-1], c[1:])]) for c in corners_at]
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
            0.02 * rank
            + sum(_covered(at[i], lines[i], boxes[i], point, place, half, WIDTHS[i], height) for i in (0, 1))
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
                "font": {"size": TEXT},
            }
        )
    return annotations


def _covered(
    points: np.ndarray,
    lines: np.ndarray,
    boxes: Sequence[np.ndarray],
    point: int,
    place: np.ndarray,
    half: np.ndarray,
    width: float,
    height: float,
) -> float:
    """Return how much a name at `place` from its point would cover: points, the front, names and the outside."""
    low, high = points[point] + place - half, points[point] + place + half
    covered = float(((points > low - 6) & (points < high + 6)).all(axis=1).sum())
    covered += 0.5 * float(((low < lines[:, 2:]) & (high > lines[:, :2])).all(axis=1).any())
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
    wide = scores[column].unstack("method").loc[scores.index.unique("label"), scores.index.unique("method")]
    frequency = scores["frequency"].groupby("label", sort=False).first()
    labels = frequency.sort_values(ascending=False, kind="stable").index[:SHOWN_LABELS]
    figure = go.Figure()
    for name in wide.columns:
        style = method_style(str(name), wide.columns)
        figure.add_trace(
            go.Scatter(
                x=wide.loc[labels, name],
                y=list(range(len(labels))),
                name=literal(str(name)),
                mode="markers",
                marker=style.marker(10, opacity=0.85),
                hovertext=[
                    f"{literal(str(name))} on {literal(str(label))}<br>{title} {value:.3f}<br>"
                    f"relevant in {frequency[label]:.1%}"
                    for label, value in wide.loc[labels, name].items()
                ],
                hoverinfo="text",
            )
        )
    none = not wide.loc[labels].any(axis=None)  # around 0 alone, an axis would go to -1
    return finish(
        figure,
        max(280, 20 * len(labels) + 110),
        legend=LEGEND_ABOVE,
        xaxis={"title": {"text": title}, **({"range": [-0.02, 1.02]} if none else {})},
        yaxis=rows_axis(labels) | {"showgrid": True},
    )
