"""A trellis drawn as the lattice that it is: row by row, arrows to the children, thickness by dependence."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import plotly.graph_objects as go

from trellislib.dependence import InformationRows, PhiRows
from trellislib.figures.arrows import (
    DRAWN_WIDTH,
    ROW_HEIGHT,
    SIGNS,
    Arrow,
    arrow_traces,
    middle_of,
    path_between,
    pointed_at,
    to_border,
)
from trellislib.figures.broken_names import in_two_lines
from trellislib.figures.drawing import printable
from trellislib.figures.style import (
    ACCENT,
    FAINT,
    INFORMATION_SCALE,
    LETTER,
    NEUTRAL,
    TEXT,
    distinct,
    finish,
    literal,
    without_collisions,
)
from trellislib.graphs import Trellis

NAMED_CELLS = 120  # above this, names do not fit and are left to the hover text
MARKED_CELLS = 2000  # above this, cells are the pixels of an image, and cannot be clicked
WEIGHED_EDGES = 60  # above this, numbers on the edges hide the picture
DRAWN_EDGES = 1000  # above this, only the strongest are drawn
LEAST_LETTERS, MOST_LETTERS = 4, 24  # of a name
LINE = 17  # pixels from one line of a name to the next
HIGHER = 21  # pixels by which the point of a number is larger for each further line of a name next to it
POINT = (6.0, 13.0)  # half the width and height that edges keep from labels without names
GAP = 16  # pixels between the names of two columns, for the borders of their boxes and the arrow
Edge = tuple[int, int]


@dataclass(frozen=True)
class Role:
    """What a label is to the one whose surroundings are shown, and how that is drawn: never by colour alone."""

    word: str
    mark: str
    symbol: str
    color: str
    ink: str = "#FFFFFF"


ITSELF = Role("the label", "●", "circle", ACCENT)
PARENT = Role("a parent", "▲", "triangle-up", "#0072B2")
CHILD = Role("a child", "▼", "triangle-down", "#009E73", "#000000")
CO_PARENT = Role("another parent of its children", "◆", "diamond", "#CC79A7", "#000000")
NEIGHBOUR = Role("a neighbour", "■", "square", "#0072B2")
MOVED = "⇄"


def trellis_figure(
    placed: Trellis,
    names: Sequence[str],
    dependence: np.ndarray | InformationRows | Mapping[Edge, float],
    *,
    signs: np.ndarray | PhiRows | Mapping[Edge, float] | None = None,
    unit: str = "nats",
    directed: bool = True,
    label: int | None = None,
    moved: Collection[int] = (),
    width: int = DRAWN_WIDTH,
) -> go.Figure:
    """Draw a trellis.

    Of many labels, names are left to the hover text; of very many, the cells become an image, as bright as each label
    depends on its parents. Of many edges, the strongest are drawn.

    Parameters
    ----------
    placed : Trellis
        The labels in their lattice.
    names : sequence of str
        Names of the labels.
    dependence : ndarray of shape (n_labels, n_labels), InformationRows, or mapping of edges to numbers
        Mutual information, or what else the thickness of the edges is to show; of the edges at least.
    signs : ndarray of shape (n_labels, n_labels), PhiRows, or mapping of edges to numbers, optional
        Phi of each pair: above 0 is drawn as co-occurrence, below 0 as exclusion.
    unit : str
        Unit of `dependence`.
    directed : bool
        Whether edges are arrows from parent to child, as in a classifier trellis, or lines between neighbours, as in a
        classifier dependency trellis.
    label : int, optional
        A label whose Markov blanket is marked: its parents, its children and their other parents, or its neighbours.
    moved : collection of int
        Labels that are marked as moved by hand.
    width : int
        About how many pixels wide it is shown.

    Returns
    -------
    plotly.graph_objects.Figure
    """
    n_rows = -(-placed.n_labels // placed.width)
    n_columns = min(placed.width, placed.n_labels)
    named = placed.n_labels <= NAMED_CELLS
    roles = {} if label is None else roles_of(placed, label, directed=directed)
    marks = [_mark(roles.get(one), one in moved) for one in range(placed.n_labels)]
    drawn = [name.split("\n") for name in _lines_in_cells(placed, names, width / n_columns, marks)] if named else []
    boxes = [(5 + LETTER / 2 * max(map(len, lines)), 5 + LINE / 2 * len(lines)) for lines in drawn]
    weights = pair_values(dependence, placed.edges)
    edges = _drawn_edges(placed, weights, roles)
    sides = dict.fromkeys(edges, 0.0) if signs is None else pair_values(signs, edges)
    texts = _texts(placed, names, weights, roles, directed=directed)
    cells: list[go.Heatmap] = []
    if placed.n_labels > MARKED_CELLS:
        cells = [_image(placed, weights, texts)]
    arrows = arrow_traces(
        _arrows(placed, edges, weights, sides, boxes, roles, directed, width), unselected={"marker": {"opacity": 1}}
    )
    n_lines = list(map(len, drawn)) or [1] * placed.n_labels
    row = ROW_HEIGHT + LINE * (max(n_lines) - 1)
    middles = _weights(
        placed, edges, names, weights, sides, unit, n_lines, directed=directed, cell=(width / n_columns, row)
    )
    return finish(
        go.Figure([*cells, *arrows, middles, _nodes(placed, texts, roles, moved, named=named)]),
        int(np.clip(row * n_rows, 180, max(640, n_rows * (LINE * max(n_lines) + GAP)))),
        annotations=_boxes(placed, drawn, roles, moved) if named else [],
        xaxis={"visible": False, "range": [-0.6, n_columns - 0.4]},
        yaxis={"visible": False, "range": [n_rows - 0.5, -0.5]},
    )


def pair_values(
    matrix: np.ndarray | InformationRows | PhiRows | Mapping[Edge, float], pairs: Sequence[Edge]
) -> dict[Edge, float]:
    """Return the entry of each pair, all looked up at once: of very many labels, rows are found when asked for."""
    if isinstance(matrix, Mapping):
        return {pair: matrix[pair] for pair in pairs}
    first, second = np.array(pairs, dtype=int).reshape(-1, 2).T
    return dict(zip(pairs, np.asarray(matrix[first, second]).tolist(), strict=True))


def names_in_cells(placed: Trellis, names: Sequence[str], column: float, marks: Sequence[int]) -> list[str]:
    """Return the names cut so that they fit into their cells; see `_room`."""
    most = [
        max(letters - mark, LEAST_LETTERS)
        for letters, mark in zip(_room(placed, names, column, marks), marks, strict=True)
    ]
    cut = {letters: distinct(names, letters) for letters in set(most)}
    return [cut[letters][label] for label, letters in enumerate(most)]


def _lines_in_cells(placed: Trellis, names: Sequence[str], column: float, marks: Sequence[str]) -> list[str]:
    """Return the names, with the mark before each, on as many lines as they need to fit into their cells."""
    names = list(map(printable, names))  # one that has lines of its own is shown on one
    fitting, room = _fitting(column), _room(placed, names, column, [len(mark) for mark in marks])
    cut = distinct(names, 2 * fitting - 1)
    lines = []
    for name, short, mark, letters in zip(names, cut, marks, room, strict=True):
        if len(mark + name) <= letters:
            lines.append(mark + name)
        else:
            broken = name if len(name) <= letters else in_two_lines(short, fitting)
            lines.append(f"{mark.strip()}\n{broken}" if mark else broken)
    return lines


def _fitting(column: float) -> int:
    """Return how many letters fit into a column of so many pixels."""
    return int(np.clip((column - GAP) // LETTER, LEAST_LETTERS, MOST_LETTERS))


def _room(placed: Trellis, names: Sequence[str], column: float, marks: Sequence[int]) -> list[int]:
    """Return how many letters each cell has room for; a long name has the room that those next to it leave.

    `column` is how many pixels wide one is, and `marks` how many letters a mark before each name takes.
    """
    fitting, at = _fitting(column), {cell: label for label, cell in enumerate(placed.positions)}
    room = []
    for row, cell in placed.positions:
        around = [at[place] for place in ((row, cell - 1), (row, cell + 1)) if place in at]
        longest = max((min(len(names[one]) + marks[one], fitting) for one in around), default=0)
        room.append(int(np.clip(2 * fitting - longest, LEAST_LETTERS, MOST_LETTERS)))
    return room


def roles_of(placed: Trellis, label: int, *, directed: bool = True) -> dict[int, Role]:
    """Return what the labels around one are to it, itself among them."""
    if not directed:
        return dict.fromkeys(placed.undirected().neighbours[label], NEIGHBOUR) | {label: ITSELF}
    roles = dict.fromkeys(placed.markov_blanket(label), CO_PARENT)
    roles |= dict.fromkeys((child for parent, child in placed.edges if parent == label), CHILD)
    return roles | dict.fromkeys(placed.parents[label], PARENT) | {label: ITSELF}


def _mark(role: Role | None, is_moved: bool) -> str:
    """Return what stands before a name."""
    return f"{MOVED + ' ' if is_moved else ''}{role.mark + ' ' if role else ''}"


def _around(edge: tuple[int, int], roles: Mapping[int, Role]) -> bool:
    """Return whether an edge makes two labels part of each other's surroundings: into the label, or into a child."""
    ends = [roles.get(end) for end in edge]
    return None not in ends and (ITSELF in ends or ends[1] is CHILD)


