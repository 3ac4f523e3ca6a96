"""How the critical distance shrinks as data sets are added, and a gap between two methods."""

from __future__ import annotations

import plotly.graph_objects as go

from trellislib.figures.style import ACCENT, LEGEND_ABOVE, NEUTRAL, finish, literal
from trellislib.ranking import critical_distance
from trellislib.running.checks import require_integer

FEWEST = 2  # data sets


def critical_distance_figure(
    n_methods: int, gap: float, gap_name: str, n_datasets: int, most: int, alpha: float = 0.1
) -> go.Figure:
    """Draw Nemenyi's critical distance over the number of data sets, and a gap between average ranks.

    Parameters
    ----------
    n_methods : int
        At least 2.
    gap : float
        Between the average ranks of two methods, drawn as it is for any number of data sets.
    gap_name : str
        What the gap is called.
    n_datasets : int
        The number of data sets to mark.
    most : int
        The largest number of data sets that is drawn, at least 2 and `n_datasets`.
    alpha : float, default=0.1
        Any level between 0 and 1.

    Returns
    -------
    plotly.graph_objects.Figure

    Raises
    ------
    ValueError
        If a number is out of range, or by `trellislib.ranking.critical_distance`.
    """
    require_integer("n_datasets", n_datasets)
    require_integer("most", most, max(FEWEST, n_datasets))
    numbers = list(range(min(FEWEST, n_datasets), most + 1))
    of_one = critical_distance(n_methods, 1, alpha)  # and the others by their root, for a quantile takes a while
    lines = (
        ([of_one / number**0.5 for number in numbers], "critical distance", {"color": ACCENT, "width": 3}),
        ([gap] * len(numbers), gap_name, {"color": NEUTRAL, "width": 2, "dash": "dash"}),
    )
    figure = go.Figure()
    for values, name, line in lines:
        figure.add_trace(
            go.Scatter(
                x=numbers,
                y=values,
                mode="lines",
                name=literal(name),
                line=line,
                hovertemplate=f"{literal(name)} on %{{x}} data sets: %{{y:.2f}}<extra></extra>",
            )
        )
    figure.add_trace(
        go.Scatter(
            x=[n_datasets],
            y=[of_one / n_datasets**0.5],
            mode="markers",
            name=literal(f"on {n_datasets:,} data sets"),
            marker={"color": ACCENT, "size": 12},
            hovertemplate="critical distance on %{x} data sets: %{y:.2f}<extra></extra>",
        )
    )
    return finish(
        figure,
        300,
        legend=LEGEND_ABOVE,
        xaxis={"title": {"text": "data sets"}},
        yaxis={"title": {"text": "ranks"}, "rangemode": "tozero"},
    )
