"""The path of a prediction: labels decided one after the other, and the evidence for the decision on one of them."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import TYPE_CHECKING

import numpy as np
import plotly.graph_objects as go

from trellislib.figures.arrows import Arrow, arrow_traces, edge_between
from trellislib.figures.graph import DRAWN_EDGES, RING, drawn_edges
from trellislib.figures.style import (
    FAINT,
    LEGEND_ABOVE,
    NEITHER,
    NEUTRAL,
    NO_MARGIN,
    TEXT,
    finish,
    literal,
    rows_axis,
    shortened,
)
from trellislib.graphs import Trellis, lattice_positions, ring_positions
from trellislib.labels.graph import LabelGraph

if TYPE_CHECKING:
    from trellislib.inspection import PredictionPath, Step

# The outcome of a decision: colour, marker, and what it means.
OUTCOME_STYLES = {
    "right": ("#009E73", "circle", "right"),
    "own error": ("#D55E00", "x", "own error: wrong, and also if all its inputs were true"),
    "inherited error": ("#CC79A7", "triangle-down", "inherited error: wrong, but right if its inputs were true"),
    "overruled": ("#0072B2", "diamond", "overruled: wrong by the inference, though inputs and probability were right"),
    "lucky": ("#56B4E9", "star", "lucky: right, but wrong if its inputs were true"),
    "set": ("#E69F00", "square", "set by hand"),
    "unknown": (NEUTRAL, "circle", "decided, the truth unknown"),
}
FOR, AGAINST, TOTAL = "#E69F00", "#0072B2", NEUTRAL
SPELLED_LABELS = 30  # above this, only the label of the step has its probability next to it
MOST_DRAWN = 60  # labels
NAMED_LABELS = 60  # above this, only it and its inputs have their names


def prediction_path_figure(
    path: PredictionPath,
    names: Sequence[str],
    classes: Sequence[Sequence[str]],
    positions: np.ndarray,
    step: int | None = None,
    *,
    changed: Collection[int] = (),
) -> go.Figure:
    """Draw which labels are decided at a step of a prediction, what was decided, and whether it is true.

    Parameters
    ----------
    path : PredictionPath
        As `trellislib.inspection.prediction_path` returns it.
    names : sequence of str
        Names of the labels.
    classes : sequence of sequence of str
        For each label, its values as they are written, in the order of their codes.
    positions : ndarray of shape (n_labels, 2)
        Horizontal and vertical position, between 0 and 1; labels at nan are not drawn, nor are their edges.
    step : int, optional
        The step, from 0: later labels are still to come and hollow. By default the last one.
    changed : collection of int
        Labels that are decided otherwise than without the labels set by hand: they get a ring.

    Returns
    -------
    plotly.graph_objects.Figure
        The traces of labels have their numbers as ``customdata``.
    """
    step = len(path.steps) - 1 if step is None else step
    current = path.steps[step]
    drawn = [one for one in path.steps if np.isfinite(positions[one.label]).all()]
    figure = go.Figure(arrow_traces(_arrows(path, current, positions), pale=0.4))
    figure.update_traces(showlegend=False)
    decided = {one.label for one in path.steps[: step + 1]}
    near = {current.label, *current.inputs}
    is_ring = path.graph.is_complete and len(drawn) > SPELLED_LABELS
    for outcome in (*OUTCOME_STYLES, None):
        of_outcome = [one for one in drawn if (one.outcome if one.label in decided else None) == outcome]
        if not of_outcome:
            continue
        color, symbol, meaning = OUTCOME_STYLES[outcome] if outcome else (NEITHER, "circle-open", "still to come")
        labels = [one.label for one in of_outcome]
        texts = [
            _text(one, names, classes, is_named=len(drawn) <= NAMED_LABELS or one.label in near,
                  is_spelled=outcome is not None and (len(drawn) <= SPELLED_LABELS or one.label == current.label))
            for one in of_outcome
        ]  # fmt: skip
        figure.add_trace(
            go.Scatter(
                x=positions[labels, 0].tolist(),
                y=positions[labels, 1].tolist(),
                mode="markers+text",
                name=meaning.partition(":")[0],
                showlegend=True,
                text=texts,
                textposition=[_text_position(*positions[label], is_ring=is_ring) for label in labels],
                textfont={"size": TEXT, "shadow": "auto"},
                marker={
                    "size": [20 if label == current.label else 14 for label in labels],
                    "color": color,
                    "symbol": symbol,
                    "opacity": 1,
                    "line": {
                        "color": [RING if label == current.label or label in changed else FAINT for label in labels],
                        "width": [4 if label == current.label else 3 if label in changed else 1 for label in labels],
                    },
                },
                customdata=labels,  # packed arrays do not come back from a click
                hovertext=[_hover(one, names, classes, meaning, is_changed=one.label in changed) for one in of_outcome],
                hoverinfo="text",
                cliponaxis=False,
            )
        )
    figure.update_traces(unselected={"marker": {"opacity": 1}})
    return finish(
        figure,
        520,
        xaxis={"visible": False, "range": [-0.2, 1.2] if is_ring else [-0.12, 1.12]},
        yaxis={"visible": False, "range": [-0.14, 1.14]},
        margin=NO_MARGIN,
        legend=LEGEND_ABOVE,
    )


def prediction_path_positions(
    path: PredictionPath,
    step: int,
    lattice: Trellis | None = None,
    elsewhere: np.ndarray | None = None,
) -> np.ndarray:
    """Place the labels of a prediction for `prediction_path_figure`, so that the order of the decisions can be seen.

    A trellis stands in its lattice, a chain on a ring in the order of prediction, and labels without edges in rows. Of
    more than 60 labels, those nearest to the label of the step along the edges are placed, those that it is predicted
    from first.

    Parameters
    ----------
    path : PredictionPath
        As `trellislib.inspection.prediction_path` returns it.
    step : int
        The step, from 0.
    lattice : Trellis, optional
        Where the labels stand, if the graph is not a trellis itself but comes from one, such as that of a classifier
        dependency trellis.
    elsewhere : ndarray of shape (n_labels, 2), optional
        Where labels stand in every other graph, such as `graph_positions` places them. By default on a ring.

    Returns
    -------
    ndarray of shape (n_labels, 2)
        Horizontal and vertical position, between 0 and 1; nan for labels that are not to be drawn.

    Examples
    --------
    >>> from trellislib import ClassifierChain
    >>> from trellislib.inspection import prediction_path
    >>> X, Y = [[0.0], [0.2], [0.8], [1.0]], [[0, 0], [0, 1], [1, 1], [1, 1]]
    >>> chain = ClassifierChain(order=[1, 0]).fit(X, Y)
    >>> prediction_path_positions(prediction_path(chain, [[0.9]]), 0).round(2).tolist()
    [[0.5, 0.0], [0.5, 1.0]]
    """
    graph, n_labels = path.graph, path.coding.n_labels
    is_part = n_labels > MOST_DRAWN
    shown = _nearest(path, path.steps[step].label) if is_part else np.arange(n_labels)
    if lattice is None and isinstance(graph, Trellis):
        lattice = graph
    positions = np.full((n_labels, 2), np.nan)
    if lattice is not None:
        places = lattice_positions(lattice)[shown]
        reach = np.ptp(places, axis=0)
        positions[shown] = (places - places.min(axis=0)) / np.where(reach > 0, reach, 1.0)
    elif not graph.edges:
        side = int(np.ceil(np.sqrt(len(shown))))
        rows, columns = np.divmod(np.arange(len(shown)), side)
        last = max(side - 1, 1)
        positions[shown] = np.column_stack([columns / last, 1 - rows / last])
    elif elsewhere is None or graph.is_complete or is_part:
        in_order = sorted(shown.tolist(), key=lambda label: path.of(label).place)
        positions[in_order] = ring_positions(len(shown))
    else:
        positions = elsewhere
    return positions


def log_odds_figure(step: Step, names: Sequence[str], classes: Sequence[Sequence[str]], *, most: int = 12) -> go.Figure:
    """Draw the evidence for and against a value of a label, from the features to the total.

    Parameters
    ----------
    step : Step
        One label of `trellislib.inspection.prediction_path`.
    names, classes
        As for `prediction_path_figure`.
    most : int
        How many inputs get a bar of their own, those of the largest shares; the others share one. Of more inputs than
        this, those that add nothing have no bar of their own.

    Returns
    -------
    plotly.graph_objects.Figure
        Bars of log-odds (natural logarithm), each beginning where the one before it ends; above 0 the value is the
        more probable. Probabilities nearer to 0 and 1 than 1e-9 count as this, so that the total is never further
        from 0 than 20.7.
    """
    strongest = np.argsort(-np.abs(step.from_inputs), kind="stable")
    n_own = most if len(strongest) <= most else min(most, np.count_nonzero(step.from_inputs))
    own, others = sorted(strongest[:n_own].tolist()), strongest[n_own:]
    shares = [step.from_features, *step.from_inputs[own].tolist()]
    rows = ["features", *(_given(step, place, names, classes) for place in own)]
    if len(others):
        shares.append(float(step.from_inputs[others].sum()))
        rows.append(f"{len(others)} other inputs")
    total = float(sum(shares))
    bases = [0.0, *np.cumsum(shares[:-1]).tolist(), 0.0]
    shares.append(total)
    rows.append("total")
    colors = [FOR if share >= 0 else AGAINST for share in shares[:-1]] + [TOTAL]
    figure = go.Figure(
        go.Bar(
            x=shares,
            base=bases,
            y=list(range(len(rows))),
            orientation="h",
            marker={"color": colors},
            text=[f"{share:+.3g}" for share in shares],
            textposition="outside",
            hovertext=[f"{literal(row)}: {share:+.3g}" for row, share in zip(rows, shares, strict=True)],
            hoverinfo="text",
            cliponaxis=False,
        )
    )
    ends = [*bases, *(base + share for base, share in zip(bases, shares, strict=True)), 0.0]
    room = 0.2 * (max(ends) - min(ends) or 1.0)
    what = f"log-odds of {names[step.label]} = {classes[step.label][step.of_code]}"
    return finish(
        figure,
        70 + 30 * len(rows),
        xaxis={
            "title": {"text": literal(shortened(what, 40))},
            "range": [min(ends) - room, max(ends) + room],
            "zeroline": True,
            "zerolinecolor": NEUTRAL,
        },
        yaxis=rows_axis(rows, 20),
        bargap=0.3,
    )


def _nearest(path: PredictionPath, label: int) -> np.ndarray:
    """Return the labels nearest to one along the edges, in increasing order."""
    found, neighbours = [label], path.graph.neighbours
    known = {label}
    for one in found:
        for other in (*path.graph.inputs[one], *neighbours[one]):
            if len(found) == MOST_DRAWN:
                return np.sort(found)
            if other not in known:
                known.add(other)
                found.append(other)  # which is walked on from, in its turn
    rest = [one for one in range(len(neighbours)) if one not in known]
    return np.sort([*found, *rest[: MOST_DRAWN - len(found)]])


def _arrows(path: PredictionPath, current: Step, positions: np.ndarray) -> list[Arrow]:
    """Return the edges; all but those by which the label of the step is predicted stand back, or are too many."""
    is_directed = isinstance(path.graph, LabelGraph)
    edges = drawn_edges(path.graph, positions)
    if len(edges) > DRAWN_EDGES:
        edges = [(one, current.label) for one in current.inputs]
    return [
        edge_between(
            positions,
            (one, other),
            sign=0,
            share=0.0,
            standoff=11,
            headed=is_directed,
            pale=not (other == current.label or (not is_directed and one == current.label)),
        )
        for one, other in edges
        if np.isfinite(positions[[one, other]]).all()
    ]


def _text_position(x: float, y: float, *, is_ring: bool) -> str:
    """Return where a label's text stands: on a full ring outside of it, where no other label is."""
    if is_ring and abs(x - 0.5) > 0.08:
        return "middle right" if x > 0.5 else "middle left"
    return "top center" if y > 0.5 else "bottom center"