def _drawn_edges(placed: Trellis, weights: Mapping[Edge, float], roles: Mapping[int, Role]) -> list[Edge]:
    """Return the strongest edges, and those around the label that is asked for."""
    if len(placed.edges) <= DRAWN_EDGES:
        return list(placed.edges)
    strongest = set(sorted(placed.edges, key=lambda edge: -weights[edge])[:DRAWN_EDGES])
    return [edge for edge in placed.edges if edge in strongest or (roles and _around(edge, roles))]


def _arrows(
    placed: Trellis,
    edges: Sequence[Edge],
    weights: Mapping[Edge, float],
    sides: Mapping[Edge, float],
    boxes: Sequence[tuple[float, float]],
    roles: Mapping[int, Role],
    directed: bool,
    width: int,
) -> Iterator[Arrow]:
    """Yield the edges; `boxes` are half widths and heights in pixels, where labels have one."""
    strongest = max((weights[edge] for edge in edges), default=0.0)
    for edge in edges:
        path = path_between(*(placed.positions[label] for label in edge))
        share = max(weights[edge], 0.0) / strongest if strongest > 0 else 0.0
        box = boxes[edge[1]] if boxes else POINT
        standoff = to_border(path[-2], path[-1], box[0], placed.width, box[1], drawn=width) if directed else 0.0
        pale = bool(roles) and not _around(edge, roles)
        yield Arrow(path, int(np.sign(sides[edge])), share, standoff, headed=directed, pale=pale)


