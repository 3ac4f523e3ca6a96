"""Marginal against conditional dependence: what the features explain of the dependence between labels."""

from __future__ import annotations

from functools import partial

import numpy as np
import pandas as pd
import streamlit as st
from components.parts import about_figure, chosen_row, figure, legend_on_stage, plain
from components.saving import matrix_files, save, table_files
from state import derived
from state.call import Call, Script
from state.workspace import Workspace
from streamlit.delta_generator import DeltaGenerator

from trellislib.data import Dataset
from trellislib.dependence import label_tree, residual_information
from trellislib.figures import CLICKABLE_LABELS, conditional_figure, dependence_matrices, drawn_pairs
from trellislib.summaries import about_conditional
from trellislib.wording import three_digits

LISTED = 8  # rows of the table next to the figure that are seen at once
FLOOR = 0.1  # of the strongest dependence without the features, which a pair needs to be listed there
PAIR, CLICKED = "graph_pair", "clicked pair"  # the chosen pair; the last that was clicked, and in which data

Pair = tuple[int, int]


def show(workspace: Workspace, row: DeltaGenerator) -> tuple[str, Script]:
    """Show the view, its knob in a row; return the page's sentence and the Python of its figures."""
    data, call, names = workspace.dataset, workspace.call, workspace.call.label_names
    both = marginal, conditional = without_features(call), derived.dependence(call, "residual")
    sentence = about_conditional(data.label_names, marginal.value, conditional.value)
    with row:
        pair = _choose(data)
    selected = {"selected": pair} if pair else {}
    points = Call(conditional_figure, *both, names, signs=derived.signs(call), **selected)
    legend_on_stage(_shapes(data))
    left, right = st.columns(2, gap="medium")
    with left:
        figure(
            points,
            alt=sentence,
            key=f"conditional pairs {pair}",  # a new chart for each pair, as on the other view
            caption=_read(data),
            stem=f"{data.name}-marginal-and-conditional",
            more={"table": table_files(table(data))},
            on_click=partial(_click, data),
        )
        about_figure(
            "Both axes measure what a regression leaves of two labels, taken as jointly normal. Without the features "
            "it leaves the labels themselves. For two binary labels that depend weakly, this is close to their mutual "
            "information."
        )
    with right:
        _detail(data, pair)
        _explained(data, pair)
    titles = ("Without the features", "Beyond the features")
    order = Call(label_tree, marginal).order.named("order").found_by(lambda: order_of(data))
    matrices = Call(dependence_matrices, *both, names, order, **selected).named("matrices")
    for column, title, place, matrix in zip(st.columns(2, gap="medium"), titles, (0, 1), both, strict=True):
        with column:
            st.markdown(f"**{title}**")
            figure(
                matrices[place],
                alt=f"{title} of each pair of labels. {sentence}",
                key=f"conditional {title} {pair}",
                stem=f"{data.name}-{title}",
                more={"matrix": matrix_files(matrix.value, data.label_names)},
                on_click=partial(_click, data) if data.n_labels <= CLICKABLE_LABELS else None,
            )
    st.caption("Both matrices have the same order of labels and the same scale.")
    return sentence, Script().show(points, matrices[0], matrices[1])


@derived.call_once
def without_features(data: Call) -> Call:
    """Return the dependence of each pair, by the measure of what is beyond the features: so the two can be compared."""
    return Call(residual_information, Call(np.empty, (data.value.n_instances, 0)), data.Y).named("marginal")


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
    before, after = marginal[pair], conditional[pair]
    remains = np.divide(after, before, out=np.full(len(before), np.nan), where=before > 0)
    columns = {"label": first, "other label": second, "without": before, "beyond": after, "remains": remains}
    return pd.DataFrame(columns | {"MI": derived.information(data)[pair]})


@derived.once
def explained(data: Dataset) -> pd.DataFrame:
    """Return the pairs of which the features explain the largest share away, among those that depend much."""
    pairs = table(data)
    return pairs[pairs["without"] >= _floor(data)].sort_values("remains", kind="stable")