def _text(
    step: Step, names: Sequence[str], classes: Sequence[Sequence[str]], *, is_named: bool, is_spelled: bool
) -> str:
    name = literal(shortened(names[step.label], 14)) if is_named else ""
    if not is_spelled:
        return name
    decided = literal(shortened(classes[step.label][step.code], 8))
    truth = ""
    if step.true is not None and step.true != step.code:
        truth = f"<br>true {literal(shortened(classes[step.label][step.true], 8))}"
    return f"{name}<br>{decided} (p {step.probabilities[step.code]:.3g}){truth}"


def _hover(
    step: Step, names: Sequence[str], classes: Sequence[Sequence[str]], meaning: str, *, is_changed: bool
) -> str:
    if meaning == "still to come":
        return f"{literal(names[step.label])}<br>step {step.place + 1}, still to come"
    of_label = classes[step.label]
    lines = [names[step.label], f"step {step.place + 1}, {meaning}"]
    lines.append(f"decided {of_label[step.code]}, p = {step.probabilities[step.code]:.3g}")
    if step.true is not None:
        lines.append(f"true {of_label[step.true]}")
    if is_changed:
        lines.append("changed by what was set by hand")
    return "<br>".join(map(literal, lines))


def _given(step: Step, place: int, names: Sequence[str], classes: Sequence[Sequence[str]]) -> str:
    label = step.inputs[place]
    return f"{shortened(names[label], 12)} = {classes[label][step.input_codes[place]]}"