def _weights(
    placed: Trellis,
    edges: Sequence[Edge],
    names: Sequence[str],
    weights: Mapping[Edge, float],
    sides: Mapping[Edge, float],
    unit: str,
    n_lines: Sequence[int],
    *,
    directed: bool,
    cell: tuple[float, float],
) -> go.Scatter:
    """Return points at the middle of the edges that carry their weight, and on hover what they mean.

    `n_lines` are those of each name, and `cell` how many pixels wide and high a cell is.
    """
    middles, numbers, sides_of_edges, texts, sizes = [], [], [], [], []
    between = "→" if directed else "and"
    for parent, child in edges:
        path = path_between(placed.positions[parent], placed.positions[child])
        middles.append(middle_of(path))
        is_across = path[0][0] == path[-1][0]
        sides_of_edges.append("top center" if is_across else "middle right")
        # A number stands above its point: the larger that is, the farther it is from the boxes at both ends.
        sizes.append(24 + HIGHER * (max(n_lines[parent], n_lines[child]) - 1) if is_across else 14)
        weight = weights[parent, child]
        numbers.append(_short(weight))
        meaning = SIGNS[int(np.sign(sides[parent, child]))][2]
        texts.append(
            f"{literal(names[parent])} {between} {literal(names[child])}<br>{weight:.3g} {unit}"
            + (f", they {meaning}" if meaning else "")
        )
    return pointed_at(
        middles,
        texts,
        mode="markers+text" if len(edges) <= WEIGHED_EDGES else "markers",
        text=without_collisions(
            numbers,
            [(cell[0] * x, cell[1] * y) for x, y in middles],
            sides_of_edges,
            [weights[edge] for edge in edges],
        ),
        textposition=sides_of_edges,
        textfont={"size": TEXT},
        marker={"size": sizes, "opacity": 0},
        unselected={"marker": {"opacity": 0}},
    )


