"""Two methods, data set by data set: who is ahead where, and by how much."""

from __future__ import annotations

import numpy as np
import pandas as pd
import plotly.graph_objects as go

from trellislib.figures.style import FAINT, LEGEND_ABOVE, NEITHER, NEUTRAL, finish, literal, method_style, rows_axis

ROW = 24  # pixels for a data set


def differences_figure(
    scores: pd.DataFrame,
    one: str,
    other: str,
    measure_name: str,
    higher_is_better: bool = True,
    *,
    spread: pd.Series | None = None,
) -> go.Figure:
    """Draw by how much one of two methods is ahead on each data set, the largest lead of `one` at the top.

    Bars go from 0 to the side, and have the colour, of the method that is ahead. Data sets on which both are equal are
    marked, and those on which one did not finish stand at the bottom and say so.

    Parameters
    ----------
    scores : DataFrame of shape (n_datasets, n_methods)
        NaN where a method did not finish.
    one, other : str
        Two columns of `scores`.
    measure_name : str
        What was scored.
    higher_is_better : bool, default=True
        False for losses and times.
    spread : Series of shape (n_datasets,), optional
        The standard deviation of the difference over folds, as `difference_spread` returns it, drawn at the bars' ends.

    Returns
    -------
    plotly.graph_objects.Figure

    Raises
    ------
    ValueError
        If a method is not among the columns, or both are the same.
    """
    for method in (one, other):
        if method not in scores.columns:
            raise ValueError(f"There are no scores of {method!r}, only of {', '.join(map(str, scores.columns))}.")
    if one == other:
        raise ValueError(f"Got {one!r} twice, but expected two methods to compare.")
    pair = scores[[one, other]].astype(float)
    lead = (pair[one] - pair[other]) * (1 if higher_is_better else -1)
    lead = lead.sort_values(ascending=False, kind="stable", na_position="last")
    pair = pair.loc[lead.index]
    spreads = (pd.Series(np.nan, lead.index) if spread is None else spread.astype(float)).reindex(lead.index)
    spreads = spreads.where(lead.notna())  # of a few folds, where a method did not finish

    rows = pd.Series(range(len(lead)), lead.index)
    texts = [_hover(name, pair.loc[name], measure_name, lead[name], spreads[name]) for name in lead.index]
    hovers = pd.Series(texts, lead.index)
    ends = {"thickness": 1, "width": 3, "color": NEUTRAL}
    figure = go.Figure()
    for method, ahead, color in zip((one, other), (lead > 0, lead < 0), _colors(scores, one, other), strict=True):
        figure.add_trace(
            go.Bar(
                x=lead[ahead],
                y=rows[ahead],
                orientation="h",
                name=literal(f"{method} ahead ({ahead.sum()})"),
                marker={"color": color},
                width=0.62,
                error_x=ends | _errors(spreads[ahead]),
                hovertext=hovers[ahead],
                hoverinfo="text",
            )
        )
    for name, symbol, among in (("equal", "diamond", lead == 0), ("did not finish", "x", lead.isna())):
        if among.any():
            figure.add_trace(
                go.Scatter(
                    x=[0.0] * among.sum(),
                    y=rows[among],
                    mode="markers",
                    name=f"{name} ({among.sum()})",
                    marker={"symbol": symbol, "size": 9, "color": NEITHER},
                    error_x=ends | _errors(spreads[among]),
                    hovertext=hovers[among],
                    hoverinfo="text",
                    cliponaxis=False,
                )
            )
    reach = float((lead.abs() + spreads.fillna(0.0)).max())
    reach = 1.08 * reach if reach > 0 else 1.0
    return finish(
        figure,
        max(180, ROW * len(lead) + 120),
        legend=LEGEND_ABOVE,
        barmode="overlay",
        xaxis={
            "title": {"text": f"lead in {literal(measure_name)}"},
            "range": [-reach, reach],
            "zeroline": True,
            "zerolinecolor": NEITHER,
            "gridcolor": FAINT,
        },
        yaxis=rows_axis(lead.index),
    )


def difference_spread(fits: pd.DataFrame, key: str, one: str, other: str) -> pd.Series:
    """Return the standard deviation over folds of the difference of two methods, paired by fold.

    Parameters
    ----------
    fits : DataFrame
        As `trellislib.experiment.Results.fits`: a row per fit, with columns "dataset", "method", "seed", "repeat",
        "fold" and `key`.
    key : str
        The measure.
    one, other : str
        The methods.

    Returns
    -------
    Series
        By data set; NaN where fewer than two folds have both.

    Examples
    --------
    >>> fits = pd.DataFrame({"dataset": "Music", "method": ["IC", "CT"] * 2, "seed": 0, "repeat": 0,
    ...                      "fold": [0, 0, 1, 1], "accuracy": [0.50, 0.52, 0.40, 0.44]})
    >>> difference_spread(fits, "accuracy", "CT", "IC").round(4).to_dict()
    {'Music': 0.0141}
    """
    of_both = fits[fits["method"].isin([one, other])]
    folds = of_both.set_index(["dataset", "seed", "repeat", "fold", "method"])[key].unstack("method")
    differences = folds.reindex(columns=[one, other]).astype(float).diff(axis="columns")[other]
    return differences.groupby("dataset", sort=False).std()


def _colors(scores: pd.DataFrame, one: str, other: str) -> tuple[str, str]:
    """Return the colours of two methods; the second's is neutral where both have the same."""
    first, second = (method_style(name, scores.columns).color for name in (one, other))
    return first, NEUTRAL if second == first else second


def _errors(spreads: pd.Series) -> dict[str, object]:
    return {"type": "data", "array": spreads.fillna(0.0), "visible": bool(spreads.notna().any())}


def _hover(dataset: object, pair: pd.Series, measure_name: str, lead: float, spread: float) -> str:
    """Return what is known of two methods on one data set."""
    one, other = pair.index
    lines = [str(dataset)]
    for method, score in pair.items():
        lines.append(f"{method}: {f'{measure_name} {score:.3f}' if np.isfinite(score) else 'did not finish'}")
    if np.isfinite(lead):
        lines.append(f"{one if lead > 0 else other} is ahead by {abs(lead):.3g}" if lead else "equal")
    if np.isfinite(spread):
        lines.append(f"standard deviation of the difference over folds {spread:.3g}")
    return "<br>".join(literal(line) for line in lines)
