"""Gibbs sampling as it goes: the labels sweep by sweep, and the running marginals."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np
import plotly.graph_objects as go

from trellislib.figures.style import ACCENT, INFORMATION_SCALE, LEGEND_ABOVE, finish, literal, shortened

if TYPE_CHECKING:
    from trellislib.inspection import GibbsRuns

CHAINS = (("#0072B2", "solid"), ("#E69F00", "dash"), ("#009E73", "dot"), ("#CC79A7", "dashdot"))
NAMED_LABELS = 40


def sweeps_figure(runs: GibbsRuns, names: Sequence[str], chain: int = 0) -> go.Figure:
    """Draw the values that one chain drew: a row for each label, a column for each sweep.

    Parameters
    ----------
    runs : GibbsRuns
        As `trellislib.inspection.gibbs_runs` returns them.
    names : sequence of str
        Names of the labels.
    chain : int
        Which chain, from 0.

    Returns
    -------
    plotly.graph_objects.Figure
        Sweeps left of the line are burn-in, and discarded.
    """
    codes = runs.codes[chain].T
    n_labels, n_sweeps = codes.shape
    shown = range(n_labels) if n_labels <= NAMED_LABELS else range(0, n_labels, -(-n_labels // NAMED_LABELS))
    figure = go.Figure(
        go.Heatmap(
            z=codes.astype(np.uint8),
            x=list(range(1, n_sweeps + 1)),
            y=list(range(n_labels)),
            colorscale=INFORMATION_SCALE,
            zmin=0,
            zmax=max(int(runs.codes.max(initial=0)), 1),
            showscale=False,
            customdata=[[literal(name)] * n_sweeps for name in names],
            hovertemplate="%{customdata}<br>sweep %{x}: value number %{z} from 0<extra></extra>",
        )
    )
    if runs.n_burn_in:
        figure.add_trace(_burn_in(runs, [-0.5, n_labels - 0.5]))
    return finish(
        figure,
        max(220, min(18 * n_labels + 70, 700)),
        xaxis={"title": {"text": "sweep"}, "showgrid": False, "range": [0.5, n_sweeps + 0.5]},
        yaxis={
            "tickvals": list(shown),
            "ticktext": [literal(shortened(names[label], 14)) for label in shown],
            "range": [n_labels - 0.5, -0.5],
            "showgrid": False,
        },
    )


def running_marginals_figure(runs: GibbsRuns, column: int, what: str) -> go.Figure:
    """Draw how the marginal of one value of a label settles in each chain.

    Parameters
    ----------
    runs : GibbsRuns
        As `trellislib.inspection.gibbs_runs` returns them.
    column : int
        The indicator column of the value, as in ``runs.coding``.
    what : str
        What it is the probability of.

    Returns
    -------
    plotly.graph_objects.Figure
        A line for each chain, from the first sweep after burn-in.
    """
    n_chains, n_sweeps, _ = runs.conditionals.shape
    marginals = runs.running_marginals()[:, :, column]
    figure = go.Figure()
    for chain in range(n_chains):
        color, dash = CHAINS[chain % len(CHAINS)]
        figure.add_trace(
            go.Scatter(
                x=list(range(runs.n_burn_in + 1, n_sweeps + 1)),
                y=marginals[chain, runs.n_burn_in :].tolist(),
                mode="lines",
                name=f"chain {chain + 1}",
                line={"color": color, "dash": dash, "width": 2.5 if chain == 0 else 1.5},
                hovertemplate=f"chain {chain + 1}, sweep %{{x}}: %{{y:.3g}}<extra></extra>",
                showlegend=True,
            )
        )
    if runs.n_burn_in:
        figure.add_trace(_burn_in(runs, [0, 1]))
    return finish(
        figure,
        320,
        xaxis={"title": {"text": "sweep"}, "range": [0.5, n_sweeps + 0.5]},
        yaxis={"title": {"text": literal(shortened(f"p({what}) so far", 30))}, "range": [-0.02, 1.02]},
        legend=LEGEND_ABOVE,
    )


def _burn_in(runs: GibbsRuns, reach: list[float]) -> go.Scatter:
    """Return the line between the sweeps that are discarded and those that count."""
    return go.Scatter(
        x=[runs.n_burn_in + 0.5] * 2,
        y=reach,
        mode="lines",
        line={"color": ACCENT, "width": 3, "dash": "dash"},
        name="end of burn-in",
        hovertemplate="end of burn-in<extra></extra>",
        showlegend=False,
    )