def _short(weight: float) -> str:
    """Return a weight in at most six letters: small ones have a third decimal place."""
    if weight == 0 or abs(weight) >= 0.01:
        return f"{weight:.2f}"
    return f"{weight:.3f}" if abs(weight) >= 0.001 else "<0.001"


def _texts(
    placed: Trellis,
    names: Sequence[str],
    weights: Mapping[Edge, float],
    roles: Mapping[int, Role],
    *,
    directed: bool,
) -> list[str]:
    """Return what each label shows on hover: where it is, what it is predicted from, and what it is to another."""
    place = np.argsort(placed.order)
    others, word = (placed.parents, "parents") if directed else (placed.undirected().neighbours, "neighbours")
    texts = []
    for label, name in enumerate(names):
        row, column = placed.positions[label]
        given = [
            f"{literal(names[other])} ({weights[(other, label) if (other, label) in weights else (label, other)]:.3g})"
            for other in others[label]
        ]
        texts.append(
            f"{literal(name)}<br>placed {place[label] + 1} of {placed.n_labels}, row {row + 1}, column {column + 1}<br>"
            + (f"{word}: {', '.join(given)}" if given else f"no {word}")
            + (f"<br>{roles[label].word}" if label in roles else "")
        )
    return texts


def _nodes(
    placed: Trellis, texts: Sequence[str], roles: Mapping[int, Role], moved: Collection[int], *, named: bool
) -> go.Scatter:
    """Return the labels as points to click, behind names; where the cells are an image, only those that have roles."""
    labels = list(range(placed.n_labels)) if placed.n_labels <= MARKED_CELLS else sorted({*roles, *moved})
    of_label, size = [roles.get(label) for label in labels], 24 if named else 9
    return go.Scatter(
        x=[placed.positions[label][1] for label in labels],
        y=[placed.positions[label][0] for label in labels],
        mode="markers",
        marker={
            "size": [size if role is None else max(size, 14) for role in of_label],
            "symbol": ["square" if role is None or named else role.symbol for role in of_label],
            "color": [NEUTRAL if role is None else role.color for role in of_label],
            "line": {
                "color": [ACCENT if label in moved else FAINT for label in labels],
                "width": [2 if label in moved else 1 for label in labels],
            },
        },
        customdata=labels,
        unselected={"marker": {"opacity": 1}},
        hovertext=[texts[label] for label in labels],
        hoverinfo="text",
    )


def _image(placed: Trellis, weights: Mapping[Edge, float], texts: Sequence[str]) -> go.Heatmap:
    """Return the cells as an image: how much each label depends on its parents."""
    n_rows = -(-placed.n_labels // placed.width)
    z = np.full(n_rows * placed.width, np.nan)
    hovers = np.full(n_rows * placed.width, "", dtype=object)
    for cell, label in enumerate(placed.order):
        z[cell] = sum(weights[parent, label] for parent in placed.parents[label])
        hovers[cell] = texts[label]
    shape = (n_rows, placed.width)
    return go.Heatmap(
        z=[[None if np.isnan(value) else float(f"{value:.3g}") for value in row] for row in z.reshape(shape)],
        text=hovers.reshape(shape).tolist(),
        hoverinfo="text",
        colorscale=INFORMATION_SCALE,
        zmin=0,
        showscale=False,
    )


def _boxes(
    placed: Trellis, drawn: Sequence[Sequence[str]], roles: Mapping[int, Role], moved: Collection[int]
) -> list[dict[str, Any]]:
    """Return the names of the labels in lines, each in a box that covers the ends of its edges."""
    boxes, pad = [], 4 if max(map(len, drawn)) == 1 else 2  # names that are broken have little room
    for label, (lines, (row, column)) in enumerate(zip(drawn, placed.positions, strict=True)):
        role = roles.get(label)
        box: dict[str, Any] = {
            "x": column,
            "y": row,
            "text": "<br>".join(map(literal, lines)),
            "showarrow": False,
            "font": {"color": role.ink if role else "#FFFFFF", "size": TEXT},
            "bgcolor": role.color if role else NEUTRAL,
            "borderpad": pad,
        }
        boxes.append(box | ({"bordercolor": ACCENT, "borderwidth": 2} if label in moved else {}))
    return boxes
