"""A step of Algorithm 1: the lattice as far as it is filled, and the candidates for the next cell."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np
import plotly.graph_objects as go

from trellislib.dependence import InformationRows, PhiRows
from trellislib.figures.arrows import DRAWN_WIDTH, Arrow, arrow_traces, middle_of, path_between, sign_of, to_border
from trellislib.figures.lattice import names_in_cells
from trellislib.figures.style import (
    ACCENT,
    FAINT,
    LETTER,
    NEUTRAL,
    TEXT,
    TRANSPARENT,
    finish,
    literal,
    rows_axis,
    shortened,
    without_collisions,
)
from trellislib.graphs.steps import PlacementSteps, Step

SHOWN_CANDIDATES = 15
MARK = 2  # letters that a mark before a name takes
WHOLE_CELLS, WHOLE_COLUMNS = 120, 12  # a lattice that is larger is drawn around the cell
WINDOW = (3, 3)  # rows above the cell, and columns to either side, of a larger one
NUMBERED_COLUMNS, NUMBERED_PARENTS = 7, 2  # up to which the edges of earlier steps have numbers too
CELL_HEIGHT, LOW_CELL = 62, 46  # pixels: of few rows, and the least that leaves room for a number between two of them
SHORT, TALLEST = 400, 1000  # pixels: up to which rows have their full height, and any
CLEARANCE = 14  # pixels across, of nothing between an edge and its number
ABOVE_BOXES = 22  # the same of an edge along a row, so that its number stands above the boxes where these are close
LEAST = 1e-4  # what is smaller is only written as such, if dependence elsewhere is larger
SHADES = (NEUTRAL, "#93A1B2", "#37424F", "#BCC7D3", "#748295")  # of the parents, side by side in their order


def step_figure(
    steps: PlacementSteps,
    cell: int,
    names: Sequence[str],
    dependence: np.ndarray | InformationRows,
    *,
    signs: np.ndarray | PhiRows | None = None,
    width: int = DRAWN_WIDTH,
) -> go.Figure:
    """Draw the lattice after a step: the cell that was filled starred, its parents framed, cells to come numbered.

    Edges have their dependence next to them, as far as there is room; where columns or parents are many, only those of
    the step have.

    Of a lattice of more than 120 cells or 12 columns, the part around the cell is drawn.

    Parameters
    ----------
    steps : PlacementSteps
        As by `trellislib.graphs.placement_steps`.
    cell : int
        The step, from 0.
    names : sequence of str
        Names of the labels.
    dependence : ndarray of shape (n_labels, n_labels), or InformationRows
        What the placement follows.
    signs : ndarray of shape (n_labels, n_labels), or PhiRows, optional
        Phi of each pair, as for `trellislib.figures.trellis_figure`.
    width : int
        About how many pixels wide it is shown.

    Returns
    -------
    plotly.graph_objects.Figure
    """
    step = steps[cell]
    rows, columns = _window(steps, step)
    shown = [
        place
        for place in range(len(steps))
        if place // steps.trellis.width in rows and place % steps.trellis.width in columns
    ]
    texts = _texts(steps, step, shown, names, width / len(columns))
    figure = go.Figure(arrow_traces(_arrows(steps, step, shown, dependence, signs, texts, len(columns), width)))
    height = max(180, min(CELL_HEIGHT * len(rows), SHORT), min(LOW_CELL * len(rows), TALLEST))
    pixels = np.array([width / len(columns), height / len(rows)])
    is_crowded = len(columns) > NUMBERED_COLUMNS or len(steps.trellis.offsets) > NUMBERED_PARENTS
    weights = list(_weights(steps, step, shown, dependence, pixels, with_past=not is_crowded))
    figure.add_traces(weights)
    longest = max((len(text) for trace in weights for text in trace.text), default=0)
    beyond = max(0.6, (CLEARANCE + LETTER * longest) / pixels[0])  # the last column, in columns: a number fits there
    figure.add_trace(_cells(steps, step, shown, names))
    return finish(
        figure,
        height,
        annotations=[_box(steps, step, place, text) for place, text in texts.items()],
        xaxis={"visible": False, "range": [columns.start - 0.6, columns.stop - 1 + beyond]},
        yaxis={"visible": False, "range": [rows.stop - 0.5, rows.start - 0.7]},  # numbers stand above the first row
    )


def candidates_figure(step: Step, names: Sequence[str], *, unit: str = "nats") -> go.Figure:
    """Draw what the candidates of a step would add, the most first: a bar each, in parts by parent.

    The label that the cell took is starred. At most 15 candidates are drawn, and the rest counted.

    Parameters
    ----------
    step : Step
        Of `trellislib.graphs.placement_steps`.
    names : sequence of str
        Names of the labels.
    unit : str
        Unit of the gains.

    Returns
    -------
    plotly.graph_objects.Figure
    """
    shown = list(range(min(SHOWN_CANDIDATES, len(step.candidates))))
    if step.place not in shown:  # a label that was drawn
        shown[-1] = step.place
    labels, gains = step.candidates[shown], step.gains[shown]
    top = max(float(step.gains.max(initial=0.0)), 1e-9)
    figure = go.Figure()
    for number, parent in enumerate(step.parents):
        parts = step.shares[shown, number]
        figure.add_trace(
            go.Bar(
                x=parts,
                y=list(range(len(shown))),
                orientation="h",
                name=literal(shortened(names[parent])),
                marker={"color": SHADES[number % len(SHADES)]},
                hovertext=[
                    f"{literal(names[label])} and {literal(names[parent])}: {_number(part, top)} {unit}"
                    for label, part in zip(labels, parts, strict=True)
                ],
                hoverinfo="text",
            )
        )
    figure.add_trace(
        go.Scatter(
            x=np.maximum(gains, 0.0),
            y=list(range(len(shown))),
            mode="text",
            text=[f" {_number(gain, top)}" for gain in gains],
            textposition="middle right",
            textfont={"size": TEXT},
            cliponaxis=False,
            showlegend=False,
            hoverinfo="skip",
        )
    )
    rest = len(step.candidates) - len(shown)
    more = f"and {rest:,} more, {_number(step.gains[len(shown) :].max(), top)} {unit} at most" if rest else ""
    several = len(step.parents) > 1
    axis = rows_axis([names[label] for label in labels])
    above = 12 + 20 * len(step.parents) if several else 8  # a line each, as long names need in a narrow column
    below = 68 if rest else 52
    return finish(
        figure,
        20 * len(shown) + 40 + above + below,
        barmode="relative",
        bargap=0.3,
        showlegend=several,
        legend={"orientation": "h", "x": 0, "y": 1, "yanchor": "bottom", "traceorder": "normal"},
        margin={"l": 8, "r": 8, "t": above, "b": below},
        xaxis={
            "title": {
                "text": f"dependence on the parents ({unit})" + (f"<br>{more}" if more else ""),
                "standoff": 8,
            },
            "range": [min(float(step.gains.min(initial=0.0)), 0.0), 1.22 * top],
            "exponentformat": "none",  # 0.0001, not 100 micro
        },
        yaxis=axis
        | {
            "ticktext": [
                f"<b>★ {name}</b>" if label == step.chosen else name
                for label, name in zip(labels, axis["ticktext"], strict=True)
            ]
        },
    )


def _window(steps: PlacementSteps, step: Step) -> tuple[range, range]:
    """Return the rows and columns that are drawn."""
    width = min(steps.trellis.width, len(steps))
    n_rows = -(-len(steps) // width)
    if len(steps) <= WHOLE_CELLS and width <= WHOLE_COLUMNS:
        return range(n_rows), range(width)
    above, aside = WINDOW
    first_row = int(np.clip(step.row - above, 0, max(n_rows - above - 2, 0)))
    first_column = int(np.clip(step.column - aside, 0, max(width - 2 * aside - 1, 0)))
    rows = range(first_row, min(first_row + above + 2, n_rows))
    return rows, range(first_column, min(first_column + 2 * aside + 1, width))


def _texts(
    steps: PlacementSteps, step: Step, shown: Sequence[int], names: Sequence[str], column: float
) -> dict[int, str]:
    """Return what is written in each cell: the label, or the number of the step to come."""
    order = steps.trellis.order
    short = names_in_cells(steps.trellis, names, column, [MARK * (label == step.chosen) for label in range(len(order))])
    texts = {}
    for place in shown:
        star = "★ " if place == step.cell else ""
        texts[place] = f"{place + 1}" if place > step.cell else star + short[order[place]]
    return texts


def _arrows(
    steps: PlacementSteps,
    step: Step,
    shown: Sequence[int],
    dependence: np.ndarray | InformationRows,
    signs: np.ndarray | PhiRows | None,
    texts: dict[int, str],
    n_columns: int,
    drawn_width: int,
) -> Iterator[Arrow]:
    """Yield the edges between cells that are filled and drawn; those of earlier steps stand back."""
    placed = steps.trellis
    drawn = set(shown)
    width = placed.width
    for place in shown:
        if place > step.cell:
            break
        label = placed.order[place]
        for parent in placed.parents[label]:
            row, column = placed.positions[parent]
            if row * width + column not in drawn:
                continue
            path = path_between((row, column), placed.positions[label])
            share = max(float(dependence[parent, label]), 0.0) / steps.strongest if steps.strongest > 0 else 0.0
            standoff = to_border(path[-2], path[-1], 5 + LETTER / 2 * len(texts[place]), n_columns, drawn=drawn_width)
            sign = sign_of(signs, (parent, label))
            yield Arrow(path, sign, share, standoff, pale=place < step.cell < len(steps) - 1)


def _weights(
    steps: PlacementSteps,
    step: Step,
    shown: Sequence[int],
    dependence: np.ndarray | InformationRows,
    pixels: np.ndarray,
    *,
    with_past: bool,
) -> Iterator[go.Scatter]:
    """Yield the dependence of the edges before the step, if they are asked for, and of those of the step.

    They stand next to the middle of each. `pixels` are the width and height of a cell: of two numbers that would
    collide, that of the step stays, or else the larger.
    """
    placed = steps.trellis
    places, text, sides, sizes, values, of_step = [], [], [], [], [], []
    for place in shown:
        if place > step.cell or not (with_past or place == step.cell):
            continue
        label = placed.order[place]
        for parent in placed.parents[label]:
            (row, column), to = placed.positions[parent], placed.positions[label]
            if row * placed.width + column not in shown:
                continue
            path = path_between((row, column), to)
            places.append(middle_of(path))
            sides.append(_side((row, column), to))
            sizes.append(ABOVE_BOXES if row == to[0] else CLEARANCE)
            values.append(float(dependence[parent, label]))
            of_step.append(place == step.cell)
            text.append(_number(values[-1], steps.strongest, 3 if of_step[-1] else 2))
    aside = np.array([("right" in side, ("bottom" in side) - ("top" in side)) for side in sides]).reshape(-1, 2)
    drawn = np.array(places).reshape(-1, 2) * pixels + aside * np.array(sizes)[:, None] / 2
    weights = [value + (np.inf if is_new else 0.0) for value, is_new in zip(values, of_step, strict=True)]
    text = without_collisions(text, drawn.tolist(), sides, weights)
    for is_new in (False, True):
        some = [number for number, of in enumerate(of_step) if of == is_new]
        if some:
            yield go.Scatter(
                x=[places[one][0] for one in some],
                y=[places[one][1] for one in some],
                mode="markers+text",  # markers that nobody sees keep the numbers off the edges
                marker={"size": [sizes[one] for one in some], "color": TRANSPARENT, "line": {"width": 0}},
                text=[text[one] for one in some],
                textposition=[sides[one] for one in some],
                textfont={"size": TEXT, "weight": "bold" if is_new else "normal"},
                hoverinfo="skip",
            )


def _number(value: float, strongest: float, digits: int = 3) -> str:
    """Return a number to some digits in full, for students read no exponents; of a tiny one, that it is tiny."""
    if 0 < value < LEAST <= strongest:
        return literal(f"<{LEAST:g}")
    if value >= 1000:
        return f"{value:,.0f}"
    return np.format_float_positional(value, precision=digits, fractional=False, trim="-")


def _side(parent: tuple[int, int], child: tuple[int, int]) -> str:
    """Return on which side of an edge there is room for its number."""
    if parent[0] == child[0]:
        return "top center"
    if parent[1] == child[1]:
        return "middle right"
    return "top right" if (parent[0] < child[0]) == (parent[1] < child[1]) else "bottom right"


def _cells(steps: PlacementSteps, step: Step, shown: Sequence[int], names: Sequence[str]) -> go.Scatter:
    """Return the cells as squares, hollow where they are to come, with what they hold on hover."""
    width = steps.trellis.width
    filled = [place <= step.cell for place in shown]
    texts = []
    for place, is_filled in zip(shown, filled, strict=True):
        where = f"row {place // width + 1}, column {place % width + 1}, step {place + 1}"
        name = literal(names[steps.trellis.order[place]])
        texts.append(f"{name}<br>{where}" if is_filled else f"{where}, to come")
    return go.Scatter(
        x=[place % width for place in shown],
        y=[place // width for place in shown],
        mode="markers",
        marker={
            "size": 24,
            "symbol": ["square" if is_filled else "square-open" for is_filled in filled],
            "color": [NEUTRAL if is_filled else FAINT for is_filled in filled],
            "line": {"color": FAINT, "width": 1},
        },
        hovertext=texts,
        hoverinfo="text",
    )


def _box(steps: PlacementSteps, step: Step, place: int, text: str) -> dict[str, Any]:
    """Return the text of a cell: the one that was filled starred, its parents framed."""
    row, column = divmod(place, steps.trellis.width)
    box: dict[str, Any] = {"x": column, "y": row, "text": literal(text), "showarrow": False, "borderpad": 4}
    if place > step.cell:
        return box | {"font": {"size": TEXT}}
    is_parent = steps.trellis.order[place] in step.parents
    return box | {
        "font": {"color": "#FFFFFF", "size": TEXT},
        "bgcolor": ACCENT if place == step.cell else NEUTRAL,
        "bordercolor": ACCENT if is_parent else TRANSPARENT,
        "borderwidth": 3,
    }
