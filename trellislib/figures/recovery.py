"""What was found of a known graph, how that grows with the data, and whether labels follow their parents as expected.

Colours never stand alone: what became of an edge is also its dash and thickness, a structure its marker and dash, and
the value of a parent the way a triangle points.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import pandas as pd
import plotly.graph_objects as go

from trellislib.figures.arrows import arrow_traces, edge_between, middles, pointed_at
from trellislib.figures.graph import NAMED_NODES, graph_figure, graph_positions
from trellislib.figures.style import FAINT, FIXED, LEGEND_ABOVE, NEUTRAL, finish, literal, shortened
from trellislib.graphs.recovery import EdgeRoles, edge_roles
from trellislib.labels.graph import LabelGraph, UndirectedLabelGraph

# How each kind of edge is drawn: colour, dash and width.
ROLES = {
    "missing": ("#8A8A8A", "solid", 1.0),
    "wrong": ("#D55E00", "2px,3px", 2.5),
    "reversed": ("#0072B2", "9px,4px", 2.5),
    "right": ("#009E73", "solid", 3.5),
}
STRUCTURE_STYLES = {
    "FS": ("#0072B2", "circle", "solid"),
    "LEAD (error)": ("#E69F00", "square", "dash"),
    "LEAD (signed)": ("#D55E00", "diamond", "solid"),
    "MI tree": ("#009E73", "triangle-up", "dot"),
}
_OTHER_STYLES = (("#CC79A7", "star", "dash"), ("#56B4E9", "cross", "dot"), ("#BFAF00", "x", "dashdot"))
SCORES = {
    "f": "F of directed edges",
    "skeleton_f": "F of pairs",
    "precision": "precision of directed edges",
    "recall": "recall of directed edges",
    "skeleton_precision": "precision of pairs",
    "skeleton_recall": "recall of pairs",
    "shd": "structural Hamming distance",
}
VARIABLES = {"n_instances": "instances N", "difficulty": "difficulty, from easy (0) to hard (1)"}
_LEGEND = 56  # pixels under a graph for its legend
_NAMED_LABELS = 40  # above this, labels on an axis are not named
_NODE = 12.0
_INTERVAL = "95% of samples, if the formula holds"


def truth_positions(truth: LabelGraph) -> np.ndarray:
    """Return where `recovery_figures` draws labels: those that a true edge links near to each other.

    Returns
    -------
    ndarray of shape (n_labels, 2)
        As from `graph_positions`.

    Examples
    --------
    >>> truth_positions(LabelGraph([(), (0,), (1,)])).shape
    (3, 2)
    """
    linked = np.zeros((truth.n_labels, truth.n_labels))
    for parent, child in truth.edges:
        linked[parent, child] = linked[child, parent] = 1.0
    return graph_positions(linked)


def recovery_figures(
    truth: LabelGraph,
    found: Mapping[str, LabelGraph],
    names: Sequence[str],
    *,
    positions: np.ndarray | None = None,
    height: int = 400,
) -> tuple[go.Figure, dict[str, go.Figure]]:
    """Draw a known graph and what was found of it, all at the same positions.

    Parameters
    ----------
    truth : LabelGraph
        The known graph.
    found : mapping of str to LabelGraph
        What was found of it, by name.
    names : sequence of str
        Names of the labels.
    positions : ndarray of shape (n_labels, 2), optional
        As from `graph_positions`; by default `truth_positions`, which are the same whatever was found.
    height : int
        In pixels.

    Returns
    -------
    plotly.graph_objects.Figure
        The known graph.
    dict of str to plotly.graph_objects.Figure
        By the names of `found`, what was found: right edges are solid, reversed ones dashed, wrong ones dotted, and
        missing ones thin; the legend counts them.

    Raises
    ------
    ValueError
        If a graph has other labels than the true one.

    Examples
    --------
    >>> truth = LabelGraph([(), (0,), (0,)])
    >>> known, figures = recovery_figures(truth, {"FS": LabelGraph([(1,), (), (1,)])}, ["a", "b", "c"])
    >>> [trace.name for trace in figures["FS"].data if trace.showlegend]
    ['missing: 1', 'wrong: 1', 'reversed: 1']
    """
    positions = truth_positions(truth) if positions is None else positions
    roles = {name: edge_roles(graph, truth) for name, graph in found.items()}
    edges = {(min(edge), max(edge)) for graph in (truth, *found.values()) for edge in graph.edges}
    of_all = UndirectedLabelGraph.of_edges(truth.n_labels, edges)
    frame = _with_room(graph_figure(of_all, names, positions, height=height), height)
    known = _with_room(graph_figure(truth, names, positions, height=height), height)
    (labels,) = frame.select_traces({"mode": "markers+text"})
    known.update_traces(textposition=labels.textposition, selector={"mode": "markers+text"})  # the same side in all
    return known, {
        name: _found_figure(graph, roles[name], truth, names, positions, frame) for name, graph in found.items()
    }


def _with_room(figure: go.Figure, height: int) -> go.Figure:
    """Make room for a legend under the graph, also where there is none, so that all graphs are as large."""
    low, high = figure.layout.yaxis.range
    figure.update_layout(yaxis_range=[low - (high - low) * _LEGEND / (height - _LEGEND), high])
    return figure


def _found_figure(
    found: LabelGraph,
    roles: EdgeRoles,
    truth: LabelGraph,
    names: Sequence[str],
    positions: np.ndarray,
    frame: go.Figure,
) -> go.Figure:
    """Draw what was found in a copy of `frame`, whose names keep clear of the edges of all graphs."""
    frame = go.Figure(frame)
    finer = 1.0 if np.isfinite(positions[:, 0]).sum() <= NAMED_NODES else 0.5
    traces = []
    for role, (color, dash, width) in ROLES.items():
        edges = [edge for edge in getattr(roles, role) if np.isfinite(positions[list(edge)]).all()]
        arrows = [
            edge_between(positions, edge, sign=0, share=0.0 if role == "missing" else 0.3, standoff=_NODE / 2 + 1)
            for edge in edges
        ]
        for trace in arrow_traces(arrows):
            trace.update(
                line={"color": color, "dash": dash, "width": finer * width},
                marker_color=color,
                name=f"{role}: {len(getattr(roles, role))}",
                showlegend=True,
            )
            traces.append(trace)
        texts = [f"{literal(names[parent])} → {literal(names[child])}<br>{role}" for parent, child in edges]
        traces.append(pointed_at(middles(positions, edges), texts, showlegend=False))
    (labels,) = frame.select_traces({"mode": "markers+text"})
    labels.update(
        hovertext=[
            f"{literal(names[label])}<br>{_parents('parents found', found, label, names)}<br>"
            f"{_parents('true parents', truth, label, names)}"
            for label in np.flatnonzero(np.isfinite(positions[:, 0])).tolist()
        ],
        showlegend=False,
    )
    legend = {"orientation": "h", "x": 0.5, "xanchor": "center", "y": 0, "yanchor": "bottom", "traceorder": "reversed"}
    frame.update_layout(showlegend=True, legend=legend | FIXED)
    return go.Figure([*traces, labels], frame.layout)


def _parents(what: str, graph: LabelGraph, label: int, names: Sequence[str]) -> str:
    return f"{what}: {', '.join(literal(names[parent]) for parent in graph.parents[label]) or 'none'}"


def recovery_curve_figure(
    curve: pd.DataFrame,
    score: str = "skeleton_f",
    *,
    published: Mapping[str, float] | None = None,
    height: int = 380,
) -> go.Figure:
    """Draw how well structures do as the data sets get larger or harder: mean and spread over the data sets.

    Parameters
    ----------
    curve : DataFrame
        As from `trellislib.graphs.recovery_curve`.
    score : str
        One of the scores of `trellislib.graphs.Recovery`.
    published : mapping of str to float, optional
        Scores of structures to be drawn as level lines.
    height : int
        In pixels.

    Returns
    -------
    plotly.graph_objects.Figure
        Bars reach one standard deviation to either side, for a share no further than 0 and 1. Structures are set
        apart a little, so that bars do not hide each other.

    Raises
    ------
    ValueError
        If there is no such score.
    """
    if score not in SCORES:
        raise ValueError(f"Got score={score!r}, but expected one of {list(SCORES)}.")
    varied = str(curve.columns[0])
    is_log = varied == "n_instances"
    figure = go.Figure()
    of_structures = curve.groupby("structure", sort=False)
    most = np.inf if score == "shd" else 1.0
    for place, (name, rows) in enumerate(of_structures):
        color, symbol, dash = _structure_style(str(name), place)
        summary = rows.groupby(varied)[score].agg(["mean", "std", "count"]).fillna({"std": 0.0})
        x = summary.index.to_numpy(dtype=float)
        aside = place - (len(of_structures) - 1) / 2
        figure.add_scatter(
            x=x * 1.03**aside if is_log else x + 0.008 * aside,
            y=summary["mean"],
            name=literal(str(name)),
            mode="lines+markers",
            line={"color": color, "width": 2, "dash": dash},
            marker={"color": color, "symbol": symbol, "size": 9},
            error_y={
                "type": "data",
                "symmetric": False,
                "array": np.minimum(summary["std"], most - summary["mean"]),
                "arrayminus": np.minimum(summary["std"], summary["mean"]),
                "color": color,
                "thickness": 1.2,
                "width": 3,
            },
            hovertext=[
                f"{literal(str(name))}<br>{'N' if is_log else 'difficulty'} = {value:,g}<br>"
                f"{SCORES[score]}: {row['mean']:.3f} ± {row['std']:.3f}, {int(row['count'])} data sets"
                for value, (_, row) in zip(x, summary.iterrows(), strict=True)
            ],
            hoverinfo="text",
        )
    ends = np.array([curve[varied].min(), curve[varied].max()], dtype=float)
    for place, (name, value) in enumerate((published or {}).items()):
        color, _, dash = _structure_style(name, place)
        figure.add_scatter(
            x=ends,
            y=[value, value],
            name=f"{literal(name)}, published: {value:.3f}",
            mode="lines",
            line={"color": color, "width": 1, "dash": dash},
            hoverinfo="name",
        )
    xaxis: dict[str, Any] = {"title": {"text": VARIABLES[varied]}, "gridcolor": FAINT}
    if is_log:
        ticks = sorted(curve[varied].unique().tolist())
        xaxis |= {"type": "log", "tickvals": ticks, "ticktext": [f"{tick:,g}" for tick in ticks]}
    scale = {"rangemode": "tozero"} if score == "shd" else {"range": [0, 1.04]}
    return finish(
        figure,
        height,
        legend=LEGEND_ABOVE,
        xaxis=xaxis,
        yaxis={"title": {"text": SCORES[score]}, "gridcolor": FAINT, **scale},
    )


def _structure_style(name: str, place: int) -> tuple[str, str, str]:
    return STRUCTURE_STYLES.get(name, _OTHER_STYLES[place % len(_OTHER_STYLES)])


def given_parent_figure(observed: pd.DataFrame, *, height: int = 380) -> go.Figure:
    """Draw how often each label is +1 given its parent, and what the formula expects.

    Parameters
    ----------
    observed : DataFrame
        As from `trellislib.data.observed_given_parent`.
    height : int
        In pixels.

    Returns
    -------
    plotly.graph_objects.Figure
        For each label, a triangle that points up for parents that are +1 and one that points down for -1 (a circle
        where there is no parent): filled where the formula is exact, open elsewhere. Grey bars hold 95% of samples of
        this size if the formula holds, and have it as a line across. Labels for which it is exact come first, and of
        the others those that share fewer features with their parent.
    """
    order = observed.drop_duplicates("label").sort_values(["exact", "shared"], ascending=[False, True], kind="stable")
    labels = order["label"].tolist()
    rows = observed.assign(place=observed["label"].map({label: place for place, label in enumerate(labels)}))
    rows = rows.sort_values(["place", "parent value"], kind="stable")
    aside = 0.17 * rows["parent value"]
    rows = rows.assign(x=rows["place"] + aside)
    width = max(2, min(10, 260 // max(len(labels), 1)))
    figure = go.Figure()
    bars = rows[rows["n"] > 0]
    expected, half = rows["theory"], 0.16
    for x, y, line, name in (
        ((bars["x"], bars["x"]), (bars["low"], bars["high"]), {"color": FAINT, "width": width}, _INTERVAL),
        ((rows["x"] - half, rows["x"] + half), (expected, expected), {"color": NEUTRAL, "width": 1.5}, "formula"),
    ):
        gap = np.full(len(x[0]), np.nan)
        ends = {axis: np.column_stack([*values, gap]).ravel() for axis, values in (("x", x), ("y", y))}
        figure.add_scatter(**ends, mode="lines", line=line, name=name, hoverinfo="skip")
    for value, (symbol, color, words) in _PARENT_VALUES.items():
        for exact in (True, False):
            drawn = rows[(rows["parent value"] == value) & (rows["exact"] == exact) & (rows["n"] > 0)]
            if drawn.empty:
                continue
            figure.add_scatter(
                x=drawn["x"],
                y=drawn["observed"],
                mode="markers",
                marker={
                    "symbol": symbol if exact else f"{symbol}-open",
                    "color": color,
                    "size": max(6, min(9, 400 // len(labels))),
                    "line": {"color": color, "width": 1.5},
                },
                name=words + ("" if exact else ", features shared"),
                hovertext=[_given_words(row) for _, row in drawn.iterrows()],
                hoverinfo="text",
            )
    named = len(labels) <= _NAMED_LABELS
    return finish(
        figure,
        height,
        legend=LEGEND_ABOVE,
        xaxis={
            "title": {"text": "labels: exact first, then by features shared"},
            "tickvals": list(range(len(labels))) if named else [],
            "ticktext": [literal(shortened(str(label), 8)) for label in labels] if named else [],
            "showgrid": False,
            "zeroline": False,
            "range": [-0.6, len(labels) - 0.4],
        },
        yaxis={"title": {"text": "P(label = +1 | parent)"}, "range": [0, 1.02], "gridcolor": FAINT},
    )


_PARENT_VALUES = {
    1: ("triangle-up", "#D55E00", "parent +1"),
    -1: ("triangle-down", "#0072B2", "parent -1"),
    0: ("circle", "#009E73", "no parent"),
}


def _given_words(row: pd.Series) -> str:
    parent = f"parent {literal(str(row['parent']))} = {row['parent value']:+d}" if row["parent"] else "no parent"
    shared = "the formula is exact" if row["exact"] else f"{row['shared']} features shared with the parent"
    if not row["exact"] and row["shared"] == 0:
        shared = "features shared with a further ancestor"
    return (
        f"{literal(str(row['label']))}, {parent}<br>observed {row['observed']:.3f} of {row['n']:,}<br>"
        f"formula {row['theory']:.3f}, 95% of samples {row['low']:.3f} to {row['high']:.3f}<br>{shared}"
    )