def _floor(data: Dataset) -> float:
    """Return the dependence from which a pair depends much: of less, a share means little."""
    return FLOOR * float(table(data)["without"].max())


def _explained(data: Dataset, pair: Pair | None) -> None:
    """Show the pairs that the features explain best; a row chooses its pair."""
    st.caption(f"Pairs with at least {_floor(data):.2g} nats without the features, the most explained first")
    listed = explained(data)
    key = f"explained pairs {data.digest} {pair}"
    st.dataframe(
        listed[["label", "other label", "without", "beyond", "remains"]],
        hide_index=True,
        key=key,
        height=36 + 35 * min(LISTED, max(len(listed), 1)),
        column_config={
            "label": st.column_config.TextColumn(width=88),
            "other label": st.column_config.TextColumn(width=88),
            "without": st.column_config.NumberColumn(format="%.3f", width=62, help="In nats."),
            "beyond": st.column_config.NumberColumn(format="%.3f", width=62, help="In nats."),
            "remains": st.column_config.NumberColumn(format="percent", width=66, help="Beyond, of without."),
        },
        on_select=partial(_choose_row, key, data),
        selection_mode="single-row",
    )
    save(f"{data.name}-explained", table=table_files(listed))


def _choose_row(key: str, data: Dataset) -> None:
    row = chosen_row(key)
    if row is not None:
        _take(data, options(data)[explained(data).index[row]])


def _named(data: Dataset, pair: Pair) -> str:
    return f"{data.label_names[pair[0]]} and {data.label_names[pair[1]]}"


@derived.once
def options(data: Dataset) -> list[Pair]:
    """Return the drawn pairs, as `table` has them."""
    pairs = drawn_pairs(without_features(data), derived.dependence(data, "residual")).tolist()
    return [(one, other) for one, other in pairs]


def _choose(data: Dataset) -> Pair | None:
    """Show the box that names the chosen pair; return it."""
    offered = _offered(data)
    if st.session_state.get(PAIR) not in offered:
        st.session_state[PAIR] = None
    return st.selectbox(
        "Pair",
        offered,
        None,
        format_func=partial(_named, data),
        key=PAIR,
        bind="query-params",
        placeholder="none",
        width=360,
        help="All three figures mark this pair. A click on a point, a cell or a row also chooses it.",
    )


def _offered(data: Dataset) -> list[Pair]:
    """Return the pairs that the box offers: those that are drawn, and one that was clicked and is too weak to be."""
    drawn = options(data)
    of, pair = st.session_state.get(CLICKED, (None, None))
    return drawn if of != data.digest or pair in drawn else [*drawn, pair]


def _click(data: Dataset, of: list) -> None:
    if len(of) >= 2 and of[0] != of[1]:
        _take(data, (int(min(of[:2])), int(max(of[:2]))))


def _take(data: Dataset, pair: Pair) -> None:
    st.session_state[CLICKED], st.session_state[PAIR] = (data.digest, pair), pair


def _detail(data: Dataset, pair: Pair | None) -> None:
    if pair is None:
        st.caption("Click a point, a cell or a row, or choose a pair, to see it here and in all three figures.")
        return
    before, after = float(without_features(data)[pair]), float(derived.dependence(data, "residual")[pair])
    st.header(plain(_named(data, pair)), anchor=False)
    share = f"{1 - after / before:.0%}" if after < before else "nothing"
    st.markdown(
        f"The features explain {share} of this dependence: {three_digits(after)} of {three_digits(before)} nats remain "
        "beyond them. "
        f"The mutual information is {three_digits(derived.information(data)[pair])} nats."
    )


def _shapes(data: Dataset) -> str:
    return "Orange circles: they co-occur. Blue diamonds: they exclude each other." if data.is_multilabel else ""


def _read(data: Dataset) -> str:
    shapes = f" {_shapes(data)}" if _shapes(data) else ""
    n_pairs = data.n_labels * (data.n_labels - 1) // 2
    drawn = len(options(data))
    part = f" The figure shows the {drawn:,} strongest of {n_pairs:,} pairs." if drawn < n_pairs else ""
    return f"Each point is a pair. Far below the dashed line the features explain the dependence away.{shapes}{part}"
