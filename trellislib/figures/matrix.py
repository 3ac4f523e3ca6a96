"""Pairwise dependence as a heat map whose cells can be pointed at and clicked."""

from __future__ import annotations

from collections.abc import Sequence
from math import isnan
from typing import Any

import numpy as np
import plotly.graph_objects as go
from plotly.colors import sample_colorscale

from trellislib.dependence import UNITS, InformationRows, block_size, label_tree, shared_entropy
from trellislib.figures.style import ACCENT, INFORMATION_SCALE, finish, literal, shortened
from trellislib.labels.matrices import pooled_blocks

CLICKABLE_LABELS = 150  # above this, one marker per cell makes the browser slow
LEAST_SIGNED = 0.04  # of the strongest pair: a fifth of the scale of colours
NAMED_LABELS = 60  # above this, names on the axes say too little
LEANING_NAMES = 16  # below the map; more would run into each other unless they stand upright
FITTING_NAMES = 30  # along a side; of more labels every second name is left to the hover text
POOLED_LABELS = 500  # above this, a cell shows the maximum of a block of pairs
TILES = 67  # along a side: as many as can be clicked like that
LEAST_TILE = 25  # labels along a side of a tile, so that it has enough pairs to look at
SIDE = 560  # pixels: about what the plot itself has of a page
# Few pairs depend much. The colour of a value is that of its square root, so that the others can be told apart, too.
_ROOTS = [stop / 40 for stop in range(41)]
ROOT_SCALE = [
    [root**2, color] for root, color in zip(_ROOTS, sample_colorscale(INFORMATION_SCALE, _ROOTS), strict=True)
]

ORDERS = ("clustered", "frequency", "file")


def label_order(
    information: np.ndarray | InformationRows, frequencies: np.ndarray, order: str = "clustered"
) -> np.ndarray:
    """Return the labels in the order in which a matrix shows them.

    Parameters
    ----------
    information : ndarray of shape (n_labels, n_labels), or InformationRows
        Pairwise mutual information, with the entropies on the diagonal; clustering takes all of it.
    frequencies : ndarray of shape (n_labels,)
        How often each label is relevant.
    order : {"clustered", "frequency", "file"}
        Dependent labels together (the leaves of `label_tree` on `shared_entropy`), most frequent first, or as they are.

    Returns
    -------
    ndarray of shape (n_labels,)
    """
    if order not in ORDERS:
        raise ValueError(f"Got order={order!r}, but expected one of {ORDERS}.")
    if order == "frequency":
        return np.argsort(-np.asarray(frequencies), kind="stable")
    if order == "file":
        return np.arange(len(information))
    return label_tree(shared_entropy(information[np.arange(len(information))])).order


