"""Marginal against conditional dependence: what the features explain of what labels tell about each other."""

from __future__ import annotations

from functools import partial

import derived
import numpy as np
import pandas as pd
import streamlit as st
import structures
from parts import figure, plain
from saving import matrix_files, table_files
from session import Workspace

from trellislib.data import Dataset
from trellislib.dependence import label_tree, residual_information
from trellislib.figures import CLICKABLE_LABELS, conditional_figure, dependence_matrices, drawn_pairs
from trellislib.takeaways import about_conditional

LISTED = 8  # pairs that are listed beside the figure

Pair = tuple[int, int]


def show(workspace: Workspace) -> tuple[str, str]:
    """Show the view; return the page's sentence and the Python of its figures."""
    data, names = workspace.dataset, workspace.dataset.label_names
    marginal, conditional = without_features(data), derived.dependence(data, "residual")
    signs, order = derived.signs(data), order_of(data)
    sentence = about_conditional(names, marginal, conditional)
    pair = _choose(data)
    left, right = st.columns([3, 2], gap="medium")
    with left:
        key = f"conditional pairs {pair}"  # a new chart for each pair, as on the other view
        figure(
            conditional_figure(marginal, conditional, names, signs=signs, selected=pair),
            alt=sentence,
            key=key,
            says=_read(data),
            stem=f"{data.name}-marginal-and-conditional",
            more={"table": table_files(table(data))},
            on_select=partial(_click, key, data),
            selection_mode="points",
        )
    with right:
        _detail(data, pair)
        st.caption("Pairs of which the features explain most away")
        columns = table(data).sort_values("explained", ascending=False, kind="stable").head(LISTED)
        st.dataframe(
            columns[["label", "other label", "without", "beyond"]],
            hide_index=True,
            key="explained pairs",
            column_config={name: st.column_config.NumberColumn(format="%.3f") for name in ("without", "beyond")},
        )
    titles = ("Without the features", "Beyond the features")
    matrices = dependence_matrices(marginal, conditional, names, order, selected=pair)
    for column, title, chart, matrix in zip(
        st.columns(2, gap="medium"), titles, matrices, (marginal, conditional), strict=True
    ):
        with column:
            st.markdown(f"**{title}**")
            key = f"conditional {title} {pair}"
            figure(
                chart,
                alt=f"{title} of each pair of labels. {sentence}",
                key=key,
                stem=f"{data.name}-{title}",
                more={"matrix": matrix_files(matrix, names)},
                on_select=partial(_click, key, data) if data.n_labels <= CLICKABLE_LABELS else "ignore",
                selection_mode="points",
            )
    st.caption("Both matrices have the same order of labels and the same scale.")
    chosen = f", selected={pair}" if pair else ""
    lines = [
        "marginal = residual_information(np.empty((Y.shape[0], 0)), Y)",
        "conditional = residual_information(X, Y)",
        f"conditional_figure(marginal, conditional, names, signs=signs{chosen}).show()",
        "order = label_tree(marginal).order",
        f"for chart in dependence_matrices(marginal, conditional, names, order{chosen}):",
        "    chart.show()",
    ]
    return sentence, structures.script(workspace.source, data, {}, lines)


@derived.once
def without_features(data: Dataset) -> np.ndarray:
    """Return the dependence of each pair, by the measure of what is beyond the features: so the two can be compared."""
    return residual_information(np.empty((data.n_instances, 0)), data.Y)


@derived.once
def order_of(data: Dataset) -> np.ndarray:
    """Return the labels as the matrices show them: those side by side that depend without the features."""
    return label_tree(without_features(data)).order


@derived.once
def table(data: Dataset) -> pd.DataFrame:
    """Return the drawn pairs as a table: their dependence without and beyond the features, and mutual information."""
    marginal, conditional = without_features(data), derived.dependence(data, "residual")
    pair = tuple(drawn_pairs(marginal, conditional).T)
    first, second = (np.array(data.label_names, dtype=object)[labels] for labels in pair)
    columns = {"label": first, "other label": second, "without": marginal[pair], "beyond": conditional[pair]}
    columns |= {"explained": marginal[pair] - conditional[pair], "MI": derived.information(data)[pair]}
    return pd.DataFrame(columns)


def _told(data: Dataset, pair: Pair) -> str:
    return f"{data.label_names[pair[0]]} and {data.label_names[pair[1]]}"


@derived.once
def options(data: Dataset) -> dict[str, Pair]:
    """Return the drawn pairs by what they are called."""
    pairs = drawn_pairs(without_features(data), derived.dependence(data, "residual")).tolist()
    return {_told(data, (one, other)): (one, other) for one, other in pairs}


def _choose(data: Dataset) -> Pair | None:
    """Show the box that names the chosen pair; return it."""
    offered = _clicked(data)
    if st.session_state.get("graph_pair") not in offered:
        st.session_state["graph_pair"] = None
    name = st.selectbox(
        "Pair",
        list(offered),
        None,
        key="graph_pair",
        bind="query-params",
        placeholder="none",
        width=360,
        help="It is marked in all three figures; a click on a point or a cell chooses it, too.",
    )
    return None if name is None else offered[name]


def _clicked(data: Dataset) -> dict[str, Pair]:
    """Return the pairs that the box offers, and one more that was clicked in a matrix and is too weak to be drawn."""
    offered = options(data)
    clicked = st.session_state.get("clicked pair")
    return offered | {_told(data, clicked): clicked} if clicked and max(clicked) < data.n_labels else offered


def _click(key: str, data: Dataset) -> None:
    """Choose the pair that was clicked."""
    points = st.session_state[key]["selection"]["points"]
    pairs = [sorted(point["customdata"][:2]) for point in points if "customdata" in point]
    if pairs and pairs[0][0] != pairs[0][1]:
        pair = (int(pairs[0][0]), int(pairs[0][1]))
        st.session_state["clicked pair"] = pair
        st.session_state["graph_pair"] = _told(data, pair)


def _detail(data: Dataset, pair: Pair | None) -> None:
    """Show the chosen pair, or how to choose one."""
    if pair is None:
        st.caption("Click a point or a cell, or choose a pair by name, to see it here and in all three figures.")
        return
    before, after = float(without_features(data)[pair]), float(derived.dependence(data, "residual")[pair])
    st.header(plain(_told(data, pair)), anchor=False)
    share = f"explain {1 - after / before:.0%}" if after < before else "explain nothing"
    st.markdown(
        f"Without the features {before:.3g} nats, beyond them {after:.3g}: they {share} of what these two tell about "
        f"each other. Their mutual information is {derived.information(data)[pair]:.3g} nats."
    )


def _read(data: Dataset) -> str:
    shapes = " Orange circles: they co-occur. Blue diamonds: they exclude each other." if data.is_multilabel else ""
    n_pairs = data.n_labels * (data.n_labels - 1) // 2
    drawn = len(options(data))
    part = f" Drawn are the {drawn:,} strongest of {n_pairs:,} pairs." if drawn < n_pairs else ""
    return (
        "A point for each pair. On the dashed line the features change nothing; far below it they explain the "
        f"dependence away.{shapes}{part} Both axes are measured on what a regression leaves (without features: the "
        "labels themselves), taken as normal; for two binary labels that depend weakly, that is close to their mutual "
        "information."
    )
