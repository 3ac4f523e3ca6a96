"""Marginal against conditional dependence: what is left of each pair of labels once the features are known."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import plotly.graph_objects as go

from trellislib.dependence.pairs import StrongestPairs, row_blocks
from trellislib.figures.arrows import SIGNS
from trellislib.figures.matrix import dependence_heatmap
from trellislib.figures.style import ACCENT, FAINT, finish, literal

DRAWN_PAIRS = 2_000  # above this, a browser is slow to draw them, and only the strongest are drawn
DECADES = 4  # below the strongest pair that the axes reach; weaker pairs stand at the border
HEIGHT = 440  # of a matrix, two of which stand side by side
SYMBOLS = {1: "circle", -1: "diamond", 0: "square"}


def drawn_pairs(marginal: np.ndarray, conditional: np.ndarray, most: int = DRAWN_PAIRS) -> np.ndarray:
    """Return the pairs that are drawn, the strongest first, by whichever of the two dependences is larger.

    Parameters
    ----------
    marginal, conditional : ndarray of shape (n_labels, n_labels)
        Symmetric dependence.
    most : int
        How many pairs are drawn at most.

    Returns
    -------
    ndarray of shape (n_pairs, 2)
        Each with its lower label first; of equal pairs, those of lower labels come first.

    Examples
    --------
    >>> marginal = np.array([[0, 3, 0], [3, 0, 1], [0, 1, 0]])
    >>> drawn_pairs(marginal, marginal[::-1, ::-1], most=2).tolist()
    [[0, 1], [1, 2]]
    """
    strongest = StrongestPairs(len(marginal), most)
    for labels in row_blocks(len(marginal)):
        strongest.see(labels, np.maximum(marginal[labels], conditional[labels]))
    return np.column_stack([strongest.first, strongest.second])


def conditional_figure(
    marginal: np.ndarray,
    conditional: np.ndarray,
    names: Sequence[str],
    *,
    signs: np.ndarray | None = None,
    selected: tuple[int, int] | None = None,
    height: int = 460,
) -> go.Figure:
    """Draw each pair of labels by its marginal and its conditional dependence.

    Both axes are logarithmic, for the dependences of pairs differ by orders of magnitude; they reach four decades down
    from the strongest, and pairs that have less of one (or none) stand at its border. On the dashed diagonal the
    features change nothing; a pair whose dependence they explain away falls below it.

    Parameters
    ----------
    marginal, conditional : ndarray of shape (n_labels, n_labels)
        In nats and by one measure, for else the diagonal means nothing: as from
        `trellislib.dependence.residual_information` without features and with them. (Mutual information is another
        measure: of two binary labels it is at most 0.69 nats, where residuals that are taken as normal have no bound.)
    names : sequence of str
        Names of the labels.
    signs : ndarray of shape (n_labels, n_labels), optional
        Phi of each pair: colour and shape tell co-occurrence from exclusion.
    selected : (int, int), optional
        A pair that is marked.
    height : int
        In pixels.

    Returns
    -------
    plotly.graph_objects.Figure
        Of more than 2,000 pairs, the strongest; ``customdata`` of a point is its pair.
    """
    pairs = drawn_pairs(marginal, conditional)
    before, after = (matrix[pairs[:, 0], pairs[:, 1]] for matrix in (marginal, conditional))
    strongest = float(max(before.max(initial=0.0), after.max(initial=0.0))) or 1.0
    least = strongest / 10**DECADES
    kinds = [0 if signs is None else int(np.sign(signs[one, other])) for one, other in pairs]
    figure = go.Figure(
        go.Scatter(
            x=[least, 2 * strongest],
            y=[least, 2 * strongest],
            mode="lines",
            line={"color": FAINT, "dash": "dash", "width": 2},
            hoverinfo="skip",
        )
    )
    figure.add_trace(
        go.Scatter(
            x=np.maximum(before, least),
            y=np.maximum(after, least),
            mode="markers",
            marker={
                "color": [SIGNS[kind][0] for kind in kinds],
                "symbol": [SYMBOLS[kind] for kind in kinds],
                "size": 9 if len(pairs) <= DRAWN_PAIRS // 10 else 6,
                "opacity": 0.8,
                "line": {"width": 0},
            },
            unselected={"marker": {"opacity": 0.8}},
            customdata=pairs.tolist(),
            hovertext=[
                _hover(names, pair, *nats, kind)
                for pair, nats, kind in zip(pairs, zip(before, after, strict=True), kinds, strict=True)
            ],
            hoverinfo="text",
        )
    )
    if selected is not None:
        figure.add_trace(_mark(max(marginal[selected], least), max(conditional[selected], least)))
    axis = {"type": "log", "range": np.log10([0.8 * least, 1.6 * strongest]).tolist(), "zeroline": False, "dtick": 1}
    axis |= {"exponentformat": "none"}  # 0.0001, not 100 micro
    return finish(
        figure,
        height,
        xaxis=axis | {"title": {"text": "without the features (nats)"}},
        yaxis=axis | {"title": {"text": "beyond the features (nats)"}},
        clickmode="event+select",
    )


def dependence_matrices(
    marginal: np.ndarray,
    conditional: np.ndarray,
    names: Sequence[str],
    order: np.ndarray,
    *,
    selected: tuple[int, int] | None = None,
) -> tuple[go.Figure, go.Figure]:
    """Draw marginal and conditional dependence as two matrices in one order and on one scale.

    Parameters
    ----------
    marginal, conditional : ndarray of shape (n_labels, n_labels)
        In nats, as for `conditional_figure`.
    names : sequence of str
        Names of the labels.
    order : ndarray of shape (n_labels,)
        Order of rows and columns, as from `label_order`.
    selected : (int, int), optional
        A pair of labels to frame.

    Returns
    -------
    (plotly.graph_objects.Figure, plotly.graph_objects.Figure)
    """
    pairs = ~np.eye(len(names), dtype=bool)
    strongest = max(
        float(marginal.max(where=pairs, initial=0.0)), float(conditional.max(where=pairs, initial=0.0)), 1e-9
    )
    one, other = (
        dependence_heatmap(matrix, names, order, selected=selected)
        .update_traces(zmin=0, zmax=strongest, selector={"type": "heatmap"})
        .update_layout(height=HEIGHT)
        for matrix in (marginal, conditional)
    )
    return one, other


def _hover(names: Sequence[str], pair: np.ndarray, before: float, after: float, sign: int) -> str:
    meaning = f", they {SIGNS[sign][2]}" if sign else ""
    return (
        f"{literal(names[pair[0]])} and {literal(names[pair[1]])}{meaning}<br>"
        f"{before:.3g} nats, beyond the features {after:.3g}"
    )


def _mark(x: float, y: float) -> go.Scatter:
    """Return a ring around the selected pair."""
    return go.Scatter(
        x=[x],
        y=[y],
        mode="markers",
        marker={"symbol": "circle-open", "size": 18, "color": ACCENT, "line": {"width": 3}},
        unselected={"marker": {"opacity": 1}},
        hoverinfo="skip",
    )