def tile_size(n_labels: int) -> int:
    """Return how many labels along its side a tile of `overview_heatmap` has: whole blocks of the pooled map."""
    block = block_size(n_labels)
    return block * -(-max(LEAST_TILE, -(-n_labels // TILES)) // block)


def dependence_heatmap(
    information: np.ndarray | InformationRows,
    names: Sequence[str],
    order: np.ndarray,
    *,
    columns: np.ndarray | None = None,
    signs: np.ndarray | None = None,
    unit: str = "nats",
    diagonal: bool = False,
    selected: tuple[int, int] | None = None,
    clusters: Sequence[np.ndarray] = (),
    height: int | None = None,
) -> go.Figure:
    """Draw pairwise mutual information, the labels in the given order; colours are by its square root.

    Up to 150 labels every cell carries a point that a click selects; its ``customdata`` is the pair of labels.

    Parameters
    ----------
    information : ndarray of shape (n_labels, n_labels), or InformationRows
        In nats.
    names : sequence of str
        Names of the labels.
    order : ndarray of shape (n_shown,)
        Order of rows and columns: all labels or some.
    columns : ndarray of shape (n_columns,), optional
        The labels of the columns, where they are others than those of the rows.
    signs : ndarray of shape (n_labels, n_labels), optional
        Phi of each pair: where it is below 0 and names fit, the cell has a minus, unless it is too dark to matter.
    unit : {"nats", "bits"} or str
        Unit that is shown; of what is no information, its name.
    diagonal : bool, default=False
        Show the labels' entropies on the diagonal instead of leaving it blank.
    selected : (int, int), optional
        A pair of labels to frame.
    clusters : sequence of ndarray
        Labels that stand side by side in the order, to be framed together; those of one label are not.
    height : int, optional
        In pixels; by default as many labels need.

    Returns
    -------
    plotly.graph_objects.Figure
    """
    order = np.asarray(order)
    columns = order if columns is None else np.asarray(columns)
    values = information[order][:, columns] / UNITS.get(unit, 1.0)
    if not diagonal:
        values = np.where(order[:, None] == columns, np.nan, values)
    block = -(-max(len(order), len(columns)) // POOLED_LABELS)
    if block > 1:
        values = pooled_blocks(np.nan_to_num(values, nan=0.0), block, block)
    figure = _map(values, unit)
    if signs is not None and len(values) <= NAMED_LABELS:
        excluding = (signs[order][:, columns] < 0) & (values >= LEAST_SIGNED * np.nanmax(values))
        figure.data[0].update(text=np.where(excluding, "\N{MINUS SIGN}", "").tolist(), texttemplate="%{text}")
    clickable = max(len(order), len(columns)) <= CLICKABLE_LABELS
    if clickable:
        figure.add_trace(_cells(values, order, columns, names, unit))
    else:
        figure.data[0].update(hoverinfo=None, hovertemplate=_hover_of_block(block, unit))
    shapes = _frames_of(clusters, order, block) if clusters else []
    if selected is not None and block == 1:
        rows, across = ({int(label): place for place, label in enumerate(side)} for side in (order, columns))
        shapes += [
            _frame(rows[one], across[other], 1, 1)
            for one, other in dict.fromkeys([selected, selected[::-1]])
            if one in rows and other in across
        ]
    axes = _axis(names, order, len(values)), _axis(names, columns, values.shape[1])
    return _laid_out(figure, *axes, shapes, height)


def overview_heatmap(
    pooled: np.ndarray,
    names: Sequence[str],
    order: np.ndarray,
    *,
    unit: str = "nats",
    selected: tuple[int, int] | None = None,
    clusters: Sequence[np.ndarray] = (),
    height: int | None = None,
) -> go.Figure:
    """Draw the dependence of very many labels, pooled into blocks, under tiles that a click selects.

    A tile is a square of cells, and stands for the pairs of two runs of labels. Its ``customdata`` is its row and
    column of tiles, from 0; `tile_size` is how many labels it has along a side.

    Parameters
    ----------
    pooled : ndarray of shape (n_blocks, n_blocks)
        The strongest pair of each block, in nats, as from `trellislib.dependence.pooled` in the same order.
    names : sequence of str
        Names of the labels.
    order : ndarray of shape (n_labels,)
        Order of rows and columns.
    unit : {"nats", "bits"} or str
        Unit that is shown; of what is no information, its name.
    selected : (int, int), optional
        A tile to frame.
    clusters : sequence of ndarray
        Labels that stand side by side in the order, to be framed together; those of one label are not.
    height : int, optional
        In pixels; by default as many labels need.

    Returns
    -------
    plotly.graph_objects.Figure

    Raises
    ------
    ValueError
        If the blocks are not those of so many labels.
    """
    order = np.asarray(order)
    block, tile = block_size(len(order)), tile_size(len(order))
    n_blocks = -(-len(order) // block)
    if np.shape(pooled) != (n_blocks, n_blocks):
        raise ValueError(
            f"Got a pooled map of shape {np.shape(pooled)}, but {len(order):,} labels have {n_blocks} blocks of "
            f"{block} along a side: pool them with trellislib.dependence.pooled."
        )
    values = pooled / UNITS.get(unit, 1.0)
    figure = _map(values, unit)
    figure.add_trace(_tiles(pooled_blocks(values, tile // block, tile // block), order, names, unit, tile, block))
    shapes = _frames_of(clusters, order, block) if clusters else []
    if selected is not None:
        side = tile // block
        shapes.append(_frame(selected[0] * side, selected[1] * side, side, side))
    blocks = f"{len(order):,} labels" + (f" in blocks of {block}" if block > 1 else "")
    axis = _plain_axis(len(values), blocks)
    return _laid_out(figure, axis, axis, shapes, height)


def _map(values: np.ndarray, unit: str) -> go.Figure:
    return go.Figure(
        go.Heatmap(
            z=values.astype(np.float32),
            colorscale=ROOT_SCALE,
            zmin=0,
            zmax=max(float(np.nanmax(values, initial=0.0)), 1e-9),
            hoverinfo="skip",
            colorbar={  # above the map, and as wide
                "title": {"text": f"{unit} (colour by square root)", "side": "top"},
                "orientation": "h",
                "y": 1.0,
                "yanchor": "bottom",
                "thickness": 12,
                "outlinewidth": 0,
            },
        )
    )


def _laid_out(
    figure: go.Figure, rows: dict[str, Any], columns: dict[str, Any], shapes: list[dict], height: int | None
) -> go.Figure:
    """Lay out a map, the first row at the top and cells square; all shapes at once, for one by one is slow."""
    n_rows = rows["range"][1] - rows["range"][0]
    clickable = len(figure.data) > 1
    height = height or int(np.clip(22 * n_rows + 160, 420, SIDE))
    named = columns["ticktext"]
    is_wide = len(named) * max(map(len, named), default=0) > 45  # characters that fit next to each other
    return finish(
        figure,
        height,
        xaxis=columns | {"tickangle": (-90 if len(named) > LEANING_NAMES else -45) if is_wide else 0},
        yaxis=rows | {"range": rows["range"][::-1], "scaleanchor": "x", "constraintoward": "top"},
        clickmode="event+select" if clickable else "event",
        shapes=shapes,
    )


def _axis(names: Sequence[str], labels: np.ndarray, n_cells: int) -> dict[str, Any]:
    if len(labels) > NAMED_LABELS:
        return _plain_axis(n_cells, f"{len(labels)} labels")
    places = range(0, len(labels), -(-len(labels) // FITTING_NAMES) or 1)
    named = [literal(shortened(names[labels[place]])) for place in places]
    return _plain_axis(n_cells, None) | {"tickvals": list(places), "ticktext": named}


def _plain_axis(n_cells: int, title: str | None) -> dict[str, Any]:
    return {
        "tickvals": [],
        "ticktext": [],
        "showgrid": False,
        "zeroline": False,
        "title": None if title is None else {"text": title},
        "constrain": "domain",
        "range": [-0.5, n_cells - 0.5],
    }


def _cells(values: np.ndarray, order: np.ndarray, columns: np.ndarray, names: Sequence[str], unit: str) -> go.Scatter:
    """Return one nearly transparent marker per cell: clicks on a heat map itself do not reach Python."""
    along, across = ([literal(names[label]) for label in side] for side in (order, columns))
    text = []
    for row, one, of_row in zip(order.tolist(), along, values.tolist(), strict=True):
        for column, other, value in zip(columns.tolist(), across, of_row, strict=True):
            hover = one if row == column else f"{one}<br>{other}"
            if not isnan(value):
                hover += f"<br>{'entropy ' if row == column else ''}{value:.3g} {unit}"
            text.append(hover)
    row, column = (index.ravel() for index in np.indices(values.shape))
    return _markers(row, column, np.column_stack([order[row], columns[column]]), text, max(values.shape), 420)


def _tiles(
    strongest: np.ndarray, order: np.ndarray, names: Sequence[str], unit: str, tile: int, block: int
) -> go.Scatter:
    """Return one nearly transparent marker per tile."""
    runs = []
    for low in range(0, len(order), tile):
        labels = order[low : low + tile]
        runs.append(f"labels {low + 1:,} to {low + len(labels):,} ({_from_to(names, labels)})")
    text = [
        f"{one}<br>with {other}<br>at most {value:.3g} {unit}"
        for one, of_row in zip(runs, strongest.tolist(), strict=True)
        for other, value in zip(runs, of_row, strict=True)
    ]
    row, column = (index.ravel() for index in np.indices(strongest.shape))
    side = tile // block
    middle = (side - 1) / 2  # of the first tile, in cells
    pairs = np.column_stack([row, column])
    return _markers(row * side + middle, column * side + middle, pairs, text, -(-len(order) // tile), SIDE)


def _markers(
    row: np.ndarray, column: np.ndarray, pairs: np.ndarray, text: list[str], n_side: int, pixels: int
) -> go.Scatter:
    return go.Scatter(
        x=column,
        y=row,
        mode="markers",
        marker={"symbol": "square", "size": max(3, min(28, pixels // n_side)), "color": "rgba(0,0,0,0.004)"},
        unselected={"marker": {"opacity": 0}},
        customdata=pairs.tolist(),  # packed arrays do not come back from a click
        hovertext=text,
        hoverinfo="text",
    )


def _from_to(names: Sequence[str], labels: np.ndarray) -> str:
    first, last = (literal(shortened(names[label])) for label in (labels[0], labels[-1]))
    return first if len(labels) == 1 else f"{first} to {last}"


def _hover_of_block(block: int, unit: str) -> str:
    what = "" if block == 1 else f"strongest of {block} x {block} pairs: "
    return what + "%{z:.3g} " + unit + "<extra></extra>"


def _frames_of(clusters: Sequence[np.ndarray], order: np.ndarray, block: int) -> list[dict]:
    """Return frames around the pairs within each cluster, thinner than that of what is selected."""
    place = {int(label): position for position, label in enumerate(order)}
    frames = []
    for labels in clusters:
        if len(labels) > 1:
            first = min(place[int(label)] for label in labels)
            frames.append(_frame(first / block, first / block, len(labels) / block, len(labels) / block))
            frames[-1]["line"] = {"color": ACCENT, "width": 1.5, "dash": "dot"}
    return frames


def _frame(row: float, column: float, n_rows: float, n_columns: float) -> dict[str, Any]:
    """Return a frame around cells."""
    return {
        "type": "rect",
        "x0": column - 0.5,
        "x1": column + n_columns - 0.5,
        "y0": row - 0.5,
        "y1": row + n_rows - 0.5,
        "line": {"color": ACCENT, "width": 3},
    }
